"""A school is one entry: with letters of its own for everything, no page has one of the usual letters left."""

import re
import unicodedata
from pathlib import Path

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.apps.grading.check import check_answer
from dynamis.base.errors import UnknownNameError
from dynamis.exact.derivations.bodies.steps import body_page
from dynamis.exact.derive import derive
from dynamis.telling import symbols
from dynamis.telling.formula import Sym
from dynamis.telling.notation import text
from dynamis.telling.notation.names import GREEK
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.telling.renderers.page import render

SYMBOLS = [x for x in (*vars(symbols).values(), *symbols.moves.values()) if isinstance(x, Sym)]
USUAL = {symbol.letter for symbol in SYMBOLS} | {"q"}
OWN = {meaning: f"Qa{chr(97 + k // 26)}{chr(97 + k % 26)}" for k, meaning in enumerate(sorted(symbols.MEANINGS))}
WORDS = Notation("words", "th", "disp")
SCHOOL = Notation("made up", "phi", "xi", symbols=OWN)
MINE = """
about = "My course"

[letters]
revolute = "phi"
prismatic = "rho"
length = "lambda"

[symbols]
"mass matrix" = "Q"
"mass matrix entry" = "b"
"Coriolis vector" = "W"
"gravity vector" = "Gamma"
"gravity vector entry" = "psi"
"torque" = "Lambda"
"generalised force of the loads" = "K"
"""


def words() -> Robot:
    """Two joints with friction and a rotor, whose parameters are words."""
    links = (
        Link("upper", Joint("q1", damping="damp", coulomb="dry", rotor_inertia="spin"), "base", "heavy", ("far", 0, 0)),
        Link("lower", Joint("q2", before="Tx(long)"), "upper", "light", ("near", 0, 0), Inertia.of(zz="stiff")),
    )
    names = ("damp", "dry", "spin", "heavy", "far", "long", "light", "near", "stiff", "fall")
    return Robot("arm", links, gravity=(0, "-fall", 0), parameters=dict.fromkeys(names, ""))


def letters(page: str, form: str) -> set[str]:
    """The names on a page that are not subscripts, Greek ones in words."""
    page = unicodedata.normalize("NFKD", page.replace("ᵀ", ""))
    page = re.sub(r"\[(kg|m|kg m2)\]", "", page)  # units in the heads of tables
    page = re.sub(r'd/dt|\\mathrm\{d\}|"d"', "", page)  # the operator d/dt
    if form == "html":
        page = re.sub(r"<mrow>(?:<m[ino]>[^<]*</m[ino]>)+</mrow>(?=</msub>|</munder>)", "", page)
        found = set(re.findall(r"<mi>([^<]*)</mi>", page.replace("<mi>T</mi></msup>", "")))
    elif form == "text":
        found = set(re.findall(r"(?<!\w)[^\W\d_]+", re.sub("[\u0307\u0308]", "", page))) - {
            "A",
            "friction",
        }  # words of its sentences
    else:
        page = re.sub(r"\^(\{T\}|T)", "", page)
        page = re.sub(r"_(\{[^}]*\}|\([^)]*\))", "", page)
        math = "".join(re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}|\$[^$]*\$", page, re.DOTALL))
        found = set(re.findall(r"[A-Za-z]+", math.replace("dot(", "(").replace("frac(", "(")))
    return found | {name for name, letter in GREEK.items() if letter in found}


@pytest.mark.parametrize(
    "method", ["energies", "lagrange", "jacobians", "moving-frames", "newton-euler", "free-bodies", "coefficients"]
)
@pytest.mark.parametrize("form", ["text", "latex", "typst", "html"])
def test_a_school_with_letters_of_its_own(method: str, form: str):
    derivation = derive(words().equations(), method, spatial=True)
    usual, own = (letters(render(derivation, form, school), form) for school in ("dynamis", SCHOOL))
    assert {"M", "c", "g"} <= usual
    assert any(name.startswith("Qa") for name in own)
    assert own & USUAL == set()


def test_the_letters_of_bodies_too():
    page = body_page(dynamis.Body.cylinder("wide", "high", mass="heavy").at("Tx(far)"), steps=True)
    assert letters(render(page, "html", SCHOOL), "html") & USUAL == set()


def test_the_letters_of_the_closed_form():
    school = Notation("mine", "phi", symbols={"mass matrix": "B", "Coriolis vector": "n", "gravity vector": "Gamma"})
    equations = dynamis.load("planar-elbow").equations()
    heads = [line for line in equations.text(school).splitlines() if line.endswith(" =")]
    assert heads == ["B =", "n =", "Γ ="]
    assert re.findall(r"(\S+) &= \\begin{pmatrix}", equations.latex(school)) == ["B", "n", r"\Gamma"]


def test_an_unknown_meaning():
    with pytest.raises(UnknownNameError, match='did you mean "mass matrix"'):
        Notation("mine", symbols={"mass matrx": "B"})


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("school", NOTATIONS)
def test_every_shipped_notation_is_read_back(school: str, form: str):
    robot = dynamis.load("planar-elbow")
    report = check_answer(robot, render(derive(robot.equations(), "energies", steps=False), form, school))
    assert report.right
    assert report.complete


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("robot", ["planar-elbow", "genova-rp"])
@pytest.mark.parametrize("short", [True, False])
def test_a_notation_file_is_written_and_read_back(short: bool, robot: str, form: str, tmp_path: Path):
    path = tmp_path / "mine.toml"
    text = MINE.replace('length = "lambda"', 'length = "lambda"\ncosine = "C"\nsine = "S"') if short else MINE
    path.write_text(text, encoding="utf-8")
    arm = dynamis.load(robot)
    page = render(derive(arm.equations(), "energies"), form, str(path), whole=True)
    report = check_answer(arm, page, notation=str(path))
    assert report.right
    assert report.complete
    letters = (
        ("φ̇₁", "λ₁", "ψ₁", "b₁₁") if form == "text" else ("\\dot{\\phi}_{1}", "\\lambda_{1}", "\\psi_{1}", "b_{11}")
    )
    assert all(symbol in page for symbol in letters)
    # A general coordinate of an arm with both kinds of joints is q_k.
    assert not re.search(r"q\u0307?[₁₂]|q\}?_\{?[12]|θ|theta", page)
    assert robot == "genova-rp" or not re.search(r"q[\u0307_]", page)


def test_a_length_by_what_it_measures():
    first = Link("a", Joint("q1"), mass="l2", com=("l1", 0, 0))
    second = Link("b", Joint("q2", before="Tx(l1)"), "a", mass="m", com=("l3", 0, 0))
    model = Robot("arm", (first, second), parameters=dict.fromkeys(("l1", "l2", "l3", "m"), "")).equations()
    assert text(model.M[0, 1], "craig") == "m L₃² + m L₁ L₃ c₂"
    assert "l₂ L₁²" in text(model.M[0, 0], "craig")


@pytest.mark.parametrize("robot", ["bar-2r", "genova-rp"])
def test_dots_cover_all_of_a_word(robot: str) -> None:
    """A coordinate called th has its dot on both letters: a dot on the h alone is t times the rate of h."""
    model = dynamis.load(robot).equations()
    lines = [text(c, WORDS) for c in model.coriolis]
    assert any("t\u0307h\u0307" in line for line in lines)
    assert not re.search("[a-z][a-z]\u0307", "".join(lines))
    answer = "\n".join(f"c{k} = {line}" for k, line in enumerate(lines, 1))
    assert check_answer(model.robot, answer, notation=WORDS).right
