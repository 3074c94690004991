"""One link: where its CoM is, its velocities, its energies; each with its rule.

Link i stands on link p (0 is the base), R_i takes its axes to those of p; k_i is its joint axis, r_ci goes
from the origin of its frame to its CoM. Vectors are in link axes, those of `position` and `velocity` in base axes.
"""

from __future__ import annotations

from collections.abc import Iterator

from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.compute.mechanics.kinematics.poses import com_position, poses
from dynamis.compute.mechanics.mechanism import joint_transform
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import Terms, rule_equation, sum_equation
from dynamis.exact.derivations.robots.joint_forces import spring_energy
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Words
from dynamis.telling.forms.tree import Coordinate
from dynamis.telling.formula import (
    CROSS,
    DOT,
    HALF_OF,
    MINUS,
    PLUS,
    Formula,
    Group,
    Val,
    by,
    index,
    square_rate,
)
from dynamis.telling.formula import matrix as matrix_value
from dynamis.telling.formula import vector as vector_value

GRAVITY = s.gravity


def coordinate(model: ClosedForm, k: int, order: int = 0) -> Val:
    """Coordinate k (from 0), its velocity or its acceleration."""
    return Val(Coordinate(model.robot.coordinates[k].name, order))


def joint_variable(model: ClosedForm, joint: int, order: int = 0) -> Val:
    """The variable of a moving joint (from 0), coupled ones too, its velocity or its acceleration."""
    return Val(Coordinate(model.robot.joints[joint].name, order))


def parent_of(model: ClosedForm, k: int) -> int:
    """The number of the parent of link k (from 0); 0 is the base, 1 the first link."""
    parent = model.mechanism.bodies[k].parent
    return 0 if parent is None else parent + 1


def rotation(model: ClosedForm, k: int) -> Equation:
    """R_i: link axes to the axes of the parent."""
    R, _ = joint_transform(model.mechanism.bodies[k], model.state, model.mechanism)
    return Equation(s.R.at(k + 1), [list(row) for row in R])


def along(model: ClosedForm, k: int, order: int) -> tuple[Formula, Formula]:
    """k_i qd_i, in symbols and with the axis."""
    body = model.mechanism.bodies[k]
    assert body.joint is not None
    rate = joint_variable(model, body.joint, order)
    return (s.k.at(k + 1), rate), (vector_value(body.k), rate)


def rotate_to_link(model: ClosedForm, k: int, name: Formula, value: Formula) -> tuple[Formula, Formula]:
    """R_i^T (what the parent has), in symbols and with the quantities."""
    R, _ = joint_transform(model.mechanism.bodies[k], model.state, model.mechanism)
    return (s.R.at(k + 1).T, *name), (matrix_value(R.T), *value)


def angular_velocity(model: ClosedForm, k: int) -> Equation:
    """w_i = R_i^T w_p + k_i qd_i, the last only for a revolute joint."""
    body, fast, p = model.mechanism.bodies[k], velocities(model.mechanism, model.state), parent_of(model, k)
    parts: Terms = []
    if p:
        parts.append(rotate_to_link(model, k, (s.omega.at(p),), (vector_value(fast[p - 1].w),)))
    if body.revolute and body.joint is not None:
        parts.append(along(model, k, 1))
    return sum_equation(s.omega.at(k + 1), fast[k].w, parts, str(k + 1))


def frame_velocity(model: ClosedForm, k: int) -> Equation:
    """v_i = R_i^T (v_p + w_p x e_i) + k_i qd_i + w_i x r_i: of the origin of the link frame.

    e_i from the parent's origin to the joint, in parent axes; r_i from the joint to the link's origin.
    """
    m, fast, p = model.mechanism, velocities(model.mechanism, model.state), parent_of(model, k)
    body, i = m.bodies[k], str(k + 1)
    parts: Terms = []
    if p:
        up = m.bodies[p - 1]
        _, r = joint_transform(body, model.state, m)
        b, v = r - up.origin, fast[p - 1].at(up.origin)
        name: Formula = (s.v.at(p),)
        value: Formula = (vector_value(v),)
        if any(b):
            turn = ((s.omega.at(p), CROSS, s.e.at(i)), (vector_value(fast[p - 1].w), CROSS, vector_value(b)))
            name = (Group((*name, PLUS, *turn[0])),)
            value = (Group((*value, PLUS, *turn[1])),) if any(v) else (Group(turn[1]),)
        parts.append(rotate_to_link(model, k, name, value))
    if not body.revolute and body.joint is not None:
        parts.append(along(model, k, 1))
    if any(body.origin):
        parts.append((
            (s.omega.at(i), CROSS, s.r.at(i)),
            (vector_value(fast[k].w), CROSS, vector_value(body.origin)),
        ))  # fmt: skip
    return sum_equation(s.v.at(i), fast[k].at(body.origin), parts, i)


def com_velocity(model: ClosedForm, k: int) -> Equation:
    """v_ci = v_i + w_i x r_ci in link axes, r_ci from the origin of the link frame."""
    fast, body, i = velocities(model.mechanism, model.state)[k], model.mechanism.bodies[k], str(k + 1)
    v, r = fast.at(body.origin), body.com - body.origin
    parts: Terms = [((s.v.at(i),), (vector_value(v),))]
    if any(r):
        parts.append(((s.omega.at(i), CROSS, s.r_com.at(f"c{i}")), (vector_value(fast.w), CROSS, vector_value(r))))
    return sum_equation(s.v.at(f"c{i}"), fast.v_com, parts, i)


def position(model: ClosedForm, k: int) -> Equation:
    """p_ci = p_i + R_0i r_ci: the CoM in base axes, from the origin of the link frame."""
    places, body, i = poses(model.mechanism, model.state), model.mechanism.bodies[k], str(k + 1)
    R, origin, r = places[k].R, places[k].p + places[k].R @ body.origin, body.com - body.origin
    parts: Terms = [((s.p.at(i),), (vector_value(origin),))]
    if any(r):
        parts.append(((s.R.at(index(0, k + 1)), s.r_com.at(f"c{i}")), (matrix_value(R), vector_value(r))))
    return sum_equation(s.p.at(f"c{i}"), com_position(model.mechanism, places, k), parts, "0")


def velocity(model: ClosedForm, k: int) -> Equation:
    """v_ci = sum over joints of dp_ci/dq_j qd_j, in base axes."""
    p = com_position(model.mechanism, poses(model.mechanism, model.state), k)
    parts: Terms = []
    for j in range(model.n):
        slope = [model.partial_q(entry, j) for entry in p]
        if any(slope):
            rate = coordinate(model, j, 1)
            rule: Formula = (*by((s.p.at(f"c{k + 1}"),), (coordinate(model, j),)), rate)
            parts.append((rule, (Val(slope), rate)))
    return sum_equation(s.v.at(f"c{k + 1}"), [model.time_derivative(entry) for entry in p], parts, "0")


def kinetic(model: ClosedForm, k: int) -> Equation:
    """T_i = (m_i v_ci.v_ci + w_i.I_i w_i + J_i qd_i^2)/2, without the parts that are zero."""
    fast, body, i = velocities(model.mechanism, model.state)[k], model.mechanism.bodies[k], str(k + 1)
    v, w = s.v.at(f"c{i}"), s.omega.at(i)
    square, turning = fast.v_com.dot(fast.v_com), fast.w.dot(body.inertia @ fast.w)
    parts: Terms = []
    if square and body.mass:
        parts.append(((*HALF_OF, s.mass.at(i), v, DOT, v), (*HALF_OF, Val(body.mass), Val(square))))
    if turning:
        parts.append(((*HALF_OF, w, DOT, s.inertia.at(i), w), (*HALF_OF, Val(turning))))
    if body.joint is not None and body.rotor:
        rate = joint_variable(model, body.joint, 1)
        both = square_rate((rate,))
        parts.append(((*HALF_OF, s.rotor.at(i), *both), (*HALF_OF, Val(body.rotor), *both)))
    return sum_equation(s.T.at(i), model.kinetic_energies[k], parts)


def potential(model: ClosedForm, k: int) -> Equation:
    """U_i = -m_i g.p_ci, and the energy of the joint's spring."""
    places, body, i = poses(model.mechanism, model.state), model.mechanism.bodies[k], str(k + 1)
    p = com_position(model.mechanism, places, k)
    rule: Formula = (MINUS, s.mass.at(i), GRAVITY, DOT, s.p.at(f"c{i}"))
    put: Formula = (MINUS, Val(body.mass), vector_value(model.mechanism.gravity), DOT, vector_value(p))
    spring, number = spring_energy(model, body, i)
    return rule_equation(s.U.at(i), model.potential_energies[k], (*rule, *spring), (*put, *number))


def energies(model: ClosedForm, k: int) -> Iterator[Part]:
    """p_ci, v_ci, w_i, T_i and U_i of a link."""
    if k == 0:
        yield Words(
            "For each link: position and velocity of the CoM in the axes of the base, angular velocity; kinetic energy "
            "by Koenig's theorem, potential energy of the weight."
        )  # fmt: skip
    yield position(model, k)
    yield velocity(model, k)
    yield angular_velocity(model, k)
    yield kinetic(model, k)
    yield potential(model, k)


def frames(model: ClosedForm, k: int) -> Iterator[Part]:
    """R_i, w_i, v_i, v_ci, T_i and U_i of a link, by moving frames."""
    if k == 0:
        yield Words(
            "For each link: angular velocity, velocity of the origin of the frame and of the CoM, from those of the "
            "parent; kinetic energy by Koenig's theorem; position of the CoM in the axes of the base, and potential "
            "energy."
        )  # fmt: skip
        yield Words((
            "Here ", (s.e.at("i"),), " goes from the origin of the parent's frame to the joint, ", (s.r.at("i"),),
            " from the joint to the origin of the link frame, and ", (s.r_com.at("ci"),), " from there to the CoM; the "
            "first is in the axes of the parent, and where one of them is zero its term is not written.",
        ))  # fmt: skip
    yield rotation(model, k)
    yield angular_velocity(model, k)
    yield frame_velocity(model, k)
    yield com_velocity(model, k)
    yield kinetic(model, k)
    yield position(model, k)
    yield potential(model, k)
