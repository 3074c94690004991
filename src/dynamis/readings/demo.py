"""A little of each document: the first minute with dynamis."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

from dynamis.document.blocks import Block, Code, Document, Section, Words
from dynamis.document.result import Result
from dynamis.errors import UnphysicalWarning
from dynamis.library import exercises
from dynamis.readings.commands import result_of
from dynamis.readings.reading import load_reading
from dynamis.single_states.exercises import Comparisons, compare, shipped_exercise

SAMPLES = {
    "joint-reactions": "",
    "two-bar-arm": "inertia xu-link",
    "moving-frames": "derive deluca-2r --only tau",
    "niryo-one": 'derive niryo-one --only "T[0,c2]"',
    "direct-and-inverse": "derive cartesian --only tau",
}
"""For each document a command whose result is short; of the first one all printed numbers are compared."""
NOTATION = "deluca"
"""In which equations are short."""


@dataclass(frozen=True)
class Demo(Result):
    """All exercises beside the printed numbers, and one result of each document."""

    comparisons: Comparisons

    @property
    def right(self) -> bool:
        """Whether every printed number agrees."""
        return self.comparisons.agree == self.comparisons.total

    def document(self) -> Document:
        """A section per document: what it is about, a command, and its result."""
        sections = [Section(load_reading(name).title, tuple(self._blocks(name))) for name in SAMPLES]
        return Document("", tuple(sections), data=self._data)

    def _blocks(self, name: str) -> list[Block]:
        more = Code(f"dynamis documents {name}")
        if not SAMPLES[name]:
            first, *others = self.comparisons.exercises
            shown = [first, *(one for one in others if one.agree != one.total)]
            agree, total = self.comparisons.agree, self.comparisons.total
            count = Words(f"Of all ten exercises, {agree} of {total} printed numbers agree to the last digit.")
            return [*(one.document() for one in shown), count, more]
        result = result_of(SAMPLES[name])
        notation = f" --notation {NOTATION}" if SAMPLES[name].startswith("derive") else ""
        return [Code(f"dynamis {SAMPLES[name]}{notation}"), replace(result.document(), numbered=False, title=""), more]

    def _data(self) -> dict[str, Any]:
        results = {name: result_of(command).as_dict() for name, command in SAMPLES.items() if command}
        return {**self.comparisons.as_dict(), "documents": results}


def demo() -> Demo:
    """Solve the exercises and compare them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        return Demo(Comparisons(tuple(compare(shipped_exercise(name)) for name in exercises())))
