"""One thread for NumPy's linear algebra: blocks of a log are small, and threads that wait for each other cost more.

OpenBLAS, which NumPy's wheels carry, starts a thread per core for products of a few hundred rows. On a machine with
other work the QR decompositions of a log took 40 times as long with two threads as with one. Where NumPy has another
library, nothing is changed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np


@contextmanager
def one_blas_thread() -> Generator[None]:
    """One thread inside, as many as before after it."""
    functions = _openblas()
    if functions is None:
        yield
        return
    count, choose = functions
    before = count()
    choose(1)
    try:
        yield
    finally:
        choose(before)


@cache
def _openblas() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    """How many threads NumPy's OpenBLAS takes, and the function that changes it; None where there is none."""
    for file in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas64*"):
        try:
            library = ctypes.CDLL(str(file))
            return library.scipy_openblas_get_num_threads64_, library.scipy_openblas_set_num_threads64_
        except (OSError, AttributeError):
            continue
    return None
