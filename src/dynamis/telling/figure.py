"""How figures look: for print, in colours that everyone can tell apart, units on every axis.

The colours are those of M. Okabe and K. Ito, Color Universal Design, 2002, and an olive of P. Tol's; lines differ in
their dashes too, so that they can be told apart without colours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.extras import import_extra
from dynamis.base.provenance import Provenance
from dynamis.base.writing import write_bytes
from dynamis.telling.chart import TIME, Area, Bars, Chart, HeatMap, Level, Line, Mark, Marks, Panel, Points
from dynamis.telling.escapes import with_powers

INK, FAINT = "#000000", "#888888"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2)),
    (0, (6, 1.2, 1, 1.2, 1, 1.2)), (0, (3, 1.5)),
)  # fmt: skip
PAGE_WIDTH = 7.0
"""The width of a printed page [in]."""
STYLE = {
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "legend.fontsize": 7.5, "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5, "lines.linewidth": 1.2, "axes.linewidth": 0.6, "grid.linewidth": 0.4,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "axes.grid": True, "grid.color": "#DDDDDD",
    "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "pdf.fonttype": 42, "svg.fonttype": "none", "mathtext.fontset": "stixsans", "axes.formatter.use_mathtext": True,
    "axes.xmargin": 0.01, "svg.hashsalt": "dynamis",
}  # fmt: skip
LIMIT = {"color": COLOURS[6], "ls": (0, (1, 2)), "lw": 1.0}
LOOKS: dict[str, dict[str, Any]] = {
    "total": {"color": INK, "ls": "-", "lw": 1.7, "zorder": 1.9},
    "solid": {"color": COLOURS[0]},
    "thick": {"color": COLOURS[0], "lw": 2.2},
    "thin": {"color": INK, "lw": 0.9},
    "second": {"color": COLOURS[1], "ls": (0, (5, 1.5))},
    "goal": {"ls": (0, (4, 2)), "lw": 0.9},
    "goal of one": {"color": FAINT, "ls": (0, (4, 2)), "lw": 0.9},
    "limit": LIMIT,
    "rms": {"color": COLOURS[1], "ls": (0, (5, 1.5))},
    "faint": {"color": FAINT, "lw": 0.7, "alpha": 0.7},
    "many": {"color": COLOURS[0], "lw": 0.7, "alpha": 0.7},
    "dots": {"color": COLOURS[5], "ls": "", "marker": ".", "ms": 2.2},
    "envelope": {"color": INK, "lw": 1.4, "zorder": 3},
    "start": {"ls": "", "marker": "o", "ms": 4.5, "mfc": "white", "mec": INK, "mew": 0.9},
    "end": {"ls": "", "marker": "s", "ms": 4, "color": COLOURS[1]},
    "target": {"ls": "", "marker": "+", "ms": 7, "mew": 1.2, "color": COLOURS[2]},
    "axis": {"color": INK, "lw": 0.6},
    "kept": {"color": "#999999", "lw": 0.8, "ls": ":"},
    "truth": {"lw": 0.9, "ls": (0, (1, 2))},
}
"""What lines with a role look like."""
HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\", "", "++++", "")
MOST_DOTS = 200


def style() -> Any:
    """The style as a context: `with style(): ...`; without matplotlib it says how to install it."""
    return import_extra("matplotlib", "plots need", "report").rc_context(STYLE)


def new_figure(size: tuple[float, float], **options: Any) -> Any:
    """A figure that pyplot knows, so that a notebook and `plt.show()` show it.

    Not within the style: with its first figure pyplot becomes interactive in a notebook, and the end of the style
    would undo that.
    """
    pyplot: Any = import_module("matplotlib.pyplot")
    return pyplot.figure(figsize=size, **options)


def grid(figure: Any, count: int, columns: int, **options: Any) -> list[Any]:
    """`count` axes in columns; call it within the style."""
    columns = min(columns, count)
    axes = figure.subplots(ceil(count / columns), columns, squeeze=False, **options).ravel().tolist()
    for spare in axes[count:]:
        spare.set_visible(False)
    if options.get("sharex"):
        # Where the axes below are empty, the times stand under the last ones that are there.
        for k, ax in enumerate(axes[:count]):
            if k + columns >= count:
                ax.tick_params(labelbottom=True)
    return axes[:count]


def matplotlib_text(text: str) -> str:
    """A text as matplotlib prints it: no formula between dollars, and not left out of a legend for an underscore.

    >>> matplotlib_text("$x$"), matplotlib_text("_x")
    ('\\\\$x\\\\$', ' _x')
    """
    return f"{' ' * text.startswith('_')}{with_powers(text)}".replace("$", "\\$")


def look_of(k: int) -> dict[str, Any]:
    """The k-th look; where the colours begin again, the dashes are others."""
    return {"color": COLOURS[k % len(COLOURS)], "ls": DASHES[(k + k // len(COLOURS)) % len(DASHES)]}


def legend(figure: Any, axes: Sequence[Any], columns: int = 8, order: Sequence[str] = ()) -> None:
    """One legend for all axes, under them, every label once, in the given order where there is one."""
    entries: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if order:
        entries = {label: entries[label] for label in order if label in entries}
    if entries:
        # A character of the legend takes about 3.9 points, a handle with its spaces 36.
        fits = int(72 * figure.get_figure(root=True).get_figwidth() / (3.9 * max(map(len, entries)) + 36))
        rows = ceil(len(entries) / max(1, min(columns, fits)))
        figure.legend(
            list(entries.values()), list(entries), loc="outside lower center",
            ncols=ceil(len(entries) / rows), handlelength=2.6, columnspacing=1.4,  # rows alike: no entry stands alone
        )  # fmt: skip


def save(figure: Any, path: Any, provenance: Provenance | None = None, resolution: int = 200) -> None:
    """The figure in the format of the file's name, with where it comes from in the file's metadata."""
    kind = str(path).rsplit(".", 1)[-1]
    # Drawn in memory: on a full disk matplotlib's PDF fails with an AttributeError of its own.
    image = BytesIO()
    with style():
        figure.savefig(image, format=kind, dpi=resolution, metadata=_metadata(kind, provenance))
    write_bytes(path, image.getvalue())


def _metadata(kind: str, provenance: Provenance | None) -> Any:
    """In the words of each format; without the times that matplotlib would add."""
    if provenance is None:
        return {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind)
    program, whole = f"dynamis {provenance.version}", str(provenance)
    return {
        "png": {"Software": program, "Comment": whole},
        "pdf": {"Creator": program, "Subject": whole, "CreationDate": None},
        "svg": {"Creator": program, "Description": whole, "Date": None},
    }.get(kind)


def svg(figure: Any) -> str:
    """The figure as an SVG element of a page; its layout is then as it is."""
    image = BytesIO()
    with style():
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        if (layout := FigureCanvasSVG(figure).figure.get_layout_engine()) is not None:
            layout.execute(figure)  # matplotlib would draw all of it for that
            figure.set_layout_engine("none")
        figure.savefig(image, format="svg", metadata={"Date": None})
    text = image.getvalue().decode()
    # Hundredths of a point are finer than a printer; a page of charts becomes a third smaller. Texts stay as they are.
    return re.sub(r"<[^>]*>", _in_hundredths, text[text.index("<svg") :])


def _in_hundredths(tag: re.Match[str]) -> str:
    return re.sub(r"-?\d+\.\d{3,}", lambda x: f"{float(x[0]):.2f}".rstrip("0").rstrip("."), tag[0])


def draw(chart: Chart) -> Any:
    """The matplotlib figure of a chart."""
    with style():
        from matplotlib.figure import Figure

        figure: Any = Figure(figsize=size_of(chart), layout=layout_of(chart))
        plot_chart(chart, None, figure)
        return figure


def plot_chart(chart: Chart, axes: list[Any] | None, figure: Any) -> list[Any]:
    """The panels of a chart in these axes, or in new ones of a figure."""
    with style():
        own = axes is None
        if axes is None:
            heights: dict[str, Any] = {"height_ratios": chart.heights} if chart.heights else {}
            shared = {"sharex": chart.share_x, "sharey": chart.share_y}
            axes = grid(figure, len(chart.panels), chart.columns, **shared, **heights)
        for ax, panel in zip(axes, chart.panels, strict=True):
            for mark in panel.marks:
                _draw(ax, mark)
            _finish(ax, panel)
        columns = min(chart.columns, len(axes))
        for column in range(columns):
            there = [k for k in range(column, len(axes), columns) if not chart.panels[k].empty]
            if there and chart.panels[there[-1]].x == TIME:
                axes[there[-1]].set_xlabel(TIME)
                axes[there[-1]].tick_params(labelbottom=True)
        if not own or chart.legends == "beside":
            for ax in axes if chart.legends == "beside" else axes[:1]:
                _legend_of(ax, beside=own)
        if not own:
            return axes
        if chart.title:
            figure.suptitle(matplotlib_text(chart.title), fontsize="medium")
        figure.align_ylabels(axes[::columns])
        if chart.legends == "below":
            legend(figure, axes, chart.legend_columns, [matplotlib_text(name) for name in chart.order])
        return axes


def _legend_of(ax: Any, beside: bool) -> None:
    """A legend in the axes, or `beside` them; every label once, where it comes last."""
    handles, labels = ax.get_legend_handles_labels()
    entries = dict(zip(labels, handles, strict=True))
    if entries:
        order = sorted(entries, key=lambda name: len(labels) - labels[::-1].index(name))
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "handlelength": 2.6}
        ax.legend([entries[name] for name in order], order, **(place if beside else {}))


def size_of(chart: Chart) -> tuple[float, float]:
    """Width and height [in]."""
    rows = ceil(len(chart.panels) / min(chart.columns, len(chart.panels)))
    return PAGE_WIDTH * 0.72 if chart.narrow else PAGE_WIDTH, chart.height * rows + 0.45


def layout_of(chart: Chart) -> Literal["compressed", "constrained"]:
    """How matplotlib makes room for labels: "constrained" counts too little beside axes whose two scales are one."""
    marks = [mark for panel in chart.panels for mark in panel.marks]
    alike = any(isinstance(x, Points) or (isinstance(x, HeatMap) and x.alike) for x in marks)
    return "compressed" if alike else "constrained"


def _draw(ax: Any, mark: Mark) -> None:
    match mark:
        case Line():
            look = look_of(mark.look) if isinstance(mark.look, int) else dict(LOOKS[mark.look])
            look |= {"ls": "-"} if mark.straight else {}
            look |= {"drawstyle": "steps-post"} if mark.steps else {}
            look |= {"marker": "o", "ms": 2} if mark.dotted else {}
            look |= _colour(mark.colour)
            # Every dot is an element of a page: a few hundred show the cloud.
            x, y = np.asarray(mark.x), np.asarray(mark.y)
            step = len(x) // MOST_DOTS + 1 if mark.look == "dots" else 1
            ax.plot(x[::step], y[::step], label=matplotlib_text(mark.label), **look)
        case Area():
            y = np.asarray(mark.y)
            for where, name, colour in ((y >= 0, mark.above, COLOURS[5]), (y <= 0, mark.below, COLOURS[4])):
                ax.fill_between(mark.x, y, where=where, color=colour, alpha=0.5, lw=0, label=name)
        case Level():
            look = (look_of(mark.look) if isinstance(mark.look, int) else LOOKS[mark.look]) | _colour(mark.colour)
            (ax.axvline if mark.upright else ax.axhline)(mark.value, label=mark.label, **look)
        case Marks():
            options = {"transform": ax.get_xaxis_transform(), "color": FAINT, "lw": 0.5, "zorder": 1}
            ax.vlines(mark.times, 0.0, 1.0 if mark.tall else 0.06, label=mark.label, **options)
        case Bars():
            _draw_bars(ax, mark)
        case HeatMap():
            _draw_heat_map(ax, mark)
        case Points():
            ax.grid(visible=False)
            ax.set_aspect("equal")
            least, most = mark.range or (None, None)
            dots = ax.scatter(mark.x, mark.y, c=mark.values, s=9, cmap="viridis", linewidths=0, vmin=least, vmax=most)
            _draw_scale(ax, dots, mark.unit, mark.values, mark.range, beside=True)


def _draw_heat_map(ax: Any, mark: HeatMap) -> None:
    from matplotlib.colors import ListedColormap

    ax.grid(visible=False)
    least, most = (0.5, len(mark.names) + 0.5) if mark.names else mark.range or (None, None)
    colours = ListedColormap([COLOURS[k % len(COLOURS)] for k in range(len(mark.names))]) if mark.names else "viridis"
    image = ax.imshow(
        mark.values, extent=(*mark.x, *mark.y), origin="lower", aspect="equal" if mark.alike else "auto",
        interpolation="nearest", cmap=colours, vmin=least, vmax=most,
    )  # fmt: skip
    bar = _draw_scale(ax, image, mark.unit, mark.values, None if mark.names else mark.range, mark.alike)
    if mark.names:
        bar.set_ticks(range(1, len(mark.names) + 1), labels=[matplotlib_text(name) for name in mark.names])
        bar.ax.tick_params(length=0)


def _draw_scale(
    ax: Any, image: Any, unit: str, values: ArrayLike, ends: tuple[float, float] | None, beside: bool
) -> Any:
    """The bar of colours; beside axes of one scale, which fill only a part of their place, it is as high as they are.

    It has a tip where values are above its end, and one number where all are the same.
    """
    place = {"cax": ax.inset_axes((1.03, 0, 0.06, 1))} if beside else {"ax": ax, "pad": 0.02}
    known = np.asarray(values)[np.isfinite(values)]
    least, most = ends or (known.min(initial=np.inf), known.max(initial=-np.inf))
    above = least < most < known.max(initial=-np.inf)
    bar = ax.figure.colorbar(image, label=matplotlib_text(unit), extend="max" if above else "neither", **place)
    if least == most:
        bar.set_ticks([least])
    return bar


def _colour(k: int | None) -> dict[str, Any]:
    return {} if k is None else {"color": COLOURS[k % len(COLOURS)]}


def _draw_bars(ax: Any, bars: Bars) -> None:
    rows = np.arange(len(bars.rows))
    right, left = np.zeros(len(rows)), np.zeros(len(rows))
    for k, (name, share) in enumerate(bars.parts):
        start = np.where(share >= 0, right, left)
        colour = COLOURS[k] if k < bars.coloured else "#BBBBBB"
        look = {"color": colour, "edgecolor": "white", "linewidth": 0.6, "hatch": HATCHES[k % len(HATCHES)]}
        ax.barh(rows, 100 * share, 0.62, 100 * start, label=matplotlib_text(name), **look)
        right, left = right + np.maximum(share, 0), left + np.minimum(share, 0)
    ax.axvline(0, color=INK, lw=0.6)
    ax.grid(axis="y", visible=False)
    ax.set_yticks(rows, bars.rows)
    ax.set_ylim(len(rows) - 0.5, -0.5)


def _finish(ax: Any, panel: Panel) -> None:
    """Labels, ranges and scales of a panel whose marks are drawn."""
    from dynamis.telling.tick_numbers import set_tick_numbers

    ax.set_title(matplotlib_text(panel.title), loc=panel.side)
    ax.set_ylabel(matplotlib_text(panel.y))
    if panel.x != TIME:
        ax.set_xlabel(matplotlib_text(panel.x))
    if panel.margin is not None:
        ax.margins(panel.margin)
    if panel.logarithmic:
        ax.set_yscale("log")
    if panel.whole_numbers:
        from matplotlib.ticker import MaxNLocator

        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    set_tick_numbers(ax)
    ax.set_xlim(left=panel.left)
    ax.set_ylim(panel.low, panel.high)
    if panel.note:
        ax.text(0.5, 0.4, matplotlib_text(panel.note), transform=ax.transAxes, ha="center", va="center", color=FAINT)
    if panel.empty:
        ax.set_axis_off()
