"""Processors of other kinds, and programs as machine code for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis.compute.backends.llvm import machine
from dynamis.compute.backends.llvm.source import program_source
from dynamis.compute.ir.cpu.raw_layout import gufunc
from dynamis.compute.ir.host import Host
from dynamis.compute.program.program import Program

HERE = machine.host()
X86 = HERE.triple.startswith("x86_64")
PROCESSORS = {
    "SSE2": Host(HERE.triple, "x86-64", ""),
    "AVX": Host(HERE.triple, "sandybridge", "+avx"),
    "AVX2 without FMA": Host(HERE.triple, "x86-64", "+avx,+avx2"),
    "AVX2": Host(HERE.triple, "haswell", "+avx,+avx2,+fma"),
    "AVX-512": Host(HERE.triple, "skylake-avx512", "+avx,+avx2,+fma,+avx512f,+avx512vl,+avx512dq,+avx512bw"),
}


def runs_here(processor: Host) -> None:
    """Skip what this machine has no instructions for."""
    lacking = [x for x in processor.features.split(",") if x and not HERE.has(x.removeprefix("+"))]
    if not X86 or lacking:
        pytest.skip(f"this processor has no {', '.join(lacking) or 'x86-64 instructions'}")


def as_ufunc(program: Program, dtype: str, address: int, keep: Any, data: int | None = None) -> np.ufunc:
    signature = program.signature
    count, results = len(signature.inputs), len(signature.outputs)
    return gufunc(dtype, address, count, results, signature.shapes, "f", "f", keep, data)


def built(program: Program, dtype: str, processor: Host) -> np.ufunc:
    """The quantity as machine code for a processor."""
    addresses, tracker = program_source(program, dtype, processor).link()
    return as_ufunc(program, dtype, addresses["loop"], tracker)
