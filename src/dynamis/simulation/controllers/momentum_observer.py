"""The momentum observer: a controller with an estimate of the external torques on the robot.

    r = K_O (p - z)        z' = tau + C^T qd - g - friction + r        p = M qd,   z(0) = p(0)

From p' = tau + C^T qd - g - friction + tau_ext (Christoffel's C has M' = C + C^T) follows r' = K_O (tau_ext - r): the
residual r follows the torque that the environment exerts on the joints (J^T f for a force f on the tool) as a filter of
first order with the time 1/K_O, joint by joint. No acceleration is measured and M is not inverted.

tau is what the wrapped controller commands, before any limit of the motors: torque that the motors did not
give appears in r, and so does whatever the model has wrong.

Sources: A. De Luca, R. Mattone, Actuator failure detection and isolation using generalized momenta, IEEE Int. Conf.
Robotics and Automation, 2003; S. Haddadin, A. De Luca, A. Albu-Schaeffer, Robot collisions: a survey on detection,
isolation, and identification, IEEE Trans. Robotics 33(6), 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.compute.mechanics.dynamics.regressor import drive_torques
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.simulation.controllers.conditions import positive, same_friction, same_model
from dynamis.simulation.controllers.law import EFFORT, Command, Condition, Controller, Observation

if TYPE_CHECKING:
    from dynamis.robot import Robot


@dataclass(frozen=True, repr=False)
class MomentumObserver(Controller):
    """`inner` controls, the observer only estimates; K_O [1/s], a number or one per joint. They share one model."""

    inner: Any
    gain: Any

    joint_gains = ("gain",)

    def __post_init__(self) -> None:
        if not isinstance(self.inner, Controller):
            raise ArgumentError(
                f"inner must be the controller that is observed, got {literal(self.inner)}", key="inner"
            )
        if self.model is None:
            object.__setattr__(self, "model", self.inner.model)
        elif self.inner.model is None:
            object.__setattr__(self, "inner", replace(self.inner, model=self.model))
        elif self.inner.model is not self.model:
            raise ArgumentError("the observer and its inner controller have different models; give one", key="model")
        for key in ("sampled_only", "needs_goal", "compensates_friction"):
            object.__setattr__(self, key, getattr(self.inner, key))
        object.__setattr__(self, "signal_units", {**self.inner.signal_units, "residual": EFFORT})
        titles = {**self.inner.signal_titles, "residual": "residual: torque of the environment"}
        object.__setattr__(self, "signal_titles", titles)

    def check(self, robot: Robot) -> Self:
        return replace(super().check(robot), inner=self.inner.check(robot))

    def with_model(self, model: Robot) -> Self:
        return replace(self, inner=self.inner.with_model(model), model=model)

    def signal_names(self, robot: Robot) -> dict[str, dict[str, str]]:
        return self.inner.signal_names(robot)

    def signal_truth(self, robot: Robot) -> dict[str, Sequence[float] | Array]:
        return self.inner.signal_truth(robot)

    def warnings(self, robot: Robot) -> list[str]:
        of = zip(robot.coordinates, super().check(robot).gain, strict=True)
        wrong = [
            f"gain of joint {joint.name} is {k:g}: with a negative gain the residual grows" for joint, k in of if k < 0
        ]
        return [*self.inner.warnings(robot), *wrong]

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        of_r = "so that the residual follows the external torque"
        conditions = [positive(of_r, K_O=super().check(robot).gain), same_model(self, robot)]
        conditions += same_friction(self, robot)
        return [*self.inner.conditions(robot, goal), *conditions]

    def start(self, robot: Robot, q: Any, qd: Any) -> NDArray[np.float64]:
        p = np.einsum("...ij,...j->...i", self.believed(robot).mass_matrix(q), np.asarray(qd, dtype=np.float64))
        inner = np.asarray(self.inner.start(robot, q, qd), dtype=np.float64)
        return np.concatenate([np.broadcast_to(inner, (*p.shape[:-1], inner.shape[-1])), p], axis=-1)

    def law(self, observation: Observation) -> Command:
        x, n = observation.model, observation.model.m.n
        split = len(observation.memory) - n
        command = self.inner.law(replace(observation, memory=observation.memory[:split]))
        z, qd = observation.memory[split:], observation.qd
        M, C = x.mass_matrix(), coriolis_matrix(x.m, x.state)
        p = [sum((M[i][j] * qd[j] for j in range(n)), 0.0) for i in range(n)]
        r = [k * (a - b) for k, a, b in zip(self.gain, p, z, strict=True)]
        turned = [sum((C[j][i] * qd[j] for j in range(n)), 0.0) for i in range(n)]
        friction = drive_torques(x.m, x.accelerated([0.0] * n).state)
        parts = zip(command.tau, turned, observation.gravity(), friction, r, strict=True)
        rates = [t + c - g - f + e for t, c, g, f, e in parts]
        after = None
        if command.after is not None and observation.period is not None:
            after = [*command.after, *(a + observation.period * b for a, b in zip(z, rates, strict=True))]
        return Command(command.tau, [*command.rates, *rates], after, {**command.signals, "residual": r})
