"""The user's events: found at their time, whatever their scale, with their direction; a terminal one ends the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import dynamis
from dynamis.errors import ArgumentError
from tests.support.arms import INERTIA, LENGTH, G, cartesian, pendulum

WAYS: tuple[dict[str, Any], ...] = ({}, {"step": 1e-3}, {"period": 0.01}, {"step": 1e-3, "period": 0.01})
EventFunction = Callable[[float, Any, Any], float]


def event(function: EventFunction, name: str = "event", **attributes: Any) -> EventFunction:
    function.__name__ = name
    for key, value in attributes.items():
        setattr(function, key, value)
    return function


def times(run: Any, name: str = "event") -> list[float]:
    return [e.time for e in run.events if e.what == name]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_zero_of_a_parabola(way: dict[str, Any], scale: float):
    """A slider thrown up at 5 m/s passes 1 m twice; the scale of the function does not matter."""
    passes = event(lambda t, q, qd: scale * (q[0] - 1.0))
    run = dynamis.simulate(cartesian(), [0, 0], [5.0, 0], duration=1, events=passes, samples=11, **way)
    root = np.sqrt(25 - 2 * G)
    np.testing.assert_allclose(times(run), [(5 - root) / G, (5 + root) / G], atol=1e-10)
    for t in times(run):  # the state of an event is among what was kept
        k = np.flatnonzero(run.times == t)
        assert len(k) == 1
        assert abs(run.q[k[0], 0] - 1.0) < 1e-10


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("direction", "which"), [(1, [0]), (-1, [1]), (0, [0, 1]), (0.5, [0])])
def test_directions(way: dict[str, Any], direction: float, which: list[int]):
    passes = event(lambda t, q, qd: q[0] - 1.0, direction=direction)
    run = dynamis.simulate(cartesian(), [0, 0], [5.0, 0], duration=1, events=[passes], samples=11, **way)
    root = np.sqrt(25 - 2 * G)
    expected = np.array([(5 - root) / G, (5 + root) / G])[which]
    np.testing.assert_allclose(times(run), expected, atol=1e-10)


@pytest.mark.parametrize("way", WAYS)
def test_a_terminal_event_ends_the_run_there(way: dict[str, Any]):
    top = event(lambda t, q, qd: qd[0], "top", terminal=True)
    run = dynamis.simulate(cartesian(), [0, 0], [5.0, 0], duration=3, events=top, samples=31, **way)
    assert run.ended == f"event top at t = {5 / G:.6g} s"
    assert abs(run.times[-1] - 5 / G) < 1e-10
    assert abs(run.q[-1, 0] - 25 / 2 / G) < 1e-10
    assert times(run, "top") == [run.times[-1]]
    assert (np.diff(run.times) >= 0).all()


@pytest.mark.parametrize("way", WAYS)
def test_two_events_at_once_are_both_told(way: dict[str, Any]):
    one = event(lambda t, q, qd: q[0] - 1.0, "one", direction=1)
    two = event(lambda t, q, qd: 7 * (1.0 - q[0]), "two")
    three = event(lambda t, q, qd: np.exp(q[0]) - np.e, "three")  # its root is another one in the last bits
    four = event(lambda t, q, qd: np.arctan(q[0]) - np.pi / 4, "four")
    last = event(lambda t, q, qd: np.sqrt(q[0] + 3.0) - 2.0, "last", terminal=True)
    events = [one, two, three, four, last]
    run = dynamis.simulate(cartesian(), [0, 0], [5.0, 0], duration=1, events=events, samples=5, **way)
    assert [e.what for e in run.events] == ["one", "two", "three", "four", "last"]
    assert len({e.time for e in run.events}) == 1
    assert run.ended.startswith("event last")


@pytest.mark.parametrize("way", WAYS)
def test_two_events_shortly_after_one_another(way: dict[str, Any]):
    one = event(lambda t, q, qd: t - 0.4, "one")
    two = event(lambda t, q, qd: t - 0.4 - 1e-8, "two")
    three = event(lambda t, q, qd: t - 0.4 - 1e-5, "three")
    run = dynamis.simulate(cartesian(), [0, 0], duration=1, events=[three, two, one], samples=5, **way)
    assert [e.what for e in run.events] == ["one", "two", "three"]
    np.testing.assert_allclose([e.time for e in run.events], [0.4, 0.4 + 1e-8, 0.4 + 1e-5], atol=1e-11)


@pytest.mark.parametrize("way", WAYS)
def test_a_zero_at_the_start_is_told_and_ends_nothing(way: dict[str, Any]):
    """A rod let go at rest: its speed is zero now, and the next time it turns."""
    rest = event(lambda t, q, qd: qd[0], "rest", terminal=True)
    period = 4 * ellipk(np.sin(np.pi / 4) ** 2) / np.sqrt(G * LENGTH / 2 / INERTIA)
    run = dynamis.simulate(pendulum(), [0.0], duration=3, events=rest, samples=31, **way)
    np.testing.assert_allclose(times(run, "rest"), [0.0, period / 2], atol=1e-8)
    assert run.ended


@pytest.mark.parametrize("way", WAYS[:2])
def test_an_event_of_time_alone_and_at_the_end_of_a_step(way: dict[str, Any]):
    clock = event(lambda t, q, qd: np.sin(2 * np.pi * t * 5))
    run = dynamis.simulate(cartesian(), [0, 0], duration=1.05, events=clock, samples=22, **way)
    np.testing.assert_allclose(times(run), np.arange(11) / 10, atol=1e-10)
    assert (np.diff(run.times) >= 0).all()
    assert np.unique(run.times).size == run.times.size


def test_events_do_not_change_the_motion():
    often = event(lambda t, q, qd: np.sin(40 * t))
    for way in ({}, {"step": 1e-3}):
        plain = dynamis.simulate(dynamis.load("bar-2r"), [0.5, 0.3], duration=1, samples=11, **way)
        watched = dynamis.simulate(dynamis.load("bar-2r"), [0.5, 0.3], duration=1, samples=11, events=often, **way)
        asked = np.isin(watched.times, plain.times)
        np.testing.assert_allclose(watched.q[asked], plain.q, atol=1e-8)
        assert len(watched.events) == 13


def test_an_event_that_only_touches_zero_is_none():
    run = dynamis.simulate(cartesian(), [0, 0], duration=1, events=event(lambda t, q, qd: (t - 0.5) ** 2), samples=5)
    assert not run.events


def test_what_is_no_event():
    robot = cartesian()
    with pytest.raises(ArgumentError, match=r"^an event must be a function \(t, q, qd\) -> number, got 5$"):
        dynamis.simulate(robot, [0, 0], duration=1, events=5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"an event must be a function .*, got 'x'"):
        dynamis.simulate(robot, [0, 0], duration=1, events=["x"])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"^event bad must return a finite number, got None at t = 0 s$"):
        dynamis.simulate(robot, [0, 0], duration=1, events=event(lambda t, q, qd: None, "bad"))  # type: ignore[arg-type, return-value]
    with pytest.raises(ArgumentError, match=r"^event bad must return a finite number, got nan at t = 0 s"):
        dynamis.simulate(robot, [0, 0], duration=1, events=event(lambda t, q, qd: np.nan, "bad"))


def test_events_may_write_into_what_they_are_given():
    def rude(t: float, q: Any, qd: Any) -> float:
        q[:] = 1e9
        qd[:] = -1e9
        return 1.0

    run = dynamis.simulate(cartesian(), [0, 0], [1.0, 1.0], duration=1, events=rude, samples=3)
    assert np.abs(run.q).max() < 10
