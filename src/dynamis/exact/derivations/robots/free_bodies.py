"""Newton-Euler as the balance of every link cut free: true accelerations, weights among the forces.

The same recursion as `newton_euler`, which lets the base accelerate with -g instead. Five groups act on link i: its
weight m_i g, force and moment of the link before it (f_i, n_i at P_i), those that it passes on to the next ones, the
loads reduced to its CoM, and its inertia.
"""

from __future__ import annotations

from collections.abc import Iterator

from dynamis.compute.mechanics.kinematics.motion import Motion, velocities
from dynamis.compute.mechanics.kinematics.motion import outward as motions_of
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import Term, Terms, sum_equation
from dynamis.exact.derivations.robots.links import GRAVITY, along, angular_velocity, parent_of, rotate_to_link, rotation
from dynamis.exact.derivations.robots.loads import load_at_com
from dynamis.exact.derivations.robots.newton_euler import (
    acceleration,
    angular_acceleration,
    com_acceleration,
    free_tool,
    next_bodies,
    torque,
)
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    CROSS,
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    TWO,
    Coordinates,
    Formula,
    Group,
    Sym,
    Total,
    Val,
    index,
    sum_formulas,
)
from dynamis.telling.formula import matrix as matrix_value
from dynamis.telling.formula import vector as vector_value


def recursion() -> Iterator[Part]:
    """The rules of link i, on its parent p and with links j on it: its motion by the kind of joint, its balance."""
    yield Words((
        "Link i stands on its parent, which has the velocities ", (s.omega.at("p"),), " and ", (s.v.at("p"),),
        ", and links j stand on link i. ", (s.d.at("i"),), " goes from the joint point of the parent to that of link "
        "i, with the displacement of a prismatic joint, in the axes of the parent; ", (s.r_com.at("ci"),), " goes from "
        "there to the CoM. Velocities and accelerations are true ones: the base stands still.",
    ))  # fmt: skip
    turn, d, r, rate, speed = s.R.at("i").T, s.d.at("i"), s.r_com.at("ci"), Coordinates(1, "i"), Coordinates(2, "i")
    axis, w, v = s.k.at("i"), s.omega.at("i"), s.v.at("i")
    up, fast = s.omega.at("p"), s.v.at("p")
    carried_turn: Formula = (turn, up)
    point: Formula = (turn, Group((fast, PLUS, up, CROSS, d)))
    accelerated: Formula = (fast.dot, PLUS, up.dot, CROSS, d, PLUS, up, CROSS, Group((up, CROSS, d)))
    pushed: Formula = (turn, Group(accelerated))
    rows: tuple[tuple[Sym, Formula, Formula], ...] = (
        (w, (*carried_turn, PLUS, axis, rate), carried_turn),
        (v, point, (*point, PLUS, axis, rate)),
        (w.dot, (turn, up.dot, PLUS, Group(carried_turn), CROSS, axis, rate, PLUS, axis, speed), (turn, up.dot)),
        (v.dot, pushed, (*pushed, PLUS, TWO, w, CROSS, axis, rate, PLUS, axis, speed)),
    )
    for which, kind in enumerate(("revolute", "prismatic")):
        yield Words(f"With a {kind} joint:")
        for left, *rules in rows:
            yield Rule((left, EQUALS, *rules[which]))
    yield Words("With any joint:")
    com = s.v.at("ci")
    yield Rule((com, EQUALS, v, PLUS, w, CROSS, r))
    yield Rule((com.dot, EQUALS, v.dot, PLUS, w.dot, CROSS, r, PLUS, w, CROSS, Group((w, CROSS, r))))
    f, n, passed = s.f.at("i"), s.n.at("i"), (s.R.at("j"), s.f.at("j"))
    yield Words((
        "Five groups act on the link cut free: its weight, with ", (GRAVITY.at("i"),), " in its axes; the force ",
        (f,), " and the moment ", (n,), " of the parent at its joint point; what it passes on to the links j; the "
        "loads, reduced to its CoM to ", (s.load_at_com.at("ei"),), " and ", (s.load_about_com.at("ei"),), "; its "
        "inertia. Forces, then moments about the CoM:",
    ))  # fmt: skip
    m, inertia = s.mass.at("i"), s.inertia.at("i")
    forces: Formula = (s.load_at_com.at("ei"), PLUS, m, GRAVITY.at("i"), PLUS, f, MINUS, Total("j"), *passed)
    yield Rule((*forces, EQUALS, m, com.dot))
    lever: Formula = (Group((s.d.at("j"), MINUS, r)), CROSS, Group(passed))
    next_ones = (MINUS, Total("j"), Group((s.R.at("j"), s.n.at("j"), PLUS, *lever)))
    moments: Formula = (s.load_about_com.at("ei"), PLUS, n, MINUS, r, CROSS, f, *next_ones)
    yield Rule((*moments, EQUALS, inertia, w.dot, PLUS, w, CROSS, Group((inertia, w))))
    yield Words((
        "The motor of a revolute joint gives ", (s.tau.at("i"), EQUALS, axis, DOT, n), ", that of a prismatic one ",
        (s.tau.at("i"), EQUALS, axis, DOT, f), ", besides the friction and the rotor of the joint.",
    ))  # fmt: skip


def motion(model: ClosedForm, k: int) -> Iterator[Part]:
    """Velocities and accelerations of joint point and CoM of a link from those of its parent."""
    motions = _motions(model)
    yield rotation(model, k)
    yield angular_velocity(model, k)
    yield _velocity(model, k)
    yield _com_velocity(model, k)
    yield angular_acceleration(model, k)
    yield acceleration(model, k, motions, model.mechanism.null)
    yield com_acceleration(model, k, motions)


def balance(model: ClosedForm, k: int) -> Iterator[Part]:
    """g_i in link axes; f_i and n_i from the balance, and what the motor gives."""
    body, now, i = model.mechanism.bodies[k], _motions(model)[k], str(k + 1)
    R, pull = poses(model.mechanism, model.state)[k].R, model.mechanism.gravity
    m, inertia, w, down = s.mass.at(i), s.inertia.at(i), s.omega.at(i), GRAVITY.at(i)
    weight: Term = (s.R.at(index(0, k + 1)).T, GRAVITY), (matrix_value(R.T), vector_value(pull))
    yield sum_equation(down, R.T @ pull, [weight], i)
    yield from free_tool(model, k)
    mass, turn, tensor = Val(body.mass), vector_value(now.w), matrix_value(body.inertia)
    forces: Terms = [((m, s.v.at(f"c{i}").dot), (mass, vector_value(now.a_com)))]
    forces.append(((MINUS, m, down), (MINUS, mass, vector_value(R.T @ pull))))
    moments: Terms = [((inertia, w.dot), (tensor, vector_value(now.wd)))]
    moments.append(((w, CROSS, Group((inertia, w))), (turn, CROSS, Group((tensor, turn)))))
    if (load := load_at_com(model, k)) is not None:
        if any(load.force):
            forces.append(((MINUS, s.load_at_com.at(f"e{i}")), (MINUS, vector_value(load.force))))
        if any(load.moment):
            moments.append(((MINUS, s.load_about_com.at(f"e{i}")), (MINUS, vector_value(load.moment))))
    if any(body.com):
        rule, put = (sum_formulas(part) for part in zip(*forces, strict=True))
        moments.append(((s.r_com.at(f"c{i}"), CROSS, Group(rule)), (vector_value(body.com), CROSS, Group(put))))
    for child in next_bodies(model, k):
        forces.append(child.force)
        moments += [child.moment, *([child.lever] if any(child.r) else [])]
    wrench = model.newton_euler.wrenches[k]
    yield sum_equation(s.f.at(i), wrench.force, forces, i)
    yield sum_equation(s.n.at(i), wrench.moment, moments, i)
    if body.joint is not None:
        yield torque(model, k)


def _motions(model: ClosedForm) -> list[Motion[Exact]]:
    """True motions: of a base that stands still."""
    return motions_of(model.mechanism, model.state, model.mechanism.null)


def _velocity(model: ClosedForm, k: int) -> Equation:
    """v_i = R_i^T (v_p + w_p x d_i) + k_i qd_i, the last only for a prismatic joint: of the joint point."""
    body, fast, p, i = model.mechanism.bodies[k], velocities(model.mechanism, model.state), parent_of(model, k), k + 1
    r = model.newton_euler.motions[k].r
    parts: Terms = []
    if p:
        up = fast[p - 1]
        name: Formula = (s.v.at(p),)
        value: Formula = (vector_value(up.v),)
        if any(r):
            name = (Group((*name, PLUS, s.omega.at(p), CROSS, s.d.at(i))),)
            value = (Group((*value, PLUS, vector_value(up.w), CROSS, vector_value(r))),)
        parts.append(rotate_to_link(model, k, name, value))
    if not body.revolute and body.joint is not None:
        parts.append(along(model, k, 1))
    return sum_equation(s.v.at(i), fast[k].v, parts, str(i))


def _com_velocity(model: ClosedForm, k: int) -> Equation:
    """v_ci = v_i + w_i x r_ci, from the joint point."""
    fast, com, i = velocities(model.mechanism, model.state)[k], model.mechanism.bodies[k].com, k + 1
    parts: Terms = [((s.v.at(i),), (vector_value(fast.v),))]
    if any(com):
        parts.append(((s.omega.at(i), CROSS, s.r_com.at(f"c{i}")), (vector_value(fast.w), CROSS, vector_value(com))))
    return sum_equation(s.v.at(f"c{i}"), fast.v_com, parts, str(i))
