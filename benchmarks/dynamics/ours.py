"""The columns of dynamis: a batch on one thread, on all, in float32, and one call from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, batched, one_by_one
from benchmarks.dynamics.subject import Array, Subject
from dynamis.compute.backends.tiers import STATES_PER_SPLIT

SINGLE_PRECISION = 2e-2
"""Relative error of float32 that is let through; M^-1 multiplies 1e-7 by the condition of M."""


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    columns = [batched("dynamis", _batch(subject, "float64", 1))]
    if threads > 1 and subject.batch >= STATES_PER_SPLIT:
        columns.append(batched(f"dynamis {threads} threads", _batch(subject, "float64", threads), several=True))
    single = _batch(subject, "float32", 1)
    columns.append(Competitor("dynamis float32", single, single, tolerance=SINGLE_PRECISION))
    columns.append(one_by_one("dynamis one call", subject, verb(subject), lambda result: _arrays(subject, result)))
    return columns


def _batch(subject: Subject, dtype: str, threads: int) -> Callable[[int], tuple[Array, ...]]:
    """The compiled function on a batch, its results into arrays that are there already."""
    function = subject.function
    function.ufunc(dtype)
    inputs = [array.astype(dtype, copy=False) for array in subject.arrays]
    out = [np.zeros((subject.batch, *x.shape), dtype) for x in function.program.outputs]

    def run(count: int) -> tuple[Array, ...]:
        into = tuple(array[:count] for array in out)
        function(*(array[:count] for array in inputs), out=into, threads=threads)
        return into

    return run


def verb(subject: Subject) -> Callable[..., Any]:
    """What a user calls: robot.inverse_dynamics and the others."""
    return getattr(subject.robot, subject.quantity)


def _arrays(subject: Subject, result: Any) -> Any:
    """The arrays in what a verb gives, in the order of the function's outputs."""
    names = [x.name for x in subject.function.program.outputs]
    return tuple(getattr(result, name) for name in names) if len(names) > 1 else result
