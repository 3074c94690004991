"""How loads change with q, seen from the links they act on: what the derivatives of torques need of them.

A load that is fixed in the axes of its link is constant there. A vector that is fixed in the world is seen
to turn backward when a joint with the axis z turns its link, and a point that is fixed in the world, at x, to
move backward as well:

    df/dq_j = -z_j x f      dx/dq_j = -z_j x (x - P_j)  (revolute)      0 and -z_j  (prismatic)
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.errors import ArgumentError
from dynamis.mechanics.kinematics import Pose, poses
from dynamis.mechanics.mechanism import Body, Mechanism, Place, State, place, vector
from dynamis.mechanics.newton_euler import Wrench
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import S, Vector


def applied_rates(
    robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]
) -> list[list[Wrench[S] | None]]:
    """For every body b and joint j, the derivative by q_j of the loads on b in its axes, or None where it is 0.

    Beside `applied_wrenches`, whose derivative it is.
    """
    rates: list[list[Wrench[S] | None]] = [[None] * m.joints for _ in m.bodies]
    if not loads:
        return []
    where = poses(m, state)
    for load in loads:
        frame = robot.tool if isinstance(load, ToolWrench) else robot.body_frame(load.link)
        if frame is None or frame.link == robot.base:
            raise ArgumentError(f'robot "{robot.name}" has no tool; give it one with robot.with_tool(placement, link)')
        on = place(robot, m, frame)
        assert on.body is not None
        for j, body in _carriers(m, on.body):
            assert body.joint is not None
            rate = _rate(load, on, where[on.body], where[j], body, m)
            total = rates[on.body][body.joint]
            if total is not None and rate is not None:
                rate = Wrench(total.force + rate.force, total.moment + rate.moment)
            rates[on.body][body.joint] = total if rate is None else rate
    return rates


def _carriers(m: Mechanism[S], i: int | None) -> list[tuple[int, Body[S]]]:
    """The bodies with moving joints from body i to the base."""
    found: list[tuple[int, Body[S]]] = []
    while i is not None:
        if m.bodies[i].joint is not None:
            found.append((i, m.bodies[i]))
        i = m.bodies[i].parent
    return found


def _rate(
    load: Load, on: Place[S], body: Pose[S], joint: Pose[S], carrier: Body[S], m: Mechanism[S]
) -> Wrench[S] | None:
    """Of one load by one joint, in the axes of the body, about its joint point."""
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
            given, point = vector(load.vector, m.scalars), vector(load.point, m.scalars)
            in_world, still = load.axes == "world", load.point_in == "world"
            if not in_world and not still:
                return None
            force = to_link @ given if in_world else on.R @ given
            at = to_link @ (point - body.p) if still else on.p + on.R @ point
            force_rate = turned(force) if in_world else m.null
            at_rate = m.null
            if still:
                at_rate = (to_link @ (point - joint.p)).cross(z) if carrier.revolute else -z
            return Wrench(force_rate, at.cross(force_rate) + at_rate.cross(force))
