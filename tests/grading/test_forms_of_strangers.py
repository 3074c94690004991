"""Roots as powers, degrees, own angles by their relation, sliders in angles, and gravity in numbers."""

from pathlib import Path

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.errors import DynamisError
from dynamis.grading.check import check_answer

ELBOW = dynamis.load("planar-elbow")
TILTED = Robot(
    "tilted",
    (
        Link("a", Joint("q1", before="Rx(pi/3)"), "base", "m", ("l", "0", "0"), Inertia.of()),
        Link("b", Joint("q2", "prismatic"), "a", "m", ("l", "0", "0"), Inertia.of()),
    ),
    parameters={"m": "", "l": ""},
    gravity=("0", "-9.81", "0"),
)
"""g[1] = 9.81 m l cos(q1), g[2] = -9.81 sqrt(3)/2 m."""
SLIDER = """[robot]
name = "rack"
convention = "offset"
gravity = [0, "-g", 0]
[parameters]
m = "mass"
lc = "length"
g = "gravity"
[[link]]
name = "slider"
joint = { kind = "prismatic", name = "q1" }
axis = [0, 0, 1]
mass = "m"
com = [0, 0, 0]
[[link]]
name = "pinion"
joint = { kind = "revolute", name = "r", coupling = { q1 = 2 } }
axis = [0, 0, 1]
mass = "m"
com = ["lc", 0, 0]
"""


def statuses(robot: Robot, text: str) -> list[bool]:
    return [entry.right for entry in check_answer(robot, text).entries]


@pytest.mark.parametrize(
    "number",
    [
        "3^(1/2)/2", "3^0.5/2", "3**(1/2)/2", "3**0.5/2", "3^(3/2)/6", "3/2*3^(-1/2)", "12^(1/2)/4", "(3/4)^(1/2)",
        "3^{1/2}/2", "3^1.5/6", "cosd(30)", "sind(60)", "cos(deg2rad(30))", "np.sin(np.radians(60))", "0.8660",
        "2*cosd(30) - sind(60)", "sin(1.0472)",
    ],
)  # fmt: skip
def test_a_root_and_degrees_as_programs_have_them(number: str):
    assert statuses(TILTED, f"g[2] = -9.81*m*{number if ' ' not in number else f'({number})'}") == [True]


@pytest.mark.parametrize("number", ["3^(1/2)", "3^(-1/2)/2", "3^(3/2)/2", "3^1.5/2", "cosd(60)", "cosd(31.0)"])
def test_another_root_or_angle_is_not_right(number: str):
    assert statuses(TILTED, f"g[2] = -9.81*m*{number}") == [False]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("let q1 = phi1 - pi/2\ng[1] = (m1*lc1 + m2*l1)*g*sin(phi1) + m2*lc2*g*sin(phi1 + q2)", True),
        ("let q1 = phi1 - pi/2\ng[1] = (m1*lc1 + m2*l1)*g*cos(phi1) + m2*lc2*g*sin(phi1 + q2)", False),
        ("let q1 = pi/2 - phi1\ng[2] = m2*lc2*g*sin(phi1 - q2)", True),
        ("let q1 = -phi1 + pi/2\ng[2] = m2*lc2*g*sin(phi1 - q2)", True),
        ("let q1 = phi1, q2 = phi2 - phi1\ng[2] = m2*lc2*g*cos(phi2)", True),
        ("let q1 = phi1, q2 = phi2 - phi1\ng[2] = m2*lc2*g*cos(phi1 + phi2)", False),
        ("let q2 = phi2 - q1\nc[2] = m2*l1*lc2*sin(phi2 - q1)*dq1^2", True),
        ("let q2 = phi2 - q1\nc[1] = -m2*l1*lc2*sin(q2)*(2*dq1 + dphi2 - dq1)*(phi2dot - dq1)", True),
        ("let q2 = phi2 - q1\nc[1] = -m2*l1*lc2*sin(q2)*(2*dq1 + dphi2)*(phi2dot - dq1)", False),
        ("let q2 = phi2 - q1\ntau2 = (m2*lc2^2 + I2)*ddphi2 + m2*l1*lc2*(cos(q2)*ddq1 + sin(q2)*dq1^2)"
         " + m2*lc2*g*cos(phi2)", True),
    ],
)  # fmt: skip
def test_own_angles_by_their_relation(text: str, right: bool):
    assert statuses(ELBOW, text) == [right]


def test_a_slider_in_an_angle(tmp_path: Path):
    (tmp_path / "rack.toml").write_text(SLIDER)
    rack = dynamis.load(tmp_path / "rack.toml")
    assert statuses(rack, "g[1] = 2*m*g*lc*cos(2*q1)") == [True]
    assert statuses(rack, "g[1] = 2*m*g*lc*cos(r)") == [True]
    assert statuses(rack, "g[1] = 2*m*g*lc*(1 - 2*sin(q1)^2)") == [True]
    assert statuses(rack, "g[1] = 2*m*g*lc*(1 - 2*sin(q1/2)^2)") == [False]
    assert statuses(rack, "g[1] = 2*m*g*lc*cos(4*q1)") == [False]
    lagrange = "T = m*dq1^2 + 2*m*lc^2*dq1^2\nU = m*g*lc*sin({}*q1)\nL = T - U\ntau = diff(L, dq1, t) - diff(L, q1)"
    assert statuses(rack, lagrange.format(2)) == [True, True, True]
    assert statuses(rack, lagrange.format(1)) == [True, False, False]


def test_the_sine_of_a_real_slider_is_wrong_and_not_unread():
    report = check_answer(TILTED, "g = [9.81*m*l*cos(q1); -9.81*m*sin(q2)]")
    assert report.verdict == "wrong"
    assert not report.unread
    lagrange = "U = -9.81*3^(1/2)/2*m*q2 + m*9.81*l*sin(q1) + sin(q2)\nG = jacobian(U, [q1, q2])'"
    assert not all(statuses(TILTED, lagrange))


def test_gravity_that_is_a_number():
    hint = "the gravity of this robot is a number: write 9.81, or a line let g = 9.81 above"
    with pytest.raises(DynamisError, match=f'unknown symbol "g"; {hint}'):
        check_answer(TILTED, "g[2] = -g*m*cosd(30)")
    with pytest.raises(DynamisError, match=f"this line is defined by itself; {hint}"):
        check_answer(TILTED, "g = [2*g*m*l*cos(q1); -g*m*cosd(30)]")
    for line in ("let g = 9.81", "g = 9.81", "g = 9.81;"):
        assert statuses(TILTED, f"{line}\nG[2] = -g*m*cosd(30)") == [True]
    assert statuses(TILTED, "g = 9.8\nG[2] = -g*m*cosd(30)") == [False]
