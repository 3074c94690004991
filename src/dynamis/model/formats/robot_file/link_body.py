"""The inertia of a link from parts: [[link.part]] tables, or a body file."""

from __future__ import annotations

from collections.abc import Mapping

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Expression
from dynamis.base.toml_table import Table
from dynamis.model.bodies.body import Body
from dynamis.model.formats.body_file import BODIES, check_parts, read_body_file, read_density, read_parts
from dynamis.model.inertia import Inertia

Inertial = tuple[Expression, tuple[Expression, Expression, Expression], Inertia]


def read_link_body(entry: Table, name: str, values: Mapping[str, Expression], notes: list[str]) -> Inertial:
    """Mass, CoM and inertia of a link that is made of parts."""
    if "part" not in entry and "body" not in entry:
        for key in ("hole", "density", "allow_overlap"):
            if key in entry:
                entry.fail(key, f'{key} goes with parts; link "{name}" has no [[link.part]] and no body')
    for key in ("mass", "com", "inertia"):
        if key in entry:
            entry.fail(key, f'{key} of link "{name}" comes from its parts; leave it out, or leave the parts out')
    body = _from_file(entry, name, notes) if "body" in entry else _from_parts(entry, name, values, notes)
    with entry.place("body" if "body" in entry else "part"):
        return _link_values(body, values)


def _from_file(entry: Table, name: str, notes: list[str]) -> Body:
    for key in ("part", "hole", "density", "allow_overlap"):
        if key in entry:
            entry.fail(key, f"{key} and body exclude each other; the body file has its own")
    shipped = entry.text("body") in BODIES.names()
    file = read_body_file(entry.text("body") if shipped else entry.file_below("body", "the robot file"))
    notes += [f"not checked for link {name}: {note}" for note in file.notes]
    return file.with_values


def _from_parts(entry: Table, name: str, values: Mapping[str, Expression], notes: list[str]) -> Body:
    body = read_parts(entry, name, read_density(entry))
    body = body.allowing_overlap() if entry.flag("allow_overlap") else body
    notes += [f"not checked for link {name}: {note}" for note in check_parts(entry, body, values)]
    return body


def _link_values(body: Body, values: Mapping[str, Expression]) -> Inertial:
    """With symbols where possible; an integral that needs numbers takes the values of the file."""
    try:
        return body.link_values()
    except ArgumentError:
        numeric = body.substituted(values)
        if numeric.parameters():
            raise
        return numeric.link_values()
