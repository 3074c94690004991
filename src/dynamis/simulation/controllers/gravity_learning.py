"""Learning gravity: PD control that adds, whenever the robot has come to rest, the torque that held it there.

    tau = gamma K_P (q_d - q) - K_D qd + u_i        u_i = u_(i-1) + gamma K_P (q_d - q_i),    u_0 = 0

With u_(i-1) the robot comes to rest at q_i, where gamma K_P e_i = g(q_i) - u_(i-1), so u_i = g(q_i): no model is used.
If K_P > alpha = max ||dg/dq||, then every rest is stable and the only one, and with gamma >= 2 also

    ||e_(i+1)|| <= alpha / (gamma K_P - alpha) ||e_i||

is a contraction: the error goes to zero at any constant goal. The conditions are sufficient.

At rest means here: all speeds have stayed below `still` for the time `settling`. Speeds with noise need a
`still` above it. Near the goal an update moves the robot more slowly than `still`; then only `settling` keeps
the updates apart, and it has to be longer than the robot needs to settle, about K_D / (gamma K_P), or the error
ends in a small oscillation instead of zero. The memory is u, how long the robot has been at rest, and how often
u was updated.

Source: A. De Luca, S. Panzieri, Learning gravity compensation in robots: rigid arms, elastic joints, flexible
links, Int. J. Adaptive Control and Signal Processing 7, 1993.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dynamis.base.arguments import number
from dynamis.base.errors import ArgumentError
from dynamis.simulation.controllers.conditions import positive, stiffer_than_gravity, stops_short
from dynamis.simulation.controllers.law import EFFORT, Command, Condition, Controller, Observation

if TYPE_CHECKING:
    from dynamis.robot import Robot


@dataclass(frozen=True, repr=False)
class GravityLearning(Controller):
    """K_P and K_D as PD; gamma; `still` [rad/s or m/s], a number or one per joint; `settling` [s]."""

    kp: Any
    kd: Any
    gamma: Any = 2.0
    still: Any = 1e-2
    settling: Any = 0.5

    sampled_only = True
    joint_gains = ("kp", "kd", "still")
    signal_units: ClassVar = {"gravity": EFFORT, "updates": "1"}
    signal_titles: ClassVar = {"gravity": "learned gravity torque", "updates": "number of updates"}

    def check(self, robot: Robot) -> Self:
        law = super().check(robot)
        if min(law.still, default=1.0) <= 0:
            raise ArgumentError(f"still must be a positive speed, got {min(law.still):g}", key="still")
        settling = number("settling", self.settling, "s", above=0)
        return replace(law, gamma=number("gamma", self.gamma), settling=settling)

    def warnings(self, robot: Robot) -> list[str]:
        law, warnings = self.check(robot), super().warnings(robot)
        if law.gamma < 0:
            warnings.append(f"gamma is {law.gamma:g}: a negative one drives the robot away from its goal")
        times = [d / (law.gamma * p) if law.gamma * p > 0 else 0.0 for p, d in zip(law.kp, law.kd, strict=True)]
        slowest = max(range(robot.n), key=times.__getitem__, default=0)
        if times and times[slowest] > law.settling:
            warnings.append(
                f"settling is {law.settling:g} s, but joint {robot.coordinates[slowest].name} settles in about "
                f"K_D / (gamma K_P) = {times[slowest]:.3g} s: the error may end in an oscillation instead of zero"
            )
        return warnings

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        return [
            positive("so that the robot comes to rest each time", kd=law.kd),
            stiffer_than_gravity(robot, law.kp, "so that each rest is stable and the only one"),
            Condition(
                "gamma >= 2, so that the errors at rest shrink to zero", law.gamma >= 2, f"gamma = {law.gamma:g}."
            ),
            *stops_short(robot, words="Each rest adds to what is learned until the joint breaks away."),
        ]

    def start(self, robot: Robot, q: Any, qd: Any) -> list[float]:
        return [0.0] * (robot.n + 2)

    def law(self, observation: Observation) -> Command:
        if observation.period is None:
            raise ArgumentError("GravityLearning is a sampled law; give it a period=... [s]", key="period")
        f = observation.scalars
        *u, timer, updates = observation.memory
        spring = [self.gamma * k * e for k, e in zip(self.kp, observation.error, strict=True)]
        tau = [p - k * v + w for p, k, v, w in zip(spring, self.kd, observation.qd, u, strict=True)]
        # 1 where the condition holds, else 0: the larger of 0 and a sign.
        slow = [f.sign(top - v * f.sign(v)) for top, v in zip(self.still, observation.qd, strict=True)]
        timer = (timer + observation.period) * f.greatest(reduce(f.least, slow, 1.0), 0.0)
        now = f.greatest(f.sign(timer - self.settling), 0.0)
        learned = [w + now * p for w, p in zip(u, spring, strict=True)]
        after = [*learned, timer * (1.0 - now), updates + now]
        return Command(tau, after=after, signals={"gravity": u, "updates": [updates]})
