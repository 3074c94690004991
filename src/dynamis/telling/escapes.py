"""Texts from outside (names, descriptions, units) as each language prints them: never as commands of it."""

from __future__ import annotations

import html
import re

from dynamis.base.printable import in_a_line

_LATEX = {
    "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}",
    ">": "\\textgreater{}", "|": "\\textbar{}", "`": "{`}", **{c: f"\\{c}" for c in "&%$#_{}"},
}  # fmt: skip
_MARKDOWN = {c: f"\\{c}" for c in "\\`*_{}[]<>#$|~&"}
_TYPST = {c: f"\\{c}" for c in "\\#$*_`<>@=~[]/"}
# Beyond these, pdfLaTeX has to be told what a character is; the kernel knows the letters of Western Europe.
_KNOWN_TO_LATEX = frozenset(map(chr, range(0xA0, 0x100))) - frozenset("\xab\xbb\xd0\xde\xf0\xfe") | frozenset("–—‘’“”…")

_SIGNS = {"−": "-", "′": "'", "→": "\\to", "≤": "\\le", "≥": "\\ge", "≠": "\\ne", "≈": "\\approx", "∞": "\\infty"}

_POWER = re.compile(r"(\b(?:kg|rad|deg|m|1)[ /][ms]|\[m|\(N m\))\^([23])(?!\w)")


def with_powers(text: str) -> str:
    """The units in a text with their powers raised; data and code keep `kg m^2`.

    >>> with_powers("inertia [kg m^2], G^2 times at the joint")
    'inertia [kg m²], G^2 times at the joint'
    """
    return _POWER.sub(lambda match: match[1] + {"2": "²", "3": "³"}[match[2]], text)


def latex_text(text: str) -> str:
    """For LaTeX outside of formulas, and inside of \\text.

    >>> latex_text("50% of a_1")
    '50\\\\% of a\\\\_1'
    """
    escaped = "".join(_LATEX.get(c, c) for c in in_a_line(text)).replace("--", "-{}-")
    # After the end of a table's row these would be read as its options.
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped


def latex_characters(page: str) -> str:
    """Lines for the head of a page that tell pdfLaTeX its unusual characters; other engines pass over them."""
    # Here, because the notation imports this module.
    from dynamis.telling.notation.names import GREEK

    unusual = sorted({c for c in page if not c.isascii()} - _KNOWN_TO_LATEX)
    if not unusual:
        return ""
    signs = {letter: f"\\{command}" for command, letter in GREEK.items()} | _SIGNS
    known = {c: f"\\ensuremath{{{sign}}}" for c, sign in signs.items()}
    lines = (f"  \\DeclareUnicodeCharacter{{{ord(c):04X}}}{{{known.get(c, f'U+{ord(c):04X}')}}}\n" for c in unusual)
    return f"\\ifdefined\\DeclareUnicodeCharacter\n{''.join(lines)}\\fi\n"


def markdown_text(text: str) -> str:
    """For Markdown, also in a cell of a table.

    >>> markdown_text("a|b")
    'a\\\\|b'
    """
    return "".join(_MARKDOWN.get(c, c) for c in in_a_line(text))


def html_text(text: str) -> str:
    """For HTML, also in an attribute."""
    return html.escape(in_a_line(text))


def latex_comment(text: str) -> str:
    """A comment in a line of its own."""
    return f"% {in_a_line(text)}\n"


def html_comment(text: str) -> str:
    """A comment in a line of its own, which the text cannot end.

    >>> html_comment("dynamis show --> x")
    '<!-- dynamis show --&gt; x -->\\n'
    """
    return f"<!-- {in_a_line(text).replace('>', '&gt;')} -->\n"


def typst_text(text: str) -> str:
    """For Typst outside of formulas: no comment, no dash of two signs, no list at the beginning.

    >>> typst_text("a//b")
    'a\\\\/\\\\/b'
    """
    escaped = "".join(_TYPST.get(c, c) for c in in_a_line(text)).replace("--", "-\\-")
    return re.sub(r"^(\s*\d*)([-+.])", r"\1\\\2", escaped)
