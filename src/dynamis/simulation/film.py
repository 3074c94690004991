"""`film`: a pose, a path, a trajectory or a simulation as a player in a notebook, or as a file."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.provenance import Provenance
from dynamis.base.writing import check_path
from dynamis.compute.quantities.arguments import joint_values
from dynamis.library import require_robot
from dynamis.motion.trajectories.trajectory import Trajectory, joint_count
from dynamis.robot import Robot
from dynamis.simulation.animation.animate import MAX_FRAMES, animate
from dynamis.simulation.animation.frames import animation
from dynamis.simulation.animation.page import page
from dynamis.simulation.results.result import Simulation

LEG_SECONDS = 1.0
"""The time from one pose of a path to the next, unless it is said otherwise [s]."""
PLAYER_HEIGHT = 720
"""Of the player in a notebook [px]."""


@dataclass(frozen=True)
class Scenes:
    """A motion as an animation wants it: as a simulation that nothing controls."""

    robot: Robot
    motion: Trajectory
    control: str
    goal: Array | None = None
    ended: str = ""
    events: tuple[Any, ...] = ()
    payloads: None = None

    @property
    def n(self) -> int:
        return self.robot.n

    @property
    def duration(self) -> float:
        return float(self.motion.duration)

    @property
    def times(self) -> Array:
        return np.array([0.0, self.duration])

    def at(self, t: ArrayLike) -> tuple[Array, ...]:
        return self.motion.at(t)


@dataclass(frozen=True)
class Poses:
    """Straight from pose to pose (k, n), each leg in the same time."""

    q: Array
    duration: float

    @property
    def n(self) -> int:
        return self.q.shape[1]

    def at(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        instants, now = np.linspace(0.0, self.duration, len(self.q)), np.asarray(t, dtype=np.float64)
        columns: list[Array] = [np.interp(now, instants, self.q[:, j]) for j in range(self.n)]
        q: Array = np.stack(columns, axis=-1)
        return q, np.zeros(q.shape), np.zeros(q.shape)


@dataclass(frozen=True, repr=False)
class Film:
    """What is shown, `speed` times as fast as it is; a notebook plays it, `save` writes it as .html, .gif or .mp4."""

    scenes: Simulation | Scenes
    speed: float
    fps: float

    def html(self) -> str:
        """The page with the player: one text with all that it needs."""
        return page(animation(self.scenes, self.fps, self.speed, MAX_FRAMES[".html"]))

    def save(self, path: str | Path, provenance: Provenance | None = None) -> None:
        """Write it in the format of the file's name; .gif and .mp4 need matplotlib, .mp4 also ffmpeg."""
        check_path(path)
        animate(self.scenes, path, self.fps, self.speed, provenance)

    def _repr_html_(self) -> str:
        player = escape(self.html(), quote=True)
        return f'<iframe srcdoc="{player}" style="width: 100%; height: {PLAYER_HEIGHT}px; border: none"></iframe>'

    def __repr__(self) -> str:
        return f"<Film of {self.scenes.robot.name}: {self.scenes.duration:g} s>"


def film(
    robot: Robot | Simulation, motion: Trajectory | ArrayLike | None = None, *, duration: float | None = None,
    speed: float = 1.0, fps: float = 30.0,
) -> Film:  # fmt: skip
    """A pose, a path, a trajectory or a simulation as a film, which a notebook plays in the cell.

    robot: the robot; or a simulation, which has its own
    motion: a trajectory; one pose (n,), or poses (k, n) that the robot goes through straight from one to the next
    duration: of a path of poses [s]; one second per leg if left out
    speed: how many times as fast as it is
    fps: frames per second

    >>> import dynamis
    >>> dynamis.film(dynamis.load("ur5"), dynamis.trajectories.quintic([0] * 6, [1] * 6, 2.0))
    <Film of ur5: 2 s>
    """
    speed, fps = positive("speed", speed, "1"), positive("fps", fps, "1/s")
    if isinstance(robot, Simulation):
        if motion is not None:
            raise ArgumentError("a simulation is filmed as it is; give a robot to film another motion", key="motion")
        return Film(robot, speed, fps)
    require_robot(robot)
    if motion is None:
        raise ArgumentError("film needs a motion: a trajectory, a pose (n,) or poses (k, n)", key="motion")
    if isinstance(motion, Trajectory):
        if motion.n != robot.n:
            raise ArgumentError(
                f'the motion has {joint_count(motion.n)}, robot "{robot.name}" has {robot.n}', key="motion"
            )
        return Film(Scenes(robot, motion, getattr(motion, "kind", "motion")), speed, fps)
    q = joint_values("motion", motion, robot)
    if q.ndim > 2 or not q.size or not np.isfinite(q).all():
        raise ArgumentError(f"motion must be one pose (n,) or finite poses (k, n), got {literal(motion)}", key="motion")
    rows = np.atleast_2d(q)
    time = LEG_SECONDS * (len(rows) - 1) if duration is None else positive("duration", duration, "s")
    return Film(Scenes(robot, Poses(rows, time if len(rows) > 1 else 0.0), "poses"), speed, fps)
