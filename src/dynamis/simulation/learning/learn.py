"""Iterative learning of the nominal torque: repeated trials of a motion, each corrected by the errors of the last one.

    u_{k+1}(t) = u_k(t) + K_P e_k(t) + K_D ed_k(t),    with the PD loop active in every trial

What the feedback had to add is learned, so that in the end it has nothing to add: u_k comes to the inverse dynamics
of the true plant, whatever the model was.

Sources: S. Arimoto, S. Kawamura, F. Miyazaki, Bettering operation of robots by learning, J. Robotic Systems 1, 1984;
A. De Luca, G. Paesano, G. Ulivi, A frequency-domain approach to learning control, IEEE Trans. Industrial Electronics
39, 1992.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dynamis.arguments import integer, number, positive
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError, shown
from dynamis.mechanics.friction import coulomb, direction
from dynamis.motion.load_over_time import LoadedFunctions
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.quantities.reference import Gravity
from dynamis.robot import Robot
from dynamis.simulation.controllers.gains import gains
from dynamis.simulation.learning.convergence import KEEP, ConvergenceMonitor, noise_alone, reasons
from dynamis.simulation.learning.gains import damping_condition, suggested_gains
from dynamis.simulation.learning.operator import learning_operator
from dynamis.simulation.learning.result import Learning, Trial
from dynamis.simulation.learning.trial import Measured, TorqueWithFeedback, Trials
from dynamis.simulation.learning.update import LAWS, Update
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.simulation.loop.setup import SimulationSetup, simulation_setup
from dynamis.simulation.loop.system import SMOOTHING_SPEED
from dynamis.simulation.rollouts import check_smooth
from dynamis.simulation.runs.step_bounds import check_steps

FIRST = ("model", "gravity", "zero")
PARTS = 4
"""Instants of a hold over which a torque is averaged."""
MOST_SAMPLES = 2_000_000


def learn(
    robot: Robot, motion: Trajectory, *, model: Robot | None = None, first: Any = "model", trials: int = 20,
    period: float = 1e-3, step: float | None = None, kp: Any = None, kd: Any = None, law: str = "feedback",
    gain: float = 1.0, lp: Any = None, ld: Any = None, ahead: int = 1, cutoff: float | None = None, loads: Any = (),
    gravity: Gravity = True, stiction_speed: float = SMOOTHING_SPEED, torque_limit: Any = None, resolution: Any = None,
    noise: Any = None, seed: int = 0, tolerance: float = 0.0, patience: int = 4, keep: str = "error",
    progress: Callable[[str], None] | None = None, on_trial: Callable[[Trial], None] | None = None,
) -> Learning:  # fmt: skip
    """Learn the torque of a motion from repeated trials on `robot`, the true plant.

    Each trial starts at the motion's start. The plant integrates with `step` [s] (Runge and Kutta's; by default the
    period), the controller samples every `period` [s] and holds u + K_P e + K_D ed. `kp` and `kd` are one number or one
    a joint; left out, they are suggested from the mass matrix along the motion. `model` is what the controller believes
    the robot to be (left out: the truth); `first` is the torque of the first trial: inverse dynamics of the "model",
    its "gravity" only, "zero", or (times, torques).

    `law` "feedback" learns `gain` times what the PD loop added, "pd-type" `lp` e + `ld` ed. The torque of a sample
    learns from the error `ahead` samples later: 1 is the first one on which it acts; 0, as in continuous time, diverges
    after some thirty trials. `cutoff` [Hz] is that of a low-pass filter without phase, for noise. `loads`, `gravity`,
    `torque_limit`, `resolution`, `noise`, `seed` are those of `simulate`.

    The trials end when the largest measured error is within `tolerance`, when `patience` trials bring no improvement
    (0: go on), when the error diverges, or after `trials`. The torque of the best trial is kept: the
    one with the smallest measured "error", or, with `keep="torque"`, which only a simulation can tell, the one nearest
    to the analytic torque.

    >>> import dynamis
    >>> arm, motion = dynamis.load("bar-2r"), dynamis.quintic([-1.4, 2.8], [-0.5, 0.9], 1)
    >>> found = dynamis.learn(arm, motion, first="zero", period=2e-3, trials=4)
    >>> found.trials[-1].error < 1e-3 * found.trials[0].error
    True
    """
    believed = _checked(robot, motion, model)
    trials = integer("trials", trials, 1, 1_000_000)
    patience = integer("patience", patience, 0, 1_000_000)
    period = positive("period", period, "s")
    check_steps(motion.duration, period, "period")
    if motion.duration / period > MOST_SAMPLES:
        raise ArgumentError(
            f"{motion.duration:g} s in samples of {period:g} s are more than {MOST_SAMPLES:,}", key="period"
        )
    kp, kd, words = _pd_gains(believed, motion, period, kp, kd)
    q0, qd0, _ = motion.at(0.0)
    setup = simulation_setup(
        robot, q0, qd0, TorqueWithFeedback(kp, kd, model=model), goal=motion, loads=loads, gravity=gravity,
        stiction_speed=stiction_speed, torque_limit=torque_limit, period=period, resolution=resolution, noise=noise,
        seed=seed,
    )  # fmt: skip
    check_smooth(setup)
    runs = Trials(setup, period if step is None else step)
    update = _update(law, gain, lp, ld, integer("ahead", ahead, 0, runs.count), cutoff, runs)
    if keep not in KEEP:
        raise UnknownNameError("trial to keep", keep, KEEP, key="keep")
    monitor = ConvergenceMonitor(number("tolerance", tolerance, "rad or m", least=0), patience, keep)
    torques = _Torques(runs, loads, gravity)
    nominal = torques.mean(robot)
    u = start = _first(first, believed, runs, torques)
    limit = None if setup.loop.limit is None else np.array(setup.loop.limit)

    # Before the trials, so that Ctrl-C after them loses none.
    if progress is not None:
        progress("conditions")
    damping = damping_condition(believed, motion, runs.kp, runs.kd, update.gain if law == "feedback" else None)
    goal = motion.at(runs.times[:-1])
    tau = believed.inverse_dynamics(*goal, gravity=gravity)
    operator = learning_operator(believed, goal, tau, runs.kp, runs.kd, update, gravity)

    weights = runs.kd / runs.kd.sum()
    done: list[Trial] = []
    errors: list[Array] = []
    best: Array = u
    try:
        for k in range(1, trials + 1):
            if progress is not None:
                progress(f"trial {k} of {trials}")
            measured = runs.run(u)
            done.append(_trial(k, measured, u, nominal, weights))
            monitor.add(done[-1], float(np.abs(measured.seen_e).max()))
            if on_trial is not None:
                on_trial(done[-1])
            if monitor.kept == k or not errors:
                best, errors = u, [errors[0] if errors else measured.e, measured.e]
            if monitor.ended:
                break
            u = u + update.change(measured.seen_e, measured.seen_ed)
            u = u if limit is None else np.clip(u, -limit, limit)
        monitor.ended = monitor.ended or f"all {trials} trials are done"
    except KeyboardInterrupt:
        if not done:
            raise
        monitor.ended = f"interrupted after trial {len(done)}"
    why = reasons(monitor, done[-1], update, damping, operator, noise_alone(runs.sampling, weights))
    settings = {
        "law": law, "gain": update.gain, "kp": list(kp), "kd": list(kd), "gains": words, "lp": update.lp.tolist(),
        "ld": update.ld.tolist(), "ahead": update.ahead, "cutoff": cutoff, "period": period, "step": runs.steps.h,
        "model": believed.name, "first": first if isinstance(first, str) else "given", "trials": trials,
        "tolerance": monitor.tolerance, "patience": patience, "keep": keep, "noise": list(runs.sampling.noise),
        "resolution": list(runs.sampling.resolution), "seed": seed,
        "torque_limit": None if limit is None else limit.tolist(),
    }  # fmt: skip
    return Learning(
        robot.name, tuple(j.name for j in robot.joints), tuple(j.unit for j in robot.joints),
        tuple(j.turns for j in robot.joints), runs.times, (runs.goal[0], runs.goal[1]), best, start,
        torques.at(robot, runs.times[:-1]), nominal, errors[0], errors[-1], tuple(done), monitor.kept or 1,
        (damping, *operator.conditions), settings, monitor.ended, monitor.diverged, tuple(why),
        (*setup.warnings, *_beyond(robot, limit, nominal)),
    )  # fmt: skip


class _Torques:
    """Inverse dynamics along the motion, with its loads, and Coulomb friction as the plant has it near standstill."""

    def __init__(self, runs: Trials, loads: Any, gravity: Gravity) -> None:
        self.runs, self.loads, self.gravity = runs, tuple(loads or ()), gravity

    def at(self, robot: Robot, t: Array) -> Array:
        """Torques (k, n) at times (k)."""
        setup: SimulationSetup = self.runs.setup
        q, qd, qdd = setup.schedule.goal.at(t)
        if self.loads:
            tau = np.empty_like(q)
            LoadedFunctions(robot, self.loads, self.gravity, t).function("inverse_dynamics")(
                q, qd, qdd, slice(None), tau
            )
        else:
            tau = robot.inverse_dynamics(q, qd, qdd, gravity=self.gravity)
        arrays: Any = np
        smoothed: Array = direction(arrays, qd, setup.loop.stiction_speed) - np.sign(qd)
        return tau + np.array(coulomb(robot)) * smoothed

    def mean(self, robot: Robot) -> Array:
        """Their means over each hold (count, n)."""
        t = self.runs.times
        found = [self.at(robot, t[:-1] + (k + 0.5) / PARTS * np.diff(t)) for k in range(PARTS)]
        return np.mean(found, axis=0)


def _trial(k: int, measured: Measured, u: Array, nominal: Array, weights: Array) -> Trial:
    def over_all(e: Array) -> float:
        return float(np.sqrt((e**2).mean(axis=0) @ weights))

    apart, size = np.sqrt(((u - nominal) ** 2).mean(axis=0)), float(np.sqrt((nominal**2).mean()))
    distance = float(np.sqrt((apart**2).mean()))
    relative = distance / size if size else np.inf if distance else 0.0
    if measured.failed is not None:
        lost = np.full(u.shape[1], np.inf)
        return Trial(k, lost, lost, np.inf, np.inf, apart, relative, measured.saturated, measured.failed)
    return Trial(
        k, np.sqrt((measured.e**2).mean(axis=0)), np.abs(measured.e).max(axis=0), over_all(measured.e),
        over_all(measured.seen_e), apart, relative, measured.saturated,
    )  # fmt: skip


def _checked(robot: Any, motion: Any, model: Any) -> Robot:
    """The model; robots and motion are what they should be."""
    for name, value in (("robot", robot), ("model", robot if model is None else model)):
        if not isinstance(value, Robot):
            raise ArgumentError(f"{name} is {shown(value)}; it is a robot, such as dynamis.load(...) gives", key=name)
    if not isinstance(motion, Trajectory):
        raise ArgumentError(
            f"motion is {shown(motion)}; it is a trajectory, such as dynamis.quintic(...) gives", key="motion"
        )
    if motion.n != robot.n:
        raise ArgumentError(
            f'the motion is of {motion.n} joint{"s" * (motion.n != 1)}; robot "{robot.name}" has {robot.n}',
            key="motion",
        )
    return TorqueWithFeedback(1.0, 1.0, model=model).believed(robot)


def _pd_gains(
    model: Robot, motion: Trajectory, period: float, kp: Any, kd: Any
) -> tuple[tuple[float, ...], tuple[float, ...], str]:
    if (kp is None) != (kd is None):
        raise ArgumentError("kp and kd go together; give both, or neither to have them suggested", key="kp")
    if kp is None:
        found = suggested_gains(model, motion, period)
        return found.kp, found.kd, found.words
    return _not_negative("kp", kp, model), _not_negative("kd", kd, model, above=True), "given"


def _not_negative(name: str, values: Any, robot: Robot, above: bool = False) -> tuple[float, ...]:
    found = gains(name, values, robot.n)
    for joint, value in zip(robot.joints, found, strict=True):
        if value < 0 or (above and value == 0):
            raise ArgumentError(
                f"{name} of joint {joint.name} is {value:g}; it is {'> 0' if above else '>= 0'}: a trial needs a loop "
                "that holds the robot at its motion, and what it adds is learned",
                key=name,
            )
    return found


def _update(law: Any, gain: Any, lp: Any, ld: Any, ahead: int, cutoff: Any, runs: Trials) -> Update:
    if law not in LAWS:
        raise UnknownNameError("law of learning", law, LAWS, key="law")
    period, robot = runs.sampling.period, runs.setup.robot
    if cutoff is not None:
        cutoff = positive("cutoff", cutoff, "Hz")
        if cutoff >= 0.5 / period:
            raise ArgumentError(
                f"cutoff is {cutoff:g} Hz; samples every {period:g} s have frequencies below {0.5 / period:g} Hz",
                key="cutoff",
            )
    if law == "feedback":
        if lp is not None or ld is not None:
            raise ArgumentError('lp and ld are gains of the law "pd-type"; "feedback" has its gain=...', key="law")
        gain = positive("gain", gain, "1")
        return Update(law, gain, gain * runs.kp, gain * runs.kd, ahead, cutoff, period, runs.count)
    if lp is None or ld is None:
        raise ArgumentError('the law "pd-type" needs its gains, lp=... and ld=...', key="lp" if lp is None else "ld")
    if gain != 1.0:
        raise ArgumentError('gain is of the law "feedback"; "pd-type" has lp and ld', key="gain")
    on_e, on_ed = (np.array(_not_negative(name, values, robot)) for name, values in (("lp", lp), ("ld", ld)))
    return Update(law, 1.0, on_e, on_ed, ahead, cutoff, period, runs.count)


def _first(first: Any, model: Robot, runs: Trials, torques: _Torques) -> Array:
    """u of the first trial."""
    if isinstance(first, TorqueSamples) or (isinstance(first, tuple) and len(first) == 2):  # type: ignore[reportUnknownArgumentType]
        given = first if isinstance(first, TorqueSamples) else TorqueSamples(*first)  # type: ignore[reportUnknownArgumentType]
        return given.check(model.n).at(runs.times[:-1])
    if not isinstance(first, str):
        raise ArgumentError(
            f'first is {shown(first)}; it is "model", "gravity", "zero" or (times, torques)', key="first"
        )
    match first:
        case "model":
            return torques.mean(model)
        case "gravity":
            return model.gravity_torque(runs.goal[0][:-1], gravity=torques.gravity)
        case "zero":
            return np.zeros((runs.count, model.n))
        case _:
            raise UnknownNameError("first torque", first, FIRST, key="first")


def _beyond(robot: Robot, limit: Array | None, nominal: Array) -> list[str]:
    """A sentence for every joint whose motion needs more than its motor can give."""
    if limit is None:
        return []
    needed = np.abs(nominal).max(axis=0)
    return [
        f"the motion needs {needed[j]:.4g} {joint.unit} at joint {joint.name}, whose limit is {limit[j]:.4g}: it "
        "cannot be learned to the end"
        for j, joint in enumerate(robot.joints)
        if needed[j] > limit[j]
    ]
