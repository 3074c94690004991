"""The values of sweep files: ranges, draws, cells and reductions as TOML has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from inspect import signature
from typing import Any, cast

from dynamis.apps.sweeps.draws.points import Draw, grid, latin_hypercube, lattice, sobol
from dynamis.apps.sweeps.draws.samples import samples
from dynamis.apps.sweeps.fronts import pareto
from dynamis.apps.sweeps.ranges import box, correlated, normal, triangular
from dynamis.apps.sweeps.reductions import exceeds, histogram, quantile
from dynamis.base.arguments import integer
from dynamis.base.errors import literal
from dynamis.base.toml_table import Table
from dynamis.model.formats.tasks.values import number_in

RANGES: Mapping[str, Callable[..., Any]] = {"box": box, "normal": normal, "triangular": triangular}
KEPT: Mapping[str, Callable[..., Any]] = {
    "exceeds": lambda *limits: exceeds(limits[0] if len(limits) == 1 else limits),
    "histogram": histogram, "quantile": quantile, "pareto": pareto,
}  # fmt: skip
DRAWS = ("sobol", "lattice", "latin hypercube", "grid", "samples")


def read_ranges(table: Table, data: Mapping[str, Any], within: str) -> Iterator[tuple[Any, Any]]:
    """(name, range); `payload.mass = 2` is a table in TOML, and one name for us."""
    for key, value in data.items():
        name = f"{within}{key}"
        if not isinstance(value, dict):
            yield name, _numbers(table, name, value)
            continue
        inner = cast("dict[str, Any]", value)
        if not inner.keys() & {*RANGES, "correlated"}:
            _check_spelling(table, name, inner)
            yield from read_ranges(table, inner, f"{name}.")
            continue
        if "correlated" in inner:
            with table.place(name):
                names = [str(x) for x in _as_list(inner["correlated"])]
                yield tuple(names), correlated(_numbers(table, name, inner.get("mean", [])),
                                               _numbers(table, name, inner.get("covariance", [])))  # fmt: skip
            continue
        if len(inner) != 1:
            table.fail(name, f"{name} must have one of {', '.join(RANGES)}, got {literal(list(inner))}")
        ((kind, bounds),) = inner.items()
        if isinstance(bounds, str) and bounds != "limits" and get_close_matches(bounds, ["limits"]):
            table.fail(name, f'{name} has box = {literal(bounds)}; did you mean "limits"?')
        values = [x if x == "limits" else _numbers(table, name, x) for x in _as_list(bounds)]
        with table.place(name):
            yield name, _call_with_values(table, name, kind, RANGES[kind], values)


def read_axis(table: Table) -> tuple[Any, ...]:
    bounds = [number_in(table, key, table.get(key)) for key in ("from", "to") if key in table]
    table.allowed_keys += ["from", "to"]
    with table.place("cells"):
        axis = (table.text("of"), integer("cells", table.get("cells")), *bounds)
    table.done()
    if len(bounds) == 1:
        table.fail(None, f"{table.name} needs both from and to, or neither")
    return axis


def read_draw(table: Table) -> Draw:
    kind = table.choice("kind", DRAWS, "sobol")
    if kind == "samples":
        source, columns = table.file_below("file", "the sweep"), table.array("columns", [])
        table.done()
        with table.place("file"):
            return samples(source, [str(x) for x in columns])
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


def read_kept(file: Table, entry: Any) -> Any:
    """A word, or { exceeds = "effort" }."""
    if isinstance(entry, str):
        return entry
    inner = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    if len(inner) != 1 or next(iter(inner)) not in KEPT:
        file.fail("keep", f"keep has {literal(entry)}; give a word, or a table with one of {', '.join(KEPT)}")
    ((kind, values),) = inner.items()
    values = [x if isinstance(x, str) else _numbers(file, "keep", x) for x in _as_list(values)]
    with file.place("keep"):
        return _call_with_values(file, "keep", kind, KEPT[kind], values)


def _call_with_values(table: Table, key: str, kind: str, function: Callable[..., Any], values: list[Any]) -> Any:
    try:
        return function(*values)
    except TypeError:
        takes = ", ".join(signature(function).parameters)
        table.fail(key, f"{kind} takes {takes}; it has {len(values)} value{'s' * (len(values) != 1)} here")


def _check_spelling(table: Table, name: str, inner: Mapping[str, Any]) -> None:
    """`q = { bx = 1 }` is a box that was misspelt, and no joint bx."""
    for key, value in inner.items():
        if not isinstance(value, dict) and (near := get_close_matches(key, [*RANGES, "correlated"], 1, 0.7)):
            table.fail(name, f'{name} has {literal(key)}; did you mean "{near[0]}"?')


def _as_list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _numbers(table: Table, key: str, value: Any) -> Any:
    """A number, or lists of numbers; expressions such as "pi/2" are numbers."""
    if isinstance(value, list):
        return [_numbers(table, key, x) for x in cast("list[Any]", value)]
    return value if type(value) is int else number_in(table, key, value)
