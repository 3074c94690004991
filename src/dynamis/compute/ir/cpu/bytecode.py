"""A program as bytecode: for programs that are too long for straight-line code, or run too seldom.

Registers hold one value of a block of states. Inputs stand in the first registers, constants after
them; the others are used again as soon as their value is not needed any more, so that the working
set stays in the cache. An instruction is five 32-bit numbers: operation, result, a, b, c.
"""

from __future__ import annotations

import ctypes

from dynamis.compute.program.program import FUSED, OPERATIONS, Program

CODES = (*OPERATIONS, *FUSED)
"""The operations by their numbers in an instruction."""


class Bytecode:
    """The tables that the interpreter reads; `address` is where they are, for as long as this lives."""

    def __init__(self, program: Program, fused: bool) -> None:
        code, constants, registers, outputs = _assign(program.fused if fused else program)
        self._code = (ctypes.c_int32 * max(1, len(code)))(*code)
        self._constants = (ctypes.c_double * max(1, len(constants)))(*constants)
        self._outputs = (ctypes.c_int32 * max(1, len(outputs)))(*outputs)
        shapes: list[int] = []
        for operand in (*program.inputs, *program.outputs):
            rows, columns = (*([1] * (2 - len(operand.shape))), *operand.shape)
            shapes += [len(operand.shape), rows, columns]
        self._shapes = (ctypes.c_int64 * len(shapes))(*shapes)
        table = [
            len(code) // 5, ctypes.addressof(self._code), registers, len(constants), ctypes.addressof(self._constants),
            len(program.inputs) + len(program.outputs), len(program.inputs), ctypes.addressof(self._shapes),
            ctypes.addressof(self._outputs), sum(x.count for x in program.inputs),
        ]  # fmt: skip
        self._table = (ctypes.c_int64 * len(table))(*table)
        self.registers = registers

    @property
    def address(self) -> int:
        return ctypes.addressof(self._table)


def _assign(program: Program) -> tuple[list[int], list[float], int, list[int]]:
    """Instructions, constants, the number of registers, and the registers of the outputs' entries."""
    first = dict[str, int]()
    count = 0
    for operand in program.inputs:
        first[operand.name] = count
        count += operand.count
    constants = [a for op, a, *_ in program.operations if op == "constant"]
    register: list[int] = [0] * len(program.operations)
    last = _last_uses(program)
    numbers = {op: number for number, op in enumerate(CODES)}
    free: list[int] = []
    code: list[int] = []
    place, count = count, count + len(constants)
    for k, (op, a, b, c) in enumerate(program.operations):
        if op == "input":
            name, entry = a.split(":")
            register[k] = first[name] + int(entry)
            continue
        if op == "constant":
            register[k] = place
            place += 1
            continue
        operands: set[int] = {x for x in (a, b, c) if x is not None}
        for x in operands:
            if last[x] == k and program.operations[x][0] not in ("input", "constant"):
                free.append(register[x])
        if free:
            register[k] = free.pop()
        else:
            register[k], count = count, count + 1
        code += (numbers[op], register[k], *(register[x] if x is not None else 0 for x in (a, b, c)))
    return code, constants, count, [register[x] for places in program.results for x in places]


def _last_uses(program: Program) -> dict[int, int]:
    """Where each value is used for the last time; outputs are used to the end."""
    last: dict[int, int] = {}
    for k, (op, a, b, c) in enumerate(program.operations):
        if op not in ("input", "constant"):
            for x in (a, b, c):
                if x is not None:
                    last[x] = k
    last.update((x, len(program.operations)) for places in program.results for x in places)
    return last
