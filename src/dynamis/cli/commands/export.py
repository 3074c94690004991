"""`dynamis export`: a robot's functions as code in another language."""

from __future__ import annotations

from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from dynamis.apps.exports.export import ExportFunctions
from dynamis.cli.provenance import command_provenance
from dynamis.cli.verb_command import VerbCommand, own_parameter

Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write; ROBOT-TARGET if left out.")
]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that has files.")]


class ExportCommand(VerbCommand):
    """The folder is named for the robot and the target where it has no other name."""

    verb = ExportFunctions

    def more(self) -> list[Parameter]:
        return [
            *super().more(),
            own_parameter("output", Output, None),
            own_parameter("force", Force, False),
        ]

    def __call__(self, **values: Any) -> None:
        from dynamis.apps.exports.syntax import identifier
        from dynamis.base.writing import write_bytes
        from dynamis.cli.output import OutputFolder, PageTarget

        inputs = {"robot": values["robot"]}
        question = self.asked(values)
        folder = values["output"] or Path(f"{identifier(question.robot.name)}-{question.to}")
        place = OutputFolder(folder, "", values["force"], ("vectors.json", "README.md"))
        result = question.run(provenance=command_provenance(**inputs))
        place.write_all((name, partial(write_bytes, data=data)) for name, data in result.contents.items())
        target = PageTarget("json" if values["as_json"] else "text", None, inputs)
        target.write(target.text(result), "")
        place.close(values["as_json"])


command = ExportCommand().command
