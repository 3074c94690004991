"""Certified brackets: tight for two links beside the closed form, never crossed by draws, honest where loose."""

import numpy as np
import pytest

import dynamis
from dynamis import sweep
from dynamis.compute.mechanics.friction import without_forces
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import box, bracket, normal, sobol
from tests.support.joint_forces import random_forces

V, A = 2.0, 5.0
VALUES = {"m1": 3, "m2": 2, "l1": 0.5, "l2": 0.4, "d1": 0.25, "d2": 0.2, "I1": 0.06, "I2": 0.03}


@pytest.fixture(scope="module")
def two_links() -> dynamis.Robot:
    return dynamis.load("deluca-2r").with_values(**VALUES)


def largest_torques(m2: float) -> tuple[float, float]:
    """Both largest torques of the arm for |qd| <= V, |qdd| <= A, by its closed form: only q2 is left to be searched."""
    v = VALUES | {"m2": m2}
    a1 = v["I1"] + v["m1"] * v["d1"] ** 2 + v["I2"] + m2 * (v["d2"] ** 2 + v["l1"] ** 2)
    a2, a3 = m2 * v["l1"] * v["d2"], v["I2"] + m2 * v["d2"] ** 2
    c, s = (f(np.linspace(-np.pi, np.pi, 200_001)) for f in (np.cos, np.sin))
    first, second = v["m1"] * v["d1"] + m2 * v["l1"], m2 * v["d2"]
    weight = 9.81 * np.sqrt(first**2 + second**2 + 2 * first * second * c)
    one = (a1 + 2 * a2 * c) * A + np.abs(a3 + a2 * c) * A + 3 * a2 * np.abs(s) * V**2 + weight
    two = np.abs(a3 + a2 * c) * A + a3 * A + a2 * s * V**2 + 9.81 * second
    return float(one.max()), float(two.max())


def test_two_links_beside_the_closed_form(two_links: dynamis.Robot) -> None:
    over = {"q": box(-np.pi, np.pi), "qd": box(V), "qdd": box(A), "m2": box(0.5, 3)}
    found = bracket(sweep(two_links, "inverse_dynamics", over, sobol(2**14)), seconds=60)
    for name, exact in zip(("q1", "q2"), largest_torques(3.0), strict=True):
        for side, sign in (("max", 1), ("min", -1)):
            x = found.of(name, side)  # type: ignore[arg-type]
            assert sign * x.seen <= exact * (1 + 1e-9)
            assert exact * (1 - 1e-9) <= sign * x.bound <= exact * 1.002
            state = x.state
            tau = two_links.with_values(m2=state["m2"]).inverse_dynamics(state["q"], state["qd"], state["qdd"])
            assert np.isclose(tau[int(name[1]) - 1], x.seen, rtol=1e-12)
    assert "Loose" not in str(found)


def test_no_draw_crosses_a_bound() -> None:
    """Whatever time there was: 2 million states here; docs/maps.md has 10^8."""
    robot = dynamis.load("ur5").with_payload(2.0)
    over = {"q": box("limits"), "qd": box(1), "qdd": box(2), "payload.mass": [0, 5]}
    swept = sweep(robot, "inverse_dynamics", over, sobol(2**20, seed=5), keep=["max", "min"])
    bounds, ds = bracket(swept, seconds=1), swept.run()
    for name in ds["value"].values:
        assert bounds.of(name, "max").seen <= bounds.of(name, "max").bound
        assert bounds.of(name, "min").seen >= bounds.of(name, "min").bound
        assert float(ds["max"].sel(value=name).max()) <= bounds.of(name, "max").bound
        assert float(ds["min"].sel(value=name).min()) >= bounds.of(name, "min").bound
    assert "The true extreme may be anywhere between" in str(bounds)
    assert bounds.as_dict()["brackets"][0]["boxes"] > 0


@pytest.mark.parametrize("without", [(), ("stribeck", "stribeck_speed")], ids=["all", "no Stribeck"])
def test_no_draw_crosses_a_bound_of_joints_with_forces(without: tuple[str, ...]) -> None:
    """Stribeck friction is bounded with all the rest; offsets and springs are part of what is still."""
    robot = without_forces(random_forces(np.random.default_rng(0), 2).on(dynamis.load("bar-2r")), without)
    over = {"q": box(2), "qd": box(1), "qdd": box(2)}
    swept = sweep(robot, "inverse_dynamics", over, sobol(2**16, seed=5), keep=["max", "min"])
    bounds, ds = bracket(swept, seconds=2), swept.run()
    for name in ds["value"].values:
        most, least = bounds.of(name, "max"), bounds.of(name, "min")
        assert float(ds["max"].sel(value=name).max()) <= most.bound
        assert float(ds["min"].sel(value=name).min()) >= least.bound
        assert most.seen <= most.bound < 10 * most.seen
        assert 10 * least.seen < least.bound <= least.seen


def test_any_value_has_a_bracket(two_links: dynamis.Robot) -> None:
    over = {"q": box(-1, 1), "qd": box(1), "l1": box(0.4, 0.5)}
    for quantity in ("power", "tool", "bearing_load"):
        swept = sweep(two_links, quantity, over, sobol(2**12, seed=1), keep=["max"])
        bounds, ds = bracket(swept, seconds=0.3, sides="max"), swept.run()
        for name in ds["value"].values:
            assert float(ds["max"].sel(value=name)) <= bounds.of(name).bound


def test_wrong_input(two_links: dynamis.Robot) -> None:
    swept = sweep(two_links, "gravity_torque", {"q": box(1)}, sobol(64))
    with pytest.raises(ArgumentError, match='sides must be "max", "min" or "max min"'):
        bracket(swept, sides="top")
    with pytest.raises(ArgumentError, match=r"swept must be what dynamis\.sweep gives"):
        bracket(two_links)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a normal distribution has no bounds"):
        bracket(sweep(two_links, "gravity_torque", {"q": box(1), "m2": normal(1, 0.1)}, sobol(64)))
    with pytest.raises(UnknownNameError, match='unknown value "q3"'):
        bracket(swept, seconds=0.1).of("q3")


def test_zeros_are_tight_and_rounded_zeros_have_no_share() -> None:
    """A vertical joint at rest: divided no further where its bound is 0, and not 10^18 % where it is loose."""
    robot, over = dynamis.load("stanford"), {"q": box(0.1, 1)}
    zero = bracket(sweep(robot, "gravity_torque", over, sobol(64)), seconds=0.2)
    assert (zero.of("q1").gap, zero.of("q1").boxes) == (0.0, 1)
    assert "max of q1" not in str(zero)
    rounded = bracket(sweep(robot, "inverse_dynamics", over, sobol(64)), seconds=0).of("q1")
    assert 0 < rounded.seen < 1e-12 < rounded.bound
    assert rounded.gap == np.inf
