"""Formulas with Greek letters, indices, dots and powers as characters: `m₂ lc₂ g cos(q₁ + q₂) − q̇₁²`."""

from __future__ import annotations

import re
import unicodedata

LETTER = "A-Za-z_\u0370-\u03ff\u1e00-\u1eff"
NAME = re.compile(f"[{LETTER}][{LETTER}0-9\u2080-\u209c\u1d62-\u1d6a\u2c7c\u0307\u0308]*")
POWER = re.compile("\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
ROOT = "\u221a"
SIGNS = {"\u2212": "-", "\u00b7": "*", "\u22c5": "*", "\u00d7": "*", "\u2217": "*"}


def is_unicode(text: str) -> bool:
    """Whether a formula has such characters; products then need no sign."""
    return not text.isascii() and (ROOT in text or NAME.search(text) is not None or POWER.search(text) is not None)


def ascii_name(text: str) -> str:
    """A name in plain letters: the dots of a rate in front, the index behind, Greek letters by name.

    >>> ascii_name("q\u0307\u2081"), ascii_name("\u03b8\u0308\u2082"), ascii_name("lc\u2082"), ascii_name("\u03c4_1")
    ('dq1', 'ddtheta2', 'lc2', 'tau_1')
    """
    flat = unicodedata.normalize("NFKD", text)
    dots = "dd" if "\u0308" in flat else "d" * min(flat.count("\u0307"), 2)
    letters = (character for character in flat if character not in "\u0307\u0308")
    return dots + "".join(map(_letter, letters))


def ascii_power(text: str) -> str:
    """`\u00b2` as 2, `\u207b\u00b9` as -1."""
    return unicodedata.normalize("NFKD", text).replace("\u2212", "-")


def _letter(character: str) -> str:
    name = unicodedata.name(character, "")
    if not name.startswith("GREEK "):
        return character
    word = name.split("LETTER ")[-1].split(" ")[0].lower()
    return word if "SMALL" in name else word.capitalize()
