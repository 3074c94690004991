"""The orders in which few values are kept at once, for threads of a GPU and for machine code."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.program.fusion import LEAVES
from dynamis.compute.program.order import sparing_order, thrifty
from dynamis.compute.program.program import Program
from tests.support.large_robots import tree


def most_kept(program: Program, order: list[int]) -> int:
    """Values that are there and still wanted; inputs and constants are not counted."""
    taken = {at: () if program.operations[at][0] in LEAVES else program.operations[at][1:] for at in order}
    last = {x: k for k, at in enumerate(order) for x in taken[at]}
    there = [x for x in order if program.operations[x][0] not in LEAVES and x in last]
    first = {x: k for k, x in enumerate(order)}
    return max(sum(first[x] <= k < last[x] for x in there) for k in range(0, len(order), 5))


@pytest.mark.parametrize(
    ("quantity", "share"),
    [("inverse_dynamics", 0.8), ("forward_dynamics", 0.8), ("inverse_dynamics_derivatives", 0.65)],
)
def test_few_values_at_once(quantity: str, share: float) -> None:
    program = dynamis.load("panda").compile(quantity).program.fused
    order = sparing_order(program)
    done = set[int]()
    for at in order:
        op, *places = program.operations[at]
        assert op in LEAVES or all(x in done or program.operations[x][0] in LEAVES for x in places if x is not None)
        assert at not in done
        done.add(at)
    assert done >= {x for places in program.results for x in places}
    assert most_kept(program, order) < share * most_kept(program, [*range(len(program.operations))])


def test_results_that_are_constants() -> None:
    program = dynamis.load("genova-rp").compile("jacobian").program.fused
    assert {x for places in program.results for x in places} <= {*sparing_order(program)}


@pytest.mark.parametrize(
    ("robot", "quantity"), [("panda", "inverse_dynamics"), ("ur5", "forward_dynamics"), ("genova-rp", "jacobian")]
)
def test_the_same_program_in_a_thrifty_order(robot: str, quantity: str) -> None:
    """Bit for bit; every operation after those that it takes, none twice."""
    program = dynamis.load(robot).compile(quantity).program
    moved = thrifty(program)
    for k, (op, *places) in enumerate(moved.operations):
        assert op in LEAVES or all(x < k for x in places if x is not None)
    assert moved.counts() == program.counts()
    kept = [most_kept(x, [*range(len(x.operations))]) for x in (moved, program)]
    assert kept[0] <= kept[1]
    x = [np.random.default_rng(0).uniform(-1, 1, (5, y.count)) for y in program.inputs]
    results = (backend_for("numpy").function(quantity, y, robot)(*x) for y in (moved, program))
    np.testing.assert_array_equal(*results)


def test_branches_stay_one_after_the_other() -> None:
    """Four legs on a trunk: mixed they would keep more values than as they are traced."""
    legs = tree([-1, *(0 if k % 3 == 0 else k for k in range(12))]).compile("inverse_dynamics").program.fused
    assert thrifty(legs) is legs
    arm = dynamis.load("ur5").compile("inverse_dynamics").program.fused
    assert thrifty(arm) is not arm
