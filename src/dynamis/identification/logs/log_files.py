"""Tables of numbers from .csv, .parquet and .npz files, column by column."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.errors import ArgumentError, FormatError, literal
from dynamis.extras import imported
from dynamis.identification.logs.column_map import ALIASES
from dynamis.motion.trajectories.array_files import read_npz
from dynamis.toml_table import exists

MAX_LINE = 1_000_000
"""Characters: a table of 40 000 columns."""
MAX_NUMBERS = 100_000_000
"""Of a .npz file, which is read at once: 800 MB."""
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
        first, skipped, comment = _line(lines), 1, ""
        while first and (not first.strip() or first.startswith("#")):
            comment = first.lstrip("# ") or comment
            first, skipped = _line(lines), skipped + 1
        if not first:
            raise FormatError("the file is empty; it has a line of names and a line for every sample")
        # Where columns are not separated by commas, these are decimal points.
        separator = next((sign for sign in ";\t|," if sign in first), None)
        head, above = _cells(first, separator), _cells(comment, separator)
        named = any(_number(cell) is None for cell in _cells(_points(first, separator), separator))
        # NumPy's savetxt writes the names as a comment.
        names = head if named else above if len(above) == len(head) else [str(k + 1) for k in range(len(head))]
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        if twice is not None:
            raise FormatError(f"column {literal(twice)} stands there twice")
        before = skipped - (not named)
        ahead = [_line(lines) if named else first]
        if not ahead[0]:
            raise FormatError("has no samples after its line of names")
        while block := [*ahead, *itertools.islice(iter(lambda: _line(lines), ""), rows - len(ahead))]:
            table = _table([_points(line, separator) for line in block], separator, len(names), file, before)
            if len(table):
                yield {name: table[:, k] for k, name in enumerate(names)}
            ahead, before = [], before + len(block)


def _cells(line: str, separator: str | None) -> list[str]:
    rows = csv.reader([line], delimiter=separator) if separator else [line.split()]
    return [cell.strip() for row in rows for cell in row]


def _points(line: str, separator: str | None) -> str:
    return line.replace(",", ".") if separator in (";", "\t", "|") else line


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
        raise FormatError(_unequal("the lines after the first", table.shape[1], "the first", count, "have", "has"))
    return table


def _unequal(these: str, count: int, others: str, expected: int, have: str = "has", has: str = "have") -> str:
    hint = "; where a comma is the decimal point, semicolons separate columns" if count > expected else ""
    return f"{these} {have} {count} values; {others} {has} {expected}{hint}"


def _lines(rows: Iterable[list[str]], count: int, file: Path, before: int) -> Iterable[list[float]]:
    for line, row in enumerate(rows, before + 1):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != count:
            raise FormatError(_unequal("the line", len(row), "the others", count)).at(str(file), line)
        values = [_number(cell) for cell in row]
        wrong = next((cell for cell, value in zip(row, values, strict=True) if value is None), None)
        if wrong is not None:
            raise FormatError(f"{literal(wrong.strip())} is not a number").at(str(file), line)
        yield [value if value is not None else np.nan for value in values]


def _from_parquet(file: Path, rows: int) -> Iterator[dict[str, Array]]:
    parquet = imported("pyarrow.parquet", "Parquet needs", "report")
    try:
        # By default pyarrow reads all row groups ahead, and keeps them.
        with parquet.ParquetFile(str(file), pre_buffer=False, buffer_size=1 << 20) as table:
            for batch in table.iter_batches(batch_size=rows):
                names = [str(name) for name in batch.schema.names]
                yield {name: in_seconds(np.asarray(batch.column(k))) for k, name in enumerate(names)}
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
    arrays = read_npz(file, tuple(dict.fromkeys(names)), MAX_NUMBERS, ".csv and .parquet files are read in pieces")
    if not arrays:
        raise FormatError(
            "none of its arrays is called t, q, tau, qd or qdd; name them with a column map such as "
            '"t=stamps q=angles tau=torques"'
        )
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def in_seconds(values: NDArray[Any]) -> Array:
    """Floats; of dates and durations seconds."""
    if values.dtype.kind not in "mM":
        return np.asarray(values, dtype=np.float64)
    start = np.datetime64(0, "ns") if values.dtype.kind == "M" else np.timedelta64(0, "ns")
    return (values - start) / np.timedelta64(1, "s")


def _number(cell: str) -> float | None:
    """NaN for an empty cell, None for what is no number."""
    try:
        return float(cell) if cell.strip() else np.nan
    except ValueError:
        return None
