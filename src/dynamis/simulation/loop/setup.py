"""The setup of a simulation: the robot, its control, its goal and loads, checked and ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.arguments import integer, joint_array, number, per_joint, positive
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, shown
from dynamis.motion.limits import JointLimits, joint_limits
from dynamis.motion.targets import check_robot
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.quantities.reference import Gravity, gravity_vector, owner
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.loop.programs import Programs, programs_of
from dynamis.simulation.loop.schedule import InputSchedule, TorqueSamples, check_goal, load_schedule
from dynamis.simulation.loop.system import ClosedLoop, Sampling

MAX_STICTION_SPEED = 1e6
"""[rad/s or m/s]; such friction is viscous for every robot."""
MAX_SPEED = 1e5
"""A joint that is faster than this [rad/s or m/s] has diverged; a dentist's drill has 4e4."""


@dataclass(frozen=True)
class SimulationSetup:
    """What runs: compiled functions, rows over time, the first state, how long, and what is odd about it.

    `function` is a control given as a Python function (t, q, qd) -> tau: the inputs have zeros for its torques then,
    and the run writes them.
    """

    robot: Robot
    loop: ClosedLoop
    programs: Programs
    schedule: InputSchedule
    x0: Array
    duration: float
    limits: JointLimits
    warnings: tuple[str, ...]
    function: Callable[[float, Array, Array], Any] | None = None

    def is_finite(self, x: Array) -> NDArray[np.bool_]:
        """Which states (..., size) are finite, with no joint faster than MAX_SPEED."""
        with np.errstate(invalid="ignore"):
            speeds = np.abs(x[..., self.loop.state.slices["qd"]])
            return np.asarray(np.isfinite(x).all(axis=-1) & (speeds < MAX_SPEED).all(axis=-1))

    def torques_of(self, t: float, q: Array, qd: Array) -> Array:
        """What the user's function gives, checked."""
        assert self.function
        found: Any = self.function(t, q, qd)
        try:
            tau = np.array(found, np.float64)  # a copy: the function may write into its array again
        except (TypeError, ValueError, OverflowError):
            tau = np.empty(0)
        n = self.robot.n
        if tau.shape != (n,):
            shape = f"shape {tau.shape}" if tau.ndim and tau.size else f"{found!r}"
            raise ArgumentError(
                f"control gave {shape} at t = {t:g} s; it gives {n} torques, one a joint", key="control"
            )
        if not np.isfinite(tau).all():
            joint = self.robot.joints[int(np.argmin(np.isfinite(tau)))].name
            value = tau[~np.isfinite(tau)][0]
            raise ArgumentError(f"control gave {value} for joint {joint} at t = {t:g} s", key="control")
        return tau


def simulation_setup(
    robot: Robot,
    q0: Any,
    qd0: Any = None,
    control: Any = None,
    duration: float | None = None,
    *,
    goal: Any = None,
    loads: Any = (),
    gravity: Gravity = True,
    stiction_speed: float = 0.0,
    torque_limit: Any = None,
    period: float | None = None,
    resolution: Any = None,
    noise: Any = None,
    seed: int = 0,
) -> SimulationSetup:
    """The arguments of `simulate` and `rollouts`, checked."""
    check_robot(robot)
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no moving joints; there is nothing to simulate', key="robot")
    q, qd = states(robot, "q0", q0), states(robot, "qd0", np.zeros(robot.n) if qd0 is None else qd0)
    sampling = _sampling(robot, period, resolution, noise, seed)
    controller: Controller | None = None
    function = None
    torque: Any = None
    warnings: list[str] = []
    if isinstance(control, Controller):
        controller = control.check(robot)
        if controller.sampled_only and sampling is None:
            raise ArgumentError(f"{type(control).__name__} works in samples; give it a period=... [s]", key="period")
        warnings += controller.warnings(robot)
        if goal is None and controller.needs_goal:
            raise ArgumentError(f"{type(control).__name__} needs a goal=...: joint values or a trajectory", key="goal")
    elif isinstance(control, type):
        raise ArgumentError(
            f"control is the class {control.__name__}; make one: {control.__name__}(...)", key="control"
        )
    elif callable(control):
        function, torque = control, np.zeros(robot.n)
    elif isinstance(control, TorqueSamples):
        torque = control.check(robot.n)
    elif isinstance(control, tuple) and any(np.ndim(x) for x in cast(tuple[Any, ...], control)):
        torque = _pair(cast(tuple[Any, ...], control)).check(robot.n)
    else:
        if isinstance(control, str):
            raise ArgumentError(
                f"control is {shown(control)}; it is torques, (times, torques), a function (t, q, qd) -> torques, or a "
                "controller, such as dynamis.controller(...) gives",
                key="control",
            )
        torque = np.zeros(robot.n) if control is None else states(robot, "control", control)
    if goal is not None and controller is None:
        raise ArgumentError("goal is for a controller; this control does not follow one", key="goal")
    if goal is not None:
        goal = check_goal(robot, goal)
    elif controller is not None:
        goal = np.zeros(robot.n)
    acting = load_schedule(robot, loads)
    believed: Any = (controller.model if controller else None) or robot
    memory = controller.start(believed, q, qd) if controller else []
    loop = ClosedLoop(
        robot,
        controller,
        np.shape(memory)[-1] if np.size(memory) else 0,
        gravity_vector(gravity),
        acting.loads,
        acting.names,
        number("stiction_speed", stiction_speed, least=0, most=MAX_STICTION_SPEED),
        _torque_limit(robot, torque_limit),
        sampling,
    )
    given = {"q0": q, "qd0": qd, "goal": goal, "control": torque}
    shapes = {name: np.shape(x)[:-1] for name, x in given.items() if x is not None and not hasattr(x, "at")}
    try:
        batch = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ArgumentError(
            f"the batches do not fit together: {listed}; their shapes broadcast as NumPy's do"
        ) from None
    x0 = np.zeros((*batch, loop.state.size))
    for name, value in (("q", q), ("qd", qd), ("memory", memory)):
        if np.size(value):
            x0[..., loop.state.slices[name]] = value
    schedule = InputSchedule(loop, torque, goal, acting)
    length = _duration(duration, goal)
    return SimulationSetup(
        robot, loop, programs_of(loop), schedule, x0, length, joint_limits(robot), tuple(warnings), function
    )


def states(robot: Robot, name: str, values: Any) -> Array:
    """Finite values (..., n)."""
    return joint_array(name, values, robot.n, owner(robot), finite=True).astype(np.float64)


def whole(name: str, ratio: float, words: str) -> int:
    """A ratio that is a whole number but for rounding."""
    found = round(ratio)
    if found < 1 or abs(ratio - found) > 1e-6 * max(1.0, ratio):
        raise ArgumentError(words, key=name)
    return found


def _pair(control: tuple[Any, ...]) -> TorqueSamples:
    if len(control) != 2:
        raise ArgumentError("control is a tuple; torques over time are (times, torques)", key="control")
    return TorqueSamples(*control)


def _duration(duration: Any, goal: Any) -> float:
    if duration is None:
        if isinstance(goal, Trajectory):
            return goal.duration
        raise ArgumentError("duration is missing: how long is simulated [s]", key="duration")
    return positive("duration", duration, "s")


def _torque_limit(robot: Robot, given: Any) -> tuple[float, ...] | None:
    """The largest torques: None for no limit, "model" for the robot's own, or one value a joint."""
    if given is None:
        return None
    if isinstance(given, str):
        if given != "model":
            raise ArgumentError(f'torque_limit is "{given}"; it is "model" or numbers [N m or N]', key="torque_limit")
        found = joint_limits(robot).effort
        if not np.isfinite(found).any():
            raise ArgumentError(f'robot "{robot.name}" has no effort limits; give torque_limit=...', key="torque_limit")
    else:
        found = per_joint("torque_limit", given, robot.n)
    if not (found > 0).all():
        raise ArgumentError(f"torque_limit must be positive, got {found.tolist()}", key="torque_limit")
    return tuple(found.tolist())


def _sampling(robot: Robot, period: Any, resolution: Any, noise: Any, seed: Any) -> Sampling | None:
    if period is None:
        for name, value in (("resolution", resolution), ("noise", noise)):
            if value is not None:
                raise ArgumentError(f"{name} is of a sampled control; give its period=... [s] too", key=name)
        return None
    try:
        steps = np.broadcast_to(np.asarray(0.0 if resolution is None else resolution, np.float64), (robot.n,))
        deviations = np.broadcast_to(np.asarray(0.0 if noise is None else noise, np.float64), (2,))
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(
            "resolution is a number or one a joint [rad or m]; noise is one number or two, of q and of qd",
            key="resolution",
        ) from None
    if not (
        (steps >= 0).all() and (deviations >= 0).all() and np.isfinite(steps).all() and np.isfinite(deviations).all()
    ):
        raise ArgumentError("resolution and noise are finite numbers >= 0", key="resolution")
    of_q, of_qd = float(deviations[0]), float(deviations[1])
    each = tuple(float(x) for x in steps)
    return Sampling(positive("period", period, "s"), each, (of_q, of_qd), integer("seed", seed, 0))
