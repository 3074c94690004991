"""A program as LLVM IR: the inner loop of a NumPy generalised ufunc, `width` states at a time.

`@block` reads `width` states, runs the program on vectors with one state per lane, and writes the
results; past the end of the batch it repeats the last state, so one code serves every length. It
needs the entries of a state side by side in memory; `@loop` copies states whose entries are not, and
at its end clears the floating-point flags, so that a NaN on its way through gives no warning.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from dynamis.backends.llvm.lanes import Code, Lanes
from dynamis.backends.llvm.rows import chunks, load, store
from dynamis.backends.llvm.sincos import sincos
from dynamis.program.program import Program
from dynamis.program.signature import Operand

LONGEST_WHOLE = 3000
"""Lines that stay one basic block: one block of the size of a UR5's regressor is up to a tenth faster than pieces."""
PIECE = 1000
"""Lines of a piece; twice as many or half as many ran as fast, and compile in 1.8 and 0.8 times the time."""


def module(program: Program, lanes: Lanes, fused: bool) -> str:
    """The IR of @loop."""
    loop = _loop([*program.inputs, *program.outputs], len(program.inputs), lanes)
    return "\n".join([block(program, lanes, fused), loop, copy_function(lanes)])


def block(program: Program, lanes: Lanes, fused: bool) -> str:
    """The IR of @block and of all that it calls."""
    return "\n".join(
        [
            _block(program, lanes),
            sincos(lanes, fused),
            f"declare {lanes.vector} @llvm.sqrt.v{lanes.width}f{8 * lanes.size}({lanes.vector})",
            f"declare {lanes.vector} @llvm.nearbyint.v{lanes.width}f{8 * lanes.size}({lanes.vector})",
            "declare i64 @llvm.smin.i64(i64, i64)",
            _ZEROS if any(program.zeros(places) for places in program.results) else "",
            "declare i32 @feclearexcept(i32)",
        ]
    )


def _block(program: Program, lanes: Lanes) -> str:
    code, inputs = Code(lanes), program.inputs
    arguments = ["i64 %last"]
    for k in range(len(inputs) + len(program.outputs)):
        arguments += [f"ptr %p{k}", f"i64 %s{k}"]
    ends = [code.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 %last)") for lane in range(lanes.width)]

    def rows(k: int) -> list[str]:
        steps = [code.let(f"mul i64 {end}, %s{k}") for end in ends]
        return [code.let(f"getelementptr i8, ptr %p{k}, i64 {step}") for step in steps]

    entries: dict[str, set[int]] = {operand.name: set() for operand in inputs}
    for op, a, *_ in program.operations:
        if op == "input":
            name, entry = a.split(":")
            entries[name].add(int(entry))
    # An array is loaded when it is first used, so that few values wait during the calls for sines and cosines.
    loaded: dict[str, dict[int, str]] = {}

    def entry_of(name: str, entry: int) -> str:
        if name not in loaded:
            k = next(k for k, operand in enumerate(inputs) if operand.name == name)
            loaded[name] = load(code, rows(k), inputs[k].count, entries[name])
        return loaded[name][entry]

    # Long runs of zeros first, while nothing waits in registers.
    zeros = [program.zeros(places) for places in program.results]
    for k, runs in enumerate(zeros, len(inputs)):
        for first, end in runs:
            start = code.let(f"getelementptr i8, ptr %p{k}, i64 {first * lanes.size}")
            size = (end - first) * lanes.size
            code.do(f"call fastcc void @zeros(ptr {start}, i64 %s{k}, i64 %last, i64 {size})")
    # A chunk of results is stored as soon as its last entry is there, so that few values wait.
    ready: dict[int, list[Callable[[list[str]], None]]] = {}
    for k, places in enumerate(program.results, len(inputs)):
        where: list[str] = []
        for first, chunk in chunks(code, places):
            if any(a <= first and first + len(chunk) <= b for a, b in zeros[k - len(inputs)]):
                continue

            def store_chunk(
                values: list[str], k: int = k, where: list[str] = where, first: int = first, chunk: Any = chunk
            ) -> None:
                where[:] = where or rows(k)
                store(code, where, first, [values[place] for place in chunk])

            ready.setdefault(max(chunk), []).append(store_chunk)
    _straight_line(code, program, entry_of, ready)
    head = f"define internal fastcc void @block({', '.join(arguments)}) noinline {{\nentry:\n"
    return head + "\n".join(in_pieces(code.lines)) + "\n  ret void\n}\n"


def in_pieces(lines: list[str]) -> list[str]:
    """A long straight line as basic blocks, which are selected and scheduled one by one.

    What LLVM does in a block grows with the square of its stores: 14 s for 48 000 lines, of which 9000 entries, became
    1.3 s. No block ends: `%last` is never negative, which LLVM does not know, so it cannot join them again.
    """
    if len(lines) <= LONGEST_WHOLE:
        return lines
    pieces = ["  %sound = icmp sge i64 %last, 0", *lines[:PIECE]]
    for k in range(PIECE, len(lines), PIECE):
        pieces += [f"  br i1 %sound, label %piece{k}, label %end", f"piece{k}:", *lines[k : k + PIECE]]
    return [*pieces, "  br label %end", "end:"]


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


def _straight_line(
    code: Code,
    program: Program,
    entry_of: Callable[[str, int], str],
    ready: dict[int, list[Callable[[list[str]], None]]],
) -> None:
    """The program's operations, sines and cosines of inputs first; after each what it makes `ready`."""
    lanes, v = code.lanes, code.lanes.vector
    turns: dict[int, tuple[str, str]] = {}

    def turn(k: int, x: str) -> tuple[str, str]:
        if k not in turns:
            both = code.let(f"call fastcc {{{v}, {v}}} @sincos({v} {x})")
            sine, cosine = (code.let(f"extractvalue {{{v}, {v}}} {both}, {part}") for part in (0, 1))
            turns[k] = (sine, cosine)
        return turns[k]

    def input_of(k: int) -> str:
        name, entry = program.operations[k][1].split(":")
        return entry_of(name, int(entry))

    for op, a, *_ in program.operations:
        if op in ("sin", "cos") and program.operations[a][0] == "input":
            turn(a, input_of(a))
    values: list[str] = []
    for k, (op, a, b, c) in enumerate(program.operations):
        if op == "input":
            values.append(input_of(k))
        elif op == "constant":
            values.append(lanes.splat(a))
        elif op in ("sin", "cos"):
            place: int = a
            values.append(turn(place, values[place])[op == "cos"])
        else:
            places: list[int] = [x for x in (a, b, c) if x is not None]
            values.append(code.apply(op, *(values[x] for x in places)))
        for then in ready.get(k, ()):
            then(values)


def _loop(operands: list[Operand], inputs: int, lanes: Lanes) -> str:
    """NumPy's inner loop (args, dimensions, steps, data): states side by side at once, others copied first."""
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
    buffers = [code.let(f"alloca [{max(1, w * x.count)} x {lanes.scalar}], align 64") for x in operands]
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

    blocks("side", side)
    blocks("copy", copied)
    code.label("done")
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
