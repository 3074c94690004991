"""`dynamis convert`: a robot written as another kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.options import ExactAnglesOption, ForceOption, JsonOption, RobotArgument, SetOption, load_robot
from dynamis.cli.output import PageTarget, check_output
from dynamis.cli.provenance import command_provenance
from dynamis.model.formats.robot_formats import usual_suffixes


def command(
    robot: RobotArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help=f"Where to write: a {usual_suffixes(True)} file.")],
    values: SetOption = None,
    exact_angles: ExactAnglesOption = False,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a robot as another kind of file, such as URDF; inertias, friction and frames come along."""
    from dynamis.base.writing import write_text
    from dynamis.cli.robot_files import Conversion
    from dynamis.library import file_text
    from dynamis.model.exact_angles import with_exact_angles

    check_output(output, force)
    arm = load_robot(robot, values)
    conversion = Conversion(with_exact_angles(arm) if exact_angles else arm, output)
    origin = command_provenance(robot=robot)
    text = file_text(conversion.robot, output, str(origin))
    if as_json:
        write_text(output, text)
        print(conversion.to_json(provenance=origin))
    else:
        PageTarget("text", output).write(text, conversion.title)
