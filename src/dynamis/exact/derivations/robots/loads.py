"""Loads on a page: what acts where; reduced to the CoM and carried inward (Newton-Euler); by virtual work (Q = J^T w).

Load j acts on the robot with the force f_Lj and the moment n_Lj at the point r_Lj (link axes, from the joint point) or
p_Lj (base axes). What the tool exerts on its surroundings is f_n+1, n_n+1, as if these were one more link (Craig).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrenches, point_loads
from dynamis.compute.mechanics.kinematics.poses import frame_pose, jacobian, poses
from dynamis.compute.mechanics.mechanism import Place, Wrench, place, vector
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import Terms, sum_equation
from dynamis.model.loads import Force, Load, Moment, ToolWrench, frame_of
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Table, Words
from dynamis.telling.formula import (
    COMMA,
    CROSS,
    EQUALS,
    MINUS,
    PLUS,
    Formula,
    Group,
    Prose,
    Total,
    Val,
    index,
)
from dynamis.telling.formula import matrix as matrix_value
from dynamis.telling.formula import vector as vector_value


def acting(model: ClosedForm, carried: bool) -> Iterator[Part]:
    """What acts on which link, where, in which axes; `carried` as Newton-Euler carries it inward, too."""
    yield Words("What acts on the links from outside: forces [N] at a point of their frames [m], moments [N m].")
    titles = ("load", "on", "point", "force", "moment", "axes")
    rows: list[tuple[Prose, ...]] = []
    for j, load in enumerate(model.loads, 1):
        on = f"link {_on(model, load)[0] + 1}"
        axes, point = on, tuple[str | Formula, ...]()
        if isinstance(load, Force):
            point = (_triple(vector(load.point, model.scalars)), " in base axes" * (load.point_in == "world"))
        elif isinstance(load, ToolWrench):
            on, axes = "tool" if load.direction == "exerted_by_environment" else "tool (exerted by it)", "tool"
        force, moment = ((_triple(v),) if any(v) else ("",) for v in _vectors(model, load))
        rows.append(((f"{j}",), (on,), point, force, moment, ("base" if load.axes == "world" else axes,)))
    used = [any(any(row[c]) for row in rows) for c in range(len(titles))]
    yield Table(tuple(compress(titles, used)), tuple(tuple(compress(row, used)) for row in rows))
    if carried:
        yield from _reduce_loads(model)


def _reduce_loads(model: ClosedForm) -> Iterator[Part]:
    """For Newton-Euler: loads on links as a force at the CoM and a moment, and the wrench of the tool."""
    loads = [(j, load) for j, load in enumerate(model.loads, 1) if not isinstance(load, ToolWrench)]
    if loads:
        yield Words((
            "Each load on link i, the force ", (s.load_force.at("Lj"),), " and the moment ", (s.load_moment.at("Lj"),),
            ", is reduced to the CoM: the force ", (s.load_at_com.at("ei"),), " and the moment ",
            (s.load_about_com.at("ei"),), ", with the moment of transport. ", (s.r_load.at("Lj"),),
            " goes from the joint point to the point of the load, ", (s.r_com.at("ci"),), " to the CoM; ",
            (s.R.at("0i"),), " takes link axes to base axes.",
        ))  # fmt: skip
    for j, load in loads:
        frame = str(_on(model, load)[0] + 1)
        for symbol, value in zip((s.load_force, s.load_moment), _vectors(model, load), strict=True):
            if any(value):
                yield Equation(symbol.at(f"L{j}"), list(value), frame="0" if load.axes == "world" else frame)
        if isinstance(load, Force):
            yield Equation(s.r_load.at(f"L{j}"), list(_lever(model, load)), frame=frame)
    for k in sorted({_on(model, load)[0] for _, load in loads}):
        yield from _at_com(model, k, [(j, load) for j, load in loads if _on(model, load)[0] == k])
    if len(loads) < len(model.loads):
        yield from _tool(model)


def _at_com(model: ClosedForm, k: int, loads: Sequence[tuple[int, Load]]) -> Iterator[Part]:
    """F_ei and N_ei of link k (from 0)."""
    com, R, i = model.mechanism.bodies[k].com, poses(model.mechanism, model.state)[k].R, str(k + 1)
    forces: Terms = []
    moments: Terms = []
    transports: Terms = []
    for j, load in loads:
        force, moment = _vectors(model, load)
        world = load.axes == "world"
        turn: tuple[Formula, Formula] = ((s.R.at(index(0, k + 1)).T,), (matrix_value(R.T),)) if world else ((), ())
        if any(moment):
            moments.append(((*turn[0], s.load_moment.at(f"L{j}")), (*turn[1], vector_value(moment))))
        if any(force):
            name, put = (*turn[0], s.load_force.at(f"L{j}")), (*turn[1], vector_value(force))
            forces.append((name, put))
            point = s.r_load.at(f"L{j}")
            away: Formula = (Group((point, MINUS, s.r_com.at(f"c{i}"))),) if any(com) else (point,)
            arm = vector_value(_lever(model, load) - com)
            inner = ((Group(name),), (Group(put),)) if world else (name, put)
            transports.append(((*away, CROSS, *inner[0]), (arm, CROSS, *inner[1])))
    total = load_at_com(model, k)
    assert total is not None
    if any(total.force):
        yield sum_equation(s.load_at_com.at(f"e{i}"), total.force, forces, i)
    if any(total.moment):
        yield sum_equation(s.load_about_com.at(f"e{i}"), total.moment, [*moments, *transports], i)


def _tool(model: ClosedForm) -> Iterator[Part]:
    """f_n+1 and n_n+1, with the R_n+1 and d_n+1 of the tool."""
    wrenches = [load for load in model.loads if isinstance(load, ToolWrench)]
    (k, on), i = _on(model, wrenches[0]), str(len(model.mechanism.bodies) + 1)
    yield Words((
        "The tool exerts the force ", (s.f.at(i),), " and the moment ", (s.n.at(i),), " on its surroundings, at the "
        "origin of its frame and in its axes; ", (s.R.at(i),), f" takes them to the axes of link {k + 1}, ",
        (s.d.at(i),), " goes from the joint point of the link to the tool.",
    ))  # fmt: skip
    yield Equation(s.R.at(i), [list(row) for row in on.R])
    yield Equation(s.d.at(i), list(on.p), frame=str(k + 1))
    R = frame_pose(poses(model.mechanism, model.state), on).R
    turn: tuple[Formula, Formula] = (s.R.at(index(0, int(i))).T,), (matrix_value(R.T),)
    terms: tuple[Terms, Terms] = [], []
    for load in wrenches:
        sign: Formula = () if load.direction == "exerted_by_tool" else (MINUS,)
        for value, sums in zip(_vectors(model, load), terms, strict=True):
            if any(value):
                names, put = turn if load.axes == "world" else ((), ())
                sums.append(((*sign, *names, vector_value(value)), (*sign, *put, vector_value(value))))
    wrench = model.tool_wrench
    for left, value, sums in (s.f.at(i), wrench.force, terms[0]), (s.n.at(i), wrench.moment, terms[1]):
        # What is only the vector itself is not written twice.
        yield sum_equation(left, value, [] if all(len(rule) == 1 for rule, _ in sums) and len(sums) < 2 else sums, i)


def load_at_com(model: ClosedForm, k: int) -> Wrench[Exact] | None:
    """The loads on link k (from 0) but those at the tool, about its CoM in its axes; None where there are none."""
    loads = [load for load in model.loads if not isinstance(load, ToolWrench)]
    wrench = applied_wrenches(model.robot, model.mechanism, model.state, loads)[k] if loads else None
    return wrench and Wrench(wrench.force, wrench.moment - model.mechanism.bodies[k].com.cross(wrench.force))


def tool(model: ClosedForm) -> Place[Exact] | None:
    """Where the tool stands, if the robot has one."""
    frame = model.robot.tool
    return None if frame is None else place(model.robot, model.mechanism, frame)


def virtual_work(model: ClosedForm) -> Iterator[Part]:
    """Q = J^T w: every load in base axes, the Jacobian of its point, and the generalised forces."""
    f, n, linear, angular = s.load_force.at("Lj"), s.load_moment.at("Lj"), s.J.at("vLj"), s.J.at("wLj")
    turned: Prose = ()
    if any(load.axes != "world" for load in model.loads):
        tool = any(load.axes == "tool" for load in model.loads)
        last = (" (the tool is number ", f"{len(model.mechanism.bodies) + 1}", ")") if tool else ()
        turned = (", to which ", (s.R.at("0i"),), " takes those of link i", *last)
    yield Words((
        "Load j acts on the robot with the force ", (f,), " and the moment ", (n,), " at the point ",
        (s.p.at("Lj"),), ", whose Jacobian has the linear part ", (linear,), " and the angular part ", (angular,),
        ", all in base axes", *turned, ". By the principle of virtual work the loads have the generalised forces ",
        (s.Q,), ".",
    ))  # fmt: skip
    yield load_rule()
    m, where = model.mechanism, poses(model.mechanism, model.state)
    for j, load in enumerate(model.loads, 1):
        yield from _in_base(model, j, load)
        acting = point_loads(model.robot, m, model.state, [load])[0]
        columns = jacobian(m, where, acting.body, acting.point)
        for letter, value, part in zip("vw", (acting.force, acting.moment), columns, strict=True):
            if any(value):
                rows = [list(row) for row in zip(*map(list, part), strict=True)]
                yield Equation(s.J.at(f"{letter}L{j}"), rows, frame="0")
    yield Equation(s.Q, model.load_torques)


def load_rule() -> Rule:
    """Q = sum of J_v^T f + J_w^T n."""
    linear, angular = s.J.at("vLj").T, s.J.at("wLj").T
    inside: Formula = (linear, s.load_force.at("Lj"), PLUS, angular, s.load_moment.at("Lj"))
    return Rule((s.Q, EQUALS, Total("j"), Group(inside)))


def _in_base(model: ClosedForm, j: int, load: Load) -> Iterator[Part]:
    """f_Lj, n_Lj and p_Lj in base axes, from the vectors as they are given."""
    acting = point_loads(model.robot, model.mechanism, model.state, [load])[0]
    k, on = _on(model, load)
    where, tool = poses(model.mechanism, model.state), isinstance(load, ToolWrench)
    R = frame_pose(where, on).R if tool else where[k].R
    i = index(0, len(where) + 1 if tool else k + 1)
    turn: tuple[Formula, Formula] = ((), ()) if load.axes == "world" else ((s.R.at(i),), (matrix_value(R),))
    sign: Formula = (MINUS,) if isinstance(load, ToolWrench) and load.direction == "exerted_by_tool" else ()
    given = _vectors(model, load)
    for symbol, own, value in zip((s.load_force, s.load_moment), given, (acting.force, acting.moment), strict=True):
        if any(value):
            rule, put = ((*sign, *part, vector_value(own)) for part in turn)
            yield sum_equation(symbol.at(f"L{j}"), value, [] if len(rule) == 1 else [(rule, put)], "0")
    if any(acting.force):
        yield Equation(s.p.at(f"L{j}"), list(acting.point), frame="0")


def _on(model: ClosedForm, load: Load) -> tuple[int, Place[Exact]]:
    """The body that a load acts on, and its frame there."""
    on = place(model.robot, model.mechanism, frame_of(model.robot, load))
    assert on.body is not None
    return on.body, on


def _vectors(model: ClosedForm, load: Load) -> tuple[Vector[Exact], Vector[Exact]]:
    """Force and moment in the axes that the load names; those of a frame on a link in the axes of the link."""
    scalars, null = model.scalars, model.mechanism.null
    if isinstance(load, ToolWrench):
        return vector(load.force, scalars), vector(load.moment, scalars)
    given: Vector[Exact] = vector(load.vector, scalars)
    given = _on(model, load)[1].R @ given if load.axes == "link" else given
    return (null, given) if isinstance(load, Moment) else (given, null)


def _lever(model: ClosedForm, load: Load) -> Vector[Exact]:
    """From the joint point to the point of a force, in link axes."""
    assert isinstance(load, Force)
    k, on = _on(model, load)
    point: Vector[Exact] = vector(load.point, model.scalars)
    if load.point_in == "link":
        return on.p + on.R @ point
    body = poses(model.mechanism, model.state)[k]
    return body.R.T @ (point - body.p)


def _triple(v: Vector[Exact]) -> Formula:
    return (Group((Val(v.x), COMMA, Val(v.y), COMMA, Val(v.z))),)
