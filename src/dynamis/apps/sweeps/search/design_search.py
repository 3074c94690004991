"""Searching designs: what a sweep finds of a robot as aims of its parameters, and the Pareto front of two of them.

An aim is a reduction of a sweep's value, such as the largest |torque| of a joint or the largest reach of the tool. The
parameters are inputs of the sweep's program, so that all trials run machine code that is compiled once. The front of
two aims is found by weighted Chebyshev sums

    minimise  max(w_1 f_1, w_2 f_2)        f_k from 0 at its best to 1 at its worst

for weights w from one aim to the other, each by SciPy's differential evolution; all trials count for the front.

Source: K. Miettinen, Nonlinear Multiobjective Optimization, 1999, section 3.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np

from dynamis.apps.sweeps.draws.points import Draw, sobol
from dynamis.apps.sweeps.fronts import pareto_indices
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.ranges import Box
from dynamis.apps.sweeps.run import Progress
from dynamis.apps.sweeps.sweep import sweep
from dynamis.base.arguments import integer, mapping, one_or_more
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.backends.llvm.backend import LlvmBackend
from dynamis.robot import Robot
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table
from dynamis.telling.chart import Chart, Line, Panel
from dynamis.telling.result import Result

REDUCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "max": lambda x: x.max(-1), "min": lambda x: x.min(-1), "mean": lambda x: x.mean(-1),
    "peak": lambda x: np.abs(x).max(-1),
}  # fmt: skip
MOST_STATES = 2**22
"""Of every design; they are held in memory, some hundred megabytes."""
BATCH_STATES = 2**16
"""States that are computed at a time: with 2^19 a state takes three times as long, as they leave the cache."""
MAX_WEIGHTS = 33
"""Runs of the optimiser for two aims, from one of them alone to the other, if each has three generations: for
a 3R 33 found better fronts than 9 or 17 in as many trials."""
TABLE_ROWS = 20
"""Designs of the printed table, from one end of the front to the other."""
DEFAULT_TRIALS = 3000
FIRST_DESIGNS = 128
"""Designs that are tried first, spread over the box: they tell what is good and what is bad."""


@dataclass(frozen=True)
class Aim:
    """ "-peak q1": the value's reduction, as large as can be, or with a minus as small."""

    text: str
    sign: float
    reduction: str
    value: int
    unit: str

    @property
    def name(self) -> str:
        return self.text.removeprefix("-")


@dataclass(frozen=True)
class DesignFront(Result):
    """The designs that no other trial beats in both aims: `designs` (k, parameters) and `values` (k, aims)."""

    robot: Any
    parameters: tuple[str, ...]
    units: tuple[str, ...]
    aims: tuple[Aim, ...]
    designs: Array
    values: Array
    tried: Array
    """The aims of all trials, (trials, aims)."""
    states: int

    def robots(self) -> list[Robot]:
        """The robot with the parameters of every design."""
        return [self.robot.with_values(**dict(zip(self.parameters, row, strict=True))) for row in self.designs.tolist()]

    def document(self) -> Document:
        """A row per design, and the front among all trials."""
        named = [(x.name, x.unit) for x in self.aims] + list(zip(self.parameters, self.units, strict=True))
        heads = tuple(Column(name, unit, ".4g") for name, unit in named)
        first: Array = self.values[:, 0]  # rows at equal steps of the first aim
        steps = np.linspace(float(first[0]), float(first[-1]), TABLE_ROWS)[:, None]
        shown = np.unique(np.abs(first - steps).argmin(1))
        rows: tuple[Any, ...] = tuple(map(tuple, np.concatenate([self.values, self.designs], 1)[shown].tolist()))
        wishes = " and ".join(f"as {'large' if x.sign > 0 else 'small'} a {x.name}" for x in self.aims)
        count = len(self.designs)
        words = (
            f"A{wishes[1:]} as can be: {len(self.tried):,} designs were tried, with {self.states:,} states each.",
            f"{count} design{' is' if count == 1 else 's are'} beaten by no other one in both"
            f"{f', {len(shown)} of them in the table' if len(shown) < count else ''}."
            if len(self.aims) == 2
            else "The best that was tried.",
        )
        blocks: list[Any] = [
            Section("Designs", (Table(heads, rows, keys=len(self.aims)),), "values"),
            Section("What to know", (Items(words),), "words"),
        ]
        if len(self.aims) == 2:
            blocks.append(Figure("front", self._front, None, "The front, and all designs that were tried."))
        return Document(
            f"{self.robot.name}: designs", tuple(blocks), data=self._json, columns=self._columns, main_figure="front"
        )

    def _front(self) -> Chart:
        labels = [f"{x.name} [{x.unit}]" if x.unit else x.name for x in self.aims]
        marks = (
            Line(self.tried[:, 0], self.tried[:, 1], "tried", "dots"),
            Line(self.values[:, 0], self.values[:, 1], "front", "solid", dotted=True),
        )
        return Chart((Panel(marks, "", labels[0], labels[1]),), 1, 3.2, True)

    def _columns(self) -> dict[str, Array]:
        names = [(x.name, x.unit) for x in self.aims] + list(zip(self.parameters, self.units, strict=True))
        table = np.concatenate([self.values, self.designs], 1)
        return {f"{name} [{unit}]" if unit else name: table[:, k] for k, (name, unit) in enumerate(names)}

    def _json(self) -> dict[str, Any]:
        names = [x.name for x in self.aims]
        rows = [
            dict(zip((*names, *self.parameters), row, strict=True))
            for row in np.concatenate([self.values, self.designs], 1).tolist()
        ]
        return {"robot": self.robot.name, "aims": [x.text for x in self.aims], "parameters": list(self.parameters),
                "trials": len(self.tried), "states": self.states, "designs": rows}  # fmt: skip


def design_search(
    robot: Robot,
    quantity: str | Sequence[str],
    parameters: Mapping[str, Box],
    over: Mapping[Any, Any],
    aims: str | Sequence[str],
    draw: Draw | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    progress: Progress | None = None,
) -> DesignFront:
    """Parameters of a robot for one aim, or the Pareto front of two, with a sweep inside of every trial.

    quantity: as of `sweep`, one or several
    parameters: a box of each design parameter: {"l2": box(0.3, 0.9)}
    over: what every sweep goes over, as of `sweep`
    aims: "max tool.radius" is to be large, "-peak inverse_dynamics.q1" small; max, min, mean or peak of a value
    draw: the states of every sweep, 1024 points of Sobol's sequence by default
    trials: designs that are tried, about
    seed: of the optimiser
    progress: is called with the designs that were tried and all that will be, about
    """
    trial = _trials(robot, quantity, parameters, over, aims, draw)
    parts, wished = trial.parts, trial.aims
    chance = integer("seed", seed, least=0, most=2**32 - 1)
    number = integer("trials", trials, least=FIRST_DESIGNS)
    names = list(parameters)
    dimensions = [x for x in parts.ranges.dimensions if x.name in names]
    least, greatest = (np.array([getattr(x, side) for x in dimensions]) for side in ("least", "greatest"))
    start = least + (greatest - least) * sobol(FIRST_DESIGNS).points(len(names)).rows(0, FIRST_DESIGNS)
    first = trial(start)
    best, worst = first.max(0), first.min(0)
    room = np.where(best > worst, best - worst, 1.0)
    optimise: Any = import_module("scipy.optimize").differential_evolution
    size = max(5, 2 * len(names))
    runs = max(2, min(MAX_WEIGHTS, (number - FIRST_DESIGNS) // (3 * size)))
    weights = np.linspace(0, 1, runs) if len(wished) == 2 else np.ones(1)
    generations = max(1, (number - FIRST_DESIGNS) // (len(weights) * size) - 1)

    def worst_aim(found: Array, w: float) -> Array:
        away = (best - found) / room * (np.array([w, 1 - w]) if len(wished) == 2 else 1.0)
        return away.max(-1) + 1e-3 * away.sum(-1)

    def goal(w: float, x: Array) -> Array:
        found = worst_aim(trial(x.T), w)
        if progress:
            progress(min(trial.count, number), number)
        return found

    for w in weights.tolist():
        designs, found = trial.all()
        members = designs[np.argsort(worst_aim(found, w))[: 2 * size : 2]]  # good ones, not all alike
        optimise(
            partial(goal, w), list(zip(least, greatest, strict=True)), init=members,
            maxiter=generations, tol=0, polish=False, vectorized=True, updating="deferred", seed=chance,
        )  # fmt: skip
    designs, values = trial.all()
    chosen = pareto_indices(values[:, 0], values[:, -1] if len(wished) == 2 else values[:, 0])
    signs = np.array([x.sign for x in wished])
    return DesignFront(
        robot, tuple(names), tuple(x.unit for x in dimensions), wished, designs[chosen], values[chosen] * signs,
        values * signs, parts.points.count,
    )  # fmt: skip


def seconds_per_design(
    robot: Robot, quantity: Any, parameters: Mapping[str, Box], over: Mapping[Any, Any], aims: Any, draw: Draw | None
) -> float:
    """How long a trial takes, by one that is made."""
    trial = _trials(robot, quantity, parameters, over, aims, draw)
    middle = np.array([[(x.least[0] + x.greatest[0]) / 2 for x in parameters.values() if x.least and x.greatest]])
    trial(middle)  # compiled
    start = perf_counter()
    trial(middle)
    return perf_counter() - start


def _trials(
    robot: Robot, quantity: Any, parameters: Mapping[str, Box], over: Mapping[Any, Any], aims: Any, draw: Draw | None
) -> _Trials:
    example = '{"l2": box(0.3, 0.9)}'
    if not mapping("parameters", parameters, example) or not all(isinstance(x, Box) for x in parameters.values()):  # type: ignore[redundant-expr]
        raise ArgumentError(f"parameters must be boxes of design parameters, such as {example}", key="parameters")
    mapping("over", over, '{"q": box("limits")}')
    if both := [name for name in parameters if name in over]:
        raise ArgumentError(f'"{both[0]}" is both a design parameter and swept', key="over")
    parts = sweep(robot, quantity, {**over, **parameters}, sobol(1024) if draw is None else draw, keep=["max"]).parts
    if parts.points.count > MOST_STATES:
        got = f"{parts.points.count:,}"
        raise ArgumentError(f"a design is swept over at most {MOST_STATES:,} states, got {got}", key="draw")
    if parts.ranges.cases:
        raise ArgumentError("over has a list of values; give a box or a number in a design search", key="over")
    return _Trials(parts, list(parameters), _aims(one_or_more("aims", aims, "text"), parts))


class _Trials:
    """Aims of designs, each as large as can be; all that were asked for are kept."""

    def __init__(self, parts: Parts, names: list[str], aims: tuple[Aim, ...]) -> None:
        self.parts, self.states, self.aims = parts, parts.values(0, parts.points.count), aims
        places = [x.name for x in parts.ranges.dimensions]
        self.columns = [places.index(name) for name in names]
        self.function = LlvmBackend().function("sweep", parts.program(0).program, parts.robot.name)
        self.asked, self.found = list[Array](), list[Array]()

    @property
    def count(self) -> int:
        """Of the designs so far."""
        return sum(map(len, self.asked))

    def __call__(self, designs: Array) -> Array:
        at_once = max(1, BATCH_STATES // len(self.states))
        parts = [self._found(designs[k : k + at_once]) for k in range(0, len(designs), at_once)]
        found = np.concatenate(parts)
        self.asked.append(designs)
        self.found.append(found)
        return found

    def _found(self, designs: Array) -> Array:
        x = np.broadcast_to(self.states, (len(designs), *self.states.shape)).copy()
        x[:, :, self.columns] = designs[:, None]
        values, _ = self.function(x)
        found = np.stack([aim.sign * REDUCTIONS[aim.reduction](values[..., aim.value]) for aim in self.aims], -1)
        return np.where(np.isfinite(found), found, -np.finfo(float).max)

    def all(self) -> tuple[Array, Array]:
        """Designs and their aims."""
        return np.concatenate(self.asked), np.concatenate(self.found)


def _aims(texts: list[str], parts: Parts) -> tuple[Aim, ...]:
    if len(texts) not in (1, 2):
        raise ArgumentError(f"a search has one or two aims, got {len(texts)}", key="aims")
    return tuple(_aim(text, parts) for text in texts)


def _aim(text: Any, parts: Parts) -> Aim:
    words = str(text).removeprefix("-").split(maxsplit=1)
    if len(words) != 2:
        raise ArgumentError(f'an aim is such as "max tool.radius" or "-peak q1", got {literal(text)}', key="aims")
    reduction, value = words
    if reduction not in REDUCTIONS:
        raise UnknownNameError("reduction", reduction, REDUCTIONS, key="aims")
    if value not in parts.names:
        raise UnknownNameError("value", value, parts.names, key="aims")
    k = parts.names.index(value)
    return Aim(str(text), -1.0 if str(text).startswith("-") else 1.0, reduction, k, parts.units[k])
