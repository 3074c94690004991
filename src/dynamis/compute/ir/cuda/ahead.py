"""Inputs that are on their way while the last are computed with.

The device copies them into shared memory by itself, 16 bytes at a time, into two tiles that take turns: one is filled
while the other is read. Held in registers instead, they leave fewer for the computation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand

COPY_ARCHITECTURE = 80
"""From sm_80 on, a device copies by itself."""
VECTOR_BYTES = 16
"""Bytes of the widest load, copy and store; arrays begin at multiples of it."""

DECLARATIONS = """declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)"""


def pays(program: Program, lanes: Lanes) -> bool:
    """Whether a program computes so much that its loads should not wait, and so little that registers are left.

    On an H200, in percent of the bandwidth: forward dynamics of a UR5 (14 operations per entry of its operands) in
    floats went from 81 to 90, inverse dynamics of a Panda (14) from 86 to 91; inverse dynamics of a UR5 (9) from 102 to
    94, forward dynamics of a Panda (763 operations in all) from 64 to 62; in doubles those of the UR5 from 89 to 78.
    """
    entries = sum(x.count for x in (*program.inputs, *program.outputs))
    return lanes.scalar == "float" and 10 * entries <= sum(program.counts().values()) <= 600


@dataclass(frozen=True)
class Tiles:
    """The two tiles of the inputs that differ from state to state."""

    code: Code
    inputs: Sequence[Operand]
    places: dict[int, int]
    """Where an input, by its number, begins in a tile."""
    start: int
    """Where the first tile begins, and how long each is; all in entries."""
    size: int
    block: int
    thread: str

    @property
    def end(self) -> int:
        return self.start + 2 * self.size

    def fetch(self, first: str, tile: str) -> None:
        """Begin to copy the inputs of a block's states, as far as there are any, into the tile that begins there."""
        code, width = self.code, self.code.lanes.size
        lane = code.let(f"mul i32 {self.thread}, {VECTOR_BYTES}")
        for k, place in self.places.items():
            row = self.inputs[k].count * width
            copies = -(-self.block * row // VECTOR_BYTES)
            offset = code.let(f"add i64 {code.let(f'mul i64 {first}, {row}')}, {code.let(f'zext i32 {lane} to i64')}")
            left = code.let(f"sub i64 {code.let(f'mul i64 %n, {row}')}, {offset}")
            source = code.let(f"getelementptr i8, ptr addrspace(1) %i{k}, i64 {offset}")
            begin = code.let(f"mul i32 {code.let(f'add i32 {tile}, {place}')}, {width}")
            begin = code.let(f"add i32 {begin}, {lane}")
            target = code.let(f"getelementptr i8, ptr addrspace(3) @tile, i32 {begin}")
            for copy in range(0, copies, self.block):
                self._copy(source, target, left, copy, copies)
        code.do("call void @llvm.nvvm.cp.async.commit.group()")

    def _copy(self, source: str, target: str, left: str, copy: int, copies: int) -> None:
        """Sixteen bytes per thread, or what is left of them."""
        code, past = self.code, copy * VECTOR_BYTES
        size = code.let(f"call i64 @llvm.smin.i64(i64 {code.let(f'sub i64 {left}, {past}')}, i64 {VECTOR_BYTES})")
        some = code.let(f"icmp sgt i64 {size}, 0")
        if copy + self.block > copies:
            some = code.let(f"and i1 {some}, {code.let(f'icmp ult i32 {self.thread}, {copies - copy}')}")
        here, after = (f"{word}.{len(code.lines)}" for word in ("copy", "copied"))
        code.do(f"br i1 {some}, label %{here}, label %{after}")
        code.label(here)
        to = code.let(f"getelementptr i8, ptr addrspace(3) {target}, i32 {past}")
        at = code.let(f"getelementptr i8, ptr addrspace(1) {source}, i64 {past}")
        bytes_ = code.let(f"trunc i64 {size} to i32")
        places = f"ptr addrspace(3) {to}, ptr addrspace(1) {at}"
        code.do(f"call void @llvm.nvvm.cp.async.cg.shared.global.16.s({places}, i32 {bytes_})")
        code.do(f"br label %{after}")
        code.label(after)

    def wait(self) -> None:
        """Until all has come but what was asked for last."""
        self.code.do("call void @llvm.nvvm.cp.async.wait.group(i32 1)")
        self.code.do("call void @llvm.nvvm.barrier0()")

    def values(self, tile: str) -> dict[str, str]:
        """The entries of a thread's state, by name."""
        code, lanes, values = self.code, self.code.lanes, dict[str, str]()
        for k, place in self.places.items():
            operand = self.inputs[k]
            row = code.let(f"mul i32 {self.thread}, {operand.count}")
            row = code.let(f"add i32 {row}, {code.let(f'add i32 {tile}, {place}')}")
            start = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(3) @tile, i32 {row}")
            for entry in range(operand.count):
                align = gcd(VECTOR_BYTES, entry * lanes.size, operand.count * lanes.size)
                at = code.let(f"getelementptr {lanes.scalar}, ptr addrspace(3) {start}, i32 {entry}")
                value = code.let(f"load {lanes.scalar}, ptr addrspace(3) {at}, align {align}")
                values[f"{operand.name}:{entry}"] = code.let(
                    f"insertelement {lanes.vector} poison, {lanes.scalar} {value}, i32 0"
                )
        return values


def tiles(code: Code, program: Program, constant: Sequence[bool], block: int, thread: str, start: int) -> Tiles:
    """The tiles of a program's inputs, behind what else is in shared memory."""
    each = VECTOR_BYTES // code.lanes.size
    places, size = dict[int, int](), 0
    for k, operand in enumerate(program.inputs):
        if not constant[k]:
            places[k] = size
            size += -(-block * operand.count // each) * each
    return Tiles(code, program.inputs, places, start, size, block, thread)
