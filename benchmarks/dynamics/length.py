"""How long a program may be: straight-line machine code beside bytecode as chains grow."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.dynamics.subject import Array, Subject, chain
from benchmarks.dynamics.timing import medians
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.backends.llvm.backend import LlvmBackend, interpreter_ufunc
from dynamis.compute.backends.tiers import MAX_INSTRUCTIONS

QUANTITIES = ("inverse_dynamics", "mass_matrix")
MOST_OPERATIONS = 80_000
"""The longest program that is still made into machine code: the compiler's time grows faster than the program."""


def rows(joints: Sequence[int], batch: int, rounds: int) -> Iterator[dict[str, Any]]:
    """For each chain and quantity: operations, seconds to make both forms, nanoseconds per state of both."""
    os.environ["DYNAMIS_CACHE"] = ""  # the time to compile is wanted, not to read
    for n in joints:
        robot = chain(n)
        for quantity in QUANTITIES:
            yield {"progress": f"chain of {n}, {quantity}"}
            start = time.perf_counter()
            function = robot.compile(quantity)
            traced = time.perf_counter() - start
            yield {"row": _row(Subject.of(robot, quantity, batch), function, traced, rounds)}


def _row(subject: Subject, function: ArrayFunction, seconds: float, rounds: int) -> dict[str, Any]:
    operations = len(function.program.operations)
    forms: dict[str, Any] = {"bytecode": lambda: interpreter_ufunc(function.name, function.program, "float64")}
    if operations <= MOST_OPERATIONS:
        compile_program = partial(LlvmBackend().machine_code, function.name, function.program, "float64", function)
        forms["machine"] = lambda: compile_program()[0]
    row: dict[str, Any] = {
        "joints": subject.robot.n, "quantity": subject.quantity, "operations": operations,
        "length": function.program.length, "states": subject.batch,
        "switch": MAX_INSTRUCTIONS,
    }  # fmt: skip
    ufuncs: list[Any] = []
    out = tuple(np.zeros((subject.batch, *x.shape)) for x in function.program.outputs)
    results: list[Array] = []
    for name, make in forms.items():
        start = time.perf_counter()
        ufunc = make()
        row[f"{name}_seconds"] = time.perf_counter() - start
        ufuncs.append(ufunc)
        ufunc(*subject.arrays, out=out)
        results.append(out[0][:9].copy())
    if any(not np.array_equal(results[0], result) for result in results[1:]):
        raise AssertionError("bytecode and machine code give different results")
    times = medians([lambda f=f: f(*subject.arrays, out=out) for f in ufuncs], rounds)
    return row | {f"{name}_ns": 1e9 * t / subject.batch for name, t in zip(forms, times, strict=True)}
