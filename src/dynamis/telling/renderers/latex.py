"""LaTeX: a whole article, for any engine."""

from __future__ import annotations

import re

from dynamis.base.errors import ArgumentError
from dynamis.telling.blocks import Block, Equation, Figure, Rule, Table
from dynamis.telling.escapes import latex_characters, latex_comment, latex_text
from dynamis.telling.layout import wide
from dynamis.telling.renderers.equation_lines import PAPER_WIDTH, Rows, drawing_scale
from dynamis.telling.renderers.walk import Page
from dynamis.telling.tables import rooms_of

TABLE_WIDTH = 95
"""Characters of a table that a page has room for."""
MATRIX_WIDTH = 104
"""Characters of a matrix as text that a page has room for."""
SHORT_TABLE = 25
"""Rows of a table that stay on one page."""
MIN_LIST_ROWS = 8
"""Rows of a table of words whose halves stand beside each other."""
WORDS_WIDTH = 108
"""Characters of words, narrower than those of numbers and formulas, that they have room for."""
UNBROKEN_WIDTH = 10**6
"""A page that is wider than this has equations of any width."""
_CLASS = """\\documentclass[fleqn,a4paper]{article}
\\usepackage[hmargin=2cm,vmargin={1.1cm,1.6cm},footskip=20pt]{geometry}
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{2pt plus 1pt}
\\makeatletter
\\renewcommand{\\subsection}{\\@startsection{subsection}{2}{0pt}{-7pt plus -3pt}{2pt}{\\bfseries}}
\\renewcommand{\\subsubsection}{\\@startsection{subsubsection}{3}{0pt}{-6pt plus -2pt}{1pt}{\\itshape}}
\\@secpenalty=0
\\makeatother
\\AtBeginDocument{\\small \\mathindent=1.5em \\jot=2pt \\predisplaypenalty=50
  \\abovedisplayskip=1pt plus 2pt \\belowdisplayskip=\\abovedisplayskip
  \\abovedisplayshortskip=\\abovedisplayskip \\belowdisplayshortskip=\\abovedisplayskip}
"""
_PREAMBLE = """\\usepackage{amsmath}
\\usepackage{array}
\\usepackage{longtable}
\\allowdisplaybreaks
\\setcounter{MaxMatrixCols}{100}
"""


class LatexPage(Page):
    """An article, with equations in `align*`."""

    gap = " \\qquad "
    share = 1.0
    """How much of the widths above the page has room for."""
    column_gap = 6
    """LaTeX leaves 12 pt between columns, which is this much more than the two characters that `rooms_of` counts."""

    @property
    def width(self) -> int:
        return (
            min(self.page_width, round(self.share * PAPER_WIDTH))
            if self.page_width < UNBROKEN_WIDTH
            else self.page_width
        )

    @property
    def chain_width(self) -> int:
        return round(self.share * PAPER_WIDTH) if self.page_width < UNBROKEN_WIDTH else 0

    @property
    def matrix_width(self) -> int:
        return max(super().matrix_width, MATRIX_WIDTH)

    def title(self, text: str) -> str:
        return f"\\section*{{{text}}}"

    def heading(self, text: str, number: int | None, level: int) -> str:
        command = "subsection" if level == 2 else "subsubsection"
        return f"\\{command}*{{{text if number is None else f'{number}. {text}'}}}"

    def paragraph(self, text: str) -> str:
        return text

    def items(self, texts: list[str]) -> str:
        return (
            "\\begin{itemize}\\setlength{\\itemsep}{0pt}\n"
            + "".join(f"\\item {text}\n" for text in texts)
            + "\\end{itemize}"
        )

    def code(self, text: str) -> str:
        """Typewriter, line by line, indented as they are; a long line may break at its spaces."""
        lines = ((line, line.lstrip(" ")) for line in text.splitlines())
        return "\\\\\n".join(f"\\texttt{{{'~' * (len(x) - len(inner))}{latex_text(inner)}}}" for x, inner in lines)

    def escaped(self, text: str) -> str:
        return latex_text(text)

    def math(self, text: str) -> str:
        return f"${text}$"

    def chain(self, rows: Rows, number: int | None = None) -> str:
        equations = re.sub(r"\\frac(\{\d+\}\{\d+\})", r"\\tfrac\1", latex_aligned(rows))
        tag = "" if number is None else f" \\tag{{{number}}}"
        return f"\\begin{{align*}}\n{equations}{tag}\n\\end{{align*}}"

    def stacked(self, parts: list[tuple[Block | None, str]], dense: bool) -> str:
        """No empty line before equations: TeX would begin a paragraph there, and leave a gap twice."""
        del dense
        return "".join(("\n" if isinstance(block, Equation | Rule) else "\n\n") + text for block, text in parts).strip()

    @property
    def table_width(self) -> int:
        return round(self.share * TABLE_WIDTH)

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """Texts wrap."""
        widths = super().column_widths(table, header, cells, right)
        rooms = rooms_of(widths, right, self.table_width)
        return [rooms.get(k, width) for k, width in enumerate(widths)]

    def length(self, cell: str) -> int:
        """Without the commands that escape characters."""
        return wide(re.sub(r"\\[a-z]+\{\}|[\\{}$]", "", cell))

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        """A long table goes on on the next page; of one that is too wide, texts and products are broken into lines.

        The halves of a list of names and words stand beside each other where they fit.
        """
        widths = [max(map(self.length, column)) for column in zip(header, *rows, strict=True)]
        rooms, gap = rooms_of(widths, right, self.table_width), self.column_gap
        shares = {k: room / self.table_width for k, room in rooms.items()}
        broken = {
            k: f">{{\\raggedright\\arraybackslash}}p{{\\dimexpr {share:.2f}\\linewidth-{gap}pt\\relax}}"
            for k, share in shares.items()
        }
        kinds = [broken.get(k, "r" if r else "l") for k, r in enumerate(right)]
        if len(rows) >= MIN_LIST_ROWS and not any(right) and 2 * sum(widths) <= self.share * WORDS_WIDTH:
            half = (len(rows) + 1) // 2
            rest = [*rows[half:], [""] * len(header)]
            header, rows = header * 2, [a + b for a, b in zip(rows[:half], rest, strict=False)]
            kinds = [*kinds, "@{\\hspace{1em}}", *kinds, "@{}"]
        cells = ([_breakable(cell) if k in rooms else cell for k, cell in enumerate(row)] for row in (header, *rows))
        head, *lines = (" & ".join(row) for row in cells)
        body = " \\\\\n".join(lines)
        name = "longtable" if len(rows) > SHORT_TABLE else "tabular"
        left = "[l]" if name == "longtable" else ""
        return f"\\begin{{{name}}}{left}{{{''.join(kinds)}}}\n{head} \\\\ \\hline\n{body}\n\\end{{{name}}}"

    def figure(self, figure: Figure) -> str:
        """A drawing in TikZ, a chart in pgfplots; where that is not installed, a sentence in its place."""
        from dynamis.telling.chart import Chart
        from dynamis.telling.pictures.pgfplots import pgfplots
        from dynamis.telling.pictures.tex import tikz

        picture = self.picture(figure)
        if picture is not None:
            drawing = tikz(picture)
            if (scale := drawing_scale(picture.width, picture.height)) < 1:
                drawing = f"\\scalebox{{{scale:.2f}}}{{{drawing}}}\n"
            return _with_package("tikzpicture", "TikZ", drawing, self.caption(figure, picture))
        try:
            chart = None if figure.schematic or figure.missing else figure.chart()
        except ArgumentError:
            chart = None
        if not isinstance(chart, Chart):
            return super().figure(figure)
        return _with_package("pgfplotsset", "pgfplots", f"{pgfplots(chart)}\n", self.plain(figure.caption))

    def footer(self, text: str) -> str:
        return f"\\par\\bigskip\\hrule\\smallskip{{\\footnotesize\\raggedright {text}\\par}}"

    def comment(self, text: str) -> str:
        return latex_comment(text)

    def file(self, title: str, body: str) -> str:
        return f"{_CLASS}{_preamble(body)}\\begin{{document}}\n{body}\\end{{document}}\n"


class LatexFragment(LatexPage):
    """For another document, whose lines may be as short as those of an article: 345 pt of 10 pt, not 483 pt of 9 pt."""

    share = 0.62
    column_gap = 12

    @property
    def matrix_width(self) -> int:
        """The gaps between columns do not shrink with the page."""
        return round(self.share * MATRIX_WIDTH) - 8 if self.page_width < UNBROKEN_WIDTH else self.page_width

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        """At the margin: paragraphs may be indented there."""
        table = super().table(header, rows, right)
        return f"\\noindent\n{table}" if table.startswith("\\begin{tabular}") else table

    def fragment(self, body: str) -> str:
        """With what its preamble needs as a comment."""
        needs = "".join(f"%   {line}\n" for line in _preamble(body).splitlines())
        return f"% A fragment: \\input it into a document whose preamble has\n{needs}{body}"


def _with_package(command: str, package: str, picture: str, caption: str) -> str:
    """A picture and its caption, where the package that defines the command is there."""
    shown = f"\\ifdefined\\{command}\n{picture}\\else\n[The figure needs the package {package}.]\n\\fi"
    return f"{{\\centering\n{shown}\n\\par\\nopagebreak[3]\\medskip {caption}\\par}}"


def _preamble(body: str) -> str:
    tikz = "\\IfFileExists{tikz.sty}{\\usepackage{tikz}}{}\n" if "\\begin{tikzpicture}" in body else ""
    if "\\begin{axis}" in body:
        tikz += "\\IfFileExists{pgfplots.sty}{\\usepackage{pgfplots}\\pgfplotsset{compat=newest}}{}\n"
    return f"{_PREAMBLE}{tikz}{latex_characters(body)}"


def _breakable(cell: str) -> str:
    """A cell whose products may be broken behind a sign of multiplication, in formulas behind a space."""
    signs = ("*", "*\\allowbreak{}"), ("\\, ", "\\,\\allowbreak ")
    return "$".join(part.replace(*signs[k % 2]) for k, part in enumerate(cell.split("$")))


def align_equations(rows: Rows, quad: str, equals: str, end: str) -> str:
    """Equations under each other, in the signs of a language."""
    lines: list[str] = []
    for left, (first, *more) in rows:
        lines += [f"{left} {equals} {first}", *(f"{quad}{line}" for line in more)]
    return end.join(lines)


def latex_aligned(rows: Rows) -> str:
    """Equations under each other, for an environment such as `align_equations`."""
    return align_equations(rows, "&\\quad {}", "&=", " \\\\\n")
