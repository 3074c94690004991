"""The driver of NVIDIA's GPUs through ctypes: modules, launches, memory. No other library of CUDA is needed.

All calls run in the primary context of a device, which CuPy, PyTorch and JAX use as well.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from struct import Struct
from threading import local
from typing import TYPE_CHECKING, Any

from dynamis.base.errors import ArgumentError

if TYPE_CHECKING:
    from dynamis.compute.ir.cuda.kernel import Kernel

DYNAMIC_SHARED, PROCESSOR_COUNT, COMPUTE_MAJOR, COMPUTE_MINOR, MOST_SHARED = 8, 16, 75, 76, 97
MOST_BLOCKS = 2**31 - 1
"""That a launch may have."""
PLAIN_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may have without asking for more."""
NOT_INITIALIZED, OUT_OF_MEMORY = 3, 2
"""Errors; the first is what a forked process sees of a driver that its parent has started."""
_LOG_BYTES = 8192


@cache
def library() -> Any:
    """The driver's library, started; an error that says what is missing where there is none, or no device."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        cuda = ctypes.CDLL(name)
    except OSError:
        raise ArgumentError(
            f'backend "cuda" needs an NVIDIA GPU and its driver; {name} was not found', key="backend"
        ) from None
    if cuda.cuInit(0) or not _count(cuda):
        raise ArgumentError(
            'backend "cuda" needs an NVIDIA GPU; the driver is installed but finds no device', key="backend"
        )
    return cuda


def _count(cuda: Any) -> int:
    count = c_int()
    return 0 if cuda.cuDeviceGetCount(byref(count)) else count.value


def check(code: int, what: str) -> None:
    """That the driver did what it was asked for."""
    if code == NOT_INITIALIZED:
        raise ArgumentError(
            'the GPU cannot be used in a process that was forked from one that uses it; start processes by "spawn"',
            key="backend",
        )
    if code:
        text = c_char_p()
        library().cuGetErrorString(code, byref(text))
        words = (text.value or b"unknown error").decode()
        raise RuntimeError(f"the GPU's driver cannot {what}: {words} (error {code})")


@cache
def context(device: int) -> c_void_p:
    """The primary context of a device, which stays as long as the process does."""
    handle, found = c_int(), c_void_p()
    check(library().cuDeviceGet(byref(handle), device), f"find device {device}")
    check(library().cuDevicePrimaryCtxRetain(byref(found), handle), f"use device {device}")
    return found


@contextmanager
def on(device: int) -> Generator[None]:
    """Calls inside are about this device."""
    check(library().cuCtxPushCurrent_v2(context(device)), f"use device {device}")
    try:
        yield
    finally:
        library().cuCtxPopCurrent_v2(byref(c_void_p()))


@cache
def shared_memory(device: int) -> int:
    """Bytes of shared memory that a block may have at most."""
    return _attribute(device, MOST_SHARED)


@cache
def most_blocks(device: int) -> int:
    """How many blocks that take turns are started: more than run at once, so that none waits for the slowest."""
    return 32 * _attribute(device, PROCESSOR_COUNT)


def _attribute(device: int, attribute: int) -> int:
    handle, value = c_int(), c_int()
    check(library().cuDeviceGet(byref(handle), device), f"find device {device}")
    check(library().cuDeviceGetAttribute(byref(value), attribute, handle), "describe itself")
    return value.value


@cache
def architecture(device: int) -> str:
    """Such as "sm_90"."""
    return f"sm_{_attribute(device, COMPUTE_MAJOR)}{_attribute(device, COMPUTE_MINOR)}"


def _load_module(ptx: bytes) -> c_void_p:
    """The module of PTX, whose machine code the driver keeps in a cache of its own.

    Its linker would give the machine code away, but compiles so that other code could be linked to it: a Panda's
    derivatives in floats take 251 registers instead of 128 then, and half as long again.
    """
    module, log = c_void_p(), ctypes.create_string_buffer(_LOG_BYTES)
    options, values = (
        (c_int * 2)(5, 6),
        (c_void_p * 2)(ctypes.cast(log, c_void_p), _LOG_BYTES),
    )  # a log of errors, its size
    code = library().cuModuleLoadDataEx(byref(module), ptx, 2, options, values)
    check(code, f"compile a kernel ({log.value.decode(errors='replace').strip()[:300]})")
    return module


class Launcher:
    """A kernel on one device: `launch(arguments, stream)`."""

    def __init__(self, ptx: bytes, name: str, kernel: Kernel, count: int, device: int) -> None:
        """`count` arguments of 64 bits each: numbers, the first of them that of the states, and addresses."""
        self.device, self.block, self._shared, self._count = device, kernel.block, kernel.shared, count
        self._most = most_blocks(device) if kernel.takes_turns else MOST_BLOCKS
        self._kernel, cuda = c_void_p(), library()
        with on(device):
            self._module = _load_module(ptx)
            check(cuda.cuModuleGetFunction(byref(self._kernel), self._module, name.encode()), "find a kernel")
            if kernel.shared > PLAIN_SHARED:
                check(
                    cuda.cuFuncSetAttribute(self._kernel, DYNAMIC_SHARED, kernel.shared),
                    "give a kernel its shared memory",
                )
        self._launch, self._current = cuda.cuLaunchKernel, cuda.cuCtxGetCurrent
        self._context, self._alone = context(device), _count(cuda) == 1
        self._buffers, self._pack = local(), Struct(f"{count}q").pack_into

    def launch(self, arguments: Sequence[int], stream: int) -> None:
        """Run it, in the order of a stream."""
        blocks, order = min(-(-arguments[0] // self.block), self._most), c_void_p(stream)
        try:
            values, places, current = self._buffers.all
        except AttributeError:  # the first launch of this thread
            values, current = ctypes.create_string_buffer(8 * self._count), c_void_p()
            start = ctypes.addressof(values)
            places = (c_void_p * self._count)(*(start + 8 * k for k in range(self._count)))
            self._buffers.all = values, places, current
            if self._alone:
                check(library().cuCtxSetCurrent(self._context), "start in this thread")
        self._pack(values, 0, *arguments)
        if not self._alone:  # else the context of this device is the only one, and current
            self._current(byref(current))
        if self._alone or current.value == self._context.value:
            code = self._launch(self._kernel, blocks, 1, 1, self.block, 1, 1, self._shared, order, places, None)
        else:
            with on(self.device):
                code = self._launch(self._kernel, blocks, 1, 1, self.block, 1, 1, self._shared, order, places, None)
        if code:
            check(code, "launch a kernel")


class Memory:
    """Bytes on a device, freed with this object."""

    def __init__(self, size: int, device: int) -> None:
        self.device, self.address, address = device, 0, c_void_p()
        with on(device):
            code = library().cuMemAlloc_v2(byref(address), c_size_t(max(size, 1)))
        if code == OUT_OF_MEMORY:
            raise ArgumentError(f"the GPU has no room for another {size} bytes; use smaller batches")
        check(code, "allocate memory")
        self.address = address.value or 0

    def __del__(self) -> None:
        if self.address:
            with on(self.device):
                library().cuMemFree_v2(c_void_p(self.address))


def to_device(address: int, host: int, size: int, device: int) -> None:
    """Copy bytes of the host to a device."""
    with on(device):
        check(library().cuMemcpyHtoD_v2(c_void_p(address), c_void_p(host), c_size_t(size)), "copy to the GPU")


def to_host(host: int, address: int, size: int, device: int) -> None:
    """Copy bytes of a device to the host, when all that was launched before is done."""
    with on(device):
        check(library().cuMemcpyDtoH_v2(c_void_p(host), c_void_p(address), c_size_t(size)), "copy from the GPU")


def wait(stream: int, device: int) -> None:
    """Until all that a stream was given is done."""
    with on(device):
        check(library().cuStreamSynchronize(c_void_p(stream)), "finish its work")
