"""One table of operations: what the trace writes, what a program holds, and what every backend computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis.compute.backends import casadi_backend, numpy_backend
from dynamis.compute.backends.backend import BACKENDS, backend_for
from dynamis.compute.ir.cpu.bytecode import CODES
from dynamis.compute.program.program import FUSED, OPERATIONS, Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Node, Trace
from tests.support.kernels_on_cpu import has_gpu

BINARY = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide,
    "min": lambda a, b: np.where(b < a, b, a), "max": lambda a, b: np.where(b > a, b, a),
}  # fmt: skip
UNARY = {"neg": np.negative, "sin": np.sin, "cos": np.cos, "sqrt": np.sqrt, "sign": np.sign, "round": np.rint}
VALUES = [0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, -0.2, 0.7, 3.0, -7.25, 4503599627370497.5, 1e300]


def nodes() -> list[Node]:
    """One node of each operation that a trace has a method for."""
    trace = Trace()
    a, b = trace.input("a:0"), trace.input("b:0")
    return [
        a + b, a - b, a * b, a / b, -a, trace.sin(a), trace.cos(a), trace.sqrt(a), trace.sign(a), trace.least(a, b),
        trace.greatest(a, b), trace.nearest(a),
    ]  # fmt: skip


def of_one(op: str) -> Program:
    node = next(x for x in nodes() if x.op == op)
    return program([Operand("a", (1,)), Operand("b", (1,))], [(Operand("result", (1,)), [node])])


def test_the_trace_writes_these_operations() -> None:
    assert {x.op: 1 if x.b is None else 2 for x in nodes()} == {op: arity for op, (arity, _) in OPERATIONS.items()}


def test_a_program_holds_these_operations() -> None:
    whole = program([Operand(name, (1,)) for name in "ab"], [(Operand("results", (len(OPERATIONS),)), nodes())])
    assert set(whole.counts()) == set(OPERATIONS) - {"-"}
    assert not set(FUSED) & set(OPERATIONS)
    assert {op for op, *_ in whole.fused.operations} <= {*OPERATIONS, *FUSED, "input", "constant"}


def test_every_table_of_a_backend_has_these_operations() -> None:
    assert set(CODES) == {*OPERATIONS, *FUSED}
    for functions in (numpy_backend.FUNCTIONS, casadi_backend.functions()):
        assert set(functions) == set(OPERATIONS)


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "cuda" or has_gpu()])
def test_every_backend_computes_it(backend: str, op: str) -> None:
    """As the table says, also of infinity and NaN; CasADi's remainder and fmin leave them out."""
    special = [] if backend == "casadi" and op in ("round", "min", "max") else [np.inf, -np.inf, np.nan]
    a, b = (x.reshape(-1, 1) for x in np.meshgrid([*VALUES, *special], [*VALUES, *special]))
    with np.errstate(all="ignore"):
        expected: Any = UNARY[op](a) if OPERATIONS[op][0] == 1 else BINARY[op](a, b)
    function = backend_for(backend).function("operation", of_one(op), "one value")
    forms = [function, function.ufunc()] if backend == "llvm" else [function]
    for form in forms:
        found = form(a, b)
        if op in ("sin", "cos"):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
        else:
            np.testing.assert_array_equal(found, expected)
