"""An independent simulator of arms with friction: Pinocchio's dynamics, SciPy's Radau, control laws written by hand.

Friction is smoothed, d qd + F qd / sqrt(qd^2 + v^2), for the robot and for the laws that compensate it, with a v so
small that what is left of sticking is a creep. Nothing in it knows modes or events, so its
faults would be others than those of dynamis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from dynamis.base.arrays import Array

SKEW_ARM = """<robot name="skew">
<link name="base"/>
<link name="column"><inertial><origin xyz="0.021 -0.013 0.117" rpy="0.1 0.2 0.3"/><mass value="2.3"/>
<inertia ixx="0.031" ixy="0.002" ixz="-0.001" iyy="0.027" iyz="0.003" izz="0.019"/></inertial></link>
<link name="rail"><inertial><origin xyz="0.052 0.031 0.009" rpy="0.4 -0.3 0.2"/><mass value="1.1"/>
<inertia ixx="0.008" ixy="0.001" ixz="0.0005" iyy="0.009" iyz="-0.0007" izz="0.007"/></inertial></link>
<link name="arm"><inertial><origin xyz="0.143 0.012 -0.034" rpy="-0.2 0.5 0.1"/><mass value="0.9"/>
<inertia ixx="0.004" ixy="-0.0003" ixz="0.0004" iyy="0.011" iyz="0.0002" izz="0.012"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="column"/>
<origin xyz="0.1 0.2 0.3" rpy="0.31 -0.22 0.13"/><axis xyz="0.3 0.9 0.31"/>
<dynamics damping="0.21" friction="0.83"/></joint>
<joint name="slide" type="prismatic"><parent link="column"/><child link="rail"/><limit lower="-9" upper="9" effort="99"
velocity="9"/><origin xyz="0.05 -0.02 0.21" rpy="0.7 0.4 -0.6"/><axis xyz="0.5 -0.2 0.84"/>
<dynamics damping="1.3" friction="4.1"/></joint>
<joint name="wave" type="continuous"><parent link="rail"/><child link="arm"/>
<origin xyz="0.11 0.07 0.03" rpy="-0.5 0.9 0.4"/><axis xyz="-0.4 0.7 0.6"/>
<dynamics damping="0.05" friction="0.37"/></joint>
</robot>"""


class Arm:
    """A URDF in Pinocchio, with its friction; a factor on all masses and inertias."""

    def __init__(self, urdf: str, factor: float = 1.0) -> None:
        self.model = pin.buildModelFromXML(urdf)
        for k in range(self.model.njoints):
            body = self.model.inertias[k]
            self.model.inertias[k] = pin.Inertia(factor * body.mass, body.lever, factor * body.inertia)
        self.data = self.model.createData()
        self.damping, self.coulomb = np.array(self.model.damping), np.array(self.model.friction)
        self.nq, self.nv = self.model.nq, self.model.nv
        self.circles = [joint.nq != 1 for joint in list(self.model.joints)[1:]]

    def place(self, q: Array) -> Array:
        """Pinocchio's configuration: a continuous joint is a cosine and a sine."""
        found: list[float] = []
        for circle, value in zip(self.circles, q, strict=True):
            found += [np.cos(value), np.sin(value)] if circle else [value]
        return np.array(found)

    def M(self, q: Array) -> Array:
        M = pin.crba(self.model, self.data, self.place(q))
        return np.triu(M) + np.triu(M, 1).T

    def bias(self, q: Array, qd: Array) -> Array:
        return np.array(pin.nonLinearEffects(self.model, self.data, self.place(q), qd))

    def gravity(self, q: Array) -> Array:
        return np.array(pin.computeGeneralizedGravity(self.model, self.data, self.place(q)))

    def coriolis(self, q: Array, qd: Array) -> Array:
        return np.array(pin.computeCoriolisMatrix(self.model, self.data, self.place(q), qd))

    def regressor(self, q: Array, qd: Array, qdd: Array, gravity: bool) -> Array:
        kept = self.model.gravity.linear.copy()
        self.model.gravity.linear = kept if gravity else np.zeros(3)
        Y = np.array(pin.computeJointTorqueRegressor(self.model, self.data, self.place(q), qd, qdd))
        self.model.gravity.linear = kept
        return Y

    def parameters(self) -> Array:
        return np.concatenate([inertia.toDynamicParameters() for inertia in list(self.model.inertias)[1:]])

    def tool(self, q: Array, link: str) -> tuple[Array, Array]:
        """Position of a link frame, and its linear Jacobian."""
        frame = self.model.getFrameId(link)
        pin.framesForwardKinematics(self.model, self.data, self.place(q))
        J = pin.computeFrameJacobian(self.model, self.data, self.place(q), frame, pin.LOCAL_WORLD_ALIGNED)
        return np.array(self.data.oMf[frame].translation), np.array(J[:3])


Law = Callable[[float, Array, Array, Array, Array], tuple[Array, Array]]
"""(t, q, qd, memory, s) -> torques, rates of the memory"""


@dataclass(frozen=True)
class Run:
    """The end of a run: q, qd, memory, and the work of friction [J]."""

    q: Array
    qd: Array
    memory: Array
    friction: float


def simulate(arm: Arm, law: Law, q: Any, qd: Any, memory: Any, duration: float, speed: float) -> Run:
    """The closed loop with friction smoothed over `speed`."""
    n = arm.nv

    def rate(t: float, x: Array) -> Array:
        tau, dz = law(t, x[:n], x[n : 2 * n], x[2 * n : -1], direction(x[n : 2 * n], speed))
        return _rate(arm, x, tau, dz, speed)

    start = np.concatenate([q, qd, memory, [0.0]])
    return _run(n, _solved(rate, 0.0, duration, start))


def sampled(arm: Arm, law: Law, q: Any, qd: Any, memory: Any, duration: float, speed: float, period: float) -> Run:
    """The same with torques held between samples; the law gives its memory after the sample."""
    n, x = arm.nv, np.concatenate([q, qd, memory, [0.0]])
    for k in range(round(duration / period)):
        tau, after = law(k * period, x[:n], x[n : 2 * n], x[2 * n : -1], direction(x[n : 2 * n], 1e-3))
        x[2 * n : -1] = after
        zeros = np.zeros(len(after))
        x = _solved(lambda t, x, tau=tau, dz=zeros: _rate(arm, x, tau, dz, speed), 0.0, period, x)
    return _run(n, x)


def direction(qd: Array, speed: float) -> Array:
    return qd / np.sqrt(qd * qd + speed * speed)


def _rate(arm: Arm, x: Array, tau: Array, dz: Array, speed: float) -> Array:
    q, qd = x[: arm.nv], x[arm.nv : 2 * arm.nv]
    friction = arm.damping * qd + arm.coulomb * direction(qd, speed)
    qdd = np.linalg.solve(arm.M(q), tau - friction - arm.bias(q, qd))
    return np.concatenate([qd, qdd, dz, [-friction @ qd]])


def _solved(rate: Any, start: float, end: float, x: Array) -> Array:
    return solve_ivp(rate, (start, end), x, method="Radau", rtol=1e-8, atol=1e-9).y[:, -1]


def _run(n: int, end: Array) -> Run:
    return Run(end[:n], end[n : 2 * n], end[2 * n : -1], float(end[-1]))
