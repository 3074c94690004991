"""What is asked, from the words of a face: a verb with its options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

from dynamis.base.verb import Declared, Verb, declared_options
from dynamis.verbs.kind import Spelling
from dynamis.verbs.kinds import kind_of
from dynamis.verbs.subject import Subject

R = TypeVar("R")


def spellings(kind: type[Verb[Any]]) -> dict[str, tuple[Declared, Spelling]]:
    """The arguments and options of a verb as they are written, by name, each with its field."""
    found: dict[str, tuple[Declared, Spelling]] = {}
    for x in sorted(declared_options(kind).values(), key=lambda x: kind_of(x).stands_last):
        in_file = bool(kind.file and x.about.file)
        found |= {one.name: (x, one) for one in kind_of(x).spellings(x, in_file)}
    return found


def build_verb(kind: type[Verb[R]], given: Mapping[str, Any], file: str | Path = "") -> Verb[R]:
    """The verb with the options that are given as they are written; `file` has the others, of a verb with a file."""
    subject = Subject(given.get("robot", ""), given.get("values"))
    values: dict[str, Any] = {}
    for x in declared_options(kind).values():
        values |= kind_of(x).values(x, given, subject)
    if kind.file and str(file):
        robot, held = values.pop("robot"), values.pop("payload", None)
        return resolve_name(kind.file)(file, robot, held).changed(**values)
    origin = values.pop("origin", kind.origin)
    return kind(**values).read_from(origin)
