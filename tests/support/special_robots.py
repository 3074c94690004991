"""Small robots of which something special is likely to hold: parallel axes, CoMs on axes, no gravity, missing masses.

Random numbers alone give robots that are never balanced, never planar and never at rest. Here axes are mostly those of
the frames, many numbers are zero, joints follow others, and masses, friction, rotors and gravity come and go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis import Force, Frame, Inertia, Joint, Limits, Link, Moment, Robot, ToolWrench
from dynamis.base.arrays import Array
from dynamis.base.errors import ModelError

AXES = ((0, 0, 1), (0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 1, 0), (0.6, 0, 0.8))
PLANAR = ("", "Tx(0.4)", "Tx(-0.3) Ty(0.2)", "Rz(pi/2) Tx(0.5)", "Tz(0.2)", "Rz(0.3)")
SPATIAL = (*PLANAR, "Rx(pi/2)", "Tx(0.3) Rx(-pi/2)", "Ry(pi/2) Tz(0.2)", "Rx(pi/4)", "Ry(0.7) Tx(0.1)")
GRAVITIES = ((0, 0, -9.81), (0, 0, -9.81), (0, -9.81, 0), (0, 0, 0), (9.81, 0, 0), (0, -5.886, 7.848))


@dataclass(frozen=True)
class Special:
    """A robot in a state, what acts on it, and the gravity of the call."""

    robot: Robot
    q: Array
    qd: Array
    qdd: Array
    loads: tuple[Any, ...]
    gravity: Any


def special_robot(seed: int, masses: bool = True, coupled: bool = True, most: int = 4) -> Robot:
    """A robot of up to `most` joints; without `masses` some links have none."""
    rng = np.random.default_rng(seed)
    while True:
        try:
            return _robot(rng, masses, coupled, most)
        except ModelError:  # couplings that cancel out, nothing that moves
            continue


def special_state(seed: int, **options: Any) -> Special:
    """A robot in a state with zeros, and loads on it now and then."""
    robot, rng = special_robot(seed, **options), np.random.default_rng([seed, 1])
    q = np.where(rng.random(robot.n) < 0.3, rng.choice([0.0, np.pi / 2, -np.pi / 2]), rng.uniform(-2, 2, robot.n))
    qd, qdd = (_sparse(rng, x) for x in (rng.uniform(-2, 2, robot.n), rng.uniform(-4, 4, robot.n)))
    loads = tuple(_load(rng, robot) for _ in range(int(rng.integers(1, 3)))) if rng.random() < 0.3 else ()
    gravity = [True, True, True, False, (0.0, 3.0, 0.0)][rng.integers(5)]
    return Special(robot, q, qd, qdd, loads, gravity)


def _sparse(rng: np.random.Generator, values: Array) -> Array:
    """With no entry, some or all of them zero."""
    return values * (rng.random(values.shape) >= rng.choice([0.0, 0.4, 1.0]))


def _robot(rng: np.random.Generator, masses: bool, coupled: bool, most: int) -> Robot:
    count, planar = int(rng.integers(1, most + 1)), bool(rng.random() < 0.5)
    tree, turns, friction = rng.random() < 0.2, bool(rng.random() < 0.4), bool(rng.random() < 0.4)
    couplings = bool(coupled and rng.random() < 0.4)
    links: list[Link] = []
    movable: list[str] = []
    for k in range(count):
        kind = str(rng.choice(["revolute", "continuous"]))
        if not turns:
            kind = str(rng.choice(["revolute", "revolute", "continuous", "prismatic", "prismatic", "fixed"]))
        kind = kind if k or kind != "fixed" else "revolute"
        axis: Any = AXES[rng.integers(len(AXES))]
        if planar:
            axis = ((0, 0, 1), (0, 0, -1))[rng.integers(2)] if kind != "prismatic" else ((1, 0, 0), (0, 1, 0))[k % 2]
        places = PLANAR if planar else SPATIAL
        options: dict[str, Any] = {}
        if kind != "fixed":
            if friction:
                options = {"damping": _some(rng, 0.3), "coulomb": _some(rng, 0.4)}
            if rng.random() < 0.15:
                options |= {"rotor_inertia": 0.01, "gear_ratio": -20}
            if couplings and movable and rng.random() < 0.5:
                followed = rng.choice(movable, size=min(len(movable), int(rng.integers(1, 3))), replace=False)
                options |= {"coupling": {str(name): float(rng.choice([-1, 1, 0.5, 2])) for name in followed}}
                options |= {"coupling_offset": float(rng.choice([0, 0.3]))}
            if rng.random() < 0.3:
                options |= {"limits": Limits(-1.5, 1.8, 2.5, 40)}
            movable.append(f"q{k + 1}")
        joint = Joint(
            f"q{k + 1}", kind, axis, str(rng.choice(places)), str(rng.choice(places[:2])), **options  # type: ignore[arg-type]
        )  # fmt: skip
        parent = "base" if not links or (tree and rng.random() < 0.4) else f"link{k}"
        links.append(Link(f"link{k + 1}", joint, parent, *_body(rng, masses)))
    gravity = GRAVITIES[rng.integers(len(GRAVITIES))]
    return Robot("special", tuple(links), tool=Frame("tool", f"link{count}", "Tx(0.2)"), gravity=gravity)


def _some(rng: np.random.Generator, most: float) -> float:
    return round(float(rng.uniform(0.05, most)), 2) if rng.random() < 0.7 else 0.0


def _body(rng: np.random.Generator, masses: bool) -> tuple[float, Any, Inertia]:
    """Mass, CoM and inertia; a link without mass has no inertia either."""
    if not masses and rng.random() < 0.35:
        return 0.0, (0, 0, 0), Inertia()
    mass, com = float(rng.choice([0.5, 1, 3])), rng.choice([0.0, 0.0, 0.2, -0.1], size=3)
    a, b, c = mass * rng.choice([0.01, 0.02, 0.05], size=3)
    match int(rng.integers(4)):
        case 0:
            inertia = Inertia()
        case 1:
            inertia = Inertia.of(about="com", xx=a + b, yy=b + c, zz=a + c, xy=0.2 * min(a, b, c))
        case _:
            inertia = Inertia.of(about="com", xx=a + b, yy=b + c, zz=a + c)
    return mass, tuple(com.tolist()), inertia


def _load(rng: np.random.Generator, robot: Robot) -> Force | Moment | ToolWrench:
    link = robot.links[rng.integers(len(robot.links))].name
    vector = tuple((rng.uniform(-20, 20, 3) * (rng.random(3) < 0.6)).round(2).tolist())
    match int(rng.integers(3)):
        case 0:
            return Force(link, vector, "world", (0.1, 0, 0), "link")
        case 1:
            return Moment(link, vector, "link")
        case _:
            return ToolWrench("exerted_by_tool", vector, (0, 0, 1), "world")
