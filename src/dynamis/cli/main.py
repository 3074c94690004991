"""The command line: `dynamis VERB ...`. Each verb is a file beside this one, thin."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

import typer

from dynamis.cli import convert, demo, inverse, lint, robots, show

app = typer.Typer(
    help="Robot dynamics you can read, trust and run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (demo, robots, show, inverse, lint, convert):
    app.command(verb.__name__.rsplit(".", 1)[-1])(verb.command)


def run() -> None:
    """Run the command line: bad input is one sentence on stderr and exit code 2."""
    from dynamis.errors import DynamisError

    warnings.showwarning = _show_warning
    try:
        app()
    except DynamisError as error:
        if "--json" in sys.argv:
            place = {"file": error.file, "line": error.line, "link": error.link, "key": error.key}
            print(json.dumps({"error": {"message": error.message, **place}}))
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    run()
