"""Tables that fit a page: heads with units, columns that wrap, and parts that stand below each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile, zip_longest
from textwrap import wrap

from dynamis.telling.blocks import Column, Table
from dynamis.telling.layout import wide

UNIT = "unit"
"""The head of a column that holds the unit of the numbers before it."""
COLUMN_GAP = 2
"""Blanks between columns."""
NO_BREAK = "\u00a0"
MIN_WRAPPED_WIDTH = 24
"""A column that wraps is at least this wide."""


def with_units_in_heads(table: Table) -> Table:
    """The table without its columns of units that say the same in every row, or nothing.

    The heads of their numbers say it instead.
    """
    columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
    units = {k: {row[k] for row in table.rows if row[k]} for k, c in enumerate(columns) if c.name == UNIT}
    same = {k: found.pop() for k, found in units.items() if k > table.keys and len(found) == 1}
    if not same:
        return table
    for k, unit in same.items():
        for i in reversed(range(table.keys, k)):
            if columns[i].name == UNIT or not columns[i].form:
                break
            if not columns[i].unit and columns[i].form != "%":
                columns[i] = replace(columns[i], unit=str(unit))
    keep = [k for k in range(len(columns)) if k not in same]
    return replace(
        table,
        columns=tuple(columns[k] for k in keep),
        rows=tuple(tuple(row[k] for k in keep) for row in table.rows),
        splits=tuple(at - sum(k < at for k in same) for at in table.splits),
    )


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] = (), width: int = 0) -> str:
    """Columns under a header and a rule, those of `right` aligned to the right.

    With a `width` that is too small, heads wrap, then columns of text share the room that the others leave, and then
    each row is a block of its own.

    >>> print(text_table(["joint", "tau"], [["1", "4.36"], ["2", "1.40"]], [False, True]))
    joint   tau
    -----  ----
    1      4.36
    2      1.40
    """
    right = [*right, *[False] * (len(header) - len(right))]
    header = unbroken_units(header)
    heads, lines = [[head] for head in header], [list(row) for row in rows]
    widths = [max(wide(row[k].split("\n")[0]) for row in (header, *rows)) for k in range(len(header))]
    if width > 0 and _total(widths) > width:
        widths = [_body(k, header[k], rows) for k in range(len(header))]
        heads = [
            _lines(head, max(w, 1))  # a column may be empty, its head too
            for head, w in zip(header, widths, strict=True)
        ]
        rooms = rooms_of(widths, right, width, least_widths(header, rows, right))
        lines = [line for row in lines for line in _wrap_row(row, rooms)]
        widths = [max(map(wide, (*heads[k], *(row[k] for row in lines)))) for k in range(len(header))]
        if _total(widths) > width >= MIN_WRAPPED_WIDTH:
            return _blocks(header, rows, width)
    height = max(map(len, heads), default=0)
    top = [list(row) for row in zip(*([*[""] * (height - len(head)), *head] for head in heads), strict=True)]

    def line(row: list[str]) -> str:
        blanks = [" " * (w - wide(cell)) for cell, w in zip(row, widths, strict=True)]
        parts = [b + cell if r else cell + b for cell, b, r in zip(row, blanks, right, strict=True)]
        return "  ".join(parts).rstrip()

    rule = "  ".join("-" * w for w in widths).rstrip()
    return "\n".join([*map(line, top), rule, *map(line, lines)]).replace(NO_BREAK, " ")


def _blocks(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Every row as lines `head: cell`, which wrap; a cell without a head stands before the next one."""
    lines: list[str] = []
    for row in rows:
        before, indent = "", ""
        for head, cell in zip(header, row, strict=True):
            if not head:
                before = f"{cell}  " if cell else ""
            elif cell:
                lines += _lines(f"{indent}{before}{head}: {cell}", width, "      ")
                before, indent = "", "    "
    return "\n".join(lines).replace(NO_BREAK, " ")


def least_widths(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[int]:
    """The widths of columns whose heads wrap, and whose text does."""
    header = unbroken_units(header)
    bodies = [_body(k, header[k], rows) for k in range(len(header))]
    return [
        body
        if r
        else min(body, max(MIN_WRAPPED_WIDTH, _longest_word(head), *(_longest_word(row[k], " *") for row in rows)))
        for k, (body, r, head) in enumerate(zip(bodies, right, header, strict=True))
    ]


def units_of(table: Table) -> dict[int, int]:
    """Column of numbers -> the column of units that comes after it."""
    columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
    units: dict[int, int] = {}
    for u in (u for u, column in enumerate(columns) if column.name == UNIT):
        before = takewhile(lambda k: columns[k].form, reversed(range(table.keys, u)))
        units |= {k: u for k in before if not columns[k].unit and columns[k].form != "%"}
    return units


def pack_columns(
    widths: Sequence[int], keys: int, splits: Sequence[int], room: int, units: Mapping[int, int] | None = None
) -> list[list[int]]:
    """The columns of each part of a table that is wider than `room`: the keys, and as many groups as have room.

    Groups end at `splits`; where there are none, or where a group has no room alone, every column is one. The parts are
    about equally wide. The column of `units` of a column of numbers stands in its part.

    >>> pack_columns([5, 10, 10, 10], keys=1, splits=(), room=30)
    [[0, 1, 2], [0, 3]]
    >>> pack_columns([5, 10, 10, 3], keys=1, splits=(), room=24, units={1: 3, 2: 3})
    [[0, 1, 3], [0, 2, 3]]
    """
    columns, units = range(len(widths)), units or {}
    ends = sorted({keys, *(splits or columns[keys + 1 :]), len(widths)})
    beside_keys = room - sum(w + COLUMN_GAP for w in widths[:keys]) + COLUMN_GAP
    groups: list[list[int]] = []
    for start, end in pairwise(ends):
        group = sorted({*columns[start:end], *(units[k] for k in columns[start:end] if k in units)})
        fits = sum(widths[k] + COLUMN_GAP for k in group) <= beside_keys
        alone = ([k, units[k]] if k in units else [k] for k in group if k not in units.values())
        groups += [group] if fits and (len(group) > 1 or group[0] not in units.values()) else alone
    sizes = [sum(widths[k] + COLUMN_GAP for k in group) for group in groups]
    count = len(_fill_rooms(sizes, beside_keys))
    even = min((room for room in range(beside_keys) if len(_fill_rooms(sizes, room)) == count), default=beside_keys)
    return [[*range(keys), *sorted({k for group in part for k in groups[group]})] for part in _fill_rooms(sizes, even)]


def _fill_rooms(sizes: Sequence[int], room: int) -> list[list[int]]:
    """Which things of these sizes one room after another holds; one that is too large has a room alone."""
    rooms: list[list[int]] = [[]]
    for k, size in enumerate(sizes):
        if rooms[-1] and sum(sizes[i] for i in rooms[-1]) + size > room:
            rooms.append([])
        rooms[-1].append(k)
    return rooms


def unbroken_terms(formula: str) -> str:
    """A formula that wraps before its signs, unless a term is long."""
    terms = re.split(" (?=[+\u2212=] )", formula)
    return " ".join(term.replace(" ", NO_BREAK) if wide(term) <= MIN_WRAPPED_WIDTH else term for term in terms)


def unbroken_units(header: Sequence[str]) -> list[str]:
    """Heads whose units do not break."""
    return [re.sub(r"\[[^]]*\]$", lambda unit: unit[0].replace(" ", NO_BREAK), head) for head in header]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + COLUMN_GAP * (len(widths) - 1)


def _longest_word(text: str, gaps: str = " ") -> int:
    return max(map(wide, re.split(f"[{gaps}]", text)))


def _body(k: int, head: str, rows: Sequence[Sequence[str]]) -> int:
    """The width of a column whose head wraps."""
    return max([_longest_word(head), *(wide(row[k].split("\n")[0]) for row in rows)])


def rooms_of(widths: list[int], right: Sequence[bool], width: int, least: Sequence[int] = ()) -> dict[int, int]:
    """The widths of the columns that wrap; none where the table has room, or too little room for all of them."""
    over = _total(widths) - width
    texts = sorted(
        (k for k in range(len(widths)) if not right[k] and widths[k] > MIN_WRAPPED_WIDTH), key=lambda k: widths[k]
    )
    rooms = {k: least[k] if least else MIN_WRAPPED_WIDTH for k in texts}
    more = sum(widths[k] for k in texts) - over - sum(rooms.values())
    if over <= 0 or more < 0:
        return {}
    for count, k in enumerate(texts):
        gain = min(widths[k] - rooms[k], more // (len(texts) - count))
        rooms[k] += gain
        more -= gain
    return rooms


def _wrap_row(row: list[str], rooms: dict[int, int]) -> list[list[str]]:
    """A row with its long cells on as many lines as they need."""
    cells = [_lines(_cut(cell, rooms[k] - 2), rooms[k], "  ") if k in rooms else [cell] for k, cell in enumerate(row)]
    return [list(line) for line in zip_longest(*cells, fillvalue="")]


def _lines(text: str, width: int, indent: str = "") -> list[str]:
    return wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _cut(cell: str, room: int) -> str:
    """A text whose products are not longer than the room, cut behind a sign of multiplication.

    >>> _cut("missing: m2*l1*sin(q2)*dq1^2", 14)
    'missing: m2*l1*sin(q2)* dq1^2'
    """
    words: list[str] = []
    for word in cell.split(" "):
        while len(word) > room and (at := word.rfind("*", 1, room)) > 0:
            words.append(word[: at + 1])
            word = word[at + 1 :]
        words.append(word)
    return " ".join(words)
