"""The page with a player: one file with the frames and the script in it, without network."""

from __future__ import annotations

import html
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.writing import write_text
from dynamis.compute.mechanics.coupling import joint_positions
from dynamis.simulation.animation.frames import Animation
from dynamis.telling.escapes import html_text
from dynamis.telling.renderers.scripted import SHARED, json_in_html, one_script, scripted_page
from dynamis.telling.series import plain

HERE = Path(__file__).parent / "page"
GRID_SIZE = 20_000
"""Points are integers, of which so many span the figure: a tenth of a pixel on a large screen."""
MAX_EVENTS = 200
NO_SCRIPT = "<noscript>The film needs JavaScript.</noscript>"
SCRIPTS = ("dom", "linear", "solids", "viewer", "player")
"""Of those that pages share, in an order in which each uses only those before it."""


@cache
def _script() -> str:
    """In ASCII: a notebook puts the page into an attribute of its own."""
    script = one_script([*(SHARED / f"{x}.js" for x in SCRIPTS), HERE / "film.js"])
    return script.encode("ascii", "backslashreplace").decode()


def write(animation: Animation, path: Path) -> None:
    """The page as a file."""
    write_text(path, page(animation))


def page(animation: Animation) -> str:
    """The page as text; all text of the user is escaped."""
    foot = "" if animation.provenance is None else html_text(str(animation.provenance))
    body = f'<main id="film">{NO_SCRIPT}</main>\n<footer>{foot}</footer>\n'
    style = "".join(path.read_text(encoding="utf-8") for path in (SHARED / "page.css", HERE / "film.css"))
    data = json_in_html(plain(page_data(animation)), compact=True)
    return scripted_page(html.escape(animation.run.robot.name), body, data, _script(), style)


def page_data(animation: Animation) -> dict[str, Any]:
    """The data that the player draws."""
    run, figure = animation.run, animation.figure
    drawn = (animation.points, animation.goal, animation.path)
    points = np.concatenate([x.reshape(-1, 3) for x in drawn if x is not None])
    unit = float(np.ptp(points, axis=0).max() or 1.0) / GRID_SIZE
    # The axes turn with the robot; on a flat one they all point to the reader.
    axes = None if animation.view.flat else _integers(figure.axes(animation.q), 1e-3)
    return {
        "name": run.robot.name, "control": run.control, "ended": run.ended, "speed": animation.speed,
        "times": animation.times.round(6), "unit": unit,
        "figure": {
            **animation.view.scene(animation.points[0], animation.points),
            "segments": figure.segments, "tip": figure.tip,
        },
        "points": _integers(animation.points, unit),
        "goal": None if animation.goal is None else _integers(animation.goal, unit),
        "path": _integers(animation.path, unit), "finer": animation.finer, "axes": axes,
        "held": animation.held if animation.held.any() else None,
        "joints": [
            {"name": joint.name, "revolute": joint.revolute, "point": point}
            for joint, point in zip(run.robot.joints, figure.joints, strict=True)
        ],
        "q": joint_positions(run.robot, animation.q).round(5),
        "events": [{"t": event.time, "what": event.what} for event in run.events[:MAX_EVENTS]],
    }  # fmt: skip


def _integers(values: Array, unit: float) -> list[list[int]]:
    """Rows of integers, in units."""
    return np.rint(values / unit).astype(int).reshape(len(values), -1).tolist()
