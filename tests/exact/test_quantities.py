"""Every quantity of the registry is exact, or refused in one sentence: at numbers it is what floats compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.compute.quantities.reference import plain
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.exact.closed_form.closed_form import ClosedForm
from tests.support.closeness import close
from tests.support.coupled_robots import ROBOTS as COUPLED
from tests.support.exact_models import at, point, robots

DIVISION = r"needs a division by .*, which equations in symbols do not have; robot\."
REFUSED = {
    "forward_dynamics": "takes torques",
    "forward_dynamics_derivatives": "takes torques",
    "inverse_mass_matrix": DIVISION + r"inverse_mass_matrix\(q\)",
    "operational_inertia": DIVISION + r"operational_inertia\(q\)",
    "operational_coriolis": DIVISION + r"operational_coriolis\(q, qd\)",
    "operational_gravity": DIVISION + r"operational_gravity\(q\)",
    "consistent_inverse": DIVISION + r"consistent_inverse\(q\)",
    "cholesky": r"cholesky needs square roots, .* do not have; robot\.cholesky\(q\) gives its numbers",
    "bearing_loads": r"bearing_loads needs square roots, .*; robot\.bearing_loads\(q, qd, qdd\) gives its numbers",
}
EXACT = [name for name in QUANTITIES if name not in REFUSED]


def options_of(name: str, robot: dynamis.Robot) -> dict[str, str]:
    first, last = robot.links[0].name, robot.links[-1].name
    every = {"frame": last, "relative_to": first, "link": last, "convention": "parent_tip", "rows": "x"}
    return {option: every[option] for option in QUANTITIES[name].options}


def numbers(value: Any, values: dict[str, float]) -> Any:
    return [numbers(entry, values) for entry in value] if isinstance(value, list) else at(value, values)


def agree(name: str, model: ClosedForm, state: dict[str, np.ndarray]) -> None:
    """The exact quantity at a state is that of the plain reference."""
    robot, entry, values = model.robot, QUANTITIES[name], point(model, **state)
    options = options_of(name, robot)
    exact = model.quantity(name, **options)
    expected = plain(robot, name, *(state[key] for key in entry.inputs), **options)
    for output, array in zip(exact.values() if len(entry.outputs) > 1 else [exact], expected, strict=True):
        close(np.reshape(numbers(output, values), array.shape), array, tolerance=1e-10)


def state_of(robot: Any, seed: int) -> dict[str, np.ndarray]:
    return dict(zip(("q", "qd", "qdd"), np.random.default_rng(seed).normal(size=(3, robot.n)), strict=True))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("arm", [name for name in dynamis.robots() if name != "panda"])  # it alone takes 15 s
def test_shipped_robots_in_numbers(arm: str, name: str) -> None:
    robot = dynamis.load(arm)
    robot = robot.with_values(**{name: 0.5 + 0.1 * k for k, name in enumerate(robot.missing_values)})
    agree(name, robot.equations(numeric=True), state_of(robot, 1))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("arm", ["parallelogram", "belt", "screw", "differential"])
def test_coupled_robots_in_symbols(arm: str, name: str) -> None:
    agree(name, COUPLED[arm].equations(), state_of(COUPLED[arm], 2))


@settings(max_examples=20)
@given(robots())
def test_random_robots_in_symbols(robot: dynamis.Robot) -> None:
    model = robot.equations()
    for name in EXACT:
        agree(name, model, state_of(robot, 3))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_exact_is_refused(name: str) -> None:
    model = dynamis.load("planar-elbow").equations()
    with pytest.raises(ArgumentError, match=REFUSED[name]):
        model.quantity(name, **options_of(name, model.robot))


def test_unknown_names_are_refused() -> None:
    model = dynamis.load("planar-elbow").equations()
    with pytest.raises(UnknownNameError, match="unknown quantity"):
        model.quantity("mass_matrices")
    with pytest.raises(ArgumentError, match="com_jacobian needs a link"):
        model.quantity("com_jacobian")
    with pytest.raises(UnknownNameError, match="convention"):
        model.quantity("reactions", convention="tip")


def test_options_default_to_those_of_the_robots_verbs() -> None:
    model = dynamis.load("planar-elbow").equations()
    assert model.quantity("jacobian") == model.quantity("jacobian", frame="tool")
    assert model.quantity("reactions") == model.quantity("reactions", convention="joint")


def test_a_mass_matrix_of_numbers_has_an_inverse() -> None:
    model = dynamis.load("cartesian").with_values(m1=2, m2="1/3").equations(numeric=True)
    rows, n = model.quantity("inverse_mass_matrix"), range(model.n)
    product = [[sum((model.M[i, k] * rows[k][j] for k in n), model.ring.zero) for j in n] for i in n]
    assert product == [[model.ring.one if i == j else model.ring.zero for j in n] for i in n]
