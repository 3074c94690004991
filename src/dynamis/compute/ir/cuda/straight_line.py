"""The operations of a program in the IR of a thread, sines and cosines in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dynamis.compute.ir.cuda.sincos import sincos
from dynamis.compute.ir.lanes import Code
from dynamis.compute.program.program import Program


def straight_line(
    code: Code,
    program: Program,
    entry: Callable[[str], str],
    store: Callable[[int, int, str], None],
    order: Iterable[int],
) -> None:
    """The operations in this order; a result is stored as soon as it is there. `entry` gives an input by its name."""
    wanted: dict[int, list[tuple[int, int]]] = {}
    for output, places in enumerate(program.results):
        for k, place in enumerate(places):
            wanted.setdefault(place, []).append((output, k))
    values: dict[int, str] = {}
    turns: dict[int, list[str]] = {}
    operations, depths = program.operations, _depths(program)
    angles: dict[int, None] = dict.fromkeys(a for op, a, *_ in operations if op in ("sin", "cos"))

    def emit(place: int) -> None:
        """An operation, after those that it takes."""
        stack = [place]
        while stack:
            at = stack[-1]
            op, a, b, c = operations[at]
            below = [] if op in ("input", "constant") else [k for k in (a, b, c) if k is not None and k not in values]
            if at in values or below:
                stack = stack[:-1] if at in values else [*stack, *below]
                continue
            stack.pop()
            if op == "input":
                values[at] = entry(a)
            elif op == "constant":
                values[at] = code.lanes.splat(a)
            elif op in ("sin", "cos"):
                if a not in turns:
                    turn(depths[int(a)])
                values[at] = turns[a][op == "cos"]
            elif op == "/" and code.lanes.scalar == "float":
                values[at] = _quotient(code, values[a], values[b])
            else:
                values[at] = code.apply(op, *(values[k] for k in (a, b, c) if k is not None))
            for output, k in wanted.get(at, ()):
                store(output, k, values[at])

    def turn(depth: int) -> None:
        """All angles that wait for as many sines as this one, in one group: one branch for all."""
        group = [a for a in angles if depths[a] == depth]
        for a in group:
            emit(a)
        for a, both in zip(group, sincos(code, [values[k] for k in group], len(turns)), strict=True):
            turns[a] = both

    for place in order:
        emit(place)


def _quotient(code: Code, a: str, b: str) -> str:
    """a / b of floats by the device's reciprocal and one correction; NaN for b = 0."""
    v = code.lanes.vector
    scalar = code.let(f"extractelement {v} {b}, i32 0")
    reciprocal = code.let(f"call float @llvm.nvvm.rcp.approx.ftz.f(float {scalar})")
    y = code.let(f"insertelement {v} poison, float {reciprocal}, i32 0")
    first = code.apply("*", a, y)
    return code.fused("fma", code.fused("fnma", b, first, a), y, first)


def _depths(program: Program) -> list[int]:
    """How many sines and cosines, one after the other, every value waits for."""
    depths: list[int] = []
    for op, *places in program.operations:
        below: list[int] = [] if op in ("input", "constant") else [depths[k] for k in places if k is not None]
        depths.append(max(below, default=0) + (op in ("sin", "cos")))
    return depths
