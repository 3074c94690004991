"""Robots and functions come and go; memory stays, and what is still used is still there."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from tests.support.functions import as_tuple, function, same_bits, small_function, states
from tests.support.growing import STATM

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(not STATM.exists(), reason="the memory of a process is read from /proc here")
@pytest.mark.parametrize(
    ("loop", "most"), [("linked", 1500), ("compiled", 5000), ("interpreted", 1000), ("called", 50)]
)
def test_nothing_leaks(loop: str, most: int) -> None:
    """Bytes a turn; what one turn makes is some ten times as much."""
    command = [sys.executable, "-m", "tests.support.growing", loop]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout) < most


@pytest.mark.parametrize("tier", ["bytecode", "machine code"])
def test_a_ufunc_outlives_its_robot(tier: str) -> None:
    """Its code, its tables and its names are kept by the ufunc itself."""
    kept: list[tuple[np.ufunc, list[Any], tuple[Any, ...]]] = []
    for name in ("bar-2r", "genova-3r", "stanford"):
        robot = dynamis.load(name)
        f = function(robot, "inverse_dynamics")
        ufunc = f.ufunc() if tier == "machine code" else f.interpreted("float64")
        given = states(np.random.default_rng(0), "inverse_dynamics", robot.n, 9)
        kept.append((ufunc, given, as_tuple(ufunc(*given))))
        del robot, f
    gc.collect()
    for k in range(20):  # Other code where theirs would have been.
        small_function("other", lambda trace, x, k=k: (x * (k + 2.0),)).ufunc()
    for ufunc, given, expected in kept:
        for ours, theirs in zip(as_tuple(ufunc(*given)), expected, strict=True):
            same_bits(ours, theirs)
        assert ufunc.__name__ == "inverse_dynamics"
        assert "q, qd, qdd -> tau" in (ufunc.__doc__ or "")


def test_the_quick_call_outlives_its_robot() -> None:
    robot = dynamis.load("bar-2r")
    single = robot.compile("inverse_dynamics").quick_call
    given = np.ones((3, 2))
    expected, many = single(*given), single(*np.ones((3, 5, 2)))
    del robot
    gc.collect()
    for k in range(20):
        small_function("other", lambda trace, x, k=k: (x * (k + 2.0),)).ufunc()
    same_bits(single(*given), expected)
    same_bits(single(*np.ones((3, 5, 2))), many)


def test_results_are_their_own() -> None:
    """The array of one call is not written to by the next one."""
    f = dynamis.load("bar-2r").compile("inverse_dynamics")
    first = f.quick_call(*np.ones((3, 2)))
    copy = first.copy()
    second = f.quick_call(*np.zeros((3, 2)))
    same_bits(first, copy)
    assert first.flags.owndata
    assert first.flags.writeable
    assert not np.shares_memory(first, second)


def test_functions_in_dead_cycles_are_collected() -> None:
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 6))
    for _ in range(4):
        robot = dynamis.load("bar-2r")
        single = robot.compile("mass_matrix").quick_call
        cycle: list[object] = [single, robot]
        cycle.append(cycle)
        del robot, cycle
        gc.collect()
        assert single(np.zeros(2)).shape == (2, 2)
    assert dynamis.load("ur5").inverse_dynamics(q, qd, qdd).shape == (6,)
