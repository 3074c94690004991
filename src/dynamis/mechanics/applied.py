"""Loads as the recursion needs them: one wrench per body, in link axes, about the joint point."""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.errors import ArgumentError
from dynamis.mechanics.kinematics import Pose, poses
from dynamis.mechanics.mechanism import Mechanism, Place, State, place, vector
from dynamis.mechanics.newton_euler import Wrench
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import S, Vector


def applied_wrenches(
    robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load]
) -> list[Wrench[S] | None]:
    """The sum of the loads on every body, or None where a body has none."""
    totals: list[Wrench[S] | None] = [None] * len(m.bodies)
    if not loads:
        return totals
    where = poses(m, state)
    for load in loads:
        frame = robot.tool if isinstance(load, ToolWrench) else robot.body_frame(load.link)
        if frame is None or frame.link == robot.base:
            raise ArgumentError(f'robot "{robot.name}" has no tool; give it one with robot.with_tool(placement, link)')
        on = place(robot, m, frame)
        i = on.body
        assert i is not None
        wrench = _wrench(load, on, where[i], m)
        total = totals[i]
        totals[i] = wrench if total is None else Wrench(total.force + wrench.force, total.moment + wrench.moment)
    return totals


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
