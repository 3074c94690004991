"""Answers as they stand in programs, and what is said about names that nothing has."""

from __future__ import annotations

import pytest

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.exact.derive import derive_only
from tests.support.answers import DELUCA, checked, complaint, statuses

MATLAB = """
clear all; clc
syms m1 m2 l1 lc1 lc2 I1 I2 q1 q2 real
M = simplify([m1*lc1^2 + m2*(l1^2+lc2^2+2*l1*lc2*cos(q2))+I1+I2, ...
     m2*(lc2^2+l1*lc2*cos(q2))+I2;
     m2*(lc2^2+l1*lc2*cos(q2))+I2, m2*lc2^2+I2]);
"""
SYMPY = """
import sympy as sp
from sympy import *
m1, m2 = symbols("m1 m2")
t = sp.Symbol("t")
M22 = sp.simplify(m2*lc2**2 + I2)
g = simplify(Matrix([[(m1*lc1+m2*l1)*g*cos(q1)+m2*lc2*g*cos(q1+q2)], [m2*lc2*g*cos(q1+q2)]]))
"""


@pytest.mark.parametrize("text", [MATLAB, SYMPY])
def test_what_a_program_says_before_its_formulas_is_not_read(text: str):
    assert statuses(text) == {"equal"}
    assert statuses(text.replace("I2", "2*I2")) >= {"wrong"}


def test_the_d_of_akdogan_lecture():
    """d_12 is an entry of D, unless the file uses it as a name of its own."""
    assert statuses("d_{12} = I_2 + m_2 l_{c2}^2 + m_2 l_1 l_{c2} \\cos q_2\nd_{22} = m_2 l_{c2}^2 + I_2") == {"equal"}
    assert statuses("d12 = I2") == {"wrong"}
    assert statuses("d12 = l1*lc2\nM12 = I2 + m2*lc2^2 + m2*d12*cos(q2)") == {"equal"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("M12 = I2 + m2*lc2^2 + m2*l1*lc2*cosq2", "write cos(q2)"),
        ("M12 = J2 + m2*lc2^2", 'did you mean "I2"?'),
        ("M12 = M22 + m2*l1*lc2*c2", "M22 is used here, and no line gives it"),
        ("c = C*[qd1; qd2]", "C is used here, and no line gives it"),
        ("M12 = I2 + m4*lc2^2", 'unknown symbol "m4"; did you mean "m2"?'),
        ("M22 = bogus2 + I2", 'unknown symbol "bogus2" (known'),
    ],
)
def test_names_that_nothing_has(text: str, said: str):
    assert said in complaint(text)


def test_names_with_two_meanings():
    """A name that is given twice, or that is another letter's, makes no sentence with one name for two things."""
    twice = checked("let L = l1, L = d2\nM[1,2] = 0", DELUCA)
    assert "yours is 0, it should be m2*(L^2 + l1*L*cos(q2)) + I2" in str(twice)
    assert "L is defined more than once" in str(twice)
    swapped = checked("let q1 = q2\ng[1] = 0", DELUCA)
    assert "cos(q1 + q2)" in str(swapped)
    assert "defined more than once" not in str(checked("let L = l1, L = l1\nM[1,2] = 0", DELUCA))


def test_conditions_with_quotients():
    assert "d1 = -m2*l1/m1" in str(checked("given d2 = 0, d1 = -m2*l1/m1\ng[1] = 0", DELUCA))


@pytest.mark.parametrize("only", ["M[1,1", "M(1,1]", "M1,1]"])
def test_brackets_of_only(only: str):
    with pytest.raises(ArgumentError, match="is not an entry"):
        derive_only(dynamis.load("deluca-2r").equations(), only)


def test_a_sine_of_a_number_ends_before_the_next():
    """sin 0.3 cos 0.3 is a product."""
    page = "M[1,2] = m₂ lc₂² + I₂ + m₂ l₁ lc₂ cos q₂ sin² q₁ + m₂ l₁ lc₂ cos q₂ cos² q₁"
    assert statuses(page) == {"equal"}
    assert "the angle 0.3 does not occur" in complaint("M[1,2] = m₂ lc₂² sin 0.3 cos 0.3")


M11, M12, M22 = (
    "m1*lc1^2 + m2*(l1^2+lc2^2+2*l1*lc2*cos(q2)) + I1 + I2",
    "m2*(lc2^2+l1*lc2*cos(q2)) + I2",
    "m2*lc2^2 + I2",
)
SELF = """
class Arm:
    def mass(self, q):
        M[0, 1] = M[1, 0] = self.I2 + self.m2*(self.lc2**2 + self.l1*self.lc2*cos(q[1]))
        M[1, 1] = self.I2 + self.m2*self.lc2**2
"""
ARRAY = """
import numpy as np
M = np.array([
    [m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*np.cos(q[1])) + I1 + I2,  # m11
     m2*(lc2**2 + l1*lc2*np.cos(q[1])) + I2],
    [m2*(lc2**2 + l1*lc2*np.cos(q[1])) + I2, m2*lc2**2 + I2],
], dtype=float)
"""
STAR = (
    r"M = \begin{pmatrix} m_1 \ell_{c1}^2 + m_2 (\ell_1^2 + \ell_{c2}^2 + 2 \ell_1 \ell_{c2} c_2) + I_1 + I_2 & "
    r"m_2 (\ell_{c2}^2 + \ell_1 \ell_{c2} c_2) + I_2 \\ * & m_2 \ell_{c2}^2 + I_2 \end{pmatrix}"
)
EQ = (
    "from sympy import *\n"
    "eq2 = Eq((m2*(lc2**2+l1*lc2*cos(q2)) + I2)*ddq1 + (m2*lc2**2 + I2)*ddq2 + m2*l1*lc2*sin(q2)*dq1**2"
    " + m2*lc2*g*cos(q1+q2), symbols('tau2'))"
)


@pytest.mark.parametrize(
    "text",
    [
        f"M = [{M11}, {M12}; {M12.replace(' ', '')} {M22.replace(' ', '')}];",
        f"c2 = cos(q(2)); s2 = sin(q(2));\nM(1,1) = {M11.replace('cos(q2)', 'c2')};",
        SELF,
        ARRAY,
        STAR,
        EQ,
        EQ.replace("Eq(", "sp.Eq(symbols('tau2'), ").replace(", symbols('tau2'))", ")"),
        f"M = vertcat(horzcat({M11}, {M12}), horzcat({M12}, {M22}))",
        "g2 = m2 lc2 g cos(q1+q2)\ng1 = (m1 lc1 + m2 l1) g cos q1 + m2 lc2 g cos(q1+q2)",
        "M11 = m1 lc1^2 + m2 [l1^2 + lc2^2 + 2 l1 lc2 cos(q2)] + I1 + I2",
    ],
)
def test_what_students_type(text: str) -> None:
    assert statuses(text) == {"equal"}
    assert statuses(text.replace("lc2", "lc1").replace("c2}", "c1}")) >= {"wrong"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (r"M = \begin{pmatrix} 1 & * \\ * & 1 \end{pmatrix}", "two * of this matrix stand for each other"),
        (r"M = \begin{pmatrix} 1 & * \end{pmatrix}", "a matrix with * for its symmetric entries has as many rows as"),
    ],
)
def test_stars_that_stand_for_nothing(text: str, sentence: str) -> None:
    assert sentence in complaint(text)
