"""Answers in numbers, where the robot's file has values: 9.81 for g, or no parameter at all.

A value takes the place of a parameter only where that cannot hide a mistake: in an entry that has no
parameters, and for the acceleration of gravity, unless it is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from dynamis.grading.common_ring import Meeting, as_number
from dynamis.grading.reading.names import Names
from dynamis.grading.reading.parser import AnswerParser
from dynamis.grading.reading.place import Source
from dynamis.grading.values import Value
from dynamis.scalars.exact.ring import Exact

MAX_NAMED = 6


def values_for(yours: Value, true: Exact, meeting: Meeting) -> dict[str, Exact]:
    """The robot's values for parameters that the true entry has and the user's has not; empty if that is unsafe."""
    robot = meeting.equations.robot
    needed = _parameters(true, meeting)
    used = _parameters(yours.top, meeting)
    if yours.bottom is not None:
        used |= _parameters(yours.bottom, meeting)
    if not yours.top or used & set(meeting.lumped):
        return {}
    if not used:
        chosen = needed if needed <= set(robot.values) else set[str]()
    else:
        gravity = frozenset[str]().union(*(entry.parameters() for entry in robot.gravity))
        chosen = {name for name in needed & gravity - used if name in robot.values}
    found = {name: _value(str(robot.values[name]), meeting) for name in robot.parameters if name in chosen}
    return found if not used else {name: x for name, x in found.items() if as_number(x) not in (0, 1, -1)}


def sentence(values: Mapping[str, Exact], meeting: Meeting) -> str:
    """`with the robot's g = 9.81`."""
    texts = [f"{name} = {meeting.equations.robot.values[name]}" for name in values]
    more = ", ..." if len(texts) > MAX_NAMED else ""
    return f"with the robot's {', '.join(texts[:MAX_NAMED])}{more}"


def _parameters(scalar: Exact, meeting: Meeting) -> set[str]:
    letters = scalar.letters()
    inside = {
        name for sum_letter, below in meeting.ring.sums.items() if sum_letter in letters for name in below.letters()
    }
    names = {*meeting.equations.robot.parameters, *meeting.lumped}
    return {name for name in names if name in letters or f"1/{name}" in letters or name in inside}


def _value(text: str, meeting: Meeting) -> Exact:
    return AnswerParser(Source(text, "value"), Names(meeting), 0, len(text)).scalar().top
