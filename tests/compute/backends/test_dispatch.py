"""Machine code for other processors: run here where this one can, emitted where it cannot."""

from __future__ import annotations

import llvmlite.binding as llvm
import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.llvm import machine
from dynamis.compute.backends.llvm.source import interpreter_source
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.cpu.bytecode import Bytecode
from dynamis.compute.ir.cpu.interpreter import interpreter
from dynamis.compute.ir.host import Host
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.program.program import Program
from dynamis.compute.quantities.reference import plain
from tests.support.closeness import close
from tests.support.functions import as_tuple, function, options, same_bits, states
from tests.support.processors import PROCESSORS, as_ufunc, built, runs_here

WIDTHS = {"SSE2": 2, "AVX": 2, "AVX2 without FMA": 4, "AVX2": 4, "AVX-512": 8}
QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "reactions")


def interpreted(program: Program, dtype: str, processor: Host) -> np.ufunc:
    """The quantity as bytecode, with the interpreter for a processor."""
    addresses, tracker = interpreter_source(dtype, processor).link()
    tables = Bytecode(program, processor.fuses)
    return as_ufunc(program, dtype, addresses["loop"], (tracker, tables), tables.address)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", PROCESSORS)
def test_other_processors_compute_the_same(kind: str, dtype: str) -> None:
    """To rounding as the plain path, and both tiers bit for bit alike; also at the end of a batch."""
    processor = PROCESSORS[kind]
    runs_here(processor)
    robot = dynamis.load("stanford")
    for name in QUANTITIES:
        given = [x.astype(dtype) for x in states(np.random.default_rng(3), name, robot.n, 21)]
        program = function(robot, name).program
        found = as_tuple(built(program, dtype, processor)(*given))
        expected = plain(robot, name, *given, **options(robot, name))
        for ours, theirs in zip(found, expected, strict=True):
            close(ours, theirs, np.abs(theirs).max() * np.sqrt(theirs.size), 1e-12 if dtype == "float64" else 1e-4)
        for ours, theirs in zip(as_tuple(interpreted(program, dtype, processor)(*given)), found, strict=True):
            same_bits(ours, theirs)


def test_a_vector_is_as_wide_as_a_register() -> None:
    for kind, count in WIDTHS.items():
        assert lanes_for("float64", PROCESSORS[kind]).width == count
        assert lanes_for("float32", PROCESSORS[kind]).width == 2 * count


def test_a_feature_is_a_whole_name() -> None:
    assert Host("", "", "+avx512f,-avx2,+fma4").has("avx512f")
    assert not Host("", "", "+avx512f,-avx2,+fma4").has("avx2")
    assert not Host("", "", "+avx512f,-avx2,+fma4").has("fma")
    assert not Host("", "", "").has("avx2")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_neon(dtype: str) -> None:
    """Code for ARM is emitted; what it computes must be seen on such a machine."""
    arm = Host("aarch64-unknown-linux-gnu", "generic", "+neon,+fp-armv8")
    try:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        llvm.Target.from_triple(arm.triple)
    except RuntimeError:
        pytest.skip("this LLVM has no AArch64")
    program = function(dynamis.load("puma560"), "inverse_dynamics").program
    lanes = lanes_for(dtype, arm)
    assert lanes.width * lanes.size == 16
    for fused in (False, True):
        ir = kernel.module(program.fused if fused else program, lanes, fused)
        for text in (ir, interpreter(lanes, fused)):
            code = machine.compile_here(text, arm)
            assert code[:4] == b"\x7fELF"
            assert int.from_bytes(code[18:20], "little") == 183  # EM_AARCH64
