"""How figures look: for print, in colours that everyone can tell apart, units on every axis.

The colours are those of M. Okabe and K. Ito, Color Universal Design, 2002, and an olive of P. Tol's; lines differ in
their dashes too, so that they can be told apart without colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from math import ceil
from typing import Any

from dynamis.errors import ArgumentError
from dynamis.printable import in_a_line
from dynamis.writing import write_bytes

INK = "#000000"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2)),
    (0, (6, 1.2, 1, 1.2, 1, 1.2)), (0, (3, 1.5)),
)  # fmt: skip
WIDE, NARROW = 7.0, 3.5
"""Of a page and of a column of print [in]."""
STYLE = {
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "legend.fontsize": 7.5, "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5, "lines.linewidth": 1.2, "axes.linewidth": 0.6, "grid.linewidth": 0.4,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "axes.grid": True, "grid.color": "#DDDDDD",
    "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "pdf.fonttype": 42, "svg.fonttype": "none", "mathtext.fontset": "stixsans", "axes.formatter.use_mathtext": True,
    "axes.xmargin": 0.01,
}  # fmt: skip


def style() -> Any:
    """The style as a context: `with style(): ...`; without matplotlib it says how to install it."""
    try:
        matplotlib: Any = import_module("matplotlib")
    except ImportError:
        raise ArgumentError('plots need matplotlib: pip install "dynamis[report]"') from None
    return matplotlib.rc_context(STYLE)


def grid(count: int, columns: int, height: float = 1.9, width: float = WIDE, **options: Any) -> tuple[Any, list[Any]]:
    """A figure with `count` axes in columns, and the axes; call it within the style."""
    from matplotlib.figure import Figure

    columns = min(columns, count)
    rows = ceil(count / columns)
    figure: Any = Figure(figsize=(width, height * rows + 0.45), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options).ravel().tolist()
    for spare in axes[count:]:
        spare.set_visible(False)
    if options.get("sharex"):
        # Where the axes below are empty, the times stand under the last ones that are there.
        for k, ax in enumerate(axes[:count]):
            if k + columns >= count:
                ax.tick_params(labelbottom=True)
    return figure, axes[:count]


def label(text: str, most: int = 24) -> str:
    """A name from outside as matplotlib prints it: no formula between dollars, at most so many letters.

    >>> label("shoulder_pan_joint_of_the_left_arm"), label("$x$")
    ('shoulder_pan…he_left_arm', '\\\\$x\\\\$')
    """
    shown = in_a_line(text)
    if len(shown) > most:
        # The end stays: it is what the names of many joints differ in.
        shown = f"{shown[: most // 2]}…{shown[len(shown) - (most - 1) // 2 :]}"
    # A label that begins with an underscore is left out of a legend.
    return f"{' ' * shown.startswith('_')}{shown}".replace("$", "\\$")


def line(ax: Any, x: Any, y: Any, k: int, label: str, **options: Any) -> None:
    """The k-th line of a picture; where the colours begin again, the dashes are others."""
    look = {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[(k + k // len(COLOURS)) % len(DASHES)], **options}
    ax.plot(x, y, label=label, **look)


def legend(figure: Any, axes: Sequence[Any], columns: int = 8, order: Sequence[str] = ()) -> None:
    """One legend for all axes, under them, every label once, in the given order where there is one."""
    found: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if order:
        found = {label: found[label] for label in order if label in found}
    if found:
        # A letter of the legend takes about 3.9 points, a handle with its spaces 36.
        fits = int(72 * figure.get_figwidth() / (3.9 * max(map(len, found)) + 36))
        figure.legend(
            list(found.values()), list(found), loc="outside lower center", ncols=max(1, min(columns, len(found), fits)),
            handlelength=2.6, columnspacing=1.4,
        )  # fmt: skip


def save(figure: Any, path: Any, resolution: int = 200) -> None:
    """The figure in the format of the file's name; made the same on every run."""
    kind = str(path).rsplit(".", 1)[-1]
    # Drawn in memory: on a full disk matplotlib's PDF fails with an AttributeError of its own.
    drawn = BytesIO()
    with style():
        metadata = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind)
        figure.savefig(drawn, format=kind, dpi=resolution, metadata=metadata)
    write_bytes(path, drawn.getvalue())
