"""A joint in words: its transform as a chain, its axis, and numbers short enough for a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dynamis.base.expressions.expression import Expression, Number
from dynamis.base.expressions.parser import parse
from dynamis.base.numbers import short
from dynamis.scalars.floats import number

if TYPE_CHECKING:
    from dynamis.model.link import Joint

BRIEF_LENGTH = 9
"""A number of more characters is shown in six digits."""


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
    if all(len(text) <= (BRIEF_LENGTH if "." in text else len("(-3)/sqrt(14)")) for text in texts):
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
    if len(text) <= BRIEF_LENGTH or expression.parameters() or "pi" in text:
        return text
    value = number(expression, {})
    return text if value is None else short(value)
