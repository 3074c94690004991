"""A payload that comes and goes during a run: the robot with each, and its numbers as inputs of the loop.

Robots that hold different payloads differ in mass, CoM and inertia of one body. Those numbers are inputs, so that one
compiled loop serves all of them. A payload is grasped and released at the velocity of the tool: q and qd stay, there
is no impact, and the payload brings its own kinetic and potential energy, or takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.mechanics.dynamics.missing_masses import check_masses
from dynamis.mechanics.mechanism import Body, Mechanism, mechanism
from dynamis.model.payload import Payload, payload_words
from dynamis.motion.torque_budget.payloads import NOTHING, payload_spans, span_words
from dynamis.robot import Robot
from dynamis.scalars.vectors import Matrix, Vector

LEAST_SPEED = 1e-6
"""A payload that is slower than this [m/s] when it is grasped or released is at rest."""


@dataclass(frozen=True)
class PayloadSchedule:
    """`robots[k]` moves from `times[k - 1]` until `times[k]` [s].

    `numbers[k]` are the ten inertial numbers of its payload, of which those at `places` change. `words` are what is
    held and when.
    """

    times: Array
    robots: tuple[Robot, ...]
    numbers: Array
    words: tuple[str, ...]

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(int(k) for k in np.flatnonzero(np.ptp(self.numbers, axis=0)))

    @property
    def values(self) -> Array:
        """The inputs of each robot: (robots, places)."""
        return self.numbers[:, self.places]

    def index(self, t: Any, before: bool = False) -> NDArray[np.intp]:
        """Which robot moves at times, or just before them."""
        now: Array = np.asarray(t, np.float64)
        slack = 1e-12 * np.maximum(1.0, np.abs(now))  # k h and (k - 1) h + h are not the same to the last bit
        return np.searchsorted(self.times, now - slack if before else now + slack, "right")

    def is_held(self, t: Array) -> NDArray[np.bool_]:
        """Whether anything is held at times."""
        return self.numbers[self.index(t), 0] > 0

    def on_steps(self, h: float) -> PayloadSchedule:
        """The same with changes where the nearest step of h begins."""
        return replace(self, times=np.rint(self.times / h) * h)

    def steps(self, h: float) -> list[int]:
        """The steps of h at whose beginning the payload changes."""
        return sorted({round(t / h) for t in self.times.tolist()})

    def change_words(self, before: int, after: int, q: Array, qd: Array) -> list[str]:
        """What happens where one payload gives way to another."""
        events: list[str] = []
        for verb, k in (("releases", before), ("grasps", after)):
            for words in payload_words(self.robots[k])[-1:]:
                speed = float(np.linalg.norm(self.robots[k].link_motions(q, qd).com_velocity[-1]))
                events.append(f"{verb} {words}{f', moving at {speed:.3g} m/s' if speed > LEAST_SPEED else ''}")
        return events


def hold_payload(robot: Robot, payload: Any, duration: float) -> tuple[Robot, PayloadSchedule | None]:
    """The robot with its first payload, and the schedule of all where they change within the run."""
    spans = payload_spans(payload)
    if not spans:
        return robot, None
    ends = [0.0, *sorted({t for start, end, _ in spans for t in (start, end) if 0 < t < duration}), duration]
    times, held = list[float](), list[Payload]()
    for start, end in pairwise(ends):
        now = next((payload for a, b, payload in spans if a <= (start + end) / 2 < b), NOTHING)
        if not held or now != held[-1]:
            times.append(start)
            held.append(now)
    robots = {each: each.held_by(robot) for each in held}
    first = robots[held[0]]
    if len(held) == 1:
        return first, None
    for each in robots.values():
        check_masses(each, "every joint")  # an arm that is massless at its end needs its payload all the time
    numbers = np.array([_numbers(robots[each]) for each in held])
    words = tuple(span_words(robot, span) for span in spans)
    return first, PayloadSchedule(np.array(times[1:]), tuple(robots[each] for each in held), numbers, words)


def _numbers(robot: Robot) -> list[float]:
    """Mass, CoM and inertia about it (xx, yy, zz, xy, xz, yz) of the last link, which is the payload."""
    m = mechanism(robot, robot.floats())
    return _of_body(m.bodies[m.links[-1][-1]])


def _of_body(body: Body[Any]) -> list[Any]:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
    return [body.mass, *body.com, xx, yy, zz, xy, xz, yz]


def holding(m: Mechanism[Any], places: Sequence[int], values: Sequence[Any]) -> Mechanism[Any]:
    """The mechanism with other numbers of the payload, its last link, at some of the ten places."""
    k = m.links[-1][-1]
    numbers = _of_body(m.bodies[k])
    for place, value in zip(places, values, strict=True):
        numbers[place] = value
    mass, x, y, z, xx, yy, zz, xy, xz, yz = numbers
    inertia = Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz))
    body = replace(m.bodies[k], mass=mass, com=Vector(x, y, z), inertia=inertia)
    return replace(m, bodies=(*m.bodies[:k], body, *m.bodies[k + 1 :]))
