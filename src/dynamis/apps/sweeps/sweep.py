"""A sweep over many states: what it will take, and its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynamis.apps.sweeps.cells import axes
from dynamis.apps.sweeps.dataset import dataset
from dynamis.apps.sweeps.draws.points import Draw, sobol
from dynamis.apps.sweeps.draws.samples import ranges_and_draw
from dynamis.apps.sweeps.measures import Measure
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.plan import SweepPlan, plan
from dynamis.apps.sweeps.reductions import kept_names, parse_reduction
from dynamis.apps.sweeps.report import SweepReport
from dynamis.apps.sweeps.run import Progress, totals_of
from dynamis.apps.sweeps.stores import finish, partial_store, stored_result
from dynamis.base.arguments import check_callable_with, integer, one_or_more
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.extras import import_extra
from dynamis.base.writing import check_file
from dynamis.library import require_robot
from dynamis.model.loads import Load, with_load_symbols
from dynamis.robot import Robot


@dataclass(frozen=True)
class Sweep:
    """A sweep of a robot's quantity: `explain` tells what it takes, `run` gives its results."""

    parts: Parts

    def __repr__(self) -> str:
        x = self.parts
        return f"<Sweep of {x.measure.name} of {x.robot.name}: {self.states} states>"

    @property
    def states(self) -> int:
        """Of all cases."""
        return self.parts.states

    def values(self, first: int, stop: int) -> Array:
        """What is swept, in the states from index `first` to before `stop`: one column per dimension."""
        count = self.parts.points.count
        start = integer("first", first, least=0, most=count)
        return self.parts.values(start, integer("stop", stop, least=start, most=count))

    def state(self, index: int) -> dict[str, Any]:
        """The state with an index, such as `argmax` gives: q, qd, ... as far as they are swept or fixed, parameters.

        An index of -1 is that of no state, such as in a cell that no state is in.
        """
        return self.parts.state(integer("index", index, least=0, most=self.parts.points.count - 1))

    def explain(self) -> SweepPlan:
        """How many states there are, how long they take on this machine, and how large the result is."""
        return plan(self.parts)

    def run(
        self,
        client: Any = None,
        store: str | Path | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        kept: Path | None = None,
    ) -> Any:
        """The results as an `xarray.Dataset`.

        client: a `dask.distributed` client, whose workers then compute
        store: where the result goes, a folder (.zarr) or a file (.nc); what is done is kept beside it, and an
            interrupted sweep goes on from there
        threads: of this machine, all of its cores by default, one for a robot on "cuda"
        progress: is called with the states that are done and all states
        kept: the file for what is done, where there is no store, or not beside it
        """
        for name, path in (("store", store), ("kept", kept)):
            if path is not None and not isinstance(path, str | Path):  # type: ignore[redundant-expr]
                raise ArgumentError(f"{name} must be the name of a file or a folder, got {literal(path)}", key=name)
        if progress is not None:
            if not callable(progress):
                raise ArgumentError(f"progress must be a function, got {literal(progress)}", key="progress")
            check_callable_with("progress", progress, "done", "all")
        import_extra("xarray", "the results of a sweep need", "scale")  # before anything is computed
        if store is not None and (known := stored_result(self.parts, Path(store))) is not None:
            return known
        if kept is None and store is not None:
            kept = partial_store(Path(store))
        if kept is not None:
            check_file(kept := Path(kept))  # before anything is computed
        result = dataset(self.parts, totals_of(self.parts, client, kept, threads, progress))
        if store is not None:
            finish(result, Path(store))
        return result

    def report(self, data: Any) -> SweepReport:
        """What `run` gave, as tables and plots: `print(report)`, `report.plot()`, `report.page("html")`."""
        return SweepReport(self.parts, self._own(data))

    def _own(self, data: Any) -> Any:
        """The data, if they are of this sweep."""
        if getattr(data, "attrs", {}).get("sweep") != self.parts.key:
            raise ArgumentError("data must be what run of this sweep gives", key="data")
        return data


def sweep(
    robot: Robot,
    quantity: str | Sequence[str],
    over: Mapping[Any, Any] | None = None,
    draw: Draw | None = None,
    by: Mapping[str, Any] | None = None,
    keep: Sequence[Any] = ("max", "argmax", "mean"),
    loads: Sequence[Load] = (),
    **options: str,
) -> Sweep:
    """A sweep of a robot's quantity over states and parameters; nothing runs before `explain` or `run` asks for it.

    quantity: a quantity of the engine ("inverse_dynamics", "mass_matrix", ...), or "power", "effort_ratio",
        "worst_effort_ratio", "largest_payload", "acceleration_ability", "tool_acceleration", "bearing_load",
        "manipulability", "tool"; or several; `options` are those of the quantities, such as frame
    over: boxes (`box`) and distributions (`normal`, ...) of "q", "qd", "qdd", "tau", of one joint ("q.elbow") and of
        parameters ("payload.mass"); a list of values of a parameter is run through
    draw: `sobol(n)`, `lattice(n)`, `latin_hypercube(n)` or `grid(n)`; a million points of Sobol's sequence by default;
        `samples(...)` are states that you have, and take the place of boxes
    by: the cells of a map: name -> (variable, bins), or (variable, bins, least, greatest)
    keep: "max", "argmax", "min", "argmin", "peak" (the largest size), "argpeak", "mean", "variance", "deviation",
        "count", "q5", "q99.9" and other quantiles by their percentage, `exceeds(limit)`, `histogram(...)`,
        `quantile(...)`, `pareto(...)`
    loads: on the robot in every state; symbols in them (`ToolWrench(..., force=("fx", 0, 0))`) are swept as parameters
    """
    require_robot(robot)
    robot = with_load_symbols(robot, loads)
    measure = Measure(tuple(one_or_more("quantity", quantity, "name")), tuple(sorted(options.items())))
    spans, draw = ranges_and_draw(robot, {} if over is None else over, sobol(2**20) if draw is None else draw)
    if not spans.dimensions:
        raise ArgumentError("over has no box and no distribution: there is nothing to sweep", key="over")
    reductions = tuple(map(parse_reduction, one_or_more("keep", keep, "reduction")))
    cells = axes(robot, spans, {} if by is None else by, kept_names(reductions).values())
    parts = Parts(robot, measure, spans, draw, cells, reductions, tuple(loads))
    _ = parts.points, parts.cases  # too many are refused at once
    parts.check_kept()
    return Sweep(parts)
