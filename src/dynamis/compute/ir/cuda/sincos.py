"""Sine and cosine on a GPU: those of the CPU for angles up to 1e5 rad, and a reduction of our own beyond.

A far angle x = m 2^e, with a whole number m of 53 bits, is multiplied with as many bits of 2/pi as count: those that
only add multiples of 4 turns of pi/2 are left out, and 192 bits follow (M. H. Payne, R. N. Hanek, Radian reduction for
trigonometric functions, ACM SIGNUM Newsletter 18, 1983).
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.compute.ir import sincos as near
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.ir.two_over_pi import TWO_OVER_PI_WORDS, two_over_pi


def sincos(code: Code, angles: Sequence[str], number: int) -> list[list[str]]:
    """The sine and the cosine of every angle; one branch for all of them, since hardly any is ever far.

    `number` makes the names of its blocks its own.
    """
    lanes, v = code.lanes, code.lanes.vector
    kinds = (lanes.integers, v, v)[: 3 if lanes.scalar == "double" else 2]
    fast = [[*(near.reduce(code, angle) if lanes.scalar == "double" else _reduce(code, angle))] for angle in angles]
    sizes = [code.let(f"call {v} @llvm.fabs.v1f{8 * lanes.size}({v} {angle})") for angle in angles]
    largest = sizes[0]
    for size in sizes[1:]:  # of NaN and a number the number; the fast way gives NaN for NaN by itself
        largest = code.let(f"call {v} @llvm.maxnum.v1f{8 * lanes.size}({v} {largest}, {v} {size})")
    before = code.block
    far = code.let(f"fcmp ogt {v} {largest}, {lanes.splat(near.FAST_PATH_LIMIT)}")
    condition = code.let(f"extractelement <1 x i1> {far}, i32 0")
    code.do(f"br i1 {condition}, label %far{number}, label %turn{number}, !prof !9")
    code.label(f"far{number}")
    slow: list[list[str]] = []
    for angle, size, quick in zip(angles, sizes, fast, strict=True):  # the others of this state are not far
        own = code.let(f"fcmp ogt {v} {size}, {lanes.splat(near.FAST_PATH_LIMIT)}")
        slow.append([
            code.let(f"select <1 x i1> {own}, {kind} {b}, {kind} {a}")
            for a, b, kind in zip(quick, _far(code, angle), kinds, strict=False)
        ])  # fmt: skip
    code.do(f"br label %turn{number}")
    code.label(f"turn{number}")
    joined = [
        [
            code.let(f"phi {kind} [ {a}, %{before} ], [ {b}, %far{number} ]")
            for a, b, kind in zip(quick, exact, kinds, strict=False)
        ]
        for quick, exact in zip(fast, slow, strict=True)
    ]
    pair = near.kernels if lanes.scalar == "double" else _pair
    return [near.apply_quadrant(code, quadrant, *pair(code, *rest)) for quadrant, *rest in joined]


def _reduce(code: Code, x: str) -> tuple[str, str]:
    """The quadrant and r of a float, in five operations."""
    lanes = code.lanes
    magic = lanes.splat(1.5 * 2.0**23)
    shifted = _fma(code, x, lanes.splat(near.TWO_OVER_PI), magic)
    turns = code.exactly("fsub", shifted, magic)
    r = x
    for part in near.HALF_PI["float"]:
        r = _fma(code, turns, lanes.splat(-float.fromhex(part)), r)
    return code.cast(shifted, True), r


def _pair(code: Code, r: str) -> tuple[str, str]:
    """sin r and cos r of floats, within an ulp."""
    lanes = code.lanes
    z = code.exactly("fmul", r, r)
    cosine, sine = ((1.0, -0.5, *near.COSINE["float"]), near.SINE["float"])
    values: list[str] = []
    for coefficients in (sine, cosine):
        value = lanes.splat(float(coefficients[-1]))
        for coefficient in reversed(coefficients[:-1]):
            value = _fma(code, value, z, lanes.splat(float(coefficient)))
        values.append(value)
    cube = code.exactly("fmul", r, z)
    return _fma(code, cube, values[0], r), values[1]


def _fma(code: Code, a: str, b: str, c: str) -> str:
    v = code.lanes.vector
    return code.let(f"call {v} @llvm.fma.v1f32({v} {a}, {v} {b}, {v} {c})")


def _far(code: Code, angle: str) -> list[str]:
    """The quadrant, r and what is too much in it, of an angle of any size."""
    lanes, scalar = code.lanes, code.lanes.scalar
    x = code.let(f"extractelement {lanes.vector} {angle}, i32 0")
    if scalar == "float":
        x = code.let(f"fpext float {x} to double")
    exact = code.let(f"call {{i64, double, double}} @far(double {x})")
    parts = [code.let(f"extractvalue {{i64, double, double}} {exact}, {k}") for k in range(3)]
    if scalar == "float":
        parts = [
            code.let(f"trunc i64 {parts[0]} to i32"),
            *(code.let(f"fptrunc double {part} to float") for part in parts[1:]),
        ]
    kinds = (lanes.integers, lanes.bits), (lanes.vector, scalar), (lanes.vector, scalar)
    return [
        code.let(f"insertelement {vector} poison, {kind} {part}, i32 0")
        for part, (vector, kind) in zip(parts, kinds, strict=True)
    ]


def declarations(lanes: Lanes) -> str:
    """What `sincos` calls."""
    v = lanes.vector
    largest = f"declare {v} @llvm.maxnum.v1f{8 * lanes.size}({v}, {v})\n"
    declared = (
        largest
        + f"declare {v} @llvm.fabs.v1f{8 * lanes.size}({v})\ndeclare double @llvm.fma.f64(double, double, double)\n"
    )
    weights = '!9 = !{!"branch_weights", i32 1, i32 100000}\n'
    return declared + weights + _FAR.replace("WORDS", _words()).replace("COUNT", str(TWO_OVER_PI_WORDS))


def _words() -> str:
    return ", ".join(f"i64 {word}" for word in two_over_pi())


_FAR = """
@two.over.pi = internal addrspace(4) constant [COUNT x i64] [WORDS]
declare i64 @llvm.fshl.i64(i64, i64, i64)

define internal {i64, double, double} @far(double %x) noinline {
entry:
  %bits = bitcast double %x to i64
  %raised = lshr i64 %bits, 52
  %power = and i64 %raised, 2047
  %fraction = and i64 %bits, 4503599627370495
  %m = or i64 %fraction, 4503599627370496
  %e = sub i64 %power, 1075
  %infinite = icmp eq i64 %power, 2047
  %skipped = sub i64 %e, 2
  %positive = icmp sgt i64 %skipped, 0
  %offset = select i1 %positive, i64 %skipped, i64 0
  %safe = select i1 %infinite, i64 0, i64 %offset
  %first = lshr i64 %safe, 6
  %shift = and i64 %safe, 63
  %d = sub i64 %e, %safe
  %p0 = getelementptr [COUNT x i64], ptr addrspace(4) @two.over.pi, i64 0, i64 %first
  %w0 = load i64, ptr addrspace(4) %p0
  %p1 = getelementptr i64, ptr addrspace(4) %p0, i64 1
  %w1 = load i64, ptr addrspace(4) %p1
  %p2 = getelementptr i64, ptr addrspace(4) %p0, i64 2
  %w2 = load i64, ptr addrspace(4) %p2
  %p3 = getelementptr i64, ptr addrspace(4) %p0, i64 3
  %w3 = load i64, ptr addrspace(4) %p3
  %a = call i64 @llvm.fshl.i64(i64 %w0, i64 %w1, i64 %shift)
  %b = call i64 @llvm.fshl.i64(i64 %w1, i64 %w2, i64 %shift)
  %c = call i64 @llvm.fshl.i64(i64 %w2, i64 %w3, i64 %shift)
  %m.wide = zext i64 %m to i128
  %a.wide = zext i64 %a to i128
  %b.wide = zext i64 %b to i128
  %c.wide = zext i64 %c to i128
  %mc = mul i128 %m.wide, %c.wide
  %mb = mul i128 %m.wide, %b.wide
  %ma = mul i128 %m.wide, %a.wide
  %mc.high = lshr i128 %mc, 64
  %second = add i128 %mb, %mc.high
  %second.high = lshr i128 %second, 64
  %third = add i128 %ma, %second.high
  %q0 = trunc i128 %mc to i64
  %q1 = trunc i128 %second to i64
  %q2 = trunc i128 %third to i64
  %third.high = lshr i128 %third, 64
  %q3 = trunc i128 %third.high to i64
  %left = add i64 %d, 62
  %whole = icmp eq i64 %left, 64
  %s3 = call i64 @llvm.fshl.i64(i64 %q3, i64 %q2, i64 %left)
  %s2 = call i64 @llvm.fshl.i64(i64 %q2, i64 %q1, i64 %left)
  %s1 = call i64 @llvm.fshl.i64(i64 %q1, i64 %q0, i64 %left)
  %h3 = select i1 %whole, i64 %q2, i64 %s3
  %h2 = select i1 %whole, i64 %q1, i64 %s2
  %h1 = select i1 %whole, i64 %q0, i64 %s1
  %turn = lshr i64 %h3, 62
  %high = call i64 @llvm.fshl.i64(i64 %h3, i64 %h2, i64 2)
  %low = call i64 @llvm.fshl.i64(i64 %h2, i64 %h1, i64 2)
  %up = lshr i64 %high, 63
  %nearest = add i64 %turn, %up
  %masked = and i64 %high, -2048
  %upper = sitofp i64 %masked to double
  %rest = sub i64 %high, %masked
  %rest.double = sitofp i64 %rest to double
  %low.double = uitofp i64 %low to double
  %tiny = fmul double %low.double, 0x3BF0000000000000
  %lower = fadd double %rest.double, %tiny
  %one = fmul double %upper, 0x3BF921FB54442D18
  %minus = fneg double %one
  %lost = call double @llvm.fma.f64(double %upper, double 0x3BF921FB54442D18, double %minus)
  %more = call double @llvm.fma.f64(double %upper, double 0x3891A62633145C07, double %lost)
  %all = call double @llvm.fma.f64(double %lower, double 0x3BF921FB54442D18, double %more)
  %r = fadd double %one, %all
  %gone = fsub double %one, %r
  %tail = fadd double %gone, %all
  %negative = icmp slt i64 %bits, 0
  %r.minus = fneg double %r
  %excess = fneg double %tail
  %turn.minus = sub i64 0, %nearest
  %r.signed = select i1 %negative, double %r.minus, double %r
  %excess.signed = select i1 %negative, double %tail, double %excess
  %turn.signed = select i1 %negative, i64 %turn.minus, i64 %nearest
  %r.given = select i1 %infinite, double 0x7FF8000000000000, double %r.signed
  %pair = insertvalue {i64, double, double} poison, i64 %turn.signed, 0
  %triple = insertvalue {i64, double, double} %pair, double %r.given, 1
  %result = insertvalue {i64, double, double} %triple, double %excess.signed, 2
  ret {i64, double, double} %result
}
"""
