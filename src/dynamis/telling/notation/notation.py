"""What a notation is: letters, symbols by meaning, arguments, and the layout of sums; checked when it is made."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.scalars.exact.symbols import Meaning
from dynamis.telling.forms.order import TEXTBOOK, Layout
from dynamis.telling.formula import Sym
from dynamis.telling.notation.names import Name, joint_number, split
from dynamis.telling.symbols import ARGUMENTS, MEANINGS, PLACES, M, Place, force, m

LETTERS = ("revolute", "prismatic", "length", "vector", "cosine", "sine")
"""The letters that a notation has besides its symbols by meaning."""
STATE = ("q", "qd", "qdd")
"""What can stand in a list of arguments: coordinates, velocities, accelerations."""
# Long enough for words such as "friction", short enough for a left side; the subscript as in P_C.
_SYMBOL = re.compile(r"[^\W\d_]{1,12}(_[A-Za-z0-9]{1,6})?")
_LETTER = re.compile(r"[^\W\d_]{1,12}")


@dataclass(frozen=True)
class Notation:
    """How an author writes equations of motion.

    revolute, prismatic: the symbols of joint coordinates; vector: that of all of them (the first of these, if empty)
    length: the symbol of lengths l1, l2, ...
    cosine, sine: the symbols of cos(q1 + q2) = c_12 and its sine; empty where they are written out
    coriolis: whether the equations of motion have a vector c(q, qd) or a matrix with the velocities, C(q, qd) qd
    layout: of sums
    symbols: those that differ from `dynamis.telling.symbols`, by meaning: {"mass matrix": "B"}
    arguments: those that differ from ARGUMENTS there: {"gravity vector": ("q",)}

    Greek letters are given by their names. Entries of a mass matrix "H" are "h" where they have no symbol of their own
    ("mass matrix entry") and h is no other symbol. No symbol may stand for two things.
    """

    name: str
    revolute: str = "q"
    prismatic: str = "q"
    length: str = "l"
    vector: str = ""
    cosine: str = ""
    sine: str = ""
    coriolis: Literal["vector", "matrix"] = "vector"
    layout: Layout = TEXTBOOK
    own_names: bool = False
    symbols: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]], hash=False)

    def __post_init__(self) -> None:
        for table, known in (self.symbols, MEANINGS), (self.arguments, ARGUMENTS):
            for meaning in table:
                if meaning not in known:
                    raise UnknownNameError("meaning", meaning, sorted(known), key=meaning)
        for key in LETTERS:
            if getattr(self, key) != "" or key in ("revolute", "prismatic", "length"):
                _check(key, getattr(self, key), _LETTER, "a letter, a Greek letter's name or a word of 12 letters")
        for meaning, symbol in self.symbols.items():
            _check(meaning, symbol, _SYMBOL, "a letter, a Greek letter's name or a word, with a subscript as in P_C")
        for meaning, arguments in self.arguments.items():
            if any(argument not in STATE for argument in arguments) or len(arguments) > len(STATE):
                raise ArgumentError(f'the arguments of "{meaning}" must be of q, qd and qdd, got {literal(arguments)}')
        if self.coriolis not in ("vector", "matrix"):
            raise UnknownNameError("form of the Coriolis terms", self.coriolis, ("vector", "matrix"), key="coriolis")
        if bool(self.cosine) != bool(self.sine):
            raise ArgumentError("cosine and sine are abbreviated together: give both symbols or neither", key="cosine")
        self._check_meanings()
        self._name_entries()

    def _name_entries(self) -> None:
        """Entries of a mass matrix H are h, unless the notation has a symbol for them, or h is another one's."""
        place, whole = PLACES[m.meaning], self.symbols.get(M.meaning, "")
        entry = replace(place, letter=whole.lower())
        if m.meaning in self.symbols or not re.fullmatch("[A-Z]", whole) or entry.letter in (self.cosine, self.sine):
            return
        if not any(_alike(entry, other) for meaning, other in self._places() if meaning != m.meaning):
            object.__setattr__(self, "symbols", {**self.symbols, m.meaning: entry.letter})

    @property
    def short(self) -> bool:
        """Whether c_12 stands for cos(q1 + q2)."""
        return bool(self.cosine)

    def letter(self, symbol: Sym) -> str:
        """The letter of a symbol; entries of a vector or a matrix may have one of their own."""
        entry = self.symbols.get(f"{symbol.meaning} entry") if symbol.index else None
        return entry or self.symbols.get(symbol.meaning, symbol.letter)

    def arguments_of(self, symbol: Sym) -> tuple[str, ...]:
        """What a symbol is a function of: ("q", "qd") of the Coriolis vector."""
        return self.arguments.get(symbol.meaning, ARGUMENTS.get(symbol.meaning, ()))

    def joint(self, joint: str, numbers: dict[str, int], order: int = 0, prismatic: bool = False) -> Name:
        """The symbol of a joint's coordinate; a joint with a name of its own keeps it."""
        number = joint_number(joint, numbers)
        long = len(joint) > 4 and not joint.startswith("theta")
        word = long or not joint[0].isalpha() or not re.fullmatch(r"\w+", joint)
        # An author who writes c_1 has one letter for all angles; cos q_1 may be written with the robot's own.
        own_angle = not prismatic and self.short and re.fullmatch(r"(theta|th|θ)_?\d+", joint)
        if number is not None and (re.fullmatch(r"q_?\d+", joint) or own_angle or word):
            return Name(self.prismatic if prismatic else self.revolute, str(number), order)
        own = split(re.sub(r"\W", "", joint) or "q")
        return Name(own.letter, own.subscript, order, own.own)

    def parameter(self, name: str, meaning: Meaning = "", others: Container[str] = ()) -> Name:
        """The symbol of a parameter; a length l1 is L1 where the school writes it so and no other is called L1."""
        renamed = f"{self.length}{name[1:]}"
        is_length = meaning in ("length", "distance", "") and re.fullmatch(r"l_?\d+", name)
        return split(renamed if is_length and renamed not in others else name)

    def _check_meanings(self) -> None:
        """No symbol for two things on one kind of page; what looks like a cosine needs arguments."""
        places = dict(self._places())
        for (one, a), (other, b) in combinations(places.items(), 2):
            if _alike(a, b):
                raise ArgumentError(
                    f'the symbol {a.letter} stands for both "{one}" and "{other}"; give one of them another', key=other
                )
        for meaning, place in places.items():
            indexed = not place.bold and any("k" in shape for shape in place.shapes)
            if indexed and place.letter in (self.cosine, self.sine) and place.letter and not self._arguments(meaning):
                raise ArgumentError(
                    f'the symbol {place.letter} of "{meaning}" is that of sines or cosines, too; give it another',
                    key=meaning,
                )

    def _arguments(self, meaning: str) -> tuple[str, ...]:
        whole = meaning if meaning in ARGUMENTS else meaning.removesuffix(" entry")
        return self.arguments.get(whole, ARGUMENTS.get(whole, ()))

    def _places(self) -> Iterator[tuple[str, Place]]:
        """Every meaning with its letter, and where that stands: the letters of coordinates and lengths, too."""
        for meaning, place in PLACES.items():
            entry = self.symbols.get(f"{meaning} entry")
            shapes = place.shapes - {"k", "kk"} if entry else place.shapes
            yield meaning, Place(self.symbols.get(meaning, place.letter), shapes, place.bold, place.page)
            if entry:
                yield f"{meaning} entry", Place(entry, place.shapes & {"k", "kk"}, False, place.page)
        if letter := self.symbols.get(force.meaning):
            yield force.meaning, Place(letter, frozenset({"k"}))
        yield "revolute", Place(self.revolute, frozenset({"k"}))
        if self.prismatic != self.revolute:
            yield "prismatic", Place(self.prismatic, frozenset({"k"}))
        yield "vector", Place(self.vector or self.revolute, frozenset({""}))
        yield "length", Place(self.length, frozenset({"k"}))


def _alike(a: Place, b: Place) -> bool:
    together = a.page == b.page or not a.page or not b.page
    same = bool(a.letter) and a.letter == b.letter and a.bold == b.bold
    return same and together and bool(a.shapes & b.shapes)


def _check(key: str, symbol: object, form: re.Pattern[str], allowed: str) -> None:
    if not isinstance(symbol, str) or not form.fullmatch(symbol):
        raise ArgumentError(f'the symbol of "{key}" must be {allowed}, got {literal(symbol)}', key=key)


# For programs: every joint under its own name.
OWN_NAMES = Notation("own names", own_names=True)
