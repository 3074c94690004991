"""The command line: `dynamis VERB ...`. Each verb is a file in `commands`, thin."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from dynamis.cli.commands import (
    ask,
    check,
    convert,
    demo,
    derive,
    documents,
    excite,
    export,
    identify,
    inertia,
    inverse,
    learn,
    lint,
    motion,
    prove,
    references,
    report,
    robots,
    show,
    simulate,
    state,
    studio,
    sweep,
)
from dynamis.cli.ending import exit_on_error, interruptible
from dynamis.cli.terminal import WarningPrinter, safe_output

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (
    demo,
    documents,
    robots,
    show,
    inertia,
    state,
    inverse,
    motion,
    simulate,
    sweep,
    learn,
    excite,
    identify,
    derive,
    prove,
    check,
    lint,
    convert,
    export,
    report,
    studio,
    references,
    ask,
):
    summary = " ".join((verb.command.__doc__ or "").partition("\n\n")[0].split())
    app.command(verb.__name__.rsplit(".", 1)[-1], short_help=summary)(interruptible(verb.command))


def _print_version(asked: bool) -> None:
    from importlib.metadata import version

    if asked:
        print(f"dynamis {version('dynamis')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Robot dynamics you can read, trust and run."""


def run(app: typer.Typer = app) -> None:
    """Run a command line: bad input is one sentence on stderr and exit code 2."""
    with safe_output(), exit_on_error():
        warnings.showwarning = WarningPrinter()
        app(standalone_mode=True)


if __name__ == "__main__":
    run()
