"""Parts of a robot as small tables: a link, its joint, its inertia, as they were given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dynamis.base.expressions.expression import Expression, Number
from dynamis.base.expressions.parser import parse
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Document, Table
from dynamis.base.numbers import short

if TYPE_CHECKING:
    from dynamis.model.inertia import Inertia
    from dynamis.model.link import Joint, Link

BRIEF = 9
"""A number of more characters is shown in six digits."""


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
    drive = ("damping", f"{joint.unit} s/{length}"), ("coulomb", joint.unit), ("rotor_inertia", "kg m^2")
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


def motion_text(joint: Joint) -> str:
    """The moving step of a joint: `Rz(q1)`, `Tx(-q2)`, `R[0.6, 0.8, 0](q3)`."""
    letter = "R" if joint.revolute else "T"
    if along := frame_axis(joint):
        return f"{letter}{along[0]}({'-' if along[1] < 0 else ''}{joint.name})"
    axis = (re.sub(r"^\((-\d+)\)", r"\1", str(entry)) for entry in axis_entries(joint))  # -1/sqrt(3), not (-1)/sqrt(3)
    return f"{letter}[{', '.join(axis)}]({joint.name})"


def axis_entries(joint: Joint) -> tuple[Expression, ...]:
    """The axis of a joint as it is shown: 1/sqrt(3) and -1/sqrt(3), or, where one entry is long, decimals."""
    texts = [str(entry).lstrip("-") for entry in joint.axis]
    if all(len(text) <= (BRIEF if "." in text else len("(-3)/sqrt(14)")) for text in texts):
        return joint.axis
    values = [number(entry, {}) for entry in joint.axis]
    return tuple(entry if x is None else parse(short(x)) for entry, x in zip(joint.axis, values, strict=True))


def frame_axis(joint: Joint) -> tuple[str, int] | None:
    """("z", -1) where the axis of a joint is one of the frame's, in its direction or against it; else None."""
    axis = [entry.value if isinstance(entry, Number) else None for entry in joint.axis]
    for k, name in enumerate("xyz"):
        if axis[k] in (1, -1) and all(axis[m] == 0 for m in range(3) if m != k):
            return name, int(axis[k] or 0)
    return None


def frame_text(joint: Joint) -> str:
    """The transform of a link on its parent as a chain."""
    places = joint.before, joint.after
    before, after = ([f"{s.kind}{s.axis}({brief(s.amount)})" for s in place.steps] for place in places)
    return " ".join([*before, *([motion_text(joint)] if joint.moves else []), *after]) or "1"


def brief(expression: Expression) -> str:
    """As it is written, or in six digits where that is long: a table is for the eye, files and JSON are exact."""
    text = str(expression)
    if len(text) <= BRIEF or expression.parameters() or "pi" in text:
        return text
    value = number(expression, {})
    return text if value is None else short(value)
