"""`dynamis excite`: the motion whose torques tell the parameters of a robot best, within its limits."""

from __future__ import annotations

from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.apps.identification.excitation.excite import Excite
from dynamis.cli.ending import end_interrupted
from dynamis.cli.output import OutputFolder, PageTarget, check_output
from dynamis.cli.terminal import Progress
from dynamis.cli.verb_command import FolderCommand, Values

if TYPE_CHECKING:
    from dynamis.apps.identification.excitation.result import ExcitingMotion


class ExciteCommand(FolderCommand):
    """Its samples alone may be written, for the controller."""

    verb = Excite
    stem, series = "excitation", "trajectory"
    decimals = None

    def more(self) -> list[Parameter]:
        file = typer.Option(
            "-o",
            "--output",
            metavar="TRAJECTORY",
            help="Samples for the controller, a .csv or .parquet file; a page such as page.html; or a folder of all.",
        )
        shown = {one.name: one for one in super().more()}
        return [*(shown | {"output": shown["output"].replace(annotation=Annotated[Path | None, file])}).values()]

    def __call__(self, **values: Any) -> None:
        place = values["output"]
        alone = place is not None and place.suffix.lower() in (".csv", ".parquet")
        super().__call__(**values | {"output": None if alone else place, "samples": place if alone else None})

    def prepare(self, place: Path | None, values: Values) -> None:
        check_output(values["samples"], values["force"])

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[ExcitingMotion, str]:
        progress("base parameters")
        found = question.run(progress=progress)
        return found, _kept(found)

    def tell(self, result: ExcitingMotion, text: str, target: PageTarget, values: Values) -> None:
        super().tell(result, text, target, values)
        samples: Path | None = values["samples"]
        if samples is None:
            return
        (result.to_csv if samples.suffix.lower() == ".csv" else result.to_parquet)(samples)
        if kept := _kept(result):
            end_interrupted(f"{kept} in {samples}")
        if target.form != "json":
            print(f"\nwrote {samples}: {len(result.columns()['t [s]'])} samples, positions, velocities, accelerations")

    def title(self, result: ExcitingMotion) -> str:
        return f"exciting motion of {result.robot.name}"


def _kept(found: ExcitingMotion) -> str:
    """What Ctrl-C left of the search; empty where it came to its end."""
    from dynamis.simulation.one_run import INTERRUPTED

    return f"the search was {found.ended}; its best motion is kept" if found.ended.startswith(INTERRUPTED) else ""


command = ExciteCommand().command
