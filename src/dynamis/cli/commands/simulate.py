"""`dynamis simulate`: how a robot moves, from a file that says where it starts and what controls it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from inspect import Parameter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.cli.film import FilmOption, film_target
from dynamis.cli.terminal import Progress, remark
from dynamis.cli.verb_command import FolderCommand, Values, own_parameter
from dynamis.simulation.simulate import Simulate

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.cli.output import File, OutputFolder, PageTarget
    from dynamis.simulation.results.result import Simulation


class SimulateCommand(FolderCommand):
    """Simulations have films, and what Ctrl-C or an unstable loop leaves of them is kept."""

    verb = Simulate
    reads, file_help = "simulation", "A .toml file (docs/simulation.md), or a shipped simulation's name."
    stem = "simulation"
    tables = "dynamis.simulation.results.document:TABLES"
    table_help = "Table to print: all, summary, joints, energy, events or sentences."
    degrees = True

    def more(self) -> list[Parameter]:
        return [*super().more(), own_parameter("animation", FilmOption, "html")]

    def prepare(self, place: Path | None, values: Values) -> None:
        values["film"] = film_target(values["animation"], place, values["force"])

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[Simulation, str]:
        from dynamis.simulation.runs.blow_up import BlowUpError

        try:
            run = question.run(progress=progress)
        except BlowUpError as error:
            if error.partial is not None:
                folder.write(
                    error.partial, self.files(error.partial, values, progress, target.provenance), target.provenance
                )
            if folder.names and target.form != "json":
                print(f"{folder.wrote}, of the run until it blew up")
            if folder.problem is not None:
                remark("error", str(folder.problem) or "interrupted")
            raise
        progress("conditions")
        note = _interruption_note(run, bool(question.check))
        try:
            _ = run.conditions
        except KeyboardInterrupt:
            run = replace(run, tells_conditions=False)
            note = note or "the whole run is kept, without the conditions of its controller"
        return run, note

    def files(self, result: Simulation, values: Values, progress: Progress, origin: Provenance) -> Iterator[File]:
        film = values["film"].files(partial(result.animate, provenance=origin), progress)
        return chain(super().files(result, values, progress, origin), film)

    def tell(self, result: Simulation, text: str, target: PageTarget, values: Values) -> None:
        super().tell(result, text, target, values)
        save = partial(result.animate, provenance=target.provenance)
        values["film"].write(save, f"film of {result.robot.name}", target.form == "json")

    def title(self, result: Simulation) -> str:
        return f"simulation of {result.robot.name}"


def _interruption_note(run: Simulation, check: bool) -> str:
    """What Ctrl-C left of a run; empty where it came to its end."""
    from dynamis.simulation.one_run import INTERRUPTED

    if run.ended.startswith(INTERRUPTED):
        return f"the run until t = {run.times[-1]:.6g} s is kept"
    if check and (run.accuracy is None or run.accuracy.ended.startswith(INTERRUPTED)):
        return "the whole run is kept, but the second run that checks it was not finished"
    return ""


command = SimulateCommand().command
