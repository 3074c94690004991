"""The whole benchmark of dynamics: one worker per robot, then everything together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.dynamics.rows import Pace
from benchmarks.dynamics.run import WorkerError, findings
from benchmarks.dynamics.subject import OF_CHAINS, QUANTITIES
from benchmarks.dynamics.targets import Target, targets

Say = Callable[[str], None]


@dataclass
class Benchmark:
    """What a run found: the machine, the rows, the targets, and what was left out."""

    machine: dict[str, Any] = field(default_factory=dict[str, Any])
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    notes: list[str] = field(default_factory=list[str])
    interrupted: bool = False
    """Whether Ctrl-C came before the end; the rows are those that were measured until then."""

    @property
    def targets(self) -> list[Target]:
        return targets(self.rows)

    def as_json(self) -> dict[str, Any]:
        found = [target.as_json() for target in self.targets]
        return {"machine": self.machine, "rows": self.rows, "targets": found, "notes": self.notes}

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
    found = Benchmark()
    for finding in findings({"task": "machine"}):
        found.take(finding, say)
    for robot in robots:
        few = OF_CHAINS if robot.startswith("chain-") else QUANTITIES
        task = {"task": "dynamics", "robot": robot, "quantities": [*(quantities or few)], "pace": asdict(pace)}
        try:
            for finding in findings(task):
                found.take(finding, say)
        except WorkerError as error:
            found.notes.append(str(error))
        except KeyboardInterrupt:
            if not found.rows:
                raise
            found.interrupted = True
            break
    return found
