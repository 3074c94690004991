"""A listener sees the run as it goes: what it saw is what the result holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.controllers import PD, PID
from dynamis.errors import ArgumentError, BlowUpError
from dynamis.results import Event, Simulation, Snapshot
from tests.support.arms import with_friction

ARM = dynamis.load("bar-2r")
PANDA = dynamis.load("panda")
HELD = [0, 0, 0, -1, 0, 1, 0]


def crossing(t: float, q: Any, qd: Any) -> float:
    return q[0]


def landing(t: float, q: Any, qd: Any) -> float:
    return 0.3 - t


landing.terminal = True  # type: ignore[attr-defined]

CASES: dict[str, dict[str, Any]] = {
    "free": {"robot": ARM, "q0": [0.5, 0.3], "duration": 1, "events": crossing},
    "ended": {"robot": ARM, "q0": [0.5, 0.3], "duration": 1, "events": landing},
    "stops": {"robot": PANDA, "q0": HELD, "duration": 0.6},
    "dry friction": {"robot": with_friction(ARM, coulomb=2.0), "q0": [0.5, 0.3], "qd0": [1, -1], "duration": 1},
    "function": {"robot": ARM, "q0": [0.5, 0.3], "control": lambda t, q, qd: -qd, "duration": 0.5},
    "sampled": {
        "robot": ARM, "q0": [0.5, 0.3], "control": PID(60, 20, ki=5), "goal": [1, 0], "duration": 0.5,
        "period": 5e-3, "noise": 1e-4, "resolution": 1e-3,
    },
}  # fmt: skip
WAYS: dict[str, dict[str, Any]] = {"adaptive": {}, "fixed": {"step": 1e-3}}


def check_the_same(seen: list[Snapshot], run: Simulation) -> None:
    np.testing.assert_array_equal([snapshot.time for snapshot in seen], run.times)
    np.testing.assert_array_equal([snapshot.q for snapshot in seen], run.q)
    np.testing.assert_array_equal([snapshot.qd for snapshot in seen], run.qd)
    np.testing.assert_allclose([snapshot.tau for snapshot in seen], run.tau, rtol=0, atol=1e-12 * np.abs(run.tau).max())
    told: list[Event] = [event for snapshot in seen for event in snapshot.events]
    assert tuple(told) == run.events
    assert all(event.time <= snapshot.time for snapshot in seen for event in snapshot.events)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_the_listener_sees_what_the_result_holds(name: str, way: str) -> None:
    seen: list[Snapshot] = []
    run = dynamis.simulate(**CASES[name], **WAYS[way], samples=51, listen=seen.append)
    check_the_same(seen, run)
    assert bool(run.events) == (name in ("free", "ended", "stops", "dry friction"))


def test_it_is_told_on_the_way_and_once_where_a_second_run_checks_the_first() -> None:
    calls: list[str] = []
    dynamis.simulate(
        ARM, [0.5, 0.3], duration=1, samples=11, check=True, progress=lambda _: calls.append("progress"),
        control=lambda t, q, qd: calls.append("step") or [0, 0], listen=lambda _: calls.append("snapshot"),
    )  # fmt: skip
    assert calls.count("snapshot") == 11
    first, last = calls.index("snapshot"), len(calls) - 1 - calls[::-1].index("snapshot")
    assert "step" in calls[:first]
    assert "step" in calls[first:last]


@pytest.mark.parametrize("way", WAYS)
def test_an_exception_in_the_listener_ends_the_run(way: str) -> None:
    seen: list[float] = []

    def listen(snapshot: Snapshot) -> None:
        seen.append(snapshot.time)
        if snapshot.time > 0.5:
            raise LookupError("enough")

    arguments: dict[str, Any] = {"duration": 1, "samples": 101, "events": crossing, **WAYS[way]}
    with pytest.raises(LookupError, match="enough"):
        dynamis.simulate(ARM, [0.5, 0.3], listen=listen, **arguments)
    assert 0.5 < seen[-1] < 0.6
    again = dynamis.simulate(ARM, [0.5, 0.3], **arguments)  # nothing of the broken run is left
    np.testing.assert_array_equal(again.times[: len(seen)], seen)


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_in_the_listener_keeps_what_there_is(way: str) -> None:
    seen: list[Snapshot] = []

    def listen(snapshot: Snapshot) -> None:
        seen.append(snapshot)
        if len(seen) == 20:
            raise KeyboardInterrupt

    run = dynamis.simulate(ARM, [0.5, 0.3], duration=1, samples=101, listen=listen, **WAYS[way])
    assert run.ended.startswith("interrupted")
    check_the_same(seen, run)


def test_a_run_that_blows_up_is_told_to_its_end() -> None:
    seen: list[Snapshot] = []
    with pytest.raises(BlowUpError) as error:
        dynamis.simulate(ARM, [0.5, 0.3], control=PD(-1e6, 0), goal=[0, 0], duration=9, listen=seen.append)
    assert error.value.partial is not None
    check_the_same(seen, error.value.partial)


def test_a_listener_is_a_function() -> None:
    with pytest.raises(ArgumentError, match=r"^listen must be a function, got 3$"):
        dynamis.simulate(ARM, [0.5, 0.3], duration=1, listen=3)  # type: ignore[arg-type]


def test_a_snapshot_has_a_short_name() -> None:
    seen: list[Snapshot] = []
    dynamis.simulate(ARM, [0.5, 0.3], duration=0.1, samples=2, check=False, listen=seen.append)
    assert repr(seen[-1]) == f"<Snapshot of {ARM.name} at t = 0.1 s>"
