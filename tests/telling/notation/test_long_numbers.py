"""Products of decimals have dozens of digits; a page shows twelve and says so, and reads back as the exact ones."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from dynamis import Robot
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.telling.forms.tree import Number, Power, Product, Sum, Symbol
from dynamis.telling.notation.numerals import round_tree
from dynamis.telling.renderers.page import render

URDF = """<robot name="arm"><link name="base"/>
<link name="upper"><inertial><mass value="1.2345678"/><origin xyz="0.1234567 0.0123456 0"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="hand"><inertial><mass value="0.1234567"/><origin xyz="0.7654321 0 0"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="q1" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="fix" type="fixed"><parent link="upper"/><child link="hand"/><origin xyz="0.3333333 0 0"/></joint>
</robot>"""


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot.from_model(read_urdf(URDF, "arm.urdf"))


@pytest.mark.parametrize("form", ["text", "latex", "markdown", "html", "typst"])
def test_a_page_shows_twelve_digits_and_says_so(robot: Robot, form: str) -> None:
    page = render(derive(robot.equations()), form)
    longest = max(len(run) for run in "".join(c if c.isdigit() or c == "." else " " for c in page).split())
    assert longest <= 18
    assert "rounded to 12 on this page" in page


def test_the_page_reads_back(robot: Robot) -> None:
    report = check_answer(robot, render(derive(robot.equations())))
    assert report.right
    assert report.entries


def test_whole_pages_and_json_are_exact(robot: Robot) -> None:
    model = robot.equations()
    exact = "0.367864207181436833514"
    assert str(model.M[0, 0]) == str(Fraction(exact))
    for page in (render(derive(model), whole=True), json.loads(render(derive(model), "json"))["steps"][-1]):
        assert exact in str(page)
        assert "rounded" not in str(page)


def test_only_long_numbers_are_rounded() -> None:
    long, x = Number(Fraction(1, 3**40)), Symbol("x")
    for tree in (x, Number(Fraction(1, 3)), Number(Fraction("0.1234567890123456")), Number(Fraction(10**30))):
        assert round_tree(tree) is tree
    assert round_tree(Sum((x, Product((long, Power(Sum((long, x)), 2)))))) != Sum((x, Product((long, x))))
    assert round_tree(long) == Number(Fraction("8.22526333997E-20"))
