"""A request of the page: its values, each checked, and its robot."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from dynamis import library
from dynamis.base.errors import ArgumentError, check_name, literal
from dynamis.base.writing import write_text
from dynamis.model.formats.robot_formats import suffixes

if TYPE_CHECKING:
    from dynamis.robot import Robot

MOST_CHARACTERS = 20_000_000
MAX_NUMBER = 1e12
"""Numbers are smaller than this."""
MAX_CACHED_ROBOTS = 6
"""Robots that a worker remembers, with what it found of them."""
T = TypeVar("T")
_NAME = re.compile(r"[^\w-]+")


class Speaks(Protocol):
    """What a verb may say while it works."""

    def progress(self, text: str) -> None: ...
    def tell(self, message: dict[str, Any]) -> None: ...


class Request:
    """What the page sent."""

    def __init__(self, data: dict[str, Any], speaker: Speaks) -> None:
        self.data = data
        self._speaker = speaker
        self.progress: Callable[[str], None] = speaker.progress
        self.tell = speaker.tell

    def text(self, key: str, default: str = "") -> str:
        value = self.data.get(key, default)
        if not isinstance(value, str):
            raise ArgumentError(f"{key} must be a text, got {literal(value)}", key=key)
        if len(value) > MOST_CHARACTERS:
            raise ArgumentError(f"{key} may have at most {MOST_CHARACTERS:,} characters, got {len(value):,}", key=key)
        return value

    def choice(self, key: str, allowed: Collection[str], default: str = "") -> str:
        name = self.text(key, default)
        check_name(key, name, allowed, key=key)
        return name

    def flag(self, key: str) -> bool:
        return self.data.get(key) is True

    def list(self, key: str) -> list[Any]:
        value = self.data.get(key, [])
        if not isinstance(value, list):
            raise ArgumentError(f"{key} must be a list, got {literal(value)}", key=key)
        return cast("list[Any]", value)

    def numbers(self, key: str, count: int) -> list[float]:
        """So many finite numbers."""
        values = self.list(key)
        plain = all(isinstance(x, int | float) and abs(x) < MAX_NUMBER for x in values)
        if len(values) != count or not plain:
            raise ArgumentError(f"{key} must be a list of {count} numbers, got {literal(values)}", key=key)
        return [float(x) for x in values]

    def part(self, key: str) -> Request:
        """A table of values, which are checked likewise."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise ArgumentError(f"{key} must be a table, got {literal(value)}", key=key)
        return Request(cast("dict[str, Any]", value), self._speaker)

    def parts(self, key: str) -> list[Request]:
        """A list of such tables, at least one."""
        values = self.list(key)
        if not values or not all(isinstance(value, dict) for value in values):
            raise ArgumentError(f"{key} must be a list of tables, got {literal(values)}", key=key)
        return [Request(value, self._speaker) for value in values]

    @property
    def robot_file(self) -> tuple[str, str]:
        """The name and the text of the robot's file."""
        robot = self.part("robot")
        return file_name(robot.text("name", "robot.toml")), robot.text("text")

    def robot(self) -> Robot:
        """The robot that the page shows."""
        return robot_of(*self.robot_file)

    def file(self, key: str, read: Callable[[Path, Robot], T]) -> T:
        """What a file says that the page wrote, for its robot. It stands alone: it can name no other file."""
        path = Path("motion.toml" if key == "task" else f"{key}.toml")  # as the page calls them
        write_text(path, self.text(key))
        try:
            return read(path, self.robot())
        finally:
            path.unlink()


def file_name(name: str) -> str:
    """A name without folders and without what file systems cannot have; raise where its kind is not that of robots."""
    path = Path(name.replace("\\", "/"))
    if path.suffix.lower() not in suffixes():
        raise ArgumentError(f"{literal(path.name)} is not a robot file; open a {', '.join(suffixes())} file")
    return f"{_NAME.sub('-', path.stem)[:60].strip('-') or 'robot'}{path.suffix.lower()}"


@lru_cache(maxsize=MAX_CACHED_ROBOTS)
def robot_of(name: str, text: str) -> Robot:
    """The robot in the text of a file. It is read as files are, from an empty folder: it cannot lead to other files."""
    path = Path(name)
    write_text(path, text)
    try:
        return library.load(name)
    finally:
        path.unlink()
