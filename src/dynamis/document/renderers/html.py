"""HTML with MathML: a page of its own, or a piece of one for a notebook."""

from __future__ import annotations

import re
from html import escape

from dynamis.document.blocks import Figure, Section
from dynamis.document.escapes import html_comment, html_text
from dynamis.document.renderers.walk import Page, Rows
from dynamis.printable import visible

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }
body { font-family: serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }
.equation { overflow-x: auto; margin: 0.8em 0 0.8em 2em; }
.equation > math > mtable > mtr > mtd { text-align: left; padding: 0.25em 0.1em; }
.equation > math > mtable > mtr > mtd:first-child { text-align: right; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.7em; text-align: left; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
pre { overflow-x: auto; }
figure { margin: 1em 0; }
figure svg { max-width: 100%; height: auto; }
footer { border-top: 1px solid #ccc; margin-top: 2em; padding-top: 0.5em; font-size: 0.8em; overflow-wrap: anywhere; }
@media print {
  pre { white-space: pre-wrap; }
  h1, h2, h3, h4, pre { break-after: avoid; }
  tr, figure, .equation { break-inside: avoid; }
  .equation { overflow: visible; }
}
.warning { border-left: 4px solid #b00; padding-left: 1em; }
.note { border-left: 4px solid #ccc; padding-left: 1em; }
</style></head><body>
"""
_NOTEBOOK_STYLE = """<style>
.dynamis .equation { overflow-x: auto; margin: 0.5em 0; }
.dynamis .equation > math { display: inline math; }
.dynamis .equation > math > mtable > mtr > mtd { text-align: left; padding: 0.2em 0.1em; }
.dynamis .equation > math > mtable > mtr > mtd:first-child { text-align: right; }
</style>
"""
LONG_SECTION, LONG_PAGE, LONG_TABLE, LONG_EQUATION = 1500, 2500, 24, 12
"""Characters of a section and of a page, rows of a table and lines of an equation that a notebook shows unfolded."""
_TAG = re.compile(r"<[^>]*>")
_MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"'


class HtmlPage(Page):
    """A page of its own."""

    number_cell, text_cell = ' class="number"', ""

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

    def plain(self, text: str) -> str:
        return html_text(text)

    def math(self, text: str) -> str:
        return f"{_MATH}><mrow>{text}</mrow></math>"

    def chain(self, rows: Rows) -> str:
        body = ""
        for left, lines in rows:
            for k, line in enumerate(lines):
                cells = (left, "<mo>=</mo>", line) if k == 0 else ("", "", f"<mspace width='1.5em'/>{line}")
                body += f"<mtr>{''.join(f'<mtd><mrow>{cell}</mrow></mtd>' for cell in cells)}</mtr>\n"
        table = f'<mtable displaystyle="true" columnalign="right center left">\n{body}</mtable>'
        return f'<div class="equation">{_MATH} display="block">{table}</math></div>'

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        def line(cells: list[str], tag: str) -> str:
            kinds = [f"<{tag}{self.number_cell if r else self.text_cell}>" for r in right]
            return f"<tr>{''.join(f'{kind}{cell}</{tag}>' for kind, cell in zip(kinds, cells, strict=True))}</tr>"

        return "\n".join(["<table>", line(header, "th"), *(line(row, "td") for row in rows), "</table>"])

    def footer(self, text: str) -> str:
        return f"<footer>{text}</footer>"

    def comment(self, text: str) -> str:
        return html_comment(text)

    def file(self, title: str, body: str) -> str:
        return f"{_HEAD.replace('{title}', title)}{body}</body></html>\n"


def _folded(summary: str, text: str) -> str:
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
        if not any(section is block for block in self.document.blocks):
            return text
        before, length = self.characters, len(_TAG.sub("", text))
        self.characters += length
        if not heading or not before or (length < LONG_SECTION and before < LONG_PAGE):
            return text
        name = re.sub(r"</?h\d>", "", heading)
        return _folded(f"<b>{name}</b>", text.removeprefix(heading))

    def chain(self, rows: Rows) -> str:
        """Equations of many lines are folded."""
        text, lines = super().chain(rows), sum(len(lines) for _, lines in rows)
        if lines <= LONG_EQUATION:
            return text
        return _folded(f"{self.math(rows[0][0])} in {lines} lines", text)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        """A table of many rows is folded."""
        text = super().table(header, rows, right)
        return text if len(rows) <= LONG_TABLE else _folded(f"{header[0]}: {len(rows)} rows", text)

    def figure(self, figure: Figure) -> str:
        """The main one alone: a notebook shows it at once, and `plot` gives the others."""
        figures = {name: one for name, one in self.document.figures.items() if not one.missing}
        main = figures.get(self.document.main_figure) or next(iter(figures.values()), None)
        return super().figure(figure) if figure is main else ""

    def file(self, title: str, body: str) -> str:
        style = _NOTEBOOK_STYLE if 'class="equation"' in body else ""
        return f'<div class="dynamis">\n{style}{body}</div>\n'
