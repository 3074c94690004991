"""Random forces of joints, by their textbook formulas and in a robot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamis import Joint, Robot
from dynamis.base.arrays import Array


@dataclass(frozen=True)
class Forces:
    """The forces of the joints of a robot, (joints,) each, by their textbook formulas."""

    damping: Array
    coulomb: Array
    stribeck: Array
    stribeck_speed: Array
    friction_offset: Array
    stiffness: Array
    rest: Array

    def friction(self, qd: Array) -> Array:
        level = self.coulomb + self.stribeck * np.exp(-((qd / self.stribeck_speed) ** 2))
        return self.damping * qd + level * np.sign(qd) + self.friction_offset

    def spring(self, q: Array) -> Array:
        return self.stiffness * (q - self.rest)

    def energy(self, q: Array) -> Array:
        return (self.stiffness * (q - self.rest) ** 2).sum(axis=-1) / 2

    def on(self, robot: Robot) -> Robot:
        joints = iter(range(len(robot.joints)))

        def forced(joint: Joint) -> Joint:
            if not joint.moves:
                return joint
            k = next(joints)
            fields: dict[str, Any] = {key: float(values[k]) for key, values in vars(self).items()}
            return replace(joint, **fields)

        return replace(robot, links=tuple(replace(x, joint=forced(x.joint)) for x in robot.links))


def random_forces(rng: np.random.Generator, joints: int) -> Forces:
    """Those of friction that brakes at any speed."""
    coulomb = rng.uniform(0.1, 2, joints)
    stribeck = rng.uniform(-1, 1, joints) * coulomb
    return Forces(
        rng.uniform(0, 2, joints), coulomb, stribeck, rng.uniform(0.05, 1, joints),
        rng.uniform(-1, 1, joints) * np.minimum(coulomb, coulomb + stribeck), rng.uniform(0, 20, joints),
        rng.normal(size=joints),
    )  # fmt: skip
