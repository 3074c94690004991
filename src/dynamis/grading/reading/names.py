"""The names that an answer may use, and what they stand for in the common ring.

In this order: what a `let` or `given` line defines, the robot's parameters (l1 also as L1), the joint
coordinates (the joint's own name, q1, theta1, of a sliding joint also d1), their rates (qd1, dq1,
dtheta1, q1dot, qdd1, ddq1, ...), the abbreviations c1, s12, c23, s23m4 (sin(q2 + q3 - q4)), what a
later line defines, and coefficients a1, a2, ... that no line defines. The number of a joint is that
of its name; the place of the joint counts only where names have no numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

from dynamis.document.notation.names import joint_number
from dynamis.grading.common_ring import Meeting
from dynamis.grading.reading.matrices import Cell, Matrix, Operand
from dynamis.grading.reading.place import nearest
from dynamis.grading.reading.tokens import stem_and_number
from dynamis.grading.values import Value
from dynamis.model.robot import RobotModel

STEMS = ("q", "theta", "th")
RESERVED = ("sin", "cos", "sqrt", "sign", "sgn", "pi", "Rational", "Derivative", "diff", "Matrix", "let", "given")
LUMPED = ("a", "b", "p", "h", "alpha", "beta", "pi", "rho")
"""The letters of lumped coefficients, as in a1, a2, ..."""
MAX_LUMPED = 40
# A name is compared with every one that it may be meant for; files that define hundreds are not student's.
MAX_SUGGESTED = 100
# Of the letters c and s and joint numbers: s12345m6 is longer than any textbook's.
MAX_ABBREVIATION = 12
_ABBREVIATION = re.compile(r"([cCsS])(\d*\(\d+\)|\d+(?:[-m]\d+)*)", re.ASCII)


class Names:
    """Resolves names; remembers how the user calls the coordinates, so that answers speak their language."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self.defined: dict[str, Operand] = {}
        self.later: Callable[[str], Operand | None] = lambda name: None
        self.entry: Callable[[str, tuple[int, ...]], Operand | None] = lambda name, index: None
        self.missing: Callable[[str], str] = lambda name: ""
        """What no line gives of a matrix or an entry of the model; nothing for other names."""
        self.from_zero = False
        """Whether indices in square brackets count from 0, as in Python."""
        self.changed: set[str] = set()
        """What was defined more than once, each time as something else."""
        self.letters: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        self.stem = ""
        self.short: set[str] = set()
        """The abbreviations that were used, such as c1."""
        robot = meeting.equations.robot
        self.numbers = joint_numbers(robot)
        self.moving = {form.format(joint.name) for joint in robot.joints for form in ("{}", "d({})", "dd({})")}
        for joint in robot.joints:
            self._coordinate(joint.name, joint.name)
        for joint in robot.joints:
            for stem in (*STEMS, *(() if joint.turns else ("d",))):
                self._coordinate(f"{stem}{self.numbers[joint.name]}", joint.name)
        # Parameters win over aliases of coordinates, and a name may be written without its underscores.
        for name in robot.parameters:
            self.letters[_plain(name)] = name
        for name in robot.parameters:
            self.letters[name] = name
        for name in robot.parameters:
            if re.fullmatch(r"l_?\d+", name, re.ASCII):
                self.letters.setdefault(f"L{_plain(name)[1:]}", name)
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

    def define(self, name: str, value: Operand) -> None:
        """`let name = value`; a new name of a coordinate brings the names of its rates."""
        if name in self.defined and self.defined[name] != value:
            self.changed.add(name)
        self.defined[name] = self.defined[_plain(name)] = value
        self.renamed = {letter: shown for letter, shown in self.renamed.items() if shown != name}
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

    def find(self, name: str) -> Operand | None:
        """What a name stands for."""
        self.meeting.check_time()
        for spelled in (name, _plain(name)):
            if spelled in self.defined:
                return self.defined[spelled]
            if spelled in self.letters:
                self._heard(spelled)
                return self._letter(self.letters[spelled])
        found = self._abbreviation(_plain(name)) or self.later(_plain(name))
        if found is None and _plain(name) in self.meeting.lumped:
            return self.entry(_plain(name), ()) or self._letter(_plain(name))
        return found if found is not None else self.vector(name)

    def vector(self, name: str) -> Operand | None:
        """The coordinates q, or their rates dq and ddq, as a column."""
        numbers = self.numbers.values()
        letters = [self.letters.get(f"{_plain(name)}{number}", "") for number in numbers]
        if len(letters) < 2 or not set(letters) <= self.moving:
            return None
        return Matrix([[Cell(self._letter(letter), 0)] for letter in letters])

    def indexed(self, name: str, index: tuple[int, ...]) -> Operand | None:
        """M(1,2) that the file gives; q(1), which is q1; an entry of a matrix that the file defines."""
        if (found := self.entry(name, index)) is not None:
            return found
        spelled = f"{_plain(name)}{index[0]}" if len(index) == 1 and not name[-1].isdigit() else ""
        if spelled in self.letters or spelled in self.defined:
            return self.find(spelled)
        whole = self.find(name)
        if isinstance(whole, Matrix) and len(index) <= 2:
            rows, (i, j) = whole.rows if len(index) == 2 else [[cell] for cell in whole.cells], (*index, 1)[:2]
            return rows[i - 1][j - 1].value if 0 < i <= len(rows) and 0 < j <= len(rows[0]) else None
        return None

    def _letter(self, name: str) -> Value:
        return Value(self.meeting.ring.letter(name))

    def _heard(self, name: str) -> None:
        """Remember whether the user says q or theta."""
        found = re.fullmatch(r"d{0,2}(q|theta|th)d{0,2}(?:dot)?\d+(?:dot)?", name, re.ASCII)
        if found and not self.stem and name not in self.meeting.equations.robot.parameters:
            self.stem = found[1]

    @property
    def display(self) -> dict[str, str]:
        """What the letters of the ring are called in sentences."""
        found: dict[str, str] = {}
        for joint in self.meeting.equations.robot.joints:
            number = self.numbers[joint.name]
            name = self.renamed.get(joint.name, f"{self.stem}{number}" if self.stem else joint.name)
            found |= {joint.name: name, f"d({joint.name})": f"d{name}", f"dd({joint.name})": f"dd{name}"}
        # Who calls q2 q1 is answered in the robot's names.
        found |= self.renamed
        own = [*self.meeting.equations.robot.parameters, *(j.name for j in self.meeting.equations.robot.joints)]
        taken = Counter(found.get(name, name) for name in own)
        return {letter: letter if letter in own and taken[shown] > 1 else shown for letter, shown in found.items()}

    def _abbreviation(self, name: str) -> Value | None:
        found = _ABBREVIATION.fullmatch(name)
        if found is None or len(name) > MAX_ABBREVIATION:
            return None
        angle = self.meeting.ring.zero
        turning = {self.numbers[j.name]: j.name for j in self.meeting.equations.robot.joints if j.turns}
        for sign, digit in _signed_digits(found[2]):
            if digit not in turning:
                return None
            angle = angle + self.meeting.ring.letter(turning[digit]).times(sign)
        self.short.add(name)
        return Value(self.meeting.cos_sin(angle)[found[1] in "sS"])

    def why_unknown(self, name: str) -> str:
        """What to write for a name such as cosq2, or M22 where no line gives it; nothing for others."""
        function, inner = name[:3], name[3:]
        if function in ("sin", "cos") and inner and self.known(inner):
            return f'unknown symbol "{name}"; write {function}({inner})'
        if missing := self.missing(name):
            it = "it" if missing == name else missing
            return f"{name} is used here, and no line gives {it}; write it out, or add a line {missing} = ..."
        return ""

    def allowed(self, asked: str = "") -> list[str]:
        """The names to suggest from, the likeliest first; theta1 where it is the nearest to what was asked for."""
        robot = self.meeting.equations.robot
        joints = [j.name for j in robot.joints]
        rates = [f"{kind}{name}" for name in joints for kind in ("d", "dd")]
        short = [f"{kind}{self.numbers[j.name]}" for j in robot.joints if j.turns for kind in "cs"]
        defined = list(self.defined)[-MAX_SUGGESTED:]
        found = list(dict.fromkeys([*defined, *robot.parameters, *joints, *rates, *short]))
        angles = [f"{kind}theta{self.numbers[name]}" for kind in ("", "d", "dd") for name in joints]
        other = nearest(asked, angles) if asked and nearest(asked, found) is None else None
        return found if other is None else [*found, other]


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


def _single_letter(value: Operand) -> str | None:
    """The letter that a value is, if it is just one."""
    if isinstance(value, Matrix):
        return None
    terms = value.top.terms()
    if value.bottom is None and len(terms) == 1 and list(terms.values()) == [1] and sum(next(iter(terms))) == 1:
        return next(iter(value.top.letters()))
    return None


def joint_numbers(robot: RobotModel) -> dict[str, int]:
    """What number a joint is called by: that of its name where all names have one of their own, else its place."""
    places = {joint.name: k for k, joint in enumerate(robot.joints, 1)}
    found = {name: joint_number(name, places) for name in places}
    return {name: places[name] if number is None else number for name, number in found.items()}


_LUMP = re.compile(
    r"(?<![A-Za-z\d])\\?(a|b|p|h|alpha|beta|pi|rho|\u03b1|\u03b2|\u03c0|\u03c1)_?\{?([0-9\u2080-\u2089]{1,2})(?![0-9])"
)
_GREEK = {"\u03b1": "alpha", "\u03b2": "beta", "\u03c0": "pi", "\u03c1": "rho"}


def lumped_names(text: str, robot: RobotModel) -> tuple[str, ...]:
    """Names in a text that may be coefficients: a1, a2, ... where the robot has no parameters of that letter.

    In this ring they are letters; whether they are used is seen when the answer is read.
    """
    taken = {stem_and_number(_plain(name))[0] for name in robot.parameters if stem_and_number(name)[1]}
    joints = {stem_and_number(_plain(joint.name))[0] for joint in robot.joints}
    found: dict[str, None] = {}
    for match in _LUMP.finditer(text):
        family = _GREEK.get(match[1], match[1])
        if family not in taken | joints:
            number = "".join(str(unicodedata.digit(c)) for c in match[2])
            found[f"{family}{int(number)}"] = None
    return tuple(sorted(found, key=lambda name: (stem_and_number(name)[0], int(stem_and_number(name)[1]))))[:MAX_LUMPED]


def _plain(name: str) -> str:
    return name.replace("_", "")
