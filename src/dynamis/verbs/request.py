"""What is asked of a robot, from the words of a face: a verb with its options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeVar

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import named
from dynamis.base.verb import Declared, Verb, declared
from dynamis.verbs.kinds import Spelling, kind_of

if TYPE_CHECKING:
    from dynamis.robot import Robot

R = TypeVar("R")


def spellings(kind: type[Verb[Any]]) -> dict[str, tuple[Declared, Spelling]]:
    """The options of a verb as they are written, by name, each with its field."""
    found: dict[str, tuple[Declared, Spelling]] = {}
    for x in declared(kind).values():
        in_file = bool(kind.file and x.about.file)
        found |= {one.name: (x, one) for one in kind_of(x).spellings(x, in_file)}
    return found


def asked(kind: type[Verb[R]], robot: Robot, given: Mapping[str, Any], file: str | Path = "") -> Verb[R]:
    """The verb with the options that are given as they are written; `file` has the others, of a verb with a file."""
    values = {x.name: kind_of(x).value(x, given) for x in declared(kind).values()}
    values = {name: value for name, value in values.items() if value is not MISSING}
    if not kind.file or not str(file):
        return kind(robot, **values)  # type: ignore[call-arg]
    held = values.pop("payload", None)
    return resolve_name(kind.file)(file, robot, held).changed(**values)


def with_values(robot: Robot, texts: Iterable[str] | None) -> Robot:
    """The robot with values of parameters, each NAME=VALUE."""
    pairs: dict[str, Any] = {}
    for text in texts or []:
        key, sign, value = text.partition("=")
        if not sign or not value.strip():
            raise ArgumentError(f'{named("values")} "{text}" is not NAME=VALUE, such as m1=2.5', key="set")
        pairs[key.strip()] = value
    return robot.with_values(pairs) if pairs else robot
