"""Tables of numbers from .csv, .parquet and .npz files, column by column."""

from __future__ import annotations

import csv
import itertools
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.logs.column_map import ALIASES
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, FormatError, literal
from dynamis.base.extras import import_extra
from dynamis.base.toml_table import exists
from dynamis.motion.trajectories.array_files import most_numbers, read_npz
from dynamis.motion.trajectories.table_lines import table_lines

BLOCK_CHARACTERS = 100_000_000
"""Characters that are read at once, or one line more."""
MAX_COLUMNS = 10_000
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
    empty = True
    try:
        blocks = iter([_from_npz(file, columns)]) if kind == ".npz" else _READERS.get(kind, _from_csv)(file, rows)
        for block in blocks:
            yield block
            empty = False
        if empty:
            raise FormatError("has no samples")
    except (FormatError, ArgumentError) as error:
        raise error.at(str(path)) from None
    except UnicodeDecodeError:
        raise FormatError("is not a text in UTF-8").at(str(path)) from None
    except csv.Error as error:
        raise FormatError(f"is not a CSV file: {error}").at(str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(str(path)) from None


def _from_csv(file: Path, rows: int) -> Iterator[dict[str, Array]]:
    with file.open("r", encoding="utf-8-sig") as stream:
        lines = table_lines(stream)
        first, skipped, comment = next(lines, ""), 1, ""
        while first and (not first.strip() or first.startswith("#")):
            comment = first.lstrip("# ") or comment
            first, skipped = next(lines, ""), skipped + 1
        if not first:
            raise FormatError("the file is empty; it has a line of names and a line for every sample")
        # Where columns are not separated by commas, these are decimal points.
        separator = next((sign for sign in ";\t|," if sign in first), None)
        head, above = _cells(first, separator), _cells(comment, separator)
        named = any(_number(cell) is None for cell in _cells(_points(first, separator), separator))
        # NumPy's savetxt writes the names as a comment.
        names = head if named else above if len(above) == len(head) else [str(k + 1) for k in range(len(head))]
        if len(names) > MAX_COLUMNS:
            raise FormatError(f"has {len(names)} columns; at most {MAX_COLUMNS} are read")
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            raise FormatError(f"column {literal(twice)} stands there twice")
        before = skipped - (not named)
        following = lines if named else itertools.chain([first], lines)
        while count := len(block := _block(following, rows)):
            table = _table([_points(line, separator) for line in block], separator, len(names), file, before)
            del block  # as long as the file perhaps
            if len(table):
                yield {name: table[:, k] for k, name in enumerate(names)}
            before += count


def _block(lines: Iterator[str], rows: int) -> list[str]:
    """The next lines, no more than `rows` and not many more than BLOCK characters."""
    block, size = list[str](), 0
    while len(block) < rows and size < BLOCK_CHARACTERS and (line := next(lines, "")):
        block.append(line)
        size += len(line)
    return block


def _cells(line: str, separator: str | None) -> list[str]:
    rows = csv.reader([line], delimiter=separator) if separator else [line.split()]
    return [cell.strip() for row in rows for cell in row]


def _points(line: str, separator: str | None) -> str:
    return line.replace(",", ".") if separator in (";", "\t", "|") else line


def _table(block: list[str], separator: str | None, count: int, file: Path, before: int) -> Array:
    """The numbers of lines, of which `before` came before them."""
    if not any(line.partition("#")[0].strip() for line in block):  # what loadtxt takes for comments is no row
        return np.zeros((0, count))
    try:
        table = np.loadtxt(block, delimiter=separator, ndmin=2)
    except ValueError:
        # A cell is empty or no number: slower, line by line, with the place of what is wrong.
        cells = csv.reader(block, delimiter=separator) if separator else map(str.split, block)
        values = array("d")
        for row in _lines(cells, count, file, before):
            values.extend(row)
        table = np.frombuffer(values).reshape(-1, count)
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
    parquet = import_extra("pyarrow.parquet", "Parquet needs", "report")
    try:
        # By default pyarrow reads all row groups ahead, and keeps them.
        with parquet.ParquetFile(str(file), pre_buffer=False, buffer_size=1 << 20) as table:
            _check_growth(file, table.metadata)
            for batch in table.iter_batches(batch_size=rows):
                names = [str(name) for name in batch.schema.names]
                yield {name: in_seconds(np.asarray(batch.column(k))) for k, name in enumerate(names)}
    except FormatError:
        raise
    except Exception as error:
        # pyarrow's errors have many classes, and those of a damaged file are ours to tell.
        raise FormatError(f"is not a Parquet file of numbers: {error}") from None


def _check_growth(file: Path, promised: Any) -> None:
    """A Parquet file is read in pieces, but a small one may have no end, or one piece larger than memory."""
    sizes = [promised.row_group(k).total_byte_size for k in range(promised.num_row_groups)]
    most = most_numbers(file, 10**18)
    if promised.num_columns > MAX_COLUMNS:
        raise FormatError(f"has {promised.num_columns} columns; at most {MAX_COLUMNS} are read")
    if max(promised.num_rows * promised.num_columns, sum(sizes) // 8) > most:
        raise FormatError(f"has more than {most} numbers, many more than its size is for; save it as .csv or .npy")


_READERS: dict[str, Callable[[Path, int], Iterator[dict[str, Array]]]] = {".parquet": _from_parquet}


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
    return {name: arrays.pop(name).astype(np.float64, copy=False) for name in list(arrays)}


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
