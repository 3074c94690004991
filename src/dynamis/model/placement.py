"""Placements: where one frame stands in another, as an elementary transform sequence (ETS).

`Tz(l1) Rx(pi/2)` moves along z by l1, then turns about the new x by a right angle: the chain is
the product of homogeneous matrices from left to right. Every convention for frames (D-H, angles
and offset, URDF's rpy) is such a chain, and people can read it.

>>> str(Placement.parse("Tz(l1) Rx(pi/2)"))
'Tz(l1) Rx(pi/2)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from dynamis.base.errors import ArgumentError, ExpressionError, literal
from dynamis.base.expressions.expression import ZERO, Expression
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.model.map_expressions import parameters_in
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal

MAX_STEPS = 1000
MAX_LENGTH = 50_000
_STEP = re.compile(r"[\s*]*([RT])([xyz])\s*\(")


@dataclass(frozen=True, slots=True)
class Step:
    """One elementary transform: R a rotation [rad], T a translation [m], about or along an axis."""

    kind: Literal["R", "T"]
    axis: Literal["x", "y", "z"]
    amount: Expression

    def __str__(self) -> str:
        return f"{self.kind}{self.axis}({self.amount})"


@dataclass(frozen=True, slots=True)
class Placement:
    """A chain of elementary transforms; the empty chain is the identity."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, value: Any) -> Placement:
        """A placement from a placement, a chain in quotes, or an offset of three values."""
        match value:
            case Placement():
                return value
            case str():
                return cls.parse(value)
            case _:
                return cls.offset(value)

    @classmethod
    def parse(cls, text: str) -> Placement:
        """The chain that `text` writes."""
        return cls(tuple(parse_steps(text)))

    @classmethod
    def offset(cls, xyz: Iterable[Any]) -> Placement:
        """The translation by three values."""
        x, y, z = triple(xyz, "offset")
        return cls((Step("T", "x", x), Step("T", "y", y), Step("T", "z", z))).tidy()

    @classmethod
    def angles(cls, order: str, **angles: Any) -> Placement:
        """The rotation R = R_first R_second R_third with `order` such as "zyx", angles in rad.

        >>> str(Placement.angles("zyx", x=0.1, z="pi/2"))
        'Rz(pi/2) Rx(0.1)'
        """
        if sorted(order) != ["x", "y", "z"]:
            raise ArgumentError(f'rotation order must be x, y, z in some order, such as "zyx", got "{order}"')
        turns = {axis: as_expression(angle, axis) for axis, angle in angles.items()}
        return cls(tuple(Step("R", axis, turns.get(axis, ZERO)) for axis in order)).tidy()  # type: ignore[arg-type]

    def __mul__(self, other: Placement) -> Placement:
        return Placement(self.steps + other.steps)

    def tidy(self) -> Placement:
        """Without the steps that do nothing."""
        return Placement(tuple(step for step in self.steps if step.amount != ZERO))

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the steps use."""
        return parameters_in(self)

    def rotates(self) -> bool:
        """Whether one of the steps is a rotation."""
        return any(step.kind == "R" for step in self.steps)

    def evaluate(self, scalars: Scalars[S]) -> tuple[Matrix[S], Vector[S]]:
        """The rotation R and the translation p of the chain, in these scalars."""
        zero, one = scalars.zero, scalars.one
        turn, p = diagonal(one, zero), Vector(zero, zero, zero)
        for step in self.steps:
            if step.kind == "T":
                by = evaluate(step.amount, scalars)
                p = p + turn @ Vector(*(by if axis == step.axis else zero for axis in "xyz"))
            else:
                turn = turn.times(_elementary_rotation(step.axis, *scalars.cos_sin_of(step.amount), zero, one))
        return turn, p

    def __str__(self) -> str:
        return " ".join(map(str, self.steps)) or "1"

    def __repr__(self) -> str:
        return f'Placement.of("{self}")'


IDENTITY = Placement()


def parse_steps(text: str) -> list[Step]:
    """The elementary transforms of a chain; their amounts may hold joint names. `1` is the empty chain."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            text, MAX_LENGTH + 1, f"a chain has at most {MAX_LENGTH} characters; this one has {len(text)}"
        )
    steps: list[Step] = []
    position = 0
    text = text.rstrip(" *\t\n")
    if text.strip() == "1":
        return steps
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            column = len(text) - len(text[position:].lstrip(" *\t\n")) + 1
            raise ExpressionError(
                text, column, "a step of a chain is Rx(...), Ry(...), Rz(...), Tx(...), Ty(...) or Tz(...)"
            )
        end = _closing(text, match.end())
        steps.append(Step(match[1], match[2], parse(text[match.end() : end])))  # type: ignore[arg-type]
        position = end + 1
        if len(steps) > MAX_STEPS:
            raise ExpressionError(text, position, f"a chain has at most {MAX_STEPS} steps")
    return steps


def triple(value: Any, key: str) -> tuple[Expression, Expression, Expression]:
    """Three values as expressions."""
    entries = entries_of(value)
    if entries is None or len(entries) != 3:
        raise ArgumentError(f"{key} must be three values [x, y, z], got {literal(value)}", key=key)
    x, y, z = (as_expression(entry, key) for entry in entries)
    return x, y, z


def entries_of(value: Any) -> list[Any] | None:
    """The entries of a list, tuple or array; None for what is not one."""
    return list(cast(Iterable[Any], value)) if isinstance(value, Iterable) and not isinstance(value, str) else None


def _elementary_rotation(axis: str, c: S, s: S, zero: S, one: S) -> Matrix[S]:
    match axis:
        case "x":
            return Matrix(Vector(one, zero, zero), Vector(zero, c, -s), Vector(zero, s, c))
        case "y":
            return Matrix(Vector(c, zero, s), Vector(zero, one, zero), Vector(-s, zero, c))
        case _:
            return Matrix(Vector(c, -s, zero), Vector(s, c, zero), Vector(zero, zero, one))


def _closing(text: str, start: int) -> int:
    depth = 1
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ExpressionError(text, len(text) + 1, '")" is missing')
