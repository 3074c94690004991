"""The payload of a task file: `payload = 6` [kg], or a table with mass, com and inertia."""

from __future__ import annotations

from typing import Any

from dynamis.base.toml_table import Table
from dynamis.model.formats.tasks.values import number_in
from dynamis.model.payload import Payload, payload_from


def read_payload(file: Table, key: str = "payload") -> Payload | None:
    """The payload of a file, or of a segment; None where there is none."""
    value: Any = file.get(key, None)
    if value is None:
        return None
    if not isinstance(value, dict):
        with file.place(key):
            return payload_from(number_in(file, key, value))
    table = file.table(key)
    mass = number_in(table, "mass", table.get("mass"))
    vectors = {
        name: [number_in(table, name, x) for x in table.array(name)] for name in ("com", "inertia") if name in table
    }
    table.allowed_keys += ["com", "inertia"]
    table.done()
    with table.place():
        return payload_from(mass, **vectors)
