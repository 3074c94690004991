"""Sweeps beside the engine that they run on: the share of its rate, memory, the file, and a cluster of processes.

Rates are measured in turns, sweep and engine, so that a slow moment of the machine meets both. The engine's own rate
is that of `robot.inverse_dynamics`: of its own threads on large batches, and on one thread on batches that stay in the
cache.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from dynamis.apps.sweeps.draws.points import sobol
from dynamis.apps.sweeps.ranges import box
from dynamis.apps.sweeps.run import cores
from dynamis.apps.sweeps.sweep import Sweep, sweep
from dynamis.library import load

STATES = 10**9
TURN = 2**25
"""States of one turn."""
BATCH, LARGE = 2048, 100_000
"""States of a batch of the engine: what the second cache of a core holds, and what several threads share."""
AIM, MOST_MEMORY = 0.7, 500


@dataclass(frozen=True)
class Whole:
    """One sweep in a process of its own, to a file."""

    states: int
    seconds: float
    memory: float
    """The largest that the process had [MB]."""
    file: float
    """[MB]"""


@dataclass(frozen=True)
class Result:
    """Nanoseconds per state (medians of the turns): of the sweep, of the engine, and on processes of a cluster."""

    threads: int
    sweep: float
    engine: float
    one_core: tuple[float, float]
    """Sweep and engine on one thread, in processor time: what others do on the machine matters less."""
    processes: dict[int, float]
    whole: Whole

    @property
    def share(self) -> float:
        """Of the engine's rate."""
        return self.engine / self.sweep

    @property
    def share_of_whole(self) -> float:
        """Of the engine's rate, by the sweep to a file."""
        return self.engine * self.whole.states / (self.whole.seconds * 1e9)

    @property
    def share_of_core(self) -> float:
        """Of the engine's rate on one thread."""
        return self.one_core[1] / self.one_core[0]


def torque_map(states: int) -> Sweep:
    """Largest torques of the UR5 over positions, velocities and accelerations, in 60 x 80 cells of its tool."""
    over = {"q": box("limits"), "qd": box(1.0), "qdd": box(2.0)}
    by = {"r": ("tool.radius", 60), "z": ("tool.z", 80)}
    return sweep(load("ur5"), "inverse_dynamics", over, sobol(states), by, ["max", "argmax"])


def measure(quick: bool, progress: Callable[[str], None]) -> Result:
    """The rates in turns, then the whole sweep."""
    turn, turns = (2**22, 3) if quick else (TURN, 9)
    swept, robot, threads = torque_map(turn), load("ur5"), cores()
    states, tau = np.random.default_rng(1).uniform(-1, 1, (3, LARGE, 6)), np.empty((LARGE, 6))
    engine = robot.compile("inverse_dynamics")

    def of_sweep() -> None:
        swept.run(threads=threads)

    def of_engine() -> None:
        for _ in range(turn // LARGE):
            engine(*states, out=tau, threads=threads)

    times = list[tuple[float, float]]()
    for k in range(turns + 1):  # the first compiles
        progress(f"turn {k} of {turns}")
        times.append((_seconds(of_sweep), _seconds(of_engine)))
    ours = median(seconds for seconds, _ in times[1:]) / turn * 1e9
    theirs = median(seconds for _, seconds in times[1:]) / (turn // LARGE * LARGE) * 1e9
    one_core = _one_core(turn // 16, turns)
    large = torque_map(8 * turn)  # tasks of a tenth of a second
    processes = {count: _on_processes(large, count, progress) for count in ((1,) if quick else (1, 2))}
    progress("the whole sweep")
    return Result(threads, ours, theirs, one_core, processes, whole(10**7 if quick else STATES))


def _one_core(states: int, turns: int) -> tuple[float, float]:
    """Nanoseconds of processor time per state of the sweep and of the engine, by one thread, in turns."""
    parts, robot = torque_map(STATES).parts, load("ur5")
    before = parts.part(0, 0, states)
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, BATCH, 6))
    tau = np.empty_like(q)
    times = np.empty((turns, 3))
    for k in range(turns):
        times[k, 0] = thread_time()
        parts.part(0, states, 2 * states, before)
        times[k, 1] = thread_time()
        for _ in range(states // BATCH):
            robot.inverse_dynamics(q, qd, qdd, out=tau)
        times[k, 2] = thread_time()
    ours, engine = np.median(np.diff(times), axis=0) / states * 1e9
    return float(ours), float(engine)


def whole(states: int) -> Whole:
    """A sweep in a process of its own."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "map.zarr"
        code = f"from benchmarks.sweep import run_whole; run_whole({states}, {str(store)!r})"
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
    told = json.loads(out)
    return Whole(states, told["seconds"], told["memory"], size / 1e6)


def run_whole(states: int, store: str) -> None:
    """Run it, and print its seconds and the largest memory of this process."""
    import resource

    swept = torque_map(states)
    swept.explain()
    seconds = _seconds(lambda: swept.run(store=store))
    print(json.dumps({"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3}))


def _on_processes(swept: Sweep, count: int, progress: Callable[[str], None]) -> float:
    """Nanoseconds per state on a cluster of so many processes of one thread each."""
    library: Any = import_module("distributed")
    with (
        library.LocalCluster(
            n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        library.Client(cluster) as client,
    ):
        progress(f"cluster of {count}")
        torque_map(swept.states // 64).run(client)  # compiled
        return median(_seconds(lambda: swept.run(client)) for _ in range(3)) / swept.states * 1e9


def _seconds(call: Callable[[], Any]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
