"""One fit: from recordings and settled choices to an identification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.arrays import Array
from dynamis.identification.fitting.cutoff import Choice
from dynamis.identification.fitting.factor import BLOCK
from dynamis.identification.fitting.folds import KEPT, ROBUST, Fit, Fold, fit, make_folds
from dynamis.identification.fitting.linear_model import LinearModel
from dynamis.identification.fitting.statistics import excitation
from dynamis.identification.judging.checks import check_amount, suspicions
from dynamis.identification.judging.elsewhere import torque_errors_elsewhere
from dynamis.identification.judging.residuals import Residuals, residuals
from dynamis.identification.logs.log import Recording
from dynamis.identification.logs.preparation import Preparation, pieces
from dynamis.identification.logs.time_stamps import TimeStamps
from dynamis.identification.physical.consistent_links import nearest_parameters
from dynamis.identification.physical.nearest_bodies import NEEDS, available
from dynamis.identification.result import Identification, PhysicalProblem
from dynamis.identification.verdict import JointErrors


@dataclass(frozen=True)
class Task:
    """What is fitted, and how."""

    model: LinearModel
    how: Preparation
    folds: int
    method: str
    physical: bool
    spread: float
    regions: Mapping[int, Array]


def identified(
    task: Task, logs: Sequence[Recording], held_out: Sequence[Recording], choices: tuple[Choice, ...]
) -> Identification:
    """The fit to `logs`, judged on the logs that are held out or on folds."""
    model, stamps = task.model, list[TimeStamps]()
    parts = _folds(task, logs, task.folds, stamps)
    check_amount(model, sum(fold.factor.samples for fold in parts))
    judged = _folds(task, held_out, 1, stamps) if held_out else []
    result = fit(parts, judged, task.method, model.K @ model.parameters(), len(logs) == 1)
    beta = result.whole.beta
    A, _ = result.factor.stacked(result.whole.weights)
    left = residuals(result)
    freedom = max(1.0, result.factor.samples - len(beta) / model.robot.n)
    variances = result.factor.squares(beta) / freedom * left.memory
    covariance = result.whole.covariance(result.factor, variances)
    said = suspicions(model, result.factor, [run for fold in parts for run in fold.runs], beta, covariance)
    parameters, physical, problem = nearest_parameters(model, beta), None, None
    why_not = NEEDS if not available() else "physically consistent parameters were not asked for"
    if task.physical:
        # A fit without error would weigh as much as infinitely many samples.
        torque = result.factor.torque_rms()
        floor = np.maximum(1e-4 * torque, 1e-9 * max(float(torque.max(initial=0.0)), 1e-300))
        weights = 1 / np.maximum(result.factor.rms(beta), floor)
        problem = PhysicalProblem(result.factor, weights, float(left.memory.mean()), task.spread, task.regions)
        physical = problem.solved(beta)
        parameters, why_not = physical.parameters, ""
        if _costs_much(physical.rms, result):
            said.append(
                "no bodies on this geometry have such torques: physically consistent parameters fit much worse; the "
                "log is of another robot, or its geometry or signs are wrong."
            )
    return Identification(
        model.robot, model, result, task.method, beta, covariance, parameters, physical, why_not, excitation(A),
        _errors(model, result, left, parameters, covariance), left, task.how, tuple(stamps), tuple(said), choices,
        problem=problem,
    )  # fmt: skip


def _folds(task: Task, logs: Sequence[Recording], folds: int, stamps: list[TimeStamps]) -> list[Fold]:
    keep = ROBUST if task.method == "robust" else KEPT
    return make_folds(task.model, [pieces(log, task.how, stamps) for log in logs], folds, keep)


def _errors(model: LinearModel, of: Fit, left: Residuals, parameters: Array, covariance: Array) -> JointErrors:
    links, gravity = parameters[: model.inertial], np.empty_like(left.q)
    for start in range(0, len(left.q), BLOCK):
        q = left.q[start : start + BLOCK]
        gravity[start : start + BLOCK] = model.robot.regressor(q, 0 * q, 0 * q) @ links
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
        torque_errors_elsewhere(model, (left.q, left.qd, left.qdd), covariance, [x.beta for x in of.blind]),
    )


def _costs_much(rms: Array, of: Fit) -> bool:
    """Whether the error of physically consistent parameters is twice that of the fit, and more than 5 % of a torque."""
    fitted, torque = of.factor.rms(of.whole.beta), of.factor.torque_rms()
    return bool(((rms > 2 * fitted) & (rms > 0.05 * torque)).any())


def _rms(x: Array) -> Array:
    return np.sqrt((x**2).mean(axis=0))
