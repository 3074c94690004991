"""`dynamis derive`: the equations of motion, step by step, on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.options import RobotArgument, SetOption, load_robot


def command(
    robot: RobotArgument,
    method: Annotated[str, typer.Option(help="moving-frames, lagrange or newton-euler.")] = "lagrange",
    steps: Annotated[bool, typer.Option("--steps", help="Every step on the way, not only the result.")] = False,
    form: Annotated[str, typer.Option("--as", help="text, latex, markdown, html, typst or json.")] = "text",
    notation: Annotated[str, typer.Option(help="The letters of a book: deluca, craig, spong or siciliano.")] = "spong",
    numeric: Annotated[bool, typer.Option("--numeric", help="The values as exact rationals, no letters.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
    width: Annotated[int, typer.Option(min=40, max=1000, help="Of the text, in characters.")] = 100,
    seconds: Annotated[float, typer.Option(min=0.001, help="The time that the derivation may take.")] = 60,
    values: SetOption = None,
) -> None:
    """Derive the equations of motion, exactly: frames and assumptions, steps, result, proof."""
    from dynamis.errors import ArgumentError, FormatError, UnknownNameError
    from dynamis.exact.derivation import METHODS, derive
    from dynamis.notation.conventions import CONVENTIONS
    from dynamis.notation.page import FORMATS, render

    choices = ("method", method, METHODS), ("format", form, FORMATS), ("notation", notation, CONVENTIONS)
    for what, name, known in choices:
        if name not in known:
            raise UnknownNameError(what, name, known)
    loaded = load_robot(robot, values)
    if output is not None and output.exists() and not force:
        raise ArgumentError(f"{output} exists; use --force to overwrite it", key="output")
    page = render(derive(loaded.equations(numeric, seconds), method, steps), form, notation, width)
    if output is None:
        print(page, end="")
        return
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}").at(str(output)) from None
    print(f"wrote {output}: {loaded.name} by {method}")
