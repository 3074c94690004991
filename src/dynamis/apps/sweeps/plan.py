"""What a sweep will take on this machine, told before it runs: a few of its states are run for that."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from dynamis.apps.sweeps.dataset import result_bytes
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.run import most_threads
from dynamis.telling.blocks import Document, Table
from dynamis.telling.result import Result

TRIAL_STATES = 2**17
"""States that are run to tell how long the others take."""
PROCESS_BYTES, XARRAY_BYTES = 190 * 10**6, 100 * 10**6
"""Bytes of a process that has compiled a sweep, and what xarray adds when results are made: as measured on Linux."""


@dataclass(frozen=True)
class SweepPlan(Result):
    """What a sweep will take on this machine."""

    robot: str
    quantity: str
    dimensions: int
    cases: int
    states: int
    cells: int
    """Of the map; 0 where there is none."""
    seconds: float
    """With all cores."""
    result_bytes: int
    """Of its numbers, as in a .nc file; a .zarr folder has them compressed."""
    memory_bytes: int
    """Of the whole process at its largest."""

    def document(self) -> Document:
        """One row per figure."""
        hours = self.seconds / 3600
        rows = [
            ("swept dimensions", f"{self.dimensions}", ""), ("cases", f"{self.cases}", ""),
            ("states", f"{self.states:,}", ""), ("cells of the map", f"{self.cells:,}" if self.cells else "no map", ""),
            ("time on this machine", *((f"{self.seconds:.2g}", "s") if hours < 1 else (f"{hours:,.1f}", "h"))),
            ("result", *_size(self.result_bytes)), ("memory", *_size(self.memory_bytes)),
        ]  # fmt: skip
        table = Table(("", "", "unit"), tuple(rows))
        return Document(f"{self.robot}: sweep of {self.quantity}", (table,), data=lambda: asdict(self))


def plan(sweep: Parts) -> SweepPlan:
    """By the time of a block, of more blocks, and of a merge: each slice begins with empty totals, and is merged."""
    block = min(sweep.points.block, sweep.points.count)
    stop = min(sweep.points.count, max(1, TRIAL_STATES // block) * block)
    totals = sweep.part(0, 0, block)  # compiled
    begin = _seconds(lambda: sweep.part(0, 0, block))
    both = _seconds(lambda: totals.merge(sweep.part(0, 0, stop)))
    merge = _seconds(lambda: totals.merge(totals))
    per_state = max(0.0, both - merge - begin) / max(1, stop - block)
    threads = most_threads(sweep)
    seconds = (per_state * sweep.states + begin * sweep.slices) / threads + merge * sweep.slices
    result = result_bytes(sweep, totals)
    # Of every case, of the group, and of each thread what it makes, its copy, and one that waits.
    held = sweep.bytes * (len(sweep.cases) + 1 + min(3 * threads, sweep.slices)) + 3 * result
    base = resident() - sweep.bytes + (0 if "xarray" in sys.modules else XARRAY_BYTES)
    return SweepPlan(
        sweep.robot.name, sweep.measure.name, len(sweep.ranges.dimensions), len(sweep.cases), sweep.states,
        sweep.cells if sweep.axes else 0,
        seconds, result, base + held,
    )  # fmt: skip


def _size(count: int) -> tuple[str, str]:
    """
    >>> _size(2_500), _size(3_200_000)
    (('2.5', 'kB'), ('3.2', 'MB'))
    """
    return (f"{count / 1e6:.3g}", "MB") if count >= 1e5 else (f"{count / 1e3:.3g}", "kB")


def resident() -> int:
    """Bytes of memory that this process has now."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):  # not Linux
        return PROCESS_BYTES


def _seconds(run: Callable[[], Any]) -> float:
    """The least of three runs, which others on the machine have delayed the least."""
    seconds = list[float]()
    for _ in range(3):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return min(seconds)
