"""Medians of interleaved turns: every competitor has one turn per round, so that noise hits all alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence

Turn = Callable[[], object]
Clock = Callable[[], float]


def medians(turns: Sequence[Turn], rounds: int, clocks: Sequence[Clock] | None = None) -> list[float]:
    """Seconds of each turn: the median over the rounds, after one that does not count.

    Without clocks the time is what the processor gave to this thread, which other processes do not lengthen.
    """
    clocks = clocks or [time.thread_time] * len(turns)
    times: list[list[float]] = [[] for _ in turns]
    collects = gc.isenabled()
    gc.disable()
    try:
        for turn in turns:
            turn()
        for _ in range(rounds):
            for turn, clock, values in zip(turns, clocks, times, strict=True):
                values.append(seconds(turn, clock))
    finally:
        if collects:
            gc.enable()
    return [statistics.median(values) for values in times]


def share_of_a_core(turn: Turn, length: float = 0.05) -> float:
    """How much of a core this process gets: less than 1 if others are at work on this machine."""
    start, worked = time.perf_counter(), time.thread_time()
    while time.perf_counter() - start < length:
        turn()
    return (time.thread_time() - worked) / (time.perf_counter() - start)


def seconds(turn: Turn, clock: Clock = time.perf_counter) -> float:
    start = clock()
    turn()
    return clock() - start


def turn_of(run: Callable[[int], object], batch: int, length: float, splits: bool, least: int = 1) -> tuple[Turn, int]:
    """A turn of about `length` seconds, and its states: a part of the batch if it splits, or the batch a few times.

    A batch that would take more than 25 turns is cut too. `least` states at once are the fewest that `run` does.
    """
    count = max(least, min(batch, 4 if splits else 64))
    run(count)
    while True:
        duration = max(seconds(lambda count=count: run(count)), 1e-9)
        if count == batch or duration > length / 8:
            break
        count = min(batch, 4 * count)
    most = length if splits else 25 * length
    states = min(batch, max(least, int(count * most / duration)))
    times = max(1, int(length / (duration * states / count)))

    def again() -> None:
        for _ in range(times):
            run(states)

    return again, times * states
