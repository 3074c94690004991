"""A batch over several threads: NumPy leaves the interpreter's lock during a ufunc, so parts run at once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

MIN_PART_STATES = 2048
"""States of the last parts: the wait for the slowest thread is at most as long as one of them takes."""


def in_parts(
    ufunc: Callable[..., Any], inputs: Sequence[Any], results: Sequence[Any], batch: tuple[int, ...], threads: int
) -> None:
    """A ufunc over arrays that all have the batch's axes in front, cut along its longest one; results are filled.

    Each thread takes the next part when it is done with one, so that none waits for one that starts late or shares
    its core with another program.
    """
    axis = max(range(len(batch)), key=lambda k: batch[k])
    threads = min(threads, os.cpu_count() or 1)
    parts = deque(_parts(batch[axis], threads))

    def work() -> None:
        while True:
            try:
                part = (slice(None),) * axis + (parts.popleft(),)
            except IndexError:
                return
            ufunc(*(a[part] for a in inputs), out=tuple(r[part] for r in results))

    others = [_pool().submit(work) for _ in range(min(threads, len(parts)) - 1)]
    work()
    for other in others:
        if not other.cancel():  # one that has not begun has nothing left to do
            other.result()


def _parts(count: int, threads: int) -> list[slice]:
    """Long parts first: each is the share of a thread in half of what is left; of few states one part per thread."""
    fewest = min(MIN_PART_STATES, -(-count // threads))
    parts: list[slice] = []
    start = 0
    while start < count:
        end = min(count, start + max(fewest, (count - start) // (2 * threads)))
        parts.append(slice(start, end))
        start = end
    return parts


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="dynamis")


if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
