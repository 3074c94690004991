"""Rust: a `no_std` crate without dependencies or allocation, in double and single precision, with `cargo test`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import pi
from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.straight_line import Body, Expression
from dynamis.apps.exports.syntax import CALLS, Syntax
from dynamis.apps.exports.template import fill_template
from dynamis.base.arrays import Array
from dynamis.compute.ir.sincos import COSINE, HALF_PI, SINE
from dynamis.compute.program.signature import Operand

KEYWORDS = (
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move "
    "mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do "
    "final macro override priv try typeof unsized virtual yield gen union "
)
OWN = "Real sin cos sqrt sign min max round single double math std core alloc test proc_macro f32 f64"
SYNTAX = Syntax(frozenset(f"{KEYWORDS} {OWN}".split()), calls=CALLS)
INDENT = "    "


def files(export: Export) -> dict[str, str | bytes]:
    """Cargo.toml, src/lib.rs, src/functions.rs, src/math.rs and tests/vectors.rs."""
    head = "\n".join(f"//! {line}".rstrip() for line in ("```text", *words.head(export), "```"))
    return {
        "Cargo.toml": fill_template("rust/Cargo.toml.in", NAME=_crate(export)),
        "src/lib.rs": fill_template("rust/lib.rs.in", HEAD=head),
        "src/functions.rs": "\n\n".join(_function(export, x) for x in export.functions) + "\n",
        "src/math.rs": _math(),
        "tests/vectors.rs": _vectors(export),
    }


def usage(export: Export) -> str:
    """Calls in both precisions."""
    function, crate = export.functions[0], _crate(export)
    inputs = [f"let {x.name} = [0.0; {x.count}];" for x in function.inputs]
    arguments = ", ".join(f"&{x.name}" for x in function.inputs)
    results = _tuple([x.name for x in function.outputs])
    return "\n".join([
        f'// in Cargo.toml: {crate} = {{ path = "FOLDER" }}; with default-features = false it needs no std',
        *inputs,
        f"let {results} = {crate}::{function.name}({arguments});             // f64",
        f"let {results} = {crate}::single::{function.name}({arguments});     // f32",
    ])  # fmt: skip


def _crate(export: Export) -> str:
    return SYNTAX.names()(export.name.lower())


def _type(shape: Sequence[int], real: str = "Real") -> str:
    """[Real; 6], [[Real; 6]; 6], Real."""
    return f"[{_type(shape[1:], real)}; {shape[0]}]" if shape else real


def _tuple(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


MOST_SCOPES = 1000
"""Every `let` opens a scope inside the last one, and rustc's stack ends some thousand scopes deep."""


def _function(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    arguments = ", ".join(f"{x.name}: &{_type((x.count,))}" for x in function.inputs)
    results = _tuple([_type(x.shape) for x in function.outputs])
    names = [name for name, _ in body.statements]
    long = len(names) > MOST_SCOPES
    lines = [
        *(f"/// {line}" for line in ("```text", *words.interface(export, function, body, words.HEAD_WIDTH - 4), "```")),
        f"pub fn {function.name}({arguments}) -> {results} {{",
        *(f"{INDENT}let {name} = {operand.name}[{k}];" for name, operand, k in body.loads),
        *(
            wrap(f"let ({', '.join(names)});", words.HEAD_WIDTH, initial_indent=INDENT, subsequent_indent=INDENT * 2)
            if long
            else []
        ),
        *(
            f"{INDENT}{'' if long else 'let '}{name} = {SYNTAX.text(value)};{words.note(body, name, '//')}"
            for name, value in body.statements
        ),
        *_results(body),
        "}",
    ]
    return "\n".join(line.rstrip() for line in lines)


def _results(body: Body) -> list[str]:
    arrays = [_array(operand.shape, list(entries), 1) for operand, entries in body.results]
    return [INDENT + _tuple(arrays)]


def _array(shape: Sequence[int], entries: Sequence[Expression], depth: int) -> str:
    """A nested array, one entry or one row per line."""
    if not shape:
        return SYNTAX.text(entries[0])
    size = len(entries) // shape[0]
    parts = [_array(shape[1:], entries[k * size : (k + 1) * size], depth + 1) for k in range(shape[0])]
    if len(shape) == 1 and sum(map(len, parts)) < words.HEAD_WIDTH - 20:
        return f"[{', '.join(parts)}]"
    return "[\n" + "".join(f"{INDENT * (depth + 1)}{x},\n" for x in parts) + f"{INDENT * depth}]"


def _math() -> str:
    """Sines and the like, from std or from core alone, in both precisions."""
    modules = [
        _module("double", "f64", bits=52, bias=1023, limit="1e5", parts=HALF_PI["double"]),
        _module("single", "f32", bits=23, bias=127, limit="1e4", parts=_short_parts()),
    ]
    return fill_template("rust/math.rs.in", MODULES="\n".join(modules))


def _module(name: str, real: str, *, bits: int, bias: int, limit: str, parts: Sequence[str | float]) -> str:
    sine, cosine = (table["double" if bits == 52 else "float"] for table in (SINE, COSINE))
    return fill_template(
        "rust/math_module.rs.in", MODULE=name, REAL=real, LIMIT=limit, WHOLE=repr(2.0**bits),
        EXPONENT=str(bias << (bits - 1)), COUNT=str(len(sine)), PARTS=_list(parts), SINE=_list(sine),
        COSINE=_list(cosine),
    )  # fmt: skip


def _list(numbers: Sequence[str | float]) -> str:
    return ", ".join(repr(float.fromhex(x) if isinstance(x, str) else x) for x in numbers)


def _short_parts() -> list[float]:
    """pi/2 in parts of 11 bits: times an integer of 13 bits they are exact in single precision."""
    rest, parts = Fraction(pi / 2), list[float]()
    for k in (10, 21):
        part = Fraction(int(rest * 2**k), 2**k)
        parts.append(float(part))
        rest -= part
    return [*parts, float(rest)]


def _vectors(export: Export) -> str:
    crate = _crate(export)
    checks = "\n\n".join(_check(crate, x) for x in export.functions)
    calls = "\n".join(f'{INDENT}passed &= report("{x.name}", {x.name}());' for x in export.functions)
    return fill_template("rust/vectors.rs.in", CHECKS=checks, CALLS=calls, NAME=crate)


def _check(crate: str, function: ExportedFunction) -> str:
    v = function.vectors
    lines = [f"fn {function.name}() -> [f64; 2] {{", "    let mut worst = [0.0; 2];"]
    for operand, values in zip((*function.inputs, *function.outputs), (*v.inputs, *v.outputs), strict=True):
        lines.append(f"    let {operand.name}_: [[f64; {operand.count}]; {len(values)}] = {_rows(values)};")
    lines.append(f"    for k in 0..{len(v.outputs[0])} {{")
    results = _tuple([x.name for x in function.outputs])
    for j, (path, cast, tolerances) in enumerate(
        (("", "", v.tolerances), ("single::", ".map(|x| x as f32)", v.single))
    ):
        arguments = ", ".join(f"&{x.name}_[k]{cast}" for x in function.inputs)
        lines.append(f"        let {results} = {crate}::{path}{function.name}({arguments});")
        for x, tolerance in zip(function.outputs, tolerances, strict=True):
            lines.append(
                f"        compare(&mut worst[{j}], {_entries(x)}.map(|x| *x as f64), &{x.name}_[k], {tolerance:.3e});"
            )
    return "\n".join([*lines, "    }", "    worst", "}"])


def _entries(operand: Operand) -> str:
    """An iterator over the entries, row by row."""
    if not operand.shape:
        return f"[{operand.name}].iter()"
    return f"{operand.name}.iter()" + ".flatten()" * (len(operand.shape) - 1)


def _rows(values: Array) -> str:
    return "[\n" + "".join(f"        [{', '.join(map(repr, row))}],\n" for row in values.tolist()) + "    ]"
