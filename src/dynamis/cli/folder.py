"""The folder that several verbs write their results to."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

FIGURE = "format of figures"
FIGURES = ("png", "pdf", "svg", "none")
HISTORIES = ("csv", "parquet", "none")


def check_folder(folder: Path | None, force: bool, *formats: tuple[str, str, Sequence[str]]) -> None:
    """Refuse a folder that holds something, unless it is forced; and formats (what, name, known) that nobody knows."""
    from dynamis.errors import ArgumentError, UnknownNameError

    for what, name, known in formats:
        if name not in known:
            raise UnknownNameError(what, name, known)
        if what == FIGURE and name != "none" and folder is not None and find_spec("matplotlib") is None:
            raise ArgumentError(
                'figures need matplotlib: pip install "dynamis[report]", or --figures none', key="figures"
            )
    if folder is not None and folder.exists() and not force and (not folder.is_dir() or any(folder.iterdir())):
        raise ArgumentError(f"{folder} exists and is not empty; use --force to write into it", key="output")


@contextmanager
def writing(folder: Path) -> Generator[None]:
    """The folder is there; what cannot be written is one sentence."""
    from dynamis.errors import FormatError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}").at(str(folder)) from None
