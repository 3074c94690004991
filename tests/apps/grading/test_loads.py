"""Answers under loads: what the tool exerts, the recursion, the torques, J^T w."""

import pytest

import dynamis
from dynamis import DynamisError, Force, ToolWrench
from dynamis.apps.grading.check import check_answer
from tests.support.answers import faultless

WRENCH = ToolWrench("exerted_by_tool", ("fx", "fy", 0), (0, 0, "nz"), "tool")  # type: ignore[arg-type]
ANSWER = """
f3 = [fx; fy; 0]
n3 = [0; 0; nz]
f2[1] = m2*(l1*sin(q2)*ddq1 - l1*cos(q2)*dq1^2 - lc2*(dq1 + dq2)^2 + g*sin(q1 + q2)) + fx
Q[2] = -l2*fy - nz
tau[2] = (I2 + m2*lc2^2)*(ddq1 + ddq2) + m2*l1*lc2*(cos(q2)*ddq1 + sin(q2)*dq1^2) + m2*g*lc2*cos(q1 + q2) + l2*fy + nz
"""


def test_an_answer_under_a_tool_wrench() -> None:
    report = check_answer(dynamis.load("planar-elbow"), ANSWER, loads=[WRENCH])
    assert faultless(report)
    assert {"f3[1]", "n3[3]", "f2[1]", "Q[2]", "tau[2]"} <= {entry.name for entry in report.entries}


def test_a_load_with_the_wrong_sign() -> None:
    report = check_answer(dynamis.load("planar-elbow"), ANSWER.replace("l2*fy + nz", "l2*fy - nz"), loads=[WRENCH])
    assert [entry.name for entry in report.entries if entry.status != "equal"] == ["tau[2]"]


def test_a_condition_on_a_symbol_of_a_load() -> None:
    report = check_answer(dynamis.load("planar-elbow"), "given fy = 10\nQ[2] = -10*l2 - nz", loads=[WRENCH])
    assert faultless(report)


def test_without_loads_nothing_is_exerted() -> None:
    robot = dynamis.load("planar-elbow")
    assert check_answer(robot, "f3 = [0; 0; 0]\nn3 = [0; 0; 0]").right
    with pytest.raises(DynamisError, match="there is no link 4; the robot has links 1 to 2"):
        check_answer(robot, "f4 = [0; 0; 0]")
    with pytest.raises(DynamisError, match="Q is the generalised force of the loads, and there are none"):
        check_answer(robot, "Q[1] = 0")


def test_Q_may_be_a_name_of_ones_own() -> None:
    answer = "Q = m2*l1*lc2\nM[1,2] = I2 + m2*lc2^2 + Q*cos(q2)"
    for loads in ([], [Force("link1", (0, "-F", 0))]):  # type: ignore[list-item]
        assert faultless(check_answer(dynamis.load("planar-elbow"), answer, loads=loads))  # type: ignore[arg-type]
