"""Machine code that another process makes while this one goes on.

There is no thread: the process reads its program from a file and writes the code to another, and whoever waits for
it looks now and then whether it has ended. It ends with the one who began it, at the latest with this process.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import weakref
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from dynamis.compute.backends.llvm import machine, subprocess_compiler
from dynamis.compute.program.program import Program

if TYPE_CHECKING:
    from subprocess import Popen

_CHILD = "from dynamis.compute.backends.llvm.background import answer; answer()"


class Compilation:
    """A program that is being compiled."""

    def __init__(self, program: Program, dtype: str) -> None:
        """OSError: no process can be had."""
        from tempfile import TemporaryFile  # short runs never come here

        self._code = TemporaryFile()  # noqa: SIM115 - closed with this object
        with TemporaryFile() as question:
            # As it is written, without what else this process has derived from it: a third of the bytes.
            written = program.fused if machine.host().fuses else program
            pickle.dump((replace(written), dtype, machine.host()), question)
            question.seek(0)
            self._process = subprocess_compiler.start(_CHILD, question, self._code)
        self._owner = os.getpid()
        weakref.finalize(self, _end, self._process, self._owner, self._code)

    @property
    def is_ours(self) -> bool:
        """Whether this process began it, and not the one that it was forked from."""
        return self._owner == os.getpid()

    @property
    def has_ended(self) -> bool:
        """Whether `code` is there at once."""
        return not self.is_ours or self._process.poll() is not None

    def code(self) -> bytes | None:
        """The object file, for which this waits; None where none came, or another process than ours asked for it."""
        if not self.is_ours or self._process.wait():
            return None
        self._code.seek(0)
        return self._code.read() or None


def _end(process: Popen[bytes], owner: int, code: IO[bytes]) -> None:
    code.close()
    if owner == os.getpid() and process.poll() is None:
        process.kill()
        process.wait()


class _Processes:
    """At most one process at a time, so that a robot with many functions takes one core more and not all."""

    def __init__(self) -> None:
        self._latest: Any = None
        self._possible = True

    def begin(self, program: Program, dtype: str) -> Compilation | None:
        """None while another program is being compiled, and where no process can be had."""
        latest: Compilation | None = self._latest and self._latest()
        if not self._possible or (latest is not None and not latest.has_ended):
            return None
        try:
            compilation = Compilation(program, dtype)
        except OSError:
            self._possible = False
            return None
        self._latest = weakref.ref(compilation)
        return compilation


begin = _Processes().begin


def answer() -> None:
    """What the process does: a pickled program from stdin, an object file to stdout."""
    from dynamis.compute.backends.llvm.source import program_source

    gc.disable()  # nothing that it makes is garbage before it ends
    program, dtype, processor = pickle.load(sys.stdin.buffer)
    machine.host()  # LLVM learns of this machine's instructions
    sys.stdout.buffer.write(machine.compile_here(program_source(program, dtype, processor).ir(), processor))
