"""The benchmark of dynamics: one worker with pinned threads per robot, one after the other, then all rows together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from benchmarks.dynamics.rows import Pace
from benchmarks.dynamics.subject import OF_CHAINS, QUANTITIES
from benchmarks.dynamics.targets import Target, targets
from dynamis.base.errors import DynamisError

PINNED = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
)  # fmt: skip
Say = Callable[[str], None]


class WorkerError(DynamisError):
    """A process of the benchmark that ended early."""


def findings(task: dict[str, Any], **environment: str) -> Iterator[dict[str, Any]]:
    """What a worker finds, as it finds it."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    pinned = dict.fromkeys(PINNED, "1") | {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "PYTHONPATH": path}
    command = [sys.executable, "-m", "benchmarks.dynamics.worker", json.dumps(task)]
    with TemporaryFile("w+", errors="replace") as errors:
        worker = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | pinned | environment
        )
        try:
            for line in worker.stdout or ():
                yield json.loads(line)
        finally:
            if worker.poll() is None and sys.exc_info()[0] is not None:
                worker.kill()
            code = worker.wait()
        if code:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["it said nothing"])[-1]
            raise WorkerError(f"the benchmark of {task.get('robot', task['task'])} ended with code {code}: {last}")


@dataclass
class Benchmark:
    """The results of a run: the machine, the rows, the targets, and what was left out."""

    machine: dict[str, Any] = field(default_factory=dict[str, Any])
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    notes: list[str] = field(default_factory=list[str])
    interrupted: bool = False
    """Whether Ctrl-C came before the end; the rows are those that were measured until then."""

    @property
    def targets(self) -> list[Target]:
        return targets(self.rows)

    def as_json(self) -> dict[str, Any]:
        targets = [target.as_json() for target in self.targets]
        return {"machine": self.machine, "rows": self.rows, "targets": targets, "notes": self.notes}

    def take(self, finding: dict[str, Any], say: Say) -> None:
        """Sort a worker's finding to its place."""
        if "progress" in finding:
            say(finding["progress"])
        elif "machine" in finding:
            self.machine = finding["machine"]
        elif "row" in finding:
            self.rows.append(finding["row"])
        notes = finding.get("row", {}).pop("notes", []) if "row" in finding else [finding.get("note")]
        self.notes += [note for note in notes if note and note not in self.notes]


def benchmark(robots: Sequence[str], quantities: Sequence[str], pace: Pace, say: Say) -> Benchmark:
    """Every quantity of every robot; long chains have the few that `OF_CHAINS` names unless others are asked for."""
    result = Benchmark()
    for finding in findings({"task": "machine"}):
        result.take(finding, say)
    for robot in robots:
        few = OF_CHAINS if robot.startswith("chain-") else QUANTITIES
        task = {"task": "dynamics", "robot": robot, "quantities": [*(quantities or few)], "pace": asdict(pace)}
        try:
            for finding in findings(task):
                result.take(finding, say)
        except WorkerError as error:
            result.notes.append(str(error))
        except KeyboardInterrupt:
            if not result.rows:
                raise
            result.interrupted = True
            break
    return result
