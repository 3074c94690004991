"""Reading TOML so that every complaint has a file and a line.

`Table` hands out the entries of a TOML table, remembers which keys were asked for, and refuses
the others by name. The TOML reader gives no line numbers, so `Lines` finds them in the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NoReturn, cast

from dynamis.base.errors import DynamisError, FormatError, UnknownNameError, literal
from dynamis.base.expressions.expression import MAX_DIGITS
from dynamis.base.printable import shorten_text

MAX_BYTES = 2_000_000
MAX_DOTS = 20
# Lists and tables inside each other; a robot file has some five.
MAX_DEPTH = 40
Key = str | int
_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\-]+)\s*\]\]?")
_KEY = re.compile(r"""^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]+)*))\s*=""")
_REQUIRED: Any = object()
_DIGITS = f"a number has at most {MAX_DIGITS}"


@dataclass
class _Header:
    """The headers below a name, and which entry of it is open where it is an array."""

    entry: int | None = None
    inner: dict[str, _Header] = field(default_factory=dict[str, "_Header"])

    def entered(self, names: Sequence[str], is_array: bool) -> tuple[Key, ...]:
        """The path of the table that a header opens; one under an array belongs to the array's last entry."""
        path: list[Key] = []
        header = self
        for k, name in enumerate(names, 1):
            header = header.inner.setdefault(name, _Header())
            if is_array and k == len(names):
                header.entry = 0 if header.entry is None else header.entry + 1
                # The arrays inside of an entry begin anew with the next one.
                header.inner = {}
            path += [name] if header.entry is None else [name, header.entry]
        return tuple(path)


@dataclass(frozen=True)
class Lines:
    """Which line of a TOML text gives which entry: (table, index, key, ...) -> line number."""

    file: str
    numbers: dict[tuple[Key, ...], int]

    @classmethod
    def of(cls, text: str, file: str) -> Lines:
        numbers: dict[tuple[Key, ...], int] = {}
        root = _Header()
        table: tuple[Key, ...] = ()
        inside = ""
        for number, line in enumerate(text.splitlines(), 1):
            if not line:
                continue
            was_inside = inside
            for quotes in re.findall(r'"""|\'\'\'', line):
                inside = "" if inside == quotes else inside or quotes
            if was_inside:
                continue
            if header := _HEADER.match(line):
                table = root.entered(header[2].split("."), header[1] == "[[")
                numbers.setdefault(table, number)
            elif key := _KEY.match(line):
                names = key[3].split(".") if key[3] is not None else [key[1] if key[1] is not None else key[2]]
                numbers.setdefault((*table, *names), number)
        return cls(file, numbers)

    def line(self, path: Sequence[Key]) -> int | None:
        """The line of an entry, or of the closest entry around it."""
        for end in range(len(path), 0, -1):
            if tuple(path[:end]) in self.numbers:
                return self.numbers[tuple(path[:end])]
        return None


class Table:
    """A TOML table at `path` of a file."""

    def __init__(self, data: dict[str, Any], lines: Lines, path: tuple[Key, ...] = ()) -> None:
        self.data = data
        self.lines = lines
        self.path = path
        self.allowed_keys: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = _REQUIRED, shape: str = "{}") -> Any:
        """The entry, or the default; a required one that is missing is an error, which names it in this shape."""
        self.allowed_keys.append(key)
        if key in self.data:
            return self.data[key]
        if default is _REQUIRED:
            self.fail(None, f"{self.name} has no {shape.format(key)}, which is required")
        return default

    def text(self, key: str, default: Any = _REQUIRED) -> str:
        value = self.get(key, default)
        if not isinstance(value, str):
            self.fail(key, f"{key} must be a text in quotes, got {literal(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.get(key, False)
        if not isinstance(value, bool):
            self.fail(key, f"{key} must be true or false, got {literal(value)}")
        return value

    def array(self, key: str, default: Any = _REQUIRED) -> list[Any]:
        value = self.get(key, default)
        if not isinstance(value, list):
            self.fail(key, f"{key} must be a list in square brackets, got {literal(value)}")
        return cast(list[Any], value)

    def table(self, key: str, default: Any = _REQUIRED) -> Table:
        value = self.get(key, default, "{}" if self.path else "[{}]")
        if not isinstance(value, dict):
            self.fail(key, f"{key} must be a table, got {literal(value)}")
        return Table(cast(dict[str, Any], value), self.lines, (*self.path, key))

    def tables(self, key: str, required: bool = False) -> list[Table]:
        value: Any = self.get(key, [])
        entries: list[Any] = cast(list[Any], value) if isinstance(value, list) else [None]
        if not all(isinstance(entry, dict) for entry in entries):
            self.fail(key, f"{key} must be written as [[{key}]] tables, got {literal(value)}")
        if required and not entries:
            self.fail(None, f"there is no [[{key}]]; at least one is required")
        return [Table(entry, self.lines, (*self.path, key, k)) for k, entry in enumerate(entries)]

    def choice(self, key: str, allowed: Sequence[str], default: Any = _REQUIRED) -> str:
        if key not in self.data and default is _REQUIRED:
            self.allowed_keys.append(key)
            options = " or ".join(f'"{option}"' for option in allowed)
            self.fail(None, f"{self.name} has no {key}; write {key} = {options}")
        value = self.text(key, default)
        if value not in allowed:
            raise UnknownNameError(key, value, allowed).at(self.lines.file, self.line(key))
        return value

    def file_below(self, key: str, what: str = "this file") -> Path:
        """The file that an entry names, in the folder of this one or below it, and neither a device nor a pipe."""
        name = self.text(key)
        path = path_below(Path(self.lines.file).parent, name)
        if path is None:
            self.fail(key, f"{key} must be a file in the folder of {what} or below it, got {literal(name)}")
        if exists(path) and not path.is_file():
            self.fail(key, f"{key} must be a regular file, got {literal(name)}")
        return path

    def done(self) -> None:
        """Refuse the keys that nobody asked for."""
        for key in self.data:
            if key not in self.allowed_keys:
                allowed = sorted(set(self.allowed_keys))
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


def path_below(folder: Path, name: str) -> Path | None:
    """The path that a file names in a folder or below it; None where it leads out, or no file can have this name.

    A file that a stranger sent reads no other files, by `..`, by links or otherwise: its errors would tell what is in
    them. Whoever opens it looks first that it is a regular file: a device or a pipe may have no end.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name or not name.strip():
        return None
    try:
        return folder / name if (folder / name).resolve().is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):  # a ring of links, or a name that no file can have
        return None


def exists(path: Path) -> bool:
    """Whether there is such a file or folder; a name that no file can have is refused, by its length above all."""
    try:
        return path.exists()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot be read: {reason[0].lower()}{reason[1:]}").at(shorten_text(str(path), 255)) from None


def read_text(path: Path, limit: int = MAX_BYTES, lenient: bool = False) -> str:
    """The text of a regular file, its size bounded."""
    name = str(path)
    if name == ".":  # what an empty name becomes
        raise FormatError("the name of a file is missing")
    try:
        if not exists(path):
            raise FormatError("no such file").at(name)
        if not path.is_file():
            raise FormatError("is a folder, not a file" if path.is_dir() else "is not a regular file").at(name)
        with path.open("rb") as file:
            return decoded_text(file, name, limit, lenient)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(name) from None


def decoded_text(file: BinaryIO, name: str, limit: int = MAX_BYTES, lenient: bool = False) -> str:
    """The text of an open file or of standard input, its size bounded.

    `lenient` reads what Windows writes too: UTF-16 with its mark, and its own letters, which are in comments.
    """
    data = file.read(limit + 1)
    if len(data) > limit:
        raise FormatError(f"has more than {limit / 1e6:g} MB; no more are read").at(name)
    if lenient and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if lenient and not any(byte < 32 and byte not in b"\t\n\f\r" for byte in data):
            return data.decode("cp1252", "replace")
        raise FormatError("is not a text in UTF-8").at(name) from None


def parse_toml(text: str, file: str) -> Table:
    """The tables of a TOML text; decimals are kept as they are written."""
    _refuse_deep_keys(text, file)
    try:
        data = tomllib.loads(text, parse_float=_decimal)
    except DynamisError as error:
        raise error.at(file, _line_of(text, error.key or "")) from None
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        reason = str(error).split(" (at ")[0]
        column = f" (column {where[2]})" if where else ""
        # Without a place it is what the end of the text leaves open.
        line = int(where[1]) if where else text.count("\n") + 1
        raise FormatError(f"is not TOML: {reason}{column}").at(file, line) from None
    except RecursionError:
        raise FormatError("is nested too deeply").at(file) from None
    except ValueError:
        # The one that tomllib lets through: int() takes no more than 4300 digits, to bound its time.
        token = re.search(r"[\d_]{4301}", text)
        line = _line_of(text, token[0]) if token else None
        raise FormatError(f"has an integer of more than 4300 digits; {_DIGITS}").at(file, line) from None
    table = Table(data, Lines.of(text, file))
    _refuse_extremes(data, (), table.lines)
    return table


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise FormatError(
            f"the exponent of {literal(text)} is too large; a number is below 1e300 in size", key=text
        ) from None


def _line_of(text: str, token: str) -> int | None:
    at = text.find(token)
    return None if at < 0 else text.count("\n", 0, at) + 1


def _refuse_extremes(value: Any, path: tuple[Key, ...], lines: Lines) -> None:
    """Integers too long for a float or for a message, and what is nested too deeply to be walked through."""
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        name = next((key for key in reversed(path) if isinstance(key, str)), "")
        raise FormatError(f"{literal(name)} has too many digits; {_DIGITS}").at(lines.file, lines.line(path))
    if len(path) > MAX_DEPTH:
        raise FormatError("is nested too deeply").at(lines.file, lines.line(path))
    if isinstance(value, dict):
        for key, entry in cast(dict[str, Any], value).items():
            _refuse_extremes(entry, (*path, key), lines)
    elif isinstance(value, list):
        for k, entry in enumerate(cast(list[Any], value)):
            if isinstance(entry, int | list | dict):
                _refuse_extremes(entry, (*path, k), lines)


def _refuse_deep_keys(text: str, file: str) -> None:
    """a.b.c.d... nests tables; the reader's time grows with the square of the depth."""
    words = re.split(r"[^\w.\-]+", text.replace(" ", "").replace("\t", ""))
    if any(word.count(".") > MAX_DOTS for word in words):
        raise FormatError(f"has a key with more than {MAX_DOTS} dots").at(file)
