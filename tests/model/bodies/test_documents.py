"""The figures of the documents: equations 25 to 36 of Xu (corrected), integrals and Euler matrix of Akdogan."""

from __future__ import annotations

import numpy as np
import pytest

from dynamis import Body
from dynamis.base.expressions.parser import parse
from dynamis.bodies import exact_body
from dynamis.files import load_body
from dynamis.scalars.scalars import evaluate

RHO = 2710
CUBE = Body.box([0.1, 0.1, 0.1], density=RHO)
HOLE = Body.cylinder(0.01, 0.1, density=RHO)
WIDE_HOLE = Body.cylinder(0.025, 0.1, density=RHO)
A = (CUBE - HOLE).named("A").at("Tx(-0.4)")
B = Body.cylinder(0.025, 0.7, density=RHO, axis="x").named("B")
C = (CUBE - WIDE_HOLE).named("C").at("Tx(0.4) Rx(pi/4)")
# Printed with four decimals.
PRINTED = 5e-5
FULL = 1e-15
ORIGIN = (0, 0, 0)


def tensor(xx: float, yy: float, zz: float, yz: float = 0.0) -> np.ndarray:
    return np.array([[xx, 0, 0], [0, yy, yz], [0, yz, zz]])


def test_eq25_and_26_in_letters():
    cube, cylinder = exact_body(Body.box(["l", "l", "l"], mass="m")), exact_body(Body.cylinder("r", "h", mass="m"))
    assert all([*[*cube.inertia][k]][k] == evaluate(parse("m*l^2/6"), cube.scalars) for k in range(3))
    assert cylinder.inertia.a.x == evaluate(parse("m*(3*r^2 + h^2)/12"), cylinder.scalars)
    assert cylinder.inertia.c.z == evaluate(parse("m*r^2/2"), cylinder.scalars)


def test_eq28_cube():
    np.testing.assert_allclose(CUBE.properties().inertia, np.eye(3) * 0.004516666666666668, rtol=1e-14, atol=0)
    np.testing.assert_allclose(CUBE.properties().inertia, np.eye(3) * 0.0045, atol=PRINTED)


def test_eq29_hole_with_the_factor_that_the_document_lost():
    """I_zz is 4.2569e-06; the printed 0.0426 is m/2 without r^2."""
    found = HOLE.properties()
    np.testing.assert_allclose(
        np.diag(found.inertia), [7.30760631163766e-05, 7.30760631163766e-05, 4.25685804561417e-06], rtol=1e-13
    )
    assert found.mass / 2 == pytest.approx(0.0426, abs=PRINTED)


def test_eq30_bored_cube():
    found = (CUBE - HOLE).properties()
    np.testing.assert_allclose(
        found.inertia, tensor(0.004443590603550291, 0.004443590603550291, 0.004512409808621054), atol=FULL
    )
    assert found.mass == pytest.approx(2.6248628390877173, rel=1e-14)


def test_eq31_parallel_axis():
    found = A.properties().about(ORIGIN)
    np.testing.assert_allclose(found, tensor(0.004443590603550291, 0.42442164485758516, 0.4244904640626559), atol=FULL)
    np.testing.assert_allclose(found, tensor(0.0044, 0.4244, 0.4245), atol=PRINTED)


def test_eq32_body_b_with_its_own_mass():
    """As printed only with the mass of a cylinder of height 0.1; with its own it is seven times that."""
    as_printed = Body.cylinder(0.025, 0.7, mass=0.5321072557017713, axis="x").properties().inertia
    np.testing.assert_allclose(as_printed, tensor(0.0002, 0.0218, 0.0218), atol=PRINTED)
    found = B.properties()
    assert found.mass == pytest.approx(3.7248, abs=PRINTED)
    np.testing.assert_allclose(found.inertia, tensor(0.0011640, 0.1526760, 0.1526760), atol=5e-8)


def test_eq34_turned_and_moved():
    found = C.properties().about(ORIGIN)
    expected = tensor(0.003990102194878457, 0.35263308175978597, 0.35263308175978597, -0.00018014047719070358)
    np.testing.assert_allclose(found, expected, atol=FULL)
    np.testing.assert_allclose(found, tensor(0.0040, 0.3526, 0.3526, -0.0002), atol=PRINTED)
    same_as_a = (CUBE - HOLE).at("Tx(0.4) Rx(pi/4)").properties().about(ORIGIN)
    np.testing.assert_allclose(same_as_a, tensor(0.004444, 0.424456, 0.424456, -0.000034), atol=5e-7)


def test_eq36_total():
    as_printed = A + Body.cylinder(0.025, 0.7, mass=0.5321072557017713, axis="x") + C
    np.testing.assert_allclose(
        as_printed.properties().about(ORIGIN), tensor(0.0086, 0.7989, 0.7989, -0.0002), atol=PRINTED
    )
    true = (A + B + C).properties()
    np.testing.assert_allclose(true.about(ORIGIN), tensor(0.0095977, 0.9297307, 0.9297995, -0.00018014), atol=5e-8)


def test_shipped_bodies_are_those_of_the_document():
    """A, B and C of the link by their names, and the link as their sum."""
    for name, body in ("xu-body-a", CUBE - HOLE), ("xu-body-b", B), ("xu-body-c", C.at("Tx(-0.4)")):
        ours, theirs = load_body(name).properties(), body.properties()
        np.testing.assert_allclose(ours.inertia, theirs.inertia, rtol=1e-14, atol=1e-18)
        assert ours.mass == pytest.approx(theirs.mass, rel=1e-14)
    parts = load_body("xu-body-a").at("Tx(-0.4)") + load_body("xu-body-b") + load_body("xu-body-c").at("Tx(0.4)")
    whole = load_body("xu-link").properties()
    np.testing.assert_allclose(parts.properties().inertia, whole.inertia, rtol=1e-12, atol=1e-15)


def test_the_true_centre_of_mass():
    """Unequal ends put the CoM off the middle (capability 45)."""
    found = (A + B + C).properties()
    assert found.mass == pytest.approx(8.527506, abs=5e-7)
    np.testing.assert_allclose(found.com, [-0.020966, 0, 0], atol=5e-7)
    np.testing.assert_allclose(found.inertia, tensor(0.0095977, 0.9259822, 0.9260511, -0.00018014), atol=5e-8)


def test_the_parts_fit():
    fit = (A + B + C).fit()
    assert (fit.problems, fit.unchecked) == ((), ())


def test_euler_matrix_of_the_lecture():
    """Exercises 1 and 2: the elements of J_c, and I_c = trace(J_c) 1 - J_c, in letters."""
    exact = exact_body(Body.box(["a", "b", "c"], density="rho"))
    J, inertia = exact.euler_matrix, exact.inertia
    for k, side in enumerate("abc"):
        assert [*[*J][k]][k] == evaluate(parse(f"rho*a*b*c*{side}^2/12"), exact.scalars)
    trace = J.a.x + J.b.y + J.c.z
    for i, (row, other) in enumerate(zip(inertia, J, strict=True)):
        for j, (entry, second) in enumerate(zip(row, other, strict=True)):
            assert entry == (trace - second if i == j else -second)
