"""Tiles of a large symmetric matrix, made in a loop instead of one by one.

In the mass matrix of a long chain an entry is a sum of products of a vector of its row and one of its column (l_i.r_j).
As straight code such entries are most of the program, which then runs no faster than code can be fetched. So the
vectors are put side by side into the frame, and a loop over a table makes a square of entries at a time, rounded as
straight code is. A tile and its mirror image are stored from the same registers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from dynamis.compute.ir.cpu.rows import store, store_one
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.program import Program

MIN_LOOP_TILES = 2
"""Tiles from which there is a loop: with one it would be straight code."""
_Terms = tuple[tuple[int, int], ...]
_Vectors = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Tile:
    """Vectors of the rows and of the columns, by the places of their entries, and where the first entry stands."""

    left: _Vectors
    right: _Vectors
    row: int
    column: int


class Tiles:
    """The tiles of a program's one result, a symmetric matrix; where there are none, `tiles` is empty.

    All have as many terms as most of them do.
    """

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self._program, self._lanes = program, lanes
        self.rows, self.terms, self.tiles = 0, 0, list[Tile]()
        self.values: list[int] = []
        """What stands in the frame from its first place on: places of operations."""
        self._starts: dict[_Vectors, int] = {}
        shapes = [x.shape for x in program.outputs]
        if len(shapes) != 1 or len(shapes[0]) != 2 or shapes[0][0] != shapes[0][1]:
            return
        n, w = shapes[0][0], lanes.width
        starts = [*range(0, n - w + 1, w), *([n - w] if n % w else [])] if n >= w > 1 else []
        candidates = [
            x for k, row in enumerate(starts) for column in starts[k + 1 :] if (x := self._tile(n, row, column))
        ]
        by_terms = Counter(len(x.left[0]) for x in candidates)
        if not by_terms or (most := by_terms.most_common(1)[0])[1] < MIN_LOOP_TILES:
            return
        self.rows, self.terms = n, most[0]
        self.tiles = [x for x in candidates if len(x.left[0]) == self.terms]
        for vectors in (block for tile in self.tiles for block in (tile.left, tile.right)):
            if vectors not in self._starts:
                self._starts[vectors] = len(self.values)
                self.values += [place for vector in vectors for place in vector]

    @cached_property
    def chunks(self) -> set[int]:
        """The first entries of the chunks that the loop stores."""
        w = range(self._lanes.width)
        return {
            first for x in self.tiles for k in w
            for first in ((x.row + k) * self.rows + x.column, (x.column + k) * self.rows + x.row)
        }  # fmt: skip

    def function(self) -> str:
        """@tiles: all of them, from the frame into the result."""
        lanes, n = self._lanes, self.rows
        code, w = Code(lanes), range(lanes.width)
        states = [code.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 %last)") for lane in w]
        steps = [code.let(f"mul i64 {state}, %step") for state in states]
        rows = [code.let(f"getelementptr i8, ptr %out, i64 {step}") for step in steps]
        code.do("%single = icmp eq i64 %last, 0")
        code.do("br label %tile")
        code.label("tile")
        code.do("%t = phi i64 [0, %entry], [%next, %end]")
        entry = code.let("getelementptr [4 x i32], ptr @table, i64 %t")
        places = [code.let(f"getelementptr i32, ptr {entry}, i64 {k}") for k in range(4)]
        left, right, *firsts = [code.let(f"zext i32 {code.let(f'load i32, ptr {x}')} to i64") for x in places]
        sums = self._sums(code, left, right)
        upper, lower = [[sums[a, b] for b in w] for a in w], [[sums[a, b] for a in w] for b in w]
        code.do("br i1 %single, label %one, label %all")
        for label in ("one", "all"):
            code.label(label)
            for first, square in zip(firsts, (upper, lower), strict=True):
                offset = code.let(f"mul i64 {first}, {lanes.size}")
                used = rows if label == "all" else rows[:1]
                starts = [code.let(f"getelementptr i8, ptr {row}, i64 {offset}") for row in used]
                for k, values in enumerate(square):
                    (store if label == "all" else store_one)(code, starts, k * n, values)
            code.do("br label %end")
        code.label("end")
        code.do("%next = add i64 %t, 1")
        code.do(f"%more = icmp slt i64 %next, {len(self.tiles)}")
        code.do("br i1 %more, label %tile, label %done")
        code.label("done")
        code.do("ret void")
        head = "define internal fastcc void @tiles(ptr %frame, ptr %out, i64 %step, i64 %last) noinline {\nentry:\n"
        return self._table() + head + "\n".join(code.lines) + "\n}\n"

    def _sums(self, code: Code, left: str, right: str) -> dict[tuple[int, int], str]:
        """The entries of a tile, term by term, from where in the frame its vectors begin."""
        v, w = self._lanes.vector, range(self._lanes.width)
        left, right = (code.let(f"getelementptr {v}, ptr %frame, i64 {x}") for x in (left, right))
        sums: dict[tuple[int, int], str] = {}
        for t in range(self.terms):
            places = [self.terms * k + t for k in w]
            x, y = (
                [code.let(f"load {v}, ptr {code.let(f'getelementptr {v}, ptr {side}, i64 {k}')}") for k in places]
                for side in (left, right)
            )
            for a in w:
                for b in w:
                    sums[a, b] = code.fma(x[a], y[b], sums[a, b]) if t else code.exactly("fmul", x[a], y[b])
        return sums

    def _table(self) -> str:
        """@table: of every tile, where in the frame its vectors are and where in the result it and its mirror image."""
        entries = [
            (self._starts[x.left], self._starts[x.right], x.row * self.rows + x.column, x.column * self.rows + x.row)
            for x in self.tiles
        ]
        rows = ", ".join(f"[4 x i32] [{', '.join(f'i32 {k}' for k in entry)}]" for entry in entries)
        return f"@table = internal constant [{len(entries)} x [4 x i32]] [{rows}]\n"

    def _tile(self, n: int, row: int, column: int) -> Tile | None:
        """The tile with this first entry, if it is one, off the diagonal, and so is its mirror image."""
        (places,), w = self._program.results, range(self._lanes.width)
        if row + len(w) > column:
            return None
        entries: dict[tuple[int, int], _Terms] = {}
        for a in w:
            for b in w:
                place = places[(row + a) * n + column + b]
                terms = self._terms(place)
                if terms is None or places[(column + b) * n + row + a] != place:
                    return None
                entries[a, b] = terms
        left = tuple(_common(entries[a, 0], entries[a, 1]) for a in w)
        right = tuple(_common(entries[0, b], entries[1, b]) for b in w)
        for (a, b), terms in entries.items():
            if len(left[a]) != len(terms) or len(right[b]) != len(terms):
                return None
            if any({x, y} != set(term) for x, y, term in zip(left[a], right[b], terms, strict=True)):
                return None
        return Tile(left, right, row, column)

    def _terms(self, place: int) -> _Terms | None:
        """The factors of a sum of products, a b first and others added to it one by one; None for all else."""
        operations = self._program.operations
        terms: list[tuple[int, int]] = []
        while operations[place][0] == "fma":
            _, a, b, place = operations[place]
            terms.append((a, b))
        op, a, b, _ = operations[place]
        return (*reversed([*terms, (a, b)]),) if op == "*" and terms else None


def _common(x: _Terms, y: _Terms) -> tuple[int, ...]:
    """The factor of every term that two sums have in common; shorter where there is none."""
    return tuple(next(iter({*a} & {*b})) for a, b in zip(x, y, strict=False) if {*a} & {*b})
