"""Figures of robots with long and hostile names: nothing overlaps, nothing is cut, nothing is read as a formula."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.controllers import MomentumObserver, SlotineLi
from dynamis.errors import ArgumentError
from dynamis.exact.derive import derive
from dynamis.motion.single_states.inverse import state_torques
from dynamis.results import TorqueBudget
from dynamis.telling.blocks import Column, Document, Table
from dynamis.telling.chart import shorten_label
from dynamis.telling.figure import matplotlib_text, save
from dynamis.telling.notation.names import split
from dynamis.telling.notation.text import UNICODE
from dynamis.telling.pages.robot import RobotDescription
from dynamis.telling.renderers.html import TABLE_WIDTH
from dynamis.telling.renderers.page import render
from dynamis.telling.tables import text_table
from dynamis.trajectories import quintic

pytest.importorskip("matplotlib")
NAMES = ("shoulder_pan_joint_of_the_left_arm_of_the_robot", "$x_1$ elbow \\frac{", "_wrist 50% & <b>#1", "$")


def arm(count: int) -> Robot:
    links: list[Link] = []
    for k in range(count):
        name = f"{NAMES[k % len(NAMES)]} number {k + 1}"
        joint = Joint(name, axis=(0, 0, 1) if k % 2 else (0, 1, 0), before="Tx(0.3)" if k else "")
        inertia = Inertia.of(xx=0.01, yy=0.02, zz=0.02)
        links.append(Link(f"link of {name}", joint, links[-1].name if k else "base", 1, (0.15, 0, 0), inertia))
    return Robot("$long$ names", tuple(links), gravity=(0, 0, -9.81))


@pytest.mark.parametrize(
    ("count", "kinds"),
    [(3, ("tool", "bearings", "shares")), (7, ("power", "gravity-ratio")), (12, ("torques", "bearings"))],
)
def test_no_label_is_cut_and_none_overlaps_its_neighbour(count: int, kinds: tuple[str, ...]):
    found = dynamis.torque_budget(arm(count), quintic(np.zeros(count), np.full(count, 0.5), 1.0), samples=21)
    for kind in kinds:
        figure = found.figure(kind)
        figure.draw_without_rendering()
        width, height = figure.bbox.width, figure.bbox.height
        for one in (text for axes in figure.axes if axes.get_visible() for text in (axes.title, axes.yaxis.label)):
            box = one.get_window_extent()
            assert not one.get_text() or (box.x0 > -2 and box.x1 < width + 2 and box.y1 < height + 2), one
        titles = [axes.title.get_window_extent() for axes in figure.axes if axes.title.get_text()]
        assert not any(a.overlaps(b) for a, b in pairwise(titles)), kind
        rows = sorted((axes.yaxis.label.get_window_extent() for axes in figure.axes), key=lambda box: (box.x0, box.y0))
        assert not any(a.overlaps(b) and a.height * b.height for a, b in pairwise(rows)), kind
        for legend in figure.legends:
            box = legend.get_window_extent()
            assert box.x0 > -2, kind
            assert box.x1 < width + 2, kind


def test_tables_fit_beside_names_that_do_not_break():
    """Other columns go to a second table; a table of one column without room wraps."""
    links = [
        Link(f"link{k}", Joint(f"shoulder_pan_joint_of_the_left_arm_2024_{k}"), f"link{k - 1}" if k > 1 else "base", 1)
        for k in (1, 2)
    ]
    result = state_torques(Robot("long", tuple(links)), [0, 0], reactions="joint")
    lines = result.page(width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("arm_2024_2" in line for line in lines) > 2
    assert text_table(["a", ""], [["x", ""]], width=2).splitlines() == ["a", "-", "x"]


def test_a_name_between_dollars_is_no_formula(tmp_path: Any):
    robot = arm(4)
    run = dynamis.simulate(robot, np.zeros(4), duration=0.05)
    save(run.figure("position"), tmp_path / "position.svg")
    assert matplotlib_text("$x$") == "\\$x\\$"
    assert shorten_label("a" * 300 + "1", 20) == "a" * 10 + "…" + "a" * 8 + "1"


def test_the_signals_of_an_adaptive_law_have_the_names_of_its_parameters():
    robot, goal = dynamis.load("bar-2r"), quintic([0, 0], [0.5, 0.3], 0.2)
    law = MomentumObserver(SlotineLi(20, 5, 1, model=robot.with_values(m2=2)), 10)
    run = dynamis.simulate(robot, [0, 0], duration=0.2, control=law, goal=goal)
    assert run.signal_names == {"parameters": ("mx1", "my1", "Izz1", "mx2", "my2", "Izz2")}
    assert {"s1 [rad/s]", "parameters mx1 [kg m]", "parameters Izz2 [kg m^2]"} <= set(run.columns())
    speeds, moments, inertias, _ = run.figure("signals").axes
    assert speeds.get_title() == "sliding variable s"
    assert moments.get_title() == inertias.get_title() == "estimated parameters"
    names = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in (speeds, moments, inertias)]
    assert names == [["joint 1", "joint 2"], ["mx1", "my1", "mx2", "my2", "true value"], ["Izz1", "Izz2", "true value"]]
    # Bars of 0.5 m and 1 kg: Izz2 = m2 l^2/3, and Izz1 with the mass of bar 2 at its end.
    true = [line.get_ydata()[0] for line in inertias.get_lines() if line.get_label() == "true value"]
    np.testing.assert_allclose(true, [0.25 / 3 + 0.25, 0.25 / 3])


def test_true_values_of_all_parameters_are_those_of_the_robot():
    robot = dynamis.load("genova-3r")
    law = SlotineLi(20, 5, 1, parameters="all", initial="zero")
    np.testing.assert_array_equal(law.signal_truth(robot)["parameters"], robot.inertial_parameters())
    names = law.signal_names(robot)["parameters"]
    assert (len(names), names["m1"], names["mz3"], names["Ixy2"]) == (30, "kg", "kg m", "kg m^2")


def test_the_ratio_without_gravity_is_not_drawn_where_there_is_no_torque():
    """A vertical arm about its own axis: the torque is zero but for rounding."""
    links = (
        Link("a", Joint("q1"), "base", 1, (0, 0, 0.2), Inertia.of(xx=0.01, yy=0.02, zz=0.02)),
        Link(
            "b",
            Joint("q2", axis=(0, 1, 0), before="Tz(0.4)"),
            "a",
            1,
            (0.2, 0, 0),
            Inertia.of(xx=0.01, yy=0.02, zz=0.02),
        ),
    )
    robot = Robot("upright", links, gravity=(0, 0, -9.81))
    found = dynamis.torque_budget(robot, quintic([0, 0], [0, 0.5], 1.0), samples=51)
    axes = found.figure("gravity-ratio").axes[0]
    assert "not drawn where the torque is below 2 %" in axes.get_title()
    (line,) = axes.get_lines()
    assert line.get_label() == "joint 2"
    assert np.isfinite(np.asarray(line.get_ydata(), dtype=float)).any()


def test_figures_without_a_meaning_are_not_drawn():
    robot = dynamis.load("bar-2r")
    still = quintic([0, 0.5], [0, 0.5], 1.0)
    weights = dynamis.torque_budget(robot, still, samples=5)
    assert _missing(weights) == ["tool", "torques-without-gravity", "gravity-ratio", "joints", "torque-speed", "power"]
    assert "not drawn, as no joint moves: tool, joints, torque-speed, power" in str(weights)
    with pytest.raises(ArgumentError, match='no figure "power": no joint moves'):
        weights.figure("power")
    nothing = dynamis.torque_budget(robot, still, samples=5, gravity=False)
    assert _missing(nothing) == list(nothing.document().figures)
    level = dynamis.torque_budget(robot, quintic([0, 0], [1, 1], 1.0), samples=5, gravity=False)
    assert _missing(level) == ["torques-without-gravity", "gravity-ratio"]
    assert "not drawn, as gravity has no part in the torques: torques-without-gravity" in str(level)


def _missing(budget: TorqueBudget) -> list[str]:
    return [name for name, figure in budget.document().figures.items() if figure.missing]


@pytest.mark.parametrize("form", ["html", "notebook"])
def test_tables_of_html_have_room_on_a_page_of_800_pixels(form: str):
    budget = dynamis.torque_budget(arm(7), quintic(np.zeros(7), np.full(7, 0.5), 1.0), samples=11)
    robots = [RobotDescription(robot) for robot in (dynamis.load("ur5"), arm(3))]
    pages = [result.page(form) for result in (budget, *robots, derive(arm(1).equations()))]
    tables = [table for page in pages for table in re.findall(r"<table(?! role).*?</table>", page, re.DOTALL)]
    assert len(tables) > 20
    for table in tables:
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]
        texts = [[unescape(re.sub("<[^>]*>", "", cell.replace("<wbr/>", " "))) for cell in row] for row in rows]
        widths = [max(len(word) for cell in column for word in cell.split(" ")) for column in zip(*texts, strict=True)]
        assert sum(widths) + 2 * (len(widths) - 1) <= TABLE_WIDTH, table


def test_names_in_tables_of_html_break_behind_their_parts():
    page = RobotDescription(arm(1)).page("html")
    assert "shoulder_<wbr/>pan_joint_<wbr/>of_the_left_<wbr/>arm_of_the_<wbr/>robot" in page


def test_rows_without_room_are_blocks():
    """Names that leave no room for a second column: one block per row, whose words stay whole."""
    name = "left_arm_shoulder_pan_joint_revolute"
    header, rows = ("", "joint", "on", "tau [N m]"), [("1", name, f"{name}_link", "0.5"), ("2", "q2", "", "1")]
    assert text_table(header, rows, [False, False, False, True], 60).splitlines() == [
        f"1  joint: {name}",
        f"    on: {name}_link",
        "    tau [N m]: 0.5",
        "2  joint: q2",
        "    tau [N m]: 1",
    ]


def test_words_in_names_stay_apart():
    assert [UNICODE.name(split(name)) for name in ("m_payload", "theta_off_1", "k_p1", "l_1")] == [
        "m_payload", "θ_off_1", "kp₁", "l₁",
    ]  # fmt: skip


def test_a_unit_stands_beside_its_numbers_in_every_part():
    """Forces and torques of a robot with both kinds of joints have a column of units, which goes with its numbers."""
    number = [Column(name, form=".3f") for name in ("peak torque", "RMS torque", "without gravity")]
    columns = (
        Column("joint"),
        number[0],
        Column("at", "s", ".3f"),
        *number[1:],
        Column("unit"),
        Column("work", "J", ".3f"),
    )
    rows = (("a" * 40, 1.0, 2.0, 3.0, 4.0, "N m", 5.0), ("b", 1.0, 2.0, 3.0, 4.0, "N", 5.0))
    page = render(Document("", (Table(columns, rows, keys=1),)), width=70)
    heads = [part.split("\n---")[0].split() for part in page.split("\n\n")]
    assert len(heads) > 1
    assert all("unit" in head for head in heads if {"torque", "without"} & set(head))
