"""What is asked for alone, each derived on its own: M[1,1] of a six-joint arm without the rest, M, A[2], T[0,c2]."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option
from dynamis.compute.mechanics.dynamics.mass_matrix import unit_rates
from dynamis.compute.mechanics.kinematics.poses import com_position, frame_pose, jacobian, poses
from dynamis.compute.mechanics.mechanism import body_names, place
from dynamis.compute.quantities.entry_names import EntryName, read_names
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import StepMaker, Terms, sum_equation
from dynamis.exact.derivations.robots import from_energy, jacobians, loads, parameters, transforms
from dynamis.exact.derivations.robots.links import coordinate, kinetic, potential
from dynamis.exact.proof.coriolis_factorisations import factorisations, with_and_without_skew_symmetry
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    Coordinates,
    Group,
    Sym,
    Total,
    Val,
    Velocities,
    by,
    index,
)


def entry_steps(model: ClosedForm, text: str, by_jacobians: bool = False) -> dict[EntryName, StepMaker]:
    """The entries that `text` names, M, c[1], christoffel[1,2,1], T[0,c2], Jv[2], ..., with the steps that derive them.

    What stands above several entries, a rule or an explanation, stands above the first of them alone.
    """
    robot = model.robot
    frames = {robot.base, *(x.name for x in (*robot.links, *robot.frames))}
    entries = read_names(text, model.n, len(model.mechanism.links), frames, robot.argument)
    known: list[Part] = []
    return {entry: (str(entry), partial(_without, known, _maker(model, entry, by_jacobians))) for entry in entries}


def _without(known: list[Part], make: Callable[[], Iterator[Part]]) -> Iterator[Part]:
    for part in make():
        if part not in known:
            yield part
        if isinstance(part, Words | Rule):
            known.append(part)


def _maker(model: ClosedForm, entry: EntryName, by_jacobians: bool) -> Callable[[], Iterator[Part]]:
    if "frame" in entry.counts:
        make = transforms.transform if entry.name == "T" else transforms.position
        places = [_frame_index(model.robot, frame) for frame in entry.indices]
        return lambda: make(model, *places)
    make = (by_jacobians and not entry.indices and _BY_JACOBIANS.get(entry.name)) or _ENTRIES[entry.name]
    return lambda: make(model, *(int(k) - 1 for k in entry.indices))


def _frame_index(robot: RobotModel, index: str) -> str:
    """The index of a frame; a link called c9 has its number, since T_0c9 would be that of a CoM."""
    frame = robot.frame_of_index(index)
    is_link = frame == Frame(index, index) and index != robot.base
    return str(robot.links.index(robot.link(index)) + 1) if is_link and re.fullmatch(r"c?\d+", index) else index


def _mass(model: ClosedForm, *at: int) -> Iterator[Part]:
    """m_ij, or all of M: the upper half, which is the lower one."""
    yield Words((
        "From the Jacobians: a velocity 1 of one joint alone gives the CoM of link l the velocity ", (s.v.at("l,i"),),
        " and the link the angular velocity ", (s.omega.at("l,i"),), ", both in link axes.",
    ))  # fmt: skip
    first = (s.mass.at("l"), s.v.at("l,i"), DOT, s.v.at("l,j"))
    second = (s.omega.at("l,i"), DOT, s.inertia.at("l"), s.omega.at("l,j"))
    yield Rule((s.m.at("ij"), EQUALS, Total("l"), Group((*first, PLUS, *second))))
    if at:
        yield _mass_entry(model, *at)
    else:
        yield Equation(s.M, model.M.rows())


def _mass_entry(model: ClosedForm, i: int, j: int) -> Equation:
    terms: Terms = []
    a, b = model.M.column(i), model.M.column(j)
    for k, body in enumerate(model.mechanism.bodies):
        n = k + 1
        square, turning = a[k].v_com.dot(b[k].v_com), a[k].w.dot(body.inertia @ b[k].w)
        if square and body.mass:
            rule = (s.mass.at(n), s.v.at(f"{n},{i + 1}"), DOT, s.v.at(f"{n},{j + 1}"))
            terms.append((rule, (Val(body.mass), Val(square))))
        if turning:
            rule = (s.omega.at(f"{n},{i + 1}"), DOT, s.inertia.at(n), s.omega.at(f"{n},{j + 1}"))
            terms.append((rule, (Val(turning),)))
        turned = _rotor_share(model, body.joint, i, j)
        if turned and body.rotor:
            share = () if turned == model.ring.one else (Val(turned),)
            terms.append(((*share, s.rotor.at(n)), (*share, Val(body.rotor))))
    return sum_equation(s.m.at(index(i + 1, j + 1)), model.M[i, j], terms)


def _rotor_share(model: ClosedForm, joint: int | None, i: int, j: int) -> Exact:
    """A_ai A_aj of joint a (from 0): how often its rotor counts in m_ij."""
    if joint is None:
        return model.ring.zero
    first, second = (unit_rates(model.mechanism, k)[joint] for k in (i, j))
    return first * second


def _coriolis(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield Rule((s.c.at("k"), EQUALS, *from_energy.velocity_sum()))
    yield Rule(from_energy.christoffel_rule())
    yield Equation(s.c, model.coriolis) if k is None else from_energy.coriolis_entry(model, k)


def _christoffel(model: ClosedForm, *at: int) -> Iterator[Part]:
    """c_ijk, or all of them."""
    if at:
        yield Rule(from_energy.christoffel_rule())
        yield from_energy.christoffel_symbol(model, *at)
    else:
        yield from from_energy.christoffel_symbols(model, zeros=model.n <= from_energy.MOST_NAMED)


def _christoffel_matrix(model: ClosedForm, at: int | None = None) -> Iterator[Part]:
    """C_k, or all of them."""
    yield from from_energy.christoffel_matrix_rule()
    for k in range(model.n) if at is None else (at,):
        yield from_energy.christoffel_matrix(model, k)


def _coriolis_matrix(model: ClosedForm, *at: int) -> Iterator[Part]:
    """C_kj by the Christoffel symbols, or all of C."""
    yield Rule((s.C.at("kj"), EQUALS, Total("i"), s.christoffel.at("ijk"), Coordinates(1, "i")))
    yield Rule(from_energy.christoffel_rule())
    yield _coriolis_matrix_entry(model, *at) if at else Equation(s.C, model.coriolis_matrix)


def _coriolis_matrix_entry(model: ClosedForm, k: int, j: int) -> Equation:
    terms: Terms = []
    whole = model.ring.zero
    for i in range(model.n):
        symbol = model.christoffel(i + 1, j + 1, k + 1)
        if symbol:
            rate = coordinate(model, i, 1)
            terms.append(((s.christoffel.at(index(i + 1, j + 1, k + 1)), rate), (Val(symbol), rate)))
            whole = whole + symbol * model.qd[i]
    return sum_equation(s.C.at(index(k + 1, j + 1)), whole, terms)


def _factorisations(model: ClosedForm) -> Iterator[Part]:
    yield from with_and_without_skew_symmetry(factorisations(model))


def _gravity(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield Rule((s.g.at("k"), EQUALS, *by((s.U,), (Coordinates(0, "k"),))))
    yield Equation(s.g, model.gravity) if k is None else from_energy.gravity_entry(model, k)


def _load_torques(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    if not model.loads:
        raise ArgumentError(f"Q is the generalised force of the loads, and there are none; give {option('load')}")
    if k is None:
        yield from loads.virtual_work(model)
    else:
        yield loads.load_rule()
        yield Equation(s.Q.at(k + 1), model.load_torques[k])


def _torque(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    friction = any(model.friction) if k is None else model.friction[k]
    yield Rule(from_energy.motion_rule(model))
    yield Rule((
        s.tau.at("k"), EQUALS, Total("j"), s.m.at("kj"), Coordinates(2, "j"), PLUS,
        Velocities((s.c.at("k"),), from_energy.velocity_sum()), PLUS, s.g.at("k"),
        *((PLUS, s.friction) if friction else ()), *((MINUS, s.Q.at("k")) if model.loads else ()),
    ))  # fmt: skip
    for i in range(model.n) if k is None else (k,):
        total = model.ring.zero
        for j in range(model.n):
            total = total + model.M[i, j] * model.qdd[j]
        c = from_energy.coriolis_entry(model, i).right
        assert isinstance(c, Exact)
        total = total + c + model.partial_q(model.potential_energy, i) + model.friction[i] - model.load_torques[i]
        small = model.n <= from_energy.MOST_NAMED
        yield Equation(s.tau.at(i + 1), total, (from_energy.torque_rule(model, i),) if small else ())


def _kinetic(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield from _energy(model, k, s.T)


def _potential(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield from _energy(model, k, s.U)


def _energy(model: ClosedForm, k: int | None, kind: Sym) -> Iterator[Part]:
    moving = kind == s.T
    if k is not None:
        yield kinetic(model, k) if moving else potential(model, k)
        return
    yield Rule(from_energy.total(kind))
    yield Equation(kind, model.kinetic_energy if moving else model.potential_energy)


def _jacobian(model: ClosedForm, *place_: int) -> Iterator[Part]:
    """The Jacobian of the tool, or of the frame of the last link: linear rows first, in base axes."""
    m, robot = model.mechanism, model.robot
    bodies = poses(m, model.state)
    if robot.tool is not None:
        at = place(robot, m, robot.tool)
        what = f'the tool on link "{robot.tool.link}"'
    else:
        last = robot.links[-1].name
        at = place(robot, m, robot.frame(last))
        what = f'the frame of link "{last}"'
    linear, angular = jacobian(m, bodies, at.body, frame_pose(bodies, at).p)
    yield Words(f"The geometric Jacobian of {what}, in the axes of the base, the three linear rows first.")
    rows = [[column[k] for column in map(list, part)] for part in (linear, angular) for k in range(3)]
    yield from jacobians.columns_rule(model)
    if place_:
        yield Equation(s.J.at(index(*(k + 1 for k in place_))), rows[place_[0]][place_[1]])
    else:
        yield Equation(s.J, rows, frame="0")


def _lagrangian(model: ClosedForm) -> Iterator[Part]:
    yield Equation(s.L, model.lagrangian, ((s.T, MINUS, s.U),))


def _linear(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield from _link_jacobian(model, k, "v")


def _angular(model: ClosedForm, k: int | None = None) -> Iterator[Part]:
    yield from _link_jacobian(model, k, "w")


def _link_jacobian(model: ClosedForm, at: int | None, letter: str) -> Iterator[Part]:
    m, bodies = model.mechanism, poses(model.mechanism, model.state)
    yield from jacobians.columns_rule(model, letter)
    for k in range(len(m.bodies)) if at is None else (at,):
        linear, angular = jacobian(m, bodies, k, com_position(m, bodies, k))
        columns: list[Vector[Exact]] = linear if letter == "v" else angular
        rows = [list(row) for row in zip(*map(list, columns), strict=True)]
        slope = by((s.p.at(f"c{k + 1}"),), (Coordinates(0),))
        yield Equation(s.J.at(f"{letter}{k + 1}"), rows, (slope,) if letter == "v" else (), frame="0")


def _base_inertia(model: ClosedForm, at: int | None = None) -> Iterator[Part]:
    names = body_names(model.robot, model.mechanism)
    what = "Of every link" if at is None else f'Of link "{names[at]}"'
    yield Words((f"{what} about its CoM, in the axes of the base.",))
    for k in range(len(names)) if at is None else (at,):
        yield jacobians.inertia(model, k)


_ENTRIES: dict[str, Callable[..., Iterator[Part]]] = {
    "M": _mass,
    "c": _coriolis,
    "christoffel": _christoffel,
    "C": _coriolis_matrix,
    "Ck": _christoffel_matrix,
    "S": _factorisations,
    "g": _gravity,
    "Q": _load_torques,
    "tau": _torque,
    "T": _kinetic,
    "U": _potential,
    "L": _lagrangian,
    "A": transforms.link_transforms,
    "J": _jacobian,
    "Jv": _linear,
    "Jw": _angular,
    "Ibase": _base_inertia,
    "Y": parameters.columns,
}
"""What derives an entry; its indices count from 0."""
_BY_JACOBIANS: dict[str, Callable[..., Iterator[Part]]] = {"M": jacobians.mass_matrix, "g": jacobians.gravity}
"""What the method of Jacobians derives in its own way."""
