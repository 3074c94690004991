"""A step that is repeated, in one kernel: `@repeat(n, runs, x, rows, out)` takes a step per row of inputs.

The state of a thread stays in its registers. A step of Runge and Kutta's is a loop over its stages: on an H200 the
short code of one stage is faster by a tenth (UR5) and a fifth (Panda) than that of all stages one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dynamis.compute.ir.cuda.kernel import VECTOR_BYTES, Kernel, indices, load, module, state_of, store
from dynamis.compute.ir.cuda.straight_line import straight_line
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.order import sparing_order
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta

Step = Callable[[Sequence[str], str], list[str]]
"""From the values of x, and where its row begins, to the next values of x."""


def repeat_kernel(step: Program | RungeKutta, dtype: str, block: int, shared_rows: bool = True) -> Kernel:
    """The kernel of a step, a program (x, row) -> x or one of Runge and Kutta's.

    The rows are those of all states, or each has its own.
    """
    lanes = Lanes("double" if dtype == "float64" else "float", 1)
    code, v = Code(lanes), lanes.vector
    if isinstance(step, Program):
        x, row = (operand.count for operand in step.inputs)
        take = _program_step(code, step.fused)
    else:
        x, row = step.rate.inputs[0].count, step.row
        take = _stages(code, step)
    thread, first = indices(code, block)
    state = state_of(code, first, thread)
    code.do(f"br i1 {code.let(f'icmp slt i64 {state}, %n')}, label %run, label %done")
    code.label("run")
    offset = code.let(f"mul i64 {state}, {x}")
    start = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) %i0, i64 {offset}")
    before = [load(code, start, x, k, True) for k in range(x)]
    own = "0" if shared_rows else code.let(f"mul i64 {state}, {code.let(f'mul i64 %runs, {row}')}")
    rows = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) %i1, i64 {own}")
    code.do(f"br i1 {code.let('icmp sgt i64 %runs, 0')}, label %loop, label %write")
    code.label("loop")
    mark = len(code.lines)
    now = [code.name() for _ in before]
    count, after = code.name(), code.name()
    place = code.let(
        f"getelementptr {lanes.scalar}, ptr addrspace(1) {rows}, i64 {code.let(f'mul i64 {count}, {row}')}"
    )
    values = take(now, place)
    latch = code.block
    phis = [f"  {name} = phi {v} [ {before[k]}, %run ], [ {values[k]}, %{latch} ]" for k, name in enumerate(now)]
    code.lines[mark:mark] = [*phis, f"  {count} = phi i64 [ 0, %run ], [ {after}, %{latch} ]"]
    code.do(f"{after} = add i64 {count}, 1")
    code.do(f"br i1 {code.let(f'icmp slt i64 {after}, %runs')}, label %loop, label %write, !llvm.loop !1")
    code.label("write")
    last = [code.let(f"phi {v} [ {before[k]}, %run ], [ {values[k]}, %{latch} ]") for k in range(x)]
    out = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) %o0, i64 {offset}")
    for k, value in enumerate(last):
        store(code, 1, out, k, value, x)
    code.do("br label %done")
    code.label("done")
    code.do("ret void")
    arguments = ["i64 %n", "i64 %runs"]
    arguments += [f"ptr addrspace(1) noalias readonly align {VECTOR_BYTES} %i{k}" for k in range(2)]
    arguments += [f"ptr addrspace(1) noalias writeonly align {VECTOR_BYTES} %o0"]
    return Kernel(module(lanes, "repeat", arguments, code, block), block, 0)


def _run(code: Code, program: Program, x: Sequence[str], inputs: str, count: int) -> list[str]:
    """The results of a program of x and inputs, which lie in rows of `count` entries."""
    values: dict[int, str] = {}

    def entry(name: str) -> str:
        operand, _, k = name.rpartition(":")
        return x[int(k)] if operand == program.inputs[0].name else load(code, inputs, count, int(k), True)

    # On an H200 a Panda in doubles is faster so by 8 %, a UR5 in floats slower by 2 %.
    order = sparing_order(program) if code.lanes.scalar == "double" else range(len(program.operations))
    straight_line(code, program, entry, lambda _, k, value: values.__setitem__(k, value), order)
    return [values[k] for k in range(len(values))]


def _program_step(code: Code, program: Program) -> Step:
    return lambda x, row: _run(code, program, x, row, program.inputs[1].count)


def _stages(code: Code, method: RungeKutta) -> Step:
    """x + h (b1 k1 + b2 k2 + ...): a loop over the stages, with the sum so far and where the next rates are taken."""
    lanes, rate = code.lanes, method.rate.fused
    v, count = lanes.vector, rate.inputs[0].count

    def chosen(stage: str, values: Sequence[float], h: str) -> str:
        """h times the value of this stage."""
        result = code.apply("*", h, lanes.splat(values[-1]))
        for k, value in enumerate(values[:-1]):
            if value != values[-1]:
                here = code.let(f"icmp eq i64 {stage}, {k}")
                result = code.let(f"select i1 {here}, {v} {code.apply('*', h, lanes.splat(value))}, {v} {result}")
        return result

    def take(x: Sequence[str], row: str) -> list[str]:
        h, before = load(code, row, 1, 0, True), code.block
        code.do("br label %stage")
        code.label("stage")
        mark = len(code.lines)
        at, total = ([code.name() for _ in x] for _ in range(2))
        stage, after = code.name(), code.name()
        instant = "0"
        for k, place in enumerate(method.instants):
            if place:
                here = code.let(f"icmp eq i64 {stage}, {k}")
                instant = code.let(f"select i1 {here}, i64 {1 + place * method.inputs}, i64 {instant}")
            elif k == 0:
                instant = "1"
        inputs = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) {row}, i64 {instant}")
        rates = _run(code, rate, at, inputs, 1)
        weight, ahead = chosen(stage, method.weights, h), chosen(stage, method.ahead, h)
        totals = [code.fused("fma", weight, rates[k], total[k]) for k in range(count)]
        nexts = [code.fused("fma", ahead, rates[k], x[k]) for k in range(count)]
        latch = code.block
        code.lines[mark:mark] = [
            f"  {stage} = phi i64 [ 0, %{before} ], [ {after}, %{latch} ]",
            *(f"  {name} = phi {v} [ {x[k]}, %{before} ], [ {nexts[k]}, %{latch} ]" for k, name in enumerate(at)),
            *(f"  {name} = phi {v} [ {x[k]}, %{before} ], [ {totals[k]}, %{latch} ]" for k, name in enumerate(total)),
        ]
        code.do(f"{after} = add i64 {stage}, 1")
        more = code.let(f"icmp slt i64 {after}, {len(method.weights)}")
        code.do(f"br i1 {more}, label %stage, label %stepped, !llvm.loop !1")
        code.label("stepped")
        return totals

    return take
