"""What can be asked of a robot to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from dynamis.compute.quantities.arguments import Gravity
    from dynamis.model.loads import Load
    from dynamis.model.robot import RobotModel
    from dynamis.robot import Robot
    from dynamis.telling.result import Result as Result


@verb
class Show(Verb["Result"]):
    """Show a robot: joints from 1, frames, masses, limits, transforms; or draw it in a state, whole or one link."""

    answer = "dynamis.motion.single_states.sheet_or_drawing:show_robot"

    robot: Robot = option("the robot", kind="drawn robot")
    q: ArrayLike | None = option(
        "joint positions; a pose that shows it well if left out", "rad or m", default=None, kind="joints"
    )
    qd: ArrayLike | None = option("joint velocities, zero if left out", default=None, kind="joints")
    qdd: ArrayLike | None = option("joint accelerations, zero if left out", default=None, kind="joints")
    _: KW_ONLY
    figure: str | None = option(
        "draw the robot: .svg, .pdf, .png, .tikz (to input) or .tex (a whole file)", default=None,
        metavar="FILE",
    )  # fmt: skip
    loads: Sequence[Load] = option("forces, moments and wrenches on links", default=(), kind="loads")
    gravity: Gravity = option("True for the robot's own, False, or a vector [m/s^2]", default=True, kind="acceleration")
    reactions: bool = option("also the reactions of the joints", default=False)
    free_body: str | None = option(
        "the free body of a link: its five groups of forces", default=None, metavar="LINK",
        offered="dynamis.motion.single_states.show:links(robot)",
    )  # fmt: skip
    frames: bool | None = option(
        "the axes of the frames: of up to eight links, if left out", default=None, kind="without"
    )
    dimensions: bool | None = option(
        "lengths and twists: of up to eight links, if left out", default=None, kind="without"
    )


show = function(Show)


def links(robot: RobotModel) -> list[str]:
    """The names of the links."""
    return [link.name for link in robot.links]
