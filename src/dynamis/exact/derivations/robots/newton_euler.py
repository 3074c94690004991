"""The steps of Newton-Euler: outward w, wd, vd, vd_c, F, N of every link, inward f, n and the torque."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dynamis.compute.mechanics.dynamics.newton_euler import joint_torque
from dynamis.compute.mechanics.kinematics.motion import Motion
from dynamis.compute.mechanics.mechanism import Wrench
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import Term, Terms, rule_equation, sum_equation
from dynamis.exact.derivations.robots.joint_forces import friction_terms, spring_term
from dynamis.exact.derivations.robots.links import (
    GRAVITY,
    along,
    angular_velocity,
    joint_variable,
    parent_of,
    rotate_to_link,
    rotation,
)
from dynamis.exact.derivations.robots.loads import load_at_com, tool
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Words
from dynamis.telling.forms.expression_trees import tree_of
from dynamis.telling.forms.tree import Number, sign_of
from dynamis.telling.formula import CROSS, DOT, EQUALS, MINUS, PLUS, TWO, Formula, Group, Op, Val, Word, sum_formulas
from dynamis.telling.formula import matrix as matrix_value
from dynamis.telling.formula import vector as vector_value


def outward(model: ClosedForm, k: int) -> Iterator[Part]:
    """Velocities and accelerations of a link from those of its parent, and the force and moment it needs."""
    start: Formula = (s.v.at("0").dot, EQUALS, Op("-"), GRAVITY)
    first = ("The base accelerates with ", start, ", so that weights need no place of their own. ") if k == 0 else ()
    yield Words((
        *first, "Velocities and accelerations of the joint point and of the CoM from those of the parent; ",
        (s.d.at(k + 1),), " goes from the joint point of the parent to that of the link, ",
        (s.r_com.at(f"c{k + 1}"),), " from there to the CoM.",
    ))  # fmt: skip
    motions = model.newton_euler.motions
    yield rotation(model, k)
    yield angular_velocity(model, k)
    yield angular_acceleration(model, k)
    yield acceleration(model, k, motions, -model.mechanism.gravity)
    yield com_acceleration(model, k, motions)
    body, motion, net, i = model.mechanism.bodies[k], model.newton_euler.motions[k], model.newton_euler.net[k], k + 1
    a, w, wd, inertia = (s.v.at(f"c{i}").dot, s.omega.at(i), s.omega.at(i).dot, s.inertia.at(i))
    tensor = matrix_value(body.inertia)
    force: Formula = (Val(body.mass), vector_value(motion.a_com))
    yield rule_equation(s.F.at(i), list(net.force), (s.mass.at(i), a), force, str(i))
    moment: Formula = (tensor, vector_value(motion.wd))
    if any(motion.w):
        moment = (*moment, PLUS, vector_value(motion.w), CROSS, Group((tensor, vector_value(motion.w))))
    rule: Formula = (inertia, wd, PLUS, w, CROSS, Group((inertia, w)))
    yield rule_equation(s.N.at(i), list(net.moment), rule, moment, str(i))


def inward(model: ClosedForm, k: int) -> Iterator[Part]:
    """Force and moment of the parent on a link, and what its motor gives."""
    loaded = ", less what the loads on it give" if load_at_com(model, k) is not None else ""
    yield Words(
        "Force and moment of the parent on the link at its joint point: what the link needs, and what its children "
        f"need of it{loaded}. The motor gives the component along the axis."
    )  # fmt: skip
    bodies, recursion, i = model.mechanism.bodies, model.newton_euler, str(k + 1)
    net, wrench = recursion.net[k], recursion.wrenches[k]
    own: tuple[Formula, Formula] = (s.F.at(i),), (vector_value(net.force),)
    forces: Terms = [own]
    moments: Terms = [((s.N.at(i),), (vector_value(net.moment),))]
    if (load := load_at_com(model, k)) is not None:
        if any(load.force):
            forces.append(((MINUS, s.load_at_com.at(f"e{i}")), (MINUS, vector_value(load.force))))
            rule, put = (sum_formulas(part) for part in zip(*forces, strict=True))
            own = (Group(rule),), (Group(put),)
        if any(load.moment):
            moments.append(((MINUS, s.load_about_com.at(f"e{i}")), (MINUS, vector_value(load.moment))))
    if any(bodies[k].com):
        com: tuple[Formula, Formula] = (s.r_com.at(f"c{i}"),), (vector_value(bodies[k].com),)
        moments.append(((*com[0], CROSS, *own[0]), (*com[1], CROSS, *own[1])))
    yield from free_tool(model, k)
    for child in next_bodies(model, k):
        forces.append(child.force)
        moments += [child.moment, *([child.lever] if any(child.r) else [])]
    yield sum_equation(s.f.at(i), wrench.force, forces, i)
    yield sum_equation(s.n.at(i), wrench.moment, moments, i)
    if bodies[k].joint is not None:
        yield torque(model, k)


@dataclass(frozen=True)
class NextBody:
    """A link that stands on another one, or what the tool meets: its number, its frame, and the wrench on it."""

    number: str
    R: Matrix[Exact]
    r: Vector[Exact]
    wrench: Wrench[Exact]

    @property
    def force(self) -> Term:
        """R_j f_j, in the axes of the link before it."""
        return (s.R.at(self.number), s.f.at(self.number)), (matrix_value(self.R), vector_value(self.wrench.force))

    @property
    def moment(self) -> Term:
        """R_j n_j."""
        return (s.R.at(self.number), s.n.at(self.number)), (matrix_value(self.R), vector_value(self.wrench.moment))

    @property
    def lever(self) -> Term:
        """d_j x R_j f_j."""
        rule, put = self.force
        return (s.d.at(self.number), CROSS, Group(rule)), (vector_value(self.r), CROSS, Group(put))


def next_bodies(model: ClosedForm, k: int) -> list[NextBody]:
    """The links on link k (from 0); the surroundings, if the tool is there and exerts something."""
    bodies, recursion, end, exerted = model.mechanism.bodies, model.newton_euler, tool(model), model.tool_wrench
    children = [
        NextBody(str(c + 1), recursion.motions[c].R, recursion.motions[c].r, recursion.wrenches[c])
        for c, body in enumerate(bodies)
        if body.parent == k
    ]
    if end is not None and end.body == k and (any(exerted.force) or any(exerted.moment)):
        children.append(NextBody(str(len(bodies) + 1), end.R, end.p, exerted))
    return children


def free_tool(model: ClosedForm, k: int) -> Iterator[Part]:
    """f_n+1 = 0 and n_n+1 = 0 where the tool of link k exerts nothing."""
    end, exerted, last = tool(model), model.tool_wrench, len(model.mechanism.bodies) + 1
    if end is not None and end.body == k and not any(exerted.force) and not any(exerted.moment):
        nothing = tuple((symbol.at(last), EQUALS, Word("0")) for symbol in (s.f, s.n))
        yield Words(("The tool exerts nothing on its surroundings: ", nothing[0], " and ", nothing[1], "."))


def torque(model: ClosedForm, k: int) -> Equation:
    """tau_i = k_i.n_i or k_i.f_i, + J_i qdd_i + friction + spring."""
    body, wrench, i = model.mechanism.bodies[k], model.newton_euler.wrenches[k], str(k + 1)
    j = body.joint
    assert j is not None
    felt, symbol = (wrench.moment, s.n.at(i)) if body.revolute else (wrench.force, s.f.at(i))
    parts: Terms = [((s.k.at(i), DOT, symbol), (vector_value(body.k), DOT, vector_value(felt)))]
    rotor = [(body.rotor, s.rotor.at(i), joint_variable(model, j, 2))] if body.rotor else []
    parts += [((letter, rate), (Val(size), rate)) for size, letter, rate in rotor]
    drives = [*friction_terms(model, body, i), *spring_term(model, body, i)]
    parts += [((letter, *moved), (Val(size), *moved)) for size, letter, moved in drives]
    coupled = model.robot.coupled
    whole = joint_torque(body, model.state, wrench) if coupled else model.newton_euler.tau[j]
    left = (s.u if coupled else s.tau).at(j + 1)
    return sum_equation(left, whole, parts)


def coordinate_torques(model: ClosedForm) -> Iterator[Part]:
    """tau_k = sum A_jk u_j: what the joints need, seen from the coordinates that move them."""
    yield Words((
        "A motion of coordinate k moves the joints that follow it by their factors, so by the principle of virtual "
        "work its motor gives the torques ", s.u.at("j"), " of these joints, each times its factor.",
    ))  # fmt: skip
    for k in range(model.n):
        rule: Formula = ()
        for j, row in enumerate(model.robot.couplings, 1):
            for factor in (factor for at, factor in row.factors if at == k):
                sign, size = sign_of(tree_of(factor))
                plus: Formula = (MINUS,) if sign < 0 else (PLUS,) if rule else ()
                rule = (*rule, *plus, *(() if size == Number(Fraction(1)) else (Val(size),)), s.u.at(j))
        yield Equation(s.tau.at(k + 1), model.newton_euler.tau[k], (rule,))


def angular_acceleration(model: ClosedForm, k: int) -> Equation:
    """wd_i from that of the parent."""
    body, motions, p, i = model.mechanism.bodies[k], model.newton_euler.motions, parent_of(model, k), str(k + 1)
    parts: Terms = []
    if p:
        parts.append(rotate_to_link(model, k, (s.omega.at(p).dot,), (vector_value(motions[p - 1].wd),)))
    if body.revolute and body.joint is not None:
        rate = along(model, k, 1)
        if p and any(motions[p - 1].w):
            turned = rotate_to_link(model, k, (s.omega.at(p),), (vector_value(motions[p - 1].w),))
            rule: Formula = (Group(turned[0]), CROSS, *rate[0])
            parts.append((rule, (Group(turned[1]), CROSS, *rate[1])))
        parts.append(along(model, k, 2))
    return sum_equation(s.omega.at(i).dot, motions[k].wd, parts, i)


def acceleration(model: ClosedForm, k: int, motions: Sequence[Motion[Exact]], base: Vector[Exact]) -> Equation:
    """vd_i of the joint point, from that of the parent or of the base."""
    body, p, i = model.mechanism.bodies[k], parent_of(model, k), str(k + 1)
    a = motions[p - 1].a if p else base
    name: Formula = (s.v.at(p).dot,)
    value: Formula = (vector_value(a),)
    r = motions[k].r
    if p and any(r):
        up, w, d = motions[p - 1], s.omega.at(p), s.d.at(i)
        name = (*name, PLUS, s.omega.at(p).dot, CROSS, d, PLUS, w, CROSS, Group((w, CROSS, d)))
        turn, far = vector_value(up.w), vector_value(r)
        value = (*value, PLUS, vector_value(up.wd), CROSS, far, PLUS, turn, CROSS, Group((turn, CROSS, far)))
        name, value = (Group(name),), (Group(value),)
    parts: Terms = [rotate_to_link(model, k, name, value)] if p or any(a) else []
    if not body.revolute and body.joint is not None:
        w = motions[k].w
        if any(w):
            rate = along(model, k, 1)
            rule: Formula = (TWO, s.omega.at(i), CROSS, *rate[0])
            parts.append((rule, (TWO, vector_value(w), CROSS, *rate[1])))
        parts.append(along(model, k, 2))
    return sum_equation(s.v.at(i).dot, motions[k].a, parts, i)


def com_acceleration(model: ClosedForm, k: int, motions: Sequence[Motion[Exact]]) -> Equation:
    """vd_ci from vd_i."""
    motion, com, i = motions[k], model.mechanism.bodies[k].com, str(k + 1)
    parts: Terms = [((s.v.at(i).dot,), (vector_value(motion.a),))]
    if any(com):
        r, w, far, turn = (s.r_com.at(f"c{i}"), s.omega.at(i), vector_value(com), vector_value(motion.w))
        parts.append(((s.omega.at(i).dot, CROSS, r), (vector_value(motion.wd), CROSS, far)))
        parts.append(((w, CROSS, Group((w, CROSS, r))), (turn, CROSS, Group((turn, CROSS, far)))))
    return sum_equation(s.v.at(f"c{i}").dot, motion.a_com, parts, i)
