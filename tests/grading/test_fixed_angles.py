"""Angles in numbers that depend on each other, and points that show small differences."""

import re

import pytest

from dynamis import Inertia, Joint, Link, Robot
from dynamis.grading.check import check_answer
from dynamis.grading.judging.report import FIXED_ANGLES, UNPROVED


def arm(first: str, second: str) -> Robot:
    """A 2R with a slide, fixed angles before joints 2 and 3; a point mass on every link."""
    links = (
        Link("a", Joint("q1"), "base", "m", ("l", "0", "0"), Inertia.of()),
        Link("b", Joint("q2", before=f"Tx(l) Rx({first})"), "a", "m", ("l", "0", "0"), Inertia.of()),
        Link("c", Joint("q3", "prismatic", before=f"Rx({second})"), "b", "m", ("l", "0", "0"), Inertia.of()),
    )
    return Robot("arm", links, parameters={"l": "", "m": "", "g": ""}, gravity=("0", "0", "-g"))  # type: ignore[arg-type]


@pytest.fixture
def robot() -> Robot:
    return arm("37*pi/180", "53*pi/180")


@pytest.mark.parametrize(
    "text",
    [
        "g[2] = m*g*(q3*cos(37*pi/180)*sin(q2) + 2*l*cos(q2))*sin(37*pi/180)",
        "g[2] = m*g*(q3*sin(53*pi/180)*sin(q2) + 2*l*cos(q2))*cos(53*pi/180)",
        "g[2] = m*g*(q3*sin(74*pi/180)/2*sin(q2) + 2*l*cos(q2)*sin(143*pi/180))",
        "g[2] = m*g*q3*cos(16*pi/180)/2*sin(q2) + 2*m*g*l*cos(q2)*cos(53*pi/180)",
    ],
)
def test_complements_and_multiples_are_known(robot: Robot, text: str):
    assert [e.status for e in check_answer(robot, text).entries] == ["equal"]


@pytest.mark.parametrize(
    ("angles", "text"),
    [
        # cos 36 - cos 72 = 1/2, and cos 36 cos 72 = 1/4: both hold for these angles only.
        (("pi/5", "2*pi/5"), "M[3,3] = 2*m*(cos(pi/5) - cos(2*pi/5))"),
        (("pi/5", "2*pi/5"), "M[3,3] = 4*m*cos(pi/5)*cos(2*pi/5)"),
        (("pi/8", "pi/8"), "M[3,3] = m*(2*sin(pi/8)^2 + sqrt(2)/2)"),
        (("37*pi/180", "67*pi/180"), "M[3,3] = m*2*(cos(67*pi/180) + sin(37*pi/180)/2)/(sqrt(3)*cos(37*pi/180))"),
    ],
)
def test_what_is_equal_for_these_angles_is_not_wrong(angles: tuple[str, str], text: str):
    (entry,) = check_answer(arm(*angles), text).entries
    assert entry.status == FIXED_ANGLES
    assert entry.stated == "equal, by relations between fixed angles"


def test_what_is_equal_to_all_digits_and_not_proved_says_so():
    """n = 720000 is too large for the field of the n-th roots of one."""
    robot = arm("37.123*pi/180", "67.123*pi/180")
    report = check_answer(
        robot, "M[3,3] = 2*m*(cos(67.123*pi/180) + sin(37.123*pi/180)/2)/(sqrt(3)*cos(37.123*pi/180))"
    )
    assert report.entries[0].status == UNPROVED
    assert str(report) == (
        "answer against arm\n\n"
        "entry   verdict\n"
        "------  ----------------------------------------------------------------------------------------\n"
        "M[3,3]  equal as far as 100 digits tell: for the fixed angles of this robot, which is not proved\n"
        "1 of 6 entries are right, compared exactly with arm; 1 of them without a proof\n"
        "incomplete: M[1,1], M[1,2], M[1,3], M[2,2], M[2,3] are not given"
    )


def test_a_wrong_answer_stays_wrong_and_shows_it(robot: Robot):
    (entry,) = check_answer(robot, "M[3,3] = m*(cos(37*pi/180)^2 + cos(53*pi/180))").entries
    assert entry.status == "wrong"
    assert entry.point is not None


@pytest.mark.parametrize("factor", ["1.000000001", "1.0000000001", "1.00001"])
def test_both_values_of_a_point_print_differently(robot: Robot, factor: str):
    (entry,) = check_answer(robot, f"M[3,3] = {factor}*m").entries
    assert entry.point is not None
    found = re.fullmatch(r"at .*: yours is (\S+), it should be (\S+)", entry.point.text())
    assert found is not None
    assert found[1] != found[2]
