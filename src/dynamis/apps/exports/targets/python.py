"""Python: one module of plain functions on lists, with `math` alone."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.syntax import Syntax, comment
from dynamis.apps.exports.template import fill_template, text
from dynamis.compute.program.signature import Operand

OWN = ("sin", "cos", "sqrt", "sign", "min", "max", "round")
SYNTAX = Syntax(frozenset((*keyword.kwlist, *OWN)))
SIGN = '''def sign(x):
    """-1, 0 or 1."""
    return (x > 0) - (x < 0)'''
LINE_WIDTH = 100
MOST_NAMES = 10
"""On the left of an assignment."""


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.py and check.py."""
    used = frozenset(op for function in export.functions for op in function.counts)
    imports = [op for op in ("cos", "sin", "sqrt") if op in used]
    parts = [
        docstring(words.head(export)),
        *([f"from math import {', '.join(imports)}"] if imports else []),
        *([f"\n{SIGN}"] if "sign" in used else []),
        *(f"\n{_definition(export, function)}" for function in export.functions),
    ]
    module = export.name
    return {f"{module}.py": "\n\n".join(parts) + "\n", "check.py": check("python", module)}


def usage(export: Export) -> str:
    """A call of the first function."""
    function, module = export.functions[0], export.name
    values = ", ".join(f"{x.name}=[{', '.join(['0.0'] * x.count)}]" for x in function.inputs)
    return f"import {module}\n\n{module}.{function.name}({values})"


def docstring(lines: Sequence[str]) -> str:
    """Of a module."""
    return '"""' + "\n".join(lines) + '\n"""'


def check(target: str, name: str) -> str:
    """check.py of a target, with the end that they share: what a function's largest error says, and the verdict."""
    return fill_template(f"{target}/check.py.in", NAME=name, VERDICT=text("python/verdict.py.in"))


def _definition(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    lines = ['"""' + "\n    ".join(words.interface(export, function)) + '\n    """']
    for operand in function.inputs:
        loads = {place: name for name, source, place in body.loads if source is operand}
        if loads and operand.count <= MOST_NAMES:
            names = ", ".join(loads.get(k, "_") for k in range(operand.count))
            lines.append(f"{names}{',' if operand.count == 1 else ''} = {operand.name}")
        else:
            lines += [f"{name} = {operand.name}[{place}]" for place, name in loads.items()]
    for name, value in body.statements:
        note = f"  # {comment(body.notes[name])}" if body.notes.get(name) else ""
        lines += assignment_lines(name, SYNTAX.text(value), note)
    for operand, entries in body.results:
        lines += _result(operand, [SYNTAX.text(x) for x in entries])
    lines.append(f"return {', '.join(x.name for x in function.outputs)}")
    arguments = ", ".join(x.name for x in function.inputs)
    return "\n".join([f"def {function.name}({arguments}):", *(f"    {line}" for line in lines)])


def assignment_lines(name: str, text: str, note: str = "") -> list[str]:
    """An assignment, in brackets over several lines where it is long."""
    if len(name) + len(text) + 3 <= LINE_WIDTH - 4:
        return [f"{name} = {text}{note}"]
    return wrap(f"{name} = ({text})", LINE_WIDTH - 4, subsequent_indent="    ", break_long_words=False)


def _result(operand: Operand, texts: list[str]) -> list[str]:
    """A number, a list with an entry per line, or a list with a row per line."""
    if not operand.shape:
        return assignment_lines(operand.name, texts[0])
    columns = operand.count // operand.shape[0] if len(operand.shape) > 1 else 1
    rows = [", ".join(texts[k : k + columns]) for k in range(0, operand.count, columns)]
    rows = [f"[{row}]" for row in rows] if len(operand.shape) > 1 else rows
    whole = f"{operand.name} = [{', '.join(rows)}]"
    if len(whole) <= LINE_WIDTH - 4:
        return [whole]
    lines = [wrap(f"{row},", LINE_WIDTH - 8, subsequent_indent="    ", break_long_words=False) for row in rows]
    return [f"{operand.name} = [", *(f"    {part}" for row in lines for part in row), "]"]
