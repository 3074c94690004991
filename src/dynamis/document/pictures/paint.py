"""A picture painted by matplotlib, which writes PNG and PDF."""

from __future__ import annotations

from typing import Any

from dynamis.document.chart import Chart
from dynamis.document.figure import draw, escaped, style
from dynamis.document.pictures.picture import LOOKS, PAPER, TINT, Circle, Label, Path, Picture
from dynamis.document.pictures.tex import tex_text
from dynamis.document.pictures.text import FONT_SIZE


def drawn(content: Chart | Picture) -> Any:
    """The matplotlib figure of a chart or a picture."""
    return paint(content) if isinstance(content, Picture) else draw(content)


def paint(picture: Picture) -> Any:
    """The matplotlib figure of a picture, in its size."""
    with style():
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle as Disc
        from matplotlib.patches import Polygon

        figure: Any = Figure(figsize=(picture.width / 72, picture.height / 72))
        ax: Any = figure.add_axes((0, 0, 1, 1))
        ax.set_xlim(0, picture.width)
        ax.set_ylim(0, picture.height)
        ax.set_axis_off()
        for order, mark in enumerate(picture.marks):
            look = LOOKS[mark.role]
            if isinstance(mark, Label):
                ax.text(
                    *mark.at, tex_text(mark.text, escaped), ha="center", va="baseline", color=look.colour,
                    fontsize=FONT_SIZE, fontfamily="STIXGeneral", math_fontfamily="stix", zorder=order,
                )  # fmt: skip
                continue
            stroke = not isinstance(mark, Path) or mark.stroke
            inside = {"none": "none", "paper": PAPER, "tint": TINT, "ink": look.colour}[mark.fill]
            options = {
                "facecolor": inside, "edgecolor": look.colour if stroke else "none", "zorder": order,
                "linewidth": look.width if stroke else 0, "joinstyle": "round", "capstyle": "round",
                "linestyle": (0, [x / look.width for x in look.dashes]) if look.dashes else "-",
            }  # fmt: skip
            shape = (
                Disc(mark.centre, mark.radius, **options)
                if isinstance(mark, Circle)
                else Polygon(mark.points, closed=mark.closed, **options)
            )
            ax.add_patch(shape)
        return figure
