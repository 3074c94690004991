"""JSON: the data of a document, or, where it has none but its blocks, these as data."""

from __future__ import annotations

import re
from typing import Any

from dynamis.telling.blocks import Block, Code, Column, Document, Equation, Items, Note, Rule, Section, Table, Words
from dynamis.telling.renderers.latex import latex_aligned
from dynamis.telling.renderers.walk import Page

SCHEMA_VERSION = 1
"""Of the keys: raised when one goes, or means something else. docs/json.toml lists them."""


def schema(kind: str) -> str:
    """Which keys JSON has: the kind of a result, and the version.

    >>> schema("TorqueBudget")
    'dynamis/torque-budget/1'
    """
    return f"dynamis/{re.sub('(?<!^)(?=[A-Z])', '-', kind).lower()}/{SCHEMA_VERSION}"


def document_data(document: Document, text: Page, latex: Page) -> dict[str, Any]:
    """The data that the document brings, and, where it has formulas or no data, its title and its sections.

    What a named section says is in the data already.
    """
    data = dict(document.data()) if document.data is not None else {}
    if data and document.ring is None:
        return data
    blocks = [block for block in document.blocks if isinstance(block, Section) and not (data and block.name)]
    sections = [section_data(block, text, latex) for block in blocks]
    loose = tuple(block for block in document.blocks if not isinstance(block, Section))
    rest = section_data(Section("", loose), text, latex) if loose else {}
    printers = [page.printer for page in (text, latex) if "printer" in page.__dict__]
    return {
        "title": document.title,
        **{key: value for key, value in rest.items() if value and key != "finished"},
        **data,
        "steps" if document.numbered else "sections": sections,
        "shortest_forms": not any(printer.plain for printer in printers),
        "whole": not any(printer.cut for printer in printers),
    }


def section_data(section: Section, text: Page, latex: Page) -> dict[str, Any]:
    """A section: its words, and lists of its rules, tables and equations."""
    blocks = section.blocks
    equations = [x for x in blocks if isinstance(x, Equation) and text.printer.has_symbols(x.left_side)]
    data: dict[str, Any] = {
        "title": section.title,
        "finished": section.finished,
        "words": " ".join(line for block in blocks for line in _words(block, text)),
        "rules": [latex.printer.inline(block.formula) for block in blocks if isinstance(block, Rule)],
        "tables": [_table(block, text) for block in blocks if isinstance(block, Table)],
        "equations": [_equation(block, text, latex) for block in equations],
    }
    inner = {
        "sections": [section_data(block, text, latex) for block in blocks if isinstance(block, Section)],
        "documents": [
            document_data(block, text.inside(block), latex.inside(block))
            for block in blocks
            if isinstance(block, Document)
        ],
    }
    return {**data, **{name: parts for name, parts in inner.items() if parts}}


def _words(block: Block, text: Page) -> list[str]:
    match block:
        case Words(prose):
            return [text.words(prose)]
        case Items(items):
            return [text.words(item) for item in items]
        case Note(note, kind):
            return [f"{kind}: {note}"]
        case Code(lines):
            return [lines]
        case _:
            return []


def _table(table: Table, text: Page) -> dict[str, Any]:
    columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
    header = [f"{text.words(c.name)} [{c.unit}]" if c.unit else text.words(c.name) for c in columns]
    rows = [[text.words(cell) if isinstance(cell, tuple) else cell for cell in row] for row in table.rows]
    return {"header": header, "rows": rows}


def _equation(equation: Equation, text: Page, latex: Page) -> dict[str, Any]:
    left = equation.left
    symbol = None if isinstance(left, tuple) else f"{text.printer.notation.letter(left)}{'dot' * left.dots}"
    return {
        "letter": text.printer.inline(equation.left_side) if symbol is None else symbol,
        "index": "" if isinstance(left, tuple) else left.index, "frame": equation.frame,
        "latex": f"\\begin{{aligned}} {latex_aligned(latex.equation(equation))} \\end{{aligned}}",
        "text": [] if equation.right is None else text.printer.scalars(equation.right),
        "rules": [text.printer.inline(way) for way in equation.ways if text.printer.has_symbols(way)],
    }  # fmt: skip
