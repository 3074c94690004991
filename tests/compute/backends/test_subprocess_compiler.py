"""Long programs are compiled in a process of their own, which can be ended."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

from dynamis.compute.backends.llvm import machine, subprocess_compiler
from tests.support.functions import function, lines, same_bits, states
from tests.support.large_robots import chain


def test_a_long_program_is_compiled_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The object file of the other process is the one that is made here; where there is none, it is made here."""
    monkeypatch.setattr(subprocess_compiler, "LONG_IR_LINES", 10)
    ir, here = "\n".join(lines(function(chain(2), "inverse_dynamics"))), machine.host()
    expected = machine.compile_here(ir, here)
    with monkeypatch.context() as patch:
        patch.setattr(machine, "compile_here", None)
        assert subprocess_compiler.compile_ir(ir, here) == expected
    monkeypatch.setattr(subprocess_compiler, "_CHILD", "raise SystemExit(1)")
    assert subprocess_compiler.compile_ir(ir, here) == expected
    for executable in ("", "/no/such/python3", "/usr/bin/blender"):
        monkeypatch.setattr("sys.executable", executable)
        assert subprocess_compiler.compile_ir(ir, here) == expected


@pytest.mark.skipif(os.name == "nt", reason="no signal to one's own process")
def test_a_compilation_can_be_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Ctrl-C raises at once, ends the process that compiles, and leaves a function that runs and compiles again."""
    monkeypatch.setenv("DYNAMIS_CACHE", "")
    monkeypatch.setattr(subprocess_compiler, "LONG_IR_LINES", 10)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    f = function(chain(3), "mass_matrix")
    given = states(np.random.default_rng(2), "mass_matrix", 3, 5)
    expected = f(*given)
    started = tmp_path / "started"
    child = f"import os, time; open({str(started)!r}, 'w').write(str(os.getpid())); time.sleep(600)"

    def press() -> None:
        while not (started.exists() and started.read_text()):
            pressed.wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(subprocess_compiler, "_CHILD", child)
        pressed = threading.Event()
        threading.Thread(target=press).start()
        with pytest.raises(KeyboardInterrupt):
            f.ufunc()
    signal.signal(signal.SIGINT, before)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    same_bits(f(*given), expected)
    assert not f._compiled
    same_bits(f.ufunc()(*given), expected)
