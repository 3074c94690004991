"""Fields of frozen parts of a robot, checked when they are made: names, types, values in their proper form."""

from __future__ import annotations

from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.parser import FUNCTIONS, NAME

MAX_NAME_LENGTH = 100
"""Characters of a name."""


def coerce(frozen: Any, **values: Any) -> None:
    """Give the fields of a frozen dataclass their checked values, in its __post_init__."""
    for key, value in values.items():
        object.__setattr__(frozen, key, value)


def check_type(key: str, value: Any, kind: type) -> None:
    """A part of a robot is one of ours."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{key} must be a dynamis.{kind.__name__}, got {literal(value)}", key=key)


def check_name(what: str, name: Any) -> None:
    """A name is a short printable text; files and tables show it as it is."""
    if (
        not isinstance(name, str)
        or not name
        or len(name) > MAX_NAME_LENGTH
        or not name.isprintable()
        or name != name.strip()
    ):
        shown = (
            literal(name)
            if not isinstance(name, str)
            else f"{name[:MAX_NAME_LENGTH]!r}{'...' * (len(name) > MAX_NAME_LENGTH)}"
        )
        raise ArgumentError(f"{what} name {shown} must be 1 to 100 printable characters", key="name")


def check_parameter_name(name: Any) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > 60 or name.startswith("__"):
        raise ArgumentError(f"parameter name {name!r} is not a name; use letters, digits and _", key=str(name))
    if name == "pi" or name in FUNCTIONS:
        raise ArgumentError(f'parameter name "{name}" is taken; pi, sin, cos and sqrt have a meaning', key=name)
