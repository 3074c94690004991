"""A log as it was recorded: time, positions and torques of every joint, perhaps velocities and accelerations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dynamis.apps.identification.logs.column_map import chosen_columns
from dynamis.apps.identification.logs.log_files import in_seconds, read_blocks
from dynamis.base.arguments import real_array
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError, literal, name_list

if TYPE_CHECKING:
    from dynamis.robot import Robot

PIECE_SAMPLES = 200_000
"""Samples at once: those of a seven-joint arm take 45 MB, and what filters make of them three times as much."""


@dataclass(frozen=True)
class Log:
    """Time [s] (samples,) and, (samples, n) each, what was measured in SI units: q, tau, and perhaps qd and qdd."""

    name: str
    t: Array
    q: Array
    tau: Array
    qd: Array | None = None
    qdd: Array | None = None
    currents: bool = False
    """Whether tau comes from motor currents."""

    def __len__(self) -> int:
        return len(self.t)

    def rows(self, which: Any) -> Log:
        """Some of the samples: a mask or a slice."""
        qd, qdd = (None if x is None else x[which] for x in (self.qd, self.qdd))
        return replace(self, t=self.t[which], q=self.q[which], tau=self.tau[which], qd=qd, qdd=qdd)


@dataclass(frozen=True)
class Recording:
    """A log of any length in pieces of at most `PIECE_SAMPLES` samples, so that it need not fit in memory."""

    first: Log
    rest: Callable[[], Iterator[Log]] = field(default=lambda: iter(()), compare=False)
    """The pieces after the first, read again at every call."""

    @property
    def name(self) -> str:
        """The name of the log."""
        return self.first.name

    def same(self, other: Recording) -> bool:
        """Whether both begin with the same samples."""
        a, b = self.first, other.first
        return all(np.array_equal(x, y, equal_nan=True) for x, y in ((a.t, b.t), (a.q, b.q), (a.tau, b.tau)))

    def pieces(self) -> Iterator[Log]:
        """The log, piece by piece."""
        yield self.first
        yield from self.rest()

    def changed(self, change: Callable[[Log], Log]) -> Recording:
        """The recording with every piece changed."""
        return Recording(change(self.first), lambda: map(change, self.rest()))


def read_logs(
    robot: Robot,
    data: Any,
    columns: Mapping[str, Any] | str | None = None,
    gains: Array | None = None,
    degrees: bool = False,
) -> list[Recording]:
    """The logs of `data`: a file, a DataFrame, a mapping of arrays, or a list of these.

    columns: which column is what (`column_map`)
    gains: torque over motor current of every coordinate [N m/A or N/A]
    degrees: angles are in degrees
    """
    if isinstance(data, str | Path | Mapping) or hasattr(data, "columns"):
        data = [data]
    if not isinstance(data, Iterable):
        raise ArgumentError(
            f"data must be a file, a DataFrame, a mapping of arrays or a list of these, got {literal(data)}", key="data"
        )
    logs = [_recording(robot, one, k, columns, gains, degrees) for k, one in enumerate(cast("Iterable[Any]", data), 1)]
    if not logs:
        raise ArgumentError("there is no log to identify from; give at least one", key="data")
    return logs


def _recording(
    robot: Robot, one: Any, number: int, columns: Mapping[str, Any] | str | None, gains: Array | None, degrees: bool
) -> Recording:
    if not isinstance(one, str | Path):
        name = f"log {number}"
        try:
            log = _from_table(robot, name, one, columns, gains, degrees)
        except DynamisError as error:
            raise error.at(name) from None
        starts = range(PIECE_SAMPLES, len(log), PIECE_SAMPLES)
        return Recording(
            log.rows(slice(PIECE_SAMPLES)), lambda: (log.rows(slice(k, k + PIECE_SAMPLES)) for k in starts)
        )

    def logs() -> Iterator[Log]:
        for table in read_blocks(one, PIECE_SAMPLES, columns):
            try:
                yield _from_table(robot, Path(one).name, table, columns, gains, degrees)
            except DynamisError as error:
                raise error.at(str(one)) from None

    few = list(itertools.islice(logs(), 2))
    return Recording(few[0], (lambda: itertools.islice(logs(), 1, None)) if len(few) > 1 else lambda: iter(()))


def _from_table(
    robot: Robot, name: str, table: Any, columns: Mapping[str, Any] | str | None, gains: Array | None, degrees: bool
) -> Log:
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        raise ArgumentError(
            f"a log must be a file, a DataFrame or a mapping of arrays, got {literal(table)}", key="data"
        )
    series = {str(key): _numbers(str(key), table[key]) for key in cast("Iterable[Any]", table)}
    chosen = chosen_columns(robot, series, columns)
    if "tau" not in chosen and "current" not in chosen:
        raise ArgumentError(
            f"the log has no torques of all {robot.n} joints; its columns are {name_list(list(series))}; name them "
            "(tau=...), or those of motor currents with drive gains (current=...)",
            key="columns",
        )
    currents = "tau" not in chosen
    if gains is not None and not currents:
        raise ArgumentError("the log has torques; drive gains are for motor currents (current=...)", key="gains")
    if currents and gains is None:
        raise ArgumentError(
            "the log has motor currents; give the drive gains [N m/A], one per joint, to make torques of them",
            key="gains",
        )
    tau = chosen["current"] * gains if gains is not None and currents else chosen["tau"]
    scale: Array = np.array([np.pi / 180 if degrees and x.unit == "N m" else 1.0 for x in robot.coordinates])
    motion = {key: chosen[key] * scale if degrees else chosen[key] for key in ("q", "qd", "qdd") if key in chosen}
    t = chosen["t"][:, 0]
    return Log(name, t, motion["q"], tau, motion.get("qd"), motion.get("qdd"), currents)


def _numbers(name: str, values: Any) -> Array:
    dates = getattr(getattr(values, "dtype", None), "kind", None) in ("m", "M")
    array = real_array(name, in_seconds(np.asarray(values)) if dates else values)
    if array is None or array.ndim not in (1, 2):
        raise ArgumentError(f"column {literal(name)} must hold numbers, got {literal(values)}", key="data")
    return array
