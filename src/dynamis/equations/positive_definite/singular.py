"""Where is M(q) not positive definite? Decided for two joints; for more a counterexample is looked for.

Two joints, diagonal inertias: det M is a sum of weights times squares (`positive_definite`), so it is zero exactly
where all of these are zero together: equations in sin q, cos q and the parameters, solved as design questions are.

Two joints, numbers: det M is a polynomial in the sine and cosine of q2, or in q2. With t = tan(q2/2) its real zeros are
those of a polynomial in t, isolated rigorously; q2 = pi is looked at apart. If it has none, M > 0 at one q is M > 0 at
all of them.

Any number of joints: right angles, with parameters that are 1 and CoMs that are 0 or 1. Floats choose, and leading
minors in exact numbers decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import atan2, cos, lcm, pi, sin
from typing import Any

import numpy as np
from flint import fmpz_poly

from dynamis.equations.coefficients import motion_letters
from dynamis.equations.design.questions import Case, alternatives, point_of, vanishing
from dynamis.equations.equations import Equations
from dynamis.equations.positive_definite.verdict import Singular
from dynamis.errors import ArgumentError, DynamisError
from dynamis.expressions.expression import Number
from dynamis.mechanics.mass_matrix import mass_matrix
from dynamis.mechanics.mechanism import Mechanism, mechanism, state_at
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.floats import Floats

MOST_POINTS = 256
SMALL = 1e-9
_TURNS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_NAMES = {(0, 1): "0", (1, 0): "pi/2", (0, -1): "pi", (-1, 0): "-pi/2"}


def where_all_vanish(
    polynomials: Sequence[Exact], model: Equations, positive: frozenset[str]
) -> Singular | bool | None:
    """Where sums of squares are zero together: False if nowhere, None if that was not decided."""
    try:
        found = vanishing(polynomials, positive)
    except ArgumentError:
        return None
    if not found:
        return False
    cases = [Case(conditions, (), point_of(conditions, positive)) for conditions in found]
    moving = motion_letters(model)
    moves = [any(c.factor.letters() & moving for c in case.conditions) for case in cases]
    places = [(depends, case.point) for depends, case in zip(moves, cases, strict=True) if case.point is not None]
    if not places:
        return None
    # A place that depends on q before one that does not.
    _, point = max(places, key=lambda place: place[0])
    whole = {**dict.fromkeys(sorted(_parameters_of_mass_matrix(model)), Fraction(1)), **point}
    whole = {name: x for name, x in whole.items() if name not in model.ring.numbers}
    return Singular(whole, _said(whole), ", or ".join(alternatives(cases)), any(moves))


def _parameters_of_mass_matrix(model: Equations) -> frozenset[str]:
    """The parameters in M that are letters of their own; an angle is left as it is."""
    letters = frozenset(name for row in model.M.rows() for entry in row for name in entry.letters())
    return letters & set(model.ring.letters.others) - motion_letters(model) - {"pi"}


def by_real_zeros(model: Equations) -> Singular | bool | None:
    """Two joints and numbers only: False if M > 0 for all q, else where it is not; None if that was not decided."""
    M, last = model.M, model.robot.joints[-1]
    determinant = M[0, 0] * M[1, 1] - M[0, 1] * M[0, 1]
    s, c = f"sin({last.name})", f"cos({last.name})"
    if not determinant.letters() <= ({s, c} if last.turns else {last.name}):
        return None
    start = {**{name: Fraction(0) for name in motion_letters(model)}, c: Fraction(1)}
    turned = {**start, c: Fraction(-1)}
    for point in (start, turned) if last.turns else (start,):
        if not _is_positive(model, point):
            kept = {name: x for name, x in point.items() if name in (s, c, last.name) and name in model.ring.generators}
            return Singular(kept, _said(kept))
    zeros: Any = _in_one_letter(determinant, (s, c) if last.turns else last.name).complex_roots()
    for zero, _ in zeros:
        if zero.imag == 0:
            x = float(zero.real)
            point = {s: 2 * x / (1 + x * x), c: (1 - x * x) / (1 + x * x)} if last.turns else {last.name: x}
            return Singular(point, _said(point))
    return False


def _in_one_letter(scalar: Exact, letter: str | tuple[str, str]) -> fmpz_poly:
    """A polynomial with the same zeros: in a coordinate, or in t with s = 2t/(1 + t^2), c = (1 - t^2)/(1 + t^2)."""
    names, terms = scalar.ring.letters.names, scalar.terms()
    scale = lcm(*(x.denominator for x in terms.values()))
    total = fmpz_poly([])
    if isinstance(letter, str):
        k = names.index(letter)
        for key, x in terms.items():
            total += fmpz_poly([*[0] * key[k], int(x * scale)])
        return total
    s, c = (names.index(name) for name in letter)
    degree = max(key[s] + key[c] for key in terms)
    above = fmpz_poly([0, 2]), fmpz_poly([1, 0, -1])
    for key, x in terms.items():
        term = fmpz_poly([int(x * scale)]) * above[0] ** key[s] * above[1] ** key[c]
        total += term * fmpz_poly([1, 0, 1]) ** (degree - key[s] - key[c])
    return total


def at_right_angles(model: Equations, positive: frozenset[str]) -> Singular | None:
    """A point with right angles where M is not positive definite, shown exactly; None if none was found."""
    for values in _parameters(model, positive):
        try:
            m = mechanism(model.robot, with_numbers(model.robot, values))
        except (DynamisError, ZeroDivisionError):
            continue
        if not model.numeric and not _are_bodies(m):
            continue
        for turns in islice(product(_TURNS, repeat=sum(j.turns for j in model.robot.joints[1:])), MOST_POINTS):
            point = _point(model, turns)
            q = [atan2(point[j.name][0], point[j.name][1]) if j.turns else 0.0 for j in model.robot.joints]
            moments = np.linalg.eigvalsh(np.array(mass_matrix(m, state_at(m, q))))
            if moments[0] > SMALL * abs(moments[-1]):
                continue
            exact = _letters(model, point, values)
            if not _is_positive(model, exact):
                parameters = {name: Fraction(x) for name, x in values.items()}
                shown = {name: x for name, x in exact.items() if name in motion_letters(model)} | parameters
                words = [f"{name} = {_NAMES[turn]}" for name, turn in point.items() if len(turn) == 2]
                return Singular(shown, ", ".join([*words, *_values(parameters)]))
    return None


def _are_bodies(m: Mechanism[float]) -> bool:
    """Whether masses and inertias in floats are those of bodies, up to rounding."""
    moments = [np.linalg.eigvalsh(np.array([list(row) for row in body.inertia])) for body in m.bodies]
    return all(body.mass >= 0 for body in m.bodies) and all(x[0] >= -1e-12 * abs(x[-1]) for x in moments)


def place(model: Equations, coordinates: Sequence[float]) -> Singular:
    """Values of the second joint's coordinate, in words; the first of them as a point."""
    joint = model.robot.joints[-1]
    x = coordinates[0]
    point = {f"sin({joint.name})": sin(x), f"cos({joint.name})": cos(x)} if joint.turns else {joint.name: x}
    return Singular(point, ", ".join(f"{joint.name} = {x:.6g}" for x in coordinates))


def with_numbers(robot: RobotModel, values: Mapping[str, Fraction]) -> Floats:
    """The robot's floats with other values; these need not be those of bodies, as with_values asks."""
    return Floats({**robot.values, **{name: Number(x) for name, x in values.items()}}, robot.name)


def _parameters(model: Equations, positive: frozenset[str]) -> Iterator[dict[str, Fraction]]:
    """Values for the parameters: those that need no sign are 1, then 0; a numeric model has its own."""
    if model.numeric:
        yield {}
        return
    used = [name for name in model.robot.parameters if name in model.robot.used_parameters()]
    for free in (Fraction(1), Fraction(0)):
        yield {name: Fraction(1) if name in positive else free for name in used}


def _point(model: Equations, turns: Sequence[tuple[int, int]]) -> dict[str, tuple[int, ...]]:
    """(sine, cosine) of every joint after the first, which is at 0; a joint that slides is at 0."""
    rest = iter(turns)
    first, *others = model.robot.joints
    found: dict[str, tuple[int, ...]] = {first.name: (0, 1) if first.turns else (0,)}
    return found | {j.name: next(rest) if j.turns else (0,) for j in others}


def _letters(
    model: Equations, point: Mapping[str, tuple[int, ...]], values: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """The letters of the ring at a point."""
    found = {name: Fraction(0) for name in motion_letters(model)}
    for name, turn in point.items():
        if len(turn) == 2:
            found[f"sin({name})"], found[f"cos({name})"] = map(Fraction, turn)
    return found | dict(values)


def _is_positive(model: Equations, point: Mapping[str, Fraction]) -> bool:
    """Whether all leading minors of M at a point are > 0, or it is not known that they are not."""
    ring = model.ring
    values = {name: ring.number(x) for name, x in point.items() if name in ring.generators}
    values |= {f"1/{name}": ring.number(1 / x) for name, x in point.items() if x and f"1/{name}" in ring.generators}
    rows = [[entry.substitute(values) for entry in row] for row in model.M.rows()]
    if any(not entry.letters() <= ring.numbers for row in rows for entry in row):
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


def _said(point: Mapping[str, Fraction | float]) -> str:
    """The point in words, angles as angles."""
    words: list[str] = []
    for name, x in point.items():
        if name.startswith("sin("):
            cosine = point.get(f"cos({name[4:-1]})", 0)
            where = {0.0: "0", 0.5: "pi/2", 1.0: "pi", -0.5: "-pi/2"}.get(atan2(float(x), float(cosine)) / pi)
            words.append(f"{name[4:-1]} = {where or f'{atan2(float(x), float(cosine)):.6g}'}")
    plain = {
        name: x for name, x in point.items() if not name.startswith(("sin(", "cos(", "1/", "root ")) and name != "pi"
    }
    return ", ".join([*words, *_values(plain)])


def _values(point: Mapping[str, Fraction | float]) -> list[str]:
    return [f"{name} = {x if isinstance(x, Fraction) else f'{x:.6g}'}" for name, x in point.items()]
