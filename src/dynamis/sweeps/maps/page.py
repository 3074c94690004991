"""A map as one HTML file that asks for nothing: its cells are in it, and tell their values under the pointer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dynamis.document.blocks import Figure
from dynamis.document.renderers.html import HtmlPage
from dynamis.document.renderers.page import render
from dynamis.document.renderers.policy import policy

if TYPE_CHECKING:
    from dynamis.sweeps.maps.layer import Layer
    from dynamis.sweeps.maps.workspace_map import WorkspaceMap

HERE = Path(__file__).parent / "page"
MOST_STATES = 20_000
"""Cells of a layer whose states are in the page, too: beyond, it would have many megabytes."""


def map_page(x: WorkspaceMap, **options: Any) -> str:
    """The file."""

    class Own(MapPage):
        cells = _data(x)

    return render(x, "html", kind=Own, **options)


class MapPage(HtmlPage):
    """A page whose figures are one that answers."""

    cells: ClassVar[dict[str, Any]]

    def figure(self, figure: Figure) -> str:
        """The script draws all that figures show."""
        return ""

    def file(self, title: str, body: str) -> str:
        script, style = ((HERE / name).read_text(encoding="utf-8") for name in ("map.js", "map.css"))
        data = json.dumps(self.cells, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        for sign in "<>&":
            data = data.replace(sign, f"\\u{ord(sign):04x}")
        lock = policy(f"\n{script}", f"\n{style}")
        heading, _, rest = body.partition("</h1>")
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
            f"{lock}\n"
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
            f"<style>\n{style}</style></head>\n<body>\n<main>\n{heading}</h1>\n"
            f'<div id="map"><noscript>The map itself needs JavaScript; the tables below do not.</noscript></div>\n'
            f'{rest}</main>\n<script type="application/json" id="data">{data}</script>\n'
            f'<script type="module">\n{script}</script>\n</body></html>\n'
        )


def _data(x: WorkspaceMap) -> dict[str, Any]:
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
    return {"axes": axes, "layers": [_layer(x, layer) for layer in x.layers], "dimensions": dimensions}


def _layer(x: WorkspaceMap, layer: Layer) -> dict[str, Any]:
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
