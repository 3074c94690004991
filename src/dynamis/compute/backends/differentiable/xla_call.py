"""Programs as XLA's custom calls: XLA hands over addresses, and the program runs there, on the CPU or on a GPU.

This alone knows the layout of XLA's foreign function interface (xla/ffi/api/c_api.h, which jaxlib ships). A call has
one attribute, "threads key", which names the program (`derived_programs`). Arguments are arrays (..., entries) whose
batch is one state or that of the results; results are flat.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from math import prod
from typing import Any

import numpy as np

from dynamis.compute.backends.differentiable.derived_programs import program_of

FLOAT32 = 11
METADATA_EXTENSION, INTERNAL_ERROR = 1, 13
DEVICE_OF_POINTER = 9
"""The driver's name for the device of an address."""


class Span(Structure):
    """Text: where it begins and how long it is."""

    _fields_ = (("start", c_void_p), ("size", c_size_t))


class Buffer(Structure):
    """An array, row by row in memory."""

    _fields_ = (
        ("struct_size", c_size_t), ("extension", c_void_p), ("dtype", c_int), ("data", c_void_p), ("rank", c_int64),
        ("dims", POINTER(c_int64)),
    )  # fmt: skip


class Buffers(Structure):
    """The arguments or the results of a call."""

    _fields_ = (
        ("struct_size", c_size_t), ("extension", c_void_p), ("size", c_int64), ("types", c_void_p),
        ("buffers", POINTER(POINTER(Buffer))),
    )  # fmt: skip


class Attributes(Structure):
    """What a call has besides arrays."""

    _fields_ = (
        ("struct_size", c_size_t), ("extension", c_void_p), ("size", c_int64), ("types", c_void_p), ("names", c_void_p),
        ("values", POINTER(POINTER(Span))),
    )  # fmt: skip


class Version(Structure):
    """Of the interface."""

    _fields_ = (("struct_size", c_size_t), ("extension", c_void_p), ("major", c_int), ("minor", c_int))


class Metadata(Structure):
    """What a handler says of itself."""

    _fields_ = (("struct_size", c_size_t), ("version", Version), ("traits", c_uint32))


class Extension(Structure):
    """Asks a handler for its metadata, where the type says so."""

    _fields_ = (("struct_size", c_size_t), ("type", c_int), ("next", c_void_p), ("metadata", POINTER(Metadata)))


class ErrorArguments(Structure):
    """What makes an error of XLA's."""

    _fields_ = (("struct_size", c_size_t), ("extension", c_void_p), ("message", c_char_p), ("code", c_int))


class StreamArguments(Structure):
    """What asks for the stream of a call."""

    _fields_ = (("struct_size", c_size_t), ("extension", c_void_p), ("context", c_void_p), ("stream", c_void_p))


class Api(Structure):
    """The first entries, which are all that is used."""

    _fields_ = (
        ("struct_size", c_size_t), ("extension", c_void_p), ("version", Version), ("internal", c_void_p),
        ("create_error", ctypes.CFUNCTYPE(c_void_p, POINTER(ErrorArguments))), ("error_message", c_void_p),
        ("destroy_error", c_void_p), ("register_handler", c_void_p),
        ("get_stream", ctypes.CFUNCTYPE(c_void_p, POINTER(StreamArguments))),
    )  # fmt: skip


class Frame(Structure):
    """A call."""

    _fields_ = (
        ("struct_size", c_size_t), ("extension", POINTER(Extension)), ("api", POINTER(Api)), ("context", c_void_p),
        ("stage", c_int), ("arguments", Buffers), ("results", Buffers), ("attributes", Attributes),
    )  # fmt: skip


class Memory:
    """Memory of XLA's as NumPy sees it."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: str) -> None:
        self.__array_interface__ = {"data": (address, False), "shape": shape, "typestr": dtype, "version": 3}


def _array(x: Any, shape: tuple[int, ...]) -> Any:
    """A buffer as an array of this shape."""
    return np.asarray(Memory(x.data, shape, "<f4" if x.dtype == FLOAT32 else "<f8"))


def _run_on_cpu(frame: Frame, key: str, threads: int) -> None:
    program = program_of(key)
    inputs, outputs = _buffers(frame.arguments), _buffers(frame.results)
    batch = outputs[0].dims[: outputs[0].rank - 1]
    if not prod(batch):
        return
    arrays = [_array(x, tuple(x.dims[: x.rank])) for x in inputs]
    results = [_array(x, (*batch, *y.shape)) for x, y in zip(outputs, program.program.outputs, strict=True)]
    program.on_cpu(*arrays, out=tuple(results) if len(results) > 1 else results[0], threads=threads)


def _run_on_gpu(frame: Frame, key: str, threads: int) -> None:
    """Launch it in XLA's stream."""
    from dynamis.compute.backends.cuda import driver

    del threads
    program, inputs, outputs = program_of(key), _buffers(frame.arguments), _buffers(frame.results)
    states = [prod(x.dims[: x.rank - 1]) for x in inputs]
    count = prod(outputs[0].dims[: outputs[0].rank - 1])
    if not count:
        return
    device = c_int32()
    address = c_void_p(outputs[0].data)
    driver.check(
        driver.library().cuPointerGetAttribute(ctypes.byref(device), DEVICE_OF_POINTER, address), "find memory"
    )
    ask = StreamArguments(ctypes.sizeof(StreamArguments), None, frame.context, None)
    frame.api.contents.get_stream(ctypes.byref(ask))
    dtype = "float32" if outputs[0].dtype == FLOAT32 else "float64"
    launcher = program.on_gpu.launcher(dtype, tuple(n == 1 for n in states), device.value)
    addresses = [x.data or 0 for x in (*inputs, *outputs)]
    launcher.launch([count, *addresses], ask.stream or 0)


def _buffers(of: Any) -> list[Any]:
    return [of.buffers[k].contents for k in range(of.size)]


def _handler(run: Any) -> Any:
    def handle(pointer: Any) -> int | None:
        frame = pointer.contents
        try:
            if frame.extension and frame.extension.contents.type == METADATA_EXTENSION:
                version, ours = frame.extension.contents.metadata.contents.version, frame.api.contents.version
                version.major, version.minor = ours.major, ours.minor
                return None
            span = frame.attributes.values[0].contents
            threads, _, key = ctypes.string_at(span.start, span.size).decode().partition(" ")
            run(frame, key, int(threads))
            return None
        except Exception as error:
            words = f"dynamis: {error}".encode()
            arguments = ErrorArguments(ctypes.sizeof(ErrorArguments), None, words, INTERNAL_ERROR)
            return frame.api.contents.create_error(ctypes.byref(arguments))

    return ctypes.CFUNCTYPE(c_void_p, POINTER(Frame))(handle)


ON_CPU, ON_GPU = _handler(_run_on_cpu), _handler(_run_on_gpu)
"""Handlers for XLA, kept as long as the process."""
