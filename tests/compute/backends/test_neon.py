"""Machine code for 64-bit ARM, run by QEMU: the same bits as here.

It needs `qemu-aarch64` and `aarch64-linux-gnu-gcc` (in Debian the packages qemu-user, gcc-aarch64-linux-gnu and
libc6-dev-arm64-cross).
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import llvmlite.binding as llvm
import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.host import Host
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.program.program import Program
from tests.support.closeness import close
from tests.support.functions import as_tuple, function, run, same_bits, states

ARM = Host("aarch64-unknown-linux-gnu", "generic", "+neon,+fp-armv8")
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
STATES = 21
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
void loop(char **args, long *dimensions, long *steps, void *data);
int main(int count, char **words) {
  /* number of states, number of inputs, then for every operand the bytes of a state and its strides */
  long n = atol(words[1]), inputs = atol(words[2]), operands = atol(words[3]), steps[64], dimensions[1] = {n};
  char *args[16];
  for (long k = 4; k < count; k++) steps[k - 4] = atol(words[k]);
  for (long k = 0; k < operands; k++) {
    args[k] = malloc(n * steps[k]);
    if (k < inputs && fread(args[k], steps[k], n, stdin) != n) return 1;
  }
  loop(args, dimensions, steps, 0);
  for (long k = inputs; k < operands; k++) fwrite(args[k], steps[k], n, stdout);
  return 0;
}
"""


def needs(*programs: str) -> None:
    for program in programs:
        if which(program) is None:
            pytest.skip(f"there is no {program} to run code for ARM")


def on_arm(folder: Path, program: Program, dtype: str, arrays: list[Array]) -> list[Array]:
    """The results of a program's machine code for ARM."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    code = machine.compile_here(kernel.module(program.fused, lanes_for(dtype, ARM, program), True), ARM)
    (folder / "kernel.o").write_bytes(code)
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run([COMPILER, "-static", "-O1", "-o", "run", "driver.c", "kernel.o", "-lm"], cwd=folder, check=True)
    inputs = [np.ascontiguousarray(x, dtype) for x in arrays]
    results = [np.empty((STATES, *x.shape), dtype) for x in program.outputs]
    operands = [*inputs, *results]
    strides = [x.strides[0] for x in operands] + [s for x in operands for s in x.strides[1:]]
    numbers = [STATES, len(inputs), len(operands), *strides]
    given = b"".join(x.tobytes() for x in inputs)
    written = subprocess.run(
        [EMULATOR, "./run", *map(str, numbers)], cwd=folder, check=True, input=given, capture_output=True
    ).stdout
    ends = np.cumsum([x.nbytes for x in results])
    parts = [written[end - x.nbytes : end] for x, end in zip(results, ends, strict=True)]
    return [np.frombuffer(part, dtype).reshape(x.shape) for part, x in zip(parts, results, strict=True)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_neon_computes_the_same(dtype: str, tmp_path: Path) -> None:
    """Sines, fused operations, transpositions and the end of a batch."""
    needs(EMULATOR, COMPILER)
    robot = dynamis.load("puma560")
    for name in QUANTITIES:
        f = function(robot, name)
        given = [x.astype(dtype) for x in states(np.random.default_rng(3), name, robot.n, STATES)]
        found = on_arm(tmp_path, f.program, dtype, given)
        for ours, theirs in zip(found, as_tuple(run(f, "machine code", *given, dtype=dtype)), strict=True):
            if machine.host().fuses:
                same_bits(ours, theirs)
            close(ours, theirs, np.abs(theirs).max(), 1e-12 if dtype == "float64" else 1e-4)


def test_neon_with_far_angles_and_nan(tmp_path: Path) -> None:
    """Far angles go to the C library, lane by lane, and a NaN spoils its own state alone."""
    needs(EMULATOR, COMPILER)
    robot = dynamis.load("puma560")
    f = function(robot, "gravity_torque")
    (q,) = states(np.random.default_rng(4), "gravity_torque", robot.n, STATES)
    q[3, 2], q[4, 1] = 1e9, np.nan
    (found,) = on_arm(tmp_path, f.program, "float64", [q])
    (expected,) = run(f, "machine code", q)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    assert set(np.nonzero(np.isnan(found))[0]) == {4}
    close(np.nan_to_num(found), np.nan_to_num(expected), None, 1e-12)
