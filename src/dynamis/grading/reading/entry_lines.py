"""Which line of an answer gives an entry or a whole matrix: the last one above, as in a program; else one below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from dynamis.grading.reading.statements import Statement
from dynamis.grading.reading.targets import KNOWN, Left, left_side

Index = tuple[int, ...]
"""Of an entry, from 1; () is the whole matrix."""
_SLICE = re.compile(r"(\d{0,2})(:?)(\d{0,2})", re.ASCII)


class EntryLines:
    """The places of what the lines give, by name (M, g, Jv2) and index."""

    def __init__(self, lines: Sequence[Statement], n: int) -> None:
        self.shapes = {"M": (n, n), "C": (n, n), "c": (n,), "g": (n,), "tau": (n,), "J": (6, n), "Jv": (3, n)}
        self.shapes["Jw"] = self.shapes["Jv"]
        self.places: dict[str, dict[Index, list[int]]] = {}
        self.given: dict[int, tuple[str, list[Index]]] = {}
        for k, line in enumerate(lines):
            left = left_side(line.left) if line.kind == "answer" else None
            if left is None or left.kind not in KNOWN:
                continue
            name, index = left.key
            indices = self.sliced(left) if ":" in (left.index or "") else [index]
            if indices:
                self.given[k] = name, indices
            for one in indices:
                self.places.setdefault(name, {}).setdefault(one, []).append(k)

    def sliced(self, left: Left) -> list[Index]:
        """The entries of M(1,:) or M[1:2,1]; none where the size is not known."""
        parts, ranges = (left.index or "").split(","), list[range]()
        for part, size in zip(parts, self.shapes.get(left.kind, ()), strict=False):
            found = _SLICE.fullmatch(part)
            if found is None:
                return []
            low = int(found[1] or 1)
            ranges.append(range(low, min(int(found[3] or size) if found[2] else low, size) + 1))
        return list(product(*ranges)) if len(ranges) == len(parts) else []

    def line(self, name: str, index: Index, here: int) -> int | None:
        """The line that gives an entry to line `here`: itself or in its whole matrix."""
        places = self.places.get(name, {})
        lines = {*places.get(index, ()), *places.get((), ())}
        above, below = ([k for k in lines if above == (k < here)] for above in (True, False))
        return max(above) if above else max((k for k in below if k != here), default=here if below else None)

    def entries_after(self, name: str, line: int, here: int) -> bool:
        """Whether lines between give single entries of a matrix."""
        return any(line < k < here for index, lines in self.places.get(name, {}).items() if index for k in lines)
