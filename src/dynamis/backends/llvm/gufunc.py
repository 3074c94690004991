"""A machine-code loop as a NumPy generalised ufunc.

NumPy offers `PyUFunc_FromFuncAndDataAndSignature` to C extensions through the capsule `_UFUNC_API`,
a table of pointers whose order is part of NumPy's stable ABI; we call it through ctypes. A ufunc
has a field for an object that lives as long as it does: there we put the machine code and all
else that NumPy keeps only pointers to.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

_FROM_FUNC_AND_DATA_AND_SIGNATURE = 31
_TYPES = {"float32": 11, "float64": 12}
_NO_IDENTITY = -1
_NAME, _OWNED = 56, 88


@cache
def _constructor() -> Any:
    core: Any = getattr(np, "_core", None) or np.core
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(core._multiarray_umath._UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))
    kind = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int,
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p,
    )  # fmt: skip
    return kind(table[_FROM_FUNC_AND_DATA_AND_SIGNATURE])


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
    made: Any = _constructor()(
        where[0], where[1], where[2], 1, operands, results, _NO_IDENTITY, where[3], where[4], 0, where[5]
    )
    owned = ctypes.c_void_p.from_address(id(made) + _OWNED)
    if ctypes.c_void_p.from_address(id(made) + _NAME).value != where[3] or owned.value is not None:
        raise ImportError(f"NumPy {np.__version__} lays out its ufuncs in another way; please report this")
    keeper = (keep, function, data, types, texts)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(keeper))
    owned.value = id(keeper)
    return made
