"""Values over time as files: columns by their names with units, as CSV, as Parquet, and as plain data for JSON."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.extras import import_extra
from dynamis.base.provenance import Provenance
from dynamis.base.writing import atomic_write, text_file, write_text

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
ROWS_PER_WRITE = 65536
"""Rows that are written at once: 20 columns of them take 10 MB."""


def numbered_columns(name: str, values: Array, units: Sequence[str]) -> dict[str, Array]:
    """Columns `name1 [unit]`, `name2 [unit]`, ... of values (samples, n)."""
    return {f"{name}{j + 1} [{unit}]": values[:, j] for j, unit in enumerate(units)}


def motion_columns(lengths: Sequence[str], *orders: Array) -> dict[str, Array]:
    """Columns of q and its first derivatives (samples, n), as many as are given; `lengths` are the units of q.

    >>> list(motion_columns(["rad"], np.zeros((2, 1)), np.zeros((2, 1))))
    ['q1 [rad]', 'qd1 [rad/s]']
    """
    columns: dict[str, Array] = {}
    for (name, per), values in zip((("q", ""), ("qd", "/s"), ("qdd", "/s^2")), orders, strict=False):
        columns |= numbered_columns(name, values, [f"{length}{per}" for length in lengths])
    return columns


def write_csv(path: str | Path, columns: Mapping[str, Array]) -> None:
    """One row per sample under one header; numbers in full precision."""
    _check(columns)
    series = list(columns.values())
    with text_file(path) as file:
        writer = csv.writer(file)
        writer.writerow(map(text_cell, columns))
        for a in range(0, len(series[0]), ROWS_PER_WRITE):
            writer.writerows(np.column_stack([values[a : a + ROWS_PER_WRITE] for values in series]).tolist())


def _check(columns: Mapping[str, Array]) -> None:
    if not columns:
        raise ArgumentError("the result has no series to write; to_json writes what it has")


def text_cell(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula: one that begins like one gets an apostrophe.

    >>> [text_cell(text) for text in ("=cmd|' /C calc'!A0 [N]", "-q1", "q1 [rad]")]
    ["'=cmd|' /C calc'!A0 [N]", "'-q1", 'q1 [rad]']
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_parquet(path: str | Path, columns: Mapping[str, Array], provenance: Provenance | None = None) -> None:
    """One row per sample, one column per series; without pyarrow it says how to install it.

    The metadata of the schema has where the file comes from, as JSON under "dynamis".
    """
    _check(columns)
    arrow, parquet = (import_extra(name, "Parquet needs", "report") for name in ("pyarrow", "pyarrow.parquet"))
    data = {name: np.ascontiguousarray(values) for name, values in columns.items()}
    with atomic_write(path) as place:
        metadata = None if provenance is None else {"dynamis": json.dumps(provenance.as_dict())}
        parquet.write_table(arrow.table(data).replace_schema_metadata(metadata), str(place))


def json_text(data: Any, path: str | Path | None = None) -> str:
    """The data as JSON, also written to `path`; what is not finite is null."""
    text = json.dumps(plain(data), indent=2, allow_nan=False)
    if path is not None:
        write_text(path, text)
    return text


def plain(value: Any) -> Any:
    """Data of dicts, sequences, arrays and numbers as JSON has them.

    >>> plain({"a": np.array([1.0, np.nan]), "b": (True, None)})
    {'a': [1.0, None], 'b': [True, None]}
    """
    if isinstance(value, np.ndarray | np.generic):
        return plain(cast(Any, value).tolist())
    if isinstance(value, Mapping):
        mapping = cast("Mapping[Any, Any]", value)
        return {str(key): plain(entry) for key, entry in mapping.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in cast("list[Any]", value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
