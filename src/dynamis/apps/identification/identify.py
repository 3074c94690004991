"""`identify`: parameters from logs, judged on samples that the fit has not seen."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.apps.identification.blas_threads import one_blas_thread
from dynamis.apps.identification.fitting.cutoff import Choice, choose_cutoff
from dynamis.apps.identification.fitting.estimators import METHODS
from dynamis.apps.identification.fitting.factor import Factor, combined
from dynamis.apps.identification.fitting.folds import make_folds
from dynamis.apps.identification.fitting.friction_speeds import with_friction_speeds
from dynamis.apps.identification.fitting.linear_model import FRICTION, LinearModel, linear_model
from dynamis.apps.identification.judging.checks import check_log
from dynamis.apps.identification.judging.sensitivity import sensitivities
from dynamis.apps.identification.logs.log import Recording, read_logs
from dynamis.apps.identification.logs.preparation import Preparation, pieces, prepared
from dynamis.apps.identification.logs.signals import DIFFERENTIATION
from dynamis.apps.identification.physical.com_regions import com_regions
from dynamis.apps.identification.physical.drive_gains import DriveGains, drive_gains
from dynamis.apps.identification.physical.nearest_bodies import NEEDS, available
from dynamis.apps.identification.physical.payload import (
    KnownPayload,
    PayloadFit,
    known_entries,
    payload_columns,
    payload_fit,
)
from dynamis.apps.identification.result import Identification
from dynamis.apps.identification.task import Task, identified
from dynamis.base.arguments import flag, integer, number, per_joint, positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError, check_name
from dynamis.base.faces import option
from dynamis.library import require_robot
from dynamis.model.fix_joints import fix_joints

if TYPE_CHECKING:
    from dynamis.robot import Robot


def identify(
    robot: Robot,
    data: Any,
    *,
    columns: Mapping[str, Any] | str | None = None,
    gains: Any = None,
    degrees: bool = False,
    held_out: Any = None,
    fixed: Mapping[str, float] | Sequence[str] | None = None,
    loaded: Any = None,
    payload: KnownPayload | None = None,
    folds: int = 5,
    friction: str | Sequence[str] = ("viscous", "coulomb", "offset"),
    rotor: bool | None = None,
    sign_speed: float | str = 0.0,
    cutoff: float | str | None = "auto",
    differentiation: str = "central",
    trim: float | None = None,
    decimate: int = 1,
    method: str = "weighted",
    physical: bool | None = None,
    spread: float = 1.0,
    com_inside: Mapping[str, Any] | None = None,
    sensitivity: bool = False,
) -> Identification:
    """Masses, inertias and friction of a robot from logs of its motion and its torques.

    The geometry of the robot is taken as it is; its masses are compared with, and kept where the logs do not tell.

    data: a log or a list of logs, each a .csv, .parquet or .npz file, a DataFrame, or a mapping with t [s], q, tau and
        perhaps qd and qdd, (samples, n) each [rad or m, N m or N]
    columns: which column is what, as a mapping or as text: "t=time q=pos_* tau=effort_*", "t=1 q=2-7 current=14-19"
    gains: torque over motor current [N m/A or N/A], one per joint, where a log has currents; "estimate" finds them with
        `loaded` logs and a known `payload`
    degrees: whether angles are in degrees
    held_out: logs that are not fitted, only predicted; without them each log in turn, or stretches of a single one
    fixed: joints that stood still and that the logs have no columns of: names, * for any letters, or a mapping of them
        to positions [rad or m] (default 0)
    loaded: logs of the same arm with a payload in its tool frame: two experiments tell its mass, CoM and inertia
    payload: what is known of that payload: its mass [kg], or a dynamis.Payload
    folds: how many stretches of a single log
    friction: terms per joint, of viscous, coulomb, offset and stribeck, whose speed is found
    rotor: whether rotor inertias are identified; by default where the robot has some, or the log has currents
    sign_speed: v of tanh(qd / v) in the place of the sign in Coulomb friction [rad/s or m/s]; "auto" finds it per joint
    cutoff: of the zero-phase filter [Hz]; None without one, "auto" for the one that predicts held-out torques best
    differentiation: central, savgol or spline, for what was not measured
    trim: what is left out at both ends of a run [s]; by default standstill and transients of the filter
    decimate: keep every so many samples
    method: weighted, ordinary, robust, total or instrumental least squares
    physical: whether the standard parameters are made physically consistent; by default where Clarabel is installed
    spread: how wrong the given masses may be where the logs do not tell, relative to them
    com_inside: for links by name where their CoM lies, in link axes [m]: two corners of a box ((x, y, z), (x, y, z)),
        points of a hull, or a mesh file
    sensitivity: whether to fit again with other cut-offs, trims, derivatives and time stamps

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
    require_robot(robot)
    whole = robot
    robot = fix_joints(robot, _positions(robot, fixed)) if fixed else robot
    terms = tuple(friction.replace(",", " ").split() if isinstance(friction, str) else friction)
    for term in terms:
        check_name("friction", term, FRICTION, key="friction")
    check_name("method", method, METHODS, key="method")
    check_name("differentiation", differentiation, DIFFERENTIATION, key="differentiation")
    if isinstance(cutoff, str):
        check_name("cutoff", cutoff, ("auto",), key="cutoff")
    elif cutoff is not None:
        positive("cutoff", cutoff, "Hz")
    if isinstance(sign_speed, str):
        check_name("sign_speed", sign_speed, ("auto",), key="sign_speed")
    if physical and not available():
        raise ArgumentError(NEEDS, key="physical")
    known = known_entries(robot, payload)
    estimated = _estimated(gains, loaded, known)
    per_ampere = np.ones(robot.n) if estimated else None if gains is None else per_joint("gains", gains, robot.n)
    logs, others, weighed = (
        [] if some is None and may_lack else read_logs(robot, some, columns, per_ampere, flag("degrees", degrees))
        for some, may_lack in ((data, False), (held_out, True), (loaded, True))
    )
    for one, other in itertools.combinations([*logs, *others, *weighed], 2):
        if one.same(other):
            raise ArgumentError(
                f"{one.name} and {other.name} are the same log; errors on samples that were fitted flatter", key="data"
            )
    rotors = _has_rotors(robot) or logs[0].first.currents if rotor is None else flag("rotor", rotor)
    how = Preparation(
        cutoff if not isinstance(cutoff, str) else None,
        differentiation,
        None if trim is None else number("trim", trim, "s", least=0.0),
        integer("decimate", decimate),
        method == "instrumental",
    )
    integer("folds", folds, 2, 1000)
    with one_blas_thread():
        speed = 0.0 if isinstance(sign_speed, str) else number("sign_speed", sign_speed, "rad/s", least=0.0)
        model = linear_model(robot, terms, rotors, speed)
        for log in (*logs, *others, *weighed):
            try:
                check_log(model, log.first)
            except DynamisError as error:
                raise error.at(log.name) from None
        choices: tuple[Choice, ...] = ()
        if cutoff == "auto" and any(log.first.qd is None or log.first.qdd is None for log in logs):
            choices = choose_cutoff(model, logs, replace(how, halves=False), folds, model.K @ model.parameters())
            how = replace(how, cutoff=choices[0].cutoff)
        drives = None
        if estimated:
            bare, heavy = (_whole_factor(model, some, replace(how, halves=False)) for some in (logs, weighed))
            drives = drive_gains(payload_columns(robot, model), bare, heavy, known)
            logs, others, weighed = (_with_gains(some, drives.values) for some in (logs, others, weighed))
        model = _with_speeds(model, logs, how, sign_speed == "auto")
        task = Task(
            model, how, folds, method, available() if physical is None else flag("physical", physical), bool(physical),
            positive("spread", spread), com_regions(robot, com_inside),
        )  # fmt: skip
        result = replace(identified(task, logs, others, choices), whole=whole if fixed else None)
        if drives is not None:
            # A residual that remembers counts as fewer samples.
            errors = drives.standard_errors * np.sqrt(result.residuals.memory)
            result = replace(result, gains=DriveGains(drives.values, errors))
        if weighed:
            result = replace(result, payload=_payload(task, weighed, result, known))
        if flag("sensitivity", sensitivity):
            table = sensitivities(model, logs, how, folds, method, result.beta, result.standard_errors)
            result = replace(result, sensitivities=tuple(table))
        return result


def _positions(robot: Robot, fixed: Mapping[str, float] | Sequence[str]) -> dict[str, float]:
    """The positions of joints by name; a name with * is all joints that it matches."""
    names = [joint.name for joint in robot.joints if not joint.coupling]
    positions: dict[str, float] = {}
    pairs = (
        fixed.items()
        if isinstance(fixed, Mapping)
        else [(name, 0.0) for name in ([fixed] if isinstance(fixed, str) else fixed)]
    )
    for pattern, value in pairs:
        matches = [name for name in names if fnmatchcase(name, pattern)] or [pattern]
        positions |= dict.fromkeys(matches, number(f"position of {pattern}", value, "rad"))
    return positions


def _estimated(gains: Any, loaded: Any, known: Mapping[int, float]) -> bool:
    """Whether drive gains are to be found; then there must be what sets their scale."""
    if not isinstance(gains, str):
        return False
    check_name("gains", gains, ("estimate",), key="gains")
    if loaded is None or not known:
        raise ArgumentError(
            "currents alone do not tell drive gains; give logs with a payload and its mass "
            f"({option('loaded', '...')}, {option('payload_mass', '...')})",
            key="gains",
        )
    return True


def _whole_factor(model: LinearModel, logs: Sequence[Recording], how: Preparation) -> Factor:
    parts = make_folds(model, [pieces(log, how, []) for log in logs], 1, 0)
    if not parts:
        raise ArgumentError(f"{logs[0].name} has no samples in which a joint moves", key="data")
    return combined([fold.factor for fold in parts])


def _with_gains(logs: Sequence[Recording], gains: Array) -> list[Recording]:
    return [log.changed(lambda piece: replace(piece, tau=piece.tau * gains)) for log in logs]


def _with_speeds(model: LinearModel, logs: Sequence[Recording], how: Preparation, sigmoid: bool) -> LinearModel:
    """The model with the speeds of its friction, found in the first pieces of the logs."""
    kinds = {drive.kind for drive in model.drives}
    wanted = [kind for kind in ("coulomb", "stribeck") if kind in kinds and (sigmoid or kind == "stribeck")]
    if wanted:
        runs = [run for log in logs for run in prepared(log.first, replace(how, halves=False))[0]]
        for kind in wanted:
            model = with_friction_speeds(model, runs, kind) if runs else model
    return model


def _payload(task: Task, logs: Sequence[Recording], of: Identification, known: dict[int, float]) -> PayloadFit:
    how = replace(task.how, halves=False)
    parts = make_folds(task.model, [pieces(log, how, []) for log in logs], task.folds, 0)
    if not parts:
        raise ArgumentError(f"{logs[0].name} has no samples in which a joint moves", key="loaded")
    K = payload_columns(task.model.robot, task.model)
    whole = of.fit.whole
    return payload_fit(K, of.fit.factor, parts, whole.weights, of.beta, of.residuals.memory, known, task.physical)


def _has_rotors(robot: Robot) -> bool:
    vector = robot.parameter_vector().values[10 * len(robot.links) :]
    return bool(vector.reshape(-1, 3)[:, 0].any())
