"""LaTeX: a whole article, for any engine."""

from __future__ import annotations

import re

from dynamis.document.blocks import Figure, Table
from dynamis.document.escapes import latex_characters, latex_text
from dynamis.document.layout import wide
from dynamis.document.renderers.walk import PAPER, Page, Rows

TABLE = 95
"""Characters of a table that a page has room for."""
SENTENCE = 50
"""Characters of a cell above which it is broken into lines."""
SHORT_TABLE = 25
"""Rows of a table that stay on one page."""
UNBROKEN = 10**6
"""A page that is wider than this has equations of any width."""
_CLASS = """\\documentclass[fleqn]{article}
\\usepackage[margin=2cm]{geometry}
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{6pt}
"""
_PREAMBLE = """\\usepackage{amsmath}
\\usepackage{longtable}
\\allowdisplaybreaks
\\setcounter{MaxMatrixCols}{100}
"""


class LatexPage(Page):
    """An article, with equations in `align*`."""

    @property
    def width(self) -> int:
        return min(self.page_width, PAPER) if self.page_width < UNBROKEN else self.page_width

    def title(self, text: str) -> str:
        return f"\\section*{{{text}}}"

    def heading(self, text: str, number: int | None, level: int) -> str:
        command = "subsection" if level == 2 else "subsubsection"
        return f"\\{command}*{{{text if number is None else f'{number}. {text}'}}}"

    def paragraph(self, text: str) -> str:
        return text

    def items(self, texts: list[str]) -> str:
        return "\\begin{itemize}\n" + "".join(f"\\item {text}\n" for text in texts) + "\\end{itemize}"

    def code(self, text: str) -> str:
        """Typewriter, line by line, indented as they are; a long line may break at its spaces."""
        lines = ((line, line.lstrip(" ")) for line in text.splitlines())
        return "\\\\\n".join(f"\\texttt{{{'~' * (len(x) - len(inner))}{latex_text(inner)}}}" for x, inner in lines)

    def plain(self, text: str) -> str:
        return latex_text(text)

    def math(self, text: str) -> str:
        return f"${text}$"

    def chain(self, rows: Rows) -> str:
        return f"\\begin{{align*}}\n{latex_aligned(rows)}\n\\end{{align*}}"

    @property
    def table_width(self) -> int:
        return TABLE

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """Sentences wrap."""
        return [min(width, SENTENCE) for width in super().column_widths(table, header, cells, right)]

    def length(self, cell: str) -> int:
        """Without the commands that escape characters."""
        return wide(re.sub(r"\\[a-z]+\{\}|[\\{}$]", "", cell))

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        """A long table goes on on the next page; a column of sentences has lines as wide as the page has room for."""
        head, *lines = (" & ".join(row) for row in (header, *rows))
        body = " \\\\\n".join(lines)
        widths = [max(map(self.length, column)) for column in zip(header, *rows, strict=True)]
        others = sum(width + 2 for width in widths if width <= SENTENCE)
        share = max(0.95 - others / TABLE, 0.3) / max(sum(width > SENTENCE for width in widths), 1)
        broken = f"p{{{share:.2f}\\linewidth}}"
        kinds = [broken if w > SENTENCE else "r" if r else "l" for r, w in zip(right, widths, strict=True)]
        name = "longtable" if len(rows) > SHORT_TABLE else "tabular"
        left = "[l]" if name == "longtable" else ""
        return f"\\begin{{{name}}}{left}{{{''.join(kinds)}}}\n{head} \\\\ \\hline\n{body}\n\\end{{{name}}}"

    def figure(self, figure: Figure) -> str:
        """A drawing in TikZ; where that is not installed, a sentence in its place."""
        picture = self.picture(figure)
        if picture is None:
            return super().figure(figure)
        from dynamis.document.pictures.tex import tikz

        shown = f"\\ifdefined\\tikzpicture\n{tikz(picture)}\\else\n[The figure needs the package TikZ.]\n\\fi"
        return f"\\begin{{center}}\n{shown}\n\\par\\medskip {self.caption(figure, picture)}\n\\end{{center}}"

    def file(self, title: str, body: str) -> str:
        return f"{_CLASS}{_preamble(body)}\\begin{{document}}\n{body}\\end{{document}}\n"

    def fragment(self, body: str) -> str:
        """With what its preamble needs as a comment."""
        needs = "".join(f"%   {line}\n" for line in _preamble(body).splitlines())
        return f"% A fragment: \\input it into a document whose preamble has\n{needs}{body}"


def _preamble(body: str) -> str:
    tikz = "\\IfFileExists{tikz.sty}{\\usepackage{tikz}}{}\n" if "\\begin{tikzpicture}" in body else ""
    return f"{_PREAMBLE}{tikz}{latex_characters(body)}"


def aligned(rows: Rows, quad: str, equals: str, end: str) -> str:
    """Equations under each other, in the signs of a language."""
    lines: list[str] = []
    for left, (first, *more) in rows:
        lines += [f"{left} {equals} {first}", *(f"{quad}{line}" for line in more)]
    return end.join(lines)


def latex_aligned(rows: Rows) -> str:
    """Equations under each other, for an environment such as `aligned`."""
    return aligned(rows, "&\\quad {}", "&=", " \\\\\n")
