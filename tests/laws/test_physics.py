"""The laws of mechanics, on random robots: what must hold whatever the algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import Force, Inertia, Moment, Placement, Robot, ToolWrench
from dynamis.base.arrays import Array
from tests.support.closeness import close, largest
from tests.support.strategies import Case, Part, build, matrix, point_inertia, robots

few = settings(max_examples=40)
# The error of numerical derivatives (sixth order) was 1e-9 at most.
NUMERICAL = 1e-6


def derivative(function: Callable[[Array], Array], step: float = 5e-4) -> Array:
    """d/dt of `function` at t = 0 by seven-point central differences: error O(step^6)."""
    values = function(step * np.arange(-3, 4))
    return np.tensordot(np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * step), values, axes=1)


def poses(robot: Robot, q: Array) -> Array:
    """Link frames in the base: (links, 4, 4)."""
    return robot.link_poses(q)


def in_world(robot: Robot, q: Array, vectors: Array) -> Array:
    """Vectors in link axes, one a link, turned to base axes."""
    return np.einsum("lij,lj->li", poses(robot, q)[:, :3, :3], vectors)


def subtree(case: Case, root: int) -> list[int]:
    found = {root}
    for i, part in enumerate(case.parts):
        if part.parent in found:
            found.add(i)
    return sorted(found)


def mass_matrix(robot: Robot, q: Array) -> Array:
    """M from unit accelerations, without gravity."""
    unit = np.eye(robot.n)
    return robot.inverse_dynamics(np.broadcast_to(q, unit.shape), None, unit, gravity=False).T


@few
@given(robots(loads=True))
def test_at_rest_the_base_carries_the_weight_and_the_loads(case: Case) -> None:
    robot = case.robot()
    loads = [load for load in case.loads if not isinstance(load, ToolWrench)]
    found = robot.reactions(case.q, loads=loads)
    motions, frames = robot.link_motions(case.q), poses(robot, case.q)
    f, n = in_world(robot, case.q, found.force), in_world(robot, case.q, found.moment)
    force, moment = np.zeros(3), np.zeros(3)
    sizes = [1.0]

    def add(by: Array, at: Array, turn: Array | float = 0.0) -> None:
        nonlocal force, moment
        force, moment = force + by, moment + np.cross(at, by) + turn
        sizes.append(np.linalg.norm(by) * (1 + np.linalg.norm(at)) + np.linalg.norm(turn))

    for i, part in enumerate(case.parts):
        add(part.mass * case.gravity, motions.com_position[i])
        if part.parent is None:
            add(f[i], motions.point_position[i], n[i])
    names = [part.name for part in case.parts]
    for load in loads:
        T = frames[names.index(load.link)]
        vector = np.array([float(x.value) for x in load.vector])
        vector = vector if load.axes == "world" else T[:3, :3] @ vector
        if isinstance(load, Moment):
            add(np.zeros(3), np.zeros(3), vector)
        else:
            point = np.array([float(x.value) for x in load.point])
            add(vector, point if load.point_in == "world" else T[:3, :3] @ point + T[:3, 3])
    close(force, np.zeros(3), scale=max(sizes))
    close(moment, np.zeros(3), scale=max(sizes))


@few
@given(robots())
def test_a_joint_moves_its_whole_subtree(case: Case) -> None:
    """f = sum m (a_C - g), n about P = sum (C - P) x m (a_C - g) + I wd + w x I w, over the subtree."""
    robot = case.robot()
    found, motions = robot.reactions(case.q, case.qd, case.qdd), robot.link_motions(case.q, case.qd, case.qdd)
    turn = [
        part.inertia @ wd + np.cross(w, part.inertia @ w)
        for part, w, wd in zip(case.parts, motions.w, motions.wd, strict=True)
    ]
    N = in_world(robot, case.q, np.array(turn))
    masses = np.array([part.mass for part in case.parts])[:, None]
    F = masses * (in_world(robot, case.q, motions.com_acceleration) - case.gravity)
    f, n = in_world(robot, case.q, found.force), in_world(robot, case.q, found.moment)
    for i in range(len(case.parts)):
        below = subtree(case, i)
        arms = motions.com_position[below] - motions.point_position[i]
        close(f[i], F[below].sum(axis=0), scale=largest(found.wrench))
        close(n[i], (np.cross(arms, F[below]) + N[below]).sum(axis=0), scale=largest(found.wrench))


@few
@given(robots(friction=True))
def test_torque_is_the_reaction_along_the_axis_and_the_drive(case: Case) -> None:
    robot = case.robot()
    found = robot.reactions(case.q, case.qd, case.qdd)
    for j, i in enumerate(case.moving):
        part = case.parts[i]
        k = matrix(part.after)[:3, :3].T @ part.k
        drive = part.reflected * case.qdd[j] + part.damping * case.qd[j] + part.coulomb * np.sign(case.qd[j])
        along = k @ (found.moment[i] if part.revolute else found.force[i])
        close(found.tau[j], along + drive, scale=largest(found.wrench) + abs(drive))


@few
@given(robots())
def test_torque_is_affine_in_the_accelerations(case: Case) -> None:
    robot, other = case.robot(), case.qdd[::-1] * 0.7 - 1
    bias = robot.inverse_dynamics(case.q, case.qd)
    x = robot.inverse_dynamics(case.q, case.qd, case.qdd) - bias
    y = robot.inverse_dynamics(case.q, case.qd, other) - bias
    both = robot.inverse_dynamics(case.q, case.qd, 2 * case.qdd - 3 * other) - bias
    close(both, 2 * x - 3 * y, scale=np.linalg.norm([bias, x, y]) * 3)
    close(mass_matrix(robot, case.q) @ case.qdd, x, scale=np.linalg.norm([bias, x]))


@few
@given(robots())
def test_velocity_torques_are_quadratic(case: Case) -> None:
    robot, other = case.robot(), case.qd[::-1] + 0.5

    def c(qd: Array) -> Array:
        return robot.inverse_dynamics(case.q, qd, gravity=False)

    x, y = c(case.qd), c(other)
    close(c(-case.qd), x)
    close(c(1.7 * case.qd), 1.7**2 * x)
    close(c(case.qd + other) + c(case.qd - other), 2 * x + 2 * y, scale=np.linalg.norm([x, y]) * 4)


@few
@given(robots(friction=True, solid=True))
def test_mass_matrix_is_symmetric_and_positive(case: Case) -> None:
    robot = case.robot()
    frictionless = replace(case, parts=tuple(replace(p, damping=0.0, coulomb=0.0) for p in case.parts)).robot()
    M = mass_matrix(frictionless, case.q)
    close(M, M.T)
    if robot.n:
        assert np.linalg.eigvalsh(M)[0] > 0
    close(robot.kinetic_energy(case.q, case.qd), case.qd @ M @ case.qd / 2)


@few
@given(robots(loads=True))
def test_loads_add_up(case: Case) -> None:
    robot = case.robot()
    moving = robot.inverse_dynamics(case.q, case.qd, case.qdd)
    each = [robot.inverse_dynamics(case.q, loads=[load], gravity=False) for load in case.loads]
    together = robot.inverse_dynamics(case.q, case.qd, case.qdd, loads=case.loads)
    close(together, sum(each, moving), scale=sum(np.linalg.norm(x) for x in (moving, *each)))


@few
@given(robots())
def test_gravity_adds_up(case: Case) -> None:
    robot = case.robot()
    without = robot.inverse_dynamics(case.q, case.qd, case.qdd, gravity=False)
    alone = robot.inverse_dynamics(case.q)
    whole = robot.inverse_dynamics(case.q, case.qd, case.qdd)
    close(whole, without + alone, scale=np.linalg.norm([without, alone]))
    given_here = robot.with_gravity((1, 2, 3)).inverse_dynamics(case.q, gravity=case.gravity)
    close(given_here, alone, tolerance=1e-12)


@few
@given(robots(friction=True))
def test_power_balance(case: Case) -> None:
    """d/dt (T + U) = qd.tau - friction's power + the loads' power, along a smooth motion."""
    robot = case.robot()
    link = case.parts[-1].name
    F, N = case.gravity[::-1] * 3, case.gravity * 2
    loads = [Force(link, tuple(F)), Moment(link, tuple(N))]  # type: ignore[arg-type]
    tau = robot.inverse_dynamics(case.q, case.qd, case.qdd, loads=loads)
    moving = [case.parts[i] for i in case.moving]
    friction = np.array([p.damping * v + p.coulomb * np.sign(v) for p, v in zip(moving, case.qd, strict=True)])
    twist = robot.jacobian(case.q, link) @ case.qd
    given_power = case.qd @ (tau - friction.reshape(tau.shape)) + np.concatenate([F, N]) @ twist

    def energy(t: Array) -> Array:
        t = t[:, None]
        q, qd = case.q + case.qd * t + case.qdd * t**2 / 2, case.qd + case.qdd * t
        return robot.kinetic_energy(q, qd) + robot.potential_energy(q)

    scale = np.abs(case.qd) @ np.abs(tau) + abs(given_power) + np.abs(energy(np.zeros(1))[0])
    close(derivative(energy), given_power, scale=scale, tolerance=NUMERICAL)


@few
@given(robots(loads=True))
def test_gravity_torque_is_the_slope_of_the_potential(case: Case) -> None:
    robot, g = case.robot(), case.gravity_given
    tau = robot.inverse_dynamics(case.q, gravity=g)
    slope = [
        derivative(lambda t, e=e: robot.potential_energy(case.q + np.outer(t, e), gravity=g)) for e in np.eye(robot.n)
    ]
    weight = sum(p.mass for p in case.parts) * np.linalg.norm(case.acting_gravity)
    close(tau, np.array(slope).reshape(tau.shape), scale=np.linalg.norm(tau) + weight, tolerance=NUMERICAL)


@few
@given(robots(loads=True))
def test_turning_base_and_gravity_together_changes_nothing(case: Case) -> None:
    turn = (("R", "x", 0.7), ("R", "z", -2.1), ("R", "y", 0.3))
    parts = [replace(p, before=turn + p.before) if p.parent is None else p for p in case.parts]
    robot = case.robot()
    turned = build(parts, case.tool_on, case.tool, matrix(turn)[:3, :3] @ case.gravity)
    loads = [
        load
        for load in case.loads
        if getattr(load, "axes", "") != "world" and getattr(load, "point_in", "link") == "link"
    ]
    expected = robot.reactions(case.q, case.qd, case.qdd, loads=loads)
    found = turned.reactions(case.q, case.qd, case.qdd, loads=loads)
    close(found.tau, expected.tau, scale=largest(expected.wrench))
    close(found.wrench, expected.wrench, scale=largest(expected.wrench))


def merged(body: Part, other: Part, T: Array) -> Part:
    """`body` with `other` fixed on it, whose frame stands at T in its frame."""
    R, p = T[:3, :3], T[:3, 3]
    at = p + R @ other.com
    mass = body.mass + other.mass
    com = (body.mass * body.com + other.mass * at) / mass
    inertia = body.inertia + R @ other.inertia @ R.T
    inertia = inertia + point_inertia(body.mass, body.com - com) + point_inertia(other.mass, at - com)
    return replace(body, mass=mass, com=com, inertia=(inertia + inertia.T) / 2)


@few
@given(robots(joints=(2, 8), solid=True), st.data())
def test_a_fixed_joint_splits_a_link_without_changing_the_rest(case: Case, data: st.DataObject) -> None:
    """Link i is robot A's one body, and in robot B two bodies on a fixed joint."""
    i = data.draw(st.integers(0, len(case.parts) - 1))
    extra = replace(case.parts[(i + 1) % len(case.parts)], name="half", parent=i, kind="fixed")
    whole = list(case.parts)
    whole[i] = merged(whole[i], extra, matrix(extra.before) @ matrix(extra.after))
    one = build(whole, case.tool_on, case.tool, case.gravity)
    two = build([*case.parts, extra], case.tool_on, case.tool, case.gravity)
    expected, found = (robot.reactions(case.q, case.qd, case.qdd) for robot in (one, two))
    close(found.tau, expected.tau, scale=largest(expected.wrench))
    names = [found.links.index(link) for link in expected.links]
    close(found.wrench[names], expected.wrench, scale=largest(expected.wrench))


@few
@given(robots(joints=(2, 8), solid=True))
def test_a_payload_is_part_of_the_link_that_holds_it(case: Case) -> None:
    body = replace(case.parts[0], name="payload", kind="fixed", before=(), after=())
    robot = case.robot()
    inertia = Inertia(body.inertia)
    loaded = robot.with_payload(body.mass, body.com, inertia)
    whole = list(case.parts)
    whole[case.tool_on] = merged(whole[case.tool_on], body, matrix(case.tool))
    expected = build(whole, case.tool_on, case.tool, case.gravity).inverse_dynamics(case.q, case.qd, case.qdd)
    close(loaded.inverse_dynamics(case.q, case.qd, case.qdd), expected)


@few
@given(robots())
def test_a_hanging_payload_weighs_what_it_weighs(case: Case) -> None:
    """At rest, the grasp's reaction is minus the weight, in the axes of the tool."""
    mass, com = 2.5, np.array([0.1, -0.2, 0.3])
    robot = case.robot().with_payload(mass, com)
    found = robot.reactions(case.q)
    i = found.links.index("payload")
    weight = mass * robot.forward_kinematics(case.q, "tool")[:3, :3].T @ case.gravity
    close(found.force[i], -weight)
    close(found.moment[i], np.cross(com, -weight), scale=np.linalg.norm(weight))


@few
@given(robots(loads=True))
def test_parent_tip_and_joint_conventions(case: Case) -> None:
    """About the parent's tip the moment gains k q x f; the drive's component is left out."""
    robot, state = case.robot(), (case.q, case.qd, case.qdd)
    at_joint = robot.reactions(*state, loads=case.loads)
    at_tip = robot.reactions(*state, loads=case.loads, convention="parent_tip")
    close(at_joint.tau, at_tip.tau, tolerance=1e-12)
    q, scale = case.of_part(case.q), largest(at_joint.wrench)
    for i, part in enumerate(case.parts):
        f, n = at_joint.force[i], at_joint.moment[i]
        k = matrix(part.after)[:3, :3].T @ part.k
        if part.kind == "prismatic":
            f, n = f - k * (k @ f), n + np.cross(k * q[i], f)
        elif part.revolute:
            n = n - k * (k @ n)
        close(at_tip.force[i], f, scale=scale)
        close(at_tip.moment[i], n, scale=scale * (1 + abs(q[i])))


@few
@given(robots(kinds=("prismatic",)))
def test_the_parent_tip_stands_still_on_its_parent(case: Case) -> None:
    """The point of the "parent_tip" moments is the joint point at zero displacement."""
    robot = case.robot()
    now = robot.link_motions(case.q).point_position
    for j, i in enumerate(case.moving):
        q = case.q.copy()
        q[j] = 0.0
        tip = robot.link_motions(q).point_position[i]
        k = robot.jacobian(case.q, case.parts[i].name)[:3, j]
        close(now[i], tip + k * case.q[j], scale=1 + float(np.abs(now).max()))


@few
@given(robots(joints=(1, 7)))
def test_jacobian_is_the_derivative_of_forward_kinematics(case: Case) -> None:
    robot = case.robot()
    J, R = robot.jacobian(case.q), robot.forward_kinematics(case.q)[:3, :3]
    for j, e in enumerate(np.eye(robot.n)):
        dT = derivative(lambda t, e=e: robot.forward_kinematics(case.q + np.outer(t, e)))
        S = dT[:3, :3] @ R.T
        close(J[:3, j], dT[:3, 3], tolerance=NUMERICAL)
        close(J[3:, j], [S[2, 1], S[0, 2], S[1, 0]], tolerance=NUMERICAL)


@few
@given(robots())
def test_velocities_are_the_jacobian_times_qd(case: Case) -> None:
    robot = case.robot()
    motions = robot.link_motions(case.q, case.qd)
    v, w = (in_world(robot, case.q, x) for x in (motions.com_velocity, motions.w))
    for i, part in enumerate(case.parts):
        close(robot.com_jacobian(case.q, part.name) @ case.qd, np.concatenate([v[i], w[i]]))


@few
@given(robots())
def test_accelerations_are_the_derivative_of_velocities(case: Case) -> None:
    robot = case.robot()

    def world_velocity(t: Array) -> Array:
        t = t[:, None]
        q, qd = case.q + case.qd * t + case.qdd * t**2 / 2, case.qd + case.qdd * t
        return np.array([in_world(robot, x, robot.link_motions(x, v).com_velocity) for x, v in zip(q, qd, strict=True)])

    motions = robot.link_motions(case.q, case.qd, case.qdd)
    close(derivative(world_velocity), in_world(robot, case.q, motions.com_acceleration), tolerance=NUMERICAL)


@few
@given(robots())
def test_virtual_work_of_a_tool_wrench(case: Case) -> None:
    """tau = -J^T w for a wrench w of the environment on the tool, +J^T w for one by the tool."""
    robot = case.robot()
    force, moment = case.gravity * 2, case.gravity[::-1] - 1
    J, T = robot.jacobian(case.q), robot.forward_kinematics(case.q)

    def tau(direction: Any, axes: Any, f: Array, n: Array) -> Array:
        load = ToolWrench(direction, tuple(f), tuple(n), axes)  # type: ignore[arg-type]
        return robot.inverse_dynamics(case.q, gravity=False, loads=[load])

    expected, scale = -J.T @ np.concatenate([force, moment]), np.linalg.norm(J) * np.linalg.norm([force, moment])
    close(tau("exerted_by_environment", "world", force, moment), expected, scale=scale)
    close(tau("exerted_by_tool", "world", force, moment), -expected, scale=scale)
    R = T[:3, :3]
    close(tau("exerted_by_tool", "tool", R.T @ force, R.T @ moment), -expected, scale=scale)


@few
@given(robots())
def test_an_offset_of_the_tool_moves_with_its_axes(case: Case) -> None:
    robot = case.robot()
    T = robot.forward_kinematics(case.q)
    moved = robot.with_tool(robot.tool.placement * Placement.offset((0.1, 0.2, 0.3)))  # type: ignore[union-attr]
    found = moved.forward_kinematics(case.q)
    close(found[:3, 3], T[:3, 3] + T[:3, :3] @ [0.1, 0.2, 0.3])
    close(found[:3, :3], T[:3, :3])
