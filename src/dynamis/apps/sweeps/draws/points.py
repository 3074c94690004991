"""Points of the unit cube by their index: nothing is stored, any range of indices can be made anywhere.

Points come in blocks: row r of block b is table[r] ^ base(b) or table[r] + base(b), in fixed point with 64 bits after
the point, modulo 1. So a machine makes a point of a few instructions per dimension, and the table is small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.draws.sobol import sobol_steps
from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

Bits = NDArray[np.uint64]
Way = Literal["xor", "add"]
BLOCK_ROWS = 1024
"""Rows of a table; it stays in the second cache, and a base is made once for as many points."""
MOST_STATES = 2**52
"""Indices stay exact in float64, and sequences keep 52 of their bits."""


@dataclass(frozen=True)
class Points:
    """`count` points of d dimensions. `stretch` takes each dimension from [0, 1) to where its last point is 1."""

    count: int
    way: Way
    table: Bits
    bases: Callable[[Bits], Bits]
    """(numbers of blocks) -> (..., d)"""
    stretch: tuple[float, ...]
    given: Callable[[int, int], Array] | None = None
    """(first, stop) -> rows that are not made, but there."""

    @property
    def block(self) -> int:
        """Points of a block."""
        return len(self.table)

    def rows(self, first: int, stop: int) -> Array:
        """The points from index `first` to before `stop`, (stop - first, d)."""
        if self.given is not None:
            return self.given(first, stop)
        index = np.arange(first, stop, dtype=np.uint64)
        table, base = self.table[index % np.uint64(self.block)], self.bases(index // np.uint64(self.block))
        bits = table ^ base if self.way == "xor" else table + base
        return (bits >> np.uint64(12)).astype(np.float64) * 2.0**-52 * np.array(self.stretch)


@dataclass(frozen=True)
class Draw:
    """How states are drawn: a sequence of `count` points in as many dimensions as the sweep has."""

    kind: Literal["sobol", "lattice", "grid", "latin hypercube", "samples"]
    count: int
    seed: int | None = None
    """Moves all points by the same random amount, modulo 1."""
    axis: int = 0
    """Points along each axis of a grid."""

    def __str__(self) -> str:
        """
        >>> str(sobol(1000, seed=2)), str(grid(9))
        ('sobol(1000, seed=2)', 'grid(9)')
        """
        count = self.axis if self.kind == "grid" else self.count
        return f"{self.kind.replace(' ', '_')}({count}{'' if self.seed is None else f', seed={self.seed}'})"

    def points(self, dimensions: int) -> Points:
        """The points in so many dimensions.

        >>> sobol(4).points(2).rows(1, 3).tolist()
        [[0.5, 0.5], [0.75, 0.25]]
        """
        return points_of(self, dimensions)


def sobol(count: int, seed: int | None = None) -> Draw:
    """The first `count` points of the Sobol sequence (Joe and Kuo): they fill the cube evenly, powers of two best."""
    return Draw("sobol", _count(count), _seed(seed))


def lattice(count: int, seed: int | None = None) -> Draw:
    """`count` points k a modulo 1 of a lattice, where a has powers of a generalised golden ratio (Roberts)."""
    return Draw("lattice", _count(count), _seed(seed))


def latin_hypercube(count: int, seed: int = 0) -> Draw:
    """`count` points, one in each of `count` slices of every axis."""
    return Draw("latin hypercube", _count(count), integer("seed", seed, least=0))


def grid(points: int) -> Draw:
    """All combinations of `points` values along each axis, both ends among them."""
    return Draw("grid", 0, axis=integer("points", points, least=2, most=MOST_STATES))


def points_of(draw: Draw, dimensions: int) -> Points:
    """The points of a draw in so many dimensions."""
    if draw.kind == "grid":
        return _grid((draw.axis,) * dimensions)
    if draw.kind == "latin hypercube":
        return _latin(draw.count, dimensions, draw.seed or 0)
    sequence: tuple[Way, Callable[[int], Bits]]
    sequence = ("xor", sobol_steps) if draw.kind == "sobol" else ("add", _kronecker)
    way, directions = sequence
    shift = _shift(dimensions, draw.seed)
    steps = directions(dimensions)
    low_bits = BLOCK_ROWS.bit_length() - 1
    low, high = steps[:low_bits], steps[low_bits:]
    table = _combine_steps(np.arange(BLOCK_ROWS, dtype=np.uint64), low, way)
    join = np.bitwise_xor if way == "xor" else np.add

    near = _combine_steps(np.arange(BLOCK_ROWS, dtype=np.uint64), high[:low_bits], way)

    def bases(blocks: Bits) -> Bits:
        """Blocks have numbers of two digits as well: two tables, joined."""
        far, place = blocks // np.uint64(BLOCK_ROWS), blocks % np.uint64(BLOCK_ROWS)
        chosen, numbers = np.unique(far, return_inverse=True)
        return join(near[place], join(_combine_steps(chosen, high[low_bits:], way), shift)[numbers])

    return Points(draw.count, way, table, bases, (1.0,) * dimensions)


def _count(count: int) -> int:
    number = integer("count", count, least=1)
    if number > MOST_STATES:
        raise ArgumentError(f"a sweep has at most 2^52 = {MOST_STATES:.2g} states, got {_rough(number)}", key="count")
    return number


def _rough(count: int) -> str:
    """A large integer, which may be beyond what a float can be."""
    return f"{count:.3g}" if count < 10**300 else "more than 1e300"


def _seed(seed: int | None) -> int | None:
    return None if seed is None else integer("seed", seed, least=0)


def _combine_steps(index: Bits, steps: Bits, way: str) -> Bits:
    """The sum, or the exclusive or, of the steps of the bits of every index."""
    total = np.zeros((*index.shape, steps.shape[1]), np.uint64)
    for bit, step in enumerate(steps):
        chosen = ((index >> np.uint64(bit)) & np.uint64(1))[..., None] * step
        total = total ^ chosen if way == "xor" else total + chosen
    return total


def _shift(dimensions: int, seed: int | None) -> Bits:
    if seed is None:
        return np.zeros(dimensions, np.uint64)
    return np.random.default_rng(seed).integers(0, 2**64, dimensions, np.uint64, endpoint=False)


@cache
def _kronecker(dimensions: int) -> Bits:
    """2^k a for every bit k of an index; a_i = phi^-i, where phi^(d+1) = phi + 1."""
    low, high, one = 1 << 80, 2 << 80, 1 << 80
    while high - low > 1:  # phi with 80 bits after the point
        middle = (low + high) // 2
        power = one
        for _ in range(dimensions + 1):
            power = power * middle >> 80
        low, high = (low, middle) if power > middle + one else (middle, high)
    steps, a = list[int](), one
    for _ in range(dimensions):
        a = (a << 80) // low
        steps.append(a >> 16)
    return np.array([[(a << k) % 2**64 for a in steps] for k in range(52)], np.uint64)


def _grid(axes: tuple[int, ...]) -> Points:
    """Blocks are all points of the last axes, as many of these as stay short; a long one is cut in equal parts."""
    count = prod(axes)
    if count > MOST_STATES:
        raise ArgumentError(f"this grid has {_rough(count)} points; a sweep has at most 2^52 = 4.5e15", key="draw")
    part = next(k for k in range(min(axes[-1], 4 * BLOCK_ROWS), 0, -1) if axes[-1] % k == 0)
    digits = (*axes[:-1], axes[-1] // part, part)  # the last axis as two
    inner = len(digits) - 1
    while inner > 0 and prod(digits[inner - 1 :]) <= 4 * BLOCK_ROWS:
        inner -= 1
    steps = [-(-(2**64) // n) for n in axes]
    values = np.array([*steps[:-1], steps[-1] * part % 2**64, steps[-1]], np.uint64)

    def bits(index: Bits, first: int, stop: int) -> Bits:
        columns = np.zeros((*index.shape, len(digits)), np.uint64)
        columns[..., first:stop] = _digits(index, digits[first:stop]) * values[first:stop]
        return np.concatenate([columns[..., :-2], columns[..., -2:].sum(-1, keepdims=True, dtype=np.uint64)], -1)

    table = bits(np.arange(prod(digits[inner:]), dtype=np.uint64), inner, len(digits))
    return Points(count, "add", table, lambda blocks: bits(blocks, 0, inner), tuple(n / (n - 1) for n in axes))


def _digits(index: Bits, axes: tuple[int, ...]) -> Bits:
    """The digits of numbers in the mixed base of the axes, the last axis the fastest."""
    digits = np.zeros((*index.shape, len(axes)), np.uint64)
    for k, n in reversed(list(enumerate(axes))):
        index, digits[..., k] = np.divmod(index, np.uint64(n))
    return digits


def _latin(count: int, dimensions: int, seed: int) -> Points:
    """A point is the middle of its slices; along every axis the slices come in the order of a random permutation."""
    keys = np.random.default_rng(seed).integers(0, 2**63, (dimensions, 4), np.uint64)
    half = max(1, -(-(count - 1).bit_length() // 2))
    step = 2**64 / count

    def bases(blocks: Bits) -> Bits:
        places = np.stack([_permute_indices(blocks, count, half, key) for key in keys], -1)
        return ((places.astype(np.float64) + 0.5) * step).astype(np.uint64)

    return Points(count, "add", np.zeros((1, dimensions), np.uint64), bases, (1.0,) * dimensions)


def _permute_indices(index: Bits, count: int, half: int, keys: Bits) -> Bits:
    """A permutation of 0 ... count - 1: a Feistel cipher of 2 `half` bits, again where it leaves the range."""
    mask, shift = np.uint64(2**half - 1), np.uint64(half)
    result, waiting = index.copy(), np.ones(index.shape, bool)
    while waiting.any():
        left, right = result[waiting] >> shift, result[waiting] & mask
        for key in keys:
            mixed = (right + key) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
            left, right = right, left ^ ((mixed >> np.uint64(32)) & mask)
        result[waiting] = (left << shift) | right
        waiting &= result >= np.uint64(count)
    return result
