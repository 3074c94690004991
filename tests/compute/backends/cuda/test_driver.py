"""From `robot.on("cuda")` to the driver's calls and back, without a GPU: by a driver of our own, on the CPU."""

from __future__ import annotations

import gc
from functools import cache
from threading import Thread
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.cuda import backend, driver
from dynamis.compute.ir.cuda import ptx
from dynamis.compute.ir.cuda.kernel import Kernel, kernel
from dynamis.controllers import PDGravity
from dynamis.errors import ArgumentError
from tests.support.fake_driver import CONTEXTS, FakeDriver
from tests.support.functions import private_cache

__all__ = ["private_cache"]

ROBOT = dynamis.load("bar-2r")
RNG = np.random.default_rng(0)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch, private_cache: Any) -> FakeDriver:
    """One device; blocks have one thread, and the IR goes to the driver as it is."""
    del private_cache
    fake = FakeDriver()
    monkeypatch.setattr(driver, "library", lambda: fake)
    for name in ("context", "shared_memory", "most_blocks", "architecture"):
        monkeypatch.setattr(driver, name, cache(getattr(driver, name).__wrapped__))
    monkeypatch.setattr(backend, "BLOCK_THREADS", 1)
    monkeypatch.setattr(ptx, "ptx", lambda ir, cpu: ir)
    return fake


def agrees(robot: dynamis.Robot, count: int, dtype: str) -> None:
    on = robot.on(backend.CudaBackend())
    q, qd, qdd = RNG.uniform(-1, 1, (3, count, robot.n)).astype(dtype)
    tight: Any = {"rtol": 0, "atol": 1e-12 if dtype == "float64" else 1e-4}
    for _ in range(2):
        torques = on.inverse_dynamics(q, qd, qdd)
        assert torques.dtype == dtype
        np.testing.assert_allclose(torques, robot.inverse_dynamics(q, qd, qdd), **tight)
    np.testing.assert_allclose(on.mass_matrix(q), robot.mass_matrix(q), **tight)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_arrays_of_numpy_there_and_back(cuda: FakeDriver, count: int, dtype: str) -> None:
    agrees(ROBOT, count, dtype)
    assert cuda.launches == [(0, count, 0)] * (3 if count else 0)
    assert not cuda.memory


def test_what_is_copied_is_said(cuda: FakeDriver) -> None:
    del cuda
    function: Any = ROBOT.on(backend.CudaBackend()).compile("gravity_torque")
    assert "NumPy are copied to the first and back" in function._repr_html_()


def test_other_threads_have_no_context_at_first(cuda: FakeDriver) -> None:
    on, results = ROBOT.on(backend.CudaBackend()), list[Any]()
    q = [[0.1, 0.2]]
    for _ in range(2):
        thread = Thread(target=lambda: results.append(on.gravity_torque(q)))
        thread.start()
        thread.join()
    np.testing.assert_allclose(results, [ROBOT.gravity_torque(q)] * 2, atol=1e-12)


def test_rollouts(cuda: FakeDriver) -> None:
    runs = [
        dynamis.rollouts(on, [[0.1, 0.2], [0.3, -0.1]], control=PDGravity(60, 20), goal=[1.0, 0.5],
                         duration=0.05, step=1e-2)
        for on in (ROBOT.on(backend.CudaBackend()), ROBOT)
    ]  # fmt: skip
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-11)
    assert cuda.launches


def test_blocks_that_take_turns_are_no_more_than_the_device_keeps_busy(cuda: FakeDriver) -> None:
    robot = dynamis.load("stanford")
    q, qd, tau = RNG.uniform(-1, 1, (3, 200, 6)).astype("float32")
    for major, blocks in ((9, 64), (7, 200)):  # 32 per processor; an old device does not copy by itself
        cuda.attributes[75] = major
        driver.architecture.cache_clear()
        result = robot.on(backend.CudaBackend()).forward_dynamics(q, qd, tau)
        np.testing.assert_allclose(result, robot.forward_dynamics(q, qd, tau), rtol=2e-3)
        assert cuda.launches.pop() == (0, blocks, 0)


def test_a_second_device(cuda: FakeDriver) -> None:
    """A launch is in the context of its device, whichever is current, and leaves that as it was."""
    cuda.devices = 2
    code = kernel(ROBOT.compile("gravity_torque").program, "float64", [False], 1)
    launcher = driver.Launcher(code.ir.encode(), "kernel", code, 3, 1)
    q, tau = np.array([[0.1, 0.2]]), np.zeros((1, 2))
    for current in ([], [CONTEXTS], [CONTEXTS + 1]):
        cuda.contexts[:] = current
        tau[:] = 0
        launcher.launch([1, q.ctypes.data, tau.ctypes.data], 77)
        np.testing.assert_allclose(tau, ROBOT.gravity_torque(q), atol=1e-12)
        assert cuda.contexts == current
    assert cuda.launches == [(1, 1, 77)] * 3


def test_more_shared_memory_than_usual_is_asked_for(cuda: FakeDriver) -> None:
    ir = kernel(ROBOT.compile("gravity_torque").program, "float64", [False], 1).ir
    for size in (48 * 1024, 60_000):
        driver.Launcher(ir.encode(), "kernel", Kernel(ir, 1, size), 3, 0)
    assert cuda.shared == {2: 60_000}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("call", "code", "kind", "sentence"),
    [
        (
            "cuMemAlloc_v2",
            2,
            ArgumentError,
            "the GPU has no room for another 16 bytes; use smaller batches",
        ),
        ("cuLaunchKernel", 3, ArgumentError, 'forked from one that uses it; start processes by "spawn"'),
        (
            "cuCtxPushCurrent_v2",
            3,
            ArgumentError,
            'forked from one that uses it; start processes by "spawn"',
        ),
        ("cuLaunchKernel", 999, RuntimeError, "the GPU's driver cannot launch a kernel: out of order (error 999)"),
    ],
)
def test_what_fails_is_said_once(cuda: FakeDriver, call: str, code: int, kind: type[Exception], sentence: str) -> None:
    """Nothing is left on the device, and what is given back complains of nothing."""
    cuda.broken[call] = code
    with pytest.raises(kind) as error:
        ROBOT.on(backend.CudaBackend()).gravity_torque([0.1, 0.2])
    assert sentence in str(error.value)
    del error
    gc.collect()
    assert not cuda.memory


def test_a_kernel_that_does_not_compile(cuda: FakeDriver) -> None:
    with pytest.raises(RuntimeError, match=r"cannot compile a kernel \(no kernel\): some error \(error 218\)"):
        driver.Launcher(b"nonsense", "kernel", Kernel("", 1, 0), 3, 0)
    assert not cuda.contexts
