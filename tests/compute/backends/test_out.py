"""Results into given arrays, wherever they lie; and what is refused, with which words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError, DynamisError
from tests.support.functions import TIERS, function, on_tier, same_bits

tiers = pytest.mark.parametrize("tier", TIERS)
MANY = 20_000
"""States that are split over threads."""


@pytest.fixture(scope="module")
def puma() -> dynamis.Robot:
    return dynamis.load("puma560")


@pytest.fixture(params=TIERS)
def tau(request: pytest.FixtureRequest, puma: dynamis.Robot) -> Any:
    """Inverse dynamics on one tier."""
    return on_tier(function(puma, "inverse_dynamics"), request.param)


def motion(*batch: int, dtype: str = "float64") -> list[np.ndarray]:
    return list(np.random.default_rng(8).uniform(-2, 2, (3, *batch, 6)).astype(dtype))


def joints(robot: dynamis.Robot) -> str:
    return f"6 joints ({', '.join(joint.name for joint in robot.joints)})"


# --- out ---


def test_a_given_array_is_filled_and_returned(tau: Any) -> None:
    given = motion(33)
    expected = tau(*given)
    for out in (np.empty((33, 6)), np.empty((66, 6))[::2], np.empty((6, 33)).T, np.empty((33, 6))[::-1, ::-1]):
        assert tau(*given, out=out) is out
        same_bits(out, expected)
    one = np.empty(6)
    assert tau(*(x[0] for x in given), out=one) is one
    same_bits(one, expected[0])


def test_out_may_be_a_tuple_and_must_be_one_for_several_results(puma: dynamis.Robot) -> None:
    given = motion(9)
    f = function(puma, "reactions")
    expected = f(*given)
    out = tuple(np.empty_like(x) for x in expected)
    for ours, place, theirs in zip(f(*given, out=out), out, expected, strict=True):
        assert ours is place
        same_bits(place, theirs)
    with pytest.raises(ArgumentError, match="reactions"):
        f(*given, out=out[0])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_out_may_be_an_argument(tau: Any, k: int, threads: int) -> None:
    """tau in the place of q, qd or qdd."""
    for count in (1, 33, MANY):
        given = motion(count)
        expected = tau(*(x.copy() for x in given))
        assert tau(*given, out=given[k], threads=threads) is given[k]
        same_bits(given[k], expected)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("shift", [-1, 1, 7])
def test_out_may_overlap_an_argument(tau: Any, shift: int, threads: int) -> None:
    """Rows that are results of one state and values of another."""
    for count in (33, MANY):
        memory = np.zeros((count + 7, 6))
        start, there = (0, shift) if shift > 0 else (-shift, 0)
        q, out = memory[start : start + count], memory[there : there + count]
        first, qd, qdd = motion(count)
        q[...] = first
        expected = tau(first, qd, qdd)
        tau(q, qd, qdd, out=out, threads=threads)
        same_bits(out, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_out_may_hold_the_one_state_that_all_use(tau: Any, threads: int) -> None:
    q, qd, qdd = motion(MANY)
    out = np.zeros_like(q)
    out[5] = q[5]
    expected = tau(q[5], qd, qdd)
    tau(out[5], qd, qdd, out=out, threads=threads)
    same_bits(out, expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(4, 6), (6, 6), (5, 5), (5, 7), (6,), (5, 6, 1), (MANY + 1, 6), (2, MANY, 5)])
def test_an_out_of_another_shape_is_refused(tau: Any, shape: tuple[int, ...], threads: int) -> None:
    out = np.full(shape, 3.0)
    for count in (5, MANY):
        with pytest.raises(ArgumentError):
            tau(*motion(count), out=out, threads=threads)
    assert (out == 3).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_out_with_more_states_takes_the_result_many_times(tau: Any, threads: int) -> None:
    """As NumPy has it: `out` takes part in the broadcasting of the batch."""
    given = motion(MANY)
    out = np.empty((3, MANY, 6))
    tau(*given, out=out, threads=threads)
    for part in out:
        same_bits(part, tau(*given))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_out_of_another_kind(tau: Any, threads: int) -> None:
    """Precision may be lost in it, but not all places after the comma, and it must be writable."""
    for count in (5, MANY):
        given = motion(count)
        expected = tau(*given)
        narrow = np.empty((count, 6), np.float32)
        same_bits(tau(*given, out=narrow, threads=threads), expected.astype(np.float32))
        wide = np.empty((count, 6))
        small = [x.astype(np.float32) for x in given]
        same_bits(tau(*small, out=wide, threads=threads), tau(*small).astype(np.float64))
        for refused in (np.empty((count, 6), np.int64), np.broadcast_to(0.0, (count, 6))):
            with pytest.raises(ArgumentError):
                tau(*given, out=refused, threads=threads)


@pytest.mark.parametrize("out", [[0.0] * 6, 5.0, "out", (np.zeros(6), np.zeros(6)), ()], ids=range(5))
@pytest.mark.parametrize("threads", [1, 2])
def test_an_out_that_is_no_array(tau: Any, out: Any, threads: int) -> None:
    for batch in ((), (MANY,)):
        with pytest.raises(ArgumentError):
            tau(*motion(*batch), out=out, threads=threads)


# --- what is refused ---


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([0] * 3, [0] * 6, [0] * 6), "q must have one value per joint, got 3 values; robot"),
        (([0] * 6, [0] * 7, [0] * 6), "qd must have one value per joint, got 7 values; robot"),
        (([0] * 6, [0] * 6, [0]), "qdd must have one value per joint, got 1 value; robot"),
        (([], [0] * 6, [0] * 6), "q must have one value per joint, got 0 values; robot"),
        (
            (np.zeros((6, 5)), [0] * 6, [0] * 6),
            "q must have one value per joint, got 5 values; robot",
        ),
        (
            (np.zeros((3, 6), np.float32), np.zeros(3, np.float32), np.zeros(6, np.float32)),
            "qd must have one value per joint, got 3 values; robot",
        ),
        ((1.0, [0] * 6, [0] * 6), "q must have one value per joint, got a single number; robot"),
        ((np.zeros((3, 6)), np.zeros((4, 6)), [0] * 6), "q, qd and qdd have shapes (3, 6), (4, 6), (6,), which do not"),
        ((None, [0] * 6, [0] * 6), "q must have one value per joint, got "),
        ((["a"] * 6, [0] * 6, [0] * 6), "q must have one value per joint, got "),
        (([1j] * 6, [0] * 6, [0] * 6), "q must have one value per joint, got "),
        (([[0] * 6, [0] * 5], [0] * 6, [0] * 6), "q must have one value per joint, got "),
        (([10**400] * 6, [0] * 6, [0] * 6), "q must have one value per joint, got "),
        ((np.zeros(6, "M8[s]"), [0] * 6, [0] * 6), "q must have one value per joint, got "),
        (([0] * 6, [0] * 6), "inverse_dynamics has 3 arguments (q, qd, qdd); 2 were given"),
        (([0] * 6,) * 4, "inverse_dynamics has 3 arguments (q, qd, qdd); 4 were given"),
        ((), "inverse_dynamics has 3 arguments (q, qd, qdd); 0 were given"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_what_is_wrong_is_said(tau: Any, puma: dynamis.Robot, given: Any, message: str, threads: int) -> None:
    with pytest.raises(DynamisError, match=re.escape(message)) as caught:
        tau(*given, threads=threads)
    if message.endswith("robot"):
        assert str(caught.value).endswith(f'robot "puma560" has {joints(puma)}')
    if threads == 1:
        with pytest.raises(DynamisError, match=re.escape(message)):
            tau.quick_call(*given)


def test_the_verbs_say_it_too(puma: dynamis.Robot) -> None:
    for robot in (puma, puma.threads(2)):
        with pytest.raises(
            ArgumentError,
            match=re.escape(f'q must have one value per joint, got 3 values; robot "puma560" has {joints(puma)}'),
        ):
            robot.inverse_dynamics([0, 0, 0])
        with pytest.raises(ArgumentError, match="qd must have one value per joint, got 5 values"):
            robot.forward_dynamics([0] * 6, [0] * 5, [0] * 6)
        with pytest.raises(ArgumentError, match="qd must have one value per joint, got 5 values"):
            robot.bias_torque([0] * 6, [0] * 5, gravity=[0, 0, 1])
        with pytest.raises(ArgumentError, match="must have one value per joint, got"):
            robot.mass_matrix("hello")


def test_values_that_look_like_trouble_are_numbers(tau: Any) -> None:
    """Integers past 64 bits and fractions are no arrays of numbers to NumPy; booleans are."""
    ones = np.ones(6)
    same_bits(tau([True] * 6, ones, ones), tau(ones, ones, ones))
    with pytest.raises(ArgumentError, match="q must have one value per joint, got"):
        tau([10**30] * 6, ones, ones)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda r: r.casadi.com_jacobian, "com_jacobian needs a link; give it as link=..."),
        (lambda r: r.compile("mass_matrix", parameters=None), "parameters must be a list of names, got None"),
        (
            lambda r: r.compile("mass_matrix").ufunc("int32"),
            'unknown dtype "int32"; did you mean "float32"? (known: float64, float32)',
        ),
        (lambda r: r.compile("mass_matrix")(np.zeros(2), threads=0), "threads must be a positive integer, got 0"),
        (
            lambda r: r.compile("mass_matrix", parameters=["m2"])(np.zeros((50, 2)), np.ones((7, 1))),
            "q and parameters have shapes (50, 2), (7, 1), which do not fit together",
        ),
    ],
    ids=range(5),
)
def test_wrong_calls(ask: object, sentence: str) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        ask(dynamis.load("bar-2r"))  # type: ignore[operator]
    assert str(caught.value) == sentence


def test_wrong_out() -> None:
    with pytest.raises(ArgumentError, match=r"^mass_matrix: (?!mass_matrix)"):
        dynamis.load("bar-2r").mass_matrix(np.zeros(2), out=np.zeros(3))
