"""Reading TOML so that every complaint has a file and a line.

`Table` hands out the entries of a TOML table, remembers which keys were asked for, and refuses
the others by name. The TOML reader gives no line numbers, so `Lines` finds them in the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn, cast

from dynamis.errors import DynamisError, FormatError, UnknownNameError, shown

MAX_BYTES = 2_000_000
MAX_DOTS = 20
Key = str | int
_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\-]+)\s*\]\]?")
_KEY = re.compile(r"""^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]+)*))\s*=""")
_REQUIRED: Any = object()


@dataclass(frozen=True)
class Lines:
    """Which line of a TOML text gives which entry: (table, index, key, ...) -> line number."""

    file: str
    found: dict[tuple[Key, ...], int]

    @classmethod
    def of(cls, text: str, file: str) -> Lines:
        found: dict[tuple[Key, ...], int] = {}
        counts: dict[str, int] = {}
        table: tuple[Key, ...] = ()
        inside = ""
        for number, line in enumerate(text.splitlines(), 1):
            was_inside = inside
            for quotes in re.findall(r'"""|\'\'\'', line):
                inside = "" if inside == quotes else inside or quotes
            if was_inside:
                continue
            if header := _HEADER.match(line):
                names = header[2].split(".")
                if header[1] == "[[":
                    counts[header[2]] = counts.get(header[2], -1) + 1
                    # The arrays inside of an entry begin anew with the next one.
                    counts = {k: n for k, n in counts.items() if not k.startswith(f"{header[2]}.")}
                # A table under an array belongs to the last entry of that array.
                table = ()
                for k, name in enumerate(names, 1):
                    array = ".".join(names[:k])
                    table += (name, counts[array]) if array in counts else (name,)
                found.setdefault(table, number)
            elif key := _KEY.match(line):
                quoted = key[1] or key[2]
                found.setdefault((*table, *([quoted] if quoted else key[3].split("."))), number)
        return cls(file, found)

    def line(self, path: Sequence[Key]) -> int | None:
        """The line of an entry, or of the closest entry around it."""
        for end in range(len(path), 0, -1):
            if tuple(path[:end]) in self.found:
                return self.found[tuple(path[:end])]
        return None


class Table:
    """A TOML table at `path` of a file."""

    def __init__(self, data: dict[str, Any], lines: Lines, path: tuple[Key, ...] = ()) -> None:
        self.data = data
        self.lines = lines
        self.path = path
        self.asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = _REQUIRED) -> Any:
        """The entry, or the default; a required one that is missing is an error."""
        self.asked.append(key)
        if key in self.data:
            return self.data[key]
        if default is _REQUIRED:
            self.fail(None, f"{self.name} has no {key}; it is required")
        return default

    def text(self, key: str, default: Any = _REQUIRED) -> str:
        value = self.get(key, default)
        if not isinstance(value, str):
            self.fail(key, f"{key} is {shown(value)}; it is a text in quotes")
        return value

    def flag(self, key: str) -> bool:
        value = self.get(key, False)
        if not isinstance(value, bool):
            self.fail(key, f"{key} is {shown(value)}; it is true or false")
        return value

    def array(self, key: str, default: Any = _REQUIRED) -> list[Any]:
        value = self.get(key, default)
        if not isinstance(value, list):
            self.fail(key, f"{key} is {shown(value)}; it is a list in square brackets")
        return cast(list[Any], value)

    def table(self, key: str, default: Any = _REQUIRED) -> Table:
        value = self.get(key, default)
        if not isinstance(value, dict):
            self.fail(key, f"{key} is {shown(value)}; it is a table")
        return Table(cast(dict[str, Any], value), self.lines, (*self.path, key))

    def tables(self, key: str, required: bool = False) -> list[Table]:
        value: Any = self.get(key, [])
        entries: list[Any] = cast(list[Any], value) if isinstance(value, list) else [None]
        if not all(isinstance(entry, dict) for entry in entries):
            self.fail(key, f"{key} is {shown(value)}; write it as [[{key}]] tables")
        if required and not entries:
            self.fail(None, f"there is no [[{key}]]; at least one is required")
        return [Table(entry, self.lines, (*self.path, key, k)) for k, entry in enumerate(entries)]

    def choice(self, key: str, allowed: Sequence[str], default: Any = _REQUIRED) -> str:
        if key not in self.data and default is _REQUIRED:
            self.asked.append(key)
            options = " or ".join(f'"{option}"' for option in allowed)
            self.fail(None, f"{self.name} has no {key}; write {key} = {options}")
        value = self.text(key, default)
        if value not in allowed:
            raise UnknownNameError(key, value, allowed).at(self.lines.file, self.line(key))
        return value

    def done(self) -> None:
        """Refuse the keys that nobody asked for."""
        for key in self.data:
            if key not in self.asked:
                allowed = sorted(set(self.asked))
                raise UnknownNameError("key", key, allowed, within=self.name).at(self.lines.file, self.line(key))

    @property
    def name(self) -> str:
        """What this table is called in a sentence: `[robot]`, `[[link]] 2`, `inertia of [[link]] 2`."""
        if not self.path:
            return "the file"
        match self.path:
            case (str(array), int(index)):
                return f"[[{array}]] {index + 1}"
            case (str(array), int(index), str(inside), int(place), *inner):
                within = f"[[{array}.{inside}]] {place + 1} of [[{array}]] {index + 1}"
                return f"{'.'.join(map(str, inner))} of {within}" if inner else within
            case (str(array), int(index), *inner):
                return f"{'.'.join(map(str, inner))} of [[{array}]] {index + 1}"
            case _:
                return f"[{'.'.join(map(str, self.path))}]"

    def line(self, key: str | None = None) -> int | None:
        return self.lines.line((*self.path, *(key.split(".") if key else ())))

    def fail(self, key: str | None, message: str) -> NoReturn:
        raise FormatError(message, key=key).at(self.lines.file, self.line(key))

    @contextmanager
    def place(self, key: str | None = None) -> Generator[None]:
        """Give the errors raised inside the place of `key`, or of the key that they name."""
        try:
            yield
        except DynamisError as error:
            raise error.at(self.lines.file, self.line(key or error.key)) from None


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """The text of a regular file, its size bounded."""
    name = str(path)
    try:
        if not path.exists():
            raise FormatError("no such file").at(name)
        if not path.is_file():
            raise FormatError("is a folder, not a file" if path.is_dir() else "is not a regular file").at(name)
        with path.open("rb") as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise FormatError(f"has more than {limit / 1e6:g} MB; no more are read").at(name)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("is not a text in UTF-8").at(name) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(name) from None


def parse_toml(text: str, file: str) -> Table:
    """The tables of a TOML text; decimals are kept as they are written."""
    _refuse_deep_keys(text, file)
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        reason = str(error).split(" (at ")[0]
        column = f" (column {where[2]})" if where else ""
        raise FormatError(f"is not TOML: {reason}{column}").at(file, int(where[1]) if where else None) from None
    except RecursionError:
        raise FormatError("is nested too deeply").at(file) from None
    except ValueError as error:
        raise FormatError(f"is not TOML: {error}").at(file) from None
    return Table(data, Lines.of(text, file))


def _refuse_deep_keys(text: str, file: str) -> None:
    """a.b.c.d... nests tables; the reader's time grows with the square of the depth."""
    words = re.split(r"[^\w.\-]+", text.replace(" ", "").replace("\t", ""))
    if any(word.count(".") > MAX_DOTS for word in words):
        raise FormatError(f"has a key with more than {MAX_DOTS} dots").at(file)
