"""Text from strangers' files and arguments, made safe to print.

A control character could move the cursor, change colours or the title, or hide and reorder what stands on the
screen. It is shown as its escape instead, `\\u001b`, which JSON and TOML read back as the same character.
"""

from __future__ import annotations

import re
import unicodedata

# C0 (but not tab and line feed), DEL, C1, direction marks and overrides, invisible separators, lone surrogates;
# not the invisible operators of MathML, U+2061 to U+2064.
STRONG, WARNING, ERROR, PLAIN, GOOD, CALM = "\ue010\ue011\ue012\ue013\ue014\ue015"
"""Marks of our own in a text for a terminal that has weights and colours; they take no room."""
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u206f\ufeff\ud800-\udfff\ue010-\ue015]"
)
_DIGITS = re.compile(r"\d{61,}")
# What a letter's Unicode name does not tell.
_ASCII = {
    "−": "-", "–": "-", "·": "*", "×": "x", "′": "'", "…": "...", "“": '"', "”": '"', "│": "|", "─": "-",
    "√": "sqrt", "∑": "sum", "∂": "d", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "∞": "inf", "°": "deg",
    "\u0307": "d", "\u0308": "dd", "ᵀ": "^T", "⁻": "^-", "ⱼ": "j",
    "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "ı": "i", "ð": "d", "þ": "th", "’": "'", "‘": "'", "—": "-", "∫": "int", "≈": "~", "±": "+-", "•": "*",
}  # fmt: skip
_SUM = re.compile(r"Σ(?=[\u1d62-\u1d6a\u2080-\u209c\u2c7c])")
"""A sum over an index, which is not the letter."""
_DOTTED_WORD = re.compile("(?:[^\\W\\d_]([\u0307\u0308])){2,}")
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL)? ?(?:LETTER )?(\w+)(?: SYMBOL)?")


def visible(text: str) -> str:
    r"""The text with its control characters as escapes; tabs and line feeds stay.

    >>> print(visible("a\x1b[31mb"))
    a\u001b[31mb
    """
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shorten_text(text: str, most: int = 60) -> str:
    """At most so many characters of a text, which may be as long as a file.

    >>> shorten_text("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def in_a_line(text: str) -> str:
    """`visible`, with tabs and line feeds as blanks, and numbers of more than 60 digits cut."""
    text = _DIGITS.sub(lambda match: f"{match[0][:12]}...({len(match[0])} digits)", text)
    return visible(text.translate({9: " ", 10: " "}))


def is_unicode(encoding: str) -> bool:
    """Whether an encoding has every character."""
    try:
        return "\U0010ffff".encode(encoding) != b""
    except UnicodeEncodeError:
        return False
    except LookupError:
        return True


def encodable(text: str, encoding: str) -> str:
    """The text in what an encoding has: `q1` for q₁, `tau` for τ, `^2` for ², o for ø; an escape where nothing is near.

    >>> print(encodable("τ₁ = m₁ lc₁² q̈₁", "ascii"))
    tau1 = m1 lc1^2 qdd1
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text if _encodes("Σ", encoding) else _SUM.sub("sum_", text)
        text = _DOTTED_WORD.sub(lambda word: word[0].replace(word[1], "") + word[1], text)
        return "".join(_nearest(character, encoding) for character in text)
    except LookupError:
        pass
    return text


def _nearest(character: str, encoding: str) -> str:
    if _encodes(character, encoding):
        return character
    letter, *marks = unicodedata.normalize("NFD", character)
    # A letter of a European alphabet with an accent is that letter; Ṁ and ẍ are derivatives.
    near = unicodedata.normalize("NFKC", letter) + ("" if character < "\u0180" else "".join(marks))
    plain = _ASCII.get(character) or _greek(character) or near
    if "SUPERSCRIPT" in unicodedata.name(character, "") and plain.isdigit():
        plain = f"^{plain}"
    if plain != character and not _encodes(plain, encoding):  # a bold letter, or one with a mark
        plain = "".join(_nearest(one, encoding) for one in plain)
    return plain if _encodes(plain, encoding) else plain.encode("ascii", "backslashreplace").decode()


def _greek(character: str) -> str:
    match = _GREEK.fullmatch(unicodedata.name(character, ""))
    return "" if match is None else match[2].capitalize() if match[1] == "CAPITAL" else match[2].lower()


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def xml_comment(text: str) -> str:
    """As `html_comment`, where two hyphens may not follow each other.

    >>> xml_comment("dynamis convert --force")
    '<!-- dynamis convert - -force -->\\n'
    """
    return f"<!-- {re.sub('-(?=-|$)', '- ', in_a_line(text))} -->\n"
