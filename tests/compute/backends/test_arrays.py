"""Arrays of every kind, shape and place in memory give what their states give one by one, on both tiers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamis
from dynamis.compute.backends.function import Function
from tests.support.functions import TIERS, as_tuple, backwards, function, on_tier, same_bits

Array = NDArray[Any]
NAMES = ("inverse_dynamics", "mass_matrix", "kinetic_energy", "reactions")
"""Results that are vectors, matrices, single numbers, and several."""
n = 6
tiers = pytest.mark.parametrize("tier", TIERS)
names = pytest.mark.parametrize("name", NAMES)


@cache
def asked(name: str, tier: str) -> Function:
    return on_tier(function(dynamis.load("puma560"), name), tier)


def arguments(name: str, *batch: int, seed: int = 0, dtype: str = "float64") -> list[Array]:
    rng = np.random.default_rng(seed)
    return [rng.uniform(-2, 2, (*batch, n)).astype(dtype) for _ in asked(name, "bytecode").inputs]


def one_by_one(name: str, *given: Array) -> list[Array]:
    """The results for arguments that broadcast, state after state as bytecode, in plain arrays."""
    f = asked(name, "bytecode")
    spread = np.broadcast_arrays(*given)
    batch = spread[0].shape[:-1]
    rows = [np.ascontiguousarray(a).reshape(-1, n) for a in spread]
    found = [as_tuple(f(*(row[k].copy() for row in rows))) for k in range(len(rows[0]))]
    outputs = zip(f.outputs, zip(*found, strict=True), strict=True)
    return [np.array(column).reshape((*batch, *x.shape)) for x, column in outputs]


def check(name: str, tier: str, given: list[Any], plain: list[Array] | None = None) -> None:
    """The call gives the states' own results; `plain` are the arguments in usual arrays."""
    for found, expected in zip(as_tuple(asked(name, tier)(*given)), one_by_one(name, *(plain or given)), strict=True):
        same_bits(found, expected)


@tiers
@names
def test_lengths_around_the_width_of_a_vector(name: str, tier: str) -> None:
    every = arguments(name, 40)
    whole = one_by_one(name, *every)
    for dtype in ("float64", "float32"):
        given = [x.astype(dtype) for x in every]
        longest = as_tuple(asked(name, tier)(*given))
        for count in range(1, 41):
            found = as_tuple(asked(name, tier)(*(x[:count] for x in given)))
            for ours, theirs, wide in zip(found, longest, whole, strict=True):
                same_bits(ours, theirs[:count])
                if dtype == "float64":
                    same_bits(ours, wide[:count])


@tiers
def test_nothing_is_written_beyond_the_end(tier: str) -> None:
    for name in NAMES:
        f = asked(name, tier)
        for count in (1, 3, 7, 8, 9, 33):
            guarded = [np.full((count + 80, *x.shape), 7.25) for x in f.outputs]
            f(*arguments(name, count), out=tuple(g[40 : 40 + count] for g in guarded))
            for g in guarded:
                assert (g[:40] == 7.25).all()
                assert (g[40 + count :] == 7.25).all()
                assert not (g[40 : 40 + count] == 7.25).any()


@tiers
@names
@pytest.mark.parametrize("batch", [(0,), (2, 0), (0, 3), (2, 0, 3)])
def test_empty_batches(name: str, tier: str, batch: tuple[int, ...]) -> None:
    f = asked(name, tier)
    for dtype in ("float64", "float32"):
        found = as_tuple(f(*arguments(name, *batch, dtype=dtype)))
        assert [x.shape for x in found] == [(*batch, *x.shape) for x in f.outputs]
        assert all(x.dtype == dtype for x in found)


@tiers
@names
def test_one_state(name: str, tier: str) -> None:
    f = asked(name, tier)
    given = arguments(name)
    check(name, tier, given)
    for found, expected in zip(as_tuple(f.quick_call(*given)), as_tuple(f(*given)), strict=True):
        same_bits(found, expected)
    assert [np.shape(x) for x in as_tuple(f(*given))] == [x.shape for x in f.outputs]


SHAPES = [
    [(), (9,), (9,)],
    [(9,), (), (1,)],
    [(5, 1), (4,), ()],
    [(5, 1), (4,), (5, 4)],
    [(1,), (1, 1), (3, 1, 2)],
    [(2, 1, 3), (4, 1), (1, 1, 1)],
]


@tiers
@pytest.mark.parametrize("batches", SHAPES, ids=str)
def test_broadcasting(tier: str, batches: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(1)
    given = [rng.uniform(-2, 2, (*batch, n)) for batch in batches]
    check("inverse_dynamics", tier, given)
    check("inverse_dynamics", tier, [x.astype(np.float32).astype(np.float64) for x in given])


VIEWS: dict[str, Callable[[Array], Array]] = {
    "Fortran order": np.asfortranarray,
    "every other state": lambda x: np.repeat(x, 2, axis=0)[::2],
    "every other value": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "values backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
    "a column of records": lambda x: np.stack([x, x + 1], axis=1)[:, 0],
    "within wider rows": lambda x: np.pad(x, ((1, 2), (3, 4)))[1:-2, 3:-4],
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
    "unaligned": lambda x: np.frombuffer(b"\0" * 3 + x.tobytes(), np.uint8)[3:].view(x.dtype).reshape(x.shape),
    "a field of a packed record": lambda x: packed(x)["x"],
    "a subclass": lambda x: np.ma.masked_array(x).view(type("Mine", (np.ndarray,), {})),
}


def packed(x: Array) -> Array:
    """Records of a byte and a state, without padding."""
    records = np.zeros(len(x), np.dtype([("flag", np.uint8), ("x", x.dtype, x.shape[1:])]))
    records["x"] = x
    return records


@tiers
@names
@pytest.mark.parametrize("view", VIEWS)
def test_places_in_memory(name: str, tier: str, view: str) -> None:
    for dtype in ("float64", "float32"):
        usual = arguments(name, 19, dtype=dtype)
        viewed = [VIEWS[view](x) for x in usual]
        for mixed in (viewed, [viewed[0], *usual[1:]]):
            for found, expected in zip(
                as_tuple(asked(name, tier)(*mixed)), as_tuple(asked(name, tier)(*usual)), strict=True
            ):
                np.testing.assert_array_equal(found, expected)
                assert found.dtype == dtype
        one = [VIEWS[view](x[:1])[0] for x in usual]
        for found, expected in zip(
            as_tuple(asked(name, tier).quick_call(*one)), as_tuple(asked(name, tier)(*usual)), strict=True
        ):
            np.testing.assert_array_equal(found, expected[0])


@tiers
def test_a_state_that_stands_still(tier: str) -> None:
    """Stride zero, over states and over values."""
    q, qd, qdd = arguments("inverse_dynamics", 19)
    check("inverse_dynamics", tier, [np.broadcast_to(q[0], (19, n)), qd, qdd])
    check("inverse_dynamics", tier, [q, np.broadcast_to(qd[:, :1], (19, n)), qdd])
    check("inverse_dynamics", tier, [q, np.broadcast_to(0.5, (19, n)), np.broadcast_to(qdd[3], (19, n))])


@tiers
@settings(max_examples=60)
@given(data=st.data())
def test_any_strides(tier: str, data: st.DataObject) -> None:
    """Axes in any order, steps of any size and sign, for the arguments and for `out`."""
    batch = tuple(data.draw(st.lists(st.integers(0, 5), max_size=3)))

    def strided(core: tuple[int, ...]) -> Array:
        shape = (*batch, *core)
        order = data.draw(st.permutations(range(len(shape))))
        steps = [data.draw(st.sampled_from([1, 1, -1, 2, -3])) for _ in shape]
        base = np.zeros([shape[k] * abs(steps[k]) for k in order])
        back = np.argsort(order)
        return base.transpose(back)[(*(slice(None, None, step) for step in steps), ...)]

    name = data.draw(st.sampled_from(NAMES))
    f = asked(name, tier)
    usual = arguments(name, *batch, seed=data.draw(st.integers(0, 99)))
    given = [strided((n,)) for _ in usual]
    for view, values in zip(given, usual, strict=True):
        view[...] = values
    out = tuple(strided(x.shape) for x in f.outputs)
    results = as_tuple(f(*given, out=out))
    for ours, place, theirs in zip(results, out, as_tuple(f(*usual)), strict=True):
        assert ours is place
        np.testing.assert_array_equal(ours, theirs)


@tiers
@pytest.mark.parametrize("kind", ["int8", "int64", "uint16", "bool", "float16", "float32", "longdouble", ">f8", ">f4"])
def test_kinds_of_numbers(tier: str, kind: str) -> None:
    """Everything but float32 is taken in double precision, without loss where there is none."""
    values = [(np.abs(x) * 3).astype(kind) for x in arguments("inverse_dynamics", 19)]
    wide = [x.astype(np.float64) for x in values]
    f = asked("inverse_dynamics", tier)
    if kind in ("float32", ">f4"):
        assert f(*values).dtype == np.float32
        same_bits(f(values[0], values[1], wide[2]), f(*wide))
        return
    same_bits(f(*values), f(*wide))
    same_bits(f(values[0], wide[1], wide[2].astype(np.float32)), f(*wide[:2], wide[2].astype(np.float32).astype(float)))
    same_bits(f.quick_call(*(x[0] for x in values)), f(*wide)[0])


@tiers
def test_lists(tier: str) -> None:
    given = arguments("inverse_dynamics", 3, 4)
    f = asked("inverse_dynamics", tier)
    same_bits(f(*(x.tolist() for x in given)), f(*given))
    same_bits(f(*(tuple(x[0, 0].tolist()) for x in given)), f(*given)[0, 0])
    same_bits(f([0, 1, 0, 1, 0, 1], given[1], given[2]), f(np.array([0, 1.0, 0, 1, 0, 1]), given[1], given[2]))


@tiers
@names
def test_nothing_but_nan_comes_of_nan(name: str, tier: str) -> None:
    """In the states that have it, without a warning; the other states are as they were."""
    f = asked(name, tier)
    for bad in (np.nan, np.inf, -np.inf):
        given = arguments(name, 21)
        expected = as_tuple(f(*given))
        given[0][5, 1] = bad
        with np.errstate(all="raise"):
            found = as_tuple(f(*given))
        for ours, theirs in zip(found, expected, strict=True):
            others = np.arange(21) != 5
            same_bits(ours[others], theirs[others])
            assert np.isnan(ours[5]).any()
            changed = ours[5] != theirs[5]
            assert (np.isnan(ours[5]) | ~changed).all()


@tiers
def test_flags_of_the_processor_are_left_alone(tier: str) -> None:
    """NumPy still warns of what it does itself, before and after."""
    f = asked("inverse_dynamics", tier)
    f(*(np.full((3, n), np.nan) for _ in range(3)))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.ones(3) / np.zeros(3)
    with np.errstate(all="raise"):
        f(*(np.full((3, n), 1e200) for _ in range(3)))


@pytest.mark.parametrize("count", range(1, 21))
def test_rows_of_any_length(count: int) -> None:
    """Entries come in and go out in their places, however many there are."""
    f = backwards(count)
    for dtype in ("float64", "float32"):
        x = np.arange(37.0 * count, dtype=dtype).reshape(37, count)
        for tier in TIERS:
            on_tier(f, tier)
            np.testing.assert_array_equal(f(x), x[:, ::-1])
            np.testing.assert_array_equal(f(x[:5]), x[:5, ::-1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e6, -1e300])
def test_a_state_does_not_change_with_its_neighbours(bad: float) -> None:
    f = dynamis.load("ur5").compile("inverse_dynamics")
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 40, 6))
    usual = f(q, qd, qdd)
    q[17, 2] = bad
    others = np.arange(40) != 17
    np.testing.assert_array_equal(f(q, qd, qdd)[others], usual[others])
