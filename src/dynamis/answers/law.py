"""The line `tau = M*qdd + c + g`: the law itself, in the M, c (or C) and g that the file gives."""

from __future__ import annotations

import re
from collections.abc import Callable

from dynamis.answers.matrices import Entry as Cell
from dynamis.answers.matrices import Rows
from dynamis.answers.ring import Meeting
from dynamis.answers.targets import left_side
from dynamis.answers.values import Arithmetic, Value

_DRESS = re.compile(r"\\(?:left|right|mathbf|boldsymbol|bm|,|;|!)|[\s$&*\\{}]|\([^()+]*\)")
_LAW = re.compile(r"([MDBH])(?:qdd|ddq|ddotq|qddot|q\u0308)\+(?:([cVh])|C(?:qd|dq|dotq|qdot|q\u0307))\+([gG])")
Given = Callable[[str, tuple[int, ...]], Value | None]


def law(left: str, right: str, start: int, given: Given, meeting: Meeting) -> Rows | None:
    """The torques that the file's own M, c and g give; None if the line is not the law or they are not there."""
    side = left_side(left)
    found = _LAW.fullmatch(_DRESS.sub("", right)) if len(right) < 200 else None
    if side is None or side.kind != "tau" or side.digits or side.index is not None or found is None:
        return None
    arithmetic = Arithmetic(meeting)
    joints = [joint.name for joint in meeting.equations.robot.joints]
    rows: Rows = []
    for i in range(1, len(joints) + 1):
        parts = [(given(found[1], (i, j)), f"dd({name})") for j, name in enumerate(joints, 1)]
        parts += [(given(found[3], (i,)), "")]
        if found[2]:
            parts += [(given(found[2], (i,)), "")]
        else:
            parts += [(given("C", (i, j)), f"d({name})") for j, name in enumerate(joints, 1)]
        total = Value(meeting.ring.zero)
        for value, letter in parts:
            if value is None:
                return None
            factor = arithmetic.product(value, Value(meeting.ring.letter(letter))) if letter else value
            total = arithmetic.plus(total, factor, 1)
        rows.append([Cell(total, start, start + len(right))])
    return rows
