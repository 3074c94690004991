"""How many operations the Puma 560 takes, beside OpenSYMORO's published counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.dynamics.subject import bare
from dynamis.library import load
from dynamis.model.inertia import Inertia
from dynamis.model.link import Link
from dynamis.robot import Robot
from dynamis.scalars.scalars import evaluate

OPENSYMORO = {"full inertias": (301, 240), "as it ships": (215, 157)}
"""Multiplications and additions of OpenSYMORO's inverse dynamics of the Puma 560 with base parameters."""


def rows() -> list[dict[str, Any]]:
    """Multiplications, additions, sines and cosines of inverse dynamics in both variants."""
    puma = load("puma560")
    variants = {"as it ships": bare(without_rotors(puma)), "full inertias": full_puma()}
    table: list[dict[str, Any]] = []
    for name, robot in variants.items():
        cost = robot.cost("inverse_dynamics")
        times, plus = OPENSYMORO[name]
        table.append({
            "variant": name, "multiplications": cost.multiplications, "additions": cost.additions,
            "sines_and_cosines": cost.sines_and_cosines, "opensymoro_multiplications": times,
            "opensymoro_additions": plus, "reached": cost.multiplications <= times and cost.additions <= plus,
        })  # fmt: skip
    return table


def without_rotors(robot: Robot) -> Robot:
    none: Any = 0
    links = [replace(link, joint=replace(link.joint, rotor_inertia=none)) for link in robot.links]
    return replace(robot, links=tuple(links))


def full_puma() -> Robot:
    """The Puma 560 with every mass, every CoM coordinate and every entry of every inertia other than zero."""
    robot = bare(without_rotors(load("puma560")))
    return replace(robot, links=tuple(_full(link, k, robot) for k, link in enumerate(robot.links, 1)))


def _full(link: Link, k: int, robot: Robot) -> Link:
    scalars = robot.floats()
    mass: Any = evaluate(link.mass, scalars) or 1.0
    # Distinct primes' parts, so that nothing cancels by accident.
    com: Any = tuple(
        round(value + 0.01 * (k + 2 * axis + 1) / 7, 6)
        for axis, value in enumerate(evaluate(entry, scalars) for entry in link.com)
    )
    big = 0.5 + 0.11 * k
    six: Any = {
        "xx": big, "yy": round(big * 1.13, 6), "zz": round(big * 0.91, 6),
        "xy": round(0.017 * k, 6), "xz": round(-0.013 * k - 0.003, 6), "yz": round(0.011 * k + 0.007, 6),
    }  # fmt: skip
    return replace(link, mass=mass, com=com, inertia=Inertia.of(**six))
