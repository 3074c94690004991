"""`dynamis.identify`: what can be asked of logs of a robot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.apps.identification.physical.payload import KnownPayload
    from dynamis.apps.identification.result import Identification as Identification
    from dynamis.robot import Robot


@verb
class Identify(Verb["Identification"]):
    """Identify masses, inertias and friction of a robot from logs of its motion and its torques.

    Base parameters with standard errors, errors on samples that the fit has not seen, and what to trust. The geometry
    of the robot is taken as it is; its masses are compared with, and kept where the logs do not tell.

    >>> import dynamis
    >>> import numpy as np
    >>> arm = dynamis.load("bar-2r")
    >>> w, t = np.array([1.0, 1.7]), np.linspace(0, 10, 2001)
    >>> q, qd, qdd = np.sin(np.outer(t, w)), w * np.cos(np.outer(t, w)), -(w**2) * np.sin(np.outer(t, w))
    >>> log = {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": arm.inverse_dynamics(q, qd, qdd)}
    >>> result = dynamis.identify(arm, log, friction=())
    >>> dict(zip(result.names, (result.beta.round(4) + 0).tolist()))
    {'mx1': 0.75, 'my1': 0.0, 'Izz1': 0.3333, 'mx2': 0.25, 'my2': 0.0, 'Izz2': 0.0833}
    """

    answer = "dynamis.apps.identification.from_logs:identify_from_logs"

    robot: Robot = option("the robot", kind="robot")
    data: Any = option(
        "a log or several: .csv, .parquet or .npz files; in Python also DataFrames, and mappings with t [s], q, tau "
        "and perhaps qd and qdd, (samples, n) each [rad or m, N m or N]",
        kind="files", flag="logs", metavar="LOG...",
    )  # fmt: skip
    _: KW_ONLY
    columns: Mapping[str, Any] | str | None = option(
        'which column is what: "t=time q=pos_* tau=effort_*", or by number "t=1 q=2-7 qd=8-13 current=14-19"; in '
        "Python also a mapping",
        default=None, metavar="MAP",
    )  # fmt: skip
    gains: Any = option(
        "torque over motor current, one per joint, where a log has currents; estimate finds them with loaded logs and "
        "a known payload",
        "N m/A or N/A", default=None, kind="numbers or estimate", metavar="K,...",
    )  # fmt: skip
    degrees: bool = option("angles of the logs are in degrees", default=False)
    held_out: Any = option(
        "a log or several that are predicted, not fitted; if left out each log in turn, or stretches of a single one",
        default=None, kind="files", metavar="LOG",
    )  # fmt: skip
    fixed: Mapping[str, float] | Sequence[str] | None = option(
        'joints that stood still and that the logs have no columns of: names, "hand_*" for many, with their positions '
        "[rad or m], 0 where there is none",
        default=None, kind="positions", metavar="JOINT[=Q]",
    )  # fmt: skip
    loaded: Any = option(
        "a log or several of the same arm with a payload in its tool frame: two experiments tell its mass, CoM and "
        "inertia",
        default=None, kind="files", metavar="LOG",
    )  # fmt: skip
    payload: KnownPayload | None = option(
        "mass of that payload, where it is known [kg]; in Python also a `Payload`", default=None, least=0,
        kind="number", flag="payload_mass", metavar="KG",
    )  # fmt: skip
    folds: int = option("stretches of a single log, each held out once", default=5, least=2, most=1000)
    friction: str | Sequence[str] = option(
        "friction terms per joint, of viscous, coulomb, offset, stribeck, whose speed is found, and spring (a joint "
        "that has one has that term in any case, and its rest stays as given); or none",
        default=("viscous", "coulomb", "offset"), kind="names", metavar="TERMS",
        choices="dynamis.apps.identification.fitting.linear_model:FRICTION",
    )  # fmt: skip
    rotor: bool | None = option(
        "identify rotor inertias; if left out where the robot has some, or the log has currents", default=None
    )
    sign_speed: float | str = option(
        "speed v of tanh(qd/v) in the place of the sign in Coulomb friction, 0 for the sign; auto finds it per joint",
        "rad/s or m/s", default=0.0, kind="number or auto", metavar="SPEED",
    )  # fmt: skip
    cutoff: float | str | None = option(
        "cut-off frequency of the zero-phase filter; auto for the one that predicts held-out torques best, none for no "
        "filter",
        "Hz", default="auto", kind="number, auto or none", metavar="HZ",
    )  # fmt: skip
    differentiation: str = option(
        "derivatives that were not measured: central, savgol or spline", default="central",
        choices="dynamis.apps.identification.logs.signals:DIFFERENTIATION",
    )  # fmt: skip
    trim: float | None = option(
        "time left out at both ends of every run; that of standstill and of transients of the filter if not given", "s",
        default=None, least=0, metavar="SECONDS",
    )  # fmt: skip
    decimate: int = option("keep every so many samples", default=1, least=1)
    method: str = option(
        "least squares: weighted (by joint), ordinary, robust (Huber), total or instrumental", default="weighted",
        choices="dynamis.apps.identification.fitting.estimators:METHODS",
    )  # fmt: skip
    physical: bool | None = option(
        "physically consistent links, with Clarabel; if left out where that is installed", default=None
    )
    spread: float = option(
        "how wrong the given masses may be where the logs do not tell; 1 is 100 %", default=1.0, least=1e-6
    )
    com_inside: Mapping[str, Any] | None = option(
        "for links by name where their CoM lies, in link axes [m]: in the hull of a mesh file; in Python also two "
        "corners of a box ((x, y, z), (x, y, z)), or points of a hull",
        default=None, kind="meshes", metavar="LINK=MESH",
    )  # fmt: skip
    sensitivity: bool = option("fit again with other cut-offs, trims, derivatives and time stamps", default=False)
    progress: Callable[[str], None] | None = option(
        "is called with a line about what is done next", default=None, kind="python"
    )


identify = function(Identify)
