"""Guesses at the usual mistakes in a robot's data: lost decimals, wrong units, wrong order.

Every guess compares a link with what a real body of its mass and size could be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dynamis.algorithms.mechanism import Mechanism, mechanism
from dynamis.model.checks import in_row_order, inertia_about_com, unphysical
from dynamis.model.robot import RobotModel

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


def lint(robot: RobotModel) -> list[Finding]:
    """The likely mistakes of a robot with values, link by link."""
    m = mechanism(robot, robot.world())
    spans = [_span(m, i) for i in range(len(m.bodies))]
    reach = sum(spans)
    findings: list[Finding] = []
    if reach > LONGEST:
        findings.append(Finding("", "robot", f"the robot reaches {reach:.3g} m; are its lengths in millimetres?"))
    for i, link in enumerate(robot.links):
        body = m.bodies[i]
        away = min(math.hypot(*body.com), spans[i] + FAR)
        found = [
            ("mass", _massless(m, i)),
            ("mass", _heavy(body.mass)),
            ("com", _com_outside(m, i, spans[i])),
            ("inertia", _inertia(link.name, robot, body.mass, max(spans[i], away, 0.15 * reach))),
        ]
        findings += [Finding(link.name, key, f'link "{link.name}" {text}') for key, text in found if text]
    return findings


def _span(m: Mechanism[float], i: int) -> float:
    """How far a link reaches: from its joint point to its own frame and to the joints that it carries."""
    points = [m.bodies[i].origin, *(body.t0 for body in m.bodies if body.parent == i)]
    return max(math.hypot(*point) for point in points)


def _massless(m: Mechanism[float], i: int) -> str | None:
    if m.bodies[i].coordinate is None or m.bodies[i].mass > 0 or m.bodies[i].rotor > 0:
        return None
    carried = [k for k, body in enumerate(m.bodies) if body.parent == i]
    if any(m.bodies[k].coordinate is None and m.bodies[k].mass > 0 for k in carried):
        return None
    end = (
        "moves, but has no mass"
        if carried
        else "moves at the end of the chain, but has no mass: its acceleration is not determined"
    )
    return f"{end}; is its mass missing?"


def _heavy(mass: float) -> str | None:
    return f"has mass {mass:g} kg; is it in grams?" if mass > HEAVIEST else None


def _com_outside(m: Mechanism[float], i: int, span: float) -> str | None:
    away = math.hypot(*m.bodies[i].com)
    if m.bodies[i].mass == 0 or away <= span + FAR:
        return None
    return (
        f"has its CoM {away:.3g} m from its joint, but reaches {span:.3g} m; is it in millimetres, or in another frame?"
    )


def _inertia(name: str, robot: RobotModel, mass: float, size: float) -> str | None:
    tensor = inertia_about_com(robot.link(name), robot)
    if tensor is None or not np.any(tensor):
        return None
    problem = unphysical(tensor)
    if problem:
        order = in_row_order(tensor)
        return f"has an inertia that {problem}{order}"
    if mass == 0:
        return "has an inertia but no mass"
    largest = float(np.linalg.eigvalsh(tensor)[-1])
    gyration = math.sqrt(largest / mass)
    if gyration > WIDE * size:
        times = _times(largest / (mass * size * size / 12))
        return (
            f"has a radius of gyration of {gyration:.3g} m, but is about {size:.3g} m long: its inertia is some "
            f"{times} times too large for its mass and size (a decimal point, g or mm?)"
        )
    density = mass / (4 / 3 * math.pi * (gyration * math.sqrt(5 / 2)) ** 3)
    if density > DENSEST:
        return (
            f"has an inertia so small for its mass that it is denser than any metal (at least {density:.2g} kg/m^3, "
            f"radius of gyration {gyration:.2g} m): a decimal point, g or mm?"
        )
    return None


def _times(ratio: float) -> str:
    return f"{10 ** round(math.log10(ratio)):.0f}"
