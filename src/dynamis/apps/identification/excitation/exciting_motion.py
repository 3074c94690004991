"""The motion whose torques tell the parameters of a robot best, within its limits, as `Excite` asks for it."""

from __future__ import annotations

import numpy as np

from dynamis.apps.identification.blas_threads import one_blas_thread
from dynamis.apps.identification.excitation.bounds import motion_limits
from dynamis.apps.identification.excitation.curves import CURVES, Curve, instants, motion_of, smaller
from dynamis.apps.identification.excitation.excite import Excite
from dynamis.apps.identification.excitation.information import information
from dynamis.apps.identification.excitation.limits import MotionLimits
from dynamis.apps.identification.excitation.periodic import PeriodicTrajectory
from dynamis.apps.identification.excitation.result import ExcitingMotion
from dynamis.apps.identification.excitation.search import STAGES, Search
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.base.arguments import flag, integer, positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, check_name
from dynamis.library import require_robot
from dynamis.motion.trajectories.trajectory import Motion

TERMS = ("viscous", "coulomb", "offset")
POINTS = 40
"""Samples of the search per harmonic: condition numbers at 20 and at 80 differ from it by less than 1 %."""
MOST_SAMPLES = 1_000_000
SHORTEST_RAMP, LONGEST_RAMP = 0.05, 2.0
"""Ramps that are tried, in periods; where the longest is too short, the motion is made 2 % smaller."""
STARTS = 200
"""Instants of a period that are tried for its start."""
STATES = 400
"""Random states within the limits that tell which parameters can be told at all."""


def find_exciting_motion(asked: Excite) -> ExcitingMotion:
    """The periodic motion within limits whose torques tell most; Ctrl-C ends the search."""
    robot, friction, harmonics = asked.robot, asked.friction, asked.harmonics
    require_robot(robot)
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no joint that moves; there is nothing to excite', key="robot")
    terms = tuple(friction.replace(",", " ").split() if isinstance(friction, str) else friction)
    for term in terms:
        check_name("friction", term, TERMS, key="friction")
    check_name("criterion", asked.criterion, STAGES, key="criterion")
    check_name("curve", asked.curve, CURVES, key="curve")
    shape: Curve = CURVES[asked.curve](positive("period", asked.period, "s"), integer("harmonics", harmonics, 1, 100))
    rate, periods = positive("rate", asked.rate, "Hz"), integer("periods", asked.periods, 1, 100_000)
    count = _samples(shape.period, rate, periods, harmonics)
    iterations = integer("iterations", asked.iterations, 0, 1_000_000)
    limits, said = motion_limits(asked)
    if not limits.moving.any():
        raise ArgumentError(
            "the limits let no joint move; give room between lower and upper, and velocities and accelerations above 0",
            key="lower",
        )
    with one_blas_thread():
        model = linear_model(robot, terms, flag("rotor", asked.rotor))
        speeds = np.abs(model.A) @ limits.velocity[: robot.n]
        tells = information(model, speeds, _random_states(limits))
        search = Search(tells, limits, shape, asked.criterion, max(POINTS * harmonics, 100), count)
        search.run(iterations, integer("seed", asked.seed, 0), asked.progress or (lambda _: None))
        trajectory = with_ramps(limits, shape, search.best, periods, 1 / rate)
    return ExcitingMotion(
        robot=robot, model=model, limits=limits, trajectory=trajectory, criterion=asked.criterion, rate=rate,
        samples=count, history=tuple(search.history), ended=search.ended, notes=said,
    )  # fmt: skip


def with_ramps(limits: MotionLimits, curve: Curve, X: Array, periods: int, step: float) -> PeriodicTrajectory:
    """The motion with the shortest ramps that keep the limits, a whole number of steps long.

    The periods begin where the curve is farthest from its limits of velocity, acceleration and torque.
    """
    t = instants(curve, STARTS)
    use = np.zeros(STARTS)
    for signal in limits.signals(motion_of(X, curve.matrices(t))):
        if signal.name in ("velocity", "acceleration", "torque"):
            use = np.maximum(use, (np.abs(signal.values) / signal.scale).max(axis=1))
    start = float(t[use.argmin()])
    share = 1.0
    while True:
        ramp = SHORTEST_RAMP * curve.period
        while ramp <= LONGEST_RAMP * curve.period:
            ramp = float(step * np.ceil(ramp / step - 1e-9))
            trajectory = PeriodicTrajectory(curve, smaller(curve, X, share), periods, ramp, start)
            # The path is that of the periods; what is new are accelerations and torques, at 1/500 of a ramp.
            times = np.linspace(0.0, ramp, 501)
            ends = trajectory.at(times), trajectory.at(trajectory.duration - times)
            if all(limits.beyond(motion, 1.0) <= 1e-9 for motion in ends):
                return trajectory
            ramp *= 1.25
        share *= 0.98


def _samples(period: float, rate: float, periods: int, harmonics: int) -> int:
    """The samples of a period."""
    count = round(period * rate)
    if abs(count - period * rate) > 1e-6:
        raise ArgumentError(
            f"a period of {period:g} s is {period * rate:.6g} samples at {rate:g} Hz; it must be a whole number",
            key="rate",
        )
    if count <= 4 * harmonics:
        raise ArgumentError(
            f"{count} samples of a period are too few for {harmonics} harmonics; raise the rate above "
            f"{4 * harmonics / period:g} Hz",
            key="rate",
        )
    if count * periods > MOST_SAMPLES:
        raise ArgumentError(
            f"{count * periods:,} samples are too many, at most {MOST_SAMPLES:,}; lower the rate or the periods",
            key="rate",
        )
    return count


def _random_states(limits: MotionLimits) -> Motion:
    n, rng = limits.robot.n, np.random.default_rng(0)
    half = (limits.upper - limits.lower)[:n] / 2
    q, qd, qdd = rng.uniform(-1, 1, (3, STATES, n)) * limits.moving
    return limits.middle + half * q, limits.velocity[:n] * qd, limits.acceleration[:n] * qdd
