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

With map = "payload" (torque, reach, bearing) in the place of quantity and keep it is a map; all else is optional. With
map = "tolerance-bands" and a motion it is the bands of its torque budget; bracket = true, or a table
[bracket], asks for certified bounds, and [search] for parameters of the robot.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any

from dynamis.apps.sweeps.bounds.bracket import bracket
from dynamis.apps.sweeps.draws.points import Draw, sobol
from dynamis.apps.sweeps.maps.kinds import KINDS, map_sweep
from dynamis.apps.sweeps.maps.tolerance_bands import tolerance_bands
from dynamis.apps.sweeps.plan import SweepPlan
from dynamis.apps.sweeps.run import Progress
from dynamis.apps.sweeps.run_sweep import RunSweep
from dynamis.apps.sweeps.search.design_search import DEFAULT_TRIALS, design_search, seconds_per_design
from dynamis.apps.sweeps.sweep import Sweep, sweep
from dynamis.apps.sweeps.sweep_values import read_axis, read_draw, read_kept, read_ranges
from dynamis.base.arguments import flag
from dynamis.base.errors import ArgumentError, check_name, literal
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import Table, exists, parse_toml, read_text
from dynamis.base.writing import make_folder
from dynamis.library import require_robot
from dynamis.model.formats.tasks.payload_table import read_payload
from dynamis.model.formats.tasks.state_file import read_load
from dynamis.model.formats.tasks.values import number_in
from dynamis.model.loads import Load
from dynamis.model.payload import Payload
from dynamis.motion.tasks.task import load_task, tasks
from dynamis.robot import Robot
from dynamis.telling.result import Result

_SHIPPED = Shipped("sweep", "apps/sweeps/tasks")
BANDS = "tolerance-bands"
DEFAULT_KEEP = ["peak", "argpeak", "mean"]
TABLES = ("all", "values", "argpeak", "argmax", "argmin", "limiting-joint", "reached", "brackets", "words")
"""Sections of the page of a sweep, of a map, or of brackets."""


@dataclass(frozen=True)
class Study:
    """What a file asks for that has sweeps inside: bands, brackets or designs. `run` gives the result."""

    robot: Robot
    compute: Callable[[Progress | None], Result]
    explain: Callable[[], SweepPlan]
    steps: str = ""
    """What `progress` counts."""

    def run(self, progress: Progress | None = None) -> Result:
        """The result; `progress` is called with the steps that are done and all steps."""
        return self.compute(progress)


def sweeps() -> list[str]:
    """The names of the sweeps that ship with dynamis; the first lines of each say which robot it is for.

    >>> "ur5-torque" in sweeps()
    True
    """
    return _SHIPPED.names()


def load_sweep(
    name: str | Path, robot: Robot, payload: Payload | None = None, bracketed: bool = False
) -> Sweep | Study:
    """A sweep for a robot: the name of a shipped one, or the path of a TOML file (docs/sweeps.md).

    A `payload` takes the place of the file's. `bracketed` asks for certified bounds, as a table [bracket] does.

    >>> import dynamis
    >>> load_sweep("ur5-torque", dynamis.load("ur5")).explain().states
    1048576
    """
    require_robot(robot)
    path = _SHIPPED.path(name)
    file = parse_toml(read_text(path), str(path))
    held = read_payload(file)
    kind = file.choice("map", (*KINDS, BANDS)) if "map" in file else ""
    file.allowed_keys.append("map")
    for key in ("quantity", "keep"):
        if kind and key in file:
            file.fail(key, f"a map has a {key} of its own; leave out either {key} or map")
    several = isinstance(file.data.get("quantity"), list)
    quantity = "" if kind else [str(x) for x in file.array("quantity")] if several else file.text("quantity")
    draw, by, options = (file.table(key, {}) for key in ("draw", "by", "options"))
    over = file.table("over", {}) if kind or draw.data.get("kind") == "samples" else file.table("over")
    keep = [] if kind else [read_kept(file, x) for x in file.array("keep", DEFAULT_KEEP)]
    loads = [load for entry in file.tables("load") for load in read_load(entry, robot, symbols=True)]
    bracketed = flag("bracketed", bracketed) or file.data.get("bracket") is True
    whole = [key for key in ("bracket", "search") if key in file and file.data[key] is not True]
    if whole and not isinstance(file.data.get("bracket", {}), dict):
        file.fail("bracket", f"bracket must be true or a table, got {literal(file.data['bracket'])}")
    parts = {key: file.table(key) if key in whole else None for key in ("bracket", "search")}
    file.allowed_keys += parts
    bands = _bands_keys(file) if kind == BANDS else None
    file.done()
    ranges = dict(read_ranges(over, over.data, ""))
    cells = {key: read_axis(by.table(key)) for key in by.data}
    drawn = read_draw(draw)
    names: dict[str, Any] = {key: options.text(key) for key in options.data}
    if ours := names.keys() & set(signature(sweep).parameters):
        options.fail(min(ours), f'unknown option "{min(ours)}" of {quantity}')
    with file.place():
        _check_parts(kind, parts, bracketed, loads)
        if payload is not None and not isinstance(payload, Payload):  # type: ignore[redundant-expr]
            raise ArgumentError(f"payload must be a dynamis.Payload, got {literal(payload)}", key="payload")
        held = held if payload is None else payload
        robot = robot if held is None else held.held_by(robot)
        if bands:
            return _bands(file, robot, *bands, ranges, drawn if draw.data else None)
        if kind:
            return map_sweep(kind, robot, ranges, cells, drawn if draw.data else None, loads)
        if parts["search"]:
            return _search(parts["search"], robot, quantity, ranges, drawn if draw.data else None)
        swept = sweep(robot, quantity, ranges, drawn, cells, keep, loads, **names)
        return _bracket(parts["bracket"], swept) if bracketed or parts["bracket"] else swept


def sweep_of_file(asked: RunSweep) -> Result:
    """What the sweep of a file gives: its report, a map, bands, brackets, designs, or its plan."""
    swept = load_sweep(asked.sweep, asked.robot, asked.payload, asked.bracket)
    if asked.explain:
        return swept.explain()
    tell: Callable[[str], None] = asked.progress or (lambda _: None)
    steps = swept.steps if isinstance(swept, Study) else "states"

    def progress(done: int, all: int) -> None:
        tell(f"{done:,} of {all:,} {steps}")

    if isinstance(swept, Study):
        tell("computing")
        return swept.run(progress)
    if asked.kept is not None:
        make_folder(asked.kept.parent)
    return swept.report(swept.run(kept=asked.kept, threads=asked.threads, progress=progress))


def _check_parts(kind: str, parts: dict[str, Table | None], bracketed: bool, loads: list[Load]) -> None:
    asked = [key for key, table in parts.items() if table or (key == "bracket" and bracketed)]
    if kind and asked:
        raise ArgumentError(f"a map has no {asked[0]}; give a quantity instead of map", key="map")
    if len(asked) > 1:
        raise ArgumentError("a file has either [bracket] or [search]", key="search")
    if loads and (parts["search"] or kind == BANDS):
        raise ArgumentError("loads belong to sweeps, maps and brackets", key="load")


def _bracket(table: Table | None, swept: Sweep) -> Study:
    settings: dict[str, Any] = {}
    if table:
        for key in ("seconds", "tolerance"):
            settings |= {key: number_in(table, key, table.get(key))} if key in table else {}
        settings |= {"sides": table.text("sides")} if "sides" in table else {}
        table.allowed_keys += ["seconds", "tolerance", "sides"]
        table.done()

    def explain() -> SweepPlan:
        plan = swept.explain()
        return replace(plan, seconds=plan.seconds + settings.get("seconds", 10.0))

    def run(progress: Progress | None) -> Result:
        with table.place() if table else nullcontext():
            return bracket(swept, **settings, progress=progress)

    return Study(swept.parts.robot, run, explain, "bounds")


def _search(table: Table, robot: Robot, quantity: Any, over: dict[Any, Any], draw: Draw | None) -> Study:
    aims = [str(x) for x in table.array("aims")] if isinstance(table.get("aims"), list) else table.text("aims")
    parameters = table.table("parameters")
    numbers = {key: int(number_in(table, key, table.get(key))) for key in ("trials", "seed") if key in table}
    table.allowed_keys += ["trials", "seed"]
    table.done()
    boxes = dict(read_ranges(parameters, parameters.data, ""))
    states = draw or sobol(1024)

    def run(progress: Progress | None) -> Result:
        with table.place():
            return design_search(robot, quantity, boxes, over, aims, states, **numbers, progress=progress)

    def explain() -> SweepPlan:
        plan, trials = (
            sweep(robot, quantity, {**over, **boxes}, states).explain(),
            numbers.get("trials", DEFAULT_TRIALS),
        )
        seconds = trials * seconds_per_design(robot, quantity, boxes, over, aims, states)
        return replace(plan, states=plan.states * trials, seconds=seconds)

    return Study(robot, run, explain, "designs")


def _bands_keys(file: Table) -> tuple[str | Path, float]:
    return _task(file, file.text("motion")), number_in(file, "share", file.get("share", 0.95))


def _task(file: Table, name: str) -> str | Path:
    """A shipped task, or the file of one."""
    if name in tasks():
        return name
    path = file.file_below("motion", "the sweep")
    with file.place("motion"):
        if not path.suffix and not exists(path):
            check_name("task", name, tasks())
    return path


def _bands(
    file: Table, robot: Robot, motion: str | Path, share: float, over: dict[Any, Any], draw: Draw | None
) -> Study:
    task = load_task(motion, robot)

    def run(_: Progress | None) -> Result:
        with file.place():
            return tolerance_bands(task.robot, task.budget(), over, draw, share)

    def explain() -> SweepPlan:
        plan = sweep(task.robot, "inverse_dynamics", over, draw or sobol(1024)).explain()
        return replace(plan, states=plan.states * task.samples, seconds=plan.seconds * task.samples)

    return Study(task.robot, run, explain)
