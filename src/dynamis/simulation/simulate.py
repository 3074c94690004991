"""`dynamis.simulate`: what can be asked of one run of one robot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any, Self

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.compute.quantities.arguments import Gravity
    from dynamis.robot import Robot
    from dynamis.simulation.results.result import Simulation as Simulation
    from dynamis.simulation.runs.events import EventFunction
    from dynamis.simulation.runs.run import Snapshot


@verb
class Simulate(Verb["Simulation"]):
    """How a robot moves: free, under torques, or under a controller.

    Positions, velocities, torques, the energy balance, what happened on the way, and how long the result can be
    trusted. For a controller, which sufficient conditions for its stability hold.

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> run = dynamis.simulate(arm, [0.5, 0.3], duration=2)
    >>> run.energy.drift < 1e-8
    True
    """

    answer = "dynamis.simulation.one_run:run_simulation"
    file = "dynamis.simulation.task:load_simulation"

    robot: Robot = option("the robot, with numbers for its parameters", kind="robot")
    q0: Any = option("initial joint values (n)", "rad or m", file="start.q", kind="joints")
    qd0: Any = option(
        "initial joint velocities (n), zero if left out", "rad/s or m/s", default=None, file="start.qd", kind="joints"
    )
    control: Any = option(
        "None for no torques; torques (n) [N m or N]; (times, torques) or `TorqueSamples`; a controller such as "
        "`PDGravity(kp, kd)`; or a function (t, q, qd) -> torques",
        default=None, kind="python",
    )  # fmt: skip
    duration: float | None = option(
        "duration; that of the goal if left out, if it is a trajectory", "s", default=None, file="duration",
        metavar="SECONDS",
    )  # fmt: skip
    _: KW_ONLY
    goal: Any = option(
        "goal of a controller: joint values (n) or a trajectory", default=None, file="control.goal", kind="joints"
    )
    integrator: str | None = option(
        "integrator: dop853, rk45 or, for stiff loops, radau choose their steps; rk4 and symplectic have a fixed one. "
        "If left out dop853, and radau from where the loop turns out to be stiff; with a step rk4",
        default=None, file="integrator.kind",
        choices="dynamis.simulation.runs.adaptive:ADAPTIVE dynamis.simulation.loop.integrators:FIXED",
    )  # fmt: skip
    step: float | None = option(
        "step of rk4 and symplectic", "s", default=None, file="integrator.step", metavar="SECONDS"
    )
    rtol: float = option("relative tolerance of dop853, rk45 and radau", default=1e-11, file="integrator.rtol")
    atol: float = option("absolute tolerance of dop853, rk45 and radau", default=1e-12, file="integrator.atol")
    loads: Any = option("loads on links or tool; some may be `LoadOverTime`", default=(), kind="python")
    payload: Any = option(
        "a `Payload` in the tool frame, or a point mass [kg]; one that comes and goes: a list of (from, until, "
        "Payload) [s]. It is grasped and released at the velocity of the tool, with a fixed step where the nearest "
        "step begins",
        default=None, kind="payload",
    )  # fmt: skip
    gravity: Gravity = option("True for the robot's own, False, or a vector [m/s^2]", default=True, kind="gravity")
    stiction_speed: float = option(
        "0 for dry Coulomb friction: joints stick where it holds them. With v > 0 it is smoothed, "
        "qd / sqrt(qd^2 + v^2), also where the law compensates it",
        "rad/s or m/s", default=0.0, file="integrator.stiction_speed", metavar="SPEED",
    )  # fmt: skip
    limits: str = option(
        "at the limit of a joint: mechanical stops (stop), end of the run (end), or ignore", default="stop",
        file="limits.kind", choices="dynamis.simulation.runs.events:POLICIES",
    )  # fmt: skip
    restitution: float = option(
        "restitution of the stops: 0 takes all speed, 1 is elastic", default=0.0, file="limits.restitution"
    )
    events: EventFunction | Sequence[EventFunction] = option(
        "functions (t, q, qd) -> number, whose zeros are found. `terminal = True` on one ends the run, `direction` 1 "
        "or -1 is the sense in which zero is crossed",
        default=(), kind="python",
    )  # fmt: skip
    torque_limit: Any = option(
        "saturation of the motors: a number, one per joint, or model for the robot's own", "N m or N", default=None,
        file="control.torque_limit", kind="numbers or model", metavar="T,...",
    )  # fmt: skip
    period: float | None = option(
        "period of a sampled control: it measures, then holds its torque until the next sample; continuous if left out",
        "s", default=None, file="control.period", metavar="SECONDS",
    )  # fmt: skip
    resolution: Any = option(
        "resolution of the encoders of a sampled control: a number or one per joint; exact if left out", "rad or m",
        default=None, file="control.resolution", kind="numbers", metavar="R,...",
    )  # fmt: skip
    noise: Any = option(
        "standard deviation of measured q and qd, one number or two; none if left out", default=None,
        file="control.noise", kind="numbers", metavar="SD[,SD]",
    )  # fmt: skip
    seed: int = option("seed of the noise", default=0, least=0, file="control.seed")
    samples: int = option("number of samples to keep", default=1001, least=2, most=10_000_000, file="samples")
    seconds: float | None = option(
        "time limit of the computation, after which the run until then is kept; none if left out", "s", default=None,
        least=0, file="seconds", metavar="SECONDS",
    )  # fmt: skip
    check: bool | str = option(
        "True: run again with other tolerances or half the step; the name of an integrator: with that one. `accuracy` "
        "of the result then says until when both runs agree, and a warning where they do not",
        default=False, kind="check",
    )  # fmt: skip
    progress: Callable[[str], None] | None = option(
        "is called with a line about how far the run is", default=None, kind="python"
    )
    listen: Callable[[Snapshot], object] | None = option(
        "is called as the run goes with a `Snapshot` for every instant that the result holds: its time, q, qd, tau, "
        "and the events since the one before. An exception in it ends the run",
        default=None, kind="python",
    )  # fmt: skip

    def changed(self, **changes: Any) -> Self:
        """An integrator that chooses its steps drops the step that the file of the run has."""
        from dynamis.simulation.runs.adaptive import ADAPTIVE

        drops = changes.get("integrator") in ADAPTIVE and "step" not in changes
        return super().changed(**changes, **({"step": None} if drops else {}))


simulate = function(Simulate)
