"""The robot of a window: opened, edited, shown."""

from __future__ import annotations

from typing import Any

from dynamis import library
from dynamis.apps.studio.dh_table import dh_robot
from dynamis.apps.studio.live_data import live_data
from dynamis.apps.studio.request import Request, robot_of
from dynamis.apps.studio.robot_file import Edit, edit_values, open_as_toml
from dynamis.apps.studio.robot_form import robot_form
from dynamis.apps.studio.told import fragment
from dynamis.base.errors import DynamisError
from dynamis.telling.pages.lint import lint

MOST_JOINTS = 40
"""Of a robot whose model is made anew with every edit: that of 33 joints takes two seconds."""


def open_file(request: Request) -> dict[str, Any]:
    """A file of the user's, or the text as the user has changed it."""
    return show_robot(*open_as_toml(*request.robot_file))


def open_shipped(request: Request) -> dict[str, Any]:
    """A robot that ships with dynamis."""
    name = request.choice("name", [*library.robots(), *library.estimates()])
    return show_robot(f"{name}.toml", library.robot_path(name).read_text(encoding="utf-8"))


def open_table(request: Request) -> dict[str, Any]:
    """An arm from a D-H table."""
    return show_robot(*dh_robot(request))


def edit(request: Request) -> dict[str, Any]:
    """The robot with other values at places of its file, the newest last.

    The others were refused before. All of them may be sound where each alone is not, as the moments of inertia of a
    heavier link; where they are not, the newest counts alone.
    """
    name, text = request.robot_file
    edits = [Edit(**{key: x.data.get(key) for key in ("path", "value", "unit")}) for x in request.parts("edits")]
    try:
        changed, together = edit_values(name, text, edits), True
    except DynamisError:
        changed, together = edit_values(name, text, edits[-1:]), False
    return {**show_robot(name, changed), "together": together}


def show_robot(name: str, text: str) -> dict[str, Any]:
    """All that the page shows of a robot: its file as a form, its model, what `dynamis lint` finds."""
    robot = robot_of(name, text)
    live, why = None, f"{robot.n} joints are more than the {MOST_JOINTS} of a live model"
    if robot.n <= MOST_JOINTS:
        try:
            live, why = live_data(robot), ""
        except DynamisError as error:
            why = str(error)
    return {
        "robot": {"name": name, "text": text}, "title": robot.name, "n": robot.n,
        "joints": [{"name": x.name, "unit": "rad" if x.revolute else "m"} for x in robot.coordinates],
        "form": robot_form(text), "live": live, "why": why, "checks": fragment(lint(robot)),
        "warnings": list(robot.warnings), "missing": list(robot.missing_values),
    }  # fmt: skip
