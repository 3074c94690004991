"""Kernels for GPUs: LLVM accepts their PTX, and on the CPU they compute what the CPU's code does."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from mpmath import mp

import dynamis
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.ir.cuda.kernel import Kernel, block_size, kernel
from dynamis.compute.ir.cuda.ptx import ptx
from dynamis.compute.ir.cuda.repeat import repeat_kernel
from dynamis.compute.ir.cuda.sincos import two_over_pi
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.controllers import PDGravity
from dynamis.errors import ArgumentError
from dynamis.simulation.loop.programs import LoopPrograms
from dynamis.simulation.loop.setup import simulation_setup
from tests.support.functions import options, private_cache
from tests.support.kernels_on_cpu import has_gpu, run
from tests.support.strategies import Case, robots

__all__ = ["private_cache"]

TIGHT = {"float64": 1e-12, "float32": 1e-4}


def computed(code: Kernel, of: Program, arrays: list[np.ndarray], count: int) -> list[np.ndarray]:
    results = [np.full((count, *x.shape), np.nan, arrays[0].dtype) for x in of.outputs]
    run(code, [count], [*arrays, *results])
    return results


def agrees(robot: dynamis.Robot, name: str, dtype: str, constant: tuple[int, ...] = ()) -> None:
    """On random states, some of them with huge angles; inputs `constant` have one row for all states."""
    function = robot.compile(name, **options(robot, name))
    rng = np.random.default_rng(5)
    arrays = [rng.uniform(-2, 2, (7, x.count)) for x in function.program.inputs]
    arrays[0][5:] *= [[1e6], [1e15]] if dtype == "float64" else [[1], [1]]
    arrays = [x[:1] if k in constant else x for k, x in enumerate(arrays)]
    arrays = [np.ascontiguousarray(x.astype(dtype)) for x in arrays]
    same = [k in constant for k in range(len(arrays))]
    results = computed(kernel(function.program, dtype, same, 1), function.program, arrays, 7)
    expected = function(*(x.astype(np.float64) for x in arrays))
    for result, value in zip(results, expected if isinstance(expected, tuple) else (expected,), strict=True):
        scale = np.abs(value).max() or 1.0
        assert np.abs(result - value).max() <= TIGHT[dtype] * scale


REGULAR = [name for name in QUANTITIES if "operational" not in name and name != "consistent_inverse"]
"""Quantities that no pose makes singular."""


@pytest.mark.parametrize("name", REGULAR)
def test_every_quantity(name: str) -> None:
    agrees(dynamis.load("stanford"), name, "float64")


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "regressor"])
def test_in_single_precision(name: str) -> None:
    agrees(dynamis.load("stanford"), name, "float32")


@pytest.mark.parametrize("constant", [(), (1,)])
def test_blocks_that_take_turns(constant: tuple[int, ...]) -> None:
    """Three blocks for seven states; none of doubles does so, no long one, nor one that moves more than it computes."""
    robot = dynamis.load("stanford")
    of = robot.compile("forward_dynamics").program
    assert kernel(of, "float32", [False] * 3, 1).takes_turns
    assert not kernel(of, "float64", [False] * 3, 1).takes_turns
    assert not kernel(dynamis.load("panda").compile("forward_dynamics").program, "float32", [False] * 3, 1).takes_turns
    assert not kernel(of, "float32", [False] * 3, 1, copies=False).takes_turns
    assert not kernel(of, "float32", [False] * 3, 1, room=64).takes_turns
    assert not kernel(robot.compile("mass_matrix").program, "float32", [False], 1).takes_turns
    agrees(robot, "forward_dynamics", "float32", constant)


def test_the_next_inputs_are_copied_ahead() -> None:
    panda = dynamis.load("panda")
    code = kernel(panda.compile("inverse_dynamics").program, "float32", [False] * 3, 64)
    assert code.shared == 64 * 7 * 4 * (1 + 2 * 3)  # the result, and two tiles of each input
    assert ".target sm_80" in (text := ptx(code.ir, code.architecture))
    copies = -(-64 * 7 * 4 // 16 // 64)  # of 16 bytes, by 64 threads
    assert text.count("cp.async.cg.shared.global") == 2 * 3 * copies
    agrees(panda, "inverse_dynamics", "float32")


def test_threads_of_a_block() -> None:
    """A Panda's regressor has 490 entries; three blocks share the memory, if they can."""
    of, room = dynamis.load("panda").compile("regressor").program, 227 * 1024
    assert block_size(of, "float32", 64, room) == 32
    assert block_size(of, "float64", 64, room) == 16
    assert block_size(of, "float64", 64, 48 * 1024) == 64  # no 16 find room: each writes for itself
    assert block_size(dynamis.load("panda").compile("mass_matrix").program, "float64", 64, room) == 64


@given(robots(joints=(1, 5)))
@settings(max_examples=5, phases=(Phase.generate,))
def test_random_trees(case: Case) -> None:
    agrees(case.robot(), "inverse_dynamics", "float64")


def test_inputs_that_all_states_share() -> None:
    agrees(dynamis.load("bar-2r"), "inverse_dynamics", "float64", (1,))


@cache
def angles(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Angles of every size, two per state, near and far, and their sines and cosines by a kernel."""
    trace = Trace()
    x, y = trace.input("x:0"), trace.input("x:1")
    values: list[Any] = [trace.sin(x), trace.cos(x), trace.sin(y), trace.cos(y)]
    of = program([Operand("x", (2,))], [(Operand("s", (4,)), values)])
    rng = np.random.default_rng(2)
    top = 1023 if dtype == "float64" else 127
    x = rng.uniform(1, 2, (400, 2)) * 2.0 ** rng.integers(-20, top, (400, 2)) * rng.choice([-1, 1], (400, 2))
    x[:100, 0] = rng.uniform(-6, 6, 100)
    x[100:200] = np.arange(200).reshape(100, 2) * np.pi / 2
    x[200, 0] = 5.319372648326541e255 if dtype == "float64" else 1e30  # as near to a multiple of pi/2 as doubles come
    x[201:205, 0] = 0, 1e5, np.nextafter(1e5, 2e5), 1e22
    x = x.astype(dtype)
    return x, computed(kernel(of, dtype, [False], 1), of, [x], len(x))[0]


@pytest.mark.parametrize(("dtype", "ulp"), [("float64", 1.5), ("float32", 2)])
def test_sines_and_cosines_of_any_size(dtype: str, ulp: float) -> None:
    x, values = angles(dtype)
    with mp.workprec(1300):
        exact = np.array([[f(mp.mpf(float(one))) for one in row for f in (mp.sin, mp.cos)] for row in x])
        for got, want in zip(values.ravel(), exact.ravel(), strict=True):
            spacing = np.spacing(np.abs(np.dtype(dtype).type(float(want))))
            assert abs(mp.mpf(float(got)) - want) <= ulp * float(spacing)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_no_angle_is_nan_and_spoils_no_other(dtype: str) -> None:
    trace = Trace()
    of = program([Operand("x", (2,))], [(Operand("s", (2,)), [trace.sin(trace.input(f"x:{k}")) for k in (0, 1)])])
    x = np.array([[np.inf, 1], [-np.inf, 1], [np.nan, 1], [1e300 if dtype == "float64" else 1e30, 1]], dtype)
    values = computed(kernel(of, dtype, [False], 1), of, [x], 4)[0]
    assert np.isnan(values[:3, 0]).all()
    assert np.isfinite(values[3, 0])
    assert np.allclose(values[:, 1], np.sin(1), atol=1e-6)


def test_the_bits_of_two_over_pi() -> None:
    with mp.workprec(64 * len(two_over_pi()) + 64):
        digits = mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * len(two_over_pi())))
        assert int(digits) == int("".join(f"{word:016x}" for word in two_over_pi()), 16)


@pytest.mark.parametrize("shared", [True, False])
def test_a_program_that_is_repeated(shared: bool) -> None:
    """x -> (x1 + row, x0 sin x1), over rows that all states share, or that each has."""
    trace = Trace()
    a, b, r = trace.input("x:0"), trace.input("x:1"), trace.input("inputs:0")
    of = program([Operand("x", (2,)), Operand("inputs", (1,))], [(Operand("x", (2,)), [b + r, a * trace.sin(b)])])
    rng = np.random.default_rng(0)
    x, rows = rng.uniform(-1, 1, (5, 2)), rng.uniform(-1, 1, (4, 1) if shared else (5, 4, 1))
    result = np.full_like(x, np.nan)
    run(repeat_kernel(of, "float64", 1, shared), [5, 4], [x, rows, result])
    expected = backend_for("llvm").loop("test", of)(x, rows)
    assert np.allclose(result, expected, rtol=1e-14)


@pytest.mark.parametrize(("dtype", "close"), [("float64", 1e-13), ("float32", 1e-5)])
def test_steps_by_their_stages(dtype: str, close: float) -> None:
    """Runge and Kutta's loop of stages against the step as one program, with goals that change in a step."""
    robot = dynamis.load("bar-2r")
    loop = simulation_setup(robot, [0.1, 0.2], None, PDGravity(60, 20), 1.0, goal=[1.0, -0.5]).loop
    programs = LoopPrograms(loop)
    method = programs.stages("rk4")
    assert method is not None
    rng = np.random.default_rng(1)
    x, rows = rng.uniform(-1, 1, (5, loop.state.size)), rng.uniform(-1, 1, (3, method.row))
    rows[:, 0] = 1e-3
    expected = programs.step("rk4")(x, rows)
    x, rows = x.astype(dtype), rows.astype(dtype)
    result = np.full_like(x, np.nan)
    run(repeat_kernel(method, dtype, 1), [5, 3], [x, rows, result])
    assert np.allclose(result, expected, rtol=0, atol=close * np.abs(expected).max())
    assert programs.stages("symplectic") is None


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "inverse_dynamics_derivatives"])
def test_ptx(name: str, dtype: str) -> None:
    of = dynamis.load("ur5").compile(name).program
    code = kernel(of, dtype, [False] * len(of.inputs), 64)
    text = ptx(code.ir)
    parameters = re.findall(r"\.param \.(\w+)", text.partition(".entry kernel(")[2].partition(")")[0])
    assert len(parameters) == 1 + len(of.inputs) + len(of.outputs)
    assert ".extern .func" not in text  # nothing is left for a library
    assert ".maxntid 64" in text
    entries = sum(x.count for x in of.outputs if x.count >= 16)
    size = 64 * entries * np.dtype(dtype).itemsize
    assert code.shared == (size if size <= 48 * 1024 else 64 * 36 * np.dtype(dtype).itemsize)


def test_results_that_find_no_room_are_written_straight() -> None:
    of = dynamis.load("ur5").compile("mass_matrix").program
    assert kernel(of, "float64", [False], 64, room=48 * 1024).shared == 64 * 36 * 8
    assert kernel(of, "float64", [False], 64, room=1024).shared == 0


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu() -> None:
    with pytest.raises(ArgumentError, match='backend "cuda" needs an NVIDIA GPU'):
        dynamis.load("bar-2r").on("cuda")
