"""`dynamis sweep`: the largest torques over a workspace, and other values of millions of states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dynamis.apps.sweeps.run_sweep import RunSweep
from dynamis.cli.ending import end_interrupted
from dynamis.cli.output import File, OutputFolder, PageTarget, folder_and_page, page_target, result_files
from dynamis.cli.terminal import Progress, warnings_so_far
from dynamis.cli.verb_command import FolderCommand, Values

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.telling.result import Result


class SweepCommand(FolderCommand):
    """A sweep may be explained first, its data are a file, and what Ctrl-C leaves of it is kept beside that."""

    verb = RunSweep
    name = "sweep"
    reads, file_help = "sweep", "A .toml file (docs/sweeps.md), or a shipped sweep's name."
    more_help = (
        "With -o FOLDER the data are written as sweep.nc, with -o FILE.html a page. Ctrl-C keeps what is done beside "
        "it, and the same command goes on from there."
    )
    stem = "sweep"
    tables = "dynamis.apps.sweeps.sweep_file:TABLES"
    table_help = "Table to print: all, values, argpeak, argmax, argmin, limiting-joint, reached, brackets or words."
    samples = False

    def __call__(self, **values: Any) -> None:
        if not values["explain"]:
            super().__call__(**values)
            return
        _, file = folder_and_page(values["output"])
        target = page_target(values["page"], values["as_json"], file, values["force"], **self.inputs(values))
        plan = self.asked(values).run()
        target.write(target.text(plan, decimals=values["decimals"]), f"plan of a sweep of {plan.robot}")

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[Result, str]:
        from dynamis.apps.sweeps.stores import partial_store

        kept = None if folder.folder is None else partial_store(folder.folder)
        values |= {"kept": kept, "to": folder, "name": question.robot.name}
        try:
            return question.run(kept=kept, progress=progress), ""
        except KeyboardInterrupt:
            if kept is None or not kept.exists():
                raise
            progress.clear()
            end_interrupted(f"what is done is kept in {kept}; the same command goes on from there")

    def text(self, result: Result, question: Any, values: Values, target: PageTarget) -> str:
        from dynamis.apps.sweeps.maps.workspace_map import WorkspaceMap

        if isinstance(result, WorkspaceMap) and target.form == "html" and values["table"] == "all":
            return result.page("html", provenance=target.provenance, warnings=warnings_so_far())
        return super().text(result, question, values, target)

    def files(self, result: Result, values: Values, progress: Progress, origin: Provenance) -> Iterator[File]:
        from dynamis.apps.sweeps.stores import write_netcdf

        data: Any = getattr(result, "data", None)
        if data is not None:
            yield "sweep.nc", lambda path: write_netcdf(data, path)
        series = "csv" if result.document().columns is not None else "none"
        yield from result_files(result, values["figures"], series, progress, origin, "sweep")

    def tell(self, result: Result, text: str, target: PageTarget, values: Values) -> None:
        target.write(text, f"sweep of {values['name']}")
        if values["kept"] is not None and values["to"].problem is None:
            values["kept"].unlink(missing_ok=True)


command = SweepCommand().command
