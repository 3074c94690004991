"""The page with a player: one file with the frames and the script in it, without network."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.writing import write_text
from dynamis.compute.mechanics.coupling import joint_positions
from dynamis.simulation.animation.frames import Animation
from dynamis.telling.escapes import html_text
from dynamis.telling.renderers.policy import policy
from dynamis.telling.series import plain

GRID = 20_000
"""Points are integers, of which so many span the figure: a tenth of a pixel on a large screen."""
MAX_EVENTS = 200


def write(animation: Animation, path: Path) -> None:
    """The page as a file."""
    write_text(path, page(animation))


def page(animation: Animation) -> str:
    """The page as text; all text of the user is escaped."""
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    data = json.dumps(plain(page_data(animation)), allow_nan=False, separators=(",", ":"))
    # No text can end the script or begin another tag.
    safe = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    foot = "" if animation.provenance is None else html_text(str(animation.provenance))
    script, style = (re.findall(rf"<{kind}>(.*?)</{kind}>", template, re.DOTALL)[0] for kind in ("script", "style"))
    title = html.escape(animation.run.robot.name)
    filled = {"POLICY": policy(script, style), "TITLE": title, "RUN": safe, "FOOT": foot}
    return re.sub("@(POLICY|TITLE|RUN|FOOT)@", lambda match: filled[match[1]], template)


def page_data(animation: Animation) -> dict[str, Any]:
    """The data that the player draws."""
    run, figure = animation.run, animation.figure
    points = np.concatenate(
        [x.reshape(-1, 3) for x in (animation.points, animation.goal, animation.path) if x is not None]
    )
    low, high = points.min(axis=0), points.max(axis=0)
    unit = float((high - low).max() or 1.0) / GRID
    # The axes turn with the robot; on a flat one they all point to the reader.
    axes = None if animation.view.flat else _integers(figure.axes(animation.q), 1e-3)
    return {
        "name": run.robot.name, "control": run.control, "ended": run.ended, "speed": animation.speed,
        "times": animation.times.round(6), "unit": unit, "low": low, "high": high,
        "points": _integers(animation.points, unit),
        "goal": None if animation.goal is None else _integers(animation.goal, unit),
        "path": _integers(animation.path, unit), "finer": animation.finer, "axes": axes,
        "segments": figure.segments, "tip": figure.tip, "flat": animation.view.flat, "view": animation.view.axes,
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
