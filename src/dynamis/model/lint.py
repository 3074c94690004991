"""Guesses at the usual mistakes in a robot's data: lost decimals, wrong units, wrong order.

Every guess compares a link with what a real body of its mass and size could be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dynamis.document.blocks import Document, Items, Note, Words
from dynamis.document.result import Result
from dynamis.model.checks import in_row_order, inertia_about_com, unphysical
from dynamis.model.exact_angles import meant_angle
from dynamis.model.link import Link
from dynamis.model.planar_inertia import planar_axis
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Vector

HEAVIEST = 1000.0  # kg: a heavier link of an arm is more likely given in grams
DENSEST = 25_000.0  # kg/m^3: osmium has 22 600
LONGEST = 50.0  # m: a longer arm is more likely given in millimetres
FAR = 1.0  # m: how far a CoM may lie outside its link
WIDE = 3.0  # radius of gyration over the size of the link; a uniform bar has 0.29


@dataclass(frozen=True)
class Finding:
    """A likely mistake: which link, which key of it, and a sentence."""

    link: str
    key: str
    message: str


class Findings(list[Finding], Result):
    """The findings about a robot, as a list that is a page too, with the notes of the reader of its file."""

    def __init__(self, robot: RobotModel, findings: Iterable[Finding]) -> None:
        super().__init__(findings)
        self.robot = robot

    def document(self) -> Document:
        """The notes, the findings, and how many there are."""
        count = f"{len(self)} finding{'s' * (len(self) != 1)}"
        summary = f"{self.robot.name}: {len(self.robot.links)} links checked, {count}"
        notes = tuple(Note(note) for note in self.robot.notes)
        items = (Items(tuple(finding.message for finding in self)),) if self else ()
        return Document("", (*notes, *items, Words((summary,))), data=self._data)

    def _data(self) -> dict[str, Any]:
        return {
            "robot": self.robot.name, "notes": list(self.robot.notes),
            "findings": [asdict(finding) for finding in self],
        }  # fmt: skip


def lint(robot: RobotModel) -> Findings:
    """The likely mistakes of a robot with values, link by link."""
    scalars = robot.floats()
    carried = {link.name: [other for other in robot.links if other.parent == link.name] for link in robot.links}
    spans, reaches = dict[str, float](), dict[str, float]()
    for link in robot.links:
        # Distances from the joint point: to the link frame, to the joints that the link carries, to its CoM.
        R, p = link.joint.after.evaluate(scalars)
        origin = R.T @ p
        joints = [origin + other.joint.before.evaluate(scalars)[1] for other in carried[link.name]]
        spans[link.name] = max(math.hypot(*point) for point in (origin, *joints))
        reaches[link.name] = math.hypot(*(origin + Vector(*(evaluate(x, scalars) for x in link.com))))
    length = sum(spans.values())
    findings: list[Finding] = []
    if length > LONGEST:
        findings.append(Finding("", "robot", f"the robot reaches {length:.3g} m; are its lengths in millimetres?"))
    for link in robot.links:
        mass, span, away = evaluate(link.mass, scalars), spans[link.name], reaches[link.name]
        size = max(span, min(away, span + FAR), 0.15 * length)
        guesses = [
            ("mass", _massless(link, carried[link.name], scalars)),
            ("mass", f"has mass {mass:g} kg; is it in grams?" if mass > HEAVIEST else None),
            ("com", _com_outside(away, span) if mass else None),
            ("inertia", _inertia(link, robot, mass, size)),
            ("joint", _rounded_angles(link)),
        ]
        findings += [Finding(link.name, key, f'link "{link.name}" {text}') for key, text in guesses if text]
    return Findings(robot, findings)


def _massless(link: Link, carried: list[Link], scalars: Floats) -> str | None:
    if not link.joint.moves or evaluate(link.mass, scalars) > 0 or evaluate(link.joint.rotor_inertia, scalars) > 0:
        return None
    if any(not other.joint.moves and evaluate(other.mass, scalars) > 0 for other in carried):
        return None
    end = "" if carried else " at the end of the chain"
    undetermined = "" if carried else ": its acceleration is not determined"
    return f"moves{end}, but has no mass{undetermined}; is its mass missing?"


def _com_outside(away: float, span: float) -> str | None:
    if away <= span + FAR:
        return None
    return (
        f"has its CoM {away:.3g} m from its joint, but reaches {span:.3g} m; is it in millimetres, or in another frame?"
    )


def _inertia(link: Link, robot: RobotModel, mass: float, size: float) -> str | None:
    tensor = inertia_about_com(link, robot)
    if tensor is None or not np.any(tensor):
        return None
    problem = unphysical(tensor)
    # A planar link may give one moment alone; where that is not enough, reading it has failed.
    if problem and planar_axis(link, robot) is None:
        return f"has an inertia that {problem}{in_row_order(tensor)}"
    if mass == 0:
        return "has an inertia but no mass"
    # In powers of ten: what a file may write goes from 1e-300 to 1e300, and its squares and cubes beyond floats.
    heavy, largest = math.log10(mass), math.log10(np.linalg.eigvalsh(tensor)[-1])
    gyration = (largest - heavy) / 2
    if size > 0 and gyration > math.log10(WIDE) + math.log10(size):
        times = round(largest - heavy - 2 * math.log10(size) + math.log10(12))
        return (
            f"has a radius of gyration of {_power(gyration):.3g} m, but is about {size:.3g} m long: its inertia is "
            f"some {_power(times):.15g} times too large for its mass and size (a decimal point, g or mm?)"
        )
    density = heavy - math.log10(4 / 3 * math.pi * (5 / 2) ** 1.5) - 3 * gyration
    if density > math.log10(DENSEST):
        return (
            f"has an inertia so small for its mass that it is denser than any metal (at least {_power(density):.2g} "
            f"kg/m^3, radius of gyration {_power(gyration):.2g} m): a decimal point, g or mm?"
        )
    return None


def _power(exponent: float) -> float:
    return 10.0 ** min(max(exponent, -308.0), 308.0)


def _rounded_angles(link: Link) -> str | None:
    """Angles that are a multiple of 15 degrees, rounded: their sines are no exact numbers."""
    turns = [step.amount for place in (link.joint.before, link.joint.after) for step in place.steps if step.kind == "R"]
    angles = {str(turn): multiple for turn in turns if (multiple := meant_angle(turn))}
    if not angles:
        return None
    pairs = ", ".join(f"{text} for {multiple}" for text, multiple in angles.items())
    return (
        f"has rounded angles ({pairs}), whose sines and cosines stay symbols in equations; "
        'write "pi/2", in a URDF 1.5707963267948966, or derive with --exact-angles'
    )
