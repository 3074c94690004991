"""Vector widths: does the width that dynamis takes win on this machine?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.dynamics.subject import Array, Subject, as_tuple, robot_named
from benchmarks.dynamics.timing import Turn, medians
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.cpu.raw_layout import gufunc
from dynamis.compute.ir.lanes import Lanes, lanes_for

WIDTHS = (2, 4, 8, 16)
QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
DTYPES = {"float64": "double", "float32": "float"}


def rows(robots: Sequence[str], batch: int, rounds: int) -> Iterator[dict[str, Any]]:
    """For each quantity and precision: nanoseconds per state by lanes, and the lanes that dynamis takes."""
    for name in robots:
        robot = robot_named(name)
        for quantity in QUANTITIES:
            subject = Subject.of(robot, quantity, batch)
            for dtype in DTYPES:
                yield {"progress": f"{name}, {quantity}, {dtype}"}
                times = medians([_turn(subject, dtype, lanes) for lanes in WIDTHS], rounds)
                ns = {str(w): 1e9 * t / subject.batch for w, t in zip(WIDTHS, times, strict=True)}
                default = lanes_for(dtype, machine.host(), subject.function.program).width
                best = int(min(ns, key=lambda w: ns[w]))
                yield {"row": {
                    "robot": name, "quantity": quantity, "dtype": dtype, "ns": ns, "default": default, "best": best,
                }}  # fmt: skip


def _turn(subject: Subject, dtype: str, lanes: int) -> Turn:
    function = subject.function
    ufunc = with_width(function, dtype, lanes)
    inputs = [array.astype(dtype) for array in subject.arrays]
    out = tuple(np.zeros((subject.batch, *x.shape), dtype) for x in function.program.outputs)
    _check(ufunc(*(array[:9] for array in inputs)), subject.results(9), dtype)
    return lambda: ufunc(*inputs, out=out)


def with_width(function: ArrayFunction, dtype: str, lanes: int) -> np.ufunc:
    """The function's program as a ufunc whose vectors have so many lanes."""
    processor = machine.host()
    fused = processor.fuses
    program = function.program.fused if fused else function.program
    ir = kernel.module(program, Lanes(DTYPES[dtype], lanes), fused)
    addresses, tracker = machine.link(machine.compile_here(ir, processor), ["loop"], {})
    inputs, outputs = len(program.inputs), len(program.outputs)
    return gufunc(dtype, addresses["loop"], inputs, outputs, program.signature.shapes, function.name, "", tracker)


def _check(results: Any, expected: tuple[Array, ...], dtype: str) -> None:
    """Every width gives the same."""
    for a, b in zip(as_tuple(results), expected, strict=True):
        error = float(np.abs(np.asarray(a) - b).max() / np.abs(b).max())
        if error > (1e-12 if dtype == "float64" else 1e-2):
            raise AssertionError(f"vectors of another width give another result: relative error {error:.1e}")
