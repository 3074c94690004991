"""The arrays that a program takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Operand:
    """An array: its name and the shape of one state's entries, without batch axes."""

    name: str
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)
