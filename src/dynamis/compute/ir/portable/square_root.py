"""The square root of a float in integers, for processors without a floating-point unit.

Bit after bit of the root q, as by hand: the next one, of weight r, is set if (q + r)^2 <= x still. What remains of x is
kept doubled, so that nothing is ever squared. The last of 25 bits rounds: the root is the nearest float.
"""

from __future__ import annotations


def square_root(name: str) -> str:
    """The function @name(float) -> float; NaN for negative numbers."""
    return f"define hidden float @{name}(float %x) nounwind {{{_BODY}}}\n"


_BODY = """
entry:
  %usual = fcmp ogt float %x, 0.0
  %finite = fcmp olt float %x, 0x7FF0000000000000
  %ordinary = and i1 %usual, %finite
  br i1 %ordinary, label %normal, label %other
other:
  %negative = fcmp olt float %x, 0.0
  %odd.one = select i1 %negative, float 0x7FF8000000000000, float %x
  ret float %odd.one
normal:
  ; subnormal numbers are made larger by 2^24, and their roots smaller by 2^12
  %tiny = fcmp olt float %x, 0x3810000000000000
  %larger = fmul float %x, 16777216.0
  %y = select i1 %tiny, float %larger, float %x
  %bits = bitcast float %y to i32
  %power = lshr i32 %bits, 23
  %fraction = and i32 %bits, 8388607
  %m = or i32 %fraction, 8388608
  ; x = m 2^(power - 150): with an even power, as 2^23 <= m < 2^25
  %even = and i32 %power, 1
  %more = xor i32 %even, 1
  %start = shl i32 %m, %more
  %twice = shl i32 %start, 1
  br label %bit
bit:
  %rest = phi i32 [ %twice, %normal ], [ %rest.next, %bit ]
  %sum = phi i32 [ 0, %normal ], [ %sum.next, %bit ]
  %q = phi i32 [ 0, %normal ], [ %q.next, %bit ]
  %r = phi i32 [ 16777216, %normal ], [ %r.next, %bit ]
  %trial = add i32 %sum, %r
  %fits = icmp ule i32 %trial, %rest
  %taken = select i1 %fits, i32 %trial, i32 0
  %left = sub i32 %rest, %taken
  %rest.next = shl i32 %left, 1
  %up = add i32 %trial, %r
  %sum.next = select i1 %fits, i32 %up, i32 %sum
  %weight = select i1 %fits, i32 %r, i32 0
  %q.next = add i32 %q, %weight
  %r.next = lshr i32 %r, 1
  %done = icmp eq i32 %r.next, 0
  br i1 %done, label %end, label %bit
end:
  %half = and i32 %q.next, 1
  %rounded = add i32 %q.next, %half
  %mantissa = lshr i32 %rounded, 1
  ; the root has the exponent (power + 127) / 2, less the one that the mantissa's leading bit adds
  %biased = add i32 %power, 125
  %exponent = lshr i32 %biased, 1
  %place = shl i32 %exponent, 23
  %result = add i32 %mantissa, %place
  %root = bitcast i32 %result to float
  %smaller = fmul float %root, 0x3F30000000000000
  %final = select i1 %tiny, float %smaller, float %root
  ret float %final
"""
