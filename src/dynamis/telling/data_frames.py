"""Series and tables of results as pandas DataFrames and xarray Datasets, with names and units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dynamis.base.errors import ArgumentError, check_name
from dynamis.base.extras import import_extra
from dynamis.telling.blocks import Block, Column, Document, Section, Table, Words
from dynamis.telling.tables import UNIT, with_units_in_heads

_WITH_UNIT = re.compile(r"(.+) \[([^\[\]]*)\]")
TIME = "t"
"""The name of the column of times, which is the index."""


def data_frame(document: Document, table: str) -> Any:
    """The series of a document, or one of its tables: numbers in columns by name, units in `attrs`.

    Of a batch the rows of all states stand one after the other; the number of the state, from 1, is in the index.
    """
    pandas = import_extra("pandas", "to_pandas needs", "data")
    if document.states is not None:
        frames = {k: data_frame(state, table) for k, state in enumerate(document.states(), 1)}
        frame = pandas.concat(frames, names=["state"])
        frame.attrs["units"] = frames[1].attrs["units"]
        return frame
    if document.columns is not None and isinstance(table, str) and not table:  # type: ignore[redundant-expr]
        columns, units = _without_units(document.columns())
        frame = pandas.DataFrame(columns)
        frame = frame.set_index(TIME) if TIME in columns else frame
    else:
        keys, columns, units = _cells(document, _table(document, table))
        frame = pandas.DataFrame(columns)
        frame = frame.set_index(keys) if keys and len(keys) < len(columns) else frame
    frame.attrs["units"] = units
    return frame


def data_set(document: Document, table: str) -> Any:
    """The same as an xarray Dataset: one variable per column, each with its unit in `attrs`.

    Its dimension is the time or the first key of the rows; the other keys are variables.
    """
    xarray = import_extra("xarray", "to_xarray needs", "data")
    frame = data_frame(document, table)
    units = frame.attrs["units"]
    first = frame.index.get_level_values(0)
    if frame.index.nlevels > 1 and first.is_unique:
        frame = frame.reset_index(level=frame.index.names[1:])
    elif first.name is None or not first.is_unique:
        frame = frame.reset_index(drop=first.name is None)
        frame.index.name = "row"
    dataset = xarray.Dataset.from_dataframe(frame)
    for name, unit in units.items():
        if name in dataset.variables:
            dataset[name].attrs["units"] = unit
    return dataset


def _without_units(columns: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """`q1 [rad]` is q1 with the unit rad, unless two columns differ in their units alone."""
    parts = [match.groups() if (match := _WITH_UNIT.fullmatch(name)) else (name, "") for name in columns]
    short = [name for name, _ in parts]
    names = [short[k] if short.count(short[k]) == 1 else name for k, name in enumerate(columns)]
    units = {name: unit for name, (_, unit) in zip(names, parts, strict=True) if unit}
    return dict(zip(names, columns.values(), strict=True)), units


def _table(document: Document, name: str) -> Table:
    tables = dict(_tables(document.blocks, ""))
    if not tables:
        raise ArgumentError("this result has no table and no series; to_json() has its data", key="table")
    if not isinstance(name, str) or name:  # type: ignore[redundant-expr]
        check_name("table", name, tables, key="table")
    return tables[name] if name else next(iter(tables.values()))


def _tables(blocks: tuple[Block, ...], section: str) -> Iterator[tuple[str, Table]]:
    """The tables by the names of their sections; the second one in a section is `name 2`."""
    count = 0
    for block in blocks:
        if isinstance(block, Table):
            count += 1
            yield " ".join(filter(None, (section or "table", str(count) if count > 1 else ""))), block
        elif isinstance(block, Section | Document):
            yield from _tables(block.blocks, getattr(block, "name", "") or block.title or section)


def _cells(document: Document, table: Table) -> tuple[list[str], dict[str, list[Any]], dict[str, str]]:
    """The names of the key columns, all columns by name, and their units.

    Of several columns of units, where rows differ in them, each is that of the column before it.
    """
    table = with_units_in_heads(table)
    columns = [c if isinstance(c, Column) else Column(c) for c in table.columns]
    heads = [
        _text(document, c.name) or ("number" if k == 1 else "quantity" if k == 2 else f"column {k}")
        for k, c in enumerate(columns, 1)
    ]
    if heads.count(UNIT) > 1:
        heads = [f"{UNIT} of {heads[k - 1]}" if head == UNIT else head for k, head in enumerate(heads)]
    heads = [head if heads.count(head) == 1 else f"{head} {k}" for k, head in enumerate(heads, 1)]
    cells: dict[str, list[Any]] = {}
    for k, (head, column) in enumerate(zip(heads, columns, strict=True)):
        values = [_text(document, row[k]) if isinstance(row[k], str | tuple) else row[k] for row in table.rows]
        if k < table.keys:  # a key that stands for several rows is written once
            for i in range(1, len(values)):
                values[i] = values[i - 1] if values[i] == "" else values[i]
        elif column.form:
            values = [None if value == "" else value for value in values]
        cells[head] = values
    units = {head: c.unit for head, c in zip(heads, columns, strict=True) if c.unit}
    return heads[: table.keys], cells, units


def _text(document: Document, cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    from dynamis.telling.renderers.page import render

    return render(Document("", (Words(cell),), ring=document.ring), width=10**6).strip()
