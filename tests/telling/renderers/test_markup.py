"""The markup is well formed for every shipped robot: LaTeX, MathML, Typst."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache

import pytest
from hypothesis import given, settings

import dynamis
from dynamis.exact.equations import Equations
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.notation import NOTATIONS, latex, mathml, python, text, typst
from dynamis.telling.notation.names import GREEK
from dynamis.telling.notation.tree_matrix import TERM_CAP
from tests.support.exact_scalars import scalars
from tests.support.notations import notations_of

COMMANDS = {"frac", "sqrt", "sin", "cos", "dot", "ddot", "mathrm", "text", "cdots", "quad", "begin", "end", *GREEK}
LARGE = {"panda", "niryo-one"}


def check_latex(shown: str) -> None:
    """Braces and environments are balanced, every command is known, nothing is raised twice."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", shown):
        depth += 1 if brace == "{" else -1
        assert depth >= 0, shown
    assert depth == 0, shown
    assert shown.count("(") == shown.count(")"), shown
    assert set(re.findall(r"\\([A-Za-z]+)", shown)) <= COMMANDS, shown
    assert re.findall(r"\\begin\{(\w+)\}", shown) == re.findall(r"\\end\{(\w+)\}", shown)[::-1]
    assert not re.search(r"\}\^\{\d+\}\^|_\{[^{}]*\}_", shown), shown
    assert not re.search(r"[$%#~]", shown), shown


def check_typst(shown: str) -> None:
    """Brackets and quotes are balanced; words of several letters are functions, Greek or quoted."""
    outside = re.sub(r'"[^"]*"', "", shown)
    assert '"' not in outside
    assert outside.count("(") == outside.count(")")
    known = {"frac", "sqrt", "sin", "cos", "dot", "double", "dots", "mat", "column", "gap", "em", "quad", "alt", *GREEK}
    assert set(re.findall(r"[A-Za-z]{2,}", outside)) <= known, shown


@lru_cache(maxsize=1)
def model_of(name: str) -> Equations:
    """One model for its four notations, which stand together: they share M, c and g."""
    return dynamis.load(name).equations()


@pytest.mark.parametrize(("name", "notation"), [(name, c) for name in dynamis.robots() for c in notations_of(name)])
def test_every_robot(name: str, notation: str):
    model = model_of(name)
    for shown in (model.M, model.gravity, model.friction, model.coriolis[-2:]):
        # The search for a form is done once for the printers; a shorter cap keeps the largest robots short.
        cap = TERM_CAP // 4 if name in LARGE else TERM_CAP
        check_latex(latex(shown, notation, symbol="M", cap=cap))
        check_typst(typst(shown, notation, symbol="M", cap=cap))
        ET.fromstring(mathml(shown, notation, cap=cap))


@settings(max_examples=60, deadline=None)
@given(scalars())
def test_random_scalars(scalar: Exact):
    """Roots, inverses, fixed angles and signs too."""
    for notation in NOTATIONS:
        check_latex(latex(scalar, notation))
        check_typst(typst(scalar, notation))
        ET.fromstring(mathml(scalar, notation))
        assert "\x1f" not in text(scalar, notation) + latex(scalar, notation) + typst(scalar, notation)
    compile(python(scalar), "formula", "eval")
