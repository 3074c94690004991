"""How a command ends that could not do all: one sentence on stderr, and an exit code."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from dynamis.base.faces import speaking
from dynamis.cli.terminal import remark
from dynamis.verbs.command_line import CommandLine

EXIT_FAILED = 2
EXIT_INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def fail(sentence: object) -> NoReturn:
    """An error after the result has been shown; standard output keeps the result alone, JSON too."""
    remark("error", sentence)
    raise typer.Exit(EXIT_FAILED)


def end_interrupted(kept: str) -> NoReturn:
    """After Ctrl-C: `kept` says what was computed and written before."""
    remark("interrupted", kept)
    raise typer.Exit(EXIT_INTERRUPTED)


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """A command in the words of the command line, which says what Ctrl-C left where it keeps nothing itself."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            with speaking(CommandLine()):
                command(*args, **kwargs)
        except KeyboardInterrupt:
            end_interrupted("the command was not finished, and no file was written")

    return run


@contextmanager
def exit_on_error() -> Generator[None]:
    """Bad input ends in one sentence on stderr and exit code 2 (with --json, as JSON too); so does a full disk."""
    from dynamis.base.errors import DynamisError

    try:
        try:
            yield
        except DynamisError as error:
            if "--json" in sys.argv or sys.argv[1:2] == ["ask"]:
                from dynamis.telling.renderers.json import schema

                place = {"file": error.file, "line": error.line, "link": error.link, "key": error.key}
                print(json.dumps({"schema": schema("Error"), "error": {"message": error.message, **place}}))
            remark("error", error)
            sys.exit(EXIT_FAILED)
        finally:
            sys.stdout.flush()  # while a full disk or a closed pipe can still be said
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            remark("error", f"cannot write the output: {error.strerror or error}")
        sys.exit(1 if isinstance(error, BrokenPipeError) else EXIT_FAILED)
