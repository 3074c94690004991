"""Every solid: its textbook formula against numerical integration, against its mesh, and in letters."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamis import Body
from dynamis.model.bodies.array_functions import Arrays
from dynamis.model.bodies.coordinate_maps import CUBE, CoordinateMap, coordinate_maps
from dynamis.model.bodies.cubature import integrate
from dynamis.model.bodies.density import MOMENT_POWERS
from dynamis.model.bodies.mesh import mesh_integrals
from dynamis.model.bodies.shapes import SHAPES
from dynamis.model.bodies.solid import Solid, solid
from dynamis.scalars.scalars import evaluate
from tests.support.solid_sizes import ROUND, SIZES


def by_integration(found: Solid, density: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, CoM, inertia about it of a uniform solid, integral by integral."""
    ten = np.zeros(10)
    for onto in coordinate_maps(found.shape, dict(found.sizes), found.axis):

        def powers(*cube: Any, onto: CoordinateMap = onto) -> list[Any]:
            arrays = Arrays(dict(zip(CUBE, cube, strict=True)))
            x, y, z, weight = (evaluate(e, arrays) for e in (onto.x, onto.y, onto.z, onto.weight))
            return [prod([*[x] * a, *[y] * b, *[z] * c], start=weight * density) for a, b, c in MOMENT_POWERS]

        integral = integrate(powers, 1e-12)
        assert np.all(integral.error <= 1e-12 * integral.size)
        ten += integral.value
    mass, com = ten[0], ten[1:4] / ten[0]
    J = np.array([[ten[4], ten[7], ten[8]], [ten[7], ten[5], ten[9]], [ten[8], ten[9], ten[6]]])
    J -= mass * np.outer(com, com)
    return mass, com, np.trace(J) * np.eye(3) - J


def test_every_shape_is_here():
    assert {*SIZES, "point"} == {*SHAPES}


@pytest.mark.parametrize(("shape", "axis"), [(s, "z") for s in SIZES] + [(s, a) for s in ROUND for a in "xy"])
def test_formula_is_the_integral(shape: str, axis: str):
    found = solid(shape, density=7.5, axis=axis, **SIZES[shape])
    mass, com, inertia = by_integration(found, 7.5)
    body = Body("b", found).properties()
    assert body.mass == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(body.com, com, rtol=0, atol=1e-13)
    np.testing.assert_allclose(body.inertia, inertia, rtol=0, atol=1e-12 * inertia.max())


@pytest.mark.parametrize("shape", list(SIZES))
def test_mass_and_density_say_the_same(shape: str):
    by_density = Body.solid(shape, density=3.5, **SIZES[shape]).properties()
    by_mass = Body.solid(shape, mass=by_density.mass, **SIZES[shape]).properties()
    np.testing.assert_allclose(by_mass.inertia, by_density.inertia, rtol=1e-14, atol=0)


def manifold_mesh(shape: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The corners and faces of a solid with n corners a turn, inscribed."""
    import trimesh

    rows = {
        "cylinder": [[0, -0.35], [0.2, -0.35], [0.2, 0.35], [0, 0.35]],
        "cone": [[0, 0], [0.3, 0], [0, 0.8]],
        "hollow-cylinder": [[0.13, -0.35], [0.2, -0.35], [0.2, 0.35], [0.13, 0.35], [0.13, -0.35]],
    }
    turns = np.linspace(-np.pi / 2, np.pi / 2, n // 2 + 1)
    arc = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    arc[[0, -1], 0] = 0
    if shape == "sphere":
        line = 0.4 * arc
    elif shape == "ellipsoid":
        line = arc
    elif shape == "capsule":
        half = len(arc) // 2
        line = np.vstack([0.2 * arc[: half + 1] - [0, 0.25], 0.2 * arc[half:] + [0, 0.25]])
    else:
        line = np.array(rows[shape], dtype=float)
    found = trimesh.creation.revolve(line, sections=n)
    vertices = np.asarray(found.vertices) * ([0.3, 0.2, 0.5] if shape == "ellipsoid" else 1)
    faces = np.asarray(found.faces)
    return vertices, faces if mesh_integrals(vertices, faces)[0] > 0 else faces[:, ::-1]


@pytest.mark.parametrize("shape", ["cylinder", "hollow-cylinder", "sphere", "cone", "ellipsoid", "capsule"])
def test_meshes_converge_to_the_formula_with_order_two(shape: str):
    """An inscribed polygon of n corners misses the circle by O(1/n^2)."""
    exact = Body.solid(shape, density=1, **SIZES[shape]).properties()
    errors = []
    for n in (32, 64, 128):
        volume, com, inertia = mesh_integrals(*manifold_mesh(shape, n))
        np.testing.assert_allclose(com, exact.com, atol=1e-2)
        errors.append((abs(volume - exact.mass) / exact.mass, np.abs(inertia - exact.inertia).max() / inertia.max()))
    for coarse, fine in pairwise(errors):
        for a, b in zip(coarse, fine, strict=True):
            assert 1.9 < np.log2(a / b) < 2.1
    assert max(errors[-1]) < 3e-3


def test_a_torus_converges_too():
    """Volume 2 pi^2 R r^2; I_axis = m (R^2 + 3 r^2/4), across m (4 R^2 + 5 r^2)/8."""
    import trimesh

    R, r, errors = 1.0, 0.3, []
    mass = 2 * np.pi**2 * R * r**2
    expected = np.diag([mass * (4 * R**2 + 5 * r**2) / 8] * 2 + [mass * (R**2 + 3 * r**2 / 4)])
    for n in (32, 64, 128):
        torus = trimesh.creation.torus(R, r, major_sections=n, minor_sections=n)
        volume, com, inertia = mesh_integrals(np.asarray(torus.vertices), np.asarray(torus.faces))
        assert np.abs(com).max() < 1e-12
        errors.append((abs(volume / mass - 1), np.abs(inertia - expected).max() / expected.max()))
    for coarse, fine in pairwise(errors):
        for a, b in zip(coarse, fine, strict=True):
            assert 1.9 < np.log2(a / b) < 2.1


def test_flat_solids_are_their_meshes():
    """A box and a tetrahedron are meshes exactly."""
    import trimesh

    box = trimesh.creation.box([0.3, 0.2, 0.5])
    volume, com, inertia = mesh_integrals(np.asarray(box.vertices), np.asarray(box.faces))
    exact = Body.box([0.3, 0.2, 0.5], density=1).properties()
    assert volume == pytest.approx(exact.mass, rel=1e-14)
    np.testing.assert_allclose(inertia, exact.inertia, atol=1e-16)
    corners = np.array(SIZES["tetrahedron"]["vertices"])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    volume, com, inertia = mesh_integrals(corners, faces)
    exact = Body.tetrahedron(corners.tolist(), density=1).properties()
    assert volume == pytest.approx(exact.mass, rel=1e-13)
    np.testing.assert_allclose(com, exact.com, atol=1e-15)
    np.testing.assert_allclose(inertia, exact.inertia, atol=1e-15)


LENGTH = st.floats(0.01, 10).map(lambda x: round(x, 4))


@given(st.sampled_from(["capsule", "hollow-cylinder", "hollow-sphere"]), LENGTH, LENGTH)
def test_compound_formulas_are_sums_of_simple_ones(shape: str, r: float, h: float):
    s = r / 2
    match shape:
        case "capsule":
            found = Body.capsule(r, h, density=2)
            ball = Body.sphere(r, density=2).properties()
            rod = Body.cylinder(r, h, density=2).properties()
            # A half ball: mass m/2, CoM 3r/8 from its middle, 83/320 m r^2 across its axis.
            m = ball.mass / 2
            across = 83 / 320 * m * r * r + m * (h / 2 + 3 * r / 8) ** 2
            expected = rod.inertia[0, 0] + 2 * across
        case "hollow-cylinder":
            found = Body.hollow_cylinder(r, s, h, density=2)
            expected = (Body.cylinder(r, h, density=2) - Body.cylinder(s, h, density=2)).properties().inertia[0, 0]
        case _:
            found = Body.hollow_sphere(r, s, density=2)
            expected = (Body.sphere(r, density=2) - Body.sphere(s, density=2)).properties().inertia[0, 0]
    assert found.properties().inertia[0, 0] == pytest.approx(expected, rel=1e-12)


@given(st.sampled_from(sorted(SIZES)), LENGTH, LENGTH)
def test_letters_then_numbers_is_numbers(shape: str, a: float, b: float):
    """Formulas in letters with values put in are the formulas of the values."""
    kind = SHAPES[shape]
    if shape == "tetrahedron":
        return
    names = [name for names in kind.keys.values() for name in names]
    letters = dict(zip(names, [a + b, a, b, a * 2], strict=False))
    sizes = {key: [*names] if len(names) > 1 else names[0] for key, names in kind.keys.items()}
    numbers = {k: [letters[n] for n in v] if isinstance(v, list) else letters[v] for k, v in sizes.items()}
    named = Body.solid(shape, density="d", **sizes).with_values(letters, d=3)
    np.testing.assert_array_equal(
        named.properties().inertia, Body.solid(shape, density=3, **numbers).properties().inertia
    )


def test_decimals_are_exact():
    mass, com, inertia = Body.box([0.1, 0.2, 0.3], density=2700).at("Tx(0.1)").link_values()
    assert (str(mass), [str(c) for c in com]) == ("16.2", ["0.1", "0", "0"])
    assert getattr(inertia.matrix[0][0], "value", None) == Fraction(16200, 1000) * Fraction(13, 100) / 12
