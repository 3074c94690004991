"""Products of quantities on a page can be read in one way only."""

from fractions import Fraction

import dynamis
from dynamis.exact.derive import derive_only
from dynamis.telling.forms.tree import Number, Product, Symbol, Trig
from dynamis.telling.formula import EQUALS, MINUS, PLUS, TWO, Formula, Piece, Val
from dynamis.telling.notation.formula_printer import FormulaPrinter
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.notation.text import UNICODE
from dynamis.telling.notation.tree_printer import Joints
from dynamis.telling.renderers.page import render


def written(*pieces: Piece) -> str:
    formula: Formula = pieces
    return FormulaPrinter(UNICODE, as_notation("spong"), Joints()).inline(formula)


def test_an_angle_ends_before_the_next_factor():
    sine = Val(Product((Symbol("m2"), Trig("sin", (("q2", 1),)))))
    assert written(sine, Val(Symbol("b"))) == "m₂ sin(q₂) b"
    assert written(Val(Symbol("b")), sine) == "b m₂ sin q₂"
    page = render(derive_only(dynamis.load("deluca-2r").equations(), "C[1,2]"))
    assert "= −m₂ l₁ d₂ sin(q₂) q̇₁ − m₂ l₁ d₂ sin(q₂) q̇₂" in page


def test_a_number_behind_a_factor_is_in_brackets():
    quarter = Val(Product((Number(Fraction(1, 4)), Symbol("l1"))))
    assert written(Val(Symbol("m1")), quarter) == "m₁ (1/4 l₁)"
    assert written(Val(Symbol("m")), Val(Number(Fraction(1, 1)))) == "m (1)"
    assert written(TWO, quarter) == "2 (1/4 l₁)"


def test_a_sum_with_a_negative_summand_is_a_difference():
    negative = Val(dynamis.load("deluca-2r").equations().christoffel(1, 2, 1))
    b = Val(Symbol("b"))
    assert written(negative) == "−m₂ l₁ d₂ sin q₂"
    assert written(b, PLUS, negative) == "b − m₂ l₁ d₂ sin q₂"
    assert written(b, MINUS, negative) == "b + m₂ l₁ d₂ sin q₂"
    assert written(b, PLUS, negative, b) == "b − m₂ l₁ d₂ sin(q₂) b"
    assert written(b, EQUALS, MINUS, negative) == "b = −(−m₂ l₁ d₂ sin q₂)"
