"""`dynamis report`: all about a robot, and a motion of it, in one file that computes."""

from __future__ import annotations

from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from dynamis.apps.live.report import Report
from dynamis.cli.options import ForceOption
from dynamis.cli.output import PAGES, PageTarget, check_page
from dynamis.cli.terminal import Progress, warnings_so_far
from dynamis.cli.verb_command import VerbCommand, own_parameter

Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write: .html, .pdf, .ipynb or .md.")
]


class ReportCommand(VerbCommand):
    """The report is one file, in the format of its suffix."""

    verb = Report
    reads, file_help = "task", "A .toml file or a shipped task: its motion."
    may_lack_file = True

    def more(self) -> list[Parameter]:
        return [
            own_parameter("output", Output, Path("report.html")),
            own_parameter("force", ForceOption, False),
            *super().more(),
        ]

    def __call__(self, **values: Any) -> None:
        from dynamis.apps.live.live_report import check_format

        output = values["output"]
        check_format(output)
        check_page(output, values["force"])
        inputs = {"robot": values["robot"], "task": values["file"]}
        target = PageTarget(PAGES.get(output.suffix.lower(), "notebook"), output, inputs)
        question = self.asked(values)
        with Progress("report") as progress:
            result = question.run(progress=progress)
            progress("the page")
            if target.form == "html":
                text = result.page("html", provenance=target.provenance, warnings=warnings_so_far())
            elif target.form == "notebook":
                text = result.notebook(target.provenance)
            else:
                text = target.text(result)
        target.write(text, result.document().title, quiet=values["as_json"])
        if values["as_json"]:
            told = PageTarget("json", None, inputs)
            told.write(told.text(result), "")


command = ReportCommand().command
