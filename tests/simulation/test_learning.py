"""Learning: it comes to the inverse dynamics of the true plant, ends for the right reason, and says so."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from benchmarks.learning import numeric_robot, skew_five
from dynamis.controllers import LoadOverTime
from dynamis.errors import ArgumentError, FormatError, UnknownNameError
from dynamis.identification import with_mass_error
from dynamis.results import Learning, Trial
from dynamis.simulation.learning.convergence import ConvergenceMonitor, noise_alone
from dynamis.simulation.loop.closed_loop import Sampling
from dynamis.trajectories import quintic
from tests.support.arms import with_friction
from tests.support.strategies import Case, coupled, robots

ARM = dynamis.load("bar-2r")
REACH = quintic([-1.47, 2.94], [-0.45, 0.9], 1.0)
HEAVY = with_mass_error(ARM, 20)
NOTHING: Any = (0, 0, 0)
PRESS: Any = (-10, 0, 0)
TWIST: Any = (0, 0, 10)
CONDITION_HOLDS: dict[str, Any] = {"kp": 20, "kd": 8, "period": 2e-3}


def learn(**options: Any) -> Learning:
    return dynamis.learn(ARM, REACH, **{"model": HEAVY, **CONDITION_HOLDS, **options})


def errors(found: Learning) -> np.ndarray[Any, Any]:
    return np.array([trial.error for trial in found.trials])


@pytest.mark.parametrize(
    ("name", "start", "goal", "values"),
    [
        ("bar-2r", [-1.47, 2.94], [-0.45, 0.9], {}),
        ("genova-3r", [0, 0.2, 0.3], [1, -0.5, 0.8], {}),
        ("cartesian", [0, 0], [0.5, -0.3], {"m1": 2, "m2": 1, "g": 9.81}),
        ("genova-rp", [0, -0.2], [1, -0.3], {}),
        ("ur5", [0, -1.2, 1.0, 0.2, 0.5, 0], [1, -0.6, 0.2, 0.9, 1.0, 1.0], {}),
    ],
)
@pytest.mark.parametrize("off", [20, -20])
def test_a_wrong_model_comes_to_the_inverse_dynamics_of_the_true_plant(
    name: str, start: list[float], goal: list[float], values: dict[str, float], off: float
) -> None:
    robot = dynamis.load(name)
    robot = robot.with_values(values) if values else robot
    motion = quintic(start, goal, 1.0)
    found = dynamis.learn(
        robot,
        motion,
        model=with_mass_error(robot, off),
        period=2.5e-3,
        trials=25,
        ahead=1,
        patience=0,
    )
    assert not found.diverged
    assert found.trials[0].torque_distance == pytest.approx(0.2, rel=0.01)
    assert found.trials[-1].torque_distance < 8e-3
    assert found.trials[-1].error < 2e-3 * found.trials[0].error
    t = found.times[:-1]
    u_d = robot.inverse_dynamics(*motion.at(t + 1.25e-3))
    inner = slice(100, -20)  # what is learned slowly lies around t = 0, where the first torque was off
    assert np.abs(found.u - u_d)[inner].max() < 5e-3 * np.abs(u_d).max()
    np.testing.assert_allclose(found.analytic, robot.inverse_dynamics(*motion.at(t)), rtol=0, atol=1e-9)
    assert all(condition.holds for condition in found.conditions), found.conditions


@pytest.mark.parametrize("ahead", [0, 1])
@pytest.mark.parametrize("first", ["model", "gravity", "zero"])
def test_the_error_decreases_every_trial_where_the_condition_holds(ahead: int, first: str) -> None:
    found = learn(first=first, ahead=ahead, trials=7)
    assert found.conditions[0].holds
    assert (np.diff(errors(found)) < 0).all()
    assert errors(found)[-1] < 2e-3 * errors(found)[0]


def test_with_the_next_sample_it_goes_on_converging_and_without_it_grows_again() -> None:
    """The linearised trials say so before: spectral radius 1, and below 1."""
    without, ahead = (learn(ahead=a, trials=80, patience=0) for a in (0, 1))
    assert (without.conditions[3].holds, ahead.conditions[3].holds) == (False, True)
    assert without.diverged
    assert 20 < len(without.trials) < 80
    assert "ahead=1 learns from the next sample" in " ".join(without.reasons)
    assert not ahead.diverged
    assert ahead.trials[-1].torque_distance < 1e-4
    assert ahead.trials[-1].torque_distance < 0.01 * without.trials[-1].torque_distance


@pytest.mark.parametrize(
    "name", ["bar-2r", "genova-rp", "ur5", "panda", "stanford", "parallelogram", "deluca-2r", "skew-five"]
)
def test_by_default_the_trials_go_on_converging_to_the_analytic_torque(name: str) -> None:
    """Every mass and inertia is 20 % off, up or down; far beyond thirty trials, where they diverge without ahead=1."""
    robot = numeric_robot(name)
    start = np.full(robot.n, 0.1)
    motion = quintic(start, start + np.linspace(0.5, -0.4, robot.n), 0.5)
    wrong = with_mass_error(robot, 20, seed=5)
    found = dynamis.learn(robot, motion, model=wrong, period=5e-3, trials=150, patience=0)
    assert not found.diverged
    distances = np.array([trial.torque_distance for trial in found.trials])
    assert len(distances) == 150
    assert distances[0] > 0.02
    assert distances[-1] < 2e-3
    assert distances[-1] <= 1.01 * distances.min()  # it stays there
    assert distances[100:].max() < distances[30]
    assert found.trials[-1].error <= 1.01 * min(trial.error for trial in found.trials)
    u_d = robot.inverse_dynamics(*motion.at(found.times[:-1] + 2.5e-3))
    assert np.sqrt(((found.u - u_d) ** 2).mean() / (u_d**2).mean()) < 3e-3


@settings(max_examples=4)
@given(robots(joints=(1, 4), solid=True), st.booleans(), st.integers(0, 1000))
def test_on_any_robot_they_converge(case: Case, couple: bool, seed: int) -> None:
    """Trees, slides and coupled joints."""
    assume(any(part.moves for part in case.parts))
    robot, random = coupled(case, seed)[0] if couple else case.robot(), np.random.default_rng(seed)
    start, way = random.uniform(-0.5, 0.5, (2, robot.n))
    wrong = with_mass_error(robot, 20, seed)
    motion = quintic(start, start + way, 0.3)
    found = dynamis.learn(robot, motion, model=wrong, period=5e-3, trials=80, patience=0)
    assert not found.diverged
    assert found.trials[-1].torque_distance < max(5e-3, 0.1 * found.trials[0].torque_distance)
    assert found.trials[-1].torque_distance <= 1.01 * min(trial.torque_distance for trial in found.trials)


def test_a_link_without_mass_is_one_sentence() -> None:
    fields: dict[str, Any] = {"mass": 0.0, "inertia": dynamis.Inertia()}
    light = replace(ARM, links=(ARM.links[0], replace(ARM.links[1], **fields)))
    with pytest.raises(dynamis.DynamisError, match=r"links can move without moving a mass"):
        dynamis.learn(light, REACH)


@pytest.mark.parametrize(
    ("robot", "speed", "trials"),
    [(dynamis.load("puma560"), 1e-3, 60), (with_friction(skew_five(), 0.2, 0.3), 1e-2, 40)],
)
def test_steps_are_as_short_as_friction_needs(robot: dynamis.Robot, speed: float, trials: int) -> None:
    """With the period as the step, a joint near rest chatters, and the chatter is learned: the torque gets worse."""
    motion = quintic(np.full(robot.n, 0.1), np.linspace(0.6, -0.3, robot.n), 0.5)
    options: dict[str, Any] = {"period": 2e-3, "patience": 0, "stiction_speed": speed, "trials": trials}
    found, coarse = (
        dynamis.learn(robot, motion, model=with_mass_error(robot, 20, seed=5), **options, step=step)
        for step in (None, 2e-3)
    )
    assert not found.diverged
    assert found.trials[-1].torque_distance < 0.012
    assert coarse.diverged or coarse.trials[-1].torque_distance > 3 * found.trials[-1].torque_distance
    with pytest.raises(ArgumentError, match="integration steps per sample, more than 1,000; give a larger stic"):
        dynamis.learn(robot, motion, period=2e-3, stiction_speed=1e-7)


def test_the_trial_that_is_kept_is_the_best_by_what_was_asked_for() -> None:
    by_error, by_torque = (learn(ahead=0, trials=25, patience=0, keep=x) for x in ("error", "torque"))
    seen = [trial.seen for trial in by_error.trials]
    distances = [trial.torque_distance for trial in by_torque.trials]
    assert by_error.best == int(np.argmin(seen)) + 1
    assert by_torque.best == int(np.argmin(distances)) + 1
    assert by_torque.best < by_error.best
    apart = [np.sqrt(((x.u - x.nominal) ** 2).mean()) for x in (by_error, by_torque)]
    assert apart[1] < apart[0]
    assert "is kept (torque nearest to the analytic one)" in by_torque.sentences()[0]
    patient = [learn(trials=200, keep=x) for x in ("error", "torque")]  # patience asks for the same
    assert [x.ended.partition(" stopped")[0] for x in patient] == ["the error", "the torque"]
    assert patient[1].trials[patient[1].best - 1].torque_distance < 0.1 * patient[0].trials[-1].torque_distance
    with pytest.raises(UnknownNameError, match="unknown trial to keep"):
        learn(keep="tork")


def test_the_first_torque_is_never_learned() -> None:
    found = learn(trials=6, ahead=0)
    np.testing.assert_array_equal(found.u[0], found.first[0])
    gap = np.abs(found.first_sample_gap).max()
    words = " ".join(found.sentences())
    assert "With ahead = 0, u(0) is never learned: at t = 0 the error is zero in every trial" in words
    assert f"It stays {gap:.3g} N m at joint 1" in words
    later = learn(trials=6, ahead=1)
    assert np.abs(later.first_sample_gap).max() < 0.9 * gap
    assert "u(0) learns from the error of the next sample" in " ".join(later.sentences())
    assert "It only takes up noise; its distance" in " ".join(learn(trials=3, noise=1e-4, ahead=0).sentences())
    assert "It only takes up what the filter passes on from its neighbours; its" in " ".join(
        learn(trials=3, cutoff=20, ahead=0).sentences()
    )


def test_noise_has_a_floor_and_a_filter_keeps_it_out_of_the_torque() -> None:
    noise = {"noise": (1e-4, 1e-3), "ahead": 1, "trials": 30, "seed": 3}
    found, again, filtered = learn(**noise), learn(**noise), learn(**noise, cutoff=15)
    assert "stopped improving" in found.ended
    assert "This is the noise floor" in " ".join(found.reasons)
    assert "a filter (cutoff=...) keeps it out" in " ".join(found.reasons)
    assert found.trials[-1].seen == pytest.approx(1e-4, rel=0.1)
    assert found.trials[-1].error < 5e-5
    np.testing.assert_array_equal(found.u, again.u)
    assert filtered.trials[-1].torque_distance < 0.4 * found.trials[-1].torque_distance
    assert not np.array_equal(found.u, learn(**{**noise, "seed": 4}).u)


def test_encoders_have_a_floor_too() -> None:
    found = learn(resolution=1e-3)
    assert "This is the noise floor" in " ".join(found.reasons)
    assert found.trials[-1].seen == pytest.approx(
        noise_alone(Sampling(1.0, (1e-3, 1e-3)), np.array([0.5, 0.5])), rel=0.1
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"gain": 30, "ahead": 1}, "the gain of learning is too high"),
        ({"gain": 3}, "a slow error comes back 2 times as large"),
        ({"kp": 200, "kd": 2, "trials": 30}, "K_D^2 is 4, 2 K_P lambda_max(M) is"),
        ({"kp": 20, "kd": 80, "period": 5e-3}, "samples every 0.005 s are too slow for it; less gain"),
        ({"law": "pd-type", "lp": 20, "ld": 400, "ahead": 1}, "the gain of learning is too high"),
    ],
)
def test_divergence_is_recognised_explained_and_the_best_torque_kept(options: dict[str, Any], sentence: str) -> None:
    found = learn(**options)
    assert found.diverged
    assert sentence in " ".join(found.reasons)
    assert "Diverged: " in str(found)
    seen = [trial.seen for trial in found.trials]
    assert found.best == 1 + int(np.argmin(seen))
    if np.isfinite(seen[found.best - 1]):
        assert np.sqrt((found.e_best**2).mean()) == pytest.approx(found.trials[found.best - 1].error)


def test_a_loop_that_is_softer_than_gravity() -> None:
    """bar-2r on its head is a pendulum upside down; m g l / 2 of both links is about 12 N m/rad."""
    upright = quintic([np.pi / 2, 0], [np.pi / 2 + 0.3, 0], 3.0)
    found = dynamis.learn(ARM, upright, model=HEAVY, kp=1, kd=1, period=5e-3)
    assert "gravity or a load pulls away more than K_P holds; more K_P" in found.conditions[1].detail
    assert found.trials[found.best - 1].error > 0.1 * found.trials[0].error
    assert "pulls away more than K_P holds; more K_P" in " ".join(found.reasons)


def test_a_first_trial_that_blows_up_is_an_end_and_no_error() -> None:
    found = learn(kp=20, kd=3000)
    assert (found.diverged, len(found.trials)) == (True, 1)
    assert "trial 1 blew up at t =" in found.ended
    assert not any("over many trials" in line for line in found.reasons)  # that is not why
    assert "blew up at" in found.table()
    assert json.loads(found.to_json())["trials"][0]["error"] is None


def test_motors_at_their_limit() -> None:
    found = learn(torque_limit=[8, 3])
    assert "Motors were at their limit" in " ".join(found.reasons)
    assert "limit is 8: it cannot be learned" in found.warnings[0]
    assert (np.abs(found.u) <= [8, 3]).all()
    assert learn(torque_limit=[50, 50], trials=2).trials[0].saturated == 0


def test_it_ends_at_the_tolerance() -> None:
    found = learn(tolerance=1e-3)
    assert "within the tolerance 0.001" in found.ended
    assert found.trials[-1].peak.max() <= 1e-3 < found.trials[-2].peak.max()


def test_the_true_model_has_nothing_to_learn() -> None:
    found = learn(model=None, trials=3)
    assert found.trials[0].torque_distance == 0
    assert found.trials[0].error < 1e-5


def test_the_learned_torque_drives_a_simulation() -> None:
    found = learn(trials=12, ahead=1)
    q0, qd0, _ = REACH.at(0.0)
    options: dict[str, Any] = {"control": found.torque, "duration": 1.0, "period": 2e-3, "step": 2e-3}
    run = dynamis.simulate(ARM, q0, qd0, **options)
    assert np.abs(run.q[-1] - REACH.at(1.0)[0]).max() < 1e-3
    before = dynamis.simulate(ARM, q0, qd0, **{**options, "control": (found.times[:-1], found.first)})
    assert np.abs(before.q[-1] - REACH.at(1.0)[0]).max() > 0.05


def test_it_goes_on_from_a_torque_and_loads_and_friction_are_learned() -> None:
    grip = LoadOverTime(dynamis.Force("link2", NOTHING), ([0, 0.5, 1], [[0, 0, 0], [0, -8, 0], [0, 0, 0]]))
    wrench = dynamis.ToolWrench("exerted_by_tool", force=PRESS, moment=TWIST)
    found = learn(loads=[wrench, grip], trials=5, ahead=1)
    assert found.trials[-1].torque_distance < 0.01
    more = learn(loads=[wrench, grip], trials=2, ahead=1, first=found.torque)
    assert more.trials[0].error == pytest.approx(found.trials[-1].error)
    puma = dynamis.load("puma560")
    motion = quintic([0, 0.3, -1.2, 0, 0, 0], [1.0, -0.6, 0.2, 0.5, 0.4, 0.3], 1.0)
    found = dynamis.learn(puma, motion, model=with_mass_error(puma, 20), period=2.5e-3, trials=6, ahead=1)
    assert found.trials[-1].torque_distance < 0.2 * found.trials[0].torque_distance


def test_plant_steps_may_be_shorter_than_samples_and_a_motion_need_not_be_whole_samples() -> None:
    fine, coarse = (learn(trials=2, step=step) for step in (5e-4, 2e-3))
    assert fine.trials[1].error == pytest.approx(coarse.trials[1].error, rel=1e-6)
    odd = dynamis.learn(ARM, quintic([0, 0], [0.1, 0.1], 0.1234), period=1e-2, trials=3, first="gravity")
    assert (odd.times[-1], len(odd.u)) == (0.1234, 13)
    assert len(dynamis.learn(ARM, quintic([0, 0], [0.1, 0.1], 0.01), kp=1, kd=1, period=1e-2).u) == 1


def test_ctrl_c_keeps_what_was_learned() -> None:
    def stop(trial: Trial) -> None:
        if trial.number == 3:
            raise KeyboardInterrupt

    found = learn(on_trial=stop)
    assert found.ended == "interrupted after trial 3"
    assert len(found.trials) == 3


def test_words_and_files(tmp_path: Path) -> None:
    said: list[str] = []
    found = learn(trials=4, progress=said.append)
    assert said == ["conditions", *(f"trial {k} of 4" for k in range(1, 5))]
    title, head, rule, *rows = found.table("rms").splitlines()
    assert title == "RMS tracking errors"
    assert head == "trial  error [rad]  rms 1 [rad]  rms 2 [rad]  peak [rad]  torque [%]"
    assert len(head) == len(rule) == len(rows[0])
    assert len([row for row in rows if row[0].isdigit()]) == 4
    assert all(found.table(name) in str(found) for name in ("rms", "peak", "torque", "sentences"))
    assert "peak 2" in found.table("peak")
    assert "[N m]" in found.table("torque")
    with pytest.raises(UnknownNameError, match='unknown table "error"'):
        found.table("error")
    with pytest.raises(UnknownNameError, match='unknown plot "q"'):
        found.figure("q")
    for kind in ("errors", "torque", "tracking-error"):
        assert found.figure(kind).axes
    found.to_csv(tmp_path / "torque.csv")
    names, first, *_ = csv.reader((tmp_path / "torque.csv").open(encoding="utf-8"))
    assert names[:3] == ["t [s]", "learned u1 [N m]", "learned u2 [N m]"]
    assert float(first[1]) == found.u[0, 0]
    found.to_json(tmp_path / "learning.json", history=True)
    data = json.loads((tmp_path / "learning.json").read_text(encoding="utf-8"))
    assert [trial["trial"] for trial in data["trials"]] == [1, 2, 3, 4]
    assert data["history"]["learned u1 [N m]"] == found.u[:, 0].tolist()
    with pytest.raises(FormatError, match="cannot be written"):
        found.to_csv(tmp_path / "nowhere" / "torque.csv")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"step": 4e-3}, r"the step 0.004 s is longer than the control's period 0.002 s \(Ts > Tc\)"),
        ({"step": 1.5e-3}, "must be a multiple of the step"),
        ({"kp": -1, "kd": 1}, "kp of joint q1 must be non-negative, got -1"),
        ({"kp": 1, "kd": [1, 0]}, "kd of joint q2 must be positive, got 0"),
        ({"kd": None}, "kp and kd go together"),
        ({"trials": 0}, "trials must be an integer from 1 to 1,000,000, got 0"),
        ({"trials": 2.5}, "trials must be an integer from 1 to 1,000,000, got 2.5"),
        ({"period": 0}, "period must be a positive number"),
        ({"period": 1e-9}, "are more than 2,000,000"),
        ({"period": 5}, "period must be at most the .* s of the motion, got 5 s"),
        ({"gain": -1}, "gain must be a positive number"),
        ({"gain": 1e308}, r"gain must be a number from 0 to 1e\+06 \[1\], got 1e\+308"),
        ({"cutoff": 1e-320}, "cutoff must be a number >= 1e-06"),
        ({"ahead": -1}, "ahead must be an integer from 0 to 500, got -1"),
        ({"cutoff": 250}, "cutoff must be below 250 Hz with samples every 0.002 s, got 250 Hz"),
        ({"law": "pd-typ"}, 'unknown law of learning "pd-typ"; did you mean "pd-type"'),
        ({"law": "pd-type", "lp": 1}, 'the law "pd-type" needs its gains'),
        ({"law": "pd-type", "lp": 1, "ld": -1}, "ld of joint q1 must be non-negative, got -1"),
        ({"law": "pd-type", "lp": 1, "ld": 1, "gain": 2}, 'gain is of the law "feedback"'),
        ({"lp": 1}, 'lp and ld are gains of the law "pd-type"'),
        ({"first": "modell"}, 'unknown first torque "modell"; did you mean "model"'),
        ({"first": 3}, "first must be .*, got 3"),
        ({"tolerance": -1}, "tolerance must be a number >= 0"),
        ({"model": dynamis.load("genova-3r")}, "has other joints than the robot"),
        ({"model": "bar-2r"}, 'model must be a robot, .*, got "bar-2r"'),
        ({"noise": -1}, "noise must be non-negative, got -1"),
        ({"noise": 1e308}, r"noise must be at most 1e\+12, got 1e\+308"),
    ],
)
def test_wrong_input_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(dynamis.DynamisError, match=sentence):
        learn(**options)


def test_a_motion_of_another_robot_and_no_motion() -> None:
    with pytest.raises(ArgumentError, match='the motion must have the 2 joints of robot "bar-2r", got 3'):
        dynamis.learn(ARM, quintic([0, 0, 0], [1, 1, 1], 1))
    wrong: Any = [1, 2]
    with pytest.raises(ArgumentError, match=r"motion must be a trajectory, .*, got \[1, 2\]"):
        dynamis.learn(ARM, wrong)
    with pytest.raises(ArgumentError, match=r"mass_error must be a number > -100 \[%\], got -100"):
        with_mass_error(ARM, -100)


def test_masses_are_off_by_chance() -> None:
    ur5 = dynamis.load("ur5")
    off = with_mass_error(ur5, 20, seed=1)
    ratios = off.inertial_parameters()[::10] / ur5.inertial_parameters()[::10]
    np.testing.assert_allclose(np.abs(ratios - 1), 0.2)
    assert {*np.sign(ratios - 1)} == {-1.0, 1.0}
    assert off == with_mass_error(ur5, 20, seed=1)
    assert off != with_mass_error(ur5, 20, seed=2)
    with pytest.raises(ArgumentError, match="mass_error must be a number from -99 to 99"):
        with_mass_error(ur5, 120, seed=1)


def test_a_trial_is_what_simulate_does_with_the_same_law() -> None:
    found = learn(trials=1, step=1e-3)

    def control(t: float, q: Any, qd: Any) -> Any:
        goal_q, goal_qd, _ = REACH.at(t)
        return found.first[round(t / 2e-3)] + 20 * (goal_q - q) + 8 * (goal_qd - qd)

    q0, qd0, _ = REACH.at(0.0)
    run = dynamis.simulate(ARM, q0, qd0, control=control, duration=1.0, period=2e-3, step=1e-3, samples=501)
    np.testing.assert_allclose(run.times, found.times, atol=1e-12)
    np.testing.assert_allclose(found.goal[0] - run.q, found.e_first, atol=1e-12)


def test_dry_friction_of_the_nominal_torque_is_that_of_the_plant() -> None:
    """Coulomb friction grows over the stiction speed: a slow motion feels little of it."""
    puma = dynamis.load("puma560")
    start = np.array([0, 0.3, -1.2, 0, 0, 0])
    slow = quintic(start, start + 0.05, 0.5)
    given = {"period": 5e-3, "step": 2.5e-3, "trials": 1}
    assert dynamis.learn(puma, slow, **given, stiction_speed=0.5).trials[0].error < 1e-5
    assert dynamis.learn(puma, slow, **given).trials[0].error < 1e-4


def trial(seen: float, failed: float | None = None) -> Trial:
    return Trial(1, np.zeros(1), np.zeros(1), seen, seen, np.zeros(1), 0.0, failed=failed)


@pytest.mark.parametrize(
    ("errors", "ended_after", "diverged", "best", "words"),
    [
        ([1, 0.5, 0.495, 0.494, 0.493, 0.492, 0.1], 6, False, 6, "the last 4 trials brought less than 2 %"),
        ([1, 0.5, 0.499, 0.498, 0.48, 0.47, 0.46], None, False, 7, ""),
        ([1, 0.5, 0.9, 1.0, 1.1, 2.0], 5, True, 2, "2.2 times that of trial 2; the torque of trial 2 is kept"),
        ([1, 0.5, 0.9, 0.8, 1.1, 0.4], None, False, 6, ""),
        ([1, 10.5, 1], 2, True, 1, "10.5 times that of trial 1"),
        ([1, 0.5, np.inf], 3, True, 2, "trial 3 blew up at t = 0.5 s; the torque of trial 2 is kept"),
        ([np.inf], 1, True, 0, "trial 1 blew up at t = 0.5 s"),
        ([1, 0.01, 0.005], 2, False, 2, "0.01, is within the tolerance 0.01"),
    ],
)
def test_when_trials_end(errors: list[float], ended_after: int | None, diverged: bool, best: int, words: str) -> None:
    monitor = ConvergenceMonitor(0.01, 4)
    for k, error in enumerate(errors, 1):
        monitor.add(trial(error, None if np.isfinite(error) else 0.5), error)
        if monitor.ended:
            assert k == ended_after
            break
    assert bool(monitor.ended) == (ended_after is not None)
    assert (monitor.diverged, monitor.best) == (diverged, best)
    assert words in monitor.ended
