"""Verdicts of `identify` on robots, motions and mistakes at random: wrong models that are trusted, right logs doubted.

    python -m benchmarks mistakes

Every log is of a robot whose masses are 15 % off those that were given, with friction and noise. A model is wrong where
its torques at random states within the ranges of the log are off by more than 30 % of their variation. A mistake that
leaves the torques right in the coordinates of the log (the zero of a last joint, with a CoM that is turned) is not
counted as wrong; the words say that it was not checked.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import DynamisError
from dynamis.identification.identify import identify
from dynamis.identification.result import Identification
from dynamis.library import load
from dynamis.model.inertia import Inertia
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.model.link import Joint, Link
from dynamis.robot import Robot

SHIPPED = ("bar-2r", "ur5", "panda", "puma560", "stanford")
TREES = 4
RATE = 200.0
MOTIONS = {"0.75 s": (0.75, 0.2, 1.0), "1 s": (1.0, 0.2, 1.0), "2 s": (2.0, 0.2, 1.0), "5 s": (5.0, 0.2, 1.0),
           "20 s": (20.0, 0.1, 1.0), "small": (10.0, 0.2, 0.15)}  # fmt: skip
"""Duration [s], lowest of five frequencies [Hz], amplitude [rad]."""
WRONG = 0.3
Motion = tuple[Array, Array, Array]
Log = dict[str, Array]


@dataclass(frozen=True)
class Row:
    """The logs with one kind of mistake, and how many of them were..."""

    mistake: str
    logs: int
    refused: int
    named: int
    """Doubted, with a reason."""
    doubted: int
    trusted: int
    said: int
    """Trusted with a wrong model, and the words say that the gain or zero of the joint was not checked."""
    wrong: int
    """Trusted with a wrong model."""


def tree(seed: int) -> Robot:
    """A random tree of two to five links, some of them prismatic."""
    rng = np.random.default_rng(seed)
    links: list[Link] = []
    for k in range(int(rng.integers(2, 6))):
        parent = "base" if not k else links[int(rng.integers(max(0, k - 2), k))].name
        x, y, z, angle = rng.uniform(-0.4, 0.4, 4).round(3).tolist()
        axis = tuple(np.eye(3)[rng.integers(3)].tolist())
        kind = "prismatic" if k and rng.random() < 0.2 else "revolute"
        joint = Joint(f"j{k + 1}", kind, axis, before=f"Tx({x}) Ty({y}) Tz({z}) Rx({4 * angle})")  # type: ignore[arg-type]
        mass, com, (a, b, c) = float(rng.uniform(0.5, 6)), rng.uniform(-0.2, 0.2, 3), rng.uniform(0.05, 0.3, 3) ** 2
        inertia = Inertia(mass / 12 * np.diag([b + c, a + c, a + b]))  # type: ignore[arg-type]
        links.append(Link(f"l{k + 1}", joint, parent, mass, tuple(com.tolist()), inertia))  # type: ignore[arg-type]
    return Robot(f"tree {seed}", tuple(links), gravity=(0, 0, -9.81))  # type: ignore[arg-type]


def mistakes(n: int, j: int, i: int) -> Iterator[tuple[str, Callable[[Log], Log], Callable[[Motion], Motion], float]]:
    """Mistakes at joints j and i of n: in words, the log with it, the true states of logged ones, and the delay [s]."""
    own = np.eye(n)[j]
    order = np.arange(n)
    order[[i, j]] = j, i
    signs = 1 - 2 * own

    def torques(change: Callable[[Array], Array]) -> Callable[[Log], Log]:
        return lambda log: {**log, "tau": change(log["tau"])}

    def same(states: Motion) -> Motion:
        return states

    yield "none", dict, same, 0.0
    for late in (0.02, 0.05, -0.05):
        yield f"torques {1e3 * late:g} ms late", dict, same, late
    yield "a gain of 3 at a joint", torques(lambda tau: tau * (1 + 2 * own)), same, 0.0
    yield "a gain of 3", torques(lambda tau: 3 * tau), same, 0.0
    yield "mN m", torques(lambda tau: 1000 * tau), same, 0.0
    yield "the wrong sign", torques(lambda tau: -tau), same, 0.0
    yield "the wrong sign at a joint", torques(lambda tau: tau * signs), same, 0.0
    yield "torques exchanged", torques(lambda tau: tau[:, order]), same, 0.0
    for degrees in (10, 30):
        zero = np.radians(degrees) * own

        def moved(log: Log, zero: Array = zero) -> Log:
            return {**log, "q": log["q"] + zero}

        def back(states: Motion, zero: Array = zero) -> Motion:
            return states[0] - zero, states[1], states[2]

        yield f"a zero {degrees} deg off", moved, back, 0.0
    yield (
        "a joint the other way", lambda log: {**log, "q": log["q"] * signs},
        lambda x: (x[0] * signs, x[1] * signs, x[2] * signs), 0.0,
    )  # fmt: skip
    yield (
        "positions exchanged", lambda log: {**log, "q": log["q"][:, order]},
        lambda x: (x[0][:, order], x[1][:, order], x[2][:, order]), 0.0,
    )  # fmt: skip
    yield "degrees", lambda log: {**log, "q": np.degrees(log["q"])}, same, 0.0


def study(seeds: int) -> list[Row]:
    """All mistakes on all robots and motions; as many logs each."""
    counts: dict[str, list[str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for robot in (*map(load, SHIPPED), *map(tree, range(TREES))):
            for k, motion in enumerate(MOTIONS):
                for seed in range(seeds):
                    rng = np.random.default_rng([seed, k, robot.n])
                    j, i = rng.choice(robot.n, 2, replace=False).tolist()
                    for name, change, states, late in mistakes(robot.n, j, i):
                        log, torque = recorded(robot, motion, seed, late)
                        counts.setdefault(name, []).append(verdict(robot, change(log), torque, states, j))
    kinds = ("refused", "named", "doubted", "trusted", "said", "wrong")
    return [Row(name, len(x), *(x.count(kind) for kind in kinds)) for name, x in counts.items()]


def recorded(robot: Robot, motion: str, seed: int, late: float) -> tuple[Log, Callable[[Motion], Array]]:
    """A log of the robot with masses that are off, and its true torques."""
    real, rng = with_mass_error(robot, 15, seed=seed), np.random.default_rng(seed + 100)
    seconds, lowest, amplitude = MOTIONS[motion]
    w = 2 * np.pi * lowest * np.arange(1, 6)
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
        return real.inverse_dynamics(*states) + sizes * friction * (np.tanh(states[1] / 0.02) + states[1] / speeds)

    t = np.arange(0, seconds, 1 / RATE)
    q = moving(t)[0]
    tau = torque(moving(t - late)) + 0.02 * sizes * rng.normal(size=q.shape)
    return {"t": t, "q": q + 1e-4 * rng.normal(size=q.shape), "tau": tau}, torque


def verdict(
    given: Robot, log: Log, torque: Callable[[Motion], Array], states: Callable[[Motion], Motion], j: int
) -> str:
    """What `identify` says of a log with a mistake at joint j: the name of a count of `Row`."""
    try:
        result = identify(given, log)
    except DynamisError:
        return "refused"
    if not any(word.startswith("Trust the torques") for word in result.words()):
        return "named" if result.suspicions else "doubted"
    if _error(result, torque, states) < WRONG:
        return "trusted"
    return "said" if any(f" {result.joints[j]}" in text for text in result.unchecked) else "wrong"


def _error(result: Identification, torque: Callable[[Motion], Array], states: Callable[[Motion], Motion]) -> float:
    """The largest error of a joint that is trusted, at other states, relative to its variation."""
    r, rng = result.residuals, np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in (r.q, r.qd, r.qdd)]
    q, qd, qdd = (rng.uniform(low, high, (300, result.n)) for low, high in ranges)
    errors = np.sqrt(((result.torques(q, qd, qdd) - torque(states((q, qd, qdd)))) ** 2).mean(axis=0))
    return float((errors / result.errors.variation)[result.errors.shares <= 0.15].max(initial=0.0))
