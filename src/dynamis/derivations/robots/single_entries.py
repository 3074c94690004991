"""Single entries of a model, each derived on its own: M[1,1] of a six-joint arm without the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from dynamis.derivations.derivation import StepMaker, Terms, summed
from dynamis.derivations.robots import from_energy
from dynamis.derivations.robots.links import coordinate, kinetic, potential
from dynamis.document import symbols as s
from dynamis.document.blocks import Equation, Part, Rule, Words
from dynamis.document.formula import (
    CROSS,
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Group,
    Sym,
    Total,
    Val,
    by,
    index,
)
from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.mechanics.dynamics.mass_matrix import unit_rates
from dynamis.mechanics.kinematics.poses import com_position, frame_pose, jacobian, poses
from dynamis.mechanics.mechanism import body_names, place
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector

# What can be asked for, with an example of its indices.
KNOWN = {
    "M": "M[1,1]", "c": "c[1]", "christoffel": "christoffel[1,2,1]", "C": "C[1,2]", "g": "g[1]", "tau": "tau[1]",
    "T": "T, T[1]", "U": "U, U[1]", "J": "J, J[1,2]", "Jv": "Jv[1]", "Jw": "Jw[1]",
}  # fmt: skip
# T02 is not T[2]: whoever writes it means the transform from 0 to 2.
_INDEX = "(?:0|[1-9][0-9]{0,5})"
_INDICES = rf"\s*({_INDEX}(?:\s*,\s*{_INDEX})*)\s*"
_ENTRY = re.compile(rf"\s*([A-Za-z]+)\s*(?:\[{_INDICES}\]|\({_INDICES}\)|{_INDICES})?\s*")


def entry_step(model: ClosedForm, text: str) -> StepMaker:
    """The step that derives what `text` names: M[1,1], c[1], christoffel[1,2,1], T, Jv[2], ..."""
    found = _ENTRY.fullmatch(text)
    allowed = f"ask for one of {', '.join(KNOWN.values())}"
    if found is None:
        problem = "is not an entry (indices count from 1, without leading zeros)"
        raise ArgumentError(f'--only "{text}" {problem}; {allowed}', key="only")
    name, given = found.group(1), found.group(2) or found.group(3) or found.group(4)
    numbers = tuple(int(k) for k in given.split(",")) if given else ()
    # M12 is M[1,2]; where there is a joint 12 it may be another.
    if len(numbers) == 1 and name in ("M", "C", "c", "christoffel") and model.n < 10:
        numbers = tuple(map(int, given))
    if name == "c" and len(numbers) == 3:
        name = "christoffel"
    if name not in KNOWN:
        raise UnknownNameError("entry", name, KNOWN, key="only")
    counts, make = _ENTRIES[name]
    if len(numbers) not in counts:
        raise ArgumentError(
            f'--only "{text}" has {len(numbers)} {"index" if len(numbers) == 1 else "indices"}, '
            f"{name} is asked for as {' or '.join(KNOWN[name].split(', '))}; {allowed}",
            key="only",
        )
    links = name in ("T", "U", "Jv", "Jw")
    most, what = (len(model.mechanism.bodies), "links") if links else (model.n, "joints")
    for at, number in enumerate(numbers):
        top = 6 if name == "J" and at == 0 else most
        if not 1 <= number <= top:
            thing = "rows of J" if name == "J" and at == 0 else what
            raise ArgumentError(f'--only "{text}": there is no {number} among the {thing} 1 to {top}', key="only")
    title = f"{name}[{','.join(map(str, numbers))}]" if numbers else name
    return title, lambda: make(model, *(k - 1 for k in numbers))


def _mass(model: ClosedForm, i: int, j: int) -> Iterator[Part]:
    yield Words((
        "From the Jacobians: a velocity 1 of one joint alone gives the CoM of link l the velocity ", (s.v.at("l,i"),),
        " and the link the angular velocity ", (s.omega.at("l,i"),), ", both in link axes.",
    ))  # fmt: skip
    first = (s.mass.at("l"), s.v.at("l,i"), DOT, s.v.at("l,j"))
    second = (s.omega.at("l,i"), DOT, s.inertia.at("l"), s.omega.at("l,j"))
    yield Rule((s.m.at("ij"), EQUALS, Total("l"), Group((*first, PLUS, *second))))
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
    yield summed(s.m.at(index(i + 1, j + 1)), model.M[i, j], terms)


def _rotor_share(model: ClosedForm, joint: int | None, i: int, j: int) -> Exact:
    """A_ai A_aj of joint a (from 0): how often its rotor counts in m_ij."""
    if joint is None:
        return model.ring.zero
    first, second = (unit_rates(model.mechanism, k)[joint] for k in (i, j))
    return first * second


def _coriolis(model: ClosedForm, k: int) -> Iterator[Part]:
    yield Rule((s.c.at("k"), EQUALS, Total("i,j"), s.christoffel.at("ijk"), Coordinates(1, "i"), Coordinates(1, "j")))
    yield from_energy.coriolis_entry(model, k)


def _christoffel(model: ClosedForm, i: int, j: int, k: int) -> Iterator[Part]:
    yield Rule(from_energy.christoffel_rule())
    yield from_energy.christoffel_symbol(model, i, j, k)


def _coriolis_matrix(model: ClosedForm, k: int, j: int) -> Iterator[Part]:
    yield Rule((s.C.at("kj"), EQUALS, Total("i"), s.christoffel.at("ijk"), Coordinates(1, "i")))
    terms: Terms = []
    whole = model.ring.zero
    for i in range(model.n):
        symbol = model.christoffel(i + 1, j + 1, k + 1)
        if symbol:
            rate = coordinate(model, i, 1)
            terms.append(((s.christoffel.at(index(i + 1, j + 1, k + 1)), rate), (Val(symbol), rate)))
            whole = whole + symbol * model.qd[i]
    yield summed(s.C.at(index(k + 1, j + 1)), whole, terms)


def _gravity(model: ClosedForm, k: int) -> Iterator[Part]:
    yield Rule((s.g.at("k"), EQUALS, *by((s.U,), (Coordinates(0, "k"),))))
    yield from_energy.gravity_entry(model, k)


def _torque(model: ClosedForm, k: int) -> Iterator[Part]:
    total = model.ring.zero
    for j in range(model.n):
        total = total + model.M[k, j] * model.qdd[j]
    (c,) = (part.right for part in _coriolis(model, k) if isinstance(part, Equation))
    assert isinstance(c, Exact)
    total = total + c + model.partial_q(model.potential_energy, k) + model.friction[k]
    yield Rule((
        s.tau.at("k"), EQUALS, Total("j"), s.m.at("kj"), Coordinates(2, "j"), PLUS, s.c.at("k"), PLUS,
        s.g.at("k"), *((PLUS, s.friction) if model.friction[k] else ()),
    ))  # fmt: skip
    yield Equation(s.tau.at(k + 1), total)


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
    yield from _columns_rule(model)
    if place_:
        yield Equation(s.J.at(index(*(k + 1 for k in place_))), rows[place_[0]][place_[1]])
    else:
        yield Equation(s.J, rows, frame="0")


def _linear(model: ClosedForm, k: int) -> Iterator[Part]:
    yield from _link_jacobian(model, k, "v")


def _angular(model: ClosedForm, k: int) -> Iterator[Part]:
    yield from _link_jacobian(model, k, "w")


def _link_jacobian(model: ClosedForm, k: int, letter: str) -> Iterator[Part]:
    m, bodies = model.mechanism, poses(model.mechanism, model.state)
    linear, angular = jacobian(m, bodies, k, com_position(m, bodies, k))
    columns: list[Vector[Exact]] = linear if letter == "v" else angular
    yield Words((f'Of the CoM of link "{body_names(model.robot, m)[k]}", in the axes of the base.',))
    yield from _columns_rule(model)
    rows = [list(row) for row in zip(*map(list, columns), strict=True)]
    yield Equation(s.J.at(f"{letter}{k + 1}"), rows, frame="0")


def _columns_rule(model: ClosedForm) -> Iterator[Part]:
    z, x, p = s.z.at("j"), s.p, s.p.at("j")
    turning: Formula = (z, CROSS, Group((x, MINUS, p)))
    yield Words((
        "Column j of a revolute joint is ", turning, " over ", (z,), ", of a prismatic joint ", (z,),
        " over 0; of a joint that does not carry the link 0.",
    ))  # fmt: skip
    if model.robot.coupled:
        yield Words(
            "Joints are coupled to the coordinates: these columns, one per joint, are multiplied by the matrix A of "
            "their couplings (joints = A coordinates + offsets). What follows has one column per coordinate, J A."
        )


Make = Callable[..., Iterator[Part]]
_ENTRIES: dict[str, tuple[tuple[int, ...], Make]] = {
    "M": ((2,), _mass),
    "c": ((1,), _coriolis),
    "christoffel": ((3,), _christoffel),
    "C": ((2,), _coriolis_matrix),
    "g": ((1,), _gravity),
    "tau": ((1,), _torque),
    "T": ((0, 1), _kinetic),
    "U": ((0, 1), _potential),
    "J": ((0, 2), _jacobian),
    "Jv": ((1,), _linear),
    "Jw": ((1,), _angular),
}
