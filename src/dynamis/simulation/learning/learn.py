"""`dynamis.learn`: what can be asked of iterative learning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.compute.quantities.arguments import Gravity
    from dynamis.motion.trajectories.trajectory import Trajectory
    from dynamis.robot import Robot
    from dynamis.simulation.learning.result import Learning as Learning
    from dynamis.simulation.learning.result import Trial


@verb
class Learn(Verb["Learning"]):
    """Learn the torque of a motion by repeated trials on the robot, with a model that may be wrong.

    Every trial adds to the torque what the PD loop had to add; it comes to the inverse dynamics of the robot. Errors
    are told trial by trial, then why it ended and which sufficient conditions hold.

    >>> import dynamis
    >>> arm, motion = dynamis.load("bar-2r"), dynamis.trajectories.quintic([-1.4, 2.8], [-0.5, 0.9], 1)
    >>> learned = dynamis.learn(arm, motion, first="zero", period=2e-3, trials=4)
    >>> learned.trials[-1].error < 1e-3 * learned.trials[0].error
    True
    """

    answer = "dynamis.simulation.learning.repeated_trials:run_trials"
    file = "dynamis.simulation.learning.task:load_learning"

    robot: Robot = option("the true plant", kind="robot")
    motion: Trajectory = option("the trajectory to learn", kind="python")
    _: KW_ONLY
    model: Robot | None = option(
        "the robot that the controller believes in; the plant itself if left out", default=None, kind="python"
    )
    mass_error: float = option(
        "error of all masses in the controller's model, if that is not given", "%", default=0.0, metavar="PERCENT"
    )
    mass_error_seed: int | None = option(
        "each mass and inertia too large or too small, by chance", default=None, least=0, metavar="SEED"
    )
    first: Any = option(
        "torque of the first trial: the inverse dynamics of the model, its gravity only, zero; or (times, torques)",
        default="model", choices="dynamis.simulation.learning.repeated_trials:FIRST", kind="name",
    )  # fmt: skip
    trials: int = option("maximum number of trials", default=20, least=1)
    period: float = option(
        "sampling period of the control, Tc: it holds u + K_P e + K_D ed over each", "s", default=1e-3,
        metavar="SECONDS",
    )  # fmt: skip
    step: float | None = option(
        "integration step of the plant with rk4, Ts <= Tc; Tc if left out, or the part of it that friction needs", "s",
        default=None, metavar="SECONDS",
    )  # fmt: skip
    kp: Any = option(
        "proportional gains: one for all joints, or one per joint; suggested by the mass matrix if left out",
        default=None, kind="numbers", metavar="K,...",
    )  # fmt: skip
    kd: Any = option("derivative gains, likewise", default=None, kind="numbers", metavar="K,...")
    law: str = option(
        "learning law: feedback (learn `gain` times what the PD loop added) or pd-type (lp e + ld ed)",
        default="feedback", choices="dynamis.simulation.learning.update:LAWS",
    )  # fmt: skip
    gain: float = option("learning gain of the law feedback", default=1.0)
    lp: Any = option("gains on e of the law pd-type", default=None, kind="numbers", metavar="L,...")
    ld: Any = option("gains on ed of the law pd-type", default=None, kind="numbers", metavar="L,...")
    ahead: int = option(
        "learn from the error this many samples later: 1 is the first one on which a torque acts; 0, the law as in "
        "continuous time, diverges after some twenty trials",
        default=1, least=0,
    )  # fmt: skip
    cutoff: float | None = option(
        "cut-off frequency of a zero-phase filter, against noise; no filter if left out", "Hz", default=None,
        metavar="HZ",
    )  # fmt: skip
    loads: Any = option("loads on links or tool, as of `simulate`", default=(), kind="python")
    gravity: Gravity = option("True for the robot's own, False, or a vector [m/s^2]", default=True, kind="gravity")
    payload: Any = option(
        "a `Payload` in the tool frame, or a point mass [kg], held all the time", default=None, kind="payload"
    )
    stiction_speed: float = option(
        "speed over which Coulomb friction grows", "rad/s or m/s", default=1e-3, metavar="SPEED"
    )
    torque_limit: Any = option(
        "saturation of the motors: a number, one per joint, or model for the robot's own", "N m or N", default=None,
        kind="numbers or model", metavar="T,...",
    )  # fmt: skip
    resolution: Any = option(
        "resolution of the encoders: a number or one per joint", "rad or m", default=None, kind="numbers",
        metavar="R,...",
    )  # fmt: skip
    noise: Any = option("standard deviation of measured q, and of qd", default=None, kind="numbers", metavar="SD[,SD]")
    seed: int = option("seed of the noise", default=0, least=0)
    tolerance: float = option("stop when all measured errors are below this", "rad or m", default=0.0)
    patience: int = option("stop after this many trials without improvement; 0: never", default=4, least=0)
    keep: str = option(
        "keep the best trial by its measured error, or by its torque: its distance from the analytic one, which only a "
        "simulation can tell",
        default="error", choices="dynamis.simulation.learning.convergence:KEEP",
    )  # fmt: skip
    progress: Callable[[str], None] | None = option(
        "is called with a line about what is done next", default=None, kind="python"
    )
    on_trial: Callable[[Trial], None] | None = option("is called with each trial", default=None, kind="python")


learn = function(Learn)
