"""What the code of every export says in comments: the head of a file, what a function takes and gives."""

from __future__ import annotations

from textwrap import wrap

from dynamis.apps.exports.exported import Export, ExportedFunction, entries, unit
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import comment
from dynamis.apps.exports.target import TARGETS
from dynamis.compute.program.signature import Operand

HEAD_WIDTH = 96


def head(export: Export, width: int = HEAD_WIDTH) -> list[str]:
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


def interface(
    export: Export, function: ExportedFunction, body: Body | None = None, width: int = HEAD_WIDTH
) -> list[str]:
    """Lines about a function: what it is, its arguments in order with units, its operations, its stack."""
    lines = [f"{function.name}: {function.about}."]
    for side, operands in (("in ", function.inputs), ("out", function.outputs)):
        lines += [f"  {side} {x.name}{shape(x)} {describe_operand(export, x)}" for x in operands]
    lines.append(f"  {function.operations}")
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


def describe_operand(export: Export, operand: Operand) -> str:
    """The unit of an operand; of parameters the names, units and values."""
    named = entries(operand, export.nominal) if operand.name == "parameters" else ""
    return named or (f"[{unit(operand)}]" if unit(operand) else "")
