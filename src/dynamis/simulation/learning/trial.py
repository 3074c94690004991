"""The experiment: trials of the true plant under a given torque and a PD loop, sampled, held, measured at the samples.

    tau(t) = u(t_i) + K_P e(t_i) + K_D ed(t_i)    for t_i <= t < t_i + Tc

All trials are the same compiled loop; only the torques u and the noise in its inputs change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.friction import SMOOTHING_SPEED, direction, dry_levels, numeric_forces
from dynamis.motion.load_over_time import LoadedFunctions
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Command, Controller, Observation
from dynamis.simulation.learning.result import Trial
from dynamis.simulation.loop.axes import robot_axes
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.runs.steps import StepInputs, steps_of

INTEGRATOR = "rk4"
STABLE_RATE = 2.0
"""The rate at which friction stops a joint, times the step, at most: rk4 is stable up to 2.78."""
MAX_HOLD = 1000
"""Steps per sample that are taken without being asked for."""
FRICTION_INSTANTS = 201
"""Instants of the motion at which the stiffest friction is looked for."""
MEAN_PARTS = 4
"""Midpoints per hold for the mean of a torque: their error, of order (Tc/4)^2, is far below that of a held torque."""
MAX_KEPT = 8_000_000
"""Entries of inputs that are kept from trial to trial: 64 MB; those of longer motions are computed again."""
CHUNK_STEPS = 4096
"""Steps whose inputs are computed at once, about."""


@dataclass(frozen=True, repr=False)
class TorqueWithFeedback(Controller):
    """A given torque and a PD loop: u + K_P e + K_D ed.

    The law has no use for the goal's acceleration, so u comes in its place: `goal_qdd` of the inputs is u.
    """

    kp: Any
    kd: Any

    joint_gains = ("kp", "kd")

    def law(self, observation: Observation) -> Command:
        parts = zip(observation.goal_qdd, self.kp, observation.error, self.kd, observation.error_rate, strict=True)
        return Command([u + p * e + d * ed for u, p, e, d, ed in parts])


class Trials:
    """The trials of a setup whose controller is a `TorqueWithFeedback`; noise goes on from trial to trial.

    The torques u are (count, n), one row per sample; errors are e and ed at the samples and at the end, (count + 1,
    2 n); K is [K_P K_D]. `nominal` is the inverse dynamics of the plant, its mean over each hold.
    """

    def __init__(self, setup: SimulationSetup, step: float | None = None) -> None:
        sampling, controller = setup.loop.sampling, setup.loop.controller
        assert sampling
        assert isinstance(controller, TorqueWithFeedback)
        self.setup, self.sampling = setup, sampling
        self.steps = steps_of(setup, stable_step(setup) if step is None else step)
        self.count = -(-self.steps.count // self.steps.hold)
        self.times = np.minimum(np.arange(self.count + 1) * sampling.period, setup.duration)
        self.goal = np.hstack(setup.schedule.goal.at(self.times)[:2])
        self.K = np.hstack([np.diag(controller.kp), np.diag(controller.kd)])
        self.weights = np.array(controller.kd) / sum(controller.kd)
        """The weights of the joints in the error of all of them."""
        self.limit = np.array(setup.loop.limit or [np.inf] * setup.robot.n)
        self.nominal = self.mean_torque(setup.robot)
        self._inputs = StepInputs(setup, self.steps, INTEGRATOR)
        self._random = np.random.default_rng(sampling.seed)
        few = self.steps.count * self._inputs.layout.size <= MAX_KEPT
        self._kept = list(self._pieces()) if few else None

    def torque(self, robot: Robot, t: Array) -> Array:
        """Inverse dynamics of a robot along the motion, with loads, and friction smoothed as in the plant: (k, n)."""
        q, qd, qdd = self.setup.schedule.goal.at(t)
        loads, gravity = self.setup.schedule.loads.source, self.setup.gravity
        if loads:
            tau = np.empty_like(q)
            LoadedFunctions(robot, loads, gravity, t).function("inverse_dynamics")(q, qd, qdd, slice(None), tau)
        else:
            tau = robot.inverse_dynamics(q, qd, qdd, gravity=gravity)
        arrays: Any = np
        axes = robot_axes(robot)
        speeds = axes.along(qd)
        smoothed: Array = direction(arrays, speeds, self.setup.loop.stiction_speed)
        dry = np.concatenate([np.sign(qd), direction(arrays, speeds[:, robot.n :], SMOOTHING_SPEED)], axis=1)
        return tau + dry_levels(robot, qd) * (smoothed - dry) @ axes.G

    def mean_torque(self, robot: Robot) -> Array:
        """The means of `torque` over each hold: what a held torque can come to."""
        t = self.times
        parts = [self.torque(robot, t[:-1] + (k + 0.5) / MEAN_PARTS * np.diff(t)) for k in range(MEAN_PARTS)]
        return np.mean(parts, axis=0)

    def run(self, u: Array, number: int = 1) -> tuple[Trial, Array, Array]:
        """One trial with the torques u: its record, its true errors, and its errors as the controller measures them.

        After a divergence the errors stay those of the last finite sample.
        """
        n, parts = self.setup.robot.n, self.setup.loop.state.slices
        noise = self.sampling.draw(self._random, n, self.count + 1)
        with np.errstate(all="ignore"):
            x, failed = self._states(u, noise)
        q, qd = x[:, parts["q"]], x[:, parts["qd"]]
        measured = self.sampling.measured(q.T, qd.T, noise.T, np.rint)
        errors, seen = self.goal - np.hstack([q, qd]), self.goal - np.vstack([*measured[0], *measured[1]]).T
        saturated = float((np.abs(u + seen[:-1] @ self.K.T) > self.limit).any(axis=1).mean())
        return self._record(number, u, errors[:, :n], seen[:, :n], saturated, failed), errors, seen

    def _record(self, number: int, u: Array, e: Array, seen: Array, saturated: float, failed: float | None) -> Trial:
        def rms(x: Array) -> Array:
            return np.sqrt((x**2).mean(axis=0))

        def over_joints(x: Array) -> float:
            return float(np.sqrt(rms(x) ** 2 @ self.weights))

        apart, size = rms(u - self.nominal), float(np.sqrt((self.nominal**2).mean()))
        distance = float(np.sqrt((apart**2).mean()))
        relative = distance / size if size else np.inf if distance else 0.0
        errors = (rms(e), np.abs(e).max(axis=0), over_joints(e), over_joints(seen))
        if failed is not None:
            infinite = np.full(u.shape[1], np.inf)
            errors = (infinite, infinite, np.inf, np.inf)
        return Trial(number, *errors, apart, relative, saturated, failed)

    def _states(self, u: Array, noise: Array) -> tuple[Array, float | None]:
        """The states at the samples, (count + 1, ...), and the time of the last finite one if it diverged."""
        take_steps, hold = self.setup.programs.step(INTEGRATOR), self.steps.hold
        layout, start = self.setup.loop.sample_inputs, self._inputs.layout.slices["sample"].start
        x = self.setup.x0
        states = np.empty((self.count + 1, len(x)))
        states[0] = x
        for first, inputs in self._kept or self._pieces():
            samples = slice(first // hold, first // hold - (-len(inputs) // hold))
            for name, values in (("goal_qdd", u), ("noise", noise)):
                part = layout.slices[name]
                if part.stop > part.start:
                    inputs[::hold, start + part.start : start + part.stop] = values[samples]
            for k in range(samples.start, samples.stop):
                x = take_steps(x, inputs[(k - samples.start) * hold : (k - samples.start + 1) * hold])
                states[k + 1] = x
            finite = self.setup.is_finite(states[samples.start + 1 : samples.stop + 1])
            if not finite.all():
                last = samples.start + int(np.argmin(finite))
                states[last + 1 :] = states[last]
                return states, float(self.times[last])
        return states, None

    def _pieces(self) -> Iterator[tuple[int, Array]]:
        """The inputs of all steps, in pieces of whole samples, each with the number of its first step."""
        length = max(1, CHUNK_STEPS // self.steps.hold) * self.steps.hold
        for first in range(0, self.steps.count, length):
            yield first, self._inputs.piece(first, min(length, self.steps.count - first))


def stable_step(setup: SimulationSetup) -> float:
    """The longest step Tc / k for which rk4 is stable for the plant's friction.

    At rest, friction smoothed over the speed v has the slope d = damping + coulomb / v, and a joint stops at the rates
    of M^-1 d: 7000 1/s for the shoulder of a Puma. With longer steps it chatters, and the chatter is learned.
    """
    assert setup.loop.sampling
    robot, period, speed = setup.robot, setup.loop.sampling.period, setup.loop.stiction_speed
    slopes = [own.damping + own.level / speed for own in numeric_forces(robot)]
    if not any(slopes):
        return period
    A, _ = coupling_matrix(robot)
    q, *_ = setup.schedule.goal.at(np.linspace(0.0, setup.duration, FRICTION_INSTANTS))
    stops = robot.inverse_mass_matrix(q) @ (A.T * slopes @ A)
    hold = np.ceil(np.abs(np.linalg.eigvals(np.nan_to_num(stops))).max() * period / STABLE_RATE)
    if hold > MAX_HOLD:
        raise ArgumentError(
            f"friction smoothed over {speed:g} rad/s or m/s needs {hold:,.0f} integration steps per sample, more than "
            f"{MAX_HOLD:,}; give a larger stiction_speed, or a step",
            key="stiction_speed",
        )
    return period / max(1, int(hold))
