"""One row and one panel per joint: the tables and charts that results of many kinds share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dynamis.telling.blocks import Column, Table
from dynamis.telling.chart import MAX_SHARED_JOINTS, Chart, Panel, columns_of, joint_names


def joint_table(joints: Sequence[str], *columns: tuple[Column | str, Any]) -> Table:
    """A row per joint: its number from 1, its name, and its value of every (column, values).

    >>> joint_table(["hip", "knee"], (Column("gain", form=".5g"), np.array([2.5, 3.0])), ("unit", ["N m", "N"])).rows
    ((1, 'hip', 2.5, 'N m'), (2, 'knee', 3.0, 'N'))
    """
    values = [each.tolist() if isinstance(each, np.ndarray) else each for _, each in columns]
    rows = tuple((j, *row) for j, row in enumerate(zip(joints, *values, strict=True), 1))
    return Table((Column(), Column("joint"), *(column for column, _ in columns)), rows, keys=2)


def joint_chart(joints: Sequence[str], panel: Callable[[int, str], Panel], height: float = 1.9, **look: Any) -> Chart:
    """A panel per joint, of `panel(j, name)`; `look` is that of the chart.

    What stands beside an axis is not said again by the panels to its right.
    """
    count = len(joints)
    columns = max(1, count) if count <= MAX_SHARED_JOINTS else columns_of(count)
    panels = [panel(j, name) for j, name in enumerate(joint_names(joints, columns))]
    shown = [
        replace(each, y="") if j % columns and each.y == panels[j - 1].y else each for j, each in enumerate(panels)
    ]
    return Chart(tuple(shown), columns, height, **look)
