"""Agreement with Pinocchio on random trees: torques, all reactions, kinematics, energies."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from hypothesis import given, settings

from dynamis.base.arrays import Array
from dynamis.robot import Robot
from tests.support.closeness import close, largest
from tests.support.pinocchio_trees import Reference
from tests.support.strategies import Case, robots

# Relative agreement to 1e-10 (closeness.py) on this many trees a test; what is seen is 1e-14.
TREES = 120


@settings(max_examples=TREES)
@given(robots(loads=True))
def test_torques_and_reactions(case: Case) -> None:
    """Torques alone are those of the reactions; velocities and accelerations left out are zero."""
    robot, reference = case.robot(), Reference.of(case)
    options = {"loads": case.loads, "gravity": case.gravity_given}
    tau, force, moment = reference.inverse_dynamics()
    found = robot.reactions(case.q, case.qd, case.qdd, **options)
    close(found.tau, tau)
    wrenches = np.concatenate([force, moment], axis=1)
    close(found.wrench, wrenches, scale=largest(wrenches))
    alone = robot.inverse_dynamics(case.q, case.qd, case.qdd, **options)
    close(alone, found.tau, scale=largest(found.wrench), tolerance=1e-12)
    still = np.zeros(len(case.parts))
    statics = pin.rnea(reference.model, reference.data, reference.q, still, still, reference.applied())[case.moving]
    close(robot.inverse_dynamics(case.q, **options), statics)


@settings(max_examples=TREES)
@given(robots(friction=True))
def test_energies_rotors_and_friction(case: Case) -> None:
    """Rotors are Pinocchio's armature; friction is damping qd + coulomb sign(qd)."""
    robot, reference = case.robot(), Reference.of(case)
    kinetic = pin.computeKineticEnergy(reference.model, reference.data, reference.q, reference.v)
    kinetic += sum(case.parts[i].reflected * v**2 / 2 for i, v in zip(case.moving, case.qd, strict=True))
    close(robot.kinetic_energy(case.q, case.qd), kinetic)
    potential = pin.computePotentialEnergy(reference.model, reference.data, reference.q)
    weights = sum(part.mass * np.linalg.norm(case.gravity) for part in case.parts)
    size = 1 + max(float(np.linalg.norm(reference.data.oMi[i + 1].translation)) for i in range(len(case.parts)))
    close(robot.potential_energy(case.q), potential, scale=weights * size)
    reference.model.armature = np.array([part.reflected for part in case.parts])
    qd = np.where(np.arange(case.qd.size) % 3 == 2, 0.0, case.qd)
    moving = [case.parts[i] for i in case.moving]
    friction = [part.damping * v + part.coulomb * np.sign(v) for part, v in zip(moving, qd, strict=True)]
    smooth = pin.rnea(reference.model, reference.data, reference.q, case.of_part(qd), reference.a)[case.moving]
    close(robot.inverse_dynamics(case.q, qd, case.qdd), smooth + np.array(friction))


@settings(max_examples=TREES)
@given(robots())
def test_frames_jacobians_and_motions(case: Case) -> None:
    robot, reference = case.robot(), Reference.of(case)
    model, data, moving = reference.model, reference.data, case.moving
    pin.computeJointJacobians(model, data, reference.q)

    def world_jacobian(joint: int, at: Array) -> Array:
        """Pinocchio's Jacobian of a point of the body, in world axes."""
        J = pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.WORLD).reshape(6, -1)[:, moving]
        return np.vstack([J[:3] + np.cross(J[3:], at, axis=0), J[3:]])

    size = 1 + max(float(np.linalg.norm(data.oMi[i + 1].translation)) for i in range(len(case.parts)))
    tool = data.oMi[case.tool_on + 1] * reference.tool
    close(robot.forward_kinematics(case.q), tool.homogeneous, scale=size)
    close(robot.jacobian(case.q), world_jacobian(case.tool_on + 1, tool.translation), scale=size)
    links = [reference.link_pose(i) for i in range(len(case.parts))]
    close(robot.link_poses(case.q), np.array([link.homogeneous for link in links]), scale=size)
    # Each link has programs of its own: one near the middle is compiled.
    i = len(case.parts) // 2
    part, link = case.parts[i], links[i]
    close(robot.forward_kinematics(case.q, part.name), link.homogeneous, scale=size)
    close(robot.jacobian(case.q, part.name), world_jacobian(i + 1, link.translation), scale=size)
    com = link * part.com
    close(robot.com_pose(case.q, part.name)[:3, 3], com, scale=size)
    close(robot.com_jacobian(case.q, part.name), world_jacobian(i + 1, com), scale=size)
    close(robot.forward_kinematics(case.q, "base"), np.eye(4))
    close(robot.jacobian(case.q, "base"), np.zeros((6, len(moving))))
    _link_motions(case, robot, reference)


def _link_motions(case: Case, robot: Robot, reference: Reference) -> None:
    """Velocities and accelerations of joint points and CoMs, without gravity, in link axes."""
    data = reference.data
    pin.forwardKinematics(reference.model, data, reference.q, reference.v, reference.a)
    expected: dict[str, list[Array]] = {}
    for i, part in enumerate(case.parts):
        R, p = reference.after[i].rotation, data.oMi[i + 1]
        v, a = data.v[i + 1], data.a[i + 1]
        acceleration = a.linear + np.cross(v.angular, v.linear)
        com = reference.after[i] * part.com
        rows = {
            "w": v.angular,
            "wd": a.angular,
            "point_velocity": v.linear,
            "point_acceleration": acceleration,
            "com_velocity": v.linear + np.cross(v.angular, com),
            "com_acceleration": acceleration + np.cross(a.angular, com) + np.cross(v.angular, np.cross(v.angular, com)),
        }
        for key, value in rows.items():
            expected.setdefault(key, []).append(R.T @ value)
        expected.setdefault("point_position", []).append(p.translation)
        expected.setdefault("com_position", []).append(p * com)
    joint, at = case.tool_on + 1, reference.tool.translation
    R, v, a = data.oMi[joint].rotation, data.v[joint], data.a[joint]
    swing = np.cross(a.angular, at) + np.cross(v.angular, v.linear + np.cross(v.angular, at))
    tool = robot.frame_motion(case.q, case.qd, case.qdd)
    close(tool.velocity, R @ (v.linear + np.cross(v.angular, at)))
    close(tool.acceleration, R @ (a.linear + swing))
    close(tool.w, R @ v.angular)
    close(tool.wd, R @ a.angular)
    found = robot.link_motions(case.q, case.qd, case.qdd)
    assert found.links == tuple(part.name for part in case.parts)
    for key, value in expected.items():
        close(getattr(found, key), value)
