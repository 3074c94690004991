"""Answers as they stand in programs, and what is said about names that nothing has."""

from __future__ import annotations

import pytest

import dynamis
from dynamis.derivations.robots.methods import derive_only
from dynamis.errors import ArgumentError
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
