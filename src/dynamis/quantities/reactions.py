"""Joint reactions: six components a joint, in axes and about a point that the result names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dynamis.arrays import Array
from dynamis.document.tables import fixed, text_table
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.mechanics.mechanism import Body, Mechanism, State
from dynamis.mechanics.newton_euler import InverseDynamics, Wrench
from dynamis.scalars.vectors import Vector

Convention = Literal["joint", "parent_tip"]
CONVENTIONS: tuple[str, ...] = get_args(Convention)
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


@dataclass(frozen=True)
class Reactions:
    """The wrench of the parent on every link, and the torques that go with it.

    `force` [N] and `moment` [N m] are (..., links, 3) in the axes of each link, `tau` is
    (..., n). `convention` says about which point the moments are and whether the component of
    the drive is in them; `point` and `contents` say it in words.
    """

    robot: str
    convention: str
    links: tuple[str, ...]
    joints: tuple[str, ...]
    kinds: tuple[str, ...]
    units: tuple[str, ...]
    tau: Array
    force: Array
    moment: Array

    axes = "link"

    @property
    def point(self) -> str:
        """About which point the moments are, in words."""
        return _WORDS[self.convention][0]

    @property
    def contents(self) -> str:
        """Whether the component that the drive gives is in the wrenches, in words."""
        return _WORDS[self.convention][1]

    @property
    def wrench(self) -> Array:
        """(..., links, 6): force, then moment."""
        return np.concatenate([self.force, self.moment], axis=-1)

    def table(self, decimals: int = 2, state: int | tuple[int, ...] = ()) -> str:
        """The reactions as a table with units; `state` picks one of a batch (the first by default)."""
        batch = self.tau.shape[:-1]
        chosen = state if isinstance(state, tuple) else (state,)
        chosen = chosen or (0,) * len(batch)
        if not 0 <= decimals <= 15:
            raise ArgumentError(f"decimals is {decimals}; it is 0 to 15", key="decimals")
        try:
            tau, wrench = self.tau[chosen], self.wrench[chosen]
            if tau.ndim != 1:
                raise IndexError
        except IndexError:
            raise ArgumentError(
                f"state {state} is not one of the states; they have shape {batch}", key="state"
            ) from None
        rows: list[list[str]] = []
        for k, link in enumerate(self.links):
            moving = sum(kind != "fixed" for kind in self.kinds[: k + 1])
            fixed_joint = self.kinds[k] == "fixed"
            rows.append([
                "-" if fixed_joint else str(moving), self.joints[k], self.kinds[k], link,
                "" if fixed_joint else f"{fixed(tau[moving - 1], decimals)} {self.units[k]}",
                *(fixed(x, decimals) for x in wrench[k]),
            ])  # fmt: skip
        header = ["", "joint", "kind", "link", "tau", "fx [N]", "fy [N]", "fz [N]", "nx [N m]", "ny [N m]", "nz [N m]"]
        notes = [
            f"wrench of the parent on the link, in link axes, {self.point};",
            f"{self.contents}",
        ]
        return "\n".join([text_table(header, rows, left=4), "", *notes])

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "convention": self.convention, "axes": self.axes, "point": self.point, "contents": self.contents,
            "joints": list(self.joints), "links": list(self.links), "units": list(self.units),
            "force": self.force.tolist(), "moment": self.moment.tolist(),
        }  # fmt: skip


def check_convention(convention: str) -> None:
    if str(convention) not in CONVENTIONS:
        raise UnknownNameError("convention", convention, CONVENTIONS, key="convention")


def reaction(body: Body[float], state: State[float], wrench: Wrench[float], convention: str) -> Wrench[float]:
    """One joint's wrench in the asked convention."""
    i = body.coordinate
    if convention == "joint" or i is None:
        return wrench
    force, moment = wrench.force, wrench.moment
    if body.turns:
        return Wrench(force, without(moment, body.k))
    # The joint point has moved by k q from the parent's tip.
    return Wrench(without(force, body.k), moment + (body.k * state.q[i]).cross(force))


def without(v: Vector[float], k: Vector[float]) -> Vector[float]:
    """v less its component along the unit vector k."""
    return v - k * k.dot(v)


def reactions_of(
    m: Mechanism[float], state: State[float], found: InverseDynamics[float], convention: str
) -> tuple[list[float], list[list[float]], list[list[float]]]:
    """tau, forces and moments of one state."""
    wrenches = [
        reaction(body, state, wrench, convention) for body, wrench in zip(m.bodies, found.wrenches, strict=True)
    ]
    return found.tau, [list(w.force) for w in wrenches], [list(w.moment) for w in wrenches]
