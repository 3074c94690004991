"""Which arrays go to a kernel as they are, and which are copied or refused: by a CuPy of our own, whose memory is here.

Kernels run on the CPU. It has two devices, and says in which stream a kernel was launched.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dynamis
from dynamis.compute.backends.cuda import arrays, backend
from dynamis.compute.backends.cuda.backend import CudaBackend, CudaFunction
from dynamis.compute.ir.cuda.kernel import kernel
from dynamis.errors import ArgumentError
from tests.support.kernels_on_cpu import run

current = SimpleNamespace(device=0, stream=0)
"""What the library has chosen."""
launches: list[tuple[int, int, tuple[bool, ...]]] = []
"""Device, stream, and which inputs all states share."""


class Device:
    def __init__(self, number: int) -> None:
        self.id = number

    def __enter__(self) -> None:
        self.before, current.device = current.device, self.id

    def __exit__(self, *_: Any) -> None:
        current.device = self.before


class Array(np.ndarray):
    """On the device that was chosen when it was made."""

    __module__ = "cupy"

    def __array_finalize__(self, other: Any) -> None:
        self.number = getattr(other, "number", current.device)

    @property
    def device(self) -> Device:
        return Device(self.number)

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data, device_id=self.number)


def put(values: Any, device: int = 0, dtype: str = "float64") -> Array:
    with Device(device):
        return np.array(values, dtype).view(Array)


class Launcher:
    def __init__(self, code: Any, device: int, constant: tuple[bool, ...]) -> None:
        self.code, self.device, self.constant = code, device, constant

    def launch(self, arguments: list[int], stream: int) -> None:
        launches.append((self.device, stream, self.constant))
        count, *addresses = arguments
        run(self.code, [count], [SimpleNamespace(ctypes=SimpleNamespace(data=x)) for x in addresses])  # type: ignore[misc]


class FunctionHere(CudaFunction):
    def launcher(self, dtype: str, constant: tuple[bool, ...], device: int) -> Any:
        return Launcher(kernel(self.program, dtype, constant, 1), device, constant)


class BackendHere(CudaBackend):
    def __init__(self) -> None:
        """There is no driver."""

    def function(self, name: str, program: Any, owner: str) -> FunctionHere:
        return FunctionHere(name, program, owner)


ROBOT = dynamis.load("bar-2r")
ON = ROBOT.on(BackendHere())
RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library."""
    module: Any = ModuleType("cupy")
    module.ndarray, module.empty = Array, lambda shape, dtype: put(np.empty(shape), current.device, dtype)
    module.asarray = lambda x, dtype: x if isinstance(x, Array) and x.dtype == dtype else put(x, current.device, dtype)
    module.broadcast_to = lambda x, shape: np.broadcast_to(x, shape, subok=True)
    runtime = SimpleNamespace(getDeviceCount=lambda: 2)
    module.cuda = SimpleNamespace(
        get_current_stream=lambda device: SimpleNamespace(ptr=current.stream + device), Device=Device, runtime=runtime
    )
    monkeypatch.setitem(sys.modules, "cupy", module)
    launches.clear()


@contextmanager
def stream(number: int) -> Iterator[None]:
    current.stream = number
    yield
    current.stream = 0


def agrees(*given: Any, device: int = 0, dtype: str = "float64") -> None:
    """The torques of these arrays are those of the CPU, as an array of the library on this device."""
    plain = [np.array(x, np.float64) for x in given]
    result, expected = ON.inverse_dynamics(*given), ROBOT.inverse_dynamics(*plain)
    assert type(result) is Array
    assert (result.number, result.dtype, result.shape) == (device, dtype, expected.shape)
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12 if dtype == "float64" else 1e-4)


def test_arrays_as_a_kernel_takes_them() -> None:
    """Again and again by the way of the first call, in the stream and on the device of the moment."""
    for device in (0, 1, 0, 1):
        with stream(100):
            agrees(*(put(x, device) for x in RNG.uniform(-1, 1, (3, 5, 2))), device=device)
        assert launches.pop() == (device, 100 + device, (False,) * 3)
    agrees(*(put(x, dtype="float32") for x in RNG.uniform(-1, 1, (3, 5, 2))), dtype="float32")


def test_arrays_that_are_copied_first() -> None:
    q, qd, qdd = (put(x) for x in RNG.uniform(-1, 1, (3, 6, 2)))
    for view in (qd[::-1], put(RNG.uniform(-1, 1, (2, 6))).T, put(RNG.uniform(-1, 1, (6, 4)))[:, ::2]):
        agrees(q, view, qdd)
    odd = put(RNG.uniform(-1, 1, 13))[1:].reshape(6, 2)
    assert odd.ctypes.data % 16
    agrees(odd, odd, odd)
    agrees(put(q, dtype="float32"), qd, qdd)


def test_batches() -> None:
    q, qd, qdd = (put(x) for x in RNG.uniform(-1, 1, (3, 6, 2)))
    agrees(q[0], qd, qdd)
    assert launches.pop()[2] == (True, False, False)
    agrees(q[:1], qd[:1], qdd[:1])
    agrees(q[:, None], qd[:1], qdd[:4])
    agrees(q[0], qd[0], qdd[0])
    launches.clear()
    agrees(q[:0], qd[:0], qdd[0])
    assert not launches


def test_arrays_of_others_beside() -> None:
    """They are read as the engine reads them."""
    q, qd = put([[1.0, 0.5]]), np.array([[0.3, 0.4]])
    expected = ROBOT.inverse_dynamics([[1.0, 0.5]], qd)
    for other in (qd, qd.tolist(), pd.DataFrame(qd[:, ::-1], columns=["q2", "q1"])):
        np.testing.assert_allclose(ON.inverse_dynamics(q, other), expected, atol=1e-12)
    with pytest.raises(ArgumentError, match="qd has masked values"):
        ON.inverse_dynamics(q, np.ma.masked_array(qd, mask=[[True, False]]))
    elsewhere = {"gravity": (1, 2, 3)}
    np.testing.assert_allclose(ON.gravity_torque(q, **elsewhere), ROBOT.gravity_torque([[1.0, 0.5]], **elsewhere))


def test_results_in_arrays_of_the_caller() -> None:
    q, out = put(RNG.uniform(-1, 1, (4, 2))), put(np.zeros((4, 2)))
    assert ON.gravity_torque(q, out=out) is out
    np.testing.assert_allclose(out, ROBOT.gravity_torque(np.array(q)), atol=1e-12)
    with pytest.raises(ArgumentError, match=r"out must have the shape \(4, 2\), got \(3, 2\)"):
        ON.gravity_torque(q, out=put(np.zeros((3, 2))))
    with pytest.raises(ArgumentError, match=r"gravity_torque: out must be one array, got 2"):
        ON.gravity_torque(q, out=(out, out))
    out.flags.writeable = False
    for other, sentence in ((out, "out cannot be filled: assignment destination is read-only"), ([0, 0], "the shape")):
        with pytest.raises(ArgumentError, match=sentence):
            ON.gravity_torque(q, out=other)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (lambda: (put([0, 0]), put([0, 0], 1)), "q and qd are on different GPUs; put all on one"),
        (lambda: (put([0, 0], dtype="float16"),), "q is of float16; the GPU takes float32 and float64"),
        (
            lambda: (put([0, 0]), put([0, 0], dtype="complex128")),
            "qd is of complex128; the GPU takes float32 and float64",
        ),
        (lambda: (put([0, 0]), put([0, 0], dtype="int64")), "qd is of int64; the GPU takes float32 and float64"),
        (lambda: (put([0, 0, 0]),), 'q must have one value per joint, got 3 values; robot "bar-2r" has 2 joints'),
        (lambda: (put(np.zeros((3, 2))), put(np.zeros((4, 2)))), "do not fit together"),
    ],
)
def test_refused_in_one_sentence(values: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as error:
        ON.inverse_dynamics(*values())
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_what_jax_traces_is_refused() -> None:
    jax = pytest.importorskip("jax")
    with pytest.raises(ArgumentError, match=r"q is a value that JAX traces, .* ask robot\.on\(\"jax\"\)"):
        jax.jit(ON.gravity_torque)(np.zeros(2))


def test_an_array_of_jax_over_two_devices() -> None:
    jax = pytest.importorskip("jax")
    if len(jax.devices()) < 2:
        pytest.skip("JAX has one device here")
    spread = jax.sharding.NamedSharding(jax.sharding.Mesh(jax.devices()[:2], "b"), jax.P("b"))
    with pytest.raises(ArgumentError, match=r"spread over 2 devices; use robot\.on\(\"jax\"\)"):
        arrays.JaxArrays().device("q", jax.device_put(np.zeros((4, 2)), spread))


def test_tensors_that_are_not_as_kernels_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors of the CPU, taken for those of a GPU."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(arrays, "_is_on_gpu", lambda x: isinstance(x, torch.Tensor))
    q = torch.zeros(3, 2)
    kind = arrays.array_kind(["q", "qd"], [torch.nn.Parameter(q, requires_grad=False), q])
    assert (kind.device, kind.dtype) == (0, "float32")
    with pytest.raises(ArgumentError, match=r"^q is a tensor that requires gradients"):
        arrays.array_kind(["q", "qd"], [torch.nn.Parameter(q), q])
    with pytest.raises(ArgumentError, match=r"q is of the layout torch.sparse_coo; give q.to_dense\(\)"):
        ON.gravity_torque(q.to_sparse())
    for transform in (torch.func.vmap, torch.func.jacrev):
        for robot in (ON, ROBOT):
            with pytest.raises(ArgumentError, match=r"q is a tensor inside .* ask robot\.on\(\"torch\"\)"):
                transform(robot.gravity_torque)(q)


def test_tangents_are_not_lost_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    q = torch.tensor([[0.1, 0.2]], dtype=torch.float64)
    assert arrays.TorchArrays().key([q]) is not None
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(q, torch.ones_like(q))
        assert arrays.TorchArrays().key([dual]) is None
        np.testing.assert_array_equal(ROBOT.gravity_torque(q), ROBOT.gravity_torque([[0.1, 0.2]]))
        monkeypatch.setattr(arrays, "_is_on_gpu", lambda x: isinstance(x, torch.Tensor))
        for robot in (ON, ROBOT):
            with pytest.raises(ArgumentError, match=r"q carries a tangent .* ask robot\.on\(\"torch\"\)"):
                robot.gravity_torque(dual)


def test_batches_that_all_differ_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "MOST_SHAPES", 4)
    function: Any = ON.compile("gravity_torque")
    for count in range(1, 11):
        q = np.full((count, 2), 0.1)
        np.testing.assert_allclose(function(put(q)), ROBOT.gravity_torque(q), atol=1e-12)
        assert 0 < len(function._plans) <= 4
