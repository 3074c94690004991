"""A run that diverges: when, where, and the likely cause."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError
from dynamis.compute.mechanics.friction import coulomb
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.runs.flow import Flow

if TYPE_CHECKING:
    from dynamis.simulation.results.result import Simulation

JUMPS = "something jumps, such as a control that switches: make it smooth, or use a fixed step=..."
STIFF_STEP = 1.0
"""Above this h times the fastest decay, stability and not accuracy keeps the steps of an explicit integrator short."""
SHORT_STEP = 1e-9
"""Shorter steps [s] come from a jump in the control; longer ones are only too many."""
MAX_ACCELERATION = 1e6
"""Accelerations [rad/s^2 or m/s^2] far above those of any robot."""
SLOW_START = 100.0
"""A robot slower than this [rad/s or m/s] when it diverges was in order before: the cause is there, not at t = 0."""
ENCODER_STEPS = 20
"""Encoder steps per difference quotient: rounding then changes the gain by a few percent."""


class BlowUpError(DynamisError):
    """A simulation that diverged or came to a halt; `partial` is the result until then."""

    def __init__(self, message: str, time: float, q: Array, qd: Array, cause: str) -> None:
        super().__init__(message)
        self.time, self.q, self.qd, self.cause = time, q, qd, cause
        self.partial: Simulation | None = None


def blow_up(
    flow: Flow, integrator: str, h: float, t: float, x: Array, start: Array, stuck: bool = False
) -> BlowUpError:
    """The error for a run whose last finite state is x at t; `start` is its first state.

    A run that is `stuck` did not grow: its steps became too short to come to an end.
    """
    q, qd = flow.state(x)
    cause = f"its steps are {h:.1g} s there; {_short_steps(flow, t, x, h)}" if stuck else ""
    cause = cause or _cause(flow, integrator, h, t, x, start)
    values = f"q = {_format_values(q)}, qd = {_format_values(qd)}"
    what = "is stuck at" if stuck else "blew up after"
    return BlowUpError(f"the simulation {what} t = {t:.6g} s, at {values}: {cause}", t, q, qd, cause)


def _short_steps(flow: Flow, t: float, x: Array, h: float) -> str:
    decay = fastest_decay(flow, x, t)
    if decay * h > STIFF_STEP:
        return f'the loop is stiff, with a mode that decays at {decay:.3g} 1/s; use integrator="radau" or lower gains'
    if h > SHORT_STEP:
        return f"it would take too many of them to reach {flow.setup.duration:g} s; simulate a shorter duration"
    return JUMPS


def _cause(flow: Flow, integrator: str, h: float, t: float, x: Array, start: Array) -> str:
    """The likely cause by the start; but by the end, where the robot was not yet fast when something began there."""
    qd = flow.parts["qd"]
    if t > 0 and np.abs(x[qd]).max() < SLOW_START * max(1.0, float(np.abs(start[qd]).max())):
        return likely_cause(flow, integrator, h, x, at=min(t + h, flow.setup.duration))
    return likely_cause(flow, integrator, h, start)


def likely_cause(flow: Flow, integrator: str, h: float, x: Array, finite: bool = False, at: float = 0.0) -> str:
    """What makes the loop diverge near a finite state x, by the eigenvalues of its linearisation there.

    `finite` is for a run that did not diverge but is wrong, which instability alone does not explain.
    """
    setup, parts = flow.setup, flow.parts
    flow.resting.clear()  # the run is over
    loop = setup.loop
    fed_back = loop.controller is not None or setup.function is not None
    fastest_start = float(np.abs(flow.rate(at, x)[parts["qd"]]).max())
    if not fed_back and fastest_start > MAX_ACCELERATION:
        return f"the torques or loads are too large: they accelerate a joint at {fastest_start:.3g} rad/s^2 or m/s^2"
    if integrator in FIXED and (words := _step_words(flow, integrator, h, x, at)):
        return words
    values: Any = np.linalg.eigvals(_rates(flow, x, at))
    if words := sampled_words(flow, x, at):
        return words
    growing = float(values.real.max())
    if fed_back and not finite and growing > 1e-6 * max(1.0, float(np.abs(values).max())):
        of = f"at t = {at:.3g} s" if at else "of the start"
        return f"the loop is unstable: a disturbance {of} grows as exp({growing:.3g} t); look at the gains"
    if integrator in FIXED:
        return f"the step of {h:g} s is too large for this motion; use a smaller one"
    return "the torques, the speeds or the gains are too large for this accuracy"


def sampled_words(flow: Flow, x: Array, at: float = 0.0) -> str:
    """A sentence about gains that are too high for the control's period, near x or the goal; else empty."""
    setup, sampling, two_n = flow.setup, flow.setup.loop.sampling, 2 * flow.setup.robot.n
    if sampling is None or (setup.loop.controller is None and setup.function is None):
        return ""
    states = [x]
    if setup.loop.controller is not None and setup.loop.controller.needs_goal:
        inputs, slices = setup.schedule.inputs(np.array([at]))[0], setup.loop.inputs.slices
        states.append(x.copy())  # at the start motors may be at their limits, where gains do nothing
        states[1][:two_n] = np.concatenate([inputs[slices["goal_q"]], inputs[slices["goal_qd"]]])
    radius = max(_sampled_radius(flow, y, sampling.period, at) for y in states)
    if radius <= 1 + 1e-6:
        return ""
    return (
        f"the gains are unstable with a period of {sampling.period:g} s: from sample to sample a disturbance grows "
        f"{radius:.3g} times; use smaller gains or a shorter period"
    )


def fastest_decay(flow: Flow, x: Array, at: float) -> float:
    """The rate [1/s] of the mode that decays fastest near x, if it is the fastest of all; else 0."""
    values: Any = np.linalg.eigvals(_rates(flow, x, at))
    mode = complex(values[np.abs(values).argmax()])
    return -mode.real if mode.real < -0.7 * abs(mode) else 0.0


def _rates(flow: Flow, x: Array, at: float) -> Array:
    """d(qd, qdd) / d(q, qd) at x, the torque of a sample held."""
    two_n = 2 * flow.setup.robot.n
    return _jacobian(lambda y: flow.rate(at, y), x)[:two_n, :two_n]


def _step_words(flow: Flow, integrator: str, h: float, x: Array, at: float) -> str:
    """A sentence about a step that is too large for the integrator; else empty."""
    still = x.copy()
    still[flow.parts["qd"]] = 0.0  # where Coulomb friction is steepest
    reach = FIXED[integrator].reach
    words = ""
    for state in (still, x):
        values: Any = np.linalg.eigvals(_rates(flow, state, at))
        mode = complex(values[np.abs(values).argmax()])
        fastest = abs(mode)
        if h * fastest <= reach or (flow.setup.function is not None and mode.real > 0.5 * fastest):
            continue  # a function that feeds a mode is not helped by a smaller step
        needed = reach / fastest
        if _is_friction(flow, fastest):
            return (
                f"Coulomb friction is stiff: it changes within {flow.setup.loop.stiction_speed:g} of speed, a mode of "
                f"{fastest:.3g} 1/s, and {integrator} needs a step below {needed:.2g} s; use a smaller step, a larger "
                'stiction_speed or integrator="radau"'
            )
        words = (
            f"the step is too large: the fastest mode is {fastest:.3g} 1/s and {integrator} needs a step below "
            f"{needed:.2g} s, it was {h:g} s"
        )
    return words


def _is_friction(flow: Flow, fastest: float) -> bool:
    """Whether the fastest mode is Coulomb's: its damping near standstill exceeds what else acts on velocities."""
    m = flow.robot
    v = flow.setup.loop.stiction_speed
    if not v:
        return False
    inverse = np.diag(m.inverse_mass_matrix(np.zeros(m.n)))
    of_friction = float((np.array(coulomb(m)) / v * inverse).max(initial=0.0))
    return of_friction > 0.5 * fastest


def _sampled_radius(flow: Flow, x: Array, period: float, at: float) -> float:
    """How much a disturbance grows from sample to sample, in the linearised loop with the torque held."""
    n, parts = flow.setup.robot.n, flow.parts
    noise = np.zeros(2 * n)

    def torque(y: Array) -> Array:
        z = x.copy()
        z[: 2 * n] = y
        return flow.sample(at, z, noise)[parts["held"]]

    def acceleration(tau: Array) -> Array:
        z = x.copy()
        z[parts["held"]] = tau
        return flow.rate(at, z)[parts["qd"]]

    sampling = flow.setup.loop.sampling
    steps_of_encoders = np.concatenate([sampling.resolution if sampling else np.zeros(n), np.zeros(n)])
    K = _jacobian(torque, x[: 2 * n], ENCODER_STEPS * steps_of_encoders)
    B = np.vstack([np.zeros((n, n)), _jacobian(acceleration, x[parts["held"]])])
    joint = np.zeros((3 * n, 3 * n))
    joint[: 2 * n, : 2 * n], joint[: 2 * n, 2 * n :] = _rates(flow, x, at), B
    steps: Any = import_module("scipy.linalg").expm(joint * period)
    closed: Array = steps[: 2 * n, : 2 * n] + steps[: 2 * n, 2 * n :] @ K
    return float(np.abs(np.linalg.eigvals(closed)).max())


def _jacobian(function: Callable[[Array], Array], x: Array, least: Array | None = None) -> Array:
    """By central differences, over `least` at least."""
    columns: list[Array] = []
    for k in range(len(x)):
        d = max(1e-6 * max(1.0, abs(x[k])), 0.0 if least is None else float(least[k]))
        e = np.zeros(len(x))
        e[k] = d
        columns.append((function(x + e) - function(x - e)) / (2 * d))
    return np.stack(columns, axis=-1)


def _format_values(values: Array) -> str:
    numbers = ", ".join(f"{x:.4g}" for x in values[:8])
    return f"[{numbers}{', ...' if len(values) > 8 else ''}]"
