"""The body that is asked about, with values, in its frame, and what was not checked about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dynamis.base.errors import UnknownNameError
from dynamis.base.expressions.parser import as_expression
from dynamis.exact.derivations.bodies.inertia import Inertia
from dynamis.exact.derivations.bodies.question import BodyInertia, entries, find_body, seen_from


def body_inertia(asked: Inertia) -> BodyInertia:
    """Its mass, CoM and inertia."""
    found = find_body(asked.body, asked.words, repair=asked.repair, allow_overlap=asked.allow_overlap)
    symbols = found.body.parameters()
    values: dict[str, Any] = {}
    for name, value in (asked.values or {}).items():
        if name not in symbols:
            raise UnknownNameError("symbol", name, sorted(symbols), within="the body", key="set")
        values[name] = as_expression(value, name)
    body = found.body.substituted(values)
    notes = (*(f"not checked: {note}" for note in body.check()), *found.notes)
    body = seen_from(body, asked.frame) if asked.frame else body
    point = entries(asked.about) if asked.about else None
    return replace(found, body=body, notes=notes, point=point, steps=asked.steps, digits=asked.digits)
