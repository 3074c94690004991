"""A map of the workspace as a result: its tables, its heat maps, sections and points, its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dynamis.apps.sweeps.cells import layout
from dynamis.apps.sweeps.maps.layer import Layer
from dynamis.apps.sweeps.parts import Parts
from dynamis.base.arguments import number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.base.writing import check_path, write_bytes
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table
from dynamis.telling.chart import Chart, HeatMap, Line, Panel, Points, shorten_label
from dynamis.telling.renderers.html import HtmlPage
from dynamis.telling.renderers.markdown import write_markdown
from dynamis.telling.renderers.page import render
from dynamis.telling.renderers.scripted import json_in_html, scripted_page
from dynamis.telling.result import Result

HERE = Path(__file__).parent / "page"
MOST_STATES = 20_000
"""Cells of a layer whose states are in the page, too: beyond, it would have many megabytes."""
FORMATS = (".html", ".pdf", ".md")
MOST_PANELS = 12
CLIPPED = "Where few cells are far above the others, all above the 95 % quantile have the last colour."
TURN, TILT = np.radians(35), np.radians(25)
"""From where points are looked at: turned about z, and from above."""


@dataclass(frozen=True)
class WorkspaceMap(Result):
    """A map over cells of the workspace. `layers` have what was asked of every cell, `data` all of the sweep."""

    kind: str
    about: str
    sweep: Parts
    layers: tuple[Layer, ...]
    data: Any
    """The Dataset that the sweep gave."""

    @property
    def robot(self) -> Any:
        """The robot of the sweep."""
        return self.sweep.robot

    def layer(self, name: str) -> Layer:
        """A layer by its name."""
        names = [x.name for x in self.layers]
        if not isinstance(name, str) or name not in names:  # type: ignore[redundant-expr]
            raise UnknownNameError("layer", name, names, within=f"the {self.kind} map")
        return self.layers[names.index(name)]

    def at(self, **place: float) -> dict[str, Any]:
        """What the cell at a place has: every layer in words, and the state behind the first that has one."""
        cell = self._cell(place)
        told: dict[str, Any] = {x.name: x.text(float(x.values[cell])) for x in self.layers}
        for x in self.layers:
            if x.index is not None and x.index[cell] >= 0:
                return told | {"state": self.sweep.state(int(x.index[cell]))}
        return told

    def _cell(self, place: dict[str, float]) -> tuple[int, ...]:
        axes = self.sweep.axes
        for name in place:
            if name not in [x.name for x in axes]:
                raise UnknownNameError("axis", name, [x.name for x in axes], within=f"the {self.kind} map")
        cell = list[int]()
        for axis in axes:
            if axis.name not in place:
                raise ArgumentError(f"at needs {' and '.join(x.name for x in axes)}", key=axis.name)
            value = number(axis.name, place[axis.name])
            if not axis.least <= value <= axis.greatest:
                raise ArgumentError(
                    f"{axis.name} = {value:g} is outside of the map: {axis.least:g} to {axis.greatest:g}"
                )
            k = int(np.ceil((value - axis.least) / (axis.greatest - axis.least) * axis.bins) - 1)
            cell.append(max(k, 0))
        return tuple(cell)

    def document(self) -> Document:
        """The range of every layer with its cells, what limits, and the figures."""
        words = Section("What to know", (Items(tuple(self.words())),), "words")
        return Document(
            f"{self.robot.name}: {self.kind} map", (*self._tables(), words, *self._figures()), data=self._json,
            main_figure="sections" if len(self.sweep.axes) == 3 else "map",
        )  # fmt: skip

    def words(self) -> list[str]:
        """What the map shows, and of how many states."""
        x, reached = self.data.attrs, self.layers[0].reached
        counts = self.data["count"].values
        half = int(np.median(counts[reached])) if reached.any() else 0
        said = [
            self.about,
            f"{x['states']:,} states, drawn by {x['draw']}; {int(reached.sum()):,} of {reached.size:,} cells were "
            f"reached, half of them by {half:,} state{'s' * (half != 1)} or more.",
            "Extremes are of the states that were drawn: between them a value may be larger, or smaller.",
        ]
        if empty := [x.name for x in self.layers if x.empty]:
            said.append(f"0 in every cell: {', '.join(empty)}.")
        if len(self._drawn) > MOST_PANELS:
            said.append(f"The figure has the first {MOST_PANELS} layers of {len(self._drawn)}; a page has all of them.")
        if x["outside"]:
            said.append(f"{x['outside']:,} states are in none of the cells.")
        return said

    def _tables(self) -> Iterator[Section]:
        axes = self.sweep.axes
        head = ("layer", Column("least", form=".5g"), Column("greatest", form=".5g"), "unit",
                *(Column(f"at {x.name}", x.unit, ".3f") for x in axes))  # fmt: skip
        rows = list[tuple[Any, ...]]()
        for layer in self.layers:
            if layer.names or not layer.reached.any():
                continue
            where = np.unravel_index(int(np.nanargmax(layer.values)), layer.values.shape)
            place = [float(axis.centres[k]) for axis, k in zip(axes, where, strict=True)]
            rows.append(
                (layer.name, float(np.nanmin(layer.values)), float(np.nanmax(layer.values)), layer.unit, *place)
            )
        yield Section("Values", (Table(head, tuple(rows), keys=1),), "values")
        for layer in self.layers:
            if layer.names:
                shares = [
                    float((layer.values == k).sum() / max(1, layer.reached.sum()))
                    for k in range(1, len(layer.names) + 1)
                ]
                counted = tuple((name, share) for name, share in zip(layer.names, shares, strict=True) if share)
                table = Table((layer.name, Column("share of the cells", "", "%")), counted, keys=1)
                yield Section(layer.name.capitalize(), (table,), layer.name.replace(" ", "-"))

    def _figures(self) -> Iterator[Figure]:
        axes = self.sweep.axes
        over = " and ".join(x.name for x in axes)
        clipped = f" {CLIPPED}" if any(x.clipped for x in self.layers) else ""
        if len(axes) < 3:
            yield Figure("map", self._map, None, f"{self.about} Over {over}; white where no state was.{clipped}")
            return
        yield Figure("sections", self._sections, None, f"Sections through the middle. {self.about}{clipped}")
        yield Figure("points", self._points, None, f"The reached cells, one corner left open. {self.about}{clipped}")

    @property
    def _drawn(self) -> list[Layer]:
        """The layers that have something to show."""
        return [x for x in self.layers if not x.empty] or list(self.layers[:1])

    @property
    def _title(self) -> str:
        return f"{shorten_label(self.robot.name)}: {self.kind} map"

    def _map(self) -> Chart:
        axes, panels = self.sweep.axes, list[Panel]()
        for layer in self._drawn[:MOST_PANELS]:
            if len(axes) == 1 and layer.names:  # a strip of colours
                strip = HeatMap(layer.values[None], (axes[0].least, axes[0].greatest), (0, 1), names=layer.names)
                panels.append(Panel((strip,), layer.name, axes[0].label))
            elif len(axes) == 1:
                line = Line(axes[0].centres, layer.values, look="solid")
                panels.append(Panel((line,), shorten_label(layer.name, 40), axes[0].label, f"[{layer.unit}]"))
            else:
                panels.append(self._panel(layer, layer.values, 0, 1, shorten_label(layer.name, 40)))
        columns, height = layout(axes, len(panels))
        return Chart(tuple(panels), columns, height, columns == 1, self._title)

    def _panel(self, layer: Layer, values: Array, a: int, b: int, title: str) -> Panel:
        first, second = self.sweep.axes[a], self.sweep.axes[b]
        sides = ((first.least, first.greatest), (second.least, second.greatest))
        heat = HeatMap(values.T, *sides, layer.unit, layer.colours, layer.names, first.unit == second.unit)
        return Panel((heat,), title, first.label, second.label)

    def _sections(self) -> Chart:
        """One row per pair of axes, through the middle of what was reached along the third."""
        layer = self.layers[0]
        panels = list[Panel]()
        for a, b in combinations(range(3), 2):
            (c,) = {0, 1, 2} - {a, b}
            reached = np.flatnonzero(layer.reached.any((a, b)))
            k = int(reached[len(reached) // 2]) if len(reached) else 0
            axis = self.sweep.axes[c]
            title = f"{layer.name} at {axis.name} = {axis.centres[k]:.3g} {axis.unit}"
            panels.append(self._panel(layer, np.moveaxis(layer.values, c, 0)[k], a, b, title))
        return Chart(tuple(panels), 2, 2.6, False, self._title)

    def _points(self) -> Chart:
        """Seen from the side and above, the far ones first; axes of the length of the map."""
        layer, axes = self.layers[0], self.sweep.axes
        places = np.argwhere(layer.reached)
        xyz = np.stack([axis.centres[places[:, k]] for k, axis in enumerate(axes)], -1)
        right, up, depth = _view()
        order = np.argsort(xyz @ depth)
        order = order[~(xyz[order] > xyz.mean(0)).all(1)]  # the corner before the others is open
        xyz, values = xyz[order], layer.values[tuple(places[order].T)]
        frame = [
            Line([0, float(end @ right)], [0, float(end @ up)], axis.name, k, straight=True)
            for k, axis in enumerate(axes)
            for end in [np.eye(3)[k] * max(abs(axis.least), abs(axis.greatest))]
        ]
        shown = Points(xyz @ right, xyz @ up, values, layer.unit, layer.colours)
        return Chart((Panel((shown, *frame), layer.name, "to the right [m]", "up [m]"),), 1, 4.4, False, self._title)

    def page(self, form: str = "text", **options: Any) -> str:
        """As of every result; "html" is a page whose cells tell their values under the pointer."""
        if str(form) == "html" and not options.get("fragment"):
            kind = type("Own", (MapPage,), {"cells": _page_data(self)})
            options = {"provenance": self._provenance(), **options}
            return render(self, "html", kind=kind, **options)
        return super().page(form, **options)

    def save(self, path: str | Path) -> None:
        """Write it as .html, .pdf or .md, by the suffix."""
        check_path(path)
        path = Path(path)
        match path.suffix.lower():
            case ".html":
                write_bytes(path, self.page("html").encode())
            case ".pdf":
                self.to_pdf(path)
            case ".md":
                write_markdown(path, self.page("markdown", pictures=True))
            case _:
                raise ArgumentError(f'the name of a map must end in {", ".join(FORMATS)}, got "{path}"', key="path")

    def _json(self) -> dict[str, Any]:
        layers = [
            {"name": x.name, "unit": x.unit, "about": x.about, "names": x.names, "values": x.values.tolist()}
            for x in self.layers
        ]
        return {
            "robot": self.robot.name,
            "kind": self.kind,
            "axes": [a.data for a in self.sweep.axes],
            "layers": layers,
            "words": self.words(),
        }


def _view() -> tuple[Array, Array, Array]:
    """To the right, up and toward the viewer."""
    c, s, a, b = np.cos(TURN), np.sin(TURN), np.cos(TILT), np.sin(TILT)
    return np.array([-s, c, 0]), np.array([-b * c, -b * s, a]), np.array([a * c, a * s, b])


class MapPage(HtmlPage):
    """A page whose figures are one that answers."""

    cells: ClassVar[dict[str, Any]]

    def figure(self, figure: Figure) -> str:
        """The script draws all that figures show."""
        return ""

    def file(self, title: str, body: str) -> str:
        script, style = ((HERE / name).read_text(encoding="utf-8") for name in ("map.js", "map.css"))
        heading, _, rest = body.partition("</h1>")
        whole = (
            f"<main>\n{heading}</h1>\n"
            f'<div id="map"><noscript>The map itself needs JavaScript; the tables below do not.</noscript></div>\n'
            f"{rest}</main>\n"
        )
        return scripted_page(title, whole, json_in_html(self.cells, compact=True), script, style)


def _page_data(x: WorkspaceMap) -> dict[str, Any]:
    axes = [
        {
            "name": a.name,
            "variable": a.variable,
            "unit": a.unit,
            "bins": a.bins,
            "least": a.least,
            "greatest": a.greatest,
        }
        for a in x.sweep.axes
    ]
    dimensions = [(d.label, d.unit) for d in x.sweep.ranges.dimensions]
    return {"axes": axes, "layers": [_layer_data(x, layer) for layer in x.layers], "dimensions": dimensions}


def _layer_data(x: WorkspaceMap, layer: Layer) -> dict[str, Any]:
    states: list[Any] | None = None
    if layer.index is not None and layer.index.size <= MOST_STATES:
        index = layer.index.ravel()
        places = np.flatnonzero(index >= 0)
        states = [None] * index.size
        for k, row in zip(places.tolist(), x.sweep.points_at(index[places]).tolist(), strict=True):
            states[k] = [_short(v) for v in row]
    about = layer.about
    if layer.clipped and layer.colours is not None:
        about += f" Cells above {layer.text(layer.colours[1])} have the last colour."
    return {
        "name": layer.name, "unit": layer.unit, "about": about, "names": layer.names, "colours": layer.colours,
        "values": [_short(v) if np.isfinite(v) else None for v in layer.values.ravel().tolist()], "states": states,
    }  # fmt: skip


def _short(v: float) -> float:
    return float(f"{v:.5g}")
