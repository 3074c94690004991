"""The keys of JSON, as docs/json.toml lists them: what data has besides or lacks, and the page that shows the list."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dynamis.telling.renderers.json import SCHEMA_VERSION, schema

DOCS = Path(__file__).parents[2] / "docs"
LIST = tomllib.loads((DOCS / "json.toml").read_text("utf-8"))
HEAD = f"""# JSON

Every command that shows a result prints it as JSON with `--json`, or writes it with `-o page.json`; in Python it is
`result.to_json()` and `result.as_dict()`, and a folder of `-o` has it beside its other files.

Every object begins with its schema, `"{schema("StateTorques")}"`: the kind of the result, and the version of the
keys. New keys may come at any time. The version, now {SCHEMA_VERSION}, is raised when a key goes
or means something else.
Units are SI, angles are in radians also with `--degrees`, joints and links are in the order of the robot, and what is
not finite is `null`. A key in brackets may be absent. *name* stands for the names of links, joints or parameters.
`provenance`, where it is there, says what the result was made of: [provenance](#part-provenance); `references` are the
works that its methods follow: [reference](#part-reference). `notes`, where a key of this name is not listed, are the
warnings of the command.

```python
import json

import dynamis

budget = dynamis.torque_budget(dynamis.load("bar-2r"), dynamis.trajectories.quintic([0, 0], [1, 1], 1))
data = json.loads(budget.to_json())
data["schema"], data["sizing"]["rms_torque"]  # 'dynamis/torque-budget/1', [N m]
```
"""


def problems(data: Any, keys: dict[str, str], where: str = "") -> Iterator[str]:
    """Keys of the data that are not listed, and listed ones that it lacks."""
    if isinstance(data, list):
        for each in data:
            yield from problems(each, keys, f"{where}[]")
    elif isinstance(data, dict):
        if "schema" in data:
            kind = LIST["schema"].get(data["schema"].split("/")[1], {"keys": {}})
            keys = {
                "schema": "",
                "references?": "@reference",
                "notes?": "",
                "provenance?": "@provenance",
                **kind["keys"],
            }
        texts = {key.removesuffix("?"): text for key, text in keys.items()}
        yield from (f"{where}: no {key}" for key in keys if key[-1] not in "?*" and key not in data)
        for key, value in data.items():
            text = texts.get(key, texts.get("*"))
            if text is None:
                yield f"{where}.{key} is not listed"
                continue
            part = re.match(r"@(\w+)", text)
            of: dict[str, str] = LIST["part"].get(part[1], {}) if part else {}
            yield from problems(value, of, f"{where}.{key}")


def page() -> str:
    """The list as a page."""
    kinds = [f"## {entry['command']}\n\n`{schema(name)}`\n\n{_table(entry['keys'])}" for name, entry in _kinds()]
    parts = [f"### Part: {_name(name)}\n\n{_table(keys)}" for name, keys in sorted(LIST["part"].items())]
    return "\n".join([HEAD, *kinds, "## Parts\n", *parts])


def _kinds() -> list[tuple[str, dict[str, Any]]]:
    return sorted(LIST["schema"].items(), key=lambda kind: kind[1]["command"])


def _table(keys: dict[str, str]) -> str:
    rows = [f"| {_key(key)} | {_text(text)} |" for key, text in keys.items()]
    return "\n".join(["| key | |", "|---|---|", *rows, ""])


def _key(key: str) -> str:
    name = "*name*" if key == "*" else f"`{key.removesuffix('?')}`"
    return f"({name})" if key.endswith("?") else name


def _text(text: str) -> str:
    """A part is a link to its table."""
    part = re.match(r"@(\w+) ?", text)
    if part is None or part[1] == "any":
        return text.removeprefix("@any ")
    link = f"[{_name(part[1])}](#part-{_name(part[1]).replace(' ', '-')})"
    return f"{text.removeprefix(part[0])}: {link}" if text.removeprefix(part[0]) else link


def _name(part: str) -> str:
    return part.replace("_", " ")
