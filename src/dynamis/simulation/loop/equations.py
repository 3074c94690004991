"""The closed loop: a robot under motors, friction, loads and a controller, as rates of change, over any scalar.

The state x is one list: q, qd, the controller's memory, the torque that is held between samples, and the
work that motors, friction and loads have done, so that the energy balance is as exact as the integrator:

    d/dt (T + U) = tau.qd - friction.qd + loads' power

The inputs at an instant are torques, the goal and the values of the loads; and, for a sample, the noise of the
measurement. Where the control is sampled, `sample` measures, runs the law once and holds
its torque; else the law is part of `rate`.

Friction is that of compute/mechanics/friction.py, with one direction of sliding s per joint for the robot and for the
law that compensates its friction. Dry friction takes s from the inputs: the run knows which joints slide and which
stick (runs/dry_friction.py). With a `stiction_speed` v > 0, s = qd / sqrt(qd^2 + v^2). A sampled law knows only the
speed that it measured, and smooths over SMOOTHING_SPEED where friction is dry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from dynamis.compute.mechanics.coupling import coordinates_of
from dynamis.compute.mechanics.dynamics.missing_masses import check_masses
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.factor import factor
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.friction import SMOOTHING_SPEED, friction, joint_directions
from dynamis.compute.mechanics.mechanism import Mechanism, at_rest, mechanism, state_at
from dynamis.compute.program.trace import Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.simulation.controllers.law import Command, Observation
from dynamis.simulation.loop.closed_loop import ClosedLoop
from dynamis.simulation.loop.payloads import holding

Values = list[Any]


class LoopEquations:
    """A closed loop in scalars: those of a trace, or floats."""

    def __init__(
        self, loop: ClosedLoop, trace: Trace | None = None, fast: bool = True, inputs: Mapping[str, Any] | None = None
    ) -> None:
        """`inputs` are parameters of the robot that have scalars instead of their values."""
        self.loop, self.fast = loop, fast
        self._robot = loop.robot
        self._m = _mechanism(loop.robot, trace, inputs or {})
        check_masses(loop.robot, "every joint")
        model = (loop.controller.model if loop.controller else None) or loop.robot
        self._model = model
        self._model_m = self._m if model is loop.robot else _mechanism(model, trace, {})

    def holding(self, inputs: Sequence[Any]) -> LoopEquations:
        """The equations of the robot with the payload of these inputs; a law with a model of its own keeps that."""
        if not self.loop.payload:
            return self
        own = copy(self)
        own._m = holding(self._m, self.loop.payload, self.loop.inputs.split(inputs)["payload"])
        own._model_m = own._m if self._model_m is self._m else self._model_m
        return own

    def rate(self, x: Sequence[Any], inputs: Sequence[Any]) -> Values:
        """dx/dt at an instant."""
        system, now, u = self.holding(inputs), self.loop.state.split(x), self.loop.inputs.split(inputs)
        tau, rates = system._torques(now, u)
        plant = system._plant(now["q"], now["qd"], u["loads"], tau, u["direction"])
        qdd = plant.acceleration()
        return self.loop.state.join(
            q=now["qd"], qd=qdd, memory=rates, held=[0.0] * len(now["held"]), work=system._powers(plant)
        )

    def sample(self, x: Sequence[Any], inputs: Sequence[Any]) -> Values:
        """x after the controller has measured and has set its torque."""
        loop, now = self.loop, self.loop.state.split(x)
        u = loop.sample_inputs.split(inputs)
        assert loop.sampling
        if loop.controller is None:
            return loop.state.join(**{**now, "held": self._limited(u["torque"])})
        q, qd = loop.sampling.measured(now["q"], now["qd"], u["noise"], self._m.scalars.nearest)
        command = self.holding(inputs)._command(now, u, q, qd, (), loop.stiction_speed or SMOOTHING_SPEED)
        after = command.after
        if after is None:
            after = [z + loop.sampling.period * dz for z, dz in zip(now["memory"], command.rates, strict=True)]
        return loop.state.join(**{**now, "memory": after, "held": self._limited(command.tau)})

    def observe(self, x: Sequence[Any], inputs: Sequence[Any]) -> tuple[Values, dict[str, Values], Values, Values]:
        """What is worth recording: torques, the controller's signals, accelerations, kinetic and potential energy."""
        system, now, u = self.holding(inputs), self.loop.state.split(x), self.loop.inputs.split(inputs)
        tau, _ = system._torques(now, u)
        plant = system._plant(now["q"], now["qd"], u["loads"], tau, u["direction"])
        from dynamis.compute.mechanics.dynamics.energy import potential_energy, twice_kinetic_energy

        kinetic = sum(twice_kinetic_energy(plant.m, plant.state), 0.0) / 2
        potential = sum(potential_energy(plant.m, plant.state, plant.gravity), 0.0)
        signals = {}
        if self.loop.controller is not None:
            command = system._command(now, u, now["q"], now["qd"], u["direction"], self.loop.stiction_speed)
            signals = dict(command.signals)
        return tau, signals, plant.acceleration(), [kinetic, potential]

    def nearest_stop(self, x: Sequence[Any], h: Any, most: Any) -> Any:
        """The greatest of `most` and how far a joint may come beyond a stop within a step of h from x [rad or m]."""
        now, axes, f = self.loop.state.split(x), self.loop.axes, self._m.scalars
        for k in np.flatnonzero(axes.bounded).tolist():
            row = [float(g) for g in axes.G[k]]
            position = _dot(row, now["q"]) + float(axes.b[k]) if k >= axes.n else now["q"][k]
            speed = _dot(row, now["qd"]) if k >= axes.n else now["qd"][k]
            for side, limit in ((1.0, float(axes.upper[k])), (-1.0, -float(axes.lower[k]))):
                if np.isfinite(limit):
                    most = f.greatest(most, side * position + h * f.greatest(side * speed, 0.0) - limit)
        return most

    def momentum(self, q: Values, qd: Values) -> Values:
        """p = M(q) qd"""
        return _times(self._plant(q, qd, None, []).mass_matrix(), qd)

    def velocity(self, q: Values, p: Values) -> Values:
        """qd = M(q)^-1 p"""
        plant = self._plant(q, p, None, [])
        return factor(plant.m, plant.mass_matrix()).solve(p)

    def push(self, x: Sequence[Any], inputs: Sequence[Any]) -> tuple[Values, Values, Values]:
        """dp/dt = dL/dq + tau - friction + loads at (q, qd); and the rates of memory and work there.

        dL/dq = Mdot qd - c - g, and Mdot qd = (C + C^T) qd with Christoffel's C.
        """
        system, now, u = self.holding(inputs), self.loop.state.split(x), self.loop.inputs.split(inputs)
        tau, rates = system._torques(now, u)
        plant = system._plant(now["q"], now["qd"], u["loads"], tau, u["direction"])
        still = plant.accelerated([0.0] * len(tau)).state
        bias = inverse_dynamics(plant.m, still, plant.gravity, plant.wrenches())
        C = coriolis_matrix(plant.m, plant.state)
        n = len(tau)
        turning = [sum((C[i][j] * now["qd"][j] + C[j][i] * now["qd"][j] for j in range(n)), 0.0) for i in range(n)]
        force = [t - b + c for t, b, c in zip(tau, bias, turning, strict=True)]
        return force, rates, system._powers(plant)

    def _torques(self, now: dict[str, Values], u: dict[str, Values]) -> tuple[Values, Values]:
        """The motors' torques, and the rates of the controller's memory."""
        loop = self.loop
        if loop.sampling:
            return now["held"], [0.0] * loop.memory
        if loop.controller is None:
            return self._limited(u["torque"]), []
        command = self._command(now, u, now["q"], now["qd"], u["direction"], loop.stiction_speed)
        return self._limited(command.tau), command.rates

    def _command(
        self,
        now: dict[str, Values],
        u: dict[str, Values],
        q: Values,
        qd: Values,
        s: Sequence[Any],
        speed: float,
    ) -> Command:
        """What the law gives for measured q and qd, and directions s of the friction that it compensates.

        Without directions they are those of qd, smoothed over `speed`.
        """
        loop = self.loop
        assert loop.controller
        state = state_at(self._model_m, q, qd, sign=joint_directions(self._model_m, qd, speed, s))
        model = RobotAtState(self._model, self._model_m, state, gravity=loop.gravity, fast=self.fast)
        period = loop.sampling.period if loop.sampling else None
        goal = (u["goal_q"], u["goal_qd"], u["goal_qdd"])
        observation = Observation(model, *goal, now["memory"], period, loop.stiction_speed or SMOOTHING_SPEED)
        return loop.controller.law(observation)

    def _limited(self, tau: Values) -> Values:
        f, limit = self._m.scalars, self.loop.limit
        if limit is None:
            return tau
        return [f.greatest(f.least(t, top), -top) for t, top in zip(tau, limit, strict=True)]

    def _plant(self, q: Values, qd: Values, loads: Values | None, tau: Values, s: Sequence[Any] = ()) -> RobotAtState:
        """The robot; `s` are the directions of sliding where they come from outside."""
        loop, m = self.loop, self._m
        acting: tuple[Load, ...] = ()
        if loads:
            values = dict(zip(loop.load_names, loads, strict=True))
            scalars: Any = m.scalars
            m, acting = replace(m, scalars=replace(scalars, inputs=values)), loop.loads
        state = state_at(m, q, qd, sign=joint_directions(m, qd, loop.stiction_speed, s))
        return RobotAtState(self._robot, m, state, tau, loop.gravity, acting, self.fast)

    def _powers(self, plant: RobotAtState) -> Values:
        """What motors, friction and loads do [W]."""
        state, m = plant.state, plant.m
        moving = [body for body in m.bodies if body.joint is not None]
        qd = coordinates_of(m.coupling, state.qd)
        motors = _dot(plant.tau, qd)
        loads = 0.0
        if plant.loads:
            against = inverse_dynamics(m.without_forces(), at_rest(m, state), m.null, plant.wrenches())
            loads = -_dot(against, qd)
        return [motors, -_dot([friction(body, state) for body in moving], state.qd), loads]


def _mechanism(robot: RobotModel, trace: Trace | None, inputs: Mapping[str, Any]) -> Mechanism[Any]:
    floats: Any = replace(robot.floats(), inputs=inputs)
    return mechanism(robot, floats if trace is None else TracedScalars(robot.floats(), trace, inputs))


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _times(M: Sequence[Sequence[Any]], x: Sequence[Any]) -> Values:
    return [_dot(row, x) for row in M]
