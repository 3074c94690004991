"""Several threads: a batch split over cores, and a function that many call at once."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.threads import _parts, _pool, in_parts
from tests.support.functions import TIERS, function, on_tier, options, same_bits, states, verb


@pytest.fixture(scope="module")
def puma() -> dynamis.Robot:
    return dynamis.load("puma560")


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "kinetic_energy", "reactions", "frame_motion"])
def test_a_split_batch_is_the_same(puma: dynamis.Robot, name: str) -> None:
    """For any number of threads, along whichever axis is longest, in both precisions."""
    rng = np.random.default_rng(0)
    for batch in ((5000,), (3, 2500), (2500, 3), (4100, 1), (1, 4097)):
        given = states(rng, name, 6, *batch)
        for dtype in (np.float64, np.float32):
            rounded = [x.astype(dtype) for x in given]
            alone = verb(puma, name, *rounded, **options(puma, name))
            for count in (1, 2, 3, 7):
                found = verb(puma.threads(count), name, *rounded, **options(puma, name))
                for ours, theirs in zip(found, alone, strict=True):
                    same_bits(ours, theirs)


@pytest.mark.parametrize("tier", TIERS)
def test_a_split_batch_broadcasts(puma: dynamis.Robot, tier: str) -> None:
    f = on_tier(function(puma, "inverse_dynamics"), tier)
    q, qd, qdd = states(np.random.default_rng(1), "inverse_dynamics", 6, 5000)
    for given in (
        (q[0], qd, qdd),
        (q[0], qd[:1], qdd),
        (q[:70, None], qd[:80], qdd[3]),
        (q[:70, None].tolist(), qd[:80], qdd[3]),
        (q[::-1], np.asfortranarray(qd), np.broadcast_to(0.0, qdd.shape)),
    ):
        same_bits(f(*given, threads=3), f(*given))
    for empty in ((0,), (2, 0)):
        assert f(np.zeros((*empty, 6)), q[0], q[0], threads=2).shape == (*empty, 6)


def test_a_split_batch_with_loads_and_gravity(puma: dynamis.Robot) -> None:
    given = states(np.random.default_rng(1), "inverse_dynamics", 6, 5000)
    loads = [dynamis.ToolWrench("exerted_by_environment", (1, 2, 3), (4, 5, 6))]
    for more in ({"gravity": False}, {"gravity": [1, 2, 3]}, {"loads": loads}):
        same_bits(puma.threads(2).inverse_dynamics(*given, **more), puma.inverse_dynamics(*given, **more))


def test_threads_of_a_robot(puma: dynamis.Robot) -> None:
    """The count is checked; the robot is the same otherwise, and shares what has been compiled."""
    for count in (0, -1, 1.5, True, "2", None):
        with pytest.raises(ArgumentError, match="threads must be a positive integer"):
            puma.threads(count)  # type: ignore[arg-type]
    robot = puma.threads(2)
    assert robot == puma
    assert robot.engine is puma.engine
    assert robot.threads(1).threads(3) == puma


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "reactions"])
def test_many_threads_call_a_new_robot_at_once(name: str) -> None:
    """From its first call on, through bytecode to machine code, in both precisions."""
    n, workers = 6, 8
    rng = np.random.default_rng(2)
    reference = dynamis.load("puma560")
    lengths = [1, 2, 15, 16, 17, 400, 3, 2000, 1, 5000]
    work: list[tuple[list[Any], tuple[Any, ...]]] = []
    for count in lengths:
        given = states(rng, name, n, count)
        for dtype in (np.float64, np.float32):
            rounded = [x.astype(dtype) for x in given]
            work.append((rounded, verb(reference, name, *rounded)))
    robot = dynamis.load("puma560")
    gate = threading.Barrier(workers)

    def call(seed: int) -> None:
        gate.wait()
        for k in np.random.default_rng(seed).permutation(len(work)):
            given, expected = work[k]
            for ours, theirs in zip(verb(robot, name, *given), expected, strict=True):
                same_bits(ours, theirs)

    with ThreadPoolExecutor(workers) as pool:
        for task in [pool.submit(call, seed) for seed in range(workers)]:
            task.result()


def test_many_threads_compile_many_robots_at_once() -> None:
    names = ["bar-2r", "genova-rp", "genova-3r", "panda", "stanford", "ur5"]
    gate = threading.Barrier(len(names))

    def made(name: str) -> list[Any]:
        gate.wait()
        robot = dynamis.load(name)
        quantities = ("inverse_dynamics", "mass_matrix", "gravity_torque")
        functions = [function(robot, quantity) for quantity in quantities]
        return [np.asarray(f.ufunc()(*[np.ones(robot.n)] * len(f.inputs))) for f in functions]

    with ThreadPoolExecutor(len(names)) as pool:
        together = list(pool.map(made, names))
    gate = threading.Barrier(1)
    for name, found in zip(names, together, strict=True):
        for ours, theirs in zip(found, made(name), strict=True):
            same_bits(ours, theirs)


@pytest.mark.parametrize("tier", TIERS)
def test_the_lock_of_the_interpreter_is_released(puma: dynamis.Robot, tier: str) -> None:
    """Another thread gets on while a call is under way."""
    f = on_tier(function(puma, "inverse_dynamics"), tier)

    def call(count: int) -> None:
        f(*np.zeros((3, count, 6)))

    assert not any(others_get_on_during(lambda k=k: sum(range(k))) for k in (10, 10**6))
    # Longer and longer, until the other thread is quick enough.
    assert any(others_get_on_during(lambda k=k: call(2**k)) for k in range(10, 20))


def others_get_on_during(call: Any) -> bool:
    """Whether a thread that waits for the lock gets it during the call; it is not given it otherwise."""
    gate, order = threading.Lock(), list[str]()

    def wait() -> None:
        gate.acquire()
        order.append("other")

    gate.acquire()
    thread = threading.Thread(target=wait)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # Nobody is asked to hand over the lock for so many seconds.
    try:
        gate.release()
        call()
        order.append("caller")
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    return order[0] == "other"


def test_every_state_is_in_one_part() -> None:
    for count in (1, 7, 4096, 4097, 100_000, 1_000_003):
        for threads in (1, 2, 3, 16):
            parts = _parts(count, threads)
            assert [x.start for x in parts] == [0, *(x.stop for x in parts[:-1])]
            assert parts[-1].stop == count
            assert len(parts) >= min(count, threads)
            assert min(x.stop - x.start for x in parts) > 0


def test_a_thread_that_never_starts_is_not_waited_for() -> None:
    """All threads of the pool are busy with something else: the caller does all parts."""
    gate, cores = threading.Event(), os.cpu_count() or 1
    busy = [_pool().submit(gate.wait, 60) for _ in range(cores)]
    done: list[int] = []
    try:
        in_parts(lambda x, out: done.append(len(x)), [np.zeros(9000)], [np.zeros(9000)], (9000,), max(2, cores))
    finally:
        gate.set()
    assert sum(done) == 9000
    assert all(task.result() for task in busy)


def test_what_goes_wrong_in_a_part_is_raised() -> None:
    def fails(x: Any, out: Any) -> None:
        raise ValueError(f"{len(x)} states")

    with pytest.raises(ValueError, match="states"):
        in_parts(fails, [np.zeros(9000)], [np.zeros(9000)], (9000,), 2)


def test_threads_that_ask_at_once_get_one_function() -> None:
    """Else one of two would become machine code, and the other be called for ever."""
    robot, together = dynamis.load("stanford"), threading.Barrier(4)

    def ask(_: int) -> tuple[int, int]:
        together.wait()
        loaded, _ = robot.engine.loaded_function("inverse_dynamics", {}, False, ())
        return id(robot.engine.function("forward_dynamics")), id(loaded)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(ask, range(4)))) == 1
