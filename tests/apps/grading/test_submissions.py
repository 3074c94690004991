"""Whole submissions for four robots in MATLAB, NumPy, SymPy, LaTeX and plain text: right, and with one slip each."""

import pytest

from dynamis import load
from dynamis.apps.grading.check import check_answer

BAR_MATLAB = """function [M, c, G] = arm(q, qd, p)
  m1 = p.m1; m2 = p.m2; L1 = p.L1; L2 = p.L2; g = 9.81;
  lc1 = L1/2; lc2 = L2/2;  k2 = m2*L2^2/12;
  M = [m1*L1^2/3 + k2 + m2*(L1^2 + lc2^2 + 2*L1*lc2*cos(q(2))), k2 + m2*(lc2^2 + L1*lc2*cos(q(2)));
       k2 + m2*(lc2^2 + L1*lc2*cos(q(2))), k2 + m2*lc2^2];
  h = m2*L1*lc2*sin(q(2));
  c = [-h*(2*qd(1)*qd(2) + qd(2)^2); h*qd(1)^2];
  G = g*[(m1*lc1 + m2*L1)*cos(q(1)) + m2*lc2*cos(q(1)+q(2)); m2*lc2*cos(q(1)+q(2))];
end
"""
BAR_SYMPY = """import sympy as sp
m1, m2, L1, L2, g = sp.symbols('m1 m2 L1 L2 g', positive=True)
q1, q2, qd1, qd2 = sp.symbols('q1 q2 qd1 qd2')
h = sp.Rational(1, 2)*m2*L1*L2*sp.sin(q2)
C = sp.Matrix([[-h*qd2, -h*(qd1 + qd2)], [h*qd1, 0]])
c = C*sp.Matrix([qd1, qd2])
"""
BAR_PLAIN = """T = 1/6*m1*L1^2*q1'^2 + 1/2*m2*(L1^2*q1'^2 + 1/3*L2^2*(q1'+q2')^2 + L1*L2*q1'*(q1'+q2')*cos(q2))
U = m1*g*L1/2*sin(q1) + m2*g*(L1*sin(q1) + L2/2*sin(q1+q2))
"""
DELUCA_NUMPY = """import numpy as np

def dynamics(q, dq, ddq, p):
    m1, m2, l1, d1, d2, I1, I2, g0 = p
    c1, c2 = np.cos(q[0]), np.cos(q[1])
    s2 = np.sin(q[1])
    c12 = np.cos(q[0] + q[1])
    a1 = I1 + m1*d1**2 + I2 + m2*d2**2 + m2*l1**2
    a2 = m2*l1*d2
    a3 = I2 + m2*d2**2
    M = np.array([[a1 + 2*a2*c2, a3 + a2*c2],
                  [a3 + a2*c2, a3]])
    S = np.array([[-a2*s2*dq[1], -a2*s2*(dq[0] + dq[1])],
                  [a2*s2*dq[0], 0.0]])
    g = np.array([(m1*d1 + m2*l1)*g0*c1 + m2*d2*g0*c12, m2*d2*g0*c12])
    tau = M @ ddq + S @ dq + g
    return tau
"""
DELUCA_LATEX = r"""
\[ B(q) = \begin{bmatrix} a_1 + 2 a_2 c_2 & a_3 + a_2 c_2 \\ a_3 + a_2 c_2 & a_3 \end{bmatrix} \]
with
\[ a_1 = I_1 + m_1 d_1^2 + I_2 + m_2 d_2^2 + m_2 l_1^2, \quad a_2 = m_2 l_1 d_2, \quad a_3 = I_2 + m_2 d_2^2 \]
\[ c(q,\dot q) = \begin{bmatrix} -a_2 s_2 (\dot q_2^2 + 2 \dot q_1 \dot q_2) \\ a_2 s_2 \dot q_1^2 \end{bmatrix} \]
"""
GENOVA_LATEX = (
    r"G(q) = \begin{pmatrix} 0 \\ \left(\frac{m_2}{2} + m_3\right) l_2 g \cos(q_2 - a_2)"
    r" + \frac{1}{2} m_3 l_3 g \cos(q_2 + q_3 - a_2) \\ \frac12 m_3 l_3 g \cos(q_2+q_3-a_2) \end{pmatrix}"
)
SLIDE_NUMPY = """import numpy as np
r = l1 + q2
M = np.array([[m1*l1**2/4 + I1 + m2*r**2, 0], [0, m2]])
c = np.array([2*m2*r*dq1*dq2, -m2*r*dq1**2])
G = np.array([(m1*l1/2 + m2*r)*g*np.cos(q1), m2*g*np.sin(q1)])
"""
SLIDE_MATLAB = """tau1 = (I1 + m1*l1^2/4 + m2*(l1+q2)^2)*qdd1 + 2*m2*(l1+q2)*qd1*qd2 + g*cos(q1)*(m1*l1/2 + m2*(l1+q2));
tau2 = m2*qdd2 - m2*(l1+q2)*qd1^2 + m2*g*sin(q1);
"""
BAR_JACOBIANS = """from sympy import *
q = Matrix([q1, q2])
p1 = Matrix([L1/2*cos(q1), L1/2*sin(q1), 0])
p2 = Matrix([L1*cos(q1) + L2/2*cos(q1 + q2), L1*sin(q1) + L2/2*sin(q1 + q2), 0])
J1 = p1.jacobian(q)
J2 = p2.jacobian(q)
I1 = m1*L1**2/12
I2 = m2*L2**2/12
M = m1*J1.T*J1 + m2*J2.T*J2 + diag(I1, 0) + I2*ones(2, 2)
U = m1*g*p1[1] + m2*g*p2[1]
G = Matrix([U]).jacobian(q).T
"""
GENOVA_ZEROS = """import numpy as np
G = np.zeros(3)
G[1] = (m2/2 + m3)*l2*g*np.cos(q2 - a2) + m3*l3*g*np.cos(q2 + q3 - a2)/2
G[2] = m3*l3*g*np.cos(q2 + q3 - a2)/2
"""
SLIDE_ROWS = """import numpy as np
n = len(q)
r = l1 + q[1]
M = np.diag([I1 + m1*l1**2/4 + m2*r**2, m2])
C = np.zeros((n, n))
C[0] = [m2*r*dq[1], m2*r*dq[0]]
C[1, :] = [-m2*r*dq[0], 0]
c = C @ dq
"""
ELBOW_VECTOR_C = """import numpy as np
h = m2*l1*lc2*np.sin(q2)
C = np.zeros(2)
C[0] = -h*(2*dq1*dq2 + dq2**2)
C[1] = h*dq1**2
"""
SLIDE_LAGRANGE = """import sympy as sp
import sympy.physics.mechanics as me
q1, q2 = me.dynamicsymbols('q1 q2')
dq1, dq2 = me.dynamicsymbols('q1 q2', 1)
t = me.dynamicsymbols._t
r = l1 + q2
T = sp.S(1)/2*(I1 + m1*l1**2/4 + m2*r**2)*dq1**2 + sp.S.Half*m2*dq2**2
U = (m1*l1/2 + m2*r)*g*sp.sin(q1)
LM = me.LagrangesMethod(T - U, [q1, q2])
tau = LM.form_lagranges_equations()
M = LM.mass_matrix
rest = -LM.forcing
c = rest - sp.Matrix([U]).jacobian([q1, q2]).T
"""
ELBOW_MATLAB = """q = [q1; q2]; D = diag([b1 b2]);
U = m1*g*lc1*sin(q1) + m2*g*(l1*sin(q1) + lc2*sin(q1 + q2));
G = jacobian(m1*g*lc1*sin(q1), q).';
G = G + jacobian(m2*g*(l1*sin(q1) + lc2*sin(q1 + q2)), q).';
M = [m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2, m2*(lc2^2 + l1*lc2*cos(q2)) + I2;
     m2*(lc2^2 + l1*lc2*cos(q2)) + I2, m2*lc2^2 + I2];
"""
DELUCA_S = r"""
\[ S(q,\dot q) = \begin{pmatrix} -a_2 s_2 \dot q_2 & -a_2 s_2(\dot q_1+\dot q_2)\\ a_2 s_2\dot q_1 & 0\end{pmatrix} \]
where $a_2 = m_2 l_1 d_2$,
\[ c(q,\dot q) = S(q,\dot q)\dot q \]
"""
ELBOW_SPONG = r"""
c_{111} = 0, \\ c_{121} = c_{211} = -m_2 \ell_1 \ell_{c2}\sin q_2 =: h \\ c_{221} = h \\
c_{112} = -h \\ c_{122} = c_{212} = 0 \\ c_{222} = 0
"""
DELUCA_CLASS = """import numpy as np
class Arm:
    def __init__(self, m1: float, m2: float, l1: float, d1: float, d2: float):
        self.m1, self.m2, self.l1, self.d1, self.d2 = m1, m2, l1, d1, d2
        self.g0: float = 9.81

    def coriolis_vector(self, q, dq):
        h: float = self.m2*self.l1*self.d2*np.sin(q[1])
        return np.array([-h*(2*dq[0]*dq[1] + dq[1]**2), h*dq[0]**2])

    def gravity(self, q):
        return self.g0*np.array([self.m1*self.d1*np.cos(q[0]), 0]) + self.m2*self.g0*np.array(
            [self.l1*np.cos(q[0]) + self.d2*np.cos(q[0] + q[1]), self.d2*np.cos(q[0] + q[1])])
"""


@pytest.mark.parametrize(("robot", "text", "old", "new", "wrong"), [
    ("genova-rp", SLIDE_LAGRANGE, "m2*dq2", "m1*dq2", {"T", "tau[2]", "M[2,2]"}),
    ("genova-rp", SLIDE_LAGRANGE, "-LM", "LM", {"c[1]", "c[2]"}),
    ("planar-elbow", ELBOW_MATLAB, "G = G + jac", "G = G - jac", {"g[1]", "g[2]"}),
    ("deluca-2r", DELUCA_S, "a_2 s_2\\dot q_1 & 0", "-a_2 s_2\\dot q_1 & 0", {"c[2]"}),
    ("planar-elbow", ELBOW_SPONG, "= -h", "= h", {"c[1,1,2]"}),
    ("deluca-2r", DELUCA_CLASS, "self.d2*np.cos(q[0] + q[1])])", "self.d2*np.cos(q[1])])", {"g[2]"}),
    ("bar-2r", BAR_JACOBIANS, "I2*ones", "I1*ones", {"M[1,1]", "M[1,2]", "M[2,1]", "M[2,2]"}),
    ("bar-2r", BAR_JACOBIANS, "p1[1] +", "p1[0] +", {"U", "g[1]"}),
    ("genova-3r", GENOVA_ZEROS, "G[2] = m3", "G[2] = m2", {"g[3]"}),
    ("genova-rp", SLIDE_ROWS, "r**2, m2", "r**2, m1", {"M[2,2]"}),
    ("genova-rp", SLIDE_ROWS, "[-m2*r*dq[0]", "[m2*r*dq[0]", {"C[2,1]", "c[2]"}),
    ("planar-elbow", ELBOW_VECTOR_C, "h*dq1**2", "h*dq1", {"c[2]"}),
    ("genova-3r", GENOVA_LATEX.replace("a_2", r"\alpha_2"), r"- \alpha_2", r"+ \alpha_2", {"g[2]"}),
    ("bar-2r", BAR_MATLAB, "qd(2)^2);", "qd(2));", {"c[1]"}),
    ("bar-2r", BAR_MATLAB, "L2^2/12", "L2^2/3", {"M[1,1]", "M[1,2]", "M[2,1]", "M[2,2]"}),
    ("bar-2r", BAR_MATLAB, "m2*lc2*cos(q(1)+q(2))];", "m2*lc2*cos(q(2))];", {"g[2]"}),
    ("bar-2r", BAR_SYMPY, "Rational(1, 2)", "Rational(1, 3)", {"C[1,1]", "C[1,2]", "C[2,1]", "c[1]", "c[2]"}),
    ("bar-2r", BAR_PLAIN, "cos(q2)", "sin(q2)", {"T"}),
    ("deluca-2r", DELUCA_NUMPY, "2*a2*c2", "a2*c2", {"M[1,1]", "tau[1]"}),
    ("deluca-2r", DELUCA_NUMPY, "[a2*s2*dq[0]", "[a2*s2*dq[1]", {"tau[2]"}),
    ("deluca-2r", DELUCA_NUMPY, "q[0] + q[1])\n", "q[0] - q[1])\n", {"g[1]", "g[2]", "tau[1]", "tau[2]"}),
    ("deluca-2r", DELUCA_NUMPY, "dq + g", "dq - g", {"tau[1]", "tau[2]"}),
    ("deluca-2r", DELUCA_LATEX, "2 a_2 c_2", "2 a_2 s_2", {"M[1,1]"}),
    ("deluca-2r", DELUCA_LATEX, r"\dot q_1^2 \end", r"\dot q_1 \end", {"c[2]"}),
    ("genova-3r", GENOVA_LATEX, r"\frac12", r"\frac13", {"g[3]"}),
    ("genova-3r", GENOVA_LATEX, "(q_2 - a_2)", "(q_2 + a_2)", {"g[2]"}),
    ("genova-rp", SLIDE_NUMPY, "2*m2*r*", "m2*r*", {"c[1]"}),
    ("genova-rp", SLIDE_NUMPY, "m2*g*np.sin", "m2*g*np.cos", {"g[2]"}),
    ("genova-rp", SLIDE_MATLAB, "m2*(l1+q2)*qd1^2", "m2*q2*qd1^2", {"tau[2]"}),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_one_slip_is_found_where_it_is(robot: str, text: str, old: str, new: str, wrong: set[str]):
    model = load(robot)
    assert check_answer(model, text).verdict == "right"
    assert {entry.name for entry in check_answer(model, text.replace(old, new)).wrong} == wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("robot", "text", "missing"), [
    ("genova-3r", GENOVA_ZEROS.replace("G[2]", "x"), ["g[3]"]),
    ("genova-rp", "M = zeros(2, 2);\nM(1,1) = I1 + m1*l1^2/4 + m2*(l1 + q2)^2;\n", ["M[2,2]"]),
    ("bar-2r", "M = zeros(2);\nM(2,2) = m2*L2^2/3;\nM(1,2) = M(2,2) + m2*L1*L2*cos(q2)/2;\n", ["M[1,1]", "M[2,1]"]),
])  # fmt: skip
def test_a_zero_that_is_left_is_an_answer_only_where_it_is_right(robot: str, text: str, missing: list[str]):
    report = check_answer(load(robot), text)
    assert report.verdict == "incomplete"
    assert report.missing == missing


@pytest.mark.parametrize(("text", "missing"), [
    ("c_{111} = 0\nc_{112} = -m_2 l_1 l_{c2} \\foo", None),
    ("U = m1*g*lc1*sin(q1) + m2*g*(l1*sin(q1) + lc2*sin(q1 + q2))\nG = foo(U)", ["G"]),
])  # fmt: skip
def test_a_line_that_cannot_be_read_costs_that_line(text: str, missing: list[str] | None):
    report = check_answer(load("planar-elbow"), text)
    assert [entry.status for entry in report.entries] == ["equal"]
    assert report.verdict == "incomplete"
    assert missing is None or report.missing == missing


@pytest.mark.filterwarnings("ignore")
def test_an_entry_whose_decimals_lead_nowhere_has_a_verdict():
    """Read as 710/1017, the angle 0.698132 is none of this robot's; that reading is passed over."""
    text = "a = 0.698132\ng = [0; 125.568*cos(q2 - a) + 10.3005*cos(q2 - a); 10.3005*cos(q2 + q3 - a)]"
    report = check_answer(load("exercise-4.1-gravity"), text)
    assert [entry.name for entry in report.wrong] == ["g[2]"]
