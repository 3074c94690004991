"""A chart as data that a page plots."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.telling.chart import Area, Bars, Chart, HeatMap, Level, Line, Mark, Marks, Panel, Points

PIXELS_PER_INCH = 78
"""Of an inch of a printed chart, on a page of 860 pixels."""
MAX_LINE_POINTS = 400
"""A line on the screen has no more points."""
PLOTTED_DIGITS = 5
"""Of numbers that are plotted, and of their range."""
RELATIVE_ROUNDING = 1e-9
"""Values that differ by less, relative to their size, are the same."""


def chart_data(chart: Chart, caption: str = "") -> dict[str, Any]:
    """What plot.js draws."""
    return {
        "title": chart.title, "caption": caption, "columns": chart.columns, "height": PIXELS_PER_INCH * chart.height,
        "order": chart.order, "panels": [_panel(panel) for panel in chart.panels],
    }  # fmt: skip


def _panel(panel: Panel) -> dict[str, Any]:
    return {
        "title": panel.title, "x": panel.x, "y": panel.y, "low": panel.low, "high": panel.high, "left": panel.left,
        "log": panel.logarithmic, "note": panel.note, "empty": panel.empty, "whole": panel.whole_numbers,
        "marks": [_mark(x) for x in panel.marks],
    }  # fmt: skip


def _mark(mark: Mark) -> dict[str, Any]:
    match mark:
        case Line():
            x, y = _thin_points(mark.x, mark.y)
            return {
                "kind": "line", "x": x, "y": y, "label": mark.label, "look": mark.look, "steps": mark.steps,
                "dotted": mark.dotted, "straight": mark.straight, "colour": mark.colour,
            }  # fmt: skip
        case Area():
            x, y = _thin_points(mark.x, mark.y)
            return {"kind": "area", "x": x, "y": y, "above": mark.above, "below": mark.below}
        case Level():
            return {
                "kind": "level", "value": float(mark.value), "label": mark.label, "look": mark.look,
                "upright": mark.upright, "colour": mark.colour,
            }  # fmt: skip
        case Marks():
            return {"kind": "marks", "times": mark.times, "label": mark.label, "tall": mark.tall}
        case Bars():
            parts = [[name, np.asarray(values, dtype=np.float64)] for name, values in mark.parts]
            return {"kind": "bars", "rows": mark.rows, "parts": parts, "coloured": mark.coloured}
        case HeatMap() | Points():
            return {"kind": "none"}  # maps have a page of their own


def _thin_points(x: ArrayLike, y: ArrayLike) -> tuple[list[float], list[float | None]]:
    """As many points as the screen shows, in a few digits; None where there is no number.

    The lowest and the highest of every stretch stay, so that no peak is lost.
    """
    x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    if x.ndim == 0:
        x, y = x[None], y[None]
    if len(x) > MAX_LINE_POINTS:
        pieces = np.array_split(np.arange(len(x)), MAX_LINE_POINTS // 2)
        known = np.where(np.isfinite(y), y, 0.0)
        ends = {int(piece[k]) for piece in pieces for k in (known[piece].argmin(), known[piece].argmax())}
        keep = sorted(ends | {0, len(x) - 1})
        x, y = x[keep], y[keep]
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = _short(np.where(finite, x, 0.0)), _short(np.where(finite, y, 0.0))
    return x, [v if known else None for v, known in zip(y, finite, strict=True)]


def _short(values: Array) -> list[float]:
    """In a few digits of their own, or of their range where that is smaller: a line stays smooth.

    >>> _short(np.array([1.2217123, 1.2218123])), _short(np.array([12.345678, 0.0012345678]))
    ([1.2217123, 1.2218123], [12.346, 0.0012346])
    """
    sizes = np.abs(values)
    extent = float(np.ptp(values))
    shown = np.minimum(sizes, extent) if extent > RELATIVE_ROUNDING * sizes.max() else sizes
    places = PLOTTED_DIGITS - 1 - np.floor(np.log10(np.where(shown > 0, shown, 1.0))).astype(int)
    return [round(v, k) for v, k in zip(values.tolist(), places.tolist(), strict=True)]
