"""Where coupled joints close a loop: points of two links that coincide at every q.

A model is a tree, and the coupling of a parallelogram says nothing of the joint that was cut. But the two links that it
joined still meet there: the points u of link i and v of link j with p_i(q) + R_i(q) u = p_j(q) + R_j(q) v for all q
follow from linear equations at a few q. A solution that is unique, but for a shift along one axis, is the cut joint.
Links that meet whatever their joints do, such as those of a spherical wrist, close nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.compute.mechanics.mechanism import Mechanism, state_at
from dynamis.model.robot import RobotModel
from dynamis.telling.drawing.numbers import array

RANDOM_STATES = 6
"""Three equations each, for six unknowns: more than enough, so that chance solves nothing."""
RELATIVE_ZERO = 1e-9
"""What is below this share of the largest one is zero: lengths, singular values."""

Place = tuple[Array, Array]
"""The axes and the joint point of a link, in the base frame."""


@dataclass(frozen=True)
class Closing:
    """A joint that closes a loop: the numbers of its links (0 for the base), and its point in the axes of each.

    `axis` is that of a revolute one, in the axes of the first link; None for a ball joint.
    """

    links: tuple[int, int]
    points: tuple[Array, Array]
    axis: Array | None


def closings(robot: RobotModel, m: Mechanism[float]) -> tuple[Closing, ...]:
    """The joints that close loops; none where no joint is coupled."""
    if m.coupling is None:
        return ()
    states = np.random.default_rng(1).uniform(-1.0, 1.0, (RANDOM_STATES, m.joints))
    coupled = [_places(m, row[: robot.n]) for row in states]
    loose = [_places(replace(m, coupling=None), row) for row in states]
    moving = [0, *(k for k, link in enumerate(robot.links, 1) if link.joint.moves)]
    names = [robot.base, *(link.name for link in robot.links)]
    parents = ["", *(link.parent for link in robot.links)]
    rows: list[Closing] = []
    for i, j in combinations(moving, 2):
        if names[i] != parents[j] and names[j] != parents[i]:
            closing = _closing(coupled, i, j)
            if closing is not None and _closing(loose, i, j) is None:
                rows.append(closing)
    return tuple(rows)


def _places(m: Mechanism[float], q: Array) -> list[Place]:
    links = m.of_links(poses(m, state_at(m, q.tolist())))
    return [(np.eye(3), np.zeros(3)), *((array(at.R), np.array([*at.p])) for at in links)]


def _closing(states: Sequence[list[Place]], i: int, j: int) -> Closing | None:
    """R_i u - R_j v = p_j - p_i at all states, by least squares; None where that has no solution or many."""
    A = np.concatenate([np.hstack([places[i][0], -places[j][0]]) for places in states])
    b = np.concatenate([places[j][1] - places[i][1] for places in states])
    U, sizes, Vt = np.linalg.svd(A, full_matrices=False)
    rank = int((sizes > RELATIVE_ZERO * sizes[0]).sum())
    x = Vt[:rank].T @ ((U[:, :rank].T @ b) / sizes[:rank])
    if rank < 5 or np.abs(A @ x - b).max() > RELATIVE_ZERO * np.abs(b).max():
        return None
    # The shift that is left goes along the axis on both links.
    axis = None if rank == 6 else Vt[5, :3] / np.linalg.norm(Vt[5, :3])
    return Closing((i, j), (x[:3], x[3:]), axis)
