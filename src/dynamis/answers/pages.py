"""An answer's text made ready for its lines: comments, prose, frames and boxes of matrices, column by column.

Nothing moves: what means nothing becomes blanks, so that every place is that of the file.

>>> ready("M = \\u2502 a   b \\u2502  % mine")
'M = [ a,  b ]        '
"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"(?<!\\)[#%][^\n]*")
_FRAMES = (
    "align|aligned|alignat|alignedat|equation|gather|gathered|split|multline|eqnarray|flalign|document|math|center"
)
_FRAME = re.compile(
    rf"\\(?:begin|end)\{{(?:{_FRAMES})\*?\}}|\\(?:tag|label)\{{[^}}\n]*\}}|\\(?:nonumber|notag)(?![A-Za-z])"
)
_DISPLAY = re.compile(r"\\\[(.*?)\\\]", re.DOTALL)
_TITLE = re.compile(r"\s*[^\n]+\n={4,}\n")
_BREAK = re.compile(r"\\begin\b|\\end\b|\\\\(?:\[[^\]\n]{0,12}\])?[ \t\r]*\n?")
_BOX = re.compile(r"[\u2502|]( [^\u2502|\n]* )[\u2502|]")
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")


def ready(text: str) -> str:
    """The text without what is not a formula; a `\\\\` that is not a matrix's is a new line."""
    text = _COMMENT.sub(_blank, text)
    return _boxes(_broken(_FRAME.sub(_blank, _without_prose(text))))


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _without_prose(text: str) -> str:
    """Of a LaTeX page what stands in display; of our own page of text what is indented as an equation."""
    displays = list(_DISPLAY.finditer(text))
    if displays:
        blank = list(re.sub(r"[^\n]", " ", text))
        for found in displays:
            blank[found.start(1) : found.end(1)] = found[1]
        return "".join(blank)
    if _TITLE.match(text):
        return re.sub(r"(?m)^(?! {4}).*$", _blank, text)
    return text


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
    """Rows between bars, as our own text prints a matrix, in the brackets of MATLAB."""
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
