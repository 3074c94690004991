"""`dynamis check`: your own equations against the exact model."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, SymbolicLoadOption, loaded_robot


def command(
    robot: RobotArgument,
    answer: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWER",
            help="A text file with lines such as M[1,2] = m2*l1*d2*cos(q2) + I2, or a shipped one, such as xu-arm.",
        ),
    ],
    load: SymbolicLoadOption = None,
    notation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The answer's notation, such as a notation file; those that ship are known."),
    ] = None,
    values: SetOption = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="Time limit for reading and comparing [s].")] = 60,
    as_json: JsonOption = False,
) -> None:
    """Check your own M, c, C, g, T, U, tau, Jacobians or Newton-Euler vectors: equal, or what is wrong.

    Plain, SymPy, MATLAB or LaTeX syntax. `let L1 = l1` defines a name, `given d2 = 0` sets a condition.
    The exit code is 1 if an entry is wrong or was not compared in time, or if a line cannot be read.
    """
    from dynamis import library
    from dynamis.grading.check import check_answer
    from dynamis.readings.printed.equations import answer_path
    from dynamis.toml_table import read_text

    arm, loads = loaded_robot(library.load(robot), load, values)
    numbers = {name.strip(): value for name, _, value in (text.partition("=") for text in values or [])}
    report = check_answer(arm, read_text(answer_path(answer)), str(answer), numbers, seconds, loads, notation)
    width = min(get_terminal_size().columns, 100)
    print(report.to_json() if as_json else report.page(width=width).rstrip("\n"))
    if not report.right:
        raise typer.Exit(1)
