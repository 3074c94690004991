"""The results of a sweep as a page: the largest values and the states that had them, shares, and the map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dynamis.apps.sweeps.cells import layout
from dynamis.apps.sweeps.dataset import squared_unit
from dynamis.apps.sweeps.fronts import Pareto
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.ranges import parameter_unit
from dynamis.apps.sweeps.reductions import kept_names
from dynamis.base.arrays import Array
from dynamis.compute.program.quantity_program import STATE_UNITS
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table
from dynamis.telling.chart import Chart, HeatMap, Line, Panel, shorten_label
from dynamis.telling.result import Result

EXTREMES: dict[str, Any] = {"peak": np.fmax.reduce, "max": np.fmax.reduce, "min": np.fmin.reduce}
"""What is drawn and looked at first, and how cells become one."""
MOST_PANELS = 12
FRONT_ROWS = 20
"""Points of a printed front, from one end to the other."""


@dataclass(frozen=True)
class SweepReport(Result):
    """A sweep and its results, to be read and drawn."""

    sweep: Parts
    data: Any
    """The Dataset that `run` gives."""

    @property
    def robot(self) -> Any:
        return self.sweep.robot

    def document(self) -> Document:
        """Tables over the whole sweep, and figures over its cells."""
        words = Section("What to know", (Items(tuple(self.words())),), "words")
        figures = [Figure("map", partial(self._map), None, f"{self._drawn} over {self._cells}.")] if self._drawn else []
        return Document(
            f"{self.robot.name}: sweep of {self.sweep.measure.name}", (*self._tables(), words, *figures),
            data=self._json, main_figure="map" if figures else "",
        )  # fmt: skip

    def words(self) -> list[str]:
        """How many states there were, and which of them are not in the tables."""
        x = self.data.attrs
        said = [f"{x['states']:,} states, drawn by {x['draw']}."]
        if x["outside"]:
            said.append(f"{x['outside']:,} states are in none of the cells, and in none of the tables.")
        if x["not_finite"]:
            said.append(f"{x['not_finite']:,} states had a value that is not a number: no extreme counts them.")
        if any(word in EXTREMES for word in self.data):
            said.append("Extremes are of the states that were drawn: between them a value may be larger.")
        by_error = dict[str, list[str]]()
        for name in self._quantiles:
            by_error.setdefault(self._error(name), []).append(name)
        for error, names in by_error.items():
            said.append(f"Quantile{'s' * (len(names) > 1)} {', '.join(names)}: right to {error}.")
        if by_error and self.sweep.axes:
            said.append("Quantiles are of single cells, and in the data alone.")
        return said

    @property
    def _cells(self) -> str:
        return " and ".join(x.name for x in self.sweep.axes)

    @property
    def _quantiles(self) -> list[str]:
        return [str(name) for name, x in self.data.items() if "largest_error" in x.attrs]

    def _error(self, name: str) -> str:
        """The largest error of a quantile, of the values of each unit: "0.5 N, 0.02 N m"."""
        units, largest = self.sweep.units, dict[str, float]()
        errors = np.broadcast_to(self.data[name].attrs["largest_error"], len(units))  # NetCDF has a number for one
        for error, unit in zip(errors.tolist(), units, strict=True):
            largest[unit] = max(error, largest.get(unit, 0.0))
        return ", ".join(f"{error:.3g} {unit}".rstrip() for unit, error in largest.items())

    @property
    def _drawn(self) -> str:
        """The variable of the figure; empty without cells."""
        known = [name for name in ("peak", "max", "min", "mean", "count") if name in self.data]
        return known[0] if self.sweep.axes and known else ""

    def overall(self, name: str) -> Any:
        """A variable over all cells, (cases ..., value); None where cells cannot be put together."""
        x, dims = self.data[name], [axis.name for axis in self.sweep.axes]
        if not dims:
            return x
        if name in EXTREMES:
            return x.reduce(EXTREMES[name], dims)
        if name == "count":
            return x.sum(dims)
        count = self.data["count"]
        if name == "mean" or name.startswith("beyond"):
            return (x.fillna(0.0) * count).sum(dims) / count.sum(dims)
        return None

    @property
    def _case_columns(self) -> tuple[Column, ...]:
        """Of the parameters that are run through."""
        return tuple(Column(name, self._unit(name), ".5g") for name, _ in self.sweep.ranges.cases)

    def _unit(self, parameter: str) -> str:
        return parameter_unit(self.robot, parameter)

    def _cases(self) -> Iterator[dict[str, float]]:
        yield from self.sweep.cases

    def _tables(self) -> Iterator[Section]:
        others = ("arg", "count", "histogram", "front")
        columns = {name: x for name in map(str, self.data) if not name.startswith(others)
                   and (x := self.overall(name)) is not None}  # fmt: skip
        if columns:
            heads = [Column(name, _own_unit(name, self.sweep.units), "%" if name.startswith("beyond") else ".5g")
                     for name in columns]  # fmt: skip
            rows = [
                (*case.values(), value, *(float(x.sel({**case, "value": value})) + 0.0 for x in columns.values()), unit)
                for case in self._cases()
                for value, unit in zip(self.sweep.names, self.sweep.units, strict=True)
            ]
            head = (*self._case_columns, "value", *heads, "unit")
            yield Section("Values", (Table(head, tuple(rows), keys=len(self._case_columns) + 1),), "values")
        for word in ("argpeak", "argmax", "argmin"):
            if word in self.data:
                yield self._states(word)
        for front, name in self._fronts.items():
            yield self._front(front, name)

    @property
    def _fronts(self) -> dict[Pareto, str]:
        """Those of the whole sweep, and their names; those of single cells are in the data alone."""
        names = kept_names(self.sweep.keep)
        return {} if self.sweep.axes else {x: name for x, name in names.items() if isinstance(x, Pareto)}

    def _front_points(self, name: str) -> Iterator[tuple[dict[str, float], list[tuple[int, list[float]]]]]:
        """Of every case, (index of the state, both values) from one end of the front to the other."""
        for case in self._cases():
            index, values = (self.data[x].sel(case).values.tolist() for x in (f"arg{name}", name))
            yield case, [(k, pair) for k, pair in zip(index, values, strict=True) if k >= 0]

    def _front(self, front: Pareto, name: str) -> Section:
        """Points of a front and their states."""
        rows = list[tuple[Any, ...]]()
        for case, points in self._front_points(name):
            shown = min(len(points), FRONT_ROWS)
            for k in range(shown):
                index, pair = points[k * (len(points) - 1) // max(1, shown - 1)]
                rows.append((*case.values(), *pair, *self.sweep.values(index, index + 1)[0].tolist()))
        cases, units = len(self.sweep.ranges.cases), dict(zip(self.sweep.names, self.sweep.units, strict=True))
        heads = [*((x, "", ".5g") for x, _ in self.sweep.ranges.cases),
                 *((x, units[x.strip("|")], ".5g") for x in front.names),
                 *((x.label, x.unit, ".4g") for x in self.sweep.ranges.dimensions)]  # fmt: skip
        table = Table(tuple(Column(*x) for x in heads), tuple(rows), keys=cases + 2)
        return Section(f"The front of {front.first} and {front.second}", (table,), name)

    def _states(self, word: str) -> Section:
        """The state of every extreme."""
        labels = [x.label for x in self.sweep.ranges.dimensions]
        columns = tuple(Column(x.label, x.unit, ".4g") for x in self.sweep.ranges.dimensions)
        rows = list[tuple[Any, ...]]()
        for case in self._cases():
            for value, index in zip(self.sweep.names, self.places(word, case), strict=True):
                state = self.sweep.values(index, index + 1)[0] if index >= 0 else [np.nan] * len(labels)
                rows.append((*case.values(), value, *(round(float(x), 12) + 0.0 for x in state)))
        cases = self._case_columns
        table = Table((*cases, "value", *columns), tuple(rows), keys=len(cases) + 1)
        return Section(f"The states of {word.removeprefix('arg')}", (table,), word)

    def places(self, word: str, case: dict[str, float]) -> list[int]:
        """The index of the state with the extreme of each value over all cells; -1 where there is none."""
        kind = word.removeprefix("arg")
        indices = self.data[word].sel(case).values.reshape(-1, len(self.sweep.names))
        if kind not in self.data or not self.sweep.axes:
            return indices[0].tolist() if not self.sweep.axes else [-1] * indices.shape[1]
        best = self.data[kind].sel(case).values.reshape(indices.shape)
        size = np.where(np.isnan(best), -np.inf, -best if kind == "min" else best)
        return [int(indices[k, j]) for j, k in enumerate(size.argmax(0))]

    def _map(self) -> Chart:
        """One case; one panel per value, over the first two axes, the largest (least) along the others."""
        axes, x, shown = self.sweep.axes, self.data[self._drawn], self._case_drawn
        x = x.sel(shown)
        if others := [axis.name for axis in axes[2:]]:
            x = x.reduce(EXTREMES[self._drawn], others) if self._drawn in EXTREMES else x.mean(others)
        values = list(self.sweep.names)[:MOST_PANELS] if "value" in x.dims else [""]
        panels = list[Panel]()
        for k, value in enumerate(values):
            array = x.sel({"value": value}) if value else x
            unit = self.sweep.units[k] if value and self._drawn != "count" else ""
            panels.append(self._panel(array.transpose(axes[0].name, ...).values, shorten_label(value), unit))
        case = "".join(f", {name} = {value:g} {self._unit(name)}".rstrip() for name, value in shown.items())
        title = f"{shorten_label(self.robot.name)}: {self._drawn}{case}"
        columns, height = layout(axes, len(panels))
        return Chart(tuple(panels), columns, height, columns == 1, title)

    @property
    def _case_drawn(self) -> dict[str, float]:
        """The case whose values are largest, each beside those of the other cases; the first where none are extremes.

        Of "min" it is the one whose are least.
        """
        cases = list(self.sweep.cases)
        if self._drawn not in EXTREMES or len(cases) == 1:
            return cases[0]
        sign = -1 if self._drawn == "min" else 1
        sizes = np.array([sign * self.overall(self._drawn).sel(case).values for case in cases])
        span = np.ptp(sizes, axis=0)
        return cases[int(np.nansum((sizes - sizes.min(0)) / np.where(span > 0, span, np.inf), axis=1).argmax())]

    def _panel(self, array: Array, title: str, unit: str) -> Panel:
        first, *rest = self.sweep.axes
        if not rest:
            return Panel((Line(first.centres, array, look="solid"),), title, first.label, f"[{unit}]")
        second = rest[0]
        sides = ((first.least, first.greatest), (second.least, second.greatest))
        return Panel(
            (HeatMap(array.T, *sides, unit, alike=first.unit == second.unit),), title, first.label, second.label
        )

    def _front_data(self, front: Pareto, name: str) -> Iterator[dict[str, Any]]:
        for case, points in self._front_points(name):
            told = [{"values": pair, "index": index, "state": _plain(self.sweep.state(index) | case)}
                    for index, pair in points]  # fmt: skip
            yield {"case": case, "name": name, "first": front.first, "second": front.second, "points": told}

    def _json(self) -> dict[str, Any]:
        names = [name for name in map(str, self.data) if not name.startswith(("histogram", "front", "argfront"))]
        rows = list[dict[str, Any]]()
        for case in self._cases():
            for value, unit in zip(self.sweep.names, self.sweep.units, strict=True):
                at = {**case, "value": value}
                row: dict[str, Any] = {"case": case, "name": value, "unit": unit}
                for name in names:
                    if name.startswith("arg"):
                        index = self.places(name, case)[self.sweep.names.index(value)]
                        state = _plain(self.sweep.state(index) | case) if index >= 0 else {}
                        row[name] = {"index": index, "state": state}
                    elif name != "count" and (x := self.overall(name)) is not None:
                        row[name] = float(x.sel(at))
                rows.append(row)
        x = self.data.attrs
        return {
            "robot": self.robot.name, "quantity": self.sweep.measure.name, "draw": x["draw"], "states": x["states"],
            "outside": x["outside"], "not_finite": x["not_finite"], "axes": [a.data for a in self.sweep.axes],
            "values": rows, "fronts": [x for front in self._fronts.items() for x in self._front_data(*front)],
            "words": self.words(),
        }  # fmt: skip


def _plain(state: dict[str, Any]) -> dict[str, Any]:
    return {name: x.tolist() if name in STATE_UNITS else x for name, x in state.items()}


def _own_unit(name: str, units: tuple[str, ...]) -> str:
    """The unit of a variance, which is not the values' own."""
    if name != "variance":
        return ""
    return squared_unit(units[0]) if len(set(units)) == 1 else "unit^2"
