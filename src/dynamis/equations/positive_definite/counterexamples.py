"""Where is M(q) not positive definite? Decided for two joints; for more, a search for a counterexample.

Two joints, diagonal inertias: det M is a sum of weights times squares (`by_minors`), so it is zero exactly where all of
these are zero together: equations in sin q, cos q and the parameters, solved as design questions are.

Two joints, numbers: det M is a polynomial in the sine and cosine of q2, or in q2. With t = tan(q2/2) its real zeros are
those of a polynomial in t, isolated rigorously; q2 = pi is checked separately. If it has none, M > 0 at one q is M > 0
at all of them.

Any number of joints: right angles, with parameters that are 1 and CoMs that are 0 or 1. Floats select candidates;
leading minors in exact numbers decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import atan2, cos, lcm, pi, sin
from typing import Any

import numpy as np
from flint import fmpz_poly

from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.equations.design.answers import Case, alternatives
from dynamis.equations.design.questions import point_of, vanishing
from dynamis.equations.positive_definite.verdict import Singular
from dynamis.errors import ArgumentError, DynamisError
from dynamis.expressions.expression import Number
from dynamis.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.mechanics.mechanism import Mechanism, mechanism, state_at
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol, coordinate, joint_angle, parameter
from dynamis.scalars.floats import Floats

MOST_POINTS = 256
SMALL = 1e-9
_TURNS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_NAMES = {(0, 1): "0", (1, 0): "pi/2", (0, -1): "pi", (-1, 0): "-pi/2"}


def where_all_vanish(
    polynomials: Sequence[Exact], model: ClosedForm, positive: frozenset[Symbol]
) -> Singular | bool | None:
    """Where sums of squares are zero together: False if nowhere, None if that was not decided."""
    try:
        found = vanishing(polynomials, positive)
    except ArgumentError:
        return None
    if not found:
        return False
    cases = [Case(conditions, (), point_of(conditions, positive)) for conditions in found]
    moves = [any(c.factor.symbols() & model.ring.motion for c in case.conditions) for case in cases]
    places = [(depends, case.point) for depends, case in zip(moves, cases, strict=True) if case.point is not None]
    if not places:
        return None
    # A place that depends on q before one that does not.
    _, point = max(places, key=lambda place: place[0])
    parameters = sorted(
        {s for row in model.M.rows() for entry in row for s in entry.symbols() if s.kind == "parameter"}
    )
    whole: dict[Symbol, Fraction | float] = {**dict.fromkeys(parameters, Fraction(1)), **point}
    whole = {symbol: x for symbol, x in whole.items() if symbol not in model.ring.numbers}
    return Singular(whole, _said(whole), ", or ".join(alternatives(cases)), any(moves))


def by_real_zeros(model: ClosedForm) -> Singular | bool | None:
    """Two joints and numbers only: False if M > 0 for all q, else where it is not; None if that was not decided."""
    M, last = model.M, model.robot.joints[-1]
    determinant = M[0, 0] * M[1, 1] - M[0, 1] * M[0, 1]
    (s, c), x = joint_angle(last.name), coordinate(last.name)
    if not determinant.symbols() <= ({s, c} if last.revolute else {x}):
        return None
    start = {**{symbol: Fraction(0) for symbol in model.ring.motion}, c: Fraction(1)}
    turned = {**start, c: Fraction(-1)}
    for point in (start, turned) if last.revolute else (start,):
        if not _is_positive(model, point):
            kept = {symbol: point[symbol] for symbol in ((s, c) if last.revolute else (x,))}
            return Singular(kept, _said(kept))
    zeros: Any = _in_one_unknown(determinant, (s, c) if last.revolute else (x,)).complex_roots()
    for zero, _ in zeros:
        if zero.imag == 0:
            t = float(zero.real)
            point = {s: 2 * t / (1 + t * t), c: (1 - t * t) / (1 + t * t)} if last.revolute else {x: t}
            return Singular(point, _said(point))
    return False


def _in_one_unknown(scalar: Exact, symbols: tuple[Symbol, ...]) -> fmpz_poly:
    """A polynomial with the same zeros: in a coordinate, or in t with s = 2t/(1 + t^2), c = (1 - t^2)/(1 + t^2)."""
    places, terms = [scalar.ring.places[symbol] for symbol in symbols], scalar.terms()
    scale = lcm(*(x.denominator for x in terms.values()))
    total = fmpz_poly([])
    if len(places) == 1:
        (k,) = places
        for key, x in terms.items():
            total += fmpz_poly([*[0] * key[k], int(x * scale)])
        return total
    s, c = places
    degree = max(key[s] + key[c] for key in terms)
    above = fmpz_poly([0, 2]), fmpz_poly([1, 0, -1])
    for key, x in terms.items():
        term = fmpz_poly([int(x * scale)]) * above[0] ** key[s] * above[1] ** key[c]
        total += term * fmpz_poly([1, 0, 1]) ** (degree - key[s] - key[c])
    return total


def at_right_angles(model: ClosedForm, positive: frozenset[Symbol]) -> Singular | None:
    """A point with right angles where M is not positive definite, shown exactly; None if none was found."""
    for values in _parameters(model, positive):
        try:
            m = mechanism(model.robot, with_numbers(model.robot, values))
        except (DynamisError, ZeroDivisionError):
            continue
        if not model.numeric and not _are_bodies(m):
            continue
        for turns in islice(product(_TURNS, repeat=sum(j.revolute for j in model.robot.joints[1:])), MOST_POINTS):
            point = _point(model, turns)
            q = [atan2(point[j.name][0], point[j.name][1]) if j.revolute else 0.0 for j in model.robot.joints]
            moments = np.linalg.eigvalsh(np.array(mass_matrix(m, state_at(m, q))))
            if moments[0] > SMALL * abs(moments[-1]):
                continue
            exact = _symbols_at(model, point, values)
            if not _is_positive(model, exact):
                parameters = {parameter(name): Fraction(x) for name, x in values.items()}
                shown = {symbol: x for symbol, x in exact.items() if symbol in model.ring.motion} | parameters
                words = [f"{name} = {_NAMES[turn]}" for name, turn in point.items() if len(turn) == 2]
                return Singular(shown, ", ".join([*words, *_values(parameters)]))
    return None


def _are_bodies(m: Mechanism[float]) -> bool:
    """Whether masses and inertias in floats are those of bodies, up to rounding."""
    moments = [np.linalg.eigvalsh(np.array([list(row) for row in body.inertia])) for body in m.bodies]
    return all(body.mass >= 0 for body in m.bodies) and all(x[0] >= -1e-12 * abs(x[-1]) for x in moments)


def place(model: ClosedForm, coordinates: Sequence[float]) -> Singular:
    """Values of the second joint's coordinate, in words; the first of them as a point."""
    joint = model.robot.joints[-1]
    x = coordinates[0]
    angle = dict(zip(joint_angle(joint.name), (sin(x), cos(x)), strict=True))
    point = angle if joint.revolute else {coordinate(joint.name): x}
    return Singular(point, ", ".join(f"{joint.name} = {x:.6g}" for x in coordinates))


def with_numbers(robot: RobotModel, values: Mapping[str, Fraction]) -> Floats:
    """The robot's floats with other values; these need not be those of bodies, as with_values asks."""
    return Floats({**robot.values, **{name: Number(x) for name, x in values.items()}}, robot.name)


def _parameters(model: ClosedForm, positive: frozenset[Symbol]) -> Iterator[dict[str, Fraction]]:
    """Values for the parameters: those that need no sign are 1, then 0; a numeric model has its own."""
    if model.numeric:
        yield {}
        return
    used = [name for name in model.robot.parameters if name in model.robot.used_parameters()]
    for free in (Fraction(1), Fraction(0)):
        yield {name: Fraction(1) if name in positive else free for name in used}


def _point(model: ClosedForm, turns: Sequence[tuple[int, int]]) -> dict[str, tuple[int, ...]]:
    """(sine, cosine) of every joint after the first, which is at 0; a prismatic joint is at 0."""
    rest = iter(turns)
    first, *others = model.robot.joints
    found: dict[str, tuple[int, ...]] = {first.name: (0, 1) if first.revolute else (0,)}
    return found | {j.name: next(rest) if j.revolute else (0,) for j in others}


def _symbols_at(
    model: ClosedForm, point: Mapping[str, tuple[int, ...]], values: Mapping[str, Fraction]
) -> dict[Symbol, Fraction]:
    """The symbols of the ring at a point."""
    found = {symbol: Fraction(0) for symbol in model.ring.motion}
    for name, turn in point.items():
        if len(turn) == 2:
            found |= zip(joint_angle(name), map(Fraction, turn), strict=True)
    return found | {parameter(name): x for name, x in values.items()}


def _is_positive(model: ClosedForm, point: Mapping[Symbol, Fraction]) -> bool:
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
    known: dict[int, Exact] = {0: ring.number(1)}
    for columns in range(1, 1 << n):
        row, total, signed = n - columns.bit_count(), ring.zero, 1
        for k in range(n):
            if columns >> k & 1:
                total = total + (rows[row][k] * known[columns & ~(1 << k)]).times(signed)
                signed = -signed
        known[columns] = total
    return known[(1 << n) - 1]


def _said(point: Mapping[Symbol, Fraction | float]) -> str:
    """The point in words, angles as angles."""
    words: list[str] = []
    cosines = {symbol.of: float(x) for symbol, x in point.items() if symbol.kind == "cosine"}
    for symbol, x in point.items():
        if symbol.kind == "sine":
            angle = atan2(float(x), cosines.get(symbol.of, 0.0))
            where = {0.0: "0", 0.5: "pi/2", 1.0: "pi", -0.5: "-pi/2"}.get(angle / pi)
            words.append(f"{symbol.of} = {where or f'{angle:.6g}'}")
    plain = {symbol: x for symbol, x in point.items() if symbol.kind in ("parameter", "coordinate", "sign")}
    return ", ".join([*words, *_values(plain)])


def _values(point: Mapping[Symbol, Fraction | float]) -> list[str]:
    return [f"{symbol} = {x if isinstance(x, Fraction) else f'{x:.6g}'}" for symbol, x in point.items()]
