"""`report`: a robot, and a motion of it, as one document: its page computes, and goes on paper, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.apps.live.figure import figure_data
from dynamis.apps.live.inputs import Inputs
from dynamis.apps.live.live_model import LiveModel
from dynamis.apps.live.motion import causes, motion_data
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.provenance import Provenance
from dynamis.base.writing import write_bytes, write_text
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.motion.tasks.task import Task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot
from dynamis.telling.blocks import Document, Section
from dynamis.telling.drawing.numbers import floats, free_numbers
from dynamis.telling.drawing.pose import pose
from dynamis.telling.renderers.markdown import write_markdown
from dynamis.telling.result import Result

FORMATS = (".html", ".pdf", ".ipynb", ".md")


@dataclass(frozen=True)
class LiveReport(Result):
    """A robot and, where there is a task, its motion. `page("html")` is the live page, `save` writes any format."""

    robot: Robot
    task: Task | None
    budget: TorqueBudget | None
    sections: tuple[Section, ...]
    inputs: Inputs
    visuals: tuple[dict[str, Any], ...] = ()
    """What the file of the robot draws of its links."""

    def document(self) -> Document:
        """The robot, its model in a state, its equations and proofs, its motion."""
        about = f"{self.robot.name}: report" if self.task is None else f"{self.robot.name}: report on a motion"
        methods = ("inverse_dynamics", "reactions", "mass_matrix")
        return Document(about, self.sections, data=self._data, methods=methods)

    def _data(self) -> dict[str, Any]:
        x = self.inputs
        return {
            "robot": self.robot.name, "sections": [section.title for section in self.sections],
            "sliders": [slider.name for row in (x.q, x.qd, x.qdd, x.parameters, x.gravity) for slider in row],
            "stand_ins": x.stand_ins,
        }  # fmt: skip

    @cached_property
    def live(self) -> dict[str, Any]:
        """What the page computes with."""
        model = LiveModel(self.inputs, moving=self.task is not None)
        motion = None if self.budget is None else self.budget.history.q
        figure = figure_data(self.inputs.robot, np.array([x.value for x in self.inputs.q]), motion)
        figure["visuals"] = self.visuals
        data = {"name": self.robot.name, **model.data(), "figure": figure}
        if self.task is not None and self.budget is not None:
            robot = self.inputs.robot
            data |= {"motion": motion_data(robot, self.task, self.budget), "causes": causes(robot)}
        return data

    def page(self, form: str = "text", **options: Any) -> str:
        """As of every result; "html" is the live page."""
        for ring in self.document().rings:
            if ring.deadline is not None:
                ring.deadline.renew()
        if form == "html" and not options.get("fragment"):
            from dynamis.apps.live.page import live_page

            return live_page(self, self.robot, self.inputs, self.live, **{"provenance": self._provenance(), **options})
        return super().page(form, **options)

    def notebook(self, provenance: Provenance) -> str:
        """The text of an .ipynb file: the calls that make the report, and what they give."""
        from dynamis.apps.live.notebook import notebook

        return notebook(self.document().title, self.robot, self.inputs, self.task, self.budget, provenance)

    def save(self, path: str | Path, provenance: Provenance | None = None) -> None:
        """Write it as .html, .pdf, .ipynb or .md, by the suffix."""
        path, origin = Path(path), provenance or self._provenance()
        check_format(path)
        match path.suffix.lower():
            case ".pdf":
                self.to_pdf(path, provenance=origin)
            case ".md":
                write_markdown(path, self.page("markdown", pictures=True, provenance=origin))
            case ".ipynb":
                write_text(path, self.notebook(origin))
            case _:
                write_bytes(path, self.page("html", provenance=origin).encode())


def check_format(path: str | Path, formats: Sequence[str] = FORMATS, key: str = "output") -> None:
    """Raise unless the suffix is that of a report."""
    if Path(path).suffix.lower() not in formats:
        *others, last = formats
        known = f"{', '.join(others)} or {last}" if others else last
        raise ArgumentError(f'the name of a report must end in {known}, got "{path}"', key=key)


def start(robot: Robot) -> Array:
    """The posture that shows a robot best, with numbers for parameters that have none."""
    return pose(robot, mechanism(robot, floats(robot, free_numbers(robot))))
