"""Tables and sentences in degrees for people who think in them; arrays, series and JSON are in radians."""

from __future__ import annotations

import re
from dataclasses import replace
from math import degrees
from typing import TYPE_CHECKING

from dynamis.document.blocks import Block, Column, Document, Items, Note, Section, Table, Words
from dynamis.document.tables import UNIT

if TYPE_CHECKING:
    from dynamis.document.blocks import Cell
    from dynamis.document.formula import Prose

_ANGLE = re.compile(r"rad(?=$|/s)")
"""The unit of an angle and its rates."""

_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?(?:e[-+]\d+)?) rad(?=/s|\b)(?!\S* or m)")


def in_degrees(document: Document) -> Document:
    """The document with angles, angular velocities and accelerations of its tables and sentences in degrees.

    >>> columns = Column("joint"), Column("q", "rad", "g"), Column("qd", form="g"), Column("unit")
    >>> table = Table(columns, (("1", 0.0, 1.0, "rad/s"), ("2", 0.0, 1.0, "m/s")))
    >>> in_degrees(Document("", (table,))).blocks[0].rows
    (('1', 0.0, 57.29577951308232, 'deg/s'), ('2', 0.0, 1.0, 'm/s'))
    """
    return replace(document, blocks=tuple(map(_block, document.blocks)))


def _block(block: Block) -> Block:
    match block:
        case Section():
            return replace(block, blocks=tuple(map(_block, block.blocks)))
        case Document():
            return in_degrees(block)
        case Table():
            return _table(block)
        case Words(prose):
            return Words(_sentence(prose))
        case Items(items):
            return Items(tuple(map(_sentence, items)))
        case Note(text, kind):
            return Note(_words(text), kind)
        case _:
            return block


def _words(text: str) -> str:
    """The numbers of a text that have an angle's unit, with no more digits than they have.

    >>> _words("joint 3 reaches 5.8249 rad/s; 14 rad/s; 4e-05 rad are left; 2e-09 rad or m at most")
    'joint 3 reaches 333.74 deg/s; 800 deg/s; 0.002 deg are left; 2e-09 rad or m at most'
    """

    def number(match: re.Match[str]) -> str:
        digits = len(match[1].split("e")[0].replace(".", "").lstrip("0"))
        return f"{float(f'{degrees(float(match[1])):.{max(digits, 1)}g}'):.{max(digits, 6)}g} deg"

    return _NUMBER.sub(number, text)


def _sentence(prose: Prose | str) -> Prose | str:
    if isinstance(prose, str):
        return _words(prose)
    return tuple(_words(part) if isinstance(part, str) else part for part in prose)


def _table(table: Table) -> Table:
    columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
    rows = tuple(_row(row, k, columns, table.keys) for k, row in enumerate(table.rows))
    return replace(table, columns=tuple(map(_head, columns)), rows=rows)


def _head(column: Column) -> Column:
    units = tuple(map(_unit, column.units))
    return replace(column, unit=", ".join(dict.fromkeys(units)) or _unit(column.unit), units=units)


def _row(row: tuple[Cell, ...], number: int, columns: list[Column], keys: int) -> tuple[Cell, ...]:
    """The cells from the right to the left, since a unit comes after its numbers, or right after the keys."""
    cells: list[Cell] = []
    first = row[keys] if keys < len(row) and columns[keys].name == UNIT else ""
    unit = ""
    for cell, column in zip(reversed(row), reversed(columns), strict=True):
        if column.name == UNIT:
            unit = cell if isinstance(cell, str) else ""
            cells.append(_unit(unit))
            continue
        unit = unit if column.form else ""
        own = column.units[number] if column.units else column.unit or unit or str(first)
        if isinstance(cell, str):
            cells.append(_words(cell))
        else:
            cells.append(degrees(cell) if _ANGLE.match(own) and isinstance(cell, float) else cell)
    return tuple(reversed(cells))


def _unit(unit: str) -> str:
    return _ANGLE.sub("deg", unit) if _ANGLE.match(unit) else unit
