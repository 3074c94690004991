"""Medians of interleaved turns: every competitor has one turn a round, so that noise hits all alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence

Turn = Callable[[], object]


def medians(turns: Sequence[Turn], rounds: int) -> list[float]:
    """Seconds of each turn: the median over the rounds, after one that does not count."""
    times: list[list[float]] = [[] for _ in turns]
    collects = gc.isenabled()
    gc.disable()
    try:
        for turn in turns:
            turn()
        for _ in range(rounds):
            for turn, found in zip(turns, times, strict=True):
                found.append(seconds(turn))
    finally:
        if collects:
            gc.enable()
    return [statistics.median(found) for found in times]


def share_of_a_core(turn: Turn, length: float = 0.05) -> float:
    """How much of a core this process gets: less than 1 if others are at work on this machine."""
    start, worked = time.perf_counter(), time.thread_time()
    while time.perf_counter() - start < length:
        turn()
    return (time.thread_time() - worked) / (time.perf_counter() - start)


def seconds(turn: Turn) -> float:
    start = time.perf_counter()
    turn()
    return time.perf_counter() - start


def turn_of(run: Callable[[int], object], batch: int, length: float, splits: bool) -> tuple[Turn, int]:
    """A turn of about `length` seconds, and its states: a part of the batch if it splits, or the batch a few times."""
    count = min(batch, 4) if splits else batch
    run(count)
    while True:
        taken = max(seconds(lambda count=count: run(count)), 1e-9)
        if count == batch or taken > length / 8:
            break
        count = min(batch, 4 * count)
    if count < batch:
        count = max(1, min(batch, int(count * length / taken)))
        return lambda: run(count), count
    times = max(1, int(length / taken))

    def again() -> None:
        for _ in range(times):
            run(batch)

    return again, times * batch
