"""What runs in a process of its own, in which the libraries find their threads pinned when they load.

The task is a JSON object in the first argument; every finding is a line of JSON on stdout.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

Finding = dict[str, Any]


def dynamics(task: dict[str, Any]) -> Iterator[Finding]:
    """The rows of one robot."""
    from benchmarks.dynamics.rows import Pace, measure
    from benchmarks.dynamics.subject import Subject, robot_named
    from dynamis.base.errors import ArgumentError

    robot = robot_named(task["robot"])
    pace = Pace(**task["pace"])
    for quantity in task["quantities"]:
        yield {"progress": f"{robot.name}, {quantity}"}
        try:
            subject = Subject.of(robot, quantity, pace.batch)
        except ArgumentError as error:
            yield {"note": f"{quantity} of {robot.name}: {error}"}
            continue
        yield {"row": measure(subject, pace).as_json()}


def machine(task: dict[str, Any]) -> Iterator[Finding]:
    from benchmarks.dynamics.pinocchio_peer import parallel_note
    from benchmarks.dynamics.this_machine import this_machine

    yield {"machine": this_machine()}
    note = parallel_note()
    if note:
        yield {"note": note}


def width(task: dict[str, Any]) -> Iterator[Finding]:
    from benchmarks.dynamics.width import rows

    yield from rows(task["robots"], task["batch"], task["rounds"])


def length(task: dict[str, Any]) -> Iterator[Finding]:
    from benchmarks.dynamics.length import rows

    yield from rows(task["joints"], task["batch"], task["rounds"])


TASKS: dict[str, Callable[[dict[str, Any]], Iterator[Finding]]] = {
    "dynamics": dynamics, "machine": machine, "width": width, "length": length,
}  # fmt: skip


def main() -> None:
    warnings.simplefilter("ignore")
    task = json.loads(sys.argv[1])
    # Libraries print to stdout as they like; findings go to a copy of it, and the rest to stderr.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as channel:
        os.dup2(2, 1)
        for finding in TASKS[task["task"]](task):
            print(json.dumps(finding), file=channel, flush=True)


if __name__ == "__main__":
    main()
