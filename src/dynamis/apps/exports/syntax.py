"""Expressions, names and comments in the spelling of a language."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dynamis.apps.exports.straight_line import Expression
from dynamis.base.printable import encodable, in_a_line

LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3}
"""How tightly an operation binds."""
CALLS = {
    "sin": "sin({})", "cos": "cos({})", "sqrt": "sqrt({})", "sign": "sign({})", "min": "min({}, {})",
    "max": "max({}, {})", "round": "round({})",
}  # fmt: skip
LONGEST_NAME = 60


@dataclass(frozen=True)
class Syntax:
    """How a language writes numbers and functions, and which names it keeps for itself.

    `calls` are templates of the operations that are not infix, as in CALLS; `times` and `over` stand between factors.
    `folds` says that names that differ in case alone are the same.
    """

    reserved: frozenset[str]
    number: Callable[[float], str] = repr
    calls: Mapping[str, str] = field(default_factory=lambda: CALLS)
    folds: bool = False
    times: str = "*"
    over: str = "/"

    def text(self, expression: Expression) -> str:
        """An expression, with the parentheses that it needs."""
        return self._text(expression)[0]

    def names(self, taken: Iterable[str] = ()) -> Names:
        """Names that are neither the language's own nor taken."""
        return Names((*self.reserved, *taken), self.folds)

    def _text(self, expression: Expression) -> tuple[str, int]:
        op, *parts = expression
        if op == "name":
            return parts[0], 4
        if op == "constant":
            return self.number(parts[0]), 3 if parts[0] < 0 else 4
        if op in self.calls:
            return self.calls[op].format(*(self._text(part)[0] for part in parts)), 4
        level = LEVELS[op]
        if op == "neg":
            text, inner = self._text(parts[0])
            return f"-{text}" if inner > level else f"-({text})", level
        (left, first), (right, second) = map(self._text, parts)
        if first < level or (first == 3 and level == 2):
            left = f"({left})"
        if second < level or second == 3 or (second == level and op in "-/"):
            right = f"({right})"
        between = f" {op} " if level == 1 else self.times if op == "*" else self.over
        return f"{left}{between}{right}", level


class Names:
    """Identifiers in ASCII, each given once."""

    def __init__(self, taken: Iterable[str] = (), folds: bool = False) -> None:
        self._key: Callable[[str], str] = str.casefold if folds else str
        self._taken = {self._key(name) for name in taken}

    def __call__(self, wish: str) -> str:
        """The wish as an identifier; where that is taken, with a number behind it.

        >>> names = Names(["for"])
        >>> [names(x) for x in ("for", "q1", "q1", "Grüße, 3-D", "2R")]
        ['for_2', 'q1', 'q1_2', 'Grusse_3_D', 'r2R']
        """
        base = identifier(wish)
        name, k = base, 1
        while self._key(name) in self._taken:
            k += 1
            name = f"{base}_{k}"
        self._taken.add(self._key(name))
        return name


BESIDE = "check codesys vectors fmi board solver functions"
C_HEADERS = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "
    "stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype"
)
OTHERS = "casadi cupy jax numpy alloc core crate proc_macro self std super base main demo example test unix"
WINDOWS = "con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9"
TAKEN = frozenset(
    x.lower() for x in (*f"{BESIDE} {C_HEADERS} {OTHERS} {WINDOWS}".split(), *sys.stdlib_module_names, *keyword.kwlist)
)
"""In small letters: files of an export, headers of C, modules of Python, Julia and Rust, functions of Octave, which a
robot would hide or be hidden by, and devices of Windows, whose names no file has there."""


def module_name(text: str) -> str:
    """An identifier that a file and a module can have, too.

    >>> module_name("check")
    'check_robot'
    """
    name = identifier(text)
    return f"{name}_robot" if name.lower() in TAKEN else name


def identifier(text: str) -> str:
    """Letters, digits and underscores that begin with a letter."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", encodable(text, "ascii")).strip("_")[:LONGEST_NAME]
    return name if name[:1].isalpha() else f"r{name}"


def subscripts(k: int, shape: Sequence[int]) -> str:
    """The subscripts, from 1, of an entry that is the k-th row by row, from 0.

    >>> subscripts(3, (2, 3))
    '2, 1'
    """
    places: list[int] = []
    for n in reversed(shape):
        k, place = divmod(k, n)
        places.append(place + 1)
    return ", ".join(map(str, reversed(places)))


def comment(text: str) -> str:
    """Text from outside that no comment and no string of any language takes for its end.

    >>> comment("a */ b")
    'a * / b'
    """
    line = encodable(in_a_line(text), "ascii").replace("\\", "/").replace('"', "'")
    return re.sub(r"\*(?=[/)])|[/(](?=\*)|\?(?=\?)|\{(?=[-%])", lambda match: f"{match[0]} ", line)
