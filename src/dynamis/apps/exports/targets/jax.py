"""JAX: one module of functions on arrays, for one state or a batch, that jit, vmap and grad take as they are."""

from __future__ import annotations

import keyword
from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import CALLS, Syntax
from dynamis.apps.exports.targets.python import LINE_WIDTH, MOST_NAMES, assignment_lines, docstring
from dynamis.apps.exports.template import fill_template, text
from dynamis.compute.program.signature import Operand

OWN = ("jnp", "entries", "array", "tuple", "list", "len", "range")
CALLED = {"min": "minimum", "max": "maximum", "round": "rint"}
SYNTAX = Syntax(
    frozenset((*keyword.kwlist, *OWN)),
    calls={op: text.replace(op, f"jnp.{CALLED.get(op, op)}") for op, text in CALLS.items()},
)


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.py and check.py."""
    module = _module(export)
    parts = [
        docstring(words.head(export)),
        text("jax/arrays.py.in").rstrip(),
        *(f"\n{_definition(export, function)}" for function in export.functions),
    ]
    return {f"{module}.py": "\n\n".join(parts) + "\n", "check.py": fill_template("jax/check.py.in", NAME=module)}


def usage(export: Export) -> str:
    """Calls on one state and on many, and a derivative."""
    function, module = export.functions[0], _module(export)
    zeros, many = (
        ", ".join(f"jnp.zeros({size.format(x.count)})" for x in function.inputs) for size in ("{}", "(1000, {})")
    )
    return "\n".join([
        f"import jax\nimport jax.numpy as jnp\nimport {module}\n",
        'jax.config.update("jax_enable_x64", True)   # double precision; without it single',
        f"{module}.{function.name}({zeros})",
        f"jax.jit({module}.{function.name})({many})   # a thousand states",
        f"jax.jacfwd({module}.{function.name})({zeros})   # derivatives by {function.inputs[0].name}"
        if function.inputs else "",
    ]).rstrip()  # fmt: skip


def _module(export: Export) -> str:
    name = export.name
    return f"{name}_2" if name in ("jax", "numpy") else name


def _definition(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    lines = ['"""' + "\n    ".join(words.interface(export, function)) + '\n    """']
    for operand in function.inputs:
        lines += _loads(operand, body)
    for name, value in body.statements:
        lines += assignment_lines(name, SYNTAX.text(value), words.note(body, name, "#"))
    inputs = ", ".join(x.name for x in function.inputs)
    for operand, values in body.results:
        lines += _result(operand, [SYNTAX.text(x) for x in values], inputs)
    lines.append(f"return {', '.join(x.name for x in function.outputs)}")
    return "\n".join([f"def {function.name}({inputs}):", *(f"    {line}" for line in lines)])


def _loads(operand: Operand, body: Body) -> list[str]:
    loads = {place: name for name, source, place in body.loads if source is operand}
    if loads and operand.count <= MOST_NAMES:
        names = ", ".join(loads.get(k, "_") for k in range(operand.count))
        return [f"{names}{',' if operand.count == 1 else ''} = entries({operand.name})"]
    return [f"{name} = jnp.asarray({operand.name})[..., {place}]" for place, name in loads.items()]


def _result(operand: Operand, texts: list[str], inputs: str) -> list[str]:
    """A call of `array` with one row per line."""
    columns = operand.shape[-1] if len(operand.shape) > 1 else 1
    start = f"{operand.name} = array({operand.shape!r}, ["
    end = f"], {inputs})" if inputs else "])"
    whole = start + ", ".join(texts) + end
    if len(whole) <= LINE_WIDTH - 4:
        return [whole]
    rows = [", ".join(texts[k : k + columns]) + "," for k in range(0, operand.count, columns)]
    lines = [wrap(row, LINE_WIDTH - 8, subsequent_indent="    ", break_long_words=False) for row in rows]
    return [start, *(f"    {part}" for row in lines for part in row), end]
