"""Machine code of a long program, made in a process of its own: LLVM cannot be interrupted, a process can be ended.

Ctrl-C ends the process and raises KeyboardInterrupt; nothing else has changed by then, and other threads can use LLVM
all the while. Where no process can be had, the code is made here.
"""

from __future__ import annotations

import os
import sys
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.compute.backends.llvm import machine

if TYPE_CHECKING:
    import subprocess

LONG_IR_LINES = 8000
"""Lines of IR from which a process pays: they compile in 0.3 s, of which starting the process is a quarter."""
_CHILD = "from dynamis.compute.backends.llvm.subprocess_compiler import answer; answer()"


def compile_ir(ir: str, processor: machine.Host) -> bytes:
    """The object file of a module, made in a process of its own if the module is long."""
    code = _in_a_process(ir, processor) if ir.count("\n") > LONG_IR_LINES else None
    return machine.compile_here(ir, processor) if code is None else code


def start(program: str, stdin: Any, stdout: Any) -> subprocess.Popen[bytes]:
    """Another Python that runs this program; OSError where there is none."""
    if not Path(sys.executable or "").name.lower().startswith("python"):
        raise OSError("Python inside another program: its executable is not an interpreter")
    import subprocess  # most runs take their code from the disk

    path = os.pathsep.join(x or os.getcwd() for x in sys.path)
    # A session of its own, so that a terminal's Ctrl-C goes to the one who waits and not to the child.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdin=stdin, stdout=stdout,
        stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path}, start_new_session=True,
    )  # fmt: skip


def _in_a_process(ir: str, processor: machine.Host) -> bytes | None:
    """The object file, or None where there is no process that makes it."""
    try:
        child = start(_CHILD, -1, -1)  # subprocess.PIPE
    except OSError:
        return None
    try:
        code, _ = child.communicate("\n".join([*astuple(processor), ir]).encode())
    except BaseException:
        child.kill()
        child.wait()
        raise
    return code if child.returncode == 0 else None


def answer() -> None:
    """What the process does: a processor and a module from stdin, an object file to stdout."""
    triple, cpu, features, ir = sys.stdin.buffer.read().decode().split("\n", 3)
    machine.host()  # LLVM learns of this machine's instructions
    sys.stdout.buffer.write(machine.compile_here(ir, machine.Host(triple, cpu, features)))
