"""Where is M(q) not positive definite? Decided for two joints with diagonal inertias; else a search.

Two joints, diagonal inertias: det M is a sum of weights times squares (`by_minors`), so it is zero exactly where all of
these are zero together: equations in sin q, cos q and the parameters, solved as design questions are.

Any number of joints: right angles, with parameters that are 1 and CoMs that are 0 or 1. Floats select candidates;
leading minors in exact numbers decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import atan2, cos, sin

import numpy as np

from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.base.expressions.expression import Number
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.mechanism import Mechanism, mechanism, state_at
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.design.answers import Case, alternatives
from dynamis.exact.design.questions import point_of, vanishing
from dynamis.exact.positive_definite.verdict import Singular
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.angles import RIGHT_ANGLES
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol, coordinate, joint_angle, parameter
from dynamis.scalars.floats import Floats

MOST_POINTS = 256
SMALL_MOMENT_RATIO = 1e-9


def where_all_vanish(
    polynomials: Sequence[Exact], model: ClosedForm, positive: frozenset[Symbol]
) -> Singular | bool | None:
    """Where sums of squares are zero together: False if nowhere, None if that was not decided."""
    try:
        solutions = vanishing(polynomials, positive)
    except ArgumentError:
        return None
    if not solutions:
        return False
    cases = [Case(conditions, (), point_of(conditions, positive)) for conditions in solutions]
    moves = [any(c.factor.symbols() & model.ring.motion for c in case.conditions) for case in cases]
    places = [(depends, case.point) for depends, case in zip(moves, cases, strict=True) if case.point is not None]
    if not places:
        return None
    # A place that depends on q before one that does not.
    _, point = max(places, key=lambda place: place[0])
    parameters = sorted(
        {s for row in model.M.rows() for entry in row for s in entry.symbols() if s.kind == "parameter"}
    )
    values: dict[Symbol, Fraction | float] = {**dict.fromkeys(parameters, Fraction(1)), **point}
    values = {symbol: x for symbol, x in values.items() if symbol not in model.ring.numbers}
    return Singular(values, _point_text(values), ", or ".join(alternatives(cases)), any(moves))


def at_right_angles(model: ClosedForm, positive: frozenset[Symbol]) -> Singular | None:
    """A point with right angles where M is not positive definite, shown exactly; None if none was found."""
    first, *others = model.robot.joints
    for values in _parameters(model, positive):
        try:
            m = mechanism(model.robot, with_numbers(model.robot, values))
        except (DynamisError, ZeroDivisionError):
            continue
        if not model.numeric and not _are_bodies(m):
            continue
        for turns in islice(product(RIGHT_ANGLES, repeat=sum(j.revolute for j in others)), MOST_POINTS):
            # The first joint and all prismatic joints stand at 0.
            angles = {first.name: (0, 1)} if first.revolute else {}
            angles |= zip((j.name for j in others if j.revolute), turns, strict=True)
            q = [atan2(*angles.get(j.name, (0, 1))) for j in model.robot.joints]
            moments = np.linalg.eigvalsh(np.array(mass_matrix(m, state_at(m, q))))
            if moments[0] > SMALL_MOMENT_RATIO * abs(moments[-1]):
                continue
            point: dict[Symbol, Fraction] = dict.fromkeys(model.ring.motion, Fraction(0))
            for name, turn in angles.items():
                point |= zip(joint_angle(name), map(Fraction, turn), strict=True)
            parameters = {parameter(name): x for name, x in values.items()}
            if not is_positive_at(model, point | parameters):
                words = [f"{name} = {RIGHT_ANGLES[turn]}" for name, turn in angles.items()]
                return Singular(point | parameters, ", ".join([*words, *_values(parameters)]))
    return None


def _are_bodies(m: Mechanism[float]) -> bool:
    """Whether masses and inertias in floats are those of bodies, up to rounding."""
    moments = [np.linalg.eigvalsh(np.array([list(row) for row in body.inertia])) for body in m.bodies]
    return all(body.mass >= 0 for body in m.bodies) and all(x[0] >= -1e-12 * abs(x[-1]) for x in moments)


def place(model: ClosedForm, coordinates: Sequence[float]) -> Singular:
    """Values of the second joint's coordinate, in words; the first of them as a point."""
    joint, right = model.robot.joints[-1], {atan2(*turn): turn for turn in RIGHT_ANGLES}
    x = coordinates[0]
    if not joint.revolute:
        return Singular({coordinate(joint.name): x}, ", ".join(f"{joint.name} = {x:.6g}" for x in coordinates))
    point = dict(zip(joint_angle(joint.name), right.get(x, (sin(x), cos(x))), strict=True))
    words = [RIGHT_ANGLES[right[x]] if x in right else f"{x:.6g}" for x in coordinates]
    return Singular(point, ", ".join(f"{joint.name} = {word}" for word in words))


def with_numbers(robot: RobotModel, values: Mapping[str, Fraction]) -> Floats:
    """The robot's floats with other values; these need not be those of bodies, as with_values asks."""
    return Floats({**robot.values, **{name: Number(x) for name, x in values.items()}}, robot.name)


def _parameters(model: ClosedForm, positive: frozenset[Symbol]) -> Iterator[dict[str, Fraction]]:
    """Values for the parameters: those that need no sign are 1, then 0; a numeric model has its own."""
    if model.numeric:
        yield {}
        return
    names = [name for name in model.robot.parameters if name in model.robot.used_parameters()]
    for free in (Fraction(1), Fraction(0)):
        yield {name: Fraction(1) if name in positive else free for name in names}


def is_positive_at(model: ClosedForm, point: Mapping[Symbol, Fraction]) -> bool:
    """Whether all leading minors of M at a point are > 0, or it is not known that they are not."""
    ring = model.ring
    values: dict[str, Exact] = {symbol: ring.number(x) for symbol, x in point.items()}
    values |= {s: ring.number(1 / point[s.inverted]) for s in ring.inverses if s.inverted and point.get(s.inverted)}
    rows = [[entry.substitute(values) for entry in row] for row in model.M.rows()]
    if any(not entry.symbols() <= ring.numbers for row in rows for entry in row):
        return True
    return all(sign(_determinant([row[:k] for row in rows[:k]])) in (1, None) for k in range(1, model.n + 1))


def _determinant(rows: Sequence[Sequence[Exact]]) -> Exact:
    """By expansion along rows, every minor of the last rows once."""
    n, ring = len(rows), rows[0][0].ring
    minors: dict[int, Exact] = {0: ring.number(1)}
    for columns in range(1, 1 << n):
        row, total, signed = n - columns.bit_count(), ring.zero, 1
        for k in range(n):
            if columns >> k & 1:
                total = total + (rows[row][k] * minors[columns & ~(1 << k)]).times(signed)
                signed = -signed
        minors[columns] = total
    return minors[(1 << n) - 1]


def _point_text(point: Mapping[Symbol, Fraction | float]) -> str:
    """The point in words, angles as angles."""
    words: list[str] = []
    cosines = {symbol.of: x for symbol, x in point.items() if symbol.kind == "cosine"}
    for symbol, s in point.items():
        if symbol.kind == "sine":
            c = cosines.get(symbol.of, 0)
            words.append(f"{symbol.of} = {RIGHT_ANGLES.get((s, c)) or f'{atan2(s, c):.6g}'}")
    return ", ".join(
        [
            *words,
            *_values({s: x for s, x in point.items() if s.kind in ("parameter", "coordinate") or s.is_of_velocity}),
        ]
    )


def _values(point: Mapping[Symbol, Fraction | float]) -> list[str]:
    return [f"{symbol} = {x if isinstance(x, Fraction) else f'{x:.6g}'}" for symbol, x in point.items()]
