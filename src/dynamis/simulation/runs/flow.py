"""The flow of a run between its events: rates at any time, with the joints that stops and friction hold, and samples.

A run is a hybrid system: it flows by x' = rate(t, x), and at events (runs/events.py) x or what holds joints changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dynamis.base.arrays import Array
from dynamis.robot import Robot
from dynamis.simulation.loop.axes import Axes, robot_axes
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.runs.dry_friction import REST_SPEED, DryFriction

STOP_SPEED = 1e-6
"""A joint that stopped sliding is at rest below this speed [rad/s or m/s]; above it an impact has moved it on."""

MOST_AHEAD = 4096
"""Instants whose inputs are kept: events and dry friction ask for the same ones several times."""


class Flow:
    """The rates of one robot. `resting` are the axes on a stop, with its side: +1 upper, -1 lower.

    `friction` knows which joints slide and which stick; None where friction is smooth or absent.
    """

    def __init__(self, setup: SimulationSetup) -> None:
        self.setup = setup
        self.parts = setup.loop.state.slices
        self.resting: dict[int, int] = {}
        self.held = 0 if setup.schedule.payload is None else int(setup.schedule.payload.index(0.0))
        """Which of its payloads the robot holds."""
        self.evaluations = 0
        self.piece_end = np.inf
        """Where a piece of the run ends [s]: what jumps there has its value of before."""
        self._rate = setup.programs.rate
        # A rate without arguments in its inputs still has one, which it does not look at.
        self._size = max(1, setup.loop.inputs.size)
        self._ahead: dict[tuple[float, bool], Array] = {}
        self._inputs = self.scheduled(0.0) if setup.schedule.constant else None
        self.axes, self._n, loop = setup.loop.axes, setup.robot.n, setup.loop
        directions = len(loop.inputs.split(range(loop.inputs.size))["direction"])
        self.friction = DryFriction(loop.dry, directions, self._accelerations, self._response) if loop.dry else None
        controller = loop.controller
        compensated = controller is not None and controller.compensates_friction and loop.sampling is None
        self._left = self.axes.coulomb.copy()  # of a sampled law the torque is held, whatever friction does
        if controller and compensated:
            believed = robot_axes(controller.model or setup.robot).coulomb[: len(self._left)]
            self._left[: len(believed)] -= believed
        self._limited = compensated and setup.loop.limit is not None

    @property
    def robot(self) -> Robot:
        """The robot with what it holds now."""
        return self.setup.holding(self.held)

    def hold(self, k: int) -> None:
        """Goes over to the k-th payload."""
        if k != self.held:
            self.held = k
            self._ahead.clear()

    def inputs(self, t: float, x: Array, s: Array | None = None) -> Array:
        """What comes from outside at a time, the user's torques and the directions s of sliding among it."""
        inputs = self._inputs if self._inputs is not None else self.scheduled(t)
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

    def position(self, x: Array, k: int) -> float:
        """The position along axis k."""
        n = self._n  # x begins with q, then qd
        return float(x[k] if k < n else self.axes.G[k] @ x[:n] + self.axes.b[k])

    def speed(self, x: Array, k: int) -> float:
        """The velocity along axis k."""
        n = self._n
        return float(x[n + k] if k < n else self.axes.G[k] @ x[n : 2 * n])

    def rate(self, t: float, x: Array) -> Array:
        """dx/dt; a joint on a stop, or held by friction, does not move."""
        rates = self._rates(t, x, self.inputs(t, x))
        if self.friction is not None and self.friction.sticking:
            rates = rates.copy()
            rates[self.parts["qd"]] = self.axes.without(rates[self.parts["qd"]], self.friction.sticking)
        return rates

    def settle(self, t: float, x: Array, stopped: Sequence[int] = ()) -> Array:
        """x after friction has found which joints stick and which slide; those that `stopped` just now are at rest."""
        if self.friction is None:
            return x
        speeds = self.axes.along(x[self.parts["qd"]]).copy()
        slow = [
            k for k in self.friction.axes
            if abs(speeds[k]) <= REST_SPEED or (k in stopped and abs(speeds[k]) <= STOP_SPEED)
        ]  # fmt: skip
        if speeds[slow].any():
            x = x.copy()
            x[self.parts["qd"]] = self.axes.without(x[self.parts["qd"]], [*slow, *self.resting])
            speeds = self.axes.along(x[self.parts["qd"]]).copy()
            slow = [k for k in self.friction.axes if k in slow or abs(speeds[k]) <= REST_SPEED]
        speeds[slow] = 0.0
        full = np.zeros(len(speeds))
        if slow:
            full = np.diag(self._reach(x)) * self.axes.coulomb
        self.friction.settle(t, x, speeds, self.axes.fixed(list(self.resting)), full)
        return x

    def _reach(self, x: Array) -> Array:
        """G M^-1 G^T: the accelerations along the axes of forces along them."""
        inverse = self.robot.inverse_mass_matrix(x[self.parts["q"]])
        return self.axes.G @ inverse @ self.axes.G.T if self.axes.mixed else inverse

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
        return -self._reach(x)[np.ix_(joints, joints)] * self._left[joints]

    def _accelerations(self, t: float, x: Array, s: Array) -> Array:
        return self.axes.along(self._rates(t, x, self.inputs(t, x, s))[self.parts["qd"]])

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
        inputs[: setup.loop.inputs.size] = self.scheduled(t)[: setup.loop.inputs.size]
        if setup.function is not None:
            assert setup.loop.sampling
            q, qd = setup.loop.sampling.measured(*self.state(x), noise, np.rint)
            inputs[layout.slices["torque"]] = setup.torques_of(t, np.array(q), np.array(qd))
        else:
            inputs[layout.slices["noise"]] = noise[: layout.parts[-1][1]]
        return setup.programs.sample(x, inputs)

    def look_ahead(self, times: Array) -> None:
        """Evaluates a trajectory, loads and torques at many times in one pass: `rate` will be asked for them there.

        A pass costs as much for hundreds of instants as for one, some 40 us; a rate costs 10.
        """
        if self._inputs is None:
            times = times[times < self.piece_end]
            rows = np.zeros((len(times), self._size))
            rows[:, : self.setup.loop.inputs.size] = self._held(self.setup.schedule.inputs(times))
            self._ahead = {(t, False): row for t, row in zip(times.tolist(), rows, strict=True)}

    def scheduled(self, t: float, before: bool = False) -> Array:
        """What comes from outside at a time, or just before it; the same array again for the same time."""
        at = t
        if t >= self.piece_end:
            at, before = float(np.nextafter(t, -np.inf)), True
        key = (at, before and self.setup.schedule.jumps)
        if (inputs := self._ahead.get(key)) is None:
            inputs = np.zeros(self._size)
            row = self._held(self.setup.schedule.inputs(np.array([at]), before=before))[0]
            inputs[: self.setup.loop.inputs.size] = row
            if len(self._ahead) >= MOST_AHEAD:
                self._ahead.clear()
            self._ahead[key] = inputs
        return inputs

    def _held(self, rows: Array) -> Array:
        """Rows of inputs with the payload that is held now: a run changes it, not the clock."""
        if (payload := self.setup.schedule.payload) is not None:
            rows[:, self.setup.loop.inputs.slices["payload"]] = payload.values[self.held]
        return rows

    def _stop_forces(self, x: Array, rates: Array) -> tuple[Array, Array]:
        return hold_axes(self.robot, self.axes, x[self.parts["q"]], rates[self.parts["qd"]], list(self.resting))


def hold_axes(robot: Robot, axes: Axes, q: Array, qdd: Array, on: list[int]) -> tuple[Array, Array]:
    """Accelerations with some axes held by their stops, from those without, and the forces of the stops.

    M qdd = M qdd_free + G^T f with G qdd = 0 along these axes: f = -(G M^-1 G^T)^-1 G qdd_free.
    """
    forces, change = axes.forces(robot.inverse_mass_matrix(q), on, -axes.along(qdd)[on])
    return axes.without(qdd + change, on), forces


def impact(
    robot: Robot, axes: Axes, q: Array, qd: Array, bounces: Mapping[int, float]
) -> tuple[Array, dict[int, float]]:
    """Velocities after axes hit their stops, v_i -> -e_i v_i with what that does to all others; and the impulses.

    An impulse along axis i changes all velocities: M (qd' - qd) = G^T f, with G qd' = -e G qd. `bounces` are the axes
    with their e.
    """
    hit, e = list(bounces), np.array(list(bounces.values()))
    v = axes.along(qd)[hit]
    impulses, change = axes.forces(robot.inverse_mass_matrix(q), hit, -(1.0 + e) * v)
    after = qd + change
    for k, speed in zip(hit, -e * v, strict=True):
        if k < axes.n:
            after[k] = speed  # to the last digit
    return after, dict(zip(hit, impulses.tolist(), strict=True))


def outside(q: Array, lower: Array, upper: Array, resting: Sequence[int] | Mapping[int, int] = ()) -> dict[int, int]:
    """The axes beyond a limit, with the side."""
    beyond = {int(j): 1 for j in np.flatnonzero(q > upper)} | {int(j): -1 for j in np.flatnonzero(q < lower)}
    return {j: side for j, side in beyond.items() if j not in resting}
