"""Pictures of simulations: what is drawn is what the arrays hold, with units on every axis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dynamis import DynamisError
from dynamis.errors import ArgumentError
from dynamis.simulation.results.charts import CHARTS, MAX_STYLED_SERIES, MAX_TALL_MARKS
from dynamis.simulation.results.result import Event
from dynamis.telling.figure import COLOURS, save
from tests.support.simulation_runs import RUNS, run_of

pytest.importorskip("matplotlib")
OVER_TIME = {"position": "q", "velocity": "qd", "torque": "tau"}


def seen(figure: Any) -> list[Any]:
    return [ax for ax in figure.axes if ax.get_visible()]


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("name", ["falling", "stopping", "following", "offset"])
def test_every_kind_of_every_run_can_be_drawn(name: str, kind: str) -> None:
    run = run_of(name)
    without_goal = {"tracking-error": "has no goal"} if run.goal is None else {}
    nothing = without_goal | ({} if run.signals else {"signals": "has no signals"})
    nothing |= {} if run.tau.any() else {"torque": 'no figure "torque": it would show zeros alone'}
    if kind in nothing:
        with pytest.raises(ArgumentError, match=nothing[kind]):
            run.figure(kind)
        return
    figure: Any = run.figure(kind)
    if name == "following":
        figure.draw_without_rendering()
    shown = seen(figure)
    for ax in shown:
        for label in (ax.get_xlabel(), ax.get_ylabel()):
            assert label == "" or "[" in label
    assert any("[" in ax.get_xlabel() for ax in shown)
    assert "[" in shown[0].get_ylabel()


@pytest.mark.parametrize("kind", OVER_TIME)
@pytest.mark.parametrize("name", RUNS)
def test_lines_are_the_arrays(name: str, kind: str) -> None:
    run = run_of(name)
    values = getattr(run, OVER_TIME[kind])
    if not values.any():
        assert any("not drawn" in line and kind in line for line in run.sentences())
        return
    lines = [line for ax in seen(run.figure(kind)) for line in ax.get_lines()]
    drawn = [np.asarray(line.get_ydata()) for line in lines if len(line.get_xdata()) == len(run.times)]
    for j in range(run.n):
        assert any(np.array_equal(y, values[:, j]) for y in drawn)
    if kind == "position" and run.goal is not None:
        dashed = [line for line in lines if line.get_label() == "goal"]
        assert len(dashed) == run.n
        for j, line in enumerate(dashed):
            np.testing.assert_array_equal(line.get_ydata(), run.goal[:, j])
            assert line.is_dashed()


def test_few_alike_joints_share_an_axis_and_others_do_not() -> None:
    assert len(seen(run_of("falling").figure("position"))) == 1
    assert len(seen(run_of("reaching").figure("position"))) == 6
    apart = seen(run_of("offset").figure("position"))
    assert [ax.get_ylabel() for ax in apart] == ["position [rad]", "position [m]"]
    forces = seen(run_of("following").figure("torque"))
    assert forces[2].get_ylabel() == "force [N]"


def marks(ax: Any) -> Any:
    return [c for c in ax.collections if c.get_label() == "event"]


def test_events_are_marked_on_the_axis_of_their_joint() -> None:
    run = run_of("stopping")
    for j, ax in enumerate(seen(run.figure("velocity"))):
        times = [event.time for event in run.events if event.joint == j + 1]
        drawn = [segment[0][0] for c in marks(ax) for segment in c.get_segments()]
        np.testing.assert_allclose(drawn, times)
    above = seen(run.figure("energy"))[0]
    assert len(marks(above)[0].get_segments()) == len(run.events)


def test_very_many_events_have_short_marks() -> None:
    run = run_of("falling")
    many = replace(run, events=tuple(Event(0.01 * k, "tick") for k in range(MAX_TALL_MARKS + 1)))
    tall = {segment[1][1] for segment in marks(seen(many.figure("position"))[0])[0].get_segments()}
    assert max(tall) < 0.1


def test_energy_draws_only_work_that_was_done() -> None:
    above, below = seen(run_of("stopping").figure("energy"))
    labels = [line.get_label() for line in above.get_lines()]
    assert labels == ["kinetic", "potential", "kinetic + potential", "work of stops"]
    np.testing.assert_array_equal(below.get_lines()[0].get_ydata(), run_of("stopping").energy.error)


def test_phase_has_velocity_over_position() -> None:
    run = run_of("reaching")
    for j, ax in enumerate(seen(run.figure("phase"))):
        x, y = ax.get_lines()[0].get_data()
        np.testing.assert_array_equal(x, run.q[:, j])
        np.testing.assert_array_equal(y, run.qd[:, j])


def test_limits_of_joints_that_were_hit() -> None:
    axes = seen(run_of("stopping").figure("position"))
    assert "limit of the joint" in [line.get_label() for line in axes[1].get_lines()]
    assert "limit of the joint" not in [line.get_label() for line in axes[0].get_lines()]


def test_signals_by_their_units() -> None:
    first, second = seen(run_of("following").figure("signals"))
    assert (first.get_ylabel(), second.get_ylabel()) == ("[N m]", "[N]")
    assert [line.get_label() for line in second.get_lines()] == ["joint 3"]
    run = run_of("falling")
    values = {"own": np.ones((len(run.times), MAX_STYLED_SERIES + 1)), "one": np.ones(len(run.times))}
    own = replace(run, signals=values | {"none": np.zeros(len(run.times))})
    crowd, lone = seen(own.figure("signals"))
    assert crowd.get_title() == f"own, {MAX_STYLED_SERIES + 1} series"
    assert {line.get_color() for line in crowd.get_lines()} == {COLOURS[0]}
    assert lone.get_ylabel() == "[its own unit]"
    labels = [ax.get_ylabel() for ax in seen(run_of("learning").figure("signals"))]
    assert labels == ["[rad/s]", "[kg m]", "[kg m²]"]


def test_the_tracking_error_is_what_is_left_to_the_goal() -> None:
    run = run_of("following")
    assert run.goal is not None
    for j, ax in enumerate(seen(run.figure("tracking-error"))):
        np.testing.assert_array_equal(ax.get_lines()[-1].get_ydata(), (run.goal - run.q)[:, j])
        assert ax.get_ylabel() in ("", f"tracking error [{run.lengths[j]}]")


def test_figures_of_zeros_are_not_drawn() -> None:
    run = run_of("falling")
    rest = replace(run, qd=np.zeros_like(run.qd), signals={"own": np.zeros(len(run.times))})
    assert "not drawn, as all values are zero to rounding: velocity, torque, phase, signals" in rest.sentences()
    missing = [name for name, figure in rest.document().figures.items() if figure.missing]
    assert missing == ["tracking-error", "velocity", "torque", "phase", "signals"]


def test_rounding_is_not_drawn() -> None:
    run = run_of("following")
    assert run.goal is not None
    for error, drawn in ((1e-13, False), (1e-6, True)):
        figure = replace(run, q=run.goal + error).document().figures["tracking-error"]
        assert (figure.missing is None) is drawn


def test_long_runs_are_thinned() -> None:
    run = run_of("falling")
    times = np.linspace(0, 1, 20_001)
    values = np.zeros((20_001, 2))
    long = replace(run, times=times, q=values, qd=values, tau=values)
    assert len(seen(long.figure("position"))[0].get_lines()[0].get_xdata()) <= 4000


def test_unknown_kinds_suggest_the_nearest() -> None:
    with pytest.raises(DynamisError, match='did you mean "velocity"'):
        run_of("falling").figure("velocities")


def test_the_same_picture_is_the_same_file(tmp_path: Path) -> None:
    for k in (1, 2):
        save(run_of("falling").figure("energy"), tmp_path / f"{k}.png")
    assert (tmp_path / "1.png").read_bytes() == (tmp_path / "2.png").read_bytes()


def test_a_page_leaves_out_torques_that_are_zero() -> None:
    page = run_of("falling").page("html")
    assert "Velocities of the joints." in page
    assert "Torques of the motors." not in page
    assert "Torques of the motors." in run_of("reaching").page("html")
