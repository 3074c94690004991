"""Files that ship with dynamis and go by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from dynamis.base.errors import ArgumentError, FormatError, UnknownNameError, literal
from dynamis.base.toml_table import exists

PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Shipped:
    """The TOML files of a folder of the package; `kind` is what one of them is called in a sentence."""

    kind: str
    folder: str

    def names(self) -> list[str]:
        """Without their endings, sorted."""
        return sorted(path.stem for path in (PACKAGE / self.folder).glob("*.toml"))

    def path(self, name: str | Path) -> Path:
        """The file of this name, or the given file itself."""
        if not isinstance(name, str | os.PathLike):  # type: ignore[redundant-expr]
            raise ArgumentError(f"a {self.kind} is a name or a path, got {literal(name)}", key="name")
        text, names = str(name), self.names()
        if text in names:
            return PACKAGE / self.folder / f"{text}.toml"
        path = Path(text)
        if not path.suffix and not exists(path):
            raise UnknownNameError(self.kind, text, names)
        if not exists(path) and path.stem in names:
            raise FormatError(f'no such file; did you mean the shipped {self.kind} "{path.stem}"?').at(text)
        return path
