"""A program as LLVM IR: the inner loop of a NumPy generalised ufunc, `width` states at a time.

`@block` reads `width` states, runs the program on vectors with one state per lane, and writes the
results; past the end of the batch it repeats the last state, so one code serves every length. It
needs the entries of a state side by side in memory; `@loop` copies states whose entries are not, and
at its end clears the floating-point flags, so that a NaN on its way through gives no warning.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from dynamis.compute.ir.cpu.pieces import Pieces
from dynamis.compute.ir.cpu.rows import FEW_ENTRIES
from dynamis.compute.ir.cpu.stream import BEYOND_CACHE, CACHE_LINE, PAGE_BYTES, is_worthwhile, stream_function
from dynamis.compute.ir.cpu.tiles import Tiles
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.ir.sincos import sincos
from dynamis.compute.program.order import thrifty
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand

LONGEST_WHOLE = 4000
"""Lines that stay one function: one of the size of a UR5's regressor is up to a tenth faster than pieces."""
SHORT_PROGRAM, NARROW_RESULTS = 2400, 64
"""Operations and results up to which twice as many lines do: inverse dynamics of 16 to 29 joints are 3 to 10% faster so
on a Zen 5, and compile in 0.3 s instead of 0.15; 2600 operations in one function would take 0.7 s. These are also put
in a thrifty order: inverse dynamics of UR5, Panda and Puma are 5 to 9% faster by it, mass matrices 5 to 8%, Jacobians 3
to 11%, steps of RK4 a fifth. Regressors (360 results) would be 8 to 15% slower, derivatives (72 and more) up to 15%,
and more than a few results that wait for divisions (inverse mass matrix) 2 to 6%."""
PIECE_LINES = 500
"""Lines of a piece; twice as many or half as many run as fast, and compile in 1.15 and 1 times the time."""


def module(program: Program, lanes: Lanes, fused: bool) -> str:
    """The IR of @loop."""
    loop = _loop([*program.inputs, *program.outputs], len(program.inputs), lanes)
    parts = [block(program, lanes, fused), loop, copy_function(lanes)]
    return "\n".join([*parts, stream_function(lanes)] if is_worthwhile(program.outputs) else parts)


def block(program: Program, lanes: Lanes, fused: bool, columns: bool = False) -> str:
    """The IR of @block and of all that it calls; `columns` as `Pieces` has it."""
    return "\n".join(
        [
            _block(program, lanes, fused, columns),
            sincos(lanes, fused),
            f"declare {lanes.vector} @llvm.sqrt.v{lanes.width}f{8 * lanes.size}({lanes.vector})",
            f"declare {lanes.vector} @llvm.nearbyint.v{lanes.width}f{8 * lanes.size}({lanes.vector})",
            "declare i64 @llvm.smin.i64(i64, i64)",
            _ZEROS if any(program.zeros(places) for places in program.results) else "",
            "declare i32 @feclearexcept(i32)",
        ]
    )


def _block(program: Program, lanes: Lanes, fused: bool, columns: bool) -> str:
    if program.length <= 2 * LONGEST_WHOLE:
        results = sum(x.count for x in program.outputs)
        limit, ordered = LONGEST_WHOLE, program
        if len(program.operations) <= SHORT_PROGRAM and results <= NARROW_RESULTS:
            divides = any(op in ("/", "sqrt") for op, *_ in program.operations)
            limit, ordered = 2 * LONGEST_WHOLE, program if divides and results > FEW_ENTRIES else thrifty(program)
        pieces = Pieces(ordered, lanes, fused, limit, whole=True, columns=columns)
        if len(pieces.lines) == 1:
            return _function("block", program, pieces.lines[0]) + _table(pieces.numbers or [], lanes)
    tiles = Tiles(program, lanes)
    pieces = Pieces(program, lanes, fused, PIECE_LINES, tiles, columns=columns)
    arguments, calls = _arguments(program), range(len(pieces.lines))
    frame = f"  %frame = alloca [{max(1, pieces.frame)} x {lanes.vector}], align 64"
    block = [frame, *(f"  call fastcc void @piece{k}({arguments}, ptr %frame)" for k in calls)]
    if tiles.tiles:
        k = len(program.inputs)
        block.append(f"  call fastcc void @tiles(ptr %frame, ptr %p{k}, i64 %s{k}, i64 %last)")
    functions = [_function(f"piece{k}", program, lines, ", ptr noalias %frame") for k, lines in enumerate(pieces.lines)]
    return "\n".join([_function("block", program, block), *functions, tiles.function() if tiles.tiles else ""])


def _table(numbers: list[float], lanes: Lanes) -> str:
    """@numbers. It is no constant for LLVM, which would else take equal ones for the same value."""
    entries = ", ".join(f"{lanes.scalar} {lanes.number(x)}" for x in numbers)
    return f"\n@numbers = internal global [{len(numbers)} x {lanes.scalar}] [{entries}], align 64\n" if numbers else ""


def _function(name: str, program: Program, lines: list[str], more: str = "") -> str:
    # What waits on the stack is aligned as lines are: a store across two pages is slow.
    head = f"define internal fastcc void @{name}({_arguments(program)}{more}) noinline alignstack(64) {{\nentry:\n"
    return head + "\n".join(lines) + "\n  ret void\n}\n"


def _arguments(program: Program) -> str:
    operands = range(len(program.inputs) + len(program.outputs))
    return ", ".join(["i64 %last", *(f"ptr %p{k}, i64 %s{k}" for k in operands)])


_ZEROS = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal fastcc void @zeros(ptr %start, i64 %step, i64 %last, i64 %bytes) noinline {
entry:
  br label %lane
lane:
  %l = phi i64 [0, %entry], [%next, %lane]
  %offset = mul i64 %l, %step
  %row = getelementptr i8, ptr %start, i64 %offset
  call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false)
  %next = add i64 %l, 1
  %more = icmp sle i64 %next, %last
  br i1 %more, label %lane, label %done
done:
  ret void
}
"""


def _loop(operands: list[Operand], inputs: int, lanes: Lanes) -> str:
    """NumPy's inner loop (args, dimensions, steps, data): states side by side at once, others copied first.

    Results side by side that no cache holds are streamed.
    """
    code, w, size = Code(lanes), lanes.width, lanes.size
    number = code.let("load i64, ptr %dimensions")
    pointers: list[str] = []
    outer: list[str] = []
    for k in range(len(operands)):
        pointers.append(code.let(f"load ptr, ptr {code.let(f'getelementptr ptr, ptr %args, i64 {k}')}"))
        outer.append(step(code, k))
    at, cores = len(operands), list[list[str]]()
    for operand in operands:
        cores.append([step(code, at + d) for d in range(len(operand.shape))])
        at += len(operand.shape)
    dense = "true"
    for operand, core in zip(operands, cores, strict=True):
        for d, stride in enumerate(core):
            if operand.shape[d] > 1:
                same = code.let(f"icmp eq i64 {stride}, {size * prod(operand.shape[d + 1 :])}")
                dense = code.let(f"and i1 {dense}, {same}")
    results, streams = range(inputs, len(operands)), is_worthwhile(operands[inputs:])
    align, spare = PAGE_BYTES if streams else CACHE_LINE, CACHE_LINE // size
    buffers = [code.let(f"alloca [{w * x.count + spare} x {lanes.scalar}], align {align}") for x in operands]
    if streams:
        far = dense
        for k in results:
            far = code.let(f"and i1 {far}, {code.let(f'icmp eq i64 {outer[k]}, {operands[k].count * size}')}")
        least = -(-BEYOND_CACHE // (size * sum(operands[k].count for k in results)))
        far = code.let(f"and i1 {far}, {code.let(f'icmp sge i64 {number}, {least}')}")
        code.do(f"br i1 {far}, label %stream.head, label %near")
        code.label("near")
    code.do(f"br i1 {dense}, label %side.head, label %copy.head")

    def blocks(prefix: str, body: Callable[[str, str], None]) -> None:
        code.label(f"{prefix}.head")
        code.do(f"br label %{prefix}.test")
        code.label(f"{prefix}.test")
        code.do(f"%{prefix}.i = phi i64 [0, %{prefix}.head], [%{prefix}.next, %{prefix}.end]")
        more = code.let(f"icmp slt i64 %{prefix}.i, {number}")
        code.do(f"br i1 {more}, label %{prefix}.body, label %done")
        code.label(f"{prefix}.body")
        rest = code.let(f"sub i64 {number}, %{prefix}.i")
        last = code.let(f"call i64 @llvm.smin.i64(i64 {code.let(f'sub i64 {rest}, 1')}, i64 {w - 1})")
        body(f"%{prefix}.i", last)
        code.do(f"br label %{prefix}.end")
        code.label(f"{prefix}.end")
        code.do(f"%{prefix}.next = add i64 %{prefix}.i, {w}")
        code.do(f"br label %{prefix}.test")

    def start(k: int, i: str) -> str:
        return code.let(f"getelementptr i8, ptr {pointers[k]}, i64 {code.let(f'mul i64 {i}, {outer[k]}')}")

    def side(i: str, last: str) -> None:
        arguments = [f"i64 {last}"]
        for k in range(len(operands)):
            arguments += [f"ptr {start(k, i)}", f"i64 {outer[k]}"]
        code.do(f"call fastcc void @block({', '.join(arguments)})")

    def copied(i: str, last: str) -> None:
        arguments = [f"i64 {last}"]
        for k, operand in enumerate(operands):
            if k < inputs:
                copy(code, operand, start(k, i), outer[k], cores[k], buffers[k], last, True)
            arguments += [f"ptr {buffers[k]}", f"i64 {operand.count * size}"]
        code.do(f"call fastcc void @block({', '.join(arguments)})")
        for k, operand in enumerate(operands):
            if k >= inputs:
                copy(code, operand, start(k, i), outer[k], cores[k], buffers[k], last, False)

    def streamed(i: str, last: str) -> None:
        arguments = [f"i64 {last}"]
        starts = [start(k, i) for k in range(len(operands))]
        stages = {k: code.let(f"getelementptr i8, ptr {buffers[k]}, i64 {CACHE_LINE}") for k in results}
        for k in range(len(operands)):
            arguments += [f"ptr {stages.get(k, starts[k])}", f"i64 {outer[k]}"]
        code.do(f"call fastcc void @block({', '.join(arguments)})")
        states, first = code.let(f"add i64 {last}, 1"), code.let(f"icmp eq i64 {i}, 0")
        final = code.let(f"icmp eq i64 {code.let(f'add i64 {i}, {states}')}, {number}")
        for k in results:
            size_of = code.let(f"mul i64 {states}, {operands[k].count * size}")
            arguments = [f"ptr {stages[k]}", f"ptr {starts[k]}", f"i64 {size_of}", f"i1 {first}", f"i1 {final}"]
            code.do(f"call fastcc void @stream({', '.join(arguments)})")

    blocks("side", side)
    blocks("copy", copied)
    if streams:
        blocks("stream", streamed)
    code.label("done")
    if streams:
        code.do("fence seq_cst")
    code.do("call i32 @feclearexcept(i32 63)")
    code.do("ret void")
    head = "define void @loop(ptr %args, ptr %dimensions, ptr %steps, ptr %data) {\nentry:\n"
    return head + "\n".join(code.lines) + "\n}\n"


def step(code: Code, k: int) -> str:
    return code.let(f"load i64, ptr {code.let(f'getelementptr i64, ptr %steps, i64 {k}')}")


def copy(
    code: Code, operand: Operand, start: str, outer: str, core: list[str], buffer: str, last: str, into: bool
) -> None:
    rows, columns = (*([1] * (2 - len(operand.shape))), *operand.shape)
    across = [*(["0"] * (2 - len(core))), *core]
    code.do(
        f"call fastcc void @copy(ptr {start}, i64 {outer}, i64 {across[0]}, i64 {across[1]}, "
        f"i64 {rows}, i64 {columns}, ptr {buffer}, i64 {last}, i1 {str(into).lower()})"
    )


def copy_function(lanes: Lanes) -> str:
    """@copy: states with any strides into rows of the buffer, or back."""
    s, size = lanes.scalar, lanes.size
    return f"""
define internal fastcc void @copy(ptr %far, i64 %outer, i64 %down, i64 %across, i64 %rows, i64 %columns, ptr %near,
    i64 %last, i1 %into) noinline {{
entry:
  %each = mul i64 %rows, %columns
  br label %lane
lane:
  %l = phi i64 [0, %entry], [%l2, %lane.end]
  br label %row
row:
  %r = phi i64 [0, %lane], [%r2, %row.end]
  br label %entry1
entry1:
  %c = phi i64 [0, %row], [%c2, %moved]
  %f1 = mul i64 %l, %outer
  %f2 = mul i64 %r, %down
  %f3 = mul i64 %c, %across
  %f4 = add i64 %f1, %f2
  %f5 = add i64 %f4, %f3
  %a = getelementptr i8, ptr %far, i64 %f5
  %n1 = mul i64 %l, %each
  %n2 = mul i64 %r, %columns
  %n3 = add i64 %n1, %n2
  %n4 = add i64 %n3, %c
  %n5 = mul i64 %n4, {size}
  %b = getelementptr i8, ptr %near, i64 %n5
  br i1 %into, label %in, label %out
in:
  %x = load {s}, ptr %a, align 1
  store {s} %x, ptr %b, align {size}
  br label %moved
out:
  %y = load {s}, ptr %b, align {size}
  store {s} %y, ptr %a, align 1
  br label %moved
moved:
  %c2 = add i64 %c, 1
  %cm = icmp slt i64 %c2, %columns
  br i1 %cm, label %entry1, label %row.end
row.end:
  %r2 = add i64 %r, 1
  %rm = icmp slt i64 %r2, %rows
  br i1 %rm, label %row, label %lane.end
lane.end:
  %l2 = add i64 %l, 1
  %lm = icmp sle i64 %l2, %last
  br i1 %lm, label %lane, label %done
done:
  ret void
}}
"""
