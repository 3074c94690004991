"""Numbers as the scripts of a page read them: arrays in base64, placements as matrices."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.placement import Placement
from dynamis.scalars.floats import Floats


def pack_base64(values: Array) -> str:
    """Numbers in base64."""
    return b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()


def matrix(placement: Placement, scalars: Floats | None = None) -> Array:
    """The 4x4 matrix of a placement; `scalars` know the values of its symbols."""
    R, p = placement.evaluate(scalars or Floats({}))
    at: Any = np.eye(4)
    at[:3, :3], at[:3, 3] = [list(row) for row in R], list(p)
    return at
