"""A machine-code loop as a NumPy generalised ufunc.

NumPy offers `PyUFunc_FromFuncAndDataAndSignature` to C extensions through the capsule `_UFUNC_API`,
a table of pointers whose order is part of NumPy's stable ABI; we call it through ctypes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

_FROM_FUNC_AND_DATA_AND_SIGNATURE = 31
_FLOAT, _DOUBLE = 11, 12
_NO_IDENTITY = -1


def _constructor() -> Any:
    core = getattr(np, "_core", None) or np.core
    capsule: Any = core._multiarray_umath._UFUNC_API
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    kind = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p,
        ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int,
        ctypes.c_char_p,
    )  # fmt: skip
    return kind(table[_FROM_FUNC_AND_DATA_AND_SIGNATURE])


def gufunc(
    loops: Sequence[tuple[str, int]], operands: int, results: int, signature: str, name: str, doc: str
) -> tuple[np.ufunc, Any]:
    """A ufunc over loops given as (dtype "f" or "d", address), and what must live as long as it does.

    NumPy keeps the pointers that it is given and copies none of what they point to.
    """
    count = len(loops)
    functions = (ctypes.c_void_p * count)(*(address for _, address in loops))
    data = (ctypes.c_void_p * count)()
    numbers = [(_FLOAT if kind == "f" else _DOUBLE) for kind, _ in loops for _ in range(operands + results)]
    types = ctypes.create_string_buffer(bytes(numbers), len(numbers))
    texts = [ctypes.create_string_buffer(text.encode()) for text in (name, doc, signature)]
    made = _constructor()(
        functions, data, ctypes.cast(types, ctypes.c_char_p), count, operands, results, _NO_IDENTITY,
        ctypes.cast(texts[0], ctypes.c_char_p), ctypes.cast(texts[1], ctypes.c_char_p), 0,
        ctypes.cast(texts[2], ctypes.c_char_p),
    )  # fmt: skip
    return made, (functions, data, types, texts)
