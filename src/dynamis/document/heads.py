"""The heads of a table: units that all rows share stand there."""

from __future__ import annotations

from dataclasses import replace

from dynamis.document.blocks import Column, Table

UNIT = "unit"
"""The head of a column that holds the unit of the numbers before it."""


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
