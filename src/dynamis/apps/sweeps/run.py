"""Running a sweep: on the threads of this machine or on a cluster, with what is done kept on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

from dynamis.apps.sweeps.cluster import run_on_cluster
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.reductions import Totals
from dynamis.apps.sweeps.tally import Tally
from dynamis.base.arguments import integer

SAVED_EVERY = 20.0
"""Seconds between two savings of what is done."""

Progress = Callable[[int, int], None]
"""(states done, all states)"""


def totals_of(
    sweep: Parts,
    client: Any = None,
    kept: Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Totals]:
    """The totals of every case, computed or, where the file `kept` has them, taken up from there."""
    count = most_threads(sweep) if threads is None else integer("threads", threads)
    tally = Tally.read(sweep, kept)
    parts = _run_threads(tally, count) if client is None else run_on_cluster(tally, client)
    saved = perf_counter()
    try:
        for part, slices in parts:
            tally.add(part, slices)
            if progress:
                progress(tally.states, sweep.states)
            if kept is not None and perf_counter() - saved > SAVED_EVERY:
                tally.write(kept)
                saved = perf_counter()
    except BaseException:  # Ctrl-C, or a cluster that gave up
        if kept is not None and tally.whole and tally.done:
            tally.write(kept)
        raise
    return tally.totals


def most_threads(sweep: Parts) -> int:
    """As many as there are cores; a GPU is kept busy by one."""
    return 1 if sweep.backend == "cuda" else cores()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run_threads(tally: Tally, threads: int) -> Iterator[tuple[Totals, int]]:
    """(totals of a slice, 1), in the order of the slices, made by as many threads."""
    sweep, first = tally.sweep, tally.done

    def part(number: int) -> Totals:
        case, start, stop = sweep.slice(number)
        return sweep.part(case, start, stop, tally.totals[case])

    if threads == 1:
        yield from ((part(number), 1) for number in range(first, sweep.slices))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        waiting = [pool.submit(part, number) for number in range(first, min(first + 2 * threads, sweep.slices))]
        for number in range(first, sweep.slices):
            totals = waiting.pop(0).result()
            if (following := number + 2 * threads) < sweep.slices:
                waiting.append(pool.submit(part, following))
            yield totals, 1
    finally:  # after Ctrl-C, without those that only wait
        pool.shutdown(cancel_futures=True)
