"""Small robots whose motion can be written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import dynamis
from dynamis import Inertia, Joint, Limits, Link, Robot

G = 9.81
LENGTH = 0.5
"""The length of the pendulum's uniform rod of 1 kg [m]."""
INERTIA = LENGTH**2 / 3
"""About the joint [kg m^2]."""


def pendulum(lower: float | None = None, upper: float | None = None, gravity: bool = True, **joint: Any) -> Robot:
    """A uniform rod about a level axis: level at q = 0, hanging at -pi/2."""
    turning = Joint("hinge", "revolute", (0, 0, 1), limits=Limits(lower=lower, upper=upper), **joint)  # type: ignore[arg-type]
    about = LENGTH**2 / 12
    rod = Link("rod", turning, "base", 1.0, (LENGTH / 2, 0, 0), Inertia(np.diag([0.0, about, about])))  # type: ignore[arg-type]
    return Robot("pendulum", (rod,), gravity=(0, -G if gravity else 0, 0))  # type: ignore[arg-type]


def limited(robot: Robot, limits: Sequence[tuple[float | None, float | None]]) -> Robot:
    """The robot with these limits of its joints."""
    links = list(robot.links)
    moving = [k for k, link in enumerate(links) if link.joint.kind != "fixed"]
    for k, (lower, upper) in zip(moving, limits, strict=True):
        links[k] = replace(links[k], joint=replace(links[k].joint, limits=Limits(lower=lower, upper=upper)))  # type: ignore[arg-type]
    return replace(robot, links=tuple(links))


def with_friction(robot: Robot, damping: float = 0.0, coulomb: float = 0.0) -> Robot:
    """The robot with friction in all joints."""
    rubbing: Any = {"damping": damping, "coulomb": coulomb}
    links = [replace(x, joint=replace(x.joint, **rubbing)) if x.joint.kind != "fixed" else x for x in robot.links]
    return replace(robot, links=tuple(links))


def cartesian(m1: float = 1.5, m2: float = 0.7) -> Robot:
    """Two sliding joints at a right angle, the first upward."""
    return dynamis.load("cartesian").with_values(m1=m1, m2=m2)


def chain(n: int) -> Robot:
    """n rods in a row, axes y and z in turn, with a fixed joint in the middle."""
    links: list[Link] = []
    for k in range(n):
        axis = (0, 1, 0) if k % 2 else (0, 0, 1)
        parent = "base" if k == 0 else links[-1].name
        if k == n // 2 and k:
            weld = Joint("weld", "fixed", before="Tx(0.2) Rx(0.3)")  # type: ignore[arg-type]
            links.append(Link("flange", weld, parent, 0.1))  # type: ignore[arg-type]
            parent = "flange"
        turning = Joint(f"j{k + 1}", "revolute", axis, before="Tx(0.2)" if k else "Tz(0.1)")  # type: ignore[arg-type]
        tensor = Inertia(np.diag([0.01, 0.02, 0.03]))  # type: ignore[arg-type]
        links.append(Link(f"rod{k + 1}", turning, parent, 0.5, (0.1, 0, 0.02), tensor))  # type: ignore[arg-type]
    return Robot("chain", tuple(links), gravity=(0, 0, -G))  # type: ignore[arg-type]


def two_links(m1: float = 2.0, m2: float = 3.0, l1: float = 0.5, d1: float = 0.2, d2: float = 0.3) -> Robot:
    """A planar 2R arm with point masses in a vertical plane (gravity along -y)."""
    upper = Link("upper", Joint("q1"), mass=m1, com=(d1, 0, 0))
    fore = Link("fore", Joint("q2", before=f"Tx({l1})"), "upper", m2, (d2, 0, 0))
    return Robot("two", (upper, fore), gravity=(0, -10, 0))


def three_links() -> Robot:
    """The 2R arm with a hand, in the same plane."""
    arm = two_links()
    hand = Link("hand", Joint("q3", before="Tx(0.6)"), "fore", 1, (0.1, 0, 0))
    return replace(arm, links=(*arm.links, hand), tool=None).with_tool((0.2, 0, 0))
