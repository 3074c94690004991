"""What every export says in words: the head of a file, what a function takes and gives, and the manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import comment
from dynamis.apps.exports.target import TARGETS
from dynamis.compute.program.signature import Operand

if TYPE_CHECKING:
    from dynamis.apps.exports.export import Export, ExportedFunction

WIDTH = 96
COUNTED = {"*": "multiplications", "+": "additions", "/": "divisions", "sqrt": "square roots"}


def head(export: Export, width: int = WIDTH) -> list[str]:
    """Lines for the comment at the head of a file, safe in any comment: robot, joints, where it comes from."""
    robot, origin = export.robot, export.origin
    joints = ", ".join(f"{k} {x.name} ({'rad' if x.revolute else 'm'})" for k, x in enumerate(robot.coordinates, 1))
    lines = [
        f"{robot.name}: robot dynamics in SI units, written by dynamis {origin.version}.",
        *([f"Command: {origin.command}"] if origin.command else []),
        f"Model: {'; '.join(map(str, origin.sources))}",
        f"Joints, in the order of every array: {joints}",
        f"{TARGETS[export.to].arrays} Generated code: use it without restriction, change it by exporting again.",
    ]
    return [part for line in lines for part in wrap(comment(line), width, subsequent_indent="  ")]


def interface(export: Export, function: ExportedFunction, body: Body | None = None, width: int = WIDTH) -> list[str]:
    """Lines about a function: what it is, its arguments in order with units, its operations, its stack."""
    lines = [f"{function.name}: {function.about}."]
    for side, operands in (("in ", function.inputs), ("out", function.outputs)):
        lines += [f"  {side} {x.name}{shape(x)} {described(export, x)}" for x in operands]
    lines.append(f"  {operations(function)}")
    if body is not None:
        count = len(body.loads) + len(body.statements)
        lines.append(
            f"  stack in double precision: about {8 * body.live} bytes when optimised, {8 * count} bytes when not"
        )
    return [part for line in lines for part in wrap(comment(line), width, subsequent_indent="      ")]


def note(body: Body, name: str, mark: str) -> str:
    """What a value is, as a comment behind its line."""
    return f"  {mark} {comment(body.notes[name])}" if body.notes.get(name) else ""


def shape(operand: Operand) -> str:
    """[6], [6][6], or [1] for a scalar."""
    return "".join(f"[{n}]" for n in operand.shape) or "[1]"


def described(export: Export, operand: Operand) -> str:
    """The unit of an operand; of parameters the names, units and values."""
    named = entries(operand, export.nominal) if operand.name == "parameters" else ""
    return named or (f"[{unit(operand)}]" if unit(operand) else "")


def unit(operand: Operand) -> str:
    """The unit of all entries, or those that there are; empty where none is declared."""
    units = list(dict.fromkeys(operand.units))
    return ", ".join(units[:3]) + (", ..." if len(units) > 3 else "")


def entries(operand: Operand, nominal: Mapping[str, float | None] | None = None) -> str:
    """The names of the entries, with units for parameters, and the robot's own values."""
    if operand.name != "parameters":
        return ", ".join(operand.entries)
    named: list[str] = []
    for name, one in zip(operand.entries, operand.units, strict=True):
        own = (nominal or {}).get(name)
        named.append(f"{name}{f' [{one}]' if one else ''}{'' if own is None else f' ({own:.6g} in the model)'}")
    return ", ".join(named)


def arrays(export: Export) -> Iterator[tuple[str, str, str, str]]:
    """Every array once: name, shape, unit and entries; where two have one name, the functions too."""
    users: dict[tuple[str, str, str], list[str]] = {}
    named: dict[tuple[str, str, str], str] = {}
    for function in export.functions:
        for x in (*function.inputs, *function.outputs):
            key = x.name, "x".join(map(str, x.shape)) or "1", unit(x)
            users.setdefault(key, []).append(function.name)
            named[key] = named.get(key) or entries(x)
    often = Counter(name for name, _, _ in users)
    for key, functions in users.items():
        name, size, measure = key
        yield f"{name} of {', '.join(functions)}" if often[name] > 1 else name, size, measure, named[key]


def call(function: ExportedFunction) -> str:
    """`q, qd, qdd -> tau`"""
    return str(function.program.signature)


def operations(function: ExportedFunction) -> str:
    """How many operations of each kind one call takes."""
    counts = function.counts
    counted = {word[:-1] if counts[op] == 1 else word: counts[op] for op, word in COUNTED.items()}
    counted["sines and cosines"] = counts["sin"] + counts["cos"]
    counted["others"] = sum(counts[op] for op in ("sign", "min", "max", "round"))
    return ", ".join(f"{count} {word}" for word, count in counted.items() if count) or "no operations"


def manifest(export: Export, vectors: bool = True) -> dict[str, Any]:
    """All about an export but its code, for JSON: every function, and the test vectors."""
    return {
        "robot": export.robot.name,
        "target": export.to,
        "style": export.style,
        "joints": [{"name": x.name, "unit": "rad" if x.revolute else "m"} for x in export.robot.coordinates],
        "functions": [
            {
                "name": x.name,
                "about": x.about,
                "inputs": [_operand(y) for y in x.inputs],
                "outputs": [_operand(y) for y in x.outputs],
                "operations": dict(x.counts),
                **({"vectors": _vectors(x)} if vectors else {}),
            }
            for x in export.functions
        ],
    }


def _operand(operand: Operand) -> dict[str, Any]:
    return {
        "name": operand.name,
        "shape": list(operand.shape),
        "entries": list(operand.entries),
        "units": list(operand.units),
    }


def _vectors(function: ExportedFunction) -> dict[str, Any]:
    v = function.vectors

    def named(operands: Sequence[Operand], values: Sequence[Any]) -> dict[str, Any]:
        return {x.name: y if isinstance(y, float) else y.tolist() for x, y in zip(operands, values, strict=True)}

    return {
        "inputs": named(function.inputs, v.inputs),
        "outputs": named(function.outputs, v.outputs),
        "tolerance": named(function.outputs, v.tolerances),
        "tolerance_single": named(function.outputs, v.single),
    }
