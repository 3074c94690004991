"""Logs of robots and motions at random, right ones and with one mistake each, beside the true torques.

Every log is of a robot whose masses are 15 % off those that were given, with friction that no model has and with noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dynamis.arrays import Array
from dynamis.library import load
from dynamis.model.inertia import Inertia
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.model.link import Joint, Link
from dynamis.robot import Robot

SHIPPED = ("bar-2r", "puma560", "panda", "stanford")
TREES = 4
RATE = 200.0
MOTIONS = {
    "1 s": (1.0, 1.0), "2 s": (2.0, 1.0), "5 s": (5.0, 1.0), "10 s": (10.0, 1.0), "20 s": (20.0, 1.0),
    "60 s": (60.0, 1.0), "10 s, small": (10.0, 0.15),
}  # fmt: skip
"""Duration [s], amplitude [rad]."""
SHORT = ("1 s", "2 s")
LOWEST = 0.2
"""The lowest of five frequencies [Hz]: a log of 5 s is one period."""
LOADED = 0.2
"""Friction that grows with the torque, as a part of the friction: 0.08 of the torque where there is most."""
RIGHT = ("none", "rows that are not numbers")
"""Mistakes that change no sample that is a number."""
Motion = tuple[Array, Array, Array]
Log = dict[str, Array]


@dataclass(frozen=True)
class Case:
    """A log with a mistake at a joint, and the true torques at states in the coordinates of the log."""

    robot: Robot
    motion: str
    mistake: str
    joint: int
    log: Log
    torque: Callable[[Motion], Array]


def robots() -> list[Robot]:
    """Shipped robots, a SCARA and random trees."""
    return [*map(load, SHIPPED), scara(), *map(tree, range(TREES))]


def cases(robot: Robot, motion: str, seed: int) -> Iterator[Case]:
    """One log of a motion with each of the mistakes, at joints that the seed draws."""
    rng = np.random.default_rng([seed, list(MOTIONS).index(motion), robot.n])
    j, i = rng.choice(robot.n, 2, replace=False).tolist()
    right = recorded(robot, motion, seed, j)
    yield right
    yield from _in_columns(right, rng)
    yield from _in_torques(right, i)
    yield from _in_positions(right, i)
    for late in (0.02, 0.05, -0.05):
        yield replace(recorded(robot, motion, seed, j, late), mistake=f"torques {1e3 * late:g} ms late")
    other = recorded(chain(robot.n, seed), motion, seed, j)
    yield replace(other, robot=robot, mistake="another robot")


def recorded(robot: Robot, motion: str, seed: int, joint: int = 0, late: float = 0.0) -> Case:
    """A log of the robot with masses that are off, its torques late by so many seconds."""
    real, rng = with_mass_error(robot, 15, seed=seed), np.random.default_rng(seed + 100)
    seconds, amplitude = MOTIONS[motion]
    w = 2 * np.pi * LOWEST * np.arange(1, 6)
    a, b = 0.8 * amplitude * rng.normal(size=(2, 5, robot.n)) / (w[:, None] + 1)
    centre, range_ = rng.uniform(-1, 1, robot.n), np.array([1.0 if x.revolute else 0.3 for x in robot.coordinates])

    def moving(t: Array) -> Motion:
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        return (
            range_ * (centre + s @ a + c @ b), range_ * ((c * w) @ a - (s * w) @ b),
            -range_ * ((s * w**2) @ a + (c * w**2) @ b),
        )  # fmt: skip

    whole = moving(np.arange(0, 20, 0.01))
    sizes = real.inverse_dynamics(*whole).std(axis=0)
    sizes, speeds = np.maximum(sizes, 0.02 * sizes.max()), whole[1].std(axis=0)
    friction = (0.0, 0.1, 0.4)[seed % 3]

    def torque(states: Motion) -> Array:
        tau, sign = real.inverse_dynamics(*states), np.tanh(states[1] / 0.02)
        # In gears friction grows with the load.
        return tau + friction * (sizes * (sign + states[1] / speeds) + LOADED * np.abs(tau) * sign)

    t = np.arange(0, seconds, 1 / RATE)
    q = moving(t)[0]
    tau = torque(moving(t - late)) + 0.02 * sizes * rng.normal(size=q.shape)
    return Case(robot, motion, "none", joint, {"t": t, "q": q + 1e-4 * rng.normal(size=q.shape), "tau": tau}, torque)


def _in_columns(right: Case, rng: np.random.Generator) -> Iterator[Case]:
    """Rows, units and joints that stand still."""
    log = right.log
    tau, q = log["tau"].copy(), log["q"].copy()
    tau[rng.choice(len(tau), len(tau) // 20, replace=False), right.joint] = np.nan
    q[len(q) // 2 : len(q) // 2 + len(q) // 10] = np.nan
    yield replace(right, mistake="rows that are not numbers", log={**log, "q": q, "tau": tau})
    yield replace(right, mistake="30 samples", log={key: x[:30] for key, x in log.items()})
    yield replace(right, mistake="degrees", log={**log, "q": np.degrees(log["q"])})
    yield replace(right, mistake="milliseconds", log={**log, "t": 1000 * log["t"]})
    still = log["q"].copy()
    still[:, right.joint] = still[0, right.joint]
    yield replace(right, mistake="a joint that stands still in the log", log={**log, "q": still})


def _in_torques(right: Case, i: int) -> Iterator[Case]:
    """Gains, units, signs and columns of torques, of joint j or all, or of joints j and i."""
    own = np.eye(right.robot.n)[right.joint]
    for name, gains in (
        ("a gain of 3 at a joint", 1 + 2 * own), ("a gain of 3", 3.0), ("mN m", 1000.0),
        ("torques of the wrong sign", -1.0), ("a torque of the wrong sign", 1 - 2 * own),
    ):  # fmt: skip
        yield replace(right, mistake=name, log={**right.log, "tau": gains * right.log["tau"]})
    yield replace(right, mistake="torques exchanged", log={**right.log, "tau": right.log["tau"] @ _exchange(right, i)})


def _in_positions(right: Case, i: int) -> Iterator[Case]:
    """Zeros, signs and columns of positions, of joint j, or of joints j and i."""
    same = np.eye(right.robot.n)
    own, P = same[right.joint], _exchange(right, i)
    for degrees in (10, 30, 90):
        yield _with_positions(right, f"a zero {degrees} deg off", same, np.radians(degrees) * own)
    yield _with_positions(right, "a position of the wrong sign", np.diag(1 - 2 * own))
    exchanged = _with_positions(right, "positions exchanged", P)
    yield exchanged

    def torque(states: Motion) -> Array:
        return exchanged.torque(states) @ P

    log = {**exchanged.log, "tau": right.log["tau"] @ P}
    yield replace(exchanged, mistake="joints exchanged", log=log, torque=torque)


def _with_positions(right: Case, mistake: str, P: Array, zero: Array | float = 0.0) -> Case:
    """The log with positions q P + zero, where P is its own inverse."""

    def torque(states: Motion) -> Array:
        q, qd, qdd = states
        return right.torque(((q - zero) @ P, qd @ P, qdd @ P))

    return replace(right, mistake=mistake, log={**right.log, "q": right.log["q"] @ P + zero}, torque=torque)


def _exchange(right: Case, i: int) -> Array:
    """The permutation of joints j and i."""
    P = np.eye(right.robot.n)
    return P[[i if k == right.joint else right.joint if k == i else k for k in range(right.robot.n)]]


def scara() -> Robot:
    """Two revolute joints and a quill that slides and turns, all about vertical axes."""
    parts = (
        (Joint("j1"), 4.0, (0.15, 0, 0), 0.04),
        (Joint("j2", before="Tx(0.3)"), 3.0, (0.1, 0.01, 0), 0.02),  # type: ignore[arg-type]
        (Joint("j3", "prismatic", before="Tx(0.25)"), 1.0, (0, 0, 0), 0.001),  # type: ignore[arg-type]
        (Joint("j4"), 0.5, (0.02, 0, 0), 0.001),
    )
    links = [
        Link(f"l{k}", joint, f"l{k - 1}" if k > 1 else "base", mass, com, Inertia(np.diag([inertia] * 3)))  # type: ignore[arg-type]
        for k, (joint, mass, com, inertia) in enumerate(parts, 1)
    ]
    return Robot("scara", tuple(links), gravity=(0, 0, -9.81))  # type: ignore[arg-type]


def tree(seed: int) -> Robot:
    """A random tree of two to five links, some of them prismatic."""
    rng = np.random.default_rng(seed)
    return _random(f"tree {seed}", rng, int(rng.integers(2, 6)), 2)


def chain(n: int, seed: int) -> Robot:
    """A random chain."""
    return _random(f"chain {seed}", np.random.default_rng([7, seed]), n, 1)


def _random(name: str, rng: np.random.Generator, n: int, branches: int) -> Robot:
    links: list[Link] = []
    for k in range(n):
        parent = "base" if not k else links[int(rng.integers(max(0, k - branches), k))].name
        x, y, z, angle = rng.uniform(-0.4, 0.4, 4).round(3).tolist()
        axis = tuple(np.eye(3)[rng.integers(3)].tolist())
        kind = "prismatic" if k and rng.random() < 0.2 else "revolute"
        joint = Joint(f"j{k + 1}", kind, axis, before=f"Tx({x}) Ty({y}) Tz({z}) Rx({4 * angle})")  # type: ignore[arg-type]
        mass, com, (a, b, c) = float(rng.uniform(0.5, 6)), rng.uniform(-0.2, 0.2, 3), rng.uniform(0.05, 0.3, 3) ** 2
        inertia = Inertia(mass / 12 * np.diag([b + c, a + c, a + b]))  # type: ignore[arg-type]
        links.append(Link(f"l{k + 1}", joint, parent, mass, tuple(com.tolist()), inertia))  # type: ignore[arg-type]
    return Robot(name, tuple(links), gravity=(0, 0, -9.81))  # type: ignore[arg-type]
