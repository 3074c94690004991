"""An answer's text prepared for parsing: without comments, prose and environments, boxed matrices in brackets.

Nothing moves: what has no meaning becomes blanks, so that every place is that of the file. Of a page of `dynamis
derive` the results are read, whole or by their entries, and what they are written in (named terms, coefficients), not
the words and the steps to them, nor a formula that the page cuts.

>>> ready("M = \\u2502 a   b \\u2502  % mine")
'M = [ a,  b ]        '
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from dynamis.apps.grading.reading.letters import Letters, letters_of
from dynamis.apps.grading.reading.programs import is_python, without_strings
from dynamis.apps.grading.reading.tokens import ascii_name
from dynamis.apps.grading.reading.trees import BELOW
from dynamis.compute.quantities.entry_names import KINDS
from dynamis.telling.layout import wide
from dynamis.telling.notation.formula_printer import UNWRITTEN

_COMMENT = re.compile(r"(?<!\\)[#%][^\n]*")
# Words behind MATLAB's `...`; not a formula, so that `m1 + ... + m2` is not taken for one.
_CONTINUED = re.compile(r"(?<=\.\.\.)[ \t]+[A-Za-z][A-Za-z ,]*(?=\n)")
_FRAMES = (
    "align|aligned|alignat|alignedat|equation|gather|gathered|split|multline|eqnarray|flalign|document|math|center"
    "|subequations|dmath|IEEEeqnarray"
)
_FRAME = re.compile(
    rf"\\(?:begin|end)\{{(?:{_FRAMES})\*?\}}(?:\{{[\drclRCL]{{1,9}}\}})?|\\(?:tag|label)\{{[^}}\n]{{0,100}}\}}|\\(?:nonumber|notag)(?![A-Za-z])"
)
# The number of an equation at the right edge of a text.
_NUMBER = re.compile(r"(?<=\S) {3,99}\(\d{1,3}\)(?=[ \t\r]{0,9}(?:\n|\Z))")
_DISPLAY = re.compile(rf"\\[\[\]]|\$\$|\\(begin|end)\{{({_FRAMES.replace('document|', '')})\*?\}}")
_BRACKET = re.compile(r"(?<!\\)\\[\[\]]")
# The end of a displayed equation with another one behind it in the same line.
_OUTER = r"\{(?:align|alignat|equation|gather|multline|eqnarray|flalign|math|dmath|IEEEeqnarray)\*?\}"
_CLOSED = re.compile(
    rf"(?:(?<!\\)\\\]|\$\$|\\end{_OUTER})[ \t]{{0,20}}(?:[.,;]|and\b|with\b|where\b)?[ \t]{{0,20}}"
    rf"(?=\\\[|\$\$|\\begin{_OUTER})"
)
# Between two displayed equations of which the second goes on with the first: it begins with a sign and has no "=".
_NEXT_DISPLAY = re.compile(
    r"\s{0,9}(?:\$\$\s{0,9}\$\$(?=\s{0,9}[-+][^=$]{1,600}\$\$)|\\\]\s{0,9}\\\[(?=\s{0,9}[-+][^=\[\]]{1,600}\\\]))\s{0,9}"
)
_BREAK = re.compile(
    r"\\begin\b|\\end\b|\\\\(?:\[[^\]\n]{0,12}\])?[ \t\r]*\n?|\\q?quad(?=[\s,]{0,9}\\?[A-Za-z][\w\\{}(),' ]{0,40}=)"
)
# What stands between two formulas in one line, before the left side of the second one.
_BETWEEN = re.compile(
    r"(?:\\(?:text|mbox|mathrm|hspace\*?)\{[^{}\n]{0,40}\}|\$[ \t]{0,9}[,;.][ \t]{0,9}\$)"
    r"(?=[\s,]{0,9}\\?[A-Za-z][\w\\{}(),' ]{0,40}=)"
)
_INLINE = re.compile(r"(?<![\\\w)\]])\\\(((?:[^\\\n]|\\[^()\n])++)\\\)")  # not MATLAB's M\(tau - c)
_BRACED = re.compile(r"\\(?:boxed|underbrace|overbrace)\s{0,9}\{|[{}]")
_LABEL = re.compile(r"\s{0,9}[_^]\s{0,9}(?:\{(?:[^{}\n]|\{[^{}\n]{0,60}\}){0,200}\}|\w)")
_SPACE = re.compile(r"(?<=\\\\)\[-?[\d.]{1,6} ?(?:pt|em|ex|mm|cm|in)\]")
# Words between formulas, Python's mark of a line that goes on, and the heads of functions without a name.
_WORDS = re.compile(
    r"\\(?:text|mbox|mathrm)\{\s{0,9}(?:where|with|and|for|so|thus|hence|then|or)\s{0,9},?\s{0,9}\}"
    r"|(?<!\\)\\(?=[ \t]{0,9}\n)|(?<=[= ])(?:lambda[ \t][\w, \t]{0,60}:|@\([\w, ]{0,60}\))"
)
_BOX = re.compile(r"[\u2502|]( [^\u2502|\n]* )[\u2502|]")
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
WHAT = "M, c, C, g, T, U, tau, Q, J, transforms, named terms and coefficients"
_ENTRY = rf"(?:{'|'.join(name for name, kind in KINDS.items() if kind.examples)})(?:\\?\[[^][\n]{{1,60}}\\?\])?"
_TITLE = (
    r"(?:Equations of motion|Dynamic coefficients|Base inertial parameters|Regressor of the inertial parameters"
    rf"|{_ENTRY}(?:, {_ENTRY}){{0,100}}(?: and {_ENTRY})?) of [^\n]{{1,200}}"
)
_OWN = re.compile(rf"\A\s*{_TITLE}\n=+\n|\\section\*\{{{_TITLE}\}}\n|\A\s*\# {_TITLE}\n")
_PARAGRAPH = re.compile(r"(?:(?: {4}|\t)[^\n]+(?:\n|\Z))+")
_TEXT_ROW = re.compile(r"^ {4}(?:([^\s=(]+(?:\([^()=\n]{1,60}\))?)| *) = ", re.MULTILINE)
# Also the equals signs of short lines and short equations side by side.
_LATEX_ROW = re.compile(r"(?:^|(?<=\\qquad ))([^&=\n]*)(?:&| )= | = ", re.MULTILINE)
# A2, T0c2 and their entries, without commas; those of a page in two dimensions count other rows.
_TRANSFORM = re.compile(r"(?:A\d+|T(?:c?\d|tool)(?:c?\d|tool))")
_TRANSFORM_ENTRY = re.compile(_TRANSFORM.pattern + r"\d\d")
# Transforms, and the vectors of links, which are not read.
_BOLD = re.compile(r"\\(?:boldsymbol|mathbf)(?![A-Za-z])|[\U0001d400-\U0001d433]")
_PLANE = re.compile(r"^[^\n]{0,30}\bPlane\}?$", re.MULTILINE)
# The arguments of c_1(q, qd).
_ARGUMENTS = re.compile(r"\([^()]*\)\s*$")
# A rule in general, or a formula of which the page has only the beginning.
_RULE = re.compile(r"[\u03a3\u2202\u2026]|\\(?:sum|partial|cdots)(?![A-Za-z])")
BAR = "\u2502"
_BEFORE_BOX = re.compile(rf"^[^{BAR}\n]+(?={BAR})", re.MULTILINE)


_ARGUMENT = re.compile(r",\s{0,40}(?:dtype|copy|ndmin|order)[ \t]?=[ \t]?[\w.\"']{1,20}|\bself\.(?=[A-Za-z_])")
"""What an array is made of, and whose attribute a name is."""
_SYMPY_NUMBER = re.compile(
    r"(?<![\w.])(?:sp|sympy|sym|sm)\.(?:S|Integer)(?:\((\d{1,9})\)|\.Half\b)|(?<![\w.])S\.Half\b"
)
_ANNOTATION = re.compile(
    r"^[ \t]*(?!(?:else|try|finally|except|lambda)\b)[A-Za-z_]\w{0,40}[ \t]*(:[ \t]*[A-Za-z_][\w.\[\], |]{0,80})=(?!=)",
    re.MULTILINE,
)
"""The type of `x: float = 2` in Python."""


def ready(text: str, letters: Letters | None = None) -> str:
    """The text without what is not a formula; a `\\\\` that is not a matrix's is a new line."""
    text = _NUMBER.sub(_blank, text)
    own, planar = is_own_page(text), _PLANE.search(text) is not None
    text = _ARGUMENT.sub(_blank, text)
    if is_python(text):
        text = _SYMPY_NUMBER.sub(lambda number: f"({number[1] or '1/2'})".ljust(len(number[0])), text)
        text = _ANNOTATION.sub(lambda line: line[0].replace(line[1], " " * len(line[1])), text)
    text = _INLINE.sub(lambda formula: f"$ {formula[1]} $", _remove_boxes(text))
    text = _BETWEEN.sub(lambda words: _blank(words)[:-1] + "\v", text)
    text = _SPACE.sub(_blank, _WORDS.sub(_blank, _CONTINUED.sub(_blank, _COMMENT.sub(_blank, without_strings(text)))))
    return _boxes(_break_lines(_FRAME.sub(_blank, _without_prose(text, own, planar, letters or letters_of()))))


def is_own_page(text: str) -> bool:
    """Whether a text is a page of `dynamis derive`, as text, LaTeX or Markdown."""
    return _OWN.search(text, 0, 2000) is not None


def leaves_out_zeros(text: str) -> bool:
    """Whether a page of `dynamis derive` says that it writes matrices without their zeros."""
    return is_own_page(text) and UNWRITTEN in " ".join(text.split())


def is_document(text: str) -> bool:
    """Whether a text is a whole LaTeX document, of which only displayed equations are read."""
    return "\\begin{document}" in text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _space(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_prose(text: str, own: bool, planar: bool, letters: Letters) -> str:
    """The displayed equations of a LaTeX document; the results, without steps, of a page of `derive`."""
    latex = is_document(text)
    if latex or own:
        characters = list(re.sub(r"[^\n]", " ", text))
        in_text = (paragraph.span() for paragraph in _PARAGRAPH.finditer(text))
        for start, end in _displays(text.partition("\\end{document}")[0]) if latex or "$$" in text else in_text:
            characters[start:end] = _results(text[start:end], planar, _read(letters)) if own else text[start:end]
        text = "".join(characters)
    text = _NEXT_DISPLAY.sub(_space, text)
    text = _CLOSED.sub(lambda end: _blank(end)[:-1] + "\v", text)
    return _BRACKET.sub(_blank, text)


def _displays(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every displayed equation: between `\\[` and `\\]`, `$$`, or in an environment."""
    display: tuple[str, int] | None = None
    for mark in _DISPLAY.finditer(text):
        closer = f"end{mark[2]}" if mark[1] else {"\\[": "\\]"}.get(mark[0], mark[0])
        if display is None and mark[0] != "\\]" and mark[1] != "end":
            display = closer, mark.start()
        elif display is not None and display[0] == (f"end{mark[2]}" if mark[1] == "end" else mark[0]):
            yield display[1], mark.end()
            display = None


@lru_cache(maxsize=16)
def _read(letters: Letters) -> re.Pattern[str]:
    """The left sides that are read."""
    names, entries = "|".join((*letters.quantities, *letters.forces)), "|".join(letters.entries)
    return re.compile(rf"(?:{names}|Jv|Jw)\d*|(?:{entries})\d\d|(?:x|y|z|t|named|a|b|h|p|alpha)\d+")


def _results(block: str, planar: bool, read: re.Pattern[str]) -> str:
    """`tau1 = m11 qdd1 + ... = (...)` as `tau1 = (...)`, entry by entry; what is not read is blank."""
    characters = list(re.sub(r"[^\n]", " ", block))
    rows = list((_LATEX_ROW if "&=" in block else _TEXT_ROW).finditer(block))
    lines, end = block.splitlines(keepends=True), len(block)
    while lines and lines[-1].startswith(("\\end", "$$")):
        end -= len(lines.pop())
    ends = [*(row.start() for row in rows[1:]), end]
    heads = [k for k, row in enumerate(rows) if row[1] and row[1].strip()]
    for k, following in pairwise([*heads, len(rows)]):
        first, last = rows[k].end() - 2, rows[following - 1].end() - 2  # the equals signs of a chain of equalities
        start, end = rows[k].start(), ends[following - 1]
        below = [rows[j][1].strip() for j in heads if j > k]
        value = _without_names(block[last + 1 : end], below)
        left = _ARGUMENTS.sub("", rows[k][1])
        name = _plain(left).replace(",", "")
        bold, comma = _BOLD.search(left), "," in left
        transform = bold is not None and _TRANSFORM.fullmatch(name)
        entry = comma and _TRANSFORM_ENTRY.fullmatch(name)
        known = transform or (not planar if entry else not bold and read.fullmatch(name))
        if not known or _RULE.search(value) or _only_names(value, name):
            continue
        if transform and BAR not in value and "\\begin" not in value:
            continue  # its entries follow
        if planar and transform and BELOW in value:
            continue
        if BAR not in value:
            characters[start:end] = block[start : first + 1] + " " * (last - first) + value
        else:  # a matrix between bars, its name before the first of its lines
            top, bottom = _box(block, last)
            characters[top:bottom] = _BEFORE_BOX.sub(_blank, _without_names(block[top:bottom], below))
            characters[top : top + first - start + 1] = block[start : first + 1]
    return "".join(characters)


def _box(block: str, at: int) -> tuple[int, int]:
    """Start and end of the lines of the matrix that stands behind a place; its first lines are above it."""
    lines = block.splitlines(keepends=True)
    starts = [sum(map(len, lines[:k])) for k in range(len(lines) + 1)]
    here = next(k for k in range(len(lines)) if at < starts[k + 1])
    bars = [[wide(line[:at]) for at, sign in enumerate(line) if sign == BAR] for line in lines]
    first = last = here
    while first and bars[first - 1] == bars[here]:
        first -= 1
    while last + 1 < len(lines) and bars[last + 1] == bars[here]:
        last += 1
    return starts[first], starts[last + 1]


def _without_names(matrix: str, names: list[str]) -> str:
    """A matrix with marks in the place of entries that have lines of their own below it."""
    for name in sorted(names, key=len, reverse=True):
        cell = re.compile(rf"(?<=[\s&{BAR}]){re.escape(name)}(?=\s)")
        matrix = cell.sub(BELOW.ljust(len(name)), matrix)
    return matrix


def _only_names(value: str, name: str) -> bool:
    """Whether a vector has only the symbols of its own entries, which have lines of their own above."""
    cells = re.split(rf"\\\\|\\(?:begin|end|tag)\{{\w+[*]?\}}|[{BAR}\s]+", value)
    names = {_plain(cell) for cell in cells if cell} - {"0"}
    return len(names) > 0 and all(re.fullmatch(rf"{re.escape(name)}\d+", entry) for entry in names)


def _plain(name: str) -> str:
    return re.sub(r"\\boldsymbol|[\\_{},\s]", "", name) if "\\" in name or "_" in name else ascii_name(name.strip())


def _remove_boxes(text: str) -> str:
    """Without `\\boxed{` and `\\underbrace{` around a formula, the brackets that close them, and what stands below."""
    if "\\boxed" not in text and "brace" not in text:
        return text
    characters, heads = list(text), list[re.Match[str]]()
    for mark in _BRACED.finditer(text):
        if mark[0] != "}":
            heads.append(mark)
        elif heads and (head := heads.pop())[0] != "{":
            label = _LABEL.match(text, mark.end()) if "brace" in head[0] else None
            for start, end in (head.span(), (mark.start(), label.end() if label else mark.end())):
                characters[start:end] = " " * (end - start)
    return "".join(characters)


def _break_lines(text: str) -> str:
    depth, pieces, done = 0, list[str](), 0
    for mark in _BREAK.finditer(text):
        if mark[0] in ("\\begin", "\\end"):
            depth = max(0, depth + (1 if mark[0] == "\\begin" else -1))
        elif depth == 0:
            # A vertical tab is a line's end that came from LaTeX.
            pieces += [text[done : mark.start()], "\v", " " * (len(mark[0]) - 1)]
            done = mark.end()
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
            box = _BOX.search(line)
            assert box is not None
            cells = _GAP.sub(lambda gap: "," + gap[0][1:], box[1])
            row = ("[" if first else " ") + cells + ("]" if last else ";")
            lines[k] = line[: box.start()] + row + line[box.end() :]
    return "\n".join(lines)
