"""MATLAB, Octave and Simulink: a package folder with one function per file, on one state or on many, and check.m."""

from __future__ import annotations

from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import CALLS, Syntax, comment, subscripts
from dynamis.apps.exports.template import fill_template
from dynamis.base.arrays import Array
from dynamis.compute.program.signature import Operand

KEYWORDS = (
    "break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd "
    "switch try while do until unwind_protect unwind_protect_cleanup end_unwind_protect end_try_catch endfor "
    "endfunction endif endparfor endswitch endwhile methods properties events enumeration arguments"
)
"""Of MATLAB and of Octave."""
OWN = "sin cos sqrt sign min max fix rem abs half_even zeros size class N ans i j e pi eps Inf NaN inf nan"
HALF_EVEN = """
function y = half_even(x)
% The nearest integer, an even one between two.
y = fix(x + sign(x)/2);
y = y - sign(x).*(abs(x - fix(x)) == 0.5 & rem(y, 2) ~= 0);
end
"""


def number(x: float) -> str:
    """2 for 2.0."""
    return repr(x).removesuffix(".0")


SYNTAX = Syntax(
    frozenset(f"{KEYWORDS} {OWN}".split()), number, CALLS | {"round": "half_even({})"}, times=".*", over="./"
)


def files(export: Export) -> dict[str, str | bytes]:
    """+NAME/FUNCTION.m and check.m."""
    package = _package(export)
    return {
        **{f"+{package}/{x.name}.m": _function(export, x) for x in export.functions},
        "check.m": _check(export),
    }


def usage(export: Export) -> str:
    """Calls on one state and on many, and what a state is for an integrator."""
    function, package = export.functions[0], _package(export)
    inputs = [f"{x.name} = zeros({x.count}, 1);" for x in function.inputs]
    many = ", ".join(f"rand({x.count}, 1000)" for x in function.inputs)
    results = _results(function)
    return "\n".join([
        *inputs,
        f"{results} = {_call(package, function)};",
        f"{results} = {package}.{function.name}({many});   % a thousand states, one per column",
        f"help {package}.{function.name}",
    ])  # fmt: skip


def _package(export: Export) -> str:
    return SYNTAX.names()(export.name)


def _results(function: ExportedFunction) -> str:
    names = [x.name for x in function.outputs]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _call(package: str, function: ExportedFunction) -> str:
    return f"{package}.{function.name}({', '.join(x.name for x in function.inputs)})"


def size(operand: Operand) -> str:
    """6 x N, 6 x 6 x N."""
    return " x ".join(map(str, operand.shape or (1,))) + " x N"


def _function(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    arguments = ", ".join(x.name for x in function.inputs)
    operands = (*function.inputs, *function.outputs)
    longest, widest = max(len(x.name) for x in operands), max(len(size(x)) for x in operands)
    table = [
        f"{side} {x.name:<{longest}}  {size(x):<{widest}}  {words.describe_operand(export, x)}".rstrip()
        for side, group in (("in ", function.inputs), ("out", function.outputs))
        for x in group
    ]
    rows = [part for line in table for part in wrap(comment(line), words.HEAD_WIDTH, subsequent_indent=" " * 8)]
    help_text = [
        f"{function.name.upper()}  {comment(function.about)}.",
        f"  {_results(function)} = {_call(_package(export), function)}",
        "",
        *(f"  {row}" for row in rows),
        f"  {function.operations}",
        "",
        *(f"  {line}" for line in words.head(export)),
    ]
    lines = [
        f"function {_results(function)} = {function.name}({arguments})",
        *(f"% {line}".rstrip() for line in help_text),
        "%#codegen",
        "",
        *(f"{name} = {operand.name}({k + 1},:);" for name, operand, k in body.loads),
        "",
        *(f"{name} = {SYNTAX.text(value)};{words.note(body, name, '%')}" for name, value in body.statements),
        "",
        *_assignments(function, body),
        "end",
    ]
    return "\n".join(lines) + "\n" + (HALF_EVEN if "round" in body.operations else "")


def _assignments(function: ExportedFunction, body: Body) -> list[str]:
    first = function.inputs[0].name if function.inputs else ""
    like = f", class({first})" if first else ""
    lines = [f"N = size({first}, 2);" if first else "N = 1;"]
    for operand, entries in body.results:
        shape = operand.shape or (1,)
        lines.append(f"{operand.name} = zeros({', '.join(map(str, shape))}, N{like});")
        for k, value in enumerate(entries):
            if value != ("constant", 0.0):
                lines.append(f"{operand.name}({subscripts(k, shape)},:) = {SYNTAX.text(value)};")
    return lines


def _check(export: Export) -> str:
    package = _package(export)
    parts: list[str] = []
    for k, function in enumerate(export.functions, 1):
        v = function.vectors
        lines = [f"checks({k}).name = '{function.name}';", f"checks({k}).call = @{package}.{function.name};"]
        for side, operands, arrays in (
            ("inputs", function.inputs, v.inputs),
            ("outputs", function.outputs, v.outputs),
        ):
            lines.append(f"checks({k}).{side} = cell(1, {len(operands)});")
            for j, (operand, values) in enumerate(zip(operands, arrays, strict=True), 1):
                lines += [f"checks({k}).{side}{{{j}}} = [   % {operand.name}", *_rows(values), "];"]
        axes = [f"[{' '.join(map(str, range(max(1, len(x.shape)), 0, -1)))}]" for x in function.outputs]
        lines += [
            f"checks({k}).order = {{{', '.join(axes)}}};",
            f"checks({k}).double = [{' '.join(f'{x:.3e}' for x in v.tolerances)}];",
            f"checks({k}).single = [{' '.join(f'{x:.3e}' for x in v.single)}];",
        ]
        parts.append("\n".join(lines))
    return fill_template("matlab/check.m.in", NAME=package, CHECKS="\n\n".join(parts))


def _rows(values: Array) -> list[str]:
    """A matrix with one state per column."""
    return ["    " + " ".join(map(number, row)) for row in values.T.tolist()]
