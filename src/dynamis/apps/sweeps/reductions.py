"""What a sweep keeps of all the values: each reduction merges parts in any grouping to the same result (a monoid).

A `Kept` names what the user asked for; `Totals` are the arrays that the machine adds to, one row per cell, which parts
of a sweep have each for themselves and merge in the order of their indices.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.fronts import MOST_BINS, Pareto
from dynamis.base.arguments import finite_row, integer, number
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.ir.folds import Fold

NEEDS: dict[str, tuple[str, ...]] = {
    "max": ("max",), "argmax": ("max",), "min": ("min",), "argmin": ("min",), "peak": ("max", "min"),
    "argpeak": ("max", "min"), "mean": ("sum",), "variance": ("sum", "squares"), "deviation": ("sum", "squares"),
    "count": (),
}  # fmt: skip
"""The folds of every reduction that a word asks for; states are always counted."""
QUANTILE = re.compile(r"q(\d{1,3}(?:\.\d{1,12})?)", re.ASCII)
"""The words of quantiles: "q50", "q99.9"."""


@dataclass(frozen=True)
class Exceeds:
    """The share of states whose value is larger in size than a limit; "effort" and "velocity" are the robot's."""

    limit: str | tuple[float, ...]


@dataclass(frozen=True)
class Histogram:
    """How many states had values in each of `bins` equal bins from `least` to `greatest`, below and above."""

    bins: int
    least: tuple[float, ...]
    greatest: tuple[float, ...]

    @property
    def binning(self) -> Histogram:
        return self


@dataclass(frozen=True)
class Quantile:
    """The value that a share of all states stays below, from a histogram: right to one bin of it."""

    share: float
    bins: int

    @property
    def binning(self) -> Quantile:
        """What stands for all quantiles of the same bins."""
        return Quantile(0.5, self.bins)


Kept = str | Exceeds | Histogram | Quantile | Pareto


def exceeds(limit: Any) -> Exceeds:
    """Keep the share of states beyond a limit: "effort", "velocity", a number, or one per value."""
    if isinstance(limit, str):
        if limit not in ("effort", "velocity"):
            raise UnknownNameError("limit", limit, ("effort", "velocity"))
        return Exceeds(limit)
    limits = finite_row("limit", limit)
    if (limits < 0).any():
        raise ArgumentError(f"a limit is of sizes, and >= 0, got {literal(limit)}", key="keep")
    return Exceeds(tuple(limits.tolist()))


def histogram(bins: int, least: Any, greatest: Any) -> Histogram:
    """Keep a histogram of every value."""
    low, high = finite_row("least", least), finite_row("greatest", greatest)
    if low.shape != high.shape or not (low < high).all():
        raise ArgumentError(
            f"a histogram needs least < greatest, got {literal(least)} and {literal(greatest)}", key="keep"
        )
    return Histogram(integer("bins", bins, most=MOST_BINS), tuple(low.tolist()), tuple(high.tolist()))


def quantile(share: float, bins: int = 200) -> Quantile:
    """Keep a quantile; the error is at most one of the `bins` between the extremes of a first look, and it is told."""
    inside = number("share", share)
    if not 0 < inside < 1:
        raise ArgumentError(f"a quantile is for a share between 0 and 1, got {literal(share)}", key="keep")
    return Quantile(inside, integer("bins", bins, most=MOST_BINS))


def parse_reduction(word: Any) -> Kept:
    """One of `keep`: a word, or what exceeds, histogram, quantile and pareto give. "q99" is the quantile of 99 %."""
    if isinstance(word, Exceeds | Histogram | Quantile | Pareto):
        return word
    if isinstance(word, str) and (percent := QUANTILE.fullmatch(word)):
        share = Decimal(percent[1]) / 100
        if not 0 < share < 1:
            raise ArgumentError(
                f'a quantile is "q" and a percentage between 0 and 100, such as "q99.9", got "{word}"', key="keep"
            )
        return quantile(float(share))
    if not isinstance(word, str) or word not in NEEDS:
        raise UnknownNameError("reduction", word, [*NEEDS, "q50", "q99"], key="keep")
    return word


def kept_names(keep: Sequence[Kept]) -> dict[Kept, str]:
    """The name of every reduction in the results, each its own: "max", "q99.9", "beyond_3", "histogram2"."""
    names, counts = dict[Kept, str](), Counter[str]()
    for word in keep:
        if word in names:
            continue
        match word:
            case str():
                names[word] = word
            case Quantile():
                names[word] = f"q{100 * word.share:.10g}"
                if twice := next((x for x in names if x is not word and names[x] == names[word]), None):
                    assert isinstance(twice, Quantile)
                    raise ArgumentError(
                        f"keep has {names[word]} twice, with {twice.bins} and {word.bins} bins; give one", key="keep"
                    )
            case Exceeds(str() as limit):
                names[word] = f"beyond_{limit}"
            case Exceeds((limit,)):
                names[word] = f"beyond_{repr(limit).removesuffix('.0')}"
            case _:
                kind = {Exceeds: "beyond_limits", Histogram: "histogram", Pareto: "front"}[type(word)]
                counts[kind] += 1
                names[word] = kind if counts[kind] == 1 else f"{kind}{counts[kind]}"
    return names


@dataclass(frozen=True)
class Totals:
    """One array per array of the folds, each (cells + 1, words): the last row is for states outside of the map."""

    folds: tuple[Fold, ...]
    arrays: tuple[NDArray[Any], ...]

    @classmethod
    def empty(cls, folds: Sequence[Fold], cells: int, row: int, values: int) -> Totals:
        """Of no states; with one row more, for rows that fill up vectors."""
        arrays = list[NDArray[Any]]()
        for fold in folds:
            shape = (cells + 2, fold.words(row, values))
            whole = fold.kind in ("count", "nan", "beyond", "bins")
            arrays.append(_aligned_zeros(shape, np.int64 if whole else np.float64))
            if fold.arrays > 1:
                wide = values if fold.kind in ("max", "min") else shape[1]  # the rest of a row is 0, and never new
                arrays[-1][:, :wide] = np.inf if fold.kind == "min" else -np.inf
                arrays.append(_aligned_zeros(shape, np.int64))
                arrays[-1][...] = -1
            if fold.kind == "front":
                arrays.append(_aligned_zeros(shape, np.float64))
                arrays[-1][...] = -np.inf
        return cls(tuple(folds), tuple(arrays))

    def begin_with(self, before: Totals) -> None:
        """Take over the extremes of states that come before these, as what must be exceeded."""
        at = 0
        for fold in self.folds:
            if fold.kind in ("max", "min"):
                self.arrays[at][:, : before.arrays[at].shape[1]] = before.arrays[at]
            at += fold.arrays

    def copy(self) -> Totals:
        """With arrays of its own."""
        return Totals(self.folds, tuple(x.copy() for x in self.arrays))

    def trimmed(self, values: int) -> Totals:
        """Without what fills up registers, which differ from machine to machine."""
        widths = [fold.words(values, values) for fold in self.folds for _ in range(fold.arrays)]
        return Totals(self.folds, tuple(x[:, :width].copy() for x, width in zip(self.arrays, widths, strict=True)))

    def merge(self, later: Totals) -> None:
        """Add the states of `later`, whose indices come after."""
        at = 0
        for fold in self.folds:
            mine, other = self.arrays[at], later.arrays[at]
            if fold.arrays > 1:
                better = other < mine if fold.kind == "min" else other > mine
                if fold.kind == "front":
                    better |= (other == mine) & (later.arrays[at + 2] > self.arrays[at + 2])
                for k in range(at, at + fold.arrays):
                    self.arrays[k][better] = later.arrays[k][better]
            else:
                mine += other
            at += fold.arrays

    def of(self, kind: str) -> list[NDArray[Any]]:
        """The arrays of the first fold of this kind."""
        return self.all_of(kind)[0]

    def all_of(self, kind: str) -> list[list[NDArray[Any]]]:
        """The arrays of every fold of this kind."""
        starts = accumulate((fold.arrays for fold in self.folds), initial=0)
        ours = zip(starts, self.folds, strict=False)
        return [list(self.arrays[at : at + fold.arrays]) for at, fold in ours if fold.kind == kind]


def _aligned_zeros(shape: tuple[int, int], dtype: Any) -> NDArray[Any]:
    """Zeros that begin at a multiple of 64 bytes, as whole registers are read and written."""
    raw = np.zeros(shape[0] * shape[1] + 8, dtype)
    start = (-raw.ctypes.data % 64) // 8
    return raw[start : start + shape[0] * shape[1]].reshape(shape)
