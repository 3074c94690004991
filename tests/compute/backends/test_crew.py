"""Threads that take the parts of a batch in machine code, without the interpreter's lock."""

from __future__ import annotations

import multiprocessing
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.llvm import crew
from tests.support.functions import function, same_bits, states

pytestmark = pytest.mark.skipif(not crew._is_possible(), reason="this system has no such clock")


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine with one core the threads take turns."""
    monkeypatch.setattr(crew, "_CORES", 3)


def batch(name: str, count: int) -> tuple[Any, list[Any], Any]:
    ufunc = function(dynamis.load("puma560"), name).ufunc()
    given = states(np.random.default_rng(count), name, 6, count)
    return ufunc, given, ufunc(*given)


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("count", [1, 2, 7, 1025, 20_000])
def test_every_state_is_done_once(count: int) -> None:
    ufunc, given, expected = batch("inverse_dynamics", count)
    for threads in (2, 3):
        out = np.full_like(expected, np.nan)
        assert crew.share(ufunc, given, [out], threads)
        same_bits(out, expected)


@pytest.mark.usefixtures("two_cores")
def test_several_callers_at_once() -> None:
    """The threads are busy with one call: the others are done by their callers, all with the right results."""
    work = [batch("mass_matrix", count) for count in (5000, 6001, 7002)]
    wrong: list[int] = []

    def call(k: int) -> None:
        ufunc, given, expected = work[k % 3]
        for _ in range(30):
            out = np.zeros_like(expected)
            crew.share(ufunc, given, [out], 3)
            if out.tobytes() != expected.tobytes():
                wrong.append(k)

    callers = [threading.Thread(target=call, args=(k,)) for k in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


@pytest.mark.usefixtures("two_cores")
def test_a_thread_that_sleeps_is_called_and_keeps_nothing() -> None:
    ufunc, given, expected = batch("inverse_dynamics", 5000)
    kept = weakref.ref(given[0])
    for _ in range(5):
        out = np.zeros_like(expected)
        crew.share(ufunc, given, [out], 2)
        same_bits(out, expected)
        wait_until(lambda: crew._workers[0]._box.value == 1)  # it sleeps soon after
    given.clear()
    wait_until(lambda: kept() is None)


@pytest.mark.usefixtures("two_cores")
def test_other_arrays_are_left_to_numpy() -> None:
    ufunc, given, expected = batch("inverse_dynamics", 5000)
    single = [x.astype(np.float32) for x in given]
    assert not crew.share(ufunc, single, [expected], 2)
    shifted = np.zeros(expected.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(expected.shape)
    assert not crew.share(ufunc, given, [shifted], 2)
    assert not crew.share(ufunc, given, [expected], 1)


@pytest.mark.usefixtures("two_cores")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    ufunc, given, expected = batch("inverse_dynamics", 5000)
    out = np.zeros_like(expected)
    crew.share(ufunc, given, [out], 2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()

    def child() -> None:
        mine = np.zeros_like(expected)
        crew.share(ufunc, given, [mine], 2)
        answers.put(mine.tobytes() == expected.tobytes())

    process = context.Process(target=child)
    process.start()
    assert answers.get(timeout=60)
    process.join()


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError("it never came true")
