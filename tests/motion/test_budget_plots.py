"""Pictures of torque budgets: every part is drawn once, on axes where it can be seen; many joints have their own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamis
from dynamis.errors import ArgumentError
from dynamis.motion.torque_budget.charts import CHARTS, HEADS, MIN_DRAWN_SHARE, SMALL_PART_SHARE, levels
from dynamis.motion.torque_budget.run import GROUPS
from dynamis.results import TorqueBudget
from dynamis.telling.chart import columns_of
from dynamis.telling.figure import COLOURS, look_of, save
from dynamis.trajectories import quintic

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def budgets() -> dict[str, TorqueBudget]:
    found: dict[str, TorqueBudget] = {}
    for name in ("bar-2r", "genova-rp", "puma560", "panda"):
        robot = dynamis.load(name)
        start, goal = np.linspace(0.1, 0.4, robot.n), np.linspace(0.6, 0.2, robot.n)
        found[name] = dynamis.torque_budget(robot, quintic(start, goal, 1.0), samples=201)
    return found


def seen(figure: Any) -> list[Any]:
    return [ax for ax in figure.axes if ax.get_visible() and ax.axison]


@given(st.lists(st.floats(1e-12, 1e3), min_size=1, max_size=7))
def test_levels_put_what_can_be_seen_together(sizes: list[float]) -> None:
    largest = np.array(sizes)
    peak = float(largest.max())
    found = levels(largest, peak)
    assert len(found) <= len(HEADS)
    assert sorted(k for level in found for k in level) == [k for k, x in enumerate(sizes) if x > MIN_DRAWN_SHARE * peak]
    for level in found[:-1]:
        together = largest[level]
        assert together.min() >= SMALL_PART_SHARE * together.max()
    for before, after in pairwise(found):
        assert largest[after].max() < SMALL_PART_SHARE * largest[before].max()


def test_parts_that_cancel_are_larger_than_the_torque() -> None:
    assert levels(np.array([100.0, 99.0, 0.5]), 1.0) == [[0, 1, 2]]
    assert levels(np.array([0.0, 0.0]), 0.0) == [[]]


@pytest.mark.parametrize("kind", ["torques", "torques-without-gravity"])
@pytest.mark.parametrize("name", ["bar-2r", "genova-rp", "puma560", "panda"])
def test_every_part_of_a_joint_is_drawn_once(budgets: dict[str, TorqueBudget], name: str, kind: str) -> None:
    budget = budgets[name]
    figure: Any = budget.figure(kind)
    columns = len(figure.axes) // budget.n
    for j in range(budget.n):
        row = figure.axes[j * columns : (j + 1) * columns]
        drawn = [text.get_label() for ax in row for text in ax.get_lines()]
        peak = np.abs(budget.history.tau if kind == "torques" else budget.history.without_gravity)[:, j].max()
        wanted = [
            group
            for k, group in enumerate(GROUPS)
            if budget.groups.largest[j, k] > MIN_DRAWN_SHARE * peak and (group != "gravity" or kind == "torques")
        ]
        assert sorted(drawn) == sorted([*wanted, "total"])
        assert f"joint {j + 1}" in row[0].get_ylabel()
        low, high = row[0].get_ylim()
        assert low <= 0 <= high


@pytest.mark.parametrize("name", ["puma560", "panda"])
@pytest.mark.parametrize(("kind", "more"), [("gravity-ratio", 0), ("power", 1)])
def test_many_joints_have_axes_of_their_own(budgets: dict[str, TorqueBudget], name: str, kind: str, more: int) -> None:
    figure: Any = budgets[name].figure(kind)
    assert len(seen(figure)) == budgets[name].n + more
    assert {f"joint {j + 1}" for j in range(budgets[name].n)} <= {ax.get_title().split(":")[0] for ax in seen(figure)}


def test_few_joints_share_their_axes(budgets: dict[str, TorqueBudget]) -> None:
    for kind in ("gravity-ratio", "power"):
        assert len(seen(budgets["bar-2r"].figure(kind))) == 1


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("name", ["genova-rp", "panda"])
def test_units_on_every_axis_and_legends_outside(budgets: dict[str, TorqueBudget], name: str, kind: str) -> None:
    figure: Any = budgets[name].figure(kind)
    shown = seen(figure)
    assert any("[" in ax.get_xlabel() for ax in shown)
    for ax in shown:
        assert ax.get_legend() is None
        for label in (ax.get_xlabel(), ax.get_ylabel()):
            assert label == "" or "[" in label
    assert len(figure.legends) == 1


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("name", ["bar-2r", "genova-rp", "puma560", "panda"])
def test_labels_do_not_meet(budgets: dict[str, TorqueBudget], name: str, kind: str) -> None:
    figure: Any = budgets[name].figure(kind)
    figure.draw_without_rendering()
    labels = [text for ax in seen(figure) for text in (ax.xaxis.label, ax.yaxis.label, ax.title) if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent().padded(figure.dpi / 50)) for text in labels]
    for k, (text, box) in enumerate(boxes):
        assert [(text, other) for other, b in boxes[:k] if box.overlaps(b)] == []


def test_the_envelope_lies_on_the_motion(budgets: dict[str, TorqueBudget]) -> None:
    for ax in seen(budgets["panda"].figure("torque-speed")):
        envelope, *others = sorted(ax.lines, key=lambda line: -line.get_zorder())
        assert envelope.get_label().startswith("envelope")
        assert envelope.get_zorder() > others[0].get_zorder()


def test_dry_friction_at_rest_is_not_drawn_as_a_fall() -> None:
    puma = dynamis.load("puma560")
    budget = dynamis.torque_budget(puma, quintic(np.zeros(6), np.full(6, 0.5), 1.0), samples=101)
    figure: Any = budget.figure("torques")
    total = next(text for text in figure.axes[0].get_lines() if text.get_label() == "total")
    drawn = np.asarray(total.get_ydata())
    assert np.isnan(drawn[[0, -1]]).all()
    t = budget.history.t
    clear = (t > 1e-3) & (t < 1 - 1e-3)
    np.testing.assert_array_equal(drawn[clear], budget.history.tau[clear, 0])
    assert np.nanmin(np.abs(drawn[:20])) > 1


@pytest.mark.parametrize("kind", ["tool", "torques", "bearings"])
def test_what_was_not_kept_is_said(kind: str) -> None:
    robot = dynamis.load("bar-2r")
    budget = dynamis.torque_budget(robot, quintic([0, 0], [1, 1], 1.0), samples=11, keep="totals")
    with pytest.raises(ArgumentError, match=r'over time; ask torque_budget for keep="sums"') as caught:
        budget.figure(kind)
    assert caught.value.key == "keep"


def test_a_robot_without_a_tool() -> None:
    """A tree: all figures but the tool's; what to do is said."""
    trunk = dynamis.Link("trunk", dynamis.Joint("q1"), "base", mass=3, com=(0, 0.1, 0.2))  # type: ignore[arg-type]
    arms = [
        dynamis.Link(name, dynamis.Joint(f"q{k}", kind, before="Tz(0.5)"), "trunk", mass=k, com=(0.2, 0, 0))  # type: ignore[arg-type]
        for k, (name, kind) in enumerate((("left", "revolute"), ("right", "prismatic")), 2)
    ]
    tree = dynamis.Robot("tree", (trunk, *arms))
    moving = quintic(np.zeros(3), [0.5, 0.4, 0.2], 1.0)
    budget = dynamis.torque_budget(tree, moving, samples=31)
    assert budget.residual < 1e-14
    for kind in CHARTS:
        if kind != "tool":
            assert budget.figure(kind)
    for ask in (budget.plot, budget.table, lambda _: budget.tool_motion()):
        with pytest.raises(
            ArgumentError, match=r'robot "tree" has no tool, .* name a frame: torque_budget\('
        ) as caught:
            ask("tool")
        assert caught.value.key == "tool"
    assert dynamis.torque_budget(tree, moving, samples=31, tool="left").figure("tool")


def test_lines_beyond_the_colours_differ_in_their_dashes() -> None:
    looks = [str(look_of(k)) for k in range(2 * len(COLOURS))]
    assert len(set(looks)) == len(looks)


def test_columns() -> None:
    assert [columns_of(count) for count in (4, 6, 7, 8, 9, 12)] == [4, 3, 4, 4, 3, 3]


def test_the_same_picture_is_the_same_file(budgets: dict[str, TorqueBudget], tmp_path: Path) -> None:
    for k in (1, 2):
        save(budgets["bar-2r"].figure("torques"), tmp_path / f"{k}.png")
    assert (tmp_path / "1.png").read_bytes() == (tmp_path / "2.png").read_bytes()
