"""Whole answers as students hand them in, for three arms: right as they stand, and each slip is named.

`students/ROBOT/` has programs in MATLAB, NumPy and SymPy (as .py.txt: they are read, never run), LaTeX and notes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import dynamis
from dynamis.apps.grading.judging.report import Report
from dynamis.grading import check_answers

STUDENTS = Path(__file__).parent / "students"
FILES = sorted(path for path in STUDENTS.glob("*/*") if path.suffix != ".toml")


@cache
def robot_of(folder: str) -> dynamis.Robot:
    path = STUDENTS / folder / "robot.toml"
    return dynamis.load(path if path.exists() else folder)


def checked(path: Path, old: str = "", new: str = "") -> Report:
    text = path.read_text(encoding="utf-8")
    assert old in text
    return dynamis.check_answer(robot_of(path.parent.name), text.replace(old, new, 1) if old else text, path.name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_right_answer_is_right(path: Path):
    report = checked(path)
    assert report.verdict == "right", str(report)
    assert not report.unread, str(report)


@pytest.mark.parametrize(
    ("name", "old", "new", "entry", "said"),
    [
        ("planar-elbow/function.m", "2*l1*lc2*cos(q(2))", "l1*lc2*cos(q(2))", "M[1,1]", "factor 1, it should be 2"),
        ("planar-elbow/function.m", "h = -m2", "h = m2", "C[1,1]", "wrong sign"),
        ("planar-elbow/function.m", "cos(q(1)+q(2)); ...", "cos(q(2)); ...", "g[1]", "q2"),
        ("planar-elbow/symbolic.m", "lc2.*cos(q2)) + I2;", "lc2.*cos(q2));", "M[1,2]", "missing: I2"),
        ("planar-elbow/symbolic.m", "lc2*sin(q1+q2)", "l2*sin(q1+q2)", "U", "l2 instead of lc2"),
        ("planar-elbow/numpy_function.py.txt", "[[-h*dq2, -h", "[[h*dq2, -h", "C[1,1]", "wrong sign"),
        ("planar-elbow/numpy_zero.py.txt", "2*qd[0]*qd[1]", "qd[0]*qd[1]", "c[1]", "factor"),
        ("planar-elbow/numpy_zero.py.txt", "+= I1 + I2", "+= I1", "M[1,1]", "missing: I2"),
        ("planar-elbow/lagrange_sympy.py.txt", "+ I2*(dq1 + dq2)**2/2", "+ I2*dq2**2/2", "T2", "missing"),
        ("planar-elbow/lagrange_sympy.py.txt", "q1.diff(t, t)", "q2.diff(t, t)", "tau[2]", "ddq"),
        ("planar-elbow/align.tex", r"2 \dot{\theta}_1 \dot{\theta}_2 +", "", "tau[1]", "missing"),
        ("planar-elbow/align.tex", r"g c_{12}", r"g c_1", "tau[2]", "yours has"),
        ("planar-elbow/matrices.tex", "s_2 .", "c_2 .", "C[1,1]", "cos(q2)"),
        ("planar-elbow/notes.txt", "c2 = m2", "c2 = -m2", "c[2]", "wrong sign"),
        ("spatial-3r/model.m", "c(2,1) = h12", "c(2,1) = -h12", "c[2]", "should be h12*dq1^2"),
        ("spatial-3r/model.m", "m2*g*r2*c2", "m2*g*r2*s2", "g[2]", "m2*r2*g*cos(q2)"),
        ("spatial-3r/lagrange.py.txt", "a2*sin(q2) + r3", "a2*sin(q2) - r3", "U", "wrong sign"),
        ("spatial-3r/lagrange.py.txt", "I2*(dq2**2 + (cos(q2)*dq1)**2)/2", "I2*dq2**2/2", "T", "missing"),
        ("spatial-3r/report.tex", "2 a_2 r_3 c_3", "a_2 r_3 c_3", "M[2,2]", "factor 1, it should be 2"),
        ("spatial-3r/arrays.py.txt", "m2*r2 + m3*a2", "m2*r2 + m2*a2", "g[2]", "m2 instead of m3"),
        ("polar/homework.m", "V = [2*m2", "V = [m2", "c[1]", "it should be 2"),
        ("polar/homework.m", "-m2*d2*theta1_dot^2", "m2*d2*theta1_dot^2", "c[2]", "wrong sign"),
        ("polar/energies.py.txt", "r**2*th.diff", "r*th.diff", "T", "missing factor r"),
        ("polar/answer.tex", r"\sin\theta_1", r"\cos\theta_1", "tau[2]", "sin(theta1)"),
    ],
)  # fmt: skip
def test_a_slip_is_named(name: str, old: str, new: str, entry: str, said: str):
    report = checked(STUDENTS / name, old, new)
    assert report.verdict == "wrong"
    assert not report.unread, str(report)
    verdict = next(verdict for verdict in report.wrong if verdict.name == entry)
    assert said in "\n".join(verdict.sentences), verdict.sentences


def test_a_parameter_with_the_name_of_an_entry():
    """m11 = M + m11 may be meant as M[1,1] or as a mass: it is refused, and the other lines are compared."""
    report = dynamis.check_answer(robot_of("cart"), "m11 = M + m11\nM22 = T + m11*c1^2")
    assert "m11 is a parameter of this robot, and may be M[1,1]; write M[1,1] = ... or given m11 = ..." in str(
        report.unread[0]
    )
    assert [verdict.status for verdict in report.entries] == ["equal"]


def test_several_answers():
    answers = {"a": "g[2] = m2*lc2*g*c12", "b": "M[1,1 = 3", "c": "U = 0"}
    reports = check_answers(robot_of("planar-elbow"), answers)
    assert {file: report.verdict for file, report in reports.reports.items()} == {"a": "incomplete", "c": "wrong"}
    assert list(reports.refused) == ["b"]
    assert not reports.right
    for form in ("text", "html", "latex", "json"):
        assert "cannot be read" in reports.page(form) or form == "json"
