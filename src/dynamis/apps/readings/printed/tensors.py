"""Inertia tensors as a document prints them, beside those of a body that ships with dynamis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dynamis.base.errors import UnknownNameError
from dynamis.model.bodies.body import Body, Parts
from dynamis.model.formats.body_file import read_body_file
from dynamis.telling.blocks import Document, Table
from dynamis.telling.result import Result

ENTRIES = {"Ixx": (0, 0), "Iyy": (1, 1), "Izz": (2, 2), "Ixy": (0, 1), "Ixz": (0, 2), "Iyz": (1, 2)}


@dataclass(frozen=True)
class PrintedTensor:
    """What is printed of the tensor of a part.

    where: its equation
    part: the name of the part, or of the body
    about: "com" for its own CoM, "origin" for the origin of the body it is a part of
    entries: the printed numbers as text by their names (ENTRIES) [kg m^2]; one unit in the last place is allowed
    """

    where: str
    part: str
    about: str
    entries: dict[str, str]


@dataclass(frozen=True)
class PrintedTensors(Result):
    """Printed tensors of one body and its parts, compared entry by entry."""

    body: str
    tensors: tuple[PrintedTensor, ...]

    @property
    def rows(self) -> list[tuple[str, str, str, float, bool]]:
        """(where, entry, printed, computed, equal in the printed digits)."""
        body = read_body_file(self.body).body
        parts = {part.name: part for part in _parts(body)}
        rows: list[tuple[str, str, str, float, bool]] = []
        for tensor in self.tensors:
            if tensor.part not in parts:
                raise UnknownNameError("part", tensor.part, parts)
            properties = parts[tensor.part].properties()
            inertia = properties.inertia if tensor.about == "com" else properties.about((0, 0, 0))
            for name, text in tensor.entries.items():
                computed = float(inertia[ENTRIES[name]])
                rows.append((tensor.where, f"{name} of {tensor.part}", text, computed, _equal(text, computed)))
        return rows

    @property
    def wrong(self) -> list[tuple[str, str, str, str]]:
        """(where, entry, printed, correct) of the numbers that differ."""
        return [
            (where, entry, f"{text} kg m^2", f"{computed:.5g} kg m^2")
            for where, entry, text, computed, equal in self.rows
            if not equal
        ]

    def document(self) -> Document:
        """Printed and computed numbers, side by side."""
        rows = tuple(
            (where, entry, text, f"{computed:.5g}", "equal" if equal else "differs")
            for where, entry, text, computed, equal in self.rows
        )
        return Document("", (Table(("where", "entry", "printed", "computed", ""), rows),), data=self._data)

    def _data(self) -> dict[str, Any]:
        keys = ("where", "entry", "printed", "computed", "equal")
        return {"body": self.body, "entries": [dict(zip(keys, row, strict=True)) for row in self.rows]}


def _parts(body: Body) -> Iterator[Body]:
    yield body
    if isinstance(body.content, Parts):
        for _, part in body.content.signed:
            yield from _parts(part)


def _equal(text: str, computed: float) -> bool:
    """Equal up to one unit in the last printed place."""
    printed = Decimal(text)
    return abs(computed - float(printed)) <= float(Decimal(1).scaleb(int(printed.as_tuple().exponent)))
