"""Equations that text refers to have numbers, the same in every format; M, c and g stand as matrices."""

import re

import pytest

import dynamis
from dynamis.exact.derivations.robots.methods import MOTION
from dynamis.exact.derive import derive
from dynamis.telling.blocks import Document, Equation, Rule, Words
from dynamis.telling.formula import Reference
from dynamis.telling.renderers.page import render

NUMBERS = {
    "text": r" \((\d+)\)$",
    "latex": r"\\tag\{(\d+)\}",
    "markdown": r"\\tag\{(\d+)\}",
    "html": r'id="equation-(\d+)"',
    "typst": r"\$ <equation-(\d+)>",
}


@pytest.mark.parametrize("form", NUMBERS)
def test_numbers_are_the_same_in_every_format(form: str):
    found = derive(dynamis.load("deluca-2r").equations())
    labels = [
        part.label for step in found.steps for part in step.blocks if isinstance(part, Equation | Rule) and part.label
    ]
    assert labels == ["Christoffel symbols", "motion", "M", "c", "g", "torque 1", "torque 2"]
    page = render(found, form)
    numbers = re.findall(NUMBERS[form], page, re.MULTILINE)
    assert numbers == [str(k) for k in range(1, len(labels) + 1)]
    by = {"html": '<a href="#equation-2">(2)</a>', "typst": "#link(<equation-2>)[(2)]"}.get(form, "(2)")
    assert f"Row by row, {by} is" in page


def test_a_reference_to_what_is_not_on_the_page_is_in_words():
    sentence = Words(("This follows by ", Reference("rule", "the rule of signs"), "."))
    assert "This follows by the rule of signs." in render(Document("", (sentence,)))


@pytest.mark.parametrize("method", MOTION)
def test_the_parts_of_the_equations_of_motion_are_matrices(method: str):
    model = dynamis.load("genova-3r").equations()
    parts = {
        part.label: part
        for part in derive(model, method, steps=False).steps[-1].blocks
        if isinstance(part, Equation) and part.label
    }
    assert parts["M"].right == [[model.M[i, j] for j in range(3)] for i in range(3)]
    assert parts["c"].right == list(model.coriolis)
    assert parts["g"].right == list(model.gravity)


def test_long_parts_that_are_derived_above_are_in_symbols():
    page = render(derive(dynamis.load("genova-3r").equations()))
    whole = page[page.index("Equations of motion\n", 100) :]
    assert "│ m₁₁   m₁₂   m₁₃ │" in whole
    assert "m₁₁ =" not in whole
