"""The formats of a page: text, LaTeX, Markdown, HTML with MathML, Typst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from textwrap import fill, indent

from dynamis.document.blocks import Equation, Part, Rule, Table, Words
from dynamis.document.formula import EQUALS, Formula, Prose, Val
from dynamis.document.notation.formulas import Scribe
from dynamis.document.renderers.escapes import html_text, latex_characters, latex_text, markdown_text, typst_text
from dynamis.document.renderers.markups import LATEX, MATHML, TEXT, TYPST, beside, wide
from dynamis.printable import in_a_line

# Letters of an equation that a printed page has room for.
PAPER = 68
# Columns of a text that are left and right of its equations.
MARGIN = 8
Rows = list[tuple[str, list[str]]]
_LATEX_HEAD = """\\documentclass[fleqn]{article}
\\usepackage{amsmath}
\\usepackage[margin=2cm]{geometry}
\\allowdisplaybreaks
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{6pt}
\\setcounter{MaxMatrixCols}{100}
"""
_HTML_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }
body { font-family: serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }
.equation { overflow-x: auto; margin: 0.8em 0 0.8em 2em; }
.equation > math > mtable > mtr > mtd { text-align: left; padding: 0.25em 0.1em; }
.equation > math > mtable > mtr > mtd:first-child { text-align: right; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2em 1em; text-align: left; }
.stopped { border-left: 4px solid #b00; padding-left: 1em; }
</style></head><body>
"""


_TYPST_HEAD = """#set page(margin: 2cm, numbering: "1")
#show math.equation: set block(breakable: true)
#show math.equation.where(block: true): set align(left)

"""
# Lines of an equation that stay on one page.
TOGETHER = 12


@dataclass(frozen=True)
class Page:
    """How a format writes a title, a heading, a paragraph, a chain of equations, a table, and the whole file.

    All of them take text that `plain` or `words` has escaped.
    """

    scribe: Scribe
    columns: int
    """Of an equation as text, by which all formats choose their lines."""
    width: int
    """Of an equation in this format."""
    title: Callable[[str], str]
    heading: Callable[[int, str], str]
    paragraph: Callable[[str], str]
    plain: Callable[[str], str]
    math: Callable[[str], str]
    """A formula inside of a sentence."""
    chain: Callable[[Rows], str]
    """Equations under each other: (left side, lines of the right side); an empty left side goes on."""
    table: Callable[[list[str], list[list[str]]], str]
    whole: Callable[[str, str], str] = lambda title, body: body
    """The file, of its title and its body."""

    def words(self, prose: Prose) -> str:
        """A sentence with formulas in it."""
        return "".join(
            self.plain(part) if isinstance(part, str) else self.math(self.scribe.inline(part)) for part in prose
        )

    def part(self, part: Part) -> str:
        """A paragraph, a rule, an equation or a table."""
        match part:
            case Words(prose):
                return self.paragraph(self.words(prose))
            case Rule(formula):
                return self.chain(self.rule(formula))
            case Equation():
                return self.chain(self.equation(part))
            case Table(header, rows):
                return self.table([self.plain(h) for h in header], [[self.words(cell) for cell in row] for row in rows])

    def rule(self, formula: Formula) -> Rows:
        """A rule, cut at its first equals sign."""
        at = formula.index(EQUALS)
        left = self.scribe.inline(formula[:at])
        return [(left, self.scribe.lines(formula[at + 1 :], self.width, self.scribe.length(left)))]

    def equation(self, equation: Equation) -> Rows:
        """The rule, the quantities in it, the result; a line that says the same as the next one is left out.

        When the time is over only the rule and the result.
        """
        name = self.scribe.inline((equation.left,))
        room = self.scribe.length(name) + 3
        wanted, by_entries = self.plan(equation)
        rows: Rows = [("", self.scribe.lines(way, self.width, room)) for way in wanted]
        if equation.right is not None:
            results = self.scribe.results(equation.left, equation.right, self.width - room, by_entries)
            rows += results if by_entries else [("", results[0][1])]
        return [(name, rows[0][1]) if k == 0 and not row[0] else row for k, row in enumerate(rows)]

    def plan(self, equation: Equation) -> tuple[list[Formula], bool]:
        """The lines before the result, and whether that is given by its entries.

        They are chosen by how wide they are as text, so that a page has the same lines in every format.
        """
        text, width = replace(self.scribe, markup=TEXT, matrices=[]), self.columns
        room = text.length(text.inline((equation.left,))) + 3
        given = equation.ways[:1] if self.scribe.late else equation.ways
        wanted = [w for k, w in enumerate(given) if k == 0 or text.fits(w, width, room)]
        by_entries = equation.right is not None and text.is_wide(equation.right, width - room)
        said = [text.inline(way) for way in wanted]
        if equation.right is not None and not by_entries:
            said.append(text.inline((Val(equation.right),)))
        return [way for k, way in enumerate(wanted) if said[k : k + 1] != said[k + 1 : k + 2]], by_entries


def text_page(scribe: Scribe, width: int) -> Page:
    def chain(rows: Rows) -> str:
        found: list[str] = []
        for left, lines in rows:
            room = left or " " * wide(rows[0][0])
            first, *more = lines
            found.append(beside(["    ", f"{room} = ", first]))
            found += [
                beside([" " * (4 + wide(room) + 1), f"{'    ' if line[:1] in '+−' else '      '}", line])
                for line in more
            ]
        return "\n".join(found)

    def table(header: list[str], rows: list[list[str]]) -> str:
        cells = [header, *rows]
        widths = [max(wide(row[k].split("\n")[0]) for row in cells) for k in range(len(header))]
        padded = [
            "  ".join(c + " " * (w - wide(c)) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
        ]
        padded.insert(1, "  ".join("-" * w for w in widths))
        return indent("\n".join(padded), "    ")

    return Page(
        scribe,
        width - MARGIN,
        width - MARGIN,
        title=lambda t: f"{t}\n{'=' * wide(t)}",
        heading=lambda n, t: f"{n}. {t}",
        paragraph=lambda t: indent(fill(t, width - 3, break_long_words=False), "   "),
        plain=in_a_line,
        math=lambda t: t,
        chain=chain,
        table=table,
    )


def _aligned(rows: Rows, quad: str, equals: str, end: str) -> str:
    found: list[str] = []
    for left, lines in rows:
        first, *more = lines
        found += [f"{left} {equals} {first}", *(f"{quad}{line}" for line in more)]
    return end.join(found)


def latex_aligned(rows: Rows) -> str:
    return _aligned(rows, "&\\quad {}", "&=", " \\\\\n")


def _latex_table(header: list[str], rows: list[list[str]]) -> str:
    lines = [" & ".join(row) for row in (header, *rows)]
    body = " \\\\\n".join([f"{lines[0]} \\\\ \\hline", *lines[1:]]).replace("\\hline \\\\\n", "\\hline\n", 1)
    return f"\\begin{{tabular}}{{{'l' * len(header)}}}\n{body}\n\\end{{tabular}}"


def latex_page(scribe: Scribe, width: int) -> Page:
    return Page(
        scribe,
        width - MARGIN,
        min(width, PAPER) if width < 10**6 else width,
        title=lambda t: f"\\section*{{{t}}}",
        heading=lambda n, t: f"\\subsection*{{{n}. {t}}}",
        paragraph=lambda t: t,
        plain=latex_text,
        math=lambda t: f"${t}$",
        chain=lambda rows: f"\\begin{{align*}}\n{latex_aligned(rows)}\n\\end{{align*}}",
        table=_latex_table,
        whole=lambda title, body: (
            f"{_LATEX_HEAD}{latex_characters(body)}\\begin{{document}}\n{body}\\end{{document}}\n"
        ),
    )


def _markdown_page(scribe: Scribe, width: int) -> Page:
    def table(header: list[str], rows: list[list[str]]) -> str:
        lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
        return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])

    return Page(
        scribe,
        width - MARGIN,
        width,
        title=lambda t: f"# {t}",
        heading=lambda n, t: f"## {n}. {t}",
        paragraph=lambda t: t,
        plain=markdown_text,
        math=lambda t: f"${t}$",
        chain=lambda rows: f"$$\n\\begin{{aligned}}\n{latex_aligned(rows)}\n\\end{{aligned}}\n$$",
        table=table,
    )


_MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"'


def _html_page(scribe: Scribe, width: int) -> Page:
    def chain(rows: Rows) -> str:
        found = ""
        for left, lines in rows:
            for k, line in enumerate(lines):
                cells = (left, "<mo>=</mo>", line) if k == 0 else ("", "", f"<mspace width='1.5em'/>{line}")
                found += f"<mtr>{''.join(f'<mtd><mrow>{cell}</mrow></mtd>' for cell in cells)}</mtr>\n"
        table = f'<mtable displaystyle="true" columnalign="right center left">\n{found}</mtable>'
        return f'<div class="equation">{_MATH} display="block">{table}</math></div>'

    def table(header: list[str], rows: list[list[str]]) -> str:
        head = "".join(f"<th>{cell}</th>" for cell in header)
        body = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"

    return Page(
        scribe,
        width - MARGIN,
        width,
        title=lambda t: f"<h1>{t}</h1>",
        heading=lambda n, t: f"<h2>{n}. {t}</h2>",
        paragraph=lambda t: f"<p>{t}</p>",
        plain=html_text,
        math=lambda t: f"{_MATH}><mrow>{t}</mrow></math>",
        chain=chain,
        table=table,
        whole=lambda title, body: f"{_HTML_HEAD.replace('{title}', title)}{body}</body></html>\n",
    )


def _typst_chain(rows: Rows) -> str:
    """A short chain is not broken over pages."""
    found = "$ " + _aligned(rows, '& quad "" ', "&=", " \\\n") + " $"
    return f"#block(breakable: false)[{found}]" if sum(len(lines) for _, lines in rows) <= TOGETHER else found


def _typst_page(scribe: Scribe, width: int) -> Page:
    def table(header: list[str], rows: list[list[str]]) -> str:
        cells = "\n".join("  " + " ".join(f"[{cell}]," for cell in row) for row in (header, *rows))
        return f"#table(columns: {len(header)}, stroke: (x, y) => if y == 0 {{ (bottom: 0.5pt) }},\n{cells}\n)"

    return Page(
        scribe,
        width - MARGIN,
        min(width, PAPER),
        title=lambda t: f"= {t}",
        heading=lambda n, t: f"== {n}. {t}",
        paragraph=lambda t: t,
        plain=typst_text,
        math=lambda t: f"${t}$",
        chain=_typst_chain,
        table=table,
        whole=lambda title, body: _TYPST_HEAD + body,
    )


PAGES: dict[str, Callable[[Scribe, int], Page]] = {
    "text": text_page,
    "latex": latex_page,
    "markdown": _markdown_page,
    "html": _html_page,
    "typst": _typst_page,
}
MARKUPS = {"text": TEXT, "latex": LATEX, "markdown": LATEX, "html": MATHML, "typst": TYPST}
