"""All joint values that bring an arm to a target: what the closed forms give."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import UnknownNameError
from dynamis.model.coordinate import Coordinate
from dynamis.model.joint_limits import JointLimits
from dynamis.motion.inverse_kinematics.joint_values import values_blocks, values_columns
from dynamis.motion.inverse_kinematics.screws import Screws
from dynamis.telling.blocks import Document, Words
from dynamis.telling.result import Result

REACH_TOLERANCE = 1e-9
"""A target this far out of reach, over the size of the arm, is rounding: the arm is stretched."""


@dataclass(frozen=True, eq=False)
class Branches(Result):
    """Joint values q (..., branches, n) of every target, one per coordinate; NaN where a branch does not exist."""

    names: tuple[str, ...]
    q: Array
    exists: NDArray[np.bool_]
    within_limits: NDArray[np.bool_]
    """Whether the branch keeps all joint limits (a whole turn more or less was tried)."""
    beyond: Array
    """How far [m] each target is out of reach; 0 where it is reached."""
    message: str
    """What was found; how far a target that cannot be reached is away, and why."""
    coordinates: tuple[Coordinate, ...]
    """Those of the robot, which the values `q` are of."""
    methods: tuple[str, ...] = ()
    """The closed form, of the methods in telling/works.toml."""

    def _short(self) -> str:
        return f"{int(self.exists.sum())} of {self.exists.size} branches exist"

    def document(self) -> Document:
        """The message, and one row per branch that exists: its joint values, and whether they keep the limits."""
        *places, branch = np.nonzero(self.exists)
        target = np.ravel_multi_index(tuple(places), self.exists.shape[:-1]) if places else np.zeros(len(branch), int)
        before: dict[str, NDArray[Any]] = {"target": target + 1} if places else {}
        before |= {"branch": np.array(self.names)[branch], "within limits": self.within_limits[self.exists]}
        q = self.q[self.exists]
        return Document(
            "",
            (Words(self.message), *values_blocks(self.coordinates, q, before)),
            data=self._data,
            columns=lambda: values_columns(self.coordinates, q, {**before, "branch": branch + 1}),
            methods=self.methods,
        )

    def _data(self) -> dict[str, Any]:
        return {
            "message": self.message, "joints": [c.name for c in self.coordinates],
            "lengths": [c.length for c in self.coordinates], "branches": self.names, "q": self.q,
            "exists": self.exists, "within_limits": self.within_limits, "beyond": self.beyond,
        }  # fmt: skip

    def branch(self, name: str) -> Array:
        """The joint values of one branch: (..., n)."""
        if name not in self.names:
            raise UnknownNameError("branch", name, self.names)
        return self.q[..., self.names.index(name), :]


def branches(
    arm: Screws,
    method: str,
    names: tuple[str, ...],
    q: Array,
    exists: NDArray[np.bool_],
    beyond: Array,
    why: NDArray[np.str_],
) -> Branches:
    """The result of a closed form, a `method` of telling/works.toml, from its joint values q (..., branches, k).

    Angles are brought within the limits where whole turns can bring them there; of coupled joints the coordinates are
    given, and the limits of both are kept.
    """
    limits, of_joints = arm.limits, arm.joint_limits
    q = np.where(exists[..., None], nearest_turn(q, of_joints), np.nan)
    within = limits.within(arm.coordinates(q)) & of_joints.within(q)
    for turns in product((0.0, 1.0, -1.0), repeat=len(arm.z)) if arm.robot.coupled else ():
        other = q + 2 * np.pi * np.array(turns)
        better = ~within & limits.within(arm.coordinates(other)) & of_joints.within(other)
        q, within = np.where(better[..., None], other, q), within | better
    beyond = np.where(exists.any(axis=-1), 0.0, beyond)
    message = _message(exists, within, beyond, why)
    return Branches(names, arm.coordinates(q), exists, within, beyond, message, arm.robot.coordinates, (method,))


def _message(exists: NDArray[np.bool_], within: NDArray[np.bool_], beyond: Array, why: NDArray[np.str_]) -> str:
    reached = exists.any(axis=-1)
    if exists.ndim == 1:
        if reached:
            return f"{int(exists.sum())} branches, {int(within.sum())} within the joint limits"
        return f"the target is out of reach by {float(beyond):.6g} m: {why[()]}"
    if reached.all():
        return f"all {reached.size} targets are reached"
    k = int(np.flatnonzero(~reached.ravel())[0])
    return (
        f"{int(reached.sum())} of {reached.size} targets are reached; target {k + 1} is out of reach by "
        f"{float(beyond.ravel()[k]):.6g} m: {why.ravel()[k]}"
    )


def nearest_turn(q: Array, limits: JointLimits) -> Array:
    """Angles of closed forms, known up to whole turns: within (-pi, pi], or within the limits where that can be."""
    base = q - 2 * np.pi * np.round(q / (2 * np.pi))
    angles = base
    for more in (2 * np.pi, -2 * np.pi):
        outside = (angles < limits.lower) | (angles > limits.upper)
        other = base + more
        inside = (other >= limits.lower) & (other <= limits.upper)
        angles = np.where(limits.revolute & outside & inside, other, angles)
    return np.where(limits.revolute, angles, q)
