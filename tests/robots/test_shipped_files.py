"""Every shipped robot: it loads, says what it is and where it is from, and names what it lacks."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from dynamis import load, robots
from dynamis.errors import MissingValuesError, UnphysicalWarning
from dynamis.library import estimates, exercises

SYMBOLIC = {
    "cartesian": ("m1", "m2"),
    "deluca-2r": ("l1", "l2", "d1", "d2", "m1", "m2", "I1", "I2"),
    "deluca-2r-offaxis": ("l1", "l2", "rc1x", "rc1y", "rc2x", "rc2y", "m1", "m2", "I1", "I2"),
    "niryo-one": (
        *(f"l{i}" for i in range(1, 6)), "d", *(f"d{i}" for i in range(1, 7)), *(f"m{i}" for i in range(1, 7)),
        *(f"I{i}{axis}{axis}" for i in range(1, 7) for axis in "xyz"),
    ),
    "planar-elbow": ("l1", "l2", "lc1", "lc2", "m1", "m2", "I1", "I2"),
}  # fmt: skip
JOINTS = {
    "bar-2r": "RR", "cartesian": "PP", "deluca-2r": "RR", "deluca-2r-offaxis": "RR", "genova-2r": "RR",
    "genova-3r": "RRR", "genova-rp": "RP", "niryo-one": "RRRRRR", "panda": "RRRRRRR",
    "parallelogram": "RRRR", "planar-elbow": "RR", "puma560": "RRRRRR", "stanford": "RRPRRR", "ur5": "RRRRRR",
}  # fmt: skip
# The Genova report gives tensors that no body has: diag(0, 0, I) and diag(0.2, 0.2, 0.8).
UNPHYSICAL = {"genova-2r", "genova-3r", "genova-rp"}


def test_the_shipped_robots_are_these() -> None:
    assert robots() == sorted(JOINTS)


@pytest.mark.parametrize("name", sorted(JOINTS))
def test_joints(name: str) -> None:
    letters = {"revolute": "R", "prismatic": "P"}
    assert "".join(letters[joint.kind] for joint in load(name).joints) == JOINTS[name]


@pytest.mark.parametrize("name", [*robots(), *estimates(), *exercises()])
def test_name_description_and_source(name: str) -> None:
    robot = load(name)
    assert robot.name == name
    assert len(robot.description) > 40
    assert len(robot.source) > 40
    assert "\n" not in robot.description + robot.source


@pytest.mark.parametrize("name", robots())
def test_every_parameter_is_described_with_its_unit(name: str) -> None:
    """Gear ratios are pure numbers; everything else ends with its unit in brackets."""
    robot = load(name)
    plain = {parameter for parameter, text in robot.parameters.items() if not re.search(r"\w \[[^\]]+\]$", text)}
    assert plain == ({f"G{i}" for i in range(1, 7)} if name == "puma560" else set())
    assert robot.used_parameters() == set(robot.parameters)


@pytest.mark.parametrize("name", sorted(set(JOINTS) - set(SYMBOLIC)))
def test_robots_with_values_run(name: str) -> None:
    robot = load(name)
    assert robot.missing_values == ()
    assert np.isfinite(robot.inverse_dynamics(np.full(robot.n, 0.3))).all()


def test_estimates_say_so_and_have_the_chain_of_the_report() -> None:
    """Its numbers put into the symbolic robot give the same torques."""
    assert estimates() == ["niryo-one-estimated"]
    robot = load("niryo-one-estimated")
    assert robot.missing_values == ()
    assert "our own estimates, not measured and not published" in robot.description
    assert "invented" in robot.source
    values = {"l1": 0.103, "l2": 0.08, "l3": 0.21, "l4": 0.04, "l5": 0.18, "d": 0.03}
    values |= {"d1": 0.05, "d2": 0.1, "d3": 0.02, "d4": 0.09, "d5": 0.01, "d6": 0.02}
    for k, link in enumerate(robot.links, 1):
        values[f"m{k}"] = float(str(link.mass))
        values |= {f"I{k}{axis}{axis}": float(str(link.inertia.matrix[i][i])) for i, axis in enumerate("xyz")}
    state = np.random.default_rng(4).uniform(-1, 1, (3, 6))
    expected = load("niryo-one").with_values(values).inverse_dynamics(*state)
    np.testing.assert_allclose(robot.inverse_dynamics(*state), expected, atol=1e-12)


@pytest.mark.parametrize("name", sorted(SYMBOLIC))
def test_robots_without_values_name_what_is_missing(name: str) -> None:
    robot = load(name)
    with pytest.raises(MissingValuesError) as caught:
        robot.inverse_dynamics(np.zeros(robot.n))
    assert caught.value.missing == SYMBOLIC[name]
    assert all(f"{parameter}" in str(caught.value) for parameter in SYMBOLIC[name])


@pytest.mark.parametrize("name", robots())
def test_only_the_tensors_of_the_genova_report_are_unphysical(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        load(name)
    assert bool([w for w in caught if w.category is UnphysicalWarning]) == (name in UNPHYSICAL)


def test_the_published_tensor_of_the_puma_is_unphysical() -> None:
    with pytest.warns(UnphysicalWarning, match='link "link3"'):
        load("puma560").with_values(s=0)
