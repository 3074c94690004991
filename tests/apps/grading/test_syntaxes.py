"""What students hand in for two planar arms: MATLAB, Octave, SymPy, NumPy, LaTeX and plain text.

Every answer is right as it stands, and wrong with each of its slips: a sign, an index, a factor, a forgotten term.
"""

from __future__ import annotations

import json

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.reading.source import AnswerError
from tests.support.answers import faultless

ELBOW, BAR = "planar-elbow", "bar-2r"
M11, M12, M22 = (
    "m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2",
    "m2*(lc2^2 + l1*lc2*cos(q2)) + I2",
    "m2*lc2^2 + I2",
)
G1, G2 = "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)", "m2*lc2*g*cos(q1 + q2)"
MATRICES = f"""M = [{M11}, {M12}; {M12}, {M22}]
h = m2*l1*lc2*sin(q2)
C = [-h*dq2, -h*(dq1 + dq2); h*dq1, 0]
"""
MATLAB = """function tau = elbow(q, dq, ddq)
% planar elbow; angles in radians
M = zeros(2,2);
M(1,1) = m1.*lc1.^2 + m2.*(l1.^2 + lc2.^2 + 2.*l1.*lc2.*cos(q(2))) + I1 + I2;
M(1,2) = m2*(lc2^2 + l1*lc2*cos(q(2))) + ... the coupling
         I2;
M(2,1) = M(1,2);
M(2,2) = lc2.^2.*m2 + I2;
h = m2*l1*lc2*sin(q(2));
C = [-h*dq(2) -h*(dq(1) + dq(2))
      h*dq(1)  0];
G = [(m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1) + q(2)); ...
     m2*lc2*g*cos(q(1) + q(2))];
tau = M*ddq + C*dq + G;
end
"""
NUMPY = """import numpy as np

def dynamics(q, dq, ddq):
    M = np.array([[m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*np.cos(q[1])) + I1 + I2,
                   m2*(lc2**2 + l1*lc2*np.cos(q[1])) + I2],
                  [m2*(lc2**2 + l1*lc2*np.cos(q[1])) + I2, m2*lc2**2 + I2]])
    c = np.array([-m2*l1*lc2*np.sin(q[1])*(2*dq[0]*dq[1] + dq[1]**2), m2*l1*lc2*np.sin(q[1])*dq[0]**2])
    g = np.array([(m1*lc1 + m2*l1)*g*np.cos(q[0]) + m2*lc2*g*np.cos(q[0] + q[1]),
                  m2*lc2*g*np.cos(q[0] + q[1])])
    tau = M @ ddq + c + g
    return tau
"""
PYTHON = """M = zeros((2, 2))
M[0][0] = m1*lc1**2 + I1
M[0][0] += m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q[1])) + I2
M[0, 1] = M[1, 0] = m2*(lc2**2 + l1*lc2*cos(q[1])) + I2
M[1, 1] = m2*lc2**2
M[1, 1] = M[1, 1] + I2
T = Rational(1, 2)*dq.T*M*dq
"""
SYMPY = """from sympy import *
m1, m2 = symbols("m1 m2")
dq = Matrix([dq1, dq2])
M = Matrix(2, 2, [m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I1 + I2, m2*(lc2**2 + l1*lc2*cos(q2)) + I2,
                  m2*(lc2**2 + l1*lc2*cos(q2)) + I2, m2*lc2**2 + I2])
T = simplify((dq.T*M*dq)/2)
"""
LATEX = r"""
M(q) = \begin{bmatrix} m_1 l_{c1}^2 + m_2 (l_1^2 + l_{c2}^2 + 2 l_1 l_{c2} \cos q_2) + I_1 + I_2
   & m_2 (l_{c2}^2 + l_1 l_{c2} \cos q_2) + I_2 \\
   m_2 (l_{c2}^2 + l_1 l_{c2} \cos q_2) + I_2 & m_2 l_{c2}^2 + I_2 \end{bmatrix}
C(q, \dot q) = m_2 l_1 l_{c2} \sin q_2 \begin{bmatrix} -\dot q_2 & -\dot q_1 - \dot q_2 \\ \dot q_1 & 0 \end{bmatrix}
g(q) = \begin{bmatrix} (m_1 l_{c1} + m_2 l_1) g \cos q_1 + m_2 l_{c2} g \cos(q_1 + q_2) \\
   m_2 l_{c2} g \cos(q_1 + q_2) \end{bmatrix}
\tau = M(q) \ddot{q} + C(q, \dot q) \begin{bmatrix} \dot q_1 \\ \dot q_2 \end{bmatrix} + g(q)
T = \frac{1}{2} \dot{q}^T M(q) \dot{q}
"""
ANSWERS = {
    MATLAB: [
        ELBOW, "lc2.^2.*m2 -> lc2.^2.*m1", "l1*lc2*cos(q(2))) -> l1*lc2*cos(q(1)))", "-h*dq(2) -> +h*dq(2)",
        "2.*l1 -> l1", "dq(2))\n -> dq(2))/2\n", "C*dq -> C*ddq", "M*ddq + -> M*ddq - ",
        "M(2,1) = M(1,2) -> M(2,1) = M(1,1)",
    ],
    NUMPY: [
        ELBOW, "dq[0]**2 -> dq[1]**2", "M @ ddq -> M @ dq", "2*dq[0] -> dq[0]", "+ c + g -> + c - g",
        "q[0] + q[1]) -> q[0] - q[1])",
    ],
    PYTHON: [
        ELBOW, "] += -> ] -= ", "Rational(1, 2) -> Rational(1, 3)", "M[1, 1] + I2 -> M[1, 1] - I2",
        "(lc2**2 + l1*lc2*cos(q[1])) -> (lc2**2 + l1*lc2*cos(q[0]))",
    ],
    SYMPY: [ELBOW, "dq1, dq2] -> dq2, dq1]", "*dq)/2 -> *dq)/4", "(2, 2, [m1 -> (2, 2, [m2"],
    LATEX: [
        ELBOW, r"\sin q_2 \begin -> \cos q_2 \begin", r"\ddot{q} + -> \ddot{q} -", r"\frac{1}{2} -> \frac{1}{3}",
        r"-\dot q_2 & -> \dot q_2 &",
    ],
    f"{MATRICES}G = [{G1}; {G2}]\ntau = M*[ddq1;ddq2] + C*[dq1;dq2] + G": [
        ELBOW, "[ddq1;ddq2] -> [ddq2;ddq1]", "+ G -> - G", "[dq1;dq2] + -> [dq1;dq1] + ", "C*[ -> 2*C*[",
    ],
    f"{MATRICES}g = [{G1}; {G2}]\ntau = g + C*qd + M*qdd\nc = C*dq": [
        ELBOW, "tau = g + -> tau = g - ", "c = C*dq -> c = C'*dq", "C*qd -> C*q",
    ],
    f"{MATRICES}g = [{G1}; {G2}]\nM(q)*ddq + C(q,dq)*dq + g(q) = tau": [
        ELBOW, "+ g(q) -> - g(q)", "M(q)*ddq -> M(q)*dq",
    ],
    f"{MATRICES}G = [{G1}; {G2}]\n" r"\begin{bmatrix} \tau_1 \\ \tau_2 \end{bmatrix} = M \ddot q + C \dot q + G": [
        ELBOW, "+ G -> - G", r"\ddot q -> \dot q",
    ],
    f"M11 = {M11}\nM12 = {M12}\nM22 = {M22}\ng(1) = {G1}; g(2) = {G2};\n"
    "c1 = -m2*l1*lc2*sin(q2)*(2*dq1*dq2 + dq2^2)\nc2 = m2*l1*lc2*sin(q2)*dq1^2\n"
    "qdd = [ddq1; ddq2]\ntau = M*qdd + c + g": [
        ELBOW, "qdd = [ddq1; ddq2] -> qdd = [ddq1; dq2]", "+ c + g -> + c", "dq1^2\n -> dq2^2\n",
    ],
    f"M(1,:) = [{M11}, {M12}];\nM(2,:) = [M(1,2), {M22}];\nT = 1/2*dq'*M*dq": [
        ELBOW, "M(1,2), -> M(1,1), ", "1/2*dq' -> dq'",
    ],
    f"M = [M11 M12; M12 M22]\nM11 = {M11}\nM12 = {M12}\nM22 = {M22}\n": [
        ELBOW, "[M11 M12; -> [M11 -M12; ", "M12 M22] -> M12 M11]",
    ],
    f"h = -m2*l1*lc2*sin(q2)\nC = [h*dq2 h*dq1+h*dq2; -h*dq1 0]\ng = [{G1}\n{G2}]": [
        ELBOW, "-h*dq1 0 -> h*dq1 0", "h*dq1+h -> h*dq1-h",
    ],
    "J = [-l1*sin(q1) - l2*sin(q1+q2) -l2*sin(q1+q2)\n l1*cos(q1) + l2*cos(q1+q2) l2*cos(q1+q2)]": [
        ELBOW, "cos(q1) + -> cos(q1) - ", "q2) -l2*sin -> q2) l2*sin",
    ],
    "g = g*[(m1/2 + m2)*L1*cos(q1) + m2*L2/2*cos(q1+q2); m2*L2/2*cos(q1+q2)]": [
        BAR, "m1/2 -> m1", "+ m2*L2/2*cos(q1+q2); -> ; ",
    ],
    "[g1; g2] = g*[(m1/2 + m2)*L1*c1 + m2*L2/2*c12; m2*L2/2*c12]": [BAR, "c12; -> s12; ", "L2/2*c12] -> L2*c12]"],
    "M22 = m2*L2^2/4\nM22 += m2*L2^2/12": [BAR, "+= -> -=", "/12 -> /3"],
    "M22 = m2*L2^2\nM22 /= 3": [BAR, "/= 3 -> *= 3"],
    "M22 = m(2)*L(2)^2/3\ng(2) = m(2)*g*L(2)/2*cos(q(1)+q(2))": [
        BAR, "m(2)*L -> m(1)*L", "L(2)/2 -> L(2)/3", "q(1)+q(2) -> q(1)-q(2)",
    ],
    "g[1] = m2*g*L2/2*cos(q[0] + q[1])": [BAR, "q[0] + -> q[0] - ", "g[1] = -> g[0] ="],
    "U = [m1 m2]*[L1/2*sin(q1); L1*sin(q1) + L2/2*sin(q1+q2)]*g": [BAR, "[m1 m2] -> [m2 m1]", "*g -> *g/2"],
    "M[2,2] = (L2/2)^2*m2 + 1/12*m2*L2**2  # Steiner": [BAR, "1/12 -> 1/3"],
}  # fmt: skip
"""The answer, and for it the robot and the slips."""


@pytest.mark.parametrize("text", ANSWERS, ids=range(len(ANSWERS)))
def test_a_right_answer_is_right_and_each_slip_is_found(text: str):
    name, *slips = ANSWERS[text]
    robot = dynamis.load(name)
    report = check_answer(robot, text)
    assert faultless(report), str(report)
    for slip in slips:
        old, new = slip.split(" -> ")
        assert old in text, slip
        found = check_answer(robot, text.replace(old, new, 1))
        assert found.wrong, f"{slip}\n{found}"
        assert not found.unread, f"{slip}\n{found}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("M22 += I2", "M22 += has nothing to change: no line above gives M22; write M22 = ... first"),
        ("c = M*[1; 2; 3]\nM = [1, 2; 3, 4]", "a 2x2 matrix times a 3x1 matrix is not a product"),
        ("tau = M*qdd\nM = [1, 2; 3, 4]\nc = [1; 2] + I1", "a 2x1 matrix and a scalar cannot be added"),
        ("M11 = q1';", "' transposes a matrix, and this is a scalar; write dq1 for the velocity"),
        ("M11 = [1, 2; 3, 4]^2", "a 2x2 matrix has no power here; write .^ for the powers of its entries"),
        ("M11 = 1/[1; 2]", "a scalar cannot be divided by a 2x1 matrix; write ./ to divide entry by entry"),
        ("M11 = sin([q1; q2])", "a scalar is expected here, and this is a 2x1 matrix"),
        ("tau = M*qdd + c + g\nM11 = I1\nM12 = I2", "M is used here, and no line gives M[2,2]; write it out"),
        ("M11 = m1(2)", 'an operator such as * is missing between "m1" and its bracket'),
        ("M11 = M(1,:)*ddq\nM = [1, 2; 3, 4]", "an index such as M(1,2) is expected here"),
        ("M11 = q(3)", "q[3] is not given in this file"),
        ("M = zeros(90, 90)", "zeros takes a number of rows and of columns, at most 2500 entries"),
        ("M11 = I1 = I2 += 3", "+= cannot share a line with another equals sign"),
    ],
)
def test_what_matrices_cannot_be(text: str, problem: str):
    try:
        problems = [line.problem for line in check_answer(dynamis.load(ELBOW), text).unread]
    except dynamis.DynamisError as error:
        problems = [str(error)]
    assert any(problem in said for said in problems), problems


def test_a_matrix_may_have_a_minus_before_it():
    report = check_answer(
        dynamis.load(ELBOW), f"M = -[-({M11}), -({M12}); -({M12}), -({M22})]\ng = -[-({G1}); -({G2})]"
    )
    assert (len(report.entries), report.right) == (6, True)


def test_a_line_that_cannot_be_read_does_not_hide_the_others():
    text = f"M22 = {M22}\nlet k = m2*(\nM12 = k*lc2\ng2 = bogus\n{M12}\ng1 = {G1}"
    report = check_answer(dynamis.load(ELBOW), text, "mine.txt")
    assert [(entry.name, entry.status) for entry in report.entries] == [("M[2,2]", "equal"), ("g[1]", "equal")]
    assert [(line.line, line.problem[:40]) for line in report.unread] == [
        (2, "a number, a name or a bracket is expecte"),
        (3, "it uses line 2, which cannot be read"),
        (4, 'unknown symbol "bogus" (known: k, g, l1,'),
        (5, '"=" is missing; write a line such as M[1'),
    ]
    assert not report.right
    assert not report.complete
    assert "mine.txt:4: column 6: unknown symbol" in str(report)
    assert "4 lines cannot be read, so the answer is not right yet" in str(report)
    assert json.loads(json.dumps(report.as_dict()))["unread"][1] == {
        "line": 3, "column": 1, "problem": "it uses line 2, which cannot be read"
    }  # fmt: skip


def test_a_part_of_an_answer_is_not_the_whole():
    robot = dynamis.load(ELBOW)
    partial = check_answer(robot, f"M22 = {M22}\ng = [{G1}; {G2}]").as_dict()
    assert (partial["verdict"], partial["right"], partial["complete"]) == ("incomplete", False, False)
    assert partial["missing"] == ["M[1,1]", "M[1,2]"]
    whole = check_answer(robot, f"M11 = {M11}\nM12 = {M12}\nM22 = {M22}").as_dict()  # M is symmetric
    assert (whole["verdict"], whole["right"], whole["complete"], whole["missing"]) == ("right", True, True, [])
    assert not check_answer(robot, "g1 = 0\nc[1,2,1] = 0").complete


def test_an_entry_that_is_refused_has_its_place():
    text = f"given lc2 = 0\ng2 = 0\nM22 = {M22}/lc2"
    report = check_answer(dynamis.load(ELBOW), text, "mine.txt")
    (line,) = report.unread
    assert str(line).startswith("mine.txt:3: column ")
    assert [entry.status for entry in report.entries] == ["equal"]


def test_indices_in_square_brackets_are_those_of_the_file():
    robot = dynamis.load(BAR)
    report = check_answer(robot, "g[1] = m2*g*L2/2*cos(q[0] + q[1])")
    assert [entry.name for entry in report.entries] == ["g[2]"]
    assert report.notes == ("indices in square brackets were counted from 0, as in Python",)
    assert [entry.name for entry in check_answer(robot, "g[1] = m2*cos(q[1])").entries] == ["g[1]"]


def test_angular_velocities_are_told_from_unknown_symbols():
    with pytest.raises(AnswerError, match="w1 is an angular velocity, a vector; write rates such as dq1"):
        check_answer(dynamis.load("planar-elbow"), r"T_1 = \frac{1}{2} I_1 \omega_1^2")
