"""A program as a kernel for GPUs, in LLVM IR: one state per thread.

`@kernel(n, inputs..., outputs...)` takes the addresses of arrays whose states lie one after the other, or, of an input
that is the same for all states, of one. Results of many entries go through a tile of shared memory, from which a block
of threads writes them in order, 16 bytes at a time: written straight, each store of a warp would touch 32 places.

Where there is much to compute, blocks take turns: the next inputs are on their way while the last are computed with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd

from dynamis.compute.ir.cuda import ahead
from dynamis.compute.ir.cuda.ahead import VECTOR_BYTES
from dynamis.compute.ir.cuda.sincos import declarations
from dynamis.compute.ir.cuda.straight_line import straight_line
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.order import sparing_order
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand

MIN_STAGED_ENTRIES = 16
"""Entries from which on a result goes through shared memory."""
DEFAULT_SHARED_BYTES = 48 * 1024
"""Bytes of shared memory that every block may have."""


@dataclass(frozen=True)
class Kernel:
    """The IR, and how it is launched."""

    ir: str
    block: int
    shared: int
    """Bytes of shared memory of a block."""
    takes_turns: bool = False
    """Whether blocks take the next states when they are done, so that there need not be one for all."""

    @property
    def architecture(self) -> str:
        """The oldest on which it runs."""
        return f"sm_{ahead.COPY_ARCHITECTURE}" if self.takes_turns else "sm_70"


def kernel(
    program: Program,
    dtype: str,
    constant: Sequence[bool],
    block: int,
    room: int = DEFAULT_SHARED_BYTES,
    copies: bool = True,
) -> Kernel:
    """The kernel of a program; `constant` says which inputs are the same for all states.

    room: bytes of shared memory that a block may have; results that find none there are written straight
    copies: whether the device copies into shared memory by itself
    """
    lanes = Lanes("double" if dtype == "float64" else "float", 1)
    program, code = program.fused, Code(lanes)
    tiles, end = _tiles(program.outputs, block, lanes, room)
    thread, start = indices(code, block)
    same = _inputs(code, program, lambda k: constant[k], "0")
    coming = ahead.tiles(code, program, constant, block, thread, end)
    turns = copies and coming.size > 0 and coming.end * lanes.size <= room and ahead.pays(program, lanes)
    first, after, tile, other, mark, before = start, "", "", "", 0, ""
    if turns:
        end, stride = coming.end, _stride(code, block)
        coming.fetch(start, str(coming.start))
        before = code.block
        code.do("br label %turn")
        code.label("turn")
        mark, first, after, tile = len(code.lines), code.name(), code.name(), code.name()
        code.do(f"{after} = add i64 {first}, {stride}")
        other = code.let(f"sub i32 {2 * coming.start + coming.size}, {tile}")
        coming.fetch(after, other)
        coming.wait()
    state = state_of(code, first, thread)
    code.do(f"br i1 {code.let(f'icmp slt i64 {state}, %n')}, label %run, label %after")
    code.label("run")
    values = same | (coming.values(tile) if turns else _inputs(code, program, lambda k: not constant[k], state))
    rows = {
        k: code.let(
            f"getelementptr {lanes.scalar}, ptr addrspace(1) %o{k}, i64 {code.let(f'mul i64 {state}, {x.count}')}"
        )
        for k, x in enumerate(program.outputs)
        if k not in tiles
    }
    cells = {k: _cell(code, thread, program.outputs[k].count, start) for k, start in tiles.items()}

    def keep(output: int, place: int, value: str) -> None:
        space, start = (3, cells[output]) if output in tiles else (1, rows[output])
        store(code, space, start, place, value, program.outputs[output].count)

    straight_line(code, program, lambda name: values[name], keep, sparing_order(program))
    code.do("br label %after")
    code.label("after")
    if tiles:
        _flush(code, program.outputs, tiles, first, thread, block)
    if turns:
        code.do("call void @llvm.nvvm.barrier0()")
        code.lines[mark:mark] = [
            f"  {first} = phi i64 [ {start}, %{before} ], [ {after}, %{code.block} ]",
            f"  {tile} = phi i32 [ {coming.start}, %{before} ], [ {other}, %{code.block} ]",
        ]
        code.do(f"br i1 {code.let(f'icmp slt i64 {after}, %n')}, label %turn, label %end, !llvm.loop !1")
        code.label("end")
    code.do("ret void")
    arguments = ["i64 %n"]
    arguments += [f"ptr addrspace(1) noalias readonly align {VECTOR_BYTES} %i{k}" for k in range(len(program.inputs))]
    arguments += [f"ptr addrspace(1) noalias writeonly align {VECTOR_BYTES} %o{k}" for k in range(len(program.outputs))]
    return Kernel(module(lanes, "kernel", arguments, code, block), block, end * lanes.size, turns)


def block_size(program: Program, dtype: str, most: int, room: int) -> int:
    """Threads of a block: so few that the results of three blocks find room in shared memory, but not below 16.

    On an H200, in percent of the bandwidth: a Panda's regressor (490 entries) in floats 74 by blocks of 64 and 92 of
    32; in doubles 10 by blocks of 64, whose results find no room, and 86 of 16.
    """
    lanes = Lanes("double" if dtype == "float64" else "float", 1)
    sizes = {x: _tiles(program.outputs, x, lanes, sys.maxsize)[1] * lanes.size for x in (most, most // 2, 16)}
    return next((x for x, size in sizes.items() if 3 * size <= room), 16 if sizes[16] <= room else most)


def _inputs(code: Code, program: Program, chosen: Callable[[int], bool], state: str) -> dict[str, str]:
    """The entries of the chosen inputs that a program takes, by name; neighbours are loaded together."""
    lanes, values = code.lanes, dict[str, str]()
    taken = {a for op, a, *_ in program.operations if op == "input"}
    for k, operand in enumerate(program.inputs):
        names = [name for place in range(operand.count) if (name := f"{operand.name}:{place}") in taken]
        if names and chosen(k):
            offset = "0" if state == "0" else code.let(f"mul i64 {state}, {operand.count}")
            start = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) %i{k}, i64 {offset}")
            for name in names:
                values[name] = load(code, start, operand.count, int(name.rpartition(":")[2]), state != "0")
    return values


def _tiles(outputs: Sequence[Operand], block: int, lanes: Lanes, room: int) -> tuple[dict[int, int], int]:
    """Where the tiles of the long results begin in shared memory, and where the last has ended, in entries.

    So do those of an odd number of entries: no two of their stores can be joined.
    """
    tiles: dict[int, int] = {}
    end = 0
    for k, x in enumerate(outputs):
        after = end + -(-block * x.count * lanes.size // VECTOR_BYTES) * (VECTOR_BYTES // lanes.size)
        if (x.count >= MIN_STAGED_ENTRIES or x.count % 2) and after * lanes.size <= room:
            tiles[k], end = end, after
    return tiles, end


def _cell(code: Code, thread: str, count: int, start: int) -> str:
    """Where the entries of a thread's state begin in a tile."""
    at = code.let(f"add i32 {code.let(f'mul i32 {thread}, {count}')}, {start}")
    return code.let(f"getelementptr {code.lanes.scalar}, ptr addrspace(3) @tile, i32 {at}")


def _flush(code: Code, outputs: Sequence[Operand], tiles: dict[int, int], first: str, thread: str, block: int) -> None:
    """The tiles to memory: all threads of a block in turn, 16 bytes each; the last block also single entries."""
    lanes = code.lanes
    each = VECTOR_BYTES // lanes.size
    code.do("call void @llvm.nvvm.barrier0()")
    left = code.let(f"sub i64 %n, {first}")
    states = code.let(f"call i64 @llvm.smin.i64(i64 {left}, i64 {block})")
    for k, start in tiles.items():
        count = outputs[k].count
        offset = code.let(f"mul i64 {first}, {count}")
        target = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) %o{k}, i64 {offset}")
        source = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(3) @tile, i32 {start}")
        total = code.let(f"trunc i64 {code.let(f'mul i64 {states}, {count}')} to i32")
        # Blocks of 16 threads and more begin at multiples of 16 bytes.
        wide = code.let(f"udiv i32 {total}, {each}") if block * count * lanes.size % VECTOR_BYTES == 0 else "0"
        kind = f"<{each} x {lanes.scalar}>"
        _loop(code, f"wide{k}", thread, wide, block, source, target, kind, VECTOR_BYTES)
        begin = code.let(f"add i32 {thread}, {code.let(f'mul i32 {wide}, {each}')}")
        _loop(code, f"rest{k}", begin, total, block, source, target, lanes.scalar, lanes.size)


def _loop(
    code: Code, name: str, begin: str, end: str, step: int, source: str, target: str, kind: str, align: int
) -> None:
    """for j = begin; j < end; j += step: target[j] = source[j]."""
    code.do(f"br label %{name}.before")
    code.label(f"{name}.before")
    code.do(f"br label %{name}.test")
    code.label(f"{name}.test")
    j, after = code.name(), code.name()
    code.do(f"{j} = phi i32 [ {begin}, %{name}.before ], [ {after}, %{name}.copy ]")
    code.do(f"br i1 {code.let(f'icmp ult i32 {j}, {end}')}, label %{name}.copy, label %{name}.end")
    code.label(f"{name}.copy")
    place = code.let(f"getelementptr {kind}, ptr addrspace(3) {source}, i32 {j}")
    value = code.let(f"load {kind}, ptr addrspace(3) {place}, align {align}")
    wide = code.let(f"zext i32 {j} to i64")
    to = code.let(f"getelementptr {kind}, ptr addrspace(1) {target}, i64 {wide}")
    code.do(f"store {kind} {value}, ptr addrspace(1) {to}, align {align}, !nontemporal !3")
    code.do(f"{after} = add i32 {j}, {step}")
    code.do(f"br label %{name}.test")
    code.label(f"{name}.end")


def load(code: Code, start: str, count: int, place: int, varies: bool) -> str:
    """An entry of an input, with the alignment that lets LLVM load several at once."""
    lanes = code.lanes
    align = gcd(VECTOR_BYTES, place * lanes.size, *((count * lanes.size,) if varies else ()))
    at = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(1) {start}, i64 {place}")
    value = code.let(f"load {lanes.scalar}, ptr addrspace(1) {at}, align {align}, !invariant.load !0")
    return code.let(f"insertelement {lanes.vector} poison, {lanes.scalar} {value}, i32 0")


def store(code: Code, space: int, start: str, place: int, value: str, count: int) -> None:
    lanes = code.lanes
    align = gcd(VECTOR_BYTES, place * lanes.size, count * lanes.size)
    at = code.let(f"getelementptr {lanes.scalar}, ptr addrspace({space}) {start}, i64 {place}")
    scalar = code.let(f"extractelement {lanes.vector} {value}, i32 0")
    code.do(f"store {lanes.scalar} {scalar}, ptr addrspace({space}) {at}, align {align}")


def indices(code: Code, block: int) -> tuple[str, str]:
    """The number of the thread in its block, and of the first state of the block."""
    thread, blocks = (code.let(f"call i32 @llvm.nvvm.read.ptx.sreg.{name}.x()") for name in ("tid", "ctaid"))
    return thread, code.let(f"mul i64 {code.let(f'zext i32 {blocks} to i64')}, {block}")


def _stride(code: Code, block: int) -> str:
    """How many states all blocks have in a turn."""
    blocks = code.let("call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()")
    return code.let(f"mul i64 {code.let(f'zext i32 {blocks} to i64')}, {block}")


def state_of(code: Code, first: str, thread: str) -> str:
    """The state of a thread."""
    return code.let(f"add i64 {first}, {code.let(f'zext i32 {thread} to i64')}")


def module(lanes: Lanes, name: str, arguments: Sequence[str], code: Code, block: int) -> str:
    v, bits = lanes.vector, 8 * lanes.size
    head = f"define ptx_kernel void @{name}({', '.join(arguments)}) {{\nentry:\n"
    return "\n".join([
        'target triple = "nvptx64-nvidia-cuda"',
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
        "declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()",
        "declare void @llvm.nvvm.barrier0()",
        ahead.DECLARATIONS,
        "declare float @llvm.nvvm.rcp.approx.ftz.f(float)",
        "declare i64 @llvm.smin.i64(i64, i64)",
        f"declare {v} @llvm.fma.v1f{bits}({v}, {v}, {v})",
        f"declare {v} @llvm.sqrt.v1f{bits}({v})",
        f"declare {v} @llvm.nearbyint.v1f{bits}({v})",
        f"@tile = external addrspace(3) global [0 x {lanes.scalar}], align {VECTOR_BYTES}",
        declarations(lanes),
        head + "\n".join(code.lines) + "\n}",
        "!0 = !{}",
        "!1 = distinct !{!1, !2}",
        '!2 = !{!"llvm.loop.unroll.disable"}',
        "!3 = !{i32 1}",
        "!nvvm.annotations = !{!4}",
        f'!4 = !{{ptr @{name}, !"maxntidx", i32 {block}}}',
        "",
    ])  # fmt: skip
