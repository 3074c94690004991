"""`torque_budget`: a motion through a robot, and what every joint must give for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dynamis.arguments import integer
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.library import require_robot
from dynamis.mechanics.dynamics.parameter_torques import OF_DRIVE, OF_LINK
from dynamis.mechanics.efficient.torque_components import component_names
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.payload import load_words, payload_words
from dynamis.motion.load_over_time import AnyLoad, LoadOverTime, constant_loads, corners
from dynamis.motion.torque_budget.motors import motor_sizing
from dynamis.motion.torque_budget.payloads import payload_spans, span_words, switching_times, with_payloads
from dynamis.motion.torque_budget.result import Extremes, Shares, TorqueBudget
from dynamis.motion.torque_budget.run import GROUPS, Job, Sums, grouped, run
from dynamis.motion.torque_budget.samples import sampled_motion
from dynamis.motion.torque_budget.sizing import sizing, time_weights
from dynamis.motion.trajectories.document import motion_methods
from dynamis.quantities.arguments import Gravity
from dynamis.robot import Robot

KEEP = ("everything", "sums", "totals")
MOST_KEPT = 32_000_000
"""Numbers of parts over time that are kept without being asked for: 256 MB."""


def torque_budget(
    robot: Robot, motion: Any, *, loads: Sequence[AnyLoad] = (), tool: str | None = None, gravity: Gravity = True,
    samples: int = 1001, times: Any = None, keep: str | None = None, threads: int | None = None,
    progress: Callable[[str], None] | None = None, payload: Any = None, efficiency: Any = None,
) -> TorqueBudget:  # fmt: skip
    """The torques of every joint along a motion, taken apart: by effect, by link, by parameter.

    motion      anything with `duration` [s], `n` and `at(t)` that gives q, qd, qdd; or arrays (t, q, qd, qdd)
    loads       on the robot, a wrench at the tool among them; they may change in time (`LoadOverTime`)
    tool        the frame whose motion is shown; default: the robot's tool if it has one
    gravity     True, False or an acceleration (3,) [m/s^2]
    samples     equal steps, to which both sides of every jump of acceleration (`breaks`) or dry friction are added
    times       [s], instead of `samples`
    keep        of every sample: "everything", "sums" (not each joint and pair of the velocity torques), "totals" (tau
                and gravity alone); default: everything up to 256 MB
    threads     default: all cores
    progress    is called with a text now and then
    payload     a `Payload` in the tool frame, or a point mass [kg]; one that comes and goes: [(from, until, Payload)]
    efficiency  of the gears, above 0 and up to 1: one for all joints or one each; without losses by default

    >>> import dynamis, numpy as np
    >>> t = np.linspace(0, 1, 101)[:, None]
    >>> budget = dynamis.torque_budget(dynamis.load("bar-2r"), (t[:, 0], t * [1, 2], 0 * t + [1, 2], 0 * t * [1, 2]))
    >>> budget.sizing.peak_torque.round(2)
    array([9.81, 2.45])
    """
    require_robot(robot)
    if robot.n == 0:
        raise ArgumentError(f'robot "{robot.name}" has no joint that moves, so there is no torque to ask for')
    if isinstance(cast(Any, tool), (ToolWrench, Force, Moment, LoadOverTime)):
        raise ArgumentError("tool is a load; tool is the name of a frame: write loads=[...] for loads", key="tool")
    bare = constant_loads(robot, loads)
    if keep is not None and keep not in KEEP:
        raise UnknownNameError("value of keep", keep, KEEP, key="keep")
    if threads is not None:
        integer("threads", threads)
    frame = tool if tool is not None else "tool" if robot.tool is not None else None
    if frame is not None:
        robot.frame(frame)
    spans = payload_spans(payload)
    t, at = sampled_motion(robot, motion, samples, times, np.union1d(corners(loads), switching_times(spans)))
    held = *payload_words(robot), *(span_words(robot, span) for span in spans)
    robots, which = with_payloads(robot, spans, t)
    robot, *others = robots
    job = Job(robot, tuple(loads), gravity, frame, t, at, tuple(others), which if others else None)
    if keep is None:
        keep = "everything" if len(t) * robot.n * len(component_names(robot.n)) <= MOST_KEPT else "totals"
    sums, history = run(job, keep, threads, progress)
    span = float(time_weights(t).sum()) or 1.0
    parts, groups = _extremes(robot.n, sums, span)
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
    causes = *(f"{what} of {link.name}" for link in robot.links for what in OF_LINK), *OF_DRIVE, *words
    sentences: Any = getattr(motion, "sentences", None)
    return TorqueBudget(
        robot.name, tuple(j.name for j in robot.coordinates), tuple(j.unit for j in robot.coordinates),
        tuple(j.revolute for j in robot.coordinates), tuple(link.name for link in robot.links),
        tuple(link.joint.kind for link in robot.links), frame, (*held, *acting), groups, parts,
        effects=_shares(parts.names, peak.tau, peak.parts, sums.parts_with_tau, squares),
        causes=_shares(causes, peak.tau, peak.causes, sums.causes_with_tau, squares),
        sizing=motors, bearings=sums.bearings, residual=float(sums.residual) / largest if largest else 0.0,
        history=history, motion=() if sentences is None else tuple(sentences()),
        motors=motor_sizing(job, history, efficiency), notes=robot.warnings, methods=motion_methods(motion),
    )  # fmt: skip


def _shares(names: tuple[str, ...], tau: Array, parts: Array, with_tau: Array, squares: Array) -> Shares:
    """`tau` and `parts` are those of the n peaks, one per joint; `squares` is the integral of tau^2."""
    n: Any = np.arange(len(tau))
    with np.errstate(divide="ignore", invalid="ignore"):
        of_peak = parts[n, n, :] / tau[n, n][:, None]
        of_rms = with_tau / squares[:, None]
    return Shares(names, of_peak, of_rms)


def _extremes(n: int, x: Sums, span: float) -> tuple[Extremes, Extremes]:
    """The extremes of the parts, and of the groups: single parts as they are, the velocity torques by their sums."""
    parts = x.lowest, x.highest, np.sqrt(x.squares / span)
    sums = x.sum_lowest, x.sum_highest, np.sqrt(x.sum_squares / span)
    return Extremes(tuple(component_names(n)), *parts), Extremes(GROUPS, *map(grouped, parts, sums))


def _words(load: Load, k: int) -> str:
    match load:
        case ToolWrench():
            return f"load {k} (tool wrench)"
        case Force():
            return f"load {k} (force on {load.link})"
        case Moment():
            return f"load {k} (moment on {load.link})"
