"""Named parts of a list of scalars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Layout:
    """The parts of a list in their order, each with its length.

    >>> layout = Layout((("q", 2), ("qd", 2)))
    >>> layout.size, layout.split([1, 2, 3, 4])
    (4, {'q': [1, 2], 'qd': [3, 4]})
    """

    parts: tuple[tuple[str, int], ...]

    @cached_property
    def size(self) -> int:
        return sum(count for _, count in self.parts)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part stands."""
        slices: dict[str, slice] = {}
        at = 0
        for name, count in self.parts:
            slices[name] = slice(at, at + count)
            at += count
        return slices

    def split(self, entries: Sequence[Any]) -> dict[str, list[Any]]:
        return {name: list(entries[part]) for name, part in self.slices.items()}

    def join(self, **parts: Sequence[Any]) -> list[Any]:
        """The list of these parts; all must be given."""
        return [x for name, _ in self.parts for x in parts[name]]
