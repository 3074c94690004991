"""Late torques, gains and zeros: named where the log tells, and said where it does not."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.arrays import Array
from dynamis.identification.judging.findings import Finding
from tests.support.logs import rough_log


def identify(robot: dynamis.Robot, data: dict[str, Array]) -> dynamis.Identification:
    return dynamis.identify(robot, data, physical=False, cutoff=5)


def massless(robot: dynamis.Robot) -> dynamis.Robot:
    return robot.with_inertial_parameters(0 * robot.inertial_parameters())


@pytest.mark.parametrize("late", [0.05, -0.05, 0.02])
@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_late_torques(late: float, friction: float) -> None:
    robot, data = rough_log("bar-2r", 1, 20.0, friction)
    t, tau = data["t"], data["tau"]
    shifted = np.column_stack([np.interp(t - late, t, x) for x in tau.T])
    assert not identify(robot, data).suspicions
    result = identify(massless(robot), {**data, "tau": shifted})
    (said,) = (text for text in result.suspicions if "against the motion" in text)
    assert ("late" if late > 0 else "early") in said
    assert float(said.split(" ms")[0].split()[-1]) == pytest.approx(1e3 * abs(late), abs=5)
    assert result.words()[0].startswith("Do not trust")


@pytest.mark.parametrize(("gains", "factor"), [((3, 1), 3.0), ((1, 3), 3.0), ((1, 0.33), 0.33)])
def test_a_gain_that_the_other_joint_contradicts(gains: tuple[float, float], factor: float) -> None:
    """Which of two joints is wrong is not told, but that their gains differ by a factor is."""
    robot, data = rough_log("bar-2r", 1, 20.0)
    result = identify(massless(robot), {**data, "tau": data["tau"] * gains})
    (said,) = (text for text in result.suspicions if "what those of the other joints expect" in text)
    found = float(said.split(" times")[0].split()[-1])
    assert abs(np.log(found)) == pytest.approx(abs(np.log(factor)), abs=0.2)
    assert not any(word.startswith("Trust") for word in result.words())


def test_a_zero_that_the_other_joint_contradicts() -> None:
    robot, data = rough_log("bar-2r", 1, 20.0)
    result = identify(massless(robot), {**data, "q": data["q"] + np.radians([10, 0])})
    (said,) = (text for text in result.suspicions if "with the zero of joint 1 (q1) moved by" in text)
    assert float(said.split("moved by ")[1].split()[0]) == pytest.approx(-10, abs=1)


def test_a_prismatic_zero_that_the_other_joints_contradict() -> None:
    robot, data = rough_log("stanford", 1, 20.0)
    result = identify(massless(robot), {**data, "q": data["q"] + 0.1 * np.eye(6)[2]})
    (said,) = (text for text in result.suspicions if "with the zero of joint 3 (q3) moved by" in text)
    assert float(said.split("moved by ")[1].split(" mm")[0]) == pytest.approx(-100, abs=10)


def test_joints_that_are_turned_or_exchanged() -> None:
    """Named without given masses, and only where it is so."""
    robot, data = rough_log("puma560", 1, 20.0)
    light = massless(robot)
    assert not identify(light, data).suspicions
    signs, order = [1, 1, -1, 1, 1, 1], [1, 0, 2, 3, 4, 5]
    turned = identify(light, {**data, "q": data["q"] * signs, "tau": data["tau"] * signs})
    assert "fits much better with joint 3 (q3) turning the other way" in turned.suspicions[0]
    exchanged = identify(light, {**data, "q": data["q"][:, order], "tau": data["tau"][:, order]})
    text = "fits much better with joint 1 (q1) and joint 2 (q2) in each other's place"
    assert text in exchanged.suspicions[0]
    torques = identify(light, {**data, "tau": data["tau"] * signs})
    assert "fits much better with the other sign of the torque of joint 3 (q3)" in torques.suspicions[0]
    positions = identify(light, {**data, "q": data["q"][:, order]})
    text = "fits much better with the positions of joint 1 (q1) and joint 2 (q2) in each other's place"
    assert text in positions.suspicions[0]


def test_what_cannot_be_checked_is_said() -> None:
    """The zero of the last joint turns its CoM, and rotors and friction hide the gains of a wrist."""
    robot, data = rough_log("bar-2r", 1, 10.0)
    zero = np.radians(10) * np.eye(2)[1]
    for moved, off in ((0 * zero, 0), (zero, 10)):
        (said,) = identify(robot, {**data, "q": data["q"] + moved}).unchecked
        assert said.startswith("Not checked: the zero of q2 (by the given masses")
        assert float(said.split("off by ")[1].split()[0]) == pytest.approx(off, abs=4)
    said = identify(massless(robot), data).unchecked
    assert said[0].startswith("The robot has no masses to compare with")
    assert said[1].startswith("Not checked: the zero of q2. A wrong one")


def test_gains_of_joints_that_friction_dominates() -> None:
    """Ten times the friction at the last joint: with a gain of 3 the log looks the same, and that is said."""
    robot, data = rough_log("bar-2r", 2, 20.0)
    v = np.gradient(data["q"], data["t"], axis=0)
    data["tau"][:, 1] += 100 * data["tau"][:, 1].std() * np.tanh(v[:, 1] / 0.2)
    for gain in (1.0, 3.0):
        result = identify(robot, {**data, "tau": data["tau"] * [1, gain]})
        assert any("Not checked: the drive gain of q2" in word for word in result.words()) or result.suspicions


def test_a_joint_of_noise_is_judged_by_itself() -> None:
    """The last link of the UR5 is round about its axis: without friction its torque is noise."""
    robot, data = rough_log("ur5", 0, 10.0, friction=0.0)
    result = identify(robot, data)
    assert result.trusted == ("q1", "q2", "q3", "q4", "q5")
    first, *others = result.words()
    assert first.startswith("Trust the torques of q1, q2, q3, q4 and q5, provided that what could not be checked")
    assert any(word.startswith("Do not trust the torques of q6") and "noise" in word for word in others)


def test_what_is_not_excluded_is_not_checked() -> None:
    """A zero that may be 10 degrees off within two standard errors, and is not sure to be; a gain likewise."""
    for size, error, checked in ((1, 2, True), (1, 3, False), (7.5, 2.1, False)):
        assert Finding("zero", 0, np.radians(size), np.radians(error)).checked == checked
    for size, error, checked in ((0.05, 0.04, True), (0.05, 0.06, False), (-0.2, 0.01, False)):
        assert Finding("gain", 0, size, error).checked == checked


@pytest.mark.parametrize("gain", [0.7, 0.85, 1.2, 1.5])
@pytest.mark.parametrize("joint", [0, 1, 2])
def test_a_gain_that_is_a_little_off(gain: float, joint: int) -> None:
    """It is named at its joint, with its size, or as one of two that fit alike; the right log is trusted."""
    robot, data = rough_log("ur5", 3, 10.0)
    result = identify(robot, {**data, "tau": data["tau"] * (1 + (gain - 1) * np.eye(6)[joint])})
    assert not result.trusted
    assert result.mistakes is not None
    (found,) = result.mistakes.found
    (same,) = [x for x in (found, *found.alike) if (x.kind, x.joint) == ("gain", joint)]
    assert 1 + same.size == pytest.approx(gain, rel=0.1)
    assert 1 + same.size == pytest.approx(gain, abs=max(4 * same.error, 0.05))
    assert f"joint {joint + 1} (q{joint + 1})" in result.suspicions[0]


def test_a_right_log_accuses_no_gain() -> None:
    robot, data = rough_log("ur5", 3, 10.0)
    result = identify(robot, data)
    assert result.trusted
    assert result.mistakes is not None
    assert not result.mistakes.found
    assert not any("other joints expect" in word for word in result.words())


def test_friction_that_grows_with_the_load_is_no_gain() -> None:
    """A tenth of the torque is lost in the gears: the torque looks larger than it is, but no gain is wrong."""
    robot, data = rough_log("ur5", 3, 10.0)
    v = np.gradient(data["q"], data["t"], axis=0)
    lost = 0.1 * np.abs(data["tau"]) * np.tanh(v / 0.05)
    assert not identify(robot, {**data, "tau": data["tau"] + lost * [0, 1, 0, 0, 0, 0]}).suspicions


def test_a_gain_that_is_a_tenth_off_is_said_and_the_torques_trusted() -> None:
    robot, data = rough_log("ur5", 3, 10.0)
    result = identify(robot, {**data, "tau": data["tau"] * [1, 0.9, 1, 1, 1, 1]})
    assert result.trusted
    (said,) = (text for text in result.words() if "other joints expect" in text and text.startswith("The torque"))
    assert "joint 2 (q2) is 0.9 times" in said


@pytest.mark.parametrize("degrees", [2, 5])
def test_a_small_zero_is_said_and_the_torques_trusted(degrees: float) -> None:
    robot, data = rough_log("ur5", 3, 10.0)
    result = identify(robot, {**data, "q": data["q"] + np.radians(degrees) * np.eye(6)[1]})
    assert result.trusted
    (said,) = (text for text in result.words() if "with the zero of joint 2 (q2) moved by" in text)
    assert float(said.split("moved by ")[1].split()[0]) == pytest.approx(-degrees, abs=0.5)


def test_two_mistakes_are_both_named() -> None:
    """After the stronger one is corrected the log is looked at again."""
    robot, data = rough_log("ur5", 3, 10.0)
    other = {**data, "q": data["q"] + np.radians(8) * np.eye(6)[2], "tau": data["tau"] * [1, 1.3, 1, 1, 1, 1]}
    said = " ".join(identify(robot, other).suspicions)
    assert "the torque of joint 2 (q2) is 1.3 times" in said
    assert "the zero of joint 3 (q3) moved by -" in said


def test_two_joints_tell_the_ratio_of_their_gains() -> None:
    """Which of the two is wrong they do not tell: both are named."""
    robot, data = rough_log("bar-2r", 1, 20.0)
    (said,) = identify(massless(robot), {**data, "tau": data["tau"] * [1.3, 1]}).suspicions
    assert "joint 1 (q1) is 1.3 times" in said
    assert "joint 2 (q2) is 0.77 times" in said
    assert "which fits alike" in said


def test_the_distance_from_the_given_robot_is_said() -> None:
    """The scale of all gains is that of the given masses alone; masses are compared where bodies can have them."""
    robot, data = rough_log("bar-2r", 1, 20.0)
    (said,) = (x for x in identify(robot, {**data, "tau": 2 * data["tau"]}).words() if x.startswith("Only the given"))
    factors = [float(part.split()[-1]) for part in said.split(" at q")[:-1]]
    assert factors == pytest.approx([2, 2], rel=0.25)
    result = dynamis.identify(robot, {**data, "tau": 3 * data["tau"]})
    (said,) = (x for x in result.words() if x.startswith("The identified links have"))
    assert "kg instead of" in said


@pytest.mark.parametrize("seconds", [0.75, 1.0, 2.0])
def test_short_logs(seconds: float) -> None:
    """What short logs teach is trusted where it is right elsewhere too; what is not gets no far-fetched reason."""
    for seed in range(8):
        robot, data = rough_log("bar-2r", seed, seconds, friction=0.0)
        result = dynamis.identify(robot, data, physical=False)
        r, rng = result.residuals, np.random.default_rng(0)
        states = [rng.uniform(*np.quantile(x, [0.02, 0.98], axis=0), (200, 2)) for x in (r.q, r.qd, r.qdd)]
        truth = dynamis.with_mass_error(robot, 15, seed=seed).inverse_dynamics(*states)
        wrong = np.sqrt(((result.torques(*states) - truth) ** 2).mean(axis=0)) / result.errors.variation
        trusted = any(word.startswith("Trust") for word in result.words())
        assert trusted or result.words()[0].startswith("Do not trust")
        assert wrong.max() < 0.15 or not trusted, (seed, wrong)
        assert not any("wrong sign" in text or "another robot" in text for text in result.suspicions), result.suspicions
