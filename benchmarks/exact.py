"""Exact scalars: how long M, all Christoffel symbols, g and the proof NE = EL take.

Every mass, CoM, inertia and length is a symbol. SymPy runs the same algorithms on its own
expressions, closed form and code, and is stopped after a limit (`sympy_peer`).

And the textbook page of a 2R: the robot's file, every step of the derivation and its LaTeX, after import.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from benchmarks.sympy_peer import LIMIT, Peer, peer, sympy_seconds
from dynamis.base.errors import UnphysicalWarning
from dynamis.library import load
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Link
from dynamis.robot import Robot

__all__ = ["PageRow", "Row", "chain", "in_its_own_process", "measure", "measure_page", "pages", "rows", "sympy_seconds"]

ROBOTS = ("deluca-2r", "genova-rp", "genova-3r", "stanford", "puma560", "panda")
AIMS = {"deluca-2r": 0.1, "stanford": 0.5, "puma560": 0.5, "panda": 2.0, "chain of 9": 20.0}
"""Seconds on one core of the machine that dynamis was built on."""
REPEATS = 3
PAGES = ("deluca-2r", "planar-elbow")
PAGE_AIM = 0.1
PAGE_REPEATS = 10


@dataclass(frozen=True)
class Row:
    """One robot: seconds for M, + Christoffel and g, + both torques and their equality; terms; memory."""

    robot: str
    symbols: int
    mass_matrix: float
    christoffel: float
    proved: float
    terms: int
    memory_gb: float | None
    aim: float | None
    sympy: Peer | None = None


@dataclass(frozen=True)
class PageRow:
    """The page of one robot: seconds of the first call by the clock and by the processor, the median of later ones."""

    robot: str
    first: float
    processor: float
    repeated: float
    characters: int
    aim: float = PAGE_AIM


def pages() -> Iterator[PageRow]:
    """The textbook pages of two 2R, each in a fresh process."""
    for name in PAGES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(measure_page, name).result()


def measure_page(name: str) -> PageRow:
    """Read the robot, derive with every step, render LaTeX; what is imported is imported before."""
    from dynamis.exact.derive import derive
    from dynamis.telling.renderers.page import render

    times: list[tuple[float, float]] = []
    page = ""
    for _ in range(1 + PAGE_REPEATS):
        start, worked = time.perf_counter(), time.process_time()
        page = render(derive(load(name).equations()), "latex")
        times.append((time.perf_counter() - start, time.process_time() - worked))
    (first, processor), *again = times
    return PageRow(name, first, processor, statistics.median(clock for clock, _ in again), len(page))


def rows(largest: int = 9, limit: float = LIMIT) -> Iterator[Row]:
    """The shipped arms, then chains with a growing number of joints; SymPy has `limit` seconds for each figure."""
    for name in ROBOTS:
        robot = _all_symbolic(name)
        yield in_its_own_process(name, robot, peer(robot, limit))
    finishes = True
    for n in range(2, largest + 1):
        # A closed form that was too long for n joints is not tried for more.
        sympy_times = peer(chain(n), limit, closed_form=finishes)
        finishes = sympy_times is not None and sympy_times.proved is not None
        yield in_its_own_process(f"chain of {n}", chain(n), sympy_times)


def _all_symbolic(name: str) -> Robot:
    """A shipped arm, fully symbolic; what is odd about its numbers is not measured here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        return load(name).symbolic(keep_zeros=False)


def in_its_own_process(name: str, robot: Robot, sympy: Peer | None) -> Row:
    """`measure` in a fresh process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, name, robot, sympy).result()


def measure(name: str, robot: Robot, sympy: Peer | None = None) -> Row:
    """The median of a few runs, each from a fresh model; equality is checked before it counts."""
    times: list[tuple[float, float, float]] = []
    terms = 0
    for _ in range(REPEATS if robot.n < 8 else 1):
        start = time.perf_counter()
        model = robot.equations()
        model.M.rows()
        first = time.perf_counter() - start
        _ = model.coriolis_matrix, model.gravity
        second = time.perf_counter() - start
        if model.torques != model.newton_euler.tau:
            raise AssertionError(f"Newton-Euler and Lagrange differ for {name}")
        times.append((first, second, time.perf_counter() - start))
        terms = sum(map(len, model.torques))
    first, second, third = (statistics.median(column) for column in zip(*times, strict=True))
    memory = peak_memory()
    symbols = len(robot.used_parameters())
    return Row(name, symbols, first, second, third, terms, memory, AIMS.get(name), sympy)


def peak_memory() -> float | None:
    """The most memory that this process has had [GB]; None on Windows, which has no `resource`."""
    try:
        resource: Any = import_module("resource")
    except ImportError:
        return None
    # Kilobytes, but bytes on macOS.
    unit = 1e9 if sys.platform == "darwin" else 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def chain(n: int) -> Robot:
    """A chain of n revolute joints, twisted by right angles, every parameter a symbol."""
    names: dict[str, str] = {}

    def symbol(name: str) -> str:
        names[name] = ""
        return name

    links: list[Link] = []
    for k in range(1, n + 1):
        twist = ("0", "pi/2", "-pi/2")[(k + 1) % 3]
        before: Any = f"Tx({symbol(f'a{k}')}) Tz({symbol(f'd{k}')}) Rx({twist})"
        six: Any = {entry: symbol(f"I{k}{entry}") for entry in ("xx", "yy", "zz", "xy", "xz", "yz")}
        com: Any = tuple(symbol(f"c{k}{axis}") for axis in "xyz")
        mass: Any = symbol(f"m{k}")
        parent = f"link{k - 1}" if k > 1 else "base"
        links.append(Link(f"link{k}", Joint(f"q{k}", before=before), parent, mass, com, Inertia.of(**six)))
    gravity: Any = (0, 0, f"-{symbol('g')}")
    return Robot(f"chain of {n}", tuple(links), gravity=gravity, parameters=names)
