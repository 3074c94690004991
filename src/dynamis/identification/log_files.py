"""Tables of numbers from .csv, .parquet and .npz files, column by column."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import ArgumentError, FormatError, literal
from dynamis.identification.column_map import ALIASES
from dynamis.motion.trajectories.array_files import read_npz
from dynamis.toml_table import exists

MAX_LINE = 1_000_000
"""Characters: a table of 40 000 columns."""
FORMATS = (".csv", ".txt", ".tsv", ".parquet", ".npz")


def read_blocks(
    path: str | Path, rows: int, columns: Mapping[str, Any] | str | None = None
) -> Iterator[dict[str, Array]]:
    """The columns of a file by their names, block by block of `rows` rows; a table without names has 1, 2, ...

    A .npz file, whose arrays lie one after another, is one block.
    """
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in FORMATS:
        raise FormatError(f'"{kind}" is not a format of logs; give a .csv, .parquet or .npz file').at(str(path))
    if not exists(file) or not file.is_file():
        raise FormatError(f"there is no file {file.name}; a log is a .csv, .parquet or .npz file").at(str(path))
    try:
        if kind == ".parquet":
            yield from _from_parquet(file, rows)
        elif kind == ".npz":
            yield _from_npz(file, columns)
        else:
            yield from _from_csv(file, rows)
    except (FormatError, ArgumentError) as error:
        raise error.at(str(path)) from None
    except UnicodeDecodeError:
        raise FormatError("is not a text in UTF-8").at(str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(str(path)) from None


def _from_csv(file: Path, rows: int) -> Iterator[dict[str, Array]]:
    with file.open("r", encoding="utf-8-sig") as lines:
        first = _line(lines)
        skipped = 1
        while first and not first.strip():
            first, skipped = _line(lines), skipped + 1
        if not first:
            raise FormatError("the file is empty; it has a line of names and a line for every sample")
        separator = max(",;\t", key=first.count)
        separator = separator if separator in first else None
        head = next(csv.reader([first], delimiter=separator)) if separator else first.split()
        named = any(_number(cell) is None for cell in head)
        names = [cell.strip() for cell in head] if named else [str(k + 1) for k in range(len(head))]
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        if twice is not None:
            raise FormatError(f"column {literal(twice)} stands there twice")
        before = skipped - (not named)
        ahead = [_line(lines) if named else first]
        if not ahead[0]:
            raise FormatError("has no samples after its line of names")
        while block := [*ahead, *itertools.islice(iter(lambda: _line(lines), ""), rows - len(ahead))]:
            table = _table(block, separator, len(names), file, before)
            if len(table):
                yield {name: table[:, k] for k, name in enumerate(names)}
            ahead, before = [], before + len(block)


def _line(lines: IO[str]) -> str:
    """The next line, with its end; empty after the last one."""
    line = lines.readline(MAX_LINE)
    if len(line) == MAX_LINE:
        raise FormatError(f"has a line of more than {MAX_LINE} characters; it is not a table")
    return line


def _table(block: list[str], separator: str | None, count: int, file: Path, before: int) -> Array:
    """The numbers of lines, of which `before` came before them."""
    if not any(line.strip() for line in block):
        return np.zeros((0, count))
    try:
        table = np.loadtxt(block, delimiter=separator, ndmin=2)
    except ValueError:
        # A cell is empty or no number: slower, line by line, with the place of what is wrong.
        cells = list(csv.reader(block, delimiter=separator) if separator else map(str.split, block))
        table = np.array(list(_lines(cells, count, file, before)), dtype=np.float64).reshape(-1, count)
    if table.shape[1] != count:
        raise FormatError(f"the first line has {count} values; the others have {table.shape[1]}")
    return table


def _lines(rows: Iterable[list[str]], count: int, file: Path, before: int) -> Iterable[list[float]]:
    for line, row in enumerate(rows, before + 1):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != count:
            raise FormatError(f"the line has {len(row)} values; the others have {count}").at(str(file), line)
        values = [_number(cell) for cell in row]
        wrong = next((cell for cell, value in zip(row, values, strict=True) if value is None), None)
        if wrong is not None:
            raise FormatError(f"{literal(wrong.strip())} is not a number").at(str(file), line)
        yield [value if value is not None else np.nan for value in values]


def _from_parquet(file: Path, rows: int) -> Iterator[dict[str, Array]]:
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise ArgumentError('Parquet needs pyarrow: pip install "dynamis[report]"') from None
    try:
        # By default pyarrow reads all row groups ahead, and keeps them.
        with parquet.ParquetFile(str(file), pre_buffer=False, buffer_size=1 << 20) as table:
            for batch in table.iter_batches(batch_size=rows):
                names = [str(name) for name in batch.schema.names]
                yield {name: np.asarray(batch.column(k), dtype=np.float64) for k, name in enumerate(names)}
    except Exception as error:
        # pyarrow's errors have many classes, and those of a damaged file are ours to tell.
        raise FormatError(f"is not a Parquet file of numbers: {error}") from None


def _from_npz(file: Path, columns: Mapping[str, Any] | str | None) -> dict[str, Array]:
    own = (
        [part.partition("=")[2] for part in columns.split()]
        if isinstance(columns, str)
        else [*(columns or {}).values()]
    )
    names = [name for name in own if isinstance(name, str)]
    names += [name for names in ALIASES.values() for name in names]
    arrays = read_npz(file, tuple(dict.fromkeys(names)))
    if not arrays:
        raise FormatError("has no array with a usual name; it has t, q and tau, and perhaps qd and qdd")
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def _number(cell: str) -> float | None:
    """NaN for an empty cell, None for what is no number."""
    try:
        return float(cell) if cell.strip() else np.nan
    except ValueError:
        return None
