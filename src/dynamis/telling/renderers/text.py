"""Plain text: what a terminal shows, and what `print` gives of a result."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from textwrap import fill, indent
from typing import TYPE_CHECKING

from dynamis.base.printable import CALM, ERROR, GOOD, PLAIN, STRONG, WARNING, encodable, in_a_line, visible
from dynamis.telling.blocks import Block, Code, Column, Document, Equation, Rule, Section, Table
from dynamis.telling.layout import beside, wide
from dynamis.telling.renderers.equation_lines import EQUATION_MARGIN, Rows
from dynamis.telling.renderers.walk import Page
from dynamis.telling.tables import least_widths, text_table, unbroken_terms

if TYPE_CHECKING:
    from dynamis.telling.blocks import Cell
    from dynamis.telling.notation.formula_printer import FormulaPrinter

RULE_WIDTH = 100
"""The longest line between a page and its foot."""
_COLOURED = re.compile(
    r"(?<=  )(?:(?P<good>proved|equal|right)|(?P<bad>wrong|FALSE))(?=  |$|, )|(?P<full>█+)|(?P<dark>▓+)|(?P<grey>▒+)"
)
_COLOURS = {"good": GOOD, "bad": ERROR, "full": CALM, "dark": WARNING, "grey": GOOD}
"""Of the cells of a table: verdicts, and the parts of a bar."""


class TextPage(Page):
    """Text in lines of `width` characters. What stands under a numbered heading is indented."""

    @property
    def width(self) -> int:
        return self.page_width - EQUATION_MARGIN

    @property
    def outer(self) -> bool:
        """Whether other documents stand in this one, so that its own headings are underlined."""
        sections = (block for block in self.document.blocks if isinstance(block, Section))
        return any(isinstance(block, Document) for section in sections for block in section.blocks)

    def title(self, text: str) -> str:
        text = self._filled(text, self.page_width)
        longest = max(map(wide, text.split("\n")))
        return f"{text}\n{'=' * longest}" if self.document.numbered or self.outer else text

    def heading(self, text: str, number: int | None, level: int) -> str:
        text = self._filled(text if number is None else f"{number}. {text}", self.page_width)
        outer = number is None and level == 2 and self.outer
        return f"{text}\n{'-' * max(map(wide, text.split(chr(10))))}" if outer else text

    def paragraph(self, text: str) -> str:
        if self.document.numbered:
            return indent(fill(text, self.page_width - 3, break_long_words=False), "   ")
        return fill(text, self.page_width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)

    def items(self, texts: list[str]) -> str:
        # A formula in several lines stays as it is.
        texts = [text if "\n" in text else self._item(text) for text in texts]
        return self._indented("\n".join(texts), 3)

    def _item(self, text: str) -> str:
        return self._filled(text, self.page_width - 3) if self.document.numbered else self.paragraph(text)

    @staticmethod
    def _filled(text: str, room: int) -> str:
        """A text that is too long, in several lines."""
        if wide(text) <= room:
            return text
        return fill(text, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)

    def code(self, text: str) -> str:
        return indent(visible(text), "    ")

    def escaped(self, text: str) -> str:
        return in_a_line(text)

    def math(self, text: str) -> str:
        return text

    def chain(self, rows: Rows, number: int | None = None) -> str:
        texts: list[str] = []
        for left, lines in rows:
            room = left or " " * wide(rows[0][0])
            first, *more = lines
            texts.append(beside(["    ", f"{room} = ", first]))
            texts += [
                beside([" " * (4 + wide(room) + 1), f"{'    ' if line[:1] in '+−-' else '      '}", line])
                for line in more
            ]
        text = "\n".join(texts)
        return text if number is None else _number_equation(text, f"({number})", self.page_width)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        return self._indented(text_table(header, rows, right, self.table_width), 4)

    def cell(self, cell: Cell, column: Column) -> str:
        """A formula breaks before its signs alone."""
        if not isinstance(cell, tuple):
            return super().cell(cell, column)
        return "".join(self.words((p,)) if isinstance(p, str) else unbroken_terms(self.words((p,))) for p in cell)

    @property
    def table_width(self) -> int:
        return self.page_width - 4 * self.document.numbered

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """A table that says where to split it is split before its text wraps."""
        return least_widths(header, cells, [True] * len(right) if table.splits else right)

    def stacked(self, parts: list[tuple[Block | None, str]], dense: bool) -> str:
        """Under a heading without a number, lines follow each other; sections and second tables stand apart.

        So do equations in several lines, between which one would not see where the next begins.
        """
        if not dense:
            return super().stacked(parts, dense)
        text = parts[0][1] if parts else ""
        for (before, above), (block, part) in pairwise(parts):
            formulas = isinstance(before, Equation | Rule) and isinstance(block, Equation | Rule)
            apart = (
                (isinstance(block, Section) and block.title)
                or (isinstance(block, Table) and isinstance(before, Table))
                or isinstance(block, Code | Document)
                or (formulas and "\n" in above + part)
            )
            text += ("\n\n" if apart else "\n") + part
        return text

    def note(self, text: str, kind: str) -> str:
        return self.items([f"{kind}: {text}"])

    def footer(self, text: str) -> str:
        return f"{'-' * min(self.page_width, RULE_WIDTH)}\n{fill(text, self.page_width, break_on_hyphens=False)}"

    def _indented(self, text: str, columns: int) -> str:
        return indent(text, " " * columns) if self.document.numbered else text


class TerminalPage(TextPage):
    """Text with marks around titles, headings, heads of tables, verdicts and warnings."""

    def title(self, text: str) -> str:
        return _mark_lines(STRONG, super().title(text))

    def heading(self, text: str, number: int | None, level: int) -> str:
        return _mark_lines(STRONG, super().heading(text, number, level))

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        lines = super().table(header, rows, right).split("\n")
        rule = next((k for k, line in enumerate(lines) if k > 0 and not line.strip(" -")), 0)
        body = [_COLOURED.sub(lambda x: f"{_COLOURS[str(x.lastgroup)]}{x[0]}{PLAIN}", line) for line in lines[rule:]]
        return "\n".join([*(_mark_lines(STRONG, line) for line in lines[:rule]), *body])

    def note(self, text: str, kind: str) -> str:
        note = super().note(text, kind)
        return note.replace(f"{kind}:", _mark_lines(WARNING, f"{kind}:"), 1) if kind == "warning" else note


def in_encoding(kind: type[TextPage], encoding: str) -> type[TextPage]:
    """Pages with the nearest that an encoding has in the place of what it lacks, before lines are broken."""

    class EncodedPage(kind):
        @cached_property
        def printer(self) -> FormulaPrinter:
            from dynamis.telling.notation.text import in_encoding

            printer = super().printer
            return replace(printer, language=in_encoding(printer.language, encoding))

        @cached_property
        def as_text(self) -> FormulaPrinter:
            return replace(self.printer)

        def plain(self, text: str) -> str:
            return encodable(super().plain(text), encoding)

        def code(self, text: str) -> str:
            return encodable(super().code(text), encoding)

    return EncodedPage


def _number_equation(text: str, number: str, width: int) -> str:
    """The number at the right edge of the first line that has room for it, or under the equation."""
    lines = text.split("\n")
    at = next((k for k, line in enumerate(lines) if wide(line) + 3 + len(number) <= width), len(lines))
    lines += [""] * (at == len(lines))
    lines[at] += " " * (width - wide(lines[at]) - len(number)) + number
    return "\n".join(lines)


def _mark_lines(mark: str, text: str) -> str:
    """Every line for itself, so that a page can be cut between its lines."""
    return "\n".join(f"{mark}{line}{PLAIN}" if line else line for line in text.split("\n"))
