"""IR to machine code for the processor that runs, and machine code to addresses."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Host:
    """The processor as LLVM sees it."""

    triple: str
    cpu: str
    features: str

    def has(self, feature: str) -> bool:
        return f"+{feature}" in self.features.split(",")


@cache
def host() -> Host:
    """This machine's processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return Host(llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


@cache
def _target() -> Any:
    here = host()
    return llvm.Target.from_triple(here.triple).create_target_machine(
        cpu=here.cpu, features=here.features, opt=2, reloc="pic", codemodel="small"
    )


@cache
def _linker() -> Any:
    return llvm.create_lljit_compiler(_target_again(), use_jit_link=True)


def _target_again() -> Any:
    here = host()
    return llvm.Target.from_triple(here.triple).create_target_machine(
        cpu=here.cpu, features=here.features, opt=2, reloc="pic", codemodel="small"
    )


def object_code(ir: str) -> bytes:
    """The object file of a module."""
    module = llvm.parse_assembly(f'target triple = "{host().triple}"\n{ir}')
    return _target().emit_object(module)


def assembly(ir: str) -> str:
    """The same as text, to look at."""
    return _target().emit_assembly(llvm.parse_assembly(f'target triple = "{host().triple}"\n{ir}'))


_names = iter(range(10**18))


def link(code: bytes) -> tuple[int, Any]:
    """The address of @loop in an object file, and the handle that keeps it in memory."""
    builder = llvm.JITLibraryBuilder().add_object_img(code)
    for name, address in _library().items():
        builder.import_symbol(name, address)
    tracker: Any = builder.export_symbol("loop").link(_linker(), f"dynamis{next(_names)}")
    return tracker["loop"], tracker


@cache
def _library() -> dict[str, int]:
    """The C library's functions that the code may call."""
    library = ctypes.CDLL(None)
    return {
        name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in ("sin", "cos", "sinf", "cosf")
    }
