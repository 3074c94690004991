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
from dynamis.library import require_robot
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.model.payload import Payload, payload_from, payload_words
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot
from dynamis.simulation.learning.convergence import KEEP, ConvergenceMonitor, noise_alone, reasons
from dynamis.simulation.learning.gains import damping_condition, pd_gains
from dynamis.simulation.learning.learn import Learn
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


def run_trials(asked: Learn) -> Learning:
    """The torque of a motion, learned from repeated trials on the true plant, each from the motion's start."""
    motion = asked.motion
    robot, model, believed = _robots(asked)
    trials = integer("trials", asked.trials, 1, 1_000_000)
    patience = integer("patience", asked.patience, 0, 1_000_000)
    period = positive("period", asked.period, "s")
    if period > motion.duration:
        raise ArgumentError(
            f"period must be at most the {motion.duration:g} s of the motion, got {period:g} s", key="period"
        )
    if motion.duration / period > MAX_SAMPLES:
        raise ArgumentError(
            f"{motion.duration:g} s in samples of {period:g} s are more than {MAX_SAMPLES:,}; give a longer period",
            key="period",
        )
    if asked.keep not in KEEP:
        raise UnknownNameError("trial to keep", asked.keep, KEEP, key="keep")
    monitor = ConvergenceMonitor(number("tolerance", asked.tolerance, "rad or m", least=0), patience, asked.keep)
    kp, kd, origin = pd_gains(believed, motion, period, asked.kp, asked.kd, asked.gravity)
    q0, qd0, _ = motion.at(0.0)
    setup = simulation_setup(
        robot, q0, qd0, TorqueWithFeedback(kp, kd, model=model), goal=motion, loads=asked.loads, gravity=asked.gravity,
        stiction_speed=asked.stiction_speed, torque_limit=asked.torque_limit, period=period,
        resolution=asked.resolution, noise=asked.noise, seed=asked.seed,
    )  # fmt: skip
    check_smooth(setup)
    runs = Trials(setup, asked.step)
    update = learning_update(asked.law, asked.gain, asked.lp, asked.ld, asked.ahead, asked.cutoff, runs)
    u = start = _first_torque(asked.first, believed, runs)
    report: Callable[[str], None] = asked.progress or (lambda _: None)

    report("conditions")  # before the trials, so that Ctrl-C after them loses none
    goal = motion.at(runs.times[:-1])
    tau = believed.inverse_dynamics(*goal, gravity=asked.gravity)
    conditions = (
        damping_condition(believed, motion, kp, kd, update.gain),
        *learning_operator(believed, goal, tau, runs.K, update, asked.gravity).conditions,
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
            if asked.on_trial is not None:
                asked.on_trial(trial)
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
        "law": asked.law, "gain": asked.gain, "kp": kp.tolist(), "kd": kd.tolist(), "gains": origin, **learned_gains,
        "ahead": update.ahead, "cutoff": asked.cutoff, "period": period, "step": runs.steps.h, "model": believed.name,
        "first": asked.first if isinstance(asked.first, str) else "given", "trials": trials,
        "tolerance": monitor.tolerance,
        "patience": patience, "keep": asked.keep, "noise": list(runs.sampling.noise),
        "resolution": list(runs.sampling.resolution), "seed": asked.seed, "torque_limit": setup.loop.limit,
        "held": ", ".join(payload_words(robot)) or None,
    }  # fmt: skip
    return Learning(
        robot=robot.name, joints=tuple(j.name for j in robot.coordinates),
        units=tuple(j.unit for j in robot.coordinates), revolute=tuple(j.revolute for j in robot.coordinates),
        times=runs.times, goal=(runs.goal[:, : robot.n], runs.goal[:, robot.n :]), u=best, first=start,
        analytic=runs.torque(robot, runs.times[:-1]), nominal=runs.nominal, e_first=e_first, e_best=e_best,
        trials=tuple(done), best=monitor.best or 1, conditions=conditions, settings=settings, ended=monitor.ended,
        diverged=monitor.diverged, reasons=tuple(why), warnings=(*setup.warnings, *_saturation(robot, runs)),
    )  # fmt: skip


def _robots(asked: Learn) -> tuple[Robot, Robot | None, Robot]:
    """The plant, the model that the controller is given, and the one it believes in; robots and motion are checked."""
    robot, model = asked.robot, asked.model
    motion: Any = asked.motion
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
    if asked.payload is not None:
        held: Payload = asked.payload if isinstance(asked.payload, Payload) else payload_from(asked.payload)
        robot = held.held_by(robot)
    if asked.mass_error:
        if model is not None:
            raise ArgumentError("model and mass_error exclude each other", key="mass_error")
        model = with_mass_error(robot, asked.mass_error, asked.mass_error_seed)
    return robot, model, TorqueWithFeedback(1.0, 1.0, model=model).believed(robot)


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
