"""What every question about a robot in a state has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, TypeVar

from dynamis.base.verb import Verb, option, verb

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dynamis.compute.quantities.arguments import Gravity
    from dynamis.model.loads import Load
    from dynamis.robot import Robot

R = TypeVar("R")


@verb
class AtState(Verb[R]):
    """A robot in a state, or in several, under loads."""

    robot: Robot = option("the robot, with numbers for its parameters", kind="robot in a state")
    q: ArrayLike = option("joint positions (..., n)", "rad or m", kind="joints")
    qd: ArrayLike | None = option(
        "joint velocities (..., n), zero if left out", "rad/s or m/s", default=None, kind="joints"
    )
    qdd: ArrayLike | None = option(
        "joint accelerations (..., n), zero if left out", "rad/s^2 or m/s^2", default=None, kind="joints"
    )
    _: KW_ONLY
    loads: Sequence[Load] = option("forces, moments and wrenches on links", default=(), kind="loads")
    gravity: Gravity = option("True for the robot's own, False, or a vector [m/s^2]", default=True, kind="acceleration")
