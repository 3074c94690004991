"""The arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.completion import complete_names, completed_by_robot
from dynamis.model.formats.robot_formats import usual_suffixes

if TYPE_CHECKING:
    from dynamis.robot import Robot


RobotArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT",
        help=f"A shipped robot's name, or a {usual_suffixes()} file.",
        autocompletion=complete_names("robot"),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Give a parameter a value, such as --set m1=2.5; may be repeated.",
        autocompletion=completed_by_robot(lambda robot: [f"{name}=" for name in robot.parameters]),
    ),
]

ExactAnglesOption = Annotated[
    bool,
    typer.Option(
        "--exact-angles", help="Rounded angles are the multiples of 15 degrees that they round: 1.5708 is pi/2."
    ),
]

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="text, latex, markdown, html, typst or json; without it that of the file's suffix (or .pdf), or text.",
        autocompletion=complete_names("format"),
    ),
]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FOLDER",
        help="Write the results there: text, JSON, samples, figures; a name such as page.html, .tex or .pdf: a page.",
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
WidthOption = Annotated[
    int | None,
    typer.Option(min=40, max=1000, help="Width of the text in characters; that of the terminal if left out."),
]
FiguresOption = Annotated[
    str | None,
    typer.Option(help="Figure format: png (the default), pdf, svg or none.", autocompletion=complete_names("figures")),
]
HistoryOption = Annotated[
    str, typer.Option(help="Every sample as csv, parquet or none.", autocompletion=complete_names("history"))
]
DecimalsOption = Annotated[int, typer.Option(min=0, max=15, help="Decimals in the tables.")]


def load_robot(name: str, values: list[str] | None = None) -> Robot:
    """The robot with the values of `--set`."""
    from dynamis.verbs.subject import Subject

    return Subject(name, values).robot
