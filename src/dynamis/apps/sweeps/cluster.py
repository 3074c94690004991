"""A sweep on a cluster: a task per slice, and a task per group that merges its slices, by `dask.distributed`.

A task holds the sweep itself, some kilobytes, and of samples in memory those of its slice; every process compiles the
sweep once and keeps it. Totals come back group by group, in order, so that the result is the same, bit for bit, on any
number of workers. Slices that a dead worker had made are made again: a task changes nothing but its own result.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Any

from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.reductions import Totals
from dynamis.apps.sweeps.tally import Tally
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal

SLICES_AHEAD = 2
"""Slices that are under way for every thread of the cluster, one is made and one waits; and groups, at least."""
POLL_SECONDS, ANSWER_SECONDS, MAX_IDLE_SECONDS = 10.0, 60.0, 600.0
"""Seconds: between two looks at a cluster that makes nothing, for an answer of its scheduler, and without workers."""


def run_on_cluster(tally: Tally, client: Any) -> Iterator[tuple[Totals, int]]:
    """(totals, how many slices they are of), from where the tally is."""
    if not hasattr(client, "submit") or not hasattr(client, "nthreads") or getattr(client, "asynchronous", False):
        raise ArgumentError(f"client must be a dask.distributed.Client, got {literal(client)}", key="client")
    _check_open(client)
    try:
        yield from _groups(tally, client)
    except (Exception, CancelledError) as error:
        _check_open(client)
        if isinstance(error, CancelledError):  # by a scheduler that went away and came back
            raise _cluster_error("the cluster has dropped the tasks of this sweep") from None
        raise


def _groups(tally: Tally, client: Any) -> Iterator[tuple[Totals, int]]:
    sweep = tally.sweep
    _ = sweep.folds  # go along: see Parts.__getstate__
    waiting, under_way, following = deque[tuple[Any, int]](), 0, tally.done
    single = sweep.group_end(following) if tally.group else following  # the rest of a group that was begun
    while waiting or following < sweep.slices:
        most = SLICES_AHEAD * max(1, _threads(client))
        while following < sweep.slices and (under_way < most or len(waiting) < SLICES_AHEAD):
            end = following + 1 if following < single else sweep.group_end(following)
            tasks = [client.submit(_part, sweep, k, sweep.sent(k), pure=False) for k in range(following, end)]
            made = tasks[0] if len(tasks) == 1 else client.submit(_merge_totals, tasks, pure=False)
            waiting.append((made, end - following))
            under_way += end - following
            following = end
        made, slices = waiting.popleft()
        yield _result(made, client), slices
        under_way -= slices


def _result(made: Any, client: Any) -> Totals:
    """The totals of a task, or a sentence where nobody is there any more who could make them."""
    without = 0.0
    while True:
        try:
            return made.result(timeout=POLL_SECONDS)
        except TimeoutError:
            if made.done():  # in between, or a task has raised it
                continue
        _check_open(client)
        without = 0.0 if _threads(client) else without + POLL_SECONDS
        if without > MAX_IDLE_SECONDS:
            raise _cluster_error(f"the cluster has had no workers for {without:.0f} s")


def _threads(client: Any) -> int:
    """Of all workers, as the scheduler tells it."""
    try:
        return sum(client.sync(client.scheduler.ncores, callback_timeout=ANSWER_SECONDS).values())
    except (OSError, TimeoutError):  # Dask's own errors are among them
        _check_open(client)
        raise _cluster_error("the scheduler of the cluster does not answer") from None


def _cluster_error(what: str) -> ArgumentError:
    return ArgumentError(
        f"{what}; what a sweep with a store has done is kept, and run goes on from there with another client",
        key="client",
    )


def _check_open(client: Any) -> None:
    for name, part in (("client", client), ("the cluster of the client", getattr(client, "cluster", None))):
        status = getattr(part, "status", "running")
        if getattr(status, "name", status) in ("closed", "closing", "failed"):
            raise ArgumentError(f"{name} is closed; give a new dask.distributed.Client", key="client")


_lock = Lock()


@lru_cache(maxsize=2)
def _cached_sweep(sweep: Parts, _: str) -> tuple[Parts, dict[int, tuple[int, Totals]]]:
    """The first of equal sweeps, which is compiled; of each case the last slice, with all extremes so far."""
    return sweep, {}


def _part(sweep: Parts, number: int, samples: Array | None = None) -> Totals:
    with _lock:
        sweep, last = _cached_sweep(sweep, sweep.backend)
        sweep.function(sweep.slice(number)[0])
    case, first, stop = sweep.slice(number)
    before, extremes = last.get(case, (number, None))
    part = sweep.part(case, first, stop, extremes if before < number else None, samples)
    last[case] = number, part
    return part


def _merge_totals(parts: list[Totals]) -> Totals:
    whole = parts[0].copy()
    for part in parts[1:]:
        whole.merge(part)
    return whole
