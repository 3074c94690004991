"""One table of names per model: what is different looks different, in every printer.

Parameters come first and keep their symbols; what would look like another one gets its whole name,
a joint the next symbol that is free. Programs (Python, SymPy) get identifiers: a letter that is a
keyword, or the name of a function that formulas call, has an underscore behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from keyword import iskeyword

from dynamis.scalars.exact.symbols import Meaning
from dynamis.telling.notation.names import GREEK, Name, joint_number
from dynamis.telling.notation.notation import Notation

RESERVED = frozenset({"sin", "cos", "sqrt", "sign", "stribeck", "pi"})
_RATES = ("", "d", "dd")


@dataclass(frozen=True)
class Names:
    """The name of every parameter and of every joint; what is not in the table is written by itself."""

    notation: Notation
    parameters: Mapping[str, Name] = field(default_factory=dict[str, Name])
    joints: Mapping[tuple[str, int], Name] = field(default_factory=dict[tuple[str, int], Name])
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    shown: frozenset[str] = frozenset()

    def parameter(self, name: str, meaning: Meaning = "") -> Name:
        """The symbol of a parameter; `meaning` is what it measures, if the table does not have it."""
        if name in self.parameters:
            return self.parameters[name]
        if name == "pi":
            return Name("pi", own="pi")
        return _program(name, frozenset()) if self.notation.own_names else self.notation.parameter(name, meaning)

    def joint(self, joint: str, order: int = 0) -> Name:
        """The symbol of a joint's coordinate, velocity or acceleration; of a named angle its parameter's."""
        if (joint, order) in self.joints:
            return self.joints[joint, order]
        if joint in self.parameters:
            return self.parameters[joint]
        if self.notation.own_names:
            return _program(_RATES[order] + joint, frozenset())
        return replace(self._coupled(joint), dots=order)

    def _coupled(self, joint: str) -> Name:
        """The symbol of a coupled joint that the ring does not have: q_c2 where q_2 is the coordinate of another."""
        symbol = self.notation.joint(joint, dict(self.numbers))
        others = self.shown | {appearance(name) for name in self.joints.values()}
        if appearance(symbol) not in others:
            return symbol
        ways = (Name(symbol.letter, f"c{symbol.subscript}" + "′" * more) for more in count())
        return next(name for name in ways if appearance(name) not in others)

    def short(self, joints: tuple[str, ...]) -> str:
        """12 for q1 + q2, so that c12 is its cosine; nothing where a joint has no number or c12 is a parameter."""
        numbers = [joint_number(joint, self.numbers) for joint in joints]
        own = all(self.joint(joint).letter == self.notation.revolute for joint in joints)
        if not own or None in numbers:
            return ""
        in_use = [joint_number(joint, self.numbers) or 0 for joint in (*self.numbers, *joints)]
        subscript = ("," if max(in_use) > 9 else "").join(map(str, numbers))
        letters = self.notation.cosine, self.notation.sine
        return "" if {appearance(Name(letter, subscript)) for letter in letters} & self.shown else subscript


@lru_cache(maxsize=64)
def table(
    notation: Notation,
    meanings: tuple[tuple[str, Meaning], ...],
    joints: tuple[str, ...],
    prismatic: frozenset[str],
) -> Names:
    """The table of a model's ring: its parameters with what they measure, its joints in order."""
    numbers = {joint: k for k, joint in enumerate(joints, 1)}
    if notation.own_names:
        parameters, coordinates = _identifiers([name for name, _ in meanings], numbers)
    else:
        parameters, coordinates = _symbols(notation, dict(meanings), numbers, prismatic)
    return Names(notation, parameters, coordinates, numbers, frozenset(map(appearance, parameters.values())))


def appearance(name: Name) -> str:
    """What a reader sees in the plainest of the printers, where a comma in a subscript is not written."""
    return f"{GREEK.get(name.letter, name.letter)}{'.' * name.dots}_{name.subscript.replace(',', '')}"


def _symbols(
    notation: Notation, meanings: Mapping[str, Meaning], numbers: dict[str, int], prismatic: frozenset[str]
) -> tuple[dict[str, Name], dict[tuple[str, int], Name]]:
    pretty = {name: notation.parameter(name, meaning, meanings) for name, meaning in meanings.items()}
    by_appearance: dict[str, list[str]] = {}
    for name, symbol in pretty.items():
        by_appearance.setdefault(appearance(symbol), []).append(name)
    alike = {name for names in by_appearance.values() if len(names) > 1 for name in names}
    parameters = {name: Name(name, own=name) if name in alike else symbol for name, symbol in pretty.items()}
    others = set(map(appearance, parameters.values()))
    joints: dict[tuple[str, int], Name] = {}
    for joint in numbers:
        way = next(n for n in _ways(joint, notation, numbers, joint in prismatic) if appearance(n) not in others)
        others.add(appearance(way))
        joints |= {(joint, order): replace(way, dots=order) for order in range(3)}
    return parameters, joints


def _ways(joint: str, notation: Notation, numbers: dict[str, int], prismatic: bool) -> Iterator[Name]:
    """Symbols for a joint, the best first; there is always one more."""
    yield notation.joint(joint, numbers, 0, prismatic)
    yield Notation("q").joint(joint, numbers, 0)
    place, more = str(numbers[joint]), 0
    while True:
        yield Name("q", place + "′" * more)
        yield Name("joint", place + "′" * more)
        more += 1


def _identifiers(
    parameter_names: Iterable[str], joint_names: Iterable[str]
) -> tuple[dict[str, Name], dict[tuple[str, int], Name]]:
    others: set[str] = set()
    parameters: dict[str, Name] = {}
    joints: dict[tuple[str, int], Name] = {}
    for name in sorted(parameter_names, key=lambda name: (iskeyword(name) or name in RESERVED, name)):
        parameters[name] = _program(name, others)
        others.add(parameters[name].letter)
    for order, prefix in enumerate(_RATES):
        for joint in joint_names:
            joints[joint, order] = _program(prefix + joint, others)
            others.add(joints[joint, order].letter)
    return parameters, joints


def _program(name: str, others: set[str] | frozenset[str]) -> Name:
    """An identifier for a name that no other one has: lambda_, q_1."""
    letter = re.sub(r"\W", "_", name)
    letter = f"_{letter}" if letter[:1].isdigit() or not letter else letter
    while iskeyword(letter) or letter in RESERVED or letter in others:
        letter += "_"
    return Name(letter, own=letter)
