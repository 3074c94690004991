"""The totals of a sweep as an `xarray.Dataset`, with names and units."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.fronts import Pareto, fronts
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.ranges import parameter_unit
from dynamis.apps.sweeps.reductions import Exceeds, Histogram, Quantile, Totals, kept_names
from dynamis.base.extras import import_extra


def dataset(sweep: Parts, totals: list[Totals]) -> Any:
    """One variable for each of `keep`; its axes are the cases, the cells of the map, and the values."""
    xr = import_extra("xarray", "the results of a sweep need", "scale")
    outer = [name for name, _ in sweep.ranges.cases] + [x.name for x in sweep.axes]
    shape = [len(values) for _, values in sweep.ranges.cases] + [x.bins for x in sweep.axes]
    coordinates: dict[str, Any] = {name: (name, list(values), {"units": parameter_unit(sweep.robot, name)})
                                   for name, values in sweep.ranges.cases}  # fmt: skip
    coordinates |= {x.name: (x.name, x.centres, {"units": x.unit, "long_name": x.variable}) for x in sweep.axes}
    coordinates |= {"value": list(sweep.names), "unit": ("value", list(sweep.units))}
    made = xr.Dataset(coords=coordinates)
    same = {"units": sweep.units[0]} if len(set(sweep.units)) == 1 else {}
    for name, part, attributes in _variables(sweep, totals):
        array = np.stack(part)[:, : max(1, sweep.cells)]
        number = name.partition("front" if "front" in name else "histogram")[2]
        inner = (f"point{number}", "of") if "front" in name else ("value", f"bin{number}")
        dimensions = (*outer, *inner[: array.ndim - 2])
        units = same if name in ("max", "min", "peak", "mean", "deviation") or name.startswith("q") else {}
        if name == "variance" and same:
            units = {"units": squared_unit(same["units"])}
        made[name] = (dimensions, array.reshape((*shape, *array.shape[2:])), units | attributes)
    outside = sum(int(x.of("count")[0][sweep.cells, 0]) for x in totals) if sweep.axes else 0
    made.attrs = {
        "robot": sweep.robot.name, "quantity": sweep.measure.name, "states": sweep.states, "outside": outside,
        "not_finite": sum(int(x.of("nan")[0][:-1].sum()) for x in totals), "draw": str(sweep.draw), "sweep": sweep.key,
    }  # fmt: skip
    return made


def result_bytes(sweep: Parts, totals: Totals) -> int:
    """Of the variables of all cases, by the totals of one; fronts may become longer."""
    rows = max(1, sweep.cells)
    return len(sweep.cases) * sum(x[:rows].nbytes for _, parts, _ in _variables(sweep, [totals]) for x in parts)


def squared_unit(unit: str) -> str:
    """
    >>> squared_unit("N m"), squared_unit("W"), squared_unit("")
    ('(N m)^2', 'W^2', '')
    """
    return unit and (f"{unit}^2" if unit.isalpha() else f"({unit})^2")


def _variables(sweep: Parts, totals: list[Totals]) -> list[tuple[str, list[NDArray[Any]], dict[str, Any]]]:
    """(name, one array (cells, ...) per case, attributes)."""
    beyond = [x for x in sweep.keep if isinstance(x, Exceeds)]
    made = list[tuple[str, list[NDArray[Any]], dict[str, Any]]]()
    for word, name in kept_names(["count", *sweep.keep]).items():
        if isinstance(word, str):
            made.append((name, [_reduction_values(sweep, x, word) for x in totals], {}))
        elif isinstance(word, Exceeds):
            values = [_share(sweep, x, beyond.index(word)) for x in totals]
            limits = word.limit if isinstance(word.limit, str) else list(word.limit)
            made.append((name, values, {"long_name": "share of states beyond the limits", "limits": limits}))
        elif isinstance(word, Quantile):
            values, error = _quantiles(sweep, totals, word)
            made.append((name, values, {"largest_error": error}))
        elif isinstance(word, Pareto):
            made += _front(sweep, totals, word, name)
        else:
            about = {"least": list(word.least), "greatest": list(word.greatest)}
            made.append((name, [_bins(sweep, x, word) for x in totals], about))
    return made


def _reduction_values(sweep: Parts, x: Totals, word: str) -> NDArray[Any]:
    v = len(sweep.names)
    count = x.of("count")[0][:, 0]
    none = (count == 0)[:, None]
    if word == "count":
        return count
    if word in ("max", "min"):
        return np.where(none, np.nan, x.of(word)[0][:, :v])
    if word in ("argmax", "argmin"):
        return x.of(word[3:])[1][:, :v]
    if word in ("peak", "argpeak"):
        (high, first), (low, second) = x.of("max"), x.of("min")
        upward = high[:, :v] > -low[:, :v]
        ties = (high[:, :v] == -low[:, :v]) & (first[:, :v] < second[:, :v])
        if word == "argpeak":
            return np.where(upward | ties, first[:, :v], second[:, :v])
        return np.where(none, np.nan, np.maximum(high[:, :v], -low[:, :v]) + 0.0)  # not -0
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = x.of("sum")[0][:, :v] / count[:, None]
        if word == "mean":
            return mean
        pivot = np.array(next(fold.numbers for fold in x.folds if fold.kind == "squares"))
        variance = np.maximum(x.of("squares")[0][:, :v] / count[:, None] - (mean - pivot) ** 2, 0.0)
    return variance if word == "variance" else np.sqrt(variance)


def _front(
    sweep: Parts, totals: list[Totals], word: Pareto, name: str
) -> list[tuple[str, list[NDArray[Any]], dict[str, Any]]]:
    """Indices of the states of a front, and both of their values."""
    which = sweep.fronts.index(word)
    parts = [fronts(word, x.all_of("front")[which], max(1, sweep.cells)) for x in totals]
    most = max(index.shape[1] for index, _ in parts)
    fill = [(0, 0), (0, most)]
    indices = [np.pad(x, fill, constant_values=-1)[:, :most] for x, _ in parts]
    values = [np.pad(x, [*fill, (0, 0)], constant_values=np.nan)[:, :most] for _, x in parts]
    width = 1 / next(fold for fold in sweep.folds if fold.pair == word.terms(sweep.names)).numbers[1]
    about: dict[str, Any] = {"first": word.names[0], "second": word.names[1], "largest_error_of_first": width}
    return [(name, values, about), (f"arg{name}", indices, about)]


def _share(sweep: Parts, x: Totals, which: int) -> NDArray[Any]:
    with np.errstate(invalid="ignore", divide="ignore"):
        return x.all_of("beyond")[which][0][:, : len(sweep.names)] / x.of("count")[0]


def _bins(sweep: Parts, x: Totals, word: Histogram | Quantile) -> NDArray[Any]:
    """(cells, values, bins + 2)"""
    array = x.all_of("bins")[sweep.histograms.index(word.binning)][0]
    return array.reshape(len(array), len(sweep.names), word.bins + 2)


def _quantiles(sweep: Parts, totals: list[Totals], word: Quantile) -> tuple[list[NDArray[Any]], list[float]]:
    """The upper edge of the bin that holds it, infinite beyond the bins; and the width of every value's bins."""
    least, greatest = sweep.edges(word)
    width = (greatest - least) / word.bins
    results = list[NDArray[Any]]()
    for x in totals:
        counts = _bins(sweep, x, word).cumsum(-1)
        place = (counts < np.ceil(word.share * counts[..., -1:])).sum(-1)
        edge = np.where(place == 0, -np.inf, np.where(place > word.bins, np.inf, least + place * width))
        results.append(np.where(counts[..., -1] == 0, np.nan, edge))
    return results, width.tolist()
