"""The kernels of GPUs on the CPU: the same LLVM IR, one thread after the other."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.cuda import driver

_THREADS = """
@block.index = global i32 0
@grid.size = global i32 0
define i32 @thread() { ret i32 0 }
define i32 @grid() {
  %k = load i32, ptr @grid.size
  ret i32 %k
}
define i32 @block() {
  %k = load i32, ptr @block.index
  ret i32 %k
}
define void @barrier() { ret void }
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define void @copy(ptr %to, ptr %at, i32 %size) {
  call void @llvm.memcpy.p0.p0.i32(ptr %to, ptr %at, i32 %size, i1 false)
  ret void
}
define void @commit() { ret void }
define void @wait(i32 %but) { ret void }
define float @reciprocal(float %x) {
  %y = fdiv float 1.0, %x
  ret float %y
}
define void @all.blocks(i32 %count, ARGUMENTS) {
entry:
  store i32 %count, ptr @grid.size
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %after, %next ]
  store i32 %k, ptr @block.index
  call void @KERNEL(NAMES)
  %after = add i32 %k, 1
  %more = icmp slt i32 %after, %count
  br i1 %more, label %next, label %end
end:
  ret void
}
"""


def has_gpu() -> bool:
    """Whether this machine has a GPU that runs them as they are."""
    try:
        driver.library()
    except ArgumentError:
        return False
    return True


def host_ir(ir: str, shared: int) -> tuple[str, str]:
    """The IR of a kernel for this machine, and its name: one address space, a block of one thread, no barrier."""
    name, arguments = re.findall(r"define ptx_kernel void @(\w+)\((.*?)\) \{", ir)[0]
    plain = re.sub(r"addrspace\(\d\) ?", "", ir.replace("ptx_kernel ", ""))
    plain = re.sub(r"(target triple|!nvvm.annotations|!4) =.*\n", "", plain)
    for intrinsic, function in (("sreg.tid.x", "thread"), ("sreg.ctaid.x", "block"), ("sreg.nctaid.x", "grid")):
        plain = plain.replace(f"declare i32 @llvm.nvvm.read.ptx.{intrinsic}()\n", "")
        plain = plain.replace(f"@llvm.nvvm.read.ptx.{intrinsic}", f"@{function}")
    plain = plain.replace("declare float @llvm.nvvm.rcp.approx.ftz.f(float)\n", "")
    plain = plain.replace("@llvm.nvvm.rcp.approx.ftz.f", "@reciprocal")
    plain = plain.replace("declare void @llvm.nvvm.barrier0()\n", "").replace("@llvm.nvvm.barrier0", "@barrier")
    for intrinsic, function in (
        ("cg.shared.global.16.s", "copy"), ("commit.group", "commit"), ("wait.group", "wait"),
    ):  # fmt: skip
        plain = re.sub(rf"declare void @llvm.nvvm.cp.async.{intrinsic}\(.*\)\n", "", plain)
        plain = plain.replace(f"@llvm.nvvm.cp.async.{intrinsic}", f"@{function}")
    plain = re.sub(
        r"@tile = external global \[0 x \w+\]", f"@tile = global [{max(shared, 1)} x i8] zeroinitializer", plain
    )
    kinds = [
        re.sub(r"addrspace\(\d\) |noalias |readonly |writeonly |align \d+ ", "", one) for one in arguments.split(", ")
    ]
    calls = _THREADS.replace("ARGUMENTS", ", ".join(kinds)).replace("NAMES", ", ".join(kinds)).replace("KERNEL", name)
    return plain + calls, name


def run(kernel: Any, numbers: Sequence[int], arrays: Sequence[np.ndarray], most: int = 3) -> None:
    """Run a kernel whose blocks have one thread, for as many states as the first number says.

    Of blocks that take turns there are `most`.
    """
    assert kernel.block == 1
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    ir, _ = host_ir(kernel.ir, kernel.shared)
    module = llvm.parse_assembly(ir, llvm.create_context())
    module.verify()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=0, jit=True
    )
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    kinds = [ctypes.c_int32, *[ctypes.c_int64] * (len(numbers) + len(arrays))]
    call = ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address("all.blocks"))
    call(
        min(numbers[0], most) if kernel.takes_turns else numbers[0], *numbers, *(array.ctypes.data for array in arrays)
    )
