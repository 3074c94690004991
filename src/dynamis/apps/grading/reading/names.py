"""The names that an answer may use.

In this order: what a `let` line above defines, the robot's parameters (l1 also as L1, an angle a2 also as
alpha2), the joint coordinates (the joint's own name, or the symbol of a notation with its number: q1, theta1,
of a prismatic joint also d1), their rates (qd1, dq1, dtheta1, q1dot, qdd1, ddq1, ...), the abbreviations c1, s12, c23,
s23m4 (sin(q2 + q3 - q4)), what a `let` line below defines, and coefficients a1, a2, ... that no line defines.
The number of a joint is that of its name; the place of the joint counts only where names have no numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from dynamis.apps.grading.reading.functions import FunctionNames
from dynamis.apps.grading.reading.letters import Letters
from dynamis.apps.grading.reading.source import nearest
from dynamis.apps.grading.reading.tokens import stem_and_number
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.ring import Ring
from dynamis.telling.notation.names import joint_number
from dynamis.telling.notation.tree_printer import Joints

ONLY_READ = ("th",)
"""Symbols of coordinates that answers have, and no notation."""
RESERVED = ("sin", "cos", "sqrt", "sign", "sgn", "pi", "Rational", "Derivative", "diff", "Matrix", "let", "given")
# The symbols of one answer's coefficients: each is one more symbol of the ring.
MAX_COEFFICIENTS = 40
# A name is compared with every one that it may be meant for; no student's file defines hundreds.
MAX_SUGGESTED = 100
# The c or s and joint numbers: s12345m6 is longer than any textbook's.
MAX_ABBREVIATION = 12
_COEFFICIENT = re.compile(
    r"(?<![A-Za-z\d])\\?(a|b|p|h|alpha|beta|pi|rho|\u03b1|\u03b2|\u03c0|\u03c1)_?\{?([0-9\u2080-\u2089]{1,2})(?![0-9])"
)
_GREEK = {"\u03b1": "alpha", "\u03b2": "beta", "\u03c0": "pi", "\u03c1": "rho"}


@dataclass(frozen=True)
class Vocabulary:
    """What the names of a file stand for, as far as that is known before anything is computed."""

    robot: RobotModel
    letters: Letters
    symbols: Mapping[str, str]
    """Names of parameters, coordinates and rates -> their symbols in the ring."""
    coefficients: tuple[str, ...] = ()
    """Names such as a1 that may stand for coefficients that the file does not define."""
    lets: frozenset[str] = frozenset()
    """Names that `let` lines define, without underscores."""
    matrices: frozenset[str] = frozenset()
    """Those of them that may be matrices."""
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Symbols of the ring -> the student's names for them."""
    coupled: Mapping[str, int] = field(default_factory=dict[str, int])
    """Coupled joints -> their numbers, of those that have one that no coordinate has."""
    from_zero: bool = False
    """Whether indices in square brackets count from 0, as in Python."""
    by_entry: bool = False
    """Whether * multiplies matrices entry by entry, as in NumPy."""

    primes: int = 0
    """1 where q1' is a velocity, as by hand, and not a transpose, as in MATLAB; 2 where q' is one, too."""
    functions: FunctionNames = field(default_factory=FunctionNames)
    """What the file's names of functions mean, other than by themselves."""

    def operation(self, sign: str) -> str:
        """What a sign between two matrices does: * is .* in NumPy."""
        return ".*" if sign == "*" and self.by_entry else sign

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Joint -> its number: that of its name where all names have one of their own, else its place."""
        places = {joint.name: k for k, joint in enumerate(self.robot.coordinates, 1)}
        numbers = {name: joint_number(name, places) for name in places}
        return {name: places[name] if number is None else number for name, number in numbers.items()}

    @cached_property
    def revolute(self) -> dict[int, str]:
        """Number -> the revolute joint that is called by it."""
        numbers = {**self.coupled, **self.numbers}
        return {numbers[j.name]: j.name for j in self.robot.joints if j.revolute and j.name in numbers}

    @cached_property
    def moving(self) -> frozenset[str]:
        """The symbols of coordinates and rates."""
        return frozenset(form.format(name) for name in self.numbers for form in ("{}", "d({})", "dd({})"))

    def symbol(self, name: str) -> str | None:
        """The ring's symbol of a parameter, a coordinate or a rate."""
        return self.symbols.get(name, self.symbols.get(strip_underscores(name)))

    def is_known(self, name: str) -> bool:
        """Whether a name stands for something."""
        return self.is_scalar(name) or strip_underscores(name) in self.lets or bool(self.vector(name))

    def is_scalar(self, name: str) -> bool:
        """Whether a name stands for a scalar, and surely not for a matrix."""
        bare = strip_underscores(name)
        if bare in self.lets:
            return bare not in self.matrices
        return self.symbol(name) is not None or bare in self.coefficients or bool(self.abbreviation(bare))

    def vector(self, name: str) -> list[str]:
        """The symbols of the coordinates q, or of their rates dq and ddq; none for other names."""
        symbols = [self.symbols.get(f"{strip_underscores(name)}{number}", "") for number in self.numbers.values()]
        return symbols if len(symbols) > 1 and self.moving.issuperset(symbols) else []

    def rate(self, name: str, order: int, mark: str) -> str:
        """The name of the rate that q1' or q'' is; nothing where the mark transposes."""
        rate, coordinates = f"{'d' * order}{name}", {joint.name for joint in self.robot.coordinates}
        if order > 2 or mark in ".^" or not self.primes:
            return ""
        symbols = self.vector(name) if self.primes == 2 else []
        return rate if self.symbol(name) in coordinates or (symbols and coordinates.issuperset(symbols)) else ""

    def abbreviation(self, name: str) -> list[tuple[int, str]]:
        """The joints of c12 or s23m4 with their factors; none for other names."""
        match = self._short.fullmatch(name) if len(name) <= MAX_ABBREVIATION else None
        digits = list(_signed_digits(match[2])) if match else []
        all_revolute = all(digit in self.revolute for _, digit in digits)
        return [(sign, self.revolute[digit]) for sign, digit in digits] if all_revolute else []

    def is_sine(self, name: str) -> bool:
        """Whether an abbreviation is that of a sine."""
        match = self._short.fullmatch(name)
        return match is not None and match[1] in self.letters.sines

    @cached_property
    def _short(self) -> re.Pattern[str]:
        """c12, s23m4, c2(12)."""
        letters = "|".join(sorted((*self.letters.cosines, *self.letters.sines), key=len, reverse=True))
        return re.compile(rf"({letters})(\d*\(\d+\)|\d+(?:[-m]\d+)*)", re.ASCII)

    @cached_property
    def _stem(self) -> re.Pattern[str]:
        stems = "|".join((*self.letters.revolute, *ONLY_READ))
        return re.compile(rf"d{{0,2}}({stems})d{{0,2}}(?:dot)?\d+(?:dot)?", re.ASCII)

    def with_let(self, name: str, symbol: str | None, is_matrix: bool) -> Vocabulary:
        """After `let name = ...`; a new name of a coordinate, `let alpha = q2`, brings the names of its rates."""
        renamed = {old: alias for old, alias in self.renamed.items() if alias != name}
        symbols = dict(self.symbols)
        if symbol is not None:
            renamed[symbol] = name
        if symbol in {joint.name for joint in self.robot.coordinates}:
            _add_coordinate(symbols, name, symbol or "")
        matrices = self.matrices | {strip_underscores(name)} if is_matrix else self.matrices
        return replace(self, symbols=symbols, renamed=renamed, matrices=matrices)

    def student_names(self, names_in_file: Iterable[str]) -> dict[str, str]:
        """Symbol (q1, dq1, m1) -> what the student calls it, by the names in the file."""
        parameters = self.robot.parameters
        coordinates = (
            self._stem.fullmatch(name) for name in names_in_file if name in self.symbols and name not in parameters
        )
        stem = next((match[1] for match in coordinates if match), "")
        renamed = dict(self.renamed)
        names: dict[str, str] = {}
        for joint, number in self.numbers.items():
            name = renamed.get(joint, joint if joint.isidentifier() and not stem else f"{stem or 'q'}{number}")
            names[joint] = name
            for rate in ("d", "dd"):
                names[f"{rate}{joint}"] = renamed.pop(f"{rate}({joint})", f"{rate}{name}")
        names |= renamed
        # Where one name would stand for two things, as after `let q1 = q2`, both have the robot's names.
        symbols = [*parameters, *self.numbers]
        times = Counter(names.get(name, name) for name in symbols)
        return {symbol: symbol if symbol in symbols and times[name] > 1 else name for symbol, name in names.items()}

    def suggestions(self, unknown: str) -> list[str]:
        """The names to suggest from, the likeliest first; theta1 where it is the nearest to what was asked for."""
        rates = [f"{kind}{name}" for name in self.numbers for kind in ("d", "dd")]
        short = [f"{kind}{number}" for number in self.revolute for kind in "cs"]
        lets = sorted(self.lets)[-MAX_SUGGESTED:]
        names = list(dict.fromkeys([*lets, *self.robot.parameters, *self.numbers, *rates, *short]))
        stems = [f"{kind}{symbol}" for symbol in self.letters.revolute for kind in ("", "d", "dd")]
        others = [f"{stem}{number}" for stem in stems for number in self.numbers.values()]
        other = nearest(unknown, others) if nearest(unknown, names) is None else None
        return names if other is None else [*names, other]


def vocabulary(robot: RobotModel, coefficients: tuple[str, ...], ring: Ring, letters: Letters) -> Vocabulary:
    """The names of a robot's parameters, coordinates and rates; `ring` is that of its equations of motion."""
    symbols: dict[str, str] = {}
    numbers = Vocabulary(robot, letters, {}).numbers
    for joint in robot.coordinates:
        _add_coordinate(symbols, joint.name, joint.name)
    for joint in robot.coordinates:
        for stem in (*letters.revolute, *ONLY_READ, *(() if joint.revolute else letters.prismatic)):
            _add_coordinate(symbols, f"{stem}{numbers[joint.name]}", joint.name)
    coupled: dict[str, int] = {}
    for joint in robot.joints if robot.coupled else ():
        if joint.coupling:
            number = _add_coupled(symbols, joint.name, Joints.of(ring.one), letters)
            coupled |= {} if number is None or number in numbers.values() else {joint.name: number}
    # Parameters win over aliases of coordinates, and a name may be written without its underscores.
    symbols |= {strip_underscores(name): name for name in robot.parameters}
    symbols |= {name: name for name in robot.parameters}
    for name in robot.parameters:
        if re.fullmatch(r"l_?\d+", name, re.ASCII):
            for letter in letters.lengths:
                symbols.setdefault(f"{letter}{strip_underscores(name)[1:]}", name)
        if re.fullmatch(r"a_?\d+", name, re.ASCII) and f"sin({name})" in ring.places:
            symbols.setdefault(f"alpha{strip_underscores(name)[1:]}", name)
    return Vocabulary(robot, letters, symbols | {"pi": "pi"}, coefficients, coupled=coupled)


def _add_coordinate(symbols: dict[str, str], name: str, joint: str) -> None:
    """A name of a coordinate, and those of its rates: dq1, q1dot, qdot1, d_q1, ..."""
    aliases = {name: joint}
    word, number = stem_and_number(name)
    for symbol, forms in ((f"d({joint})", ("d", "dot")), (f"dd({joint})", ("dd", "ddot"))):
        for form in forms:
            aliases |= {f"{form}{name}": symbol, f"{name}{form}": symbol, f"{word}{form}{number}": symbol}
            aliases |= {f"{form}_{name}": symbol, f"{name}_{form}": symbol}
    for alias, symbol in aliases.items():
        symbols.setdefault(alias, symbol)
        symbols.setdefault(strip_underscores(alias), symbol)


def _add_coupled(symbols: dict[str, str], joint: str, printed: Joints, letters: Letters) -> int | None:
    """The names of a coupled joint, those of the pages of `dynamis derive` first, and its number."""
    number = joint_number(joint, printed.numbers)
    pages = [printed.names(notation).joint(joint).plain for notation in letters.notations]
    stems = () if number is None else (*letters.revolute, *ONLY_READ)
    for name in (*pages, joint, *(f"{stem}{number}" for stem in stems)):
        _add_coordinate(symbols, name, joint)
    return number


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


def coefficient_names(text: str, robot: RobotModel) -> tuple[str, ...]:
    """Names in a text that may be coefficients: a1, a2, ... where the robot has no parameters of that letter.

    They are symbols of the ring; whether they are used is seen when the answer is read.
    """
    families = {stem_and_number(strip_underscores(name))[0] for name in robot.parameters if stem_and_number(name)[1]}
    families |= {stem_and_number(strip_underscores(joint.name))[0] for joint in robot.joints}
    names: dict[str, None] = {}
    for match in _COEFFICIENT.finditer(text):
        family = _GREEK.get(match[1], match[1])
        if family not in families:
            number = "".join(str(unicodedata.digit(c)) for c in match[2])
            names[f"{family}{int(number)}"] = None
    return tuple(sorted(names, key=lambda name: (stem_and_number(name)[0], int(stem_and_number(name)[1]))))[
        :MAX_COEFFICIENTS
    ]


def strip_underscores(name: str) -> str:
    """A name without its underscores: m_1 is m1."""
    return name.replace("_", "")
