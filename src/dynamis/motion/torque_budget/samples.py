"""The instants at which a motion is sampled, and the motion there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dynamis.base.arguments import integer, real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.compute.mechanics.friction import coulomb
from dynamis.motion.trajectories.trajectory import joint_count
from dynamis.robot import Robot

MOST_SAMPLES = 100_000_000
MOST_BREAKS = 10_000
MOST_LOCATED = 100_000
"""Up to so many samples, the jumps of dry friction are located; with more, they matter less than 1e-5."""
BISECTION_STEPS = 40
TRIAL_SAMPLES = 257
STANDSTILL_SHARE = 1e-12
"""Speeds below this fraction of a joint's largest speed at TRIAL_SAMPLES instants are standstill."""


def sampled_motion(
    robot: Robot, motion: Any, samples: int, times: Any, corners: Array
) -> tuple[Array, Callable[[slice], Any]]:
    """The times, and what gives q, qd, qdd at a slice of them."""
    if isinstance(motion, tuple):
        return _arrays(robot, cast("tuple[Any, ...]", motion), times)
    if not all(hasattr(motion, name) for name in ("duration", "n", "at")):
        raise ArgumentError(
            f"motion must be a trajectory with duration, n and at(t), or arrays (t, q, qd, qdd), got {literal(motion)}",
            key="motion",
        )
    if motion.n != robot.n:
        raise ArgumentError(f'the motion has {joint_count(motion.n)}; robot "{robot.name}" has {robot.n}', key="motion")
    if not 0 < float(motion.duration) < np.inf:
        raise ArgumentError(
            f"the duration of the motion must be > 0 and finite, got {motion.duration!r} s", key="motion"
        )
    trial = [real_values("motion.at", x) for x in motion.at(np.linspace(0.0, float(motion.duration), TRIAL_SAMPLES))]
    shape = (TRIAL_SAMPLES, robot.n)
    if [x.shape for x in trial] != [shape] * 3:
        shapes = ", ".join(str(x.shape) for x in trial)
        raise ArgumentError(
            f"motion.at of {TRIAL_SAMPLES} times must give q, qd, qdd of shape {shape}, got {shapes}",
            key="motion",
        )
    least = _still(trial[1])
    t = _times(times) if times is not None else _steps(motion, samples, corners)
    if times is None and len(t) <= MOST_LOCATED:
        t = np.union1d(t, _friction_jumps(robot, motion, t, least))
    return t, lambda piece: _resting(motion.at(t[piece]), least)


def _friction_jumps(robot: Robot, motion: Any, t: Array, least: Array) -> Array:
    """Both sides of the instants where the sign of a speed changes, of joints with dry friction: by bisection.

    From rest it changes too. Between two samples it is found where it changes once.
    """
    dry = np.array(coulomb(robot)) != 0
    if not dry.any():
        return np.empty(0)

    def sign(t: Array) -> Array:
        return np.sign(_resting(motion.at(t), least)[1])

    signs = sign(t)
    sample, joint = np.nonzero((signs[:-1] != signs[1:]) & dry)
    if not sample.size:
        return np.empty(0)
    before, after = signs[sample, joint], signs[sample + 1, joint]
    sides: list[Array] = []
    # Where the sign before is left, and where the one after begins: in between may be an instant of standstill.
    for leaving in (True, False):
        low, high = t[sample], t[sample + 1]
        for _ in range(BISECTION_STEPS):
            middle = (low + high) / 2
            now = sign(middle)[np.arange(len(middle)), joint]
            passed = now != before if leaving else now == after
            low, high = np.where(passed, low, middle), np.where(passed, middle, high)
        sides += [low, high]
    return np.concatenate(sides)


def _steps(motion: Any, samples: int, corners: Array) -> Array:
    """Equal steps, the corners of the loads, and both sides of the instants where the acceleration jumps."""
    t = np.linspace(0.0, float(motion.duration), integer("samples", samples, 2, MOST_SAMPLES))
    t = np.union1d(t, corners[(corners > 0) & (corners < motion.duration)])
    law = getattr(motion, "law", motion)
    breaks = np.asarray(getattr(law, "breaks", ()), dtype=np.float64)
    if breaks.ndim != 1 or not 0 < breaks.size <= MOST_BREAKS:
        return t
    inner = breaks[(breaks > 0) & (breaks < motion.duration)]
    return np.unique(np.concatenate([t, inner, np.nextafter(inner, 0.0)]))


def _times(times: Any) -> Array:
    t = real_values("times", times)
    if t.ndim != 1 or not t.size or not np.isfinite(t).all() or (np.diff(t) < 0).any():
        raise ArgumentError("times must be a list of finite times [s] that do not decrease", key="times")
    return t


def _arrays(robot: Robot, motion: tuple[Any, ...], times: Any) -> tuple[Array, Callable[[slice], Any]]:
    if len(motion) != 4:
        raise ArgumentError(f"motion must be (t, q, qd, qdd), got {len(motion)} arrays", key="motion")
    if times is not None:
        raise ArgumentError("times goes with a trajectory; a motion in arrays has its own", key="times")
    t = _times(motion[0])
    values = [real_values(name, x) for name, x in zip(("q", "qd", "qdd"), motion[1:], strict=True)]
    for name, x in zip(("q", "qd", "qdd"), values, strict=True):
        if x.shape != (len(t), robot.n):
            raise ArgumentError(
                f'{name} of the motion has shape {x.shape}; {len(t)} times of robot "{robot.name}" with {robot.n} '
                f"joints make {(len(t), robot.n)}", key="motion",
            )  # fmt: skip
    least = _still(values[1])
    return t, lambda piece: _resting([x[piece] for x in values], least)


def _still(qd: Array) -> Array:
    return STANDSTILL_SHARE * np.abs(qd).max(axis=0, initial=0.0)


def _resting(motion: Sequence[Array], least: Array) -> tuple[Array, ...]:
    """A speed that is only rounding is none: dry friction would take its sign."""
    q, qd, qdd = motion
    return q, np.where(np.abs(qd) <= least, 0.0, qd), qdd
