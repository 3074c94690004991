"""Whose notation: the symbols and the layout of four schools.

deluca     q_i, c_2, s_12; terms link by link; short sums collected by sines and cosines, masses out of long ones
craig      theta_i, c_1, s_12, L_1; sums as those of deluca; prismatic coordinates d_i
spong      q_i, cos q_2 written out, masses taken out of sums
siciliano  vartheta_i, c_1, s_12; terms link by link, masses taken out of sums
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from dynamis.document.forms.order import TEXTBOOK, Layout
from dynamis.document.formula import Sym
from dynamis.document.notation.names import Name, joint_number, split
from dynamis.document.symbols import MEANINGS
from dynamis.errors import UnknownNameError
from dynamis.scalars.exact.symbols import Meaning


@dataclass(frozen=True)
class Notation:
    """The symbols of a school, whether c_12 stands for cos(q1 + q2), and the layout of sums.

    `revolute`, `prismatic` and `length` are the symbols of joint coordinates and of lengths l1, l2, ...; `symbols` has
    the letters of quantities that differ from those of `document.symbols`: {"mass matrix": "B"}. Greek letters are
    given by their names.
    """

    name: str
    revolute: str = "q"
    prismatic: str = "q"
    length: str = "l"
    short: bool = False
    layout: Layout = TEXTBOOK
    own_names: bool = False
    symbols: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    def __post_init__(self) -> None:
        for meaning in self.symbols:
            if meaning not in MEANINGS:
                raise UnknownNameError("meaning", meaning, MEANINGS, key="symbols")

    def letter(self, symbol: Sym) -> str:
        """The letter of a symbol."""
        return self.symbols.get(symbol.meaning, symbol.letter)

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


NOTATIONS = {
    notation.name: notation
    for notation in (
        Notation("deluca", short=True, layout=Layout(factored=False, masses_first=False, gravity_first=True)),
        Notation("craig", "theta", "d", "L", short=True, layout=Layout(factored=False)),
        Notation("spong"),
        Notation("siciliano", "vartheta", "d", short=True, layout=Layout(masses_first=False)),
    )
}

# For programs: every joint under its own name.
OWN_NAMES = Notation("own names", own_names=True)


def as_notation(name: str | Notation) -> Notation:
    """A notation by its name; an unknown one suggests the nearest."""
    if isinstance(name, Notation):
        return name
    if name not in NOTATIONS:
        raise UnknownNameError("notation", name, NOTATIONS, key="notation")
    return NOTATIONS[name]
