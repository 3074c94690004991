"""A batch over several threads without the interpreter's lock: machine code (crew_code.py) hands out its parts.

To wake a thread takes 30 to 60 us, and so does the interpreter's lock while another thread has it. So a thread that is
done with its parts looks out for the next batch for a short while before it sleeps, and takes parts from it at once.
"""

from __future__ import annotations

import ctypes
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.compute.backends.llvm.crew_code import MAX_ARRAYS, crew_code
from dynamis.compute.ir.cpu import raw_layout

MIN_PART_STATES = 1024
"""States of the last parts: the wait for the slowest thread is at most as long as one of them takes."""
LOOK_OUT = 100_000
"""Nanoseconds for which a thread looks out for the next batch."""
_CORES = os.cpu_count() or 1
Job = NDArray[np.int64]
"""A batch as the machine code reads it: the words of its `%job`."""


def share(ufunc: Any, inputs: Sequence[Any], results: Sequence[Any], threads: int) -> bool:
    """Fill the results of a batch with one axis by so many threads; False where the arrays are for NumPy to cut."""
    arrays, threads = [*inputs, *results], min(threads, _CORES)
    kind, axes = np.dtype(ufunc.types[0][0]), _axes(ufunc.signature)
    if not _is_possible() or threads < 2 or any(a.dtype != kind or not a.flags.aligned for a in arrays):
        return False
    if not all(a.flags.writeable for a in results):
        return False
    sizes: dict[str, int] = {}
    for array, names in zip(arrays, axes, strict=True):
        sizes.update(zip(names, array.shape[1:], strict=True))
    if len(arrays) > MAX_ARRAYS or len(sizes) >= MAX_ARRAYS:
        return False
    count = len(arrays[0])
    starts, strides = [a.ctypes.data for a in arrays], [a.strides for a in arrays]
    steps = [*(x[0] for x in strides), *(step for x in strides for step in x[1:])]
    shares = 2 * threads, min(MIN_PART_STATES, -(-count // threads))
    words = [0, 0, count, *shares, *raw_layout.loop_of(ufunc), *_pad_words(starts), *_pad_words([0, *sizes.values()])]
    _do(np.array([*words, *_pad_words(steps)], np.int64), arrays, threads)
    return True


def _do(job: Job, arrays: Any, threads: int) -> None:
    crew = [worker for worker in _crew(threads - 1) if worker.busy.acquire(blocking=False)]
    code, address, begun = crew_code(), job.ctypes.data, 0
    try:
        for worker in crew:
            worker.post(address, (job, arrays))
        code["share"](address)
    finally:
        for worker in crew:
            begun += not code["cancel"](worker.box, address)  # one that has not begun has nothing left to do
            worker.busy.release()
        code["wait"](address, begun)
    for worker in crew:
        worker.let_go(job)


@lru_cache(64)
def _axes(signature: str) -> list[list[str]]:
    """The names of the axes of each array."""
    return [re.findall(r"\w+", operand) for operand in re.findall(r"\(([^)]*)\)", signature)]


def _pad_words(words: list[int]) -> list[int]:
    return words + [0] * (MAX_ARRAYS - len(words))


class _Worker:
    """A thread that looks out for jobs in its box."""

    def __init__(self) -> None:
        self.busy = Lock()
        self._box = ctypes.c_int64(0)
        self.box = ctypes.addressof(self._box)
        """Where the address of a job is, 0 while the thread looks out for one, 1 while it sleeps."""
        self._calls: SimpleQueue[None] = SimpleQueue()
        self._kept: tuple[Job, Any] | None = None
        self._thread = Thread(target=self._serve, name="dynamis", daemon=True)
        self._thread.start()

    def post(self, address: int, kept: tuple[Job, Any]) -> None:
        """Hand a job to the thread; `kept` is all that it may read and write."""
        self._kept = kept
        if crew_code()["post"](self.box, address):
            _keep_away(self._thread.native_id or 0)
            self._calls.put(None)

    def let_go(self, job: Job) -> None:
        """What it was given with this job, unless it has another by now."""
        if self._kept and self._kept[0] is job:
            self._kept = None

    def _serve(self) -> None:
        code = crew_code()  # all of it: two threads that ask first may each have one of their own
        while True:
            code["serve"](self.box, LOOK_OUT)
            self._calls.get()


def _keep_away(thread: int) -> None:
    """A thread that is about to be called, from this one's core: Linux often wakes it there, and one then waits."""
    if hasattr(os, "sched_setaffinity") and (here := crew_code()["core"]):
        others = os.sched_getaffinity(0) - {here()}
        with suppress(OSError):  # no other core, or none that it may have
            os.sched_setaffinity(thread, others)


_workers: list[_Worker] = []
if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_workers.clear)


def _crew(count: int) -> list[_Worker]:
    while len(_workers) < count:
        _workers.append(_Worker())
    return _workers[:count]


@cache
def _is_possible() -> bool:
    return hasattr(time, "CLOCK_MONOTONIC") and hasattr(os, "sched_yield")
