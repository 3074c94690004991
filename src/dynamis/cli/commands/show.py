"""`dynamis show`: a robot as tables."""

from __future__ import annotations

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json


def command(robot: RobotArgument, values: SetOption = None, as_json: JsonOption = False) -> None:
    """Show a robot: joints from 1, frames, masses, limits, the chain of transforms."""
    from dynamis.model.description import as_dict

    loaded = load_robot(robot, values)
    if as_json:
        print_json(as_dict(loaded))
    else:
        print(loaded)
