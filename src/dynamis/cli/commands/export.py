"""`dynamis export`: a robot's functions as code in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.apps.exports.target import TARGETS
from dynamis.cli.completion import completed
from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot
from dynamis.cli.provenance import command_provenance


def command(
    robot: RobotArgument,
    to: Annotated[
        str,
        typer.Option(
            metavar="TARGET",
            help=f"The language or the machine: {', '.join(TARGETS)}.",
            autocompletion=completed("target"),
        ),
    ],
    functions: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What to export, with commas: quantities (jacobian:frame=tool), control laws (pd-gravity), steps "
            "(step:control=pd-gravity), all; by default the usual ones.",
            autocompletion=completed("function"),
        ),
    ] = None,
    parameters: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="What stays an argument, with commas: m1, forearm.mass, payload, gravity, ..."
        ),
    ] = None,
    style: Annotated[
        str,
        typer.Option(
            metavar="STYLE",
            help="fast: few operations; readable: the closed form in the textbook's names, for small robots.",
            autocompletion=completed("style"),
        ),
    ] = "fast",
    values: SetOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write; ROBOT-TARGET if left out.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that has files.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a robot's functions as code in another language, with test vectors and a self-check."""
    from dynamis.apps.exports.export import export
    from dynamis.apps.exports.syntax import identifier
    from dynamis.base.writing import write_bytes
    from dynamis.cli.output import OutputFolder, PageTarget

    arm = load_robot(robot, values)
    kept = [name.strip() for name in (parameters or "").split(",") if name.strip()]
    origin = command_provenance(robot=robot)
    place = OutputFolder(output or Path(f"{identifier(arm.name)}-{to}"), "", force, ("vectors.json", "README.md"))
    result = export(arm, to, functions=functions, parameters=kept, style=style, provenance=origin)
    place.write_all(
        (name, lambda path, content=content: write_bytes(path, content)) for name, content in result.contents.items()
    )
    target = PageTarget("json" if as_json else "text", None, {"robot": robot})
    target.write(target.text(result), "")
    place.close(as_json)
