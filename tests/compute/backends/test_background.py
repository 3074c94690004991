"""Machine code is made in another process while calls go on; nothing here is timed: the clock is the test's own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends import tiers
from dynamis.compute.backends.function import Function
from dynamis.compute.backends.llvm import background, machine
from dynamis.compute.backends.llvm.background import Compilation
from dynamis.compute.backends.llvm.source import program_source
from tests.support.functions import function, same_bits
from tests.support.large_robots import chain

GIVEN = np.random.default_rng(0).uniform(-1, 1, (3, 3))
SLEEP = "import time; time.sleep(600)"


class Begun:
    """A compilation that ends when the test says so."""

    def __init__(self, code: bytes | None) -> None:
        self.is_ours, self.has_ended, self._code = True, False, code

    def code(self) -> bytes | None:
        self.has_ended = True
        return self._code


class Compiler:
    """What was asked of it, in order; machine code is the interpreter again."""

    def __init__(self, begun: Begun | None) -> None:
        self.asked: list[Any] = []
        self._begun = begun

    def begin(self, program: Any, dtype: str) -> Begun | None:
        self.asked.append("begin")
        return self._begun

    def machine_code(self, name: str, program: Any, dtype: str, general: Any, code: bytes | None = None) -> Any:
        self.asked.append(code)
        return function(chain(3), "inverse_dynamics").interpreted(dtype), None

    def is_kept(self, program: Any, dtype: str) -> bool:
        return False


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def subject(begun: Begun | None) -> tuple[Function, Compiler, Clock, float]:
    """A function, its compiler and its clock, and the seconds that compiling takes."""
    f, compiler, clock = function(chain(3), "inverse_dynamics"), Compiler(begun), Clock()
    f._compiler, f._tiers = compiler, tiers.Tiers(f.program, clock)
    return f, compiler, clock, tiers.seconds_to_compile(f.program.length)


def call(f: Function, count: int) -> None:
    for _ in range(count):
        f(*GIVEN)


def test_nothing_is_begun_before_its_share_of_the_time_in_use() -> None:
    begun = Begun(b"code")
    f, compiler, clock, seconds = subject(begun)
    call(f, 1)
    clock.seconds = 0.99 * seconds / tiers.COMPILE_TIME_SHARE
    call(f, 2 * tiers.CALLS_PER_LOOK)
    assert compiler.asked == []
    clock.seconds = 1.01 * seconds / tiers.COMPILE_TIME_SHARE
    call(f, tiers.CALLS_PER_LOOK)
    assert compiler.asked == ["begin"]
    call(f, 2 * tiers.CALLS_PER_LOOK)
    assert compiler.asked == ["begin"]
    begun.has_ended = True
    call(f, 2 * tiers.CALLS_PER_LOOK)
    assert compiler.asked == ["begin", b"code"]


def test_single_states_never_wait_for_it_and_batches_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "CALLS_BEFORE_COMPILING", 40)
    f, compiler, clock, seconds = subject(Begun(b"code"))
    call(f, 1)
    clock.seconds = 2 * seconds
    call(f, 100)
    assert compiler.asked == ["begin"]
    f(*np.zeros((3, tiers.STATES_PER_INSTRUCTION * f.program.length, 3)))
    assert compiler.asked == ["begin", b"code"]


@pytest.mark.parametrize("busy", [True, False])
def test_without_another_process_it_is_made_here(busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because there is none just now, or because nothing came of it."""
    monkeypatch.setattr(tiers, "CALLS_BEFORE_COMPILING", 40)
    begun = None if busy else Begun(None)
    f, compiler, clock, seconds = subject(begun)
    call(f, 1)
    clock.seconds = 2 * seconds
    call(f, 20)
    if begun:
        begun.has_ended = True
    call(f, 40)
    assert compiler.asked == [*["begin"] * (1 + busy), None]


def test_a_forked_process_begins_its_own() -> None:
    """It cannot wait for a child of its parent's, and its single states wait for no compilation either."""
    begun = Begun(b"code")
    f, compiler, clock, seconds = subject(begun)
    call(f, 1)
    clock.seconds = 2 * seconds
    call(f, tiers.CALLS_PER_LOOK)
    begun.is_ours, begun.has_ended = False, True
    call(f, tiers.CALLS_PER_LOOK)
    assert compiler.asked == ["begin", "begin"]


def test_a_call_now_and_then_begins_nothing() -> None:
    f, compiler, clock, seconds = subject(Begun(b"code"))
    for _ in range(tiers.CALLS_PER_LOOK - 1):
        clock.seconds += seconds
        call(f, 1)
    assert compiler.asked == []


def test_the_other_process_makes_the_same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """One at a time; the function that runs it gives the same bits, and knows of no other code."""
    monkeypatch.setenv("DYNAMIS_CACHE", "")
    f, clock = function(chain(3), "inverse_dynamics"), Clock()
    f._tiers = tiers.Tiers(f.program, clock)
    expected = f(*GIVEN)
    clock.seconds = 1.0
    call(f, tiers.CALLS_PER_LOOK)
    (begun,) = f._begun.values()
    assert background.begin(f.program, "float32") is None or begun.has_ended
    here = machine.host()
    assert begun.code() == machine.compile_here(program_source(f.program, "float64", here).ir(), here)
    monkeypatch.setattr("dynamis.compute.backends.llvm.source.compile_ir", None)
    call(f, tiers.CALLS_PER_LOOK)
    assert f._compiled
    same_bits(f(*GIVEN), expected)
    same_bits(f.quick_call(*GIVEN), expected)


def test_it_ends_with_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_CHILD", SLEEP)
    compilation = Compilation(function(chain(3), "inverse_dynamics").program, "float64")
    process = compilation._process
    assert not compilation.has_ended
    del compilation
    gc.collect()
    assert process.poll() is not None


@pytest.mark.skipif(os.name == "nt", reason="no signal to one's own process")
def test_it_ends_with_this_process() -> None:
    """A script is over when its last line is, whatever is being compiled."""
    script = (
        "import dynamis; from dynamis.compute.backends.llvm import background;"
        f"background._CHILD = {SLEEP!r};"
        "c = background.begin(dynamis.load('bar-2r').engine.function('gravity_torque').program, 'float64');"
        "print(c._process.pid)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


def test_without_an_interpreter_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    program = function(chain(2), "gravity_torque").program
    processes = background._Processes()
    with monkeypatch.context() as patch:
        patch.setattr("sys.executable", "/usr/bin/blender")
        assert processes.begin(program, "float64") is None
    assert processes.begin(program, "float64") is None


def test_a_verb_is_compiled_on_request() -> None:
    robot = dynamis.load("bar-2r")
    robot.compile("inverse_dynamics")
    robot.compile("jacobian", frame="tool")
    assert robot.engine.function("inverse_dynamics")._compiled
    robot.jacobian([0.1, 0.2])
    made = vars(robot.engine.own)
    assert all(f._compiled for f in made.values())
    assert len(made) == 2
