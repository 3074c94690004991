"""The signature of a program: the arrays that it takes and returns, with names, shapes and units."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Operand:
    """An array of a program: its name, and the shape of its entries in one state (the batch axes come before).

    `entries` names the entries row by row (the coordinates of q, the parameters, "load1.vector.x"), `units` gives
    their SI units; both are empty where nothing is declared.
    """

    name: str
    shape: tuple[int, ...]
    entries: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Signature:
    """The operands of a program in the order of its arguments and results."""

    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]

    @property
    def shapes(self) -> str:
        """In NumPy's notation for generalised ufuncs, such as (6),(6),(6)->(6)."""
        return "->".join(
            ",".join(f"({','.join(map(str, x.shape))})" for x in side) for side in (self.inputs, self.outputs)
        )

    def __str__(self) -> str:
        """The names, such as q, qd, qdd -> tau."""
        return " -> ".join(", ".join(x.name for x in side) for side in (self.inputs, self.outputs))
