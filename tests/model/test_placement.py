"""Placements against products of numpy matrices."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dynamis import Placement
from dynamis.base.errors import literal
from dynamis.base.expressions.parser import parse
from dynamis.errors import ArgumentError, ExpressionError
from dynamis.model.placement import triple
from dynamis.scalars.floats import Floats
from tests.support.strategies import Chain, matrix, placement

steps = st.tuples(st.sampled_from("RT"), st.sampled_from("xyz"), st.floats(-10, 10))
chains = st.lists(steps, max_size=8).map(tuple)


def homogeneous(placement: Placement, **values: Any) -> NDArray[np.float64]:
    R, p = placement.evaluate(Floats({name: parse(value) for name, value in values.items()}))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = [list(row) for row in R], list(p)
    return T


@given(chains)
def test_a_chain_is_the_product_of_its_steps(chain: Chain) -> None:
    np.testing.assert_allclose(homogeneous(placement(chain)), matrix(chain), atol=1e-13)


@given(chains, chains)
def test_product(a: Chain, b: Chain) -> None:
    T = homogeneous(placement(a) * placement(b))
    np.testing.assert_allclose(T, matrix(a) @ matrix(b), atol=1e-12)


@given(chains)
def test_printing_reads_back(chain: Chain) -> None:
    assert Placement.parse(str(placement(chain))) == placement(chain)


@given(chains)
def test_tidying_changes_nothing(chain: Chain) -> None:
    chain = (*chain, ("R", "x", 0.0), ("T", "y", 0.0))
    tidy = placement(chain).tidy()
    assert len(tidy.steps) <= len(chain) - 2
    np.testing.assert_allclose(homogeneous(tidy), matrix(chain), atol=1e-13)


def test_positive_rotations_turn_x_to_y_to_z() -> None:
    """Right-handed: Rz(90 deg) x = y, Rx(90 deg) y = z, Ry(90 deg) z = x. And exactly."""
    x, y, z = np.eye(3)
    for text, before, after in (("Rz(pi/2)", x, y), ("Rx(pi/2)", y, z), ("Ry(pi/2)", z, x)):
        assert (homogeneous(Placement.parse(text))[:3, :3] @ before == after).all()


def test_steps_act_in_the_moved_frame() -> None:
    T = homogeneous(Placement.parse("Tz(l1) Rx(pi/2) Tz(l2)"), l1="2", l2="3")
    np.testing.assert_array_equal(T[:3, 3], [0, -3, 2])


@pytest.mark.parametrize("text", ["", "  ", "1", "*"])
def test_the_empty_chain_is_the_identity(text: str) -> None:
    assert Placement.parse(text) == Placement()
    assert str(Placement()) == "1"


@pytest.mark.parametrize("text", ["Tz(1)*Rx(2)", "Tz(1) Rx(2)", " Tz ( 1 )Rx(2) * ", "Tz(1)\nRx((2))"])
def test_ways_to_write_a_chain(text: str) -> None:
    assert str(Placement.parse(text)) == "Tz(1) Rx(2)"


@given(st.permutations("xyz"), st.tuples(*[st.floats(-3, 3)] * 3))
def test_angles(order: list[str], angles: tuple[float, float, float]) -> None:
    named = dict(zip("xyz", angles, strict=True))
    T = homogeneous(Placement.angles("".join(order), **named))
    np.testing.assert_allclose(T, matrix(tuple(("R", axis, named[axis]) for axis in order)), atol=1e-14)


def test_offset_and_of() -> None:
    assert str(Placement.offset((1, "a/2", 0))) == "Tx(1) Ty(a/2)"
    assert (
        Placement.of((1, "a/2", 0)) == Placement.of("Tx(1) Ty(a/2)") == Placement.of(Placement.parse("Tx(1) Ty(a/2)"))
    )
    assert Placement.of(np.array([0.0, 0.0, 0.5])) == Placement.parse("Tz(0.5)")
    assert Placement.parse("Tx(a) Rz(b + c)").parameters() == {"a", "b", "c"}
    assert Placement.parse("Rz(b)").rotates()
    assert not Placement.parse("Tz(b)").rotates()


STEP = "a step of a chain is Rx(...), Ry(...), Rz(...), Tx(...), Ty(...) or Tz(...)"


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("Rq(1)", 1, STEP),
        ("Rx", 1, STEP),
        ("rx(1)", 1, STEP),
        ("Rx(1) 2", 7, STEP),
        ("Rx(1);", 6, STEP),
        ("Rx(1)) Ty(2)", 6, STEP),
        ("1 Rx(1)", 1, STEP),
        ("Rx(1", 5, '")" is missing'),
        ("Rx(" * 10**4, 30001, '")" is missing'),
        ("x" * 10**6, 50001, "a chain has at most 50000 characters; this one has 1000000"),
        ("Rx(1) " * 1001, 6005, "a chain has at most 1000 steps"),
        ("Rx(a b)", 3, '"b" follows without one of + - * / before it'),
        ("Rx()", 1, 'it is empty; a value is a number or an expression such as "l1/2"'),
    ],
    ids=range(13),
)
def test_chains_that_are_none(text: str, column: int, problem: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ExpressionError) as caught:
        Placement.parse(text)
    assert time.perf_counter() - start < 1
    assert caught.value.column == column
    assert str(caught.value).endswith(f"column {column}: {problem}")


@pytest.mark.parametrize("value", [1, "abc", (1, 2), (1, 2, 3, 4), None])
def test_three_values(value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        triple(value, "com")
    assert str(caught.value) == f"com must be three values [x, y, z], got {literal(value)}"


@pytest.mark.parametrize("order", ["xy", "xyx", "abc", ""])
def test_orders_that_are_none(order: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Placement.angles(order)
    assert str(caught.value) == f'rotation order must be x, y, z in some order, such as "zyx", got "{order}"'
