"""All that can be said of a robot in a state, part by part: matrices, energies, poses, motions, torques, reactions.

Each part is a result of its own, with its name as people write it: M, C, c, g, tau, J, ... All arrays have the batch of
the states in their leading axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from dynamis.base.errors import UnknownNameError
from dynamis.compute.mechanics.efficient.operational_space import ROWS
from dynamis.compute.quantities.entry_names import KINDS, EntryName, split_names
from dynamis.model.payload import acting_words
from dynamis.motion.single_states.parts import METHODS, PARTS, Question
from dynamis.motion.single_states.state_torques import StateTorques
from dynamis.motion.single_states.words import OVERFLOW
from dynamis.telling.blocks import Block, Document, Note, Section
from dynamis.telling.pages.entries import Entries
from dynamis.telling.pages.states import ParameterVector, at
from dynamis.telling.result import Result

_NAMES = ("Christoffel", "Coriolis", "Jacobian")


@dataclass(frozen=True)
class RobotState(Result):
    """A robot in a state, or in several: `parts` by their names, each a result with arrays (..., ...).

    An entry is a part of its own, by the name that it was asked for: "M[1,2]", "T[0,c2]" (a 4x4 matrix), "Jv[2]".
    """

    question: Question
    parts: Mapping[str, Result]
    notes: tuple[str, ...] = ()
    """Why parts are left out."""

    def __getitem__(self, name: str) -> Any:
        """A part by its name: the array of a matrix, a vector, a number or torques, else the result."""
        if name not in self.parts:
            raise UnknownNameError("part", name, self.parts)
        part = self.parts[name]
        return part.tau if isinstance(part, StateTorques) else part.values if isinstance(part, Entries) else part

    def document(self) -> Document:
        """The parts, state by state."""
        batch = self.question.q.shape[:-1]
        blocks: list[Block] = []
        for k, state in enumerate(np.ndindex(batch), 1):
            label = f"state {k}: " if batch else ""
            for name, part in self.parts.items():
                unit = f" [{part.unit}]" if isinstance(part, Entries) and part.unit else ""
                title = f"{label}{name}{self._words(name)}{unit}"
                one: Result = part if isinstance(part, ParameterVector) else at(part, state)
                notes = map(Note, _overflow(one))
                blocks.append(Section(title, (*one.document().blocks, *notes), name=f"{name}{k if batch else ''}"))
        title = f"State of {self.question.robot.name}"
        blocks.append(Section("", tuple(map(Note, self.notes))))
        methods = tuple(METHODS[part] for name in self.parts if (part := name.partition("[")[0]) in METHODS)
        return Document(title, tuple(blocks), data=self._data, methods=methods, main_sections=("tau", "poses"))

    def _words(self, name: str) -> str:
        """What a part is, after its name: " of tool: Jacobian in base axes"."""
        (entry,) = split_names(name, self.question.robot.n, len(self.question.links), "")
        part, kind = PARTS[entry.name], KINDS[entry.name]
        of_frame = f" of {self.question.frame}" if part.of_frame and not of_frames(entry) else ""
        if not entry.indices or len(entry.indices) not in map(len, kind.indices) or (of_frame and entry.name == "p"):
            return f"{of_frame}: {part.words}"
        title = entry.title
        return f"{of_frame}: {title if title.startswith(_NAMES) else title[0].lower() + title[1:]}"

    def _data(self) -> dict[str, Any]:
        x, joints = self.question, self.question.robot.coordinates
        parts = {name: self[name] for name in self.parts}
        return {
            "robot": x.robot.name, "joints": [j.name for j in joints], "units": [j.unit for j in joints],
            "q": x.q, "qd": x.qd, "qdd": x.qdd,
            "gravity": x.gravity if isinstance(x.gravity, bool) else [float(g) for g in x.gravity],
            "loads": acting_words(x.robot, x.loads), "frame": x.frame,
            "notes": [*self.notes, *(f"{name}: {note}" for name, part in self.parts.items() for note in _notes(part))],
            **{name: part.as_dict() if isinstance(part, Result) else part for name, part in parts.items()},
        }  # fmt: skip


def _notes(part: Any) -> Iterator[str]:
    """What a reader of the numbers of a part should know."""
    if isinstance(part, Entries | StateTorques):
        yield from part.notes
    yield from _overflow(part)


def _overflow(part: Any) -> Iterator[str]:
    """A note where numbers of a part are not finite, and it does not say why itself."""
    values: list[Any] = [getattr(part, field.name) for field in fields(part)]
    told = isinstance(part, StateTorques) or (isinstance(part, Entries) and part.notes)
    if not told and not all(np.isfinite(x).all() for x in values if hasattr(x, "dtype")):
        yield OVERFLOW


def of_frames(entry: EntryName) -> bool:
    """Whether the indices are frames: T[0,2], p[c2], and not T[1], an energy, or p[x], a force."""
    return len(entry.indices) == {"T": 2, "p": 1}.get(entry.name) and not set(entry.indices) <= set(ROWS)
