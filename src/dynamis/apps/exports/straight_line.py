"""A program as a person would write it: named values and short expressions, for any language.

A value that is used once stands where it is used, as long as the expression stays short. Cosines and sines are named
for their joints: c1, s1, and c12 for the cosine of q1 + q2. All inputs are read before the first result is written, so
that a result may take the place of an input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand

Expression = tuple[Any, ...]
"""("constant", 2.0), ("name", "x1"), or an operation of `OPERATIONS` with its operands: ("+", a, b)."""
MAX_OPERATIONS = 6
"""Operations of an expression: about a line."""


@dataclass(frozen=True)
class Body:
    """What a function does: it reads entries of its inputs, computes values in order, and returns the results."""

    loads: tuple[tuple[str, Operand, int], ...]
    """Name of the value, and the entry of an input that it is."""
    statements: tuple[tuple[str, Expression], ...]
    results: tuple[tuple[Operand, tuple[Expression, ...]], ...]
    """The entries of every output, row by row."""
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    """What values are, for comments."""

    @property
    def operations(self) -> frozenset[str]:
        """The kinds of operations in it."""
        return frozenset(self.counts())

    def counts(self) -> Counter[str]:
        """How many operations of each kind; "-" counts as "+"."""
        every = [x for _, x in self.statements] + [x for _, entries in self.results for x in entries]
        return Counter("+" if op == "-" else op for expression in every for op in _kinds(expression))

    @property
    def live(self) -> int:
        """The most values that are needed at once."""
        last: dict[str, int] = {}
        every = [expression for _, expression in self.statements]
        end = len(every)
        for k, expression in enumerate([*every, *(x for _, entries in self.results for x in entries)]):
            last.update(dict.fromkeys(_names(expression), min(k, end)))
        born = {name: 0 for name, *_ in self.loads} | {name: k for k, (name, _) in enumerate(self.statements)}
        changes = Counter[int]()
        for name, k in last.items():
            changes[born[name]] += 1
            changes[k + 1] -= 1
        now = most = 0
        for k in sorted(changes):
            now += changes[k]
            most = max(most, now)
        return most


def straight_line(
    program: Program, named: Callable[[str], str], known: Mapping[tuple[str, int], str] | None = None
) -> Body:
    """The body of a program; `named` turns a wish for a name into one that is free in the language.

    Entries of inputs that are `known` have a name already.
    """
    known = known or {}
    uses = Counter(x for op, *places in program.operations if op not in LEAVES for x in places if x is not None)
    uses.update(x for places in program.results for x in places)
    operands = {x.name: x for x in program.inputs}
    loads: list[tuple[str, Operand, int]] = []
    statements: list[tuple[str, Expression]] = []
    values: list[Expression] = []
    sizes: list[int] = []
    angles: dict[int, str] = {}
    """The joints of a sum of positions, "12" for q1 + q2."""
    count = 0

    def name(k: int, wish: str = "") -> None:
        nonlocal count
        if not wish:
            count += 1
            wish = f"x{count}"
        statements.append((named(wish), values[k]))
        values[k], sizes[k] = ("name", statements[-1][0]), 0

    for k, (op, a, b, _) in enumerate(program.operations):
        if op == "input":
            source, place = a.split(":")
            operand = operands[source]
            local = known.get((source, int(place)))
            if local is None:
                local = named(_entry_name(operand, int(place)))
                loads.append((local, operand, int(place)))
            values.append(("name", local))
            sizes.append(0)
            if source == "q" and operand.count < 10:
                angles[k] = str(int(place) + 1)
            continue
        if op == "constant":
            values.append(("constant", a))
            sizes.append(0)
            continue
        below: list[int] = [x for x in (a, b) if x is not None]
        while sum(sizes[x] for x in below) >= MAX_OPERATIONS:
            name(max(below, key=lambda x: sizes[x]))
        values.append((op, *(values[x] for x in below)))
        sizes.append(1 + sum(sizes[x] for x in below))
        if op == "+" and a in angles and b in angles:
            angles[k] = "".join(sorted(angles[a] + angles[b]))
        if op in ("sin", "cos"):
            name(k, f"{op[0]}{angles[a]}" if a in angles else "")
        elif uses[k] > 1:
            name(k)
    results = tuple(
        (operand, tuple(values[x] for x in places))
        for operand, places in zip(program.outputs, program.results, strict=True)
    )
    order = [x.name for x in program.inputs]
    loads.sort(key=lambda load: (order.index(load[1].name), load[2]))
    return Body(tuple(loads), tuple(statements), results)


LEAVES = ("input", "constant")


def _entry_name(operand: Operand, place: int) -> str:
    """q1 for the first entry of q, and a parameter by its own name."""
    return operand.entries[place] if operand.name == "parameters" else f"{operand.name}{place + 1}"


def _names(expression: Expression) -> list[str]:
    op, *parts = expression
    if op in LEAVES:
        return []
    return parts if op == "name" else [x for part in parts for x in _names(part)]


def _kinds(expression: Expression) -> list[str]:
    op, *parts = expression
    return [] if op in ("name", "constant") else [op, *(x for part in parts for x in _kinds(part))]
