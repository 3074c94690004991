"""Adaptive control of Slotine and Li: it tracks with a model that it learns on the way.

    s = ed + Lambda e        v = qd_d + Lambda e        a = qdd_d + Lambda ed

    tau = Y(q, qd, v, a) theta + K_D s        theta' = Gamma Y^T s

where Y theta = M(q) a + C(q, qd) v + g(q) is linear in the inertial parameters theta; what the drives need (rotors,
friction) is taken from the model and is not learned. With the true parameters theta* and x = theta* - theta,

    V = (s.M s + x.Gamma^-1 x) / 2        V' = -s.K_D s

so s and the error vanish for every smooth goal, from any initial estimate. theta need not become theta*: only what
the motion shows is learned.

Y comes from the ordinary regressor R(q, qd, qdd; gravity) of tau. Christoffel's C(q, x) y is bilinear and symmetric in
x and y, so C(q, qd) v = c(q, (qd + v)/2) - c(q, (qd - v)/2), and

    Y(q, qd, v, a) = R(q, (qd + v)/2, a; g) - R(q, (qd - v)/2, 0; 0)

Source: J.-J. E. Slotine, W. Li, On the adaptive control of robot manipulators, Int. J. Robotics Research 6(3), 1987.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.dynamics.regressor import drive_torques, inertial_parameters, regressor
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.inertial_parameters import STANDARD, parameter_names, parameter_units
from dynamis.simulation.controllers.base_columns import BaseColumns, base_columns
from dynamis.simulation.controllers.conditions import positive, same_friction
from dynamis.simulation.controllers.law import SPEED, Command, Condition, Controller, Observation, Values, gains

if TYPE_CHECKING:
    from dynamis.robot import Robot

SETS, STARTS = ("base", "all"), ("model", "zero")


@dataclass(frozen=True, repr=False)
class SlotineLi(Controller):
    """K_D [N m s/rad or N s/m] and Lambda [1/s], a number or one per joint; Gamma, a number or one per parameter.

    `parameters` are "base", a smallest set, or "all", the ten of every link; `initial` is the first estimate:
    that of the "model", or "zero".
    """

    kd: Any
    rate: Any
    adaptation: Any
    parameters: str = "base"
    initial: str = "model"
    base: BaseColumns | None = field(default=None, repr=False, kw_only=True)
    """The base parameters; `check` finds them."""

    compensates_friction = True
    joint_gains = ("kd", "rate")
    signal_units: ClassVar = {"s": SPEED}
    signal_titles: ClassVar = {"s": "sliding variable s", "parameters": "estimated parameters"}

    def check(self, robot: Robot) -> Self:
        model = self.believed(robot)
        for key, choices in (("parameters", SETS), ("initial", STARTS)):
            if getattr(self, key) not in choices:
                raise UnknownNameError(f"choice of {key}", getattr(self, key), choices, key=key)
        base = (self.base or base_columns(model)) if self.parameters == "base" else None
        count = len(base) if base else len(STANDARD) * len(model.links)
        adaptation = gains("adaptation", self.adaptation, count, "parameter")
        return replace(super().check(robot), adaptation=adaptation, base=base)

    def signal_names(self, robot: Robot) -> dict[str, dict[str, str]]:
        model, base = self.believed(robot), self.check(robot).base
        units = dict(zip(parameter_names(len(model.links)), parameter_units(model), strict=False))
        return {"parameters": units if base is None else {name: units[name] for name in base.names}}

    def signal_truth(self, robot: Robot) -> dict[str, Sequence[float] | Array]:
        """Those of the robot, unless the model has other links, or its geometry other base parameters."""
        model, base = self.believed(robot), self.check(robot).base
        if base is None:
            return {"parameters": robot.inertial_parameters()} if len(model.links) == len(robot.links) else {}
        true = base if model is robot else base_columns(robot)
        return {"parameters": true.values} if true.names == base.names else {}

    def warnings(self, robot: Robot) -> list[str]:
        law, warnings = self.check(robot), super().warnings(robot)
        if min(law.adaptation, default=0.0) < 0:
            warnings.append(f"adaptation is {min(law.adaptation):g}: a negative one learns away from the truth")
        return warnings

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        gains_hold = positive(
            "so that the error vanishes for every smooth goal, whatever the masses",
            kd=law.kd, Lambda=law.rate, Gamma=law.adaptation,
        )  # fmt: skip
        parts_hold = _same_geometry(self.believed(robot), robot)
        return [gains_hold, parts_hold, *same_friction(self, robot)]

    def start(self, robot: Robot, q: Any, qd: Any) -> list[float]:
        law = self.check(robot)
        if self.initial == "zero":
            return [0.0] * len(law.adaptation)
        if law.base is not None:
            return list(law.base.values)
        model = self.believed(robot)
        return [float(x) for x in inertial_parameters(mechanism(model, model.floats()))]

    def law(self, observation: Observation) -> Command:
        e, ed = observation.error, observation.error_rate
        s = [d + r * p for d, r, p in zip(ed, self.rate, e, strict=True)]
        v = [d + r * p for d, r, p in zip(observation.goal_qd, self.rate, e, strict=True)]
        a = [d + r * p for d, r, p in zip(observation.goal_qdd, self.rate, ed, strict=True)]
        Y, theta = self.regressor(observation, v, a), observation.memory
        drives = drive_torques(observation.model.m, observation.model.accelerated(a).state)
        tau = [_dot(row, theta) + d + k * x for row, d, k, x in zip(Y, drives, self.kd, s, strict=True)]
        rates = [g * _dot([row[k] for row in Y], s) for k, g in enumerate(self.adaptation)]
        return Command(tau, rates, signals={"s": s, "parameters": theta})

    def regressor(self, observation: Observation, v: Values, a: Values) -> list[Values]:
        """Y(q, qd, v, a) with Y theta = M a + C(q, qd) v + g: (n, parameters)."""
        x, q, qd = observation.model, observation.q, observation.qd
        if self.base is not None:
            self._check_gravity(observation)
        sums = [(p + r) / 2 for p, r in zip(qd, v, strict=True)]
        differences = [(p - r) / 2 for p, r in zip(qd, v, strict=True)]
        with_all = regressor(x.m, observation.at(q, sums, a).state, x.gravity)
        less = regressor(x.m, observation.at(q, differences, [0.0] * x.m.n).state, x.m.null)
        columns = self.base.columns if self.base else range(len(STANDARD) * len(x.m.links))
        return [[one[k] - two[k] for k in columns] for one, two in zip(with_all, less, strict=True)]

    def _check_gravity(self, observation: Observation) -> None:
        """The base parameters hold in the model's own gravity, and in one that is parallel to it or zero."""
        g, gravity = observation.model.m.gravity, observation.model.gravity
        if gravity is None:
            return
        across = np.cross(list(g), list(gravity))
        if float(np.linalg.norm(across)) > 1e-12 * float(np.linalg.norm(list(g)) * np.linalg.norm(list(gravity))) or (
            not any(g) and any(gravity)
        ):
            raise ArgumentError(
                "the base parameters hold in another gravity; take robot.with_gravity(...) for this one, or "
                'SlotineLi(..., parameters="all")',
                key="parameters",
            )


def _same_geometry(model: Robot, robot: Robot) -> Condition:
    """Geometry, rotors and friction are right: what is not learned."""
    claim = "the model has the geometry, rotors and friction of the robot (inertial parameters are learned)"
    if model is robot:
        return Condition(claim, True, "The model is the robot.")
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-2, 2, (3, 32, robot.n))
    ours, theirs = model.regressor(q, qd, qdd), robot.regressor(q, qd, qdd)
    if ours.shape != theirs.shape:
        return Condition(claim, None, f"The model has {len(model.links)} links, the robot {len(robot.links)}.")
    drives = [
        each.inverse_dynamics(q, qd, qdd) - Y @ each.inertial_parameters()
        for each, Y in ((model, ours), (robot, theirs))
    ]
    same = all(bool(np.allclose(a, b, rtol=1e-9, atol=1e-9)) for a, b in ((ours, theirs), drives))
    return Condition(claim, same, f"They {'agree' if same else 'differ'} in 32 random states.")


def _dot(a: Any, b: Any) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)
