"""Every method reaches the same M, c and g, on its own way."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.kinematics.poses import com_position, poses
from dynamis.exact.derivations.robots.methods import MOTION
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.equations import Equations
from dynamis.scalars.vectors import Vector, skew
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Rule
from dynamis.telling.formula import EQUALS, Sym, index
from tests.support.exact_models import robots


def results(model: Equations, method: str) -> dict[Sym, Any]:
    """The right sides of a page, by symbol; a symbol that stands there twice has one value."""
    found: dict[Sym, Any] = {}
    for step in derive(model, method).steps:
        for part in step.blocks if step.title != "Dynamic coefficients" else ():
            if isinstance(part, Equation) and isinstance(part.left, Sym) and part.right is not None:
                assert found.setdefault(part.left, part.right) == part.right
    return found


def assert_reaches_the_model(model: Equations, method: str) -> None:
    found, n = results(model, method), range(model.n)
    whole = method == "jacobians"
    M = found[s.M] if whole else [[found[s.m.at(index(min(i, j) + 1, max(i, j) + 1))] for j in n] for i in n]
    g = found[s.g] if whole else [found[s.g.at(k + 1)] for k in n]
    assert model.M.rows() == M
    assert g == model.gravity
    assert [found[s.c.at(k + 1)] for k in n] == model.coriolis
    assert [found[s.tau.at(k + 1)] for k in n] == model.torques


WAYS = ["energies", "lagrange", "jacobians"]


@settings(max_examples=8)
@given(robots())
def test_every_way_on_any_robot(robot: dynamis.Robot):
    """Trees, prismatic joints, skew axes, friction and rotors."""
    model = robot.equations(numeric=True)
    for method in WAYS:
        assert_reaches_the_model(model, method)
    for method in MOTION:
        assert all(proof.holds for proof in derive(model, method, steps=False).proofs)


@pytest.mark.parametrize("method", WAYS)
def test_every_way_with_coupled_joints(method: str):
    assert_reaches_the_model(dynamis.load("parallelogram").equations(), method)


@settings(max_examples=8)
@given(robots())
def test_jacobians_are_derivatives(robot: dynamis.Robot):
    """J_v of a CoM is dp/dq, and what J_w says of R is dR/dq."""
    model = robot.equations(numeric=True)
    m, found = model.mechanism, results(model, "jacobians")
    where = poses(m, model.state)
    for k in range(len(m.bodies)):
        p, R = com_position(m, where, k), where[k].R
        Jv, Jw = found[s.J.at(f"v{k + 1}")], found[s.J.at(f"w{k + 1}")]
        for j in range(model.n):
            assert [row[j] for row in Jv] == [model.partial_q(x, j) for x in p]
            turned = skew(Vector(*(row[j] for row in Jw)), m.zero).times(R)
            assert [list(row) for row in turned] == [[model.partial_q(x, j) for x in row] for row in R]


def test_the_inertia_in_base_axes():
    """R I R^T: of a rod that lies along the x axis of its frame, at any angle; the same in numbers."""
    robot = dynamis.load("deluca-2r")
    found = results(robot.equations(), "jacobians")[s.base_inertia.at("01")]
    assert str(found[0]) == "[-cos(q1)^2*I1 + I1, -sin(q1)*cos(q1)*I1, 0]"
    arm = dynamis.load("puma560")
    q = np.linspace(-1, 1, arm.n)
    for link in arm.links:
        R, inside = arm.com_pose(q, link.name)[:3, :3], arm.link_inertia(0 * q, link.name)
        R0 = arm.com_pose(0 * q, link.name)[:3, :3]
        np.testing.assert_allclose(arm.link_inertia(q, link.name), R @ R0.T @ inside @ R0 @ R.T, atol=1e-12)


def test_the_lagrangian_of_a_book():
    """Two prismatic joints: L = (m1 + m2) qd1^2 / 2 + m2 qd2^2 / 2 - (m1 + m2) g q1."""
    model = dynamis.load("cartesian").equations()
    assert str(model.lagrangian) == "1/2*d(q1)^2*m1 + 1/2*d(q1)^2*m2 + 1/2*d(q2)^2*m2 - q1*g*m1 - q1*g*m2"
    assert [str(model.lagrange_torque(k)) for k in range(2)] == ["dd(q1)*m1 + dd(q1)*m2 + g*m1 + g*m2", "dd(q2)*m2"]


@settings(max_examples=6)
@given(robots())
def test_christoffel_matrices(robot: dynamis.Robot):
    """Symmetric, with the entries c_ijk, and c_k = qd . C_k qd; what --only derives is the same."""
    model, n = robot.equations(numeric=True), range(robot.n)
    for k, C in enumerate(model.christoffel_matrices):
        assert [[model.christoffel(i + 1, j + 1, k + 1) for j in n] for i in n] == C
        total = model.ring.zero
        for i in n:
            for j in n:
                assert C[i][j] == C[j][i]
                total = total + model.qd[i] * C[i][j] * model.qd[j]
        assert total == model.coriolis[k]
    (step,) = derive_only(model, f"Ck[{robot.n}]").steps
    assert [part.right for part in step.blocks if isinstance(part, Equation)] == [model.christoffel_matrices[-1]]


@settings(max_examples=4)
@given(robots())
def test_single_entries_by_jacobians(robot: dynamis.Robot):
    """M and g as sums over the links are those of the energies; the last column of T_0ci is p_ci."""
    model = robot.equations(numeric=True)
    mass, gravity, place = derive_only(model, f"M, g, p[c{robot.n}]", "jacobians").steps
    assert mass.blocks[-1].right == model.M.rows()
    assert gravity.blocks[-1].right == list(model.gravity)
    assert place.blocks[-1].right == [row[3] for row in model.transform(0, f"c{robot.n}")[:3]]


def test_a_factor_one_is_not_written():
    """Of a link whose velocity per joint velocity is 1: m1 + m2, and not m1 (1) + m2 (1)."""
    model = dynamis.load("cartesian").equations()
    assert "d₁₁ = m₁ 𝐯₁₁ · 𝐯₁₁ + m₂ 𝐯₂₁ · 𝐯₂₁\n        = m₁ + m₂\n" in str(
        derive_only(model, "M[1,1]", "jacobians").page(notation="spong")
    )
    unit = dynamis.load("cartesian").with_values(m1=1, m2=1).equations()
    for page in (derive(unit, "energies"), derive_only(unit, "M[2,2]", "jacobians"), derive_only(unit, "T[1]")):
        assert not re.search(r"[^ y] \(1\)|= 1 [^+ ]", str(page)), page


def test_the_christoffel_matrices_of_a_lecture():
    """De Luca's 2R, with a2 = d2 l1 m2; C[1] asks for the same as Ck[1]."""
    model = dynamis.load("deluca-2r").equations()
    a2s2 = "sin(q2)*d2*l1*m2"
    assert repr(model.christoffel_matrices) == f"[[[0, -{a2s2}], [-{a2s2}, -{a2s2}]], [[{a2s2}, 0], [0, 0]]]"
    assert str(derive_only(model, "C[1]")) == str(derive_only(model, "Ck[1]")) == str(derive_only(model, "C1"))
    assert results(model, "energies")[s.christoffel_matrix.at(2)] == model.christoffel_matrices[1]
    with pytest.raises(ArgumentError, match="there is no 3 among the joints 1 to 2"):
        derive_only(model, "Ck[3]")
    (step,) = derive_only(model, "Ibase[2]").steps
    assert [part.right for part in step.blocks if isinstance(part, Equation)] == [
        [list(row) for row in model.link_jacobians[1].inertia]
    ]


def test_the_model_in_coefficients_is_that_of_a_lecture():
    """De Luca's slide: the equations of motion in a_1 .. a_5, and the regressor of these, proved on the page."""
    page = str(derive(dynamis.load("deluca-2r").equations(), "coefficients", steps=False).page(notation="deluca"))
    for line in (
        "u₂ = (a₃ + a₂ c₂) q̈₁ + a₃ q̈₂ + a₂ s₂ q̇₁² + a₅ c₁₂",
        "C₂ = │ a₂ s₂   0 │",
        "Y(q, q̇, q̈) a = u",
        "Ya₂ = │ 2 c₂ q̈₁ + c₂ q̈₂ − s₂ (2 q̇₁ q̇₂ + q̇₂²) │",
        "equal term by term, 43 terms in all",
    ):
        assert unicodedata.normalize("NFD", line) in unicodedata.normalize("NFD", page).replace(
            "term\n   by", "term by"
        )


@settings(max_examples=4)
@given(robots())
def test_the_regressor_of_the_coefficients_on_any_robot(robot: dynamis.Robot):
    """Friction is among the coefficients, so that the page says tau = Y a and nothing more."""
    found = derive(robot.equations(), "coefficients")
    rules = [part for step in found.steps for part in step.blocks if isinstance(part, Rule)]
    assert [rule.formula[2:] for rule in rules if rule.formula[0] == s.Y] == [(Sym("a"), EQUALS, s.tau)]
