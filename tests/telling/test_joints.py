"""One panel per joint: how many stand side by side, and what is said beside their axes."""

from __future__ import annotations

import pytest

from dynamis.telling.chart import Line, Panel
from dynamis.telling.joints import joint_chart

UNITS = ("N m", "N m", "N", "N", "N m", "N m", "N m")


@pytest.mark.parametrize(
    ("count", "columns", "said"),
    [(1, 1, [0]), (2, 2, [0]), (3, 3, [0, 2]), (4, 4, [0, 2]), (6, 3, [0, 2, 3, 4]), (7, 4, [0, 2, 4])],
)
def test_a_row_says_each_unit_once(count: int, columns: int, said: list[int]) -> None:
    def panel(j: int, name: str) -> Panel:
        return Panel((Line([0, 1], [0, j]),), name, "time [s]", f"[{UNITS[j]}]")

    chart = joint_chart([f"q{k + 1}" for k in range(count)], panel, 1.5, share_x=True)
    assert (chart.columns, chart.height, chart.share_x) == (columns, 1.5, True)
    assert [each.title for each in chart.panels] == [f"joint {k + 1}" for k in range(count)]
    assert [k for k, each in enumerate(chart.panels) if each.y] == said
    assert all(each.y in ("", f"[{unit}]") for each, unit in zip(chart.panels, UNITS[:count], strict=True))
