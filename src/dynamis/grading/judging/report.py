"""The verdicts on an answer, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynamis.grading.judging.point import Point
from dynamis.grading.reading.source import AnswerError, UnknownSymbolError
from dynamis.scalars.exact.numbers import DIGITS

EQUAL, WRONG = "equal", "wrong"
ROUNDED, COEFFICIENTS, VALUES, FIXED_ANGLES = (
    "equal up to rounding", "equal with coefficients", "equal with values", "equal with angles",
)  # fmt: skip
REGROUPED, CONSTANT, UNPROVED = (
    "equal up to regrouping", "equal up to a constant", f"equal as far as {DIGITS} digits tell",
)  # fmt: skip
# Lines that cannot be read, in full; of more the number is enough.
MAX_UNREAD = 20
# Statuses that a sentence explains: `equal, reading 0.333 as 1/3`.
EXPLAINED = (ROUNDED, COEFFICIENTS, VALUES, FIXED_ANGLES)


@dataclass(frozen=True)
class Verdict:
    """What was found of one entry; `status` is equal, equal up to ..., or wrong."""

    name: str
    status: str
    line: int
    sentences: tuple[str, ...] = ()
    point: Point | None = None
    conditions: tuple[str, ...] = ()
    """How a wrong entry was read: its decimals, and coefficients that it does not define."""

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

    def as_dict(self) -> dict[str, Any]:
        """This verdict as JSON data."""
        data: dict[str, Any] = {"name": self.name, "status": self.status, "line": self.line}
        data["differences"] = [] if self.right else list(self.sentences)
        if because := self.sentences if self.right else self.conditions:
            data["because"] = list(because)
        if self.point is not None:
            data["point"] = {"values": dict(self.point.values), "yours": self.point.yours, "true": self.point.true}
        return data


@dataclass(frozen=True)
class Unread:
    """A line that cannot be read, and why."""

    error: AnswerError | UnknownSymbolError

    def as_dict(self) -> dict[str, Any]:
        """This line as JSON data."""
        return {"line": self.error.line, "column": self.error.column, "problem": self.error.problem}


@dataclass(frozen=True)
class Report:
    """All verdicts on an answer, in the order of its lines.

    `notes` is what the reader should know, `unfinished` the entries for which the time was not enough, `unread` the
    lines that cannot be read, and `missing` the entries that the answer leaves out of what it is about.
    """

    robot: str
    file: str
    entries: Sequence[Verdict]
    notes: Sequence[str] = ()
    unfinished: Sequence[str] = ()
    seconds: float | None = None
    unread: Sequence[Unread] = ()
    missing: Sequence[str] = ()

    @property
    def wrong(self) -> list[Verdict]:
        """The entries that are wrong."""
        return [entry for entry in self.entries if not entry.right]

    @property
    def right(self) -> bool:
        """Whether every line was read, every entry compared and none is wrong."""
        return not self.wrong and not self.unfinished and not self.unread

    @property
    def complete(self) -> bool:
        """Whether it gives all entries of the matrices and vectors that it is about."""
        return not self.missing and not self.unfinished and not self.unread

    def text(self) -> str:
        """Every entry on its line; under a wrong one, what is wrong and where it shows."""
        runs = _runs(self.entries)
        width = max((len(name) for name, _ in runs), default=0)
        lines: list[str] = []
        for name, entry in runs:
            lines.append(f"{name.ljust(width)}  {entry.stated}")
            if not entry.right:
                lines += [f"    {sentence}" for sentence in (*entry.sentences, *entry.conditions)]
                lines += [f"    {entry.point.text()}"] if entry.point is not None else []
        lines += [str(line.error) for line in self.unread[:MAX_UNREAD]]
        lines += self.notes
        right, total = len(self.entries) - len(self.wrong), len(self.entries) + len(self.unfinished)
        unproved = sum(entry.status == UNPROVED for entry in self.entries)
        but = f"; of {unproved} this is not proved" if unproved else ""
        lines.append(f"{right} of {total} entries are right, compared exactly with {self.robot}{but}")
        if self.unread:
            many = len(self.unread)
            lines.append(f"{many} {'line' if many == 1 else 'lines'} cannot be read, so the answer is not right yet")
        if self.missing:
            lines.append(f"not complete: {listed(self.missing)} {'is' if len(self.missing) == 1 else 'are'} not given")
        return "\n".join([*lines, self.out_of_time] if self.unfinished else lines)

    @property
    def out_of_time(self) -> str:
        """What was not compared, and what to do."""
        time = f" of {self.seconds:g} s" if self.seconds is not None else ""
        late, total = len(self.unfinished), len(self.entries) + len(self.unfinished)
        return (
            f"the time{time} is over: {late} of {total} entries were not compared "
            f"({listed(self.unfinished)}); give more time with --seconds, or fewer entries"
        )

    def as_dict(self) -> dict[str, Any]:
        """This report as JSON data."""
        return {
            "robot": self.robot, "file": self.file, "right": self.right, "complete": self.complete,
            "entries": [e.as_dict() for e in self.entries], "notes": list(self.notes), "missing": list(self.missing),
            "unread": [line.as_dict() for line in self.unread], "unfinished": list(self.unfinished),
        }  # fmt: skip


def listed(names: Sequence[str]) -> str:
    """The first six names."""
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")


def _runs(entries: Sequence[Verdict]) -> list[tuple[str, Verdict]]:
    """Entries of one matrix that are right in the same way, one after the other, go on one line."""
    found: list[tuple[str, Verdict]] = []
    for entry in entries:
        name, last = entry.name, found[-1] if found else None
        if last is not None and entry.right and _kind(entry) == _kind(last[1]):
            found[-1] = f"{last[0].split(' ')[0]} to {name}", last[1]
        else:
            found.append((name, entry))
    return found


def _kind(entry: Verdict) -> tuple[str, str, tuple[str, ...]]:
    return entry.name.split("[")[0], entry.status, entry.sentences
