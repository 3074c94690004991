"""Is M(q) positive definite for all q? Proved, or refuted by a counterexample, else sampled; and it is said which.

Two joints (Q3 of A. De Luca, Robotics 2). M is B^T D B: one row of B for each component of a CoM's
velocity and of an angular velocity, D the masses and principal inertias. By Cauchy and Binet

    det M = sum over pairs of rows of d_a d_b (minor of B)^2

is a sum of squares; if one group of it is positive for all q, then det M > 0, hence M > 0. If none is, it is decided
whether all of them can be zero together (`singular`).

Any number of joints. 2T = qd^T M qd is a sum over the links of terms that are not negative. Go from the
base outward: where all joints before joint j stand still, its own link has 2 T_j = J_j qd_j^2 with

    J_j = k.I_P k + rotor (revolute),   m + rotor (prismatic)     I_P about the joint point

so if every J_j > 0, T = 0 only for qd = 0: M is positive definite for all q. J_j is the sum of k.I_C k,
m |k x c|^2 and the rotor, none of them negative; one that is positive is enough.

Both take for granted that masses and rotor inertias are >= 0 and inertias about the CoM positive
semidefinite, as those of bodies are; in a numeric model this is looked at, and where it is not so M is sampled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

import numpy as np

from dynamis.algorithms.mass_matrix import mass_matrix
from dynamis.algorithms.mechanism import Body, float_state, mechanism
from dynamis.exact.equations import Equations
from dynamis.exact.ring import Exact
from dynamis.exact.signs import Sign, assumption, positive_letters, sign_of
from dynamis.exact.singular import Singular, at_right_angles, by_real_zeros, where_all_vanish, with_numbers
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import Vector

SAMPLES = 500
BODIES = "masses, rotor inertias and inertias about the CoM >= 0"
Row = tuple[Exact, Exact]
Minor = tuple[Exact, Exact]


@dataclass(frozen=True)
class PositiveDefinite:
    """The verdict on M(q) > 0 for all q and how it was reached.

    `determinant` and `squares` (two joints): det M, and pairs (weight, sum of squares) that add up to it.
    `joints`: J_j of every joint. `smallest`: the smallest eigenvalue seen, where M was sampled. `singular`: where M is
    not positive definite, if it is not.
    """

    holds: bool
    method: Literal["sum of squares", "kinetic energy", "real zeros", "counterexample", "sampling"]
    assumes: str
    determinant: Exact | None = None
    squares: tuple[tuple[Exact, Exact], ...] = ()
    joints: tuple[Exact, ...] = ()
    smallest: float | None = None
    singular: Singular | None = None

    @property
    def proved(self) -> bool:
        """Whether it was shown for all q and all parameters, not at some."""
        return self.holds and self.method != "sampling"

    def __str__(self) -> str:
        match self.method:
            case "sum of squares":
                why = "det M is a sum of squares with positive weights, which are never zero together"
            case "kinetic energy":
                why = "every link has inertia about its own joint axis, so T = 0 only at rest"
            case "real zeros":
                why = "det M has no real zero, and M is positive definite at q = 0"
            case "counterexample":
                return self._refuted
            case "sampling":
                seen = "positive definite" if self.holds else "not positive definite"
                return (
                    f"M was {seen} at {SAMPLES} random q (smallest eigenvalue {self.smallest:.3g}, {self.assumes}); "
                    "this is no proof for all q."
                )
        return f"M is positive definite for all q: {why}" + (f" (assuming {self.assumes})." if self.assumes else ".")

    @property
    def _refuted(self) -> str:
        """Where M is not positive definite, in words."""
        known = self.singular or Singular({}, "")
        if not known.only:
            return f"M is not positive definite for all q: it is not at {known.words or 'any q'}."
        where = f"{known.only} (assuming {self.assumes}); for instance at {known.words}."
        if known.moves:
            return f"M is not positive definite for all q: det M = 0 if and only if {where}"
        return f"M is positive definite for all q, but not for all parameters: det M = 0 if and only if {where}"


def positive_definite(model: Equations) -> PositiveDefinite:
    """Whether M(q) > 0 for all q.

    >>> from dynamis import load
    >>> found = positive_definite(load("deluca-2r").equations())
    >>> found.method, found.proved, found.squares[0]
    ('sum of squares', True, (m1*m2, d1^2*d2^2))
    """
    positive = positive_letters(model)
    bodies = not model.numeric or _are_bodies(model.robot)
    moving = [body for body in model.mechanism.bodies if body.coordinate is not None]
    joints = tuple(sum(_own_inertia(body), start=model.ring.zero) for body in moving)
    minors = _minors(model) if bodies and model.n == 2 else None
    if minors is not None and (found := _two_joints(model, positive, minors)) is not None:
        return found
    gears = frozenset(name for j in model.robot.joints for name in j.gear_ratio.parameters()) - positive
    shown = [_shown_positive(body, J, positive, gears) for body, J in zip(moving, joints, strict=True)]
    if bodies and None not in shown:
        used = frozenset(letter for part in shown if part is not None for letter in part.letters())
        return PositiveDefinite(True, "kinetic energy", _listed(used & positive, used & gears), joints=joints)
    if (decided := _decided(model, positive, minors)) is not None:
        return decided
    smallest, values = _sampled(model.robot)
    return PositiveDefinite(smallest > 0, "sampling", values, joints=joints, smallest=smallest)


def _decided(model: Equations, positive: frozenset[str], minors: list[Minor] | None) -> PositiveDefinite | None:
    """The verdict where no single part is > 0: by all squares of two joints, by zeros, or by a point against it."""
    if minors is not None:
        strict = [sign_of(weight, positive) == Sign.POSITIVE for weight, _ in minors]
        zeros = [minor if known else weight * minor for (weight, minor), known in zip(minors, strict, strict=True)]
        used = frozenset(letter for weight, minor in minors for letter in weight.letters() | minor.letters())
        assumes = _listed(used & positive)
        found = where_all_vanish(zeros, model, positive)
        if isinstance(found, Singular):
            return PositiveDefinite(False, "counterexample", assumes, _determinant(model), singular=found)
        if found is False:
            return PositiveDefinite(True, "sum of squares", assumes, _determinant(model))
    if model.numeric and model.n == 2:
        found = by_real_zeros(model)
        if found is False:
            return PositiveDefinite(True, "real zeros", "", _determinant(model))
        if isinstance(found, Singular):
            return PositiveDefinite(False, "counterexample", "", singular=found)
    refuted = at_right_angles(model, positive)
    return PositiveDefinite(False, "counterexample", "", singular=refuted) if refuted is not None else None


def _own_inertia(body: Body[Exact]) -> tuple[Exact, ...]:
    """J in parts that are not negative: what a link opposes to its own joint alone."""
    if not body.turns:
        return body.mass, body.rotor
    k, arm = body.k, body.k.cross(body.com)
    return k.dot(body.inertia @ k), arm.dot(arm) * body.mass, body.rotor


def _shown_positive(body: Body[Exact], whole: Exact, positive: frozenset[str], gears: frozenset[str]) -> Exact | None:
    """J or a part of it that is > 0; a gear ratio stands squared in the rotor's part, so it need not be > 0."""
    for part in (whole, *_own_inertia(body)):
        if sign_of(part, positive) == Sign.POSITIVE:
            return part
    return body.rotor if sign_of(body.rotor, positive | gears) == Sign.POSITIVE else None


def _two_joints(model: Equations, positive: frozenset[str], minors: list[Minor]) -> PositiveDefinite | None:
    """det M as a sum of squares; None if no group of one weight is positive for all q."""
    groups: dict[Exact, Exact] = {}
    for weight, minor in minors:
        groups[weight] = groups.get(weight, model.ring.zero) + minor * minor
    strict = [
        weight * squares
        for weight, squares in groups.items()
        if sign_of(weight, positive) == Sign.POSITIVE and sign_of(squares, positive) == Sign.POSITIVE
    ]
    if not strict:
        return None
    used = frozenset(letter for term in strict for letter in term.letters()) & positive
    return PositiveDefinite(True, "sum of squares", _listed(used), _determinant(model), tuple(groups.items()))


def _minors(model: Equations) -> list[Minor] | None:
    """The weights d_a d_b and the minors of B; None if an inertia is not diagonal."""
    tensors = [body.inertia for body in model.mechanism.bodies]
    if any(tensor.a.y or tensor.a.z or tensor.b.z for tensor in tensors):
        return None
    pairs = combinations(list(_rows(model)), 2)
    minors = [(d_a * d_b, a[0] * b[1] - a[1] * b[0]) for (d_a, a), (d_b, b) in pairs]
    total = model.ring.zero
    for weight, minor in minors:
        total = total + weight * minor * minor
    return [pair for pair in minors if all(pair)] if total == _determinant(model) else None


def _determinant(model: Equations) -> Exact:
    return model.M[0, 0] * model.M[1, 1] - model.M[0, 1] * model.M[0, 1]


def _rows(model: Equations) -> Iterator[tuple[Exact, Row]]:
    """(weight, row of B): the components of v_C and w of every link for unit velocities, and the rotors."""
    first, second = model.M.column(0), model.M.column(1)
    for body, one, two in zip(model.mechanism.bodies, first, second, strict=True):
        masses = Vector(body.mass, body.mass, body.mass)
        moments = Vector(body.inertia.a.x, body.inertia.b.y, body.inertia.c.z)
        for weights, a, b in ((masses, one.v_com, two.v_com), (moments, one.w, two.w)):
            yield from ((weight, row) for weight, row in zip(weights, zip(a, b, strict=True), strict=True) if weight)
        if body.coordinate is not None and body.rotor:
            unit = [model.ring.number(k == body.coordinate) for k in range(2)]
            yield body.rotor, (unit[0], unit[1])


def _listed(letters: frozenset[str], gears: frozenset[str] = frozenset()) -> str:
    turning = f"{', '.join(sorted(gears))} not 0" if gears else ""
    return "; ".join(text for text in (assumption(letters), turning, BODIES) if text)


def _are_bodies(robot: RobotModel) -> bool:
    """Whether the numbers of every link are a mass >= 0 and an inertia >= 0, up to rounding."""
    for body in mechanism(robot, robot.world()).bodies:
        moments = np.linalg.eigvalsh(np.array([list(row) for row in body.inertia]))
        if body.mass < 0 or moments[0] < -1e-12 * abs(moments[-1]):
            return False
    return True


def _sampled(robot: RobotModel) -> tuple[float, str]:
    """The smallest eigenvalue of M at random q, with the robot's values, random ones where it has none."""
    rng = np.random.default_rng(1)
    missing = [name for name in robot.missing_values if name in robot.used_parameters()]
    world = with_numbers(robot, {name: Fraction(float(rng.uniform(0.5, 2))) for name in missing})
    m, still = mechanism(robot, world), [0.0] * robot.n
    smallest = np.inf
    for _ in range(SAMPLES if robot.n else 0):
        M = mass_matrix(m, float_state(list(rng.uniform(-np.pi, np.pi, robot.n)), still, still))
        smallest = min(smallest, float(np.linalg.eigvalsh(np.array(M))[0]))
    given = f"with random values for {', '.join(missing)}" if missing else "with the values of the robot"
    return float(smallest), given
