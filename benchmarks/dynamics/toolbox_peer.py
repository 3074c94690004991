"""Robotics Toolbox for Python: a DHRobot with the same frames and bodies, called from Python.

Its DHRobot evaluates inverse dynamics in C. Robots whose frames are Denavit and Hartenberg's fit:

    standard:  T = Rz(q) Tz(d) Tx(a) Rx(alpha)     all of it after the motion
    modified:  T = Rx(alpha) Tx(a) Rz(q) Tz(d)     all of it before the motion
"""

from __future__ import annotations

from importlib import import_module
from math import atan2
from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, MissingError, one_by_one, peer_module
from benchmarks.dynamics.subject import Array, Subject
from dynamis.model.link import Link
from dynamis.robot import Robot
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Matrix, Vector

_TINY = 1e-12


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    rtb = peer_module("roboticstoolbox", "Robotics Toolbox", "roboticstoolbox-python")
    robot = dh_robot(rtb, subject.robot)

    def pose(q: Array) -> Any:
        return robot.fkine(q).A

    calls: dict[str, Any] = {
        "inverse_dynamics": robot.rne,
        "forward_dynamics": robot.accel,
        "mass_matrix": robot.inertia,
        "coriolis_matrix": robot.coriolis,
        "gravity_torque": robot.gravload,
        "forward_kinematics": pose,
        "jacobian": robot.jacob0,
    }
    if subject.quantity not in calls:
        return []
    return [one_by_one("Toolbox call", subject, calls[subject.quantity])]


def dh_robot(rtb: Any, robot: Robot) -> Any:
    """The robot as a DHRobot, in its own gravity and with its tool."""
    scalars = robot.floats()
    modified = not all(_is_identity(link.joint.before.evaluate(scalars)) for link in robot.links)
    links = [_dh_link(rtb, link, modified, scalars) for link in robot.links]
    gravity = np.array([evaluate(entry, scalars) for entry in robot.gravity])
    arm = rtb.DHRobot(links, gravity=gravity)
    R, p = robot.frame("tool").placement.evaluate(scalars)
    tool = np.eye(4)
    tool[:3, :3], tool[:3, 3] = [[*row] for row in R], [*p]
    arm.tool = import_module("spatialmath").SE3(tool)
    return arm


def _dh_link(rtb: Any, link: Link, modified: bool, scalars: Floats) -> Any:
    joint = link.joint
    before, after = joint.before.evaluate(scalars), joint.after.evaluate(scalars)
    (R, p), rest = (before, after) if modified else (after, before)
    alpha = atan2(R.c.y, R.b.y)
    along = R.T @ p if modified else p
    fits = abs(R.a.x - 1) < _TINY and abs(along.y) < _TINY and _is_identity(rest)
    if joint.kind != "revolute" or not fits:
        raise MissingError(f'Robotics Toolbox: link "{link.name}" has no Denavit-Hartenberg frame')
    mass, com = evaluate(link.mass, scalars), Vector(*(evaluate(entry, scalars) for entry in link.com))
    kind = rtb.RevoluteMDH if modified else rtb.RevoluteDH
    return kind(
        a=p.x, d=along.z, alpha=alpha, m=mass, r=[*com],
        I=np.array([[*row] for row in link.inertia.about_com(mass, com, scalars)]),
        G=evaluate(joint.gear_ratio, scalars), Jm=evaluate(joint.rotor_inertia, scalars), B=0, Tc=[0, 0],
    )  # fmt: skip


def _is_identity(placement: tuple[Matrix[float], Vector[float]]) -> bool:
    R, p = placement
    return np.allclose([[*row] for row in R], np.eye(3), atol=_TINY) and np.allclose([*p], 0, atol=_TINY)
