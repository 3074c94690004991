"""The verdicts on an answer, as text and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dynamis.answers.point import Point


@dataclass(frozen=True)
class Verdict:
    """What was found of one entry; `status` is equal, equal up to ..., or wrong."""

    name: str
    status: str
    line: int
    sentences: tuple[str, ...] = ()
    point: Point | None = None

    @property
    def right(self) -> bool:
        """Whether the entry is equal to the true one, up to what is stated."""
        return self.status != "wrong"

    def as_dict(self) -> dict[str, Any]:
        """This verdict as JSON data."""
        data: dict[str, Any] = {"name": self.name, "status": self.status, "line": self.line}
        data["differences"] = list(self.sentences)
        if self.point is not None:
            data["point"] = {"values": dict(self.point.values), "yours": self.point.yours, "true": self.point.true}
        return data


@dataclass(frozen=True)
class Report:
    """All verdicts on an answer, in the order of its lines; `rounded` are decimals read as fractions."""

    robot: str
    file: str
    entries: Sequence[Verdict]
    rounded: Mapping[str, Fraction]

    @property
    def wrong(self) -> list[Verdict]:
        """The entries that are wrong."""
        return [entry for entry in self.entries if not entry.right]

    @property
    def right(self) -> bool:
        """Whether no entry is wrong."""
        return not self.wrong

    def text(self) -> str:
        """Every entry on its line; under a wrong one, what is wrong and where it shows."""
        runs = _runs(self.entries)
        width = max(len(name) for name, _ in runs)
        lines: list[str] = []
        for name, entry in runs:
            stated = f": {entry.sentences[0]}" if entry.right and entry.sentences else ""
            lines.append(f"{name.ljust(width)}  {entry.status}{stated}")
            if not entry.right:
                lines += [f"    {sentence}" for sentence in entry.sentences]
                lines += [f"    {entry.point.text()}"] if entry.point is not None else []
        if self.rounded:
            read = ", ".join(f"{text} as {value}" for text, value in self.rounded.items())
            lines.append(f"decimals were read as what they round: {read}")
        right, total = len(self.entries) - len(self.wrong), len(self.entries)
        return "\n".join([*lines, f"{right} of {total} entries are right, compared exactly with {self.robot}"])

    def as_dict(self) -> dict[str, Any]:
        """This report as JSON data."""
        return {
            "robot": self.robot, "file": self.file, "right": self.right, "entries": [e.as_dict() for e in self.entries],
            "rounded": {text: str(value) for text, value in self.rounded.items()},
        }  # fmt: skip


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
