"""A robot on its sheet, in a drawing, or one link of it with its forces."""

from __future__ import annotations

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option_name
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.motion.single_states.show import Show
from dynamis.telling.drawing.drawing import Drawing


def show_robot(asked: Show) -> RobotSheet | Drawing:
    """The sheet, unless there is a figure or the free body of a link to draw."""
    robot, link = asked.robot, asked.free_body
    if asked.figure is None and link is None:
        return RobotSheet(robot, drawn=True, weightless=asked.gravity is False)
    if link is None:
        return robot.draw(
            asked.q, asked.qd, asked.qdd, loads=asked.loads, gravity=asked.gravity, reactions=asked.reactions,
            frames=asked.frames, dimensions=asked.dimensions,
        )  # fmt: skip
    for name, given in ("reactions", asked.reactions), ("no_frames", asked.frames), ("no_dimensions", asked.dimensions):
        if given is not None and given == (name == "reactions"):
            options = f"{option_name(name)} and {option_name('free_body')}"
            raise ArgumentError(f"{options} exclude each other; a free body has all its forces")
    return robot.free_body(link, asked.q, asked.qd, asked.qdd, loads=asked.loads, gravity=asked.gravity)
