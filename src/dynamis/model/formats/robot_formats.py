"""The formats of robot files: one entry each, from which loading, saving, help and error texts come.

To add one, write a reader `(text, file) -> RobotModel`, a writer `(robot) -> text` if there is one, and an entry. Both
are imported when a file asks for them: the command line's help reads this list and must not wait for NumPy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynamis.model.robot import RobotModel


@dataclass(frozen=True)
class RobotFormat:
    """How robots are read from and written to one kind of file.

    name: as a sentence says it, such as "URDF".
    suffixes: of its files in lower case, the usual one first.
    reader: (text, file name) -> robot, as "module:function".
    writer: (robot) -> text, as "module:function"; "" if the format is only read.
    mark: a regular expression that is found in its files; it decides where formats share a suffix.
    max_bytes: the size up to which files are read.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: str
    writer: str = ""
    mark: str = ""
    max_bytes: int = 2_000_000


ROBOT_FORMATS = [
    RobotFormat(
        "TOML", (".toml",), "dynamis.model.formats.robot_file.read:read_robot_file",
        "dynamis.model.formats.robot_file.write:write_toml",
    ),
    RobotFormat(
        "URDF", (".urdf", ".xml"),
        "dynamis.model.formats.urdf.read:read_urdf", "dynamis.model.formats.urdf.write:write_urdf",
        r"<robot[\s>/]", 20_000_000,
    ),
]  # fmt: skip


def suffixes() -> list[str]:
    """The suffixes of all files that are read."""
    return list(dict.fromkeys(suffix for entry in ROBOT_FORMATS for suffix in entry.suffixes))


def usual_suffixes(writable: bool = False) -> str:
    """The usual suffix of every format that is read (or written), in a sentence: ".toml or .urdf"."""
    *first, last = [entry.suffixes[0] for entry in ROBOT_FORMATS if entry.writer or not writable]
    return f"{', '.join(first)} or {last}" if first else last


def read_file(path: Path) -> Any:
    """What a robot file holds: a robot, or an exercise (robot_file/joint_table.py)."""
    from dynamis.base.errors import FormatError
    from dynamis.base.toml_table import read_text

    entries = [entry for entry in ROBOT_FORMATS if path.suffix.lower() in entry.suffixes]
    text = read_text(path, max(entry.max_bytes for entry in entries))
    if len(entries) > 1:
        entries = [entry for entry in entries if re.search(entry.mark, text)] or entries
    if len(entries) > 1:
        raise FormatError(f"is not a robot file in {' or '.join(entry.name for entry in entries)}").at(str(path))
    return resolve_name(entries[0].reader)(text, str(path))


def robot_text(robot: RobotModel, path: Path) -> str:
    """A robot as the text of a file with this name: in the first format with its suffix that is written."""
    from dynamis.base.errors import ArgumentError

    suffix = path.suffix.lower()
    entry = next((entry for entry in ROBOT_FORMATS if entry.writer and suffix in entry.suffixes), None)
    if entry is None:
        kinds = usual_suffixes(writable=True)
        raise ArgumentError(f'"{path.suffix or path.name}" is not a kind of robot file; write a {kinds} file')
    return resolve_name(entry.writer)(robot)


def add_comment(text: str, comment: str) -> str:
    """The text of a robot file, XML or TOML, with a comment in its first lines."""
    from dynamis.base.printable import in_a_line, xml_comment

    if not text.startswith("<"):
        return f"# {in_a_line(comment)}\n{text}"
    head, mark, rest = text.partition("?>\n")
    return f"{head}{mark}{xml_comment(comment)}{rest}" if mark else f"{xml_comment(comment)}{text}"
