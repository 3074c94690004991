"""All that is known of the memory of CPython and NumPy: offsets, tables of pointers, objects ufunc by address.

Nothing else in the package reads memory by an offset. What is read is part of NumPy's stable ABI and is checked all
the same, for a wrong offset would crash the process: `is_known` compares the fields of sample objects once, and where
they differ the ufunc is called in the usual way; `gufunc` compares the fields of every ufunc that it makes.

A program becomes a generalised ufunc by `PyUFunc_FromFuncAndDataAndSignature`, which NumPy offers to C extensions
through the capsule `_UFUNC_API`. A ufunc has a field for an object that lives as long as it does: there we put the
machine code and all else that NumPy keeps only pointers to.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

# Fields of an ndarray object.
TYPE_OFFSET, DATA_OFFSET, NDIM_OFFSET, SHAPE_OFFSET, DESCR_OFFSET, FLAGS_OFFSET = 8, 16, 24, 32, 56, 64
CONTIGUOUS_AND_ALIGNED = 0x101
FIRST_ITEM = 24
"""Offset in a tuple: the builtin's `self` is one, which holds the general function and all that must live on."""
# Fields of a ufunc object: its loops, what each is given, its name, and the object that it owns.
_LOOPS_OFFSET, _LOOP_DATA_OFFSET, _NAME_OFFSET, _OWNED_OFFSET = 32, 40, 56, 88
# Places in NumPy's tables of functions, its numbers of types, and a flag of CPython.
_NEW_ARRAY_INDEX, _FROM_FUNC_AND_DATA_AND_SIGNATURE = 93, 31
_TYPES = {"float32": 11, "float64": 12}
_NO_IDENTITY = -1
_FASTCALL_FLAG = 0x80


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    )  # fmt: skip


def _table(capsule: str) -> Any:
    """One of the tables of pointers that NumPy offers to C extensions."""
    core: Any = getattr(np, "_core", None) or np.core
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(pointer(getattr(core._multiarray_umath, capsule), None), ctypes.POINTER(ctypes.c_void_p))


@cache
def symbols() -> dict[str, int]:
    """Addresses of what the call of one state uses of CPython and NumPy."""
    vectorcall = ctypes.cast(ctypes.pythonapi.PyObject_Vectorcall, ctypes.c_void_p).value
    return {
        "ndarray_type": id(np.ndarray), "float64_descr": id(np.dtype(np.float64)),
        "new_array": _table("_ARRAY_API")[_NEW_ARRAY_INDEX], "PyObject_Vectorcall": vectorcall or 0,
    }  # fmt: skip


@cache
def is_known() -> bool:
    """Whether ndarray objects and tuples have their fields where the call of one state reads them."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    sample, pair = np.zeros((2, 3)), (object(), None)
    shape = ctypes.cast(_field(sample, SHAPE_OFFSET, ctypes.c_void_p), ctypes.POINTER(ctypes.c_int64))
    return (
        _field(sample, TYPE_OFFSET, ctypes.c_void_p) == id(np.ndarray)
        and _field(sample, DATA_OFFSET, ctypes.c_void_p) == sample.ctypes.data
        and _field(sample, NDIM_OFFSET, ctypes.c_int) == 2
        and [shape[k] for k in range(2)] == [2, 3]
        and _field(sample, DESCR_OFFSET, ctypes.c_void_p) == id(sample.dtype)
        and _field(sample, FLAGS_OFFSET, ctypes.c_int) & CONTIGUOUS_AND_ALIGNED == CONTIGUOUS_AND_ALIGNED
        and _field(sample[:, ::2], FLAGS_OFFSET, ctypes.c_int) & 1 == 0
        and _field(pair, FIRST_ITEM, ctypes.c_void_p) == id(pair[0])
    )


def _field(array: Any, offset: int, kind: Any) -> Any:
    return kind.from_address(id(array) + offset).value


def make_builtin(address: int, general: Callable[..., Any], name: str, keep: Any) -> Callable[..., Any]:
    """The builtin function at an address, with `general` for all else; `keep` lives as long as it does.

    CPython reads the definition until the builtin is gone. A tuple holds it: the garbage collector may empty other
    objects of a dead cycle before the builtin, but no tuple.
    """
    definition = _MethodDef(name.encode(), address, _FASTCALL_FLAG, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(_MethodDef), ctypes.py_object, ctypes.c_void_p]
    return make(ctypes.byref(definition), (general, definition, keep), None)


@cache
def _constructor() -> Any:
    kind = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int,
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p,
    )  # fmt: skip
    return kind(_table("_UFUNC_API")[_FROM_FUNC_AND_DATA_AND_SIGNATURE])


def gufunc(
    dtype: str, address: int, operands: int, results: int, signature: str, name: str, doc: str, keep: Any,
    data_address: int | None = None,
) -> np.ufunc:  # fmt: skip
    """A ufunc over the loop at `address`, for "float32" or "float64"; `keep` lives as long as the ufunc.

    The loop's last argument is `data_address`.
    """
    function, data = ctypes.c_void_p(address), ctypes.c_void_p(data_address)
    types = ctypes.create_string_buffer(bytes([_TYPES[dtype]] * (operands + results)))
    texts = [ctypes.create_string_buffer(text.encode()) for text in (name, doc, signature)]
    where = [ctypes.addressof(x) for x in (function, data, types, *texts)]
    ufunc: Any = _constructor()(
        where[0], where[1], where[2], 1, operands, results, _NO_IDENTITY, where[3], where[4], 0, where[5]
    )
    owned = ctypes.c_void_p.from_address(id(ufunc) + _OWNED_OFFSET)
    fields = [
        ctypes.c_void_p.from_address(id(ufunc) + offset).value
        for offset in (_LOOPS_OFFSET, _LOOP_DATA_OFFSET, _NAME_OFFSET)
    ]
    if fields != [where[0], where[1], where[3]] or owned.value is not None:
        raise ImportError(f"NumPy {np.__version__} lays out its ufuncs in another way; please report this")
    keeper = (keep, function, data, types, texts)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(keeper))
    owned.value = id(keeper)
    return ufunc


def loop_of(ufunc: np.ufunc) -> tuple[int, int]:
    """The address of the loop that `gufunc` was given, and its last argument."""
    loops, given = (
        ctypes.c_void_p.from_address(id(ufunc) + field).value for field in (_LOOPS_OFFSET, _LOOP_DATA_OFFSET)
    )
    return ctypes.c_void_p.from_address(loops or 0).value or 0, ctypes.c_void_p.from_address(given or 0).value or 0
