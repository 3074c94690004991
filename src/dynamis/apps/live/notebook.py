"""A report as a notebook: the calls that made it, and what each of them gave."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from dynamis.apps.live.inputs import Inputs
from dynamis.apps.live.sections import CLOSED_FORM_SECONDS, STATE
from dynamis.base.errors import DynamisError
from dynamis.base.printable import in_a_line
from dynamis.base.provenance import Provenance, without_folders
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.exact.derive import derive
from dynamis.library import read
from dynamis.model.formats.robot_file.joint_table import Exercise
from dynamis.motion.single_states.state import robot_state
from dynamis.motion.tasks.task import Task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot
from dynamis.telling.drawing.numbers import free_numbers
from dynamis.telling.figure import style
from dynamis.telling.pages.lint import lint
from dynamis.telling.result import Result

MAX_OUTPUT_CHARACTERS = 250_000
"""Characters of what a cell shows that are kept; a larger value is shown when the cell runs."""


def notebook(
    title: str, robot: Robot, x: Inputs, task: Task | None, budget: TorqueBudget | None, provenance: Provenance
) -> str:
    """The text of an .ipynb file; the same report gives the same text, the date aside."""
    cells = [
        _words(f"# {in_a_line(title).translate(_MARKDOWN)}"),
        *(_code(source, shown) for source, shown in _calls(robot, x, task, budget)),
        _words(in_a_line(str(provenance)).translate(_MARKDOWN)),
    ]
    named = [{"id": f"cell-{k}", **cell} for k, cell in enumerate(cells, 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {"cells": named, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


_MARKDOWN = {ord(c): f"\\{c}" for c in "\\`*_{}[]<>#$|~&"}


def _calls(robot: Robot, x: Inputs, task: Task | None, budget: TorqueBudget | None) -> Iterator[tuple[str, Any]]:
    """Lines, and the value of the last of them."""
    name = json.dumps(without_folders(robot.file) if robot.file else f"{robot.name}.toml", ensure_ascii=False)
    yield f"import dynamis\n\nrobot = dynamis.load({name}){_values_call(robot)}\nrobot", robot
    yield "dynamis.lint(robot)", lint(robot)
    yield "robot.plot();", _picture(RobotSheet(robot, drawn=True))
    own = robot
    if x.stand_ins:
        values = {key: float(value) for key, value in free_numbers(robot).items()}
        own = robot.with_values(**values)
        yield f"# The file has no values for these: they stand in.\nnumbers = robot.with_values(**{values!r})", None
    q, subject = [round(slider.value, 6) for slider in x.q], "numbers" if x.stand_ins else "robot"
    if budget is None or task is None:
        yield f"q = {q}\ndynamis.robot_state({subject}, q, only={STATE!r})", robot_state(own, q, only=STATE)
    else:
        file = json.dumps(without_folders(task.file or "task.toml"), ensure_ascii=False)
        state = robot_state(task.robot, q, only=STATE, gravity=task.gravity)
        call = f"dynamis.robot_state(task.robot, q, only={STATE!r}, gravity=task.gravity)"
        yield f"task = dynamis.files.load_task({file}, robot)\nq = {q}\n{call}", state
        yield "budget = task.budget()\nbudget", budget
        for figure in budget.document().figures.values():
            if not figure.missing:
                yield f"budget.plot({figure.name!r});", _picture(budget, figure.name)
    model = robot.equations(seconds=CLOSED_FORM_SECONDS)
    yield f"model = robot.equations(seconds={CLOSED_FORM_SECONDS:g})\nmodel", model
    try:
        yield "dynamis.derive(model, steps=False)", derive(model, steps=False)
        yield "model.prove()", model.prove()
        yield "model.coefficients", model.coefficients
    except DynamisError:
        return


def _values_call(robot: Robot) -> str:
    """The call that gives parameters the values that the file has not, such as those that were set."""
    try:
        content = read(robot.file)
    except DynamisError:
        return ""
    own = (content.robot if isinstance(content, Exercise) else content).values
    given = {name: str(x) for name, x in robot.values.items() if str(x) != str(own.get(name))}
    return f".with_values({given!r})" if given else ""


def _picture(result: Result, name: str = "") -> bytes | None:
    """A figure as PNG; None without matplotlib, or of a robot that cannot be drawn."""
    image = BytesIO()
    try:
        with style():
            figure: Any = result.figure(name)
            figure.savefig(image, format="png", dpi=100, metadata={"Software": None})
    except DynamisError:
        return None
    return image.getvalue()


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(source: str, shown: Any) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = []
    if isinstance(shown, bytes):
        image = {"image/png": b64encode(shown).decode(), "text/plain": ["<Figure>"]}
        outputs.append({"output_type": "display_data", "data": image, "metadata": {}})
    elif shown is not None and len(page := getattr(shown, "_repr_html_")()) <= MAX_OUTPUT_CHARACTERS:  # noqa: B009 (a notebook's name)
        data = {"text/html": _lines(page), "text/plain": _lines(repr(shown))}
        outputs.append({"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None})
    return {
        "cell_type": "code", "metadata": {}, "source": _lines(source), "outputs": outputs, "execution_count": None,
    }  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
