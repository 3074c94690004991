"""What learning gives: the errors of every trial, the learned torque beside the analytic one, and why it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.telling.blocks import Block, Column, Document, Figure, Items, Section, Table, Words
from dynamis.telling.chart import TIME, Chart, Level, Line, Panel, columns_of, joint_name, some
from dynamis.telling.result import Result
from dynamis.telling.series import numbered_columns

if TYPE_CHECKING:
    from dynamis.telling.blocks import Cell

TABLES: tuple[str, ...] = ("rms", "peak", "torque")
TITLES = {"rms": "RMS tracking errors", "peak": "Peak tracking errors", "torque": "Distance from the analytic torque"}
CELL_WIDTH = 9
"""Width of a number: rows that are printed while the trials run are aligned."""


@dataclass(frozen=True)
class Trial:
    """One trial, from 1: true tracking errors of every joint [rad or m], and how far its torque u_k was from u_d.

    `error` is the RMS of the true errors over joints and samples, joints weighted by K_D; `seen` the same of the errors
    that were measured, which is what the learning knows. `torque_distance` is RMS(u_k - u_d) / RMS(u_d) over all
    joints, `torque_rms` RMS(u_k - u_d) of every joint [N m or N]; u_d is the nominal torque, its mean over each hold.
    """

    number: int
    rms: Array
    peak: Array
    error: float
    seen: float
    torque_rms: Array
    torque_distance: float
    saturated: float = 0.0
    """The part of the samples at which a motor was at its limit."""
    failed: float | None = None
    """When the run blew up [s]; its errors are infinite then."""


@dataclass(frozen=True)
class Learning(Result):
    """Trials of a motion, and the torque that they found: of `best`, the trial with the smallest measured error
    (or, where that was asked for, the one with the smallest distance of its torque).

    `times` (k + 1) are the samples and the end [s]; `u` (k, n) is held from its sample to the next. `analytic` is the
    inverse dynamics of the true plant at the samples, `nominal` its mean over each hold, which is what a held torque
    can come to; `first` is the torque of the first trial.
    """

    robot: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    revolute: tuple[bool, ...]
    times: Array
    goal: tuple[Array, Array]
    """q and qd of the motion at `times`, (k + 1, n) each."""
    u: Array
    first: Array
    analytic: Array
    nominal: Array
    e_first: Array
    """True errors of q in the first trial, (k + 1, n) [rad or m]."""
    e_best: Array
    trials: tuple[Trial, ...]
    best: int
    """The number of the trial that `u` and `e_best` are of, from 1."""
    conditions: tuple[Condition, ...]
    settings: dict[str, Any]
    ended: str
    """Why there was no further trial."""
    diverged: bool
    reasons: tuple[str, ...]
    """What is likely behind a divergence or a floor."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The number of joints."""
        return len(self.joints)

    @property
    def torque(self) -> TorqueSamples:
        """The learned torque as a control for `dynamis.simulate`; give it `period=` the period of the trials too."""
        return TorqueSamples(self.times[:-1], self.u, hold=True)

    @cached_property
    def first_sample_gap(self) -> Array:
        """u(0) - nominal torque over the first hold, one value per joint [N m or N]."""
        return self.u[0] - self.nominal[0]

    @property
    def lengths(self) -> tuple[str, ...]:
        """The unit of every joint's position: rad or m."""
        return tuple("rad" if turns else "m" for turns in self.revolute)

    def sentences(self) -> list[str]:
        """What came of it: convergence, the end and its reasons, u(0), and the conditions."""
        return sentences(self)

    def document(self) -> Document:
        """Tables of the trials, "rms", "peak" and "torque", and "sentences"; figures "errors", "torque" and
        "tracking"."""
        kp, kd = (", ".join(f"{value:g}" for value in self.settings[name]) for name in ("kp", "kd"))
        period, step = self.settings["period"], self.settings["step"]
        loop = f"K_P = {kp}; K_D = {kd} ({self.settings['gains']}); Tc = {period:g} s, Ts = {step:g} s"
        held = (f"held: {self.settings['held']}",) if self.settings.get("held") else ()
        blocks: list[Block] = [
            Section(TITLES[kind], (_joint_table(self, kind), Words((legend(self, kind, kind == "rms"),))), kind)
            for kind in TABLES
        ]
        blocks += [Section("", (Items((loop, *held, *sentences(self))),), "sentences")]
        blocks += [Figure(name, partial(chart, self), caption=caption) for name, (chart, caption) in CHARTS.items()]
        return Document(
            f"{self.robot}: {len(self.trials)} trials of {self.times[-1]:g} s", tuple(blocks),
            data=lambda: learning_data(self), columns=lambda: learning_columns(self), methods=("iterative-learning",),
        )  # fmt: skip


def trial_table(trials: tuple[Trial, ...], joints: Sequence[tuple[str, str]], n: int, kind: str) -> Table:
    """Trials as rows; `kind` is what the columns of the first `n` joints hold.

    `joints` are the units of positions and torques of all joints.
    """
    word, values = {"rms": ("rms", "rms"), "peak": ("peak", "peak"), "torque": ("du", "torque_rms")}[kind]
    units = [joint[kind == "torque"] for joint in joints[:n]]
    whole = " or ".join(dict.fromkeys(length for length, _ in joints))
    columns = [Column(f"{word} {j}", unit, ".2e", width=CELL_WIDTH) for j, unit in enumerate(units, 1)]
    columns = [
        Column("error", whole, ".2e", width=CELL_WIDTH),
        *columns,
        Column("peak", whole, ".2e", width=CELL_WIDTH),
    ]
    rows: list[tuple[Cell, ...]] = []
    for x in trials:
        if x.failed is not None:
            rows.append((x.number, *[None] * (n + 3), f"blew up at {x.failed:.4g} s"))
        else:
            each = getattr(x, values).tolist()[:n]
            rows.append((x.number, x.error, *each, float(x.peak.max()), 100 * x.torque_distance, None))
    distance = Column("torque", "%", ".3g", width=CELL_WIDTH + 1)
    return Table((Column("trial", width=5), *columns, distance, Column()), tuple(rows))


def _joint_table(x: Learning, kind: str) -> Table:
    """What the first table has for all joints together is not repeated in the others."""
    joints = [("rad" if revolute else "m", unit) for revolute, unit in zip(x.revolute, x.units, strict=True)]
    table = trial_table(x.trials, joints, x.n, kind)
    if kind == "rms":
        return table
    kept = (0, *range(2, x.n + 2), len(table.columns) - 1)
    return Table(tuple(table.columns[k] for k in kept), tuple(tuple(row[k] for k in kept) for row in table.rows))


def legend(x: Learning, kind: str, whole: bool = True) -> str:
    """What the columns are; of those of all joints together if it is to be `whole`."""
    what = {
        "rms": "rms: RMS tracking error of each joint",
        "peak": "peak j: largest tracking error of each joint",
        "torque": "du: RMS distance of u from the analytic torque of each joint",
    }[kind]
    together = "; error: over all joints, weighted by K_D; torque: distance of u from the analytic torque"
    return what + together if whole else what


def sentences(x: Learning) -> list[str]:
    """The trial that is kept, the end and its reasons, u(0), conditions, warnings."""
    lines = [f"{'Diverged' if x.diverged else 'Ended'}: {x.ended}.", *x.reasons]
    if np.isfinite(x.trials[x.best - 1].error):
        lines = [_kept_trial_sentence(x), *lines, _first_sample(x)]
    if _exact(x):
        lines.append("The torque was the analytic one in every trial, so its distance from it is not drawn.")
    return [*lines, *(f"Condition: {condition}" for condition in x.conditions), *(f"Warning: {w}" for w in x.warnings)]


def _kept_trial_sentence(x: Learning) -> str:
    first, best = x.trials[0], x.trials[x.best - 1]
    if best is first and len(x.trials) > 1:
        return f"No trial was better than the first, whose error is {first.error:.3g}."
    ratio = first.error / best.error if best.error else np.inf
    by = "smallest measured error" if x.settings["keep"] == "error" else "torque nearest to the analytic one"
    return (
        f"Trial {best.number} is kept ({by}): the tracking error is {best.error:.3g}, after {first.error:.3g} in the "
        f"first trial ({ratio:.3g} times smaller); the torque is {100 * best.torque_distance:.3g} % away from the "
        f"analytic inverse dynamics of the true plant, after {100 * first.torque_distance:.3g} %."
    )


def _first_sample(x: Learning) -> str:
    gap, ahead = np.abs(x.first_sample_gap), x.settings["ahead"]
    j = int(gap.argmax())
    at, before = f"{x.units[j]} at {joint_name(x.joints, j, 200)}", np.abs(x.first[0] - x.nominal[0])[j]
    went = f"its distance from the analytic torque went from {before:.3g} to {gap[j]:.3g} {at}."
    if ahead:
        return f"u(0) learns from the error {'of the next sample' if ahead == 1 else f'{ahead} samples later'}: {went}"
    never = "With ahead = 0, u(0) is never learned: at t = 0 the error is zero in every trial, whatever u(0) is."
    if np.array_equal(x.u[0], x.first[0]):
        return f"{never} It stays {gap[j]:.3g} {at} away from the analytic torque."
    why = "noise" if x.settings["cutoff"] is None else "what the filter passes on from its neighbours"
    return f"{never} It only takes up {why}; {went}"


def learning_columns(x: Learning) -> dict[str, Array]:
    """Every series by its name with its unit, one value per sample (without the end, where no torque is given)."""
    torques = {"learned u": x.u, "first u": x.first, "analytic tau": x.analytic, "mean tau": x.nominal}
    positions = {"goal q": x.goal[0], "first e": x.e_first, "best e": x.e_best}
    columns: dict[str, Array] = {"t [s]": x.times[:-1]}
    for name, values in torques.items():
        columns |= numbered_columns(name, values, x.units)
    for name, values in positions.items():
        columns |= numbered_columns(name, values[:-1], x.lengths)
    return columns


def learning_data(x: Learning) -> dict[str, Any]:
    """Trials, conditions and sentences."""
    renamed = {"number": "trial", "failed": "blew_up_at"}
    return {
        "robot": x.robot, "joints": x.joints, "units": x.units, "samples": len(x.u), "duration": x.times[-1],
        "settings": x.settings, "best": x.best, "diverged": x.diverged, "ended": x.ended,
        "trials": [{renamed.get(name, name): value for name, value in vars(trial).items()} for trial in x.trials],
        "first_sample_gap": x.first_sample_gap, "conditions": [vars(condition) for condition in x.conditions],
        "sentences": sentences(x), "warnings": x.warnings,
    }  # fmt: skip


def _errors(x: Learning) -> Chart:
    """RMS and peak error of every joint, and the distance of the torque, over trials."""
    sound = [trial for trial in x.trials if trial.failed is None]
    unit = " or ".join(dict.fromkeys(x.lengths))

    def panel(y: str, names: list[str], styles: list[Any], values: list[Array]) -> Panel:
        curves = np.reshape(values, (len(sound), len(names))).T
        numbers, above = [trial.number for trial in sound], np.where(curves > 0, curves, np.nan)  # the axis is a log's
        lines = [Line(numbers, *each, dotted=True) for each in zip(above, names, styles, strict=True)]
        kept = [Level(x.best, "kept trial", "kept", upright=True)] if sound else []
        return Panel((*lines, *kept), x="trial", y=y, logarithmic=bool(sound), whole_numbers=True)

    joints, indices = [f"joint {j + 1}" for j in range(x.n)], [*range(x.n)]
    distances = [np.array([100 * trial.torque_distance]) for trial in sound]
    panels = [
        panel(f"RMS tracking error [{unit}]", joints, indices, [trial.rms for trial in sound]),
        panel(f"peak tracking error [{unit}]", joints, indices, [trial.peak for trial in sound]),
    ]
    if not _exact(x):
        panels.append(panel("distance from analytic torque [%]", ["torque, all joints"], ["total"], distances))
    return Chart(tuple(panels), 3, 2.4, legend_columns=5)


def _exact(x: Learning) -> bool:
    """Whether the torque was the analytic one in every trial, so that a logarithm has nothing to show."""
    sound = [trial.torque_distance for trial in x.trials if trial.failed is None]
    return bool(sound) and not any(sound)


def _torque(x: Learning) -> Chart:
    """The torque of the first trial, the learned one and the analytic one of every joint."""
    columns, drawn = min(2, x.n) if x.n <= 4 else columns_of(x.n), some(len(x.u))
    t, panels = x.times[:-1][drawn], list[Panel]()
    for j, unit in enumerate(x.units):
        lines = (
            Line(t, x.first[drawn, j], "first trial", "second", steps=True),
            Line(t, x.u[drawn, j], f"learned (trial {x.best})", "thick", steps=True),
            Line(t, x.analytic[drawn, j], "analytic inverse dynamics", "thin"),
        )
        effort = f"{'torque' if x.revolute[j] else 'force'} [{unit}]"
        panels.append(Panel(lines, f"joint {j + 1}", TIME, effort, side="left"))
    return Chart(tuple(panels), columns, 2.1, legend_columns=5, share_x=True)


def _tracking(x: Learning) -> Chart:
    """Tracking errors over time: of the first trial above, of the kept one below."""
    drawn, unit = some(len(x.times)), " or ".join(dict.fromkeys(x.lengths))
    panels: list[Panel] = []
    for values, name in ((x.e_first, "first trial"), (x.e_best, f"trial {x.best}")):
        lines = [Line(x.times[drawn], values[drawn, j], f"joint {j + 1}", j) for j in range(x.n)]
        panels.append(Panel(tuple(lines), name, TIME, f"tracking error [{unit}]", side="left"))
    return Chart(tuple(panels), 1, 2.1, legend_columns=5, share_x=True)


CHARTS: dict[str, tuple[Callable[[Learning], Chart], str]] = {
    "errors": (_errors, "Tracking errors of the joints and the distance from the analytic torque, trial by trial."),
    "torque": (_torque, "The torque of the first trial, the learned one and the analytic one."),
    "tracking-error": (_tracking, "Tracking errors over time, in the first trial and in the one that is kept."),
}
"""The figures with their captions."""
