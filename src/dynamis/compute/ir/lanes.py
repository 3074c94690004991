"""Text of LLVM IR for vectors of lanes: one lane per state of the batch."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import cached_property

from dynamis.compute.ir.host import Host
from dynamis.compute.program.program import FUSED, Program

_BINARY = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}


@dataclass(frozen=True)
class Lanes:
    """A vector type: `width` lanes of "double" or "float"."""

    scalar: str
    width: int

    @property
    def size(self) -> int:
        """Bytes of one lane."""
        return 8 if self.scalar == "double" else 4

    @property
    def bits(self) -> str:
        """The integer as wide as a lane."""
        return f"i{8 * self.size}"

    @cached_property
    def vector(self) -> str:
        return f"<{self.width} x {self.scalar}>"

    @property
    def integers(self) -> str:
        return f"<{self.width} x {self.bits}>"

    def number(self, value: float) -> str:
        """A scalar constant as LLVM writes it: the bits of the double, rounded first if lanes are floats."""
        if self.scalar == "float":
            value = struct.unpack("f", struct.pack("f", value))[0]
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"

    def splat(self, value: float) -> str:
        """A constant in every lane."""
        return "<" + ", ".join([f"{self.scalar} {self.number(value)}"] * self.width) + ">"

    def splat_integer(self, value: int) -> str:
        return "<" + ", ".join([f"{self.bits} {value}"] * self.width) + ">"


MANY_ENTRIES = 128
"""Entries of the results of a state from which narrower vectors are faster."""


def lanes_for(dtype: str, processor: Host, program: Program | None = None) -> Lanes:
    """As many lanes as a register holds; half of AVX-512's for results of very many entries.

    `python -m benchmarks width` measures the others: full registers gain a fifth in inverse dynamics and in the
    derivatives of forward dynamics, half of them a tenth in the regressor, most of which is stores.
    """
    register = 64 if processor.has("avx512f") else 32 if processor.has("avx2") else 16
    entries = 0 if program is None else sum(x.count for x in program.outputs)
    scalar, size = ("double", 8) if dtype == "float64" else ("float", 4)
    return Lanes(scalar, register // size // (2 if register == 64 and entries > MANY_ENTRIES else 1))


@dataclass
class Code:
    """Lines of a function body; values are named in order."""

    lanes: Lanes
    prefix: str = "%v"
    lines: list[str] = field(default_factory=list[str])
    block: str = "entry"
    """The block that lines are added to."""
    fuses: bool = True
    """Whether the machine multiplies and adds in one operation."""
    numbers: list[float] | None = None
    """Constants that stand in the table @numbers, one for each time that one is used; without it they are immediate."""
    _count: int = 0

    def name(self) -> str:
        self._count += 1
        return f"{self.prefix}{self._count}"

    def let(self, text: str) -> str:
        """A new value."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def number(self, value: float) -> str:
        """A constant in every lane.

        From the table, where no two are the same value for LLVM: so each is spread over the lanes by the operation
        that uses it, which is free in AVX-512, while one that waits in a register takes that and an operation.
        """
        if self.numbers is None:
            return self.lanes.splat(value)
        lanes, at = self.lanes, len(self.numbers) * self.lanes.size
        self.numbers.append(value)
        one = self.let(f"load <1 x {lanes.scalar}>, ptr getelementptr (i8, ptr @numbers, i64 {at}), align {lanes.size}")
        mask = f"<{lanes.width} x i32> zeroinitializer"
        return self.let(f"shufflevector <1 x {lanes.scalar}> {one}, <1 x {lanes.scalar}> poison, {mask}")

    def exactly(self, op: str, a: str, b: str) -> str:
        """fadd, fsub, fmul or fdiv of vectors."""
        return self.let(f"{op} {self.lanes.vector} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        """a b + c, fused where the machine can."""
        return self.fused("fma", a, b, c) if self.fuses else self.exactly("fadd", self.exactly("fmul", a, b), c)

    def fnma(self, a: str, b: str, c: str) -> str:
        """c - a b, fused where the machine can."""
        return self.fused("fnma", a, b, c) if self.fuses else self.exactly("fsub", c, self.exactly("fmul", a, b))

    def fused(self, op: str, a: str, b: str, c: str) -> str:
        """One of the fused operations, for machines that have them."""
        v = self.lanes.vector
        if op == "fnma":
            a = self.let(f"fneg {v} {a}")
        if op == "fms":
            c = self.let(f"fneg {v} {c}")
        return self.let(f"call {v} @llvm.fma.v{self.lanes.width}f{8 * self.lanes.size}({v} {a}, {v} {b}, {v} {c})")

    def apply(self, op: str, *values: str) -> str:
        """An operation of a program that is neither an input nor a sine or cosine."""
        v = self.lanes.vector
        if op in _BINARY:
            return self.exactly(_BINARY[op], *values)
        if op in FUSED:
            return self.fused(op, *values)
        if op == "neg":
            return self.let(f"fneg {v} {values[0]}")
        if op == "sqrt":
            return self.let(f"call {v} @llvm.sqrt.v{self.lanes.width}f{8 * self.lanes.size}({v} {values[0]})")
        if op == "round":
            return self.let(f"call {v} @llvm.nearbyint.v{self.lanes.width}f{8 * self.lanes.size}({v} {values[0]})")
        if op in ("min", "max"):
            return self.choose("ogt" if op == "min" else "olt", *values)
        if op == "sign":
            return self.sign(*values)
        raise ValueError(f'no operation "{op}"')

    def choose(self, than: str, a: str, b: str) -> str:
        """b where a is greater (less) than b, else a: the least (greatest) of both, NaN where a is."""
        v = self.lanes.vector
        other = self.let(f"fcmp {than} {v} {a}, {b}")
        return self.let(f"select <{self.lanes.width} x i1> {other}, {v} {b}, {v} {a}")

    def integer(self, op: str, a: str, b: str) -> str:
        return self.let(f"{op} {self.lanes.integers} {a}, {b}")

    def cast(self, value: str, to_integers: bool) -> str:
        of, to = self.lanes.vector, self.lanes.integers
        return self.let(f"bitcast {of if to_integers else to} {value} to {to if to_integers else of}")

    def sign(self, x: str) -> str:
        """-1, 0 or 1; NaN stays NaN."""
        lanes, v = self.lanes, self.lanes.vector
        conditions = f"<{lanes.width} x i1>"
        up = self.let(f"fcmp ogt {v} {x}, {lanes.splat(0.0)}")
        down = self.let(f"fcmp olt {v} {x}, {lanes.splat(0.0)}")
        low = self.let(f"select {conditions} {down}, {v} {lanes.splat(-1.0)}, {v} {x}")
        return self.let(f"select {conditions} {up}, {v} {lanes.splat(1.0)}, {v} {low}")
