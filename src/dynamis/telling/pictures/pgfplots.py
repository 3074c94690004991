"""A chart as pgfplots, for a page of LaTeX: one `axis` per panel, columns beside each other, a legend below."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.telling.chart import Area, Bars, Chart, HeatMap, Level, Line, Mark, Marks, Panel, Points
from dynamis.telling.escapes import latex_text, with_powers
from dynamis.telling.figure import COLOURS, FAINT, LOOKS, PAGE_WIDTH, TIME, look_of, size_of

LINE_BINS = 120
"""Of a line with more than twice as many points, each of so many parts keeps its lowest and its highest: TeX has to
keep all of a picture in memory."""
MARKERS = {"o": "o", "s": "square*", "+": "+", ".": "*"}
"""Markers of matplotlib, as pgfplots calls them."""
MOST_CELLS = 40
"""Rows and columns of a heat map, for the same reason."""
BELOW = "\\par\\nopagebreak[3]"
"""Between rows, which stay on a page if there is room."""
Floats = NDArray[np.float64]


def pgfplots(chart: Chart) -> str:
    """The panels as `tikzpicture`s, row by row, and their legend; for \\input, with the package pgfplots."""
    panels, columns = chart.panels, min(chart.columns, len(chart.panels))
    share = 0.98 * size_of(chart)[0] / PAGE_WIDTH / columns
    pictures: list[str] = []
    for k, panel in enumerate(panels):
        lowest = all(below.empty for below in panels[k + columns :: columns])
        last = (k + 1) % columns == 0 or k + 1 == len(panels)
        ratio = chart.heights[k // columns] / max(chart.heights) if chart.heights else 1.0
        pictures.append(_picture(panel, share, chart.height * ratio, lowest) + (BELOW if last else "%"))
        if chart.legends == "beside":  # below its own panel: the width is the page's
            pictures.append(_legend((panel,)) + BELOW)
    title = [f"{latex_text(chart.title)}{BELOW}"] if chart.title else []
    legend = [_legend(panels, chart.order)] if chart.legends == "below" else []
    return "\n".join([*title, *pictures, *legend])


def _picture(panel: Panel, share: float, height: float, lowest: bool) -> str:
    heat = next((mark for mark in panel.marks if isinstance(mark, HeatMap | Points)), None)
    wide = 0.78 * share if heat else share  # beside a heat map stand its colours
    size = f"width={wide:.3f}\\linewidth, height={max(height, 1.6):.2f}in"
    if panel.empty:
        return f"\\hspace*{{{share:.3f}\\linewidth}}"
    options = [
        size, "axis lines=left", "axis line style={-}", "grid=major", "grid style={gray!25}", "unbounded coords=jump",
        "tick label style={font=\\scriptsize}", "label style={font=\\footnotesize}",
        "title style={font=\\footnotesize}",
    ]  # fmt: skip
    label = panel.x if panel.x != TIME or lowest else ""
    options += [f"{key}={{{latex_text(with_powers(text))}}}" for key, text in _words(panel, label).items() if text]
    options += [f"{key}={value:g}" for key, value in _limits(panel).items() if value is not None]
    options += ["ymode=log"] if panel.logarithmic else []
    bars = next((mark for mark in panel.marks if isinstance(mark, Bars)), None)
    if bars is not None:
        names = ",".join(f"{{{latex_text(name)}}}" for name in bars.rows)
        options += [
            "y dir=reverse",
            f"ytick={{{','.join(map(str, range(len(bars.rows))))}}}",
            f"yticklabels={{{names}}}",
        ]
    if heat is not None:
        options += ["grid=none", "colorbar", *_scale(heat)]
        options += ["unit vector ratio={1 1}"] if isinstance(heat, HeatMap) and heat.alike else []
    ranges = _ranges(panel)
    lines = [line for mark in panel.marks for line in _plots(mark, *ranges)]
    note = [f"\\node[gray] at (rel axis cs:0.5,0.4) {{{latex_text(panel.note)}}};"] if panel.note else []
    body = "\n".join([f"\\begin{{axis}}[{', '.join(options)}]", *lines, *note, "\\end{axis}"])
    return f"\\begin{{tikzpicture}}\n{body}\n\\end{{tikzpicture}}"


def _scale(heat: HeatMap | Points) -> Iterator[str]:
    """The colours of a heat map and their labels: a scale, or a colour per name."""
    style = [f"ylabel={{{latex_text(heat.unit)}}}"]
    ends = heat.range
    if isinstance(heat, HeatMap) and heat.names:
        count = len(heat.names)
        ends = (0.5, count + 0.5)
        colours = " ".join(f"rgb255=({','.join(map(str, _rgb(COLOURS[k % len(COLOURS)])))})" for k in range(count))
        names = ",".join(f"{{{latex_text(name)}}}" for name in heat.names)
        style += [f"ytick={{{','.join(str(k + 1) for k in range(count))}}}", f"yticklabels={{{names}}}"]
        style += [f"samples={count + 1}"]
        yield f"colorbar sampled, colormap={{names}}{{{colours}}}, colormap access=piecewise constant"
    else:
        yield "colormap/viridis"
    yield f"colorbar style={{{', '.join(style)}}}"
    if ends is not None:
        yield f"point meta min={ends[0]:g}, point meta max={ends[1]:g}"


def _words(panel: Panel, x: str) -> dict[str, str]:
    return {"xlabel": x, "ylabel": panel.y, "title": panel.title}


def _limits(panel: Panel) -> dict[str, float | None]:
    return {"ymin": panel.low, "ymax": panel.high, "xmin": panel.left}


def _ranges(panel: Panel) -> tuple[tuple[float, float], tuple[float, float]]:
    """What the lines of a panel span."""
    lines = [(np.asarray(m.x, float), np.asarray(m.y, float)) for m in panel.marks if isinstance(m, Line | Area)]

    def span(values: list[Floats], low: float | None, high: float | None) -> tuple[float, float]:
        finite = np.concatenate([v[np.isfinite(v)].ravel() for v in values]) if values else np.zeros(0)
        least, most = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        return (least if low is None else low), (most if high is None else high)

    return span([x for x, _ in lines], panel.left, None), span([y for _, y in lines], panel.low, panel.high)


def _plots(mark: Mark, x: tuple[float, float], y: tuple[float, float]) -> Iterator[str]:
    match mark:
        case Line():
            kind = ["const plot"] if mark.steps else []
            yield _plot([*kind, *_style(mark)], mark.x, mark.y)
        case Area():
            values = np.asarray(mark.y, float)
            for part, colour in ((np.maximum(values, 0), COLOURS[5]), (np.minimum(values, 0), COLOURS[4])):
                yield _plot(["draw=none", "no markers", f"fill={_colour(colour)}", "opacity=0.5"], mark.x, part, True)
        case Level(value, upright=True):
            yield _plot(_style(mark), [value, value], y)
        case Level(value):
            yield _plot(_style(mark), x, [value, value])
        case Marks():
            top = y[1] if mark.tall else y[0] + 0.06 * (y[1] - y[0])
            for time in mark.times:
                yield _plot([f"draw={_colour(FAINT)}", "very thin", "no markers"], [time, time], [y[0], top])
        case Bars():
            yield from _bars(mark)
        case HeatMap():
            yield _heat_map(mark)
        case Points():
            rows = np.stack([np.asarray(v, dtype=np.float64) for v in (mark.x, mark.y, mark.values)], -1)
            rows = rows[:: -(-len(rows) // MOST_CELLS**2)]
            dots = "\n".join(f"({a:.4g},{b:.4g}) [{c:.4g}]" for a, b, c in rows.tolist())
            options = "scatter, only marks, mark size=0.6pt, point meta=explicit, draw opacity=0"
            yield f"\\addplot[{options}] coordinates {{\n{dots}\n}};"


def _bars(bars: Bars) -> Iterator[str]:
    right, left = np.zeros(len(bars.rows)), np.zeros(len(bars.rows))
    for k, (_, share) in enumerate(bars.parts):
        start = np.where(share >= 0, right, left)
        colour = _colour(COLOURS[k] if k < bars.coloured else "#BBBBBB")
        for row, (a, b) in enumerate(zip(100 * start, 100 * (start + share), strict=True)):
            xs, ys = [a, b, b, a, a], [row - 0.31, row - 0.31, row + 0.31, row + 0.31, row - 0.31]
            yield _plot([f"fill={colour}", "draw=white", "no markers"], xs, ys)
        right, left = right + np.maximum(share, 0), left + np.minimum(share, 0)


def _heat_map(mark: HeatMap) -> str:
    """Of a large map every few rows and columns, for the memory of TeX."""
    rows, columns = mark.values.shape
    i, j = (np.arange(0, n, -(-n // MOST_CELLS), dtype=np.float64) for n in (rows, columns))
    values = mark.values[np.ix_(i.astype(int), j.astype(int))]
    x = mark.x[0] + (j + 0.5) * (mark.x[1] - mark.x[0]) / columns
    y = mark.y[0] + (i + 0.5) * (mark.y[1] - mark.y[0]) / rows
    points = "\n".join(
        " ".join(f"({a:.4g},{b:.4g}) [{value:.4g}]" for a, value in zip(x, row, strict=True))
        for b, row in zip(y, values, strict=True)
    )
    options = f"matrix plot*, mesh/cols={len(x)}, point meta=explicit"
    return f"\\addplot[{options}] coordinates {{\n{points}\n}};"


def _plot(options: list[str], x: ArrayLike, y: ArrayLike, closed: bool = False) -> str:
    xs, ys = np.atleast_1d(np.asarray(x, float)), np.atleast_1d(np.asarray(y, float))
    kept = _kept_points(ys)
    points = " ".join(f"({a:.5g},{b:.5g})" for a, b in zip(xs[kept], ys[kept], strict=True))
    end = " \\closedcycle;" if closed else ";"
    return f"\\addplot[{', '.join(options)}] coordinates {{{points}}}{end}"


def _kept_points(y: Floats) -> NDArray[np.intp]:
    """The lowest and the highest of each part of a long line, its first and its last point."""
    count = len(y)
    if count <= 2 * LINE_BINS:
        return np.arange(count)
    edges = np.linspace(0, count, LINE_BINS + 1).astype(int)
    filled = np.where(np.isfinite(y), y, 0.0)
    pairs = [(a + filled[a:b].argmin(), a + filled[a:b].argmax()) for a, b in pairwise(edges)]
    return np.unique([0, count - 1, *(k for pair in pairs for k in pair)])


def _style(mark: Line | Level) -> list[str]:
    look: dict[str, Any] = look_of(mark.look) if isinstance(mark.look, int) else dict(LOOKS[mark.look])
    if isinstance(mark, Line):
        look |= {"ls": "-"} if mark.straight else {}
    look |= {} if mark.colour is None else {"color": COLOURS[mark.colour % len(COLOURS)]}
    dashes, marker = look.get("ls", "-"), look.get("marker", "")
    colour = _colour(str(look.get("color", look.get("mec", COLOURS[0]))))
    options = [f"color={colour}", f"line width={look.get('lw', 1.0) * 0.7:.2g}pt"]
    if isinstance(dashes, tuple):
        lengths = cast("tuple[float, ...]", dashes[1])
        pattern = zip(("on", "off") * 4, lengths, strict=False)
        options.append(f"dash pattern={' '.join(f'{word} {length:g}pt' for word, length in pattern)}")
    elif dashes == ":":
        options.append("densely dotted")
    if marker:
        return [*options, "only marks", f"mark={MARKERS[marker]}", f"mark size={look.get('ms', 4) / 2:.2g}pt"]
    dotted = isinstance(mark, Line) and mark.dotted
    return [*options, *(["mark=*", "mark size=0.8pt"] if dotted else ["no markers"])]


def _colour(code: str) -> str:
    red, green, blue = _rgb(code)
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _rgb(code: str) -> tuple[int, int, int]:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def _legend(panels: tuple[Panel, ...], order: tuple[str, ...] = ()) -> str:
    """Every label once, behind a piece of its line."""
    samples: dict[str, str] = {}
    for mark in (mark for panel in panels for mark in panel.marks):
        for label, sample in _samples(mark):
            if label:
                samples.setdefault(label, sample)
    names = [name for name in order if name in samples] if order else list(samples)
    return "\\quad\n".join(f"\\mbox{{{samples[name]}~{{\\footnotesize {latex_text(name)}}}}}" for name in names)


def _samples(mark: Mark) -> Iterator[tuple[str, str]]:
    match mark:
        case Line() | Level():
            options = [option for option in _style(mark) if not option.startswith(("mark", "only", "no mark"))]
            only_marks = "only marks" in _style(mark)
            shape = "circle[radius=1.5pt]" if only_marks else "-- (0.6,0)"
            yield mark.label, f"\\tikz[baseline=-2pt]\\draw[{', '.join(options)}] (0,0) {shape};"
        case Area():
            for label, colour in ((mark.above, COLOURS[5]), (mark.below, COLOURS[4])):
                yield label, f"\\tikz\\path[fill={_colour(colour)}, opacity=0.5] (0,0) rectangle (0.4,0.2);"
        case Marks():
            yield mark.label, f"\\tikz\\path[draw={_colour(FAINT)}] (0,0) -- (0,0.25);"
        case Bars():
            for k, (name, _) in enumerate(mark.parts):
                colour = _colour(COLOURS[k] if k < mark.coloured else "#BBBBBB")
                yield name, f"\\tikz\\path[fill={colour}] (0,0) rectangle (0.4,0.2);"
        case HeatMap() | Points():
            pass
