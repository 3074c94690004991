"""Sine and cosine of the engine, against mpmath over the whole range, in both precisions and tiers."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from dynamis.compute.backends.function import Function
from dynamis.compute.backends.llvm.machine import host
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.ir.sincos import FAST_PATH_LIMIT
from tests.support.functions import TIERS, run, same_bits, small_function
from tests.support.processors import PROCESSORS, built, runs_here

Array = NDArray[np.floating]
FLOATS = ("float64", "float32")
MOST_ULP = {"float64": 0.8, "float32": 1.6}
"""The error of the fast path; measured: 0.77 and, for every seventh float up to 1e5, 1.52."""
MOST_ULP_BEYOND = {"float64": 0.6, "float32": 0.6}
"""The error of the C library."""


@cache
def turns() -> Function:
    return small_function("turns", lambda trace, x: (trace.sin(x), trace.cos(x)))


def sines(x: Array, tier: str = "machine code") -> Array:
    """Columns of sines and cosines."""
    return run(turns(), tier, x[:, None], dtype=str(x.dtype))[0]


def ulps(x: Array) -> float:
    """The largest error of sine and cosine at x, in units of the last place of the exact values."""
    found = sines(x)
    assert found.dtype == x.dtype
    worst = 0.0
    # Bits of pi: those of the largest angle, and as many again as the result has, twice.
    with mpmath.workprec(1200 if np.abs(x).max() > 2 * FAST_PATH_LIMIT else 160):
        for angle, row in zip(x.tolist(), found.tolist(), strict=True):
            for exact, value in zip((mpmath.sin(angle), mpmath.cos(angle)), row, strict=True):
                unit = float(np.spacing(np.abs(x.dtype.type(float(exact)))))
                worst = max(worst, float(abs(exact - value)) / unit)
    return worst


def around(points: Array, dtype: str) -> Array:
    """Floats next to the points: themselves, and one, two and many places away."""
    x = points.astype(dtype)
    unit = np.spacing(x)
    return np.concatenate([x + k * unit for k in (-1000, -2, -1, 0, 1, 2, 1000)])


@pytest.mark.parametrize("dtype", FLOATS)
def test_over_the_fast_path(dtype: str) -> None:
    """All sizes up to the limit, both signs."""
    rng = np.random.default_rng(1)
    sizes = np.concatenate(
        [10 ** rng.uniform(-12, 5, 1500), rng.uniform(0, 7, 1500), rng.uniform(0, FAST_PATH_LIMIT, 1500)]
    )
    assert ulps((sizes * rng.choice([-1, 1], sizes.size)).astype(dtype)) < MOST_ULP[dtype]


@pytest.mark.parametrize("dtype", FLOATS)
def test_next_to_multiples_of_a_right_angle(dtype: str) -> None:
    """Where a value is nearly zero its last place is small, and nothing may have been lost of the angle."""
    rng = np.random.default_rng(2)
    k = np.concatenate([np.arange(-40, 41), rng.integers(-63661, 63662, 150), [-63661, 63661]])
    assert ulps(around(k * (np.pi / 2), dtype)) < MOST_ULP[dtype]
    # Eighths of a turn are where the quadrant changes.
    assert ulps(around((k[:150] + 0.5) * (np.pi / 2), dtype)) < MOST_ULP[dtype]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_zeros_keep_their_sign(dtype: str, tier: str) -> None:
    x = np.array([-0.0, 0.0, -0.0, 1.0, -5e-324, 0.0, -0.0, 2.0, -0.0], dtype)
    assert np.all(np.signbit(sines(x, tier)[:, 0]) == np.signbit(x))


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_hardest_angles(dtype: str) -> None:
    """The floats up to the limit that are nearest to a multiple of a right angle, by continued fractions."""
    x = hardest(dtype)
    assert x.size > 20
    assert ulps(x) < MOST_ULP[dtype]


def hardest(dtype: str) -> Array:
    """For every exponent, the mantissas m whose m 2^e comes nearest to some k pi/2."""
    bits = 53 if dtype == "float64" else 24
    found: list[float] = []
    with mpmath.workprec(400):
        for e in range(-bits, 17 - bits + 1):
            # Convergents k / m of 2^e / (pi/2) with m < 2^bits are the best ones.
            ratio = mpmath.ldexp(1, e) / (mpmath.pi / 2)
            k0, k1, m0, m1 = 0, 1, 1, 0
            rest = ratio
            for _ in range(200):
                a = int(mpmath.floor(rest))
                k0, k1, m0, m1 = k1, a * k1 + k0, m1, a * m1 + m0
                if m1 >= 2**bits or rest == a:
                    break
                rest = 1 / (rest - a)
                if m1 and m1 * 2.0**e < FAST_PATH_LIMIT and k1:
                    found.append(m1 * 2.0**e)
    return np.unique(np.array(found, dtype=dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_beyond_the_fast_path(dtype: str) -> None:
    rng = np.random.default_rng(3)
    x = 10 ** rng.uniform(5, 300 if dtype == "float64" else 38, 1500)
    assert ulps(np.concatenate([x, -x[:100]]).astype(dtype)) < MOST_ULP_BEYOND[dtype]
    assert ulps(around(np.array([FAST_PATH_LIMIT, -FAST_PATH_LIMIT, 63662 * np.pi / 2]), dtype)) < MOST_ULP[dtype]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("tier", TIERS)
def test_tiny_angles_are_their_own_sines(dtype: str, tier: str) -> None:
    """Denormals too; the sine of -0 is 0 with either sign."""
    info = np.finfo(dtype)
    sizes = [0.0, info.smallest_subnormal, 5 * info.smallest_subnormal, info.tiny, 3 * info.tiny, info.eps**2]
    x = np.array([*sizes, *(-s for s in sizes)], dtype=dtype)
    np.testing.assert_array_equal(sines(x, tier), np.stack([x, np.ones_like(x)], axis=1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("tier", TIERS)
def test_what_is_no_angle_has_no_sine(dtype: str, tier: str) -> None:
    assert np.isnan(sines(np.array([np.nan, np.inf, -np.inf], dtype=dtype), tier)).all()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("odd", [np.nan, np.inf, 1e6, -3e37, 0.0])
def test_lanes_do_not_disturb_each_other(dtype: str, odd: float) -> None:
    """A large angle, or none, in any one lane: the others are right, and nearly as they were."""
    count = 2 * lanes_for(dtype, host()).width
    x = np.random.default_rng(4).uniform(-9, 9, count).astype(dtype)
    alone = sines(x)
    for lane in range(count):
        y = x.copy()
        y[lane] = odd
        for tier in TIERS:
            found = sines(y, tier)
            others = np.arange(count) != lane
            np.testing.assert_array_max_ulp(found[others], alone[others], 1)
            exact = [[np.sin(np.float64(y[lane])), np.cos(np.float64(y[lane]))]] if np.isfinite(odd) else [[np.nan] * 2]
            np.testing.assert_allclose(found[lane : lane + 1], exact, rtol=2 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", FLOATS)
def test_both_tiers_alike(dtype: str) -> None:
    rng = np.random.default_rng(5)
    x = (rng.uniform(-1, 1, 4001) * 10 ** rng.uniform(-3, 4.9, 4001)).astype(dtype)
    same_bits(sines(x, "bytecode"), sines(x, "machine code"))


def test_floats_as_they_are_reduced_without_fused_operations() -> None:
    """Machines without them reduce in doubles."""
    runs_here(PROCESSORS["SSE2"])
    x = np.random.default_rng(6).uniform(-FAST_PATH_LIMIT, FAST_PATH_LIMIT, 1000).astype(np.float32)
    found = built(turns().program, "float32", PROCESSORS["SSE2"])(x[:, None])
    wide = x.astype(np.float64)
    np.testing.assert_allclose(found, np.stack([np.sin(wide), np.cos(wide)], axis=1), atol=1e-7)
