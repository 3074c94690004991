"""What `excite` gives: a trajectory for the controller, how well it tells the parameters, and what holds it back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from dynamis.apps.identification.excitation.limits import MotionLimits
from dynamis.apps.identification.excitation.periodic import PeriodicTrajectory
from dynamis.apps.identification.excitation.search import CHECK_REFINEMENT, Iteration
from dynamis.apps.identification.excitation.told import TORQUE_NOISE, ToldParameters, told_parameters
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import Excitation, excitation
from dynamis.base.arguments import per_joint
from dynamis.base.arrays import Array
from dynamis.base.errors import MissingMassError, name_list
from dynamis.motion.trajectories.trajectory import Motion
from dynamis.robot import Robot
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table, Words
from dynamis.telling.chart import TIME, Chart, Level, Line, Panel, some
from dynamis.telling.joints import joint_chart, joint_table
from dynamis.telling.result import Result
from dynamis.telling.series import motion_columns

CRITERIA = {
    "balanced": "balance of a large determinant and a small condition number",
    "determinant": "largest determinant (D-optimal)",
    "condition": "smallest condition number",
}
AT_LIMIT = 0.95
"""A joint that uses so much of a limit is held back by it."""


@dataclass(frozen=True, eq=False)
class ExcitingMotion(Result):
    """A periodic motion within limits, and what its torques tell.

    `trajectory` can be followed by `simulate`; its samples for a controller are `to_csv` and `to_pandas`.
    """

    robot: Robot
    model: LinearModel
    limits: MotionLimits
    trajectory: PeriodicTrajectory
    criterion: str
    rate: float
    samples: int
    """Of one period."""
    history: tuple[Iteration, ...]
    ended: str
    notes: tuple[str, ...]
    """Limits that the robot does not have, and what was taken instead."""

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(x.name for x in self.robot.coordinates)

    @cached_property
    def motion(self) -> Motion:
        """q, qd, qdd at the samples of one period."""
        return self.trajectory.period_samples(self.samples)

    @cached_property
    def regressor(self) -> Array:
        """W (samples, n, p): the base columns at the samples of one period, links first."""
        return self.model.columns(*self.motion)[:, :, list(self.model.base)]

    @cached_property
    def excitation(self) -> Excitation:
        """Of all parameters, over one period."""
        return _excitation_of(self.regressor)

    @cached_property
    def links_alone(self) -> Excitation:
        """Of the parameters of links, without friction, offsets and rotors: what many papers give."""
        return _excitation_of(self.regressor[:, :, [k < self.model.inertial for k in self.model.base]])

    @cached_property
    def torques(self) -> Array | None:
        """Of the given robot over one period (samples, n) [N m or N]; None where it has no masses."""
        try:
            return self.robot.inverse_dynamics(*self.motion)
        except MissingMassError:
            return None

    @cached_property
    def noise(self) -> Array:
        """The noise that standard errors are predicted for: 5 % of the RMS torques, or 1 N m where none is known."""
        if self.torques is None:
            return np.ones(self.robot.n)
        rms = np.sqrt((self.torques**2).mean(axis=0))
        return TORQUE_NOISE * np.maximum(rms, 1e-3 * rms.max(initial=0.0)) if rms.any() else np.ones(self.robot.n)

    @cached_property
    def told(self) -> ToldParameters:
        """How well every parameter is told with this noise, and why some are told badly."""
        return self._told(self.noise)

    def standard_errors(self, noise: Any) -> Array:
        """Predicted standard errors of the base parameters with white noise [N m or N] on the torques.

        noise: standard deviation, one per joint or one for all
        """
        return self._told(per_joint("noise", noise, self.robot.n)).errors

    @cached_property
    def uses(self) -> dict[str, Array]:
        """How much of every limit is used, from 0 to 1, also between the samples; one value per joint or plane."""
        count = CHECK_REFINEMENT * self.samples
        uses: dict[str, Array] = {}
        for signal in self.limits.signals(self.trajectory.period_samples(count)):
            low, high = signal.range(self.trajectory.curve.overshoot(count))
            if signal.name == "tool":
                uses[signal.name] = low - signal.lower
                continue
            held = np.isfinite(signal.lower) & np.isfinite(signal.upper) & (signal.upper > signal.lower)
            lower, upper = np.where(held, signal.lower, 0.0), np.where(held, signal.upper, 0.0)
            middle, half = (upper + lower) / 2, np.where(held, (upper - lower) / 2, np.inf)
            uses[signal.name] = np.maximum(high - middle, middle - low) / half
        return uses

    def words(self) -> list[str]:
        """What the motion is, what holds it back, and what it tells badly, in sentences."""
        said = [*self.trajectory.sentences(), *self.notes]
        said[0] = f"The motion: {said[0]}."
        for kind, use in self.uses.items():
            if kind == "tool":
                said += ["The region of the tool holds the motion back."] * bool((use < 0.01 * self.limits.reach).any())
                continue
            full = [self.joints[k] for k in np.flatnonzero(use[: self.robot.n] > AT_LIMIT)]
            if full:
                who = "all joints" if len(full) == self.robot.n else name_list(full)
                said.append(f"Held back by limits of {kind}: {who}.")
        reasons = {name: why for name, why in zip(self.model.names, self.told.reasons, strict=True) if why}
        said += [f"{name} {why}." for name, why in reasons.items()]
        if not reasons:
            said.append("All parameters are told well.")
        return said

    def document(self) -> Document:
        """Tables "excitation", "limits" and "parameters", the words, and figures."""
        t = self.trajectory
        figures = [
            Figure("motion", partial(_motion, self), None, "Positions of the joints, and their limits."),
            Figure("search", partial(_search, self), None, "The motion that keeps all limits, iteration by iteration."),
        ]
        if self.torques is not None:
            figures.append(Figure("torques", partial(_torques, self), None, "Torques of the given robot."))
        words = Section("What to know", (Items(tuple(self.words())),), "words")
        return Document(
            f"{self.robot.name}: exciting motion of {t.periods} x {t.curve.period:g} s",
            (_excitation(self), _limits(self), _parameters(self), words, *figures),
            data=partial(_json, self), columns=partial(_columns, self), methods=("excitation", "base-parameters"),
            main_figure="motion",
        )  # fmt: skip

    def _told(self, noise: Array) -> ToldParameters:
        locked = [name for name, moves in zip(self.joints, self.limits.moving, strict=True) if not moves]
        held = f"{name_list(locked)} cannot move" if locked else ""
        return told_parameters(self.model, self.regressor, noise, self.samples * self.trajectory.periods, held)


def _excitation_of(W: Array) -> Excitation:
    return excitation(np.asarray(np.linalg.qr(W.reshape(-1, W.shape[2]), mode="r")))


def _excitation(x: ExcitingMotion) -> Section:
    rows = tuple(
        (name, count, e.rank, e.condition, e.scaled_condition, e.log_determinant)
        for name, e, count in (
            (name_list(["links", *dict.fromkeys(x.kind for x in x.model.drives)]), x.excitation, len(x.model.base)),
            ("links alone", x.links_alone, sum(k < x.model.inertial for k in x.model.base)),
        )
    )
    columns = (
        "parameters", Column("number", form="d"), Column("told", form="d"), Column("condition number", form=".4g"),
        Column("columns of length 1", form=".4g"), Column("log determinant", form=".5g"),
    )  # fmt: skip
    first = x.history[0]
    said = Words(
        f"Of the base regressor stacked over the {x.samples} samples of one period, not weighted, in SI units and with "
        f"all columns scaled to length 1. Searched for the {CRITERIA[x.criterion]}, {x.ended}; it began at a condition "
        f"number of {first.condition:.4g} and a log determinant of {first.log_determinant:.5g}."
    )
    return Section("Excitation", (Table(columns, rows), said), "excitation")


def _limits(x: ExcitingMotion) -> Section:
    n, uses, q = x.robot.n, x.uses, x.motion[0]
    heads = {"position": "range", "velocity": "velocity", "acceleration": "acceleration", "torque": "torque"}
    table = joint_table(
        x.joints,
        (Column("start", form=".4g"), x.trajectory.at(0.0)[0]),
        (Column("lowest", form=".4g"), q.min(axis=0)),
        (Column("highest", form=".4g"), q.max(axis=0)),
        ("unit", [one.length for one in x.robot.coordinates]),
        *((Column(head, form="%"), uses[kind][:n]) for kind, head in heads.items() if kind in uses),
    )
    said = [
        "Percentages are of the limits, the range to both sides of its middle. Positions, velocities and accelerations "
        "keep them between the samples, too, by a bound on such curves; torques of the given robot and the tool are "
        "checked at finer samples, with second differences for what is between them."
    ]
    if "tool" in uses and len(uses["tool"]):
        said.append(f"The tool stays {1e3 * float(uses['tool'].min()):.3g} mm within its region.")
    return Section("Limits", (table, Items(tuple(said))), "limits")


def _parameters(x: ExcitingMotion) -> Section:
    told = x.told
    columns = (
        "parameter", Column("standard error", form=".2g"), "unit", Column("relative", form="%"),
        Column("inflation", form=".3g"), "told most by",
    )  # fmt: skip
    rows = tuple(
        (
            name, float(told.errors[i]), x.model.units[i], None if np.isnan(told.relative[i]) else told.relative[i],
            float(told.inflation[i]), x.joints[int(told.joint[i])],
        )
        for i, name in enumerate(x.model.names)
    )  # fmt: skip
    noise = "5 % of the RMS torque of every joint" if x.torques is not None else "1 N m or N"
    text = (
        f"Standard errors of least squares weighted by joint, from all periods, with white noise of {noise}; relative "
        "to the largest parameter of the same kind in the link. If the others were known, they would be smaller by the "
        "inflation."
    )
    return Section("Parameters", (Table(columns, rows), Words(text)), "parameters")


def _motion(x: ExcitingMotion) -> Chart:
    t, q = _times(x)
    which = some(len(t))
    limits = x.limits

    def panel(j: int, name: str) -> Panel:
        line = Line(t[which], q[which, j], "position", 0)
        levels = Level(float(limits.lower[j]), "limit"), Level(float(limits.upper[j]))
        return Panel((line, *levels), name, TIME, f"[{x.robot.coordinates[j].length}]")

    return joint_chart(x.joints, panel)


def _torques(x: ExcitingMotion) -> Chart:
    torques = x.torques
    assert torques is not None
    which = some(x.samples)
    t = (np.arange(x.samples) / x.rate)[which]
    bounds = np.full(x.robot.n, np.inf) if x.limits.torque is None else x.limits.torque

    def panel(j: int, name: str) -> Panel:
        levels = [Level(s * float(bounds[j]), "limit" * (s > 0)) for s in (1, -1)] if np.isfinite(bounds[j]) else []
        return Panel((Line(t, torques[which, j], "torque", 0), *levels), name, TIME, f"[{x.robot.coordinates[j].unit}]")

    return joint_chart(x.joints, panel)


def _search(x: ExcitingMotion) -> Chart:
    k = [one.number for one in x.history]
    panels = (
        Panel(
            (Line(k, [one.condition for one in x.history], "", "solid"),), title="condition number", x="iteration",
            logarithmic=True, whole_numbers=True,
        ),
        Panel(
            (Line(k, [one.log_determinant for one in x.history], "", "solid"),), title="log determinant", x="iteration",
            whole_numbers=True,
        ),
    )  # fmt: skip
    return Chart(panels, 2)


def _times(x: ExcitingMotion) -> tuple[Array, Array]:
    t = _sample_times(x)
    return t, x.trajectory.at(t)[0]


def _sample_times(x: ExcitingMotion) -> Array:
    """From 0 to the end, the end included."""
    return np.arange(round(x.trajectory.duration * x.rate) + 1) / x.rate


def _columns(x: ExcitingMotion) -> dict[str, Array]:
    t = _sample_times(x)
    return {"t [s]": t} | motion_columns([one.length for one in x.robot.coordinates], *x.trajectory.at(t))


def _json(x: ExcitingMotion) -> dict[str, Any]:
    told, t = x.told, x.trajectory
    return {
        "robot": x.robot.name, "joints": x.joints, "criterion": x.criterion, "curve": type(t.curve).__name__.lower(),
        "period": t.curve.period, "periods": t.periods, "ramp": t.ramp, "start": t.start, "duration": t.duration,
        "rate": x.rate, "samples": x.samples, "coefficients": t.coefficients.T,
        "excitation": vars(x.excitation), "links_alone": vars(x.links_alone),
        "uses": x.uses, "noise": x.noise,
        "parameters": [
            {"name": name, "unit": x.model.units[i], "combination": x.model.combination(i),
             "standard_error": told.errors[i], "relative": told.relative[i], "inflation": told.inflation[i],
             "told_by": x.joints[int(told.joint[i])], "reason": told.reasons[i]}
            for i, name in enumerate(x.model.names)
        ],
        "history": [vars(one) for one in x.history], "ended": x.ended, "words": x.words(),
    }  # fmt: skip
