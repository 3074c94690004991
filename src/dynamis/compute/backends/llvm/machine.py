"""IR to machine code for the processor that runs, and machine code to addresses."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

from dynamis.compute.backends.forking import hold_at_forks
from dynamis.compute.ir.host import Host

llvm: Any = import_module("llvmlite.binding")


@cache
def host() -> Host:
    """This machine's processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return Host(llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


LONGEST_WELL = 24_000
"""Lines of IR up to which code is made as well as LLVM can, in 0.8 s: of more it makes code that is up to a quarter
slower, and takes a third of the time."""


def _target(processor: Host, optimization: int = 2) -> Any:
    return llvm.Target.from_triple(processor.triple).create_target_machine(
        cpu=processor.cpu, features=processor.features, opt=optimization, reloc="pic", codemodel="small"
    )


class _Linkers:
    """Linkers, each for a few object files: LLVM drops code, but keeps 10 KB per file until its linker goes."""

    FILES = 16

    def __init__(self) -> None:
        self.lock, self._linker, self._left = Lock(), None, 0

    def next(self) -> Any:
        """The linker for one more file."""
        with self.lock:
            if self._left == 0:
                self._linker = llvm.create_lljit_compiler(_target(host()), use_jit_link=True)
                self._left = self.FILES
            self._left -= 1
            return self._linker


_linkers = _Linkers()
# llvmlite has a lock around every call of LLVM. It is held for as long as a short program compiles; long ones are
# compiled in another process.
hold_at_forks(_linkers.lock, llvm.ffi.lib._lock)


def compile_here(ir: str, processor: Host) -> bytes:
    """The object file of a module. There is nothing to optimise in it: it is scheduled and allocated only."""
    # A context of its own: the constants of a module stay as long as its context does.
    module = llvm.parse_assembly(f'target triple = "{processor.triple}"\n{ir}', llvm.create_context())
    return _target(processor, 2 if ir.count("\n") <= LONGEST_WELL else 0).emit_object(module)


_numbers = itertools.count()


def link(code: bytes, functions: Sequence[str], symbols: dict[str, int]) -> tuple[dict[str, int], Any]:
    """The addresses of functions in an object file, and the handle that keeps them in memory."""
    builder = llvm.JITLibraryBuilder().add_object_img(code)
    for name, address in (_library() | symbols).items():
        builder.import_symbol(name, address)
    for name in functions:
        builder.export_symbol(name)
    linker = _linkers.next()
    tracker: Any = builder.link(linker, f"dynamis{next(_numbers)}")
    # A tuple drops its last entry first: the code goes before its linker.
    return {name: tracker[name] for name in functions}, (linker, tracker)


_C_LIBRARY = (
    "sin", "cos", "sinf", "cosf", "nearbyint", "nearbyintf", "aligned_alloc", "free", "feclearexcept", "memset",
)  # fmt: skip


@cache
def _library() -> dict[str, int]:
    """The C library's functions that the code may call."""
    process = ctypes.CDLL(None)
    return {name: _address(process if hasattr(process, name) else _libm(), name) for name in _C_LIBRARY}


def _libm() -> ctypes.CDLL:
    """The library of mathematical functions, where the process has not loaded it by itself."""
    from ctypes.util import find_library  # runs ldconfig

    return ctypes.CDLL(find_library("m"))


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
