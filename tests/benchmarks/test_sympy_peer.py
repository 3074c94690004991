"""The peer of the benchmark: its code is right, it is stopped, and its row says so."""

from __future__ import annotations

import time

from benchmarks.exact import chain
from benchmarks.sympy_peer import Peer, code_seconds, limited, peer
from dynamis import load
from dynamis.robot import Robot


def test_code_of_several_arms():
    """It checks itself: tau = M qdd at rest and without gravity."""
    for robot in (load("planar-elbow"), load("genova-rp"), chain(3)):
        seconds = code_seconds(robot)
        assert seconds is not None
        assert seconds > 0


def forever(robot: Robot) -> float | None:
    time.sleep(60)
    return 0.0


def test_what_does_not_finish_is_stopped():
    start = time.perf_counter()
    assert limited(forever, load("planar-elbow"), 0.2) is None
    assert time.perf_counter() - start < 30


def test_both_figures_in_a_row():
    found = peer(load("planar-elbow"))
    assert found is not None
    assert found.proved is not None
    assert found.code is not None
    assert f"{Peer(None, 0.051, 20):.2f}" == "more than 20, code 0.05"
