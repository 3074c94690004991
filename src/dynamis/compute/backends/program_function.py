"""A program as a function: its name, its operands, and one line of both."""

from __future__ import annotations

from typing import Any

from dynamis.base.display import Displayable
from dynamis.compute.program.program import Program


class ProgramFunction(Displayable):
    """A function of arrays that a program became."""

    name: str
    program: Program
    home: str = ""
    """Where its arrays live, in a sentence; empty for those of NumPy."""
    notes: tuple[str, ...] = ()
    """What a reader of the results must know: links that move without mass."""

    def __init_subclass__(cls, **options: Any) -> None:
        cls.__repr__ = ProgramFunction.__repr__
        super().__init_subclass__(**options)

    def __repr__(self) -> str:
        sides = self.program.inputs, self.program.outputs
        texts = (", ".join(f"{x.name} ({', '.join(map(str, x.shape))})" for x in side) for side in sides)
        return f"<{self.name}: {' -> '.join(texts)}>"
