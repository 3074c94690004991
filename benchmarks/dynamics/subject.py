"""What is measured: a robot without friction, a quantity of it, and the states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.errors import UnknownNameError
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.quantities.reference import plain
from dynamis.compute.quantities.registry import quantity
from dynamis.library import load
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Limits, Link
from dynamis.model.loads import Load
from dynamis.robot import ALL_ROWS, Robot

Array = NDArray[Any]
SEED = 2026
ARMS = ("bar-2r", "puma560", "ur5", "panda")
CHAINS = (20, 50, 100)
ROBOTS = (*ARMS, *(f"chain-{n}" for n in CHAINS))
QUANTITIES = (
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_mass_matrix", "cholesky", "coriolis_matrix",
    "coriolis_torque", "gravity_torque", "bias_torque", "kinetic_energy", "potential_energy", "forward_kinematics",
    "jacobian", "bias_acceleration", "regressor", "operational_inertia", "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives", "reactions",
)  # fmt: skip
OF_CHAINS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity_torque", "inverse_dynamics_derivatives")
MOST_BYTES = 256 * 2**20
"""The most bytes of all arrays of a batch; a quantity with large results has a smaller batch."""
NO_LOADS: tuple[Load, ...] = ()


def robot_named(name: str) -> Robot:
    """A shipped robot or a random chain, without friction, every joint with a range.

    Pinocchio's torques contain no friction, and it gives a joint without a range two coordinates.
    """
    if not is_robot(name):
        raise UnknownNameError("robot", name, ROBOTS)
    return bare(load(name)) if name in ARMS else chain(int(name.removeprefix("chain-")))


def is_robot(name: str) -> bool:
    """Whether it is a robot of this benchmark: one of the arms, or a chain of 1 to 200 joints."""
    joints = name.removeprefix("chain-")
    return name in ARMS or (name != joints and joints.isdigit() and 1 <= int(joints) <= 200)


def bare(robot: Robot) -> Robot:
    """The robot without friction, all its moving joints with the same wide range."""
    limits: Any = Limits(-100, 100)  # type: ignore[arg-type]
    none: Any = 0
    links = [
        replace(link, joint=replace(link.joint, kind=_ranged(link.joint), damping=none, coulomb=none, limits=limits))
        for link in robot.links
    ]
    return replace(robot, links=tuple(links))


def _ranged(joint: Joint) -> Any:
    return "revolute" if joint.kind == "continuous" else joint.kind


def chain(n: int, seed: int = SEED) -> Robot:
    """A chain of n revolute joints with random modified Denavit-Hartenberg frames and random bodies."""
    rng = np.random.default_rng([seed, n])
    links: list[Link] = []
    for k in range(1, n + 1):
        a, d, twist = rng.uniform(0.05, 0.3), rng.uniform(-0.1, 0.1), rng.uniform(-np.pi, np.pi)
        before: Any = f"Rx({twist:.3f}) Tx({a:.3f}) Tz({d:.3f})"
        root = rng.uniform(-0.1, 0.1, (3, 3))
        second = 0.005 * np.eye(3) + root @ root.T  # of the masses: any positive one is some body's
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = (np.trace(second) * np.eye(3) - second).round(5).tolist()
        six: Any = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
        com: Any = tuple(rng.uniform(-0.1, 0.1, 3).round(3).tolist())
        mass: Any = round(rng.uniform(0.5, 2.0), 3)
        parent = f"link{k - 1}" if k > 1 else "base"
        links.append(Link(f"link{k}", Joint(f"q{k}", before=before), parent, mass, com, Inertia.of(**six)))
    gravity: Any = (0, 0, -9.81)
    return bare(Robot(f"chain-{n}", tuple(links), gravity=gravity))


@dataclass(frozen=True)
class Subject:
    """A quantity of a robot at `batch` states; `arrays` are its inputs, (batch, n) each."""

    robot: Robot
    quantity: str
    batch: int

    @classmethod
    def of(cls, robot: Robot, name: str, batch: int) -> Subject:
        """At most `batch` states: as many as the memory is for."""
        function = robot.compile(name)
        size = 8 * sum(x.count for x in (*function.program.inputs, *function.program.outputs))
        return cls(robot, name, max(1, min(batch, MOST_BYTES // size)))

    @cached_property
    def function(self) -> ArrayFunction:
        return self.robot.compile(self.quantity)

    @cached_property
    def options(self) -> dict[str, str]:
        """What the quantity takes beyond the state, as the verbs have it."""
        defaults = {"frame": "tool", "relative_to": self.robot.base, "convention": "joint", "rows": ALL_ROWS}
        return {key: defaults[key] for key in quantity(self.quantity).options}

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """Joint positions between 0.3 and 1.3 rad, where no wrist is straight; the rest between -1 and 1."""
        rng = np.random.default_rng(SEED)
        shifts = [0.8 if name == "q" else 0.0 for name in self.inputs]
        reach = [0.5 if name == "q" else 1.0 for name in self.inputs]
        shape = self.batch, self.robot.n
        return tuple(rng.uniform(a - b, a + b, shape) for a, b in zip(shifts, reach, strict=True))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return tuple(x.name for x in self.function.program.inputs)

    @property
    def bytes_a_state(self) -> int:
        return 8 * sum(x.count for x in (*self.function.program.inputs, *self.function.program.outputs))

    def results(self, count: int) -> tuple[Array, ...]:
        """What dynamis gives for the first states."""
        return as_tuple(self.function(*(array[:count] for array in self.arrays)))

    def plain_results(self, count: int) -> tuple[Array, ...]:
        """The same by the plain path."""
        options: dict[str, Any] = {**self.options}
        return plain(self.robot, self.quantity, *(array[:count] for array in self.arrays), **options)


def as_tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)  # type: ignore[return-value]
