"""Long benchmarks in parts: what a part has counted is kept in a folder, and a later run goes on from there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynamis.robot import Robot


@dataclass(frozen=True)
class Plan:
    """Which part of a benchmark on logs of robots."""

    seeds: int
    first: int
    """The first seed."""
    names: Sequence[str] = ()
    """Robots; all without any."""
    folder: Path | None = None
    """Where the counts are kept."""

    def chosen(self, robots: Sequence[Robot]) -> list[Robot]:
        """Those of the names."""
        return [robot for robot in robots if robot.name in self.names or not self.names]


def kept(folder: Path | None, name: str, count: Callable[[], Any]) -> Any:
    """What a part counts, from its file in the folder if it is there."""
    if folder is None:
        return count()
    file = folder / f"{name}.json"
    if not file.is_file():
        result = count()
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(result), encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))
