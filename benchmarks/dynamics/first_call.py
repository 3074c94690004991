"""How long the first call takes, with code on disk from an earlier run and without: a fresh process each time."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import Any

AIMS = {"without": 0.5, "with": 0.05}
"""Seconds of the first call after the import, without and with code on disk."""

_PROGRAM = """
import json, sys, time
import numpy as np
import dynamis
robot = dynamis.load(sys.argv[1])
verb = getattr(robot, sys.argv[2])
given = [np.full((int(sys.argv[3]), robot.n), x) for x in (0.3, 0.2, 0.1)]
start = time.perf_counter()
verb(*given)
print(json.dumps(time.perf_counter() - start))
"""


def rows(robots: tuple[str, ...] = ("puma560", "ur5"), rounds: int = 5) -> list[dict[str, Any]]:
    """Seconds of the first call: one state (bytecode), a batch of 1000 (machine code), without and with the disk."""
    table: list[dict[str, Any]] = []
    for robot in robots:
        for quantity in ("inverse_dynamics", "forward_dynamics"):
            for states in (1, 1000):
                times = [_seconds(robot, quantity, states) for _ in range(rounds)]
                without, cached = (statistics.median(column) for column in zip(*times, strict=True))
                reached = without <= AIMS["without"] and cached <= AIMS["with"]
                table.append({
                    "robot": robot, "quantity": quantity, "states": states, "without": without, "with": cached,
                    "reached": reached,
                })  # fmt: skip
    return table


def _seconds(robot: str, quantity: str, states: int) -> tuple[float, float]:
    with TemporaryDirectory() as folder:
        return _run(robot, quantity, states, folder), _run(robot, quantity, states, folder)


def _run(robot: str, quantity: str, states: int, folder: str) -> float:
    command = [sys.executable, "-W", "ignore", "-c", _PROGRAM, robot, quantity, str(states)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"DYNAMIS_CACHE": folder}
    )
    return json.loads(done.stdout)
