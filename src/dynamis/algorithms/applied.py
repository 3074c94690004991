"""Loads as the recursion needs them: one wrench a body, in link axes, about the joint point."""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.algorithms.kinematics import Pose, frame_pose, poses
from dynamis.algorithms.mechanism import Mechanism, State, place, vector
from dynamis.algorithms.newton_euler import Wrench
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.model.expression import World
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import S, Vector


def applied_wrenches(
    robot: RobotModel, m: Mechanism[S], state: State[S], loads: Sequence[Load], world: World[S]
) -> list[Wrench[S] | None]:
    """The sum of the loads on every body, or None where a body has none."""
    totals: list[Wrench[S] | None] = [None] * len(m.bodies)
    if not loads:
        return totals
    where = poses(m, state)
    for load in loads:
        match load:
            case Force():
                i = body_index(robot, load.link)
                point = vector(load.point, world)
                at = m.bodies[i].origin + point if load.point_in == "link" else where[i].R.T @ (point - where[i].p)
                force = _in_link(vector(load.vector, world), load.axes, where[i])
                wrench = Wrench(force, at.cross(force))
            case Moment():
                i = body_index(robot, load.link)
                wrench = Wrench(m.null, _in_link(vector(load.vector, world), load.axes, where[i]))
            case ToolWrench():
                i, wrench = _tool_wrench(robot, m, where, load, world)
        total = totals[i]
        totals[i] = wrench if total is None else Wrench(total.force + wrench.force, total.moment + wrench.moment)
    return totals


def body_index(robot: RobotModel, link: str) -> int:
    names = [body.name for body in robot.links]
    if link not in names:
        raise UnknownNameError("link", link, names, within=f'a load on robot "{robot.name}"', key="link")
    return names.index(link)


def _tool_wrench(
    robot: RobotModel, m: Mechanism[S], where: Sequence[Pose[S]], load: ToolWrench, world: World[S]
) -> tuple[int, Wrench[S]]:
    if robot.tool is None or robot.tool.link == robot.base:
        raise ArgumentError(f'robot "{robot.name}" has no tool; give it one with robot.with_tool(placement, link)')
    tool = place(robot, m, robot.tool, world)
    i = body_index(robot, robot.tool.link)
    force, moment = vector(load.force, world), vector(load.moment, world)
    to_world = frame_pose(where, tool).R
    if load.axes == "tool":
        force, moment = to_world @ force, to_world @ moment
    if load.direction == "exerted_by_tool":
        force, moment = -force, -moment
    force, moment = where[i].R.T @ force, where[i].R.T @ moment
    return i, Wrench(force, moment + tool.p.cross(force))


def _in_link(v: Vector[S], axes: str, pose: Pose[S]) -> Vector[S]:
    return v if axes == "link" else pose.R.T @ v
