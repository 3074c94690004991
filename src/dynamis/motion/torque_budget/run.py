"""A motion through a robot, piece by piece: torques, their parts and their causes, gathered as they come.

Pieces of the motion go over the cores; what is not kept lives only as long as its piece, so that memory is bounded by
what the caller wants to keep. Sums over time are weighted with the trapezoidal rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import ArgumentError
from dynamis.mechanics.dynamics.parameter_torques import OF_DRIVE, OF_LINK
from dynamis.mechanics.dynamics.reactions import BEARING
from dynamis.mechanics.efficient.torque_components import SINGLE, component_names
from dynamis.motion.load_over_time import AnyLoad, LoadedFunctions, LoadOverTime, constant_loads
from dynamis.motion.torque_budget.sizing import time_weights
from dynamis.quantities.reference import Gravity
from dynamis.robot import Robot

PIECE = 1024
"""Samples of a piece: its parts fit the second-level cache."""
BLOCK = 16384
"""Samples that the motion is asked for at once."""
GROUPS = ("inertial", "centrifugal", "Coriolis", "gravity", "friction", "rotor", "applied")


@dataclass(frozen=True)
class Job:
    """What is asked: a robot under loads in gravity, the times, and `at(slice)` which gives q, qd, qdd there."""

    robot: Robot
    loads: tuple[AnyLoad, ...]
    gravity: Gravity
    tool: str | None
    t: Array
    at: Callable[[slice], tuple[Array, ...]]

    @property
    def parameters(self) -> int:
        return len(OF_LINK) * len(self.robot.links) + len(OF_DRIVE) + len(self.loads)

    @cached_property
    def functions(self) -> list[Callable[..., Any]]:
        names = ("inverse_dynamics", "torque_components", "parameter_torques", "bearing_loads")
        if self.changing:
            loaded = LoadedFunctions(self.robot, self.loads, self.gravity, self.t)
            return [loaded.function(name) for name in names]
        loads = constant_loads(self.robot, self.loads)
        return [self.robot.prepared(name, loads=loads, gravity=self.gravity) for name in names]

    @property
    def changing(self) -> bool:
        """Whether a load changes in time."""
        return any(isinstance(load, LoadOverTime) for load in self.loads)

    def torques(self, samples: Any, q: Array, qd: Array, qdd: Array, out: Buffers) -> None:
        """All torques of some samples into their buffers."""
        rooms = (out.tau, (out.parts, *out.added), out.causes, out.bearings)
        which = (samples,) if self.changing else ()
        for function, room in zip(self.functions, rooms, strict=True):
            function(q, qd, qdd, *which, out=room)


@dataclass(frozen=True)
class Buffers:
    """One piece: (samples, ...) arrays."""

    tau: Array
    parts: Array
    sums: Array
    """Of the centrifugal parts, of the Coriolis parts, of all but gravity, of all: (samples, 4, n)."""
    causes: Array
    bearings: Array
    scratch: Array

    @classmethod
    def of(cls, job: Job, samples: int) -> Buffers:
        n, links = job.robot.n, len(job.robot.links)
        parts = n, len(component_names(n))
        shapes = (n,), parts, (4, n), (n, job.parameters), (links, len(BEARING)), parts
        return cls(*(np.empty((samples, *shape)) for shape in shapes))

    def cut(self, samples: int) -> Buffers:
        return Buffers(*(getattr(self, x.name)[:samples] for x in fields(self)))

    @property
    def added(self) -> tuple[Array, Array, Array]:
        """Centrifugal, Coriolis and all parts added up."""
        return self.sums[:, 0], self.sums[:, 1], self.sums[:, 3]

    @property
    def gravity(self) -> Array:
        return self.parts[..., SINGLE.index("gravity")]

    def groups(self, out: Array) -> None:
        """The parts in the order of GROUPS, centrifugal and Coriolis ones added up: (samples, n, 7)."""
        for k, name in enumerate(GROUPS):
            match name:
                case "centrifugal":
                    out[..., k] = self.sums[:, 0]
                case "Coriolis":
                    out[..., k] = self.sums[:, 1]
                case _:
                    out[..., k] = self.parts[..., SINGLE.index(name)]


@dataclass
class Tally:
    """Of values over time: extremes and the integral of their squares."""

    lowest: Any = np.inf
    highest: Any = -np.inf
    squares: Any = 0.0

    def add(self, x: Array, weights: Array, scratch: Array | None = None) -> None:
        self.lowest = np.minimum(self.lowest, x.min(axis=0))
        self.highest = np.maximum(self.highest, x.max(axis=0))
        squared = np.multiply(x, x, out=scratch)
        self.squares = self.squares + (weights @ squared.reshape(len(x), -1)).reshape(x.shape[1:])

    def join(self, other: Tally) -> None:
        self.lowest = np.minimum(self.lowest, other.lowest)
        self.highest = np.maximum(self.highest, other.highest)
        self.squares = self.squares + other.squares

    @property
    def largest(self) -> Array:
        """The largest |value| of each."""
        return np.maximum(np.abs(self.lowest), np.abs(self.highest))


@dataclass
class Sums:
    """All that is gathered over a motion."""

    parts: Tally = field(default_factory=Tally)
    sums: Tally = field(default_factory=Tally)
    bearings: Any = 0.0
    """The largest |value| of each."""
    parts_with_tau: Any = 0.0
    """The integrals of tau_i times a part of it: (n, parts)."""
    causes_with_tau: Any = 0.0
    residual: float = 0.0
    """The largest |sum of the parts - tau|."""

    def add(self, x: Buffers, weights: Array) -> None:
        weighted = x.tau * weights[:, None]
        self.parts.add(x.parts, weights, x.scratch)
        np.subtract(x.tau, x.gravity, out=x.sums[:, 2])
        self.sums.add(x.sums, weights)
        self.bearings = np.maximum(self.bearings, np.maximum(x.bearings.max(axis=0), -x.bearings.min(axis=0)))
        self.parts_with_tau = self.parts_with_tau + _with(weighted, x.parts)
        self.causes_with_tau = self.causes_with_tau + _with(weighted, x.causes)
        self.residual = max(self.residual, float(np.abs(x.sums[:, 3] - x.tau).max()))

    def join(self, other: Sums) -> None:
        for name in ("parts", "sums"):
            getattr(self, name).join(getattr(other, name))
        self.parts_with_tau = self.parts_with_tau + other.parts_with_tau
        self.causes_with_tau = self.causes_with_tau + other.causes_with_tau
        self.bearings = np.maximum(self.bearings, other.bearings)
        self.residual = max(self.residual, other.residual)


@dataclass(frozen=True)
class Kept:
    """What is kept of every sample: (samples, ...) arrays; None where it is not kept."""

    q: Array
    qd: Array
    qdd: Array
    tau: Array
    gravity: Array
    position: Array | None
    velocity: Array | None
    acceleration: Array | None
    groups: Array | None
    bearings: Array | None
    parts: Array | None

    @classmethod
    def of(cls, job: Job, keep: str) -> Kept:
        T, n = len(job.t), job.robot.n
        one, sums = Buffers.of(job, 0), keep != "totals"

        def room(*shape: int, wanted: bool = True) -> Any:
            return np.empty((T, *shape)) if wanted else None

        tool = sums and job.tool is not None
        return cls(
            q=room(n), qd=room(n), qdd=room(n), tau=room(n), gravity=room(n),
            position=room(3, wanted=tool), velocity=room(3, wanted=tool), acceleration=room(3, wanted=tool),
            groups=room(n, len(GROUPS), wanted=sums), bearings=room(*one.bearings.shape[1:], wanted=sums),
            parts=room(*one.parts.shape[1:], wanted=keep == "everything"),
        )  # fmt: skip

    def store(self, where: slice, motion: tuple[Array, ...], x: Buffers) -> None:
        self.q[where], self.qd[where], self.qdd[where] = motion
        self.tau[where], self.gravity[where] = x.tau, x.gravity
        if self.groups is not None:
            x.groups(self.groups[where])
        if self.bearings is not None:
            self.bearings[where] = x.bearings
        if self.parts is not None:
            self.parts[where] = x.parts


def run(job: Job, keep: str, threads: int | None, progress: Callable[[str], None] | None) -> tuple[Sums, Kept]:
    """The motion over the cores; `progress` is told how far it is."""
    kept, total = Kept.of(job, keep), Sums()
    weights = time_weights(job.t)
    lock, done = Lock(), [0]

    def work(block: slice, room: Buffers, sums: Sums, step: int) -> None:
        motion = job.at(block)
        for a in range(block.start, block.stop, step):
            piece = slice(a, min(a + step, block.stop))
            q, qd, qdd = here = tuple(x[a - block.start : piece.stop - block.start] for x in motion)
            x = room.cut(len(q))
            job.torques(piece, q, qd, qdd, x)
            _check_finite(x.tau, job.t[piece])
            sums.add(x, weights[piece])
            kept.store(piece, here, x)
            if kept.position is not None and kept.velocity is not None and kept.acceleration is not None:
                found = job.robot.frame_motion(q, qd, qdd, frame=job.tool or "")
                kept.position[piece], kept.velocity[piece] = found.position, found.velocity
                kept.acceleration[piece] = found.acceleration
        with lock:
            done[0] += block.stop - block.start
            if progress is not None:
                progress(f"{done[0]:,} of {len(job.t):,} samples ({100 * done[0] // len(job.t)} %)")

    def share(blocks: Iterator[slice]) -> Sums:
        room, sums = Buffers.of(job, PIECE), Sums()
        while True:
            with lock:
                block = next(blocks, None)
            if block is None:
                return sums
            work(block, room, sums, PIECE)

    # The first block is one piece: enough states that the robot's programs become machine code, once and not a thread.
    first = slice(0, min(BLOCK, len(job.t)))
    work(first, Buffers.of(job, first.stop), total, BLOCK)
    rest = iter([slice(a, min(a + BLOCK, len(job.t))) for a in range(first.stop, len(job.t), BLOCK)])
    if first.stop < len(job.t):
        count = threads or os.cpu_count() or 1
        with ThreadPoolExecutor(count, thread_name_prefix="dynamis") as pool:
            for sums in [task.result() for task in [pool.submit(share, rest) for _ in range(count)]]:
                total.join(sums)
    return total, kept


def _with(weighted: Array, x: Array) -> Array:
    """The sum over samples of weighted_i x_ic."""
    return np.stack([weighted[:, i] @ x[:, i, :] for i in range(x.shape[1])])


def _check_finite(tau: Array, t: Array) -> None:
    good = np.isfinite(tau)
    if not good.all():
        when = t[int(np.argmin(good.all(axis=1)))]
        raise ArgumentError(
            f"the motion gives torques that are not finite at t = {when:.6g} s; its q, qd and qdd are finite numbers",
            key="motion",
        )
