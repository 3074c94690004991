"""Where a page or a file comes from: the version of dynamis, the command, the files that were read, the date."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from importlib.metadata import version
from pathlib import Path, PureWindowsPath
from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.printable import in_a_line

SHORT_DIGEST = 12
"""Characters of a hash on a page: enough to tell the versions of a file apart. JSON has all 64."""
LONGEST_COMMAND = 400
"""Characters of a command on a page; an equation that was typed may have thousands."""
_ELSEWHERE = re.compile(r"(-*\w[\w-]*=|-\w|)(?=[/~]|\.\.[\\/]|[A-Za-z]:[\\/]|\\\\)")
"""In a word of a command, what stands before a path outside of the folder: an option, a key, or nothing."""


@dataclass(frozen=True)
class Source:
    """A file that was read, by its name without its folder, and the SHA-256 of its bytes, in hexadecimal."""

    kind: str
    """What it is: robot, task, state, ..."""
    name: str
    digest: str

    @classmethod
    def of_file(cls, kind: str, path: str | Path) -> Source | None:
        """None for what cannot be read a second time, such as a pipe."""
        try:
            path = Path(path)
            if not path.is_file():
                return None
            with path.open("rb") as file:  # a log need not fit in memory
                return cls(kind, path.name, file_digest(file, "sha256").hexdigest())
        except OSError:
            return None

    @classmethod
    def of_text(cls, kind: str, name: str, text: str) -> Source:
        """Of what was made in Python, by the text of the file that it would be."""
        return cls(kind, name, sha256(text.encode()).hexdigest())

    def __str__(self) -> str:
        return f"{self.kind} {in_a_line(self.name)} (SHA-256 {self.digest[:SHORT_DIGEST]})"


@dataclass(frozen=True)
class Provenance:
    """Where a page or a file comes from.

    >>> robot = Source.of_text("robot", "arm.toml", "")
    >>> print(Provenance("1.0", "2026-01-31", "dynamis derive arm.toml", (robot,)))
    dynamis 1.0, 2026-01-31 (UTC); command: dynamis derive arm.toml; robot arm.toml (SHA-256 e3b0c44298fc)
    """

    version: str
    date: str
    """YYYY-MM-DD, in UTC."""
    command: str = ""
    """The command line, or the name of the Python program; empty for a notebook and an interactive session."""
    sources: tuple[Source, ...] = ()

    @classmethod
    def now(cls, *sources: Source | None) -> Provenance:
        """Of what this Python program makes now; SOURCE_DATE_EPOCH [s] sets the date, for builds that must repeat."""
        program = Path(getattr(sys.modules.get("__main__"), "__file__", None) or "").name
        command = "" if program.startswith("__") else program
        return cls(version("dynamis"), _today(), command, tuple(source for source in sources if source is not None))

    def by_command(self, words: Sequence[str]) -> Provenance:
        """Of a command line, which loses the folders of paths outside of this one."""
        return replace(self, command=shlex.join(map(without_folders, words)))

    def __str__(self) -> str:
        command = in_a_line(self.command)
        if len(command) > LONGEST_COMMAND:
            command = f"{command[:LONGEST_COMMAND]} ..."
        parts = [f"dynamis {self.version}, {self.date} (UTC)", *([f"command: {command}"] if command else [])]
        return "; ".join([*parts, *map(str, self.sources)])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        files = [{"kind": x.kind, "name": x.name, "sha256": x.digest} for x in self.sources]
        return {"version": self.version, "date": self.date, "command": self.command, "files": files}


def _today() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return f"{datetime.now(UTC):%Y-%m-%d}"
    try:
        return f"{datetime.fromtimestamp(int(epoch), UTC):%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        raise ArgumentError(
            f"SOURCE_DATE_EPOCH must be a whole number of seconds since 1970-01-01, got {literal(epoch)}"
        ) from None


def without_folders(word: str) -> str:
    """A word of a command that others may read: a path outside of this folder loses its folders.

    >>> [without_folders(word) for word in ("/users/me/arm.toml", "--output=/data/a.html", "m1=1/2", "data/arm.toml")]
    ['arm.toml', '--output=a.html', 'm1=1/2', 'data/arm.toml']
    """
    before = _ELSEWHERE.match(word)
    return word if before is None else f"{before[0]}{PureWindowsPath(word[before.end() :]).name}"
