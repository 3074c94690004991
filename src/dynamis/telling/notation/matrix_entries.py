"""The entries of a matrix: their names, and which of them stand in a matrix of limited width only by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dynamis.scalars.exact.ring import Exact
from dynamis.telling.formula import Sym, index
from dynamis.telling.symbols import M, R, Y, christoffel, christoffel_matrix, link_transform, m, transform

Places = frozenset[tuple[int, int]]
"""Entries of a matrix by row and column, from 0."""
_POSES = (transform.meaning, link_transform.meaning, R.meaning)
"""Matrices that are not meant to be symmetric: if one happens to be, all of its entries are written."""


def rows_of(value: list[Exact] | list[list[Exact]]) -> list[list[Exact]]:
    """A vector is a column."""
    return [row if isinstance(row, list) else [row] for row in value]


def is_symmetric(left: Sym, rows: list[list[Exact]]) -> bool:
    """Whether the lower half of a matrix repeats the upper one."""
    return left.meaning not in _POSES and rows == [list(column) for column in zip(*rows, strict=True)]


def entry_symbol(left: Sym, i: int, j: int | None, axes: str = "xyz") -> Sym:
    """v_c2,x of a vector along axes, M_12 of a matrix, Y_1,mx2 of joint 1 and a parameter, c_1 of others.

    The entries of a Christoffel matrix C_k are the Christoffel symbols c_ijk.
    """
    if left.meaning == christoffel_matrix.meaning and j is not None:
        return christoffel.at(index(i + 1, j + 1, int(left.index)))
    if left.meaning == Y.meaning:
        return left.at(f"{i + 1},{left.index}")
    place = str(i + 1) if j is None else f"{i + 1}{j + 1}" if max(i, j) < 9 else f"{i + 1},{j + 1}"
    if j is None and left.index and i < len(axes):
        place = axes[i]
    symbol = m if left == M else replace(left, transposed=False, bold=False)
    return symbol.at(f"{left.index},{place}" if left.index else place)


def with_names(cells: list[list[str]], names: list[list[str]], places: Places) -> list[list[str]]:
    """The cells with names at some places."""
    return [[names[i][j] if (i, j) in places else cell for j, cell in enumerate(row)] for i, row in enumerate(cells)]


def few_names(
    sizes: Sequence[Sequence[float]], names: Sequence[Sequence[float]], excess: float, symmetric: bool
) -> Places | None:
    """Which entries, by the widths of all and of their names, are named so that a matrix is narrower by `excess`.

    Column by column those whose names save most width each; None where all names save too little.

    >>> sorted(few_names([[9, 30], [2, 20]], [[3, 3], [3, 3]], 12, False))
    [(0, 1), (1, 1)]
    """
    columns = [list(column) for column in zip(*sizes, strict=True)]
    places: set[tuple[int, int]] = set()
    while excess > 0:
        choices: list[tuple[float, int, list[int]]] = []
        for j, column in enumerate(columns):
            for least in {size for i, size in enumerate(column) if size > names[i][j]}:
                rows = [i for i, size in enumerate(column) if size >= least]
                rest = max(names[i][j] if i in rows else size for i, size in enumerate(column))
                choices.append(((max(column) - rest) / len(rows), j, rows))
        if not choices or max(choices)[0] <= 0:
            return None
        saving, j, rows = max(choices)
        excess -= saving * len(rows)
        for i in rows:
            columns[j][i] = names[i][j]
        places.update((i, j) for i in rows)
    return frozenset(places | {(j, i) for i, j in places}) if symmetric else frozenset(places)
