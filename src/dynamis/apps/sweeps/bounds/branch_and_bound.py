"""Branch and bound: the largest value over a box, bracketed from both sides.

A bound of a small box is the better of two: the natural one, and the mean value form

    f(y, v) <= max over v of f(c, v) + sum_k |df/dy_k| r_k        (c the centre, r the radii of the box)

which is off by the square of the size of the box. Where a slope has one sign over a box, only a face of it can have
the largest value, and the box shrinks to that face. The box with the largest bound is divided first, along the
dimension that promises most, until the bound is near to the largest value that was found, or time is up.

Source: R. B. Kearfott, Rigorous Global Search: Continuous Problems, 1996, chapters 1 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.bounds.enclosure import Enclosed, enclose_program
from dynamis.apps.sweeps.bounds.expansion import Expansion, Monomial
from dynamis.apps.sweeps.bounds.intervals import ZERO, Interval, exactly
from dynamis.base.arrays import Array

BOXES_PER_STEP = 128
"""Boxes that are divided at a time."""
MOST_BOXES = 300_000
"""Boxes that wait: beyond, the bound stays as it is."""


@dataclass(frozen=True)
class Bounded:
    """The largest value that was found and its state, what no value exceeds, and how many boxes it took."""

    found: float
    place: Array
    bound: float
    boxes: int


class Boxes:
    """Bounds of side * value over boxes (dimensions, boxes) of everything that is swept or stands still."""

    def __init__(self, value: Expansion, names: list[str], fixed: dict[str, float], side: int) -> None:
        self.value, self.names, self.fixed, self.side = value, names, fixed, side
        self.outer = [k for k in range(len(names)) if k not in value.inner]

    def bounds(self, box: Interval) -> tuple[Array, Interval, Array]:
        """(bounds, slopes by every dimension, what dividing each promises), each with the boxes along the last axis."""
        inner = list(self.value.inner)
        y = Interval(box.lo[inner], box.hi[inner])
        centre = box.lo.copy()
        centre[inner] = (y.lo + y.hi) / 2
        radius = np.nextafter(np.maximum(y.hi - centre[inner], centre[inner] - y.lo), np.inf)
        terms = [self._monomial(box, x) for x in self.value.monomials]
        at_centre = enclose_program(self.value.program, Interval(centre, centre))
        around = enclose_program(self.value.program, box, inner)
        shape = box.lo.shape[1:]
        natural, middle = (self._sum(x, terms) for x in (around, at_centre))
        rates = ZERO * exactly(np.zeros((len(inner), *shape)))
        for x, term in zip(around, terms, strict=True):
            if x.slopes is not None:
                rates = rates + x.slopes * term
        with np.errstate(invalid="ignore"):
            change = exactly(rates.size * radius).hull(ZERO)
        spread = ZERO
        for k in range(len(inner)):
            spread = spread + Interval(change.lo[k], change.hi[k])
        mean_value = middle + spread if self.side > 0 else middle - spread
        best = np.fmin(*(self._upper(x) for x in (natural, mean_value)))
        best = np.broadcast_to(np.where(np.isnan(best), inf, best), shape)
        slopes = Interval(*(np.zeros((len(self.names), *shape)) for _ in range(2)))
        slopes.lo[inner], slopes.hi[inner] = rates.lo, rates.hi
        promise = np.zeros_like(box.lo)
        promise[inner] = np.nan_to_num((rates.hi - rates.lo) * radius, nan=1e300, posinf=1e300)
        for k in self.outer:
            slope, mixed = self._outer_slope(box, k, around)
            slopes.lo[k], slopes.hi[k] = slope.lo, slope.hi
            promise[k] = mixed
        return best, slopes, promise

    def _upper(self, x: Interval) -> Array:
        return x.hi if self.side > 0 else -x.lo

    def _sum(self, coefficients: list[Enclosed], terms: list[Interval]) -> Interval:
        total = ZERO
        for a, term in zip(coefficients, terms, strict=True):
            total = total + a.value * term
        return total

    def _of(self, box: Interval, name: str) -> Interval:
        if name in self.names:
            k = self.names.index(name)
            return Interval(box.lo[k], box.hi[k])
        return exactly(self.fixed.get(name, 0.0))

    def _monomial(self, box: Interval, names: Monomial) -> Interval:
        if len(names) == 2 and names[0] == names[1]:
            return self._of(box, names[0]).square
        product = exactly(1.0)
        for name in names:
            sign = name.startswith("sign ")
            x = self._of(box, name.removeprefix("sign "))
            product = x.sign() if sign else product * x
        return product

    def _outer_slope(self, box: Interval, k: int, around: list[Enclosed]) -> tuple[Interval, Array]:
        """The slope by a velocity or an acceleration, and what dividing it promises: only products gain."""
        name, slope, gain = self.names[k], ZERO, np.zeros(box.lo.shape[1:])
        width = box.hi[k] - box.lo[k]
        for a, names in zip(around, self.value.monomials, strict=True):
            if f"sign {name}" in names:
                jumps = (box.lo[k] <= 0) & (box.hi[k] >= 0)
                slope = slope + Interval(np.where(jumps, -inf, 0.0), np.where(jumps, inf, 0.0))
                gain = gain + np.where(jumps, a.value.size, 0.0)
            if name in names:
                rest = list(names)
                rest.remove(name)
                factor = exactly(float(names.count(name))) * self._monomial(box, tuple(rest))
                slope = slope + a.value * factor
                if rest and rest[0] != name:
                    other = self._of(box, rest[0])
                    gain = gain + a.value.size * (other.hi - other.lo) * width / 4
        return slope, gain


def largest(
    boxes: Boxes,
    whole: Interval,
    evaluate: Callable[[Array], Array],
    found: tuple[float, Array],
    tolerance: float,
    seconds: float,
) -> Bounded:
    """The largest side * value over a box (dimensions, 1); `evaluate` gives it at points, `found` is one of them."""
    stop = perf_counter() + seconds
    best, place = found
    lo, hi, bound, divide, count = whole.lo, whole.hi, np.array([inf]), np.array([-1]), 0
    dropped = -inf
    fresh = True
    while True:
        if fresh:
            chosen, fresh = np.array([0]), False
            parts = whole
        else:
            if not len(bound) or bound.max() <= best + tolerance or perf_counter() > stop or len(bound) > MOST_BOXES:
                break
            chosen = np.argsort(-bound)[:BOXES_PER_STEP]
            chosen = chosen[hi[divide[chosen], chosen] > lo[divide[chosen], chosen]]
            if not len(chosen):
                break
            parts = _halves(lo[:, chosen], hi[:, chosen], divide[chosen])
        above, slopes, promise = boxes.bounds(parts)
        count += len(above)
        smaller = _shrunk(parts, slopes, boxes.side)
        changed = ((smaller.lo > parts.lo) | (smaller.hi < parts.hi)).any(0) & (above > best)
        parts = smaller
        if changed.any():
            again, _, promise[:, changed] = boxes.bounds(Interval(parts.lo[:, changed], parts.hi[:, changed]))
            above = above.copy()
            above[changed] = np.minimum(above[changed], again)
        along = np.where(parts.hi > parts.lo, promise, -1.0).argmax(0)
        points = np.where(boxes.side * (slopes.lo + slopes.hi) > 0, parts.hi, parts.lo)
        inner = list(boxes.value.inner)
        points[inner] = (parts.lo[inner] + parts.hi[inner]) / 2
        values = boxes.side * evaluate(points.T)
        if (k := int(np.nanargmax(values))) >= 0 and values[k] > best:
            best, place = float(values[k]), points[:, k]
        if len(bound) and len(chosen):
            above = np.minimum(above, np.tile(bound[chosen], len(above) // len(chosen)))
        open_ = above > best
        dropped = max(dropped, float(above[~open_].max(initial=-inf)))
        keep = np.ones(len(bound), bool)
        keep[chosen] = False
        old = keep & (bound > best)
        dropped = max(dropped, float(bound[keep & ~old].max(initial=-inf)))
        lo, hi = (np.concatenate([a[:, old], b[:, open_]], 1) for a, b in ((lo, parts.lo), (hi, parts.hi)))
        bound, divide = np.concatenate([bound[old], above[open_]]), np.concatenate([divide[old], along[open_]])
    return Bounded(best, place, max(dropped, float(bound.max(initial=-inf)), best), count)


def _halves(lo: Array, hi: Array, divide: NDArray[np.intp]) -> Interval:
    """Both halves of every box, along its own dimension."""
    places = np.arange(len(divide), dtype=np.intp)
    middle = (lo[divide, places] + hi[divide, places]) / 2
    left, right = hi.copy(), lo.copy()
    left[divide, places], right[divide, places] = middle, middle
    return Interval(np.concatenate([lo, right], 1), np.concatenate([left, hi], 1))


def _shrunk(box: Interval, slopes: Interval, side: int) -> Interval:
    """The faces that can have the largest value."""
    rises, falls = (slopes.lo >= 0, slopes.hi <= 0) if side > 0 else (slopes.hi <= 0, slopes.lo >= 0)
    return Interval(np.where(rises, box.hi, box.lo), np.where(falls & ~rises, box.lo, box.hi))
