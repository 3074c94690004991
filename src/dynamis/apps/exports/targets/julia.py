"""Julia: a module of functions without allocation that write into their first arguments, and of those that do not."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import Syntax, subscripts
from dynamis.apps.exports.template import fill_template
from dynamis.base.arrays import Array
from dynamis.compute.program.signature import Operand

KEYWORDS = (
    "baremodule begin break catch const continue do else elseif end export false finally for function global if import "
    "in isa let local macro module quote return struct true try using where while abstract mutable primitive type "
)
OWN = "sin cos sqrt sign min max round zeros eltype float promote_type pi im Base Core Main ans kind"
SYNTAX = Syntax(frozenset(f"{KEYWORDS} {OWN}".split()))


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.jl and check.jl."""
    module = _module(export)
    parts = [
        "\n".join(f"# {line}" for line in words.head(export)),
        f"module {module}",
        *(_function(export, x) for x in export.functions),
        "end",
    ]
    return {f"{module}.jl": "\n\n".join(parts) + "\n", "check.jl": _check(export)}


def usage(export: Export) -> str:
    """Calls of the first function with a new result and into an old one."""
    function, module = export.functions[0], _module(export)
    results = ", ".join(x.name for x in function.outputs)
    inputs = ", ".join(x.name for x in function.inputs)
    lines = [
        f'include("{module}.jl")\n',
        *(f"{x.name} = zeros({x.count})" for x in function.inputs),
        f"{results} = {module}.{function.name}({inputs})",
    ]
    if _arrays(function):
        lines.append(f"{module}.{function.name}!({_arguments(function)})   # into what is there: no allocation")
    return "\n".join(lines)


def _module(export: Export) -> str:
    """A function may not have the name of its module."""
    return SYNTAX.names(x.name for x in export.functions)(export.name)


def _arrays(function: ExportedFunction) -> list[Operand]:
    """The results that a function can write into; a number is returned."""
    return [x for x in function.outputs if x.shape]


def _arguments(function: ExportedFunction) -> str:
    return ", ".join(x.name for x in (*_arrays(function), *function.inputs))


def _function(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    arrays, name = _arrays(function), function.name
    inputs = ", ".join(x.name for x in function.inputs)
    lines = [
        *(f"{local} = {operand.name}[{k + 1}]" for local, operand, k in body.loads),
        *(f"{local} = {SYNTAX.text(value)}{words.note(body, local, '#')}" for local, value in body.statements),
        *_results(body),
    ]
    text = "\n".join(words.interface(export, function)).replace("$", "\\$")
    documented = f'"""\n{indent(text, "    ")}\n"""\n'
    numbers = ", ".join(x.name for x in function.outputs if not x.shape)
    if not arrays:
        return documented + _block(f"function {name}({inputs})", [*lines, f"return {numbers}"])
    # A tuple of arrays would be allocated.
    given = numbers or (arrays[0].name if len(arrays) == 1 else "nothing")
    kinds = ", ".join(f"eltype({x.name})" for x in function.inputs)
    new = [
        f"kind = float(promote_type({kinds}))" if kinds else "kind = Float64",
        *(f"{x.name} = zeros(kind, {', '.join(map(str, x.shape))})" for x in arrays),
        (f"{numbers} = " if numbers else "") + f"{name}!({_arguments(function)})",
        f"return {', '.join(x.name for x in function.outputs)}",
    ]
    change = _block(f"function {name}!({_arguments(function)})", [*lines, f"return {given}"])
    return documented + change + "\n\n" + _block(f"function {name}({inputs})", new)


def _block(head: str, lines: Iterable[str]) -> str:
    return "\n".join([head, *(f"    {line}" for line in lines), "end"])


def _results(body: Body) -> list[str]:
    lines: list[str] = []
    for operand, entries in body.results:
        for k, value in enumerate(entries):
            place = f"[{subscripts(k, operand.shape)}]" if operand.shape else ""
            lines.append(f"{operand.name}{place} = {SYNTAX.text(value)}")
    return lines


def _check(export: Export) -> str:
    module = _module(export)
    parts: list[str] = []
    for function in export.functions:
        v = function.vectors
        change = f"{module}.{function.name}!" if _arrays(function) else "nothing"
        parts.append("\n".join([
            f'check("{function.name}", {module}.{function.name}, {change},',
            *_tuple(_states(values) for values in v.inputs),
            *_tuple(_states(values) for values in v.outputs),
            *_tuple(f"{x:.3e}," for x in v.tolerances),
            *_tuple(f"{x:.3e}," for x in v.single),
            ")",
        ]))  # fmt: skip
    return fill_template("julia/check.jl.in", NAME=module, CHECKS="\n\n".join(parts))


def _tuple(parts: Iterable[str]) -> list[str]:
    return ["  (", *parts, "  ),"]


def _states(values: Array) -> str:
    """A matrix with one state per column: a text, which Julia reads sooner than it compiles an array."""
    rows = "\n".join(" ".join(map(repr, row)) for row in values.tolist())
    return f'matrix({values.shape[1]}, """\n{rows}"""),'
