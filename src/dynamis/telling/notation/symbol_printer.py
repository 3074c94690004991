"""The symbols of quantities in a language and a notation, so that none looks like anything else of the robot.

A symbol that a parameter, a coordinate or an abbreviated cosine already has is written with its arguments: c_1(q, qd)
beside the cosine c_1, g(q) beside the parameter g. One without arguments gets a prime. What one entry needs, all have:
with a parameter tau2 the torques are tau_1(q, qd, qdd) and tau_2(q, qd, qdd).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from dynamis.telling.formula import Coordinates, Sym
from dynamis.telling.notation.language import Language
from dynamis.telling.notation.names import Name, split
from dynamis.telling.notation.notation import STATE, Notation
from dynamis.telling.notation.symbol_table import appearance
from dynamis.telling.notation.tree_matrix import TreeMatrix
from dynamis.telling.notation.tree_printer import Joints
from dynamis.telling.symbols import (
    PLACES,
    J,
    Y,
    base_inertia,
    dry,
    force,
    inertia,
    link_transform,
    mass,
    rotor,
    tau,
    transform,
    viscous,
)

STAND_INS = frozenset(symbol.meaning for symbol in (mass, inertia, rotor, viscous, dry))
"""In rules, m_1 stands for whatever the mass of link 1 is called."""
GENERAL = "q"
"""A coordinate of either kind, where a notation has a symbol for each and none for both."""
COMMAS = frozenset(symbol.meaning for symbol in (Y, transform, link_transform, J, base_inertia))
"""Symbols of links and frames, whose entries have indices of their own behind a comma."""
_ENTRY = re.compile(r"[0-9ijkl,]+")


@dataclass(frozen=True)
class SymbolPrinter:
    """Writes symbols for the robot with these joints."""

    language: Language
    notation: Notation
    joints: Joints

    def written(self, symbol: Sym) -> str:
        """A symbol with its index, dots, arguments, transposition and power."""
        if symbol not in self._texts:
            self._texts[symbol] = self._written(symbol)
        return self._texts[symbol]

    def _written(self, symbol: Sym) -> str:
        m, name, arguments = self.language, self._name(symbol), self.notation.arguments_of(symbol)
        base = m.name(_prime_name(name) if self.has_prime(symbol) else name)
        base = m.bold(base, m.name(Name(name.letter))) if symbol.bold else base
        base = m.transposed(base) if symbol.transposed else base
        base = base if symbol.power == 1 else m.power(base, symbol.power)
        if not arguments or not (symbol.applied or self._is_taken(symbol)):
            return base
        state = (self.coordinates(Coordinates(STATE.index(argument))) for argument in arguments)
        return base + m.group(m.signs[","].join(state))

    def has_prime(self, symbol: Sym | Coordinates) -> bool:
        """Whether a prime tells a symbol from a parameter, because it has no arguments that would."""
        if isinstance(symbol, Sym):
            return not self.notation.arguments_of(symbol) and self._is_taken(symbol)
        # A joint called q is all coordinates of an arm with one joint.
        return (
            len(self.joints.numbers) != 1 and appearance(self._of_coordinates(replace(symbol, order=0))) in self._taken
        )

    def coordinates(self, coordinates: Coordinates) -> str:
        """All coordinates, or the one with an index, their rates or accelerations."""
        name = self._of_coordinates(coordinates)
        return self.language.name(_prime_name(name) if self.has_prime(coordinates) else name)

    def _of_coordinates(self, coordinates: Coordinates) -> Name:
        vector, prismatic = self.notation.vector, len(self.joints.prismatic)
        letter = self.notation.prismatic if 0 < prismatic == len(self.joints.numbers) else self.notation.revolute
        if not coordinates.index:
            letter = vector or letter
        elif 0 < prismatic < len(self.joints.numbers) and self.notation.prismatic != letter:
            letter = vector if vector.islower() else GENERAL  # neither theta_k nor d_k is every coordinate
        return Name(letter, coordinates.index, coordinates.order)

    def _name(self, symbol: Sym) -> Name:
        pushes = symbol.meaning == tau.meaning and symbol.index in self._prismatic
        own = self.notation.symbols.get(force.meaning, "") if pushes else ""
        letter, index = own or self.notation.letter(symbol), symbol.index
        head, _, own = letter.partition("_")
        name = Name(head, own + index) if own or index else split(letter)
        return Name(name.letter, name.subscript, symbol.dots, commas=_commas(symbol))

    def _is_taken(self, symbol: Sym) -> bool:
        """Whether a symbol, or another entry of the same vector or matrix, looks like a parameter, ..."""
        if symbol not in self._known:
            self._known[symbol] = self._looks_taken(symbol)
        return self._known[symbol]

    def _looks_taken(self, symbol: Sym) -> bool:
        if symbol.bold:
            return False
        if symbol.meaning in STAND_INS:  # m of a body is its mass, whatever that is called
            return bool(symbol.index) and symbol.meaning in self.joints.misleading
        name = self._name(symbol)
        # The rate of M would look like that of a parameter M.
        looks = appearance(name), appearance(replace(name, dots=0))
        abbreviation = name.subscript and name.letter in (self.notation.cosine, self.notation.sine)
        if abbreviation or not self._taken.isdisjoint(looks):
            return True
        shapes = PLACES[symbol.meaning].shapes if symbol.meaning in PLACES and _ENTRY.fullmatch(symbol.index) else ()
        return any((name.letter, shape) in self._taken_entries for shape in shapes)

    @cached_property
    def _texts(self) -> dict[Sym, str]:
        """What was written: a page has few symbols, each of them often."""
        return {}

    @cached_property
    def _known(self) -> dict[Sym, bool]:
        """Whether they are taken."""
        return {}

    @cached_property
    def _prismatic(self) -> frozenset[str]:
        """The numbers of prismatic joints."""
        return frozenset(
            str(self.joints.numbers[joint]) for joint in self.joints.prismatic & self.joints.numbers.keys()
        )

    @cached_property
    def _names(self) -> tuple[Name, ...]:
        """The names of parameters and coordinates."""
        names = self.joints.names(self.notation)
        return (*names.parameters.values(), *names.joints.values())

    @cached_property
    def _taken(self) -> frozenset[str]:
        """What parameters and coordinates look like."""
        return frozenset(map(appearance, self._names))

    @cached_property
    def _taken_entries(self) -> frozenset[tuple[str, str]]:
        """(letter, shape of the index) of what looks like an entry: ("tau", "k") of tau_2, ("m", "kk") of m_12."""
        n = len(self.joints.numbers)
        taken: set[tuple[str, str]] = set()
        for name in self._names:
            for indices in name.subscript.split(","), tuple(name.subscript):
                if indices and all(index.isdigit() and 1 <= int(index) <= n for index in indices):
                    taken.add((name.letter, "k" * len(indices)))
        return frozenset(taken)


def entry_name(matrix: TreeMatrix, symbol: str | Sym, place: str, language: Language) -> str:
    """The left side of an entry: g_1 of a symbol, or of its letter, [1] without one."""
    if isinstance(symbol, str):
        # Plain ASCII has no subscripts.
        plain = not symbol or language.name(Name("x", "1")) == "x1"
        return f"{symbol}[{place}]" if plain else language.name(Name(symbol, place))
    return SymbolPrinter(language, matrix.notation, matrix.joints).written(symbol.at(place))


def _prime_name(name: Name) -> Name:
    return replace(name, letter=f"{name.letter}'")


def _commas(symbol: Sym) -> bool:
    """Whether text has the commas of an index, too: Y_1,mx2, and m_1,12 of an arm with twelve joints."""
    numbers = symbol.index.split(",")
    long = len(numbers) > 1 and all(map(str.isdigit, numbers)) and max(map(len, numbers)) > 1
    return long or symbol.meaning in COMMAS
