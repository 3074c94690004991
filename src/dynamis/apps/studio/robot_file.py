"""The robot of a window: opened, edited and saved as the text of a robot file (TOML)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from dynamis.apps.studio.request import Request, file_name, robot_of
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.parser import as_expression
from dynamis.base.extras import import_extra
from dynamis.model.formats.robot_file.read import GRAVITY
from dynamis.model.formats.robot_formats import robot_text

UNITS = {
    "mm": ("m", "0.001"), "cm": ("m", "0.01"), "m": ("m", "1"), "g": ("kg", "0.001"), "kg": ("kg", "1"),
    "deg": ("rad", "pi/180"), "°": ("rad", "pi/180"), "rad": ("rad", "1"),
}  # fmt: skip
"""Units that may be typed after a number: what the file has, and how many of that they are."""
WORDS = "words"
"""In the place of a unit: the value is a text, whatever it looks like."""
MAX_DIGITS = 60
"""Digits that a number is written out in; others stay as they were typed."""
LONGEST_PATH = 8
"""Keys of a path; none of the form has more than five."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
_WITH_UNIT = re.compile(rf"({_NUMBER.pattern})\s*({'|'.join(map(re.escape, UNITS))})")


def open_as_toml(name: str, text: str) -> tuple[str, str]:
    """A file as the studio keeps it: in TOML, which others than TOML files are converted to."""
    name = file_name(name)
    robot = robot_of(name, text)
    if name.endswith(".toml") and "joint-table" not in text[:2000]:
        return name, text
    return f"{Path(name).stem}.toml", robot_text(robot, Path("robot.toml"))


@dataclass(frozen=True)
class Edit:
    """Another value, as it was typed, at a path such as ["link", 0, "mass"]; an empty one takes the entry out."""

    path: Any
    value: Any
    unit: Any = ""


def edit_values(name: str, text: str, edits: Sequence[Edit]) -> str:
    """The text with other values; raises unless it is a robot again."""
    toml = import_extra("tomlkit", "changing a robot file and keeping its comments needs", "studio")
    robot_of(name, text)
    document = toml.parse(text)
    changed = text
    for edit in edits:
        try:
            place: Any = document
            for key, after in pairwise(_path(edit.path)):
                place = _enter_key(toml, place, key, after)
            _put(toml, place, edit.path[-1], edit.value.strip(), edit.unit)
            changed = cast(str, toml.dumps(document))  # which fails where a value has taken the place of a link
        except (LookupError, TypeError, ValueError, AttributeError):
            at, value = literal(edit.path), literal(edit.value)
            raise ArgumentError(f"the file has no place {at} for {value}", key="path") from None
    robot_of(name, changed)
    return changed


def _path(path: Any) -> list[str | int]:
    """The keys and the numbers of a path; raise where it is none."""
    if not isinstance(path, list) or len(cast("list[Any]", path)) > LONGEST_PATH:
        raise TypeError
    keys = cast("list[Any]", path)
    if not all(isinstance(key, str) or (type(key) is int and key >= 0) for key in keys):
        raise TypeError
    return keys


def _enter_key(toml: Any, place: Any, key: Any, after: Any) -> Any:
    """The table or the list at a key, made where it is missing: 3 zeros, or a table."""
    known = key < len(place) if isinstance(key, int) else key in place
    if not known:
        values = [*GRAVITY] if key == "gravity" else [0, 0, 0]
        place[key] = values if isinstance(after, int) else toml.inline_table()
        if key == "inertia":
            place[key]["about"] = "com"
    elif isinstance(place[key], str) and isinstance(after, str):  # joint = "revolute"
        kind, table = place[key], toml.inline_table()
        table["kind"] = str(kind)
        place[key] = table
    return place[key]


def _put(toml: Any, place: Any, key: Any, value: str, unit: str) -> None:
    if value:
        place[key] = toml.parse(f"x = {toml_value(value, unit)}")["x"]
    elif isinstance(key, int):
        place[key] = 0
    elif key in place:
        del place[key]


def toml_value(value: str, unit: str) -> str:
    """A value as TOML: a number as it was typed, anything else in quotes; another unit is converted exactly."""
    value = value.replace("−", "-")
    if unit == WORDS:
        return json.dumps(value, ensure_ascii=False)
    if typed := _WITH_UNIT.fullmatch(value):
        own, size = UNITS[typed[4]]
        if own != unit:
            raise ArgumentError(
                f"{literal(value)} is in {typed[4]}; a value{f' in {unit}' if unit else ''} is wanted here"
            )
        turned = size == "pi/180"
        value = f"{Fraction(Decimal(typed[1])) / 180}*pi" if turned else f"{Decimal(typed[1]) * Decimal(size):f}"
    if _NUMBER.fullmatch(value):
        text = f"{Decimal(value):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text if len(text) <= MAX_DIGITS else value
    if unit:
        as_expression(value)
    return json.dumps(value, ensure_ascii=False)


def save_robot(request: Request) -> dict[str, str]:
    """The robot as a file to download, in TOML as it stands or in another format."""
    name, text = request.robot_file
    kind = request.choice("kind", ("toml", "urdf"), "toml")
    target = f"{Path(name).stem}.{kind}"
    robot = robot_of(name, text)
    return {"name": target, "text": text if kind == "toml" else robot_text(robot, Path(target))}
