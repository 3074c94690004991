"""The minimal dynamic coefficients: De Luca's five, and laws for every robot."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Inertia, Joint, Link
from dynamis.base.errors import ArgumentError
from dynamis.errors import MissingMassError
from dynamis.exact.closed_form.coefficients import DynamicCoefficients, dynamic_coefficients
from dynamis.scalars.exact.linear_algebra import independent, span
from dynamis.scalars.exact.ring import Exact, Ring
from tests.support.coupled_robots import ROBOTS
from tests.support.exact_models import robots

DE_LUCA = {
    "a1": "I1 + I2 + d1^2*m1 + d2^2*m2 + l1^2*m2",
    "a2": "d2*l1*m2",
    "a3": "I2 + d2^2*m2",
    "a4": "d1*g0*m1 + g0*l1*m2",
    "a5": "d2*g0*m2",
}


def total(scalars: list[Exact]) -> Exact:
    found = scalars[0]
    for scalar in scalars[1:]:
        found = found + scalar
    return found


def check(found: DynamicCoefficients) -> None:
    """The equations in the coefficients are the equations; tau = Y a; the coefficients are independent."""
    model = found.model
    assert [[found.expand(x) for x in row] for row in found.M] == model.M.rows()
    assert [found.expand(x) for x in found.g] == model.gravity
    assert [found.expand(x) for x in found.c] == model.coriolis
    assert [found.expand(x) for x in found.friction] == model.friction
    assert [found.expand(x) for x in found.torques] == model.torques
    assert [[[found.expand(x) for x in row] for row in C] for C in found.christoffel_matrices] == (
        model.christoffel_matrices
    )
    for row, tau in zip(found.regressor, model.torques, strict=True):
        products = [found.expand(y) * a for y, a in zip(row, found.coefficients, strict=True)]
        assert total([model.ring.zero, *products]) == tau
    assert independent([a.terms() for a in found.coefficients], model.ring) == list(range(found.p))


@pytest.mark.parametrize("name", ROBOTS)
def test_coupled_joints(name: str) -> None:
    """Joints that turn at k times a coordinate give c coefficients of its own, with k in them."""
    found = dynamic_coefficients(ROBOTS[name].equations())
    check(found)
    assert ("M, c, g" in found.minimality) == (name in ("belt", "rack", "screw"))


def test_de_luca():
    """De Luca's lecture: a_1 .. a_5 in the order of the lecture, M, c, g and Y as it writes them."""
    found = dynamic_coefficients(dynamis.load("deluca-2r").equations())
    assert {name: str(a) for name, a in zip(found.names, found.coefficients, strict=True)} == DE_LUCA
    a = [found.ring.scalar(name) for name in found.names]
    c1, s1, c2, s2 = (found.ring.scalar(f"{f}(q{k})") for k in (1, 2) for f in ("cos", "sin"))
    qd1, qd2, qdd1, qdd2 = (found.ring.scalar(f"{d}(q{k})") for d in ("d", "dd") for k in (1, 2))
    c12 = c1 * c2 - s1 * s2
    assert [[a[0] + (a[1] * c2).times(2), a[2] + a[1] * c2], [a[2] + a[1] * c2, a[2]]] == found.M
    assert found.g == [a[3] * c1 + a[4] * c12, a[4] * c12]
    assert found.c == [-(a[1] * s2 * (qd2 * qd2 + (qd1 * qd2).times(2))), a[1] * s2 * qd1 * qd1]
    zero = found.ring.zero
    assert found.regressor == [
        [qdd1, (qdd1.times(2) + qdd2) * c2 - ((qd1 * qd2).times(2) + qd2 * qd2) * s2, qdd2, c1, c12],
        [zero, qdd1 * c2 + qd1 * qd1 * s2, qdd1 + qdd2, zero, c12],
    ]
    assert "exact rank over the rationals is 5" in found.minimality


def test_off_the_axis_there_are_eight():
    assert dynamic_coefficients(dynamis.load("deluca-2r-offaxis").equations()).p == 8


@pytest.mark.parametrize("name", [name for name in dynamis.robots() if name != "panda"])
def test_shipped_robots(name: str):
    check(dynamic_coefficients(dynamis.load(name).symbolic().equations()))


@settings(max_examples=25)
@given(robots())
def test_random_trees(robot: dynamis.Robot):
    check(dynamic_coefficients(robot.equations()))


def test_names_that_the_robot_has_are_not_taken_again():
    found = dynamic_coefficients(dynamis.load("puma560").symbolic().equations())
    assert found.names[:2] == ("h1", "h2")


def test_roots_of_numbers_are_numbers():
    """m and sqrt(2) m are one coefficient: the rank is that over Q(sqrt(2))."""
    joints = [Joint("q1", "prismatic", (0, 0, 1)), Joint("q2", "prismatic", (0, 0, 1), "Rx(pi/4)")]
    links = [Link(f"link{k}", j, "base" if k == 1 else "link1", f"m{k}") for k, j in enumerate(joints, 1)]
    robot = dynamis.Robot("slides", tuple(links), gravity=(0, 0, 0), parameters={"m1": "", "m2": ""})
    found = dynamic_coefficients(robot.equations())
    check(found)
    assert [str(a) for a in found.coefficients] == ["m1 + m2", "1/2*sqrt(2)*m2"]
    assert "over the rationals with sqrt(2) is 2" in found.minimality
    assert [str(x) for x in found.M[1]] == ["a2", "sqrt(2)*a2"]


def test_fixed_angles_in_numbers_are_named():
    """cos(0.3) and cos(pi/7) are symbols of the ring although they are numbers; the sentence says so."""
    links = [
        Link("a", Joint("q1", "revolute", (0, 0, 1), "Rx(0.3) Tx(l)"), "base", "m", ("l", 0, 0)),
        Link("b", Joint("q2", "revolute", (0, 0, 1), "Rx(alpha) Tx(l)"), "a", "m", ("l", 0, 0)),
    ]
    names = {"m": "", "l": "", "alpha": "", "g": ""}
    found = dynamic_coefficients(dynamis.Robot("skew", tuple(links), gravity=(0, 0, "g"), parameters=names).equations())
    check(found)
    assert "the numbers sin(0.3), cos(0.3) taken as parameters" in found.minimality
    assert "they are necessary if these numbers are independent" in found.minimality


def test_numbers_have_no_coefficients():
    with pytest.raises(ArgumentError, match="a symbolic model"):
        dynamic_coefficients(dynamis.load("ur5").equations(numeric=True))


def test_what_is_not_linear_in_them_is_said():
    found = dynamic_coefficients(dynamis.load("deluca-2r").equations())
    with pytest.raises(ArgumentError, match="not a combination of the dynamic coefficients a1"):
        found.rewrite(found.model.ring.scalar("m1"))


def test_a_robot_without_inertia():
    """It has no equations, and it is said which links lack their masses."""
    robot = dynamis.Robot("nothing", (Link("a", Joint("q1", "revolute"), "base", 0, (0, 0, 0), Inertia()),))
    with pytest.raises(MissingMassError, match=r"no link that moves has a mass"):
        dynamic_coefficients(robot.equations())


def test_coordinates_are_checked_everywhere():
    one = Fraction(1)
    space = span([{"x": one, "y": one}, {"x": 2 * one, "y": 2 * one}, {"z": one}], Ring())
    assert (space.rank, space.chosen) == (2, (0, 2))
    assert space.coordinates({"x": 3 * one, "y": 3 * one, "z": -one}) == [3, -1]
    assert space.coordinates({"x": one}) is None
    assert space.coordinates({"w": one}) is None
    assert span([], Ring()).coordinates({}) == []
