"""Agreement with Pinocchio on random trees: torques, all reactions, kinematics, energies.

The Pinocchio model is built from the same plain numbers without any of dynamis' mathematics, and
in another way: its joint frame is the frame of the motion (where `before` and the motion lead),
not the link frame, so `after` goes into the bodies and the children instead of into the axis. A
fixed joint is a revolute joint held still, so that all six components of its reaction appear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin
from hypothesis import given, settings

from dynamis import Force, Moment
from dynamis.arrays import Array
from tests.support.closeness import close, largest
from tests.support.strategies import Case, matrix, robots

# Relative agreement to 1e-10 (closeness.py) on this many trees a test; what is seen is 1e-14.
TREES = 250


@dataclass
class Reference:
    """The same robot in Pinocchio, one Pinocchio joint a part (fixed ones held at zero)."""

    case: Case
    model: Any
    data: Any
    after: list[Any]
    tool: Any

    @classmethod
    def of(cls, case: Case) -> Reference:
        model = pin.Model()
        model.gravity.linear = case.acting_gravity
        after = [pin.SE3(matrix(part.after)) for part in case.parts]
        for i, part in enumerate(case.parts):
            before = pin.SE3(matrix(part.before))
            parent = 0 if part.parent is None else part.parent + 1
            placement = before if part.parent is None else after[part.parent] * before
            slides = part.kind == "prismatic"
            joint = pin.JointModelPrismaticUnaligned if slides else pin.JointModelRevoluteUnaligned
            index = model.addJoint(parent, joint(part.k), placement, part.name)
            assert index == i + 1
            model.appendBodyToJoint(index, pin.Inertia(part.mass, part.com, part.inertia), after[i])
        return cls(case, model, model.createData(), after, after[case.tool_on] * pin.SE3(matrix(case.tool)))

    @property
    def q(self) -> Array:
        return self.case.of_part(self.case.q)

    @property
    def v(self) -> Array:
        return self.case.of_part(self.case.qd)

    @property
    def a(self) -> Array:
        return self.case.of_part(self.case.qdd)

    def link_pose(self, i: int) -> Any:
        """The link frame in the world; forward kinematics must have run."""
        return self.data.oMi[i + 1] * self.after[i]

    def applied(self) -> Any:
        """The loads, as wrenches in Pinocchio's joint frames."""
        pin.forwardKinematics(self.model, self.data, self.q)
        wrenches = [pin.Force.Zero() for _ in range(self.model.njoints)]
        names = [part.name for part in self.case.parts]
        for load in self.case.loads:
            i = self.case.tool_on if not isinstance(load, Force | Moment) else names.index(load.link)
            joint, link = self.data.oMi[i + 1], self.link_pose(i)
            if isinstance(load, Force):
                force = vector(load.vector) if load.axes == "world" else link.rotation @ vector(load.vector)
                at = vector(load.point) if load.point_in == "world" else link * vector(load.point)
                moment = np.cross(at, force)
            elif isinstance(load, Moment):
                force, moment = np.zeros(3), vector(load.vector)
                moment = moment if load.axes == "world" else link.rotation @ moment
            else:
                tool = joint * self.tool
                R = np.eye(3) if load.axes == "world" else tool.rotation
                sign = -1 if load.direction == "exerted_by_tool" else 1
                force, moment = sign * R @ vector(load.force), sign * R @ vector(load.moment)
                moment = moment + np.cross(tool.translation, force)
            wrenches[i + 1] += joint.actInv(pin.Force(force, moment))
        found = pin.StdVec_Force()
        found.extend(wrenches)
        return found

    def inverse_dynamics(self) -> tuple[Array, Array, Array]:
        """tau of the moving joints; force and moment at every joint, in link axes."""
        applied = self.applied()
        tau = pin.rnea(self.model, self.data, self.q, self.v, self.a, applied)[self.case.moving]
        turns = [placement.rotation.T for placement in self.after]
        force = [R @ self.data.f[i + 1].linear for i, R in enumerate(turns)]
        moment = [R @ self.data.f[i + 1].angular for i, R in enumerate(turns)]
        return tau, np.array(force), np.array(moment)


def vector(entries: Any) -> Array:
    """The numbers of a load, whose entries are exact rationals."""
    return np.array([float(entry.value) for entry in entries])


@settings(max_examples=TREES)
@given(robots(loads=True))
def test_torques_and_reactions(case: Case) -> None:
    tau, force, moment = Reference.of(case).inverse_dynamics()
    found = case.robot().reactions(case.q, case.qd, case.qdd, loads=case.loads, gravity=case.gravity_given)
    close(found.tau, tau)
    wrenches = np.concatenate([force, moment], axis=1)
    close(found.wrench, wrenches, scale=largest(wrenches))


@settings(max_examples=60)
@given(robots(loads=True))
def test_torques_alone_are_those_of_the_reactions(case: Case) -> None:
    robot, options = case.robot(), {"loads": case.loads, "gravity": case.gravity_given}
    alone = robot.inverse_dynamics(case.q, case.qd, case.qdd, **options)
    found = robot.reactions(case.q, case.qd, case.qdd, **options)
    close(alone, found.tau, scale=largest(found.wrench), tolerance=1e-12)


@settings(max_examples=60)
@given(robots(loads=True))
def test_statics(case: Case) -> None:
    """Velocities and accelerations left out are zero."""
    reference = Reference.of(case)
    still = np.zeros(len(case.parts))
    expected = pin.rnea(reference.model, reference.data, reference.q, still, still, reference.applied())[case.moving]
    close(case.robot().inverse_dynamics(case.q, loads=case.loads, gravity=case.gravity_given), expected)


@settings(max_examples=100)
@given(robots(friction=True))
def test_rotors_and_friction(case: Case) -> None:
    """Rotors are Pinocchio's armature; friction is damping qd + coulomb sign(qd)."""
    reference = Reference.of(case)
    reference.model.armature = np.array([part.reflected for part in case.parts])
    qd = np.where(np.arange(case.qd.size) % 3 == 2, 0.0, case.qd)
    moving = [case.parts[i] for i in case.moving]
    friction = [part.damping * v + part.coulomb * np.sign(v) for part, v in zip(moving, qd, strict=True)]
    smooth = pin.rnea(reference.model, reference.data, reference.q, case.of_part(qd), reference.a)[case.moving]
    close(case.robot().inverse_dynamics(case.q, qd, case.qdd), smooth + np.array(friction))


@settings(max_examples=TREES)
@given(robots())
def test_frames_and_jacobians(case: Case) -> None:
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
    for i, part in enumerate(case.parts):
        link = reference.link_pose(i)
        close(robot.forward_kinematics(case.q, part.name), link.homogeneous, scale=size)
        close(robot.jacobian(case.q, part.name), world_jacobian(i + 1, link.translation), scale=size)
        com = link * part.com
        close(robot.com_pose(case.q, part.name)[:3, 3], com, scale=size)
        close(robot.com_jacobian(case.q, part.name), world_jacobian(i + 1, com), scale=size)
    close(robot.forward_kinematics(case.q, "base"), np.eye(4))
    close(robot.jacobian(case.q, "base"), np.zeros((6, len(moving))))


@settings(max_examples=TREES)
@given(robots(friction=True))
def test_energies(case: Case) -> None:
    robot, reference = case.robot(), Reference.of(case)
    kinetic = pin.computeKineticEnergy(reference.model, reference.data, reference.q, reference.v)
    kinetic += sum(case.parts[i].reflected * v**2 / 2 for i, v in zip(case.moving, case.qd, strict=True))
    close(robot.kinetic_energy(case.q, case.qd), kinetic)
    potential = pin.computePotentialEnergy(reference.model, reference.data, reference.q)
    weights = sum(part.mass * np.linalg.norm(case.gravity) for part in case.parts)
    size = 1 + max(float(np.linalg.norm(reference.data.oMi[i + 1].translation)) for i in range(len(case.parts)))
    close(robot.potential_energy(case.q), potential, scale=weights * size)


@settings(max_examples=TREES)
@given(robots())
def test_link_motions(case: Case) -> None:
    """Velocities and accelerations of joint points and CoMs, without gravity, in link axes."""
    robot, reference = case.robot(), Reference.of(case)
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
