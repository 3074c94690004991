"""The compiled loop over rows is the program run again and again: to the last bit, whatever the arrays look like."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.base.arrays import Array
from dynamis.compute.backends import loop as module
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.backends.loop import Loop
from dynamis.compute.backends.tiers import STATES_PER_INSTRUCTION
from dynamis.compute.program.program import program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.controllers import PD, PDGravity
from dynamis.scalars.floats import Floats
from dynamis.simulation.loop.closed_loop import ClosedLoop, Sampling
from dynamis.simulation.loop.equations import LoopEquations
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.loop.programs import LoopPrograms
from tests.support.functions import TIERS, run, same_bits, small_function
from tests.support.strategies import Case, robots


@lru_cache
def arm() -> Loop:
    """A 2R arm with PD + gravity in steps of Runge and Kutta, as machine code."""
    robot = dynamis.load("bar-2r")
    made = LoopPrograms(ClosedLoop(robot, PDGravity([60, 30], [8, 4]).check(robot))).step("rk4")
    assert made.repeat
    return made


def rows_for(rng: np.random.Generator, *batch: int) -> Array:
    """Rows of `arm`: a step, and goals for its start, middle and end."""
    size = arm().program.inputs[1].count
    found = rng.uniform(-1, 1, (*batch, size))
    found[..., 0] = rng.uniform(1e-3, 1e-2, batch)
    return found


def states_for(rng: np.random.Generator, *batch: int) -> Array:
    return rng.uniform(-2, 2, (*batch, arm().program.inputs[0].count))


def repeated(loop: Loop, x: Array, rows: Array) -> Array:
    """The program once a row, as machine code."""
    once = loop.once.ufunc("float64")
    for k in range(rows.shape[-2]):
        x = once(x, rows[..., k, :])
    return x


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17])
def test_batches_around_the_width_of_a_vector(count: int):
    rng = np.random.default_rng(count)
    x, rows = states_for(rng, count), rows_for(rng, count, 6)
    found = arm()(x, rows)
    same_bits(found, repeated(arm(), x, rows))
    same_bits(found, np.stack([arm()(x[k], rows[k]) for k in range(count)]))


@pytest.mark.parametrize(
    ("of_x", "of_rows"),
    [
        ((), (5,)),
        ((3,), ()),
        ((3, 1), (4,)),
        ((1,), (9,)),
        ((2, 3), (2, 3)),
        ((4, 1, 1), (1, 2, 3)),
        ((0,), ()),
        ((), ()),
    ],
)
def test_leading_axes_broadcast(of_x: tuple[int, ...], of_rows: tuple[int, ...]):
    rng = np.random.default_rng(1)
    x, rows = states_for(rng, *of_x), rows_for(rng, *of_rows, 4)
    found = arm()(x, rows)
    assert found.shape[:-1] == np.broadcast_shapes(of_x, of_rows)
    same_bits(found, repeated(arm(), x, rows))


def test_one_row_again_and_again_takes_no_memory():
    rng = np.random.default_rng(2)
    x, row = states_for(rng, 5), rows_for(rng)
    many = np.broadcast_to(row, (1000, row.size))
    assert many.strides[0] == 0
    same_bits(arm()(x, many), arm()(x, many.copy()))
    each = np.broadcast_to(rows_for(rng, 5)[:, None], (5, 30, row.size))
    same_bits(arm()(x, each), arm()(x, each.copy()))


def test_no_rows_change_nothing():
    rng = np.random.default_rng(3)
    x, rows = states_for(rng, 3), rows_for(rng, 3, 0)
    same_bits(arm()(x, rows), x)
    cold = backend_for().loop("cold", arm().program)
    same_bits(cold(x, rows), x)


def test_arrays_as_they_come():
    """Transposed, reversed, every other one, Fortran's order, another byte order, not aligned, integers."""
    rng = np.random.default_rng(4)
    x, rows = states_for(rng, 6), rows_for(rng, 6, 5)
    expected = arm()(x, rows)
    unaligned = np.frombuffer(b"." + rows.tobytes(), np.uint8)[1:].view(np.float64).reshape(rows.shape)
    assert not unaligned.flags.aligned
    wide = np.zeros((6, 10, 2 * rows.shape[-1]))
    wide[:, ::2, ::2] = rows
    back = rows[:, ::-1, ::-1].copy()[:, ::-1, ::-1]
    for other in (np.asfortranarray(rows), unaligned, wide[:, ::2, ::2], back, rows.astype(">f8")):
        same_bits(arm()(x, other), expected)
    broad = np.zeros((12, 2 * x.shape[-1]))
    broad[::2, ::2] = x
    for other in (np.asfortranarray(x), broad[::2, ::2], x[::-1].copy()[::-1], x.astype(">f8")):
        same_bits(arm()(other, rows), expected)
    whole = np.ones((2, x.shape[-1]), np.int64)
    same_bits(arm()(whole, rows[:2]), arm()(whole.astype(float), rows[:2]))


def test_the_arguments_stay_as_they_are():
    rng = np.random.default_rng(5)
    x, rows = states_for(rng, 3), rows_for(rng, 3, 4)
    before = x.copy(), rows.copy()
    arm()(x, rows)
    same_bits(x, before[0])
    same_bits(rows, before[1])


@pytest.mark.parametrize("batch", [(3,), (64,), (2, 33), (1, 70)])
def test_two_threads_give_the_bits_of_one(batch: tuple[int, ...], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "OPERATIONS_PER_SPLIT", 0)
    rng = np.random.default_rng(6)
    x, rows = states_for(rng, *batch), rows_for(rng, 20)
    same_bits(arm()(x, rows, threads=2), arm()(x, rows))
    same_bits(arm()(x, rows_for(rng, *batch, 0), threads=2), x)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_stays_with_its_robot(bad: float):
    rng = np.random.default_rng(7)
    x, rows = states_for(rng, 17), rows_for(rng, 17, 9)
    good = arm()(x, rows)
    spoilt, broken = x.copy(), rows.copy()
    spoilt[5, 0] = bad
    broken[11, 3, 4] = bad
    found = arm()(spoilt, broken)
    others = [k for k in range(17) if k not in (5, 11)]
    same_bits(found[others], good[others])
    assert np.isnan(found[[5, 11]]).any(axis=-1).all()


def test_bytecode_gives_the_bits_of_machine_code():
    rng = np.random.default_rng(8)
    x, rows = states_for(rng, 5), rows_for(rng, 5, 7)
    cold = backend_for().loop("cold", arm().program)
    cold.once._compiled["float64"] = cold.once.interpreted("float64")
    found = cold(x, rows)
    assert "repeat" not in cold.__dict__
    same_bits(found, arm()(x, rows))


def test_it_becomes_machine_code_when_it_has_run_enough():
    loop = backend_for().loop("warming", arm().program)
    rng = np.random.default_rng(9)
    x, row = states_for(rng, 2), rows_for(rng)
    need = STATES_PER_INSTRUCTION * loop.once.program.length
    loop(x, np.broadcast_to(row, (3, row.size)))
    assert "repeat" not in loop.__dict__
    loop(x, np.broadcast_to(row, (need // 2 + 1, row.size)))
    assert "repeat" in loop.__dict__


CONTROLLERS = (None, "pd", "gravity")


@given(
    robots(joints=(1, 4), solid=True, friction=True, kinds=("revolute", "prismatic", "fixed")),
    st.sampled_from(sorted(FIXED)), st.sampled_from(CONTROLLERS), st.booleans(), st.integers(1, 17),
)  # fmt: skip
@settings(max_examples=25)
def test_it_is_the_loop_in_floats(case: Case, integrator: str, control: str | None, sampled: bool, count: int):
    """The whole step (sample, controller, integrator, dynamics) against the plain one in Python's floats."""
    robot = case.robot()
    n = robot.n
    if not n:
        return
    controller = {None: None, "pd": PD(3, 1), "gravity": PDGravity(3, 1)}[control]
    loop = ClosedLoop(
        robot, controller.check(robot) if controller else None, stiction_speed=0.05, limit=(4.0,) * n,
        sampling=Sampling(1e-2, (1e-3,) * n, (1e-3, 1e-3)) if sampled else None,
    )  # fmt: skip
    programs = LoopPrograms(loop)
    compiled, layout = programs.step(integrator), programs.step_layout(integrator)
    rng = np.random.default_rng(count)
    x = np.zeros((count, loop.state.size))
    x[:, : 2 * n] = rng.uniform(-1, 1, (count, 2 * n))
    rows = rng.uniform(-1, 1, (count, 3, layout.size))
    rows[..., 0] = 1e-3
    if sampled:
        rows[..., 1] = [1, 0, 1]
    found = compiled.repeat(x, rows)
    for k in (0, count - 1):
        expected = _in_floats(loop, integrator, x[k].tolist(), rows[k].tolist())
        scale = 1.0 + np.abs(expected).max()
        np.testing.assert_allclose(found[k], expected, rtol=0, atol=1e-10 * scale)


def _in_floats(loop: ClosedLoop, integrator: str, x: list[float], rows: list[list[float]]) -> list[float]:
    system = LoopEquations(loop, fast=False)
    layout = LoopPrograms(loop).step_layout(integrator)
    for row in rows:
        given = layout.split(row)
        if loop.sampling and given["now"] == [1]:
            x = system.sample(x, given["sample"])
        instants = [given[f"instant{k}"] for k in range(len(FIXED[integrator].instants))]
        x = FIXED[integrator].step(system, x, given["h"][0], instants)
    return x


ODD = [
    0.0, -0.0, 0.3, -0.3, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370497.5, -(2.0**52) + 0.5,
    2.0**53 + 2, 1e300, -1e308, 5e-324, np.inf, -np.inf, np.nan,
]  # fmt: skip


@pytest.mark.parametrize("tier", TIERS)
def test_round_is_pythons(tier: str):
    made = small_function("round", lambda trace, x: [trace.nearest(x), trace.nearest(-x)])
    for x in ODD:
        found = run(made, tier, np.array([x]))[0]
        expected = round(x) if math.isfinite(x) else x
        same_bits(found, np.array([math.copysign(expected, x), math.copysign(expected, -x)]))
        same_bits(np.array(Floats({}).nearest(x)), np.array(math.copysign(expected, x)))


@pytest.mark.parametrize("tier", TIERS)
def test_least_and_greatest_are_those_of_floats(tier: str):
    """Where the first is NaN so is the result; where both are equal it is the first, also of two zeros."""
    made = small_function("both", lambda trace, x, y: [trace.least(x, y), trace.greatest(x, y)], 2)
    x, y = (a.reshape(-1, 1) for a in np.meshgrid(ODD, ODD))
    found = run(made, tier, x, y)[0]
    expected = [
        [Floats({}).least(a, b), Floats({}).greatest(a, b)]
        for a, b in zip(x[:, 0].tolist(), y[:, 0].tolist(), strict=True)
    ]
    same_bits(found, np.array(expected))
    ordinary = ~np.isnan(x) & ~np.isnan(y)
    smallest = [min(a, b) for a, b in zip(x[ordinary], y[ordinary], strict=True)]
    np.testing.assert_array_equal(found[ordinary[:, 0], 0], smallest)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_known_bound_on_either_side(tier: str, dtype: str):
    def compute(trace: Trace, x: Any) -> list[Any]:
        f = TracedScalars(Floats({}), trace)
        return [
            f.least(x, 2.0),
            f.least(2.0, x),
            f.greatest(f.least(x, 2.0), -2.0),
            f.least(1.0, 3.0) * x,
            f.nearest(x),
        ]

    made = small_function("clip", compute)
    x = np.array([[-3.0], [-2.0], [0.5], [2.0], [7.0]], dtype)
    found = run(made, tier, x, dtype=dtype)[0]
    clipped = np.clip(x[:, 0], -2, 2)
    np.testing.assert_array_equal(
        found.T, [np.minimum(x[:, 0], 2), np.minimum(x[:, 0], 2), clipped, x[:, 0], np.rint(x[:, 0])]
    )
    assert found.dtype == dtype


def test_a_state_that_only_counts():
    """A program without dynamics: x + row, with a state and a row of one entry."""
    trace = Trace()
    x, row = trace.input("x:0"), trace.input("row:0")
    operands = Operand("x", (1,)), Operand("row", (1,))
    loop = backend_for().loop("sum", program(operands, [(operands[0], [x + row])]))
    rows = np.arange(1.0, 101.0)[:, None]
    for _ in range(2):
        np.testing.assert_array_equal(loop(np.zeros((3, 1)), rows), np.full((3, 1), 5050.0))
    assert "repeat" in loop.__dict__
