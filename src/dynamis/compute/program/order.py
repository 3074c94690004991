"""The operations of a program in an order in which few values are kept at once: a GPU's thread has few registers.

Inputs and constants are there whenever they are asked for; nor are results kept that nothing else takes. CPUs, which
have fewer registers still, gain by `thrifty` where programs are short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dynamis.compute.program.program import Program

LEAVES = ("input", "constant")
"""What is there whenever it is asked for, and not kept."""
Taken = list[tuple[int, ...]]
"""For every operation those whose values it takes."""


def sparing_order(program: Program) -> list[int]:
    """The places of the operations that count, each after those that it takes.

    One order has the operation next that frees the most values. The others have one result after the other, with all
    that it takes: row by row or column by column, from the first or from the last. Dynamics keep least in the first of
    them, derivatives column by column, from the last: those of a Panda 162 values instead of 294.
    """
    taken = _operand_places(program)
    entries = [
        (k % (operand.shape or (1,))[-1], place)
        for operand, places in zip(program.outputs, program.results, strict=True)
        for k, place in enumerate(places)
    ]
    rows, columns = ([place for _, place in x] for x in (entries, sorted(entries, key=lambda entry: entry[0])))
    others = [_one_after_the_other(taken, x) for x in (rows, rows[::-1], columns, columns[::-1])]
    return min([_thrifty(taken, others[0]), *others], key=lambda order: _most_kept(taken, order))


def thrifty(program: Program) -> Program:
    """The same program, whose next operation is the one that frees the most values; itself where that keeps more.

    That is so where branches, which are traced one after the other, would be mixed. Constants come first, and an input
    before the first operation that takes it.
    """
    operations, taken = program.operations, _operand_places(program)
    chosen = _one_after_the_other(taken, [place for places in program.results for place in places])
    moved = _thrifty(taken, chosen)
    if _most_kept(taken, moved) > _most_kept(taken, sorted(chosen)):
        return program
    order = dict.fromkeys(k for k, (op, *_) in enumerate(operations) if op == "constant")
    for at in moved:
        if operations[at][0] not in LEAVES:
            order |= dict.fromkeys(x for x in operations[at][1:] if x is not None and operations[x][0] in LEAVES)
        order[at] = None
    new = {old: place for place, old in enumerate(order)}
    renumbered = tuple(
        (op, *places) if op in LEAVES else (op, *(new.get(x) for x in places))
        for op, *places in (operations[k] for k in order)
    )
    return replace(program, operations=renumbered, results=tuple(tuple(new[x] for x in row) for row in program.results))


def _operand_places(program: Program) -> Taken:
    leaf = [op in LEAVES for op, *_ in program.operations]
    return [
        () if op in LEAVES else tuple(dict.fromkeys(x for x in places if x is not None and not leaf[x]))
        for op, *places in program.operations
    ]


def _most_kept(taken: Taken, order: Sequence[int]) -> int:
    """How many values are kept at once at the most."""
    last = {x: k for k, at in enumerate(order) for x in taken[at]}
    kept = most = 0
    for k, at in enumerate(order):
        kept += at in last
        most = max(most, kept)
        kept -= sum(last[x] == k for x in taken[at])
    return most


def _one_after_the_other(taken: Taken, results: Sequence[int]) -> list[int]:
    order: dict[int, None] = {}
    stack = [*reversed(results)]
    while stack:
        at = stack[-1]
        if missing := [] if at in order else [x for x in taken[at] if x not in order]:
            stack += reversed(missing)
        else:
            order[stack.pop()] = None
    return [*order]


def _thrifty(taken: Taken, chosen: Sequence[int]) -> list[int]:
    """Of the operations that can be next the one that frees the most values; of these the one that most wait for."""
    users: dict[int, set[int]] = {at: set() for at in chosen}
    for at in chosen:
        for x in taken[at]:
            users[x].add(at)
    makes = {at: bool(users[at]) for at in chosen}
    missing = {at: len(taken[at]) for at in chosen}
    after: dict[int, int] = {}
    """How many operations, one after the other, wait for each."""
    for at in reversed(chosen):
        after[at] = 1 + max((after[x] for x in users[at]), default=0)
    order: dict[int, None] = {}
    ready: list[tuple[int, int, int]] = []

    def offer(at: int) -> None:
        """Again when it frees more than before: the best offer comes first."""
        frees = sum(len(users[x]) == 1 for x in taken[at])
        heappush(ready, (makes[at] - frees, -after[at], at))

    for at in chosen:
        if not missing[at]:
            offer(at)
    while ready:
        _, _, at = heappop(ready)
        if at in order:
            continue
        order[at] = None
        for x in taken[at]:
            users[x].discard(at)
            for other in users[x] if len(users[x]) == 1 else ():
                if not missing[other]:
                    offer(other)
        for other in users[at]:
            missing[other] -= 1
            if not missing[other]:
                offer(other)
    return [*order]
