"""A document as a list of tasks in its order: what is asked, the commands that answer, and what the document prints."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dynamis.apps.grading.judging.report import Report
from dynamis.apps.readings.commands import result_of
from dynamis.apps.readings.errata import Erratum, errata_table, misprints, without_details
from dynamis.apps.readings.formulas import plain, prose
from dynamis.apps.readings.printed.tensors import PrintedTensor, PrintedTensors
from dynamis.base.errors import UnknownNameError
from dynamis.base.shipped_files import Shipped
from dynamis.exact.derivations.derivation import Derivation
from dynamis.library import load
from dynamis.motion.single_states.exercises import compare, shipped_exercise
from dynamis.telling.blocks import Block, Code, Document, Section, Table, Words
from dynamis.telling.result import Result

READINGS = Shipped("document", "apps/readings")
COMMAND_WIDTH = 74
"""Characters in a line of a command: with a backslash and the indentation of a page within 80 columns."""


@dataclass(frozen=True)
class Task:
    """One task of a document.

    title: of its section
    words: what it asks, and how the result compares with what is printed
    commands: what answers it, without `dynamis`
    where: the place in the document, such as its section or equation numbers
    tensors: inertia tensors that it prints, compared with those of a body
    exercises: names of exercises whose printed torques and reactions are compared
    """

    title: str
    words: str = ""
    commands: tuple[str, ...] = ()
    where: str = ""
    tensors: PrintedTensors | None = None
    exercises: tuple[str, ...] = ()

    @cached_property
    def reports(self) -> dict[str, Report]:
        """The reports on its printed equations, by their commands."""
        results = {command: result_of(command) for command in self.commands if command.startswith("check ")}
        return {command: result for command, result in results.items() if isinstance(result, Report)}

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of its commands."""
        return tuple(self.reports.get(command) or result_of(command) for command in self.commands)

    @cached_property
    def comparisons(self) -> tuple[Result, ...]:
        """Printed numbers beside ours."""
        exercises = (compare(shipped_exercise(name)) for name in self.exercises)
        return (*exercises, *filter(None, (self.tensors,)))


@dataclass(frozen=True)
class Remark:
    """A slip that no equation shows: where it is, what is printed, and what is meant."""

    where: str
    printed: str
    correct: str


@dataclass(frozen=True)
class Reading(Result):
    """A document, done with dynamis: its tasks in order, and its errata."""

    name: str
    title: str
    source: str
    about: str
    notation: str
    robots: tuple[str, ...]
    tasks: tuple[Task, ...]
    remarks: tuple[Remark, ...] = ()

    def page(self, form: str = "text", **options: Any) -> str:
        """In the notation of the document, unless another one is asked for."""
        return super().page(form, **{"notation": self.notation, **options})

    @cached_property
    def errata(self) -> list[Erratum]:
        """What `check` finds wrong in the printed equations and tensors, each once."""
        slips = [slip for task in self.tasks for item in task.reports.items() for slip in misprints(*item)]
        slips += [Erratum(*row) for task in self.tasks if task.tensors for row in task.tensors.wrong]
        return list(dict.fromkeys(slips))

    def document(self) -> Document:
        """The tasks, then the errata."""
        robots = tuple(block for name in self.robots for block in _drawing(name))
        sections = [Section("The robots", robots)] if robots else []
        sections += [Section(task.title, tuple(_blocks(task, self.notation, self.robots))) for task in self.tasks]
        if self.errata:
            head = Words("What check finds in the equations as they are printed.")
            sections.append(Section("Errata", (head, errata_table(self.errata)), "errata"))
        if self.remarks:
            rows = tuple((remark.where, prose(remark.printed), prose(remark.correct)) for remark in self.remarks)
            sections.append(Section("Other slips", (Table(("where", "printed", "correct"), rows),), "slips"))
        head = Words((f"{self.source}. ", *prose(self.about)))
        return Document(self.title, (head, *sections), data=self._data)

    def _data(self) -> dict[str, Any]:
        tasks = [
            {"title": task.title, "where": task.where, "words": plain(task.words), "commands": list(task.commands),
             "comparisons": [comparison.as_dict() for comparison in task.comparisons],
             "results": [result.as_dict() for result in task.results]}
            for task in self.tasks
        ]  # fmt: skip
        errata = [slip.data(self.notation) for slip in self.errata]
        remarks = [{key: plain(value) for key, value in vars(remark).items()} for remark in self.remarks]
        return {
            "name": self.name, "title": self.title, "source": self.source, "tasks": tasks, "errata": errata,
            "remarks": remarks,
        }  # fmt: skip


def readings() -> list[str]:
    """The names of the documents."""
    return READINGS.names()


def load_reading(name: str) -> Reading:
    """The document of this name."""
    if name not in readings():
        raise UnknownNameError("document", name, readings())
    data = tomllib.loads(READINGS.path(name).read_text(encoding="utf-8"))
    tasks = tuple(map(_task, data.pop("task")))
    remarks = tuple(Remark(**remark) for remark in data.pop("remark", ()))
    return Reading(name, robots=tuple(data.pop("robots")), tasks=tasks, remarks=remarks, **data)


def _task(table: dict[str, Any]) -> Task:
    lists = {key: tuple(table.pop(key, ())) for key in ("commands", "exercises")}
    printed = table.pop("tensors", None)
    tensors = printed and PrintedTensors(printed["body"], tuple(PrintedTensor(**entry) for entry in printed["printed"]))
    return Task(tensors=tensors, **lists, **table)


def _drawing(robot: str) -> tuple[Block, ...]:
    return Code(f"dynamis show {robot} --figure {robot}.svg"), load(robot).draw().document()


def _blocks(task: Task, notation: str, robots: tuple[str, ...]) -> list[Block]:
    blocks: list[Block] = [Words(prose(" ".join(filter(None, (task.words, task.where and f"({task.where})")))))]
    for command, result in zip(task.commands, task.results, strict=True):
        symbols = f" --notation {notation}" if command.split()[0] in ("derive", "prove") else ""
        drawn = command.split()[1] in robots
        blocks += [Code(_wrap_command(f"dynamis {command}{symbols}")), _inner(result, drawn)]
    blocks += [_inner(comparison) for comparison in task.comparisons]
    return [block for block in blocks if block != Words(())]


def _wrap_command(command: str) -> str:
    """A command on as many lines as it needs, each but the last continued by a backslash.

    >>> words = "dynamis derive genova-2r --method free-bodies --steps --load 'tool force=fx,fy,0' --spatial"
    >>> print(_wrap_command(words))
    dynamis derive genova-2r --method free-bodies --steps \\
        --load 'tool force=fx,fy,0' --spatial
    """
    first, *options = command.split(" --")
    lines = [first]
    for option in options:
        if len(f"{lines[-1]} --{option}") <= COMMAND_WIDTH:
            lines[-1] += f" --{option}"
        else:
            lines.append(f"    --{option}")
    return " \\\n".join(lines)


def _inner(result: Result, drawn: bool = False) -> Document:
    """The document of a result, as part of a page: without numbers of its own, and without the scheme of a robot that
    the page has drawn; of what is wrong the errata tell.
    """
    if isinstance(result, Report):
        result = without_details(result)
    if drawn and isinstance(result, Derivation):
        result = replace(result, scheme=None)
    return replace(result.document(), numbered=False, title="")


@dataclass(frozen=True)
class ReadingList(Result):
    """The documents by name."""

    title: str = "Documents"

    def document(self) -> Document:
        """Name, title and source of each."""
        rows = tuple((one.name, one.title, one.source) for one in map(load_reading, readings()))
        hint = Words("dynamis documents NAME does the tasks of a document in its order and notation.")
        return Document("", (Table(("name", "about", "source"), rows), hint), data=lambda: {"documents": self._data()})

    def _data(self) -> list[dict[str, Any]]:
        fields = ("name", "title", "source", "about")
        return [{key: plain(getattr(one, key)) for key in fields} for one in map(load_reading, readings())]
