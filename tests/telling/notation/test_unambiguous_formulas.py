"""What a reader would misread: products below a slash, arguments without brackets, two signs, broken fractions."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from dynamis import Inertia, Joint, Link, Robot
from dynamis.exact.derive import derive
from dynamis.telling.forms.tree import Call, Number, Power, Product, Sum, Symbol, Tree, Trig
from dynamis.telling.notation import latex, python, text
from dynamis.telling.renderers.page import render

THIRD, L, M = Number(Fraction(1, 3)), Symbol("l1"), Symbol("m1")
SINE = Trig("sin", (("3/10", 1),))

MISPRINTS = {
    "two signs": r"[+−] [−-]",
    "empty brackets": r"(?<!\w)\(\s*\)",
    "a product below a slash": r"/(?![\d ∂]|dt \()[^\s()+−,│]+(?:\([^()]*\))? (?=[^\s+−=,)·×│.])",
    "an argument without brackets": r"\b(?:sin|cos)[²³⁴]? (?:\d[\d.]*[^\s\d.,)│/]|√)",
    "a sine before a slash": r"\b(?:sin|cos)[²³⁴]? [^\s()]+/",
    "two numbers": r"(?<![₀-₉\w.])\d[\d.]* \d",
    "two slashes": r"(?<!\d)/[^\s()]+/",
    "a sign of programs": r"\w\*\w",
}


@pytest.mark.parametrize(
    ("tree", "as_text", "as_latex", "as_python"),
    [
        (Trig("cos", (("1/10", 3),)), "cos 0.3", "\\cos 0.3", "cos(0.3)"),
        (Trig("cos", (("q1", 2),)), "cos(2 q₁)", "\\cos(2 q_{1})", "cos(2*q1)"),
        (Trig("cos", (("alpha/3", 4),)), "cos(4 α/3)", "\\cos(\\frac{4 \\alpha}{3})", "cos(4*alpha/3)"),
        (Trig("cos", (("1/7*pi", -2),)), "cos(−2 π/7)", "\\cos(-\\frac{2 \\pi}{7})", "cos(-2*pi/7)"),
        (Product((THIRD, Power(L, -1))), "1/(3 l₁)", "\\frac{1}{3 l_{1}}", "1/(3*l1)"),
        (Product((SINE, Power(L, -1))), "sin(0.3)/l₁", "\\frac{\\sin 0.3}{l_{1}}", "sin(0.3)/l1"),
        (Product((M, Power(Product((L, SINE)), -1))), "m₁/(l₁ sin 0.3)", None, "m1/(l1*sin(0.3))"),
        (Sum((L, Sum((Number(Fraction(-1, 4)), M)))), "l₁ + (−1/4 + m₁)", None, "l1 + (-1/4 + m1)"),
        (Product((M, Number(Fraction(-1, 4)))), "m₁ (−1/4)", None, "m1*(-1/4)"),
        (Power(THIRD, 2), "(1/3)²", None, "(1/3)**2"),
        (Call("sqrt", Sum((L, M))), "sqrt(l₁ + m₁)", "\\sqrt{l_{1} + m_{1}}", "sqrt(l1 + m1)"),
    ],
)
def test_brackets_and_signs(tree: Tree, as_text: str, as_latex: str | None, as_python: str):
    assert text(tree) == as_text
    assert python(tree) == as_python
    assert as_latex in (None, latex(tree))


def arm() -> Robot:
    links = (
        Link("a", Joint("q1"), "base", "m1", ("l1", "-0.25", 0), Inertia.of(zz="Izz1", yy="Iyy1", yz="Iyz1")),
        Link("b", Joint("q2", before="Tx(l1) Rx(0.3)"), "a", "m2", ("l2/3", "-0.1", "l2/l1"), Inertia.of(yz="Iyz2")),
        Link("c", Joint("q3", before="Rx(-0.1) Ry(2*alpha/3)"), "b", "m3", ("l2", 0, 0), Inertia.of(yz="Iyz3")),
    )
    names = ("l1", "l2", "alpha", "g", *(f"m{k}" for k in (1, 2, 3)), "Izz1", "Iyy1", "Iyz1", "Iyz2", "Iyz3")
    return Robot("arm", links, parameters=dict.fromkeys(names, ""), gravity=(0, 0, "-g"))


@pytest.mark.parametrize("method", ["energies", "lagrange", "base-parameters"])
def test_pages_have_no_misprints(method: str):
    found = derive(arm().equations(), method, steps=False)
    page = re.sub(r"(?m)^ *-[- ]*$", "", render(found, "text"))
    wrong = [
        (name, page[max(0, at.start() - 20) : at.end() + 20])
        for name, pattern in MISPRINTS.items()
        for at in re.finditer(pattern, page)
    ]
    assert wrong == []
    for line in re.split(r"\\\\\n", render(found, "latex")):
        body = re.sub(r"(?s)\\(begin|end)\{[a-z*]+\}(\{l+\})?", "", line)
        assert body.count("{") == body.count("}"), line
