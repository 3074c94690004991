"""Names of several letters are words; rows of a regressor are joints; long sums have their masses out."""

import re

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.notation import latex, text, typst
from dynamis.telling.notation.names import split
from dynamis.telling.renderers.page import render


def worded() -> Robot:
    first = Link("a", Joint("q1"), mass="mass1", com=("len2", 0, 0), inertia=Inertia.of(zz="cosq2", yy="cosq2"))
    second = Link("b", Joint("q2"), mass="root_2", com=("lc2", 0, 0))
    names = ["mass1", "len2", "cosq2", "root_2", "lc2"]
    return Robot("words", (first, second), gravity=(0, "-g", 0), parameters=dict.fromkeys([*names, "g"], ""))


@pytest.mark.parametrize(
    ("name", "letter", "subscript"),
    [
        ("mass1", "mass", "1"),
        ("len2", "len", "2"),
        ("root_2", "root", "2"),
        ("cosq2", "cosq", "2"),
        ("lc1", "l", "c1"),
        ("dc1", "d", "c1"),
        ("rc2x", "r", "c2x"),
        ("I2yy", "I", "2,yy"),
        ("Izz1", "I", "zz1"),
        ("m_payload", "m", "payload"),
        ("theta_1", "theta", "1"),
    ],
)
def test_several_letters_are_a_word(name: str, letter: str, subscript: str):
    found = split(name)
    assert (found.letter, found.subscript) == (letter, subscript)


def test_words_in_latex_and_typst_and_back():
    model = worded().equations()
    entry = model.M[0, 0]
    assert "\\mathrm{mass}_{1} \\mathrm{len}_{2}^{2} + \\mathrm{cosq}_{2}" in latex(entry)
    assert typst(model.M[1, 1]) == '"root"_(2) l_(c 2)^2'
    answer = f"M[1,1] = {latex(entry)}\nM[2,2] = {latex(model.M[1, 1])}"
    assert [entry.status for entry in check_answer(worded(), answer).entries] == ["equal", "equal"]


@pytest.mark.parametrize("form", ["text", "latex"])
def test_rows_of_a_regressor_are_joints(form: str):
    model = dynamis.load("deluca-2r").equations()
    page = render(derive(model, "regressor"), form)
    first, second = ("Y₁,mx₂ =", "Y₂,mx₂ =") if form == "text" else ("Y_{1,mx2} &=", "Y_{2,mx2} &=")
    assert first in page
    assert second in page
    assert "Ymx₂x" not in page
    assert "mx2,x" not in page


def test_columns_of_the_base_regressor_are_the_base_parameters():
    page = render(derive(dynamis.load("deluca-2r").equations(), "base-parameters"))
    assert "Y(q, q̇, q̈) β = τ" in page
    assert all(f"Yβ{low} = " in page for low in "₁₂₃₆")
    assert "Y₂,β₄ = " in page
    assert "Ymx" not in page


@pytest.mark.parametrize("school", ["siciliano", "craig"])
def test_masses_out_of_long_sums(school: str):
    page = render(derive_only(dynamis.load("stanford").equations(), "M[1,1]"), "text", school)
    assert "(m₂ + m₃ + m₄ + m₅ + m₆) r₂²" in page


def test_what_is_common_to_a_coefficient_comes_out():
    model = dynamis.load("deluca-2r").equations().coefficients
    assert text(model.coefficients[3], "deluca") == "g₀ (m₁ d₁ + m₂ l₁)"
    assert text(model.coefficients[0], "deluca") == "I₁ + m₁ d₁² + I₂ + m₂ l₁² + m₂ d₂²"
    assert text(model.M[0][0], "deluca") == "a₁ + 2 a₂ c₂"


@pytest.mark.parametrize(("name", "entry"), [("deluca-2r-offaxis", "g"), ("niryo-one", "M")])
def test_bare_names_of_sympys_latex(name: str, entry: str):
    sympy = pytest.importorskip("sympy")
    from dynamis.telling.notation import to_sympy

    model = dynamis.load(name).equations()
    scalar = model.gravity[0] if entry == "g" else model.M[4, 4]
    left = "g[1]" if entry == "g" else "M[5,5]"
    report = check_answer(dynamis.load(name), f"{left} = {sympy.latex(to_sympy(scalar))}")
    assert report.entries[0].status == "equal"


def test_base_parameters_beside_a_parameter_named_beta():
    link = Link("a", Joint("q1"), mass="m", com=("beta", 0, 0))
    robot = Robot("r", (link,), gravity=(0, "-g", 0), parameters=dict.fromkeys(["m", "beta", "g"], ""))
    page = render(derive(robot.equations(), "base-parameters"))
    assert "χ₁ = " in page
    assert "β₁" not in page


def test_what_a_parameter_measures_comes_from_its_place_in_the_robot():
    """Masses called a and b, lengths m and g, an inertia d, gravity l: the order is that of a textbook."""
    links = (
        Link("upper", Joint("q1"), "base", "a", ("m/2", 0, 0), Inertia.of(zz="d", yy="d")),
        Link("lower", Joint("q2", before="Tx(m)"), "upper", "b", ("g", 0, 0), Inertia.of()),
    )
    robot = Robot("r", links, gravity=(0, "-l", 0), parameters=dict.fromkeys("abdmgl", ""))
    usual = Robot(
        "r",
        (
            Link("upper", Joint("q1"), "base", "m1", ("l1/2", 0, 0), Inertia.of(zz="I1", yy="I1")),
            Link("lower", Joint("q2", before="Tx(l1)"), "upper", "m2", ("lc2", 0, 0), Inertia.of()),
        ),
        gravity=(0, "-g0", 0),
        parameters=dict.fromkeys(("m1", "m2", "I1", "l1", "lc2", "g0"), ""),
    )
    names = {"m₁": "a", "m₂": "b", "I₁": "d", "l₁": "m", "lc₂": "g", "g₀": "l"}
    for one, other in zip(_lines(usual), _lines(robot), strict=True):
        for old, new in names.items():
            one = re.sub(rf"{old}(?![₀-₉])", new, one)
        assert one == other


def _lines(robot: Robot) -> list[str]:
    model = robot.equations()
    return [text(entry) for entry in (model.M[0, 0], model.M[0, 1], *model.coriolis, *model.gravity)]
