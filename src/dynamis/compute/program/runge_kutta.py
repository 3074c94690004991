"""A step of a Runge-Kutta method, for backends that repeat it in a kernel of their own."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.compute.program.program import Program


@dataclass(frozen=True)
class RungeKutta:
    """A step x + h (b1 k1 + b2 k2 + ...), where k1 is the rate at x, and the next at x + a h k with the k before.

    A row has h, and then the inputs of each instant.
    """

    rate: Program
    """(x, inputs) -> dx/dt"""
    inputs: int
    """Entries of the inputs of an instant."""
    instants: tuple[int, ...]
    """Which of them each stage takes."""
    weights: tuple[float, ...]
    """b1, b2, ..."""
    ahead: tuple[float, ...]
    """Of each stage the a with which the next begins; that of the last is not used."""

    @property
    def row(self) -> int:
        """Entries of a row."""
        return 1 + self.inputs * (max(self.instants) + 1)
