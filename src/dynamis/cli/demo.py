"""The first minute with dynamis: a little of everything, each part with the command or the call that gives it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from dynamis.apps.live.live_report import LiveReport
from dynamis.apps.live.report import report
from dynamis.apps.readings.commands import check_printed, result_of
from dynamis.base.arrays import Array
from dynamis.base.errors import UnphysicalWarning
from dynamis.base.numbers import percent, short
from dynamis.compute.quantities.reference import plain
from dynamis.exact.proof.proofs import Proofs
from dynamis.library import exercises, load
from dynamis.motion.single_states.exercises import Comparisons, compare, shipped_exercise
from dynamis.motion.tasks.task import Task, load_task
from dynamis.robot import Robot
from dynamis.telling.blocks import Code, Column, Document, Section, Table, Words
from dynamis.telling.result import Result

NOTATION = "deluca"
"""In which equations are short."""
ARM, MOTION = "puma560", "puma-lift"
"""The motion of the torque budget, and of the live report."""
TIMED_STATES, COMPARED_STATES, TIMING_RUNS = 1_000_000, 20, 5
"""States whose torques are timed; the first ones, which the plain reference computes, too; how often they are timed."""
BAR_WIDTH = 24
"""Characters that stand for a whole peak torque."""
FILLS = "█▓▒░"
"""The largest effects of a budget; the others share the last one."""
PLAIN_FILLS = "#=-."
"""The same where an encoding lacks them."""


@dataclass(frozen=True)
class Part:
    """A section of the demo, what JSON says of it, and whether everything in it agrees."""

    section: Section
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    right: bool = True


@dataclass(frozen=True)
class Demo(Result):
    """All parts."""

    parts: tuple[Part, ...]

    @property
    def right(self) -> bool:
        """Whether every law is proved and every number agrees."""
        return all(part.right for part in self.parts)

    def document(self) -> Document:
        """A section per part."""
        return Document("", tuple(part.section for part in self.parts), data=self._data)

    def _data(self) -> dict[str, Any]:
        return {key: value for part in self.parts for key, value in part.data.items()}


def demo(progress: Callable[[str], None] = lambda _: None, fills: str = FILLS) -> Iterator[Part]:
    """One part after the other, each computed when it is asked for; `progress` is told which one."""
    for title, part in (
        ("The equations of motion of a 2R arm, proved", equations),
        ("Exercises beside the printed results", printed_results),
        ("Mistakes found in a printed derivation", mistakes),
        ("A million torques", million),
        ("A torque budget", lambda: torque_budget(fills)),
    ):
        progress(title)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnphysicalWarning)
            made = part()
        yield replace(made, section=replace(made.section, title=title))


def demo_report() -> LiveReport:
    """The live report of the arm and the motion whose torque budget the demo shows."""
    task = _task()
    return report(task.robot, task)


def equations() -> Part:
    """The equations of motion in closed form, and what is proved of them."""
    begun = perf_counter()
    derived, proofs = (result_of(command) for command in ("derive deluca-2r --only tau", "prove deluca-2r"))
    assert isinstance(proofs, Proofs)
    seconds = perf_counter() - begun
    laws = Document("", proofs.document().blocks[:1], ring=derived.document().ring)
    words = Words(
        f"{sum(law.holds for law in proofs)} of {len(proofs)} laws are proved for all values of the symbols, term by "
        f"term; with the derivation in {short(round(seconds, 3))} s."
    )
    blocks = (Code(f"dynamis derive deluca-2r --only tau --notation {NOTATION}"), _inner(derived),
              Code("dynamis prove deluca-2r"), laws, words)  # fmt: skip
    data = {"laws": [{"claim": law.claim, "holds": law.holds, "terms": law.terms} for law in proofs]}
    return Part(Section("", blocks), data, proofs.holds)


def printed_results() -> Part:
    """The ten exercises; the last one, and those with a number that differs, as tables."""
    comparisons = Comparisons(tuple(compare(shipped_exercise(name)) for name in exercises()))
    agree, total = comparisons.agree, comparisons.total
    *others, last = comparisons.exercises
    shown = [*(one for one in others if one.agree != one.total), last]
    count = Words(f"Of all ten exercises, {agree} of {total} printed numbers agree to the last digit.")
    blocks = (*(one.document() for one in shown), count, Code("dynamis documents joint-reactions"))
    data = {"exercises": [one.as_dict() for one in comparisons.exercises], "agree": agree, "printed": total}
    return Part(Section("", blocks), data, agree == total)


def mistakes() -> Part:
    """An equation of motion as it is printed, checked; and how many entries of its derivation are right."""
    checked, derivation = (check_printed(f"check bar-2r {name}") for name in ("xu-equation-24", "xu-arm"))
    right, entries = len(derivation.entries) - len(derivation.wrong), len(derivation.entries)
    words = Words(f"Of the derivation that leads there, {right} of {entries} printed entries are right:")
    blocks = (
        Code("dynamis check bar-2r xu-equation-24"), _inner(checked), words, Code("dynamis check bar-2r xu-arm"),
    )  # fmt: skip
    return Part(Section("", blocks), {"mistakes": [entry.name for entry in (*checked.wrong, *derivation.wrong)]})


def million() -> Part:
    """Torques, accelerations and mass matrices of a million states, timed, and some of them against the reference."""
    robot, rng = load("ur5"), np.random.default_rng(1)
    q, qd, qdd = (rng.uniform(-3, 3, (TIMED_STATES, robot.n)) for _ in range(3))
    rows = [
        (name.replace("_", " "), *_time_algorithm(robot, name, inputs))
        for name, inputs in (
            ("inverse_dynamics", (q, qd, qdd)),
            ("forward_dynamics", (q, qd, qdd)),
            ("mass_matrix", (q,)),
        )
    ]
    columns = (
        "a million states", Column("time", "s", ".3f"), Column("per state", "ns", ".0f"),
        Column("in plain Python", "s", ".0f"), Column("difference", form=".0e"),
    )  # fmt: skip
    table = Document("", (Table(columns, tuple(rows)),))
    code = Code('tau = dynamis.load("ur5").inverse_dynamics(q, qd, qdd)  # (1000000, 6)')
    words = Words(
        f"One core, float64, the best of {TIMING_RUNS} runs. Plain Python is the textbook's algorithm, timed "
        f"on {COMPARED_STATES} "
        "states; the difference from it is relative to the largest value."
    )
    data = {
        "robot": robot.name, "states": TIMED_STATES, "seconds": {name: seconds for name, seconds, *_ in rows},
        "difference": {name: off for name, *_, off in rows},
    }  # fmt: skip
    return Part(Section("", (code, table, words)), {"million": data}, max(row[-1] for row in rows) < 1e-9)


def _time_algorithm(robot: Robot, name: str, inputs: tuple[Array, ...]) -> tuple[float, float, float, float]:
    """Seconds of all states, nanoseconds of one, seconds that plain Python would take, and the difference from it."""
    run, few = robot.compile(name), [x[:COMPARED_STATES] for x in inputs]
    first, seconds = run(*few), inf
    for _ in range(TIMING_RUNS):
        begun = perf_counter()
        run(*inputs)
        seconds = min(seconds, perf_counter() - begun)
    begun = perf_counter()
    (expected,) = plain(robot, name, *few)
    slow = (perf_counter() - begun) / COMPARED_STATES * TIMED_STATES
    return seconds, 1e9 * seconds / TIMED_STATES, slow, float(np.abs(first - expected).max() / np.abs(expected).max())


def torque_budget(fills: str = FILLS) -> Part:
    """What the peak torque of every joint is made of."""
    budget = _task().budget()
    shares: dict[str, Array] = {}
    for name, values in zip(budget.effects.names, budget.effects.of_peak.T, strict=True):
        kind = name.split()[0]
        shares[kind] = shares.get(kind, np.zeros(budget.n)) + values
    order = sorted(shares, key=lambda name: -np.abs(shares[name]).sum())
    fill = {name: fills[min(k, len(fills) - 1)] for k, name in enumerate(order)}
    peak, at = budget.sizing.peak_torque, budget.sizing.peak_time
    rows = tuple(
        (str(j + 1), float(peak[j]), budget.units[j], float(at[j]),
         _bar([(fill[name], shares[name][j]) for name in order]), _largest({name: shares[name][j] for name in order}))
        for j in range(budget.n)
    )  # fmt: skip
    columns = ("joint", Column("peak", form=".2f"), "unit", Column("at", "s", ".2f"), "made of", "largest causes")
    *named, _ = zip(fills, order, strict=False)
    legend = Words(", ".join(f"{sign} {name}" for sign, name in (*named, (fills[-1], "others"))))
    blocks = (Code(f"dynamis motion {ARM} {MOTION}"), Document("", (Table(columns, rows), legend)))
    data = {"peak": peak.tolist(), "shares": {name: values.tolist() for name, values in shares.items()}}
    return Part(Section("", blocks), {"budget": data})


def _bar(parts: list[tuple[str, float]]) -> str:
    """A bar of what pushes a joint, each effect as long as its share of that; what relieves it has no length."""
    sizes = [max(share, 0.0) for _, share in parts]
    ends = np.rint(BAR_WIDTH * np.cumsum([0.0, *sizes]) / sum(sizes)).astype(int).tolist()
    return "".join(sign * (b - a) for (sign, _), a, b in zip(parts, ends, ends[1:], strict=False))


def _largest(shares: dict[str, float], count: int = 2) -> str:
    order = sorted(shares, key=lambda name: -abs(shares[name]))
    return ", ".join(f"{name} {percent(shares[name])}" for name in order[:count])


def _task() -> Task:
    return load_task(MOTION, load(ARM))


def _inner(result: Result) -> Document:
    return replace(result.document(), numbered=False, title="")
