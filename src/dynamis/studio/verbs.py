"""What the page can ask for, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.studio import robot_tab
from dynamis.studio.menus import menus
from dynamis.studio.request import Request
from dynamis.studio.robot_file import saved

VERBS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "menus": menus, "open": robot_tab.open_file, "shipped": robot_tab.open_shipped, "table": robot_tab.open_table,
    "edit": robot_tab.edit, "save": saved,
}  # fmt: skip
