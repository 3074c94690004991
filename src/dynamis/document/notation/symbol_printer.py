"""The symbols of quantities in a language and a notation, so that none looks like anything else of the robot.

A symbol that a parameter, a coordinate or an abbreviated cosine already has is written with its arguments: c_1(q, qd)
beside the cosine c_1, g(q) beside the parameter g. One without arguments gets a prime.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dynamis.document.formula import Coordinates, Sym
from dynamis.document.notation.language import Language
from dynamis.document.notation.names import Name, split
from dynamis.document.notation.notation import STATE, Notation
from dynamis.document.notation.symbol_table import appearance
from dynamis.document.notation.tree_matrix import TreeMatrix
from dynamis.document.notation.tree_printer import Joints
from dynamis.document.symbols import Y, dry, link_transform, mass, rotor, transform, viscous

STAND_INS = frozenset(symbol.meaning for symbol in (mass, rotor, viscous, dry))
"""In rules, m_1 stands for whatever the mass of link 1 is called."""


@dataclass(frozen=True)
class SymbolPrinter:
    """Writes symbols for the robot with these joints."""

    language: Language
    notation: Notation
    joints: Joints

    def written(self, symbol: Sym) -> str:
        """A symbol with its index, dots, arguments, transposition and power."""
        m, n = self.language, self.notation
        letter, index = n.letter(symbol), symbol.index
        head, _, own = letter.partition("_")
        named = Name(head, own + index) if own or index else split(letter)
        name = Name(named.letter, named.subscript, symbol.dots, commas=_commas(symbol))
        applied = symbol.applied
        if not symbol.bold and symbol.meaning not in STAND_INS and self._is_taken(name):
            applied = bool(n.arguments_of(symbol))
            name = name if applied else Name(name.letter, f"{name.subscript}′", name.dots, commas=name.commas)
        base = m.name(name)
        base = m.bold(base, m.name(Name(named.letter))) if symbol.bold else base
        base = m.transposed(base) if symbol.transposed else base
        base = base if symbol.power == 1 else m.power(base, symbol.power)
        arguments = [self.coordinates(Coordinates(STATE.index(a))) for a in n.arguments_of(symbol)] if applied else []
        return base + m.group(m.signs[","].join(arguments)) if arguments else base

    def coordinates(self, coordinates: Coordinates) -> str:
        """All coordinates, or the one with an index, their rates or accelerations."""
        turns = len(self.joints.prismatic) < len(self.joints.numbers) or not self.joints.numbers
        letter = self.notation.revolute if turns else self.notation.prismatic
        letter = self.notation.vector or letter if not coordinates.index else letter
        return self.language.name(Name(letter, coordinates.index, coordinates.order))

    def _is_taken(self, name: Name) -> bool:
        abbreviation = name.subscript and name.letter in (self.notation.cosine, self.notation.sine)
        return bool(abbreviation) or appearance(name) in self._taken

    @cached_property
    def _taken(self) -> frozenset[str]:
        """What parameters and coordinates look like."""
        names = self.joints.names(self.notation)
        return names.shown | {appearance(name) for name in names.joints.values()}


def entry_name(matrix: TreeMatrix, symbol: str | Sym, place: str, language: Language) -> str:
    """The left side of an entry: g_1 of a symbol, or of its letter, [1] without one."""
    if isinstance(symbol, str):
        # Plain ASCII has no subscripts.
        plain = not symbol or language.name(Name("x", "1")) == "x1"
        return f"{symbol}[{place}]" if plain else language.name(Name(symbol, place))
    return SymbolPrinter(language, matrix.notation, matrix.joints).written(symbol.at(place))


def _commas(symbol: Sym) -> bool:
    """Whether text has the commas of an index, too: Y_1,mx2, and m_1,12 of an arm with twelve joints."""
    numbers = symbol.index.split(",")
    long = len(numbers) > 1 and all(map(str.isdigit, numbers)) and max(map(len, numbers)) > 1
    return long or symbol.meaning in (Y.meaning, transform.meaning, link_transform.meaning)
