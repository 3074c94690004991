"""What the page can ask for, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.studio import equations_tab, export_tab, robot_tab
from dynamis.studio.learn_tab import learned
from dynamis.studio.menus import menus
from dynamis.studio.motion_tab import moved, tool_at
from dynamis.studio.request import Request
from dynamis.studio.robot_file import saved
from dynamis.studio.simulate_tab import simulated

VERBS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "menus": menus, "open": robot_tab.open_file, "shipped": robot_tab.open_shipped, "table": robot_tab.open_table,
    "edit": robot_tab.edit, "save": saved, "derive": equations_tab.derived, "latex": equations_tab.latex,
    "prove": equations_tab.proved, "check": equations_tab.checked, "motion": moved, "tool": tool_at,
    "simulate": simulated, "learn": learned, "report": export_tab.reported, "code": export_tab.code,
    "data": export_tab.data,
}  # fmt: skip
