"""Sums of velocities and masses together: the same scalar, written as on a lecture's slide."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.document.forms.order import Layout
from dynamis.document.forms.simplest import simplest
from dynamis.document.forms.squares import square_root
from dynamis.document.forms.tree import expand, size
from dynamis.document.notation import NOTATIONS, text
from dynamis.scalars.exact.ring import Exact
from tests.support.exact_models import robots
from tests.support.rings import ring

GROUPED = NOTATIONS["deluca"].layout


def formulas(robot: dynamis.Robot) -> list[Exact]:
    model = robot.equations()
    entries = [entry for row in model.M.rows() for entry in row]
    return [*entries, *model.coriolis, *model.gravity, model.kinetic_energy]


@pytest.mark.parametrize("name", ["deluca-2r", "parallelogram", "stanford", "genova-rp"])
def test_the_form_expands_to_the_scalar(name: str):
    for formula in formulas(dynamis.load(name)):
        assert expand(simplest(formula, GROUPED), formula.ring) == formula


@settings(max_examples=15, deadline=None)
@given(robots())
def test_any_robot(robot: dynamis.Robot):
    for formula in formulas(robot):
        assert expand(simplest(formula, GROUPED), formula.ring) == formula


def test_velocities_as_on_the_slide():
    model = dynamis.load("deluca-2r").equations()
    lines = text(model.kinetic_energies[1], "deluca"), text(model.coriolis[0], "deluca")
    assert lines == (
        "1/2 m₂ l₁² q̇₁² + 1/2 (I₂ + m₂ d₂²) (q̇₁ + q̇₂)² + m₂ l₁ d₂ c₂ q̇₁ (q̇₁ + q̇₂)",
        "−m₂ l₁ d₂ s₂ (2 q̇₁ q̇₂ + q̇₂²)",
    )
    v2 = model.quantity("link_motions")["com_velocity"][1]
    assert text(v2[1], "deluca") == "l₁ c₂ q̇₁ + d₂ (q̇₁ + q̇₂)"


def test_grouped_velocities_are_never_longer():
    for formula in dynamis.load("stanford").equations().coriolis:
        assert size(simplest(formula, GROUPED)) <= size(
            simplest(formula, Layout(False, False, True, group_masses=True))
        )


def test_the_mass_matrix_mass_by_mass():
    """Six brackets, one per link; the inertias in them are multiplied by squares of direction cosines."""
    line = " ".join(text(dynamis.load("stanford").equations().M[0, 0], "deluca").split())
    assert line.startswith("m₁ k₁₂₂² + m₂ (r₂² + 2 r₂ yb₂ + k₂₃₃² c₂² + k₂₁₁² s₂²) + m₃ (")
    assert [line.count(f"m{digit}") for digit in "₁₂₃₄₅₆"] == [1] * 6
    assert "k₅₁₁² (c₂ s₅ + s₂ s₄ c₅)²" in line
    assert "k₆₁₁² (c₂ s₅ c₆ + s₂ c₄ s₆ + s₂ s₄ c₅ c₆)²" in line


RING = ring((), joints=("q1", "q2", "q3"))
monomials = st.tuples(*[st.integers(0, 1)] * 6)


def exponents(scalar: Exact) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    at = [RING.places[symbol] for pair in RING.angles for symbol in pair]
    return tuple(sorted((tuple(key[k] for k in at), number) for key, number in scalar.terms().items()))


def scalar(terms: dict[tuple[int, ...], Fraction]) -> Exact:
    symbols = [RING.scalar(symbol) for pair in RING.angles for symbol in pair]
    total = RING.zero
    for powers, number in terms.items():
        product = RING.number(number)
        for symbol, power in zip(symbols, powers, strict=True):
            product = product * (symbol if power else RING.one) * (symbol if power > 1 else RING.one)
        total = total + product
    return total


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(monomials, st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=4), st.integers(1, 3))
def test_squares_are_found_and_nothing_else_is_called_one(terms: dict[tuple[int, ...], Fraction], number: int):
    root = scalar(terms)
    if not root:
        return
    square = square_root(exponents((root * root).times(number)))
    assert square is not None
    factor, again = square
    assert (scalar(again) * scalar(again)).times(factor) == (root * root).times(number)
    near = root * root + RING.scalar(RING.angles[0][0])
    if near and (other := square_root(exponents(near))) is not None:
        assert (scalar(other[1]) * scalar(other[1])).times(other[0]) == near
