"""`dynamis documents`: the five documents that dynamis grew from, task by task."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.completion import complete_names
from dynamis.cli.options import ForceOption, FormatOption, JsonOption, OutputOption, WidthOption
from dynamis.cli.output import page_target
from dynamis.cli.terminal import Progress


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A document, such as moving-frames; without it, all names.",
            autocompletion=complete_names("document"),
        ),
    ] = None,
    page: FormatOption = None,
    notation: Annotated[
        str | None,
        typer.Option(help="Another notation than the document's own.", autocompletion=complete_names("notation")),
    ] = None,
    output: OutputOption = None,
    force: ForceOption = False,
    width: WidthOption = None,
    as_json: JsonOption = False,
) -> None:
    """The five documents that dynamis grew from: their tasks in order, our results beside the printed ones, errata."""
    import warnings

    from dynamis.apps.readings.reading import Reading, ReadingList, load_reading
    from dynamis.base.errors import UnphysicalWarning

    # The page of a document says which of its inertias no body has.
    warnings.simplefilter("ignore", UnphysicalWarning)
    target = page_target(page, as_json, output, force, document=name)
    result = ReadingList() if name is None else load_reading(name)
    own = notation or (result.notation if isinstance(result, Reading) else None)
    options = {} if own is None else {"notation": own}
    with Progress("working") as progress:
        progress(result.title)
        text = target.text(result, width, 80, **options)
    target.write(text, result.title)
