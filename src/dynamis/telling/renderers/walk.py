"""One walk over the blocks of a document; a format says how it writes each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Self

from dynamis.base.errors import ArgumentError
from dynamis.base.numbers import fixed_decimals, format_number
from dynamis.telling.blocks import (
    Block,
    Code,
    Column,
    Document,
    Equation,
    Figure,
    Items,
    Note,
    Rule,
    Section,
    Table,
    Words,
)
from dynamis.telling.escapes import with_powers
from dynamis.telling.layout import wide
from dynamis.telling.renderers.equation_lines import (
    EQUALS_WIDTH,
    EQUATION_GAP,
    EQUATION_MARGIN,
    Rows,
    labels,
    pack_lines,
    plan,
)
from dynamis.telling.tables import pack_columns, units_of, with_units_in_heads

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.telling.blocks import Cell
    from dynamis.telling.formula import Formula, Prose
    from dynamis.telling.notation.formula_printer import FormulaPrinter
    from dynamis.telling.pictures.picture import Picture


class Page(ABC):
    """A document in one format. Its methods take text that `plain` or `words` has escaped.

    `printer` makes what writes the formulas of a document when the first one comes; `width` is that of the text in
    characters, `decimals` of numbers in columns that leave them open.
    """

    gap = ""
    """Between equations that stand beside each other."""

    needs_title = False
    """Whether a page without a title has that of its first section as its title, or the command."""

    def __init__(
        self, document: Document, printer: Callable[[Document], FormulaPrinter], width: int, decimals: int
    ) -> None:
        self.document = document
        self._make_printer = printer
        self.page_width = width
        self.decimals = decimals
        self.numbers: dict[str, int] = {}
        """Of the equations of this document that have a label, on a page of its own."""

    @property
    def width(self) -> int:
        """The width of an equation in this format."""
        return self.page_width

    @property
    def matrix_width(self) -> int:
        """Characters of a matrix, as text, that the format has room for."""
        return self.page_width - EQUATION_MARGIN

    @cached_property
    def printer(self) -> FormulaPrinter:
        """What writes formulas."""
        return self._make_printer(self.document)

    @cached_property
    def as_text(self) -> FormulaPrinter:
        """What writes formulas as text, to see how wide they are."""
        from dynamis.telling.notation.text import UNICODE

        return replace(self.printer, language=UNICODE)

    @abstractmethod
    def title(self, text: str) -> str: ...

    @abstractmethod
    def heading(self, text: str, number: int | None, level: int) -> str: ...

    @abstractmethod
    def paragraph(self, text: str) -> str: ...

    @abstractmethod
    def items(self, texts: list[str]) -> str: ...

    @abstractmethod
    def code(self, text: str) -> str:
        """Lines as they are typed; `text` is not escaped."""

    @abstractmethod
    def escaped(self, text: str) -> str:
        """A text from outside that cannot act as commands of the format."""

    def plain(self, text: str) -> str:
        """A text from outside, escaped, with the powers of its units raised."""
        return self.escaped(with_powers(text))

    @abstractmethod
    def math(self, text: str) -> str:
        """A formula inside of a sentence."""

    @abstractmethod
    def chain(self, rows: Rows, number: int | None = None) -> str:
        """Equations under each other, with a number at the margin."""

    @abstractmethod
    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str: ...

    def file(self, title: str, body: str) -> str:
        """The whole file."""
        del title
        return body

    def written(self, fragment: bool = False, provenance: Provenance | None = None) -> str:
        """The whole file with where it comes from at its foot, or what another file of its format can include."""
        if self.needs_title and not self.document.title:
            self.document = self.document.titled("" if provenance is None else provenance.command.split(" -")[0])
        title = self.plain(self.document.title)
        self.numbers = {label: number for number, label in enumerate(labels(self.document.blocks), 1)}
        body = self.body(self.title(title) if title else "") + "\n"
        if fragment:
            return f"{'' if provenance is None else self.comment(str(provenance))}{self.fragment(body)}"
        if provenance is not None:
            body += f"{self.references()}\n{self.footer(self.plain(str(provenance)))}\n"
        return self.file(title, body)

    def references(self) -> str:
        """The works that the methods of the document follow."""
        from dynamis.telling.works import works

        if not (texts := tuple(map(str, works(self.document.all_methods)))):
            return ""
        return f"\n{self.section(Section('References', (Items(texts),)))}\n"

    def footer(self, text: str) -> str:
        """Where the page comes from, apart from what it says."""
        return self.paragraph(text)

    def comment(self, text: str) -> str:
        """A line of the file that is not on the page; `text` is not escaped."""
        del text
        return ""

    def fragment(self, body: str) -> str:
        """What another file can include."""
        return body

    def body(self, heading: str, level: int = 2) -> str:
        """The heading and the blocks, and at the end what the reader should know about the formulas."""
        parts, number = [heading], 0
        for block in self.document.blocks:
            if isinstance(block, Section) and self.document.numbered:
                number += 1
                parts.append(self.section(block, number, level))
            else:
                parts.append(self.block(block, level))
        if "printer" in self.__dict__:
            parts += [self.paragraph(self.plain(remark)) for remark in self.printer.remarks]
        return "\n\n".join(part for part in parts if part)

    def inside(self, document: Document) -> Self:
        """The page of a document in this one, with a printer of its own for its formulas."""
        return type(self)(document, self._make_printer, self.page_width, self.decimals)

    def section(self, section: Section, number: int | None = None, level: int = 2) -> str:
        """The heading of a section and its blocks; nothing where all of it is missing."""
        if section.missing:
            return ""
        parts: list[tuple[Block | None, str]] = []
        if section.title:
            parts.append((None, self.heading(self.plain(section.title), number, level)))
        parts += self.parts(section.blocks, level + 1)
        return self.stacked([part for part in parts if part[1]], number is None)

    def parts(self, blocks: tuple[Block, ...], level: int) -> list[tuple[Block | None, str]]:
        """The blocks and their texts; where lines stand beside each other, so do short equations."""
        if not self.chain_width:
            return [(block, self.block(block, level)) for block in blocks]
        parts: list[tuple[Block | None, str]] = []
        line, used = ("", ""), inf
        for block in blocks:
            if not isinstance(block, Equation) or block.label or not self.printer.has_symbols(block.left_side):
                parts.append((block, self.block(block, level)))
                used = inf
                continue
            rows, width = self.equation_rows(block)
            if width is None:
                used = inf
            else:
                ((left, (right,)),) = rows
                if used + EQUATION_GAP + width <= self.chain_width:
                    parts.pop()
                    line = (line[0], f"{line[1]}{self.gap}{left}{self.printer.language.signs['=']}{right}")
                    used += EQUATION_GAP + width
                else:
                    line, used = (left, right), width
                rows = [(line[0], [line[1]])]
            parts.append((block, self.chain(rows)))
        return parts

    def stacked(self, parts: list[tuple[Block | None, str]], dense: bool) -> str:
        """The heading and the blocks of a section under each other."""
        del dense
        return "\n\n".join(text for _, text in parts)

    def figure(self, figure: Figure) -> str:
        """A picture; in formats that have no room for one the caption of a schematic one, if it has one."""
        if figure.missing or not figure.caption or not figure.schematic:
            return ""
        return self.paragraph(self.plain(f"Figure: {figure.caption}"))

    def svg(self, figure: Figure) -> tuple[str, str]:
        """A figure as an SVG element and its caption; empty where nothing can be drawn, a chart without matplotlib."""
        from dynamis.telling.figure import svg
        from dynamis.telling.pictures.paint import matplotlib_figure
        from dynamis.telling.pictures.svg import svg as svg_of_picture

        if figure.schematic:
            picture = self.picture(figure)
            return ("", "") if picture is None else (svg_of_picture(picture), self.caption(figure, picture))
        try:
            return ("", "") if figure.missing else (svg(matplotlib_figure(figure.chart())), self.plain(figure.caption))
        except ArgumentError:
            return "", ""

    def picture(self, figure: Figure) -> Picture | None:
        """The lines and labels of a schematic figure; None for a chart, and for a robot that cannot be drawn."""
        from dynamis.telling.pictures.picture import Picture

        if not figure.schematic or figure.missing:
            return None
        try:
            # A page without formulas has no printer, which would take time to import.
            content = figure.chart() if self.document.ring is None else figure.chart(self.printer.notation)
        except ArgumentError:
            return None
        return content if isinstance(content, Picture) else None

    def caption(self, figure: Figure, picture: Picture) -> str:
        """The words under a drawing."""
        return self.plain(figure.caption or picture.title)

    def note(self, text: str, kind: str) -> str:
        """A remark or a warning."""
        return self.paragraph(f"{kind}: {text}")

    def block(self, block: Block, level: int = 2) -> str:
        """A block that is not numbered."""
        match block:
            case Words(prose):
                return self.paragraph(self.words(prose))
            case Items(items):
                return self.items([self.words(item) for item in items]) if items else ""
            case Note(text, kind):
                return self.note(self.plain(text), kind)
            case Code(text):
                return self.code(text)
            case Rule(formula, label):
                return self.chain(self.rule(formula), self.numbers.get(label))
            case Equation(label=label):
                written = self.printer.has_symbols(block.left_side)
                return self.chain(self.equation(block), self.numbers.get(label)) if written else ""
            case Table():
                return "\n\n".join(self.tables(block))
            case Section():
                return self.section(block, None, level)
            case Document():
                title = self.heading(self.plain(block.title), None, level) if block.title else ""
                return self.inside(block).body(title, level + 1 if title else level)
            case Figure():
                return self.figure(block)

    def words(self, prose: Prose | str) -> str:
        """A sentence with formulas in it."""
        if isinstance(prose, str):
            return self.plain(prose)
        # A page without formulas has no printer, and no references: both would take time to import.
        from dynamis.telling.formula import Reference

        texts: list[str] = []
        for part in prose:
            match part:
                case str():
                    texts.append(self.plain(part))
                case Reference(label, words):
                    number = self.numbers.get(label)
                    texts.append(self.plain(words) if number is None else self.reference(number))
                case _:
                    texts.append(self.formula(part if isinstance(part, tuple) else (part,)))
        return "".join(texts)

    def formula(self, formula: Formula) -> str:
        """A formula inside of a sentence or of a cell."""
        return self.math(self.printer.inline(formula))

    def reference(self, number: int) -> str:
        """The number of an equation inside of a sentence."""
        return f"({number})"

    def tables(self, table: Table) -> list[str]:
        """The table, in parts where the format has no room for all of its columns."""
        table = with_units_in_heads(table)
        columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
        header = [self.words(c.name) + self.plain(f" [{c.unit}]" if c.unit else "") for c in columns]
        header = [
            head.rjust(c.width) if c.form else head.ljust(c.width) for head, c in zip(header, columns, strict=True)
        ]
        rows = [row for row in table.rows if not (table.hide_zeros and self._is_zero(row, columns))]
        cells = [[self.cell(cell, c) for cell, c in zip(row, columns, strict=True)] for row in rows]
        right = [bool(c.form) for c in columns]
        parts: list[str] = []
        for part in self.split(table, header, cells, right):
            part_cells = [[row[k] for k in part] for row in cells]
            parts.append(self.table([header[k] for k in part], part_cells, [right[k] for k in part]))
        return parts

    @property
    def table_width(self) -> int | None:
        """Characters that a table has room for; None where it may have any width."""
        return None

    def split(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[list[int]]:
        """Which columns stand beside each other: all of them, or, of a table that is too wide, those of each part."""
        room, widths = self.table_width, self.column_widths(table, header, cells, right)
        if room is None or sum(widths) + 2 * (len(widths) - 1) <= room:
            return [[*range(len(header))]]
        return pack_columns(widths, table.keys, table.splits, room, units_of(table))

    def column_widths(self, table: Table, header: list[str], cells: list[list[str]], right: list[bool]) -> list[int]:
        """The least widths of the columns in characters."""
        del table, right
        return [max(map(self.length, column)) for column in zip(header, *cells, strict=True)]

    def length(self, cell: str) -> int:
        """Characters of a cell on the page."""
        return wide(cell)

    def cell(self, cell: Cell, column: Column) -> str:
        """The text of a cell; numbers in the form of their column."""
        if cell is None:
            return ""
        if isinstance(cell, str | tuple):
            return self.words(cell)
        if isinstance(cell, float):
            return self.plain(format_number(cell, column.form, max(self.decimals, column.decimals)))
        return str(cell)

    def _is_zero(self, row: tuple[Cell, ...], columns: list[Column]) -> bool:
        pairs = zip(row, columns, strict=True)
        return all(
            float(fixed_decimals(x, self.decimals)) == 0 for x, c in pairs if c.form == "fixed" and isinstance(x, float)
        )

    def rule(self, formula: Formula) -> Rows:
        """A rule, cut at its first equals sign."""
        from dynamis.telling.formula import EQUALS

        at = formula.index(EQUALS)
        left = self.printer.inline(formula[:at])
        return [(left, self.printer.lines(formula[at + 1 :], self.width, self.printer.language.length(left)))]

    def equation(self, equation: Equation) -> Rows:
        """The rule, the quantities in it, the result; a line that says the same as the next one is left out.

        When the time is over only the rule and the result.
        """
        return self.equation_rows(equation)[0]

    def equation_rows(self, equation: Equation) -> tuple[Rows, float | None]:
        """The rows of an equation, and, of one that is a single line, its width."""
        name = self.printer.inline(equation.left_side)
        room = self.printer.language.length(name) + EQUALS_WIDTH
        ways, named = plan(equation, self.as_text, self.page_width, self.matrix_width)
        lines = [("", self.printer.lines(way, self.width, room), self.printer.width(way)) for way in ways]
        if equation.right is not None:
            lines += self.printer.results(equation.left, equation.right, self.width - room, named, equation.axes)
        if not lines[0][0]:
            lines[0] = name, *lines[0][1:]
        rows, width = pack_lines(lines, self.chain_width, self.printer.language, self.gap)
        return rows, width if len(rows) == len(rows[0][1]) == 1 else None

    @property
    def chain_width(self) -> int:
        """Characters of the lines of an equation that stand beside each other; 0 where none do."""
        return 0
