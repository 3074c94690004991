"""Many robots at once: the whole loop of controller, integrator and dynamics as one compiled function of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import integer, number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.friction import SMOOTHING_SPEED, coulomb
from dynamis.compute.quantities.arguments import Gravity
from dynamis.robot import Robot
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.loop.setup import SimulationSetup, simulation_setup
from dynamis.simulation.results.rollouts import Rollouts
from dynamis.simulation.runs.batch_stops import PIECE_STEPS, BatchStops
from dynamis.simulation.runs.blow_up import blow_up
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.steps import StepInputs, Steps, check_kept, steps_of

LIMITS = ("stop", "ignore")
MAX_ENERGY_ERROR = 1e-3
"""Relative to the work done; above it there is a warning."""


def rollouts(
    robot: Robot, q0: Any, qd0: Any = None, control: Any = None, duration: float | None = None, *, step: float,
    goal: Any = None, integrator: str = "rk4", loads: Any = (), payload: Any = None, gravity: Gravity = True,
    stiction_speed: float = SMOOTHING_SPEED, limits: str = "stop", restitution: float = 0.0, torque_limit: Any = None,
    period: float | None = None, resolution: Any = None, noise: Any = None, seed: int = 0, keep: int | None = None,
    threads: int = 1, progress: Callable[[str], None] | None = None,
) -> Rollouts:  # fmt: skip
    """Simulate a batch of robots with fixed steps, compiled into one function.

    robot           the robot, the same for all
    q0, qd0, goal   (..., n) each, with shapes that broadcast; the goal may be a trajectory that all follow, or a list
                    of them, one per robot. On a GPU float32 in q0 asks for single precision
    control         a controller, torques (..., n), or (times, torques); not a Python function
    duration        how long [s]; by default that of the goal, if it is a trajectory
    step            of the integrator [s]
    integrator      "rk4" (default) or "symplectic"
    stiction_speed  over which Coulomb friction is smoothed, 1e-3 rad/s or m/s by default: a joint that it holds creeps
    limits          of joints: mechanical stops ("stop", default), or "ignore". A robot at a stop is stepped in Python,
                    as `simulate` steps it, in some 0.1 ms per step; the others stay in compiled code
    restitution     of the stops: 0 takes all speed (default), 1 is elastic
    keep            keep the states after every so many steps; None (default) for the end only: memory then does not
                    grow with the number of steps
    threads         among which the batch is divided, 1 by default
    progress        is called with a line about how far the run is

    loads, payload, gravity, torque_limit, period, resolution, noise and seed are those of `simulate`.

    >>> import dynamis, numpy as np
    >>> arm = dynamis.load("bar-2r")
    >>> starts = np.linspace([0, 0], [1, 1], 5)
    >>> law = dynamis.controllers.PDGravity(60, 20)
    >>> many = dynamis.rollouts(arm, starts, control=law, goal=[1.0, 0.5], duration=4, step=1e-3)
    >>> bool(abs(many.q - [1.0, 0.5]).max() < 1e-3)
    True
    """
    if not isinstance(integrator, str) or integrator not in FIXED:  # type: ignore[redundant-expr]
        raise UnknownNameError("fixed-step integrator", str(integrator), FIXED, key="integrator")
    if callable(control):
        raise ArgumentError(
            "a Python function cannot be compiled: rollouts take a controller, torques or (times, torques); "
            "simulate takes functions",
            key="control",
        )
    if limits not in LIMITS:
        raise UnknownNameError("treatment of limits", str(limits), LIMITS, key="limits")
    restitution = number("restitution", restitution, least=0, most=1)
    for name, value in (("keep", keep), ("threads", threads)):
        if value is not None:
            integer(name, value)
    setup = simulation_setup(
        robot, q0, qd0, control, duration, goal=goal, loads=loads, payload=payload, gravity=gravity,
        stiction_speed=stiction_speed, torque_limit=torque_limit, period=period, resolution=resolution, noise=noise,
        seed=seed,
    )  # fmt: skip
    check_smooth(setup)
    steps = steps_of(setup, step)
    setup = setup.on_steps(steps.h)
    if keep is not None:
        check_kept(steps.count, int(keep), prod(setup.x0.shape[:-1]), setup.x0.shape[-1])
    stops = None
    if limits == "stop" and setup.loop.axes.bounded.any():
        stops = BatchStops(setup, steps, integrator, restitution)
    dtype = np.float32 if getattr(q0, "dtype", None) == np.float32 else np.float64
    return _integrate(setup, steps, integrator, stops, keep, threads, progress, dtype)


def check_smooth(setup: SimulationSetup) -> None:
    """Raises where friction is dry: compiled steps do not stop where a joint begins to stick."""
    if setup.loop.dry:
        raise ArgumentError(
            "stiction_speed must be positive here, because compiled steps cannot make a joint stick; "
            "simulate takes dry friction",
            key="stiction_speed",
        )


def _integrate(
    setup: SimulationSetup, steps: Steps, integrator: str, stops: BatchStops | None, keep: int | None, threads: int,
    progress: Callable[[str], None] | None, dtype: Any,
) -> Rollouts:  # fmt: skip
    take_steps, parts = setup.programs.step(integrator), setup.loop.state.slices
    inputs = StepInputs(setup, steps, integrator)
    x: Array = setup.x0.astype(dtype)
    failed, ended = np.zeros(x.shape[:-1], np.bool_), np.full(x.shape[:-1], setup.duration)
    times, states = [0.0], [x]
    done, warnings = 0, setup.warnings
    payload, brought = setup.schedule.payload, np.zeros(x.shape[:-1])
    held = first_held = 0 if payload is None else int(payload.index(0.0))
    try:
        for first, piece in _shorter(inputs.pieces(keep), stops):
            if payload is not None and (now := int(payload.index(steps.time(first)))) != held:
                brought = brought + _energy(setup, x, now) - _energy(setup, x, held)
                held = now
            if failed.all():
                after = x
            elif stops is None:
                after = take_steps(x, piece, threads)
            else:
                after = stops.take_steps(x, first, piece, threads)
            bad = ~failed & ~setup.is_finite(after)
            if bad.any():
                after, ended = _last_finite(setup, steps, integrator, x, piece, bad, first, after, ended)
                failed = failed | bad
            for at, (when, last) in (stops.lost if stops else {}).items():
                if not failed[at]:
                    bad[at] = failed[at] = True
                    ended[at], after[at] = when, last
            x, done = np.where(failed[..., None] & ~bad[..., None], x, after), first + piece.shape[-2]
            if keep is not None and (done % keep == 0 or done == steps.count):
                times.append(steps.time(done))
                states.append(x)
            if progress is not None:
                progress(f"{steps.time(done):.3g} of {setup.duration:.3g} s")
    except KeyboardInterrupt:
        if not done:
            raise
        ended = np.where(failed, ended, steps.time(done))
        warnings = (*warnings, f"interrupted at t = {steps.time(done):.6g} s of {setup.duration:g} s")
        times, states = times[: len(states)], states[: len(times)]
    if keep is None or times[-1] < steps.time(done):
        times.append(steps.time(done))
        states.append(x)
    taken = np.zeros(x.shape[:-1]) if stops is None else stops.energy
    error = _energy(setup, x, held) - _energy(setup, setup.x0, first_held) - x[..., parts["work"]].sum(axis=-1)
    error = error - taken - brought
    warnings = (*warnings, *_blown_up(setup, steps, integrator, x, failed, ended))
    warnings = (*warnings, *_off_balance(setup, x[..., parts["work"]], error, failed))
    history = np.stack(states, axis=-2) if keep is not None else None
    return Rollouts(
        setup.robot, np.array(times), x[..., parts["q"]], x[..., parts["qd"]], x[..., parts["memory"]],
        x[..., parts["held"]], x[..., parts["work"]], error, failed, ended, warnings,
        None if history is None else history[..., parts["q"]], None if history is None else history[..., parts["qd"]],
        stops=taken,
    )  # fmt: skip


def _shorter(pieces: Iterator[tuple[int, Array]], stops: BatchStops | None) -> Iterator[tuple[int, Array]]:
    """The pieces, with stops in shorter ones."""
    for first, piece in pieces:
        count = piece.shape[-2]
        for k in range(0, count, count if stops is None else PIECE_STEPS):
            yield first + k, piece[..., k : count if stops is None else k + PIECE_STEPS, :]


def _blown_up(
    setup: SimulationSetup, steps: Steps, integrator: str, x: Array, failed: NDArray[np.bool_], ended: Array
) -> list[str]:
    """How many robots diverged, and the likely cause of the first."""
    if not failed.any():
        return []
    at = tuple(int(k) for k in np.unravel_index(np.where(failed, ended, np.inf).argmin(), failed.shape))
    flow, t = Flow(setup.of_robot(at)), float(ended[at])
    with np.errstate(all="ignore"):
        cause = blow_up(flow, integrator, steps.h, t, np.asarray(x[at], np.float64), setup.x0[at]).cause
    return [f"{int(failed.sum())} of {failed.size} rollouts blew up, the first one after {t:.4g} s: {cause}"]


def _off_balance(setup: SimulationSetup, work: Array, error: Array, failed: NDArray[np.bool_]) -> list[str]:
    """A warning where Coulomb friction is too stiff for the step, which the balance of energies shows."""
    if not any(coulomb(setup.robot)):
        return []
    share = np.abs(error) / np.maximum(np.abs(work).sum(axis=-1), 1e-12)
    off = (share > MAX_ENERGY_ERROR) & ~failed
    if not off.any():
        return []
    return [
        f"the energy balance is off by up to {100 * float(share[off].max()):.2g} % of the work done in "
        f"{int(off.sum())} of {off.size} rollouts: smoothed friction is stiff; use a smaller step or a larger "
        "stiction_speed"
    ]


def _energy(setup: SimulationSetup, x: Array, held: int) -> Array:
    """Kinetic + potential energy of robots that hold this payload [J]."""
    parts, robot = setup.loop.state.slices, setup.holding(held)
    q, qd = x[..., parts["q"]], x[..., parts["qd"]]
    return robot.kinetic_energy(q, qd) + robot.potential_energy(q, gravity=setup.gravity)


def _last_finite(
    setup: SimulationSetup, steps: Steps, integrator: str, x: Array, inputs: Array, bad: NDArray[np.bool_], first: int,
    after: Array, ended: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Replays a piece step by step, up to the last finite state of each robot that diverged in it."""
    once = setup.programs.step(integrator).once
    wide = np.broadcast_to(inputs, (*bad.shape, *inputs.shape[-2:]))
    now = np.broadcast_to(x, after.shape)[bad]
    moving = np.arange(len(now))
    ends = np.zeros(len(now), np.int64)
    for k in range(inputs.shape[-2]):
        stepped: Array = once(now[moving], wide[..., k, :][bad][moving])
        finite = setup.is_finite(stepped)
        moving = moving[finite]
        now[moving] = stepped[finite]
        ends[moving] = k + 1
        if not moving.size:
            break
    after, ended = after.copy(), ended.copy()
    after[bad] = now
    ended[bad] = [steps.time(first + int(k)) for k in ends]
    return after, ended
