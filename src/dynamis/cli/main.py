"""The command line: `dynamis VERB ...`. Each verb is a file in `commands`, thin."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from dynamis.cli.commands import (
    check,
    convert,
    demo,
    derive,
    inertia,
    inverse,
    learn,
    lint,
    motion,
    prove,
    robots,
    show,
    simulate,
)
from dynamis.cli.ending import interruptible
from dynamis.cli.terminal import safe_output

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (demo, robots, show, inertia, inverse, motion, simulate, learn, derive, prove, check, lint, convert):
    app.command(verb.__name__.rsplit(".", 1)[-1])(interruptible(verb.command))


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
    with safe_output():
        _run(app)


def _run(app: typer.Typer) -> None:
    from dynamis.errors import DynamisError

    warnings.showwarning = _once()
    try:
        app(standalone_mode=True)
    except DynamisError as error:
        if "--json" in sys.argv:
            place = {"file": error.file, "line": error.line, "link": error.link, "key": error.key}
            print(json.dumps({"error": {"message": error.message, **place}}))
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as end:
        _flush()
        raise end
    except OSError as error:
        _stop_writing(error)


def _flush() -> None:
    """Write what is left, while a full disk or a closed pipe can still be said."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _stop_writing(error)


def _stop_writing(error: OSError) -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        print(f"error: cannot write the output: {error.strerror or error}", file=sys.stderr)
    sys.exit(1 if isinstance(error, BrokenPipeError) else 2)


def _once() -> Callable[..., None]:
    """Shows a warning unless it was shown before: a robot that is made anew with other values is checked anew."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            print(f"warning: {message}", file=sys.stderr)

    return show


if __name__ == "__main__":
    run()
