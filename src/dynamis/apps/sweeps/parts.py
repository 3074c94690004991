"""What a sweep computes: states made from their index, measured, and reduced as they are made, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from itertools import product
from math import prod
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.array_sweep import LIBRARIES, ArraySweep
from dynamis.apps.sweeps.cells import Axis
from dynamis.apps.sweeps.draws.points import Draw, Points
from dynamis.apps.sweeps.draws.samples import Samples
from dynamis.apps.sweeps.fronts import Pareto
from dynamis.apps.sweeps.measures import Measure
from dynamis.apps.sweeps.program import SweepProgram, sweep_program
from dynamis.apps.sweeps.ranges import Ranges, check_limits_stand
from dynamis.apps.sweeps.reductions import NEEDS, Exceeds, Histogram, Kept, Quantile, Totals
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.backends.llvm.sweep_function import SweepFunction
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.compute.ir.folds import Box, Fold
from dynamis.compute.program.quantity_program import STATE_UNITS, state_operand
from dynamis.model.joint_limits import joint_limits
from dynamis.model.loads import Load
from dynamis.robot import Robot

TARGET_SLICES, MIN_SLICE_STATES, MAX_SLICE_STATES = 64, 2**16, 2**27
"""A sweep has so many slices, if these are neither shorter nor longer than so many states. One thread makes the totals
of a slice, in some 2 s for the torques of an arm; on a cluster it is a task. Slices are merged in groups, in the order
of their indices, so that sums round alike on any number of threads and processes."""
GROUP_SLICES, GROUP_BYTES = 16, 2**28
"""Slices of a group, if their totals have no more bytes together. On a cluster a worker merges them, and sends one
total per group."""
AT_ONCE = 2**14
"""States, or bases of blocks, that NumPy makes at once: they stay in the cache."""
SAMPLE_BYTES = 2**23
"""Of the samples of a slice: on a cluster a task carries them, and Dask asks for less than 10 MB. Slices are longer if
their totals are large, such as those of quantiles in many cells, which are merged slice by slice."""
LARGEST_SAMPLES = 2**28
MOST_BYTES = 512 * 2**20
"""Of the totals of one slice."""
MOST_CASES = 10_000
"""Each has machine code of its own."""
MOST_BYTES_OF_ALL = 2**31
"""Of the totals of all cases."""
PILOT_STATES = 2**12
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
        return self.draw.points(len(self.ranges.dimensions))

    @cached_property
    def cases(self) -> list[dict[str, float]]:
        """The values that are run through, all combinations."""
        if (count := prod(len(values) for _, values in self.ranges.cases)) > MOST_CASES:
            raise ArgumentError(
                f"over has {count:.3g} cases to run through, more than {MOST_CASES}: sweep over a box of values",
                key="over",
            )
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

    def points_at(self, indices: NDArray[Any]) -> Array:
        """What the dimensions are in single states, (states, d)."""
        rows = [self.points.rows(k, k + 1) for k in indices.tolist()]
        return self.ranges.values(np.concatenate(rows) if rows else np.zeros((0, len(self.ranges.dimensions))))

    def measured(self, case: int, first: int, stop: int) -> Array:
        """The values in these states, by NumPy, (stop - first, values)."""
        return evaluate_program(self.program(case).program, (self.values(first, stop),), "float64")[0]

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
        size = self._size(folds)
        if size > MOST_BYTES:
            raise ArgumentError(
                f"these cells, values and bins need {size / 1e6:.0f} MB, more than {MOST_BYTES / 1e6:.0f} MB: "
                "take fewer cells or fewer bins",
                key="keep",
            )
        if (every := size * len(self.cases)) > MOST_BYTES_OF_ALL:
            raise ArgumentError(
                f"the results of {len(self.cases)} cases need {every / 1e6:.0f} MB, more than "
                f"{MOST_BYTES_OF_ALL / 1e6:.0f} MB: run through fewer values, or sweep over a box of them",
                key="over",
            )
        return tuple(folds)

    @cached_property
    def bytes(self) -> int:
        """Of the totals of a part."""
        return self._size(self.folds)

    def _size(self, folds: Sequence[Fold]) -> int:
        count = len(self.names)
        return 8 * (self.cells + 2) * sum(x.arrays * x.words(count, count) for x in folds)

    @property
    def fronts(self) -> list[Pareto]:
        """The Pareto fronts of `keep`."""
        return [x for x in self.keep if isinstance(x, Pareto)]

    @property
    def histograms(self) -> list[Histogram | Quantile]:
        """The bins that `keep` needs: quantiles of as many bins share theirs."""
        return list(dict.fromkeys(x.binning for x in self.keep if isinstance(x, Histogram | Quantile)))

    @cached_property
    def look(self) -> Array:
        """The values in the first states of all cases, for scales; NaN left out."""
        every = np.concatenate(
            [self.measured(case, 0, min(PILOT_STATES, self.points.count)) for case in range(len(self.cases))]
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

    def check_kept(self) -> None:
        """Raise where limits or fronts of `keep` do not fit the values."""
        for x in self.keep:
            if isinstance(x, Exceeds):
                self._limits(x)
            elif isinstance(x, Pareto):
                x.terms(self.names)

    def _limits(self, kind: Exceeds) -> tuple[float, ...]:
        count = len(self.names)
        if isinstance(kind.limit, str):
            instead = "numbers, or sweep effort_ratio and keep exceeds(1)" if kind.limit == "effort" else "numbers"
            check_limits_stand(self.robot.coordinates, self.ranges.parameters, (kind.limit,), instead)
            limits = getattr(joint_limits(self.robot), kind.limit)
            if len(limits) != count:
                raise ArgumentError(
                    f"{self.measure.name} has {count} values, not one per joint: give numbers", key="keep"
                )
            units = state_operand(self.robot, {"effort": "tau", "velocity": "qd"}[kind.limit]).units
            if units != self.units:
                raise ArgumentError(
                    f"limits of {kind.limit} are in {units[0]}, {self.measure.name} in {self.units[0] or 'no unit'}: "
                    "give numbers",
                    key="keep",
                )
            if not np.isfinite(limits).all():
                raise ArgumentError(
                    f'robot "{self.robot.name}" gives no limits of {kind.limit}; give numbers', key="keep"
                )
            return tuple(limits.tolist())
        if len(kind.limit) not in (1, count):
            raise ArgumentError(f"exceeds has {len(kind.limit)} limits for {count} values", key="keep")
        return tuple(np.broadcast_to(kind.limit, count).tolist())

    @cached_property
    def length(self) -> int:
        """States of a slice."""
        if isinstance(self.draw, Samples):
            size = max(SAMPLE_BYTES, min(4 * self.bytes, LARGEST_SAMPLES))
            return size // (8 * len(self.ranges.dimensions)) + 1
        block = self.points.block
        return -(-min(max(self.points.count // TARGET_SLICES, MIN_SLICE_STATES), MAX_SLICE_STATES) // block) * block

    @property
    def slices_of_case(self) -> int:
        return -(-self.points.count // self.length)

    @property
    def slices(self) -> int:
        """Of all cases."""
        return self.slices_of_case * len(self.cases)

    def slice(self, number: int) -> tuple[int, int, int]:
        """(case, first, stop): the states of a slice."""
        case, place = divmod(number, self.slices_of_case)
        return case, place * self.length, min((place + 1) * self.length, self.points.count)

    @cached_property
    def group(self) -> int:
        """Slices that are merged with each other before they are merged with the rest."""
        return max(1, min(GROUP_SLICES, GROUP_BYTES // self.bytes))

    def group_end(self, number: int) -> int:
        """The slice after the last one of the group of a slice."""
        case, place = divmod(number, self.slices_of_case)
        return case * self.slices_of_case + min((place // self.group + 1) * self.group, self.slices_of_case)

    def empty(self) -> Totals:
        """The totals of no states."""
        return Totals.empty(self.folds, self.cells, len(self.names), len(self.names))

    def sent(self, number: int) -> Array | None:
        """The samples of a slice, where another process cannot read them by itself."""
        if not isinstance(self.draw, Samples) or self.draw.file:
            return None
        _, first, stop = self.slice(number)
        return self.values(first, stop)

    def part(
        self, case: int, first: int, stop: int, before: Totals | None = None, samples: Array | None = None
    ) -> Totals:
        """The totals of a range of states; `first` is the first of a block. `samples` are those of `sent`.

        Extremes begin with those of `before`, of states that come before these: merged, the result is the same, and
        fewer extremes are new, which takes time.
        """
        function, block = self.function(case), self.points.block
        totals = Totals.empty(self.folds, self.cells, function.row, function.values)
        if before is not None:
            totals.begin_with(before)
        step = AT_ONCE * (block if self.box else 1)
        for start in range(first, stop, step):
            end = min(start + step, stop)
            if self.box:
                blocks = np.arange(start // block, -(-end // block), dtype=np.uint64)
                function(self.points.table, self.points.bases(blocks), end - start, start, totals.arrays)
            else:
                rows = self.values(start, end) if samples is None else samples[start - first : end - first]
                function(np.ascontiguousarray(rows), None, end - start, start, totals.arrays)
        return totals.trimmed(function.values)

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

    @property
    def backend(self) -> str:
        """Where states are computed: "cuda" and "numpy" do it with arrays, all others with machine code of the CPU."""
        return backend_for(self.robot.backend).name

    def function(self, case: int) -> SweepFunction | ArraySweep:
        """What runs a case, made once in a process."""
        with self._lock:
            if case not in self._functions:
                program, backend = self.program(case).program, self.backend
                if backend in LIBRARIES:
                    function = backend_for(self.robot.backend).function("sweep", program, self.robot.name)
                    self._functions[case] = ArraySweep(function, self.box, self.folds, backend)
                else:
                    self._functions[case] = SweepFunction(program, self.box, self.folds)
            return self._functions[case]

    @cached_property
    def _functions(self) -> dict[int, SweepFunction | ArraySweep]:
        return {}

    @cached_property
    def _lock(self) -> Any:
        return Lock()

    def __getstate__(self) -> dict[str, Any]:
        """What was asked, and the folds, which another machine might round otherwise; all else is made anew."""
        kept = {"folds": self.folds} if "folds" in vars(self) else {}
        return kept | {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def key(self) -> str:
        """A hash of all that the results depend on."""
        programs = [self.program(case).program.digest for case in range(len(self.cases))]
        asked = (programs, self.ranges, self.draw, self.axes, self.keep, self.folds, self.length, self.group)
        return sha256(repr(asked).encode()).hexdigest()
