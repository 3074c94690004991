"""One run of one robot, as `Simulate` asks for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from dynamis.base.arguments import integer, positive
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.model.payload import payload_words
from dynamis.motion.trajectories.document import motion_methods
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.loop.setup import SimulationSetup, simulation_setup
from dynamis.simulation.results.accuracy import accuracy
from dynamis.simulation.results.result import Effort, Energy, Simulation
from dynamis.simulation.results.summary import MAX_DRIFT, MAX_SATURATION, at_limit
from dynamis.simulation.runs.adaptive import ADAPTIVE, AdaptiveRun
from dynamis.simulation.runs.blow_up import BlowUpError, likely_cause, sampled_words
from dynamis.simulation.runs.events import event_monitor
from dynamis.simulation.runs.fixed import FixedRun
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.run import Run, observe_snapshots
from dynamis.simulation.runs.steps import check_steps, steps_of
from dynamis.simulation.simulate import Simulate

MAX_SAMPLES = 10_000_000
"""A robot of six joints then has some 3 GB of results."""
LEAST_RTOL = 3e-14
"""The smallest that SciPy's integrators take: 100 times the machine's epsilon, 2.2e-14, and a margin."""
PROGRESS_INTERVAL = 0.05
"""Time between two lines of progress [s]: a terminal shows no more than that to an eye."""
INTERRUPTED = "interrupted"


def run_simulation(asked: Simulate) -> Simulation:
    """The motion of one robot under a control: states, torques, energies and events over time."""
    setup = simulation_setup(
        asked.robot, asked.q0, asked.qd0, asked.control, asked.duration, goal=asked.goal, loads=asked.loads,
        payload=asked.payload, gravity=asked.gravity, stiction_speed=asked.stiction_speed,
        torque_limit=asked.torque_limit, period=asked.period, resolution=asked.resolution, noise=asked.noise,
        seed=asked.seed,
    )  # fmt: skip
    if setup.x0.ndim != 1:
        raise ArgumentError(
            f"the states have shape {setup.x0.shape[:-1]}; simulate runs one robot, rollouts run many", key="q0"
        )
    asked = replace(asked, samples=integer("samples", asked.samples, 2, MAX_SAMPLES))
    if asked.listen is not None and not callable(asked.listen):
        raise ArgumentError(f"listen must be a function, got {literal(asked.listen)}", key="listen")
    check = asked.check
    method = _method(asked)
    second = None
    if isinstance(check, str) and check != method.integrator:
        if check in FIXED and asked.step is None:
            allowed = ", ".join(ADAPTIVE)
            raise ArgumentError(f"check must be one of {allowed} where the run has no step, got {check}", key="check")
        step = None if check in ADAPTIVE else asked.step
        second = _method(replace(asked, integrator=check, step=step), "check")
    run = _simulation(setup, method, asked)
    if not check or run.ended.startswith(INTERRUPTED):
        return run

    def again(factor: float) -> Simulation:
        try:
            return _simulation(setup, second or method.other(factor), replace(asked, listen=None))
        except BlowUpError as error:
            if error.partial is None:
                raise
            return error.partial

    try:
        compared = accuracy(run, again, second.integrator if second else "")
    except KeyboardInterrupt:
        return run  # interrupted before the second run had anything; the first is whole
    disagree = () if compared.agrees else (compared.sentences()[0],)
    return replace(run, accuracy=compared, warnings=(*run.warnings, *disagree))


@dataclass(frozen=True)
class Method:
    """An integrator with its step, or with its tolerances."""

    integrator: str
    step: float | None
    rtol: float
    atol: float
    may_switch: bool = False
    """Whether radau may take over a stiff loop."""

    def other(self, factor: float) -> Method:
        """With tolerances times the factor, or half the step."""
        if self.step is not None:
            return replace(self, step=self.step / 2)
        return replace(self, rtol=self.rtol * factor, atol=self.atol * factor)


def _method(asked: Simulate, key: str = "integrator") -> Method:
    integrator, step = asked.integrator, asked.step
    name = integrator or ("dop853" if step is None else "rk4")
    if not isinstance(name, str) or (name not in ADAPTIVE and name not in FIXED):  # type: ignore[redundant-expr]
        raise UnknownNameError("integrator", str(name), (*ADAPTIVE, *FIXED), key=key)
    if name in FIXED and step is None:
        raise ArgumentError(f"{name} has a fixed step; give step=... [s]", key="step")
    if name in ADAPTIVE and step is not None:
        raise ArgumentError(f"{name} chooses its steps itself; leave step out, or use rk4", key="step")
    tolerances = max(positive("rtol", asked.rtol, "1"), LEAST_RTOL), positive("atol", asked.atol, "the states")
    return Method(name, step, *tolerances, may_switch=integrator is None)


def _simulation(setup: SimulationSetup, method: Method, asked: Simulate) -> Simulation:
    listen, progress, samples = asked.listen, asked.progress, asked.samples
    began, reported = perf_counter(), -np.inf
    latest = np.inf if asked.seconds is None else began + positive("seconds", asked.seconds, "s")
    setup = setup if method.step is None else setup.on_steps(method.step)
    flow = Flow(setup)
    monitor = event_monitor(flow, asked.limits, asked.restitution, asked.events)
    if setup.loop.sampling is not None:
        check_steps(setup.duration, setup.loop.sampling.period, "period")
    run: Run
    if method.step is None:
        times = np.linspace(0.0, setup.duration, samples)
        run = AdaptiveRun(flow, monitor, method.integrator, method.rtol, method.atol, times, method.may_switch)
    else:
        plan = steps_of(setup, method.step)
        run = FixedRun(flow, monitor, method.integrator, plan, max(1, -(-plan.count // (samples - 1))))

    def tell() -> None:
        if listen is not None:
            for snapshot in run.new_snapshots():
                listen(snapshot)

    def result() -> Simulation:
        tell()
        return _result(run, _settings(setup, method, asked), perf_counter() - began)

    try:
        for _ in run.advance():
            tell()
            if perf_counter() > latest:
                monitor.ended = f"stopped at t = {run.t:.6g} s, after {asked.seconds:g} s of computing"
                break
            if progress is not None and perf_counter() > reported + PROGRESS_INTERVAL:
                reported = perf_counter()
                progress(f"{run.t:.3g} of {setup.duration:.3g} s")
    except KeyboardInterrupt:
        if not run.snapshots:
            raise
        monitor.ended = f"{INTERRUPTED} at t = {run.t:.6g} s"
    except BlowUpError as error:
        monitor.ended = str(error).removeprefix("the simulation ").split(", at q")[0]
        error.partial = result()
        raise
    done = result()
    warnings = [words for words in (run.stiff, _warning(done, flow, method)) if words]
    return replace(done, warnings=(*done.warnings, *warnings))


def _warning(run: Simulation, flow: Flow, method: Method) -> str:
    """Why a run that came to its end is not to be trusted; empty where nothing speaks against it."""
    if run.energy.drift >= MAX_DRIFT:
        cause = "these positions are not to be trusted; try a smaller rtol, or check=True"
        if method.step is not None:
            cause = likely_cause(flow, method.integrator, method.step, flow.setup.x0, True)
        return f"the energy balance is off: {cause}"
    share, _ = at_limit(run)
    if share > MAX_SATURATION and (words := sampled_words(flow, flow.setup.x0)):
        return f"the motors are at their limit for {100 * share:.3g} % of the time: {words}"
    return ""


def _settings(setup: SimulationSetup, method: Method, asked: Simulate) -> dict[str, Any]:
    """What was simulated, in words and numbers; what does not apply is left out."""
    loop, sampling = setup.loop, setup.loop.sampling
    settings: dict[str, Any] = {
        "duration": setup.duration, "integrator": method.integrator, "step": method.step,
        **({"rtol": method.rtol, "atol": method.atol} if method.step is None else {}),
        "gravity": None if loop.gravity is None else list(loop.gravity), "loads": len(loop.loads) or None,
        "held": _held_words(setup) or None,
        "limits": asked.limits, "restitution": asked.restitution, "stiction_speed": loop.stiction_speed,
        "friction": _friction_words(setup) or None,
    }  # fmt: skip
    if sampling is not None:
        settings |= {"period": sampling.period, "resolution": list(sampling.resolution), "noise": list(sampling.noise)}
        settings |= {"seed": sampling.seed}
    settings["torque_limit"] = None if loop.limit is None else list(loop.limit)
    return {name: value for name, value in settings.items() if value is not None}


def _held_words(setup: SimulationSetup) -> str:
    """What the robot holds, and when."""
    payload, controller = setup.schedule.payload, setup.loop.controller
    if payload is None:
        return ", ".join(payload_words(setup.robot))
    own = controller is not None and controller.model is not None
    others = payload_words(setup.robot)[: -1 if payload.numbers[0, 0] else None]
    return ", ".join((*others, *payload.words)) + ("; the law's own model knows none of it" if own else "")


def _friction_words(setup: SimulationSetup) -> str:
    """The kind of friction, and whether the law compensates it; empty where there is none."""
    controller = setup.loop.controller
    if not setup.loop.axes.coulomb.any():
        return ""
    kind = "smoothed" if setup.loop.stiction_speed else "dry"
    if controller is None or not controller.compensates_friction:
        return f"{kind}, not compensated" if controller is not None or setup.function is not None else kind
    whose = "the robot's own" if controller.model is None else "the friction of its model"
    by_speed = ", by the measured speed" if setup.loop.sampling else ""
    return f"{kind}; the law compensates {whose}{by_speed}"


def _result(run: Run, settings: dict[str, Any], seconds: float) -> Simulation:
    flow, setup, monitor, parts = run.flow, run.flow.setup, run.monitor, run.flow.parts
    controller, record = setup.loop.controller, observe_snapshots(setup, run.snapshots)
    follows = controller is not None and controller.needs_goal
    kinetic, potential = record.energies.T
    motors, friction, loads = record.x[:, parts["work"]].T
    stops, held = (np.array([getattr(each, name) for each in run.snapshots]) for name in ("stops", "held"))
    # q and qd stay where the payload changes, which two snapshots show: the energy between them is the payload's.
    change = np.where(np.diff(held, prepend=held[0]) != 0, np.diff(kinetic + potential, prepend=0.0), 0.0)
    goal = setup.schedule.goal
    return Simulation(
        robot=setup.robot, times=np.array([each.time for each in run.snapshots]), q=record.x[:, parts["q"]],
        qd=record.x[:, parts["qd"]], qdd=record.qdd, tau=record.tau,
        goal=record.inputs[:, setup.loop.inputs.slices["goal_q"]] if follows else None,
        memory=record.x[:, parts["memory"]], signals=record.signals,
        energy=Energy(kinetic, potential, motors, friction, loads, stops, change.cumsum()),
        events=tuple(monitor.events),
        effort=Effort(run.integrator, run.steps, run.rejected, flow.evaluations or None, seconds), settings=settings,
        warnings=setup.warnings, ended=monitor.ended, control=_control_words(setup), controller=controller,
        payloads=setup.schedule.payload, methods=motion_methods(goal) if isinstance(goal, Trajectory) else (),
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
