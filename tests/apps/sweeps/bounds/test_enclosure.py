"""Intervals hold what they are intervals of: operations, whole programs, slopes, and the expansion of torques."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dynamis import sweep
from dynamis.apps.sweeps.bounds.enclosure import enclose_program
from dynamis.apps.sweeps.bounds.expansion import expansions
from dynamis.apps.sweeps.bounds.intervals import Interval
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.sweeps import box, sobol
from tests.support.strategies import Case, robots

ENDS = st.tuples(st.floats(-20, 20), st.floats(-20, 20)).map(sorted)
SHARE = st.floats(0, 1)


def interval(ends: list[float]) -> Interval:
    return Interval(*(np.array([x]) for x in ends))


def inside(ends: list[float], share: float) -> float:
    return min(max(ends[0] + share * (ends[1] - ends[0]), ends[0]), ends[1])


@given(ENDS, ENDS, SHARE, SHARE)
def test_operations_hold_their_results(a: Any, b: Any, s: float, t: float) -> None:
    x, y, A, B = inside(a, s), inside(b, t), interval(a), interval(b)
    results = [
        (A + B, x + y), (A - B, x - y), (A * B, x * y), (-A, -x), (A.square, x * x), (A.cos(), math.cos(x)),
        (A.sin(), math.sin(x)), (A.least(B), min(x, y)), (A.greatest(B), max(x, y)), (A.sign(), np.sign(x)),
        (A.rounded(), np.rint(x)),
    ]  # fmt: skip
    if x >= 0:
        results.append((A.sqrt(), math.sqrt(x)))
    if abs(y) > 1e-200:
        results.append((A / B, x / y))
    for made, value in results:
        assert made.lo <= value <= made.hi
    assert A.cos().lo >= -1 - 1e-15
    assert A.sin().hi <= 1 + 1e-15


def test_waves_are_tight() -> None:
    x = Interval(np.array([0.1, 3.0, -0.1, 0.0]), np.array([0.2, 3.3, 0.1, 7.0]))
    np.testing.assert_allclose(x.cos().lo, [np.cos(0.2), -1, np.cos(0.1), -1], atol=1e-15)
    np.testing.assert_allclose(x.cos().hi, [np.cos(0.1), np.cos(3.3), 1, 1], atol=1e-15)
    np.testing.assert_allclose(x.sin().lo, [np.sin(0.1), np.sin(3.3), np.sin(-0.1), -1], atol=1e-15)


@settings(max_examples=10, deadline=None)
@given(robots(joints=(1, 5)), st.floats(0.01, 2))
def test_programs_stay_within_their_enclosure(case: Case, width: float) -> None:
    robot = case.robot()
    assume(robot.n > 0)
    parts = sweep(
        robot, "inverse_dynamics", {"q": box(0.3, 0.3 + width), "qd": box(width), "qdd": box(1)}, sobol(64)
    ).parts
    d = parts.ranges.dimensions
    lo, hi = (np.array([[getattr(x, side)] for x in d]) for side in ("least", "greatest"))
    program, points = parts.program(0).program, parts.values(0, 64)
    values = evaluate_program(program, (points,), "float64")[0]
    step = 1e-6
    for k, x in enumerate(enclose_program(program, Interval(lo, hi), range(len(d)))[: len(parts.names)]):
        scale = 1e-9 * (1 + np.abs(values[:, k]).max())
        assert (values[:, k] >= x.value.lo - scale).all()
        assert (values[:, k] <= x.value.hi + scale).all()
        for j in range(len(d)):
            ends = [points.copy(), points.copy()]
            ends[0][:, j], ends[1][:, j] = (
                np.clip(points[:, j] - step, lo[j], None),
                np.clip(points[:, j] + step, None, hi[j]),
            )
            rise = (
                np.subtract(*(evaluate_program(program, (y,), "float64")[0][:, k] for y in ends[::-1]))
                / (ends[1] - ends[0])[:, j]
            )
            low, high = (0.0, 0.0) if x.slopes is None else (x.slopes.lo[j], x.slopes.hi[j])
            slack = 1e-4 * (1 + np.abs(rise).max())
            assert (rise >= low - slack).all()
            assert (rise <= high + slack).all()


@settings(max_examples=15, deadline=None)
@given(robots(joints=(1, 6)))
def test_torques_are_their_expansion(case: Case) -> None:
    robot = case.robot()
    assume(robot.n > 0)
    parts = sweep(robot, "inverse_dynamics", {"q": box(3), "qd": box(2), "qdd": box(4)}, sobol(20, seed=1)).parts
    points = parts.values(0, 20)
    names = [x.name for x in parts.ranges.dimensions]
    tau = evaluate_program(parts.program(0).program, (points,), "float64")[0]
    for k, value in enumerate(expansions(parts)):
        coefficients = evaluate_program(value.program, (points,), "float64")[0]
        total = np.zeros(20)
        for a, monomial in zip(coefficients.T, value.monomials, strict=True):
            for name in monomial:
                column = points[:, names.index(name.removeprefix("sign "))]
                a = a * (np.sign(column) if name.startswith("sign") else column)
            total += a
        np.testing.assert_allclose(total, tau[:, k], atol=1e-9 * (1 + np.abs(tau).max()))


def test_a_divisor_that_may_be_zero_gives_all_numbers() -> None:
    x = Interval(np.array([1.0]), np.array([2.0])) / Interval(np.array([-1.0]), np.array([1.0]))
    assert (x.lo, x.hi) == (-np.inf, np.inf)
    assert (
        pytest.approx(0.5)
        == (Interval(np.array([1.0]), np.array([1.0])) / Interval(np.array([2.0]), np.array([2.0]))).lo
    )
