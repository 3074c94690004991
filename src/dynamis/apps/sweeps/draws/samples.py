"""States that are given as rows, in memory or in a file: a draw by index, as Sobol's sequence is one.

Rows stay where they are: a .npy file is mapped into memory, .csv and .parquet files are read in blocks into a temporary
file, which is mapped. All are read once at the start, for their digest, which is the same for equal numbers in any
format, and for what is not a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.logs.log_files import MAX_NUMBERS, read_blocks
from dynamis.apps.sweeps.draws.points import Draw, Points
from dynamis.apps.sweeps.draws.sample_columns import Heads, bound_columns
from dynamis.apps.sweeps.physical import check_physical
from dynamis.apps.sweeps.ranges import GIVEN, Ranges, ranges
from dynamis.base.arguments import one_or_more, real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError, FormatError, literal
from dynamis.base.toml_table import exists
from dynamis.motion.trajectories.array_files import map_npy, read_npz
from dynamis.robot import Robot

BLOCK_ROWS = 2**16
"""Rows that are read at once."""
FORMATS = (".npy", ".npz", ".csv", ".txt", ".tsv", ".parquet")


@dataclass(frozen=True)
class Samples(Draw):
    """Rows of states. `heads` are (name, columns) of a table with names; `names` those that the user gave."""

    heads: Heads = ()
    names: tuple[str, ...] = ()
    digest: str = ""
    width: int = 0
    picks: tuple[int, ...] = ()
    """The column of every dimension, known when there is a robot."""
    factors: tuple[float, ...] = ()
    """What takes each to SI units."""
    source: str = field(default="", compare=False, repr=False)
    file: str = field(default="", repr=False)
    """A .npy file, which other processes open by themselves; not in `repr`, as equal rows are the same sweep."""
    memory: Any = field(default=None, compare=False, repr=False)
    wrong: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """Of every column the first row that is not a finite number, or -1."""
    extremes: tuple[tuple[float, ...], ...] = field(default=(), compare=False, repr=False)
    """The least values of all columns, and the greatest."""

    def __str__(self) -> str:
        return f"samples({self.source})"

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in vars(self).items() if name not in ("memory", "_table")} | {"memory": None}

    @cached_property
    def _table(self) -> NDArray[Any]:
        if self.memory is not None:
            return self.memory
        try:
            table = map_npy(Path(self.file))
        except (OSError, FormatError) as error:
            raise ArgumentError(
                f"{literal(self.file)} cannot be read here ({error}); a .npy file must lie where all workers see it, "
                "all other samples are sent to them",
                key="draw",
            ) from None
        if table.shape != (self.count, self.width):
            raise ArgumentError(f"{literal(self.file)} is another file here than where the sweep began", key="draw")
        return table

    def rows(self, first: int, stop: int) -> Array:
        """The values of the dimensions in these rows."""
        rows = np.asarray(self._table[first:stop], np.float64)[:, list(self.picks)]
        return rows if set(self.factors) <= {1.0} else rows * np.array(self.factors)

    def ends(self, dimension: int) -> tuple[float, float]:
        """The least and the greatest value."""
        least, greatest = (side[self.picks[dimension]] * self.factors[dimension] for side in self.extremes)
        return least, greatest

    def points(self, dimensions: int) -> Points:
        """The rows as points, which are values already."""
        table = np.zeros((1, dimensions), np.uint64)
        return Points(self.count, "add", table, lambda blocks: blocks, (1.0,) * dimensions, self.rows)


def samples(source: Any, columns: Sequence[str] | None = None) -> Samples:
    """States that you have, one per row, as the draw of a sweep.

    Columns are named as in `over`: "q" and "qd" (one column per joint), "q.elbow", "payload.mass"; or as logs name them
    (q1, pos_1, ...). A unit in brackets is read: "q1 [deg]".

    source: an array, a DataFrame, a mapping of columns, or a .npy, .npz, .csv or .parquet file
    columns: the names, where the table has none; else which to take. A table without names is q, or q and qd, or q, qd
        and qdd, by its number of columns

    >>> import dynamis
    >>> robot = dynamis.load("bar-2r")
    >>> float(dynamis.sweep(robot, "gravity_torque", draw=samples([[0.0, 0.0], [1.0, 0.5]])).run()["max"][0].round(3))
    9.81
    """
    names = () if columns is None else tuple(map(str, one_or_more("columns", columns, "name")))
    path, heads = "", Heads()
    if isinstance(source, str | Path):
        said = literal(Path(source).name)
        try:
            heads, table = _from_file(Path(source))
        except DynamisError as error:
            raise error if str(source) in str(error) else error.at(str(source)) from None
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}").at(str(source)) from None
        path = str(Path(source).resolve()) if Path(source).suffix.lower() == ".npy" else ""
    elif isinstance(source, Mapping) or hasattr(source, "columns"):
        said = "table"
        heads, table = _join_columns({str(name): _column(str(name), source[name]) for name in cast("Any", source)})
    else:
        said, table = "array", real_values("samples", source)
    if table.ndim != 2 or not table.size:
        shape = " x ".join(map(str, table.shape))
        raise ArgumentError(f"samples must be a table with a row per state, got {shape or 'no'} numbers", key="draw")
    digest, wrong, extremes = _read_through(table)
    return Samples(
        "samples", len(table), heads=heads, names=names, digest=digest, width=table.shape[1], source=said, file=path,
        memory=table, wrong=wrong, extremes=extremes,
    )  # fmt: skip


def ranges_and_draw(robot: Robot, over: Mapping[Any, Any], draw: Draw) -> tuple[Ranges, Draw]:
    """What is swept, and the draw of it: samples bring their own dimensions."""
    if not isinstance(draw, Draw):  # type: ignore[redundant-expr]
        raise ArgumentError(
            f"draw must be sobol(n), grid(n), samples(...) or another draw, got {literal(draw)}", key="draw"
        )
    if not isinstance(draw, Samples):
        spans = replace(ranges(robot, over), tail=0.5 / max(draw.axis, draw.count))
        check_physical(robot, spans)
        return spans, draw
    if (others := ranges(robot, over)).dimensions:
        raise ArgumentError(
            f"over has a box or a distribution of {others.dimensions[0].label}; beside samples it has only numbers and "
            "lists of values",
            key="over",
        )
    keys = bound_columns(robot, draw.heads, draw.names, draw.width)
    places, factors = zip(*keys.values(), strict=True)
    if odd := [(key, draw.wrong[place]) for key, (place, _) in keys.items() if draw.wrong[place] >= 0]:
        key, row = min(odd, key=lambda x: x[1])
        raise ArgumentError(f"{key} is not a finite number in row {row + 1} of the samples", key="draw")
    spans, bound = ranges(robot, {**over, **dict.fromkeys(keys, GIVEN)}), replace(draw, picks=places, factors=factors)
    check_physical(robot, spans, bound.ends)
    return spans, bound


def _from_file(file: Path) -> tuple[Heads, NDArray[Any]]:
    kind = file.suffix.lower()
    if kind not in FORMATS:
        raise FormatError(f'"{kind}" is not a format of samples; give a .npy, .npz, .csv or .parquet file')
    if not exists(file) or not file.is_file():
        raise FormatError(f"there is no file {file.name}; samples come from a .npy, .npz, .csv or .parquet file")
    if kind == ".npy":
        return (), map_npy(file)
    if kind == ".npz":
        arrays = read_npz(file, None, MAX_NUMBERS, "a .npy file may have any number of them")
        return _join_columns({name: arrays.pop(name).astype(np.float64, copy=False) for name in list(arrays)})
    heads: Heads = ()
    with TemporaryFile() as stream:
        for columns in read_blocks(file, BLOCK_ROWS):
            heads, block = _join_columns(columns)
            stream.write(np.ascontiguousarray(block).data)
        count = stream.tell() // (8 * len(heads))
        stream.flush()
        table = np.memmap(stream, np.float64, "r", shape=(count, len(heads)))  # it keeps the file
    unnamed = [name for name, _ in heads] == [str(k + 1) for k in range(len(heads))]
    return () if unnamed else heads, table


def _column(name: str, values: Any) -> Array:
    column = real_values(name, values)
    if not column.size:
        raise ArgumentError(f"column {literal(name)} of the samples must be numbers, got {literal(values)}", key="draw")
    return column


def _join_columns(columns: Mapping[str, Array]) -> tuple[Heads, Array]:
    """Columns side by side: (name, how many)."""
    lengths = {name: len(x) if x.ndim else 0 for name, x in columns.items()}
    if len(set(lengths.values())) != 1 or any(x.ndim not in (1, 2) for x in columns.values()):
        each = ", ".join(f"{name} has {count}" for name, count in lengths.items())
        raise ArgumentError(f"all columns of samples need as many rows, but {each or 'there are none'}", key="draw")
    if not all(x.size for x in columns.values()):
        raise ArgumentError("samples have no rows, or a column has no numbers", key="draw")
    parts = [x.reshape(len(x), -1) for x in columns.values()]
    return tuple((name, x.shape[1]) for name, x in zip(columns, parts, strict=True)), np.concatenate(parts, 1)


def _read_through(table: NDArray[Any]) -> tuple[str, tuple[int, ...], tuple[tuple[float, ...], ...]]:
    """The digest of all numbers as float64, of every column the first row that is not finite, and the extremes."""
    digest, wrong = sha256(f"{table.shape}".encode()), np.full(table.shape[1], -1)
    least, greatest = np.full(table.shape[1], np.inf), np.full(table.shape[1], -np.inf)
    for first in range(0, len(table), BLOCK_ROWS):
        block = np.ascontiguousarray(table[first : first + BLOCK_ROWS], np.float64)
        digest.update(block.data)
        least, greatest = np.fmin(least, block.min(0)), np.fmax(greatest, block.max(0))
        if not (fine := np.isfinite(block)).all():
            found = np.where(fine.all(0), -1, first + (~fine).argmax(0))
            wrong = np.where(wrong < 0, found, wrong)
    return digest.hexdigest(), tuple(wrong.tolist()), (tuple(least.tolist()), tuple(greatest.tolist()))
