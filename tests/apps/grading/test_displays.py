"""Several displayed equations in one line, boxes, braces, and torques on the right side."""

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer

G1 = r"g_1 = (m_1 l_{c1} + m_2 l_1) g \cos q_1 + m_2 l_{c2} g \cos(q_1 + q_2)"
G2 = r"g_2 = m_2 l_{c2} g \cos(q_1 + q_2)"
DISPLAYS = [
    r"\[%s\] \[%s\]",
    r"\[%s\], \[%s\].",
    "$$%s$$ $$%s$$",
    "$$%s$$ and $$%s$$",
    r"\begin{equation}%s\end{equation} \begin{equation}%s\end{equation}",
    r"\begin{document}\[%s\] \[%s\]\end{document}",
    r"\begin{subequations}\begin{align}%s\\ %s\end{align}\end{subequations}",
    r"\begin{IEEEeqnarray}{rCl}%s\\ %s\end{IEEEeqnarray}",
    r"\[%s \text{ and } %s\]",
    r"%s \hspace{1cm} %s",
    "$%s$, $%s$",
    r"\(%s\) \(%s\)",
    r"\boxed{%s} \quad \boxed{%s}",
]
MOTION = r"""\begin{equation}
\underbrace{\begin{bmatrix} m_1 l_{c1}^2 + m_2 (l_1^2 + l_{c2}^2 + 2 l_1 l_{c2} c_2) + I_1 + I_2 &
  m_2 (l_{c2}^2 + l_1 l_{c2} c_2) + I_2 \\ m_2 (l_{c2}^2 + l_1 l_{c2} c_2) + I_2 & m_2 l_{c2}^2 + I_2
  \end{bmatrix}}_{M(q)}
\begin{bmatrix} \ddot q_1 \\ \ddot q_2 \end{bmatrix}
+ m_2 l_1 l_{c2} s_2 \begin{bmatrix} -2 \dot q_1 \dot q_2 - \dot q_2^2 \\ \dot q_1^2 \end{bmatrix}
+ \begin{bmatrix} (m_1 l_{c1} + m_2 l_1) g c_1 + m_2 l_{c2} g c_{12} \\ m_2 l_{c2} g c_{12} \end{bmatrix} = TORQUE
\end{equation}"""


def verdict(answer: str) -> str:
    return check_answer(dynamis.load("planar-elbow"), answer).verdict


@pytest.mark.parametrize("display", DISPLAYS)
def test_equations_side_by_side_are_two_answers(display: str):
    assert verdict(display % (G1, G2)) == "right"
    assert verdict(display % (G1, G2.replace("q_1 + q_2", "q_2"))) == "wrong"


@pytest.mark.parametrize("torque", [r"\tau", r"\begin{bmatrix} \tau_1 \\ \tau_2 \end{bmatrix}"])
def test_the_torque_on_the_right_side(torque: str):
    motion = MOTION.replace("TORQUE", torque)
    assert verdict(motion) == "right"
    assert verdict(motion.replace("-2", "2")) == "wrong"


def test_fractions_in_one_character():
    half = "T = \u00bd I\u2081 dq1\u00b2 + \u00bd m\u2081 lc\u2081\u00b2 dq1\u00b2"
    report = check_answer(dynamis.load("planar-elbow"), "given m2 = 0, I2 = 0\n" + half)
    assert report.verdict == "right"
    assert verdict("g[2] = \u2153 m2*lc2*g*cos(q1 + q2)") == "wrong"
