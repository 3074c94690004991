"""Loads as the recursions need them, one wrench per body in link axes about its joint point; and their change with q.

A load that is fixed in the axes of its link is constant there. A vector that is fixed in the world is seen
to turn backward when a joint with the axis z turns its link, and a point that is fixed in the world, at x, to
move backward as well:

    df/dq_j = -z_j x f      dx/dq_j = -z_j x (x - P_j)  (revolute)      0 and -z_j  (prismatic)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from dynamis.compute.mechanics.kinematics.poses import Pose, frame_pose, jacobian, poses
from dynamis.compute.mechanics.mechanism import Body, Mechanism, Place, State, Wrench, place, vector
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple, frame_of
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import Matrix, S, Vector


def applied_wrenches(
    robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]
) -> list[Wrench[S] | None]:
    """The sum of the loads on every body, or None where a body has none."""
    totals: list[Wrench[S] | None] = [None] * len(m.bodies)
    where = poses(m, state) if loads else []
    for load, on, i in _places(robot, m, loads):
        totals[i] = _sum(totals[i], _wrench(load, on, where[i], m))
    return totals


def applied_wrench_rates(
    robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]
) -> list[list[Wrench[S] | None]]:
    """For every body b and joint j, the derivative by q_j of the loads on b in its axes, or None where it is 0.

    Without loads the list is empty.
    """
    if not loads:
        return []
    rates: list[list[Wrench[S] | None]] = [[None] * m.joints for _ in m.bodies]
    where = poses(m, state)
    for load, on, i in _places(robot, m, loads):
        carrier: int | None = i
        while carrier is not None:
            body = m.bodies[carrier]
            if (j := body.joint) is not None:
                rates[i][j] = _sum(rates[i][j], _rate(load, on, where[i], where[carrier], body, m))
            carrier = body.parent
    return rates


@dataclass(frozen=True, slots=True)
class PointLoad(Generic[S]):
    """A load on a body where it acts: point, force and moment about the point, in base axes."""

    body: int
    point: Vector[S]
    force: Vector[S]
    moment: Vector[S]


def point_loads(robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]) -> list[PointLoad[S]]:
    """The loads where they act, in base axes; a moment alone at the origin of the frame that it is given on."""
    where = poses(m, state) if loads else []
    points: list[PointLoad[S]] = []
    for load, on, i in _places(robot, m, loads):
        frame = frame_pose(where, on)

        def in_base(entries: Triple, axes: str, R: Matrix[S] = frame.R) -> Vector[S]:
            v = vector(entries, m.scalars)
            return v if axes == "world" else R @ v

        match load:
            case Moment():
                points.append(PointLoad(i, frame.p, m.null, in_base(load.vector, load.axes)))
            case Force():
                x = in_base(load.point, load.point_in)
                at = x if load.point_in == "world" else frame.p + x
                points.append(PointLoad(i, at, in_base(load.vector, load.axes), m.null))
            case ToolWrench():
                sign = -m.one if load.direction == "exerted_by_tool" else m.one
                force, moment = (in_base(v, load.axes) * sign for v in (load.force, load.moment))
                points.append(PointLoad(i, frame.p, force, moment))
    return points


def load_torques(robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]) -> list[S]:
    """Q = sum of J^T w: the generalised forces of the loads, by the virtual work at the points where they act.

    With J_v, J_w the Jacobian of the point, f and n the force and the moment, Q_k = J_v,k . f + J_w,k . n.
    """
    where = poses(m, state) if loads else []
    totals = [m.zero] * robot.n
    for load in point_loads(robot, m, state, loads):
        linear, angular = jacobian(m, where, load.body, load.point)
        shares = (v.dot(load.force) + w.dot(load.moment) for v, w in zip(linear, angular, strict=True))
        totals = [total + share for total, share in zip(totals, shares, strict=True)]
    return totals


def _places(robot: RobotModel, m: Mechanism[S], loads: Sequence[Load]) -> Iterator[tuple[Load, Place[S], int]]:
    """Every load, the frame that it acts on, and the body of that frame."""
    for load in loads:
        on = place(robot, m, frame_of(robot, load))
        assert on.body is not None
        yield load, on, on.body


def _sum(a: Wrench[S] | None, b: Wrench[S] | None) -> Wrench[S] | None:
    if a is None or b is None:
        return b if a is None else a
    return Wrench(a.force + b.force, a.moment + b.moment)


def _wrench(load: Load, on: Place[S], body: Pose[S], m: Mechanism[S]) -> Wrench[S]:
    """A load on a frame of a body, in the body's axes, about its joint point."""

    def in_body(entries: Triple, axes: str) -> Vector[S]:
        v = vector(entries, m.scalars)
        return body.R.T @ v if axes == "world" else on.R @ v

    match load:
        case Moment():
            return Wrench(m.null, in_body(load.vector, load.axes))
        case Force():
            force, point = in_body(load.vector, load.axes), vector(load.point, m.scalars)
            at = on.p + on.R @ point if load.point_in == "link" else body.R.T @ (point - body.p)
            return Wrench(force, at.cross(force))
        case ToolWrench():
            force, moment = in_body(load.force, load.axes), in_body(load.moment, load.axes)
            if load.direction == "exerted_by_tool":
                force, moment = -force, -moment
            return Wrench(force, moment + on.p.cross(force))


def _rate(
    load: Load, on: Place[S], body: Pose[S], joint: Pose[S], carrier: Body[S], m: Mechanism[S]
) -> Wrench[S] | None:
    """The derivative of one load by one joint, in the axes of the body, about its joint point."""
    to_link = body.R.T
    z = to_link @ (joint.R @ carrier.k)

    def turned(v: Vector[S]) -> Vector[S]:
        """The rate of a vector that stands still in the world."""
        return v.cross(z) if carrier.revolute else m.null

    match load:
        case Moment():
            return Wrench(m.null, turned(to_link @ vector(load.vector, m.scalars))) if load.axes == "world" else None
        case ToolWrench():
            if load.axes != "world":
                return None
            sign = -m.one if load.direction == "exerted_by_tool" else m.one
            force, moment = (turned(to_link @ vector(v, m.scalars)) * sign for v in (load.force, load.moment))
            return Wrench(force, moment + on.p.cross(force))
        case Force():
            entries, point = vector(load.vector, m.scalars), vector(load.point, m.scalars)
            in_world, still = load.axes == "world", load.point_in == "world"
            if not in_world and not still:
                return None
            force = to_link @ entries if in_world else on.R @ entries
            at = to_link @ (point - body.p) if still else on.p + on.R @ point
            force_rate = turned(force) if in_world else m.null
            at_rate = m.null
            if still:
                at_rate = (to_link @ (point - joint.p)).cross(z) if carrier.revolute else -z
            return Wrench(force_rate, at.cross(force_rate) + at_rate.cross(force))
