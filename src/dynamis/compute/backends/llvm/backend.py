"""The backend of LLVM: an interpreter that starts at once, and machine code that is kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from dynamis.compute.backends.backend import Backend
from dynamis.compute.backends.function import Function
from dynamis.compute.backends.llvm import background, cache, crew, machine
from dynamis.compute.backends.llvm.source import interpreter_loop, program_source, repeat_source
from dynamis.compute.backends.loop import Loop
from dynamis.compute.ir.cpu import raw_layout
from dynamis.compute.ir.cpu.bytecode import Bytecode
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta


class LlvmBackend(Backend):
    """Functions as bytecode and as machine code of this machine's processor, each a generalised ufunc."""

    name = "llvm"

    def function(self, name: str, program: Program, owner: str) -> Function:
        return Function(name, program, owner, interpreter_ufunc, self)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> Loop:
        return Loop(self.function(name, program, name), partial(repeat_ufunc, name, program))

    def machine_code(
        self, name: str, program: Program, dtype: str, general: Callable[..., Any], code: bytes | None = None
    ) -> tuple[np.ufunc, Callable[..., Any] | None]:
        """Of `code`, or from disk if it is there, and for one float64 result with a quick call of one state."""
        addresses, tracker = program_source(program, dtype, machine.host()).link(code)
        call = addresses.get("call")
        quick = None if call is None else raw_layout.make_builtin(call, general, name, tracker)
        return _ufunc(name, program, dtype, addresses["loop"], tracker), quick

    def begin(self, program: Program, dtype: str) -> background.Compilation | None:
        return background.begin(program, dtype)

    def is_kept(self, program: Program, dtype: str) -> bool:
        """Whether the machine code is on disk."""
        return cache.has(program_source(program, dtype, machine.host()).key)

    def share(self, kernel: Any, inputs: Sequence[Any], results: Sequence[Any], threads: int) -> bool:
        return crew.share(kernel, inputs, results, threads)


def interpreter_ufunc(name: str, program: Program, dtype: str) -> np.ufunc:
    """A program as bytecode for the interpreter."""
    tables = Bytecode(program, machine.host().fuses)
    address, tracker = interpreter_loop(dtype)
    return _ufunc(name, program, dtype, address, (tracker, tables), tables.address)


def repeat_ufunc(name: str, program: Program) -> np.ufunc:
    """The generalised ufunc (s),(k,r)->(s) of a program (x, row) -> x as machine code."""
    addresses, tracker = repeat_source(program, machine.host()).link()
    state, row = program.inputs
    shapes = f"({state.count}),(k,{row.count})->({state.count})"
    doc = f"{name}: (x, rows) -> x after all rows"
    return raw_layout.gufunc("float64", addresses["repeat"], 2, 1, shapes, name, doc, tracker)


def _ufunc(name: str, program: Program, dtype: str, address: int, keep: Any, data: int | None = None) -> np.ufunc:
    inputs, outputs, doc = len(program.inputs), len(program.outputs), f"{name}: {program.signature}"
    return raw_layout.gufunc(dtype, address, inputs, outputs, program.signature.shapes, name, doc, keep, data)
