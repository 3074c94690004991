"""Events of a run: joints hit and leave stops, stick and slide, pass their limits; functions of the user cross zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import numpy as np

from dynamis.base.arguments import check_callable_with, number
from dynamis.base.arrays import Array, check_computed
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.results.result import Event
from dynamis.simulation.runs.dry_friction import REST_SPEED
from dynamis.simulation.runs.flow import Flow, impact, outside

StateAt = Callable[[float], Array]
"""x at the times of one step."""
EventFunction = Callable[[float, Array, Array], float]
"""(t, q, qd) -> number, whose zeros are events."""
POLICIES = ("stop", "end", "ignore")
LEAST_BOUNCE = 1e-4
"""A joint that would leave a stop more slowly than this [rad/s or m/s] stays on it: it would bounce without end."""
CHECKS_PER_STEP, CHECKS_PER_RUN = 4, 1000
"""How often events are checked, at least: an adaptive step may be long, and so may all steps of a run."""
PAST_ROOT = 1e-12
"""How far behind its root an event is applied, relative to t: its function has crossed there and is not found twice."""
HOLD_MARGIN = 1e-12
"""How far beyond 1 the direction s of a held joint counts as breaking away: one that friction just holds stays."""
SAME_INSTANT = 1e-9
"""Equal events within this time [s] are one."""
MAX_IMPACTS, MAX_SLIDING_CHANGES = 5_000, 100_000
"""The run ends there: some seconds of work, and no motion that anyone could follow."""
_SIDES = {1: "upper", -1: "lower"}


@dataclass(frozen=True)
class _Trigger:
    """A function of (t, x) that rises through zero where an event occurs, and what that is."""

    kind: Literal["limit", "release", "stop sliding", "user"]
    value: Callable[[float, Array], float]
    axis: int = -1
    side: int = 0
    function: Any = None


@dataclass
class EventMonitor:
    """Finds the events of a run and applies them.

    `policy` for joint limits: "stop" (they are mechanical stops), "end" (of the run) or "ignore".
    """

    flow: Flow
    policy: str
    restitution: float
    functions: Sequence[EventFunction]
    events: list[Event] = field(default_factory=list[Event])
    stops: float = 0.0
    """The energy that stops have taken [J], below 0."""
    ended: str = ""
    """Why the run ends before its time."""
    _pending: list[_Trigger] = field(default_factory=list[_Trigger])
    """The triggers at the time that `first` returned."""
    _impacts: int = 0
    _sliding_changes: int = 0

    @property
    def setup(self) -> SimulationSetup:
        return self.flow.setup

    @property
    def idle(self) -> bool:
        """Whether no event can occur."""
        return not self.functions and not self.flow.axes.bounded.any() and self.flow.friction is None

    def first(self, start: float, end: float, at: StateAt, least: int = CHECKS_PER_STEP) -> float | None:
        """The time of the first event within a step, or None; it is checked at `least` times."""
        checks = self.checks(end - start, least)
        times = [start, *(start + k / checks * (end - start) for k in range(1, checks)), end]
        states = [at(t) for t in times]
        roots = [(root, trigger) for trigger in self._triggers(states, (end - start) / checks)
                 if (root := self._crossing(trigger, at, times, states)) is not None]  # fmt: skip
        if not roots:
            return None
        hit = float(min(end, min(root for root, _ in roots) + PAST_ROOT * max(1.0, abs(end))))
        self._pending = [trigger for root, trigger in roots if root <= hit]
        return hit

    def checks(self, h: float, least: int) -> int:
        """How often events are checked in a step of h seconds, however its end is rounded."""
        return max(least, int(np.ceil(h / self.setup.duration * CHECKS_PER_RUN * (1 - 1e-9))))

    def _crossing(self, trigger: _Trigger, at: StateAt, times: list[float], states: list[Array]) -> float | None:
        """Where a trigger first rises through zero between these times, or None."""
        before = trigger.value(times[0], states[0])
        if trigger.kind == "release" and before > 0:  # the torque has jumped: a sample lets go of a joint that was held
            return times[0]
        if before == 0 and times[0] == 0 and trigger.kind == "user":
            before = 1.0  # an event of the start, which `begin` has recorded
        for k in range(1, len(times)):
            after, until, nearby = trigger.value(times[k], states[k]), times[k], slice(k - 1, k + 1)
            if before <= 0 and after <= 0 and (turn := self._turn(trigger, at, times[nearby], states[nearby])):
                until = turn
            if before <= 0 < (after if until == times[k] else trigger.value(until, at(until))):
                return _root(lambda t: trigger.value(t, at(t)), times[k - 1], until)
            before = after
        return None

    def _turn(self, trigger: _Trigger, at: StateAt, times: list[float], states: list[Array]) -> float | None:
        """When a joint that moved towards its limit turns around between two times, or None."""
        if trigger.kind != "limit":
            return None
        speeds = [trigger.side * self.flow.speed(x, trigger.axis) for x in states]
        return _root(lambda t: self.flow.speed(at(t), trigger.axis), *times) if speeds[0] > 0 > speeds[1] else None

    def _triggers(self, states: list[Array], h: float) -> list[_Trigger]:
        """What can occur in a step with these states, h seconds apart; only limits that a joint may have passed."""
        flow, axes = self.flow, self.flow.axes
        triggers: list[_Trigger] = []
        for k in flow.resting:
            triggers.append(_Trigger("release", lambda t, x, k=k: -flow.pressing(t, x)[k], k))
        x, n = np.array(states), axes.n
        positions, speeds = axes.positions(x[:, :n]), axes.along(x[:, n : 2 * n])
        # A joint that turns around may have been beyond its limit between two states. At constant acceleration it comes
        # less than half its speed times h nearer: twice that is looked at, and a joint at rest but for rounding is not.
        reach = np.where(speeds[1:] * speeds[:-1] < 0, h * np.maximum(abs(speeds[1:]), abs(speeds[:-1])), 0.0)
        reach = np.concatenate([reach, np.zeros((1, positions.shape[1]))])
        near = ((positions + reach > axes.upper) | (positions - reach < axes.lower)).any(axis=0)
        for k in np.flatnonzero(axes.bounded & near).tolist():
            for side, limit in ((1, axes.upper[k]), (-1, axes.lower[k])):
                if np.isfinite(limit) and k not in flow.resting:
                    # Just behind it: a joint that rests on its stop, or leaves it slowly, is not beyond its limit.
                    end = side * limit + 1e-13 * (1.0 + abs(limit))
                    triggers.append(
                        _Trigger("limit", lambda t, x, k=k, s=side, e=end: s * flow.position(x, k) - e, k, side)
                    )
        if (friction := flow.friction) is not None:
            for k in friction.axes:
                if k in friction.sticking:
                    triggers.append(
                        _Trigger("release", lambda t, x, k=k: abs(friction.directions(t, x)[k]) - 1 - HOLD_MARGIN, k)
                    )
                elif k not in flow.resting and (s := friction.s[k]):
                    triggers.append(
                        _Trigger("stop sliding", lambda t, x, k=k, s=s: -s * flow.speed(x, k) - REST_SPEED / 2, k)
                    )
        for function in self.functions:
            direction = float(np.sign(getattr(function, "direction", 0)))
            for sign in (direction,) if direction else (1.0, -1.0):
                triggers.append(
                    _Trigger(
                        "user", lambda t, x, f=function, s=sign: s * _number(f, t, *flow.state(x)), function=function
                    )
                )
        return triggers

    def begin(self, x: Array) -> Array:
        """x after the events of the start; a function that is zero there is an event that does not end the run."""
        for function in self.functions:
            if _number(function, 0.0, *self.flow.state(x)) == 0:
                self._add(Event(0.0, _name(function)))
        if self.policy == "stop":
            self._settle_on_stops(x)
        return self.apply(0.0, x)

    def _settle_on_stops(self, x: Array) -> None:
        """A joint that starts at rest on its stop and presses on it rests on it."""
        (q, qd), axes = self.flow.state(x), self.flow.axes
        for side, limit in ((1, axes.upper), (-1, axes.lower)):
            on = (axes.positions(q) == limit) & (axes.along(qd) == 0)
            self.flow.resting.update({int(k): side for k in np.flatnonzero(on)})
        while self.flow.resting:
            pressing = self.flow.pressing(0.0, x)
            j = min(pressing, key=lambda j: pressing[j])
            if pressing[j] > 0:
                break
            del self.flow.resting[j]

    def apply(self, t: float, x: Array) -> Array:
        """x after all events at t."""
        pending, self._pending = self._pending, []
        for trigger in pending:
            if trigger.kind == "user":
                self._add(Event(t, name := _name(trigger.function)))
                if getattr(trigger.function, "terminal", False):
                    self.ended = f"event {name} at t = {t:.6g} s"
        x = self._apply_limits(t, x, [trigger for trigger in pending if trigger.kind == "limit"])
        return self._slide(t, x, [trigger.axis for trigger in pending if trigger.kind == "stop sliding"])

    def grasp(self, t: float, x: Array, k: int) -> None:
        """Records that the payload gives way to the k-th, which the robot holds from now on."""
        payload = self.setup.schedule.payload
        assert payload is not None
        for words in payload.change_words(self.flow.held, k, *self.flow.state(x)):
            self._add(Event(t, words))
        self.flow.hold(k)

    def _slide(self, t: float, x: Array, stopped: Sequence[int]) -> Array:
        """x after friction has found which joints stick; those that `stopped` are at rest but for rounding."""
        friction = self.flow.friction
        if friction is None or self.ended:
            return x
        before = set(friction.sticking)
        x = self.flow.settle(t, x, stopped)
        after = set(friction.sticking)
        for j in sorted(before ^ after):
            self._record(t, j, "is held by friction" if j in after else "breaks away")
        self._sliding_changes += 1
        if self._sliding_changes > MAX_SLIDING_CHANGES:
            self.ended = f"{MAX_SLIDING_CHANGES} changes of sliding by t = {t:.6g} s: friction and control chatter"
        return x

    def _apply_limits(self, t: float, x: Array, passed: Sequence[_Trigger]) -> Array:
        """x after what the limits do at t."""
        if self.policy == "ignore":
            for trigger in passed:
                self._record(t, trigger.axis, f"passes its {_SIDES[trigger.side]} limit")
            return x
        (q, qd), axes = self.flow.state(x), self.flow.axes
        positions, speeds = axes.positions(q), axes.along(qd)
        near = 1e-9 * (1.0 + np.abs(positions))
        touching = outside(positions, axes.lower + near, axes.upper - near, self.flow.resting)
        touching = {k: side for k, side in touching.items() if side * speeds[k] > 0}
        if touching and self.policy == "end":
            k, side = next(iter(touching.items()))
            self._record(t, k, f"reaches its {_SIDES[side]} limit")
            self.ended = f"{axes.names[k]} reached its {_SIDES[side]} limit at t = {t:.6g} s"
            return x
        if touching:
            x = self._hit(t, x, touching)
        self._release(t, x)
        return x

    def _hit(self, t: float, x: Array, touching: dict[int, int]) -> Array:
        """x after an impact of these axes, which stay on their stops where they would leave them slowly."""
        parts, axes, robot = self.flow.parts, self.flow.axes, self.flow.robot
        x = x.copy()
        for k, side in touching.items():
            limit = axes.upper[k] if side > 0 else axes.lower[k]
            x[parts["q"]] += axes.G[k] * (limit - self.flow.position(x, k)) / (axes.G[k] @ axes.G[k])
            if k < axes.n:
                x[parts["q"]][k] = limit  # to the last digit
        q, qd = self.flow.state(x)
        speeds = axes.along(qd)
        staying = {k for k in touching if self.restitution * abs(speeds[k]) < LEAST_BOUNCE}
        sides = {**self.flow.resting, **touching}
        bounces = {k: self.restitution if k in touching and k not in staying else 0.0 for k in sides}
        after, impulses = impact(robot, axes, q, qd, bounces)
        kicked: list[int] = []
        slow: set[int] = set()
        # A stop only pushes: the joint that it would pull most leaves it, unless so slowly that joints would kick
        # each other off their stops without end.
        while pulls := {k: f * sides[k] for k, f in impulses.items() if f * sides[k] > 0 and k not in slow}:
            pulled = max(pulls, key=lambda k: pulls[k])
            others = {k: e for k, e in bounces.items() if k != pulled}
            freed = impact(robot, axes, q, qd, others)
            if not bounces[pulled] and abs(axes.along(freed[0])[pulled]) < LEAST_BOUNCE:
                slow.add(pulled)
                continue
            bounces, (after, impulses) = others, freed
            if self.flow.resting.pop(pulled, None) is not None:
                kicked.append(pulled)
        self.stops += float(robot.kinetic_energy(q, after) - robot.kinetic_energy(q, qd))
        self._impacts += 1
        if self._impacts > MAX_IMPACTS:
            self.ended = f"{MAX_IMPACTS} impacts by t = {t:.6g} s: the joints rattle between their stops"
        for k, side in touching.items():
            if k in bounces:
                unit = "rad/s" if axes.revolute[k] else "m/s"
                stays = " and stays" if k in staying else ""
                self._record(t, k, f"hits its {_SIDES[side]} stop at {abs(speeds[k]):.3g} {unit}{stays}")
                if k in staying:
                    self.flow.resting[k] = side
        for k in kicked:
            self._record(t, k, f"leaves its {_SIDES[sides[k]]} stop")
        x[parts["qd"]] = after
        return x

    def _release(self, t: float, x: Array) -> None:
        """Joints that no longer press on their stop leave it, the one that is pulled most first."""
        while self.flow.resting:
            pressing = self.flow.pressing(t, x)
            j = min(pressing, key=lambda j: pressing[j])
            if pressing[j] >= 0:
                break
            self._record(t, j, f"leaves its {_SIDES[self.flow.resting.pop(j)]} stop")

    def _record(self, t: float, k: int, words: str) -> None:
        """An event of axis k."""
        axes = self.flow.axes
        self._add(Event(t, f"{axes.names[k]} {words}", k + 1 if k < axes.n else axes.names[k]))

    def _add(self, event: Event) -> None:
        """Record an event, unless it was found just before."""
        if not any(x.what == event.what and event.time - x.time < SAME_INSTANT for x in self.events[-8:]):
            self.events.append(event)


def _root(function: Callable[[float], float], start: float, end: float) -> float:
    """Where a function crosses zero between two times of different signs; `end`, if the signs are equal after all.

    Friction may lose its hold at a jump, and where a motor is at its limit its direction is known to rounding only.
    """
    if function(start) * function(end) > 0:
        return end
    return float(import_module("scipy.optimize").brentq(function, start, end, xtol=1e-13, rtol=1e-14))


def _number(function: EventFunction, t: float, q: Array, qd: Array) -> float:
    value: Any = function(t, q, qd)
    check_computed(f"event {_name(function)}", value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not np.isfinite(number):
        raise ArgumentError(
            f"event {_name(function)} must return a finite number, got {value!r} at t = {t:g} s", key="events"
        )
    return number


def _name(function: Any) -> str:
    return getattr(function, "__name__", "event")


def event_monitor(flow: Flow, policy: str, restitution: float, events: Any) -> EventMonitor:
    """The monitor of a run; a start outside the limits is an error, unless they are ignored."""
    if policy not in POLICIES:
        raise UnknownNameError("treatment of limits", policy, POLICIES, key="limits")
    restitution = number("restitution", restitution, least=0, most=1)
    try:
        functions: list[Any] = [events] if callable(events) else list(events)
    except TypeError:
        functions = [events]
    if bad := [x for x in functions if not callable(x)]:
        raise ArgumentError(f"an event must be a function (t, q, qd) -> number, got {bad[0]!r}", key="events")
    for function in functions:
        check_callable_with("events", function, "t", "q", "qd")
    if policy != "ignore":
        check_start(flow.setup)
    return EventMonitor(flow, policy, restitution, functions)


def check_start(setup: SimulationSetup) -> None:
    """Raises where a robot, or one of a batch, starts outside the limits of its joints."""
    axes = setup.loop.axes
    q = axes.positions(setup.x0[..., setup.loop.state.slices["q"]])
    if not (beyond := (q < axes.lower) | (q > axes.upper)).any():
        return
    *at, k = np.argwhere(beyond)[0].tolist()
    which = f" of robot {', '.join(map(str, at))} of the batch" if at else ""
    raise ArgumentError(
        f"joint {axes.names[k]}{which} starts at {q[(*at, k)]:g}, outside its limits {axes.lower[k]:g} to "
        f'{axes.upper[k]:g} {"rad" if axes.revolute[k] else "m"}; start it inside, or simulate with limits="ignore"',
        key="q0",
    )
