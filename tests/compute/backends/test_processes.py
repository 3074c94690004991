"""Other processes: forks while threads compile go on, and pools compute what one process does."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.backends.tiers import STATES_PER_SPLIT
from tests.support.functions import function, small_function

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
STATE = [[0.3, -0.4], [0.5, 0.6], [0.7, 0.8]]
PATIENCE = 60.0
"""Seconds after which a child is taken for dead; it needs less than one."""


def new_torques(mass: float) -> list[float]:
    """Torques of a robot that was never asked before: traced, compiled, linked."""
    robot = dynamis.load("bar-2r").with_values(m2=mass)
    return robot.compile("inverse_dynamics")(*STATE).tolist()


def work_of_all_kinds(k: int) -> None:
    """Other code each time: traced, compiled, linked, interpreted, looped."""
    robot = dynamis.load("puma560").with_payload(1.0 + k / 1000)
    function(robot, "forward_dynamics").ufunc()
    robot.inverse_dynamics(np.zeros(6))
    program = small_function("next", lambda trace, x, row: [trace.sin(x * (1.0 + k)) + row], inputs=2).program
    _ = backend_for().loop("loop", program).repeat


@contextmanager
def busy(work: Callable[[int], None], threads: int) -> Iterator[None]:
    """Threads that do some work again and again all the while."""
    stop, turns = threading.Event(), iter(range(10**9))

    def repeat() -> None:
        while not stop.is_set():
            work(next(turns))

    running = [threading.Thread(target=repeat) for _ in range(threads)]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in running:
            thread.join()


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled is compiled anew."""
    monkeypatch.setenv("DYNAMIS_CACHE", "")


def ended(child: int) -> int | None:
    """The exit code of a child, or None if it hangs; then it is ended."""
    for _ in range(int(PATIENCE / 0.01)):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


@forks
def test_forks_while_threads_compile_go_on() -> None:
    expected = new_torques(2.5)
    with busy(work_of_all_kinds, 1):
        for k in range(8):
            time.sleep(0.003 * k)  # at another point of the threads' work each time
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    work_of_all_kinds(10**6)
                    code = 0 if new_torques(2.5) == expected else 2
                finally:
                    os._exit(code)
            assert ended(child) == 0


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_pool_computes_while_threads_compile(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    masses = [1.5, 2.5, 3.5]
    expected = [new_torques(mass) for mass in masses]
    with busy(work_of_all_kinds, 1), multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(new_torques, masses).get(timeout=PATIENCE) == expected


def _split_in_a_child(results: multiprocessing.Queue[float]) -> None:
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, STATES_PER_SPLIT + 1, 6))
    results.put(float(dynamis.load("ur5").threads(2).inverse_dynamics(q, qd, qdd).sum()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_after_a_fork() -> None:
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, STATES_PER_SPLIT + 1, 6))
    expected = float(dynamis.load("ur5").threads(2).inverse_dynamics(q, qd, qdd).sum())
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[float] = context.Queue()
    child = context.Process(target=_split_in_a_child, args=(results,))
    child.start()
    assert results.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0


def test_a_function_can_be_sent_to_another_process() -> None:
    f = dynamis.load("ur5").compile("inverse_dynamics")
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 3, 6))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))(q, qd, qdd), f(q, qd, qdd))
