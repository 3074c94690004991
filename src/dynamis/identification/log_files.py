"""Tables of numbers from .csv, .parquet and .npz files, column by column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import ArgumentError, FormatError, literal
from dynamis.identification.column_map import ALIASES
from dynamis.motion.trajectories.array_files import read_npz
from dynamis.toml_table import exists, read_text

MAX_BYTES = 2_000_000_000
FORMATS = (".csv", ".txt", ".tsv", ".parquet", ".npz")


def read_table(path: str | Path, columns: Mapping[str, Any] | str | None = None) -> dict[str, Array]:
    """The columns of a file by their names; a table without names has 1, 2, ..."""
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in FORMATS:
        raise FormatError(f'"{kind}" is not a format of logs; give a .csv, .parquet or .npz file').at(str(path))
    if not exists(file) or not file.is_file():
        raise FormatError(f"there is no file {file.name}; a log is a .csv, .parquet or .npz file").at(str(path))
    try:
        if kind == ".parquet":
            return _from_parquet(file)
        return _from_npz(file, columns) if kind == ".npz" else _from_csv(file)
    except (FormatError, ArgumentError) as error:
        raise error.at(str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(str(path)) from None


def _from_csv(file: Path) -> dict[str, Array]:
    text = read_text(file, MAX_BYTES)
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not first:
        raise FormatError("the file is empty; it has a line of names and a line for every sample")
    separator = max(",;\t", key=first.count)
    separator = separator if separator in first else None
    head = next(csv.reader([first], delimiter=separator)) if separator else first.split()
    named = any(_number(cell) is None for cell in head)
    names = [cell.strip() for cell in head] if named else [str(k + 1) for k in range(len(head))]
    try:
        table = np.loadtxt(io.StringIO(text), delimiter=separator, skiprows=int(named), ndmin=2)
    except ValueError:
        # A cell is empty or no number: slower, line by line, with the place of what is wrong.
        rows = list(
            csv.reader(text.splitlines(), delimiter=separator) if separator else map(str.split, text.splitlines())
        )
        table = np.array(list(_lines(rows, named, len(names), file)), dtype=np.float64).reshape(-1, len(names))
    if table.shape[1] != len(names):
        raise FormatError(f"the first line has {len(names)} values; the others have {table.shape[1]}")
    return _by_name(names, table)


def _lines(rows: Iterable[list[str]], named: bool, count: int, file: Path) -> Iterable[list[float]]:
    skip = named
    for line, row in enumerate(rows, 1):
        if not any(cell.strip() for cell in row):
            continue
        if skip:
            skip = False
            continue
        if len(row) != count:
            raise FormatError(f"the line has {len(row)} values; the others have {count}").at(str(file), line)
        values = [_number(cell) for cell in row]
        wrong = next((cell for cell, value in zip(row, values, strict=True) if value is None), None)
        if wrong is not None:
            raise FormatError(f"{literal(wrong.strip())} is not a number").at(str(file), line)
        yield [value if value is not None else np.nan for value in values]


def _from_parquet(file: Path) -> dict[str, Array]:
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise ArgumentError('Parquet needs pyarrow: pip install "dynamis[report]"') from None
    try:
        table = parquet.read_table(str(file))
        names = [str(name) for name in table.column_names]
        return {name: np.asarray(table.column(name), dtype=np.float64) for name in names}
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


def _by_name(names: list[str], table: Array) -> dict[str, Array]:
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise FormatError(f"column {literal(twice)} stands there twice")
    return {name: table[:, k] for k, name in enumerate(names)}


def _number(cell: str) -> float | None:
    """NaN for an empty cell, None for what is no number."""
    try:
        return float(cell) if cell.strip() else np.nan
    except ValueError:
        return None
