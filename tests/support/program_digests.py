"""Digests of the programs of every shipped robot. `python -m tests.support.program_digests` writes them anew."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import dynamis
from dynamis.compute.quantities.registry import QUANTITIES, complete_options
from dynamis.library import estimates

FILE = Path(__file__).parents[1] / "data" / "program_digests.json"
ROBOTS = (*dynamis.robots(), *estimates())


def digest(name: str) -> str:
    """One digest of all quantities of a robot that need no options; a refusal counts by its kind."""
    robot, whole = dynamis.load(name), sha256()
    for quantity in sorted(QUANTITIES):
        try:
            own = robot.engine.function(quantity, complete_options(robot, quantity, {})).program.digest
        except dynamis.DynamisError as error:
            own = type(error).__name__
        whole.update(f"{quantity} {own}\n".encode())
    return whole.hexdigest()[:16]


if __name__ == "__main__":
    FILE.write_text(json.dumps({name: digest(name) for name in ROBOTS}, indent=1) + "\n", encoding="utf-8")
