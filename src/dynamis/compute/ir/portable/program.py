"""Programs as functions in LLVM IR: scalars, straight-line code, no library but a sine and cosine of our own.

All inputs of a state are read before its first result is written, so that a result may take the place of an input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dynamis.compute.ir.lanes import Code
from dynamis.compute.ir.portable.machine import Machine
from dynamis.compute.ir.portable.sincos import sincos, table
from dynamis.compute.ir.portable.square_root import square_root
from dynamis.compute.program.program import Program


def function(program: Program, name: str, machine: Machine, prefix: str) -> str:
    """void name(const scalar *input, ..., scalar *output, ...): one state.

    Names of what it calls begin with `prefix`.
    """
    code = Code(machine.lanes, fuses=machine.fuses)
    _state(code, program, machine, prefix)
    code.do("ret void")
    arguments = [f"ptr {x}" for x in _pointers(program)]
    if machine.gap and len(arguments) > machine.gap:
        arguments.insert(machine.gap, "i8 %gap")
    return _definition(name, arguments, code)


def loop(program: Program, name: str, machine: Machine, prefix: str) -> str:
    """void name(n, const scalar *input, stride, ..., scalar *output, ...): n states.

    The next state of an input is `stride` bytes on: 0 where all states have the same.
    """
    code, pointers = Code(machine.lanes, fuses=machine.fuses), _pointers(program)
    taken, given = pointers[: len(program.inputs)], pointers[len(program.inputs) :]
    code.do("br label %test")
    code.label("test")
    code.do("%left = phi i32 [ %n, %entry ], [ %fewer, %state ]")
    for x in pointers:
        code.do(f"{x} = phi ptr [ {x}.first, %entry ], [ {x}.next, %state ]")
    code.do(f"br i1 {code.let('icmp eq i32 %left, 0')}, label %end, label %state")
    code.label("state")
    _state(code, program, machine, prefix)
    code.do("%fewer = sub i32 %left, 1")
    for x in taken:
        code.do(f"{x}.next = getelementptr i8, ptr {x}, i32 {x}.stride")
    for x, operand in zip(given, program.outputs, strict=True):
        code.do(f"{x}.next = getelementptr {machine.scalar}, ptr {x}, i32 {operand.count}")
    code.do("br label %test")
    code.label("end")
    code.do("ret void")
    inputs = [f"ptr {x}.first, i32 {x}.stride" for x in taken]
    return _definition(name, ["i32 %n", *inputs, *(f"ptr {x}.first" for x in given)], code)


def helpers(machine: Machine, prefix: str, programs: Sequence[Program], place: str = "") -> dict[str, str]:
    """The functions that those of the programs call, by name.

    The sine and cosine has a table, which stands at `place`, a pointer as LLVM writes it, or in its own data.
    """
    used = {op for x in programs for op, *_ in x.operations}
    made: dict[str, str] = {}
    if used & {"sin", "cos"}:
        name, words = f"{prefix}_sincos", table(machine.scalar)
        own = f"@{name}.table = internal constant [{len(words)} x i32] [{', '.join(f'i32 {x}' for x in words)}]\n"
        text = sincos(machine.lanes, machine.fuses, name, place or f"ptr @{name}.table")
        made[name] = text if place else own + text
    if "sqrt" in used and machine.soft:
        made[f"{prefix}_sqrt"] = square_root(f"{prefix}_sqrt")
    return made


def module(parts: Sequence[str], machine: Machine, prefix: str) -> str:
    """The IR of these functions, with what they call declared."""
    lanes = machine.lanes
    v, s, bits = lanes.vector, lanes.scalar, 8 * lanes.size
    text = "\n".join(parts)
    called = {f"{prefix}_sincos": f"{{{s}, {s}}}", f"{prefix}_sqrt": s}
    missing = [x for x in called if f"@{x}(" in text and f"@{x}({s} %x)" not in text]
    return _scalars("\n".join([
        *(f"declare hidden {called[x]} @{x}({s})" for x in missing),
        f"declare {v} @llvm.fma.v1f{bits}({v}, {v}, {v})",
        f"declare {v} @llvm.sqrt.v1f{bits}({v})",
        f"declare {v} @llvm.copysign.v1f{bits}({v}, {v})",
        f"declare {v} @llvm.fabs.v1f{bits}({v})",
        "declare i32 @llvm.fshl.i32(i32, i32, i32)",
        text,
    ]))  # fmt: skip


def _scalars(text: str) -> str:
    """Vectors of one lane as scalars: LLVM's back end for AVR stumbles over shifts of vectors."""
    text = re.sub(r"<(?:float|double|i\d+) ([^<>]+)>", r"\1", re.sub(r"<1 x (\w+)>", r"\1", text)).replace(".v1f", ".f")
    text = re.sub(r"insertelement (\w+) poison, \w+ (\S+), i32 0", r"bitcast \1 \2 to \1", text)
    return re.sub(r"extractelement (\w+) (\S+), i32 0", r"bitcast \1 \2 to \1", text)


def _pointers(program: Program) -> list[str]:
    return [*(f"%i{k}" for k in range(len(program.inputs))), *(f"%o{k}" for k in range(len(program.outputs)))]


def _definition(name: str, arguments: Sequence[str], code: Code) -> str:
    return f"define void @{name}({', '.join(arguments)}) nounwind {{\nentry:\n" + "\n".join(code.lines) + "\n}\n"


def _state(code: Code, program: Program, machine: Machine, prefix: str) -> None:
    """The operations of a state in order, after all loads; a result is stored as soon as it is there."""
    lanes, s, v = code.lanes, code.lanes.scalar, code.lanes.vector
    program = program.fused if code.fuses else program
    wanted: dict[int, list[tuple[int, int]]] = {}
    for output, places in enumerate(program.results):
        for k, place in enumerate(places):
            wanted.setdefault(place, []).append((output, k))
    sides = {x.name: f"%i{k}" for k, x in enumerate(program.inputs)}
    entries: dict[str, str] = {}
    for op, a, *_ in program.operations:
        if op == "input":
            name, _, k = a.rpartition(":")
            at = code.let(f"getelementptr inbounds nuw {s}, ptr {sides[name]}, i32 {k}")
            entries[a] = code.let(f"insertelement {v} poison, {s} {code.let(f'load {s}, ptr {at}')}, i32 0")
    values: dict[int, str] = {}
    turns: dict[int, tuple[str, str]] = {}
    for place, (op, a, b, c) in enumerate(program.operations):
        if op == "input":
            values[place] = entries[a]
        elif op == "constant":
            values[place] = lanes.splat(a)
        elif op in ("sin", "cos"):
            if a not in turns:
                turns[a] = _turn(code, values[a], f"{prefix}_sincos")
            values[place] = turns[a][op == "cos"]
        elif op == "sqrt" and machine.soft:
            x = code.let(f"extractelement {v} {values[a]}, i32 0")
            root = code.let(f"call {s} @{prefix}_sqrt({s} {x})")
            values[place] = code.let(f"insertelement {v} poison, {s} {root}, i32 0")
        elif op == "round":
            values[place] = _round(code, values[a])
        else:
            values[place] = code.apply(op, *(values[k] for k in (a, b, c) if k is not None))
        for output, k in wanted.get(place, ()):
            at = code.let(f"getelementptr inbounds nuw {s}, ptr %o{output}, i32 {k}")
            code.do(f"store {s} {code.let(f'extractelement {v} {values[place]}, i32 0')}, ptr {at}")


def _turn(code: Code, angle: str, turn: str) -> tuple[str, str]:
    s, v = code.lanes.scalar, code.lanes.vector
    both = code.let(f"call {{{s}, {s}}} @{turn}({s} {code.let(f'extractelement {v} {angle}, i32 0')})")
    sine, cosine = (
        code.let(f"insertelement {v} poison, {s} {code.let(f'extractvalue {{{s}, {s}}} {both}, {k}')}, i32 0")
        for k in (0, 1)
    )
    return sine, cosine


def _round(code: Code, x: str) -> str:
    """The nearest whole number, by adding 2^52 or 2^23, behind which there are no digits, and taking it away."""
    lanes, v = code.lanes, code.lanes.vector
    large = lanes.splat(2.0**52 if lanes.scalar == "double" else 2.0**23)
    size = code.let(f"call {v} @llvm.fabs.v1f{8 * lanes.size}({v} {x})")
    rounded = code.exactly("fsub", code.exactly("fadd", size, large), large)
    small = code.let(f"fcmp olt {v} {size}, {large}")
    nearest = code.let(f"call {v} @llvm.copysign.v1f{8 * lanes.size}({v} {rounded}, {v} {x})")
    return code.let(f"select <1 x i1> {small}, {v} {nearest}, {v} {x}")
