"""A school is one entry: with letters of its own for everything, no page has one of the usual letters left."""

import re
import unicodedata

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.derivations.bodies.steps import body_page
from dynamis.derivations.robots.methods import derive
from dynamis.document import symbols
from dynamis.document.formula import Sym
from dynamis.document.notation.conventions import CONVENTIONS, Convention
from dynamis.document.notation.names import GREEK
from dynamis.document.renderers.page import render
from dynamis.errors import UnknownNameError
from dynamis.grading.check import check_answer

SYMBOLS = [x for x in (*vars(symbols).values(), *symbols.moves.values()) if isinstance(x, Sym)]
USUAL = {symbol.letter for symbol in SYMBOLS} | {"q"}
OWN = {meaning: f"Qa{chr(97 + k // 26)}{chr(97 + k % 26)}" for k, meaning in enumerate(sorted(symbols.MEANINGS))}
SCHOOL = Convention("made up", "phi", "xi", symbols=OWN)


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
    if form == "html":
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


@pytest.mark.parametrize("method", ["lagrange", "moving-frames", "newton-euler", "coefficients"])
@pytest.mark.parametrize("form", ["text", "latex", "typst", "html"])
def test_a_school_with_letters_of_its_own(method: str, form: str):
    derivation = derive(words().equations(), method)
    usual, own = (letters(render(derivation, form, school), form) for school in ("spong", SCHOOL))
    assert {"M", "c", "g"} <= usual
    assert any(name.startswith("Qa") for name in own)
    assert own & USUAL == set()


def test_the_letters_of_bodies_too():
    page = body_page(dynamis.Body.cylinder("wide", "high", mass="heavy").at("Tx(far)"), steps=True)
    assert letters(render(page, "html", SCHOOL), "html") & USUAL == set()


def test_an_unknown_meaning():
    with pytest.raises(UnknownNameError, match='did you mean "mass matrix"'):
        Convention("mine", symbols={"mass matrx": "B"})


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("school", CONVENTIONS)
def test_every_shipped_notation_is_read_back(school: str, form: str):
    robot = dynamis.load("planar-elbow")
    report = check_answer(robot, render(derive(robot.equations(), "lagrange", steps=False), form, school))
    assert report.right
    assert report.complete
