"""Every method reaches the same M, c and g, on its own way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import dynamis
from dynamis.derivations.robots.methods import derive
from dynamis.document import symbols as s
from dynamis.document.blocks import Equation
from dynamis.document.formula import Sym, index
from dynamis.equations.equations import Equations
from tests.support.exact_models import robots


def results(model: Equations, method: str) -> dict[Sym, Any]:
    """The right sides of a page, by symbol; a symbol that stands there twice has one value."""
    found: dict[Sym, Any] = {}
    for step in derive(model, method).steps:
        for part in step.blocks:
            if isinstance(part, Equation) and isinstance(part.left, Sym) and part.right is not None:
                assert found.setdefault(part.left, part.right) == part.right
    return found


def assert_reaches_the_model(model: Equations, method: str) -> None:
    found, n = results(model, method), range(model.n)
    for k in n:
        assert found[s.c.at(k + 1)] == model.coriolis[k]
        assert found[s.g.at(k + 1)] == model.gravity[k]
        assert found[s.tau.at(k + 1)] == model.torques[k]
        for j in range(k, model.n):
            assert found[s.m.at(index(k + 1, j + 1))] == model.M[k, j]


WAYS = ["energies", "lagrange"]


@settings(max_examples=8)
@given(robots())
def test_every_way_on_any_robot(robot: dynamis.Robot):
    """Trees, prismatic joints, skew axes, friction and rotors."""
    model = robot.equations(numeric=True)
    for method in WAYS:
        assert_reaches_the_model(model, method)


@pytest.mark.parametrize("method", WAYS)
def test_every_way_with_coupled_joints(method: str):
    assert_reaches_the_model(dynamis.load("parallelogram").equations(), method)


def test_the_lagrangian_of_a_book():
    """Two prismatic joints: L = (m1 + m2) qd1^2 / 2 + m2 qd2^2 / 2 - (m1 + m2) g q1."""
    model = dynamis.load("cartesian").equations()
    assert str(model.lagrangian) == "1/2*d(q1)^2*m1 + 1/2*d(q1)^2*m2 + 1/2*d(q2)^2*m2 - q1*g*m1 - q1*g*m2"
    assert [str(model.lagrange_torque(k)) for k in range(2)] == ["dd(q1)*m1 + dd(q1)*m2 + g*m1 + g*m2", "dd(q2)*m2"]
