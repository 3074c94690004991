"""What the columns of samples are: states and parameters, by the names of `over` or by those that logs give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dynamis.apps.identification.logs.column_map import head_and_unit, in_si, usual_columns
from dynamis.apps.sweeps.ranges import GIVEN, ranges
from dynamis.base.errors import ArgumentError, DynamisError, UnknownNameError, literal
from dynamis.compute.program.quantity_program import STATE_UNITS, parameter_operand, state_operand
from dynamis.robot import Robot

Heads = tuple[tuple[str, int], ...]
"""(name, how many columns) of a table with names; empty for one without."""


def bound_columns(robot: Robot, heads: Heads, names: Sequence[str], width: int) -> dict[str, tuple[int, float]]:
    """Of every dimension, by its key of `over`, the column and the factor."""
    bound = dict[str, tuple[int, float]]()
    for name, first, count, factor in _named_columns(robot, heads, names) if heads else _in_order(robot, names, width):
        keys = _keys(robot, name)
        if len(keys) != count:
            raise ArgumentError(f'samples have {count} columns of {name}, robot "{robot.name}" {len(keys)}', key="draw")
        for k, key in enumerate(keys):
            if key in bound:
                raise ArgumentError(f"the samples have {key} twice", key="draw")
            bound[key] = first + k, factor
    if not bound:
        raise ArgumentError("the samples have no column of a state or a parameter", key="draw")
    return bound


def _in_order(robot: Robot, given: Sequence[str], width: int) -> Iterator[tuple[str, int, int, float]]:
    """(name, first column, columns, factor) of a table without names."""
    usual = {robot.n * k: tuple(STATE_UNITS)[:k] for k in (3, 2, 1)}
    names = given or usual.get(width, ())
    counts = [len(_keys(robot, name)) for name in names]
    if not names or sum(counts) != width:
        needed = f"{', '.join(names)} {'takes' if len(names) == 1 else 'take'} {sum(counts)}" if names else (
            f'robot "{robot.name}" takes {robot.n} (q), {2 * robot.n} (q, qd) or {3 * robot.n} (q, qd, qdd), or name '
            'them: columns=["q", "payload.mass"]'
        )  # fmt: skip
        raise ArgumentError(f"the samples have {width} columns; {needed}", key="draw")
    at = 0
    for name, count in zip(names, counts, strict=True):
        yield name, at, count, 1.0
        at += count


def _named_columns(robot: Robot, columns: Heads, names: Sequence[str]) -> Iterator[tuple[str, int, int, float]]:
    """The same of a table with names."""
    heads = [head for head, _ in columns]
    starts = dict(zip(heads, np.cumsum([0, *(count for _, count in columns)]).tolist(), strict=False))
    counts = dict(columns)
    usual = {kind: usual_columns(robot, kind, heads) for kind in STATE_UNITS}
    joints = [x.name for x in robot.coordinates]
    known = {
        head: kind if len(own) == 1 != len(joints) or counts[head] > 1 else f"{kind}.{joint}"
        for kind, own in usual.items()
        for head, joint in zip(own, joints if len(own) > 1 else joints[:1], strict=False)
    }
    times = usual_columns(robot, "t", heads)
    for wanted in names or [x for x in heads if x not in times]:
        chosen = [wanted] if wanted in heads else usual.get(wanted, [])
        if not chosen:
            raise UnknownNameError("column", wanted, heads, within="the samples", key="draw")
        for head in chosen:
            name = known.get(head) or head_and_unit(head)[0]
            try:
                _keys(robot, name)
            except DynamisError as error:
                hint = "" if names else '; choose columns: columns=["q", "qd"]'
                raise ArgumentError(f"column {literal(head)} of the samples: {error}{hint}", key="draw") from None
            yield name, starts[head], counts[head], in_si(head)


def _keys(robot: Robot, name: str) -> list[str]:
    """The keys of `over` for a name of columns: of "q" one per joint."""
    if name in STATE_UNITS:
        return [f"{name}.{joint}" for joint in state_operand(robot, name).entries]
    if name.partition(".")[0] in STATE_UNITS:
        ranges(robot, {name: GIVEN})
    else:
        parameter_operand(robot, [name])
    return [name]
