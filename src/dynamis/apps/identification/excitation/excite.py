"""`dynamis.identification.excite`: what can be asked of a motion that tells the parameters of a robot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.apps.identification.excitation.result import ExcitingMotion as ExcitingMotion
    from dynamis.robot import Robot


@verb
class Excite(Verb["ExcitingMotion"]):
    """Find an exciting motion: the one whose torques tell masses, inertias and friction best, within limits.

    Periodic, from rest to rest. It says what it tells badly, and which limits hold it back. Limits are those of the
    robot's file unless they are given: one number for all joints, or one per joint. Ctrl-C ends the search, and keeps
    the best motion so far.

    >>> import dynamis
    >>> motion = dynamis.identification.excite(dynamis.load("bar-2r"), velocity=2, acceleration=8, iterations=30)
    >>> motion.excitation.rank == len(motion.model.base), bool((abs(motion.trajectory.at(0.0)[1]) == 0).all())
    (True, True)
    """

    answer = "dynamis.apps.identification.excitation.exciting_motion:find_exciting_motion"

    robot: Robot = option("the robot", kind="robot")
    _: KW_ONLY
    criterion: str = option(
        "criterion: determinant of what the torques tell (D-optimal: the smallest standard errors together), condition "
        "(number of the base regressor in SI units), or balanced between the two",
        default="balanced", choices="dynamis.apps.identification.excitation.information:CRITERIA",
    )  # fmt: skip
    curve: str = option(
        "curve: fourier series, or spline with 2 harmonics + 1 pieces", default="fourier",
        choices="dynamis.apps.identification.excitation.curves:CURVES",
    )  # fmt: skip
    harmonics: int = option("harmonics of the series", default=5, least=1, most=100)
    period: float = option("period of the motion", "s", default=10.0, metavar="SECONDS")
    periods: int = option("how often it is repeated, between a ramp from rest and one to rest", default=1, least=1)
    rate: float = option("samples per second", "Hz", default=100.0, metavar="HZ")
    lower: Any = option("lowest positions, one per joint", "rad or m", default=None, kind="numbers", metavar="Q,...")
    upper: Any = option("highest positions, one per joint", "rad or m", default=None, kind="numbers", metavar="Q,...")
    velocity: Any = option(
        "velocity limits, one per joint or one for all", "rad/s or m/s", default=None, kind="numbers", metavar="V,..."
    )
    acceleration: Any = option(
        "acceleration limits, likewise", "rad/s^2 or m/s^2", default=None, kind="numbers", metavar="A,..."
    )
    torque: Any = option("torque limits, likewise", "N m or N", default=None, kind="numbers", metavar="T,...")
    box: Any = option(
        "lowest and highest corner of the region of the tool, ((x, y, z), (x, y, z)); inf for an open side", "m",
        default=None, kind="box", metavar="X,Y,Z,X,Y,Z",
    )  # fmt: skip
    planes: Any = option(
        "planes (nx, ny, nz, d): the tool stays where n.p >= d [m]", default=None, kind="planes", flag="plane",
        metavar="NX,NY,NZ,D",
    )  # fmt: skip
    frame: str = option("frame whose origin keeps box and planes", default="tool")
    friction: str | Sequence[str] = option(
        "friction terms that are identified besides the links, of viscous, coulomb and offset; or none",
        default=("viscous", "coulomb", "offset"), kind="names", metavar="TERMS",
        choices="dynamis.apps.identification.excitation.exciting_motion:TERMS",
    )  # fmt: skip
    rotor: bool = option("rotor inertias are identified, too", default=False)
    iterations: int = option("iterations of the search", default=300, least=0)
    seed: int = option("seed of its random starts", default=0, least=0)
    progress: Callable[[str], None] | None = option(
        "is called with a line about how far the search is", default=None, kind="python"
    )


excite = function(Excite)
