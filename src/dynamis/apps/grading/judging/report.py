"""The verdicts on an answer, as a document and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import dedent
from typing import Any

from dynamis.apps.grading.reading.source import AnswerError, UnknownSymbolError, UsedLineError, lines_text
from dynamis.base.errors import DynamisError, ExpressionError, FormatError, TimeLimitError, name_list
from dynamis.base.faces import option
from dynamis.scalars.exact.numbers import BALL_DIGITS
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.blocks import Block, Code, Document, Items, Section, Table, Words
from dynamis.telling.forms.tree import Tree
from dynamis.telling.notation.python_form import python
from dynamis.telling.result import Result

EQUAL, WRONG = "equal", "wrong"
ROUNDED, COEFFICIENTS, VALUES, FIXED_ANGLES = (
    "equal up to rounding", "equal with coefficients", "equal with values", "equal with angles",
)  # fmt: skip
REGROUPED, CONSTANT, UNPROVED = (
    "equal up to regrouping", "equal up to a constant", f"equal as far as {BALL_DIGITS} digits tell",
)  # fmt: skip
# Statuses that a sentence explains: `equal, reading 0.333 as 1/3`.
EXPLAINED = (ROUNDED, COEFFICIENTS, VALUES, FIXED_ANGLES)
# Lines that cannot be read, in full; of more the number is enough.
MAX_UNREAD = 20


@dataclass(frozen=True)
class Point:
    """Numbers for the symbols, by their names, where the student's value and the true one differ."""

    values: Mapping[str, str]
    yours: float
    true: float

    def text(self) -> str:
        """`at q2 = pi/2, m1 = 2, all other symbols 1: yours is 2, it should be 1`.

        Six digits, more where these do not show the difference.
        """
        values = [f"{name} = {number}" for name, number in self.values.items() if number != "1"]
        where = ", ".join([*values, "all other symbols 1" if values else "all symbols 1"])
        digits = next((k for k in range(6, 17) if f"{self.yours:.{k}g}" != f"{self.true:.{k}g}"), 17)
        return f"at {where}: yours is {self.yours:.{digits}g}, it should be {self.true:.{digits}g}"


@dataclass(frozen=True)
class Correction:
    """A part of a formula as it is written, and as it should be, with what is around it; `left` is what it defines."""

    left: str
    written: Tree
    correct: Tree


@dataclass(frozen=True)
class Verdict:
    """The verdict on one entry; `status` is equal, equal up to ..., or wrong."""

    name: str
    status: str
    line: int
    sentences: tuple[str, ...] = ()
    point: Point | None = None
    conditions: tuple[str, ...] = ()
    """How a wrong entry was read: its decimals, and coefficients that it does not define."""
    values: tuple[Exact, Exact] | None = field(default=None, repr=False, compare=False)
    """Of a wrong entry, if it is not a fraction: what is written and what is right, multiplied out."""
    find_corrections: Callable[[], tuple[Correction, ...]] = field(default=tuple, repr=False, compare=False)

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """The parts of a wrong entry that are to be changed, as they are written; none where that is not short."""
        try:
            return self.find_corrections()
        except TimeLimitError:
            return ()

    @property
    def right(self) -> bool:
        """Whether the entry is equal to the true one, up to what is stated."""
        return self.status != WRONG

    @property
    def stated(self) -> str:
        """The status with what it depends on: `equal, reading 0.333 as 1/3`."""
        if not self.right or not self.sentences:
            return self.status
        before = f"{EQUAL}, " if self.status in EXPLAINED else f"{self.status}: "
        return before + self.sentences[0]

    @property
    def details(self) -> tuple[str, ...]:
        """What is wrong in a wrong entry, how it was read, and a point that shows it."""
        point = (self.point.text(),) if self.point is not None else ()
        return () if self.right else (*self.sentences, *self.conditions, *point)

    def as_dict(self) -> dict[str, Any]:
        """This verdict as JSON data."""
        data: dict[str, Any] = {"name": self.name, "status": self.status, "line": self.line}
        data["differences"] = [] if self.right else list(self.sentences)
        if because := self.sentences if self.right else self.conditions:
            data["because"] = list(because)
        if self.corrections:
            with suppress(ExpressionError):  # of joints whose names are none of Python's; the text has them
                data["corrections"] = [
                    {"of": part.left, "written": python(part.written), "correct": python(part.correct)}
                    for part in self.corrections
                ]
        if self.point is not None:
            data["point"] = {"values": dict(self.point.values), "yours": self.point.yours, "true": self.point.true}
        return data


@dataclass(frozen=True)
class Report(Result):
    """All verdicts on an answer, in the order of its lines.

    `notes` says how the answer was read, `unfinished` names the entries that the time did not reach, `unread` holds
    the errors of lines that cannot be read, and `missing` the entries that the answer leaves out of what it is about.
    """

    robot: str
    file: str
    entries: Sequence[Verdict]
    notes: Sequence[str] = ()
    unfinished: Sequence[str] = ()
    seconds: float | None = None
    unread: Sequence[AnswerError] = ()
    missing: Sequence[str] = ()
    without_role: Sequence[tuple[str, int]] = ()
    """Names of matrices and vectors of the dynamics that do not say what they are, with their lines."""

    @property
    def wrong(self) -> list[Verdict]:
        """The entries that are wrong."""
        return [entry for entry in self.entries if not entry.right]

    @property
    def verdict(self) -> str:
        """`right`, `wrong`, or `incomplete`: no entry is wrong, but some are missing or were not compared."""
        return "wrong" if self.wrong else "right" if self.complete else "incomplete"

    @property
    def right(self) -> bool:
        """Whether it is complete, and no entry is wrong."""
        return self.verdict == "right"

    @property
    def complete(self) -> bool:
        """Whether all entries of the matrices and vectors that it is about are there, can be read and were compared.

        What may be one of them under a name that does not say which is not compared.
        """
        return not self.missing and not self.unfinished and not self.without_role

    def document(self) -> Document:
        """The verdicts in a table, lines that cannot be read, notes, and how many entries are right."""
        return Document(f"{self.file} against {self.robot}", (Section("", self.blocks),), data=self._data)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What the document has below its title."""
        rows = [row for name, v in _runs(self.entries) for row in ((name, v.stated), *(("", d) for d in v.details))]
        unread = [block for text in _unread(self.unread) for block in _with_caret(text)]
        words = (Words((line,)) for line in (*self.notes, *self._summary()))
        return Table(("entry", "verdict"), tuple(rows)), *unread, *words

    def _summary(self) -> list[str]:
        right, given = len(self.entries) - len(self.wrong), len(self.entries) + len(self.unfinished)
        total = given + len(self.missing)
        unproved = sum(entry.status == UNPROVED for entry in self.entries)
        but = f"; {unproved} of them without a proof" if unproved else ""
        lines = [f"{right} of {total} entries are right, compared exactly with {self.robot}{but}"]
        if self.unread:
            many = f"{len(self.unread)} {'line' if len(self.unread) == 1 else 'lines'}"
            lines.append(f"{many} cannot be read{'' if self.complete else ', so the answer is not right yet'}")
            lines += _foreign(self.unread, len(self.entries), self.robot)
        if self.missing:
            lines.append(f"incomplete: {name_list(self.missing)} {'is' if len(self.missing) == 1 else 'are'} not given")
        if self.without_role:
            names = name_list([f"{name} (line {line})" for name, line in self.without_role])
            first, one = self.without_role[0][0], len(self.without_role) == 1
            what = f"{'has' if one else 'have'} masses and {'moves' if one else 'move'}, under a name that does not say"
            lines.append(f"incomplete: {names} {what} what it is; write M = {first} if it is the mass matrix")
        if self.unfinished:
            limit = f" of {self.seconds:g} s" if self.seconds is not None else ""
            late = f"{len(self.unfinished)} of {given} entries were not compared ({name_list(self.unfinished)})"
            lines.append(
                f"time limit{limit} reached: {late}; give more time ({option('seconds', '...')}), or fewer entries"
            )
        return lines

    def _data(self) -> dict[str, Any]:
        return {
            "robot": self.robot, "file": self.file,
            "verdict": self.verdict, "right": self.right, "complete": self.complete,
            "entries": [e.as_dict() for e in self.entries], "notes": list(self.notes), "missing": list(self.missing),
            "without_role": [{"name": name, "line": line} for name, line in self.without_role],
            "unread": [{"line": e.line, "column": e.column, "problem": e.problem} for e in self.unread],
            "unfinished": list(self.unfinished),
        }  # fmt: skip


@dataclass(frozen=True)
class Reports(Result):
    """The reports on several answers to one robot; `refused` has the errors of those that were not judged."""

    robot: str
    reports: Mapping[str, Report]
    """File -> its report, in the order of the files."""
    refused: Mapping[str, DynamisError]

    @property
    def right(self) -> bool:
        """Whether every answer is right."""
        return not self.refused and all(report.right for report in self.reports.values())

    def document(self) -> Document:
        """Every report, then a table of the verdicts."""
        sections = [Section(file, report.blocks) for file, report in self.reports.items()]
        errors = [Section(file, (Items(tuple(str(error).split("\n"))),)) for file, error in self.refused.items()]
        rows = [
            (file, report.verdict, len(report.entries) - len(report.wrong), len(report.wrong), len(report.missing))
            for file, report in self.reports.items()
        ]
        rows += [(file, _outcome(error), None, None, None) for file, error in self.refused.items()]
        table = Table(("answer", "verdict", "right", "wrong", "missing"), tuple(rows))
        title = f"{len(self.reports) + len(self.refused)} answers against {self.robot}"
        return Document(title, (*sections, *errors, Section("Verdicts", (table,))), data=self._data)

    def _data(self) -> dict[str, Any]:
        refused = {file: str(error).split("\n")[0] for file, error in self.refused.items()}
        answers = [report.as_dict() for report in self.reports.values()]
        return {"robot": self.robot, "right": self.right, "answers": answers, "refused": refused}


def _outcome(error: DynamisError) -> str:
    """What became of an answer without a report."""
    return "cannot be read" if isinstance(error, AnswerError | FormatError) else "not judged"


def _unread(errors: Sequence[AnswerError]) -> list[str]:
    """What is said of lines that cannot be read: an unknown symbol once, and once of all lines that use others."""
    texts: list[str] = []
    symbols: dict[str, list[int]] = {}
    for error in errors:
        if isinstance(error, UnknownSymbolError):
            symbols.setdefault(error.name, []).append(error.line or 0)
        if not isinstance(error, UsedLineError) and not (
            isinstance(error, UnknownSymbolError) and len(symbols[error.name]) > 1
        ):
            texts.append(str(error))
    texts = texts[:MAX_UNREAD]
    texts += [f'"{name}" is also in {lines_text(lines[1:])}' for name, lines in symbols.items() if len(lines) > 1]
    uses = [error.line or 0 for error in errors if isinstance(error, UsedLineError)]
    return [
        *texts,
        *([f"{lines_text(uses)} {'uses' if len(uses) == 1 else 'use'} lines that cannot be read"] if uses else []),
    ]


def _with_caret(text: str) -> tuple[Block, ...]:
    """Where and why a line cannot be read, then the line with a caret under the place, as it stands in the file."""
    sentence, _, lines = text.partition("\n")
    return (Words((sentence,)), *((Code(dedent(lines)),) if lines else ()))


def _foreign(errors: Sequence[AnswerError], entries: int, robot: str) -> list[str]:
    """A doubt whether the answer is for this robot, where unknown symbols cost more lines than there are entries."""
    names = list(dict.fromkeys(error.name for error in errors if isinstance(error, UnknownSymbolError)))
    if len(names) < 2 or len(errors) <= entries:
        return []
    return [
        f"{name_list(names)} are not symbols of {robot}: define them, such as let {names[0]} = ..., "
        "or check against another robot"
    ]


def _runs(entries: Sequence[Verdict]) -> list[tuple[str, Verdict]]:
    """Entries of one matrix that are right in the same way, one after the other, share a row."""
    rows: list[tuple[str, Verdict]] = []
    for entry in entries:
        name, last = entry.name, rows[-1] if rows else None
        if last is not None and entry.right and _kind(entry) == _kind(last[1]):
            rows[-1] = f"{last[0].split(' ')[0]} to {name}", last[1]
        else:
            rows.append((name, entry))
    return rows


def _kind(entry: Verdict) -> tuple[str, str, tuple[str, ...]]:
    return entry.name.split("[")[0], entry.status, entry.sentences
