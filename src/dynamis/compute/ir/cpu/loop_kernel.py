"""A program that is repeated: its result is its next argument, for as many rows as there are.

`@repeat` is the inner loop of a generalised ufunc (s),(k,r)->(s): a state of s entries and k rows of r
entries give the state after k runs of the program (x, row) -> x. A block of states stays in two small
buffers, which change places after every run, until its rows are spent; only then the next block begins. So the
memory does not grow with k, and the states stay in the innermost cache.
"""

from __future__ import annotations

from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand


def module(program: Program, lanes: Lanes, fused: bool) -> str:
    """The IR of @repeat; the entries of a row stand side by side in memory."""
    parts = [kernel.block(program, lanes, fused), _repeat(program.inputs[0], lanes), kernel.copy_function(lanes)]
    return "\n".join(parts)


def _repeat(state: Operand, lanes: Lanes) -> str:
    code, w, size = Code(lanes), lanes.width, lanes.size
    number = code.let("load i64, ptr %dimensions")
    runs = code.let(f"load i64, ptr {code.let('getelementptr i64, ptr %dimensions, i64 2')}")
    pointers = [code.let(f"load ptr, ptr {code.let(f'getelementptr ptr, ptr %args, i64 {k}')}") for k in range(3)]
    outer = [kernel.step(code, k) for k in range(3)]
    x_core, row_step, result_core = kernel.step(code, 3), kernel.step(code, 4), kernel.step(code, 6)
    buffers = [code.let(f"alloca [{w * state.count} x {lanes.scalar}], align 64") for _ in range(2)]
    each = state.count * size
    code.do("br label %block.test")
    code.label("block.test")
    code.do("%i = phi i64 [0, %entry], [%i.next, %block.end]")
    more = code.let(f"icmp slt i64 %i, {number}")
    code.do(f"br i1 {more}, label %block.body, label %done")
    code.label("block.body")
    rest = code.let(f"sub i64 {code.let(f'sub i64 {number}, %i')}, 1")
    last = code.let(f"call i64 @llvm.smin.i64(i64 {rest}, i64 {w - 1})")
    starts = [
        code.let(f"getelementptr i8, ptr {pointer}, i64 {code.let(f'mul i64 %i, {stride}')}")
        for pointer, stride in zip(pointers, outer, strict=True)
    ]
    kernel.copy(code, state, starts[0], outer[0], [x_core], buffers[0], last, True)
    code.do("br label %run.test")
    code.label("run.test")
    code.do("%k = phi i64 [0, %block.body], [%k.next, %run.body]")
    code.do(f"%now = phi ptr [{buffers[0]}, %block.body], [%other, %run.body]")
    code.do(f"%other = phi ptr [{buffers[1]}, %block.body], [%now, %run.body]")
    again = code.let(f"icmp slt i64 %k, {runs}")
    code.do(f"br i1 {again}, label %run.body, label %block.end")
    code.label("run.body")
    row = code.let(f"getelementptr i8, ptr {starts[1]}, i64 {code.let(f'mul i64 %k, {row_step}')}")
    code.do(
        f"call fastcc void @block(i64 {last}, ptr %now, i64 {each}, ptr {row}, i64 {outer[1]}, ptr %other, i64 {each})"
    )
    code.do("%k.next = add i64 %k, 1")
    code.do("br label %run.test")
    code.label("block.end")
    kernel.copy(code, state, starts[2], outer[2], [result_core], "%now", last, False)
    code.do(f"%i.next = add i64 %i, {w}")
    code.do("br label %block.test")
    code.label("done")
    code.do("call i32 @feclearexcept(i32 63)")
    code.do("ret void")
    head = "define void @repeat(ptr %args, ptr %dimensions, ptr %steps, ptr %data) {\nentry:\n"
    return head + "\n".join(code.lines) + "\n}\n"
