"""Answers that end too early, or lack a character: they are read or refused with a sentence, never with a traceback."""

from __future__ import annotations

import pytest

from dynamis.apps.grading.check import check_answer
from dynamis.base.errors import DynamisError
from tests.support.answers import ELBOW

LINES = (
    "tau = M(q)*ddq + C(q, dq)*dq + g(q)",
    "c = C(q, dq) @ dq",
    "u = (q - C(q, dq))*2",
    "M(1,2) = M(2,1)' + [1 0; 0 1](1,2)",
    "M = [m1*lc1^2 + I1, m2*lc2^2; M(1,2), I2];",
    "M = zeros(len(q), len(q)) + np.zeros((2, 2)) + eye(numel(q))",
    "M = np.array([[m1, 0.0], [0, m2]])[0, 1]",
    "M = sp.Matrix(2, 2, [m1, 0, 0, m2]).reshape(2, 2)",
    r"M_{12} = \frac{1}{2} m_2 l_{c2}^2 \left(1 + \cos^2(q_1 + q_2)\right)",
    r"M = \begin{bmatrix} m_1 & * \\ 0 & m_2 \end{bmatrix} \begin{array}{cc} 1 & 0 \\ 0 & 1 \end{array}",
    r"c_1 = \frac{d}{dt} q_1(t) + \frac{d^2}{dt^2} q_{2}{\left(t \right)}",
    "tau1 = L.diff(q1.diff(t)).diff(t) - diff(L, (q1, 2)) + d(q1)*dd(q2)",
    "g = jacobian(U, [q1, q2])' + hessian(T, dq)(1,1) + gradient(U, (q1, q2))",
    "g[0] = m1*9.81*np.cos(q[0]) + q[-1]**2.0 - pow(l1, 2)",
    "c[1,2,1] = c121 = -m2*l1*lc2*sin(q2) =: h",
    "J = horzcat(vertcat(-l1*s1, l1*c1), [0; 0]).T",
    "let a = l1, b = cos(q2)",
    "given lc1 = l1/2, m1 = 0.333",
    "T = 1/2*dq'*M*dq + 1/2 m2 [lc2^2 + l1 lc2 c2]^2 q1'^2",
    "tau = cross(M, ddq).item() + LagrangesMethod(L, [q1, q2]).mass_matrix",
    "function tau = f(q, dq, ddq, p), c2, s2 = deal(cos(q(2)), sin(q(2)));",
    "eq1 = Eq(M11*ddq1 + c1, tau1)",
    "for k in range(2): G[k] = float(U) + diag(m1, m2).flatten()[0]",
    "if (q1 > 0 && x == 2), g(1) = 0; end",
)
"""One line with every construct that the reader knows."""


def broken(text: str) -> list[str]:
    """All beginnings of a text, and the text without one of its characters."""
    return [text[:k] for k in range(1, len(text))] + [text[:k] + text[k + 1 :] for k in range(len(text))]


@pytest.mark.parametrize("line", LINES)
def test_what_is_cut_off_or_left_out_is_no_traceback(line: str) -> None:
    for text in broken(line):
        try:
            check_answer(ELBOW, text)
        except DynamisError:
            continue
