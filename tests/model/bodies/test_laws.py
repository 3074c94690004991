"""Laws of bodies: parallel axes, rotations, sums and differences, frames, the Euler matrix."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamis
from dynamis import Body
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.bodies import exact_body
from dynamis.errors import ArgumentError, ModelError
from dynamis.model.checks import unphysical
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from tests.support.random_bodies import LENGTH, POINT, placements, solids


def number_of(value: Exact, letters: dict[str, float]) -> float:
    """An exact scalar at the values of its letters; a root and an inverse of a sum are letters too."""
    at = dict(letters)
    for name in value.ring.symbols:
        if name.startswith("sqrt("):
            at[name] = sqrt(int(name[5:-1]))
    for name in sorted(name for name in value.symbols() if name.startswith("1/")):
        at[name] = 1 / number_of(value.ring.denominator(name[2:]), at)
    pairs = value.terms().items()
    return sum(
        float(factor) * prod(at[n] ** e for n, e in zip(value.ring.symbols, powers, strict=True) if e)
        for powers, factor in pairs
    )


def close(a: Any, b: Any, scale: float = 0.0) -> None:
    size = max(np.abs(a).max(), np.abs(b).max(), scale, 1e-300)
    assert np.abs(np.asarray(a) - np.asarray(b)).max() <= 1e-11 * size


@given(solids(), POINT)
def test_parallel_axes(body: Body, point: tuple[float, float, float]):
    """Moving a body by d adds m (d.d 1 - d d^T) about the old CoM and nothing about its own."""
    there, here = body.at(list(point)).properties(), body.properties()
    d = np.array(point)
    close(there.com, here.com + d, 1.0)
    close(there.inertia, here.inertia)
    close(there.about(here.com), here.inertia + here.mass * (d @ d * np.eye(3) - np.outer(d, d)))


@given(solids(), placements())
def test_rotation(body: Body, placement: str):
    """I turns as R I R^T, with the same principal moments."""
    chain = dynamis.Placement.parse(placement)
    R = np.array([list(row) for row in chain.evaluate(Floats({}))[0]])
    there, here = body.at(placement).properties(), body.properties()
    close(there.inertia, R @ here.inertia @ R.T)
    close(there.principal.moments, here.principal.moments)
    close(there.seen_from(placement).inertia, here.inertia)
    close(there.seen_from(placement).com, here.com, 10.0)


@given(solids(), solids(), placements(), placements())
def test_subtraction_undoes_addition(a: Body, b: Body, p: str, q: str):
    first, second = a.at(p), b.at(q)
    back, there = (first + second - second).allowing_overlap().properties(), first.properties()
    size = (first + second).allowing_overlap().properties()
    assert back.mass == pytest.approx(there.mass, rel=1e-9)
    assert np.abs(back.com - there.com).max() <= 1e-9 * max(1, size.mass / there.mass)
    assert np.abs(back.inertia - there.inertia).max() <= 1e-10 * np.abs(size.about(there.com)).max()


@given(st.lists(st.tuples(solids(), placements()), min_size=2, max_size=4), placements())
def test_sums(parts: list[tuple[Body, str]], whole: str):
    """Order and grouping do not matter, and the whole moves as one."""
    bodies = [body.at(p) for body, p in parts]
    total = bodies[0]
    for body in bodies[1:]:
        total = total + body
    backward = bodies[-1]
    for body in bodies[-2::-1]:
        backward = body.named("group") + backward.named("rest")
    total = total.allowing_overlap()
    found, other = total.properties(), backward.allowing_overlap().properties()
    close(found.inertia, other.inertia)
    assert found.mass == pytest.approx(sum(body.properties().mass for body in bodies), rel=1e-12)
    about = sum(body.properties().about([0, 0, 0]) for body in bodies)
    close(found.about([0, 0, 0]), about)
    moved = total.at(whole).properties()
    close(moved.principal.moments, found.principal.moments)
    assert unphysical(found.inertia) is None


@given(solids(), placements())
def test_euler_matrix_and_principal_axes(body: Body, placement: str):
    """I_c = trace(J_c) 1 - J_c (Akdogan, exercises 1 and 2); J_c >= 0; R^T I R is diagonal, R a rotation."""
    found = body.at(placement).properties()
    J, principal = found.euler_matrix, found.principal
    close(np.trace(J) * np.eye(3) - J, found.inertia)
    assert np.linalg.eigvalsh(J)[0] >= -1e-12 * np.trace(J)
    w = np.array([0.3, -0.7, 1.1])
    S = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    # The rotational energy, both ways: w.I w / 2 = trace(S J S^T) / 2.
    assert w @ found.inertia @ w == pytest.approx(np.trace(S @ J @ S.T), rel=1e-11)
    close(principal.axes @ np.diag(principal.moments) @ principal.axes.T, found.inertia)
    assert np.linalg.det(principal.axes) == pytest.approx(1, abs=1e-12)


@given(solids(), solids(), placements())
def test_a_link_has_the_numbers_of_its_body(a: Body, b: Body, placement: str):
    whole = (a + b.at(placement)).allowing_overlap()
    mass, com, inertia = whole.link_values()
    found, scalars = whole.properties(), Floats({})
    assert evaluate(mass, scalars) == pytest.approx(found.mass, rel=1e-14)
    close([evaluate(c, scalars) for c in com], found.com, 1.0)
    close([[evaluate(e, scalars) for e in row] for row in inertia.matrix], found.inertia)


@given(LENGTH, LENGTH, LENGTH)
def test_exact_formulas_have_the_numbers(r: float, h: float, m: float):
    """The exact ring, the link's expressions and the floats are one body."""
    symbolic = Body.cylinder("r", "h", mass="m").at("Tz(h/2) Rx(pi/3)") + Body.point("m/3").at("Ty(r)")
    values = {"r": r, "h": h, "m": m}
    found = symbolic.with_values(values).properties()
    exact = exact_body(symbolic)
    close([[number_of(e, values) for e in row] for row in exact.inertia], found.inertia)
    close([number_of(e, values) for e in exact.com], found.com)
    mass, com, inertia = symbolic.link_values()
    numbers = Floats({k: as_expression(v) for k, v in values.items()})
    d = np.array([evaluate(c, numbers) for c in com])
    origin = np.array([[evaluate(e, numbers) for e in row] for row in inertia.matrix])
    weight = evaluate(mass, numbers)
    close(origin - weight * (d @ d * np.eye(3) - np.outer(d, d)), found.inertia, np.abs(origin).max())


def test_textbook_formulas():
    """The exact ring proves each formula equal to the book's, in letters."""

    for body, entries in (
        (Body.cylinder("r", "h", mass="m"), ("m*(3*r^2 + h^2)/12", "m*(3*r^2 + h^2)/12", "m*r^2/2")),
        (Body.box(["a", "a", "a"], mass="m"), ("m*a^2/6",) * 3),
        (Body.bar("l", mass="m", axis="x"), ("0", "m*l^2/12", "m*l^2/12")),
        (Body.sphere("r", density="rho"), ("8*pi*rho*r^5/15",) * 3),
        (Body.hollow_sphere("r", "s", density="rho"), ("8*pi*rho*(r^5 - s^5)/15",) * 3),
        (Body.cone("r", "h", mass="m"), ("3*m*(4*r^2 + h^2)/80", "3*m*(4*r^2 + h^2)/80", "3*m*r^2/10")),
    ):
        exact = exact_body(body)
        for k, text in enumerate(entries):
            assert [*[*exact.inertia][k]][k] == evaluate(parse(text), exact.scalars), body.name


def test_a_capsule_is_a_cylinder_and_two_half_balls_in_letters():
    """Exactly: the inertia times its denominator 3h + 4r is that of the sum of the parts."""

    exact = exact_body(Body.capsule("r", "h", density="rho"))
    across = parse("rho*pi*r^2*h*(3*r^2 + h^2)/12 + rho*(4/3)*pi*r^3*(2*r^2/5 + h^2/4 + 3*h*r/8)")
    assert exact.inertia.a.x == evaluate(across, exact.scalars)
    assert not any(symbol.kind == "inverse" for symbol in exact.inertia.a.x.symbols())


def test_the_python_of_a_body(tmp_path: Any):
    body = (Body.box([1, 1, 1], density="rho") - Body.sphere("r", density="rho")).named("bored cube").at("Tx(l)")
    assert body.parameters() == {"rho", "r", "l"}
    with pytest.raises(ArgumentError, match='body "bored cube" has no value for l, r, rho; give it under'):
        body.properties()
    assert body.with_values(rho=1, r=0.1, l=2).properties().com[0] == pytest.approx(2)
    three = Body.point(1) + Body.point(2) + Body.point(3)
    assert len(list(three.leaves())) == 3
    assert three.depth() == 1
    assert (three.named("three") + Body.point(1)).depth() == 2


def test_more_holes_than_body():
    body = Body.box([0.1, 0.1, 0.1], density=1000) - Body.sphere(1, density=1000)
    with pytest.raises(ModelError, match=r"has the mass -418\d: its holes take 4189 kg away from 1 kg; a mass"):
        body.properties()
    nothing = Body.box([1, 1, 1], density=3) - Body.box([1, 1, 1], density=3)
    with pytest.raises(ModelError, match="has the mass 0: "):
        nothing.properties()


def test_a_dense_hole_and_a_mass_too_small_to_be_written():
    body = Body.box([1, 1, 1], density=1) - Body.sphere(0.2, density=5000)
    with pytest.raises(ModelError, match="so a hole is larger or denser than its body"):
        body.properties()
    with pytest.raises(ModelError, match=r'^body "sphere" has the mass 0; a mass is > 0$'):
        Body.sphere(1e-200, density=1).properties()


def test_sums_and_what_is_no_body():
    parts: Any = [Body.point(1), Body.point(2).at("Tx(3)")]
    whole: Any = sum(parts)
    assert whole.properties().com.tolist() == [2, 0, 0]
    cube: Any = Body.box([1, 1, 1], density=1)
    for act in (lambda: cube + 3, lambda: cube - "x", lambda: 1 + cube, lambda: 3 - cube):
        with pytest.raises(TypeError, match="unsupported operand"):
            act()


def test_bodies_are_shown_in_one_line():
    cube = Body.box([1, 1, 1], density=1)
    assert repr(cube) == "<Body box: box>"
    assert repr((cube - Body.sphere("r", density=1)).named("head")) == "<Body head: 1 part, 1 hole>"
    assert repr(cube + cube.at("Tx(2)")) == "<Body body: 2 parts>"
    assert repr(Body.cad(mass=1, com=[0, 0, 0], moments=[1, 1, 1])) == "<Body cad: CAD data>"


@pytest.mark.parametrize("point", [[1, 2], 3, "x", [1, 2, float("nan")], [[1, 2, 3]]])
def test_about_a_point(point: Any):
    with pytest.raises(ArgumentError, match=r"point must be three finite values \[x, y, z\] in m, got .*"):
        Body.box([1, 1, 1], density=1).properties().about(point)


def test_too_deep_and_too_many():
    body = Body.point(1)
    for _ in range(20):
        body = body.named("x") + Body.point(1)
    with pytest.raises(ArgumentError, match="parts stand in parts at most 20 deep"):
        _ = body.named("x") + Body.point(1)


def test_a_body_with_a_negative_moment_is_refused() -> None:
    with pytest.raises(ModelError, match=r"has the principal moment -0\.004 kg m\^2; a moment is >= 0"):
        (Body.sphere(0.1, mass=1) - Body.sphere(0.2, mass=0.5)).allowing_overlap().properties()
