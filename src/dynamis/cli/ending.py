"""How a command ends that could not do all: one sentence on stderr, and an exit code."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec, TypeVar

import typer

FAILED = 2
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def fail(sentence: object) -> NoReturn:
    """An error after the result has been shown; standard output keeps the result alone, JSON too."""
    print(f"error: {sentence}", file=sys.stderr)
    raise typer.Exit(FAILED)


def end_interrupted(kept: str) -> NoReturn:
    """After Ctrl-C: `kept` says what was computed and written before."""
    print(f"interrupted: {kept}", file=sys.stderr)
    raise typer.Exit(INTERRUPTED)


def interruptible(command: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A command that says what Ctrl-C left where it keeps nothing itself."""

    @functools.wraps(command)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            end_interrupted("the command was not finished, and no file was written")

    return run
