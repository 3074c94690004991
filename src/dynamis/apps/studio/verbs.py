"""What the page can ask for, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.apps.studio.menus import menus
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.robot_file import saved
from dynamis.apps.studio.tabs import equations, export, robot
from dynamis.apps.studio.tabs.learn import learned
from dynamis.apps.studio.tabs.motion import moved, tool_at, way
from dynamis.apps.studio.tabs.simulate import simulated

VERBS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "menus": menus, "open": robot.open_file, "shipped": robot.open_shipped, "table": robot.open_table,
    "edit": robot.edit, "save": saved, "derive": equations.derived, "latex": equations.latex,
    "prove": equations.proved, "check": equations.checked, "motion": moved, "tool": tool_at, "way": way,
    "simulate": simulated, "learn": learned, "report": export.reported, "code": export.code,
    "data": export.data,
}  # fmt: skip
