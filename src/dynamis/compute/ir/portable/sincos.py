"""Sine and cosine for processors without a library, in LLVM IR: within 3 ulp for every finite angle.

An angle x becomes k pi/2 + r with |r| <= pi/4. Doubles up to 1e5 rad are reduced in floating point, by Cody and Waite's
method, as on the host. Farther doubles, and floats beyond pi/4, are reduced in integers, which works for every size:
x = m 2^e is multiplied with those bits of 2/pi that count (M. H. Payne, R. N. Hanek, Radian reduction for trigonometric
functions, ACM SIGNUM Newsletter 18, 1983). Then come the polynomials of the host.
"""

from __future__ import annotations

from itertools import pairwise
from math import pi

from dynamis.compute.ir import sincos as near
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.ir.two_over_pi import two_over_pi

LIMBS = {"float": (1, 3, 2), "double": (2, 6, 4)}
"""Words of 32 bits: of the mantissa, of 2/pi that it is multiplied with, of the product's most significant end."""
WORDS = {"float": 8, "double": 40}
"""Words of 32 bits of 2/pi, zeros before the binary point included: enough for the largest angle."""
ZEROS = {"float": 1, "double": 2}
"""Words of zeros before the binary point, for the least angle that is reduced in integers."""


def table(scalar: str) -> list[int]:
    """The words of 2/pi."""
    words = [half for word in two_over_pi() for half in (word >> 32, word & 0xFFFFFFFF)]
    return ([0] * ZEROS[scalar] + words)[: WORDS[scalar]]


def sincos(lanes: Lanes, fuses: bool, name: str, place: str) -> str:
    """The function @name(x) -> {sine, cosine}; `place` is the address of the table, as LLVM writes a pointer."""
    scalar, v, code = lanes.scalar, lanes.vector, Code(lanes, fuses=fuses)
    x = code.let(f"insertelement {v} poison, {scalar} %x, i32 0")
    size = code.let(f"call {scalar} @llvm.fabs.f{8 * lanes.size}({scalar} %x)")
    limit = near.FAST_PATH_LIMIT if scalar == "double" else pi / 4
    far = code.let(f"fcmp ugt {scalar} {size}, {lanes.number(limit)}")
    code.do(f"br i1 {far}, label %far, label %near")
    code.label("near")
    still = (lanes.splat_integer(0), x, "")
    quadrant, r, excess = near.reduce(code, x) if scalar == "double" else still
    code.do("br label %turn")
    code.label("far")
    turns, rest = _reduce(code, place)
    code.do("br label %turn")
    code.label("turn")
    quadrant = code.let(f"phi {lanes.integers} [ {quadrant}, %near ], [ {turns}, %far ]")
    r = code.let(f"phi {v} [ {r}, %near ], [ {rest}, %far ]")
    excess = code.let(f"phi {v} [ {excess}, %near ], [ {lanes.splat(0.0)}, %far ]") if excess else ""
    both = near.apply_quadrant(code, quadrant, *near.kernels(code, r, excess))
    sine, cosine = (code.let(f"extractelement {v} {x}, i32 0") for x in both)
    one = code.let(f"insertvalue {{{scalar}, {scalar}}} poison, {scalar} {sine}, 0")
    code.do(f"ret {{{scalar}, {scalar}}} {code.let(f'insertvalue {{{scalar}, {scalar}}} {one}, {scalar} {cosine}, 1')}")
    text = "\n".join(code.lines)
    return f"define hidden {{{scalar}, {scalar}}} @{name}({scalar} %x) nounwind {{\nentry:\n{text}\n}}\n"


def _reduce(code: Code, place: str) -> tuple[str, str]:
    """The quadrant k mod 4, and r, of %x = m 2^e.

    x 2/pi mod 4 is m A 2^(2 - 32 n), with the n words A of 2/pi from bit e - 1 on.

    Bits before those only add multiples of 4; those behind are too small to count.
    """
    lanes, scalar, bits = code.lanes, code.lanes.scalar, code.lanes.bits
    mantissa = 52 if scalar == "double" else 23
    low, factors, kept = LIMBS[scalar]
    raw = code.let(f"bitcast {scalar} %x to {bits}")
    power = code.let(
        f"and {bits} {code.let(f'lshr {bits} {raw}, {mantissa}')}, {(1 << (8 * lanes.size - 1 - mantissa)) - 1}"
    )
    fraction = code.let(f"and {bits} {raw}, {(1 << mantissa) - 1}")
    m = code.let(f"or {bits} {fraction}, {1 << mantissa}")
    power = power if bits == "i32" else code.let(f"trunc {bits} {power} to i32")
    # bit e - 1 of 2/pi, counted from 1 behind the binary point: place e - 2 + 32 zeros
    bias = (1 << (8 * lanes.size - 2 - mantissa)) - 1 + mantissa
    bit = code.let(f"add i32 {power}, {32 * ZEROS[scalar] - 2 - bias}")
    word, shift = code.let(f"lshr i32 {bit}, 5"), code.let(f"and i32 {bit}, 31")
    start = code.let(f"getelementptr i32, {place}, i32 {word}")
    loads = [
        code.let(f"load i32, ptr {code.let(f'getelementptr i32, ptr {start}, i32 {k}') if k else start}")
        for k in range(factors + 1)
    ]
    # least significant first
    a = [code.let(f"call i32 @llvm.fshl.i32(i32 {x}, i32 {y}, i32 {shift})") for x, y in pairwise(loads)]
    a = [code.let(f"zext i32 {x} to i64") for x in reversed(a)]
    m = m if bits == "i64" else code.let(f"zext i32 {m} to i64")
    limbs = [m] if low == 1 else [code.let(f"and i64 {m}, 4294967295"), code.let(f"lshr i64 {m}, 32")]
    product = ["0"] * factors
    for j, limb in enumerate(limbs):
        carry = "0"
        for i in range(factors - j):
            total = code.let(f"mul i64 {limb}, {a[i]}")
            for more in (product[i + j], carry):
                total = total if more == "0" else code.let(f"add i64 {total}, {more}")
            product[i + j] = code.let(f"and i64 {total}, 4294967295")
            carry = code.let(f"lshr i64 {total}, 32")
    words = [code.let(f"trunc i64 {x} to i32") for x in product[factors - kept :]]
    quadrant = code.let(f"lshr i32 {code.let(f'add i32 {words[-1]}, {1 << 29}')}, 30")
    words[-1] = code.let(f"sub i32 {words[-1]}, {code.let(f'shl i32 {quadrant}, 30')}")
    r = code.let(f"fsub {scalar} %x, %x")  # 0, or NaN of an infinite angle
    for k, x in enumerate(words):
        value = code.let(f"{'sitofp' if k == kept - 1 else 'uitofp'} i32 {x} to {scalar}")
        scaled = code.let(f"fmul {scalar} {value}, {lanes.number(pi / 2 * 2.0 ** (2 - 32 * (kept - k)))}")
        r = code.let(f"fadd {scalar} {r}, {scaled}")
    negative = code.let(f"icmp slt {bits} {raw}, 0")
    r = code.let(f"select i1 {negative}, {scalar} {code.let(f'fneg {scalar} {r}')}, {scalar} {r}")
    quadrant = code.let(f"select i1 {negative}, i32 {code.let(f'sub i32 0, {quadrant}')}, i32 {quadrant}")
    wide = quadrant if bits == "i32" else code.let(f"sext i32 {quadrant} to i64")
    return (
        code.let(f"insertelement {lanes.integers} poison, {bits} {wide}, i32 0"),
        code.let(f"insertelement {lanes.vector} poison, {scalar} {r}, i32 0"),
    )
