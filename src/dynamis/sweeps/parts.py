"""What a sweep computes: states made from their index, measured, and reduced as they are made, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from itertools import product
from math import prod
from threading import Lock
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.backends.llvm.sweep_function import SweepFunction, lanes
from dynamis.backends.llvm.sweep_kernel import Box, Fold, row_words
from dynamis.backends.numpy_backend import evaluated
from dynamis.errors import ArgumentError
from dynamis.model.joint_limits import joint_limits
from dynamis.model.loads import Load
from dynamis.program.quantity_program import STATE_UNITS
from dynamis.robot import Robot
from dynamis.sweeps.cells import Axis
from dynamis.sweeps.fronts import Pareto
from dynamis.sweeps.measures import Measure
from dynamis.sweeps.points import Draw, Points, points_of
from dynamis.sweeps.program import SweepProgram, sweep_program
from dynamis.sweeps.ranges import Ranges
from dynamis.sweeps.reductions import NEEDS, Exceeds, Histogram, Kept, Quantile, Totals

SLICES, SHORTEST, LONGEST = 64, 2**16, 2**28
"""A sweep has so many slices, if these are neither shorter nor longer than so many states. One thread makes the totals
of a slice; they are merged in the order of the slices, so that sums round alike on any number of threads and processes.
In a long slice new extremes are rare, which makes it fast."""
MOST_BYTES = 512 * 2**20
"""Of the totals of one slice."""
LOOK = 2**12
"""States of the first look, which gives the pivot of squares and the bounds of quantiles."""
SHORT_BLOCK = 64
"""Points of a block below which rows are made by NumPy."""


@dataclass(frozen=True)
class Parts:
    """What is swept. It is small, pickles, and makes nothing before it is run."""

    robot: Robot
    measure: Measure
    ranges: Ranges
    draw: Draw
    axes: tuple[Axis, ...]
    keep: tuple[Kept, ...]
    loads: tuple[Load, ...] = ()

    @cached_property
    def points(self) -> Points:
        return points_of(self.draw, len(self.ranges.dimensions))

    @cached_property
    def cases(self) -> list[dict[str, float]]:
        """The values that are run through, all combinations."""
        names = [name for name, _ in self.ranges.cases]
        return [dict(zip(names, x, strict=True)) for x in product(*(values for _, values in self.ranges.cases))]

    @property
    def states(self) -> int:
        """Of all cases."""
        return self.points.count * len(self.cases)

    @property
    def cells(self) -> int:
        return prod(x.bins for x in self.axes)

    @cached_property
    def box(self) -> Box | None:
        """The box from which the machine makes states by itself, where it can."""
        if not self.ranges.is_box or self.points.block < SHORT_BLOCK:
            return None
        sides = [(x.least, (x.greatest - x.least) * by)
                 for x, by in zip(self.ranges.dimensions, self.points.stretch, strict=True)]  # fmt: skip
        return Box(self.points.way, *map(tuple, zip(*sides, strict=True)))

    def program(self, case: int) -> SweepProgram:
        return sweep_program(self.robot, self.measure, self.ranges, self.axes, self.cases[case], self.loads)

    def values(self, first: int, stop: int) -> Array:
        """What the dimensions are in the states with these indices, (stop - first, d)."""
        return self.ranges.values(self.points.rows(first, stop))

    def measured(self, case: int, first: int, stop: int) -> Array:
        """The values in these states, by NumPy, (stop - first, values)."""
        return evaluated(self.program(case).program, (self.values(first, stop),), "float64")[0]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.program(0).names

    @cached_property
    def units(self) -> tuple[str, ...]:
        return self.program(0).units

    @cached_property
    def folds(self) -> tuple[Fold, ...]:
        """What the machine keeps for all that was asked."""
        kinds = {kind for word in self.keep if isinstance(word, str) for kind in NEEDS[word]}
        folds = [Fold("count"), Fold("nan")]
        folds += [Fold(kind) for kind in ("max", "min", "sum") if kind in kinds]  # type: ignore[arg-type]
        if "squares" in kinds:
            folds.append(Fold("squares", tuple(self.look.mean(0).tolist())))
        folds += [Fold("beyond", self._limits(x)) for x in self.keep if isinstance(x, Exceeds)]
        folds += [Fold("bins", numbers, bins) for numbers, bins in map(self._bins, self.histograms)]
        folds += [x.fold(self.names, self.look) for x in self.fronts]
        row = row_words(len(self.names), lanes())
        size = 8 * (self.cells + 2) * sum(x.arrays * x.words(row, len(self.names)) for x in folds)
        if size > MOST_BYTES:
            raise ArgumentError(
                f"these cells, values and bins need {size / 1e6:.0f} MB, more than {MOST_BYTES / 1e6:.0f} MB: "
                "take fewer cells or fewer bins",
                key="keep",
            )
        return tuple(folds)

    @property
    def fronts(self) -> list[Pareto]:
        """The Pareto fronts of `keep`."""
        return [x for x in self.keep if isinstance(x, Pareto)]

    @property
    def histograms(self) -> list[Histogram | Quantile]:
        """Of `keep`, those that need bins."""
        return [x for x in self.keep if isinstance(x, Histogram | Quantile)]

    @cached_property
    def look(self) -> Array:
        """The values in the first states of all cases, for scales; NaN left out."""
        every = np.concatenate(
            [self.measured(case, 0, min(LOOK, self.points.count)) for case in range(len(self.cases))]
        )
        return every[np.isfinite(every).all(1)] if np.isfinite(every).all(1).any() else np.zeros((1, every.shape[1]))

    def edges(self, kind: Histogram | Quantile) -> tuple[Array, Array]:
        """The least and the greatest edge of the bins of every value."""
        count = len(self.names)
        if isinstance(kind, Histogram):
            return np.broadcast_to(kind.least, count), np.broadcast_to(kind.greatest, count)
        least, greatest = self.look.min(0), self.look.max(0)
        room = np.maximum((greatest - least) * 0.25, 1e-12 + 1e-9 * np.abs(greatest))
        return least - room, greatest + room

    def _bins(self, kind: Histogram | Quantile) -> tuple[tuple[float, ...], int]:
        least, greatest = self.edges(kind)
        numbers = np.stack([least, kind.bins / (greatest - least)], -1)
        return tuple(numbers.ravel().tolist()), kind.bins

    def _limits(self, kind: Exceeds) -> tuple[float, ...]:
        count = len(self.names)
        if isinstance(kind.limit, str):
            limits = getattr(joint_limits(self.robot), kind.limit)
            if len(limits) != count:
                raise ArgumentError(
                    f"{self.measure.name} has {count} values, not one per joint: give numbers", key="keep"
                )
            if not np.isfinite(limits).all():
                raise ArgumentError(
                    f'robot "{self.robot.name}" gives no limits of {kind.limit}; give numbers', key="keep"
                )
            return tuple(limits.tolist())
        if len(kind.limit) not in (1, count):
            raise ArgumentError(f"exceeds has {len(kind.limit)} limits for {count} values", key="keep")
        return tuple(np.broadcast_to(kind.limit, count).tolist())

    def slices(self) -> list[tuple[int, int, int]]:
        """(case, first, stop): the parts whose totals are merged in order."""
        count, block = self.points.count, self.points.block
        each = -(-min(max(count // SLICES, SHORTEST), LONGEST) // block) * block
        return [
            (case, first, min(first + each, count))
            for case in range(len(self.cases))
            for first in range(0, count, each)
        ]

    def part(self, case: int, first: int, stop: int) -> Totals:
        """The totals of a range of states; `first` is the first of a block."""
        function = self.function(case)
        totals = Totals.empty(self.folds, self.cells, function.row, function.values)
        if self.box:
            block = self.points.block
            blocks = np.arange(first // block, -(-stop // block), dtype=np.uint64)
            function(
                self.points.table, np.ascontiguousarray(self.points.bases(blocks)), stop - first, first, totals.arrays
            )
        else:
            function(np.ascontiguousarray(self.values(first, stop)), None, stop - first, first, totals.arrays)
        return totals

    def parts(self, slices: Sequence[tuple[int, int, int]], threads: int) -> Iterator[tuple[int, Totals]]:
        """(number of the case, totals) of these slices, in their order, made by as many threads."""
        if threads == 1:
            yield from ((case, self.part(case, first, stop)) for case, first, stop in slices)
            return
        pool = ThreadPoolExecutor(threads)
        try:
            waiting = [pool.submit(self.part, *x) for x in slices[: 2 * threads]]
            for k, (case, _, _) in enumerate(slices):
                totals = waiting.pop(0).result()
                if (following := k + 2 * threads) < len(slices):
                    waiting.append(pool.submit(self.part, *slices[following]))
                yield case, totals
        finally:  # after Ctrl-C, without those that only wait
            pool.shutdown(cancel_futures=True)

    def state(self, index: int) -> dict[str, Any]:
        """The state with an index, such as `argmax` gives: q, qd, ... as far as they are swept or fixed, parameters."""
        return self.named(self.values(index, index + 1)[0])

    def named(self, point: Array) -> dict[str, Any]:
        """The state whose dimensions have these values."""
        values = dict(zip((x.name for x in self.ranges.dimensions), point, strict=True))
        values |= dict(self.ranges.fixed)
        result: dict[str, Any] = {name: float(x) for name, x in values.items() if ":" not in name}
        for kind in STATE_UNITS:
            if any(name.startswith(f"{kind}:") for name in values):
                result[kind] = np.array([values.get(f"{kind}:{k}", 0.0) for k in range(self.robot.n)])
        return result

    def function(self, case: int) -> SweepFunction:
        """The machine code for a case, made once in a process."""
        with self._lock:
            if case not in self._functions:
                self._functions[case] = SweepFunction(self.program(case).program, self.box, self.folds)
            return self._functions[case]

    @cached_property
    def _functions(self) -> dict[int, SweepFunction]:
        return {}

    @cached_property
    def _lock(self) -> Any:
        return Lock()

    def __getstate__(self) -> dict[str, Any]:
        """What was asked, and nothing that is made of it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def key(self) -> str:
        """A hash of all that the totals depend on."""
        programs = [self.program(case).program.digest for case in range(len(self.cases))]
        return sha256(
            repr((programs, self.ranges, self.draw, self.axes, self.folds, self.slices()[0])).encode()
        ).hexdigest()
