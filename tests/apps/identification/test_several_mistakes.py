"""Several small mistakes in a log: which of them there are, what they leave alone and what they make wrong."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from benchmarks.mistaken_logs import recorded, tree
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.apps.identification.judging.look import Look
from dynamis.apps.identification.judging.slopes import Slopes
from dynamis.apps.identification.logs.samples import Samples
from dynamis.identification import Identification, identify
from dynamis.library import load
from dynamis.robot import Robot
from tests.support.logs import log


def robot_of(name: str) -> Robot:
    return tree(int(name.split()[1])) if name.startswith("tree") else load(name)


def identified(
    name: str, motion: str, seed: int, gains: dict[int, float], zeros: dict[int, float] | None = None
) -> Identification:
    right = recorded(robot_of(name), motion, seed)
    factors, moved = np.ones(right.robot.n), np.zeros(right.robot.n)
    factors[list(gains)] = list(gains.values())
    moved[list(zeros or {})] = np.radians(list((zeros or {}).values()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = {**right.log, "q": right.log["q"] + moved, "tau": right.log["tau"] * factors}
        return identify(right.robot, wrong, physical=False)


@pytest.mark.parametrize(
    ("name", "motion", "seed", "gains"),
    [
        ("tree 3", "20 s", 4002, {0: 1.3, 3: 1.3}),
        ("tree 3", "10 s", 4002, {0: 1.2, 4: 0.6}),
        ("ur5", "20 s", 4002, {3: 0.8, 4: 1.15}),
        ("panda", "20 s", 4001, {3: 1.3, 4: 0.7}),
    ],
)
def test_two_gains_that_hide_each_other(name: str, motion: str, seed: int, gains: dict[int, float]) -> None:
    """Both are found with their sizes, and no other: neither the joints that are in the majority nor one of the two."""
    result = identified(name, motion, seed, gains)
    assert result.mistakes is not None
    assert {x.joint: 1 + x.size for x in result.mistakes.found} == pytest.approx(gains, abs=0.03)
    said = " ".join(result.suspicions)
    assert all(f"joint {j + 1} (" in said for j in gains)
    assert not result.trusted


def test_two_gains_of_three_joints_are_the_third() -> None:
    """Two gains that are wrong by one factor look like the third that is wrong by its inverse: both are said."""
    (said,) = identified("tree 1", "10 s", 4001, {0: 0.6, 2: 0.6}).suspicions
    assert said.startswith("the torque of joint 2 (j2) is 1.7 times what those of the other joints expect")
    assert "or those of joint 1 (j1) and joint 3 (j3) are both 0.6 times what that of joint 2 (j2) expects" in said


def test_two_gains_of_three_joints_where_another_one_fits_alike() -> None:
    """Another single gain that fits alike leaves the two joints named."""
    (said,) = identified("tree 1", "10 s, small", 9002, {1: 0.7, 2: 0.7}).suspicions
    assert ", or that of joint 3 (j3) is 0.6" in said
    assert ", or those of joint 2 (j2) and joint 3 (j3) are both 0.7" in said


def test_a_wrong_gain_does_not_choose_the_cut_off() -> None:
    """Joints that contradict each other fit motions best that are too smooth: at 2 Hz the gain was not seen."""
    result = identified("bar-2r", "5 s", 4000, {0: 1.5})
    assert result.mistakes is not None
    (found,) = result.mistakes.found
    assert (found.kind, found.joint, len(found.alike)) == ("gain", 0, 1)
    assert 1 + found.size == pytest.approx(1.5, abs=0.05)
    right, wrong = (identified("tree 0", "10 s", 4001, gains) for gains in ({}, {2: 1.2}))
    assert wrong.preparation.cutoff == right.preparation.cutoff


def test_what_a_mistake_makes_wrong_at_other_joints_is_said() -> None:
    """Three degrees leave the model trusted; the torque of joint 3 is some 15 % off by them."""
    result = identified("stanford", "20 s", 4002, {}, {1: 3.0})
    assert "q3" in result.trusted
    (said,) = (text for text in result.remarks if text.startswith("That makes the torques of "))
    assert "joint 3 (q3)" in said
    assert "joint 2" not in said
    assert not any(text.startswith("That makes") for text in identified("stanford", "20 s", 4002, {}).remarks)


def test_mistakes_of_a_set_are_estimated_at_once() -> None:
    """Small ones by one step, each beside the others; by itself a gain takes part of the zero."""
    robot = load("ur5")
    data = log(robot, samples=2000)
    gains, zeros = np.array([1, 1.002, 1, 1, 1, 1]), np.array([0, 0, 0.003, 0, 0, 0])
    tau, q = data["tau"] * gains, data["q"] + zeros
    model = linear_model(robot, ("viscous", "offset"), False, 0.0)
    look = Look.at(model, [Samples("", data["t"], q, data["qd"], data["qdd"], tau, tau)])
    slopes = Slopes.of(look, [("gain", 1), ("zero", 2), ("gain", 3)])
    sizes, errors, left = slopes.steps(np.array([[0, 1, 2], [0, 1, 2]]))
    np.testing.assert_allclose(sizes[0], [0.002, 0.003, 0.0], atol=3e-5)
    assert left[0] < 0.01 * slopes.squares
    assert (errors[0, :2] < 0.1 * np.abs(sizes[0, :2])).all()
    both = look.stepped(slopes.findings([0, 1]))
    np.testing.assert_allclose([both.gains[1] - 1, both.zeros[2]], [0.002, 0.003], atol=3e-5)
    again = Slopes.of(both, slopes.kinds)
    assert again.steps(np.array([[0, 1]]), -again.now)[0][0] == pytest.approx([0.002, 0.003], abs=1e-5)
