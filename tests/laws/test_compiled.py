"""Compiled = plain = exact, for every quantity, on random trees and on shipped robots.

Both paths round, so they agree to a few ulp of the largest terms that cancel in a quantity, times
what its problem grows errors by. `scales` derives both for each quantity from the plain path.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.compute.quantities.reference import plain
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.robot import ALL_ROWS
from tests.support.closeness import close
from tests.support.exact_models import at, point
from tests.support.exact_models import robots as exact_robots
from tests.support.functions import (
    function,
    options,
    private_cache,  # noqa: F401
    run,
    same_bits,
    states,
    verb,
)
from tests.support.strategies import Case, robots

TIGHT = 1e-12
# As many ulp in the other precision.
TIGHT32 = TIGHT * 2.0**29
LOADED = {
    "inverse_dynamics", "forward_dynamics", "bias_torque", "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives", "reactions", "recursion", "torque_components", "parameter_torques", "bearing_loads",
}  # fmt: skip
IN_GRAVITY = {*LOADED, "gravity_torque", "potential_energy", "regressor", "operational_gravity"}
OPERATIONAL = {name for name in QUANTITIES if "rows" in QUANTITIES[name].options}
INVERT = {"forward_dynamics", "inverse_mass_matrix", "cholesky", "forward_dynamics_derivatives"}
"""Quantities that need an M with an inverse."""


class Scales:
    """How large the terms of a robot's quantities are in a state, by the plain path."""

    def __init__(self, robot: Robot, q: Array, qd: Array, qdd: Array, **around: Any) -> None:
        self.robot, self.q, self.qd, self.qdd, self.around = robot, q, qd, qdd, around

    @cached_property
    def M(self) -> Array:
        return plain(self.robot, "mass_matrix", self.q)[0]

    @cached_property
    def inertia(self) -> float:
        """The norm of M."""
        return norm(self.M)

    @cached_property
    def mobility(self) -> float:
        """The norm of M^-1."""
        return norm(np.linalg.inv(self.M)) if len(self.M) else 0.0

    @cached_property
    def condition(self) -> float:
        return self.inertia * self.mobility

    def wrench(self, qd: Array, qdd: Array, **around: Any) -> float:
        """The largest force or moment of the tree, and the torques of the drives."""
        found = plain(self.robot, "recursion", self.q, qd, qdd, **around)
        return norm(found[0]) + max(np.abs(x).max(initial=0) for x in found[-2:])

    @cached_property
    def torque(self) -> float:
        return self.wrench(self.qd, self.qdd, **self.around)

    def torques_of(self, tau: Array) -> tuple[Array, float]:
        """qdd under tau, and the size of the torques that go into it."""
        qdd = plain(self.robot, "forward_dynamics", self.q, self.qd, tau, **self.around)[0]
        return qdd, norm(tau) + self.wrench(self.qd, qdd, **self.around) + self.inertia * norm(qdd)

    def of(self, name: str, expected: tuple[Array, ...]) -> list[float]:
        """One scale an output."""
        sizes = [norm(x) for x in expected]
        match name:
            case "inverse_dynamics" | "reactions" | "bias_torque":
                return [size + self.torque for size in sizes]
            case "torque_components" | "parameter_torques" | "bearing_loads":
                terms = self.torque + self.inertia * (norm(self.qdd) + norm(self.qd) ** 2)
                return [size + terms for size in sizes]
            case "coriolis_torque":
                return [self.wrench(self.qd, 0 * self.qd, gravity=False)]
            case "gravity_torque":
                return [self.wrench(0 * self.qd, 0 * self.qd, gravity=self.around["gravity"])]
            case "inverse_mass_matrix":
                # d(M^-1) = M^-1 dM M^-1
                return [self.mobility * self.condition]
            case "cholesky":
                # |dL| <= |L| |M^-1| |dM|  (Sun 1991)
                return [sizes[0] * self.condition]
            case "forward_dynamics":
                # M d(qdd) = d(tau) - dM qdd
                return [self.mobility * self.torques_of(self.qdd)[1]]
            case "coriolis_matrix":
                return [sizes[0] + self.inertia * norm(self.qd)]
            case "inverse_dynamics_derivatives":
                return [sizes[0] + self.torque, sizes[1] + self.inertia * norm(self.qd)]
            case "forward_dynamics_derivatives":
                # M dqdd/dq = -dtau/dq, which has qdd in it: an error of qdd comes in by dM/dq, as large as M.
                qdd, terms = self.torques_of(self.qdd)
                by_q, by_qd = plain(self.robot, "inverse_dynamics_derivatives", self.q, self.qd, qdd, **self.around)
                return [
                    self.mobility * (norm(by_q) + terms + self.inertia * (sizes[0] + self.mobility * terms)),
                    self.mobility * (norm(by_qd) + self.inertia * (norm(self.qd) + sizes[1])),
                    self.mobility * self.condition,
                ]
            case "potential_energy":
                motions = plain(self.robot, "link_motions", self.q, self.qd, self.qdd)
                weights = plain(self.robot, "recursion", self.q, 0 * self.qd, 0 * self.qd, gravity=self.gravity)[5]
                return [sizes[0] + float(np.linalg.norm(weights, axis=-1) @ np.linalg.norm(motions[1], axis=-1))]
            case "recursion":
                w, wd, vd, vdc, F, N = sizes[1:7]
                a = vd + vdc
                return [self.torque, w, wd, a, a, F, N + self.torque, self.torque, self.torque]
            case "operational_inertia" | "operational_coriolis" | "operational_gravity" | "consistent_inverse":
                # d Lambda = Lambda d(J M^-1 J^T) Lambda, and d(M^-1) as above
                J = plain(self.robot, "jacobian", self.q, frame="tool")[0]
                Lambda = norm(plain(self.robot, "operational_inertia", self.q, frame="tool", rows=ALL_ROWS)[0])
                error = Lambda**2 * norm(J) ** 2 * self.mobility * self.condition
                bias = norm(plain(self.robot, "bias_acceleration", self.q, self.qd, frame="tool")[0])
                onto = {"operational_inertia": 1.0, "consistent_inverse": norm(J) * self.mobility}
                return [error * onto.get(name, norm(J) * self.mobility * self.torque + bias)]
            case _:
                return sizes

    @property
    def gravity(self) -> Any:
        return self.around["gravity"]


def norm(x: Any) -> float:
    return float(np.linalg.norm(x))


def around(name: str, case: Case) -> dict[str, Any]:
    """The gravity and the loads of a case, as far as the quantity takes them."""
    found: dict[str, Any] = {"gravity": case.gravity_given} if name in IN_GRAVITY else {}
    return {**found, "loads": case.loads} if name in LOADED else found


def agree(robot: Robot, name: str, case: Case, link: int) -> None:
    """The verb is the plain path, in double and in single precision."""
    values = [getattr(case, "qdd" if x == "tau" else x) for x in QUANTITIES[name].inputs]
    given, chosen = around(name, case), options(robot, name, link)
    for dtype in (np.float64, np.float32):
        q, qd, qdd = (x.astype(dtype).astype(np.float64) for x in (case.q, case.qd, case.qdd))
        rounded = [x.astype(dtype) for x in values]
        expected = plain(robot, name, *rounded, **given, **chosen)
        scales = Scales(robot, q, qd, qdd, gravity=case.gravity_given, loads=case.loads)
        found = verb(robot, name, *rounded, **given, **chosen)
        for output, ours, theirs, scale in zip(
            QUANTITIES[name].outputs, found, expected, scales.of(name, expected), strict=True
        ):
            try:
                close(ours, theirs, scale, TIGHT if ours.dtype == np.float64 else TIGHT32)
            except AssertionError as error:
                raise AssertionError(f"{name}: {output} in {np.dtype(dtype)}: {error}") from None


@settings(max_examples=12, phases=[Phase.generate])  # A failure names its quantity; to shrink it takes minutes.
@given(robots(joints=(1, 8), friction=True, loads=True))
def test_every_quantity_of_a_tree(case: Case) -> None:
    """Trees with all kinds of joints, oblique axes, friction, rotors, loads, and any gravity."""
    robot = case.robot()
    for name in QUANTITIES.keys() - OPERATIONAL - (INVERT if not case.moving else set()):
        agree(robot, name, case, case.tool_on)


@settings(max_examples=12)
@given(robots(joints=(6, 9), kinds=("revolute", "revolute", "prismatic"), chain=True, solid=True), st.data())
def test_operational_space(case: Case, data: st.DataObject) -> None:
    robot = case.robot()
    J, M = plain(robot, "jacobian", case.q, frame="tool")[0], plain(robot, "mass_matrix", case.q)[0]
    assume(np.linalg.cond(J @ np.linalg.solve(M, J.T)) < 1e9)  # Arms of sliders have no Lambda.
    agree(robot, "operational_inertia", case, -1)
    agree(robot, data.draw(st.sampled_from(sorted(OPERATIONAL - {"operational_inertia"}))), case, -1)


@settings(max_examples=2, phases=[Phase.generate])
@given(robots(joints=(3, 5), kinds=("revolute", "prismatic", "revolute"), friction=True))
def test_both_tiers_of_a_random_robot(case: Case) -> None:
    tiers_alike(case.robot(), QUANTITIES.keys() - OPERATIONAL, ("float64",))


@pytest.mark.parametrize(("name", "dtypes"), [("puma560", ("float64", "float32")), ("panda", ("float64",))])
def test_both_tiers_of_a_shipped_robot(name: str, dtypes: tuple[str, ...]) -> None:
    # Their kernels are long: mu, p and Jbar consist of the parts of Lambda.
    names = QUANTITIES.keys() - (OPERATIONAL - {"operational_inertia"})
    tiers_alike(dynamis.load(name), names, dtypes)


def tiers_alike(robot: Robot, names: Iterable[str], dtypes: Iterable[str]) -> None:
    """Bytecode and machine code bit for bit, and as the plain path, on more states than a vector holds."""
    for name in names:
        f = function(robot, name)
        given = states(np.random.default_rng(6), name, robot.n, 19)
        for dtype in dtypes:
            rounded = [x.astype(dtype) for x in given]
            found = run(f, "machine code", *rounded, dtype=dtype)
            for ours, theirs in zip(run(f, "bytecode", *rounded, dtype=dtype), found, strict=True):
                same_bits(ours, theirs)
            for k in (0, 18):
                one = [x[k].astype(np.float64) for x in rounded]
                expected = plain(robot, name, *one, **options(robot, name))
                scales = Scales(robot, *(*one, *[np.zeros(robot.n)] * 2)[:3], gravity=True, loads=())
                for ours, theirs, scale in zip(found, expected, scales.of(name, expected), strict=True):
                    close(ours[k], theirs, scale, TIGHT if dtype == "float64" else TIGHT32)


@settings(max_examples=25)
@given(exact_robots())
def test_the_closed_form_of_a_tree(robot: Robot) -> None:
    compare_with_closed_form(robot)


@pytest.mark.parametrize("name", ["bar-2r", "genova-2r", "genova-rp", "genova-3r", "stanford"])
def test_the_closed_form_of_a_shipped_robot(name: str) -> None:
    compare_with_closed_form(dynamis.load(name))


def compare_with_closed_form(robot: Robot) -> None:
    """M, C, c and g of the exact equations, which are evaluated at a random point."""
    model = robot.equations(numeric=True)
    q, qd, qdd = np.random.default_rng(11).normal(size=(3, robot.n))
    values = point(model, q, qd, qdd)
    M = [[at(model.M[i, j], values) for j in range(robot.n)] for i in range(robot.n)]
    scales = Scales(robot, q, qd, qdd, gravity=True, loads=())
    close(robot.mass_matrix(q), M, tolerance=TIGHT)
    size = norm(M) * norm(qd)
    close(robot.coriolis_matrix(q, qd), [[at(x, values) for x in row] for row in model.coriolis_matrix], size, TIGHT)
    close(robot.coriolis_torque(q, qd), [at(x, values) for x in model.coriolis], size * norm(qd), TIGHT)
    close(robot.gravity_torque(q), [at(x, values) for x in model.gravity], scales.wrench(0 * qd, 0 * qd), TIGHT)
    close(robot.inverse_dynamics(q, qd, qdd), [at(x, values) for x in model.torques], scales.torque, TIGHT)
