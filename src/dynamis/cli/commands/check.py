"""`dynamis check`: your own equations against the exact model."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import (
    ForceOption,
    FormatOption,
    JsonOption,
    OutputOption,
    RobotArgument,
    SetOption,
    SymbolicLoadOption,
    loaded_robot,
)
from dynamis.cli.output import page_target


def command(
    robot: RobotArgument,
    answers: Annotated[
        list[str],
        typer.Argument(
            metavar="ANSWER",
            help="Files with lines such as M[1,2] = m2*l1*d2*cos(q2) + I2; - is standard input; some ship, as xu-arm.",
            autocompletion=completed("answer"),
        ),
    ],
    load: SymbolicLoadOption = None,
    notation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The answer's notation, such as a notation file; those that ship are known.",
            autocompletion=completed("notation"),
        ),
    ] = None,
    values: SetOption = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="Time limit for reading and comparing [s].")] = 60,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check your own M, c, C, g, T, U, tau, Jacobians or Newton-Euler vectors: equal, or what is wrong.

    MATLAB, NumPy and SymPy programs, LaTeX or plain text, which are read and never run. `let L1 = l1` defines a name,
    `given d2 = 0` sets a condition. Several files are several answers.
    Exit code 0: right, 1: wrong or incomplete, 2: an answer cannot be judged.
    """
    from dataclasses import replace

    from dynamis import library
    from dynamis.apps.grading.check import check_answers
    from dynamis.base.errors import DynamisError

    target = page_target(page, as_json, output, force, robot=robot, answer=answers, notation=notation)
    arm, loads = loaded_robot(library.load(robot), load, values)
    numbers = {name.strip(): value for name, _, value in (text.partition("=") for text in values or [])}
    texts, missing = dict[str, str](), dict[str, DynamisError]()
    for name in answers:
        file = "standard input" if name == "-" else name
        try:
            texts[file] = _read(name)
        except DynamisError as error:
            if len({*answers}) == 1:
                raise
            missing[file] = error
    result = check_answers(arm, texts, numbers, seconds, loads, notation)
    code = 2 if missing or result.refused else 0 if result.right else 1
    if len({*answers}) > 1:
        result = replace(result, refused={**missing, **result.refused})
    elif result.refused:
        raise next(iter(result.refused.values()))
    else:
        (result,) = result.reports.values()
    title = f"{', '.join((*texts, *missing))} against {arm.name}"
    target.write(target.text(result), title)
    if code:
        raise typer.Exit(code)


def _read(name: str) -> str:
    """The text of an answer; `-` is standard input."""
    from dynamis.apps.readings.printed.equations import answer_path
    from dynamis.base.toml_table import decoded_text, read_text

    if name == "-":
        return decoded_text(sys.stdin.buffer, "standard input", lenient=True)
    return read_text(answer_path(name), lenient=True)
