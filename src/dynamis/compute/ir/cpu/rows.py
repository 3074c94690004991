"""States in memory to vectors and back: rows of entries become vectors with one state per lane.

Rows are loaded in chunks of `side` entries, `side` rows are a square, a square is transposed by
exchanges, and the columns of all squares side by side are the vectors. Where the entries are no
multiple of `side`, the last chunk overlaps the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.compute.ir.lanes import Code

FEW_ENTRIES = 16
"""Entries of an input that is read in short chunks, and of a result that is turned in whole registers."""


def load(code: Code, rows: list[str], count: int, entries: set[int]) -> dict[int, str]:
    """The used entries of the states that `rows` point to, each a vector with one lane per state.

    In chunks of 16 bytes: pieces of 16 bytes side by side cost less than exchanges of them between registers. Of many
    entries in long chunks, which are half of the lines to compile.
    """
    side = min(_side(code, count), 16 // code.lanes.size if count <= FEW_ENTRIES else code.lanes.width)
    if side == 1:
        return {0: _gather(code, rows)} if entries else {}
    vectors: dict[int, str] = {}
    for first in _chunks(count, side):
        if not entries & set(range(first, first + side)) - vectors.keys():
            continue
        pieces = [_load(code, row, first, side) for row in rows]
        columns = transpose(code, [_join_vectors(code, pieces[k::side], side) for k in range(side)], code.lanes.width)
        for entry, column in enumerate(columns, first):
            vectors.setdefault(entry, column)
    return vectors


def chunks(code: Code, entries: Sequence[int], row: int = 0) -> list[tuple[int, Sequence[int]]]:
    """The chunks in which entries are stored: the first one's position, and they themselves.

    At most 32 bytes: two stores of them cost as much as one of 64, and the transposition a third less.

    row: entries after which chunks begin anew, if there are such; these are as long as there are lanes
    """
    side = _side(code, row) if row else min(_side(code, len(entries)), 32 // code.lanes.size)
    row = row or len(entries)
    starts = [start + first for start in range(0, len(entries), max(1, row)) for first in _chunks(row, side)]
    return [(first, entries[first : first + side]) for first in starts]


def store(code: Code, rows: list[str], first: int, values: list[str], many: bool = False) -> None:
    """A chunk of vectors as entries of the states that `rows` point to, from entry `first` on, of `many` or few."""
    lanes, side = code.lanes, len(values)
    zeros = all(value == lanes.splat(0.0) for value in values)
    states = ["zeroinitializer"] * len(rows) if zeros else _states(code, values, many)
    for row, state in zip(rows, states, strict=True):
        code.do(f"store <{side} x {lanes.scalar}> {state}, ptr {_at(code, row, first)}, align {lanes.size}")


def _states(code: Code, values: list[str], many: bool) -> list[str]:
    """A chunk of vectors as the chunks of all states.

    The last round in halves of registers, which takes none of the turns of fused operations: of many entries the
    results of six joints are 1 to 4% faster, of few up to a tenth slower.
    """
    width, side = code.lanes.width, len(values)
    turn = side // 2 if many and width == 2 * side else side
    vectors = transpose(code, values, width, 1, turn)
    parts = [[_part(code, vector, k, side) for vector in vectors] for k in range(0, width, side)]
    return [state for part in parts for state in transpose(code, part, side, turn, side)]


def store_one(code: Code, rows: list[str], first: int, values: list[str]) -> None:
    """The same where all lanes are one state."""
    lanes, row = code.lanes, "poison"
    for k, value in enumerate(values):
        x = code.let(f"extractelement {lanes.vector} {value}, i32 0")
        row = code.let(f"insertelement {lanes.vector} {row}, {lanes.scalar} {x}, i32 {k}")
    code.do(f"store {lanes.vector} {row}, ptr {_at(code, rows[0], first)}, align {lanes.size}")


def transpose(code: Code, rows: list[str], width: int, half: int = 1, end: int | None = None) -> list[str]:
    """The columns of squares side by side, by log2(side) rounds of exchanges; a row of them has `width` entries.

    half, end: the distance of what is exchanged, in the first round and after the last
    """
    side = len(rows)
    while half < (side if end is None else end):
        low = [k for b in range(0, width, 2 * half) for k in (*range(b, b + half), *range(width + b, width + b + half))]
        high = [k + half for k in low]
        exchanged = list(rows)
        for i in range(side):
            if not i & half:
                exchanged[i] = _shuffle(code, rows[i], rows[i + half], width, low)
                exchanged[i + half] = _shuffle(code, rows[i], rows[i + half], width, high)
        rows, half = exchanged, 2 * half
    return rows


def _side(code: Code, count: int) -> int:
    """The largest power of two that is neither more than the entries nor more than the lanes."""
    return min(code.lanes.width, 1 << (count.bit_length() - 1)) if count else 1


def _chunks(count: int, side: int) -> list[int]:
    """Where chunks start."""
    starts = list(range(0, count - side + 1, side))
    return [*starts, count - side] if count % side else starts


def _join_vectors(code: Code, exchanged: list[str], side: int) -> str:
    """Vectors side by side as one."""
    while len(exchanged) > 1:
        lanes = list(range(2 * side))
        exchanged = [_shuffle(code, exchanged[k], exchanged[k + 1], side, lanes) for k in range(0, len(exchanged), 2)]
        side *= 2
    return exchanged[0]


def _part(code: Code, value: str, first: int, side: int) -> str:
    """`side` lanes of a vector."""
    width = code.lanes.width
    return value if side == width else _shuffle(code, value, "poison", width, list(range(first, first + side)))


def _gather(code: Code, rows: list[str]) -> str:
    """A vector of scalars, one per row."""
    lanes, vector = code.lanes, "poison"
    for lane, row in enumerate(rows):
        x = code.let(f"load {lanes.scalar}, ptr {row}, align {lanes.size}")
        vector = code.let(f"insertelement {lanes.vector} {vector}, {lanes.scalar} {x}, i32 {lane}")
    return vector


def _load(code: Code, row: str, first: int, side: int) -> str:
    lanes = code.lanes
    return code.let(f"load <{side} x {lanes.scalar}>, ptr {_at(code, row, first)}, align {lanes.size}")


def _shuffle(code: Code, a: str, b: str, side: int, lanes: list[int]) -> str:
    kind, mask = f"<{side} x {code.lanes.scalar}>", ", ".join(f"i32 {k}" for k in lanes)
    return code.let(f"shufflevector {kind} {a}, {kind} {b}, <{len(lanes)} x i32> <{mask}>")


def _at(code: Code, row: str, entry: int) -> str:
    return code.let(f"getelementptr i8, ptr {row}, i64 {entry * code.lanes.size}") if entry else row
