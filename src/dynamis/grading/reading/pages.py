"""An answer's text prepared for parsing: without comments, prose and environments, boxed matrices in brackets.

Nothing moves: what has no meaning becomes blanks, so that every place is that of the file.

>>> ready("M = \\u2502 a   b \\u2502  % mine")
'M = [ a,  b ]        '
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dynamis.grading.reading.own_pages import is_own_page, paragraphs, results

_COMMENT = re.compile(r"(?<!\\)[#%][^\n]*")
# Words behind MATLAB's `...`; not a formula, so that `m1 + ... + m2` is not taken for one.
_CONTINUED = re.compile(r"(?<=\.\.\.)[ \t]+[A-Za-z][A-Za-z ,]*(?=\n)")
# What a program says around its formulas: syms m1 m2 real, from sympy import *, m1, m2 = symbols("m1 m2").
_COMMAND = re.compile(
    r"(?:syms|clear|clearvars|clc|close|format|import|from|end|endfunction|return|disp|print|pprint)\b"
)
_HEADER = re.compile(r"(?:function|def)\b")
_DECLARED = re.compile(r"(?:\w+\.)?(?:symbols|Symbol|dynamicsymbols|sym)\(")
_NAMES = re.compile(r"[\w, \t]+")
_FRAMES = (
    "align|aligned|alignat|alignedat|equation|gather|gathered|split|multline|eqnarray|flalign|document|math|center"
)
_FRAME = re.compile(
    rf"\\(?:begin|end)\{{(?:{_FRAMES})\*?\}}|\\(?:tag|label)\{{[^}}\n]{{0,100}}\}}|\\(?:nonumber|notag)(?![A-Za-z])"
)
_DISPLAY = re.compile(rf"\\[\[\]]|\$\$|\\(begin|end)\{{({_FRAMES.replace('document|', '')})\*?\}}")
_BRACKET = re.compile(r"(?<!\\)\\[\[\]]")
_BREAK = re.compile(r"\\begin\b|\\end\b|\\\\(?:\[[^\]\n]{0,12}\])?[ \t\r]*\n?")
_BOX = re.compile(r"[\u2502|]( [^\u2502|\n]* )[\u2502|]")
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")


def ready(text: str) -> str:
    """The text without what is not a formula; a `\\\\` that is not a matrix's is a new line."""
    own = is_own_page(text)
    lines = _CONTINUED.sub(_blank, _COMMENT.sub(_blank, text)).split("\n")
    text = "\n".join(" " * len(line) if _is_declaration(line.strip()) else line for line in lines)
    return _boxes(_broken(_FRAME.sub(_blank, _without_prose(text, own))))


def _is_declaration(line: str) -> bool:
    """Whether a line of a program is only a declaration or a command."""
    left, equals, right = line.partition("=")
    if not equals:
        return _COMMAND.match(line) is not None or _HEADER.match(line) is not None
    declares = _DECLARED.match(right.lstrip()) is not None and right.rstrip("; \t").endswith(")")
    return _HEADER.match(line) is not None or (declares and _NAMES.fullmatch(left) is not None)


def is_document(text: str) -> bool:
    """Whether a text is a whole LaTeX document, of which only displayed equations are read."""
    return "\\begin{document}" in text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _without_prose(text: str, own: bool) -> str:
    """The displayed equations of a LaTeX document; the results, without steps, of a page of `derive`."""
    latex = is_document(text)
    if latex or own:
        blank = list(re.sub(r"[^\n]", " ", text))
        spans = _displays(text) if latex or "$$" in text else paragraphs(text)
        for start, end in spans:
            blank[start:end] = results(text[start:end]) if own else text[start:end]
        text = "".join(blank)
    return _BRACKET.sub(_blank, text)


def _displays(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every displayed equation: between `\\[` and `\\]`, `$$`, or in an environment."""
    opened: tuple[str, int] | None = None
    for found in _DISPLAY.finditer(text):
        closer = f"end{found[2]}" if found[1] else {"\\[": "\\]"}.get(found[0], found[0])
        if opened is None and found[0] != "\\]" and found[1] != "end":
            opened = closer, found.start()
        elif opened is not None and opened[0] == (f"end{found[2]}" if found[1] == "end" else found[0]):
            yield opened[1], found.end()
            opened = None


def _broken(text: str) -> str:
    depth, pieces, done = 0, list[str](), 0
    for found in _BREAK.finditer(text):
        if found[0] in ("\\begin", "\\end"):
            depth = max(0, depth + (1 if found[0] == "\\begin" else -1))
        elif depth == 0:
            # A vertical tab is a line's end that came from LaTeX.
            pieces += [text[done : found.start()], "\v", " " * (len(found[0]) - 1)]
            done = found.end()
    return "".join([*pieces, text[done:]])


def _boxes(text: str) -> str:
    """Matrices printed between bars, as dynamis prints them, in MATLAB's brackets."""
    if "\u2502" not in text and "|" not in text:
        return text
    lines = text.split("\n")
    rows = [len(_BOX.findall(line)) == 1 and line.rstrip().endswith(("\u2502", "|")) for line in lines]
    for k, line in enumerate(lines):
        if rows[k]:
            first, last = not (k and rows[k - 1]), not (k + 1 < len(lines) and rows[k + 1])
            found = _BOX.search(line)
            assert found is not None
            cells = _GAP.sub(lambda gap: "," + gap[0][1:], found[1])
            row = ("[" if first else " ") + cells + ("]" if last else ";")
            lines[k] = line[: found.start()] + row + line[found.end() :]
    return "\n".join(lines)
