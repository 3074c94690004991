"""Which column of a log is what: time, positions, velocities, accelerations, torques or currents of every joint.

A map gives for each of t, q, qd, qdd, tau and current its columns, in the order of the joints: names, names with *, or
numbers from 1 and ranges of them, as `cut -f` has them. As text:

    t=time q=pos_* tau=effort_*          t=1 q=2-7 qd=8-13 current=14-19

Without a map the usual names are known: t or time, q1 ..., qd1 or dq1 ..., tau1, torque1 or effort1 ..., current1 ...;
from 0 or from 1, with _ or without, or with the names of the joints instead of numbers. A unit in brackets after a name
is read: deg, deg/s, ms, us, ns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, check_name, literal, name_list

if TYPE_CHECKING:
    from dynamis.robot import Robot

ALIASES = {
    "t": ("t", "time", "timestamp", "stamp", "secs", "seconds"),
    "q": ("q", "pos", "position", "positions", "joint_position", "actual_q"),
    "qd": ("qd", "dq", "vel", "velocity", "velocities", "qdot", "joint_velocity", "actual_qd"),
    "qdd": ("qdd", "ddq", "acc", "acceleration", "accelerations", "qddot", "joint_acceleration"),
    "tau": ("tau", "torque", "torques", "effort", "efforts", "joint_torque", "force"),
    "current": ("current", "currents", "i", "motor_current", "actual_current"),
}
"""The usual names of columns."""
_UNITS = {"deg": np.pi / 180, "deg/s": np.pi / 180, "deg/s^2": np.pi / 180, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_HEAD = re.compile(r"^\s*(.*?)\s*(?:\[([^\]]*)\]|\(([^)]*)\))?\s*$")
_PART = re.compile(r"^(\d+)(?:-(\d+))?$")


def chosen_columns(
    robot: Robot, table: Mapping[str, Array], columns: Mapping[str, Any] | str | None
) -> dict[str, Array]:
    """t (k, 1), q, tau or current, and qd and qdd where they are there: (k, n), in SI units."""
    n, names = robot.n, list(table)
    wanted = _parse_map(columns) if isinstance(columns, str) else dict(columns or {})
    for key in wanted:
        check_name("key of a column map", key, ALIASES, key="columns")
    chosen: dict[str, Array] = {}
    for key in ALIASES:
        if key in wanted:
            heads = _match_heads(key, wanted[key], names)
        elif not columns or key == "t":
            heads = usual_columns(robot, key, names)
        else:
            continue
        if not heads:
            continue
        parts = [table[head] if (by := in_si(head)) == 1 else table[head] * by for head in heads]
        values = np.column_stack([part if part.ndim > 1 else part[:, None] for part in parts])
        if values.shape[1] != (1 if key == "t" else n):
            if len(values) == n:
                raise ArgumentError(
                    f"{key} has {n} rows and {values.shape[1]} columns; a log has one row per sample: transpose it",
                    key="data",
                )
            raise ArgumentError(
                f'{key} has {values.shape[1]} columns ({name_list(heads)}); robot "{robot.name}" needs '
                f"{1 if key == 't' else n}, one per joint; name them with a column map such as {_example(n)}",
                key="columns",
            )
        chosen[key] = values
    for key, what in (("t", "t"), ("q", f"q of each of the {n} joints")):
        if key not in chosen:
            raise ArgumentError(
                f"the log has no column for {what}; its columns are {name_list(names)}; name them with a column map "
                "such "
                f"as {_example(n)}",
                key="columns",
            )
    lengths = {key: len(values) for key, values in chosen.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{key} has {count}" for key, count in lengths.items())
        raise ArgumentError(f"all columns of a log need as many samples, but {each}", key="data")
    return chosen


def _example(n: int) -> str:
    return f'"t=1 q=2-{n + 1} tau={n + 2}-{2 * n + 1}"' if n > 1 else '"t=1 q=2 tau=3"'


def _parse_map(text: str) -> dict[str, list[str]]:
    """`t=1 q=2-7` as a map."""
    parts = dict.fromkeys(ALIASES, "")
    for part in text.split():
        key, sign, value = part.partition("=")
        if not sign or not value:
            raise ArgumentError(f'{literal(part)} is not KEY=COLUMNS, such as q=2-7 or "tau=effort_*"', key="columns")
        check_name("key of a column map", key, ALIASES, key="columns")
        parts[key] = value
    return {key: value.split(",") for key, value in parts.items() if value}


def _match_heads(key: str, choice: Any, names: Sequence[str]) -> list[str]:
    """The heads that an entry of a map names."""
    heads: list[str] = []
    for part in [choice] if isinstance(choice, str | int) else choice:
        numbers = _PART.match(str(part))
        if str(part) in names:
            heads.append(str(part))
        elif numbers:
            first, last = int(numbers[1]), int(numbers[2] or numbers[1])
            if not 1 <= first <= last <= len(names):
                raise ArgumentError(
                    f"columns {part} of {key} are not in the log; it has columns 1 to {len(names)}", key="columns"
                )
            heads += names[first - 1 : last]
        else:
            plain = {name: head_and_unit(name)[0] for name in names}
            matches = [name for name in names if fnmatchcase(plain[name], str(part))]
            if not matches:
                raise UnknownNameError("column", part, names, key="columns")
            heads += sorted(matches, key=_natural) if "*" in str(part) else matches
    return heads


def usual_columns(robot: Robot, key: str, names: Sequence[str]) -> list[str]:
    """The heads with the usual names of a key, joint by joint; empty where they are not there."""
    plain = {head_and_unit(name)[0].casefold(): name for name in names}
    for alias in ALIASES[key]:
        if alias in plain:
            return [plain[alias]]
        if key == "t":
            continue
        for start in (1, 0):
            for form in (f"{alias}{{}}", f"{alias}_{{}}", f"{alias}[{{}}]"):
                heads = [form.format(j + start) for j in range(robot.n)]
                if all(head in plain for head in heads):
                    if f"{form.format(robot.n + start)}" in plain:
                        heads.append(form.format(robot.n + start))
                    return [plain[head] for head in heads]
        for form in (
            f"{alias}_{{}}",
            f"{{}}_{alias}",
            f"{{}}.{alias}",
            f"{alias}.{{}}",
            f"{alias} {{}}",
            f"{{}} {alias}",
        ):
            heads = [form.format(x.name).casefold() for x in robot.coordinates]
            if all(head in plain for head in heads):
                return [plain[head] for head in heads]
    return []


def head_and_unit(head: str) -> tuple[str, str]:
    """`q1 [deg]` as its name and its unit."""
    match = _HEAD.match(head)
    return (match[1], match[2] or match[3] or "") if match and match[1] else (head, "")


def in_si(head: str) -> float:
    """What takes the values of a column to SI units."""
    return _UNITS.get(head_and_unit(head)[1].strip(), 1.0)


def _natural(name: str) -> list[Any]:
    """effort_2 before effort_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
