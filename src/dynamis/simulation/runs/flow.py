"""The flow of a run between its events: rates at any time, with the joints that stops and friction hold, and samples.

A run is a hybrid system: it flows by x' = rate(t, x), and at events (runs/events.py) x or what holds joints changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dynamis.arrays import Array
from dynamis.mechanics.friction import coulomb
from dynamis.robot import Robot
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.runs.dry_friction import REST_SPEED, DryFriction

STOP_SPEED = 1e-6
"""A joint that stopped sliding is at rest below this speed [rad/s or m/s]; above it an impact has moved it on."""


class Flow:
    """The rates of one robot. `resting` are the joints that lie on a stop, with the side of it: +1 upper, -1 lower.

    `friction` knows which joints slide and which stick; None where friction is smooth or absent.
    """

    def __init__(self, setup: SimulationSetup) -> None:
        self.setup = setup
        self.parts = setup.loop.state.slices
        self.resting: dict[int, int] = {}
        self.evaluations = 0
        self.piece_end = np.inf
        """Where a piece of the run ends [s]: what jumps there has its value of before."""
        self._rate = setup.programs.rate
        # A rate without arguments in its inputs still has one, which it does not look at.
        self._size = max(1, setup.loop.inputs.size)
        self._inputs = self._scheduled(0.0) if setup.schedule.constant else None
        self._coulomb = np.array(coulomb(setup.robot))
        dry = setup.loop.dry
        self.friction = DryFriction(dry, setup.robot.n, self._accelerations, self._response) if dry else None
        controller = setup.loop.controller
        compensated = controller is not None and controller.compensates_friction and setup.loop.sampling is None
        believed = coulomb(controller.model or setup.robot) if controller and compensated else 0.0
        self._left = self._coulomb - believed  # of a sampled law the torque is held, whatever friction does
        self._limited = compensated and setup.loop.limit is not None

    def inputs(self, t: float, x: Array, s: Array | None = None) -> Array:
        """What comes from outside at a time, the user's torques and the directions s of sliding among it."""
        inputs = self._inputs if self._inputs is not None else self._scheduled(t)
        if self.setup.calls_function or self.friction is not None:
            inputs = inputs.copy()
        if self.setup.calls_function:
            inputs[self.setup.loop.inputs.slices["torque"]] = self.setup.torques_of(t, *self.state(x))
        if self.friction is not None:
            inputs[self.setup.loop.inputs.slices["direction"]] = self.friction.directions(t, x) if s is None else s
        return inputs

    def state(self, x: Array) -> tuple[Array, Array]:
        """q and qd, for the user's functions."""
        return x[self.parts["q"]].copy(), x[self.parts["qd"]].copy()

    def rate(self, t: float, x: Array) -> Array:
        """dx/dt; a joint on a stop, or held by friction, does not move."""
        rates = self._rates(t, x, self.inputs(t, x))
        if self.friction is not None and self.friction.sticking:
            rates = rates.copy()
            rates[self.parts["qd"]][list(self.friction.sticking)] = 0.0
        return rates

    def settle(self, t: float, x: Array, stopped: Sequence[int] = ()) -> Array:
        """x after friction has found which joints stick and which slide; those that `stopped` just now are at rest."""
        if self.friction is None:
            return x
        qd = x[self.parts["qd"]]
        slow = [
            j for j in self.friction.joints if abs(qd[j]) <= REST_SPEED or (j in stopped and abs(qd[j]) <= STOP_SPEED)
        ]
        if any(qd[j] for j in slow):
            x = x.copy()
            x[self.parts["qd"]][slow] = 0.0
        full = np.zeros(len(qd))
        if slow:
            full = np.diag(self.setup.robot.inverse_mass_matrix(x[self.parts["q"]])) * self._coulomb
        self.friction.settle(t, x, x[self.parts["qd"]], self.resting, full)
        return x

    def _rates(self, t: float, x: Array, inputs: Array) -> Array:
        self.evaluations += 1
        rates: Array = self._rate.quick_call(x, inputs)
        if self.resting:
            rates = rates.copy()
            rates[self.parts["qd"]], _ = self._stop_forces(x, rates)
        return rates

    def _response(self, x: Array, joints: list[int]) -> Array | None:
        """d qdd / d s of joints that stick: friction less what the law compensates, through the mass matrix.

        None while a joint lies on a stop, which carries a part of it, and where a motor may be at its limit.
        """
        if self.resting or self._limited or (self._left[joints] <= 0).any():
            return None
        return -self.setup.robot.inverse_mass_matrix(x[self.parts["q"]])[np.ix_(joints, joints)] * self._left[joints]

    def _accelerations(self, t: float, x: Array, s: Array) -> Array:
        return self._rates(t, x, self.inputs(t, x, s))[self.parts["qd"]]

    def pressing(self, t: float, x: Array) -> dict[int, float]:
        """How hard each resting joint presses on its stop [N m or N]; below 0 it would leave."""
        if not self.resting:
            return {}
        self.evaluations += 1
        inputs = self.inputs(t, x)
        _, forces = self._stop_forces(x, self._rate.quick_call(x, inputs))
        return {joint: -force * side for (joint, side), force in zip(self.resting.items(), forces, strict=True)}

    def sample(self, t: float, x: Array, noise: Array) -> Array:
        """x after the control has measured at t, with this noise of q and qd (2 n), and has set its torque."""
        setup, layout = self.setup, self.setup.loop.sample_inputs
        inputs = np.zeros(max(1, layout.size))
        inputs[: setup.loop.inputs.size] = self._scheduled(t)[: setup.loop.inputs.size]
        if setup.function is not None:
            assert setup.loop.sampling
            q, qd = setup.loop.sampling.measured(*self.state(x), noise, np.rint)
            inputs[layout.slices["torque"]] = setup.torques_of(t, np.array(q), np.array(qd))
        else:
            inputs[layout.slices["noise"]] = noise[: layout.parts[-1][1]]
        return setup.programs.sample(x, inputs)

    def _scheduled(self, t: float) -> Array:
        inputs, before = np.zeros(self._size), t >= self.piece_end
        at = np.array([np.nextafter(t, -np.inf) if before else t])
        inputs[: self.setup.loop.inputs.size] = self.setup.schedule.inputs(at, before=before)[0]
        return inputs

    def _stop_forces(self, x: Array, rates: Array) -> tuple[Array, Array]:
        return held_still(self.setup.robot, x[self.parts["q"]], rates[self.parts["qd"]], list(self.resting))


def held_still(robot: Robot, q: Array, qdd: Array, joints: list[int]) -> tuple[Array, Array]:
    """Accelerations with some joints held by their stops, from those without, and the forces of the stops on them.

    M qdd = M qdd_free + E f with qdd = 0 in the rows of E: f = -(E^T M^-1 E)^-1 qdd_free.
    """
    inverse = robot.inverse_mass_matrix(q)
    forces = -np.linalg.solve(inverse[np.ix_(joints, joints)], qdd[joints])
    held = qdd + inverse[:, joints] @ forces
    held[joints] = 0.0
    return held, np.asarray(forces, np.float64)


def impact(robot: Robot, q: Array, qd: Array, bounces: Mapping[int, float]) -> tuple[Array, dict[int, float]]:
    """Velocities after joints hit their stops, qd_i -> -e_i qd_i with what that does to all others; and the impulses.

    An impulse at joint i changes all velocities: M (qd' - qd) = E f, with qd' = -e qd in the rows of E. `bounces` are
    the joints with their e.
    """
    hit, e = list(bounces), np.array(list(bounces.values()))
    inverse = robot.inverse_mass_matrix(q)
    impulses = np.linalg.solve(inverse[np.ix_(hit, hit)], -(1.0 + e) * qd[hit])
    after = qd + inverse[:, hit] @ impulses
    after[hit] = -e * qd[hit]
    return after, dict(zip(hit, impulses.tolist(), strict=True))


def outside(q: Array, lower: Array, upper: Array, resting: Sequence[int] | Mapping[int, int] = ()) -> dict[int, int]:
    """The joints beyond a limit, with the side."""
    beyond = {int(j): 1 for j in np.flatnonzero(q > upper)} | {int(j): -1 for j in np.flatnonzero(q < lower)}
    return {j: side for j, side in beyond.items() if j not in resting}
