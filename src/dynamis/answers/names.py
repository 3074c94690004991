"""The names that an answer may use, and what they stand for in the common ring.

In this order: what a `let` or `given` line defines, the robot's parameters, the joint coordinates
(q1, theta1, or the joint's own name), their rates (qd1, dq1, dtheta1, q1dot, qdd1, ddq1, ...), and
the abbreviations c1, s12, c23, s23m4 (sin(q2 + q3 - q4)).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dynamis.answers.ring import Meeting
from dynamis.answers.tokens import stem_and_number
from dynamis.exact.ring import Exact

STEMS = ("q", "theta", "th")
_ABBREVIATION = re.compile(r"([cCsS])(\d*\(\d+\)|\d+(?:[-m]\d+)*)", re.ASCII)


class Names:
    """Resolves names; remembers how the user calls the coordinates, so that answers speak their language."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self.defined: dict[str, Exact] = {}
        self.letters: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        self.stem = ""
        robot = meeting.equations.robot
        for k, joint in enumerate(robot.joints, 1):
            for stem in dict.fromkeys((joint.name, *(f"{stem}{k}" for stem in STEMS))):
                self._coordinate(stem, joint.name)
        # Parameters win over aliases of coordinates, and a name may be written without its underscores.
        for name in robot.parameters:
            self.letters[_plain(name)] = name
        for name in robot.parameters:
            self.letters[name] = name
        self.letters["pi"] = "pi"

    def _coordinate(self, stem: str, joint: str) -> None:
        aliases = {stem: joint}
        word, number = stem_and_number(stem)
        for letter, forms in ((f"d({joint})", ("d", "dot")), (f"dd({joint})", ("dd", "ddot"))):
            for form in forms:
                aliases |= {f"{form}{stem}": letter, f"{stem}{form}": letter, f"{word}{form}{number}": letter}
                aliases |= {f"{form}_{stem}": letter, f"{stem}_{form}": letter}
        for alias, letter in aliases.items():
            self.letters.setdefault(alias, letter)
            self.letters.setdefault(_plain(alias), letter)

    def define(self, name: str, value: Exact) -> None:
        """`let name = value`; a new name of a coordinate brings the names of its rates."""
        self.defined[name] = self.defined[_plain(name)] = value
        letter = _single_letter(value)
        if letter is None:
            return
        joints = {joint.name for joint in self.meeting.equations.robot.joints}
        self.renamed[letter] = name
        if letter in joints:
            self._coordinate(name, letter)

    def known(self, name: str) -> bool:
        """Whether a name stands for something."""
        return self.find(name) is not None

    def find(self, name: str) -> Exact | None:
        """What a name stands for."""
        for spelled in (name, _plain(name)):
            if spelled in self.defined:
                return self.defined[spelled]
            if spelled in self.letters:
                self._heard(spelled)
                return self.meeting.ring.letter(self.letters[spelled])
        return self._abbreviation(_plain(name))

    def _heard(self, name: str) -> None:
        """Remember whether the user says q or theta."""
        found = re.fullmatch(r"d{0,2}(q|theta|th)d{0,2}(?:dot)?\d+(?:dot)?", name, re.ASCII)
        if found and not self.stem and name not in self.meeting.equations.robot.parameters:
            self.stem = found[1]

    @property
    def display(self) -> dict[str, str]:
        """What the letters of the ring are called in sentences."""
        found: dict[str, str] = {}
        for k, joint in enumerate(self.meeting.equations.robot.joints, 1):
            name = self.renamed.get(joint.name, f"{self.stem}{k}" if self.stem else joint.name)
            found |= {joint.name: name, f"d({joint.name})": f"d{name}", f"dd({joint.name})": f"dd{name}"}
        return found | self.renamed

    def _abbreviation(self, name: str) -> Exact | None:
        found = _ABBREVIATION.fullmatch(name)
        if found is None:
            return None
        angle = self.meeting.ring.zero
        joints = self.meeting.equations.robot.joints
        for sign, digit in _signed_digits(found[2]):
            if not 1 <= digit <= len(joints) or not joints[digit - 1].turns:
                return None
            angle = angle + self.meeting.ring.letter(joints[digit - 1].name).times(sign)
        return self.meeting.cos_sin(angle)[found[1] in "sS"]

    def allowed(self) -> list[str]:
        """The names to suggest from, the likeliest first."""
        robot = self.meeting.equations.robot
        joints = [j.name for j in robot.joints]
        rates = [f"{kind}{name}" for name in joints for kind in ("d", "dd")]
        short = [f"{kind}{k}" for k, j in enumerate(robot.joints, 1) if j.turns for kind in "cs"]
        return list(dict.fromkeys([*self.defined, *robot.parameters, *joints, *rates, *short]))


def _signed_digits(text: str) -> Iterator[tuple[int, int]]:
    """12 is q1 + q2, 23m4 or 23-4 is q2 + q3 - q4, 2(12) is 2 q1 + 2 q2."""
    if "(" in text:
        times, digits = text[:-1].split("(")
        yield from ((int(times or 1), int(digit)) for digit in digits)
        return
    sign = 1
    for character in text:
        if character in "-m":
            sign = -1
        else:
            yield sign, int(character)
            sign = 1


def _single_letter(value: Exact) -> str | None:
    """The letter that a scalar is, if it is just one."""
    terms = value.terms()
    if len(terms) == 1 and list(terms.values()) == [1] and sum(next(iter(terms))) == 1:
        return next(iter(value.letters()))
    return None


def _plain(name: str) -> str:
    return name.replace("_", "")
