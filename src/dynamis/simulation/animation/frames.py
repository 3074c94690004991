"""The frames of an animation: where the points of the figure are at every instant that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.arrays import Array
from dynamis.base.provenance import Provenance
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.robot import Robot
from dynamis.simulation.animation.skeleton import Skeleton, skeleton
from dynamis.simulation.loop.payloads import PayloadSchedule
from dynamis.telling.drawing.view import View, view

PATH_POINTS = 1000
"""A path is drawn by about so many points, or one per frame."""
MAX_POINTS = 60_000
"""Points of all frames together: they bound the size of the page."""


class Run(Protocol):
    """What is animated: a simulation, or a motion that looks like one."""

    @property
    def robot(self) -> Robot: ...
    @property
    def duration(self) -> float: ...
    @property
    def times(self) -> Array: ...
    @property
    def n(self) -> int: ...
    @property
    def goal(self) -> Array | None: ...
    @property
    def control(self) -> str: ...
    @property
    def ended(self) -> str: ...
    @property
    def events(self) -> Sequence[Any]: ...
    @property
    def payloads(self) -> PayloadSchedule | None: ...
    def at(self, t: ArrayLike) -> tuple[Array, ...]: ...


@dataclass(frozen=True)
class Animation:
    """What is drawn: frames at `times` [s] of the motion, shown every 1/`fps` seconds."""

    run: Run
    figure: Skeleton
    view: View
    times: Array
    fps: float
    speed: float
    q: Array
    points: Array
    """(frames, points, 3) [m]."""
    goal: Array | None
    """The figure at its goal: (frames, points, 3), or (1, points, 3) where the goal stands still."""
    path: Array
    """Where the tip goes, `finer` points from frame to frame: ((frames - 1) finer + 1, 3) [m]."""
    finer: int
    held: NDArray[np.bool_]
    """Whether a payload that comes and goes is held, (frames,)."""
    provenance: Provenance | None = None


def animation(run: Run, fps: float, speed: float, most: int) -> Animation:
    """The frames of a run: one every 1/fps seconds, at most `most` of them and MAX_POINTS points in all."""
    instants = np.linspace(0.0, run.duration, 5)
    figure = skeleton(run.robot, run.at(instants)[0])
    most = max(2, min(most, MAX_POINTS // (len(run.robot.links) + len(figure.ends) + len(figure.loops) + 2)))
    seconds = run.duration / speed
    count = int(min(max(2, round(seconds * fps) + 1), most)) if seconds > 0 else 1
    times = np.linspace(0.0, run.duration, count)
    q = run.at(times)[0]
    points = figure.points(q)
    finer = -(-PATH_POINTS // count)
    path = figure.points(run.at(np.linspace(0.0, run.duration, (count - 1) * finer + 1))[0])[:, figure.tip]
    looks = view(mechanism(run.robot, run.robot.floats()), points)
    return Animation(
        run, figure, looks, times, (count - 1) / seconds if seconds > 0 else fps, speed, q, points,
        _goal(run, figure, times), path, finer,
        np.zeros(count, np.bool_) if run.payloads is None else run.payloads.is_held(times),
    )  # fmt: skip


def _goal(run: Run, figure: Skeleton, times: Array) -> Array | None:
    if run.goal is None:
        return None
    if (run.goal == run.goal[0]).all():
        return figure.points(run.goal[:1])
    return figure.points(np.column_stack([np.interp(times, run.times, run.goal[:, j]) for j in range(run.n)]))
