"""Typst, which makes a PDF of it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from dynamis.base.extras import import_extra
from dynamis.base.printable import in_a_line, visible
from dynamis.telling.blocks import Block, Equation, Figure, Table, Words
from dynamis.telling.escapes import typst_text
from dynamis.telling.renderers.equation_lines import PAPER_WIDTH, Rows, drawing_scale
from dynamis.telling.renderers.latex import MATRIX_WIDTH, align_equations
from dynamis.telling.renderers.walk import Page
from dynamis.telling.tables import least_widths, unbroken_units

_HEAD = """#set document(date: none)
#set page(margin: (x: 2cm, top: 1.3cm, bottom: 1.5cm), numbering: "1")
#set text(size: 9.5pt)
#set par(leading: 0.55em, spacing: 0.6em)
#set block(spacing: 0.6em)
#show heading: set block(above: 0.85em, below: 0.5em)
#show heading: set text(size: 10pt)
#show heading.where(level: 1): set text(size: 14pt)
#show heading.where(level: 2): set text(size: 11.5pt)
#show raw.where(block: true): set block(sticky: true)
#set table(inset: (x: 5pt, y: 2.5pt))
#show table.cell: it => { show regex("\\S{24}"): word => word + sym.zws; it }
#set math.mat(column-gap: 0.8em)
#show math.equation: set block(breakable: true, spacing: 0.6em)
#show math.equation.where(block: true): set align(left)

"""
UNBREAKABLE_LINES = 12
"""Lines of an equation that stay on one page."""
TABLE_WIDTH = 92
"""Characters of a table that a page has room for: digits are half as wide as the letters are high."""

_MARKUP = re.compile(r"[\\$\"]|frac|inline")


def pdf(text: str) -> bytes:
    """A Typst file as PDF."""
    return import_extra("typst", "a PDF needs", "report").compile(text.encode(), format="pdf")


class TypstPage(Page):
    """A file that `typst compile` takes."""

    gap = " quad quad "

    @property
    def width(self) -> int:
        return min(self.page_width, PAPER_WIDTH)

    @property
    def chain_width(self) -> int:
        return PAPER_WIDTH

    @property
    def matrix_width(self) -> int:
        return max(super().matrix_width, MATRIX_WIDTH)

    def title(self, text: str) -> str:
        return f"= {text}"

    def heading(self, text: str, number: int | None, level: int) -> str:
        return f"{'=' * level} {text if number is None else f'{number}. {text}'}"

    def paragraph(self, text: str) -> str:
        return text

    def items(self, texts: list[str]) -> str:
        return "\n".join(f"- {text}" for text in texts)

    def code(self, text: str) -> str:
        return f"#raw(block: true, {json.dumps(visible(text), ensure_ascii=False)})"

    def escaped(self, text: str) -> str:
        return typst_text(text)

    def math(self, text: str) -> str:
        return f"${text}$"

    def chain(self, rows: Rows, number: int | None = None) -> str:
        """A short chain is not broken over pages."""
        equations = "$ " + align_equations(rows, '& quad "" ', "&=", " \\\n") + " $"
        equations = re.sub(r"frac\(\d+, \d+\)", r"inline(\g<0>)", equations)
        if number is not None:
            equations = f"#set math.equation(numbering: _ => [({number})])\n{equations} <equation-{number}>"
        short = number is not None or sum(len(lines) for _, lines in rows) <= UNBREAKABLE_LINES
        return f"#block(breakable: false)[{equations}]" if short else equations

    def reference(self, number: int) -> str:
        return f"#link(<equation-{number}>)[({number})]"

    def stacked(self, parts: list[tuple[Block | None, str]], dense: bool) -> str:
        """Words stand on the page of the equation that they lead to."""
        leads = [isinstance(block, Words) and isinstance(after, Equation) for (block, _), (after, _) in pairwise(parts)]
        texts = zip(parts, [*leads, False][: len(parts)], strict=True)
        return super().stacked([(b, f"#block(sticky: true)[{t}]" if lead else t) for (b, t), lead in texts], dense)

    def fragment(self, body: str) -> str:
        """Numbers without labels and links: a file may include several fragments."""
        return re.sub(r"#link\(<equation-\d+>\)\[(\(\d+\))\]", r"\1", re.sub(r" <equation-\d+>", "", body))

    @property
    def table_width(self) -> int:
        return TABLE_WIDTH

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """Heads and texts wrap; a table that says where to split it is split before its text wraps."""
        head, *rows = ([_MARKUP.sub("", cell) for cell in row] for row in (header, *cells))
        return least_widths(head, rows, [True] * len(right) if table.splits else right)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        head, *cells = (" ".join(f"[{cell}]," for cell in row) for row in (unbroken_units(header), *rows))
        lines = "\n".join(f"  {line}" for line in (f"table.header({head}),", *cells))
        kinds = f" align: ({', '.join('right' if r else 'left' for r in right)},)," if any(right) else ""
        return f"#table(columns: {len(header)},{kinds} stroke: (x, y) => if y == 0 {{ (bottom: 0.5pt) }},\n{lines}\n)"

    def figure(self, figure: Figure) -> str:
        """A drawing or a chart as SVG inside of the page."""
        element, caption = self.svg(figure)
        if not element:
            return super().figure(figure)
        data = element.replace("\\", "\\\\").replace('"', '\\"')
        size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', element)
        height = ""
        if figure.schematic and size and (scale := drawing_scale(float(size[1]), float(size[2]))) < 1:
            height = f", height: {scale * float(size[2]):.1f}pt"
        return f'#figure(image(bytes("{data}"), format: "svg"{height}), numbering: none, caption: [{caption}])'

    def footer(self, text: str) -> str:
        return f"#line(length: 100%, stroke: 0.4pt)\n#text(size: 8pt)[{text}]"

    def comment(self, text: str) -> str:
        return f"// {in_a_line(text)}\n"

    def file(self, title: str, body: str) -> str:
        return _HEAD + body
