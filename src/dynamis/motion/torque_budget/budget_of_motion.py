"""A motion through a robot, and what every joint must give for it, as `Budget` asks for it."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.dynamics.parameter_torques import OF_LINK, of_drive
from dynamis.library import require_robot
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.payload import load_words, payload_words
from dynamis.motion.load_over_time import LoadOverTime, constant_loads, corners
from dynamis.motion.torque_budget.motors import motor_sizing
from dynamis.motion.torque_budget.payloads import payload_spans, span_words, switching_times, with_payloads
from dynamis.motion.torque_budget.result import Extremes, Shares, TorqueBudget
from dynamis.motion.torque_budget.run import Job, Sums, group_parts, groups_of, run
from dynamis.motion.torque_budget.samples import sampled_motion
from dynamis.motion.torque_budget.sizing import sizing, time_weights
from dynamis.motion.torque_budget.torque_budget import Budget
from dynamis.motion.trajectories.document import motion_methods

KEEP = ("everything", "sums", "totals")
MOST_KEPT = 32_000_000
"""Numbers of parts over time that are kept without being asked for: 256 MB."""


def budget_motion(asked: Budget) -> TorqueBudget:
    """The torques of every joint along a motion, taken apart: by effect, by link, by parameter."""
    robot, motion, loads, tool, keep = asked.robot, asked.motion, asked.loads, asked.tool, asked.keep
    require_robot(robot)
    if robot.n == 0:
        raise ArgumentError(f'robot "{robot.name}" has no joint that moves, so there is no torque to ask for')
    if isinstance(cast(Any, tool), (ToolWrench, Force, Moment, LoadOverTime)):
        raise ArgumentError("tool is a load; tool is the name of a frame: write loads=[...] for loads", key="tool")
    bare = constant_loads(robot, loads)
    if keep is not None and keep not in KEEP:
        raise UnknownNameError("value of keep", keep, KEEP, key="keep")
    if asked.threads is not None:
        integer("threads", asked.threads)
    frame = tool if tool is not None else "tool" if robot.tool is not None else None
    if frame is not None:
        robot.frame(frame)
    spans = payload_spans(asked.payload)
    corners_and_switches = np.union1d(corners(loads), switching_times(spans))
    t, at = sampled_motion(robot, motion, asked.samples, asked.times, corners_and_switches)
    held = *payload_words(robot), *(span_words(robot, span) for span in spans)
    robots, which = with_payloads(robot, spans, t)
    robot, *others = robots
    job = Job(robot, tuple(loads), asked.gravity, frame, t, at, tuple(others), which if others else None)
    if keep is None:
        keep = "everything" if len(t) * robot.n * len(job.parts) <= MOST_KEPT else "totals"
    sums, history = run(job, keep, asked.threads, asked.progress)
    span = float(time_weights(t).sum()) or 1.0
    parts, groups = _extremes(job.parts, sums, span)
    low, high = sums.sum_lowest[2], sums.sum_highest[2]
    # Of the two extremes the one that is farther from 0 gives the sign of their sum.
    light = np.copysign(np.maximum(np.abs(low), np.abs(high)), low + high), np.sqrt(sums.sum_squares[2] / span)
    motors, at_peak = sizing(robot, t, history.q, history.qd, history.tau, light)
    peak = job.buffers(robot.n)
    job.torques(at_peak, history.q[at_peak], history.qd[at_peak], history.qdd[at_peak], peak)
    largest, squares = float(parts.largest.max()), motors.rms_torque**2 * span
    words = tuple(_words(load, k) for k, load in enumerate(bare, 1))
    acting = tuple(
        f"{name}: {load_words(robot, load, isinstance(source, LoadOverTime))}"
        for name, load, source in zip(words, bare, loads, strict=True)
    )
    of_links = (f"{what} of {link.name}" for link in robot.links for what in OF_LINK)
    causes = *of_links, *of_drive(robot.force_terms), *words
    sentences: Any = getattr(motion, "sentences", None)
    return TorqueBudget(
        robot=robot.name, joints=tuple(j.name for j in robot.coordinates),
        units=tuple(j.unit for j in robot.coordinates), revolute=tuple(j.revolute for j in robot.coordinates),
        links=tuple(link.name for link in robot.links), kinds=tuple(link.joint.kind for link in robot.links),
        tool=frame, loads=(*held, *acting), groups=groups, parts=parts,
        effects=_shares(parts.names, peak.tau, peak.parts, sums.parts_with_tau, squares),
        causes=_shares(causes, peak.tau, peak.causes, sums.causes_with_tau, squares),
        sizing=motors, bearings=sums.bearings, residual=float(sums.residual) / largest if largest else 0.0,
        history=history, motion=() if sentences is None else tuple(sentences()),
        motors=motor_sizing(job, history, asked.efficiency), notes=robot.warnings, methods=motion_methods(motion),
    )  # fmt: skip


def _shares(names: tuple[str, ...], tau: Array, parts: Array, with_tau: Array, squares: Array) -> Shares:
    """`tau` and `parts` are those of the n peaks, one per joint; `squares` is the integral of tau^2."""
    n: Any = np.arange(len(tau))
    with np.errstate(divide="ignore", invalid="ignore"):
        of_peak = parts[n, n, :] / tau[n, n][:, None]
        of_rms = with_tau / squares[:, None]
    return Shares(names, of_peak, of_rms)


def _extremes(names: tuple[str, ...], x: Sums, span: float) -> tuple[Extremes, Extremes]:
    """The extremes of the parts, and of the groups: single parts as they are, the velocity torques by their sums."""
    parts = x.lowest, x.highest, np.sqrt(x.squares / span)
    sums = x.sum_lowest, x.sum_highest, np.sqrt(x.sum_squares / span)
    groups = (group_parts(a, b, names) for a, b in zip(parts, sums, strict=True))
    return Extremes(names, *parts), Extremes(groups_of(names), *groups)


def _words(load: Load, k: int) -> str:
    match load:
        case ToolWrench():
            return f"load {k} (tool wrench)"
        case Force():
            return f"load {k} (force on {load.link})"
        case Moment():
            return f"load {k} (moment on {load.link})"
