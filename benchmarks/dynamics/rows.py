"""One row: a quantity of a robot, every competitor checked, then timed in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.dynamics import (
    casadi_peer,
    jax_peer,
    mujoco_peer,
    ours,
    pinocchio_peer,
    toolbox_peer,
)
from benchmarks.dynamics.competitor import CHECKED, Competitor, MissingError, disagreement, error_of
from benchmarks.dynamics.limits import Limit, limit
from benchmarks.dynamics.subject import Subject
from benchmarks.dynamics.timing import Turn, medians, share_of_a_core, turn_of
from dynamis.base.errors import DynamisError

Peers = Callable[[Subject, int], list[Competitor]]
ALL: dict[str, Peers] = {
    "Pinocchio": pinocchio_peer.competitors,
    "MuJoCo": mujoco_peer.competitors,
    "Toolbox": toolbox_peer.competitors,
    "CasADi": casadi_peer.competitors,
    "JAX": jax_peer.competitors,
}
BASE = "dynamis"
"""The column that ratios are to; a peer on several threads is compared with dynamis on as many."""
FAILURES = (DynamisError, ArithmeticError, AttributeError, OSError, RuntimeError, TypeError, ValueError)
"""What a peer may raise: its own failure is no failure of the benchmark."""


@dataclass(frozen=True)
class Pace:
    """How long to measure: states of a batch, rounds, seconds of a turn."""

    batch: int = 100_000
    rounds: int = 9
    turn: float = 0.02
    threads: int = 1


QUICK = Pace(2000, 3, 0.002)


@dataclass
class Cell:
    """One competitor: nanoseconds per state, times those of dynamis' batch on as many threads, relative error."""

    ns: float
    ratio: float
    error: float


@dataclass
class Row:
    """One quantity of one robot: what every competitor took."""

    robot: str
    joints: int
    quantity: str
    batch: int
    operations: int
    cells: dict[str, Cell] = field(default_factory=dict[str, Cell])
    notes: list[str] = field(default_factory=list[str])
    """What could not be compared, in sentences."""
    limit: Limit | None = None
    share: float = 1.0
    """The share of a core that the process had just before; less where others were at work."""

    def as_json(self) -> dict[str, Any]:
        data = asdict(self)
        if self.limit is not None:
            data["limit"]["ns"] = self.limit.ns
        return data


def measure(subject: Subject, pace: Pace, peers: dict[str, Peers] = ALL) -> Row:
    """The row of a subject."""
    robot = subject.robot
    row = Row(robot.name, robot.n, subject.quantity, subject.batch, len(subject.function.program.operations))
    few = min(CHECKED, subject.batch)
    expected = subject.results(few)
    error = error_of(subject.plain_results(min(2, few)), tuple(x[: min(2, few)] for x in expected))
    if error > 1e-8:
        row.notes.append(f"dynamis differs from its plain path in {row.quantity} of {row.robot}: {error:.1e}")
        return row
    agreed: list[tuple[Competitor, float]] = []
    for competitor in [*ours.competitors(subject, pace.threads), *_peers(subject, pace, peers, row)]:
        try:
            error = error_of(competitor.results(few), expected)
        except FAILURES as failure:
            row.notes.append(_failure(competitor.column, subject, failure))
            continue
        problem = disagreement(competitor, subject, error)
        if problem:
            row.notes.append(problem)
        else:
            agreed.append((competitor, error))
    _time(row, agreed, subject, pace)
    row.limit = limit(subject, min(pace.rounds, 5))
    return row


def _peers(subject: Subject, pace: Pace, peers: dict[str, Peers], row: Row) -> Iterable[Competitor]:
    for name, make in peers.items():
        try:
            yield from make(subject, pace.threads)
        except MissingError as error:
            row.notes.append(str(error))
        except FAILURES as error:
            row.notes.append(_failure(name, subject, error))


def _failure(name: str, subject: Subject, error: Exception) -> str:
    what = " ".join(str(error).split())[:120]
    return f"{name} fails in {subject.quantity} of {subject.robot.name}: {what}"


def _time(row: Row, agreed: list[tuple[Competitor, float]], subject: Subject, pace: Pace) -> None:
    turns: list[tuple[Turn, int]] = []
    for competitor, _ in agreed:
        most = min(subject.batch, competitor.most)
        least = most if competitor.all_or_nothing else 1
        turns.append(turn_of(competitor.run, most, pace.turn, competitor.per_state, least))
    row.share = share_of_a_core(turns[0][0]) if turns else 1.0
    clocks = [time.perf_counter if c.several else time.thread_time for c, _ in agreed]
    durations = medians([turn for turn, _ in turns], pace.rounds, clocks)
    times = [1e9 * t / states for t, (_, states) in zip(durations, turns, strict=True)]
    ns = {competitor.column: t for (competitor, _), t in zip(agreed, times, strict=True)}
    for competitor, error in agreed:
        threads = f" {pace.threads} threads"
        several = competitor.column.endswith(threads) and not competitor.column.startswith(BASE)
        base = ns.get(BASE + threads if several else BASE)
        if base:
            row.cells[competitor.column] = Cell(ns[competitor.column], ns[competitor.column] / base, error)
