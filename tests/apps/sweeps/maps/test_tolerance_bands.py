"""Tolerance bands beside what they are made of."""

import numpy as np
import pytest

import dynamis
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.results import TorqueBudget
from dynamis.sweeps import box, normal, sobol, tolerance_bands


@pytest.fixture(scope="module")
def budget() -> TorqueBudget:
    t = np.linspace(0, 1, 41)[:, None]
    return dynamis.torque_budget(dynamis.load("bar-2r"), (t[:, 0], t**2 * [1, 2], 2 * t * [1, 2], 0 * t + [2, 4]))


def test_bands_hold_their_share(budget: TorqueBudget) -> None:
    robot = dynamis.load("bar-2r")
    over = {"m1": normal(1.0, 0.05), "m2": box(0.9, 1.1)}
    bands = tolerance_bands(robot, budget, over, sobol(512, seed=1), share=0.9)
    x = budget.history
    rng = np.random.default_rng(0)
    masses = np.stack([rng.normal(1, 0.05, 2000), rng.uniform(0.9, 1.1, 2000)], -1)[:, None]
    tau = robot.compile("inverse_dynamics", parameters=["m1", "m2"])(x.q, x.qd, x.qdd, masses)
    assert abs(((tau >= bands.low) & (tau <= bands.high)).mean() - 0.9) < 0.02
    assert (bands.least <= bands.low).all()
    assert (bands.high <= bands.greatest).all()
    np.testing.assert_array_equal(bands.nominal, x.tau)
    assert bands.as_dict()["peaks"][0]["joint"] == "q1"
    assert "peak of the 90 % band" in str(bands)
    assert len(bands.figure().axes) == 2
    assert len(bands.columns()) == 11


def test_wrong_input(budget: TorqueBudget) -> None:
    robot = dynamis.load("bar-2r")
    with pytest.raises(ArgumentError, match="share must be between 0 and 1, got 2"):
        tolerance_bands(robot, budget, {"m1": box(1, 2)}, share=2)
    with pytest.raises(ArgumentError, match="budget must be a torque budget of this robot"):
        tolerance_bands(dynamis.load("ur5"), budget, {"forearm.mass": box(1, 2)})
    for over in ({"q": box(1)}, {"m1": [1, 2]}, {}):
        with pytest.raises(ArgumentError, match="over must have boxes and distributions of parameters alone"):
            tolerance_bands(robot, budget, over)
    with pytest.raises(UnknownNameError, match='did you mean "m2"'):
        tolerance_bands(robot, budget, {"m3": box(1, 2)})
