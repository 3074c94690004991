"""LaTeX: a whole article, for any engine."""

from __future__ import annotations

from dynamis.document.blocks import Figure
from dynamis.document.escapes import latex_characters, latex_text
from dynamis.document.renderers.walk import PAPER, Page, Rows

UNBROKEN = 10**6
"""A page that is wider than this has equations of any width."""
_HEAD = """\\documentclass[fleqn]{article}
\\usepackage{amsmath}
\\usepackage[margin=2cm]{geometry}
\\allowdisplaybreaks
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{6pt}
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
        """Typewriter, line by line; a long line may break at its spaces."""
        return "\\\\\n".join(f"\\texttt{{{latex_text(line)}}}" for line in text.splitlines())

    def plain(self, text: str) -> str:
        return latex_text(text)

    def math(self, text: str) -> str:
        return f"${text}$"

    def chain(self, rows: Rows) -> str:
        return f"\\begin{{align*}}\n{latex_aligned(rows)}\n\\end{{align*}}"

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        head, *lines = (" & ".join(row) for row in (header, *rows))
        body = " \\\\\n".join(lines)
        kinds = "".join("r" if r else "l" for r in right)
        return f"\\begin{{tabular}}{{{kinds}}}\n{head} \\\\ \\hline\n{body}\n\\end{{tabular}}"

    def figure(self, figure: Figure) -> str:
        """A drawing in TikZ; where that is not installed, a sentence in its place."""
        picture = self.picture(figure)
        if picture is None:
            return super().figure(figure)
        from dynamis.document.pictures.tex import tikz

        shown = f"\\ifdefined\\tikzpicture\n{tikz(picture)}\\else\n[The figure needs the package TikZ.]\n\\fi"
        return f"\\begin{{center}}\n{shown}\n\\par\\medskip {self.plain(figure.caption)}\n\\end{{center}}"

    def file(self, title: str, body: str) -> str:
        tikz = "\\IfFileExists{tikz.sty}{\\usepackage{tikz}}{}\n" if "\\begin{tikzpicture}" in body else ""
        return f"{_HEAD}{tikz}{latex_characters(body)}\\begin{{document}}\n{body}\\end{{document}}\n"


def aligned(rows: Rows, quad: str, equals: str, end: str) -> str:
    """Equations under each other, in the signs of a language."""
    lines: list[str] = []
    for left, (first, *more) in rows:
        lines += [f"{left} {equals} {first}", *(f"{quad}{line}" for line in more)]
    return end.join(lines)


def latex_aligned(rows: Rows) -> str:
    """Equations under each other, for an environment such as `aligned`."""
    return aligned(rows, "&\\quad {}", "&=", " \\\\\n")
