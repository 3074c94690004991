"""Two derivations, one model: Newton-Euler equals Euler-Lagrange, exactly, for every robot."""

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from tests.support.closeness import close
from tests.support.exact_models import at, point, robots

NUMERIC = [name for name in dynamis.robots() if not dynamis.load(name).missing_values]
FORMS = [(name, form) for name in dynamis.robots() for form in ("as shipped", "all symbols")]


@pytest.mark.parametrize(("name", "form"), [*FORMS, *((name, "numbers") for name in NUMERIC)])
def test_newton_euler_is_euler_lagrange(name: str, form: str):
    robot = dynamis.load(name)
    model = (robot.symbolic(keep_zeros=False) if form == "all symbols" else robot).equations(form == "numbers")
    assert model.newton_euler.tau == model.torques
    assert any(model.torques)


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "ur5", "genova-3r", "bar-2r"])
def test_exact_is_what_floats_compute(name: str):
    robot = dynamis.load(name)
    model, rng = robot.equations(numeric=True), np.random.default_rng(3)
    q, qd, qdd = rng.normal(size=(3, robot.n))
    values = point(model, q, qd, qdd)
    close([at(t, values) for t in model.torques], robot.inverse_dynamics(q, qd, qdd), tolerance=1e-12)
    close(at(model.kinetic_energy, values), robot.kinetic_energy(q, qd), tolerance=1e-12)
    close(at(model.potential_energy, values), robot.potential_energy(q), tolerance=1e-12)


@settings(max_examples=40)
@given(robots())
def test_random_trees(robot: dynamis.Robot):
    """NE = EL in symbols; in numbers the same as floats."""
    assert robot.equations().newton_euler.tau == robot.equations().torques
    model, rng = robot.equations(numeric=True), np.random.default_rng(7)
    assert model.newton_euler.tau == model.torques
    q, qd, qdd = rng.normal(size=(3, robot.n))
    values = point(model, q, qd, qdd)
    close([at(t, values) for t in model.torques], robot.inverse_dynamics(q, qd, qdd), tolerance=1e-12)
