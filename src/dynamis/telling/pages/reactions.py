"""Joint reactions: six components per joint, in axes and about a point that the result names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamis.base.arrays import Array, is_lazy
from dynamis.base.errors import ArgumentError, literal
from dynamis.telling.blocks import Column, Document, Items, Note, Section, Table
from dynamis.telling.pages.states import LAZY, OfStates, states_of

_WORDS = {
    "joint": (
        "about the joint point, which moves with the link",
        "all six components; the one along the joint axis is the drive's",
    ),
    "parent_tip": (
        "about the tip of the parent (the joint point at zero displacement)",
        "the component along the joint axis, which the drive gives, is removed",
    ),
}
_COUPLED = {
    "joint": "all six components; drives act on coordinates, not along the axes of coupled joints, "
    "and the forces in what couples these are not shown",
    "parent_tip": "the component along the joint axis is removed; where joints are coupled it is not "
    "the drive's alone, and the forces in what couples them are not shown",
}


@dataclass(frozen=True)
class Reactions(OfStates):
    """The wrench of the parent on every link, and the torques that go with it.

    `force` [N] and `moment` [N m] are (..., links, 3) in the axes of each link, `tau` is
    (..., n). `convention` says about which point the moments are and whether the component of
    the drive is in them; `point` and `contents` say it in words.
    """

    robot: str
    convention: str
    links: tuple[str, ...]
    joints: tuple[str, ...]
    numbers: tuple[int | None, ...]
    """The number of every joint's coordinate in `tau`, from 1; None for a fixed joint and for a coupled one."""
    kinds: tuple[str, ...]
    units: tuple[str, ...]
    tau: Array
    force: Array
    moment: Array
    notes: tuple[str, ...] = ()
    """What a reader must know of the robot."""

    axes = "link"

    @property
    def point(self) -> str:
        """About which point the moments are, in words."""
        return _WORDS[self.convention][0]

    @property
    def contents(self) -> str:
        """Whether the component along the joint axis is in the wrenches, in words, and whose it is.

        Where joints are coupled, drives act on the coordinates: tau of one is a sum over the joints that it moves.
        """
        coupled = any(n is None and kind != "fixed" for n, kind in zip(self.numbers, self.kinds, strict=True))
        return _COUPLED[self.convention] if coupled else _WORDS[self.convention][1]

    @property
    def wrench(self) -> Array:
        """(..., links, 6): force, then moment."""
        return np.concatenate([self.force, self.moment], axis=-1)

    def at(self, state: int | tuple[int, ...]) -> Reactions:
        """The reactions of one state of a batch."""
        batch = self.tau.shape[:-1]
        try:
            tau, force, moment = (x[state] for x in (self.tau, self.force, self.moment))
            if tau.ndim != 1:
                raise IndexError
        except (IndexError, TypeError, ValueError):
            raise ArgumentError(
                f"state must be an index into the states, which have shape {batch}, got {literal(state)}", key="state"
            ) from None
        return replace(self, tau=tau, force=force, moment=moment)

    def _tables(self) -> Document:
        """The torques and reactions of one state; of a batch, those of the first."""
        if is_lazy(self.tau):
            return LAZY
        batch = self.tau.shape[:-1]
        first = self.at((0,) * len(batch)) if batch else self
        tau, wrench = first.tau.tolist(), first.wrench.tolist()
        rows: list[tuple[Any, ...]] = []
        for k, (joint, kind, number, six) in enumerate(zip(self.joints, self.kinds, self.numbers, wrench, strict=True)):
            torque = (None, "") if number is None else (tau[number - 1], self.units[k])
            place = ("-" if kind == "fixed" else "=") if number is None else number
            rows.append((place, joint, kind, self.links[k], *torque, *six))
        forces = (Column(f"f{axis}", "N", "fixed") for axis in "xyz")
        moments = (Column(f"n{axis}", "N m", "fixed") for axis in "xyz")
        table = Table(
            ("", "joint", "kind", "link", Column("tau", form="fixed"), "unit", *forces, *moments),
            tuple(rows), keys=2, splits=(4, 6, 9),
        )  # fmt: skip
        notes = (f"wrench of the parent on the link, in link axes, {self.point}", self.contents)
        more = (Note(f"the first state of {' x '.join(map(str, batch))}; at(...) gives another"),) if batch else ()
        section = Section("", (table, Items(notes), *more, *map(Note, self.notes)))
        return Document("", (section,), data=self._data, states=states_of(self, batch))

    def _data(self) -> dict[str, Any]:
        return {
            "convention": self.convention, "axes": self.axes, "point": self.point, "contents": self.contents,
            "joints": self.joints, "links": self.links, "units": self.units,
            "force": self.force, "moment": self.moment, "notes": self.notes,
        }  # fmt: skip
