"""`dynamis references`: the works that methods follow, as text and as BibTeX."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.completion import complete_names
from dynamis.cli.options import ForceOption, FormatOption, JsonOption, OutputOption
from dynamis.cli.output import PageTarget, check_output, page_target


def command(
    methods: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[METHOD]...",
            help="Such as newton-euler, inverse_dynamics, slotine-li, rk45; without one, all that there are.",
            autocompletion=complete_names("work"),
        ),
    ] = None,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="As BibTeX; so does a file -o NAME.bib.")] = False,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """The works that the methods of dynamis follow, to cite them; a page of a result lists its own."""
    from dynamis.telling.references import references

    as_bibtex = bibtex or (output is not None and output.suffix.lower() == ".bib")
    if as_bibtex:
        check_output(output, force)
        target = PageTarget("text", output)
    else:
        target = page_target(page, as_json, output, force)
    works = references(*methods or ())
    target.write(works.bibtex() if as_bibtex else target.text(works), f"{len(works.works)} works")
