"""LLVM IR to PTX, the assembly of NVIDIA's GPUs, which their driver compiles for the device that runs it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

llvm: Any = import_module("llvmlite.binding")


@cache
def _target(cpu: str, features: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu=cpu, features=features, opt=3)


def ptx(ir: str, cpu: str = "sm_70", features: str = "+ptx70") -> str:
    """The PTX of a module; that of an older architecture runs on all newer ones."""
    module = llvm.parse_assembly(ir, llvm.create_context())
    module.verify()
    target = _target(cpu, features)
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(3))
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    return target.emit_assembly(module)
