"""NVIDIA's driver on the CPU, by the signatures of its header (cuda.h): memory is here, kernels run one by one.

A module is the IR of a kernel whose blocks have one thread (`kernels_on_cpu`), instead of its PTX. As in the driver,
each thread has its own current context, and calls without one fail.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass, field
from threading import local
from types import SimpleNamespace
from typing import Any

from tests.support.kernels_on_cpu import run

OUT_OF_MEMORY, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE = 2, 3, 201, 1
CONTEXTS = 1000
"""The handle of a device's context, less its number."""
SIGNATURES: dict[str, list[Any]] = {
    "cuInit": [c_uint],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuCtxPushCurrent_v2": [c_void_p],
    "cuCtxPopCurrent_v2": [POINTER(c_void_p)],
    "cuCtxGetCurrent": [POINTER(c_void_p)],
    "cuCtxSetCurrent": [c_void_p],
    "cuModuleLoadDataEx": [POINTER(c_void_p), c_char_p, c_uint, POINTER(c_int), POINTER(c_void_p)],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, c_char_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, POINTER(c_void_p), c_void_p],
    "cuMemAlloc_v2": [POINTER(c_void_p), c_size_t],
    "cuMemFree_v2": [c_void_p],
    "cuMemcpyHtoD_v2": [c_void_p, c_void_p, c_size_t],
    "cuMemcpyDtoH_v2": [c_void_p, c_void_p, c_size_t],
    "cuStreamSynchronize": [c_void_p],
    "cuGetErrorString": [c_int, POINTER(c_char_p)],
}
FREE = {
    "cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain", "cuGetErrorString",
    *(name for name in SIGNATURES if name.startswith("cuCtx")),
}  # fmt: skip
"""Calls that need no context."""


@dataclass
class FakeDriver:
    """`library()` of a machine with some devices; `broken` are the codes of calls that fail."""

    devices: int = 1
    attributes: dict[int, int] = field(default_factory=lambda: {16: 2, 75: 9, 76: 0, 97: 227 * 1024})
    broken: dict[str, int] = field(default_factory=dict[str, int])
    memory: dict[int, Any] = field(default_factory=dict[int, Any])
    launches: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """Device, blocks and stream."""
    shared: dict[int, int] = field(default_factory=dict[int, int])
    """Bytes of shared memory that a kernel was given beyond the usual."""

    def __post_init__(self) -> None:
        self.thread, self.modules = local(), list[tuple[int, str]]()
        for name, kinds in SIGNATURES.items():
            setattr(self, name, ctypes.CFUNCTYPE(c_int, *kinds)(self._call(name)))

    @property
    def contexts(self) -> list[int]:
        """Of this thread; the last is current."""
        return self.thread.__dict__.setdefault("contexts", [])

    def _call(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            if name in self.broken:
                return self.broken[name]
            if name not in FREE and not self.contexts:
                return INVALID_CONTEXT
            return getattr(self, f"_{name.removesuffix('_v2')}")(*arguments) or 0

        return call

    def _cuInit(self, flags: int) -> int:
        return INVALID_VALUE if flags else 0

    def _cuDeviceGetCount(self, count: Any) -> None:
        count[0] = self.devices

    def _cuDeviceGet(self, handle: Any, number: int) -> None:
        handle[0] = number

    def _cuDeviceGetAttribute(self, value: Any, attribute: int, device: int) -> None:
        del device
        value[0] = self.attributes[attribute]

    def _cuDevicePrimaryCtxRetain(self, context: Any, device: int) -> None:
        context[0] = CONTEXTS + device

    def _cuCtxPushCurrent(self, context: int) -> None:
        self.contexts.append(context)

    def _cuCtxPopCurrent(self, context: Any) -> None:
        context[0] = self.contexts.pop()

    def _cuCtxGetCurrent(self, context: Any) -> None:
        context[0] = self.contexts[-1] if self.contexts else None

    def _cuCtxSetCurrent(self, context: int) -> None:
        self.contexts[-1:] = [context]

    def _cuModuleLoadDataEx(self, module: Any, image: bytes, count: int, options: Any, values: Any) -> int:
        assert (count, options[0], options[1]) == (2, 5, 6)  # a buffer for errors, its size
        if not image.startswith(b"target"):
            ctypes.memmove(values[0], b"no kernel\0", 10)
            return 218
        self.modules.append((self.contexts[-1], image.decode()))
        module[0] = len(self.modules)
        return 0

    def _cuModuleGetFunction(self, function: Any, module: int, name: bytes) -> int:
        function[0] = module
        return 0 if f"@{name.decode()}(" in self.modules[module - 1][1] else 500

    def _cuFuncSetAttribute(self, function: int, attribute: int, value: int) -> None:
        assert attribute == 8
        self.shared[function] = value

    def _cuLaunchKernel(self, function: int, *rest: Any) -> int:
        *grid, shared, stream, places, extra = rest
        context, ir = self.modules[function - 1]
        if context != self.contexts[-1] or grid[1:] != [1, 1, 1, 1, 1] or extra is not None:
            return INVALID_VALUE
        self.launches.append((context - CONTEXTS, grid[0], stream or 0))
        count = ir.partition("define ptx_kernel")[2].partition("{")[0].count("%")
        values = [ctypes.cast(places[k], POINTER(c_uint64))[0] for k in range(count)]
        run(SimpleNamespace(ir=ir, block=1, shared=shared, takes_turns=True), values, [], most=grid[0])
        return 0

    def _cuMemAlloc(self, address: Any, size: int) -> None:
        room = ctypes.create_string_buffer(size + 256)
        address[0] = -(-ctypes.addressof(room) // 256) * 256
        self.memory[address[0]] = room

    def _cuMemFree(self, address: int) -> int:
        return INVALID_VALUE if self.memory.pop(address, None) is None else 0

    def _cuMemcpyHtoD(self, target: int, source: int, size: int) -> None:
        ctypes.memmove(target, source, size)

    def _cuMemcpyDtoH(self, target: int, source: int, size: int) -> None:
        ctypes.memmove(target, source, size)

    def _cuStreamSynchronize(self, stream: int | None) -> None:
        del stream

    def _cuGetErrorString(self, code: int, text: Any) -> None:
        text[0] = b"out of order" if code == 999 else b"some error"
