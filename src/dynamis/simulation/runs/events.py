"""What happens on the way of a run: stops are hit and left, joints stick and slide, limits are passed, events occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import numpy as np

from dynamis.arguments import number
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.runs.dry_friction import STILL
from dynamis.simulation.runs.flow import Flow, impact, outside

StateAt = Callable[[float], Array]
"""x over a piece of time."""
SLOW = 1e-4
"""A joint that leaves a stop more slowly than this [rad/s or m/s] stays on it."""
LIMITS = ("stop", "end", "ignore")
LEAST_LOOKS, LOOKS = 4, 1000
"""How often events are checked: at least within an adaptive step, which may be long, and within a run of long steps."""
JUST_BEHIND = 1e-12
MOST_HITS = 5_000
"""More impacts than this are no motion that could be followed."""
MOST_TURNS = 100_000
"""Likewise for joints that stop sliding or begin to: some seconds of work."""


@dataclass(frozen=True)
class Event:
    """What happened, when [s], and to which joint (from 1), if it was one's."""

    time: float
    what: str
    joint: int | None = None


@dataclass
class EventMonitor:
    """Watches a run. `policy` is "stop" (joint limits are mechanical stops), "end" or "ignore"."""

    setup: SimulationSetup
    flow: Flow
    policy: str
    restitution: float
    functions: Sequence[Callable[[float, Array, Array], float]]
    events: list[Event] = field(default_factory=list[Event])
    stops: float = 0.0
    """The energy that stops have taken [J], below 0."""
    ended: str = ""
    """Why the run ends before its time."""
    _pending: list[Any] = field(default_factory=list[Any])
    """What passes zero at the time that `first` gave: the user's functions, joints with the side of their limit, and
    joints (int) that stop sliding."""
    _hits: int = 0
    _turns: int = 0

    @property
    def idle(self) -> bool:
        """Whether there is nothing to watch."""
        bounded = np.isfinite(self.setup.limits.lower).any() or np.isfinite(self.setup.limits.upper).any()
        return not self.functions and not bounded and self.flow.friction is None

    def first(self, start: float, end: float, at: StateAt, least: int = LEAST_LOOKS) -> float | None:
        """The time of the first thing that happens in a step, or None; `at` gives x within it, asked `least` times."""
        found: list[tuple[float, Any]] = []
        looks = max(least, int(np.ceil((end - start) / self.setup.duration * LOOKS)))
        times = [start, *(start + k / looks * (end - start) for k in range(1, looks)), end]
        states = [at(t) for t in times]
        for what, value in self._functions():
            before = value(times[0], states[0])
            if what is None and before > 0:  # the torque has jumped: a sample lets go of a joint that was held
                found.append((start, what))
                continue
            if before == 0 and start == 0 and callable(what):
                before = 1.0  # it was told at the start
            for k in range(1, len(times)):
                after, until, nearby = value(times[k], states[k]), times[k], slice(k - 1, k + 1)
                if before <= 0 and after <= 0 and (turn := self._turn(what, at, times[nearby], states[nearby])):
                    until = turn
                if before <= 0 < (after if until == times[k] else value(until, at(until))):
                    found.append((_root(lambda t, f=value: f(t, at(t)), times[k - 1], until), what))
                    break
                before = after
        if not found:
            return None
        # Just behind the root: what was crossed there is crossed, and is not found again.
        hit = float(min(end, min(root for root, _ in found) + JUST_BEHIND * max(1.0, abs(end))))
        self._pending = [what for root, what in found if root <= hit]
        return hit

    def _turn(self, what: Any, at: StateAt, times: list[float], states: list[Array]) -> float | None:
        """When a joint that moved towards its limit turns around between two times, or None."""
        if not isinstance(what, tuple):
            return None
        j, side = cast("tuple[int, int]", what)
        place = self.flow.parts["qd"].start + j
        if not side * states[0][place] > 0 > side * states[1][place]:
            return None
        return _root(lambda t: float(at(t)[place]), *times)

    def begin(self, x: Array) -> Array:
        """x after what happens at the start; a function that is zero there is an event that does not end the run."""
        for function in self.functions:
            if _number(function, 0.0, *self.flow.state(x)) == 0:
                self._add(Event(0.0, _name(function)))
        if self.policy == "stop":
            self._settle_on_stops(x)
        return self.apply(0.0, x)

    def _settle_on_stops(self, x: Array) -> None:
        """A joint that starts at rest on its stop and presses on it rests on it."""
        q, qd, limits = *self.flow.state(x), self.setup.limits
        self.flow.resting.update({int(j): 1 for j in np.flatnonzero((q == limits.upper) & (qd == 0))})
        self.flow.resting.update({int(j): -1 for j in np.flatnonzero((q == limits.lower) & (qd == 0))})
        while self.flow.resting:
            pressing = self.flow.pressing(0.0, x)
            j = min(pressing, key=lambda j: pressing[j])
            if pressing[j] > 0:
                break
            del self.flow.resting[j]

    def apply(self, t: float, x: Array) -> Array:
        """x after all that happens at t."""
        stopped = [what for what in self._pending if isinstance(what, int)]
        return self._slide(t, self._limited(t, x), stopped)

    def _slide(self, t: float, x: Array, stopped: Sequence[int]) -> Array:
        """x after friction has found which joints stick; those that `stopped` are at rest but for rounding."""
        friction = self.flow.friction
        if friction is None or self.ended:
            return x
        before = set(friction.sticking)
        x = self.flow.settle(t, x, stopped)
        after = set(friction.sticking)
        for j in sorted(before ^ after):
            words = "is held by friction" if j in after else "breaks away"
            self._add(Event(t, f"{self.setup.robot.joints[j].name} {words}", j + 1))
        self._turns += 1
        if self._turns > MOST_TURNS:
            self.ended = f"{MOST_TURNS} changes of sliding by t = {t:.6g} s: friction and control chatter"
        return x

    def _limited(self, t: float, x: Array) -> Array:
        """x after what the limits and the user's events do at t."""
        parts, limits = self.flow.parts, self.setup.limits
        q, qd = x[parts["q"]], x[parts["qd"]]
        names = [joint.name for joint in self.setup.robot.joints]
        due, self._pending = self._pending, []
        for function in due:
            if callable(function):
                self._add(Event(t, _name(function)))
                if getattr(function, "terminal", False):
                    self.ended = f"event {_name(function)} at t = {t:.6g} s"
        if self.policy == "ignore":
            passed = cast("list[tuple[int, int]]", [what for what in due if isinstance(what, tuple)])
            for j, side in passed:
                self._add(Event(t, f"{names[j]} passes its {_SIDES[side]} limit", j + 1))
            return x
        near = 1e-9 * (1.0 + np.abs(q))
        touching = outside(q, limits.lower + near, limits.upper - near, self.flow.resting)
        touching = {j: side for j, side in touching.items() if side * qd[j] > 0}
        if touching and self.policy == "end":
            j, side = next(iter(touching.items()))
            self._add(Event(t, f"{names[j]} reaches its {_SIDES[side]} limit", j + 1))
            self.ended = f"{names[j]} reached its {_SIDES[side]} limit at t = {t:.6g} s"
            return x
        x = self._hit(t, x, touching, names)
        return self._released(t, x, names)

    def _hit(self, t: float, x: Array, touching: dict[int, int], names: list[str]) -> Array:
        """x after an impact of these joints, which stay on their stops where they leave them slowly."""
        if not touching:
            return x
        parts, limits, robot = self.flow.parts, self.setup.limits, self.setup.robot
        x = x.copy()
        for j, side in touching.items():
            x[parts["q"]][j] = limits.upper[j] if side > 0 else limits.lower[j]
        q, qd = x[parts["q"]], x[parts["qd"]].copy()
        resting = {j for j in touching if self.restitution * abs(qd[j]) < SLOW}
        sides = {**self.flow.resting, **touching}
        kicked: list[int] = []
        bounces = {j: self.restitution if j in touching and j not in resting else 0.0 for j in sides}
        after, impulses = impact(robot, q, qd, bounces)
        slow: set[int] = set()
        # A stop only pushes: who is pulled most leaves it, but not more slowly than would be seen, or joints that kick
        # each other off their stops do so for ever.
        while pulls := {j: f * sides[j] for j, f in impulses.items() if f * sides[j] > 0 and j not in slow}:
            pulled = max(pulls, key=lambda j: pulls[j])
            others = {j: e for j, e in bounces.items() if j != pulled}
            freed = impact(robot, q, qd, others)
            if not bounces[pulled] and abs(freed[0][pulled]) < SLOW:
                slow.add(pulled)
                continue
            bounces, (after, impulses) = others, freed
            if self.flow.resting.pop(pulled, None) is not None:
                kicked.append(pulled)
        touching = {j: side for j, side in touching.items() if j in bounces}
        self.stops += float(robot.kinetic_energy(q, after) - robot.kinetic_energy(q, qd))
        self._hits += 1
        if self._hits > MOST_HITS:
            self.ended = f"{MOST_HITS} impacts by t = {t:.6g} s: the joints rattle between their stops"
        for j, side in touching.items():
            words = f"{names[j]} hits its {_SIDES[side]} stop at {abs(qd[j]):.3g} {_speed(self.setup, j)}"
            self._add(Event(t, words + (" and stays" if j in resting else ""), j + 1))
            if j in resting:
                self.flow.resting[j] = side
        for j in kicked:
            self._add(Event(t, f"{names[j]} leaves its {_SIDES[sides[j]]} stop", j + 1))
        x[parts["qd"]] = after
        return x

    def _released(self, t: float, x: Array, names: list[str]) -> Array:
        """Joints that do not press on their stop any more leave it, the most eager first."""
        while self.flow.resting:
            pressing = self.flow.pressing(t, x)
            j = min(pressing, key=lambda j: pressing[j])
            if pressing[j] >= 0:
                break
            self._add(Event(t, f"{names[j]} leaves its {_SIDES[self.flow.resting[j]]} stop", j + 1))
            del self.flow.resting[j]
        return x

    def _functions(self) -> list[tuple[Any, Callable[[float, Array], float]]]:
        """Functions that rise through zero at an event, each with its cause: see `_pending`; None is a release."""
        parts, limits = self.flow.parts, self.setup.limits
        found: list[tuple[Any, Callable[[float, Array], float]]] = []
        for j in range(self.setup.robot.n):
            if j in self.flow.resting:
                found.append((None, lambda t, x, j=j: -self.flow.pressing(t, x)[j]))
                continue
            place = parts["q"].start + j
            if np.isfinite(limits.upper[j]):
                top = limits.upper[j] + _slack(limits.upper[j])
                found.append(((j, 1), lambda t, x, k=place, top=top: x[k] - top))
            if np.isfinite(limits.lower[j]):
                low = limits.lower[j] - _slack(limits.lower[j])
                found.append(((j, -1), lambda t, x, k=place, low=low: low - x[k]))
        if (friction := self.flow.friction) is not None:
            for j in friction.joints:
                place = parts["qd"].start + j
                if j in friction.sticking:
                    found.append((None, lambda t, x, j=j: abs(friction.directions(t, x)[j]) - 1 - _BEYOND))
                elif j not in self.flow.resting and friction.s[j]:
                    found.append((j, lambda t, x, k=place, s=friction.s[j]: -s * x[k] - STILL / 2))
        for function in self.functions:
            way = getattr(function, "direction", 0)
            signs = (1.0, -1.0) if not way else (float(np.sign(way)),)
            for sign in signs:
                found.append((function, lambda t, x, f=function, s=sign: s * _number(f, t, *self.flow.state(x))))
        return found

    def _add(self, event: Event) -> None:
        """An event, unless it is one of just before, found again."""
        if not any(x.what == event.what and event.time - x.time < 1e-9 for x in self.events[-8:]):
            self.events.append(event)


_BEYOND = 1e-12
"""How far beyond 1 the direction of a joint that is held is found: one that friction just holds stays."""


def _root(function: Callable[[float], float], start: float, end: float) -> float:
    """Where a function passes zero between two times at which it has different signs; the end, if it has not any more.

    Friction may lose its hold at a jump, and where a motor is at its limit what holds is found to rounding only.
    """
    if function(start) * function(end) > 0:
        return end
    return float(import_module("scipy.optimize").brentq(function, start, end, xtol=1e-13, rtol=1e-14))


def _slack(limit: float) -> float:
    """How far behind a limit it is found: a joint that rests on its stop, or leaves it slowly, is not behind it."""
    return 1e-13 * (1.0 + abs(limit))


_SIDES = {1: "upper", -1: "lower"}


def _speed(setup: SimulationSetup, j: int) -> str:
    return "rad/s" if setup.robot.joints[j].turns else "m/s"


def _number(function: Callable[[float, Array, Array], float], t: float, q: Array, qd: Array) -> float:
    found: Any = function(t, q, qd)
    try:
        number = float(found)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not np.isfinite(number):
        raise ArgumentError(
            f"event {_name(function)} gave {found!r} at t = {t:g} s; it gives a finite number", key="events"
        )
    return number


def _name(function: Any) -> str:
    return getattr(function, "__name__", "event")


def event_monitor(setup: SimulationSetup, flow: Flow, policy: str, restitution: float, given: Any) -> EventMonitor:
    """The watch over a run; a start outside the limits is an error, unless they are ignored."""
    if policy not in LIMITS:
        raise UnknownNameError("treatment of limits", policy, LIMITS, key="limits")
    restitution = number("restitution", restitution, least=0, most=1)
    try:
        functions: list[Any] = [given] if callable(given) else list(given)
    except TypeError:
        functions = [given]
    if bad := [x for x in functions if not callable(x)]:
        raise ArgumentError(f"event {bad[0]!r} is no function (t, q, qd) -> number", key="events")
    q, limits = setup.x0[flow.parts["q"]], setup.limits
    beyond = outside(q, limits.lower, limits.upper)
    if beyond and policy != "ignore":
        j = next(iter(beyond))
        joint = setup.robot.joints[j]
        raise ArgumentError(
            f"joint {joint.name} starts at {q[j]:g}, outside its limits {limits.lower[j]:g} to {limits.upper[j]:g} "
            f'{"rad" if joint.turns else "m"}; start it inside, or simulate with limits="ignore"',
            key="q0",
        )
    return EventMonitor(setup, flow, policy, float(restitution), functions)
