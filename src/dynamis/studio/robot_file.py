"""The robot of a window: opened, edited and saved as the text of a robot file (TOML)."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from dynamis.errors import ArgumentError, literal
from dynamis.expressions.parser import as_expression
from dynamis.formats.robot_file.read import GRAVITY
from dynamis.formats.robot_formats import robot_text
from dynamis.studio.request import Request, file_name, robot_of

MISSING = 'the studio needs tomlkit to change a robot file and keep its comments: pip install "dynamis[studio]"'
UNITS: dict[str, tuple[str, str]] = {
    "mm": ("m", "/1000"), "cm": ("m", "/100"), "m": ("m", ""), "g": ("kg", "/1000"), "kg": ("kg", ""),
    "deg": ("rad", "pi/180"), "°": ("rad", "pi/180"), "rad": ("rad", ""), "t": ("kg", "*1000"),
}  # fmt: skip
"""Units that may be typed after a number: what they are converted to, and how."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WITH_UNIT = re.compile(rf"({_NUMBER.pattern})\s*({'|'.join(map(re.escape, UNITS))})")


def opened(name: str, text: str) -> tuple[str, str]:
    """A file as the studio keeps it: in TOML, which others than TOML files are converted to."""
    name = file_name(name)
    robot = robot_of(name, text)
    if name.endswith(".toml") and "joint-table" not in text[:2000]:
        return name, text
    return f"{Path(name).stem}.toml", robot_text(robot, Path("robot.toml"))


def edited(name: str, text: str, path: list[Any], value: str, unit: str = "") -> str:
    """The text with another value at a path such as ["link", 0, "mass"]; an empty value takes the entry out."""
    toml = _tomlkit()
    document = toml.parse(text)
    *before, last = path
    place: Any = document
    for key, after in zip(before, path[1:], strict=True):
        place = _entered(toml, place, key, after)
    _put(toml, place, last, value.strip(), unit)
    changed = cast(str, toml.dumps(document))
    robot_of(name, changed)
    return changed


def _entered(toml: Any, place: Any, key: Any, after: Any) -> Any:
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
        place[key] = toml.parse(f"x = {written(value, unit)}")["x"]
    elif isinstance(key, int):
        place[key] = 0
    elif key in place:
        del place[key]


def written(value: str, unit: str) -> str:
    """A value as TOML: a number as it was typed, anything else in quotes; another unit is converted exactly."""
    value = value.replace("−", "-")
    if unit and (typed := _WITH_UNIT.fullmatch(value)):
        own, factor = UNITS[typed[4]]
        if own != unit:
            raise ArgumentError(f"{literal(value)} is in {typed[4]}; a value in {unit} is wanted here")
        number = Decimal(typed[1])
        value = f"{Fraction(number) / 180}*pi" if "pi" in factor else f"{number * _factor(factor):f}"
    if _NUMBER.fullmatch(value):
        text = f"{Decimal(value):f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if unit:
        as_expression(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _factor(text: str) -> Decimal:
    return Decimal(1) if not text else Decimal(text[1:]) if text[0] == "*" else 1 / Decimal(text[1:])


def saved(request: Request) -> dict[str, str]:
    """The robot as a file to download, in TOML as it stands or in another format."""
    name, text = request.robot_file
    kind = request.choice("kind", ("toml", "urdf"), "toml")
    target = f"{Path(name).stem}.{kind}"
    robot = robot_of(name, text)
    return {"name": target, "text": text if kind == "toml" else robot_text(robot, Path(target))}


def _tomlkit() -> Any:
    try:
        import tomlkit
    except ImportError:
        raise ArgumentError(MISSING) from None
    return tomlkit
