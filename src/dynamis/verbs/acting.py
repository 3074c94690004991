"""What acts on a robot: gravity, a payload, loads."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option, option_name
from dynamis.base.verb import Declared
from dynamis.verbs.kind import NUMBERS, Given, Kind, Spelling
from dynamis.verbs.subject import Subject
from dynamis.verbs.texts import numbers

GRAVITY = {"anyOf": [{"type": "boolean"}, {**NUMBERS, "minItems": 3, "maxItems": 3}]}
LOAD = Spelling(
    "load", str,
    "'link=forearm force=0,0,-10 axes=world point=0.1,0,0', or at the tool 'tool force=0,0,-10 moment=0,0,1 "
    "direction=exerted_by_environment' (or exerted_by_tool); may be repeated.",
    "LOAD", repeated=True,
)  # fmt: skip
SYMBOLIC_LOAD = Spelling(
    "load", str,
    "'link=forearm force=fx,0,-10 axes=world point=0.1,0,0', or at the tool 'tool force=fx,fy,0 moment=0,0,nz "
    "axes=tool direction=exerted_by_tool' (or exerted_by_environment); names are symbols; may be repeated.",
    "LOAD", repeated=True,
)  # fmt: skip
NO_GRAVITY = Spelling("no_gravity", bool, "Without gravity.", default=False)


class Gravity(Kind):
    """The robot's own, or none."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (NO_GRAVITY,)

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return False if given.get("no_gravity") else MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return GRAVITY


class HeldPayload(Kind):
    """A mass, its CoM and its inertia."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (
            Spelling("payload", float, "Mass held in the tool frame [kg].", "KG", least=0),
            Spelling("payload_com", str, "CoM of the payload in the tool frame [m]; its origin if left out.", "X,Y,Z"),
            Spelling(
                "payload_inertia", str,
                "Inertia of the payload about its CoM [kg m^2], also with XY,XZ,YZ; a point mass if left out.",
                "XX,YY,ZZ",
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        from dynamis.model.payload import payload_from

        rows = {name: text for name in ("payload_com", "payload_inertia") if (text := given.get(name)) is not None}
        if given.get("payload") is None:
            for name in rows:
                raise ArgumentError(
                    f"{option_name(name)} goes with {option('payload', 'KG')}, which is missing", key="payload"
                )
            return MISSING
        values = [numbers(name, rows[name]) if name in rows else None for name in ("payload_com", "payload_inertia")]
        return payload_from(given["payload"], *values)

    def schema(self, x: Declared) -> dict[str, Any]:
        parts = {"mass": {"type": "number", "minimum": 0}, "com": NUMBERS, "inertia": NUMBERS}
        whole = {"type": "object", "properties": parts, "required": ["mass"], "additionalProperties": False}
        return {"anyOf": [{"type": "number", "minimum": 0}, whole]}

    def from_json(self, value: Any, subject: Subject) -> Any:
        from dynamis.model.payload import payload_from

        return payload_from(**value) if isinstance(value, dict) else payload_from(value)
