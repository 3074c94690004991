"""An arm from a D-H table that was typed in, as the text of a robot file."""

from __future__ import annotations

import json
from typing import Any, cast

from dynamis.apps.studio.request import Request, file_name
from dynamis.apps.studio.robot_file import toml_value
from dynamis.base.errors import ArgumentError, DynamisError, check_name

CONVENTIONS = ("standard-dh", "modified-dh")
COLUMNS = (("theta", "rad"), ("d", "m"), ("a", "m"), ("alpha", "rad"))
MOST_ROWS = 50


def dh_robot(request: Request) -> tuple[str, str]:
    """The name and the text of a robot file: one link per row, a mass and its CoM where the row has them."""
    title = request.text("title").strip() or "arm"
    convention = request.choice("convention", CONVENTIONS, CONVENTIONS[0])
    rows = request.list("rows")
    if not 0 < len(rows) <= MOST_ROWS:
        raise ArgumentError(f"a table has 1 to {MOST_ROWS} rows, got {len(rows)}", key="rows")
    gravity = ", ".join(toml_value(str(x) or "0", "m/s²") for x in (request.list("gravity") or ["0", "0", "-9.81"]))
    parts = [f'[robot]\nname = {json.dumps(title)}\nconvention = "{convention}"\ngravity = [{gravity}]']
    for k, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise ArgumentError(f"row {k} must be a table", key="rows")
        try:
            parts.append(_link(k, cast("dict[str, Any]", row)))
        except DynamisError as error:
            raise ArgumentError(f"row {k}: {error.message}", key="rows") from None
    return file_name(f"{title}.toml"), "\n\n".join(parts) + "\n"


def _link(k: int, row: dict[str, Any]) -> str:
    kind = str(row.get("kind", "revolute"))
    check_name("joint", kind, ("revolute", "prismatic", "fixed"))
    values = ", ".join(f"{key} = {toml_value(_cell(row, key), unit)}" for key, unit in COLUMNS)
    lines = ["[[link]]", f'name = "link{k}"', f'joint = "{kind}"', f"dh = {{ {values} }}"]
    if (mass := _cell(row, "mass")) != "0":
        lines.append(f"mass = {toml_value(mass, 'kg')}")
        lines.append(f"com = [{', '.join(toml_value(_cell(row, f'c{axis}'), 'm') for axis in 'xyz')}]")
    return "\n".join(lines)


def _cell(row: dict[str, Any], key: str) -> str:
    return str(row.get(key, "")).strip() or "0"
