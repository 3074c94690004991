"""One layer of a map: a number, or one of a few names, for every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array

CLIPPING_QUANTILE = 0.95
"""Where a scale of colours ends if the largest values are more than twice as large."""


@dataclass(frozen=True)
class Layer:
    """`values` have the shape of the map's axes; NaN where no state was.

    Where there are `names`, a value is the number of one of them, from 1. `index` has the state behind every value, -1
    where there is none.
    """

    name: str
    unit: str
    about: str
    values: Array
    names: tuple[str, ...] = ()
    index: NDArray[Any] | None = None

    @property
    def reached(self) -> NDArray[np.bool_]:
        """The cells that have a value."""
        return np.isfinite(self.values)

    @property
    def clipped(self) -> bool:
        """Whether a few values are so far above the others that a scale of colours to the top would show nothing."""
        if self.names or not self.reached.any():
            return False
        return bool(np.nanmax(self.values) > 2 * np.nanquantile(self.values, CLIPPING_QUANTILE))

    @property
    def colours(self) -> tuple[float, float] | None:
        """What a scale of colours spans."""
        if not self.reached.any():
            return None
        high = np.nanquantile(self.values, CLIPPING_QUANTILE) if self.clipped else np.nanmax(self.values)
        return float(np.nanmin(self.values)), float(high)

    @property
    def empty(self) -> bool:
        """Whether it is 0 wherever it has a value."""
        return not self.names and bool(self.reached.any()) and not self.values[self.reached].any()

    def text(self, value: float) -> str:
        """A value of it in words."""
        if not np.isfinite(value):
            return "no state"
        return self.names[round(value) - 1] if self.names else f"{value:.4g} {self.unit}".rstrip()
