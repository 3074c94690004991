"""The letters that answers may be written in: those of all notations that ship, first those of the answer's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from dynamis.apps.grading.reading.tokens import spellings
from dynamis.telling import symbols
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.schools import NOTATIONS

SYMBOLS = {
    symbols.M: "M", symbols.c: "c", symbols.c.at(1): "c", symbols.christoffel: "c", symbols.C: "C",
    symbols.C.at(1): "C", symbols.g: "g", symbols.g.at(1): "g", symbols.tau: "tau", symbols.tau.at(1): "tau",
    symbols.T: "T", symbols.U: "U", symbols.J: "J", symbols.Q: "Q",
}  # fmt: skip
"""The results that derivations write, as the quantities that they are read as."""


@dataclass(frozen=True)
class Letters:
    """What the letters of notations stand for."""

    quantities: Mapping[str, str] = field(hash=False)
    """Letters of left sides -> the quantities that they are read as."""
    entries: frozenset[str]
    """Those of the entries of M; d_1 is none, d_12 is."""
    revolute: tuple[str, ...]
    """The symbols of revolute coordinates; answers may have them for every joint."""
    prismatic: tuple[str, ...]
    """The symbols of prismatic coordinates, for prismatic joints."""
    lengths: tuple[str, ...]
    """The symbols of lengths l1, l2, ..."""
    forces: tuple[str, ...]
    """The symbols of the forces of prismatic joints."""
    cosines: tuple[str, ...]
    sines: tuple[str, ...]
    notations: tuple[Notation, ...]


@lru_cache(maxsize=16)
def letters_of(notation: Notation | None = None) -> Letters:
    """The letters of the notations that ship; where one is given, its own come first."""
    schools = (*([] if notation is None else [notation]), *NOTATIONS.values())
    quantities = {"m": "M"}
    for school in schools:
        for symbol, kind in SYMBOLS.items():
            for letter in spellings(school.letter(symbol)):
                quantities.setdefault(letter, kind)
    return Letters(
        quantities,
        frozenset(letter for school in schools for letter in spellings(school.letter(symbols.m))),
        _letters(school.revolute for school in schools),
        _letters(school.prismatic for school in schools),
        _letters(school.length for school in schools),
        _letters(school.symbols.get(symbols.force.meaning, "") for school in schools),
        _letters((*(school.cosine for school in schools), "c", "C")),
        _letters((*(school.sine for school in schools), "s", "S")),
        schools,
    )


def _letters(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(letter for name in names if name for letter in spellings(name)))
