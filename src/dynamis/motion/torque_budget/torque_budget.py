"""`torque_budget`: a motion through a robot, and what every joint must give for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np

from dynamis.arguments import integer
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.library import check_robot
from dynamis.mechanics.dynamics.parameter_torques import OF_DRIVE, OF_LINK
from dynamis.mechanics.efficient.torque_components import SINGLE, component_names
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.motion.load_over_time import AnyLoad, LoadOverTime, constant_loads, corners
from dynamis.motion.torque_budget.result import Extremes, History, Shares, TorqueBudget
from dynamis.motion.torque_budget.run import GROUPS, Buffers, Job, Kept, Sums, Tally, run
from dynamis.motion.torque_budget.samples import sampled_motion
from dynamis.motion.torque_budget.sizing import sizing, time_weights
from dynamis.quantities.reference import Gravity
from dynamis.robot import Robot
from dynamis.scalars.floats import number

KEEP = ("everything", "sums", "totals")
MOST_KEPT = 32_000_000
"""Numbers of parts over time that are kept without being asked for: 256 MB."""


def torque_budget(
    robot: Robot, motion: Any, *, loads: Sequence[AnyLoad] = (), tool: str | None = None, gravity: Gravity = True,
    samples: int = 1001, times: Any = None, keep: str | None = None, threads: int | None = None,
    progress: Callable[[str], None] | None = None,
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

    >>> import dynamis, numpy as np
    >>> t = np.linspace(0, 1, 101)[:, None]
    >>> budget = dynamis.torque_budget(dynamis.load("bar-2r"), (t[:, 0], t * [1, 2], 0 * t + [1, 2], 0 * t * [1, 2]))
    >>> budget.sizing.peak_torque.round(2)
    array([9.81, 2.45])
    """
    check_robot(robot)
    if robot.n == 0:
        raise ArgumentError(f'robot "{robot.name}" has no joint that moves, so there is no torque to ask for')
    if isinstance(cast(Any, tool), (ToolWrench, Force, Moment, LoadOverTime)):
        raise ArgumentError("tool is a load; tool is the name of a frame: write loads=[...] for loads", key="tool")
    bare = constant_loads(robot, loads)
    if keep is not None and keep not in KEEP:
        raise UnknownNameError("value of keep", keep, KEEP, key="keep")
    if threads is not None:
        integer("threads", threads)
    shown_frame = tool if tool is not None else "tool" if robot.tool is not None else None
    if shown_frame is not None:
        robot.frame(shown_frame)
    t, at = sampled_motion(robot, motion, samples, times, corners(loads))
    job = Job(robot, tuple(loads), gravity, shown_frame, t, at)
    if keep is None:
        keep = "everything" if len(t) * robot.n * len(component_names(robot.n)) <= MOST_KEPT else "totals"
    sums, kept = run(job, keep, threads, progress)
    said: Any = getattr(motion, "sentences", None)
    return replace(_result(job, bare, sums, kept), motion=() if said is None else tuple(said()))


def _result(job: Job, bare: Sequence[Load], sums: Sums, kept: Kept) -> TorqueBudget:
    robot, span = job.robot, float(time_weights(job.t).sum()) or 1.0
    light = sums.sums.largest[2], np.sqrt(sums.sums.squares[2] / span)
    limits = _limits(robot)
    found, at_peak = sizing(job.t, kept.qd, kept.tau, light, (limits["effort"], limits["velocity"]))
    found = replace(
        found, lowest=kept.q.min(axis=0), highest=kept.q.max(axis=0), lower=limits["lower"], upper=limits["upper"]
    )
    parts = _extremes(tuple(component_names(robot.n)), sums.parts, span)
    groups = _grouped(parts, sums, span)
    peak = Buffers.of(job, robot.n)
    job.torques(at_peak, kept.q[at_peak], kept.qd[at_peak], kept.qdd[at_peak], peak)
    scale, squares = float(sums.parts.largest.max()), found.rms_torque**2 * span
    loads = tuple(_words(load, k) for k, load in enumerate(bare, 1))
    names = [f"{what} of {link.name}" for link in robot.links for what in OF_LINK]
    return TorqueBudget(
        robot.name, tuple(j.name for j in robot.coordinates), tuple(j.unit for j in robot.coordinates),
        tuple(j.revolute for j in robot.coordinates), tuple(link.name for link in robot.links),
        tuple(link.joint.kind for link in robot.links), job.tool, loads, groups, parts,
        effects=_shares(parts.names, peak.tau, peak.parts, sums.parts_with_tau, squares),
        causes=_shares((*names, *OF_DRIVE, *loads), peak.tau, peak.causes, sums.causes_with_tau, squares),
        sizing=found, bearings=sums.bearings,
        residual=sums.residual / scale if scale else 0.0,
        history=History(job.t, *(getattr(kept, field.name) for field in fields(kept))),
    )  # fmt: skip


def _shares(names: tuple[str, ...], tau: Array, parts: Array, with_tau: Array, squares: Array) -> Shares:
    """`tau` and `parts` are those of the n peaks, one per joint; `squares` is the integral of tau^2."""
    n: Any = np.arange(len(tau))
    with np.errstate(divide="ignore", invalid="ignore"):
        of_peak = parts[n, n, :] / tau[n, n][:, None]
        of_rms = with_tau / squares[:, None]
    return Shares(names, of_peak, of_rms)


def _extremes(names: tuple[str, ...], x: Tally, span: float) -> Extremes:
    return Extremes(names, x.lowest, x.highest, np.sqrt(x.squares / span))


def _grouped(parts: Extremes, sums: Sums, span: float) -> Extremes:
    """The extremes of the groups: single parts as they are, the velocity torques by their sums."""
    together, x = {"centrifugal": 0, "Coriolis": 1}, sums.sums
    columns: list[tuple[Array, Array, Array]] = []
    for name in GROUPS:
        if name in together:
            k = together[name]
            columns.append((x.lowest[k], x.highest[k], np.sqrt(x.squares[k] / span)))
        else:
            k = SINGLE.index(name)
            columns.append((parts.lowest[:, k], parts.highest[:, k], parts.rms[:, k]))
    return Extremes(GROUPS, *(np.stack(column, axis=1) for column in zip(*columns, strict=True)))


def _limits(robot: Robot) -> dict[str, Array]:
    """Lower and upper position, velocity and effort of every joint, NaN where none is given."""
    given = [{name: number(value, robot.values) for name, value in joint.limits.items()} for joint in robot.coordinates]
    return {
        key: np.array([np.nan if (x := own.get(key)) is None else x for own in given])
        for key in ("lower", "upper", "velocity", "effort")
    }


def _words(load: Load, k: int) -> str:
    match load:
        case ToolWrench():
            return f"load {k} (tool wrench)"
        case Force():
            return f"load {k} (force on {load.link})"
        case Moment():
            return f"load {k} (moment on {load.link})"
