"""A batch over several threads: NumPy leaves the interpreter's lock during a ufunc, so parts run at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any


def in_parts(
    ufunc: Callable[..., Any], inputs: Sequence[Any], results: Sequence[Any], batch: tuple[int, ...], threads: int
) -> None:
    """A ufunc over arrays that all have the batch's axes in front, cut along its longest one; results are filled."""
    axis = max(range(len(batch)), key=lambda k: batch[k])
    threads = min(threads, os.cpu_count() or 1)
    edges = [batch[axis] * k // threads for k in range(threads + 1)]
    parts = [(slice(None),) * axis + (slice(a, b),) for a, b in pairwise(edges) if b > a]
    work = [
        _pool().submit(ufunc, *(a[part] for a in inputs), out=tuple(r[part] for r in results)) for part in parts[1:]
    ]
    ufunc(*(a[parts[0]] for a in inputs), out=tuple(r[parts[0]] for r in results))
    for task in work:
        task.result()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="dynamis")


if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
