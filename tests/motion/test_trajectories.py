"""Joint-space trajectories: derivatives, limits, ends, continuity; the sentences of what cannot be."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamis.motion.trajectories.double_s import double_s
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends
from dynamis.motion.trajectories.piecewise import JointTrajectory
from dynamis.motion.trajectories.polynomials import cubic, quintic, septic
from dynamis.motion.trajectories.spline import spline
from dynamis.motion.trajectories.trajectory import MotionError, Trajectory
from dynamis.motion.trajectories.trapezoidal import trapezoidal
from tests.support.random_trajectories import KINDS, Drawn


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6))
def test_laws(kind: str, seed: int) -> None:
    drawn = Drawn(kind, seed)
    moving = drawn.trajectory
    assert isinstance(moving, Trajectory)
    ends_are_exact(drawn)
    derivatives_match_differences(moving)
    limits_hold(drawn)
    what_must_be_continuous_is(moving, drawn.smooth)


def ends_are_exact(drawn: Drawn) -> None:
    moving = drawn.trajectory
    q, qd, qdd = moving.at([0.0, moving.duration])
    assert (q == drawn.points[[0, -1]]).all()
    assert (qd == 0).all()
    if drawn.rests:
        assert (qdd == 0).all()
    # One at a time, among many, and in any order: the same.
    many = np.linspace(0, moving.duration, 401)
    for t in (many, many[::-1]):
        for ends, values in zip((q, qd, qdd), moving.at(t), strict=True):
            assert (values[[0, -1]] == ends[:: 1 if t[0] == 0 else -1]).all()
    knots = moving.profiles[0].breaks
    if len(drawn.through) > 2:
        assert (moving.at(knots)[0] == drawn.points).all()
    before, after = moving.at([-1.0, moving.duration + 1.0])[0]
    assert (before == drawn.points[0]).all()
    assert (after == drawn.points[-1]).all()
    for still in moving.at([-1.0, moving.duration + 1.0])[1:]:
        assert (still == 0).all()


def derivatives_match_differences(moving: JointTrajectory) -> None:
    """Central differences within the pieces: exact for parabolas, h^2/6 of the next derivative otherwise."""
    t = np.linspace(0, moving.duration, 203)[1:-1]
    h = 1e-5 * moving.duration
    far = np.abs(t[:, None] - moving.breaks).min(axis=1) > 2 * h
    t = t[far]
    (qa, qda, _), (qb, qdb, _), (_, qd, qdd) = moving.at(t - h), moving.at(t + h), moving.at(t)
    peaks = moving.peaks()
    rounding = 1e-15 * (np.abs(qa).max(axis=0) + 1) / h
    assert (np.abs((qb - qa) / (2 * h) - qd) <= h * h * peaks.jerk + rounding * 4).all()
    # A time is known to an ulp of the duration.
    rounding = 1e-15 * (peaks.velocity + peaks.acceleration * moving.duration + 1) / h * 4
    ripple = np.abs(moving.jerk(t)).max(axis=0) * h + peaks.jerk * h
    assert (np.abs((qdb - qda) / (2 * h) - qdd) <= ripple + rounding).all()


def limits_hold(drawn: Drawn) -> None:
    """Dense samples lie within the exact extremes, and those within the limits."""
    moving = drawn.trajectory
    t = np.linspace(0, moving.duration, 1001)
    q, qd, qdd = moving.at(t)
    peaks, slack = moving.peaks(), 1 + 1e-9
    assert (q >= peaks.lowest - 1e-9).all()
    assert (q <= peaks.highest + 1e-9).all()
    for values, peak in ((qd, peaks.velocity), (qdd, peaks.acceleration), (moving.jerk(t), peaks.jerk)):
        assert (np.abs(values) <= peak * slack + 1e-12).all()
    for name, limit in drawn.limits.items():
        assert (getattr(peaks, name) <= limit * slack).all(), name


def what_must_be_continuous_is(moving: JointTrajectory, smooth: int) -> None:
    """From the left of every inner break to its right, in the derivatives 0 to `smooth`."""
    for profile in moving.profiles:
        for i in range(len(profile.coefficients) - 1):
            h = profile.breaks[i + 1] - profile.breaks[i]
            left, right = np.polynomial.Polynomial(profile.coefficients[i]), profile.coefficients[i + 1]
            for order in range(smooth + 1):
                there = left.deriv(order) if order else left
                here = right[order] * np.prod(np.arange(1, order + 1)) if order < len(right) else 0.0
                size = np.polynomial.Polynomial(np.abs(there.coef))(h) + abs(here)
                assert abs(there(h) - here) <= 1e-8 * max(size, 1.0), (moving.kind, order)


@given(seed=st.integers(0, 10**6))
def test_shapes_of_times(seed: int) -> None:
    moving = Drawn("double-S", seed).trajectory
    t = np.random.default_rng(seed).uniform(0, moving.duration, (3, 40))
    together = moving.at(t)
    one_by_one = [moving.at(float(x)) for x in t.ravel()]
    for k, values in enumerate(together):
        assert values.shape == (3, 40, moving.n)
        assert (values.reshape(-1, moving.n) == np.array([single[k] for single in one_by_one])).all()
    in_order = np.sort(t.ravel())
    mixed = np.argsort(np.argsort(t.ravel()))
    for sorted_values, values in zip(moving.at(in_order), together, strict=True):
        assert (sorted_values[mixed] == values.reshape(-1, moving.n)).all()
    assert moving.at([])[0].shape == (0, moving.n)


def test_xu_project_section_2() -> None:
    """Case s001-trajectory: blends in 4 s with 5 rad/s^2."""
    q0, q1 = [-1.4706289056333368, 2.9412578112666736], [-0.45102681179626236, 0.9020536235925247]
    moving = parabolic_blends(q0, q1, 4.0, acceleration=5.0)
    blends = [profile.breaks[1] for profile in moving.profiles]
    assert blends == pytest.approx([0.05164695672663444, 0.10470077231452168], rel=1e-13)
    q, qd, qdd = moving.at([0.0, 0.05, 0.1])
    assert q[1] == pytest.approx([-1.4643789056333367, 2.9350078112666735], rel=1e-14)
    assert q[2] == pytest.approx([-1.4514739476178267, 2.9162578112666737], rel=1e-14)
    assert qd[2] == pytest.approx([0.2582347836331722, -0.5], rel=1e-13)
    assert qdd.tolist() == [[5.0, -5.0], [5.0, -5.0], [0.0, -5.0]]
    q, qd, qdd = moving.at([2.0, 3.9, 3.95, 4.0])
    assert q[0] == pytest.approx([-0.9608278587147995, 1.9216557174296], rel=1e-14)
    assert q[1] == pytest.approx([-0.4701817698117723, 0.9270536235925247], rel=1e-14)
    assert q[2] == pytest.approx([-0.45727681179626234, 0.9083036235925247], rel=1e-14)
    assert q[3].tolist() == q1
    assert qd[0] == pytest.approx([0.2582347836331722, -0.5235038615726084], rel=1e-13)
    assert qd[2] == pytest.approx([0.25, -0.25], rel=1e-12)
    assert qdd.tolist() == [[0.0, 0.0], [0.0, 5.0], [-5.0, 5.0], [-5.0, 5.0]]


@given(seed=st.integers(0, 10**6))
def test_shortest_is_shortest(seed: int) -> None:
    """No shorter than the shortest; and the slowest joint meets a limit everywhere that counts."""
    for kind in ("trapezoidal", "double-S", "blends shortest"):
        drawn = Drawn(kind, seed)
        peaks = drawn.trajectory.peaks()
        ratio = np.max([getattr(peaks, name) / limit for name, limit in drawn.limits.items()])
        assert ratio == pytest.approx(1, rel=1e-9)
        if kind != "blends shortest":
            make = trapezoidal if kind == "trapezoidal" else double_s
            args = [drawn.points[0], drawn.points[-1], *drawn.limits.values()]
            with pytest.raises(MotionError, match="it needs T >= ") as caught:
                make(*args, duration=0.99 * drawn.trajectory.duration)
            assert caught.value.needs["duration"] == pytest.approx(drawn.trajectory.duration)
    drawn = Drawn("spline shortest", seed)
    peaks = drawn.trajectory.peaks()
    ratio = np.max([getattr(peaks, name) / limit for name, limit in drawn.limits.items()])
    assert ratio == pytest.approx(1, rel=1e-9)


@given(seed=st.integers(0, 10**6))
def test_what_the_sentence_asks_for_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q0, q1, T = rng.uniform(-2, 2, 2), rng.uniform(-2, 2, 2), float(rng.uniform(0.5, 3))
    with pytest.raises(MotionError, match=r"needs a >= 4 \|dq\| / T\^2 = ") as caught:
        parabolic_blends(q0, q1, T, acceleration=np.abs(q1 - q0) * 3.9 / T**2)
    assert caught.value.joint == 1
    needs = caught.value.needs
    a = max(4 * np.abs(q1 - q0) / T**2)
    assert parabolic_blends(q0, q1, T, acceleration=a).duration == pytest.approx(T)
    assert parabolic_blends(q0[:1], q1[:1], T, acceleration=needs["acceleration"]).duration == pytest.approx(T)
    with pytest.raises(MotionError, match="needs T >= ") as caught:
        quintic(q0, q1, T, velocity=0.1 * np.abs(q1 - q0) / T)
    needs = caught.value.needs
    assert quintic(q0, q1, needs["duration"] * (1 + 1e-12), velocity=0.1 * np.abs(q1 - q0) / T)
    via = rng.uniform(-2, 2, (3, 2))
    with pytest.raises(MotionError, match="it needs a >= ") as caught:
        parabolic_blends(q0, q1, [0.3] * 4, acceleration=0.05, via=via)
    needed = caught.value.needs["acceleration"]
    j = (caught.value.joint or 0) - 1
    assert parabolic_blends(q0[j : j + 1], q1[j : j + 1], [0.3] * 4, acceleration=needed, via=via[:, j : j + 1])
    both: list[dict[str, Any]] = [{"acceleration": 0.05}, {"acceleration": 500.0, "velocity": 0.1}]
    for limits in both:
        with pytest.raises(MotionError, match=r"segments ([\d.e+]+) times as long") as caught:
            parabolic_blends(q0, q1, [0.3] * 4, via=via, **limits)
        said = float(re.findall(r"segments ([\d.e+]+) times", str(caught.value))[0])
        assert said == pytest.approx(caught.value.needs["factor"], rel=1e-12)
        assert parabolic_blends(q0, q1, [0.3 * said] * 4, via=via, **limits).duration == pytest.approx(1.2 * said)
        with pytest.raises(MotionError):
            parabolic_blends(q0, q1, [0.3 * said * (1 - 1e-4)] * 4, via=via, **limits)


@given(seed=st.integers(0, 10**6))
def test_what_polynomials_with_moving_ends_need(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q1, T = rng.uniform(-2, 2, 2), float(rng.uniform(0.1, 3))
    moving: dict[str, Any] = {"start_velocity": rng.uniform(-2, 2, 2)}
    v = quintic([0, 0], q1, T, **moving).peaks().velocity * rng.uniform(0.1, 0.9)
    with pytest.raises(MotionError) as caught:
        quintic([0, 0], q1, T, **moving, velocity=v)
    said, other = str(caught.value), caught.value.needs.get("duration")
    if other is None:
        assert re.search(r"; it needs a velocity limit >= [\d.e+-]+$", said)
    else:
        assert said.endswith(f"; T = {other:.6g} s would do")
        assert quintic([0, 0], q1, other, **moving, velocity=v)


@given(seed=st.integers(0, 10**6), degree=st.sampled_from([3, 5, 7]))
def test_polynomials_meet_the_derivatives_of_their_ends(seed: int, degree: int) -> None:
    rng = np.random.default_rng(seed)
    q0, q1, v0, v1, a0, a1, j0, j1 = rng.uniform(-2, 2, (8, 3))
    T = float(rng.uniform(0.3, 4))
    moving = {
        3: lambda: cubic(q0, q1, T, start_velocity=v0, goal_velocity=v1),
        5: lambda: quintic(
            q0, q1, T, start_velocity=v0, goal_velocity=v1, start_acceleration=a0, goal_acceleration=a1
        ),
        7: lambda: septic(
            q0, q1, T, start_velocity=v0, goal_velocity=v1, start_acceleration=a0, goal_acceleration=a1,
            start_jerk=j0, goal_jerk=j1,
        ),
    }[degree]()  # fmt: skip
    q, qd, qdd = moving.at([0.0, T])
    assert (q == [q0, q1]).all()
    assert (qd == [v0, v1]).all()
    if degree > 3:
        assert (qdd == [a0, a1]).all()
    if degree > 5:
        assert (moving.jerk([0.0, T]) == [j0, j1]).all()
    # What is met is where the polynomial goes: an instant inside, it is as near as the next derivative lets it be.
    near = 1e-9 * T
    inside = moving.at([near, T - near])
    peaks = moving.peaks()
    assert (np.abs(inside[1] - qd) <= near * peaks.acceleration + 1e-11 * (1 + peaks.velocity)).all()
    assert (np.abs(inside[2] - qdd) <= near * peaks.jerk + 1e-11 * (1 + peaks.acceleration)).all()
    twice = moving.with_duration(2 * T).at([0.0, 2 * T])
    assert (twice[1] == qd / 2).all()


def test_a_spline_is_the_one_of_scipy() -> None:
    scipy = pytest.importorskip("scipy.interpolate")
    rng = np.random.default_rng(0)
    q, t = rng.uniform(-1, 1, (12, 3)), np.concatenate([[0.0], np.cumsum(rng.uniform(0.1, 1, 11))])
    dense = np.linspace(0, t[-1], 500)
    ours, theirs = spline(q, t), scipy.CubicSpline(t, q, bc_type="clamped")
    for order, values in enumerate(ours.at(dense)):
        assert np.abs(values - theirs(dense, order)).max() < 1e-10
    zero = np.zeros(3)
    theirs = scipy.make_interp_spline(t, q, k=5, bc_type=([(1, zero), (2, zero)], [(1, zero), (2, zero)]))
    for order, values in enumerate(spline(q, t, degree=5).at(dense)):
        assert np.abs(values - theirs(dense, order)).max() < 1e-8


def test_a_long_spline() -> None:
    t = np.linspace(0, 20, 3000)
    moving = spline(
        np.sin(t)[:, None] * [1.0, 2.0], t, start_velocity=[1.0, 2.0], goal_velocity=np.cos(20) * np.array([1, 2])
    )
    assert np.abs(moving.at(t + 0.003)[1][:-1, 0] - np.cos(t + 0.003)[:-1]).max() < 1e-6


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: cubic([0, 0], [1], 1.0), "goal must be one number per joint (2 joints), got 1 value"),
        (lambda: cubic([0], [1], -1.0), "duration must be a positive number [s], got -1.0"),
        (
            lambda: cubic([0], [1]),
            "the motion has no duration; give duration=..., or velocity=... and acceleration=... limits",
        ),
        (lambda: cubic([0], [float("nan")], 1.0), "goal must be finite, got [nan]"),
        (lambda: quintic("abc", [1], 1.0), "start must be one number per joint, got \"abc\""),
        (lambda: trapezoidal([0], [1], 0.0, 1.0), "velocity of joint 1 must be positive, got 0"),
        (
            lambda: trapezoidal([1], [1], 1.0, 1.0),
            "start and goal are the same, so the shortest time is 0; give duration=... to stay there",
        ),
        (
            lambda: spline([[0.0], [1.0]], [0.0, 0.0]),
            "time 2 is 0 s, after 0 s; each time is later than the one before",
        ),
        (lambda: spline([[0.0], [1.0]], [0.0]), "times must be 2 times [s], one per row, got shape (1,)"),
        (lambda: spline([[0.0], [1.0]], [0.0, 1.0], degree=4), "degree must be 3, 5 or 7, got 4"),
        (
            lambda: spline([0.0, 1.0], [0.0, 1.0]),
            "waypoints must be at least two rows with one finite value per joint, got shape (2,)",
        ),
        (
            lambda: parabolic_blends([0], [1], [1.0], acceleration=9.0, via=[[0.5]]),
            "with via points, duration must be one time > 0 [s] for each of the 2 segments, got [1.0]",
        ),
        (
            lambda: cubic([0], [1], 1.0).at([0.0, float("nan")]),
            "t must be one time [s] or an array of times, got nan",
        ),
        (lambda: cubic([0], [1], 1.0).at("x"), "t must be one time [s] or an array of times, got no array of numbers"),
    ],
)  # fmt: skip
def test_sentences(make: Any, sentence: str) -> None:
    from dynamis.base.errors import DynamisError

    with pytest.raises(DynamisError) as caught:
        make()
    assert str(caught.value) == sentence


def test_staying() -> None:
    for stay in (trapezoidal([1.0, 2.0], [1.0, 2.0], 1.0, 1.0, duration=2.0), cubic([1.0], [1.0], 2.0)):
        q, qd, qdd = stay.at(np.linspace(0, 2, 5))
        assert (q == q[0]).all()
        assert not qd.any()
        assert not qdd.any()
