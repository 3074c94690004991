"""Machine code from disk, or else from LLVM: of a program, of a program that is repeated, of the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from dynamis.compute.backends.llvm import cache as code_cache
from dynamis.compute.backends.llvm import machine
from dynamis.compute.backends.llvm.subprocess_compiler import compile_ir
from dynamis.compute.ir.cpu import kernel, loop_kernel, one_state_call, raw_layout, sweep_kernel
from dynamis.compute.ir.cpu.interpreter import interpreter
from dynamis.compute.ir.folds import Box, Fold
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.program.program import Program


@dataclass(frozen=True)
class Source:
    """LLVM IR for one processor, written only when its machine code is not on disk.

    `subject` is all that the IR depends on besides the processor and `versions`; `functions` are those that it defines.
    """

    subject: str
    processor: machine.Host
    functions: tuple[str, ...]
    ir: Callable[[], str]

    @cached_property
    def key(self) -> str:
        """The name on disk: a hash of all that the machine code depends on."""
        return sha256(repr((self.subject, self.processor, self.functions, versions())).encode()).hexdigest()

    def object_code(self) -> bytes:
        """From disk if it is there, else compiled and put there."""
        code = code_cache.read(self.key)
        if code is None:
            code = compile_ir(self.ir(), self.processor)
            code_cache.write(self.key, code)
        return code

    def link(self, code: bytes | None = None) -> tuple[dict[str, int], Any]:
        """The addresses of the functions, and what keeps them in memory; `code` is what another process made of it."""
        symbols = raw_layout.symbols() if "call" in self.functions else {}
        if code is not None:
            code_cache.write(self.key, code)
        try:
            return machine.link(self.object_code() if code is None else code, self.functions, symbols)
        except RuntimeError:  # what was on disk is not such code
            code_cache.drop(self.key)
            return machine.link(self.object_code(), self.functions, symbols)


def program_source(program: Program, dtype: str, processor: machine.Host) -> Source:
    """@loop of a program; and @call, a quick call of one state, if it has one result in float64."""
    lanes, fused = lanes_for(dtype, processor, program), processor.fuses
    quick = dtype == "float64" and one_state_call.is_available(program)

    def ir() -> str:
        loop = kernel.module(program.fused if fused else program, lanes, fused)
        return loop + one_state_call.call_ir(program) if quick else loop

    return Source(f"{program.digest} {lanes}", processor, ("loop", "call") if quick else ("loop",), ir)


def repeat_source(program: Program, processor: machine.Host) -> Source:
    """@repeat of a program (x, row) -> x."""
    lanes, fused = lanes_for("float64", processor), processor.fuses

    def ir() -> str:
        return loop_kernel.module(program.fused if fused else program, lanes, fused)

    return Source(f"{program.digest} {lanes}", processor, ("repeat",), ir)


def sweep_source(program: Program, box: Box | None, folds: Sequence[Fold], processor: machine.Host) -> Source:
    """@sweep of a program x -> values, cell."""
    lanes, fused = lanes_for("float64", processor), processor.fuses

    def ir() -> str:
        return sweep_kernel.module(program.fused if fused else program, lanes, fused, box, folds)

    return Source(f"{program.digest} {lanes} {box} {tuple(folds)}", processor, ("sweep",), ir)


def interpreter_source(dtype: str, processor: machine.Host) -> Source:
    """@loop of the interpreter, which is compiled once for all programs."""
    lanes = lanes_for(dtype, processor)
    return Source(f"interpreter {lanes}", processor, ("loop",), lambda: interpreter(lanes, processor.fuses))


@cache
def interpreter_loop(dtype: str) -> tuple[int, Any]:
    """The address of the interpreter's loop on this machine, and what keeps it in memory."""
    addresses, tracker = interpreter_source(dtype, machine.host()).link()
    return addresses["loop"], tracker


@cache
def versions() -> tuple[str, ...]:
    """The version of llvmlite, and a hash of the sources that write IR."""
    here = Path(__file__).parent
    folders = (here, here.parents[1] / "ir", here.parents[1] / "program")
    sources = sorted(source for folder in folders for source in folder.rglob("*.py"))
    digest = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    return import_module("llvmlite").__version__, digest
