"""Links without mass among coupled joints: what is determined is a question of the coordinates.

Pinocchio without couplings, brought to the coordinates with A (q = A y + b), says what M and the torques are; the rank
of its M says which accelerations there are. No robot is refused whose M is regular, and none answered whose M is not.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from dynamis import Inertia, Joint, Link, MissingMassError, Robot, UnphysicalWarning, simulate
from dynamis.arrays import Array
from dynamis.model.lint import lint
from tests.support.closeness import close, largest
from tests.support.pinocchio_trees import Reference
from tests.support.strategies import Case, coupled, robots

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
ACCELERATIONS = ("forward_dynamics", "inverse_mass_matrix", "cholesky", "forward_dynamics_derivatives")


def lightened(case: Case, rng: np.random.Generator) -> Case:
    """The case with half of its links without mass, some with a CoM on their axis, and most without a rotor."""
    parts = list(case.parts)
    for i, part in enumerate(parts):
        if rng.random() < 0.5:
            parts[i] = part = replace(part, mass=0.0, inertia=np.zeros((3, 3)))
        elif rng.random() < 0.2:
            parts[i] = part = replace(part, com=0.3 * part.k, after=(), inertia=np.zeros((3, 3)))
        if rng.random() < 0.7:
            parts[i] = replace(part, rotor_inertia=0.0)
    return replace(case, parts=tuple(parts))


class Witness:
    """M, bias and friction over the coordinates, by Pinocchio and A."""

    def __init__(self, case: Case, A: Array, b: Array) -> None:
        self.case, self.A, self.b = case, A, b
        self.parts = [case.parts[i] for i in case.moving]
        self.model = Reference.of(case).model
        self.model.armature = np.array([part.reflected for part in case.parts])
        self.data = self.model.createData()

    def of_coordinates(self, y: Array) -> Array:
        """M over the coordinates, its columns by Newton-Euler."""
        q, still = self.case.of_part(self.A @ y + self.b), np.zeros(len(self.case.parts))
        rest = pin.rnea(self.model, self.data, q, still, still)
        M = np.array([pin.rnea(self.model, self.data, q, still, e) - rest for e in np.eye(self.model.nv)]).T
        moving = self.case.moving
        return np.asarray(self.A.T @ M[np.ix_(moving, moving)] @ self.A)

    def torques(self, y: Array, yd: Array, ydd: Array) -> tuple[Array, Array]:
        """Inverse dynamics, and what of it is friction."""
        q, v, a = (self.case.of_part(x) for x in (self.A @ y + self.b, self.A @ yd, self.A @ ydd))
        rates = zip(self.parts, self.A @ yd, strict=True)
        friction = self.A.T @ [part.damping * x + part.coulomb * np.sign(x) for part, x in rates]
        return self.A.T @ pin.rnea(self.model, self.data, q, v, a)[self.case.moving] + friction, friction

    def potential_energy(self, y: Array) -> float:
        return float(pin.computePotentialEnergy(self.model, self.data, self.case.of_part(self.A @ y + self.b)))


def refused(ask: Callable[..., object], *values: Array) -> MissingMassError | None:
    """The error for missing masses, if that is what it says."""
    try:
        ask(*values)
    except MissingMassError as error:
        return error
    return None


def smallest(M: Array) -> float:
    """The smallest eigenvalue of M with a diagonal of ones, and of zeros where it is rounding."""
    d = np.sqrt(np.diag(M))
    d[d < 1e-7 * max(d.max(), 1e-3)] = np.inf
    return float(np.linalg.eigvalsh(M / np.outer(d, d)).min())


@settings(max_examples=60, phases=PHASES)
@given(robots(friction=True, joints=(1, 7)), st.integers(0, 2**32 - 1))
def test_what_is_determined_is_the_rank_over_the_coordinates(case: Case, seed: int) -> None:
    assume(case.moving)
    rng = np.random.default_rng(seed)
    case = lightened(case, rng)
    robot, A, b = coupled(case, seed)
    witness = Witness(case, A, b)
    y, yd, ydd = rng.uniform(-2, 2, (3, robot.n))
    M, (tau, friction) = witness.of_coordinates(y), witness.torques(y, yd, ydd)
    if np.abs(M).max() == 0 and all(p.mass == 0 and not p.rotor_inertia for p in case.parts):
        for name, *values in (("mass_matrix", y), ("inverse_dynamics", y, yd, ydd), ("forward_dynamics", y, yd, tau)):
            with pytest.raises(MissingMassError, match="no link that moves has a mass"):
                getattr(robot, name)(*values)
        return
    if refused(robot.mass_matrix, y):  # links with a mass stand still
        assert np.abs(M).max() == 0
        return
    close(robot.mass_matrix(y), M, scale=largest(M))
    size = float(np.abs(tau).max()) + largest(M) * 4 + 10 * sum(p.mass for p in case.parts)
    close(robot.inverse_dynamics(y, yd, ydd), tau, scale=size)
    close(robot.kinetic_energy(y, yd), yd @ M @ yd / 2, scale=largest(M) * 4)
    close(robot.potential_energy(y), witness.potential_energy(y), scale=size * 10)
    says_what_moves_no_mass(robot, witness, y, tau - friction, size)
    least = smallest(M)
    assume(not 1e-11 < least < 1e-8)
    if least < 1e-11:
        for name, values in zip(ACCELERATIONS, ((y, yd, tau), (y,), (y,), (y, yd, tau)), strict=True):
            with pytest.raises(MissingMassError, match="their acceleration is not determined"):
                getattr(robot, name)(*values)
        return
    qdd = robot.forward_dynamics(y, yd, tau)
    close(M @ (qdd - ydd), np.zeros(robot.n), scale=size + largest(M) * float(np.abs(ydd).max()))
    close(robot.inverse_mass_matrix(y) @ M, np.eye(robot.n), scale=float(np.linalg.cond(M)))


def says_what_moves_no_mass(robot: Robot, witness: Witness, y: Array, of_masses: Array, size: float) -> None:
    """Exactly the coordinates that M does not see are named, and no torque of motion or gravity is theirs."""
    said = re.search(r"the torque of ([^;]*), which moves? no mass", " ".join(robot.warnings))
    named = said[1].split(", ") if said else []
    M = witness.of_coordinates(y + 0.3)
    unseen = np.abs(np.diag(M)) <= 1e-13 * max(largest(M), 1e-3)
    assert named == [c.name for c, no in zip(robot.coordinates, unseen, strict=True) if no]
    assert np.abs(of_masses[unseen]).max(initial=0) <= 1e-10 * size


@settings(max_examples=60, phases=PHASES)
@given(robots(joints=(1, 6)), st.integers(0, 2**32 - 1))
def test_the_links_that_are_named_are_those_without_a_determined_acceleration(case: Case, seed: int) -> None:
    """Of two accelerations for the same torques the named links have two, the others one."""
    assume(case.moving)
    rng = np.random.default_rng(seed)
    robot, A, b = coupled(lightened(case, rng), seed)
    y, yd = rng.uniform(-2, 2, (2, robot.n))
    undetermined = {finding.link for finding in lint(robot) if "is not determined" in finding.message}
    error = refused(robot.forward_dynamics, y, yd)
    named = set(error.links) if error else set[str]()
    assert undetermined <= named
    if error is None or "not determined" not in str(error):
        return
    M = Witness(lightened(case, np.random.default_rng(seed)), A, b).of_coordinates(y)
    d = np.sqrt(np.diag(M))
    d[d < 1e-7 * max(d.max(), 1e-3)] = np.inf
    sizes, directions = np.linalg.eigh(M / np.outer(d, d))
    assume(not ((np.abs(sizes) > 1e-12) & (np.abs(sizes) < 1e-7)).any())
    scale = np.where(np.isfinite(d), d, 1)
    free = (directions[:, np.abs(sizes) <= 1e-12].T / scale).T
    free /= np.abs(free).max()
    moved = {link.name for link in robot.links if np.abs(robot.jacobian(y, link.name) @ free).max() > 1e-5}
    assert moved == named


def finger(name: str, mass: float, **coupling: float) -> Link:
    return Link(name, Joint(f"of {name}", "prismatic", (1, 0, 0), coupling=dict(coupling)), mass=mass)


def gripper(driver: float, follower: float) -> Robot:
    return Robot("gripper", (finger("left", driver), finger("right", follower, **{"of left": -2.0})))


@pytest.mark.parametrize(("driver", "follower", "mass"), [(3.0, 0.0, 3.0), (0.0, 3.0, 12.0)])
def test_one_finger_has_the_mass_of_both(driver: float, follower: float, mass: float) -> None:
    hand = gripper(driver, follower)
    assert hand.mass_matrix([0.1]).tolist() == [[mass]]
    assert hand.forward_dynamics([0.1], tau=[mass]) == pytest.approx([1])
    assert hand.inverse_mass_matrix([0.1]) == pytest.approx(1 / mass)
    assert str(hand.equations().M[0, 0]) == f"{mass:.0f}"
    run = simulate(hand, [0.0], duration=0.1)
    assert run.q[-1] == pytest.approx([0.0], abs=1e-9)
    assert not any("is not determined" in finding.message for finding in lint(hand))


def test_no_finger_with_a_mass_is_refused() -> None:
    hand = gripper(0, 0)
    for ask in (
        lambda: hand.mass_matrix([0.0]),
        lambda: hand.inverse_dynamics([0.0]),
        lambda: hand.equations().M[0, 0],
    ):
        with pytest.raises(MissingMassError, match=r"no link that moves has a mass.* \(left, right\)"):
            ask()


def test_a_mass_behind_two_sliders_of_one_axis_determines_their_sum_alone() -> None:
    sliders = Robot("sliders", (finger("inner", 0), replace(finger("outer", 1), parent="inner")))
    with pytest.raises(MissingMassError, match=r"not determined \(inner\)"):
        sliders.forward_dynamics([0.0, 0.0])
    assert sliders.mass_matrix([0.0, 0.0]).tolist() == [[1, 1], [1, 1]]


def test_a_point_mass_at_the_end_of_three_links_determines_none_of_their_accelerations() -> None:
    """Its M is singular up to rounding, and forward dynamics gave 1e14."""
    places = ("", "Tx(1)", "Tx(1)")
    arm = Robot("arm", tuple(
        Link(f"l{k}", Joint(f"q{k}", before=place), f"l{k - 1}" if k > 1 else "base", int(k == 3), (k // 3, 0, 0))
        for k, place in enumerate(places, 1)
    ))  # fmt: skip
    with pytest.raises(MissingMassError, match=r"not determined \(l1, l2, l3\)"):
        arm.forward_dynamics([0.1, 0.2, 0.3])


def test_an_inertia_that_no_body_has_is_felt_about_an_axis_without_one() -> None:
    """Its moments about x and y differ, so that the first joint feels the second turn."""
    odd = Inertia.of(about="com", xx=1, yy=3, allow_unphysical=True)
    robot = Robot("odd", (Link("a", Joint("p", axis=(1, 0, 0)), mass=1), Link("b", Joint("q"), "a", 1, inertia=odd)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        assert robot.mass_matrix([0.3, 0.4])[1].tolist() == [0, 0]
        assert abs(robot.inverse_dynamics([0.3, 0.4], [1, 1])[1]) > 0.1
    assert "moves no mass" not in " ".join(robot.warnings)
