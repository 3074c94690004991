"""The equations of the documents as they are printed, misprints and all, for `check`."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from dynamis.base.errors import ArgumentError, FormatError, UnknownNameError, literal
from dynamis.base.toml_table import exists

PRINTED = resources.files("dynamis.apps.readings") / "printed"


def printed_answers() -> list[str]:
    """The names of the printed equations that ship with dynamis, for `check`."""
    return sorted(entry.name.removesuffix(".txt") for entry in PRINTED.iterdir() if entry.name.endswith(".txt"))


def answer_path(name: str | Path) -> Path:
    """The file of printed equations of this name, or the given file itself."""
    text, path = str(name), Path(name)
    if not text.strip() or (exists(path) and path.is_dir()):
        raise ArgumentError(f"an answer must be a file, got {literal(text)}; - is standard input")
    if text in printed_answers():
        return Path(str(PRINTED / f"{text}.txt"))
    if not exists(path):
        if not path.suffix:
            raise UnknownNameError("answer", text, printed_answers())
        raise FormatError("no such file").at(text)
    return path
