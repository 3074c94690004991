"""A motion through a robot, piece by piece: torques, their parts and their causes, gathered as they come.

Pieces of the motion go over the cores; what is not kept lives only as long as its piece, so that memory is bounded by
what the caller wants to keep. Sums over time are weighted with the trapezoidal rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, reduce
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.dynamics.parameter_torques import OF_LINK, of_drive
from dynamis.compute.mechanics.dynamics.reactions import BEARING
from dynamis.compute.mechanics.efficient.torque_components import SINGLE, SPRINGS, component_names
from dynamis.compute.quantities.arguments import Gravity
from dynamis.motion.load_over_time import AnyLoad, LoadedFunctions
from dynamis.motion.torque_budget.sizing import time_weights
from dynamis.robot import Robot

PIECE_SAMPLES = 1024
"""Samples of a piece: its parts fit the second-level cache."""
BLOCK_SAMPLES = 16384
"""Samples that the motion is asked for at once."""
GROUPS = ("inertial", "centrifugal", "Coriolis", "gravity", "friction", "rotor", "applied")
"""What torques are made of; and springs, of a robot with any."""

TOGETHER = ("centrifugal", "Coriolis")
"""The groups that are sums of parts; each other one is a part."""


@dataclass(frozen=True)
class Job:
    """What is asked: a robot under loads in gravity, the times, and `at(slice)` which gives q, qd, qdd there."""

    robot: Robot
    loads: tuple[AnyLoad, ...]
    gravity: Gravity
    tool: str | None
    t: Array
    at: Callable[[slice], tuple[Array, ...]]
    others: tuple[Robot, ...] = ()
    """The same robot with other payloads."""
    which: NDArray[np.intp] | None = None
    """Which of the robots, from 0, moves at each of the times; None where there is only one."""

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts of the torques by their names."""
        return tuple(component_names(self.robot.n, "stiffness" in self.robot.force_terms))

    @cached_property
    def functions(self) -> list[list[Callable[..., Any]]]:
        """Per robot f(q, qd, qdd, samples, out=...) of the torques, their parts, their causes, and the bearings."""
        names = ("inverse_dynamics", "torque_components", "parameter_torques", "bearing_loads")
        loaded = [LoadedFunctions(x, self.loads, self.gravity, self.t) for x in (self.robot, *self.others)]
        return [[functions.function(name) for name in names] for functions in loaded]

    def buffers(self, samples: int) -> Buffers:
        """Room for the torques of some samples."""
        n, links = self.robot.n, len(self.robot.links)
        drives = of_drive(self.robot.force_terms)
        parts, causes = len(self.parts), len(OF_LINK) * links + len(drives) + len(self.loads)
        shapes = (n,), (n, parts), (4, n), (n, causes), (links, len(BEARING)), (n, parts)
        return Buffers(*(np.empty((samples, *shape)) for shape in shapes))

    def torques(self, samples: Any, q: Array, qd: Array, qdd: Array, out: Buffers) -> None:
        """All torques of some samples into their buffers."""
        if self.which is None:
            self._torques_of(0, samples, q, qd, qdd, out)
            return
        places = np.arange(len(self.t))[samples]
        for k in np.unique(self.which[places]).tolist():
            here = self.which[places] == k
            room = self.buffers(int(here.sum()))
            self._torques_of(k, places[here], q[here], qd[here], qdd[here], room)
            for whole, part in zip(out, room, strict=True):
                whole[here] = part

    def _torques_of(self, k: int, samples: Any, q: Array, qd: Array, qdd: Array, out: Buffers) -> None:
        centrifugal, coriolis, _, total = out.sums.swapaxes(0, 1)
        rooms = (out.tau, (out.parts, centrifugal, coriolis, total), out.causes, out.bearings)
        for function, room in zip(self.functions[k], rooms, strict=True):
            function(q, qd, qdd, samples, out=room)
        np.subtract(out.tau, out.gravity, out=out.sums[:, 2])


class Buffers(NamedTuple):
    """The torques of some samples: (samples, ...) arrays."""

    tau: Array
    parts: Array
    sums: Array
    """The sums of the centrifugal parts, of the Coriolis parts, of all but gravity, of all: (samples, 4, n)."""
    causes: Array
    bearings: Array
    scratch: Array

    @property
    def gravity(self) -> Array:
        return self.parts[..., SINGLE.index("gravity")]


def groups_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The groups of parts with these names."""
    return (*GROUPS, SPRINGS) if SPRINGS in names else GROUPS


def group_parts(parts: Array, sums: Array, names: tuple[str, ...], out: Array | None = None) -> Array:
    """Values (..., n, groups), from those of the parts (..., n, parts), by name, and of their sums (..., 4, n)."""
    columns = [
        sums[..., TOGETHER.index(x), :] if x in TOGETHER else parts[..., names.index(x)] for x in groups_of(names)
    ]
    return np.stack(columns, axis=-1, out=out)


class Sums(NamedTuple):
    """What is gathered over samples: extremes and integrals; RULES say how those of two pieces are put together."""

    lowest: Array
    highest: Array
    squares: Array
    """The integrals of the squares of the parts: (n, parts)."""
    sum_lowest: Array
    sum_highest: Array
    sum_squares: Array
    """The same of `Buffers.sums`: (4, n)."""
    bearings: Array
    """The largest |value| of each."""
    parts_with_tau: Array
    """The integrals of tau_i times a part of it: (n, parts)."""
    causes_with_tau: Array
    residual: Array
    """The largest |sum of the parts - tau|."""

    @classmethod
    def of(cls, x: Buffers, weights: Array) -> Sums:
        """The sums of one piece, with the weights of its samples."""
        weighted, count = x.tau * weights[:, None], len(weights)
        squares = weights @ np.multiply(x.parts, x.parts, out=x.scratch).reshape(count, -1)
        sum_squares = weights @ (x.sums * x.sums).reshape(count, -1)
        return cls(
            x.parts.min(axis=0), x.parts.max(axis=0), squares.reshape(x.parts.shape[1:]),
            x.sums.min(axis=0), x.sums.max(axis=0), sum_squares.reshape(x.sums.shape[1:]),
            np.maximum(x.bearings.max(axis=0), -x.bearings.min(axis=0)),
            _with(weighted, x.parts), _with(weighted, x.causes), np.abs(x.sums[:, 3] - x.tau).max(),
        )  # fmt: skip

    def joined(self, other: Sums) -> Sums:
        """The sums of two pieces together."""
        return Sums(*(rule(a, b) for rule, a, b in zip(MERGE_RULES, self, other, strict=True)))


MERGE_RULES = (np.minimum, np.maximum, np.add) * 2 + (np.maximum, np.add, np.add, np.maximum)


@dataclass(frozen=True)
class History:
    """A motion sample by sample: (samples, ...) arrays; None is what was not kept (`keep` of `torque_budget`).

    `groups` are the torques by `groups_of` the parts (n, 7 or 8), `parts`
    by every joint and pair (n, parts); `bearings` are axial, radial
    and whole force [N], tilting, twisting and whole moment [N m] of every joint (links, 6); `position`, `velocity`
    and `acceleration` are the tool's, in base axes.
    """

    t: Array
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
    def empty(cls, job: Job, keep: str) -> History:
        """Room for what `keep` names."""
        n, one, sums = job.robot.n, job.buffers(0), keep != "totals"

        def room(*shape: int, needed: bool = True) -> Any:
            return np.empty((len(job.t), *shape)) if needed else None

        tool = sums and job.tool is not None
        return cls(
            job.t, *(room(n) for _ in range(5)), *(room(3, needed=tool) for _ in range(3)),
            groups=room(n, len(groups_of(job.parts)), needed=sums), bearings=room(*one.bearings.shape[1:], needed=sums),
            parts=room(*one.parts.shape[1:], needed=keep == "everything"),
        )  # fmt: skip

    @property
    def without_gravity(self) -> Array:
        """The torques of the same motion where nothing weighs anything: (samples, n)."""
        return self.tau - self.gravity

    @property
    def ratio(self) -> Array:
        """Torque without gravity / torque with gravity; not finite where the latter is zero: (samples, n)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.without_gravity / self.tau

    @property
    def power(self) -> Array:
        """tau qd of every joint [W]: (samples, n)."""
        return self.tau * self.qd


def run(job: Job, keep: str, threads: int | None, progress: Callable[[str], None] | None) -> tuple[Sums, History]:
    """The motion over the cores; `progress` is told how far it is."""
    history, weights = History.empty(job, keep), time_weights(job.t)
    lock, done = Lock(), [0]

    def work(block: slice, room: Buffers, step: int) -> Iterator[Sums]:
        motion = job.at(block)
        for a in range(block.start, block.stop, step):
            piece = slice(a, min(a + step, block.stop))
            q, qd, qdd = (x[a - block.start : piece.stop - block.start] for x in motion)
            x = Buffers(*(array[: len(q)] for array in room))
            job.torques(piece, q, qd, qdd, x)
            _check_finite(x.tau, job.t[piece])
            _store(job, history, piece, (q, qd, qdd), x)
            yield Sums.of(x, weights[piece])
        with lock:
            done[0] += block.stop - block.start
            if progress is not None:
                progress(f"{done[0]:,} of {len(job.t):,} samples ({100 * done[0] // len(job.t)} %)")

    def share(blocks: Iterator[slice]) -> list[Sums]:
        room, sums = job.buffers(PIECE_SAMPLES), list[Sums]()
        while True:
            with lock:
                block = next(blocks, None)
            if block is None:
                return sums
            sums.append(reduce(Sums.joined, work(block, room, PIECE_SAMPLES)))

    # The first block is one piece: enough states that the robot's programs become machine code, once and not a thread.
    first = slice(0, min(BLOCK_SAMPLES, len(job.t)))
    sums = [*work(first, job.buffers(first.stop), BLOCK_SAMPLES)]
    rest = iter([slice(a, min(a + BLOCK_SAMPLES, len(job.t))) for a in range(first.stop, len(job.t), BLOCK_SAMPLES)])
    if first.stop < len(job.t):
        count = threads or os.cpu_count() or 1
        with ThreadPoolExecutor(count, thread_name_prefix="dynamis") as pool:
            for task in [pool.submit(share, rest) for _ in range(count)]:
                sums += task.result()
    return reduce(Sums.joined, sums), history


def _store(job: Job, history: History, piece: slice, motion: tuple[Array, ...], x: Buffers) -> None:
    """The samples of a piece in their places."""
    values: dict[str, Array] = dict(zip(("q", "qd", "qdd"), motion, strict=True))
    values |= {"tau": x.tau, "gravity": x.gravity, "bearings": x.bearings, "parts": x.parts}
    if history.position is not None:
        tool = job.robot.frame_motion(*motion, frame=job.tool or "")
        values |= {"position": tool.position, "velocity": tool.velocity, "acceleration": tool.acceleration}
    for name, value in values.items():
        if (room := getattr(history, name)) is not None:
            room[piece] = value
    if history.groups is not None:
        group_parts(x.parts, x.sums, job.parts, out=history.groups[piece])


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
