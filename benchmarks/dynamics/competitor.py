"""A competitor: something that computes the same quantity, checked before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.dynamics.subject import Array, Subject, as_tuple

CHECKED = 16
"""States at which a competitor is compared."""
TOLERANCE = 1e-8
"""Largest relative error of float64; what is seen is 1e-13, and 1e-10 for long chains."""


class MissingError(Exception):
    """A peer that cannot take part, in a sentence."""


def peer_module(module: str, name: str, package: str) -> Any:
    """The module of a peer; a MissingError says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingError(f"{name} is not installed (pip install {package})") from None


@dataclass(frozen=True)
class Competitor:
    """`run(count)` works on the first `count` states; `results(count)` gives what it finds, in our shapes.

    `per_state` marks one call per state from Python: as many states as fit into a short turn. Others work
    on the whole batch, or on `most` states of it; `all_or_nothing` cannot do fewer. `several` marks work on
    several threads: it is timed by the clock on the wall, the others by the processor's time for their thread.
    """

    column: str
    run: Callable[[int], object]
    results: Callable[[int], tuple[Array, ...]]
    per_state: bool = False
    most: int = 10**9
    all_or_nothing: bool = False
    several: bool = False
    tolerance: float = TOLERANCE


def batched(column: str, function: Callable[[int], tuple[Array, ...]], several: bool = False) -> Competitor:
    """A competitor that works on a whole batch and gives arrays in our shapes."""
    return Competitor(column, function, function, several=several)


def one_by_one(
    column: str, subject: Subject, function: Callable[..., Any], convert: Callable[[Any], Any] = lambda result: result
) -> Competitor:
    """A competitor that is called from Python for each state; `convert` brings what it gives to our shapes."""
    most = min(subject.batch, 4000)
    states = list(zip(*(list(array[:most]) for array in subject.arrays), strict=True))
    shapes = [x.shape for x in subject.function.program.outputs]

    def run(count: int) -> None:
        for state in states[:count]:
            function(*state)

    def results(count: int) -> tuple[Array, ...]:
        rows: list[list[Array]] = []
        for state in states[:count]:
            parts = as_tuple(convert(function(*state)))
            rows.append([np.array(part, dtype=float) for part in parts])
        columns = list(zip(*rows, strict=True))
        return tuple(np.array(x).reshape(-1, *shape) for x, shape in zip(columns, shapes, strict=True))

    return Competitor(column, run, results, per_state=True, most=most)


def error_of(results: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference of an output, relative to its largest entry; infinite if shapes differ or NaN is there."""
    errors: list[float] = []
    for a, b in zip(results, expected, strict=True):
        if a.shape != b.shape or not np.isfinite(a).all():
            return float("inf")
        size = float(np.abs(b).max(initial=0.0))
        errors.append(float(np.abs(a - b).max(initial=0.0)) / (size or 1.0))
    return max(errors)


def disagreement(competitor: Competitor, subject: Subject, error: float) -> str | None:
    """The sentence that stops a column, or None if it agrees."""
    if error <= competitor.tolerance:
        return None
    return (
        f"{competitor.column} differs from dynamis in {subject.quantity} of {subject.robot.name}: relative error "
        f"{error:.1e}, more than {competitor.tolerance:.0e}; it is not timed"
    )
