"""The torque budget of motions: the report's task, sizing, memory, tables, files, plots, and what is refused."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import ArgumentError, DynamisError, Force, Moment, Robot, ToolWrench, TorqueBudget, UnknownNameError
from dynamis.motion.torque_budget.charts import CHARTS
from dynamis.motion.torque_budget.run import GROUPS
from dynamis.motion.torque_budget.sizing import torque_speed_envelope
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends
from dynamis.motion.trajectories.polynomials import quintic
from tests.support.documents import CASES, agree

TASK = CASES["xu-trajectory"]
SAMPLES = TASK["expected"]["samples"]
WRENCH = ToolWrench("exerted_by_tool", force=TASK["inputs"]["f"], moment=TASK["inputs"]["n"])
PUMA = dynamis.load("puma560")


class Swing:
    """A motion of one's own: all joints in sines of different speeds."""

    def __init__(self, n: int, duration: float = 2.0) -> None:
        self.n, self.duration = n, duration

    def at(self, t: Any) -> tuple[Any, Any, Any]:
        rate = 0.5 + np.arange(self.n)
        angle = np.asarray(t)[..., None] * rate
        return np.sin(angle), rate * np.cos(angle), -(rate**2) * np.sin(angle)


class Still(Swing):
    """A motion that is none: its arrays are too few and too small."""

    def __init__(self) -> None:
        super().__init__(6)

    def at(self, t: Any) -> Any:
        return np.zeros(6), np.zeros(6)


@pytest.fixture(scope="module")
def reach() -> TorqueBudget:
    """The task of the report at the instants of the case."""
    moving = parabolic_blends(TASK["expected"]["q_start"], TASK["expected"]["q_goal"], 4, acceleration=5)
    # At the instants where an acceleration jumps the case has the value of the blend: an instant outward of them.
    times = [min(max(sample["t"] + np.sign(sample["t"] - 2) * 1e-13, 0), 4) for sample in SAMPLES]
    return dynamis.torque_budget(dynamis.load("bar-2r"), moving, loads=[WRENCH], times=times)


@pytest.fixture(scope="module")
def swing() -> TorqueBudget:
    return dynamis.torque_budget(PUMA, Swing(6), loads=[WRENCH, Force("link3", (0, 0, -5))], samples=301)


@pytest.mark.parametrize("k", range(len(SAMPLES)), ids=[f"t={sample['t']}" for sample in SAMPLES])
def test_the_task_of_the_report(reach: TorqueBudget, k: int) -> None:
    sample, history = SAMPLES[k], reach.history
    for name, values in (("q", history.q), ("qd", history.qd), ("qdd", history.qdd), ("total", history.tau)):
        agree(values[k], sample[name], 1e-9)
    assert history.position is not None
    agree(history.position[k, :2], sample["tool"], 1e-9)
    names = {"inertial": "inertia", "Coriolis": "coriolis", "applied": "applied"}
    for name in ("inertial", "centrifugal", "Coriolis", "gravity", "applied"):
        agree(reach.part(name)[k], sample[names.get(name, name)], 1e-9)
    agree(history.without_gravity[k], sample["total_no_gravity"], 1e-9)
    agree(history.ratio[k], sample["ratio"], 1e-9)


def test_peaks_of_the_report_are_found_on_both_sides_of_the_jumps() -> None:
    moving = parabolic_blends(TASK["expected"]["q_start"], TASK["expected"]["q_goal"], 4, acceleration=5)
    coarse = dynamis.torque_budget(dynamis.load("bar-2r"), moving, loads=[WRENCH], samples=41)
    fine = dynamis.torque_budget(dynamis.load("bar-2r"), moving, loads=[WRENCH], samples=40_001)
    agree(coarse.sizing.peak_torque[0], fine.sizing.peak_torque[0], 1e-12)
    assert len(coarse.history.t) > 41


def test_sizing_is_that_of_the_samples(swing: TorqueBudget) -> None:
    h, s = swing.history, swing.sizing
    np.testing.assert_array_equal(np.abs(s.peak_torque), np.abs(h.tau).max(axis=0))
    np.testing.assert_array_equal(h.tau[np.searchsorted(h.t, s.peak_time), range(6)], s.peak_torque)
    np.testing.assert_allclose(s.rms_torque, np.sqrt(np.trapezoid(h.tau**2, h.t, axis=0) / 2), rtol=1e-12)
    np.testing.assert_allclose(s.energy, np.trapezoid(h.power, h.t, axis=0), rtol=1e-12)
    np.testing.assert_allclose(s.work + s.braked, s.energy)
    assert (s.braked <= 0).all()
    np.testing.assert_array_equal(s.peak_speed, np.abs(h.qd).max(axis=0))
    largest = np.abs(h.without_gravity).argmax(axis=0)
    np.testing.assert_allclose(s.peak_without_gravity, h.without_gravity[largest, range(6)])  # both with their signs
    assert (s.peak_without_gravity < 0).any()
    assert (s.peak_without_gravity > 0).any()
    np.testing.assert_allclose(
        h.without_gravity,
        PUMA.inverse_dynamics(h.q, h.qd, h.qdd, loads=[WRENCH, Force("link3", (0, 0, -5))], gravity=False),
        atol=1e-12,
    )


def test_energy_is_what_the_robot_has_got() -> None:
    """Without friction and loads the motors' work is the change of kinetic and potential energy."""
    robot = dynamis.load("stanford")
    budget = dynamis.torque_budget(robot, quintic(np.zeros(6), np.full(6, 0.4), 1.0), samples=4001)
    h = budget.history
    before, after = (robot.potential_energy(h.q[k]) for k in (0, -1))
    assert budget.sizing.energy.sum() == pytest.approx(float(after - before), abs=1e-6)


def test_bearings_are_the_reactions(swing: TorqueBudget) -> None:
    h = swing.history
    found = PUMA.reactions(h.q, h.qd, h.qdd, loads=[WRENCH, Force("link3", (0, 0, -5))])
    assert h.bearings is not None
    np.testing.assert_allclose(h.bearings[..., 2], np.linalg.norm(found.force, axis=-1))
    np.testing.assert_allclose(h.bearings[..., 5], np.linalg.norm(found.moment, axis=-1))
    np.testing.assert_allclose(np.hypot(h.bearings[..., 0], h.bearings[..., 1]), h.bearings[..., 2])
    np.testing.assert_allclose(np.hypot(h.bearings[..., 3], h.bearings[..., 4]), h.bearings[..., 5])
    np.testing.assert_array_equal(swing.bearings, np.abs(h.bearings).max(axis=0))


def test_the_envelope_lies_above_the_motion(swing: TorqueBudget) -> None:
    for j in range(6):
        edges, torque = torque_speed_envelope(swing.history.qd[:, j], swing.history.tau[:, j])
        bins = np.minimum(np.searchsorted(edges, np.abs(swing.history.qd[:, j]), side="right") - 1, len(torque) - 1)
        assert (np.abs(swing.history.tau[:, j]) <= torque[bins]).all()
        assert (np.diff(torque) <= 0).all()


def test_the_mass_of_a_link_is_what_its_weight_makes() -> None:
    """A resting arm: the torques are weights, and the share of a mass is its part of them."""
    arm = dynamis.load("bar-2r")
    t, still = np.linspace(0, 1, 5), np.zeros((5, 2))
    budget = dynamis.torque_budget(arm, (t, still, still, still))
    lever = np.array([0.25, 0.75])
    expected = dict(zip(("mass of link1", "mass of link2"), lever / lever.sum(), strict=True))
    assert dict(budget.causes.largest(1)) == pytest.approx({**expected}, abs=1e-12)
    assert budget.sentences(1)[0] == "75 % of the peak of joint 1 is the mass of link2"
    assert budget.by_link.largest(2) == [("link2", pytest.approx(1.0))]


def test_what_acts_against_the_torque_relieves_it() -> None:
    """A counterweight: no negative share of a peak."""
    weight = dynamis.Link("counterweight", dynamis.Joint("q3"), "link1", 0.5, (-1, 0, 0))
    arm = dynamis.load("bar-2r")
    t, still = np.linspace(0, 1, 5), np.zeros((5, 3))
    robot = dynamis.Robot(
        "balanced", (*arm.links, weight), parameters=arm.parameters, values=arm.values, gravity=arm.gravity
    )
    found = dynamis.torque_budget(robot, (t, still, still, still)).sentences(3)
    assert any(s.startswith("the mass of counterweight relieves the peak of joint 1 by ") for s in found)
    assert not any(s.startswith("-") for s in found)


@pytest.mark.parametrize("keep", ["everything", "sums", "totals"])
def test_what_is_kept_does_not_change_the_rest(swing: TorqueBudget, keep: str) -> None:
    found = dynamis.torque_budget(
        PUMA, Swing(6), loads=[WRENCH, Force("link3", (0, 0, -5))], samples=301, keep=keep, threads=1
    )
    assert (found.history.parts is None) == (keep != "everything")
    assert (found.history.groups is None) == (keep == "totals")
    np.testing.assert_array_equal(found.effects.of_peak, swing.effects.of_peak)
    np.testing.assert_array_equal(found.groups.rms, swing.groups.rms)
    np.testing.assert_array_equal(found.bearings, swing.bearings)
    if keep != "everything":
        with pytest.raises(ArgumentError, match="was not kept over time; ask torque_budget for keep="):
            found.part("Coriolis 1,2")


def test_pieces_and_threads_give_the_same() -> None:
    moving, count = Swing(6), 20_000
    one, many = (dynamis.torque_budget(PUMA, moving, samples=count, keep="totals", threads=k) for k in (1, 3))
    np.testing.assert_array_equal(one.history.tau, many.history.tau)
    np.testing.assert_array_equal(one.parts.highest, many.parts.highest)
    np.testing.assert_allclose(one.parts.rms, many.parts.rms, rtol=1e-12)
    np.testing.assert_allclose(one.causes.of_rms, many.causes.of_rms, rtol=1e-9, atol=1e-12)
    coarse = dynamis.torque_budget(PUMA, moving, samples=2001)
    np.testing.assert_allclose(coarse.sizing.rms_torque, one.sizing.rms_torque, rtol=1e-3)


def test_rounding_of_a_speed_has_no_friction() -> None:
    """At rest, before and after a motion, dry friction does not take the sign of 1e-17 rad/s."""
    t, speed = np.linspace(0, 1, 5), np.array([1e-17, 1.0, 1.0, 1.0, -1e-17])[:, None] * np.ones(6)
    found = dynamis.torque_budget(PUMA, (t, 0 * speed, speed, 0 * speed)).part("friction")
    np.testing.assert_array_equal(found[[0, -1]], 0.0)
    assert (np.abs(found[1:4]) > 0).all()


A, B = np.array([0.1, -0.7, 0.3, 0.4, 0.5, 0.6]), np.array([0.3, -0.4, 0.1, 0.7, 0.3, 0.2])
RESTING: dict[str, Any] = {
    "cubic": lambda: dynamis.cubic(A, B, 0.7),
    "quintic": lambda: quintic(A, B, 0.7),
    "septic": lambda: dynamis.septic(A, B, 0.7),
    "blends": lambda: parabolic_blends(A, B, 0.7, acceleration=5),
    "via": lambda: parabolic_blends(A, B, [0.4, 0.5], acceleration=20, via=[(A + 2 * B) / 3]),
    "trapezoidal": lambda: dynamis.trapezoidal(A, B, 1.0, 3.0, synchronised=False),
    "double-S": lambda: dynamis.double_s(A, B, 1.0, 3.0, 30.0),
    "spline": lambda: dynamis.spline([A, (A + 2 * B) / 3, B], [0, 0.3, 0.7], degree=5),
    "tool": lambda: dynamis.tool_line(PUMA, A, PUMA.forward_kinematics(B), 0.7),
}


@pytest.mark.parametrize("kind", RESTING)
def test_at_rest_the_budget_is_inverse_dynamics(kind: str) -> None:
    """A trajectory ends with speed 0 exactly, so that dry friction is none, here and there."""
    moving = RESTING[kind]()
    t = np.array([0.0, moving.duration])
    budget = dynamis.torque_budget(PUMA, moving, samples=11)
    np.testing.assert_array_equal(budget.history.qd[[0, -1]], 0.0)
    np.testing.assert_array_equal(budget.part("friction")[[0, -1]], 0.0)
    np.testing.assert_array_equal(budget.history.tau[[0, -1]], PUMA.inverse_dynamics(*moving.at(t)))
    assert np.abs(budget.part("friction")[5]).max() > 0


def test_few_samples_find_the_jumps_of_dry_friction() -> None:
    """The RMS torque of a joint with dry friction alone is that friction, however coarse the samples are."""
    joint = dynamis.Joint("q1", coulomb=2.0, rotor_inertia=1e-15)  # type: ignore[arg-type]
    wheel = Robot("wheel", (dynamis.Link("rotor", joint),), gravity=(0, 0, 0))  # type: ignore[arg-type]
    for samples in (7, 8, 50):
        budget = dynamis.torque_budget(wheel, Swing(1, 12.0), samples=samples)
        assert budget.sizing.rms_torque[0] == pytest.approx(2.0, rel=1e-9)
        # cos(t/2) changes its sign at pi and 3 pi, by way of an instant of standstill.
        signs = np.sign(budget.history.tau[:, 0].round(9))
        jumps = budget.history.t[1:][np.diff(signs) != 0]
        assert jumps == pytest.approx([np.pi, np.pi, 3 * np.pi, 3 * np.pi], rel=1e-11)
    rest = dynamis.torque_budget(wheel, quintic([0.0], [1.0], 1.0), samples=5)
    assert rest.sizing.rms_torque[0] == pytest.approx(2.0, rel=1e-4)
    given_times = dynamis.torque_budget(wheel, Swing(1, 12.0), times=np.linspace(0, 12, 7))
    assert len(given_times.history.t) == 7


@pytest.mark.parametrize("loads", [(), (WRENCH,)], ids=["free", "loaded"])
@pytest.mark.parametrize("gravity", [True, False, (1.0, 2.0, 3.0)])
def test_a_prepared_quantity_is_the_verb(loads: tuple[ToolWrench, ...], gravity: Any) -> None:
    states = np.random.default_rng(3).uniform(-1, 1, (3, 7, 6))
    found = PUMA.prepared("bearing_loads", loads=loads, gravity=gravity)(*states)
    np.testing.assert_array_equal(found, PUMA.bearing_loads(*states, loads=loads, gravity=gravity))


def test_progress_is_told() -> None:
    said: list[str] = []
    arm = dynamis.load("bar-2r")
    dynamis.torque_budget(arm, Swing(2), samples=101, progress=said.append)
    assert said == ["101 of 101 samples (100 %)"]


def test_tables(swing: TorqueBudget) -> None:
    text = str(swing)
    for words in ("What the motors must give", "What the torques are made of", "By link", "largest reactions", "RMS"):
        assert words in text
    assert "Coriolis" in swing.table("effects")
    with pytest.raises(UnknownNameError, match='unknown table "size"; did you mean "sizing"'):
        swing.table("size")


def test_files(swing: TorqueBudget, tmp_path: Path) -> None:
    swing.to_csv(tmp_path / "history.csv")
    with (tmp_path / "history.csv").open(encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    assert names[0] == "t [s]"
    table = np.array(rows, dtype=float)
    assert table.shape == (len(swing.history.t), len(names))
    assert len(table) >= 301
    np.testing.assert_array_equal(table[:, names.index("tau2 [N m]")], swing.history.tau[:, 1])
    np.testing.assert_array_equal(table[:, names.index("tau1 Coriolis 2,3 [N m]")], swing.part("Coriolis 2,3")[:, 0])

    parquet = pytest.importorskip("pyarrow.parquet")
    swing.to_parquet(tmp_path / "history.parquet")
    back = parquet.read_table(tmp_path / "history.parquet")
    assert back.column_names == names
    np.testing.assert_array_equal(np.column_stack([back[name] for name in names]), table)

    data = json.loads(swing.to_json(tmp_path / "budget.json", history=True))
    assert data == json.loads((tmp_path / "budget.json").read_text("utf-8"))
    assert data["sizing"]["peak_torque"] == swing.sizing.peak_torque.tolist()
    assert list(data["effects"]) == list(GROUPS)
    assert set(data["history"]) == set(names)
    with pytest.raises(DynamisError, match="cannot be written"):
        swing.to_csv(tmp_path / "nowhere" / "x.csv")


@pytest.mark.parametrize("kind", CHARTS)
def test_plots_have_units_and_legends(swing: TorqueBudget, reach: TorqueBudget, kind: str) -> None:
    for budget in (swing, reach):
        figure: Any = budget.figure(kind)
        for ax in figure.axes:
            if ax.get_visible():
                assert ax.get_ylabel() == "" or "[" in ax.get_ylabel()
                assert ax.get_xlabel() == "" or "[" in ax.get_xlabel()
        assert figure.legends


def test_an_extra_that_is_missing(swing: TorqueBudget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArgumentError, match=r'plots need matplotlib: pip install "dynamis\[report\]"'):
        swing.figure()
    with pytest.raises(ArgumentError, match=r'Parquet needs pyarrow: pip install "dynamis\[report\]"'):
        swing.to_parquet(tmp_path / "x.parquet")


T, Q = np.linspace(0, 1, 5), np.zeros((5, 6))
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"motion": 3}, "motion must be a trajectory with duration, n and at"),
    ({"motion": Swing(2)}, 'the motion has 2 joints; robot "puma560" has 6'),
    ({"motion": Swing(6, 0.0)}, "the duration of the motion must be > 0 and finite, got 0.0 s"),
    ({"motion": Swing(6, np.nan)}, "the duration of the motion must be > 0 and finite, got nan s"),
    ({"motion": Still()}, "motion.at of 257 times must give q, qd, qdd of shape (257, 6), got (6,), (6,)"),
    ({"motion": (T, Q, Q)}, "motion must be (t, q, qd, qdd), got 3 arrays"),
    ({"motion": (T, Q, Q, Q[:4])}, "qdd of the motion has shape (4, 6)"),
    ({"motion": (T[::-1], Q, Q, Q)}, "times must be a list of finite times [s] that do not decrease"),
    ({"motion": (T, Q, Q, Q), "times": T}, "times goes with a trajectory"),
    ({"motion": (T, Q, Q, Q * np.nan)}, "torques that are not finite at t = 0 s"),
    ({"samples": 1}, "samples must be an integer from 2 to 100,000,000, got 1"),
    ({"samples": 1.5}, "samples must be an integer from 2 to 100,000,000, got 1.5"),
    ({"times": []}, "times must be a list of finite times"),
    ({"keep": "all"}, 'unknown value of keep "all"'),
    ({"threads": 0}, "threads must be a positive integer, got 0"),
    ({"tool": WRENCH}, "tool is a load; tool is the name of a frame: write loads=[...]"),
    ({"tool": "hand"}, '"hand"'),
    ({"loads": WRENCH}, "loads must be a list of loads, got one load: write [load]"),
    ({"loads": [Moment("arm", (0, 0, 1))]}, '"arm"'),
    ({"robot": "puma560"}, 'robot must be a robot, such as dynamis.load(...) returns, got "puma560"'),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence[:30] for _, sentence in WRONG])
def test_what_is_refused(given: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"robot": PUMA, "motion": Swing(6), **given}
    with pytest.raises(DynamisError) as error:
        dynamis.torque_budget(**arguments)
    assert sentence in str(error.value)


def test_a_robot_without_joints_is_refused() -> None:
    stone = Robot("stone", (dynamis.Link("stone", dynamis.Joint("weld", "fixed"), mass=1),))
    with pytest.raises(ArgumentError, match="has no joint that moves"):
        dynamis.torque_budget(stone, Swing(1))


def test_a_gap_in_the_velocities_is_no_standstill() -> None:
    z = np.zeros((3, 2))
    gap = z.copy()
    gap[1] = np.nan
    with pytest.raises(dynamis.DynamisError, match="not finite"):
        dynamis.torque_budget(dynamis.load("bar-2r"), ([0, 1, 2], z, gap, z))


def test_units_are_given_per_joint_in_table_csv_and_json() -> None:
    """The Stanford arm: joint 3 is prismatic, so its torque is a force [N] and its speed is in m/s."""
    robot = dynamis.load("stanford")
    budget = dynamis.torque_budget(robot, dynamis.quintic(np.full(6, 0.1), np.full(6, 0.4), 1.0))
    rows = [line.split() for line in budget.table("sizing").splitlines() if line[:1].isdigit()]
    assert [" ".join(row[6:-6]) for row in rows] == ["N m", "N m", "N", "N m", "N m", "N m"]
    assert [row[-5] for row in rows] == ["rad/s", "rad/s", "m/s", "rad/s", "rad/s", "rad/s"]
    heads = budget.columns()
    for name in ("q3 [m]", "qd3 [m/s]", "qdd3 [m/s^2]", "tau3 [N]", "tau3 gravity [N]", "q2 [rad]", "tau2 [N m]"):
        assert name in heads
    data = json.loads(budget.to_json())
    assert (data["units"][2], data["position_units"][2], data["speed_units"][2]) == ("N", "m", "m/s")
    assert (data["units"][1], data["position_units"][1], data["speed_units"][1]) == ("N m", "rad", "rad/s")


def test_rounding_is_not_drawn_as_power_and_a_constant_ratio_does_not_fill_its_axis() -> None:
    """A joint at rest had powers of 1e-28 W, and a ratio of 1 an axis from 0.9975 to 1.005."""
    budget = dynamis.torque_budget(dynamis.load("ur5"), dynamis.quintic(np.zeros(6), [1, 0.5, 0.3, 0.2, 0.4, 0], 2))
    shown = [line.get_ydata() for ax in budget.figure("power").axes for line in ax.get_lines()]
    assert [np.abs(y).max() for y in shown if 0 < np.abs(y).max() < 1e-6] == []
    assert any((y == 0).all() for y in shown)
    axes = [ax for ax in budget.figure("gravity-ratio").axes if ax.get_lines()]
    assert min(high - low for low, high in (ax.get_ylim() for ax in axes)) >= 0.2
    (legend,) = budget.figure("joints").legends
    rows = -(-len(legend.get_texts()) // legend._ncols)
    assert len(legend.get_texts()) - (rows - 1) * legend._ncols > 1  # nobody stands alone in the last row
