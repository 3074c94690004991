"""The interpreter of bytecode, in LLVM IR: one loop for every program, over blocks of states.

`@loop` has the type of a ufunc's inner loop; its last argument is the table of a `Bytecode`. Each
instruction works on a block of `BLOCK_STATES` states, so that deciding what to do costs little of a state.
"""

from __future__ import annotations

from dynamis.compute.ir.cpu.bytecode import CODES
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.ir.sincos import sincos
from dynamis.compute.program.program import FUSED, OPERATIONS

BLOCK_STATES = 32
"""States that one instruction works on."""


def interpreter(lanes: Lanes, fused: bool) -> str:
    """The IR of the interpreter for lanes of doubles or floats."""
    cases = " ".join(f"i32 {k}, label %op{k}" for k in range(len(CODES)))
    bodies = "\n".join(_body(k, op, lanes) for k, op in enumerate(CODES))
    s, size, width = lanes.scalar, lanes.size, lanes.width
    bytes_of_block = BLOCK_STATES * size
    constant = "%value" if s == "double" else "%narrow"
    return (
        f"""
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare i32 @feclearexcept(i32)
declare i64 @llvm.smin.i64(i64, i64)
declare {lanes.vector} @llvm.sqrt.v{width}f{8 * size}({lanes.vector})
declare {lanes.vector} @llvm.nearbyint.v{width}f{8 * size}({lanes.vector})

define internal fastcc void @execute(ptr %code, i64 %count, ptr %registers) noinline {{
entry:
  br label %next
next:
  %k = phi i64 [0, %entry], [%k2, %after]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %fetch, label %done
fetch:
  %at = mul i64 %k, 20
  %ip = getelementptr i8, ptr %code, i64 %at
  %op = load i32, ptr %ip
  {_register("r", 4)}
  {_register("a", 8)}
  {_register("b", 12)}
  {_register("c", 16)}
  %k2 = add i64 %k, 1
  switch i32 %op, label %after [{cases}]
{bodies}
after:
  br label %next
done:
  ret void
}}

define internal fastcc void @move(ptr %far, i64 %outer, i64 %down, i64 %across, i64 %rows, i64 %columns, ptr %registers,
    ptr %map, i64 %first, i64 %last, i1 %into) noinline {{
entry:
  br label %row
row:
  %r = phi i64 [0, %entry], [%r2, %row.end]
  br label %column
column:
  %c = phi i64 [0, %row], [%c2, %column.end]
  %e1 = mul i64 %r, %columns
  %e = add i64 %e1, %c
  %fe = add i64 %first, %e
  br i1 %into, label %plain, label %mapped
plain:
  br label %found
mapped:
  %mp = getelementptr i32, ptr %map, i64 %fe
  %mv = load i32, ptr %mp
  %mi = sext i32 %mv to i64
  br label %found
found:
  %register = phi i64 [%fe, %plain], [%mi, %mapped]
  %rb = mul i64 %register, {bytes_of_block}
  %near = getelementptr i8, ptr %registers, i64 %rb
  %o1 = mul i64 %r, %down
  %o2 = mul i64 %c, %across
  %o3 = add i64 %o1, %o2
  %start = getelementptr i8, ptr %far, i64 %o3
  br label %lane
lane:
  %l = phi i64 [0, %found], [%l2, %lane.end]
  %state = call i64 @llvm.smin.i64(i64 %l, i64 %last)
  %so = mul i64 %state, %outer
  %fp = getelementptr i8, ptr %start, i64 %so
  %np = getelementptr {s}, ptr %near, i64 %l
  br i1 %into, label %in, label %out
in:
  %x = load {s}, ptr %fp, align 1
  store {s} %x, ptr %np
  br label %lane.end
out:
  %y = load {s}, ptr %np
  store {s} %y, ptr %fp, align 1
  br label %lane.end
lane.end:
  %l2 = add i64 %l, 1
  %end = select i1 %into, i64 {BLOCK_STATES - 1}, i64 %last
  %lm = icmp sle i64 %l2, %end
  br i1 %lm, label %lane, label %column.end
column.end:
  %c2 = add i64 %c, 1
  %cm = icmp slt i64 %c2, %columns
  br i1 %cm, label %column, label %row.end
row.end:
  %r2 = add i64 %r, 1
  %rm = icmp slt i64 %r2, %rows
  br i1 %rm, label %row, label %done
done:
  ret void
}}

define internal fastcc void @operands(ptr %args, ptr %steps, ptr %data, i64 %i, i64 %last, ptr %registers, i1 %into) {{
entry:
  {_field("operands", 5, "i64")}
  {_field("inputs", 6, "i64")}
  {_field("shapes", 7, "ptr")}
  {_field("map", 8, "ptr")}
  br label %next
next:
  %k = phi i64 [0, %entry], [%k2, %after]
  %first = phi i64 [0, %entry], [%first2, %after]
  %core = phi i64 [%operands, %entry], [%core2, %after]
  %shape = phi ptr [%shapes, %entry], [%shape2, %after]
  %rank = load i64, ptr %shape
  %rp = getelementptr i64, ptr %shape, i64 1
  %rows = load i64, ptr %rp
  %cp = getelementptr i64, ptr %shape, i64 2
  %columns = load i64, ptr %cp
  %core2 = add i64 %core, %rank
  %shape2 = getelementptr i64, ptr %shape, i64 3
  %count = mul i64 %rows, %columns
  %next1 = add i64 %first, %count
  %k2 = add i64 %k, 1
  %boundary = icmp eq i64 %k2, %inputs
  %first2 = select i1 %boundary, i64 0, i64 %next1
  %input = icmp slt i64 %k, %inputs
  %wanted = icmp eq i1 %input, %into
  br i1 %wanted, label %move, label %after
move:
  %ap = getelementptr ptr, ptr %args, i64 %k
  %a = load ptr, ptr %ap
  %op = getelementptr i64, ptr %steps, i64 %k
  %outer = load i64, ptr %op
  %offset = mul i64 %i, %outer
  %far = getelementptr i8, ptr %a, i64 %offset
  %last1 = sub i64 %core2, 1
  %acp = getelementptr i64, ptr %steps, i64 %last1
  %some = icmp sgt i64 %rank, 0
  br i1 %some, label %vector, label %go
vector:
  %across1 = load i64, ptr %acp
  %matrix = icmp sgt i64 %rank, 1
  br i1 %matrix, label %square, label %go
square:
  %dp = getelementptr i64, ptr %steps, i64 %core
  %down1 = load i64, ptr %dp
  br label %go
go:
  %across = phi i64 [0, %move], [%across1, %vector], [%across1, %square]
  %down = phi i64 [0, %move], [0, %vector], [%down1, %square]
  call fastcc void @move(ptr %far, i64 %outer, i64 %down, i64 %across, i64 %rows, i64 %columns, ptr %registers,
    ptr %map, i64 %first, i64 %last, i1 %into)
  br label %after
after:
  %go.on = icmp slt i64 %k2, %operands
  br i1 %go.on, label %next, label %done
done:
  ret void
}}

define void @loop(ptr %args, ptr %dimensions, ptr %steps, ptr %data) {{
entry:
  %number = load i64, ptr %dimensions
  {_field("count", 0, "i64")}
  {_field("code", 1, "ptr")}
  {_field("size", 2, "i64")}
  {_field("constants", 3, "i64")}
  {_field("values", 4, "ptr")}
  {_field("before", 9, "i64")}
  %bytes = mul i64 %size, {bytes_of_block}
  %some = add i64 %bytes, {bytes_of_block}
  %registers = call ptr @aligned_alloc(i64 64, i64 %some)
  br label %fill
fill:
  %c = phi i64 [0, %entry], [%c2, %filled]
  %cm = icmp slt i64 %c, %constants
  br i1 %cm, label %one, label %blocks
one:
  %vp = getelementptr double, ptr %values, i64 %c
  %value = load double, ptr %vp
  {"" if s == "double" else "%narrow = fptrunc double %value to float"}
  %at = add i64 %before, %c
  %base = mul i64 %at, {BLOCK_STATES}
  br label %lane
lane:
  %l = phi i64 [0, %one], [%l2, %lane]
  %spot = add i64 %base, %l
  %sp = getelementptr {s}, ptr %registers, i64 %spot
  store {s} {constant}, ptr %sp
  %l2 = add i64 %l, 1
  %lm = icmp slt i64 %l2, {BLOCK_STATES}
  br i1 %lm, label %lane, label %filled
filled:
  %c2 = add i64 %c, 1
  br label %fill
blocks:
  %i = phi i64 [0, %fill], [%i2, %block]
  %im = icmp slt i64 %i, %number
  br i1 %im, label %block, label %done
block:
  %rest = sub i64 %number, %i
  %rest1 = sub i64 %rest, 1
  %last = call i64 @llvm.smin.i64(i64 %rest1, i64 {BLOCK_STATES - 1})
  call fastcc void @operands(ptr %args, ptr %steps, ptr %data, i64 %i, i64 %last, ptr %registers, i1 true)
  call fastcc void @execute(ptr %code, i64 %count, ptr %registers)
  call fastcc void @operands(ptr %args, ptr %steps, ptr %data, i64 %i, i64 %last, ptr %registers, i1 false)
  %i2 = add i64 %i, {BLOCK_STATES}
  br label %blocks
done:
  call void @free(ptr %registers)
  %cleared = call i32 @feclearexcept(i32 63)
  ret void
}}
""".replace("REGISTER_BYTES", str(bytes_of_block))
        + sincos(lanes, fused)
    )


def _register(name: str, offset: int) -> str:
    return (
        f"%{name}p = getelementptr i8, ptr %ip, i64 {offset}\n  %{name}v = load i32, ptr %{name}p\n"
        f"  %{name}i = sext i32 %{name}v to i64\n  %{name}b = mul i64 %{name}i, REGISTER_BYTES\n"
        f"  %{name} = getelementptr i8, ptr %registers, i64 %{name}b"
    )


def _field(name: str, index: int, kind: str) -> str:
    return f"%{name}.p = getelementptr i64, ptr %data, i64 {index}\n  %{name} = load {kind}, ptr %{name}.p"


def _body(k: int, op: str, lanes: Lanes) -> str:
    """What one operation does to a block."""
    code = Code(lanes, prefix=f"%o{k}_")
    v, width = lanes.vector, lanes.width
    code.label(f"op{k}")

    def at(code: Code, name: str, offset: int) -> str:
        return code.let(f"getelementptr i8, ptr %{name}, i64 {offset}")

    for part in range(BLOCK_STATES // width):
        offset = part * width * lanes.size
        operands = "abc" if op in FUSED else "ab"[: OPERATIONS[op][0]]
        values = [code.let(f"load {v}, ptr {at(code, x, offset)}") for x in operands]
        if op in ("sin", "cos"):
            both = code.let(f"call fastcc {{{v}, {v}}} @sincos({v} {values[0]})")
            value = code.let(f"extractvalue {{{v}, {v}}} {both}, {int(op == 'cos')}")
        else:
            value = code.apply(op, *values)
        code.do(f"store {v} {value}, ptr {at(code, 'r', offset)}")
    code.do("br label %after")
    return "\n".join(code.lines)
