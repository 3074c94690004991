"""How formulas look: the pages of the books, in the four notations."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.exact.equations import NOTEBOOK_TERMS
from dynamis.scalars.exact.ring import Ring
from dynamis.scalars.exact.symbols import joint_angle, parameter
from dynamis.telling.forms.tree import Coordinate, Product, Symbol, Trig
from dynamis.telling.notation import NOTATIONS, latex, text, typst
from dynamis.telling.notation.tree_matrix import TERM_CAP
from tests.support.golden_files import check_golden


def test_the_planar_elbow_of_akdogans_lecture():
    """d11, d12, d22, phi1, phi2 as the lecture prints them."""
    model = dynamis.load("planar-elbow").equations()
    assert text(model.M[0, 0]) == "m₁ lc₁² + m₂ (l₁² + lc₂² + 2 l₁ lc₂ cos q₂) + I₁ + I₂"
    assert text(model.M[0, 1]) == "m₂ (lc₂² + l₁ lc₂ cos q₂) + I₂"
    assert text(model.M[1, 1]) == "m₂ lc₂² + I₂"
    assert text(model.gravity[0]) == "(m₁ lc₁ + m₂ l₁) g cos q₁ + m₂ lc₂ g cos(q₁ + q₂)"
    assert text(model.gravity[1]) == "m₂ lc₂ g cos(q₁ + q₂)"
    assert text(model.christoffel(1, 2, 1)) == "−m₂ l₁ lc₂ sin q₂"
    assert text(model.potential_energy) == "(m₁ lc₁ + m₂ l₁) g sin q₁ + m₂ lc₂ g sin(q₁ + q₂)"


def test_the_2r_of_de_lucas_lecture():
    model = dynamis.load("deluca-2r").equations()
    assert text(model.M[0, 0], "deluca") == "I₁ + m₁ d₁² + I₂ + m₂ l₁² + m₂ d₂² + 2 m₂ l₁ d₂ c₂"
    assert text(model.M[0, 1], "deluca") == "I₂ + m₂ d₂² + m₂ l₁ d₂ c₂"
    assert text(model.coriolis[0], "deluca") == "−m₂ l₁ d₂ s₂ (2 q̇₁ q̇₂ + q̇₂²)"
    assert text(model.coriolis[1], "deluca") == "m₂ l₁ d₂ s₂ q̇₁²"
    assert text(model.gravity[0], "deluca") == "g₀ (m₁ d₁ + m₂ l₁) c₁ + g₀ m₂ d₂ c₁₂"
    assert latex(model.gravity[1], "deluca") == "g_{0} m_{2} d_{2} c_{12}"


def test_the_2r_in_dynamic_coefficients():
    """a_1 + 2 a_2 cos q_2, as every lecture has it."""
    model = dynamis.load("deluca-2r").equations().coefficients
    assert latex(model.M[0][0]) == "a_{1} + 2 a_{2} \\cos q_{2}"
    assert text(model.M[0][1]) == "a₃ + a₂ cos q₂"
    assert text(model.g[0], "deluca") == "a₄ c₁ + a₅ c₁₂"


def test_the_two_bars_of_xus_project():
    model = dynamis.load("bar-2r").equations()
    assert text(model.M[0, 0], "craig") == "1/3 m₁ L₁² + m₂ L₁² + 1/3 m₂ L₂² + m₂ L₁ L₂ c₂"
    assert latex(model.coriolis[1], "craig") == "\\frac{1}{2} m_{2} L_{1} L_{2} s_{2} \\dot{\\theta}_{1}^{2}"
    assert text(model.gravity[0], "craig") == "(1/2 m₁ + m₂) L₁ g c₁ + 1/2 m₂ L₂ g c₁₂"


@pytest.mark.parametrize("name", ["planar-elbow", "deluca-2r", "bar-2r", "genova-3r", "genova-rp", "stanford"])
def test_golden_pages(name: str):
    """M[1,1], M, g and tau (of two joints), in all notations and printers."""
    model = dynamis.load(name).equations()
    parts: list[str] = []
    for notation in NOTATIONS:
        parts += [f"# {notation}", text(model.M[0, 0], notation), text(model.gravity, notation, symbol="g")]
        if model.n == 2:
            parts += [text(model.M.rows(), notation, symbol="M"), text(model.torques, notation, symbol="tau")]
    parts += ["# ascii", text(model.M[0, 0], width=80, ascii_only=True)]
    parts += ["# latex", latex(model.M.rows()[:2], symbol="M"), "# typst", typst(model.gravity)]
    check_golden(f"notation-{name}.txt", "\n".join(parts) + "\n")


def test_terms_stand_in_the_order_of_an_equation_of_motion():
    """Accelerations, velocities, gravity, friction."""
    shown = text(dynamis.load("puma560").equations().torques[1], "craig", cap=None, width=10**6)
    first = [shown.index(symbol) for symbol in ("θ̈₁", "θ̈₂", "θ̈₆", "θ̇₁²", "g c₂", "Tc₂")]
    assert first == sorted(first)


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_lines_fit_the_width(width: int, notation: str):
    model = dynamis.load("stanford").equations()
    for shown in (model.M[0, 0], model.M[1, 0], model.gravity):
        for line in text(shown, notation, width).splitlines():
            visible = sum(letter not in "\u0307\u0308" for letter in line)
            assert visible <= width or " + " not in line[8:].replace(" − ", " + ") or line.count("(") > 3


def test_lines_put_together_are_the_formula():
    entry = dynamis.load("stanford").equations().M[0, 0]
    wrapped, whole = text(entry, width=50), text(entry, width=10**6)
    assert "\n" in wrapped
    assert " ".join(wrapped.split()) == whole


def test_an_entry_of_thousands_of_terms_is_capped_and_says_so():
    entry = max(dynamis.load("panda").equations().coriolis, key=len)
    for shown in (text(entry), latex(entry), typst(entry)):
        assert f"({len(entry)} terms in all)" in shown
        assert len(shown) < 60 * TERM_CAP


def test_a_symmetric_matrix_gives_each_entry_once():
    model = dynamis.load("stanford").equations()
    shown = text(model.M.rows(), symbol="M")
    assert "M₁₃ = M₃₁ = " in shown
    assert "M_{13} = M_{31} &= " in latex(model.M.rows(), symbol="M")


def test_an_unknown_notation_suggests_the_nearest():
    model = dynamis.load("bar-2r").equations()
    with pytest.raises(UnknownNameError, match='did you mean "siciliano"'):
        text(model.M[0, 0], "sicilano")


def arm(joint: str, **names: str) -> Robot:
    letters = {"m": "m", "l": "l", **names}
    link = Link("arm", Joint(joint), mass=letters["m"], com=(letters["l"], 0, 0), inertia=Inertia.of(zz=1, yy=1))
    return Robot("arm", (link,), gravity=(0, "-g", 0), parameters=dict.fromkeys([*letters.values(), "g"], ""))


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        ("q1", "m l g cos q₁"),
        ("theta", "m l g cos θ"),
        ("theta_1", "m l g cos θ₁"),
        ("shoulder_pan", "m l g cos q₁"),
        ("$\\x{", "m l g cos q₁"),
    ],
)
def test_joints_by_any_name(joint: str, expected: str):
    assert text(arm(joint).equations().gravity[0]) == expected


def test_symbols_that_are_taken():
    """A parameter theta1 or c1 keeps its symbol; the joint is then written otherwise."""
    assert text(arm("q1", m="theta1").equations().gravity[0], "craig") == "θ₁ l g cos q₁"
    assert text(arm("q1", l="c1").equations().gravity[0], "craig") == "m c₁ g cos θ₁"
    assert text(arm("q1", l="l1").equations().gravity[0], "craig") == "m L₁ g c₁"


def test_a_sine_before_another_factor_has_parentheses():
    tree = Product((Symbol("m"), Trig("sin", (("q1", 1),)), Trig("cos", (("q2", 2),)), Symbol("b")))
    assert text(tree) == "m sin(q₁) cos(2 q₂) b"
    tree = Product((Trig("cos", (("q2", 2),)), Trig("sin", (("q3", 1),))))
    assert text(tree) == "cos(2 q₂) sin q₃"
    assert text(tree, "deluca") == "cos(2 q₂) s₃"


def test_sines_of_one_product_have_brackets_or_not():
    tree = Product((Trig("sin", (("q1", 1),)), Trig("cos", (("q2", 1),)), Coordinate("q3", 1)))
    assert text(tree) == "sin(q₁) cos(q₂) q̇₃"


def test_common_factors_come_out():
    """T_6 of the Stanford arm: no k^2 cos 2q - k'^2 cos 2q, no (1/2 a - 1/2 b), no mass left in all terms."""
    shown = " ".join(text(dynamis.load("stanford").equations().kinetic_energies[5]).split())
    assert "1/2 k₆₁₁² − 1/2 k₆₂₂²" not in shown
    assert "k₆₁₁² cos 2q₆ − k₆₂₂² cos 2q₆" not in shown
    assert "− m₆ (r₂ − (r₆ + zb₆) cos q₄ sin q₅) sin(q₂) q̇₁ q̇₃" in shown
    assert text(dynamis.load("planar-elbow").equations().kinetic_energies[0]) == "1/2 (m₁ lc₁² + I₁) q̇₁²"


@pytest.mark.parametrize("name", ["genova-3r", "ur5", "bar-2r"])
def test_a_model_in_letters_has_fractions(name: str):
    """Unless a decimal of the file is beside them: then all numbers that end are decimals."""
    model = dynamis.load(name).equations()
    entries = [*(entry for row in model.M.rows() for entry in row), *model.coriolis, *model.gravity]
    for shown in map(text, entries):
        assert not re.search(r"(?<![\d.])0\.(5|25|75|125)(?!\d)", shown) or re.search(r"\d\.\d*[1-9]", shown)
        assert not (re.search(r"\d\.\d", shown) and re.search(r"/(2|4|5|8|10|16|20)(?!\d)", shown))


def test_one_manner_of_numbers_in_one_sum():
    ring = Ring((*joint_angle("q1"), *map(parameter, ("a", "b", "m"))), decimals=True)
    a, b, m = map(ring.scalar, ("a", "b", "m"))

    def shown(*numbers: str) -> str:
        x, y = map(Fraction, numbers)
        return text(m * (a.times(x) + (b * b).times(y)))

    assert shown("1/4", "1/2") == "0.25 m (a + 2 b²)"
    assert shown("1/4", "0.1") == "m (0.25 a + 0.1 b²)"
    assert shown("2/15", "0.2") == "m (2/15 a + 0.2 b²)"
    assert shown("1/3", "1.08") == "m (1/3 a + 1.08 b²)"
    assert shown("0.05", "0.05") == "0.05 m (a + b²)"


def test_a_model_in_numbers_has_decimals():
    shown = dynamis.load("genova-2r").equations(numeric=True).text()
    assert "/" not in shown
    assert "15.2 cos q₂" in shown


def test_matrices_and_numbers():
    model = dynamis.load("deluca-2r").equations()
    assert text(model.M) == text(model.M.rows())
    assert latex(np.array(model.M.rows(), dtype=object)) == latex(model.M)
    assert text(5) == "5"
    assert text(Fraction(1, 2)) == "1/2"
    assert text([1, model.gravity[0]]).startswith("│ 1")
    with pytest.raises(ArgumentError, match="not 'M'; ask a model for what is to be shown"):
        text("M")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["deluca-2r", "genova-3r", "cartesian", "puma560", "stanford", "panda"])
def test_a_notebook_shows_so_much_and_no_more(name: str):
    """All that it shows counts, not M alone."""
    model = dynamis.load(name).equations()
    formula, page = model._repr_latex_() or "", model._repr_html_()
    font, page = "".join(re.findall("@font-face.*\n", page)), re.sub("@font-face.*\n", "", page)
    assert len(formula) < 40 * NOTEBOOK_TERMS
    assert len(page) < 500 * NOTEBOOK_TERMS
    assert len(font) < 16_000
    if name == "genova-3r":
        assert "pmatrix" in formula or "aligned" in formula
    if name == "panda":
        assert not formula
        assert "ask for single entries" in page
        assert "coriolis" not in model.__dict__


def test_dots_and_indices_in_html_have_their_rules_wherever_a_formula_stands():
    proof = dynamis.load("bar-2r").equations().prove()
    for page in (proof.page("html"), proof._repr_html_()):
        assert '<mover accent="true"><mi>M</mi><mo>\u02d9</mo></mover>' in page
        assert "mover > mo { font-size: 130%" in page
        assert "msub > :first-child" in page
