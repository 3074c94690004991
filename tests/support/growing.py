"""Loops that make and drop what the engine makes: `python -m tests.support.growing linked` prints bytes a turn.

A process of its own, in which nothing was freed before: memory that leaks is new memory.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import dynamis
from tests.support.functions import small_function

STATM = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of memory that the process has."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(once: Callable[[int], Any], warm: int, times: int) -> float:
    """Bytes by which the process grows in one turn of a loop, after some turns to get warm.

    Heaps grow in steps, a leak grows all the time: of three rounds, the one that grows least counts.
    """
    for k in range(warm):
        once(k)
    sizes: list[int] = []
    for turn in range(3):
        gc.collect()
        sizes.append(resident())
        for k in range(times):
            once(warm + turn * times + k)
    gc.collect()
    sizes.append(resident())
    return min(after - before for before, after in pairwise(sizes)) / times


def linked() -> float:
    """Machine code from disk: loaded, called, dropped."""

    def once(_: int) -> None:
        f = small_function("small", lambda trace, x: (trace.sin(x * 3.0), x * x))
        f.ufunc()
        f.ufunc("float32")
        f.quick_call(np.ones(1))
        f(np.ones((40, 1)))

    return growth(once, 200, 200)


def compiled() -> float:
    """Another program each time, with constants of its own."""
    os.environ["DYNAMIS_CACHE"] = ""
    rng = np.random.default_rng(0)

    def once(_: int) -> None:
        factors = rng.uniform(1, 2, 200).tolist()
        f = small_function("small", lambda trace, x: [x * factor for factor in factors])
        f.ufunc()(np.ones((40, 1)))

    return growth(once, 10, 12)


def interpreted() -> float:
    """Another robot each time, as bytecode."""
    bar = dynamis.load("bar-2r")

    def once(k: int) -> None:
        robot = bar.with_values(m2=1 + k)
        robot.inverse_dynamics([0, 0])
        robot.mass_matrix([0, 0])
        robot.inverse_dynamics([0, 0], gravity=[0, 0, 1])

    return growth(once, 60, 50)


def called() -> float:
    """One function, called for one state and for many, rightly and wrongly."""
    f = dynamis.load("bar-2r").compile("inverse_dynamics")
    one, many, wrong = np.ones((3, 2)), np.ones((3, 5000, 2)), np.ones((3, 5))

    def once(_: int) -> None:
        f.quick_call(*one)
        f.quick_call(*many)
        f(*many, out=np.empty((5000, 2)), threads=2)
        try:
            f.quick_call(*wrong)
        except dynamis.DynamisError:
            return

    return growth(once, 300, 400)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(globals()[sys.argv[1]]())
