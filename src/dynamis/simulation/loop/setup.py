"""The setup of a simulation: the robot, its control, its goal and loads, checked and ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import check_callable_with, integer, number, per_joint, positive
from dynamis.base.arrays import Array, check_computed, is_lazy
from dynamis.base.errors import ArgumentError, literal
from dynamis.compute.quantities.arguments import Gravity, gravity_vector, joint_values
from dynamis.library import require_robot
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.loop.closed_loop import ClosedLoop, Sampling
from dynamis.simulation.loop.payloads import hold_payload
from dynamis.simulation.loop.programs import LoopPrograms, programs_of
from dynamis.simulation.loop.schedule import InputSchedule, TorqueSamples, Trajectories, check_goal, load_schedule

MAX_STICTION_SPEED = 1e6
"""[rad/s or m/s]; such friction is viscous for every robot."""
MAX_SPEED = 1e5
"""A joint that is faster than this [rad/s or m/s] has diverged; a dentist's drill has 4e4."""
MAX_NOISE = 1e12
"""Of noise and encoder steps [rad, m or per second]: squares of more overflow."""


@dataclass(frozen=True)
class SimulationSetup:
    """What runs: the loop and its compiled programs, its inputs over time, the initial states x0 (..., size), how long.

    `function` is a control given as a Python function (t, q, qd) -> tau: the inputs have zeros for its torques then,
    and the run writes them.
    """

    robot: Robot
    loop: ClosedLoop
    programs: LoopPrograms
    schedule: InputSchedule
    x0: Array
    duration: float
    warnings: tuple[str, ...]
    function: Callable[[float, Array, Array], Any] | None = None

    @property
    def gravity(self) -> Any:
        """As the quantities of a robot take it."""
        return True if self.loop.gravity is None else list(self.loop.gravity)

    @property
    def calls_function(self) -> bool:
        """Whether a Python function gives the torques at every instant, not only at samples."""
        return self.function is not None and self.loop.sampling is None

    def is_finite(self, x: Array) -> NDArray[np.bool_]:
        """Which states (..., size) are finite, with no joint faster than MAX_SPEED."""
        return np.asarray((np.abs(x) < self._bounds).all(axis=-1))  # neither inf nor nan is below inf

    @cached_property
    def _bounds(self) -> Array:
        bounds = np.full(self.loop.state.size, np.inf)
        bounds[self.loop.state.slices["qd"]] = MAX_SPEED
        return bounds

    def holding(self, k: int) -> Robot:
        """The robot with the payload that it holds k-th."""
        payload = self.schedule.payload
        return self.robot if payload is None else payload.robots[k]

    def on_steps(self, h: float) -> SimulationSetup:
        """The same for steps of h: the payload changes where the nearest step begins."""
        payload = self.schedule.payload
        if payload is None:
            return self
        return replace(self, schedule=replace(self.schedule, payload=payload.on_steps(h)))

    def of_robot(self, at: tuple[int, ...]) -> SimulationSetup:
        """The setup of one robot of a batch."""
        batch = self.x0.shape[:-1]

        def own(values: Any) -> Any:
            if isinstance(values, Trajectories):
                return values.of_robot(at, batch)
            if not isinstance(values, np.ndarray):
                return values
            array = cast(Array, values)
            return np.broadcast_to(array, (*batch, array.shape[-1]))[at]

        schedule = replace(self.schedule, torque=own(self.schedule.torque), goal=own(self.schedule.goal))
        return replace(self, schedule=schedule, x0=self.x0[at])

    def torques_of(self, t: float, q: Array, qd: Array) -> Array:
        """The torques that the user's function returns, checked."""
        assert self.function
        value: Any = self.function(t, q, qd)
        check_computed("the torque of control", value)
        try:
            tau = np.array(value, np.float64)  # a copy: the function may write into its array again
        except (TypeError, ValueError, OverflowError):
            tau = np.empty(0)
        if tau.shape != (self.robot.n,):
            got = f"shape {tau.shape}" if tau.ndim and tau.size else f"{value!r}"
            raise ArgumentError(
                f"control must return {self.robot.n} torques, one per joint, got {got} at t = {t:g} s", key="control"
            )
        if not (finite := np.isfinite(tau)).all():
            joint = self.robot.coordinates[int(np.argmin(finite))].name
            raise ArgumentError(
                f"control must return finite torques, got {tau[~finite][0]} for joint {joint} at t = {t:g} s",
                key="control",
            )
        return tau


def simulation_setup(
    robot: Robot, q0: Any, qd0: Any = None, control: Any = None, duration: float | None = None, *, goal: Any = None,
    loads: Any = (), payload: Any = None, gravity: Gravity = True, stiction_speed: float = 0.0,
    torque_limit: Any = None, period: float | None = None, resolution: Any = None, noise: Any = None, seed: int = 0,
) -> SimulationSetup:  # fmt: skip
    """The setup for the arguments that `simulate`, `rollouts` and `learn` share (those of `simulate`), checked."""
    require_robot(robot)
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no moving joints; there is nothing to simulate', key="robot")
    if goal is not None and isinstance(control, Controller):
        goal = check_goal(robot, goal)
    if duration is None:
        if not isinstance(goal, Trajectory):
            raise ArgumentError("duration is missing: how long is simulated [s]", key="duration")
        duration = goal.duration
    duration = positive("duration", duration, "s")
    robot, carried = hold_payload(robot, payload, duration)
    q, qd = _states(robot, "q0", q0), _states(robot, "qd0", np.zeros(robot.n) if qd0 is None else qd0)
    sampling = _sampling(robot, period, resolution, noise, seed)
    function = control if callable(control) and not isinstance(control, Controller | type) else None
    if function is not None:
        check_callable_with("control", function, "t", "q", "qd")
    controller = _controller(robot, control, goal, sampling) if isinstance(control, Controller) else None
    torque = None if controller else _torque(robot, None if function else control)
    if goal is not None and controller is None:
        raise ArgumentError("goal requires a controller; this control does not follow one", key="goal")
    if controller is not None and goal is None:
        goal = np.zeros(robot.n)
    memory = np.asarray(controller.start(controller.believed(robot), q, qd) if controller else [])
    acting = load_schedule(robot, loads)
    loop = ClosedLoop(
        robot, controller, memory.shape[-1], gravity_vector(gravity), acting.loads, acting.names,
        number("stiction_speed", stiction_speed, least=0, most=MAX_STICTION_SPEED), _torque_limit(robot, torque_limit),
        sampling, () if carried is None else carried.places,
    )  # fmt: skip
    x0 = np.zeros((*_batch(q0=q, qd0=qd, goal=goal, control=torque), loop.state.size))
    for name, value in (("q", q), ("qd", qd), ("memory", memory)):
        x0[..., loop.state.slices[name]] = value
    return SimulationSetup(
        robot, loop, programs_of(loop), InputSchedule(loop, torque, goal, acting, carried), x0, duration,
        tuple(controller.warnings(robot)) if controller else (), function,
    )  # fmt: skip


def _states(robot: Robot, name: str, values: Any) -> Array:
    """Finite values (..., n)."""
    return joint_values(name, values, robot, finite=True)


def _controller(robot: Robot, control: Controller, goal: Any, sampling: Sampling | None) -> Controller:
    controller, name = control.check(robot), type(control).__name__
    if controller.sampled_only and sampling is None:
        raise ArgumentError(f"{name} is a sampled law; give it a period=... [s]", key="period")
    if goal is None and controller.needs_goal:
        raise ArgumentError(f"{name} needs a goal=...: joint values or a trajectory", key="goal")
    return controller


def _torque(robot: Robot, control: Any) -> Any:
    """Torques (..., n), or as samples over time."""
    if isinstance(control, type):
        raise ArgumentError(
            f"control must be an instance, got the class {control.__name__}; make one: {control.__name__}(...)",
            key="control",
        )
    if isinstance(control, str):
        raise ArgumentError(
            "control must be torques, (times, torques), a function (t, q, qd) -> torques, or a controller, such as "
            f"dynamis.controllers.controller(...) returns, got {literal(control)}",
            key="control",
        )
    if isinstance(control, tuple) and any(is_lazy(x) or np.ndim(x) for x in control):  # type: ignore[reportUnknownVariableType]
        if len(control) != 2:  # type: ignore[reportUnknownArgumentType]
            raise ArgumentError("control must be (times, torques) where it is a tuple", key="control")
        control = TorqueSamples(*control)  # type: ignore[reportUnknownArgumentType]
    if isinstance(control, TorqueSamples):
        return control.check(robot.n)
    return np.zeros(robot.n) if control is None else _states(robot, "control", control)


def _batch(**arguments: Any) -> tuple[int, ...]:
    """The shape of the batch of these arguments (..., n); one motion is the same for all."""
    shapes = {
        name: x.batch if isinstance(x, Trajectories) else np.shape(x)[:-1]
        for name, x in arguments.items()
        if x is not None and (isinstance(x, Trajectories) or not hasattr(x, "at"))
    }
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ArgumentError(f"the batches must broadcast as NumPy's shapes do, got {listed}") from None


def _torque_limit(robot: Robot, value: Any) -> tuple[float, ...] | None:
    """The largest torques: None for no limit, "model" for the robot's own, or one value per joint."""
    if value is None:
        return None
    if isinstance(value, str) and value != "model":
        raise ArgumentError(f'torque_limit must be "model" or numbers [N m or N], got "{value}"', key="torque_limit")
    if isinstance(value, str):
        limits = joint_limits(robot).effort
        if not np.isfinite(limits).any():
            raise ArgumentError(f'robot "{robot.name}" has no effort limits; give torque_limit=...', key="torque_limit")
    else:
        limits = per_joint("torque_limit", value, robot.n)
    if not (limits > 0).all():
        raise ArgumentError(f"torque_limit must be positive, got {limits.tolist()}", key="torque_limit")
    return tuple(limits.tolist())


def _sampling(robot: Robot, period: Any, resolution: Any, noise: Any, seed: Any) -> Sampling | None:
    arguments = {"resolution": (resolution, robot.n, "joint"), "noise": (noise, 2, "signal (q, qd)")}
    if period is None:
        for name, (value, _, _) in arguments.items():
            if value is not None:
                raise ArgumentError(f"{name} requires a sampled control; give its period=... [s] too", key=name)
        return None
    values: dict[str, Any] = {}
    for name, (value, n, each) in arguments.items():
        values[name] = tuple(per_joint(name, 0.0 if value is None else value, n, each).tolist())
        if min(values[name]) < 0:
            raise ArgumentError(f"{name} must be non-negative, got {literal(value)}", key=name)
        if max(values[name]) > MAX_NOISE:
            raise ArgumentError(f"{name} must be at most {MAX_NOISE:g}, got {literal(value)}", key=name)
    return Sampling(positive("period", period, "s"), **values, seed=integer("seed", seed, 0))
