"""The pages of bodies: the work that is shown leads to the result, in numbers and in letters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dynamis import Body
from dynamis.base.expressions.expression import Expression, Parameter
from dynamis.base.expressions.parser import parse
from dynamis.bodies import exact_body
from dynamis.exact.derivations.bodies.masses import part_masses
from dynamis.exact.derivations.bodies.steps import body_page
from dynamis.exact.derivations.derivation import Derivation
from dynamis.model.bodies.body import Parts
from dynamis.model.bodies.composite import euler_matrix, trace_form
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Words
from dynamis.telling.formula import Sym
from dynamis.telling.renderers.page import render
from tests.support.exact_models import at
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
    """Group by group through the tree, or all solids at once: one polynomial, by densities or by masses."""
    head = (Body.box(["a", "a", "a"], density="rho") - Body.cylinder("r", "a", density="rho")).named("head")
    body = head.at("Tx(l) Rz(pi/4)") + Body.cylinder("r", "l", density="rho", axis="x").at("Tx(l/2)")
    page, exact = body_page(body, steps=True), exact_body(body)
    values = {"a": 0.7, "r": 0.2, "l": 1.3, "rho": 5.0}
    masses = {name: number(mass, values) for name, mass in part_masses(body).values()}
    assert set(masses) == {"m1a", "m1b", "m2"}
    for k, axis in enumerate("xyz"):
        shown = value(page, replace(s.inertia, bold=False).at(f"c,{axis}{axis}"))
        expected = [*[*exact.inertia][k]][k]
        assert np.isclose(amount(shown, {**values, **masses}), amount(expected, values), rtol=1e-12)
    text = render(page)
    assert "I₁xx = " in text
    assert "𝐀₁ = 𝐑₁ 𝐈₁ 𝐑₁ᵀ" in text


SHAPES = (
    Body.box(["a", "b", "c"], density="rho"),
    Body.cylinder("r", "a", density="rho", axis="x"),
    Body.sphere("r", density="sigma"),
    Body.bar("a", density="rho"),
    Body.cone("r", "b", mass="M"),
)


@given(st.sampled_from(SHAPES), st.sampled_from(SHAPES), st.booleans(), st.booleans())
@settings(max_examples=8, phases=[Phase.generate])
def test_masses_of_parts_stand_for_their_densities(one: Body, other: Body, hole: bool, steps: bool):
    """Any composite, at numbers: what the page says by masses is what `properties` says of the densities."""
    body = one.at("Tx(d)") + other.at("Tx(2*d) Rz(pi/6)")
    body = (
        (body - Body.cylinder("r", "r", density="sigma").at("Ty(d)") if hole else body).at("Tz(d)").allowing_overlap()
    )
    values = {"a": 0.9, "b": 1.1, "c": 0.7, "r": 0.2, "rho": 5.0, "sigma": 0.5, "M": 50.0, "d": 0.3}
    used = {key: x for key, x in values.items() if key in body.parameters()}
    page = body_page(body, ["d", 0, 1], steps=steps)
    found = body.substituted({key: parse(str(x)) for key, x in used.items()})
    # With steps the placement of the whole is a step too.
    numbered = Body(body.name, Parts(((1, body),))) if steps else body
    masses = {name: number(mass, values) for name, mass in part_masses(numbered).values()}
    properties = found.properties()
    for left, expected in (s.inertia.at("c"), properties.inertia), (s.inertia.at("P"), properties.about([0.3, 0, 1])):
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            entry = entry_of(page, left, i, j)
            shown = 0.0 if entry is None else amount(entry, {**values, **masses})
            assert abs(shown - expected[i, j]) <= 1e-10 * np.abs(expected).max()


def entry_of(page: Derivation, left: Sym, i: int, j: int) -> Any:
    """An entry of a matrix of the result, which stands alone where it is long; None is 0."""
    single = replace(left, bold=False).at(f"{left.index},{'xyz'[i]}{'xyz'[j]}")
    for part in page.steps[-1].blocks:
        if isinstance(part, Equation) and part.right is not None:
            if part.left == left:
                return part.right[i][j]  # type: ignore[index]
            if part.left == single:
                return part.right
    return None


def amount(value: Exact, values: dict[str, float]) -> float:
    """A polynomial at numbers; pi, roots and quotients are symbols of it."""
    return at(value, {str(symbol): number(parse(str(symbol)), values) for symbol in value.symbols()})


def number(mass: Expression, values: dict[str, float]) -> float:
    return evaluate(mass, Floats({key: parse(str(x)) for key, x in values.items()}))


def test_a_mass_that_is_shorter_than_a_density():
    """m/12 (a^2 + c^2), not 1/12 rho a b c (a^2 + c^2); with a hole the masses of the parts, which the result names."""
    box = Body.box(["a", "b", "c"], density="rho")
    assert "1/12 m (b² + c²)" in render(body_page(box))
    text = render(body_page(box - Body.cylinder("r", "c", density="rho")))
    assert "m₁ = ρ a b c" in text
    assert "Iczz = 1/12 m₁ (a² + b²) − 1/2 m₂ r²" in text
    own = Body.box(["m", "b", "c"], density="rho")  # its own m is a length
    assert "1/12 m ρ b c (b² + c²)" in render(body_page(own))


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


def test_the_trace_form_of_the_rotational_energy():
    """1/2 trace(S J S^T) = 1/2 w . I w, for any w: proved in symbols, and the same for numbers in any frame."""
    for size, word in ((("a", "b", "c"), "so they are equal: proved."), ((1, 2, 3), "are equal to rounding.")):
        page = body_page(Body.box(size, mass="m" if word.endswith("proved.") else 2).at("Rx(pi/6) Tx(1)"))
        words = [str(part.prose) for step in page.steps for part in step.blocks if isinstance(part, Words)]
        assert sum(word in text for text in words) == 1
    names = [["A", "D", "E"], ["D", "B", "F"], ["E", "F", "C"]]
    scalars = exact_body(Body.box((1, 1, 1), mass=1), more=map(Parameter, "ABCDEF")).scalars
    inertia = Matrix(*(Vector(*map(scalars.parameter, row)) for row in names))
    assert trace_form(euler_matrix(inertia, scalars), scalars) == [list(row) for row in inertia]


def test_a_solid_by_integrals():
    """Mass, CoM and inertia with their integrals; the density or, for a given mass, the mass element in them."""
    page = str(body_page(Body.solid("box", size=["a", "b", "c"], density="rho"), steps=True))
    assert "m = ∫ dm\n      = ∫ ρ dx dy dz\n      = ρ (a b c)\n      = ρ a b c" in page
    assert "Ixx = ∫ (y² + z²) ρ dx dy dz\n        = 1/12 m (b² + c²)" in page
    assert "T = 1/2 m 𝐯c · 𝐯c + 1/2 trace (𝐒(𝛚) 𝐉c 𝐒ᵀ(𝛚))" in page
    cone = str(body_page(Body.solid("cone", radius="r", height="h", mass="m"), steps=True))
    assert "Izz = ∫ (x² + y²) dm\n        = 3/10 m r²" in cone
    assert "m = ∫" not in cone
