"""What this machine could do at best: bytes it copies and fused operations it computes in a nanosecond.

The limit of a quantity is the longer of two times per state: its inputs and outputs through memory, and
its additions and multiplications if every two of them were one fused operation in full vectors.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks.dynamics.subject import Subject
from benchmarks.dynamics.timing import medians
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.lanes import Code, Lanes, lanes_for
from dynamis.compute.ir.sincos import sincos

_CHAINS = 16
"""Independent chains of fused operations: enough to hide how long each takes."""
_STEPS = 20_000


@dataclass(frozen=True)
class Limit:
    """The least time per state [ns]: through memory, through the arithmetic units; and what they were computed from."""

    memory_ns: float
    arithmetic_ns: float
    bytes: int
    operations: int
    bytes_a_ns: float
    operations_a_ns: float

    @property
    def ns(self) -> float:
        return max(self.memory_ns, self.arithmetic_ns)


def limit(subject: Subject, rounds: int = 9) -> Limit:
    """The limit of a quantity in float64 on one thread, measured now."""
    size, operations = subject.bytes_a_state, operations_of(subject)
    copied, computed = copy_rate(size * subject.batch, rounds), arithmetic_rate(rounds)
    return Limit(size / copied, operations / computed, size, operations, copied, computed)


def operations_of(subject: Subject) -> int:
    """Additions, multiplications, divisions and roots of one state, those inside of sines and cosines too."""
    counts = subject.function.program.counts()
    turns = max(counts["sin"], counts["cos"])
    return sum(counts[op] for op in ("+", "*", "/", "sqrt")) + turns * operations_of_sincos()


@cache
def operations_of_sincos() -> int:
    """The operations of a sine and a cosine together, on their fast path; a fused one counts as two."""
    fast = sincos(Lanes("double", 2), False).partition("slow:")[0]
    return sum(fast.count(f"= {op} ") for op in ("fadd", "fsub", "fmul"))


def copy_rate(size: int, rounds: int) -> float:
    """Bytes read and written in a nanosecond, by a copy that touches `size` bytes."""
    source = np.ones(max(1, size // 16))
    target = np.zeros_like(source)
    (duration,) = medians([lambda: np.copyto(target, source)], rounds)
    return 2 * source.nbytes / (duration * 1e9)


def arithmetic_rate(rounds: int) -> float:
    """Additions and multiplications in a nanosecond, fused, in vectors of the width that dynamis uses."""
    call, lanes, _ = _kernel()
    sink = np.zeros(8 * lanes.width)
    (duration,) = medians([lambda: call(_STEPS, sink.ctypes.data)], rounds)
    return 2 * _STEPS * _CHAINS * lanes.width / (duration * 1e9)


@cache
def _kernel() -> tuple[Any, Lanes, Any]:
    """x = a x + b in sixteen registers, over and over."""
    processor = machine.host()
    lanes = lanes_for("float64", processor)
    v, code = lanes.vector, Code(lanes)
    for k in range(_CHAINS):
        code.lines.append(f"  %x{k} = phi {v} [{lanes.splat(0.1 * k)}, %entry], [%y{k}, %step]")
    for k in range(_CHAINS):
        code.do(f"%y{k} = call {v} @llvm.fma.v{lanes.width}f64({v} %x{k}, {v} %a, {v} %a)")
    total = [f"%y{k}" for k in range(_CHAINS)]
    body = "\n".join(code.lines)
    ending = Code(lanes)
    while len(total) > 1:
        total = [ending.exactly("fadd", total[0], total[1]), *total[2:]]
    sums = "\n".join(ending.lines)
    ir = f"""
declare {v} @llvm.fma.v{lanes.width}f64({v}, {v}, {v})
define void @kernel(i64 %count, ptr %sink) {{
entry:
  %a = load {v}, ptr %sink, align 8
  br label %step
step:
  %k = phi i64 [0, %entry], [%next, %step]
{body}
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %step, label %done
done:
{sums}
  store {v} {total[0]}, ptr %sink, align 8
  ret void
}}
"""
    addresses, tracker = machine.link(machine.compile_here(ir, processor), ["kernel"], {})
    return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)(addresses["kernel"]), lanes, tracker
