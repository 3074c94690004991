"""`dynamis motion`: a task through a robot, and what every joint must give for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from inspect import Parameter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.cli.film import FilmOption, film_target
from dynamis.cli.output import OutputFolder, PageTarget, result_files
from dynamis.cli.terminal import Progress, remark
from dynamis.cli.verb_command import FolderCommand, Values, own_parameter
from dynamis.motion.torque_budget.torque_budget import Budget

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.cli.output import File
    from dynamis.motion.torque_budget.result import TorqueBudget

SHIPPED = (
    "two-bar-reach (of bar-2r), puma-lift (of puma560), panda-line (of panda), niryo-lift (of niryo-one-estimated)"
)
FIGURE_SAMPLES = 4001
"""Samples of the figures of what is not kept of a long motion: more than the pixels across a page."""


class MotionCommand(FolderCommand):
    """Motions have films, and figures of what was not kept of a long one are drawn from fewer samples."""

    verb = Budget
    name = "motion"
    reads, file_help = "task", f"A .toml file (docs/torque-budget.md), or a shipped task: {SHIPPED}."
    stem = "budget"
    tables = "dynamis.motion.torque_budget.document:TABLES"
    table_help = "Table to print: all, sizing, motors, effects, shares, bearings, tool or causes."
    degrees = True

    def more(self) -> list[Parameter]:
        return [*super().more(), own_parameter("animation", FilmOption, "none")]

    def prepare(self, place: Path | None, values: Values) -> None:
        values["film"] = film_target(values["animation"], place, values["force"])

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[TorqueBudget, str]:
        def save(path: Path) -> None:
            """The film."""
            from dynamis.simulation.film import film

            film(question.robot, question.motion).save(path, target.provenance)

        values |= {
            "save": save,
            "coarser": cache(partial(question.run, samples=FIGURE_SAMPLES)),
            "coarse": [],
            "folder": folder,
        }
        return question.run(progress=progress), ""

    def files(self, result: TorqueBudget, values: Values, progress: Progress, origin: Provenance) -> Iterator[File]:
        from dynamis.base.errors import ArgumentError

        def draw(name: str) -> Any:
            """The figure; of what was not kept of a long motion, that of a coarser budget."""
            try:
                return result.figure(name)
            except ArgumentError as error:
                if error.key != "keep" or len(result.history.t) <= FIGURE_SAMPLES:
                    raise
            values["coarse"].append(name)
            return values["coarser"]().figure(name)

        files = result_files(result, values["figures"], values["history"], progress, origin, draw=draw)
        return chain(files, values["film"].files(values["save"], progress))

    def tell(self, result: TorqueBudget, text: str, target: PageTarget, values: Values) -> None:
        super().tell(result, text, target, values)
        values["film"].write(values["save"], f"film of {result.robot}", target.form == "json")
        if values["folder"].names and values["figures"] != "none" and result.tool is None:
            remark(
                "note",
                f'robot "{result.robot}" has no tool, so there is no figure of its motion; '
                'name a frame in the task: frame = "..."',
            )
        if coarse := values["coarse"]:
            remark(
                "note",
                f"of {len(result.history.t):,} samples the torques alone are kept (256 MB); "
                f"{', '.join(coarse)} are drawn from {FIGURE_SAMPLES:,} samples",
            )

    def title(self, result: TorqueBudget) -> str:
        return f"torque budget of {result.robot}"


command = MotionCommand().command
