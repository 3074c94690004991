"""Motions of extreme but finite numbers: they are computed, or refused in one sentence; no NaN, no warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.controllers import LoadOverTime
from dynamis.trajectories import (
    cubic,
    double_s,
    parabolic_blends,
    quintic,
    sampled,
    septic,
    shortest_time,
    spline,
    trapezoidal,
)

Make = Callable[[float, float, float, float], Any]
KINDS: dict[str, Make] = {
    "cubic": lambda d, a, b, c: cubic([0.0, 1.0], [d, 2.0], a, start_velocity=b),
    "quintic": lambda d, a, b, c: quintic([0.0], [d], a, start_velocity=b, goal_acceleration=c),
    "septic": lambda d, a, b, c: septic([0.0], [d], a, start_jerk=b),
    "rest to rest": lambda d, a, b, c: quintic([-d], [d], a),
    "within limits": lambda d, a, b, c: septic([0.0, 1.0], [d, 1.0], velocity=a, acceleration=b),
    "time and limits": lambda d, a, b, c: quintic([0.0], [d], c, velocity=a, acceleration=b),
    "another time": lambda d, a, b, c: quintic([0.0], [d], a).with_duration(b),
    "trapezoidal": lambda d, a, b, c: trapezoidal([0.0, 0.0], [d, 1.0], a, b),
    "trapezoidal, own times": lambda d, a, b, c: trapezoidal([0.0, 0.0], [d, 1.0], a, b, synchronised=False),
    "trapezoidal, longer": lambda d, a, b, c: trapezoidal([0.0, 0.0], [d, 1.0], a, b, duration=c),
    "double-S": lambda d, a, b, c: double_s([0.0], [d], a, b, c),
    "double-S, own times": lambda d, a, b, c: double_s([0.0, 0.0], [d, 1.0], a, b, c, synchronised=False),
    "blends": lambda d, a, b, c: parabolic_blends([0.0], [d], a, acceleration=b),
    "blends within limits": lambda d, a, b, c: parabolic_blends([0.0, 0.0], [d, 1.0], velocity=a, acceleration=b),
    "via": lambda d, a, b, c: parabolic_blends([0.0], [d], [a, c], acceleration=b, via=[[1.0]]),
    "via within limits": lambda d, a, b, c: parabolic_blends([0.0], [d], velocity=a, acceleration=b, via=[[c]]),
    "spline 3": lambda d, a, b, c: spline([[0.0], [1.0], [d]], [0.0, a, a + b]),
    "spline 5": lambda d, a, b, c: spline([[0.0], [1.0], [d], [c]], [0.0, a, a + b, a + 2 * b], degree=5),
    "spline 7": lambda d, a, b, c: spline([[0.0], [1.0], [d], [c]], [0.0, a, a + b, a + b + c], degree=7),
    "spline within limits": lambda d, a, b, c: spline([[0.0], [c], [d]], degree=5, velocity=a, acceleration=b),
    "samples": lambda d, a, b, c: sampled([0.0, a, a + b, a + b + c], [[0.0], [1.0], [d], [c]]),
    "samples of velocities": lambda d, a, b, c: sampled([0.0, a], [[0.0], [d]], [[b], [c]]),
}  # fmt: skip
# Half of them where a motion can be made of them, half anywhere, with the ends of what is allowed and of floats.
EXTREMES = st.one_of(
    st.floats(-20, 20).map(lambda x: 10.0**x),
    st.floats(-323, 308).map(lambda x: 10.0**x),
    st.sampled_from([5e-324, 1e-300, 1e-200, 1e-61, 1e-20, 1.0, 1e20, 1e200, 1e300, 1.7e308]),
)


def is_computed_or_refused(make: Callable[[], Any]) -> None:
    """A trajectory of finite values everywhere, or a sentence of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            moving = make()
        except dynamis.DynamisError:
            return
        T = moving.duration
        assert 0 < T < np.inf
        for t in (np.linspace(0, T, 5), np.array([0.3 * T]), 0.0, T, 2 * T):
            assert all(np.isfinite(values).all() for values in moving.at(t))
        peaks = moving.peaks()
        for values in (peaks.lowest, peaks.highest, peaks.velocity, peaks.acceleration, peaks.jerk):
            assert np.isfinite(values).all()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(d=EXTREMES, a=EXTREMES, b=EXTREMES, c=EXTREMES)
@example(d=1.0, a=1e300, b=1.0, c=1.0)
@example(d=1.0, a=1e-200, b=1.0, c=1.0)
@example(d=1.0, a=1e-300, b=1.0, c=1.0)
@example(d=5e-324, a=1e20, b=1e20, c=1e20)
@example(d=1e20, a=1e-20, b=1e-20, c=1e-150)
def test_motions_of_extreme_numbers(kind: str, d: float, a: float, b: float, c: float) -> None:
    is_computed_or_refused(lambda: KINDS[kind](d, a, b, c))


LONG = 10**400


@pytest.mark.parametrize(
    "make",
    [
        lambda: quintic([0.0], [LONG], 1.0),
        lambda: quintic([0.0], [1.0], LONG),
        lambda: quintic([0.0], [1.0], 10**5000),
        lambda: quintic([0.0], [1.0], 1.0).at(LONG),
        lambda: quintic([0.0], [1.0], 1.0).with_duration(LONG),
        lambda: cubic([0.0], [1.0], 1.0, start_velocity=LONG),
        lambda: trapezoidal([0.0], [1.0], LONG, 1.0),
        lambda: double_s([0.0], [1.0], 1.0, 1.0, [LONG]),
        lambda: parabolic_blends([0.0], [1.0], LONG, acceleration=1.0),
        lambda: parabolic_blends([0.0], [1.0], [1.0, LONG], acceleration=1.0, via=[[0.5]]),
        lambda: parabolic_blends([0.0], [1.0], [1.0, 1.0], acceleration=1.0, via=[[LONG]]),
        lambda: spline([[0.0], [LONG]], [0.0, 1.0]),
        lambda: spline([[0.0], [1.0]], [0, LONG]),
        lambda: sampled([0, LONG], [[0.0], [1.0]]),
        lambda: sampled([0.0, 1.0], [[0.0], [1.0]], [[0.0], [LONG]]),
        lambda: shortest_time(dynamis.load("bar-2r"), [[0.0, 0.0], [1.0, LONG]], effort=10.0),
        lambda: shortest_time(dynamis.load("bar-2r"), [[0.0, 0.0], [1.0, 1.0]], effort=LONG),
        lambda: dynamis.inverse_kinematics(dynamis.load("bar-2r"), [LONG, 0, 0]),
        lambda: LoadOverTime(dynamis.Force("link2", (0, 0, 1)), ([0, LONG], [[0, 0, 0], [0, 0, 1]])),
    ],
)  # fmt: skip
def test_integers_of_hundreds_of_digits(make: Callable[[], Any]) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        make()
    assert len(str(caught.value)) < 300
