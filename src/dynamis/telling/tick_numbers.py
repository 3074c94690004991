"""Numbers at the ticks of charts as plain text."""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import LogFormatter, LogFormatterSciNotation, ScalarFormatter


class TickNumbers(ScalarFormatter):
    """Only the power of ten of an axis is a formula: one at every tick would take as long as all the rest."""

    def __call__(self, x: float, pos: Any = None) -> str:
        """The number at x."""
        return super().__call__(x, pos).removeprefix(r"$\mathdefault{").removesuffix("}$")


class LogNumbers(LogFormatter):
    """200 at a logarithmic axis, not 2 x 10^2."""

    def __call__(self, x: float, pos: Any = None) -> str:
        """The number at x; empty at ticks that have none."""
        return f"{x:g}".replace("-", "−") if super().__call__(x, pos) else ""


def set_tick_numbers(ax: Any) -> None:
    """Such numbers on both axes, where they are matplotlib's own."""
    for axis in (ax.xaxis, ax.yaxis):
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(TickNumbers())
        elif type(axis.get_major_formatter()) is LogFormatterSciNotation:
            axis.set_major_formatter(LogNumbers())
            axis.set_minor_formatter(LogNumbers(minor_thresholds=(1, 0.4)))
