"""The page of a compiled function: its arguments and results with shapes and units."""

from __future__ import annotations

from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.program.signature import Operand
from dynamis.telling.blocks import Document, Note, Table, Words


def function_document(function: ProgramFunction) -> Document:
    """One row per array; the batch axes come before these shapes."""
    program, counts = function.program, function.program.counts()
    sides = ("argument", program.inputs), ("result", program.outputs)
    rows = [(side, x.name, str(x.shape), _units(x)) for side, operands in sides for x in operands]
    turns = counts["sin"] + counts["cos"]
    operations = f"{counts['*']} multiplications, {counts['+']} additions, {turns} sines and cosines"
    words = f"{operations} for one state; leading axes of the arrays are the batch."
    table = Table((function.name, "array", "shape", "unit"), tuple(rows))
    home = (Words(function.home),) if function.home else ()
    return Document("", (table, Words(words), *map(Note, function.notes), *home))


def _units(x: Operand) -> str:
    units = list(dict.fromkeys(x.units))
    return ", ".join(units[:3]) + (", ..." if len(units) > 3 else "")
