"""Processors that are not this one, and object files for them by LLVM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from dynamis.compute.ir.lanes import Lanes


@dataclass(frozen=True)
class Machine:
    """A processor as LLVM sees it, and what its code is made of.

    scalar  "double" or "float": what the processor computes in itself; without a floating-point unit, the shorter one
    fuses   whether it multiplies and adds in one operation
    abi     the calling convention, where the triple does not say it
    soft    whether it has no floating-point unit
    level   how much LLVM's code generator optimises, 0 to 3
    gap     how many pointers are arguments in registers, where those on the stack begin a byte later than LLVM believes
    """

    triple: str
    scalar: str
    cpu: str = ""
    features: str = ""
    fuses: bool = False
    abi: str = ""
    soft: bool = False
    gap: int = 0
    reloc: str = "static"
    level: int = 3

    @property
    def lanes(self) -> Lanes:
        return Lanes(self.scalar, 1)


def object_file(ir: str, machine: Machine) -> bytes:
    """The object file of a module."""
    llvm = _llvm()
    target = llvm.Target.from_triple(machine.triple).create_target_machine(
        cpu=machine.cpu,
        features=machine.features,
        opt=machine.level,
        reloc=machine.reloc,
        codemodel="default",
        abiname=machine.abi,
    )
    layout = f'target datalayout = "{target.target_data}"\ntarget triple = "{machine.triple}"\n'
    module = llvm.parse_assembly(layout + ir, llvm.create_context())
    module.verify()
    made: bytes = target.emit_object(module)
    # GNU's linker warns of all other object files where some have this section, which means nothing without Linux.
    return made if "linux" in machine.triple else made.replace(b".note.GNU-stack", b".comment.unused")


@cache
def _llvm() -> Any:
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm
