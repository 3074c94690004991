"""Files that ship with dynamis and go by their names."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from dynamis.errors import FormatError, UnknownNameError
from dynamis.formats.toml_table import exists


@dataclass(frozen=True)
class Shipped:
    """The TOML files of a folder of the package; `kind` is what one of them is called in a sentence."""

    kind: str
    folder: str

    def names(self) -> list[str]:
        """Without their endings, sorted."""
        entries = (resources.files("dynamis") / self.folder).iterdir()
        return sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml"))

    def path(self, name: str | Path) -> Path:
        """The file of this name, or the given file itself."""
        text, names = str(name), self.names()
        if text in names:
            return Path(str(resources.files("dynamis") / self.folder / f"{text}.toml"))
        path = Path(text)
        if not path.suffix and not exists(path):
            raise UnknownNameError(self.kind, text, names)
        if not exists(path) and path.stem in names:
            raise FormatError(f'no such file; did you mean the shipped {self.kind} "{path.stem}"?').at(text)
        return path
