"""`dynamis show`: a robot as tables."""

from __future__ import annotations

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot


def command(robot: RobotArgument, values: SetOption = None, as_json: JsonOption = False) -> None:
    """Show a robot: joints from 1, frames, masses, limits, the chain of transforms."""
    from dynamis.model.description import RobotDescription

    description = RobotDescription(load_robot(robot, values))
    print(description.to_json() if as_json else description)
