"""The backend of LLVM: an interpreter that starts at once, and machine code that is kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np

from dynamis.backends.function import Function
from dynamis.backends.llvm import loop_kernel, machine, one_state_call, raw_layout
from dynamis.backends.llvm.bytecode import Bytecode
from dynamis.backends.llvm.object_code import (
    interpreter_loop,
    is_on_disk,
    kept_code,
    lanes_for,
    linked,
    machine_code,
    program_key,
    versions,
)
from dynamis.backends.loop import Loop
from dynamis.program.program import Program


class LlvmBackend:
    """Machine code of this machine's processor."""

    name, dtypes, devices = "llvm", ("float64", "float32"), ("cpu",)

    def function(self, name: str, program: Program, whose: str) -> Function:
        return Function(name, program, whose, LlvmKernels(name, program))

    def loop(self, name: str, program: Program) -> Loop:
        return Loop(name, program, LlvmKernels(name, program))


class LlvmKernels:
    """One program as bytecode and as machine code, each a generalised ufunc."""

    compiles = True

    def __init__(self, name: str, program: Program) -> None:
        self.name, self.program = name, program

    def __reduce__(self) -> tuple[Any, ...]:
        return LlvmKernels, (self.name, self.program)

    def interpreted(self, dtype: str) -> np.ufunc:
        """Bytecode for the interpreter, which is compiled once for all programs."""
        tables = Bytecode(self.program, machine.host().fuses)
        address, tracker = interpreter_loop(dtype)
        return self._ufunc(dtype, address, (tracker, tables), tables.address)

    def machine_code(self, dtype: str, general: Callable[..., Any]) -> tuple[np.ufunc, Callable[..., Any] | None]:
        """From disk if it is there, and for one float64 result with a quick call of one state."""
        processor, program = machine.host(), self.program
        quick = dtype == "float64" and one_state_call.is_available(program)
        wanted, symbols = (["loop", "call"], raw_layout.symbols()) if quick else (["loop"], {})
        key = program_key(program, dtype, processor)
        addresses, tracker = linked(lambda: machine_code(program, dtype, quick, processor), key, wanted, symbols)
        call = raw_layout.make_builtin(addresses["call"], general, self.name, tracker) if quick else None
        return self._ufunc(dtype, addresses["loop"], tracker), call

    def is_kept(self, dtype: str) -> bool:
        """Whether the machine code is on disk."""
        return is_on_disk(self.program, dtype, machine.host())

    def repeat(self) -> np.ufunc:
        """The generalised ufunc (s),(k,r)->(s) as machine code."""
        (state, row), processor = self.program.inputs, machine.host()
        lanes, fused = lanes_for("float64", processor), processor.fuses
        key = sha256(f"{self.program.digest} {('repeat', lanes, processor, versions())!r}".encode()).hexdigest()
        program = self.program.fused if fused else self.program

        def code() -> bytes:
            return kept_code(key, lambda: loop_kernel.module(program, lanes, fused), processor)

        addresses, tracker = linked(code, key, ["repeat"], {})
        shapes = f"({state.count}),(k,{row.count})->({state.count})"
        doc = f"{self.name}: (x, rows) -> x after all rows"
        return raw_layout.gufunc("float64", addresses["repeat"], 2, 1, shapes, self.name, doc, tracker)

    def _ufunc(self, dtype: str, address: int, keep: Any, data: int | None = None) -> np.ufunc:
        signature = self.program.signature
        count, results, doc = len(signature.inputs), len(signature.outputs), f"{self.name}: {signature}"
        return raw_layout.gufunc(dtype, address, count, results, signature.shapes, self.name, doc, keep, data)
