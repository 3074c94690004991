"""One run of a robot: its time and state, the events that it applies, and the snapshots that it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.results.result import Event
from dynamis.simulation.runs.blow_up import BlowUpError, blow_up
from dynamis.simulation.runs.events import EventMonitor
from dynamis.simulation.runs.flow import Flow, hold_axes

BREAKAWAY_MARGIN = 1e-9
"""How far beyond 1 the direction s of a joint is where it breaks away without a jump: 1e-12, and rounding."""


@dataclass(frozen=True)
class Snapshot:
    """A run at one instant: `time` [s], `q`, `qd`, the motors' torques `tau`, and the `events` since the last one."""

    setup: SimulationSetup
    time: float
    x: Array
    """The state, as `setup.loop.state` names its parts."""
    stops: float
    """The energy that stops have taken so far [J]."""
    resting: list[int]
    """The axes (loop/axes.py) on stops."""
    sticking: list[int]
    """The axes held by friction."""
    direction: Array | float
    """The directions s of sliding of the axes; 0 where friction is smooth or absent."""
    torque: Array | float
    """The torques of a user's function (n,); 0 where there is none."""
    held: int = 0
    """Which of its payloads the robot holds."""
    events: tuple[Event, ...] = ()

    def __repr__(self) -> str:
        return f"<Snapshot of {self.setup.robot.name} at t = {self.time:.6g} s>"

    @property
    def q(self) -> Array:
        """Joint positions (n,) [rad or m]."""
        return self.x[self.setup.loop.state.slices["q"]].copy()

    @property
    def qd(self) -> Array:
        """Joint velocities (n,) [rad/s or m/s]."""
        return self.x[self.setup.loop.state.slices["qd"]].copy()

    @property
    def tau(self) -> Array:
        """The motors' torques (n,) [N m or N], computed when they are asked for."""
        return observe_snapshots(self.setup, [self]).tau[0]


@dataclass(frozen=True)
class Observed:
    """What the snapshots of a run tell beside their states x (k, size), with the inputs at their times."""

    x: Array
    inputs: Array
    tau: Array
    qdd: Array
    energies: Array
    """Kinetic and potential, (k, 2) [J]."""
    signals: dict[str, Array]


def observe_snapshots(setup: SimulationSetup, snapshots: Sequence[Snapshot]) -> Observed:
    """Torques, accelerations, energies and the controller's signals at snapshots."""
    loop, parts = setup.loop, setup.loop.state.slices
    x = np.array([each.x for each in snapshots])
    inputs = np.zeros((len(x), max(1, loop.inputs.size)))
    inputs[:, : loop.inputs.size] = setup.schedule.inputs(np.array([each.time for each in snapshots]))
    if setup.calls_function:
        inputs[:, loop.inputs.slices["torque"]] = np.array([each.torque for each in snapshots])
    if loop.dry:
        inputs[:, loop.inputs.slices["direction"]] = np.array([each.direction for each in snapshots])
    if setup.schedule.payload is not None:
        inputs[:, loop.inputs.slices["payload"]] = setup.schedule.payload.values[[each.held for each in snapshots]]
    tau, qdd, energies, *signals = setup.programs.observe(x, inputs)
    for k, snapshot in enumerate(snapshots):
        if snapshot.resting:
            qdd[k], _ = hold_axes(setup.holding(snapshot.held), loop.axes, x[k, parts["q"]], qdd[k], snapshot.resting)
        if snapshot.sticking:
            qdd[k] = loop.axes.without(qdd[k], snapshot.sticking)
    return Observed(x, inputs, tau, qdd, energies, dict(zip(setup.programs.signals, signals, strict=True)))


class Run:
    """One run: its time t, its state x, its snapshots, and how many steps were taken and rejected."""

    rejected: int = 0
    stiff: str = ""
    """A sentence about a loop that is stiff."""

    def __init__(self, flow: Flow, monitor: EventMonitor, integrator: str) -> None:
        self.flow, self.monitor, self.integrator = flow, monitor, integrator
        self.steps: int = 0
        self.t = 0.0
        self.x: Array = flow.setup.x0.copy()
        self.snapshots: list[Snapshot] = []
        self._snapshot_count = self._event_count = 0
        sampling = flow.setup.loop.sampling
        self._random = np.random.default_rng(sampling.seed if sampling else 0)

    def advance(self) -> Iterator[None]:
        """Runs to the end, or to an event that ends it, and pauses after every step or piece of steps."""
        raise NotImplementedError

    def new_snapshots(self) -> Iterator[Snapshot]:
        """The snapshots since the last call, each with the events up to it."""
        while self._snapshot_count < len(self.snapshots):
            snapshot = self.snapshots[self._snapshot_count]
            events = self.monitor.events[self._event_count :]
            events = tuple(event for event in events if event.time <= snapshot.time)
            self._snapshot_count += 1
            self._event_count += len(events)
            yield replace(snapshot, events=events)

    def record(self, t: float, x: Array, stops: float | None = None) -> None:
        """Takes a snapshot. One append: Ctrl-C keeps all of it or nothing."""
        setup, friction = self.flow.setup, self.flow.friction
        self.snapshots.append(
            Snapshot(
                setup, float(t), np.array(x), self.monitor.stops if stops is None else stops, list(self.flow.resting),
                list(friction.sticking) if friction else [],
                friction.directions(t, np.asarray(x)).copy() if friction else 0.0,
                setup.torques_of(t, *self.flow.state(x)) if setup.calls_function else 0.0,
                self.flow.held,
            )
        )  # fmt: skip

    def start(self) -> None:
        """Applies the events of the start, such as a joint that moves against its stop."""
        after = self.monitor.begin(self.x)
        self.record(self.t, self.x, 0.0)
        self._changed(after)

    def apply_events(self) -> None:
        """Applies the events of now; the state before them is recorded too, with the joints that rested on a stop.

        Where a torque has jumped beyond what friction holds, there is no state before with that torque.
        """
        friction = self.flow.friction
        if friction is None or np.abs(friction.directions(self.t, self.x)).max() < 1 + BREAKAWAY_MARGIN:
            self.record(self.t, self.x)
        self._changed(self.monitor.apply(self.t, self.x))
        if self.monitor.ended and self.t > self.snapshots[-1].time:
            self.record(self.t, self.x)

    def change_payload(self) -> None:
        """Goes over to the payload of now, if it is another one; both sides are recorded."""
        payload = self.flow.setup.schedule.payload
        if payload is None or (held := int(payload.index(self.t))) == self.flow.held:
            return
        if self.t > self.snapshots[-1].time:
            self.record(self.t, self.x)
        self.monitor.grasp(self.t, self.x, held)
        self.x = self.monitor.apply(self.t, self.x)
        self.record(self.t, self.x)

    def sample(self, k: int) -> Array:
        """The state after sample k of the control; the first one belongs to the snapshots of the start."""
        setup = self.flow.setup
        assert setup.loop.sampling
        x = self.flow.sample(self.t, self.x, setup.loop.sampling.draw(self._random, setup.robot.n, 1)[0])
        if k == 0:
            changed = slice(self.flow.parts["memory"].start, self.flow.parts["held"].stop)
            for snapshot in self.snapshots:
                snapshot.x[changed] = x[changed]
        return x

    def blown_up(self, h: float, t: float, x: Array, stuck: bool = False) -> BlowUpError:
        """The error of a run whose last finite state is x at t, which is recorded."""
        if t > self.snapshots[-1].time:
            self.record(t, x)
        return blow_up(self.flow, self.integrator, h, t, x, self.flow.setup.x0, stuck)

    def _changed(self, after: Any) -> None:
        """Takes over the state after events, if it is another one."""
        if after is not self.x:
            self.x = after
            self.record(self.t, self.x)
