"""A compiled function as a small table: its arguments and results with shapes and units."""

from __future__ import annotations

from typing import Any

from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand
from dynamis.telling.blocks import Document, Note, Table, Words
from dynamis.base.display import Displayable


class ProgramFunction(Displayable):
    """What a function of arrays shows of itself."""

    name: str
    program: Program
    notes: tuple[str, ...] = ()
    """What a reader of the results must know: links that move without mass."""

    def document(self) -> Document:
        """One row per array; the batch axes come before these shapes."""
        program, counts = self.program, self.program.counts()
        sides = ("argument", program.inputs), ("result", program.outputs)
        rows = [(side, x.name, str(x.shape), _units(x)) for side, operands in sides for x in operands]
        turns = counts["sin"] + counts["cos"]
        operations = f"{counts['*']} multiplications, {counts['+']} additions, {turns} sines and cosines"
        words = f"{operations} for one state; leading axes of the arrays are the batch."
        return Document(
            "", (Table((self.name, "array", "shape", "unit"), tuple(rows)), Words(words), *map(Note, self.notes))
        )

    def __init_subclass__(cls, **options: Any) -> None:
        cls.__repr__ = ProgramFunction.__repr__
        super().__init_subclass__(**options)

    def __repr__(self) -> str:
        sides = self.program.inputs, self.program.outputs
        texts = (", ".join(f"{x.name} ({', '.join(map(str, x.shape))})" for x in side) for side in sides)
        return f"<{self.name}: {' -> '.join(texts)}>"


def _units(x: Operand) -> str:
    units = list(dict.fromkeys(x.units))
    return ", ".join(units[:3]) + (", ..." if len(units) > 3 else "")
