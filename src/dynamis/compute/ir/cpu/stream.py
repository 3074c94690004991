"""Results that no cache holds: they go to memory past the caches, in whole lines of 64 bytes.

A store of the usual kind first reads the line that it changes. A stream store does not, but it takes a whole line at
once, and a block of states begins anywhere in one. So a block is written to a stage; the lines that are full are
streamed, and the rest is put in front of the stage for the next block. The stage begins with a page: with stores across
two pages the mass matrix of six joints takes 27 ns instead of 15.
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.compute.ir.lanes import Lanes
from dynamis.compute.program.signature import Operand

CACHE_LINE = 64
PAGE_BYTES = 4096
BEYOND_CACHE = 12 * 2**20
"""Bytes of results from which they are streamed. Measured with 32 MiB of cache: the same from 8 to 16 MiB, and beyond
it half of the time."""
MIN_STREAMED_ENTRIES = 8
"""Entries of a result from which it may be streamed; with fewer, computing takes longer than storing anyway."""


def is_worthwhile(outputs: Sequence[Operand]) -> bool:
    """Whether a batch of these results may be streamed."""
    return bool(outputs) and all(x.count >= MIN_STREAMED_ENTRIES for x in outputs)


def stream_function(lanes: Lanes) -> str:
    """@stream: what a block has written to its stage, to memory; before the first and after the last line by words."""
    word, size = lanes.bits, lanes.size
    return f"""
define internal fastcc void @stream(ptr noalias %stage, ptr noalias %to, i64 %bytes, i1 %first, i1 %final) noinline {{
entry:
  %address = ptrtoint ptr %to to i64
  %within = and i64 %address, {CACHE_LINE - 1}
  %back = sub i64 0, %within
  %start = getelementptr i8, ptr %to, i64 %back
  %from = getelementptr i8, ptr %stage, i64 %back
  %all = add i64 %within, %bytes
  %whole = and i64 %all, -{CACHE_LINE}
  %inside = icmp ne i64 %within, 0
  %partial = and i1 %first, %inside
  br i1 %partial, label %head, label %test
head:
  %h = phi i64 [%within, %entry], [%h2, %head]
  call fastcc void @word(ptr %from, ptr %start, i64 %h)
  %h2 = add i64 %h, {size}
  %hmore = icmp slt i64 %h2, {CACHE_LINE}
  br i1 %hmore, label %head, label %test
test:
  %begin = phi i64 [0, %entry], [{CACHE_LINE}, %head]
  br label %line
line:
  %p = phi i64 [%begin, %test], [%p2, %body]
  %more = icmp slt i64 %p, %whole
  br i1 %more, label %body, label %carry
body:
  %here = getelementptr i8, ptr %from, i64 %p
  %x = load <8 x i64>, ptr %here, align {size}
  %there = getelementptr i8, ptr %start, i64 %p
  store <8 x i64> %x, ptr %there, align {CACHE_LINE}, !nontemporal !{{i32 1}}
  %p2 = add i64 %p, {CACHE_LINE}
  br label %line
carry:
  %end = getelementptr i8, ptr %stage, i64 %bytes
  %rest = getelementptr i8, ptr %end, i64 -{CACHE_LINE}
  %last = load <8 x i64>, ptr %rest, align {size}
  %front = getelementptr i8, ptr %stage, i64 -{CACHE_LINE}
  store <8 x i64> %last, ptr %front, align {CACHE_LINE}
  %some = icmp slt i64 %whole, %all
  %ends = and i1 %final, %some
  br i1 %ends, label %tail, label %done
tail:
  %t = phi i64 [%whole, %carry], [%t2, %tail]
  call fastcc void @word(ptr %from, ptr %start, i64 %t)
  %t2 = add i64 %t, {size}
  %tmore = icmp slt i64 %t2, %all
  br i1 %tmore, label %tail, label %done
done:
  ret void
}}

define internal fastcc void @word(ptr %from, ptr %to, i64 %at) {{
entry:
  %a = getelementptr i8, ptr %from, i64 %at
  %b = getelementptr i8, ptr %to, i64 %at
  %x = load {word}, ptr %a, align {size}
  store {word} %x, ptr %b, align {size}
  ret void
}}
"""
