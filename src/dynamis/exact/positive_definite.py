"""Is M(q) positive definite for all q? Proved where a proof is found, else sampled, and it is said which.

Two joints (Q3 of A. De Luca, Robotics 2). M is B^T D B: one row of B for each component of a CoM's
velocity and of an angular velocity, D the masses and principal inertias. By Cauchy and Binet

    det M = sum over pairs of rows of d_a d_b (minor of B)^2

is a sum of squares; if one group of it is positive for all q, then det M > 0, hence M > 0.

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
from itertools import combinations
from typing import Literal

import numpy as np

from dynamis.algorithms.mass_matrix import mass_matrix
from dynamis.algorithms.mechanism import Body, float_state, mechanism
from dynamis.exact.equations import Equations
from dynamis.exact.ring import Exact
from dynamis.exact.signs import Sign, assumption, positive_letters, sign_of
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import Vector

SAMPLES = 500
BODIES = "masses, rotor inertias and inertias about the CoM >= 0"
Row = tuple[Exact, Exact]


@dataclass(frozen=True)
class PositiveDefinite:
    """The verdict on M(q) > 0 for all q and how it was reached.

    `determinant` and `squares` (two joints): det M, and pairs (weight, sum of squares) that add up to it.
    `joints`: J_j of every joint. `smallest`: the smallest eigenvalue seen, where M was sampled.
    """

    holds: bool
    method: Literal["sum of squares", "kinetic energy", "sampling"]
    assumes: str
    determinant: Exact | None = None
    squares: tuple[tuple[Exact, Exact], ...] = ()
    joints: tuple[Exact, ...] = ()
    smallest: float | None = None

    @property
    def proved(self) -> bool:
        """Whether it was shown for all q and all parameters, not at some."""
        return self.holds and self.method != "sampling"

    def __str__(self) -> str:
        match self.method:
            case "sum of squares":
                why = "det M is a sum of squares with positive weights, and one of them is never zero"
            case "kinetic energy":
                why = "every link has inertia about its own joint axis, so T = 0 only at rest"
            case "sampling":
                seen = "positive definite" if self.holds else "not positive definite"
                return (
                    f"M was {seen} at {SAMPLES} random q (smallest eigenvalue {self.smallest:.3g}, {self.assumes}); "
                    "this is no proof for all q."
                )
        return f"M is positive definite for all q: {why} (assuming {self.assumes})."


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
    if bodies and model.n == 2 and (found := _two_joints(model, positive)) is not None:
        return found
    gears = frozenset(name for j in model.robot.joints for name in j.gear_ratio.parameters()) - positive
    shown = [_shown_positive(body, J, positive, gears) for body, J in zip(moving, joints, strict=True)]
    if bodies and None not in shown:
        used = frozenset(letter for part in shown if part is not None for letter in part.letters())
        return PositiveDefinite(True, "kinetic energy", _listed(used & positive, used & gears), joints=joints)
    smallest, values = _sampled(model.robot)
    return PositiveDefinite(smallest > 0, "sampling", values, joints=joints, smallest=smallest)


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


def _two_joints(model: Equations, positive: frozenset[str]) -> PositiveDefinite | None:
    """det M as a sum of squares; None if an inertia is not diagonal or no group is positive for all q."""
    tensors = [body.inertia for body in model.mechanism.bodies]
    if any(tensor.a.y or tensor.a.z or tensor.b.z for tensor in tensors):
        return None
    groups: dict[Exact, Exact] = {}
    for (d_a, a), (d_b, b) in combinations(list(_rows(model)), 2):
        minor, weight = a[0] * b[1] - a[1] * b[0], d_a * d_b
        if minor and weight:
            groups[weight] = groups.get(weight, model.ring.zero) + minor * minor
    determinant = model.M[0, 0] * model.M[1, 1] - model.M[0, 1] * model.M[0, 1]
    total = model.ring.zero
    for weight, squares in groups.items():
        total = total + weight * squares
    strict = [
        weight * squares
        for weight, squares in groups.items()
        if sign_of(weight, positive) == Sign.POSITIVE and sign_of(squares, positive) == Sign.POSITIVE
    ]
    if total != determinant or not strict:
        return None
    used = frozenset(letter for term in strict for letter in term.letters()) & positive
    return PositiveDefinite(True, "sum of squares", _listed(used), determinant, tuple(groups.items()))


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
    valued = robot.with_values({name: float(rng.uniform(0.5, 2)) for name in missing}) if missing else robot
    m, still = mechanism(valued, valued.world()), [0.0] * robot.n
    smallest = np.inf
    for _ in range(SAMPLES if robot.n else 0):
        M = mass_matrix(m, float_state(list(rng.uniform(-np.pi, np.pi, robot.n)), still, still))
        smallest = min(smallest, float(np.linalg.eigvalsh(np.array(M))[0]))
    given = f"with random values for {', '.join(missing)}" if missing else "with the values of the robot"
    return float(smallest), given
