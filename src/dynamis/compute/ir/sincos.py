"""Sine and cosine of all lanes together, as an LLVM function.

x = k pi/2 + r with |r| <= pi/4; pi/2 in three parts (Cody and Waite, Software Manual for the
Elementary Functions, 1980, chapter 8), exact for |k| < 2^17 since k times a part has at most 50
bits. Then polynomials in r, minimax on the interval, and the quadrant k mod 4 exchanges and signs
them. Lanes beyond 1e5, infinities and NaN go to the sine and cosine of the C library.

Floats are reduced with fused operations where the machine has them, in doubles where it has not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from dynamis.compute.ir.lanes import Code, Lanes

FAST_PATH_LIMIT = 1e5
"""The fast path is for |x| up to here [rad]."""

TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
HALF_PI = {
    "double": ("0x1.921fb54400000p+0", "0x1.0b4611a600000p-34", "0x1.3198a2e037073p-69"),
    "float": ("0x1.921fb60000000p+0", "-0x1.777a5c0000000p-25", "-0x1.ee59da0000000p-50"),
}
SINE = {
    "double": (
        "-0x1.5555555555549p-3", "0x1.111111110f881p-7", "-0x1.a01a019c1267dp-13",
        "0x1.71de357870684p-19", "-0x1.ae5e66d1458a5p-26", "0x1.5d932e26693e1p-33",
    ),
    "float": (-0.16666654943725603, 0.00833217814282019, -0.00019517298269016445),
}  # fmt: skip
"""sin r = r + r^3 P(r^2): the coefficients of P."""
COSINE = {
    "double": (
        "0x1.555555555554cp-5", "-0x1.6c16c16c15184p-10", "0x1.a01a019cb26d8p-16",
        "-0x1.27e4f80a75159p-22", "0x1.1ee9ec46b933ap-29", "-0x1.8faecea27aba8p-37",
    ),
    "float": (0.04166664686640087, -0.0013887367513154003, 2.4438451231525698e-05),
}  # fmt: skip
"""cos r = 1 - r^2/2 + r^4 Q(r^2): the coefficients of Q."""


def sincos(lanes: Lanes, fused: bool) -> str:
    """The function @sincos: a vector to the pair of its sines and cosines."""
    v, code = lanes.vector, Code(lanes, fuses=fused)
    size = code.let(f"call {v} @llvm.fabs.v{lanes.width}{_short(lanes)}({v} %x)")
    far = code.let(f"fcmp ugt {v} {size}, {lanes.splat(FAST_PATH_LIMIT)}")
    values = near(code, "%x")
    _branch(code, far, "fast")
    code.label("fast")
    give(code, *values)
    code.label("slow")
    # Only the lanes that are far: a state does not change with its neighbours.
    exact = _library(code)
    mask = f"<{lanes.width} x i1> {far}"
    give(code, *(code.let(f"select {mask}, {v} {b}, {v} {a}") for a, b in zip(values, exact, strict=True)))
    head = f"define internal fastcc {{{v}, {v}}} @sincos({v} %x) noinline {{\nentry:\n"
    return head + "\n".join(code.lines) + "\n}\n" + _declarations(lanes)


def near(code: Code, x: str) -> list[str]:
    """The sine and cosine of a vector without far angles."""
    quadrant, r, excess = reduce(code, x)
    return apply_quadrant(code, quadrant, *kernels(code, r, excess))


INTERLEAVED_ANGLES = 3
"""Angles whose operations take turns: those of one wait for each other, those of several do not."""


def together(code: Code, angles: Sequence[str]) -> list[list[str]]:
    """The sines and cosines of several angles, without a call; if any lane is far, all go through @sincos."""
    lanes, v = code.lanes, code.lanes.vector
    pairs: list[list[str]] = []
    for first in range(0, len(angles), INTERLEAVED_ANGLES):
        codes = [
            Code(lanes, f"%a{first + k}.", fuses=code.fuses, numbers=code.numbers) for k in range(INTERLEAVED_ANGLES)
        ]
        pairs += [near(*each) for each in zip(codes, angles[first : first + INTERLEAVED_ANGLES], strict=False)]
        code.lines += [line for lines in zip_longest(*(x.lines for x in codes), fillvalue="") for line in lines if line]
    total, *sizes = [code.let(f"call {v} @llvm.fabs.v{lanes.width}{_short(lanes)}({v} {x})") for x in angles]
    for size in sizes:  # at least as far as each of them, and NaN if one is; additions have pipes of their own
        total = code.exactly("fadd", total, size)
    before = code.block
    _branch(code, code.let(f"fcmp ugt {v} {total}, {lanes.splat(FAST_PATH_LIMIT)}"), "near")
    code.label("slow")
    exact = [call(code, x) for x in angles]
    code.do("br label %near")
    code.label("near")
    return [
        [code.let(f"phi {v} [{a}, %{before}], [{b}, %slow]") for a, b in zip(*both, strict=True)]
        for both in zip(pairs, exact, strict=True)
    ]


def call(code: Code, x: str) -> list[str]:
    """The sine and cosine by @sincos."""
    v = code.lanes.vector
    both = code.let(f"call fastcc {{{v}, {v}}} @sincos({v} {x})")
    return [code.let(f"extractvalue {{{v}, {v}}} {both}, {part}") for part in (0, 1)]


def _branch(code: Code, far: str, fast: str) -> None:
    """To %slow if any lane is far, which is rare, else to `fast`, which begins."""
    w = code.lanes.width
    any_far = code.let(f"call i1 @llvm.vector.reduce.or.v{w}i1(<{w} x i1> {far})")
    code.do(f'br i1 {any_far}, label %slow, label %{fast}, !prof !{{!"branch_weights", i32 1, i32 100000}}')


def reduce(code: Code, x: str) -> tuple[str, str, str]:
    """The quadrant as integers, r, and what is too much in it by rounding."""
    lanes = code.lanes
    magic = 1.5 * 2.0 ** (52 if lanes.scalar == "double" else 23)
    shifted = code.fma(x, code.number(TWO_OVER_PI), code.number(magic))
    k = code.exactly("fsub", shifted, code.number(magic))
    quadrant = code.cast(shifted, True)
    parts = [float.fromhex(part) for part in HALF_PI[lanes.scalar]]
    if lanes.scalar == "double":
        first = code.fnma(k, code.number(parts[0]), x)
        step = code.exactly("fmul", k, code.number(parts[1]))
        r = code.exactly("fsub", first, step)
        rounding = code.exactly("fsub", step, code.exactly("fsub", first, r))
        return quadrant, r, code.fma(k, code.number(parts[2]), rounding)
    if code.fuses:
        r, minus = x, code.let(f"fneg {lanes.vector} {k}")
        for part in parts:
            r = code.let(
                f"call {lanes.vector} @llvm.fma.v{lanes.width}f32"
                f"({lanes.vector} {minus}, {lanes.vector} {code.number(part)}, {lanes.vector} {r})"
            )
        # Parts of both signs make +0 of -0.
        still = code.let(f"fcmp oeq {lanes.vector} {k}, {lanes.splat(0.0)}")
        same = code.let(f"select <{lanes.width} x i1> {still}, {lanes.vector} {x}, {lanes.vector} {r}")
        return quadrant, same, ""
    wide = Lanes("double", lanes.width)
    x = code.let(f"fpext {lanes.vector} {x} to {wide.vector}")
    turn = code.let(f"fpext {lanes.vector} {k} to {wide.vector}")
    for part in HALF_PI["double"]:
        step = code.let(f"fmul {wide.vector} {turn}, {wide.splat(float.fromhex(part))}")
        x = code.let(f"fsub {wide.vector} {x}, {step}")
    return quadrant, code.let(f"fptrunc {wide.vector} {x} to {lanes.vector}"), ""


def kernels(code: Code, r: str, excess: str) -> tuple[str, str]:
    """sin(r - excess) and cos(r - excess)."""
    lanes = code.lanes
    z = code.exactly("fmul", r, r)
    half = code.exactly("fmul", z, code.number(0.5))
    one = lanes.splat(1.0)
    near = code.exactly("fsub", one, half)
    rest = code.exactly("fsub", code.exactly("fsub", one, near), half)
    bend = code.exactly("fmul", z, z)
    q = _polynomial(code, z, COSINE[lanes.scalar])
    p = _polynomial(code, z, SINE[lanes.scalar])
    cube = code.exactly("fmul", r, z)
    if excess:
        # sin(r - t) = sin r - t cos r, cos(r - t) = cos r + t sin r, to first order in the tiny t
        rest = code.fma(excess, r, rest)
        # At -0 this is +0, and -0 less +0 is -0.
        sine = code.exactly("fsub", r, code.fnma(cube, p, code.exactly("fmul", excess, near)))
    else:
        sine = code.fma(cube, p, r)
        # The sum of -0 and a correction of 0 is +0; everywhere else the sine has the sign of r already.
        sign = code.integer("and", code.cast(r, True), lanes.splat_integer(-(1 << (8 * lanes.size - 1))))
        sine = code.cast(code.integer("or", code.cast(sine, True), sign), False)
    return sine, code.exactly("fadd", near, code.fma(bend, q, rest))


def apply_quadrant(code: Code, quadrant: str, sine: str, cosine: str) -> list[str]:
    """The sine and the cosine of the angle from those of r."""
    lanes, v = code.lanes, code.lanes.vector
    odd = code.let(f"trunc {lanes.integers} {quadrant} to <{lanes.width} x i1>")
    top = lanes.splat_integer(8 * lanes.size - 2)
    mask = lanes.splat_integer(-(1 << (8 * lanes.size - 1)))
    after = code.integer("add", quadrant, lanes.splat_integer(1))
    values: list[str] = []
    for this, other, turn in ((sine, cosine, quadrant), (cosine, sine, after)):
        value = code.let(f"select <{lanes.width} x i1> {odd}, {v} {other}, {v} {this}")
        sign = code.integer("and", code.integer("shl", turn, top), mask)
        # A sum, not xor, which is the same: LLVM would make one operation of three operands of this and `and`.
        values.append(code.cast(code.integer("add", code.cast(value, True), sign), False))
    return values


def _polynomial(code: Code, z: str, coefficients: tuple[str | float, ...]) -> str:
    """Horner's rule."""
    numbers = [float.fromhex(c) if isinstance(c, str) else c for c in coefficients]
    value = code.number(numbers[-1])
    for number in reversed(numbers[:-1]):
        value = code.fma(value, z, code.number(number))
    return value


def _library(code: Code) -> tuple[str, str]:
    """Lane by lane from the C library."""
    lanes, suffix = code.lanes, "" if code.lanes.scalar == "double" else "f"
    values = {"sin": "poison", "cos": "poison"}
    for k in range(lanes.width):
        x = code.let(f"extractelement {lanes.vector} %x, i32 {k}")
        for name, vector in values.items():
            value = code.let(f"call {lanes.scalar} @{name}{suffix}({lanes.scalar} {x})")
            values[name] = code.let(f"insertelement {lanes.vector} {vector}, {lanes.scalar} {value}, i32 {k}")
    return values["sin"], values["cos"]


def give(code: Code, sine: str, cosine: str) -> None:
    """Return both."""
    v = code.lanes.vector
    one = code.let(f"insertvalue {{{v}, {v}}} poison, {v} {sine}, 0")
    code.do(f"ret {{{v}, {v}}} {code.let(f'insertvalue {{{v}, {v}}} {one}, {v} {cosine}, 1')}")


def _short(lanes: Lanes) -> str:
    return f"f{8 * lanes.size}"


def _declarations(lanes: Lanes) -> str:
    v, s, w = lanes.vector, lanes.scalar, lanes.width
    suffix = "" if s == "double" else "f"
    return (
        f"declare {v} @llvm.fabs.v{w}{_short(lanes)}({v})\n"
        f"declare {v} @llvm.fma.v{w}{_short(lanes)}({v}, {v}, {v})\n"
        f"declare i1 @llvm.vector.reduce.or.v{w}i1(<{w} x i1>)\n"
        f"declare {s} @sin{suffix}({s})\ndeclare {s} @cos{suffix}({s})\n"
    )
