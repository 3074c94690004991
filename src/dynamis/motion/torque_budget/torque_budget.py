"""`dynamis.torque_budget`: what can be asked of the torques of a motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.compute.quantities.arguments import Gravity
    from dynamis.motion.load_over_time import AnyLoad
    from dynamis.motion.torque_budget.result import TorqueBudget as TorqueBudget
    from dynamis.robot import Robot


@verb
class Budget(Verb["TorqueBudget"]):
    """The torque budget of a motion: what every joint must give, when, and why.

    Torques by effect (inertial, centrifugal, Coriolis, gravity, friction, rotor, loads), by link and by parameter;
    peaks, RMS, speeds, powers, energies; the loads on the bearings; the motion of the tool.

    >>> import dynamis, numpy as np
    >>> t = np.linspace(0, 1, 101)[:, None]
    >>> budget = dynamis.torque_budget(dynamis.load("bar-2r"), (t[:, 0], t * [1, 2], 0 * t + [1, 2], 0 * t * [1, 2]))
    >>> budget.sizing.peak_torque.round(2)
    array([9.81, 2.45])
    """

    answer = "dynamis.motion.torque_budget.budget_of_motion:budget_motion"
    file = "dynamis.motion.tasks.task:load_budget"

    robot: Robot = option("the robot", kind="robot")
    motion: Any = option(
        "anything with `duration` [s], `n` and `at(t)` that gives q, qd, qdd; or arrays (t, q, qd, qdd)", kind="python"
    )
    _: KW_ONLY
    loads: Sequence[AnyLoad] = option(
        "loads on the robot, a wrench at the tool among them; they may change in time (`LoadOverTime`)", default=(),
        kind="python",
    )  # fmt: skip
    tool: str | None = option(
        "frame whose motion is shown; the robot's tool if left out", default=None, file="frame", metavar="FRAME"
    )
    gravity: Gravity = option("True for the robot's own, False, or a vector [m/s^2]", default=True, kind="gravity")
    samples: int = option(
        "number of samples in equal steps, to which both sides of every jump of acceleration (`breaks`) or dry "
        "friction are added",
        default=1001, least=2, most=10_000_000, file="samples",
    )  # fmt: skip
    times: Any = option("times of the samples, instead of their number", "s", default=None, kind="python")
    keep: str | None = option(
        "what is kept of every sample: everything, sums (not each joint and pair of the velocity torques), totals (tau "
        "and gravity alone); if left out everything up to 256 MB, else totals",
        default=None, choices="dynamis.motion.torque_budget.budget_of_motion:KEEP",
    )  # fmt: skip
    threads: int | None = option("threads; as many as there are cores if left out", default=None, least=1)
    progress: Callable[[str], None] | None = option(
        "is called with a line about how far it is", default=None, kind="python"
    )
    payload: Any = option(
        "a `Payload` in the tool frame, or a point mass [kg]; one that comes and goes: a list of (from, until, "
        "Payload) [s]",
        default=None, kind="payload",
    )  # fmt: skip
    efficiency: Any = option(
        "efficiency of the gears, above 0 and up to 1: one for all joints, or one each; without losses if left out",
        default=None, kind="numbers", file="efficiency", metavar="E,...",
    )  # fmt: skip


torque_budget = function(Budget, "torque_budget")
