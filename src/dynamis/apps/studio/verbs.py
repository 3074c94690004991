"""What the page can ask for, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.apps.studio.menus import menus
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.robot_file import save_robot
from dynamis.apps.studio.tabs import equations, export, robot
from dynamis.apps.studio.tabs.learn import run_learning
from dynamis.apps.studio.tabs.motion import show_motion, tool_at, way
from dynamis.apps.studio.tabs.simulate import run_simulation

VERBS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "menus": menus, "open": robot.open_file, "shipped": robot.open_shipped, "table": robot.open_table,
    "edit": robot.edit, "save": save_robot, "derive": equations.derive_equations, "latex": equations.latex,
    "prove": equations.prove_laws, "check": equations.check_answer_text, "motion": show_motion,
    "tool": tool_at, "way": way,
    "simulate": run_simulation, "learn": run_learning, "report": export.write_report, "code": export.code,
    "data": export.data,
}  # fmt: skip
