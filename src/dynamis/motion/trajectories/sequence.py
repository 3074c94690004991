"""Motions one after the other, with dwells between them: a cycle as one trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.motion.trajectories.document import trajectory_document
from dynamis.motion.trajectories.piecewise import JointTrajectory, resting
from dynamis.motion.trajectories.trajectory import Motion, Peaks, Trajectory, clip_times, joint_count, sampled_peaks
from dynamis.telling.blocks import Document
from dynamis.telling.result import Result

SAME_PLACE = 1e-6
"""How far a motion may start from where the one before has ended [rad or m]: files and inverse kinematics round."""


@dataclass(frozen=True, eq=False)
class MotionSequence(Result):
    """Trajectories one after the other."""

    parts: tuple[Trajectory, ...]

    @cached_property
    def ends(self) -> Array:
        """When each part ends [s], after 0: (parts + 1,)."""
        return np.concatenate([[0.0], np.cumsum([part.duration for part in self.parts])])

    @property
    def duration(self) -> float:
        """[s]"""
        return float(self.ends[-1])

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.parts[0].n

    @cached_property
    def breaks(self) -> Array:
        """The times [s] where a part ends, or a piece of one."""
        inner: list[Array] = [
            start + np.asarray(getattr(getattr(part, "law", part), "breaks", ()), np.float64).ravel()
            for start, part in zip(self.ends[:-1], self.parts, strict=True)
        ]
        times = np.concatenate([self.ends, *inner])
        return np.unique(times[times <= self.duration])

    def __repr__(self) -> str:
        return f"<MotionSequence of {len(self.parts)} parts: {joint_count(self.n)}, {self.duration:g} s>"

    def document(self) -> Document:
        """The ends and peaks of every joint, and the motion over time."""
        return trajectory_document(self, f"{len(self.parts)} parts one after the other")

    def peaks(self) -> Peaks:
        """The range of q and the largest |qd|, |qdd| of every joint, sampled at thousands of instants; no jerk."""
        return sampled_peaks(self, self.breaks)

    def sentences(self) -> list[str]:
        """The parts, and what the motions say of themselves."""
        parts = ", ".join(f"{getattr(part, 'kind', 'motion')} {part.duration:g} s" for part in self.parts)
        told = [(k, getattr(part, "sentences", list[str])) for k, part in enumerate(self.parts, 1)]
        inner = [f"part {k}: {sentence}" for k, sentences in told for sentence in sentences()]
        return [f"{len(self.parts)} part{'s' * (len(self.parts) != 1)}: {parts}", *inner]

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s] of any shape: t.shape + (n,) each; at rest before and after."""
        times, outside = clip_times(t, self.duration)
        place = np.clip(np.searchsorted(self.ends, times, "right") - 1, 0, len(self.parts) - 1)
        q, qd, qdd = (np.zeros((*times.shape, self.n)) for _ in range(3))
        for k, part in enumerate(self.parts):
            here = place == k
            if not here.any():
                continue
            q[here], qd[here], qdd[here] = part.at(np.minimum(times[here] - self.ends[k], part.duration))
        qd[outside] = qdd[outside] = 0.0
        return q, qd, qdd


def sequence(parts: Sequence[Any]) -> MotionSequence:
    """Trajectories one after the other as one; a number among them is a dwell [s].

    Each motion starts where the one before has ended.

    >>> import dynamis
    >>> there, back = dynamis.trajectories.quintic([0.0], [1.0], 1), dynamis.trajectories.quintic([1.0], [0.0], 2)
    >>> cycle = dynamis.trajectories.sequence([there, 0.5, back])
    >>> cycle.duration, cycle.at(1.25)[0]
    (3.5, array([1.]))
    """
    if not isinstance(parts, list | tuple):
        raise ArgumentError(f"parts must be a list of trajectories and dwells [s], got {literal(parts)}", key="parts")
    given = cast("list[Any]", parts)
    first = next((x for x in given if isinstance(x, Trajectory)), None)
    if first is None:
        raise ArgumentError("parts has no motion; a sequence has at least one trajectory", key="parts")
    place: Array = first.at(0.0)[0]
    checked: list[Trajectory] = []
    for k, x in enumerate(given, 1):
        if not isinstance(x, Trajectory):
            duration = positive(f"the dwell of part {k}", x, "s")
            x = JointTrajectory("dwell", tuple(resting(float(q), duration) for q in place))
        if x.n != first.n:
            raise ArgumentError(f"part {k} has {joint_count(x.n)}; the first motion has {first.n}", key="parts")
        apart = np.abs(x.at(0.0)[0] - place)
        j = int(np.argmax(apart))
        if apart[j] > SAME_PLACE:
            raise ArgumentError(
                f"part {k} starts {apart[j]:.6g} away from where the one before has ended, at joint {j + 1}; each "
                "motion must start where the one before has ended",
                key="parts",
            )
        checked.append(x)
        place = x.at(x.duration)[0]
    return MotionSequence(tuple(checked))
