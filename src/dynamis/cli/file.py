"""The one file that several verbs write their result to."""

from __future__ import annotations

import os
from pathlib import Path

from dynamis.cli.ending import end_interrupted, fail


def check_output(output: Path | None, force: bool) -> None:
    """Refuse, before the work, a file that is there (unless it is forced) and one that could not be written."""
    if output is None:
        return
    from dynamis.errors import ArgumentError
    from dynamis.writing import check_file, is_stream

    if os.path.isdir(output):
        raise ArgumentError(f"{output} is a folder; give the name of a file", key="output")
    if os.path.exists(output) and not force and not is_stream(output):
        raise ArgumentError(f"{output} exists; use --force to overwrite it", key="output")
    check_file(output)


def write_result(output: Path, text: str, told: str) -> None:
    """Write the text and print `told`; where that cannot be, print the text, so that it is not lost, and end."""
    from dynamis.errors import WriteError
    from dynamis.writing import is_stream, write_text

    try:
        write_text(output, text)
    except (WriteError, KeyboardInterrupt) as problem:
        print(text, end="")
        if isinstance(problem, KeyboardInterrupt):
            end_interrupted(f"{output} was not written; its text is printed instead")
        fail(problem)
    if not is_stream(output):
        print(told)
