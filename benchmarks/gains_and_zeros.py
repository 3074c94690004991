"""Gains and zeros that are a little off, alone and in pairs: is each named at its joint, and is no right log accused?

    python -m benchmarks mistakes --logs FOLDER

Gains go from 0.6 to 1.7 in steps, zeros from 1 to 10 degrees (of prismatic joints 10 to 100 mm). Robots and motions are
simulated, with friction that no model has. A folder of logs of a Panda and a UR10e adds real ones, with columns
multiplied and moved: each is taken as right as it is, and its model as the truth.

A mistake is sure where a gain is off by 15 % or more, or a zero at all, and by more than four of its standard errors on
the right log. Torques are wrong where a joint is off by more than 15 % of its variation, at random states within the
ranges of the log.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.mistaken_logs import Case, Log, recorded, robots
from benchmarks.parts import Plan, kept
from dynamis.apps.identification.identify import identify
from dynamis.apps.identification.result import Identification
from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError
from dynamis.library import load
from dynamis.motion.trajectories.trajectory import Motion

GAINS = (0.6, 0.7, 0.8, 0.85, 0.9, 1.1, 1.15, 1.2, 1.3, 1.5, 1.7)
ZEROS = (1.0, 2.0, 3.0, 5.0, 7.0, 10.0)
"""[degrees, or centimetres]."""
MOTIONS = ("5 s", "10 s", "20 s", "10 s, small")
SINGLE, PAIRS = 5, 2
"""Mistakes and pairs of them that are drawn for a log."""
OFF = 0.15
SURE = 4.0
UR10E_GAINS = (14.87, 13.26, 11.13, 10.62, 11.03, 11.47)
"""[N m/A], from the literature."""


@dataclass(frozen=True)
class Wrong:
    """A gain (the factor) or a zero [rad or m] of a joint."""

    kind: str
    joint: int
    value: float

    @property
    def size(self) -> float:
        """How far from right."""
        return abs(self.value - 1) if self.kind == "gain" else abs(self.value)


@dataclass
class Counts:
    """What became of the logs of one kind."""

    logs: str
    mistakes: str
    count: int = 0
    refused: int = 0
    trusted: int = 0
    gains_named: int = 0
    """Logs that are not trusted because some gain is said to be wrong."""
    sure: int = 0
    """Mistakes that are sure."""
    named: int = 0
    """Of these, named at their joint, alone or as one of those that fit alike."""
    unchecked: int = 0
    """Mistakes of 15 % and more, or zeros, that are said to be not checked."""
    unchecked_sure: int = 0
    """Of these the sure ones."""
    wrong: int = 0
    """Logs with a joint that is trusted, torques off by 15 %, and no sentence that names it."""


def study(plan: Plan, folder: Path | None, progress: Callable[[str], None]) -> list[Counts]:
    """Simulated logs, one of each robot, motion and seed, and the real ones of a folder with three times the seeds."""
    counts: dict[tuple[str, str], Counts] = {}

    def count(name: str, logs: str, cases: Callable[[int], Case], seeds: int, options: dict[str, Any]) -> None:
        progress(name)
        file = f"small, {name}, {plan.first}-{plan.first + seeds - 1}"
        for row in kept(plan.folder, file, lambda: _part(logs, cases, range(plan.first, plan.first + seeds), options)):
            one = counts.setdefault((row["logs"], row["mistakes"]), Counts(row["logs"], row["mistakes"]))
            for key in list(row)[2:]:
                setattr(one, key, getattr(one, key) + row[key])

    for robot in plan.chosen([*robots(), load("ur5")]):
        for motion in MOTIONS:
            count(f"{robot.name}, {motion}", "simulated", partial(recorded, robot, motion), plan.seeds, {})
    for case, options in real(folder) if folder else ():
        logs = f"real, {case.robot.name}"
        count(f"{logs}, {case.motion}", logs, lambda _, case=case: case, 3 * plan.seeds, options)
    return [counts[key] for key in sorted(counts)]


def _part(
    logs: str, cases: Callable[[int], Case], seeds: Iterable[int], options: dict[str, Any]
) -> list[dict[str, Any]]:
    counts: dict[tuple[str, str], Counts] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            judge(cases(seed), logs, options, seed, counts)
    return [asdict(x) for x in counts.values()]


def real(folder: Path) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Logs of a Panda (panda_time.txt, ...) and of a UR10e (ur-*.csv, ur10e.urdf), and how they are identified."""
    if (folder / "panda_time.txt").is_file():
        t, *columns = (np.loadtxt(folder / f"panda_{x}.txt") for x in ("time", "positions", "velocity", "torques"))
        log = dict(zip(("q", "qd", "tau"), (x.reshape(-1, 7) for x in columns), strict=True))
        yield Case(load("panda"), "", "none", 0, {"t": t, **log}, _unknown), {}
    for file in sorted(folder.glob("ur-*.csv")) if (folder / "ur10e.urdf").is_file() else ():
        table = np.loadtxt(file, delimiter=",")
        log = {"t": table[:, 0], "q": table[:, 1:7], "qd": table[:, 7:13], "tau": table[:, 13:19] * UR10E_GAINS}
        yield Case(load(folder / "ur10e.urdf"), file.stem, "none", 0, log, _unknown), {"rotor": True}


def _unknown(states: Motion) -> Array:
    raise NotImplementedError


def judge(right: Case, logs: str, options: dict[str, Any], seed: int, counts: dict[tuple[str, str], Counts]) -> None:
    """The right log, and mistakes in it that the seed draws."""

    def of(mistakes: str) -> Counts:
        return counts.setdefault((logs, mistakes), Counts(logs, mistakes))

    result = _count(of("1 none"), right, (), None, options)
    if result is None:
        return
    truth = result.torques if right.torque is _unknown else right.torque
    for wrong in drawn(right, seed):
        kinds = "2 one gain" if wrong[0].kind == "gain" else "3 one zero"
        case = replace(right, log=_changed(right.log, wrong), torque=_moved(truth, wrong))
        _count(of(kinds if len(wrong) == 1 else "4 two"), case, wrong, result, options)


def drawn(right: Case, seed: int) -> list[tuple[Wrong, ...]]:
    """Single mistakes, and pairs of them at two joints."""
    rng = np.random.default_rng([seed, right.robot.n, len(right.log["t"])])

    def one(joint: int) -> Wrong:
        if rng.random() < 0.6:
            return Wrong("gain", joint, float(rng.choice(GAINS)))
        unit = np.radians(1) if right.robot.coordinates[joint].revolute else 0.01
        return Wrong("zero", joint, float(rng.choice(ZEROS) * rng.choice([-1, 1]) * unit))

    single = [(one(int(rng.integers(right.robot.n))),) for _ in range(SINGLE)]
    # Of two joints only the ratio of the gains is told.
    pairs = [rng.choice(right.robot.n, 2, replace=False).tolist() for _ in range(PAIRS if right.robot.n > 2 else 0)]
    return [*single, *((one(a), one(b)) for a, b in pairs)]


def _changed(log: Log, wrong: Sequence[Wrong]) -> Log:
    gains, zeros = np.ones(log["q"].shape[1]), np.zeros(log["q"].shape[1])
    for one in wrong:
        (gains if one.kind == "gain" else zeros)[one.joint] = one.value
    return {**log, "q": log["q"] + zeros, "tau": log["tau"] * gains}


def _moved(torque: Callable[..., Array], wrong: Sequence[Wrong]) -> Callable[[Motion], Array]:
    def of(states: Motion) -> Array:
        zeros = np.zeros(states[0].shape[1])
        for one in wrong:
            zeros[one.joint] += one.value * (one.kind == "zero")
        there = states[0] - zeros, states[1], states[2]
        return torque(*there) if getattr(torque, "__self__", None) is not None else torque(there)

    return of


def _count(
    counts: Counts, case: Case, wrong: Sequence[Wrong], right: Identification | None, options: dict[str, Any]
) -> Identification | None:
    """Add the verdict on a log to the counts."""
    counts.count += 1
    try:
        result = identify(case.robot, case.log, physical=False, **options)
    except DynamisError:
        counts.refused += 1
        return None
    # How the torques compare with those of the given links is said of every joint, and names none.
    said = [*result.suspicions, *(text for text in result.remarks if "other joints" in text or "fit better" in text)]
    counts.trusted += bool(result.trusted)
    counts.gains_named += any("times what those of the other joints expect" in text for text in result.suspicions)
    for one in wrong:
        enough = one.size >= OFF - 1e-9 or one.kind == "zero"
        name = case.robot.coordinates[one.joint].name
        sure = enough and one.size > SURE * _error(right, one)
        unchecked = enough and bool(result.trusted) and _named(name, result.unchecked)
        counts.sure += sure
        counts.named += sure and _named(name, said)
        counts.unchecked += unchecked
        counts.unchecked_sure += unchecked and sure
    if wrong or case.torque is not _unknown:
        off = torques_off(result, case) > OFF
        sentences = [*said, *result.unchecked, *(text for text in result.remarks if text.startswith("That makes"))]
        counts.wrong += any(off[result.joints.index(name)] and not _named(name, sentences) for name in result.trusted)
    return result


def _error(right: Identification | None, one: Wrong) -> float:
    """The standard error of a mistake by the right log."""
    every = () if right is None or right.mistakes is None else (*right.mistakes.found, *right.mistakes.left)
    errors = [x.error for x in every if (x.kind, x.joint) == (one.kind, one.joint)]
    return min(errors, default=np.inf) * (one.value if one.kind == "gain" else 1.0)


def _named(name: str, said: Sequence[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in said)


def torques_off(result: Identification, case: Case) -> Array:
    """RMS errors of the torques at other states, relative to their variation."""
    r, rng = result.residuals, np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in (r.q, r.qd, r.qdd)]
    q, qd, qdd = (rng.uniform(low, high, (300, result.n)) for low, high in ranges)
    errors = np.sqrt(((result.torques(q, qd, qdd) - case.torque((q, qd, qdd))) ** 2).mean(axis=0))
    return errors / np.maximum(result.errors.variation, 1e-300)
