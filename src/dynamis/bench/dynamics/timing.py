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


def seconds(turn: Turn) -> float:
    start = time.perf_counter()
    turn()
    return time.perf_counter() - start


def states_a_turn(run: Callable[[int], object], batch: int, length: float) -> int:
    """As many states as take about `length` seconds, at most the batch."""
    count = min(batch, 4)
    while True:
        taken = seconds(lambda count=count: run(count))
        if count == batch or taken > length / 8:
            return max(1, min(batch, int(count * length / max(taken, 1e-9))))
        count = min(batch, 4 * count)
