"""The machine code by which the threads of a crew take the parts of a batch: each takes the next when it is done."""

from __future__ import annotations

import ctypes
import time
from functools import cache
from typing import Any

from dynamis.compute.backends.llvm import machine

MAX_ARRAYS = 16
"""Arrays that a function may have, and different sizes of their axes."""


@cache
def crew_code() -> dict[str, Any]:
    """The functions of the IR below, which leave the interpreter's lock while they run."""
    processor = machine.host()
    hint = {"x86_64": "call void @llvm.x86.sse2.pause()"}.get(processor.triple.partition("-")[0], "")
    declared = "declare void @llvm.x86.sse2.pause()" if hint else ""
    ir = _IR.replace("PAUSE", hint).replace("CLOCK", str(time.CLOCK_MONOTONIC)) + declared
    library = ctypes.CDLL(None)
    symbols = {
        x: ctypes.cast(getattr(library, x), ctypes.c_void_p).value or 0 for x in ("clock_gettime", "sched_yield")
    }
    addresses, tracker = machine.link(machine.compile_here(ir, processor), list(_KINDS), symbols)
    functions = {name: kind(addresses[name]) for name, kind in _KINDS.items()}
    return functions | {"keep": tracker, "core": getattr(library, "sched_getcpu", None)}


_KINDS = {
    "share": ctypes.CFUNCTYPE(None, ctypes.c_void_p),
    "post": ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p),
    "cancel": ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p),
    "serve": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64),
    "wait": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64),
}
_IR = f"""
; The next state that none has taken, how many of the crew are done; the states, the parts of what is left that one
; takes, the fewest states of one; the loop and its last argument; starts of arrays, sizes of axes, steps.
%job = type {{ i64, i64, i64, i64, i64, ptr, ptr, [{MAX_ARRAYS} x ptr], [{MAX_ARRAYS} x i64], [{MAX_ARRAYS} x i64] }}
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @clock_gettime(i32, ptr)
declare i32 @sched_yield()

define internal i64 @now() {{
  %both = alloca [2 x i64]
  call i32 @clock_gettime(i32 CLOCK, ptr %both)
  %seconds = load i64, ptr %both
  %second = getelementptr i64, ptr %both, i64 1
  %rest = load i64, ptr %second
  %all = mul i64 %seconds, 1000000000
  %sum = add i64 %all, %rest
  ret i64 %sum
}}

; Take parts until none is left: each the share of a thread in half of what is left.
define void @share(ptr %job) {{
entry:
  %starts = alloca [{MAX_ARRAYS} x ptr]
  %sizes = alloca [{MAX_ARRAYS} x i64]
  %count.at = getelementptr %job, ptr %job, i64 0, i32 2
  %count = load i64, ptr %count.at
  %share.at = getelementptr %job, ptr %job, i64 0, i32 3
  %share = load i64, ptr %share.at
  %fewest.at = getelementptr %job, ptr %job, i64 0, i32 4
  %fewest = load i64, ptr %fewest.at
  %loop.at = getelementptr %job, ptr %job, i64 0, i32 5
  %loop = load ptr, ptr %loop.at
  %data.at = getelementptr %job, ptr %job, i64 0, i32 6
  %data = load ptr, ptr %data.at
  %whole.at = getelementptr %job, ptr %job, i64 0, i32 8
  %whole = load [{MAX_ARRAYS} x i64], ptr %whole.at
  store [{MAX_ARRAYS} x i64] %whole, ptr %sizes
  %steps = getelementptr %job, ptr %job, i64 0, i32 9
  br label %take
take:
  %first = load atomic i64, ptr %job monotonic, align 8
  br label %try
try:
  %at = phi i64 [%first, %take], [%seen, %claim]
  %left = sub i64 %count, %at
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %claim, label %done
claim:
  %fair = sdiv i64 %left, %share
  %more = call i64 @llvm.smax.i64(i64 %fair, i64 %fewest)
  %part = call i64 @llvm.smin.i64(i64 %more, i64 %left)
  %end = add i64 %at, %part
  %result = cmpxchg ptr %job, i64 %at, i64 %end monotonic monotonic, align 8
  %seen = extractvalue {{i64, i1}} %result, 0
  %mine = extractvalue {{i64, i1}} %result, 1
  br i1 %mine, label %place, label %try
place:
  %k = phi i64 [0, %claim], [%k2, %place]
  %step.at = getelementptr i64, ptr %steps, i64 %k
  %step = load i64, ptr %step.at
  %far = mul i64 %at, %step
  %start.at = getelementptr %job, ptr %job, i64 0, i32 7, i64 %k
  %start = load ptr, ptr %start.at
  %there = getelementptr i8, ptr %start, i64 %far
  %there.at = getelementptr ptr, ptr %starts, i64 %k
  store ptr %there, ptr %there.at
  %k2 = add i64 %k, 1
  %again = icmp slt i64 %k2, {MAX_ARRAYS}
  br i1 %again, label %place, label %run
run:
  store i64 %part, ptr %sizes
  call void %loop(ptr %starts, ptr %sizes, ptr %steps, ptr %data)
  br label %take
done:
  ret void
}}

; Whether the thread sleeps and must be called.
define zeroext i1 @post(ptr %box, ptr %job) {{
  %address = ptrtoint ptr %job to i64
  %before = atomicrmw xchg ptr %box, i64 %address seq_cst, align 8
  %asleep = icmp eq i64 %before, 1
  ret i1 %asleep
}}

; Whether the job was still in the box.
define zeroext i1 @cancel(ptr %box, ptr %job) {{
  %address = ptrtoint ptr %job to i64
  %result = cmpxchg ptr %box, i64 %address, i64 0 seq_cst monotonic, align 8
  %there = extractvalue {{i64, i1}} %result, 1
  ret i1 %there
}}

; Do what is in the box; leave it asleep when nothing came for so many nanoseconds.
define void @serve(ptr %box, i64 %patience) {{
entry:
  br label %anew
anew:
  %start = call i64 @now()
  br label %look
look:
  %here = load atomic i64, ptr %box monotonic, align 8
  %full = icmp ugt i64 %here, 1
  br i1 %full, label %take, label %wait
take:
  %taken = atomicrmw xchg ptr %box, i64 0 seq_cst, align 8
  %still = icmp ugt i64 %taken, 1
  br i1 %still, label %work, label %anew
work:
  %job = inttoptr i64 %taken to ptr
  call void @share(ptr %job)
  %done = getelementptr %job, ptr %job, i64 0, i32 1
  atomicrmw add ptr %done, i64 1 seq_cst, align 8
  br label %anew
wait:
  PAUSE
  %time = call i64 @now()
  %waited = sub i64 %time, %start
  %long = icmp sgt i64 %waited, %patience
  br i1 %long, label %sleep, label %look
sleep:
  %result = cmpxchg ptr %box, i64 0, i64 1 seq_cst monotonic, align 8
  %asleep = extractvalue {{i64, i1}} %result, 1
  br i1 %asleep, label %end, label %look
end:
  ret void
}}

; Until so many of the crew are done; one whose core another program has is waited for without taking a core from it.
define void @wait(ptr %job, i64 %crew) {{
entry:
  %done.at = getelementptr %job, ptr %job, i64 0, i32 1
  br label %look
look:
  %k = phi i64 [0, %entry], [%k2, %wait], [%k2, %yield]
  %done = load atomic i64, ptr %done.at acquire, align 8
  %all = icmp sge i64 %done, %crew
  %k2 = add i64 %k, 1
  br i1 %all, label %end, label %test
test:
  %long = icmp sgt i64 %k, 1000
  br i1 %long, label %yield, label %wait
wait:
  PAUSE
  br label %look
yield:
  call i32 @sched_yield()
  br label %look
end:
  ret void
}}
"""
