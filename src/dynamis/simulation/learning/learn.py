"""Iterative learning control (ILC): repeated trials of a motion, each corrected by the errors of the last one.

    u_{k+1}(t) = u_k(t) + K_P e_k(t) + K_D ed_k(t),    with the PD loop active in every trial

The torque learns what the feedback had to add, until it has nothing to add: u_k converges to the inverse dynamics of
the true plant, whatever the model was.

Sources: S. Arimoto, S. Kawamura, F. Miyazaki, Bettering operation of robots by learning, J. Robotic Systems 1, 1984;
A. De Luca, G. Paesano, G. Ulivi, A frequency-domain approach to learning control, IEEE Trans. Industrial Electronics
39, 1992.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dynamis.base.arguments import integer, number, positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.mechanics.friction import SMOOTHING_SPEED
from dynamis.compute.quantities.arguments import Gravity
from dynamis.library import require_robot
from dynamis.model.payload import payload_words
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot
from dynamis.simulation.learning.convergence import KEEP, ConvergenceMonitor, noise_alone, reasons
from dynamis.simulation.learning.gains import damping_condition, pd_gains
from dynamis.simulation.learning.operator import learning_operator
from dynamis.simulation.learning.result import Learning, Trial
from dynamis.simulation.learning.trial import TorqueWithFeedback, Trials
from dynamis.simulation.learning.update import learning_update
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.simulation.loop.setup import simulation_setup
from dynamis.simulation.rollouts import check_smooth

FIRST = ("model", "gravity", "zero")
MAX_SAMPLES = 2_000_000
"""Per trial: a robot of six joints then has 100 MB per array of torques."""


def learn(
    robot: Robot, motion: Trajectory, *, model: Robot | None = None, first: Any = "model", trials: int = 20,
    period: float = 1e-3, step: float | None = None, kp: Any = None, kd: Any = None, law: str = "feedback",
    gain: float = 1.0, lp: Any = None, ld: Any = None, ahead: int = 1, cutoff: float | None = None, loads: Any = (),
    gravity: Gravity = True, stiction_speed: float = SMOOTHING_SPEED, torque_limit: Any = None, resolution: Any = None,
    noise: Any = None, seed: int = 0, tolerance: float = 0.0, patience: int = 4, keep: str = "error",
    progress: Callable[[str], None] | None = None, on_trial: Callable[[Trial], None] | None = None,
) -> Learning:  # fmt: skip
    """The torque of a motion, learned from repeated trials on the true plant, each from the motion's start.

    robot           the true plant
    motion          the trajectory to learn
    model           the robot that the controller believes in; by default the plant itself
    first           torque of the first trial: inverse dynamics of the "model" (default), its "gravity" only, "zero",
                    or (times, torques)
    trials          at most so many, 20 by default
    period          of the samples Tc [s], 1e-3 by default: the controller holds u + K_P e + K_D ed over each
    step            of the plant's integration with rk4 [s]; by default the period, or the part of it that friction
                    needs
    kp, kd          gains of the PD loop, a number or one per joint; by default suggested from the mass matrix
    law             "feedback" (default) learns `gain` times what the PD loop added; "pd-type" lp e + ld ed
    gain            of the law "feedback", 1 by default
    lp, ld          of the law "pd-type", a number or one per joint
    ahead           the torque of a sample learns from the error so many samples later. 1 (default) is the first one
                    on which it acts; 0, the law as in continuous time, diverges after some twenty trials
    cutoff          of a low-pass filter without phase [Hz], against noise; None for no filter
    tolerance       ends the trials when no measured error is larger [rad or m]; 0 by default
    patience        ends them after so many trials without improvement, 4 by default; 0 for no such end
    keep            what the best trial is best by: its measured "error" (default), or its "torque", by the distance
                    from the analytic one, which only a simulation can tell
    progress        is called with a line about what is done next
    on_trial        is called with each trial

    stiction_speed is 1e-3 rad/s or m/s by default, and loads, gravity, torque_limit, resolution, noise and seed are
    those of `simulate`. The trials also end where their error diverges.

    >>> import dynamis
    >>> arm, motion = dynamis.load("bar-2r"), dynamis.trajectories.quintic([-1.4, 2.8], [-0.5, 0.9], 1)
    >>> learned = dynamis.learn(arm, motion, first="zero", period=2e-3, trials=4)
    >>> learned.trials[-1].error < 1e-3 * learned.trials[0].error
    True
    """
    believed = _believed(robot, motion, model)
    trials, patience = integer("trials", trials, 1, 1_000_000), integer("patience", patience, 0, 1_000_000)
    period = positive("period", period, "s")
    if period > motion.duration:
        raise ArgumentError(
            f"period must be at most the {motion.duration:g} s of the motion, got {period:g} s", key="period"
        )
    if motion.duration / period > MAX_SAMPLES:
        raise ArgumentError(
            f"{motion.duration:g} s in samples of {period:g} s are more than {MAX_SAMPLES:,}; give a longer period",
            key="period",
        )
    if keep not in KEEP:
        raise UnknownNameError("trial to keep", keep, KEEP, key="keep")
    monitor = ConvergenceMonitor(number("tolerance", tolerance, "rad or m", least=0), patience, keep)
    kp, kd, origin = pd_gains(believed, motion, period, kp, kd, gravity)
    q0, qd0, _ = motion.at(0.0)
    setup = simulation_setup(
        robot, q0, qd0, TorqueWithFeedback(kp, kd, model=model), goal=motion, loads=loads, gravity=gravity,
        stiction_speed=stiction_speed, torque_limit=torque_limit, period=period, resolution=resolution, noise=noise,
        seed=seed,
    )  # fmt: skip
    check_smooth(setup)
    runs = Trials(setup, step)
    update = learning_update(law, gain, lp, ld, ahead, cutoff, runs)
    u = start = _first_torque(first, believed, runs)
    report: Callable[[str], None] = progress or (lambda _: None)

    report("conditions")  # before the trials, so that Ctrl-C after them loses none
    goal = motion.at(runs.times[:-1])
    tau = believed.inverse_dynamics(*goal, gravity=gravity)
    conditions = (
        damping_condition(believed, motion, kp, kd, update.gain),
        *learning_operator(believed, goal, tau, runs.K, update, gravity).conditions,
    )

    done: list[Trial] = []
    e_first = e_best = np.empty(0)
    best = start
    try:
        for k in range(1, trials + 1):
            report(f"trial {k} of {trials}")
            trial, errors, measured = runs.run(u, k)
            done.append(trial)
            monitor.add(trial, float(np.abs(measured[:, : robot.n]).max()))
            if on_trial is not None:
                on_trial(trial)
            if k == 1:
                e_first = e_best = errors[:, : robot.n]
            if monitor.best == k:
                best, e_best = u, errors[:, : robot.n]
            if monitor.ended:
                break
            u = np.clip(u + update.change(measured), -runs.limit, runs.limit)
        monitor.ended = monitor.ended or f"all {trials} trials are done"
    except KeyboardInterrupt:
        if not done:
            raise
        monitor.ended = f"interrupted after trial {len(done)}"
    why = reasons(monitor, done[-1], update, conditions, noise_alone(runs.sampling, runs.weights))
    learned_gains = {
        name: np.diagonal(x).tolist() for name, x in zip(("lp", "ld"), np.hsplit(update.L, 2), strict=True)
    }
    settings = {
        "law": law, "gain": gain, "kp": kp.tolist(), "kd": kd.tolist(), "gains": origin, **learned_gains,
        "ahead": update.ahead, "cutoff": cutoff, "period": period, "step": runs.steps.h, "model": believed.name,
        "first": first if isinstance(first, str) else "given", "trials": trials, "tolerance": monitor.tolerance,
        "patience": patience, "keep": keep, "noise": list(runs.sampling.noise),
        "resolution": list(runs.sampling.resolution), "seed": seed, "torque_limit": setup.loop.limit,
        "held": ", ".join(payload_words(robot)) or None,
    }  # fmt: skip
    return Learning(
        robot.name, tuple(j.name for j in robot.coordinates), tuple(j.unit for j in robot.coordinates),
        tuple(j.revolute for j in robot.coordinates), runs.times, (runs.goal[:, : robot.n], runs.goal[:, robot.n :]),
        best, start, runs.torque(robot, runs.times[:-1]), runs.nominal, e_first, e_best, tuple(done),
        monitor.best or 1, conditions, settings, monitor.ended, monitor.diverged, tuple(why),
        (*setup.warnings, *_saturation(robot, runs)),
    )  # fmt: skip


def _believed(robot: Any, motion: Any, model: Any) -> Robot:
    """The controller's model of the robot; robots and motion are checked."""
    for name, value in (("robot", robot), ("model", robot if model is None else model)):
        require_robot(value, name)
    if not isinstance(motion, Trajectory):
        raise ArgumentError(
            f"motion must be a trajectory, such as dynamis.trajectories.quintic(...) returns, got {literal(motion)}",
            key="motion",
        )
    if motion.n != robot.n:
        raise ArgumentError(
            f'the motion must have the {robot.n} joints of robot "{robot.name}", got {motion.n}', key="motion"
        )
    return TorqueWithFeedback(1.0, 1.0, model=model).believed(robot)


def _first_torque(first: Any, model: Robot, runs: Trials) -> Array:
    """u of the first trial (count, n)."""
    if isinstance(first, tuple) and len(first) == 2:  # type: ignore[reportUnknownArgumentType]
        first = TorqueSamples(*first)  # type: ignore[reportUnknownArgumentType]
    match first:
        case TorqueSamples():
            return first.check(model.n).at(runs.times[:-1])
        case "model":
            return runs.mean_torque(model)
        case "gravity":
            return model.gravity_torque(runs.goal[:-1, : model.n], gravity=runs.setup.gravity)
        case "zero":
            return np.zeros((runs.count, model.n))
        case str():
            raise UnknownNameError("first torque", first, FIRST, key="first")
        case _:  # type: ignore[reportUnknownVariableType]
            raise ArgumentError(
                f'first must be "model", "gravity", "zero" or (times, torques), got {literal(first)}', key="first"
            )


def _saturation(robot: Robot, runs: Trials) -> list[str]:
    """A sentence for every joint whose motion needs more than its motor can give."""
    needs = zip(robot.coordinates, np.abs(runs.nominal).max(axis=0), runs.limit, strict=True)
    return [
        f"the motion needs {needed:.4g} {joint.unit} at joint {joint.name}, whose limit is {limit:.4g}: it cannot be "
        "learned to the end"
        for joint, needed, limit in needs
        if needed > limit
    ]
