"""Shapes of NumPy's arrays, entries of formulas, and primes for derivatives by time."""

import pytest

from dynamis import load
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.reading.source import AnswerError

ELBOW = load("planar-elbow")
COUPLING = "m2*(lc2**2 + l1*lc2*np.cos(q2)) + I2"
PROGRAM = f"""import numpy as np
M = np.array([[m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*np.cos(q2)) + I1 + I2, {COUPLING}],
              [{COUPLING}, m2*lc2**2 + I2]])
h = m2*l1*lc2*np.sin(q2)
c = np.array([-h*(2*dq1*dq2 + dq2**2), h*dq1**2])
G = np.array([(m1*lc1 + m2*l1)*g*np.cos(q1) + m2*lc2*g*np.cos(q1 + q2), m2*lc2*g*np.cos(q1 + q2)])
"""
FLAT, COLUMN = "qdd = np.array([ddq1, ddq2])\n", "qdd = np.array([[ddq1], [ddq2]])\n"


def verdict(text: str, file: str = "answer") -> str:
    try:
        return check_answer(ELBOW, text, file).verdict
    except AnswerError:
        return "refused"


@pytest.mark.parametrize("lines", [
    f"{FLAT}tau = M @ qdd + c + G", f"{COLUMN}tau = (M @ qdd).flatten() + c + G", "tau = np.dot(M, qdd) + c + G",
    f"{FLAT}tau = M @ qdd + c + G + np.zeros(2)", "qdd = [ddq1, ddq2]\ntau = M @ qdd + c + G",
    f"{COLUMN}tau = M @ qdd + c.reshape(2, 1) + G.reshape((-1, 1))",
    f"{FLAT}tau1 = M[0] @ qdd + c[0] + G[0]\ntau2 = (M @ qdd)[1] + c[1] + G[-1]",
    "r1 = np.array([M[0, 0], M[0, 1]])\nr2 = np.array([M[1, 0], M[1, 1]])\nM = np.array([r1, r2])",
    "dq = np.array([dq1, dq2])\nT = 0.5*dq.T @ M @ dq", "dq = np.array([[dq1], [dq2]])\nT = (dq.T @ M @ dq).item()/2",
    "dq = np.array([[dq1], [dq2]])\nT = (0.5*dq.T @ M @ dq)[0, 0]",
    "dq = np.array([[dq1], [dq2]])\nT = float(0.5*dq.T @ M @ dq)",
    "r = np.array([lc1*np.cos(q1), lc1*np.sin(q1), 0])\nw = np.array([0, 0, dq1])\nv = np.cross(w, r)\n"
    "T1 = 0.5*m1*(v[0]**2 + v[1]**2) + 0.5*I1*dq1**2",
    "r = np.array([lc1*np.cos(q1), lc1*np.sin(q1), 0])\nx = np.cross(r, np.array([0, m1*g, 0]))[2]\n"
    "G[0] = x + m2*g*l1*np.cos(q1) + m2*g*lc2*np.cos(q1 + q2)",
])  # fmt: skip
def test_arrays_of_fitting_shapes_are_read(lines: str) -> None:
    assert verdict(PROGRAM + lines, "answer.py") == "right"


@pytest.mark.parametrize("lines", [
    f"{COLUMN}tau = M @ qdd + c + G", f"{FLAT}tau = M @ qdd.reshape(-1, 1) + c + G",
    f"{FLAT}G = np.array([[G[0]], [G[1]]])\ntau = M @ qdd + c + G",
    f"{FLAT}x = np.zeros((2, 1))\ntau = M @ qdd + c + G + x",
])  # fmt: skip
def test_a_column_and_a_vector_of_numpy_do_not_add_up_to_a_vector(lines: str) -> None:
    report = check_answer(ELBOW, PROGRAM + lines, "answer.py")
    assert report.verdict == "incomplete"
    assert "arrays of shapes (2,) and (2, 1) give 2x2 in NumPy; give both the same shape" in report.unread[0].problem


def test_a_vector_of_zeros_is_no_matrix_in_numpy() -> None:
    report = check_answer(ELBOW, "import numpy as np\nG = np.zeros(2)")
    assert [entry.name for entry in report.entries] == ["g[1]", "g[2]"]
    assert [entry.right for entry in report.entries] == [False, False]


def test_sympys_product_of_a_row_and_a_column_has_one_entry() -> None:
    text = "p = Matrix([lc1*cos(q1), lc1*sin(q1)])\nv = p.diff(q1)*dq1\nT1 = m1*(v.T*v)[0]/2 + I1*dq1**2/2"
    assert verdict(text) == "right"
    assert verdict(text.replace("[0]", "[1]"), "answer.py") == "refused"


@pytest.mark.parametrize(("text", "expected"), [
    ("T1 = 1/2*(m1*lc1^2 + I1)*q1'^2", "right"), ("T1 = 1/2 (m1 lc1\u00b2 + I1) q\u2081\u2032\u00b2", "right"),
    (r"T_1 = \frac{1}{2} (m_1 l_{c1}^2 + I_1) q_1'^2", "right"), ("T1 = 1/2*(m1*lc1^2 + I1)*theta1'^2", "right"),
    (r"T_1 = \frac{1}{2} (m_1 l_{c1}^2 + I_1) (q'_1)^2", "right"), ("T1 = 1/2*(m1*lc1^2 + I1)*q1''^2", "wrong"),
    ("T1 = 1/2*(m1*lc1^2 + I1)*q1'^2;", "refused"), ("T1 = 1/2*(m1*lc1^2 + I1)*q1", "wrong"),
])  # fmt: skip
def test_a_prime_is_a_derivative_by_time_where_it_is_no_transpose(text: str, expected: str) -> None:
    assert verdict(text) == expected
    assert verdict(text, "answer.m") != "right" or "\\frac" in text


def test_primes_of_vectors_by_hand() -> None:
    text = PROGRAM.replace("import numpy as np\n", "").replace("np.", "").replace("dq1", "q1'").replace("dq2", "q2'")
    assert verdict(f"{text}tau = M @ q'' + c + G") == "right"
