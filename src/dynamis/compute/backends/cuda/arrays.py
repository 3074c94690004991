"""Arrays on a GPU, of CuPy, PyTorch and JAX: where they lie, and how one more like them is made.

Each library keeps its own memory, streams and devices; a kernel runs in the order of the library's current stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from dynamis.base.arrays import check_computed, is_traced
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.cuda import driver

MOST_SHAPES = 256
"""Shapes of batches that are remembered: a program whose batches all differ must not fill the memory with them."""


class Arrays(Protocol):
    """A library of arrays on GPUs."""

    def key(self, arrays: Sequence[Any]) -> Any:
        """What two calls have in common that a kernel can treat alike; None for arrays that it cannot take as they are.

        All are of this library and begin at a multiple of 16 bytes.
        """
        ...

    def device(self, name: str, array: Any) -> int:
        """The number of its device; an error for an array that has not all of its values there."""
        ...

    def adopted(self, array: Any, dtype: str, device: int) -> Any:
        """The same values as an array of this library, of this type, on this device."""
        ...

    def contiguous(self, array: Any, shape: tuple[int, ...]) -> Any:
        """Broadcast to a shape, row by row in memory."""
        ...

    def address(self, array: Any) -> int: ...

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any: ...

    def stream(self, device: int) -> int:
        """The stream that the library works in."""
        ...

    def finish(self, stream: int, device: int) -> None:
        """What the library needs before others may read what was launched."""


class CupyArrays:
    """CuPy's."""

    def __init__(self) -> None:
        self.cupy: Any = import_module("cupy")
        self._kind, self._current = self.cupy.ndarray, self.cupy.cuda.get_current_stream
        self._empty, self._alone = self.cupy.empty, self.cupy.cuda.runtime.getDeviceCount() == 1

    def key(self, arrays: Sequence[Any]) -> Any:
        key: list[Any] = []
        for x in arrays:
            if x.__class__ is not self._kind or x.data.ptr & 15:
                return None
            key += x.shape, x.strides, x.dtype, self._alone or x.data.device_id  # `flags` takes longer than strides
        return tuple(key)

    def device(self, name: str, array: Any) -> int:
        del name
        return array.device.id

    def adopted(self, array: Any, dtype: str, device: int) -> Any:
        with self.cupy.cuda.Device(device):
            return self.cupy.asarray(array, dtype)

    def contiguous(self, array: Any, shape: tuple[int, ...]) -> Any:
        if array.shape == shape and array.flags.c_contiguous and array.data.ptr % 16 == 0:
            return array
        with array.device:
            return self.cupy.broadcast_to(array, shape).copy()

    def address(self, array: Any) -> int:
        return array.data.ptr

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        if self._alone:
            return self._empty(shape, dtype)
        with self.cupy.cuda.Device(device):
            return self._empty(shape, dtype)

    def stream(self, device: int) -> int:
        return self._current(device).ptr

    def finish(self, stream: int, device: int) -> None:
        del stream, device


class TorchArrays:
    """PyTorch's tensors."""

    def __init__(self) -> None:
        self.torch: Any = import_module("torch")
        self._kinds = {"float32": self.torch.float32, "float64": self.torch.float64}
        # A twentieth of the time of torch.cuda.current_stream; PyTorch without CUDA has none.
        self._current = getattr(self.torch._C, "_cuda_getCurrentRawStream", None)

    def key(self, arrays: Sequence[Any]) -> Any:
        key: list[Any] = []
        if self.torch.autograd.forward_ad._current_level >= 0:  # any may carry a tangent
            return None
        try:
            for x in arrays:
                ready = x.__class__ is self.torch.Tensor and x.is_contiguous() and not x.data_ptr() & 15
                if not ready or x.requires_grad or x.is_neg():
                    return None
                key += x.shape, x.dtype, x.get_device()
        except RuntimeError:  # one without memory: sparse, or inside vmap
            return None
        return tuple(key)

    def device(self, name: str, array: Any) -> int:
        if array.layout is not self.torch.strided:
            raise ArgumentError(f"{name} is of the layout {array.layout}; give {name}.to_dense()", key=name)
        return array.device.index or 0

    def adopted(self, array: Any, dtype: str, device: int) -> Any:
        if not isinstance(array, self.torch.Tensor):
            array = np.array(array, dtype)  # PyTorch warns of arrays that cannot be written
        return self.torch.as_tensor(array, dtype=self._kinds[dtype], device=f"cuda:{device}").resolve_neg()

    def contiguous(self, array: Any, shape: tuple[int, ...]) -> Any:
        if tuple(array.shape) == shape and array.is_contiguous() and array.data_ptr() % 16 == 0:
            return array
        return array.broadcast_to(shape).contiguous().clone()

    def address(self, array: Any) -> int:
        return array.data_ptr()

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        return self.torch.empty(shape, dtype=self._kinds[dtype], device=device)

    def stream(self, device: int) -> int:
        assert self._current is not None
        return self._current(device)

    def finish(self, stream: int, device: int) -> None:
        del stream, device


class JaxArrays:
    """JAX's, which has no streams of the caller's: what is launched is waited for."""

    def __init__(self) -> None:
        self.jax: Any = import_module("jax")
        self._makers: dict[Any, Any] = {}

    def key(self, arrays: Sequence[Any]) -> Any:
        key: list[Any] = []
        for x in arrays:
            if not isinstance(x, self.jax.Array) or isinstance(x, self.jax.core.Tracer):
                return None
            key += x.shape, x.dtype, *x.devices()
        return tuple(key)

    def device(self, name: str, array: Any) -> int:
        places = array.devices()
        if len(places) > 1:
            raise ArgumentError(
                f'{name} is spread over {len(places)} devices; use robot.on("jax"), in jax.shard_map', key=name
            )
        return next(iter(places)).local_hardware_id

    def adopted(self, array: Any, dtype: str, device: int) -> Any:
        place = self._place(device)
        if isinstance(array, self.jax.Array) and array.dtype == dtype and array.devices() == {place}:
            return array
        return self.jax.device_put(self.jax.numpy.asarray(array, dtype), place)

    def contiguous(self, array: Any, shape: tuple[int, ...]) -> Any:
        return array if array.shape == shape else self.jax.numpy.broadcast_to(array, shape) + 0

    def address(self, array: Any) -> int:
        return array.block_until_ready().unsafe_buffer_pointer()

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        key = shape, dtype, device
        maker = self._makers.get(key)
        if maker is None:
            if len(self._makers) >= MOST_SHAPES:
                self._makers.clear()
            where = self.jax.sharding.SingleDeviceSharding(self._place(device))
            # Compiled: a third of the time of jax.numpy.empty.
            maker = self.jax.jit(lambda: self.jax.numpy.empty(shape, dtype), out_shardings=where)
            self._makers[key] = maker
        return maker()

    def stream(self, device: int) -> int:
        del device
        return 0

    def finish(self, stream: int, device: int) -> None:
        driver.wait(stream, device)

    def _place(self, device: int) -> Any:
        return next(place for place in self.jax.devices("gpu") if place.local_hardware_id == device)


LIBRARIES: dict[str, type[Arrays]] = {
    "cupy": CupyArrays, "torch": TorchArrays, "jaxlib": JaxArrays, "jax": JaxArrays
}  # fmt: skip


@cache
def library_of(kind: type) -> Arrays | None:
    """The library of a type of arrays."""
    maker = LIBRARIES.get(_library(kind))
    return None if maker is None else maker()


@dataclass(frozen=True)
class ArrayKind:
    """The arrays of a call: their library, their device and their type."""

    arrays: Arrays
    device: int
    dtype: str


def on_device(arrays: Sequence[Any]) -> list[Any]:
    """Those that lie on a GPU."""
    return [x for x in arrays if _library(x.__class__) and _is_on_gpu(x)]


def array_kind(names: Sequence[str], arrays: Sequence[Any]) -> ArrayKind:
    """The library, the device and the type of all arrays that lie on a GPU; those of NumPy follow them."""
    there: list[tuple[str, Any]] = [(name, x) for name, x in zip(names, arrays, strict=False) if on_device([x])]
    first, leader = there[0]
    kinds = {LIBRARIES[_library(x.__class__)]: name for name, x in reversed(there)}
    if len(kinds) > 1:
        raise ArgumentError(
            f"{' and '.join(reversed(kinds.values()))} come from different array libraries; use one for all", key=first
        )
    library = library_of(leader.__class__)
    assert library is not None
    for name, x in there:
        check_computed(name, x)
    devices = {library.device(name, x): name for name, x in there}
    if len(devices) > 1:
        raise ArgumentError(f"{' and '.join(devices.values())} are on different GPUs; put all on one", key=first)
    types = {str(x.dtype).removeprefix("torch."): name for name, x in reversed(there)}
    if others := [kind for kind in types if kind not in ("float32", "float64")]:
        raise ArgumentError(
            f"{types[others[0]]} is of {others[0]}; the GPU takes float32 and float64", key=types[others[0]]
        )
    return ArrayKind(library, next(iter(devices)), "float32" if [*types] == ["float32"] else "float64")


@cache
def _library(kind: type) -> str:
    """The library of a type, or of the first that it is based on: a Parameter is a tensor. Empty if there is none."""
    names = (base.__module__.partition(".")[0] for base in kind.__mro__)
    return next((name for name in names if name in LIBRARIES), "")


def _is_on_gpu(array: Any) -> bool:
    library = _library(array.__class__)
    if library == "cupy":
        return True
    if library == "torch":
        return array.device.type == "cuda"
    if is_traced(array):  # what JAX traces is nowhere
        return False
    places = getattr(array, "devices", None)
    return places is not None and any(place.platform == "gpu" for place in places())
