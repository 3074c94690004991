"""Loads that change along a motion: a load says where and on what, its values come from a function or a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.loads import Force, Load, Moment, ToolWrench, check_loads
from dynamis.robot import Robot

WIDTH = {Force: 3, Moment: 3, ToolWrench: 6}
"""Values of a load: a vector, or force and moment."""
PLACES = {Force: 6, Moment: 3, ToolWrench: 6}
"""Values of a load in a compiled function: those, and of a force its point behind them."""


@dataclass(frozen=True, eq=False)
class LoadOverTime:
    """A load whose vector changes in time; `load` says on what it acts, where, in which axes, and who exerts it.

    `values` is a function of times (k) [s] that gives vectors (k, 3) of a force [N] or a moment [N m], or (k, 6) of a
    tool wrench, force before moment; or it is a table (times, vectors), taken as straight lines between its times and
    as constant before and after; or vectors at the samples of the motion themselves. What `load` has as its own vector
    does not count.

    >>> push = LoadOverTime(Force("link2", (0, 0, 0)), ([0.0, 1.0], [[0, 0, 0], [0, 0, -10]]))
    >>> push.at(np.array([0.0, 0.5, 2.0]))[:, 2]
    array([  0.,  -5., -10.])
    """

    load: Load
    values: Any

    def __post_init__(self) -> None:
        if type(cast(Any, self.load)) not in WIDTH:
            raise ArgumentError(f"load must be a Force, a Moment or a ToolWrench, got {literal(self.load)}", key="load")
        table = self._table()
        if table is not None:
            t, _ = table
            if t.ndim != 1 or not t.size or not np.isfinite(t).all() or (np.diff(t) < 0).any():
                raise ArgumentError(
                    "times of a load must be a list of finite times [s] that do not decrease", key="times"
                )
            self._checked(table[1], len(t))

    @property
    def times(self) -> Array:
        """The times of a table [s], where its lines have corners; none of a function."""
        table = self._table()
        return np.empty(0) if table is None else table[0]

    def at(self, t: Array) -> Array:
        """The vectors at the samples of a motion, t (k): (k, 3 or 6)."""
        table = self._table()
        if table is not None:
            values = self._checked(table[1], len(table[0]))
            columns: list[Array] = [np.interp(t, table[0], values[:, k]) for k in range(values.shape[1])]
            return np.stack(columns, axis=1)
        return self._checked(self.values(t) if callable(self.values) else self.values, len(t))

    def _table(self) -> tuple[Array, Any] | None:
        table: Any = self.values
        if not isinstance(table, tuple):
            return None
        table = cast("tuple[Any, ...]", table)
        if len(table) != 2:
            raise ArgumentError(f"a load over time must be (times, values), got {len(table)} lists", key="values")
        return real_values("times", table[0]), table[1]

    def _checked(self, values: Any, count: int) -> Array:
        shape = (count, WIDTH[type(self.load)])
        array = real_values("values", values)
        if array.shape != shape:
            raise ArgumentError(
                f"the values of a load over time have shape {array.shape}; {count} times of a "
                f"{type(self.load).__name__} make {shape}", key="values",
            )  # fmt: skip
        if not np.isfinite(array).all():
            raise ArgumentError("the values of a load over time are not all finite", key="values")
        return array


AnyLoad = Load | LoadOverTime


def constant_loads(robot: Robot, loads: Any) -> tuple[Load, ...]:
    """The loads without their course in time, checked."""
    if isinstance(loads, LoadOverTime):
        raise ArgumentError("loads must be a list of loads, got one load: write [load]", key="loads")
    bare: Any = loads
    if isinstance(loads, list | tuple):
        bare = [x.load if isinstance(x, LoadOverTime) else x for x in cast("Sequence[AnyLoad]", loads)]
    check_loads(robot, bare)
    return tuple(bare)


def corners(loads: Sequence[AnyLoad]) -> Array:
    """The times [s] where a load's course has a corner."""
    return np.unique(np.concatenate([np.empty(0), *(x.times for x in loads if isinstance(x, LoadOverTime))]))


class LoadedFunctions:
    """Quantities of a robot under loads, which may change from sample to sample."""

    def __init__(self, robot: Robot, loads: Sequence[AnyLoad], gravity: Gravity, t: Array) -> None:
        self.robot, self.bare, self.gravity = robot, constant_loads(robot, list(loads)), gravity
        place = 0
        self.courses: list[tuple[slice, Array]] = []
        for load, bare in zip(loads, self.bare, strict=True):
            if isinstance(load, LoadOverTime):
                self.courses.append((slice(place, place + WIDTH[type(bare)]), load.at(t)))
            place += PLACES[type(bare)]

    def function(self, name: str) -> Callable[..., Any]:
        """f(q, qd, qdd, samples, out=...): `samples` says which of the times the states belong to."""
        if not self.courses:
            prepared = self.robot.prepared(name, loads=self.bare, gravity=self.gravity)

            def run_constant(q: Array, qd: Array, qdd: Array, samples: Any, out: Any) -> None:
                prepared(q, qd, qdd, out=out)

            return run_constant
        loaded, (constant, *gravity) = self.robot.engine.loaded_function(name, {}, self.gravity, self.bare)

        def run(q: Array, qd: Array, qdd: Array, samples: Any, out: Any) -> None:
            values = np.tile(constant, (len(q), 1))
            for places, course in self.courses:
                values[:, places] = course[samples]
            loaded(q, qd, qdd, values, *gravity, out=out)

        return run
