"""HTML with MathML: a page of its own, or a piece of one for a notebook."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING

from dynamis.base.printable import visible
from dynamis.telling.blocks import Column, Figure, Section, Table
from dynamis.telling.escapes import html_comment, html_text, with_powers
from dynamis.telling.renderers.equation_lines import Rows
from dynamis.telling.renderers.math_font import cell_font, math_font
from dynamis.telling.renderers.policy import policy
from dynamis.telling.renderers.walk import Page
from dynamis.telling.tables import NO_BREAK, UNIT, least_widths, unbroken_units

if TYPE_CHECKING:
    from dynamis.telling.blocks import Cell
    from dynamis.telling.formula import Formula

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
{policy}
<title>{title}</title>
<style>
{font}math { font-family: "dynamis math", "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }
body { font-family: serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.5em; text-align: left; vertical-align: baseline; }
th { vertical-align: bottom; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
{equations}pre, .table { overflow-x: auto; }
figure { margin: 1em 0; }
figure svg { max-width: 100%; height: auto; }
footer { border-top: 1px solid #ccc; margin-top: 2em; padding-top: 0.5em; font-size: 0.8em; overflow-wrap: anywhere; }
@media print {
  pre { white-space: pre-wrap; }
  h1, h2, h3, h4, pre { break-after: avoid; }
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
  p, tr, figure, thead, footer, .equation tbody { break-inside: avoid; }
  .equation tr.long, .equation tbody:has(tr.long) { break-inside: auto; }
  footer { break-before: avoid; }
  .equation, .table { overflow: visible; }
  .table table:not(:has(tr:nth-child(16))) { break-inside: avoid; }
  thead, .table tr:nth-child(-n + 2), .table tr:nth-last-child(2) { break-after: avoid; }
  figure svg[role="img"] { max-height: 15cm; }
  p:has(+ .table), p:has(+ .equation), p:has(+ figure), p:has(+ ul) { break-after: avoid; }
}
.warning { border-left: 4px solid #b00; padding-left: 1em; }
.note { border-left: 4px solid #ccc; padding-left: 1em; }
</style></head><body>
"""
_EQUATIONS = """.equation { overflow-x: auto; margin: 0.6em 0 0.6em 2em; }
.equation table { border-collapse: collapse; margin: 0; }
.equation td { border: 0; padding: 0.15em 0.1em; text-align: left; vertical-align: baseline; background: none; }
.equation td:nth-child(3) { padding-left: 1.9em; text-indent: -1.8em; white-space: normal; line-height: 1.7; }
.equation tr.tall td:nth-child(3) { line-height: 2.5; }
.equation math { text-indent: 0; }
.equation.numbered { display: flex; justify-content: space-between; align-items: center; gap: 1em; }
"""
"""Lines that do not fit break at their sums, and go on a little to the right."""
_NOTEBOOK_FONT = "math { font-family: var(--math), math; }\n"
_FORMULAS = """mover > mo { font-size: 130%; padding-bottom: 0.08em; margin-top: -0.3em; }
msub > :first-child { margin-bottom: -0.3em; }
msubsup > :first-child { margin-bottom: -0.3em; }
"""
"""Dots that can be seen at 16 pixels, clear of their letter and below its exponent; indices all at one height."""
EQUATION_STYLES = _EQUATIONS + _FORMULAS
LONG_ROW = 30
"""Terms of an equation that may go over to the next page in print; a shorter one stays together."""
LONG_LINE = 100
"""Characters of a line of an equation in a notebook, about."""
LONG_SECTION, LONG_PAGE, FIRST_SECTION, LONG_TABLE, LONG_EQUATION, LONG_LIST = 1500, 700, 150, 24, 12, 5
"""Characters of a section, of a page and of one that has a picture or many sections, too; rows of a table, lines of an
equation and items of a list that a notebook shows unfolded."""
MANY_SECTIONS = 4
MATRIX_WIDTH = 112
"""Characters of a matrix as text that a page of 800 pixels and a printed one have room for."""
TABLE_WIDTH = 88
"""Characters of a table that a page of 800 pixels has room for; its columns are two characters apart."""
MAX_WORD_LENGTH = 24
"""Characters of a word in a table that is not broken: names of joints may be long."""
_TAG = re.compile(r"<[^>]*>")
_BREAK = "<wbr/>"
_LONG_WORD = re.compile(rf"(?:&\w+;|[^\s&<>]){{{MAX_WORD_LENGTH + 1},}}(?![^<]*</m)")
_PLACES = re.compile(
    rf"((?:&\w+;|.){{8,{MAX_WORD_LENGTH - 1}}}?[_./-](?![_./-])|(?:&\w+;|.){{{MAX_WORD_LENGTH}}})(?=.)"
)
"""Behind a sign between two parts of a name; else after as many characters."""


class HtmlPage(Page):
    """A page of its own."""

    needs_title = True

    number_cell, text_cell = ' class="number"', ""

    @property
    def matrix_width(self) -> int:
        return max(super().matrix_width, MATRIX_WIDTH)

    def title(self, text: str) -> str:
        return f"<h1>{text}</h1>"

    def heading(self, text: str, number: int | None, level: int) -> str:
        return f"<h{level}>{text if number is None else f'{number}. {text}'}</h{level}>"

    def paragraph(self, text: str) -> str:
        return f"<p>{text}</p>"

    def items(self, texts: list[str]) -> str:
        return "<ul>\n" + "".join(f"<li>{text}</li>\n" for text in texts) + "</ul>"

    def note(self, text: str, kind: str) -> str:
        return f'<p class="{kind}">{kind}: {text}</p>'

    def figure(self, figure: Figure) -> str:
        """As SVG; nothing where there is nothing to draw, or no matplotlib for a chart."""
        element, caption = self.svg(figure)
        words = f"<figcaption>{caption}</figcaption>\n" if caption else ""
        return f"<figure>\n{element}{words}</figure>" if element else ""

    def code(self, text: str) -> str:
        return f"<pre><code>{escape(visible(text))}</code></pre>"

    def escaped(self, text: str) -> str:
        return html_text(text)

    def math(self, text: str) -> str:
        return f"<math><mrow>{text}</mrow></math>"

    @property
    def width(self) -> int:
        """Every formula is cut where it may be: the browser sets the lines."""
        return 0

    def chain(self, rows: Rows, number: int | None = None) -> str:
        body = ""
        for left, pieces in rows:
            right = _BREAK.join(map(self.displayed, pieces))
            cells = (self.displayed(left) if left else "", self.displayed("<mo>=</mo>"), right)
            looks = ["tall"] if len(pieces) > 1 and "<mfrac>" in right else []  # 1/2 is small
            looks += ["long"] if len(pieces) > LONG_ROW else []
            look = f' class="{" ".join(looks)}"' if looks else ""
            if left or not body:  # what follows from one left side is not torn apart in print
                body += "</tbody><tbody>" if body else "<tbody>"
            body += f"<tr{look}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
        table = f'<table role="presentation" class="lines">\n{body}</tbody></table>'
        if number is None:
            return f'<div class="equation">{table}</div>'
        return f'<div class="equation numbered" id="equation-{number}">{table}<span>({number})</span></div>'

    def reference(self, number: int) -> str:
        return f'<a href="#equation-{number}">({number})</a>'

    def displayed(self, text: str) -> str:
        """A piece of an equation."""
        return f'<math displaystyle="true"><mrow>{text}</mrow></math>'

    def formula(self, formula: Formula) -> str:
        """It breaks at its sums."""
        return _BREAK.join(map(self.math, self.printer.lines(formula, self.width)))

    def cell(self, cell: Cell, column: Column) -> str:
        """Long names break, too; units do not."""
        if column.name == UNIT and isinstance(cell, str):
            cell = with_powers(cell).replace(" ", NO_BREAK)
        return _LONG_WORD.sub(lambda word: _PLACES.sub(rf"\1{_BREAK}", word[0]), super().cell(cell, column))

    @property
    def table_width(self) -> int:
        return TABLE_WIDTH

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """Heads and texts wrap; a table that says where to split it is split before its text wraps."""
        head, *rows = ([_visible(cell) for cell in row] for row in (header, *cells))
        return least_widths(head, rows, [True] * len(right) if table.splits else right)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        def line(cells: list[str], tag: str) -> str:
            # A head without words is no head.
            pairs = [(tag if cell else "td", cell) for cell in cells]
            kinds = [self.number_cell if r else self.text_cell for r in right]
            return (
                f"<tr>{''.join(f'<{t}{kind}>{cell}</{t}>' for kind, (t, cell) in zip(kinds, pairs, strict=True))}</tr>"
            )

        head = f"<thead>{line(unbroken_units(header), 'th')}</thead>"
        lines = "\n".join([head, *(line(row, "td") for row in rows)])
        return f'<div class="table">\n<table>\n{lines}\n</table>\n</div>'

    def footer(self, text: str) -> str:
        return f"<footer>{text}</footer>"

    def comment(self, text: str) -> str:
        return html_comment(text)

    def file(self, title: str, body: str) -> str:
        head = (
            _HEAD.replace("{font}", math_font(body))
            .replace("{equations}", EQUATION_STYLES)
            .replace("{policy}", policy())
        )
        return f"{head.replace('{title}', title)}{body}</body></html>\n"


def _visible(cell: str) -> str:
    """What a reader sees of a cell, with blanks where it may break."""
    return unescape(_TAG.sub("", cell.replace(_BREAK, " ")))


def foldable_html(summary: str, text: str) -> str:
    """What a reader can unfold."""
    return f"<details>\n<summary>{summary}</summary>\n{text}\n</details>"


class NotebookPage(HtmlPage):
    """A piece of HTML that a notebook shows as the value of a cell; it has no styles but its own."""

    characters = 0
    """Of the sections so far."""
    number_cell = ' style="padding: 0.2em 0.6em; text-align: right; font-variant-numeric: tabular-nums"'
    text_cell = ' style="padding: 0.2em 0.6em; text-align: left"'

    def title(self, text: str) -> str:
        return f"<h3>{text}</h3>"

    def heading(self, text: str, number: int | None, level: int) -> str:
        return f"<h4>{text if number is None else f'{number}. {text}'}</h4>"

    def section(self, section: Section, number: int | None = None, level: int = 2) -> str:
        """A long section is folded under its heading, and so are those after the first ones of a long page."""
        text = super().section(section, number, level)
        heading = self.heading(self.plain(section.title), number, level) if section.title else ""
        if not any(section is block for block in self.document.blocks) or section.name in self.document.main_sections:
            return text
        before, length = self.characters, len(_TAG.sub("", text))
        self.characters += length
        many = self.document.figures or len(self.document.sections) > MANY_SECTIONS
        most = FIRST_SECTION if many else LONG_PAGE
        if not heading or not before or (length < LONG_SECTION and before < most):
            return text
        name = re.sub(r"</?h\d>", "", heading)
        return foldable_html(f"<b>{name}</b>", text.removeprefix(heading))

    def items(self, texts: list[str]) -> str:
        """A long list is folded."""
        items = super().items(texts)
        return items if len(texts) <= LONG_LIST else foldable_html(f"{len(texts)} remarks", items)

    def paragraph(self, text: str) -> str:
        """A formula alone of many lines is folded."""
        lines = len(_visible(text)) // LONG_LINE + 1
        paragraph = super().paragraph(text)
        if lines <= LONG_EQUATION or not (text.startswith("<math>") and text.endswith("</math>")):
            return paragraph
        return foldable_html(f"a formula in {lines} lines", paragraph)

    def chain(self, rows: Rows, number: int | None = None) -> str:
        """Equations of many lines are folded."""
        length = self.printer.language.length
        text, lines = super().chain(rows, number), sum(1 + sum(map(length, pieces)) // LONG_LINE for _, pieces in rows)
        if lines <= LONG_EQUATION:
            return text
        return foldable_html(f"{self.math(rows[0][0])} in {lines} lines", text)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        """A table of many rows is folded."""
        text = super().table(header, rows, right)
        return text if len(rows) <= LONG_TABLE else foldable_html(f"{header[0]}: {len(rows)} rows", text)

    def figure(self, figure: Figure) -> str:
        """The main one alone: a notebook shows it at once, and `plot` gives the others."""
        figures = {name: one for name, one in self.document.figures.items() if not one.missing}
        main = figures.get(self.document.main_figure) or next(iter(figures.values()), None)
        return super().figure(figure) if figure is main else ""

    def file(self, title: str, body: str) -> str:
        rules = (_EQUATIONS if 'class="equation' in body else "") + (
            _NOTEBOOK_FONT + _FORMULAS if "<math" in body else ""
        )
        lines = "".join(f".dynamis {rule}\n" for rule in rules.splitlines())
        font, family = cell_font(body)
        style = f"<style>\n{font}{lines}</style>\n" if lines else ""
        own = f" style=\"--math: '{family}'\"" if family else ""
        return f'<div class="dynamis"{own}>\n{style}{body}</div>\n'
