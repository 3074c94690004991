"""Fused products: the same values, in fewer operations."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import dynamis
from dynamis.compute.program.fusion import Operation, fuse_products
from dynamis.compute.program.program import FUSED

EXACT: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "neg": lambda a: -a,
    "fma": lambda a, b, c: a * b + c,
    "fms": lambda a, b, c: a * b - c,
    "fnma": lambda a, b, c: c - a * b,
}


def random_program(random: Random, length: int) -> tuple[list[Operation], tuple[tuple[int, ...], ...]]:
    """Sums and products of what stands before, mostly of what was computed last; some results are used again."""
    operations: list[Operation] = [("input", f"x:{k}", None, None) for k in range(4)]
    for _ in range(length):
        a, b = (max(0, len(operations) - 1 - int(random.expovariate(0.25))) for _ in range(2))
        op = random.choice(["+", "-", "*", "*", "neg"])
        operations.append((op, a, None if op == "neg" else b, None))
    return operations, (tuple(random.sample(range(4, len(operations)), 5)), (len(operations) - 1,))


def values(operations: Any, results: Any) -> list[Fraction]:
    """The results in exact numbers."""
    places: list[Fraction] = []
    for op, *of in operations:
        if op == "input":
            places.append(Fraction([3, -7, 11, 2][int(of[0][2:])], 5))
        else:
            places.append(EXACT[op](*(places[k] for k in of if k is not None)))
    return [places[k] for entries in results for k in entries]


@pytest.mark.parametrize("seed", range(60))
def test_fused_programs_compute_the_same(seed: int) -> None:
    operations, results = random_program(Random(seed), 30)
    after, places = fuse_products(operations, results)
    assert values(after, places) == values(operations, results)
    assert len(after) <= len(operations)
    assert all(max((k for k in of if isinstance(k, int)), default=-1) < at for at, (_, *of) in enumerate(after))


def test_sums_of_products_have_one_product_left() -> None:
    """(a b + c d) - (b c - a a) + d d: five terms, four of which are fused."""
    inputs: list[Operation] = [("input", f"x:{k}", None, None) for k in range(4)]
    operations = [
        *inputs, ("*", 0, 1, None), ("*", 2, 3, None), ("+", 4, 5, None), ("*", 1, 2, None), ("*", 0, 0, None),
        ("-", 7, 8, None), ("-", 6, 9, None), ("*", 3, 3, None), ("+", 10, 11, None),
    ]  # fmt: skip
    after, places = fuse_products(operations, ((12,),))
    assert values(after, places) == values(operations, ((12,),))
    assert sorted(op for op, *_ in after[4:]) == ["*", "fma", "fma", "fma", "fnma"]


@pytest.mark.parametrize(
    ("robot", "quantity", "most"),
    [("ur5", "inverse_dynamics", 219), ("panda", "inverse_dynamics", 395), ("panda", "forward_dynamics", 763)],
)
def test_operations_of_known_robots(robot: str, quantity: str, most: int) -> None:
    program = dynamis.load(robot).compile(quantity).program.fused
    counts = program.counts()
    assert sum(counts.values()) <= most
    assert all(counts[op] for op in FUSED)
