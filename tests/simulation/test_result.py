"""What a simulation says about itself: tables, sentences and files hold what its arrays hold."""

from __future__ import annotations

import csv
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError
from dynamis.base.numbers import fixed_decimals
from dynamis.errors import ArgumentError
from dynamis.results import Simulation
from dynamis.simulation.results.document import MOST_EVENTS
from dynamis.simulation.results.result import Energy, Event
from dynamis.simulation.results.summary import SETTLING_BAND, summary
from dynamis.telling.blocks import Table
from dynamis.trajectories import quintic
from tests.support.simulation_runs import RUNS, run_of


def rows_of(text: str) -> list[list[str]]:
    """The cells of the first table of a text."""
    lines = text.splitlines()
    rule = next(k for k, line in enumerate(lines) if set(line) <= {"-", " "} and "-" in line)
    edges = [(m.start(), m.end()) for m in re.finditer("-+", lines[rule])]
    found: list[list[str]] = []
    for line in lines[rule + 1 :]:
        if not line or line.startswith(("note", "Energy minus work")):
            break
        found.append([line[a:b].strip() for a, b in edges])
    return found


@pytest.mark.parametrize("name", RUNS)
def test_the_table_of_joints_holds_the_arrays(name: str) -> None:
    run = run_of(name)
    rows = next(block for block in run.document().sections["joints"].blocks if isinstance(block, Table)).rows
    text = run.table("joints", 6).split()
    assert [row[:2] for row in rows] == [(j + 1, joint) for j, joint in enumerate(run.joints)]
    for j, row in enumerate(rows):
        q, qd, tau = run.q[:, j], run.qd[:, j], run.tau[:, j]
        k = int(np.argmax(np.abs(tau)))
        where = "rad" if run.robot.joints[j].revolute else "m"
        assert (row[6], row[9], row[13]) == (where, f"{where}/s", "N m" if where == "rad" else "N")
        wanted = [q[0], q[-1], q.min(), q.max(), qd[-1], np.abs(qd).max(), tau[k], run.times[k]]
        shown = [float(str(row[c])) for c in (2, 3, 4, 5, 7, 8, 10, 11)]
        np.testing.assert_allclose(shown, wanted, atol=1e-12)
        assert {fixed_decimals(value, 6) for value in shown} <= set(text)
        rms = np.sqrt(np.diff(run.times) @ (tau[1:] ** 2 + tau[:-1] ** 2) / 2 / run.duration)
        assert row[12] == pytest.approx(rms, abs=6e-7)


@pytest.mark.parametrize("name", RUNS)
def test_the_table_of_energy_holds_the_arrays(name: str) -> None:
    run = run_of(name)
    energy = run.energy
    parts = [energy.kinetic, energy.potential, energy.total, energy.motors, energy.friction, energy.loads, energy.stops]
    rows = rows_of(run.table("energy", 6))
    assert [row[0] for row in rows][3:] == [f"work of {who}" for who in ("motors", "friction", "loads", "stops")]
    for row, x in zip(rows, parts, strict=True):
        np.testing.assert_allclose([float(c) for c in row[1:]], [x[0], x[-1], x.min(), x.max()], atol=6e-7)
    text = " ".join(run.table("energy").split())
    assert f"{energy.error[-1]:.3g} J to the end" in text
    assert f"{energy.drift:.2g} of the largest energy" in text


def test_events_stand_with_their_times() -> None:
    run = run_of("stopping")
    assert run.events
    rows = rows_of(run.table("events"))
    assert [row[1:] for row in rows] == [[str(event.joint), event.what] for event in run.events]
    np.testing.assert_allclose([float(row[0]) for row in rows], [event.time for event in run.events], atol=6e-7)
    assert run_of("falling").table("events") == "Events\nnone"
    assert "Events\nnone" in str(run_of("falling"))


def test_many_events_are_counted() -> None:
    run = replace(run_of("falling"), events=tuple(Event(0.001 * k, "tick") for k in range(100)))
    text = run.table("events")
    assert text.count("tick") == MOST_EVENTS
    assert text.endswith("... and 60 more, the last at 0.099 s")


def test_the_whole_is_all_tables() -> None:
    run = run_of("stopping")
    for name in ("summary", "joints", "energy", "events"):
        assert run.table(name) in str(run)
    text = run.table("summary")
    assert text.startswith(f"panda: 0.8 s under no torques, {len(run.times)} samples kept")
    assert f"{run.effort.steps} steps, {run.effort.rejected} rejected, {run.effort.evaluations} evaluations" in text
    ended = replace(run, ended="event floor at t = 0.8 s", warnings=("kp of joint 1 is negative",))
    assert "ended early: event floor at t = 0.8 s\nwarning: kp of joint 1 is negative" in ended.table("summary")
    assert "the run ended early: event floor at t = 0.8 s" in ended.sentences()
    assert "warning: kp of joint 1 is negative" in ended.sentences()


def test_settings_of_sampled_runs_are_told() -> None:
    text = run_of("following").table("summary")
    assert "integrated by rk4 (step 0.001 s): " in text
    assert "period: 0.002 s" in text
    assert "torque limit: 100, 100, 100, 5, 5, 5" in text
    assert "seed: 0" in text
    assert "restitution" not in text


def test_how_near_the_goal() -> None:
    run = run_of("reaching")
    found = summary(run).approach
    assert found is not None
    assert run.goal is not None
    assert found.settled is not None
    assert found.overshoot is not None
    np.testing.assert_array_equal(found.error, run.goal[-1] - run.q[-1])
    for j in range(run.n):
        error = np.abs(run.goal[:, j] - run.q[:, j])
        later = run.times >= found.settled[j]
        assert (error[later] <= SETTLING_BAND * error[0]).all()
        assert error[np.flatnonzero(later)[0] - 1] > SETTLING_BAND * error[0]
        assert found.overshoot[j] == pytest.approx(max(0.0, (run.q[:, j] - 0.5).max()) / 0.5)
    assert f"all joints have settled within 2 % after {found.settled.max():.3g} s" in run.sentences()
    rows = rows_of(run.table("joints").split("How near")[1])
    assert [float(row[3]) for row in rows] == [float(f"{x:.3g}") for x in found.error]


def test_a_moving_goal_has_no_settling() -> None:
    found = summary(run_of("following")).approach
    assert found is not None
    assert found.settled is None
    assert "settled" not in run_of("following").table("joints")
    assert summary(run_of("falling")).approach is None


def test_a_joint_that_starts_at_its_goal() -> None:
    run = run_of("reaching")
    still = np.zeros_like(run.q)
    found = summary(replace(run, q=still, goal=still)).approach
    assert found is not None
    assert found.settled is not None
    assert np.isnan(found.settled).all()
    assert "- " in replace(run, q=still, goal=still).table("joints")
    assert not any("settled" in line for line in replace(run, q=still, goal=still).sentences())


def test_a_joint_at_its_goal_does_not_count_as_late() -> None:
    run = run_of("reaching")
    assert run.goal is not None
    goal = run.goal.copy()
    goal[:, 0] = run.q[0, 0]  # it is pushed away and does not come back
    sentence = next(line for line in replace(run, goal=goal).sentences() if "settled" in line)
    assert sentence.startswith("all joints have settled") or "joint 1" not in sentence


def test_sentences() -> None:
    falling = run_of("falling")
    size = f"{falling.energy.drift:.1g} of {falling.energy.scale:.3g} J"
    assert falling.sentences()[0] == "bar-2r moves for 1 s under no torques"
    assert f"energy is conserved to {size}" in falling.sentences()
    text = "\n".join(run_of("stopping").sentences())
    assert re.search(r"the stops took [\d.]+ J; the energy balance closes to ", text)
    assert re.search(r"\d+ events, first: q2 hits its upper stop", text)
    sentences = run_of("following").sentences()
    assert any(line.startswith("the largest torque is ") and " N m, of joint " in line for line in sentences)
    assert any(line.startswith("the largest force is ") and " N, of joint 3 " in line for line in sentences)
    assert any(
        line.startswith("the fastest prismatic joint is joint 3, ") and line.endswith(" m/s") for line in sentences
    )


def test_much_error_and_no_energy_are_told() -> None:
    run = run_of("falling")
    zero = np.zeros_like(run.times)
    off = replace(run, energy=Energy(run.energy.kinetic * 1.1, run.energy.potential, zero, zero, zero, zero))
    assert any("that is much: a smaller rtol would help" in line for line in off.sentences())
    rest = replace(run, energy=Energy(zero, zero + 3.0, zero, zero, zero, zero))
    assert "nothing moves: no energy changes hands" in rest.sentences()


def test_column_names_are_those_of_the_torque_budget() -> None:
    robot = dynamis.load("stanford")
    budget = dynamis.torque_budget(robot, quintic(np.full(6, 0.3), np.full(6, 0.5), 1.0), samples=5)
    ours, theirs = run_of("following").columns(), budget.columns()
    common = [name for name in ours if name in theirs]
    assert common == list(ours)[: 1 + 4 * robot.n]
    assert "tau3 [N]" in ours
    assert "goal3 [m]" in ours
    assert {"integral1 [N m]", "integral3 [N]"} <= {*ours}
    learned = run_of("learning").columns()
    assert "s2 [rad/s]" in learned
    assert "parameters mx1 [kg m]" in learned


@pytest.mark.parametrize("name", RUNS)
def test_csv_round_trip(name: str, tmp_path: Path) -> None:
    run = run_of(name)
    run.to_csv(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    columns = run.columns()
    assert header == list(columns)
    np.testing.assert_array_equal(np.array(rows, np.float64), np.column_stack(list(columns.values())))


@pytest.mark.parametrize("name", RUNS)
def test_parquet_round_trip(name: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run = run_of(name)
    run.to_parquet(tmp_path / "run.parquet")
    table = parquet.read_table(tmp_path / "run.parquet")
    assert table.column_names == list(run.columns())
    for key, values in run.columns().items():
        np.testing.assert_array_equal(table[key].to_numpy(), values)


@pytest.mark.parametrize("name", RUNS)
def test_json_round_trip(name: str, tmp_path: Path) -> None:
    run = run_of(name)
    text = run.to_json(tmp_path / "run.json", history=True)
    assert (tmp_path / "run.json").read_text() == text
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    for key, values in run.columns().items():
        np.testing.assert_array_equal(data["history"][key], values)
    short = json.loads(run.to_json())
    assert "history" not in short
    assert short.pop("provenance")["files"][0]["kind"] == "robot"
    assert short.pop("references")
    assert short == run.as_dict()
    assert short["settings"].keys() == run.settings.keys()
    assert short["joints"] == list(run.joints)
    assert [event["time"] for event in short["events"]] == [event.time for event in run.events]
    np.testing.assert_array_equal(short["summary"]["end"], run.q[-1])
    assert short["energy"]["drift"] == run.energy.drift
    assert short["sentences"] == run.sentences()
    assert (short["summary"]["goal"] is None) == (run.goal is None)


def test_what_is_not_finite_is_null() -> None:
    run = replace(run_of("falling"), settings={"limit": [np.inf, 1.0], "other": np.float64(2), "function": len})
    data = json.loads(run.to_json())
    assert data["settings"] == {"limit": [None, 1.0], "other": 2.0, "function": "<built-in function len>"}


@pytest.mark.parametrize("method", ["to_csv", "to_parquet", "to_json"])
def test_a_file_that_cannot_be_written_is_named(method: str, tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "run.file"
    with pytest.raises(DynamisError, match=r"nowhere.*cannot be written"):
        getattr(run_of("falling"), method)(path)


def test_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArgumentError, match=r"pip install .dynamis\[report\]"):
        run_of("falling").to_parquet(tmp_path / "x.parquet")


def test_unknown_tables_and_decimals() -> None:
    run = run_of("falling")
    with pytest.raises(DynamisError, match='did you mean "energy"'):
        run.table("energie")
    for decimals in (-1, 16, 2.5, True):
        with pytest.raises(ArgumentError, match="decimals must be an integer from 0 to 15"):
            run.table("joints", decimals)  # type: ignore[arg-type]


def test_a_run_of_one_instant_still_speaks(tmp_path: Path) -> None:
    """What is left of a run that blew up at once."""
    run = run_of("following")
    cut = {key: getattr(run, key)[:1] for key in ("times", "q", "qd", "qdd", "tau", "goal", "memory")}
    energy = Energy(*(getattr(run.energy, key)[:1] for key in Energy.__dataclass_fields__))
    signals = {key: values[:1] for key, values in run.signals.items()}
    one: Simulation = replace(run, **cut, energy=energy, signals=signals, ended="blew up after t = 0 s")
    assert "ended early" in str(one)
    one.to_csv(tmp_path / "one.csv")
    json.loads(one.to_json())
    one.animate(tmp_path / "one.html")
    one.plot("position")
