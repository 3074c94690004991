"""A single state from Python without NumPy's ufunc machinery: a builtin function made at run time.

`@call` is a METH_FASTCALL function of CPython. When every argument is an aligned, contiguous
float64 array of the one right shape, it makes the result's array, runs the block and returns; in
every other case it hands its arguments to the general function. For six joints that is
about 0.2 us where the ufunc takes 0.9 us (Zen 4, NumPy 2.4).

It reads the fields of ndarray objects, whose layout is part of NumPy's ABI; `layout_is_known`
checks it once, and where it is different the general function is used alone.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np

from dynamis.program.operand import Operand

_DATA, _NDIM, _SHAPE, _DESCR, _FLAGS = 16, 24, 32, 56, 64
_CONTIGUOUS_AND_ALIGNED = 0x101
_FIRST_ITEM = 24
"""Of a tuple: the builtin's `self` is one, which holds the general function and all that must live on."""
_FASTCALL, _NEW = 0x80, 93


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    )  # fmt: skip


def call_ir(inputs: list[Operand], output: Operand) -> str:
    """The IR of @call, for programs with one output of at least one dimension, in doubles."""
    lines = [
        "@ndarray_type = external global i8",
        "@float64_descr = external global i8",
        "declare ptr @new_array(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)",
        "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)",
        "define ptr @call(ptr %self, ptr %args, i64 %count) {",
        "entry:",
        f"  %enough = icmp eq i64 %count, {len(inputs)}",
        "  br i1 %enough, label %check0, label %general",
    ]
    for k, operand in enumerate(inputs):
        lines.append(f"check{k}:")
        lines += [f"  %a{k}p = getelementptr ptr, ptr %args, i64 {k}", f"  %a{k} = load ptr, ptr %a{k}p"]
        tests = [
            ("ptr", 8, "@ndarray_type"), ("i32", _NDIM, str(len(operand.shape))), ("ptr", _DESCR, "@float64_descr"),
        ]  # fmt: skip
        for t, (kind, offset, wanted) in enumerate(tests):
            lines += [
                f"  %a{k}t{t}p = getelementptr i8, ptr %a{k}, i64 {offset}",
                f"  %a{k}t{t}v = load {kind}, ptr %a{k}t{t}p",
                f"  %a{k}t{t} = icmp eq {kind} %a{k}t{t}v, {wanted}",
                f"  br i1 %a{k}t{t}, label %a{k}t{t}yes, label %general",
                f"a{k}t{t}yes:",
            ]
        lines += [
            f"  %a{k}fp = getelementptr i8, ptr %a{k}, i64 {_FLAGS}",
            f"  %a{k}fv = load i32, ptr %a{k}fp",
            f"  %a{k}fm = and i32 %a{k}fv, {_CONTIGUOUS_AND_ALIGNED}",
            f"  %a{k}f = icmp eq i32 %a{k}fm, {_CONTIGUOUS_AND_ALIGNED}",
            f"  %a{k}sp = getelementptr i8, ptr %a{k}, i64 {_SHAPE}",
            f"  %a{k}s = load ptr, ptr %a{k}sp",
            f"  br i1 %a{k}f, label %a{k}d0, label %general",
        ]
        for d, size in enumerate(operand.shape):
            following = f"a{k}d{d + 1}" if d + 1 < len(operand.shape) else f"a{k}ok"
            lines += [
                f"a{k}d{d}:",
                f"  %a{k}d{d}p = getelementptr i64, ptr %a{k}s, i64 {d}",
                f"  %a{k}d{d}v = load i64, ptr %a{k}d{d}p",
                f"  %a{k}d{d}e = icmp eq i64 %a{k}d{d}v, {size}",
                f"  br i1 %a{k}d{d}e, label %{following}, label %general",
            ]
        lines += [
            f"a{k}ok:",
            f"  %a{k}xp = getelementptr i8, ptr %a{k}, i64 {_DATA}",
            f"  %a{k}x = load ptr, ptr %a{k}xp",
            f"  br label %{f'check{k + 1}' if k + 1 < len(inputs) else 'run'}",
        ]
    rank = len(output.shape)
    lines += ["run:", f"  %shape = alloca [{rank} x i64]"]
    for d, size in enumerate(output.shape):
        lines += [f"  %shape{d} = getelementptr i64, ptr %shape, i64 {d}", f"  store i64 {size}, ptr %shape{d}"]
    arguments = ", ".join(f"ptr %a{k}x, i64 0" for k in range(len(inputs)))
    lines += [
        f"  %out = call ptr @new_array(ptr @ndarray_type, i32 {rank}, ptr %shape, i32 12, ptr null, ptr null, i32 0, "
        "i32 0, ptr null)",
        "  %failed = icmp eq ptr %out, null",
        "  br i1 %failed, label %give, label %compute",
        "compute:",
        f"  %xp = getelementptr i8, ptr %out, i64 {_DATA}",
        "  %x = load ptr, ptr %xp",
        f"  call fastcc void @block(i64 0, {arguments}, ptr %x, i64 0)",
        "  br label %give",
        "give:",
        "  ret ptr %out",
        "general:",
        f"  %otherp = getelementptr i8, ptr %self, i64 {_FIRST_ITEM}",
        "  %function = load ptr, ptr %otherp",
        "  %other = call ptr @PyObject_Vectorcall(ptr %function, ptr %args, i64 %count, ptr null)",
        "  ret ptr %other",
        "}",
    ]
    return "\n".join(lines) + "\n"


@cache
def symbols() -> dict[str, int]:
    """Addresses of what @call uses of CPython and NumPy."""
    core: Any = getattr(np, "_core", None) or np.core
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(core._multiarray_umath._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    vectorcall = ctypes.cast(ctypes.pythonapi.PyObject_Vectorcall, ctypes.c_void_p).value
    return {
        "ndarray_type": id(np.ndarray), "float64_descr": id(np.dtype(np.float64)),
        "new_array": table[_NEW], "PyObject_Vectorcall": vectorcall or 0,
    }  # fmt: skip


@cache
def layout_is_known() -> bool:
    """Whether ndarray objects have their fields where @call reads them."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    sample, pair = np.zeros((2, 3)), (object(), None)
    shape = ctypes.cast(_field(sample, _SHAPE, ctypes.c_void_p), ctypes.POINTER(ctypes.c_int64))
    return (
        _field(sample, 8, ctypes.c_void_p) == id(np.ndarray)
        and _field(sample, _DATA, ctypes.c_void_p) == sample.ctypes.data
        and _field(sample, _NDIM, ctypes.c_int) == 2
        and [shape[k] for k in range(2)] == [2, 3]
        and _field(sample, _DESCR, ctypes.c_void_p) == id(sample.dtype)
        and _field(sample, _FLAGS, ctypes.c_int) & _CONTIGUOUS_AND_ALIGNED == _CONTIGUOUS_AND_ALIGNED
        and _field(sample[:, ::2], _FLAGS, ctypes.c_int) & 1 == 0
        and _field(pair, _FIRST_ITEM, ctypes.c_void_p) == id(pair[0])
    )


def _field(array: Any, offset: int, kind: Any) -> Any:
    return kind.from_address(id(array) + offset).value


def builtin(address: int, general: Callable[..., Any], name: str, keep: Any) -> Callable[..., Any]:
    """The builtin function at an address, with `general` for all else; `keep` lives as long as it does.

    CPython reads the definition until the builtin is gone. A tuple holds it: the garbage collector may empty other
    objects of a dead cycle before the builtin, but no tuple.
    """
    definition = _MethodDef(name.encode(), address, _FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(_MethodDef), ctypes.py_object, ctypes.c_void_p]
    return make(ctypes.byref(definition), (general, definition, keep), None)


def possible(outputs: list[Operand]) -> bool:
    """Whether a program's results are one array."""
    return len(outputs) == 1 and prod(outputs[0].shape) > 0 and len(outputs[0].shape) > 0 and layout_is_known()
