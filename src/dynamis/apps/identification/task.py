"""One fit: from recordings and settled choices to an identification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.cutoff import Choice
from dynamis.apps.identification.fitting.folds import MAX_KEPT_SAMPLES, MAX_ROBUST_SAMPLES, Fit, Fold, fit, make_folds
from dynamis.apps.identification.fitting.linear_model import BLOCK_SAMPLES, LinearModel
from dynamis.apps.identification.fitting.statistics import excitation
from dynamis.apps.identification.joint_errors import JointErrors
from dynamis.apps.identification.judging.against_given import compare_torques
from dynamis.apps.identification.judging.checks import Estimated, check_amount, looked_at, suspicions, swapped_torques
from dynamis.apps.identification.judging.distance import distance
from dynamis.apps.identification.judging.elsewhere import elsewhere
from dynamis.apps.identification.judging.late import late
from dynamis.apps.identification.judging.residuals import Residuals, residuals
from dynamis.apps.identification.judging.small_mistakes import small_mistakes
from dynamis.apps.identification.judging.turned_joints import turned_joints
from dynamis.apps.identification.judging.unchecked import unchecked_notes
from dynamis.apps.identification.judging.unmodelled import unmodelled
from dynamis.apps.identification.logs.log import Recording
from dynamis.apps.identification.logs.preparation import Preparation, pieces
from dynamis.apps.identification.logs.time_stamps import TimeStamps
from dynamis.apps.identification.physical.consistent_links import nearest_parameters
from dynamis.apps.identification.physical.nearest_bodies import NEEDS, available
from dynamis.apps.identification.result import Identification, PhysicalProblem
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

GRAVITY_SAMPLES = 20_000
"""Samples whose gravity torques are compared."""


@dataclass(frozen=True)
class Task:
    """What is fitted, and how."""

    model: LinearModel
    how: Preparation
    folds: int
    method: str
    physical: bool
    asked: bool
    """Whether it is an error that no physically consistent parameters are found."""
    spread: float
    regions: Mapping[int, Array]


def identified(
    task: Task, logs: Sequence[Recording], held_out: Sequence[Recording], choices: tuple[Choice, ...]
) -> Identification:
    """The fit to `logs`, judged on the logs that are held out or on folds."""
    model, stamps = task.model, list[TimeStamps]()
    parts = _folds(task, logs, task.folds, stamps)
    check_amount(model, sum(fold.factor.samples for fold in parts), [log.first for log in logs])
    judged = _folds(task, held_out, 1, stamps) if held_out else []
    result = fit(parts, judged, task.method, model.K @ model.parameters(), len(logs) == 1)
    beta = result.whole.beta
    A, _ = result.factor.stacked(result.whole.weights)
    left = residuals(result)
    freedom = max(1.0, result.factor.samples - len(beta) / model.robot.n)
    variances = result.factor.squares(beta) / freedom * left.memory
    covariance = result.whole.covariance(result.factor, variances)
    estimated = Estimated(beta, covariance, [x.beta for x in result.blind])
    parameters, physical, problem = nearest_parameters(model, beta), None, None
    why_not = NEEDS if not available() else "physically consistent parameters were not asked for"
    if task.physical:
        # A fit without error would weigh as much as infinitely many samples.
        torque = result.factor.torque_rms()
        floor = np.maximum(1e-4 * torque, 1e-9 * max(float(torque.max(initial=0.0)), 1e-300))
        weights = 1 / np.maximum(result.factor.rms(beta), floor)
        problem = PhysicalProblem(result.factor, weights, float(left.memory.mean()), task.spread, task.regions)
        try:
            physical = problem.solved(beta)
            parameters, why_not = physical.parameters, ""
        except ArgumentError as error:
            if task.asked or task.regions:
                raise
            problem, why_not = None, error.message
    runs = [run for fold in parts for run in fold.runs]
    errors = _errors(model, result, left, parameters, estimated, unmodelled(model, beta, left, runs))
    blind = bool(errors.blind.any())
    motion, tau = looked_at(runs)
    given = compare_torques(model, motion, tau) if model.parameters()[: model.inertial].any() else None
    said = suspicions(model, result.factor, motion, tau, estimated, given, blind)
    not_told, mistakes = list[str](), None
    remarks = distance(model, parameters if physical is None else physical.parameters, given)
    if not blind:
        if not said and physical is not None and _costs_much(physical.rms, result):
            said.append(
                "no bodies on this geometry have such torques: physically consistent parameters fit much worse; the "
                "log is of another robot, or its geometry or signs are wrong."
            )
        mistakes, names = small_mistakes(model, runs), model.joint_names
        turned = turned_joints(model, motion, tau, errors.shares) or swapped_torques(result.factor, names)
        delayed = [] if turned else late(model, runs)
        if turned or delayed:
            said = [*turned, *said, *delayed]
        else:
            said += dict.fromkeys(one.sentence(names) for one in mistakes.found if one.doubts)
            small = [one.sentence(names) for one in mistakes.found if not one.doubts]
            small += [] if said else mistakes.elsewhere(names)
            remarks = [*(text[0].upper() + text[1:] for text in small), *remarks]
        not_told += unchecked_notes(model, mistakes.left, motion, given)
    return Identification(
        given=model.robot, model=model, fit=result, method=task.method, beta=beta, covariance=covariance,
        parameters=parameters, physical=physical, no_physical=why_not, excitation=excitation(A), errors=errors,
        residuals=left, preparation=task.how, stamps=tuple(stamps), suspicions=tuple(said), unchecked=tuple(not_told),
        remarks=tuple(remarks), mistakes=mistakes, choices=choices, problem=problem,
    )  # fmt: skip


def _folds(task: Task, logs: Sequence[Recording], folds: int, stamps: list[TimeStamps]) -> list[Fold]:
    keep = MAX_ROBUST_SAMPLES if task.method == "robust" else MAX_KEPT_SAMPLES
    return make_folds(task.model, [pieces(log, task.how, stamps) for log in logs], folds, keep)


def _errors(
    model: LinearModel, of: Fit, left: Residuals, parameters: Array, estimated: Estimated, lacking: Array
) -> JointErrors:
    few = slice(None, None, max(1, len(left.q) // GRAVITY_SAMPLES))
    q, links = left.q[few], parameters[: model.inertial]
    gravity = np.concatenate([
        model.robot.regressor(x, 0 * x, 0 * x) @ links for x in np.array_split(q, max(1, len(q) // BLOCK_SAMPLES))
    ])  # fmt: skip
    others = elsewhere(model, (left.q, left.qd, left.qdd), estimated.covariance, estimated.blind)
    return JointErrors(
        np.sqrt(of.torque_squares() / max(of.samples, 1)),
        left.tau.std(axis=0),
        np.sqrt(of.squares() / max(of.samples, 1)),
        np.sqrt(of.squares(True) / max(of.samples, 1)),
        of.factor.rms(of.whole.beta),
        _rms(left.tau[few] - gravity),
        _given_robot_errors(model, of, left),
        others.error,
        others.ratio,
        lacking,
    )


def _given_robot_errors(model: LinearModel, of: Fit, left: Residuals) -> Array | None:
    """RMS errors of the robot as it was given; None where it has no masses."""
    parameters = model.parameters()
    if not parameters[: model.inertial].any():
        return None
    drives = model.robot.parameter_vector().values[model.inertial :]
    if np.count_nonzero(drives) > np.count_nonzero(parameters[model.inertial :]):  # friction that is not fitted
        return _rms(left.tau - model.robot.inverse_dynamics(left.q, left.qd, left.qdd))
    beta = model.K @ parameters
    return np.sqrt(np.sum([fold.factor.squares(beta) for fold in of.judged], axis=0) / max(of.samples, 1))


def _costs_much(rms: Array, of: Fit) -> bool:
    """Whether the error of physically consistent parameters is twice that on held-out samples, and 5 % of a torque.

    A short log is fitted far better than predicted.
    """
    held_out, torque = np.sqrt(of.squares() / max(of.samples, 1)), of.factor.torque_rms()
    return bool(((rms > 2 * np.maximum(held_out, of.factor.rms(of.whole.beta))) & (rms > 0.05 * torque)).any())


def _rms(x: Array) -> Array:
    return np.sqrt((x**2).mean(axis=0))
