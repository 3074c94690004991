"""`dynamis convert`: a robot written as another kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.options import ForceOption, JsonOption, RobotArgument, SetOption, load_robot
from dynamis.cli.output import check_output, write_page
from dynamis.formats.robot_formats import usual_suffixes


def command(
    robot: RobotArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help=f"Where to write: a {usual_suffixes(True)} file.")],
    values: SetOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a robot as another kind of file, such as URDF; inertias, friction and frames come along."""
    from dynamis.cli.robot_files import Conversion
    from dynamis.library import file_text, save

    check_output(output, force)
    conversion = Conversion(load_robot(robot, values), output)
    if as_json:
        save(conversion.robot, output)
        print(conversion.to_json())
    else:
        write_page(file_text(conversion.robot, output), output, conversion.title)
