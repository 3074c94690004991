"""`dynamis learn`: the torque of a motion, found by repeated trials."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from dynamis.cli.output import OutputFolder, PageTarget
from dynamis.cli.terminal import Progress, page_width, print_marked
from dynamis.cli.verb_command import FolderCommand, Values
from dynamis.simulation.learning.learn import Learn

if TYPE_CHECKING:
    from dynamis.simulation.learning.result import Learning, Trial


class LearnCommand(FolderCommand):
    """Trials are told as they come, in lines; a table of the joints that is wider than that comes at the end."""

    verb = Learn
    reads, file_help = "task", "A .toml file (docs/torque-budget.md), or a shipped task's name."
    stem, series = "learning", "torque"
    tables = "dynamis.simulation.learning.result:TABLES"
    table_help, table = "Columns per joint: rms, peak or torque.", "rms"
    decimals, samples = None, False

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[Learning, str]:
        from dynamis.simulation.learning.result import trial_table
        from dynamis.simulation.one_run import INTERRUPTED
        from dynamis.telling.blocks import Document

        plant = question.robot
        values["columns"] = columns = _columns(plant.n)

        def show(trial: Trial) -> None:
            if not target.printed:
                return
            progress.clear()
            one = trial_table((trial,), [(x.length, x.unit) for x in plant.coordinates], columns, values["table"])
            lines = target.text(Document("", (one,))).rstrip().split("\n")
            rule = next(k for k, line in enumerate(lines) if line.startswith("---"))
            print_marked("\n".join(lines if trial.number == 1 else lines[rule + 1 :]))
            sys.stdout.flush()

        learned = question.run(progress=progress, on_trial=show)
        stopped = learned.ended.startswith(INTERRUPTED)
        return learned, f"{len(learned.trials)} of {question.trials} trials are kept" if stopped else ""

    def excerpt(self, result: Any, values: Values) -> Any:
        return result

    def tell(self, result: Learning, text: str, target: PageTarget, values: Values) -> None:
        from dynamis.simulation.learning.result import legend
        from dynamis.telling.blocks import Document, Words

        if not target.printed:
            super().tell(result, text, target, values)
            return
        table = values["table"]
        heads = Document("", (Words(legend(result, table)),))
        explanation = target.text(heads) if values["columns"] else f"\n{target.text(result.excerpt(table))}"
        print_marked(f"{explanation}\n{target.text(result.excerpt('sentences'))}", end="")

    def title(self, result: Learning) -> str:
        return f"learning of {result.robot}"


def _columns(joints: int) -> int:
    """The joints that have room in a line of the terminal: all or none."""
    from dynamis.simulation.learning.result import CELL_WIDTH

    return joints if (CELL_WIDTH + 2) * (joints + 4) <= page_width() else 0


command = LearnCommand().command
