"""Learning on every shipped robot, and on an arm of five skew axes: does the torque converge to the analytic one?

Every mass and every inertia that the controller believes in is 20 % too large or too small, by chance. Robots with
symbols get numbers, by chance too. All joints move at once, with gravity and with the robot's friction, and nothing
stops the trials but divergence. Beside the default, which learns from the next sample (ahead=1), stands ahead=0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.base.errors import UnphysicalWarning
from dynamis.library import load, robots
from dynamis.model.inertia import Inertia
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.model.link import Joint, Link
from dynamis.motion.trajectories.polynomials import quintic
from dynamis.robot import Robot
from dynamis.simulation.learning.learn import learn

SEED = 20250711
CORRECTIONS = (0, 10, 30, 100)
"""After so many, the errors are told; 0 is the first trial."""
SIZES = {"l": 0.5, "d": 0.25, "r": 0.2, "m": 2.0, "I": 0.05}
"""Of a length, a distance of a CoM [m], a mass [kg] and an inertia [kg m^2], by the first letter of the symbol."""
SKEW = "skew-five"


@dataclass(frozen=True)
class Row:
    """A robot: tracking errors [rad or m] and distances from the analytic torque, one per entry of CORRECTIONS (none
    after the end), how long a sample lasts [s], and after which trial ahead=0 diverged, None if it did not."""

    robot: str
    joints: int
    period: float
    errors: tuple[float, ...]
    distances: tuple[float, ...]
    diverged: bool
    without_ahead: int | None


def rows(
    names: Sequence[str] = (), duration: float = 1.0, period: float = 1e-3,
    progress: Callable[[str], None] | None = None,
) -> list[Row]:  # fmt: skip
    """One row per robot, of all by default."""
    table: list[Row] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        for name in names or (*robots(), SKEW):
            if progress:
                progress(name)
            table.append(_row(name, duration, period))
    return table


def _row(name: str, duration: float, period: float) -> Row:
    robot, random = numeric_robot(name), np.random.default_rng(SEED)
    start = np.full(robot.n, 0.1)
    motion = quintic(start, start + random.uniform(0.2, 0.6, robot.n) * random.choice([-1, 1], robot.n), duration)
    options: dict[str, Any] = {"model": with_mass_error(robot, 20, SEED), "period": period, "patience": 0}
    learned = learn(robot, motion, trials=max(CORRECTIONS) + 1, **options)
    trials = [learned.trials[k] for k in CORRECTIONS if k < len(learned.trials)]
    other = learn(robot, motion, trials=max(CORRECTIONS) + 1, ahead=0, **options)
    return Row(
        name, robot.n, period, tuple(x.error for x in trials), tuple(x.torque_distance for x in trials),
        learned.diverged, len(other.trials) if other.diverged else None,
    )  # fmt: skip


def numeric_robot(name: str) -> Robot:
    """A robot by its name, with numbers for its symbols, or the arm of five skew axes."""
    if name == SKEW:
        return skew_five()
    robot, random = load(name), np.random.default_rng(SEED)
    return robot.with_values({symbol: SIZES[symbol[0]] * random.uniform(0.7, 1.3) for symbol in robot.missing_values})


def skew_five() -> Robot:
    """A spatial arm of five joints with skew axes, one of them prismatic, and products of inertia."""
    table: list[Any] = [
        ("revolute", (0.1, 0.2, 1.0), "Tz(0.31)", 2.73, (0.02, -0.13, 0.07), (0.031, 0.027, 0.019)),
        ("revolute", (0.9, -0.35, 0.25), "Tx(0.12) Rz(0.37)", 2.11, (0.17, 0.03, -0.02), (0.012, 0.041, 0.043)),
        ("prismatic", (0.2, 1.0, -0.45), "Tx(0.34) Ry(-0.42)", 1.37, (0.11, -0.04, 0.06), (0.009, 0.021, 0.022)),
        ("revolute", (1.0, 0.6, 0.1), "Tx(0.27) Rx(0.83)", 0.83, (0.05, 0.07, 0.02), (0.006, 0.004, 0.007)),
        ("revolute", (-0.3, 0.8, 0.7), "Tx(0.15) Rz(-0.71)", 0.46, (0.06, -0.01, 0.05), (0.002, 0.003, 0.0025)),
    ]
    links: list[Link] = []
    for k, (kind, axis, before, mass, com, moments) in enumerate(table, 1):
        fields: dict[str, Any] = {"before": before, "axis": (np.array(axis) / np.linalg.norm(axis)).tolist()}
        tensor: Any = (np.diag(moments) + 0.1 * min(moments) * (1 - np.eye(3))).tolist()
        parent = f"link{k - 1}" if links else "base"
        links.append(Link(f"link{k}", Joint(f"j{k}", kind, **fields), parent, mass, com, Inertia(tensor)))
    return Robot(SKEW, tuple(links))
