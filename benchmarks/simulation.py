"""Rollouts beside MuJoCo's own: the same URDF, Runge-Kutta of order four, PD control with gravity compensation.

MuJoCo has the controller as actuators (gain and bias) and gravity compensation as passive forces, both looked at in
every stage of a step, as ours are; contacts, limits and constraints are switched off. The final states are compared
before anything is timed. MuJoCo writes every state it passes, which cannot be switched off; its arrays are made
before. All take turns in each round, and the figures are medians of the rounds.

`followings` measures one robot along a trajectory with a fixed step, beside the same run that holds a goal, and beside
MuJoCo with the trajectory as a table of controls, q_d + K_D / K_P qd_d for each step. MuJoCo holds them over a step, so
that the runs agree to the order of the step squared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np

from benchmarks.dynamics.timing import seconds
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.library import load
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.trajectories.polynomials import quintic
from dynamis.robot import Robot
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.rollouts import rollouts
from dynamis.simulation.simulate import simulate

ROBOTS = ("ur5", "panda")
SEED = 20250603
STEP = 1e-3
FREQUENCY = 20.0
"""Frequency of the closed loop [rad/s], by which the gains are chosen, critically damped."""
REPEATS = 7
"""Calls of dynamis per round."""
CLOSE = 1e-9
"""How near the final states of both have to be."""
HELD = 1e-4
"""How near they have to be [rad] where MuJoCo holds its controls over a step."""


@dataclass(frozen=True)
class Row:
    """One robot: steps per second of all rollouts together, one thread each and two threads of ours; how far apart."""

    robot: str
    batch: int
    steps: int
    ours: float
    two_threads: float
    mujoco: float
    difference: float

    @property
    def times(self) -> float:
        """Our rate over MuJoCo's."""
        return self.ours / self.mujoco

    @property
    def scaling(self) -> float:
        """Two threads over one."""
        return self.two_threads / self.ours


def rows(
    batch: int = 1024, steps: int = 1000, rounds: int = 5, progress: Callable[[str], None] | None = None
) -> list[Row]:
    """One row per robot."""
    return [_row(name, batch, steps, rounds, progress or (lambda _: None)) for name in ROBOTS]


def gains(robot: Robot) -> tuple[list[float], list[float]]:
    """K_P and K_D that are right for the smallest inertia that each joint feels."""
    q = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (500, robot.n))
    felt = (1.0 / np.diagonal(robot.inverse_mass_matrix(q), axis1=1, axis2=2)).min(axis=0)
    return (FREQUENCY**2 * felt).tolist(), (2 * FREQUENCY * felt).tolist()


def _row(name: str, batch: int, steps: int, rounds: int, progress: Callable[[str], None]) -> Row:
    robot = load(name)
    kp, kd = gains(robot)
    start = np.random.default_rng(SEED).uniform(-1.0, 1.0, (batch, robot.n))
    goal = np.linspace(0.5, -0.5, robot.n)
    theirs = mujoco_rollouts(robot, kp, kd, start, goal, steps)
    control = PDGravity(kp, kd)

    def ours(threads: int) -> Any:
        return rollouts(
            robot, start, control=control, goal=goal, duration=steps * STEP, step=STEP, threads=threads, limits="ignore"
        )

    progress(f"{name}: agreement")
    q, qd = theirs()
    result = [ours(1) for _ in range(3)][-1]  # few steps are not compiled at once
    difference = float(max(np.abs(result.q - q).max(), np.abs(result.qd - qd).max()))
    if not difference < CLOSE:
        raise ArgumentError(f"{name}: the final states of dynamis and MuJoCo are {difference:.3g} apart")
    one, two, other = list[float](), list[float](), list[float]()
    for k in range(rounds):
        progress(f"{name}: round {k + 1} of {rounds}")
        other.append(seconds(theirs))
        for _ in range(REPEATS):  # a call of ours is a hundredth of a call of theirs
            one.append(seconds(lambda: ours(1)))
            two.append(seconds(lambda: ours(2)))
    mine, with_two, others = (batch * steps / median(column) for column in (one, two, other))
    return Row(name, batch, steps, mine, with_two, others, difference)


@dataclass(frozen=True)
class Following:
    """One robot along a trajectory: seconds per step of `simulate` that holds a goal, of `simulate` and of `rollouts`
    that follow, and of MuJoCo that follows; how far apart the ends are."""

    robot: str
    steps: int
    holding: float
    following: float
    compiled: float
    mujoco: float
    difference: float

    @property
    def cost(self) -> float:
        """Following over holding."""
        return self.following / self.holding


def followings(steps: int = 4000, rounds: int = 5, progress: Callable[[str], None] | None = None) -> list[Following]:
    """One row per robot."""
    return [_following(name, steps, rounds, progress or (lambda _: None)) for name in ROBOTS]


def _following(name: str, steps: int, rounds: int, progress: Callable[[str], None]) -> Following:
    robot, duration = load(name), steps * STEP
    kp, kd = gains(robot)
    control = PDGravity(kp, kd)
    limits = joint_limits(robot)
    goal = np.clip(np.linspace(0.5, -0.5, robot.n), limits.lower + 0.1, limits.upper - 0.1)
    start = np.clip(goal + 0.4, limits.lower + 0.1, limits.upper - 0.1)
    motion = quintic(start, goal, duration / 2)
    times = (np.arange(steps) + 0.5) * STEP
    q, qd, _ = motion.at(times)
    theirs = mujoco_rollouts(robot, kp, kd, start[None], q + qd * np.divide(kd, kp), steps)
    given: dict[str, Any] = {"control": control, "duration": duration, "step": STEP}
    calls: dict[str, Callable[[], Any]] = {
        "holding": lambda: simulate(robot, goal, goal=goal, **given),
        "following": lambda: simulate(robot, start, goal=motion, **given),
        "compiled": lambda: rollouts(robot, start, goal=motion, **given),
        "mujoco": theirs,
    }
    progress(f"{name}: agreement")
    runs = [[call() for _ in range(3)][-1] for call in calls.values()]  # few steps are not compiled at once
    ends = [runs[1].q[-1], runs[2].q, runs[3][0][0]]
    difference = float(max(np.abs(end - ends[0]).max() for end in ends))
    if not difference < HELD:
        raise ArgumentError(f"{name}: the ends of dynamis and MuJoCo are {difference:.3g} apart")
    columns: dict[str, list[float]] = {which: [] for which in calls}
    for k in range(rounds):
        progress(f"{name}: round {k + 1} of {rounds}")
        for which, call in calls.items():
            columns[which].append(seconds(call))
    per_step = {which: median(column) / steps for which, column in columns.items()}
    return Following(name, steps, difference=difference, **per_step)


def mujoco_rollouts(
    robot: Robot, kp: list[float], kd: list[float], start: Array, goal: Array, steps: int
) -> Callable[[], tuple[Array, Array]]:
    """A call of MuJoCo's rollout on this thread, which gives the final q and qd."""
    try:
        mujoco: Any = import_module("mujoco")
        rollout: Any = import_module("mujoco.rollout")
    except ImportError:
        raise ArgumentError('the benchmark needs MuJoCo: pip install "dynamis[bench]"') from None
    model = mujoco_model(mujoco, robot, kp, kd)
    data, (batch, n) = mujoco.MjData(model), start.shape
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    first = np.zeros((batch, size))
    first[:, 1 : 1 + n] = start
    states, sensors = np.empty((batch, steps, size)), np.empty((batch, steps, 0))
    controls = np.ascontiguousarray(np.broadcast_to(goal, (batch, steps, n)))
    runner = rollout.Rollout(nthread=0)

    def run() -> tuple[Array, Array]:
        runner.rollout(model, data, first, controls, nstep=steps, state=states, sensordata=sensors)
        return states[:, -1, 1 : 1 + n], states[:, -1, 1 + n : 1 + 2 * n]

    return run


def mujoco_model(mujoco: Any, robot: Robot, kp: list[float], kd: list[float], step: float = STEP) -> Any:
    """The robot's URDF in MuJoCo, with PD actuators and gravity compensation; the gains may be zero."""
    spec: Any = mujoco.MjSpec.from_string(write_urdf(robot))
    spec.option.integrator, spec.option.timestep = mujoco.mjtIntegrator.mjINT_RK4, step
    spec.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT)
    controlled = any(kp) or any(kd)
    for body in spec.bodies:
        body.gravcomp = float(controlled)
    for joint, p, d in zip(spec.joints, kp, kd, strict=True):
        motor = spec.add_actuator(target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.gaintype, motor.biastype = mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtBias.mjBIAS_AFFINE
        motor.gainprm[0], motor.biasprm[1], motor.biasprm[2] = p, -p, -d
    model = spec.compile()
    model.jnt_actfrclimited[:] = 0  # the motors have no limits here
    return model
