"""Where the pages and files of a command come from: the words of the command, and the files that it read."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from os.path import isfile  # takes names of any length
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance

SHIPPED = {
    "robot": ("robots", "robots/estimates", "robots/exercises"),
    "task": ("motion/tasks", "simulation/tasks", "apps/sweeps/tasks"),
    "body": ("model/bodies/library",), "document": ("apps/readings",), "answer": ("apps/readings/printed",),
}  # fmt: skip
"""The folders of the package that have files of a kind; shipped notations go with the version."""

Inputs = str | Path | Iterable[str | Path] | None
"""The name of a shipped file, a path, or several of them; what is no file, such as a shape, is left out."""


def command_provenance(**inputs: Inputs) -> Provenance:
    """Of this command line; `inputs` are what it read, by their kinds."""
    from dynamis.base.provenance import Provenance, Source

    sources = [
        Source.of_file(kind, _path(kind, str(name)))
        for kind, names in inputs.items()
        for name in ([names] if isinstance(names, str | Path) else names or ())
    ]
    return Provenance.now(*sources).by_command(["dynamis", *sys.argv[1:]])


def _path(kind: str, name: str) -> Path:
    from dynamis.base.shipped_files import PACKAGE

    shipped = (PACKAGE / folder / f"{name}{suffix}" for folder in SHIPPED.get(kind, ()) for suffix in (".toml", ".txt"))
    return next((path for path in shipped if Path(name).name == name and isfile(path)), Path(name))
