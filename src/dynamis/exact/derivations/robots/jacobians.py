"""The steps by Jacobians: J_v and J_w of every link, its inertia in base axes, and M, C and g from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dynamis.base.faces import request
from dynamis.compute.mechanics.dynamics.link_jacobians import gravity_torques_of, mass_matrix_of, rotor_matrix
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import MOST_SUBSTITUTED, Terms, rule_equation, sum_equation
from dynamis.exact.derivations.robots.links import GRAVITY, position
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    CROSS,
    DOT,
    EQUALS,
    HALF_OF,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Group,
    Total,
    Val,
    Word,
    by,
    index,
    sum_formulas,
    terms,
)
from dynamis.telling.formula import matrix as matrix_value
from dynamis.telling.formula import vector as vector_value


def link(model: ClosedForm, k: int, steps: bool = True) -> Iterator[Part]:
    """p_ci, J_vi, J_wi and R_0i I_i R_0i^T of a link, all in base axes; without `steps` long products are left."""
    p, jv, jw = s.p.at(f"c{k + 1}"), s.J.at(f"v{k + 1}"), s.J.at(f"w{k + 1}")
    if k == 0:
        yield from columns_rule(model, "v", "w")
    here = model.link_jacobians[k]
    if steps:
        yield position(model, k)
    yield Equation(jv, _rows(here.linear), (by((p,), (Coordinates(0),)),), frame="0")
    yield Equation(jw, _rows(here.angular), frame="0")
    long = [not steps and terms((matrix_value(x.inertia),)) > MOST_SUBSTITUTED for x in model.link_jacobians[: k + 1]]
    turned = inertia(model, k)
    yield turned if steps else replace(turned, right=None if long[k] else turned.right, ways=turned.ways[:1])
    if long[k] and not any(long[:k]):
        entry = request("derive", model.robot.argument, only=f"Ibase[{k + 1}]")
        yield Words(f"Long products are left as they are; {entry} multiplies one out.")


def columns_rule(model: ClosedForm, *letters: str) -> Iterator[Part]:
    """What the columns of J_vi ("v") and J_wi ("w") are; without letters, those of a frame's Jacobian."""
    z, far = s.z.at("j"), " of a joint that does not carry link i."
    at = s.p.at("ci") if letters else s.p
    arm: Formula = (z, CROSS, Group((at, MINUS, s.p.at("j"))))
    if "v" in letters:
        yield Words((
            "In base axes, ", (s.v.at("ci"), EQUALS, s.J.at("vi"), Coordinates(1)), ": column j is ",
            by((at,), (Coordinates(0, "j"),)), ", that is ", arm, " of a revolute joint with the axis ", (z,),
            " through ", (s.p.at("j"),), ", ", (z,), " of a prismatic one, and 0", far,
        ))  # fmt: skip
    if "w" in letters:
        yield Words((
            "In base axes, ", (s.omega.at("i"), EQUALS, s.J.at("wi"), Coordinates(1)), ": column j is the axis ", (z,),
            " of a revolute joint, 0 of a prismatic one and", far,
        ))  # fmt: skip
    if not letters:
        yield Words((
            "Column j of a revolute joint is ", arm, " over ", (z,), ", of a prismatic joint ", (z,),
            " over 0; of a joint that does not carry the link 0.",
        ))  # fmt: skip
    if model.robot.coupled:
        yield Words(
            "Joints are coupled to the coordinates: these columns, one per joint, are multiplied by the matrix A of "
            "their couplings (joints = A coordinates + offsets). What follows has one column per coordinate, J A."
        )


def inertia(model: ClosedForm, k: int) -> Equation:
    """The inertia of link k about its CoM in base axes: R_0i I_i R_0i^T."""
    R, at = poses(model.mechanism, model.state)[k].R, index(0, k + 1)
    rule: Formula = (s.R.at(at), s.inertia.at(k + 1), s.R.at(at).T)
    put: Formula = (matrix_value(R), matrix_value(model.mechanism.bodies[k].inertia), matrix_value(R.T))
    value = [list(row) for row in model.link_jacobians[k].inertia]
    return rule_equation(s.base_inertia.at(at), value, rule, put, "0")


def mass_matrix(model: ClosedForm) -> Iterator[Part]:
    """M as the sum over the links, and the rotors."""
    jv, jw, inertia_ = s.J.at("vi"), s.J.at("wi"), s.base_inertia.at("0i")
    rule: Formula = (s.mass.at("i"), jv.T, jv, PLUS, jw.T, inertia_, jw)
    rotors = rotor_matrix(model.mechanism)
    energy: Formula = (s.T, EQUALS, *HALF_OF, Coordinates(1), DOT, s.M, Coordinates(1))
    yield Words(
        (
            "The kinetic energy is ",
            energy,
            ", with ",
            (inertia_, EQUALS, s.R.at("0i"), s.inertia.at("i"), s.R.at("0i").T),
            ", the inertia about the CoM in the axes of the base, and",
        )
    )
    yield Rule((s.M, EQUALS, Total("i"), Group(rule), *((PLUS, Word("rotors")) if _any(rotors) else ())))
    parts: Terms = []
    for k, (body, here) in enumerate(zip(model.mechanism_with_masses.bodies, model.link_jacobians, strict=True), 1):
        jv, jw = s.J.at(f"v{k}"), s.J.at(f"w{k}")
        moved, turned = here.translation(), here.rotation()
        if body.mass and _any(moved):
            parts.append(((s.mass.at(k), jv.T, jv), (Val(body.mass), Val(moved))))
        if _any(turned):
            parts.append(((jw.T, s.base_inertia.at(index(0, k)), jw), (Val(turned),)))
    if _any(rotors):
        parts.append(((Word("rotors"),), (Val(rotors),)))
    yield sum_equation(s.M, mass_matrix_of(model.mechanism, model.link_jacobians), parts)


def coriolis_matrix(model: ClosedForm) -> Iterator[Part]:
    """C from the Christoffel symbols."""
    yield Rule((s.C.at("kj"), EQUALS, Total("i"), s.christoffel.at("ijk"), Coordinates(1, "i")))
    yield Equation(s.C, model.coriolis_matrix)


def gravity(model: ClosedForm) -> Iterator[Part]:
    """g as the sum over the links."""
    yield Words("The torques that hold the weights, by virtual work:")
    yield Rule((s.g, EQUALS, MINUS, Total("i"), s.mass.at("i"), s.J.at("vi").T, GRAVITY))
    rule: list[Formula] = []
    put: list[Formula] = []
    down = model.mechanism.gravity
    for k, (body, here) in enumerate(zip(model.mechanism_with_masses.bodies, model.link_jacobians, strict=True), 1):
        if body.mass and any(column.dot(down) for column in here.linear):
            rule.append((s.mass.at(k), s.J.at(f"v{k}").T, GRAVITY))
            put.append((Val(body.mass), Val([list(column) for column in here.linear]), vector_value(down)))
    value = gravity_torques_of(model.mechanism, model.link_jacobians)
    if any(model.spring_torques):
        yield Words(("With what the springs of the joints take, ", (s.stiffness.at("i"),), " times their deflections:"))
        yield Equation(s.g, [a + b for a, b in zip(value, model.spring_torques, strict=True)])
        return
    yield rule_equation(s.g, value, _negative(rule), _negative(put)) if rule else Equation(s.g, value)


def _rows(columns: list[Vector[Exact]]) -> list[list[Exact]]:
    return [list(row) for row in zip(*map(list, columns), strict=True)]


def _any(rows: list[list[Exact]]) -> bool:
    return any(any(row) for row in rows)


def _negative(parts: list[Formula]) -> Formula:
    return MINUS, *(parts[0] if len(parts) == 1 else (Group(sum_formulas(parts)),))
