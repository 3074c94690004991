"""The pages of bodies: the work that is shown leads to the result, in numbers and in letters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings

from dynamis import Body, exact_body
from dynamis.derivations.bodies.steps import body_page
from dynamis.derivations.derivation import Derivation
from dynamis.document import symbols as s
from dynamis.document.blocks import Equation, Words
from dynamis.document.formula import Sym
from dynamis.document.renderers.page import render
from tests.support.random_bodies import placements, solids


def value(page: Derivation, left: Sym) -> Any:
    """What the last equation with this left side says."""
    found = [
        part.right
        for step in page.steps
        for part in step.blocks
        if isinstance(part, Equation) and part.left == left and part.right is not None
    ]
    return found[-1]


def numbers(matrix: Any) -> np.ndarray:
    return np.array([[float(sum(entry.terms().values())) for entry in row] for row in matrix])


@given(solids(), solids(), placements(), placements())
@settings(max_examples=30)
def test_the_page_has_the_numbers(a: Body, b: Body, p: str, q: str):
    """What the page adds up part by part, group by group, is what `properties` says."""
    whole = (a.at(p) + (b.at(q) + Body.point(0.5)).named("group").at(q)).at(p).allowing_overlap()
    page, found = body_page(whole, [1, 2, 3], steps=True, digits=15), whole.properties()
    scale = np.abs(found.about([1, 2, 3])).max()
    assert np.abs(numbers(value(page, s.inertia.at("c"))) - found.inertia).max() <= 1e-12 * scale
    assert np.abs(numbers(value(page, s.inertia.at("P"))) - found.about([1, 2, 3])).max() <= 1e-12 * scale
    assert np.abs(numbers(value(page, s.euler.at("c"))) - found.euler_matrix).max() <= 1e-12 * scale
    # Part 1: A = R I R^T as shown.
    R, own, turned = (numbers(value(page, symbol.at(1))) for symbol in (s.R, s.inertia, s.A))
    assert np.abs(R @ own @ R.T - turned).max() <= 1e-12 * np.abs(own).max()


def test_the_sum_of_the_steps_is_the_exact_body():
    """Group by group through the tree, or all solids at once: one polynomial."""
    head = (Body.box(["a", "a", "a"], density="rho") - Body.cylinder("r", "a", density="rho")).named("head")
    body = head.at("Tx(l) Rz(pi/4)") + Body.cylinder("r", "l", density="rho", axis="x").at("Tx(l/2)")
    page, exact = body_page(body, steps=True), exact_body(body)
    for k, axis in enumerate("xyz"):
        shown = value(page, replace(s.inertia, bold=False).at(f"c,{axis}{axis}"))
        assert str(shown) == str([*[*exact.inertia][k]][k])
    text = render(page)
    assert "I₁xx = " in text
    assert "𝐀₁ = 𝐑₁ 𝐈₁ 𝐑₁ᵀ" in text


def test_what_a_part_is_in_words():
    tube = Body.hollow_cylinder(0.2, 0.1, 1, density=7800, axis="y")
    words = [
        part.prose for step in body_page(tube, steps=True).steps for part in step.blocks if isinstance(part, Words)
    ]
    assert words[0] == "Hollow cylinder, axis y, radius 0.2, inner radius 0.1, height 1, density 7800 kg/m^3."


def test_noise_is_zero_on_the_page():
    """cos(pi/2)-free chains of odd angles leave rounding, which a reader does not see."""
    body = Body.box([0.1, 0.2, 0.3], mass=1).at("Rz(0.3) Rz(-0.3) Tx(0.1) Tx(-0.1)")
    page = render(body_page(body, steps=True))
    assert "e-" not in page
    assert "0.0000000" not in page
    assert "The CoM is the origin." in page
