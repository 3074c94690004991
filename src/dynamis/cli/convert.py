"""`dynamis convert`: a robot written as another kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json


def command(
    robot: RobotArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write: a .urdf or a .toml file.")],
    values: SetOption = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a robot as URDF or as native TOML; inertias, friction and frames come along."""
    from dynamis.errors import ArgumentError
    from dynamis.library import save

    loaded = load_robot(robot, values)
    if output.is_dir():
        raise ArgumentError(f"{output} is a folder; name the file to write", key="output")
    if output.exists() and not force:
        raise ArgumentError(f"{output} exists; use --force to overwrite it", key="output")
    save(loaded, output)
    if as_json:
        print_json({"file": str(output), "robot": loaded.name, "joints": loaded.n})
    else:
        print(f"wrote {output}: {loaded.name}, {loaded.n} joints")
