"""Coordinates: the independent variables y of a robot, and how they move its joints, q = A y + b.

An independent joint has a coordinate of its own, which bears its name. A coupled joint follows others,

    q_j = sum of factor_jk q_k + offset_j

(gears, belts, parallelograms, grippers, differential wrists; `<mimic>` in a URDF) and has none. Joints that it follows
may be coupled themselves: `resolve` puts every joint in terms of the coordinates.

Here is also where the next kinds of joints belong: a joint with several coordinates adds several of them, a floating
base adds six without a joint, and a loop takes some away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from dynamis.base.errors import ModelError, UnknownNameError
from dynamis.base.expressions.expression import ONE, ZERO, Expression, Number
from dynamis.model.link import Joint, Kind, Limits, Link
from dynamis.scalars.floats import number

MAX_CHAIN = 50
"""Couplings in a row that are followed: products of more factors have more digits than expressions hold."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """An independent variable [rad or m]: its name and kind are those of its joint.

    `limits` are the range [rad or m], velocity and effort of its joint, narrowed by the ranges and velocities of the
    joints that follow this coordinate alone.
    """

    name: str
    kind: Kind
    limits: Limits

    @property
    def revolute(self) -> bool:
        """Whether the coordinate is an angle."""
        return self.kind != "prismatic"

    @property
    def unit(self) -> str:
        """The unit of the generalised force: N m, or N."""
        return "N m" if self.revolute else "N"

    @property
    def length(self) -> str:
        """The unit of the coordinate: rad, or m."""
        return "rad" if self.revolute else "m"


@dataclass(frozen=True, slots=True)
class CoupledRow:
    """One row of q = A y + b: (coordinate from 0, factor) for the factors that are not zero, and the offset."""

    factors: tuple[tuple[int, Expression], ...]
    offset: Expression = ZERO

    @property
    def only(self) -> tuple[int, Expression] | None:
        """The coordinate and its factor where the joint follows a single one; else None."""
        return self.factors[0] if len(self.factors) == 1 else None

    def text(self, names: Sequence[str]) -> str:
        """The row in words: `2*q1 - q2 + pi/2`.

        >>> from dynamis.base.expressions.parser import parse
        >>> CoupledRow(((0, parse("2")), (1, parse("-1"))), parse("pi/2")).text(["q1", "q2"])
        '2*q1 - q2 + pi/2'
        >>> CoupledRow(((0, parse("-1.5")), (1, parse("a - b")))).text(["q1", "q2"])
        '-1.5*q1 + (a - b)*q2'
        """
        terms = [_term(factor, names[k]) for k, factor in self.factors]
        terms += [] if self.offset == ZERO else [str(self.offset)]
        return " + ".join(terms).replace("+ -", "- ")


def _term(factor: Expression, name: str) -> str:
    if factor in (ONE, -ONE):
        return name if factor == ONE else f"-{name}"
    bare = factor.precedence >= 2 or isinstance(factor, Number)
    return f"{factor if bare else f'({factor})'}*{name}"


def resolve(links: Sequence[Link]) -> tuple[CoupledRow, ...]:
    """The row of every moving joint; a ModelError says which coupling leads nowhere."""
    moving = [link for link in links if link.joint.moves]
    names = [link.joint.name for link in moving if not link.joint.coupling]
    rows = {name: CoupledRow(((k, ONE),)) for k, name in enumerate(names)}
    waiting = [link for link in moving if link.joint.coupling]
    for link in waiting:
        _check_targets(link, links)
    for _ in range(MAX_CHAIN):
        for link in [link for link in waiting if all(name in rows for name, _ in link.joint.coupling)]:
            rows[link.joint.name] = _row(link, rows)
        waiting = [link for link in waiting if link.joint.name not in rows]
    if waiting:
        _fail_to_resolve(waiting)
    return tuple(rows[link.joint.name] for link in moving)


def _check_targets(link: Link, links: Sequence[Link]) -> None:
    """The joints that a coupling names exist and move."""
    joints = {other.joint.name: other.joint for other in links}
    for name, _ in link.joint.coupling:
        if name not in joints:
            moving = [other for other, joint in joints.items() if joint.moves and joint is not link.joint]
            within = f'coupling of joint "{link.joint.name}"'
            error = UnknownNameError("joint", name, moving, within=within, key="coupling")
            error.link = link.name
            raise error
        if not joints[name].moves:
            raise ModelError(
                f'joint "{link.joint.name}" is coupled to joint "{name}", which is fixed; couple it to one that moves',
                link=link.name,
                key="coupling",
            )


def _row(link: Link, rows: Mapping[str, CoupledRow]) -> CoupledRow:
    """The row of a coupled joint, from those of the joints that it follows."""
    total, offset = dict[int, Expression](), link.joint.coupling_offset
    for name, factor in link.joint.coupling:
        for k, inner in rows[name].factors:
            total[k] = total.get(k, ZERO) + _times(factor, inner)
        offset = offset + _times(factor, rows[name].offset)
    factors = tuple((k, factor) for k, factor in sorted(total.items()) if factor != ZERO)
    if not factors:
        sentence = f'the coupling of joint "{link.joint.name}" cancels out, so it does not move; make it a fixed joint'
        raise ModelError(sentence, link=link.name, key="coupling")
    return CoupledRow(factors, offset)


def _times(factor: Expression, inner: Expression) -> Expression:
    """Their product; the minus of a minus is none."""
    return -inner if factor == -ONE else factor * inner


def _fail_to_resolve(waiting: Sequence[Link]) -> NoReturn:
    """The error of couplings in a cycle, or of too many in a row."""
    unknown = {link.joint.name: [name for name, _ in link.joint.coupling] for link in waiting}
    path = [waiting[0].joint.name]
    while (after := next((name for name in unknown[path[-1]] if name in unknown), None)) not in (None, *path):
        path.append(str(after))
    if after is None:
        sentence = f'joint "{path[0]}" is the end of more than {MAX_CHAIN} couplings in a row'
        raise ModelError(sentence, link=waiting[0].name, key="coupling")
    ring = path[path.index(str(after)) :]
    raise ModelError(
        f"joints {' -> '.join([*ring, ring[0]])} are coupled in a cycle; one of them must be independent",
        link=next(link.name for link in waiting if link.joint.name == ring[0]),
        key="coupling",
    )


def coordinates(
    joints: Sequence[Joint], rows: Sequence[CoupledRow], values: Mapping[str, Expression]
) -> tuple[Coordinate, ...]:
    """The coordinates of moving joints, with the limits that hold where the numbers are known."""
    independent: list[Coordinate] = []
    for joint in joints:
        if joint.coupling:
            continue
        limits = joint.limits
        for other, row in zip(joints, rows, strict=True):
            if other.coupling and row.only and row.only[0] == len(independent):
                limits = _narrow_limits(limits, other.limits, row.only[1], row.offset, values)
        independent.append(Coordinate(joint.name, joint.kind, limits))
    return tuple(independent)


def _narrow_limits(
    limits: Limits, coupled: Limits, factor: Expression, offset: Expression, values: Mapping[str, Expression]
) -> Limits:
    """The limits of a coordinate y with those of a joint q = factor y + offset."""
    slope = number(factor, values)
    if slope is None:
        return limits

    def bound(limit: Expression | None) -> Expression | None:
        return None if limit is None else (limit - offset) / factor

    def tighter(a: Expression | None, b: Expression | None, sign: int) -> Expression | None:
        if a is None or b is None:
            return b if a is None else a
        x, y = number(a, values), number(b, values)
        return b if x is not None and y is not None and sign * y < sign * x else a

    lower, upper = (coupled.lower, coupled.upper) if slope > 0 else (coupled.upper, coupled.lower)
    speed = None if coupled.velocity is None else coupled.velocity / (factor if slope > 0 else -factor)
    return Limits(
        tighter(limits.lower, bound(lower), -1), tighter(limits.upper, bound(upper), 1),
        tighter(limits.velocity, speed, 1), limits.effort,
    )  # fmt: skip
