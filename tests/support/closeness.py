"""What "agrees" means in the tests of laws."""

from __future__ import annotations

from typing import Any

import numpy as np

TOLERANCE = 1e-10
FLOOR = 1e-3


def close(found: Any, expected: Any, scale: float | None = None, tolerance: float = TOLERANCE) -> None:
    """Every entry agrees to `tolerance`, relative to `scale`: the size of the quantities compared.

    The scale is the norm of the expected array, unless the sum is of larger terms that cancel or
    the array is part of a larger one (a wrench is compared on the scale of the largest in the
    tree). Below FLOOR (a milli-newton-metre, a millimetre) the comparison is absolute.
    """
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if found.size == 0:
        return
    size = max(float(np.linalg.norm(expected)) if scale is None else float(scale), FLOOR)
    error = float(np.max(np.abs(found - expected))) / size
    assert error <= tolerance, f"relative error {error:.3g} on the scale {size:.3g}"


def largest(wrenches: Any) -> float:
    """The scale of a tree's wrenches (..., links, 6): the largest of them."""
    return float(np.max(np.linalg.norm(wrenches, axis=-1), initial=0.0))
