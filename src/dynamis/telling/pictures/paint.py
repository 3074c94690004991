"""A picture painted by matplotlib, which writes PNG and PDF."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dynamis.base.errors import ArgumentError, literal
from dynamis.telling.chart import Chart
from dynamis.telling.figure import draw, layout_of, matplotlib_text, new_figure, plot_chart, size_of, style
from dynamis.telling.pictures.picture import LOOKS, PAPER, TINT, Circle, Label, Path, Picture
from dynamis.telling.pictures.tex import tex_text
from dynamis.telling.pictures.text import FONT_SIZE


def matplotlib_figure(content: Chart | Picture) -> Any:
    """The matplotlib figure of a chart or a picture."""
    return paint(content) if isinstance(content, Picture) else draw(content)


def plot(content: Chart | Picture, ax: Any, fig: Any) -> Any:
    """The Axes (or an array of them) of a chart or a picture, drawn by pyplot or in what the caller has."""
    if ax is not None and fig is not None:
        raise ArgumentError("ax and fig exclude each other: ax says where each panel goes, fig where all of them go")
    with style():
        pass  # says what is missing where matplotlib is
    if fig is not None and not (hasattr(fig, "subplots") and hasattr(fig, "add_subplot")):
        raise ArgumentError(f"fig must be a matplotlib Figure or SubFigure, got {literal(fig)}", key="fig")
    axes = None if ax is None else own_axes(ax, len(content.panels) if isinstance(content, Chart) else 1)
    own = axes is None and fig is None
    if isinstance(content, Chart):
        fig = new_figure(size_of(content), layout=layout_of(content)) if own else fig
        axes = plot_chart(content, axes, fig)
        return axes[0] if len(axes) == 1 else np.array(axes, dtype=object)
    if axes is None:
        fig = new_figure((content.width / 72, content.height / 72)) if own else fig
        axes = [fig.add_axes((0, 0, 1, 1)) if own else fig.add_subplot()]
    paint_in(axes[0], content)
    return axes[0]


def own_axes(ax: Any, count: int) -> list[Any]:
    """The Axes that a caller gives, one per panel."""
    axes = [x for row in _axes_list(ax) for x in _axes_list(row)]
    if len(axes) != count or not all(hasattr(one, "plot") for one in axes):
        some = "a matplotlib Axes" if count == 1 else f"{count} matplotlib Axes, one per panel"
        right = all(hasattr(one, "plot") for one in axes)
        raise ArgumentError(f"ax must be {some}, got {len(axes) if right else literal(ax)}", key="ax")
    if any(getattr(one, "name", "") == "3d" for one in axes):
        raise ArgumentError("ax must be plane Axes, as plt.subplots() gives them, got Axes in 3d", key="ax")
    return axes


def _axes_list(axes: Any) -> list[Any]:
    """The entries of a list or an array; one that stands alone."""
    return list(cast("list[Any]", axes)) if isinstance(axes, list | tuple | np.ndarray) else [axes]


def paint(picture: Picture) -> Any:
    """The matplotlib figure of a picture, in its size."""
    with style():
        from matplotlib.figure import Figure

        figure: Any = Figure(figsize=(picture.width / 72, picture.height / 72))
        paint_in(figure.add_axes((0, 0, 1, 1)), picture)
        return figure


def paint_in(ax: Any, picture: Picture) -> None:
    """A picture in Axes, as large as they allow; texts and lines shrink with it."""
    with style():
        from matplotlib.patches import Circle as Disc
        from matplotlib.patches import Polygon

        ax.set_xlim(0, picture.width)
        ax.set_ylim(0, picture.height)
        ax.set_aspect("equal")
        ax.set_axis_off()
        room = ax.get_window_extent()
        points = 72 / ax.get_figure(root=True).dpi
        share = min(room.width * points / picture.width, room.height * points / picture.height, 1.0)
        for order, mark in enumerate(picture.marks):
            look = LOOKS[mark.role]
            if isinstance(mark, Label):
                ax.text(
                    *mark.at, tex_text(mark.text, matplotlib_text), ha="center", va="baseline", color=look.colour,
                    fontsize=FONT_SIZE * share, fontfamily="STIXGeneral", math_fontfamily="stix", zorder=order,
                )  # fmt: skip
                continue
            stroke = not isinstance(mark, Path) or mark.stroke
            inside = {"none": "none", "paper": PAPER, "tint": TINT, "ink": look.colour}[mark.fill]
            options = {
                "facecolor": inside, "edgecolor": look.colour if stroke else "none", "zorder": order,
                "linewidth": look.width * share if stroke else 0, "joinstyle": "round", "capstyle": "round",
                "linestyle": (0, [x / look.width for x in look.dashes]) if look.dashes else "-",
            }  # fmt: skip
            shape = (
                Disc(mark.centre, mark.radius, **options)
                if isinstance(mark, Circle)
                else Polygon(mark.points, closed=mark.closed, **options)
            )
            ax.add_patch(shape)
