"""How frames are written: each convention turned into the joint's two placements and its axis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.expression import ZERO, Expression, Number, Parameter, Product, Sum
from dynamis.base.expressions.parser import as_expression
from dynamis.base.toml_table import Table
from dynamis.model.placement import IDENTITY, Placement, Step, parse_steps

CONVENTIONS = ("standard-dh", "modified-dh", "offset", "transforms")


@dataclass(frozen=True)
class JointFrame:
    """T_parent_link(q) = before * motion(q) * after; `kind` where the notation itself gives it."""

    before: Placement
    axis: Any = (0, 0, 1)
    after: Placement = IDENTITY
    kind: str | None = None


def standard_dh(row: Table, kind: str) -> JointFrame:
    """Rz(theta) Tz(d) Tx(a) Rx(alpha), with q added to theta (revolute) or d (prismatic)."""
    theta, d, a, alpha = _dh_row(row)
    if kind == "prismatic":
        return JointFrame(_chain(theta, d), after=_chain(a, alpha))
    if kind == "fixed":
        return JointFrame(_chain(theta, d, a, alpha))
    return JointFrame(_chain(theta), after=_chain(d, a, alpha))


def modified_dh(row: Table, kind: str) -> JointFrame:
    """Rx(alpha) Tx(a) Rz(theta) Tz(d) (Craig, Khalil), with q added to theta or d."""
    theta, d, a, alpha = _dh_row(row)
    return JointFrame(_chain(alpha, a, theta, d))


def _dh_row(row: Table) -> tuple[Step, Step, Step, Step]:
    with row.place():
        theta, d, a, alpha = (as_expression(row.get(key), key) for key in ("theta", "d", "a", "alpha"))
    row.done()
    return Step("R", "z", theta), Step("T", "z", d), Step("T", "x", a), Step("R", "x", alpha)


def _chain(*steps: Step) -> Placement:
    return Placement(steps).tidy()


def read_placement(table: Table, key: str, default: Any = "") -> Placement:
    """A chain in quotes, or `{ offset = [x, y, z], rotation = { order = "zyx", x, y, z } }`."""
    value = table.get(key, default)
    with table.place(key):
        if isinstance(value, str):
            return Placement.parse(value)
        if isinstance(value, dict):
            inner = table.table(key)
            placement = offset_and_rotation(inner)
            inner.done()
            return placement
    table.fail(
        key, f'{key} must be a chain such as "Tz(0.1) Rx(pi/2)" or an offset and a rotation, got {literal(value)}'
    )


def offset_and_rotation(table: Table) -> Placement:
    """The offset first, then the rotation: T = Trans(offset) Rot(rotation); or a `placement` instead."""
    if "placement" in table:
        for other in ("offset", "rotation"):
            if other in table:
                table.fail(other, f"{other} and placement exclude each other; a placement has both in one chain")
        return read_placement(table, "placement")
    table.allowed_keys.append("placement")
    with table.place("offset"):
        placement = Placement.offset(table.array("offset", [0, 0, 0]))
    return placement * read_rotation(table, "rotation")


def read_rotation(table: Table, key: str) -> Placement:
    """`{ order = "zyx", x = ..., y = ..., z = ... }`: R = Rz Ry Rx, or a chain of Rx, Ry, Rz."""
    value = table.get(key, "")
    if isinstance(value, str):
        with table.place(key):
            chain = Placement.parse(value)
        if any(step.kind == "T" for step in chain.steps):
            table.fail(key, f"{key} must be a chain of Rx, Ry, Rz, got {literal(value)}")
        return chain
    rotation = table.table(key)
    with rotation.place():
        angles = {axis: rotation.get(axis, 0) for axis in "xyz"}
        placement = Placement.angles(rotation.text("order"), **angles)
    rotation.done()
    return placement


def split_chain(text: str, names: list[str]) -> tuple[list[JointFrame], Placement]:
    """The frames of the joints `names` in a chain such as `Rz(q1) Tz(l1) Ry(q2)`, and what is left.

    Each link frame stands right after its joint's step; what follows the last joint is left over.
    """
    frames: list[JointFrame] = []
    steps: list[Step] = []
    order = {name: k for k, name in enumerate(names)}
    for step in parse_steps(text):
        moving = sorted((name for name in step.amount.parameters() if name in order), key=lambda name: order[name])
        if not moving:
            steps.append(step)
            continue
        if len(frames) >= len(names) or moving != [names[len(frames)]]:
            expected = f'"{names[len(frames)]}" comes next' if len(frames) < len(names) else "all joints are used"
            raise ArgumentError(f"step {step} moves with {', '.join(moving)}, but {expected}", key="chain")
        sign, rest = _motion(step, moving[0])
        before = Placement((*steps, Step(step.kind, step.axis, rest))).tidy()
        axis = tuple(sign if axis == step.axis else 0 for axis in "xyz")
        frames.append(JointFrame(before, axis, kind="revolute" if step.kind == "R" else "prismatic"))
        steps = []
    if len(frames) < len(names):
        raise ArgumentError(f'the chain has no step for joint "{names[len(frames)]}"', key="chain")
    return frames, Placement(tuple(steps)).tidy()


def _motion(step: Step, name: str) -> tuple[int, Expression]:
    """(sign, rest) with amount = sign * q + rest."""
    sign, rest = _linear(step.amount, name)
    if sign not in (1, -1) or name in rest.parameters():
        raise ArgumentError(f"step {step} is not {name} or -{name} plus a constant", key="chain")
    return sign, rest


def _linear(amount: Expression, name: str) -> tuple[int, Expression]:
    match amount:
        case Parameter(symbol) if symbol == name:
            return 1, ZERO
        case Product(Number(Fraction(numerator=-1, denominator=1)), Parameter(symbol)) if symbol == name:
            return -1, ZERO
        case Sum(a, b) if name in a.parameters():
            sign, rest = _linear(a, name)
            return sign, rest + b
        case Sum(a, b):
            sign, rest = _linear(b, name)
            return sign, a + rest
        case _:
            return 0, amount
