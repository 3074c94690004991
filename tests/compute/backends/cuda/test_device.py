"""On a GPU: every quantity, the arrays of CuPy, PyTorch and JAX, streams, rollouts. Without a GPU all are skipped."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.controllers import PDGravity
from dynamis.errors import ArgumentError
from tests.support.functions import options
from tests.support.kernels_on_cpu import has_gpu
from tests.support.strategies import Case, robots

pytestmark = pytest.mark.skipif(not has_gpu(), reason="there is no GPU")
REGULAR = [name for name in QUANTITIES if "operational" not in name and name != "consistent_inverse"]
"""Quantities that no pose makes singular."""
TIGHT = {"float64": 1e-11, "float32": 5e-4}
LIBRARIES = [name for name in ("cupy", "torch", "jax") if find_spec(name)]


@cache
def module(library: str) -> Any:
    found = import_module(library)
    if library == "jax":
        found.config.update("jax_enable_x64", True)
    return found


def there(library: str, x: np.ndarray) -> Any:
    """An array on the device."""
    found = module(library)
    if library == "torch":
        return found.as_tensor(x, device="cuda")
    return found.asarray(x) if library == "cupy" else found.device_put(x)


def back(x: Any) -> np.ndarray:
    return x.get() if hasattr(x, "get") else x.cpu().numpy() if hasattr(x, "cpu") else np.asarray(x)


def close(result: Any, expected: np.ndarray, dtype: str = "float64") -> None:
    got = back(result)
    assert got.shape == expected.shape
    assert got.dtype == dtype
    assert np.abs(got - expected).max(initial=0) <= TIGHT[dtype] * max(np.abs(expected).max(initial=0), 1e-6)


def states(count: int, n: int, seed: int = 0) -> list[np.ndarray]:
    return list(np.random.default_rng(seed).uniform(-2, 2, (3, count, n)))


def agrees(robot: dynamis.Robot, name: str, dtype: str, count: int = 777) -> None:
    """Some angles are huge; the last block is not full."""
    chosen = options(robot, name)
    function = robot.compile(name, **chosen)
    arrays = [np.random.default_rng(5).uniform(-2, 2, (count, x.count)) for x in function.program.inputs]
    arrays[0][5:7] *= 1e15 if dtype == "float64" else 1
    arrays = [x.astype(dtype) for x in arrays]
    results = robot.on("cuda").compile(name, **chosen)(*(there("cupy", x) for x in arrays))
    expected = function(*(x.astype(np.float64) for x in arrays))
    pairs = zip(*(x if isinstance(x, tuple) else (x,) for x in (results, expected)), strict=True)
    for result, value in pairs:
        close(result, value, dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", REGULAR)
def test_every_quantity(name: str, dtype: str) -> None:
    agrees(dynamis.load("puma560"), name, dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("count", [1, 63, 64, 65, 400_001])
def test_batches_of_any_size(count: int, dtype: str) -> None:
    """A Panda's inverse dynamics in floats takes turns; both write odd rows through shared memory."""
    agrees(dynamis.load("panda"), "forward_dynamics", dtype, count)
    agrees(dynamis.load("panda"), "inverse_dynamics", dtype, count)


@given(robots(joints=(1, 5)))
@settings(max_examples=10, deadline=None)
def test_random_trees(case: Case) -> None:
    agrees(case.robot(), "inverse_dynamics", "float64")


@pytest.mark.parametrize("library", ["numpy", *LIBRARIES])
def test_arrays_of_every_library(library: str) -> None:
    robot = dynamis.load("ur5")
    q, qd, qdd = states(100, 6)
    put: Any = (lambda x: x) if library == "numpy" else lambda x: there(library, x)
    result = robot.on("cuda").inverse_dynamics(put(q), put(qd), put(qdd))
    assert type(result) is type(put(q))
    close(result, robot.inverse_dynamics(q, qd, qdd))
    close(robot.on("cuda").mass_matrix(put(q[:1])), robot.mass_matrix(q[:1]))
    close(robot.on("cuda").mass_matrix(put(q[0])), robot.mass_matrix(q[0]))
    assert robot.on("cuda").mass_matrix(put(q[:0])).shape == (0, 6, 6)
    close(robot.on("cuda").inverse_dynamics(put(q[:, None]), put(qd[0]), put(qdd[:7])),
          robot.inverse_dynamics(q[:, None], qd[0], qdd[:7]))  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
def test_arrays_that_are_not_as_kernels_want_them(library: str) -> None:
    robot = dynamis.load("ur5")
    q = states(100, 6)[0]
    device = there(library, q)
    close(robot.on("cuda").mass_matrix(device[::3]), robot.mass_matrix(q[::3]))
    close(robot.on("cuda").mass_matrix(device.reshape(-1)[1:595].reshape(99, 6)),
          robot.mass_matrix(q.ravel()[1:595].reshape(99, 6)))  # fmt: skip
    with pytest.raises(ArgumentError, match="float16"):
        robot.on("cuda").mass_matrix(there(library, q.astype(np.float16)))


@pytest.mark.parametrize("library", [x for x in LIBRARIES if x != "jax"])
def test_a_stream_of_the_caller(library: str) -> None:
    robot = dynamis.load("ur5")
    q = states(20_000, 6)[0]
    for _ in range(5):
        stream: Any = (
            module("cupy").cuda.Stream(non_blocking=True) if library == "cupy" else module("torch").cuda.Stream()
        )
        with stream if library == "cupy" else module("torch").cuda.stream(stream):
            device = there(library, q) + 0.0
            for _ in range(50):
                device = device * 1.0
            result = robot.on("cuda").mass_matrix(device)
            stream.synchronize()
        close(result, robot.mass_matrix(q))


@pytest.mark.parametrize("library", [x for x in LIBRARIES if x != "jax"])
def test_nothing_is_copied(library: str) -> None:
    """But for the result no memory is taken."""
    on, q = dynamis.load("ur5").on("cuda"), there(library, states(100_000, 6)[0])
    found = module(library)
    used: Any = found.get_default_memory_pool().used_bytes if library == "cupy" else found.cuda.memory_allocated
    on.mass_matrix(q)
    before = used()
    result = on.mass_matrix(q)
    assert used() - before < 100_000 * 36 * 8 + 2**21  # PyTorch takes memory in pieces of 2 MiB; q has 4.8 MB
    close(result, back(on.mass_matrix(q)))


def test_results_of_jax_are_their_own() -> None:
    jax = pytest.importorskip("jax")
    on, q = dynamis.load("ur5").on("cuda"), states(50, 6)[0]
    first, second = (on.mass_matrix(jax.device_put(x)) for x in (q, -2 * q))
    close(first, dynamis.load("ur5").mass_matrix(q))
    close(second, dynamis.load("ur5").mass_matrix(-2 * q))


def test_parameters_loads_and_gravity() -> None:
    robot = dynamis.load("bar-2r")
    q, qd, qdd = states(50, 2)
    masses = np.linspace(1, 2, 50)[:, None]
    on = robot.on("cuda")
    arrays = [there("cupy", x) for x in (q, qd, qdd)]
    close(on.compile("inverse_dynamics", parameters=["m2"])(*arrays, there("cupy", masses)),
          robot.compile("inverse_dynamics", parameters=["m2"])(q, qd, qdd, masses))  # fmt: skip
    load = dynamis.Force(robot.links[-1].name, (1.0, 2.0, 3.0))
    close(on.inverse_dynamics(*arrays, loads=[load]), robot.inverse_dynamics(q, qd, qdd, loads=[load]))
    close(on.gravity_torque(arrays[0], gravity=(1, 2, 3)), robot.gravity_torque(q, gravity=(1, 2, 3)))


@pytest.mark.parametrize(("dtype", "tight"), [("float64", 1e-11), ("float32", 1e-4)])
@pytest.mark.parametrize("each", [False, True])
def test_rollouts(each: bool, dtype: str, tight: float) -> None:
    """To one goal, or each robot to its own."""
    robot = dynamis.load("bar-2r")
    starts = np.random.default_rng(1).uniform(-1, 1, (100, 2)).astype(dtype)
    goal = starts[::-1].astype(np.float64) if each else [1.0, 0.5]
    control = PDGravity(60, 20)
    runs = [
        dynamis.rollouts(on, starts, control=control, goal=goal, duration=0.5, step=1e-3)
        for on in (robot.on("cuda"), robot)
    ]
    assert runs[0].q.dtype == dtype
    assert not runs[0].failed.any()
    assert np.abs(runs[0].q - runs[1].q).max() < tight
    assert np.abs(runs[1].q - starts).max() > 0.1
