"""The text of labels: symbols with subscripts, and plain text; how they are read from names, and how wide they are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from dynamis.base.printable import in_a_line
from dynamis.telling.notation.names import GREEK, split

FONT_SIZE = 10.0
"""Of labels [pt]."""
SCRIPT_SCALE = 0.7
"""The size of a subscript in that of its symbol."""
MAX_NAME_LENGTH = 40
"""Characters of a name; the rest is left out."""
_SYMBOL = re.compile(r"[A-Za-z]{1,8}_?\d{0,3}")
_TOKEN = re.compile(r"[^\W\d]\w*|.", re.DOTALL)


@dataclass(frozen=True)
class Sign:
    """A symbol with scripts: ASCII letters, or the name of a Greek letter; upright and bold for a vector."""

    letter: str
    sub: str = ""
    sup: str = ""
    bold: bool = False

    @property
    def unicode(self) -> str:
        """The letter itself."""
        return GREEK.get(self.letter, self.letter)


Text = tuple[Sign | str, ...]


def name_text(name: str) -> Text:
    """A name: q1 and l_1 are a symbol with a subscript, other names stay as they are.

    >>> name_text("q1"), name_text("shoulder pan")
    ((Sign(letter='q', sub='1', sup='', bold=False),), ('shoulder pan',))
    """
    line = in_a_line(name)
    if not _SYMBOL.fullmatch(line):
        return (line if len(line) <= MAX_NAME_LENGTH else f"{line[: MAX_NAME_LENGTH - 1]}…",)
    parts = split(line)
    return (Sign(parts.letter, parts.subscript),) if len(parts.letter) == 1 or parts.letter in GREEK else (line,)


def expression_text(expression: str) -> Text:
    """An expression: names as symbols, products without a sign.

    >>> expression_text("2*l1")
    ('2 ', Sign(letter='l', sub='1', sup='', bold=False))
    """
    parts: list[Sign | str] = []
    for token in _TOKEN.findall(in_a_line(expression)[:MAX_NAME_LENGTH]):
        for part in name_text(token) if token[0].isalpha() or token[0] == "_" else (token.translate(_SIGNS),):
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            else:
                parts.append(part)
    return tuple(parts)


_SIGNS = str.maketrans({"*": " ", "-": "−"})


def plain_text(text: Text) -> str:
    """The text in a line: numbers stand right after their symbol, other scripts after their sign.

    >>> plain_text((Sign("q", "1"), " = ", Sign("F", "C2", "ext", bold=True)))
    'q1 = F_C2^ext'
    """
    return "".join(part if isinstance(part, str) else _plain_sign(part) for part in text)


def _plain_sign(sign: Sign) -> str:
    sub = sign.sub if sign.sub.isdecimal() or not sign.sub else f"_{sign.sub}"
    return f"{sign.unicode}{sub}{'^' * bool(sign.sup)}{sign.sup}"


@lru_cache(maxsize=1024)
def size(text: Text) -> tuple[float, float, float]:
    """Width, height above and depth below the baseline [pt], as in Times; a little more than less."""
    width, above, below = 0.0, 0.7, 0.05
    for part in text:
        if isinstance(part, str):
            width += sum(map(_width, part))
            below = max(below, 0.22)
        else:
            scripts = max(sum(map(_width, part.sub)), sum(map(_width, part.sup))) * SCRIPT_SCALE
            width += sum(map(_width, part.unicode)) * (1.1 if part.bold else 1.0) + scripts + 0.05
            below = max(below, 0.3 if part.sub or part.letter in _DEEP else 0.05)
            above = max(above, 0.9 if part.sup else 0.7)
    return 1.06 * width * FONT_SIZE, above * FONT_SIZE, below * FONT_SIZE


_DEEP = frozenset("gjpqyQ") | {"beta", "gamma", "mu", "rho", "phi", "chi", "psi"}


def _width(c: str) -> float:
    """Of a character in ems."""
    if unicodedata.combining(c):
        return 0.0
    if unicodedata.east_asian_width(c) in "WF":
        return 1.0
    if c in "ijlt.,;:'|!()[]/ fI":
        return 0.33
    if c in "mwMW%@…":
        return 0.9
    return 0.7 if c.isupper() else 0.56 if c in "=+−<>±" else 0.52
