"""Pages of the parts of a robot: a link, its joint, its inertia, as they were given, and a payload."""

from __future__ import annotations

from typing import Any

from dynamis.base.expressions.expression import Expression, Number
from dynamis.base.numbers import short
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import FORCE_KEYS, force_unit
from dynamis.model.joint_text import brief, frame_text
from dynamis.model.link import Joint, Link
from dynamis.model.payload import Payload
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Column, Document, Table


def link_document(link: Link) -> Document:
    """Its parent and joint, mass, CoM and inertia."""
    rows: list[tuple[str, str, str]] = [
        ("parent", link.parent, ""), ("joint", f"{link.joint.name} ({link.joint.kind})", ""),
        ("transform", frame_text(link.joint), ""), ("mass", brief(link.mass), "kg"), ("CoM", _triple(link.com), "m"),
    ]  # fmt: skip
    rows += [(f"inertia {name}", text, "kg m^2") for name, text in _entries(link.inertia)]
    rows.append(("inertia about", _about(link.inertia), ""))
    return Document("", (Table((f"link {link.name}", "", "unit"), tuple(rows)),))


def joint_document(joint: Joint) -> Document:
    """Its kind, axis, transform, limits, friction and rotor; what is zero is left out."""
    length = "rad" if joint.revolute else "m"
    units = {"lower": length, "upper": length, "velocity": f"{length}/s", "effort": joint.unit}
    drive = *((key, force_unit(key, joint.revolute)) for key in FORCE_KEYS), ("rotor_inertia", "kg m^2")
    rows = [("kind", joint.kind, ""), ("axis", _triple(joint.axis), ""), ("transform", frame_text(joint), "")]
    rows += [(f"limit {name}", _digits(value), units[name]) for name, value in joint.limits.items()]
    rows += [(key.replace("_", " "), text, u) for key, u in drive if (text := brief(getattr(joint, key))) != "0"]
    rows += [("gear ratio", str(joint.gear_ratio), "")] if str(joint.gear_ratio) != "1" else []
    rows += [(f"follows {name}", f"{factor} {name}", "") for name, factor in joint.coupling]
    return Document("", (Table((f"joint {joint.name}", "", "unit"), tuple(rows)),))


def inertia_document(inertia: Inertia) -> Document:
    """The tensor, and about which point and in which axes it was given."""
    rows = tuple((axis, *map(brief, row)) for axis, row in zip("xyz", inertia.matrix, strict=True))
    return Document("", (Table((f"inertia [kg m^2] about {_about(inertia)}", *"xyz"), rows),))


def _entries(inertia: Inertia) -> list[tuple[str, str]]:
    """xx, yy, zz, and the others where they are not zero."""
    places = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
    texts = [("xyz"[i] + "xyz"[j], brief(inertia.matrix[i][j])) for i, j in places]
    return [(name, text) for k, (name, text) in enumerate(texts) if k < 3 or text != "0"]


def _about(inertia: Inertia) -> str:
    turned = "" if not inertia.axes.steps else f", axes turned by {inertia.axes}"
    return ("the CoM" if inertia.about == "com" else "the origin of the link frame") + turned


def _digits(expression: Expression) -> str:
    """In digits where it has a value: -3.92699 for -225*pi/180, beside its unit."""
    value = None if isinstance(expression, Number) else number(expression, {})
    return brief(expression) if value is None else short(value)


def _triple(entries: tuple[Expression, ...]) -> str:
    return f"({', '.join(map(brief, entries))})"


def payload_document(payload: Payload) -> Document:
    """One row: mass, CoM and inertia."""
    com = [Column(f"CoM {axis}", "m", ".6g") for axis in "xyz"]
    columns = [Column("mass", "kg", ".6g"), *com]
    row: list[Any] = [payload.mass, *payload.com]
    if payload.inertia is not None:
        places = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
        columns += [Column(f"I{'xyz'[i]}{'xyz'[j]}", "kg m^2") for i, j in places]
        row += [str(payload.inertia.matrix[i][j]) for i, j in places]
    return Document("", (Table(("payload in the tool frame", *columns), (("", *row),)),))
