"""Sweep files: what is swept, drawn and kept, in TOML.

quantity = "inverse_dynamics"
keep = ["peak", "argpeak", { exceeds = "effort" }]
payload = 2.0

[draw]
kind = "sobol"
count = 1e6

[over]
q = { box = "limits" }
qd = { box = 0.5 }
payload.mass = [0, 1, 2, 5]

[by]
r = { of = "tool.radius", cells = 60 }

With map = "payload" (torque, reach, bearing) in the place of quantity and keep it is a map; all else is optional.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Any, cast

from dynamis.errors import literal
from dynamis.formats.tasks.payload_table import read_payload
from dynamis.formats.tasks.state_file import read_load
from dynamis.formats.tasks.values import number_in
from dynamis.model.payload import Payload
from dynamis.robot import Robot
from dynamis.shipped_files import Shipped
from dynamis.sweeps.fronts import pareto
from dynamis.sweeps.maps.kinds import KINDS, map_sweep
from dynamis.sweeps.points import Draw, grid, latin_hypercube, lattice, sobol
from dynamis.sweeps.ranges import box, correlated, normal, triangular
from dynamis.sweeps.reductions import exceeds, histogram, quantile
from dynamis.sweeps.samples import samples
from dynamis.sweeps.sweep import Sweep, sweep
from dynamis.toml_table import Table, parse_toml, read_text

_SHIPPED = Shipped("sweep", "sweeps/tasks")
RANGES: Mapping[str, Callable[..., Any]] = {"box": box, "normal": normal, "triangular": triangular}
KEPT: Mapping[str, Callable[..., Any]] = {
    "exceeds": exceeds, "histogram": histogram, "quantile": quantile, "pareto": pareto
}  # fmt: skip
DRAWS = ("sobol", "lattice", "latin hypercube", "grid", "samples")
DEFAULT_KEEP = ["peak", "argpeak", "mean"]
TABLES = ("all", "values", "argpeak", "argmax", "argmin", "limiting-joint", "reached", "words")
"""Sections of the page of a sweep, or of a map."""


def sweeps() -> list[str]:
    """The names of the sweeps that ship with dynamis; the first lines of each say which robot it is for.

    >>> "ur5-torque" in sweeps()
    True
    """
    return _SHIPPED.names()


def load_sweep(name: str | Path, robot: Robot, payload: Payload | None = None) -> Sweep:
    """A sweep for a robot: the name of a shipped one, or the path of a TOML file (docs/sweeps.md).

    A `payload` takes the place of the file's.

    >>> import dynamis
    >>> load_sweep("ur5-torque", dynamis.load("ur5")).states
    1048576
    """
    path = _SHIPPED.path(name)
    file = parse_toml(read_text(path), str(path))
    held = read_payload(file)
    kind = file.choice("map", tuple(KINDS)) if "map" in file else ""
    file.allowed_keys.append("map")
    several = isinstance(file.data.get("quantity"), list)
    quantity = "" if kind else [str(x) for x in file.array("quantity")] if several else file.text("quantity")
    draw, by, options = (file.table(key, {}) for key in ("draw", "by", "options"))
    over = file.table("over", {}) if kind or draw.data.get("kind") == "samples" else file.table("over")
    keep = [] if kind else [_kept(file, x) for x in file.array("keep", DEFAULT_KEEP)]
    loads = [load for entry in file.tables("load") for load in read_load(entry, robot, symbols=True)]
    file.done()
    ranges = dict(_ranges(over, over.data, ""))
    cells = {key: _axis(by.table(key)) for key in by.data}
    drawn = _draw(draw, path.parent)
    names: dict[str, Any] = {key: options.text(key) for key in options.data}
    if ours := names.keys() & set(signature(sweep).parameters):
        options.fail(min(ours), f'unknown option "{min(ours)}" of {quantity}')
    with file.place():
        held = held if payload is None else payload
        robot = robot if held is None else held.held_by(robot)
        if kind:
            return map_sweep(kind, robot, ranges, cells, drawn if draw.data else None, loads)
        return sweep(robot, quantity, ranges, drawn, cells, keep, loads, **names)


def _ranges(table: Table, data: Mapping[str, Any], within: str) -> Iterator[tuple[Any, Any]]:
    """(name, range); `payload.mass = 2` is a table in TOML, and one name for us."""
    for key, value in data.items():
        name = f"{within}{key}"
        if not isinstance(value, dict):
            yield name, _numbers(table, name, value)
            continue
        inner = cast("dict[str, Any]", value)
        if not inner.keys() & {*RANGES, "correlated"}:
            yield from _ranges(table, inner, f"{name}.")
            continue
        if "correlated" in inner:
            with table.place(name):
                names = [str(x) for x in _listed(inner["correlated"])]
                yield tuple(names), correlated(_numbers(table, name, inner.get("mean", [])),
                                               _numbers(table, name, inner.get("covariance", [])))  # fmt: skip
            continue
        if len(inner) != 1:
            table.fail(name, f"{name} must have one of {', '.join(RANGES)}, got {literal(list(inner))}")
        ((kind, bounds),) = inner.items()
        values = [x if x == "limits" else _numbers(table, name, x) for x in _listed(bounds)]
        with table.place(name):
            yield name, _called(table, name, kind, RANGES[kind], values)


def _axis(table: Table) -> tuple[Any, ...]:
    bounds = [number_in(table, key, table.get(key)) for key in ("from", "to") if key in table]
    table.allowed_keys += ["from", "to"]
    axis = (table.text("of"), table.get("cells"), *bounds)
    table.done()
    if len(bounds) == 1:
        table.fail(None, f"{table.name} needs both from and to, or neither")
    return axis


def _draw(table: Table, folder: Path) -> Draw:
    kind = table.choice("kind", DRAWS, "sobol")
    if kind == "samples":
        source, columns = table.text("file"), table.array("columns", [])
        table.done()
        with table.place("file"):
            return samples(folder / source, [str(x) for x in columns])
    count = number_in(table, "count", table.get("count", 2**20 if kind != "grid" else 21))
    seed: Any = table.get("seed", None)
    table.done()
    if count != int(count):
        table.fail("count", f"count must be a whole number, got {count:g}")
    with table.place("count"):
        if kind == "grid":
            return grid(int(count))
        made = {"sobol": sobol, "lattice": lattice, "latin hypercube": latin_hypercube}[kind]
        return made(int(count), **({} if seed is None else {"seed": seed}))


def _kept(file: Table, entry: Any) -> Any:
    """A word, or { exceeds = "effort" }."""
    if isinstance(entry, str):
        return entry
    inner = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    if len(inner) != 1 or next(iter(inner)) not in KEPT:
        file.fail("keep", f"keep has {literal(entry)}; give a word, or a table with one of {', '.join(KEPT)}")
    ((kind, values),) = inner.items()
    values = [x if isinstance(x, str) else _numbers(file, "keep", x) for x in _listed(values)]
    with file.place("keep"):
        return _called(file, "keep", kind, KEPT[kind], values)


def _called(table: Table, key: str, kind: str, function: Callable[..., Any], values: list[Any]) -> Any:
    try:
        return function(*values)
    except TypeError:
        table.fail(key, f"{kind} has {len(values)} values, which are not what it takes")


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _numbers(table: Table, key: str, value: Any) -> Any:
    """A number, or lists of numbers; expressions such as "pi/2" are numbers."""
    if isinstance(value, list):
        return [_numbers(table, key, x) for x in cast("list[Any]", value)]
    return value if type(value) is int else number_in(table, key, value)
