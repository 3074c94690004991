"""Texts from outside (names, descriptions, sources) as each language prints them, never as commands.

What has no place on a line at all, a newline or another control character, is a space.
"""

from __future__ import annotations

import unicodedata

# What pdfLaTeX cannot print as it is, or would print as something else.
_LATEX = {
    "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", '"': "\\textquotedbl{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "`": "\\textasciigrave{}",
    "'": "\\textquotesingle{}", "-": "{-}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}  # fmt: skip
_MARKDOWN = {**{c: f"\\{c}" for c in "\\`*_{}[]()#$|~+-.!^=:@"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}
_TYPST = {c: f"\\{c}" for c in "\\#$*_`<>@=~[]/-+'\"."}


def one_line(text: str) -> str:
    """A text without control characters, line breaks and marks that turn the direction of writing.

    >>> one_line("a\\nb")
    'a b'
    """
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") else c for c in text)
