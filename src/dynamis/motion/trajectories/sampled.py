"""A trajectory from samples: rows of t, q and, where they are there, qd and qdd.

Between the samples stands a spline, and its derivatives are exact; what it takes from the samples is said:

    t, q           cubic spline (C2); its end velocities are those of the quartics through the first and last five
    t, q, qd       cubic Hermite pieces: velocities are met, accelerations jump at the samples
    t, q, qd, qdd  quintic Hermite pieces: velocities and accelerations are met
"""

from __future__ import annotations

import csv
import math
import re
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, FormatError, literal, name_list
from dynamis.base.toml_table import exists
from dynamis.motion.trajectories.array_files import HINT, MAX_VALUES, read_npy, read_npz
from dynamis.motion.trajectories.piecewise import JointTrajectory
from dynamis.motion.trajectories.polynomials import hermite_trajectory
from dynamis.motion.trajectories.spline import knot_times, through, waypoint_array
from dynamis.motion.trajectories.table_lines import table_lines
from dynamis.motion.trajectories.trajectory import MotionError

_JOINT = re.compile(r"q[0-9]+")
UNITS = ("s", "rad", "m", "rad/s", "m/s", "rad/s^2", "m/s^2")
_DIFFERENTIATION = {
    1: "q is sampled: qd and qdd are the exact derivatives of the cubic spline through the samples",
    2: "q and qd are sampled: qdd is the exact derivative of the cubic Hermite pieces, and jumps at the samples",
    3: "q, qd and qdd are sampled: between the samples they follow quintic Hermite pieces",
}


def sampled(
    times: ArrayLike, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None
) -> JointTrajectory:
    """The trajectory through samples q (k, n) at increasing `times` [s]; `.differentiation` says what qd and qdd are.

    The first time becomes 0.

    >>> t = np.linspace(0.0, 1.0, 101)
    >>> moving = sampled(t, np.sin(t)[:, None])
    >>> bool(abs(moving.at(0.505)[2][0] + np.sin(0.505)) < 1e-4)
    True
    """
    if qd is None and qdd is not None:
        raise ArgumentError("qdd is given without qd; give both, or q alone", key="qdd")
    points = waypoint_array(q)
    try:
        with np.errstate(all="ignore"):  # what overflows is not computable
            return _through_samples(points, knot_times(times, len(points)), qd, qdd).computable()
    except (np.linalg.LinAlgError, MotionError):
        raise ArgumentError(
            "no spline in double precision goes through the samples; their times are too close to each other, or their "
            "values too large",
            key="times",
        ) from None


def _through_samples(points: Array, t: Array, qd: ArrayLike | None, qdd: ArrayLike | None) -> JointTrajectory:
    if qd is None:
        v0, v1 = end_slope(t[:5], points[:5], 0), end_slope(t[-5:], points[-5:], -1)
        cubic = through(points, t, 3, v0, v1)
        return JointTrajectory("sampled", cubic.profiles, _DIFFERENTIATION[1])
    D = [points, _same("qd", qd, points), *([] if qdd is None else [_same("qdd", qdd, points)])]
    return hermite_trajectory("sampled", np.stack(D, axis=1), t, _DIFFERENTIATION[len(D)])


def sampled_file(path: str | Path) -> JointTrajectory:
    """The trajectory of a .csv, .npy or .npz file.

    A CSV file has a line of names, t, q1 ... qn and perhaps qd1 ... qdn and qdd1 ... qddn (in any order), or no names
    and t, q1 ... qn; a name may have its unit, `q1 [rad]`. A .npy file is a table like a CSV file without names; a .npz
    file has the arrays t, q and perhaps qd and qdd.
    """
    file = Path(path)
    if not exists(file) or not file.is_file():
        raise FormatError(f"there is no file {file.name}; a trajectory comes from a .csv, .npy or .npz file").at(
            str(path)
        )
    readers = {".csv": _from_csv, ".npy": _from_npy, ".npz": _from_npz}
    if file.suffix.lower() not in readers:
        raise FormatError(f'"{file.suffix}" is not a format of samples; give a .csv, .npy or .npz file').at(str(path))
    try:
        return readers[file.suffix.lower()](file)
    except (FormatError, ArgumentError) as error:
        raise error.at(str(path)) from None
    except UnicodeDecodeError:
        raise FormatError("is not a text in UTF-8").at(str(path)) from None
    except csv.Error as error:
        raise FormatError(f"is not a CSV file: {error}").at(str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}").at(str(path)) from None


def _from_csv(file: Path) -> JointTrajectory:
    names: list[str] = []
    values = array("d")
    when, before = -1, -math.inf
    with file.open("r", encoding="utf-8-sig") as stream:
        reader = csv.reader(table_lines(stream))
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not names:
                head = [cell.strip() for cell in row]
                has_names = any(not _is_number(cell) for cell in head)
                names = [_without_unit(cell) for cell in head] if has_names else _names(len(head))
                when = names.index("t") if "t" in names else -1
                if has_names:
                    continue
            _append(values, row, len(names), f"{file}", reader.line_num)
            t = values[when - len(names)] if when >= 0 else math.nan
            if t <= before:
                raise FormatError(f"t is {t:g} s, after {before:g} s on the line before; times increase").at(
                    str(file), reader.line_num
                )
            before = t
    if not names:
        raise FormatError("the file is empty; it has a line t, q1, ... and a line for every sample")
    return _from_table(names, np.frombuffer(values).reshape(-1, len(names)))


def _without_unit(head: str) -> str:
    """The name of a column; `q1 [rad]` is q1."""
    name, bracket, unit = head.partition(" [")
    if bracket and unit.removesuffix("]") not in UNITS:
        raise FormatError(f"column {literal(head)} is not in {name_list(UNITS)}")
    return name


def _append(values: array[float], row: Sequence[str], count: int, file: str, line: int) -> None:
    """One line of numbers."""
    if len(row) != count:
        raise FormatError(f"the line has {len(row)} values; the others have {count}").at(file, line)
    wrong = next((cell for cell in row if not _is_number(cell)), None)
    if wrong is not None:
        comma = "; values are separated by commas, and decimals have a point" if ";" in wrong else ""
        raise FormatError(f"{literal(wrong.strip())} is not a number{comma}").at(file, line)
    if len(values) + count > MAX_VALUES:
        raise FormatError(f"has more than {MAX_VALUES} numbers; {HINT}").at(file, line)
    values.extend(map(float, row))


def _from_npy(file: Path) -> JointTrajectory:
    table = read_npy(file)
    if table.ndim != 2 or table.shape[1] < 2:
        raise FormatError("the array is not a table of numbers; its columns are t, q1, ..., qn")
    return _from_table(_names(table.shape[1]), table.astype(np.float64))


def _from_npz(file: Path) -> JointTrajectory:
    arrays = read_npz(file, ("t", "q", "qd", "qdd"))
    missing = [name for name in ("t", "q") if name not in arrays]
    if missing:
        raise FormatError(f"the file has no array {missing[0]}; it has t and q, and perhaps qd and qdd")
    return sampled(arrays["t"], arrays["q"], arrays.get("qd"), arrays.get("qdd"))


def _names(columns: int) -> list[str]:
    """The names of the columns of a table without a line of names."""
    return ["t", *(f"q{j + 1}" for j in range(columns - 1))]


def _from_table(names: Sequence[str], table: Array) -> JointTrajectory:
    columns = {name: k for k, name in enumerate(names)}
    if "t" not in columns:
        raise FormatError(f"the columns are {name_list(names)}; one is t, the time [s]")
    parts: dict[str, Array] = {}
    n = sum(bool(_JOINT.fullmatch(name)) for name in names)
    for part in ("q", "qd", "qdd"):
        heads = [f"{part}{j + 1}" for j in range(n)]
        if part == "q" or any(name in columns for name in heads):
            absent = next((name for name in heads if name not in columns), None)
            if absent or not n:
                raise FormatError(f"there is no column {absent or 'q1'}; the columns are {name_list(names)}")
            parts[part] = table[:, [columns[name] for name in heads]]
    allowed = {"t", *(f"{part}{j + 1}" for part in parts for j in range(n))}
    if other := next((name for name in names if name not in allowed), None):
        raise FormatError(f"unknown column {literal(other)}; columns are t, q1 ..., qd1 ..., qdd1 ...")
    if len(columns) != len(names):
        raise FormatError(f"a column stands there twice: {name_list(names)}")
    return sampled(table[:, columns["t"]], **parts)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _same(name: str, values: Any, q: Array) -> Array:
    array = real_values(name, values)
    if array.shape != q.shape or not np.isfinite(array).all():
        raise ArgumentError(
            f"{name} must be finite and have the shape of q, {q.shape}, got shape {array.shape}", key=name
        )
    return array


def end_slope(t: Array, q: Array, end: int) -> Array:
    """The slope at an end of the polynomial through a few points."""
    u = (t - t[end]) / (t[-1] - t[0])
    return np.linalg.solve(np.vander(u, increasing=True), q)[1] / (t[-1] - t[0])
