"""Products that are only added, fused with the sums: a b + c in one operation and one rounding.

A sum that is used once, in another sum, is part of it: sums have many terms. All of these that are products and used
nowhere else vanish into the sum, but for one where a sum has no other terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

Operation = tuple[str, Any, Any, Any]
"""(op, a, b, c): places of earlier operations or None; for "input" a is a name, for "constant" a float."""
SUMS = ("+", "-")
LEAVES = ("input", "constant")
Results = tuple[tuple[int, ...], ...]


def fuse_products(operations: Sequence[Operation], results: Results) -> tuple[tuple[Operation, ...], Results]:
    """The operations with those of `FUSED` among them, and where the results are now."""
    absorbed = _absorbed_products(operations, results)
    after: list[Operation] = []
    place: dict[int, int] = {}
    """Where a value is now."""
    waiting: dict[int, list[tuple[int, bool]]] = {}
    """Sums of products alone, which wait for a sum to be added to: the products, and whether each is subtracted."""

    def emit(op: str, a: Any, b: Any = None, c: Any = None) -> int:
        after.append((op, a, b, c))
        return len(after) - 1

    def multiply_add(product: int, op: str, to: int) -> int:
        _, a, b, _ = operations[product]
        return emit(op, place[a], place[b], to)

    for k, (op, a, b, _) in enumerate(operations):
        if k in absorbed:
            waiting[k] = [(k, False)]
        elif op in SUMS:
            minus = op == "-"
            more = [*waiting.get(a, ()), *((x, sign != minus) for x, sign in waiting.get(b, ()))]
            if a in place and b in place:
                sum_ = emit(op, place[a], place[b])
            elif a in place or (b in place and not minus):
                sum_ = place[a if a in place else b]
            elif b in place:
                first = next(((x, sign) for x, sign in more if not sign), None)
                if first is None:
                    sum_ = emit("neg", place[b])
                else:
                    more.remove(first)
                    sum_ = multiply_add(first[0], "fms", place[b])
            else:
                waiting[k] = more
                continue
            for x, sign in more:
                sum_ = multiply_add(x, "fnma" if sign else "fma", sum_)
            place[k] = sum_
        elif op in LEAVES:
            place[k] = emit(op, a)
        else:
            place[k] = emit(op, place[a], None if b is None else place[b])
    return tuple(after), tuple(tuple(place[x] for x in places) for places in results)


def _absorbed_products(operations: Sequence[Operation], results: Results) -> set[int]:
    """The products that are terms of one sum and nothing else, but for one where a sum has no other terms."""
    uses = Counter(x for op, *places in operations if op not in LEAVES for x in places if x is not None)
    uses.update(x for places in results for x in places)
    room: Counter[int] = Counter()
    """How many of its terms a sum can take in: all but one."""
    whole: dict[int, int] = {}
    """The sum that a value, used once, is a term of."""
    absorbed: set[int] = set()
    for k in reversed(range(len(operations))):
        op, a, b, _ = operations[k]
        if op in SUMS:
            sum_ = whole.get(k, k)
            room[sum_] += 1
            whole.update((x, sum_) for x in (a, b) if uses[x] == 1)
        elif op == "*" and room[whole.get(k, -1)]:
            room[whole[k]] -= 1
            absorbed.add(k)
    return absorbed
