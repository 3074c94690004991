"""Sums of velocities and masses together: the same scalar, written as on a lecture's slide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import dynamis
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.forms.order import Layout
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import expand, size
from dynamis.telling.notation import NOTATIONS, text
from tests.support.exact_models import robots

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
