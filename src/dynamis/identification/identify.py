"""`identify`: parameters from logs, judged on samples that the fit has not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arguments import flag, integer, number, per_joint, positive, real_values
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, DynamisError, check_name
from dynamis.identification.blas_threads import one_blas_thread
from dynamis.identification.checks import check_amount, check_log, suspicions
from dynamis.identification.cutoff import Choice, choose_cutoff
from dynamis.identification.estimators import METHODS
from dynamis.identification.folds import Fit, fit, make_folds
from dynamis.identification.linear_model import FRICTION, LinearModel, linear_model
from dynamis.identification.log import Log, read_logs
from dynamis.identification.physical import NEEDS, PhysicalFit, available, nearest_parameters, physical_fit
from dynamis.identification.preparation import Preparation, prepared
from dynamis.identification.residuals import Residuals, residuals
from dynamis.identification.result import Identification
from dynamis.identification.samples import Samples
from dynamis.identification.sensitivity import sensitivities
from dynamis.identification.signals import DIFFERENTIATION
from dynamis.identification.statistics import excitation
from dynamis.identification.time_stamps import TimeStamps
from dynamis.identification.verdict import JointErrors
from dynamis.library import require_robot

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
    folds: int = 5,
    friction: str | Sequence[str] = ("viscous", "coulomb", "offset"),
    rotor: bool | None = None,
    sign_speed: float = 0.0,
    cutoff: float | str | None = "auto",
    differentiation: str = "central",
    trim: float | None = None,
    decimate: int = 1,
    method: str = "weighted",
    physical: bool | None = None,
    spread: float = 1.0,
    com_boxes: Mapping[str, Any] | None = None,
    sensitivity: bool = False,
) -> Identification:
    """Masses, inertias and friction of a robot from logs of its motion and its torques.

    The geometry of the robot is taken as it is; its masses are compared with, and kept where the logs do not tell.

    data: a log or a list of logs, each a .csv, .parquet or .npz file, a DataFrame, or a mapping with t [s], q, tau and
        perhaps qd and qdd, (samples, n) each [rad or m, N m or N]
    columns: which column is what, as a mapping or as text: "t=time q=pos_* tau=effort_*", "t=1 q=2-7 current=14-19"
    gains: torque over motor current [N m/A or N/A], one per joint, where a log has currents
    degrees: whether angles are in degrees
    held_out: logs that are not fitted, only predicted; without them each log in turn, or stretches of a single one
    folds: how many stretches of a single log
    friction: terms per joint, of viscous, coulomb, offset and stribeck
    rotor: whether rotor inertias are identified; by default where the robot has some, or the log has currents
    sign_speed: v of tanh(qd / v) in the place of the sign in Coulomb friction [rad/s or m/s]
    cutoff: of the zero-phase filter [Hz]; None without one, "auto" for the one that predicts held-out torques best
    differentiation: central, savgol or spline, for what was not measured
    trim: what is left out at both ends of a run [s]; by default standstill and transients of the filter
    decimate: keep every so many samples
    method: weighted, ordinary, robust or total least squares
    physical: whether the standard parameters are made physically consistent; by default where Clarabel is installed
    spread: how wrong the given masses may be where the logs do not tell, relative to them
    com_boxes: for links by name the lowest and the highest CoM [m], ((x, y, z), (x, y, z)), in link axes
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
    terms = tuple(friction.replace(",", " ").split() if isinstance(friction, str) else friction)
    for term in terms:
        check_name("friction", term, FRICTION, key="friction")
    check_name("method", method, METHODS, key="method")
    check_name("differentiation", differentiation, DIFFERENTIATION, key="differentiation")
    if isinstance(cutoff, str):
        check_name("cutoff", cutoff, ("auto",), key="cutoff")
    elif cutoff is not None:
        positive("cutoff", cutoff, "Hz")
    if physical and not available():
        raise ArgumentError(NEEDS, key="physical")
    per_ampere = None if gains is None else per_joint("gains", gains, robot.n)
    logs = read_logs(robot, data, columns, per_ampere, flag("degrees", degrees))
    others = [] if held_out is None else read_logs(robot, held_out, columns, per_ampere, degrees)
    rotors = _has_rotors(robot) or logs[0].currents if rotor is None else flag("rotor", rotor)
    how = Preparation(
        cutoff if not isinstance(cutoff, str) else None,
        differentiation,
        None if trim is None else number("trim", trim, "s", least=0.0),
        integer("decimate", decimate),
    )
    with one_blas_thread():
        model = linear_model(robot, terms, rotors, number("sign_speed", sign_speed, "rad/s", least=0.0))
        for log in (*logs, *others):
            try:
                check_log(model, log)
            except DynamisError as error:
                raise error.at(log.name) from None
        start = model.K @ model.parameters()
        choices: tuple[Choice, ...] = ()
        if cutoff == "auto" and any(log.qd is None or log.qdd is None for log in logs):
            choices = choose_cutoff(model, logs, how, integer("folds", folds, 2, 1000), start)
            how = replace(how, cutoff=choices[0].cutoff)
        result = _identified(
            model, logs, others, how, integer("folds", folds, 2, 1000), method, start, choices,
            available() if physical is None else flag("physical", physical),
            positive("spread", spread), _boxes(robot, com_boxes),
        )  # fmt: skip
        if not flag("sensitivity", sensitivity):
            return result
        table = sensitivities(model, logs, how, folds, method, result.beta, result.standard_errors)
        return replace(result, sensitivities=tuple(table))


def _identified(
    model: LinearModel,
    logs: Sequence[Log],
    others: Sequence[Log],
    how: Preparation,
    folds: int,
    method: str,
    start: Array,
    choices: tuple[Choice, ...],
    physical: bool,
    spread: float,
    boxes: Mapping[str, tuple[Array, Array]],
) -> Identification:
    samples, stamps = _all_samples(logs, how)
    check_amount(model, sum(len(run) for runs in samples for run in runs))
    held, more = _all_samples(others, how) if others else ([], [])
    parts = make_folds(model, samples, folds)
    judged = make_folds(model, held, 1) if held else []
    result = fit(parts, judged, method, start, len(samples) == 1)
    beta = result.whole.beta
    A, _ = result.factor.stacked(result.whole.weights)
    left = residuals(result)
    freedom = max(1.0, result.factor.samples - len(beta) / model.robot.n)
    variances = result.factor.squares(beta) / freedom * left.memory
    covariance = result.whole.covariance(result.factor, variances)
    said = suspicions(model, result.factor, [run for runs in samples for run in runs], beta, covariance)
    nearest = nearest_parameters(model, beta)
    physical_part: PhysicalFit | None = None
    why_not = "" if physical else NEEDS if not available() else "physically consistent parameters were not asked for"
    if physical:
        # A fit without error would weigh as much as infinitely many samples.
        torque = result.factor.torque_rms()
        floor = np.maximum(1e-4 * torque, 1e-9 * max(float(torque.max(initial=0.0)), 1e-300))
        weights = 1 / np.maximum(result.factor.rms(beta), floor)
        physical_part = physical_fit(model, result.factor, weights, float(left.memory.mean()), spread, boxes)
    if physical_part is not None and _costs_much(physical_part.rms, result):
        said.append(
            "no bodies on this geometry have such torques: physically consistent parameters fit much worse; the log is "
            "of another robot, or its geometry or signs are wrong."
        )
    parameters = nearest if physical_part is None else physical_part.parameters
    errors = _errors(model, result, left, parameters)
    return Identification(
        model.robot, model, result, method, beta, covariance, parameters, physical_part, why_not,
        excitation(A), errors, left, how, (*stamps, *more), tuple(said), choices,
    )  # fmt: skip


def _all_samples(logs: Iterable[Log], how: Preparation) -> tuple[list[list[Samples]], list[TimeStamps]]:
    pairs = [prepared(log, how) for log in logs]
    return [runs for runs, _ in pairs], [stamps for _, stamps in pairs]


def _errors(model: LinearModel, of: Fit, left: Residuals, parameters: Array) -> JointErrors:
    zero = np.zeros_like(left.q)
    links = parameters[: model.inertial]
    gravity = model.robot.regressor(left.q, zero, zero) @ links
    given = None
    if model.parameters()[: model.inertial].any():
        given = _rms(left.tau - model.robot.inverse_dynamics(left.q, left.qd, left.qdd))
    return JointErrors(
        np.sqrt(of.torque_squares() / max(of.samples, 1)),
        left.tau.std(axis=0),
        np.sqrt(of.squares() / max(of.samples, 1)),
        np.sqrt(of.squares(True) / max(of.samples, 1)),
        of.factor.rms(of.whole.beta),
        _rms(left.tau - gravity),
        given,
    )


def _costs_much(rms: Array, of: Fit) -> bool:
    """Whether the error of physically consistent parameters is twice that of the fit, and more than 5 % of a torque."""
    fitted, torque = of.factor.rms(of.whole.beta), of.factor.torque_rms()
    return bool(((rms > 2 * fitted) & (rms > 0.05 * torque)).any())


def _rms(x: Array) -> Array:
    return np.sqrt((x**2).mean(axis=0))


def _has_rotors(robot: Robot) -> bool:
    vector = robot.parameter_vector().values[10 * len(robot.links) :]
    return bool(vector.reshape(-1, 3)[:, 0].any())


def _boxes(robot: Robot, boxes: Mapping[str, Any] | None) -> dict[str, tuple[Array, Array]]:
    checked: dict[str, tuple[Array, Array]] = {}
    for name, box in (boxes or {}).items():
        robot.link(name)
        corners = real_values("com_boxes", box)
        if corners.shape != (2, 3) or not (corners[0] <= corners[1]).all():
            raise ArgumentError(
                f'com_boxes of "{name}" must be a lowest and a highest point, ((x, y, z), (x, y, z)) [m]',
                key="com_boxes",
            )
        checked[name] = (corners[0], corners[1])
    return checked
