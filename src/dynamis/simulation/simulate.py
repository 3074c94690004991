"""Simulate one robot: what `dynamis.simulate` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from dynamis.arguments import integer, positive
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.mechanics.friction import coulomb
from dynamis.quantities.reference import Gravity
from dynamis.robot import Robot
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.loop.setup import SimulationSetup, simulation_setup
from dynamis.simulation.results.accuracy import accuracy
from dynamis.simulation.results.blow_up import BlowUpError, likely_cause, sampled_words
from dynamis.simulation.results.result import Effort, Energy, Simulation
from dynamis.simulation.results.summary import MUCH, OFTEN, at_limit
from dynamis.simulation.runs.adaptive import ADAPTIVE, AdaptiveRun
from dynamis.simulation.runs.events import EventMonitor, event_monitor
from dynamis.simulation.runs.fixed import FixedRun
from dynamis.simulation.runs.flow import Flow, held_still
from dynamis.simulation.runs.recorder import Recorder
from dynamis.simulation.runs.run import Run
from dynamis.simulation.runs.step_bounds import check_steps
from dynamis.simulation.runs.step_inputs import StepInputs, steps_of

MOST_SAMPLES = 10_000_000
LEAST_RTOL = 3e-14
"""What SciPy's integrators can do."""
INTERRUPTED = "interrupted"


def simulate(
    robot: Robot, q0: Any, qd0: Any = None, control: Any = None, duration: float | None = None, *, goal: Any = None,
    integrator: str | None = None, step: float | None = None, rtol: float = 1e-11, atol: float = 1e-12,
    loads: Any = (), gravity: Gravity = True, stiction_speed: float = 0.0,
    limits: str = "stop", restitution: float = 0.0,
    events: Callable[[float, Array, Array], float] | Sequence[Callable[[float, Array, Array], float]] = (),
    torque_limit: Any = None, period: float | None = None, resolution: Any = None, noise: Any = None, seed: int = 0,
    samples: int = 1001, check: bool | str = False, progress: Callable[[str], None] | None = None,
) -> Simulation:  # fmt: skip
    """How a robot moves from q0 with qd0 under a control, for `duration` seconds.

    `control` is None (no torques), torques (n), (times, torques) or `TorqueSamples`, a controller such as
    `PDGravity(kp, kd)` with its `goal` (joint values or a trajectory), or any function (t, q, qd) -> torques.

    `integrator` is "dop853", "rk45" or, for stiff loops, "radau", which choose their steps by `rtol` and `atol`; or,
    with a `step` [s], "rk4" (the default then) or "symplectic". By default it is dop853, and radau from where the loop
    turns out to be stiff.

    With a `period` [s] the control samples: it measures q (in steps of `resolution` [rad or m]) and qd, with normal
    `noise` (one standard deviation, or those of q and of qd; `seed`), and holds its torque until the next sample.
    `torque_limit` saturates the motors: numbers, or "model" for the robot's own.

    `limits` of joints are mechanical stops ("stop"; `restitution` 1 is elastic, 0 takes all speed), or "end" the run,
    or are "ignore"d. `events` are functions (t, q, qd) -> number, whose zeros are found; one with `terminal = True`
    ends the run, `direction` 1 or -1 is the way in which the zero is passed.

    Coulomb friction is dry: a joint that it can hold sticks. With a `stiction_speed` v [rad/s or m/s] it is smoothed
    instead, qd / sqrt(qd^2 + v^2). A law that compensates friction uses the same one. `loads` are loads, some
    of which may be `LoadOverTime`. `samples` instants are kept. With `check` the run is done again with other
    tolerances or another step, or with the integrator that `check` names, and `accuracy` of the result says until when
    both agree; where they do not, so do its `warnings`.

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> run = dynamis.simulate(arm, [0.5, 0.3], duration=2)
    >>> run.energy.drift < 1e-8
    True
    """
    setup = simulation_setup(
        robot, q0, qd0, control, duration, goal=goal, loads=loads, gravity=gravity, stiction_speed=stiction_speed,
        torque_limit=torque_limit, period=period, resolution=resolution, noise=noise, seed=seed,
    )  # fmt: skip
    if setup.x0.ndim != 1:
        raise ArgumentError(
            f"the states have shape {setup.x0.shape[:-1]}; simulate runs one robot, rollouts run many", key="q0"
        )
    samples = integer("samples", samples, 2, MOST_SAMPLES)
    method = _method(integrator, step, rtol, atol)
    if check == method.integrator:
        check = True
    if isinstance(check, str) and check not in (*ADAPTIVE, *FIXED):
        raise UnknownNameError("integrator", check, (*ADAPTIVE, *FIXED), key="check")
    if isinstance(check, str) and check in FIXED and step is None:
        raise ArgumentError(
            f"check must be one of {', '.join(ADAPTIVE)} where the run has no step, got {check}", key="check"
        )
    second = _method(check, step if check in FIXED else None, rtol, atol) if isinstance(check, str) else None
    found = _run(setup, method, limits, restitution, events, samples, progress)
    if not check or found.ended.startswith(INTERRUPTED):
        return found

    def again(factor: float) -> Simulation:
        try:
            return _run(setup, second or method.other(factor), limits, restitution, events, samples, progress)
        except BlowUpError as error:
            if error.partial is None:
                raise
            return error.partial

    try:
        compared = accuracy(found, again, check if isinstance(check, str) else "")
    except KeyboardInterrupt:
        # At once, before the second run had anything; the first is whole.
        return found
    disagree = () if compared.agrees else (compared.sentences()[0],)
    return replace(found, accuracy=compared, warnings=(*found.warnings, *disagree))


@dataclass(frozen=True)
class Method:
    """An integrator with its step, or with its tolerances."""

    integrator: str
    step: float | None
    rtol: float
    atol: float
    may_switch: bool = False
    """Whether a stiff loop may be given to radau."""

    def other(self, factor: float) -> Method:
        """With tolerances times the factor, or half the step."""
        if self.step is not None:
            return replace(self, step=self.step / 2)
        return replace(self, rtol=self.rtol * factor, atol=self.atol * factor)


def _method(integrator: str | None, step: float | None, rtol: float, atol: float) -> Method:
    chosen = integrator or ("dop853" if step is None else "rk4")
    if not isinstance(chosen, str) or (chosen not in ADAPTIVE and chosen not in FIXED):  # type: ignore[redundant-expr]
        raise UnknownNameError("integrator", str(chosen), (*ADAPTIVE, *FIXED), key="integrator")
    if chosen in FIXED and step is None:
        raise ArgumentError(f"{chosen} has a fixed step; give step=... [s]", key="step")
    if chosen in ADAPTIVE and step is not None:
        raise ArgumentError(f"{chosen} chooses its steps itself; leave step out, or use rk4", key="step")
    exact = max(positive("rtol", rtol, "1"), LEAST_RTOL), positive("atol", atol, "the states")
    return Method(chosen, step, *exact, may_switch=integrator is None)


def _run(
    setup: SimulationSetup, method: Method, limits: str, restitution: float, events: Any, samples: int,
    progress: Callable[[str], None] | None,
) -> Simulation:  # fmt: skip
    began = perf_counter()
    flow = Flow(setup)
    monitor = event_monitor(setup, flow, limits, restitution, events)
    asked = setup.function is not None and setup.loop.sampling is None
    torque = _asked(setup, flow) if asked else None
    recorder = Recorder(np.linspace(0.0, setup.duration, samples), torque, flow.resting, flow.friction)
    run: Run
    if setup.loop.sampling is not None:
        check_steps(setup.duration, setup.loop.sampling.period, "period")
    if method.step is None:
        exact = (method.rtol, method.atol)
        run = AdaptiveRun(flow, monitor, recorder, method.integrator, *exact, progress, method.may_switch)
    else:
        steps = steps_of(setup, method.step)
        every = max(1, -(-steps.count // (samples - 1)))
        run = FixedRun(flow, monitor, recorder, method.integrator, steps, every, progress)
    settings = _settings(setup, method, limits, restitution)
    try:
        run.run(_noise(setup))
    except KeyboardInterrupt:
        if not recorder.rested:
            raise
        monitor.ended = f"{INTERRUPTED} at t = {run.t:.6g} s"
    except BlowUpError as error:
        monitor.ended = str(error).removeprefix("the simulation ").split(", at q")[0]
        error.partial = _result(setup, flow, monitor, recorder, run, settings, perf_counter() - began)
        raise
    found = _result(setup, flow, monitor, recorder, run, settings, perf_counter() - began)
    odd = [words for words in (run.stiff, _odd(found, flow, method)) if words]
    return replace(found, warnings=(*found.warnings, *odd))


def _odd(run: Simulation, flow: Flow, method: Method) -> str:
    """What is odd about a run that came to its end, and the likely cause; empty where nothing is."""
    if run.energy.drift >= MUCH:
        cause = "these positions are not to be trusted; try a smaller rtol, or check=True"
        if method.step is not None:
            cause = likely_cause(flow, method.integrator, method.step, flow.setup.x0, True)
        return f"the energy balance is off: {cause}"
    share, _ = at_limit(run)
    if share > OFTEN and (words := sampled_words(flow, flow.setup.x0)):
        return f"the motors are at their limit for {100 * share:.3g} % of the time: {words}"
    return ""


def _asked(setup: SimulationSetup, flow: Flow) -> Callable[[float, Array], Array]:
    return lambda t, x: setup.torques_of(t, *flow.state(x))


def _noise(setup: SimulationSetup) -> Callable[[], Array]:
    """The noise of the next sample."""
    n, sampling = setup.robot.n, setup.loop.sampling
    if sampling is None or not any(sampling.noise):
        return lambda: np.zeros(2 * n)
    inputs = StepInputs(setup, steps_of(setup, sampling.period), "rk4")
    return lambda: inputs.noise((), 1)[0]


def _settings(setup: SimulationSetup, method: Method, limits: str, restitution: float) -> dict[str, Any]:
    sampling = setup.loop.sampling
    found: dict[str, Any] = {"duration": setup.duration, "integrator": method.integrator}
    found |= {"step": method.step} if method.step is not None else {"rtol": method.rtol, "atol": method.atol}
    if setup.loop.gravity is not None:
        found["gravity"] = list(setup.loop.gravity)
    if setup.schedule.loads.given:
        found["loads"] = len(setup.schedule.loads.given)
    found |= {"limits": limits, "restitution": restitution, "stiction_speed": setup.loop.stiction_speed}
    if words := _friction_words(setup):
        found["friction"] = words
    if sampling is not None:
        found |= {"period": sampling.period, "resolution": list(sampling.resolution), "noise": list(sampling.noise)}
        found |= {"seed": sampling.seed}
    if setup.loop.limit is not None:
        found["torque_limit"] = list(setup.loop.limit)
    return found


def _friction_words(setup: SimulationSetup) -> str:
    """What friction the robot has, and whether the law compensates it; empty where there is none."""
    controller = setup.loop.controller
    if not any(coulomb(setup.robot)):
        return ""
    kind = "smoothed" if setup.loop.stiction_speed else "dry"
    if controller is None or not controller.compensates_friction:
        return f"{kind}, not compensated" if controller is not None or setup.function is not None else kind
    whose = "the robot's own" if controller.model is None else "the friction of its model"
    seen = ", by the measured speed" if setup.loop.sampling else ""
    return f"{kind}; the law compensates {whose}{seen}"


def _result(
    setup: SimulationSetup, flow: Flow, monitor: EventMonitor, recorder: Recorder, run: Run,
    settings: dict[str, Any], seconds: float,
) -> Simulation:  # fmt: skip
    kept = len(recorder.rested)  # an interrupt may have come between two of the lists
    times, x = np.array(recorder.times[:kept]), np.array(recorder.states[:kept])
    parts, loop = setup.loop.state.slices, setup.loop
    inputs = np.zeros((len(times), max(1, loop.inputs.size)))
    inputs[:, : loop.inputs.size] = setup.schedule.inputs(times)
    if recorder.torque is not None:
        inputs[:, loop.inputs.slices["torque"]] = np.array(recorder.torques[:kept])
    if flow.friction is not None:
        inputs[:, loop.inputs.slices["direction"]] = np.array(recorder.directions[:kept])
    tau, qdd, energies, *signals = setup.programs.observe(x, inputs)
    for k, joints in enumerate(recorder.rested):
        if joints:
            qdd[k], _ = held_still(setup.robot, x[k, parts["q"]], qdd[k], joints)
    for k, joints in enumerate(recorder.stuck[:kept]):
        qdd[k, joints] = 0.0
    works = x[:, parts["works"]]
    goal = (
        inputs[:, loop.inputs.slices["goal_q"]] if loop.controller is not None and loop.controller.needs_goal else None
    )
    return Simulation(
        setup.robot, times, x[:, parts["q"]], x[:, parts["qd"]], qdd, tau, goal, x[:, parts["memory"]],
        dict(zip(setup.programs.signals, signals, strict=True)),
        Energy(energies[:, 0], energies[:, 1], works[:, 0], works[:, 1], works[:, 2], np.array(recorder.stops[:kept])),
        tuple(monitor.events),
        Effort(run.integrator, run.steps, run.rejected, flow.evaluations or None, seconds),
        settings, setup.warnings, monitor.ended, _control_words(setup),
        {} if loop.controller is None else loop.controller.signal_names(setup.robot),
    )  # fmt: skip


def _control_words(setup: SimulationSetup) -> str:
    if setup.loop.controller is not None:
        return type(setup.loop.controller).__name__
    if setup.function is not None:
        return getattr(setup.function, "__name__", "function")
    torque = setup.schedule.torque
    if hasattr(torque, "at"):
        return "torques over time"
    return "constant torques" if np.any(torque) else "free motion"
