"""Parameters from logs, judged on samples that the fit has not seen, as `Identify` asks for them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from dynamis.apps.identification.blas_threads import one_blas_thread
from dynamis.apps.identification.fitting.cutoff import Choice, choose_cutoff
from dynamis.apps.identification.fitting.estimators import METHODS
from dynamis.apps.identification.fitting.factor import Factor, combine_factors
from dynamis.apps.identification.fitting.folds import make_folds
from dynamis.apps.identification.fitting.friction_speeds import with_friction_speeds
from dynamis.apps.identification.fitting.linear_model import FRICTION, LinearModel, linear_model
from dynamis.apps.identification.identify import Identify
from dynamis.apps.identification.judging.checks import check_log
from dynamis.apps.identification.judging.sensitivity import sensitivities
from dynamis.apps.identification.logs.log import Recording, read_logs
from dynamis.apps.identification.logs.preparation import Preparation, pieces, prepare_log
from dynamis.apps.identification.logs.signals import DIFFERENTIATION
from dynamis.apps.identification.physical.com_regions import com_regions
from dynamis.apps.identification.physical.drive_gains import DriveGains, drive_gains
from dynamis.apps.identification.physical.nearest_bodies import NEEDS, available
from dynamis.apps.identification.physical.payload import (
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
from dynamis.model.inertial_parameters import drive_of

if TYPE_CHECKING:
    from dynamis.robot import Robot


def identify_from_logs(asked: Identify) -> Identification:
    """The parameters of a robot that its logs tell."""
    whole = asked.robot
    require_robot(whole)
    robot = fix_joints(whole, _positions(whole, asked.fixed)) if asked.fixed else whole
    terms = asked.friction.replace(",", " ").split() if isinstance(asked.friction, str) else asked.friction
    cutoff, sign_speed = asked.cutoff, asked.sign_speed
    for term in terms:
        check_name("friction", term, FRICTION, key="friction")
    check_name("method", asked.method, METHODS, key="method")
    check_name("differentiation", asked.differentiation, DIFFERENTIATION, key="differentiation")
    if isinstance(cutoff, str):
        check_name("cutoff", cutoff, ("auto",), key="cutoff")
    elif cutoff is not None:
        positive("cutoff", cutoff, "Hz")
    if isinstance(sign_speed, str):
        check_name("sign_speed", sign_speed, ("auto",), key="sign_speed")
    if asked.physical and not available():
        raise ArgumentError(NEEDS, key="physical")
    known = known_entries(robot, asked.payload)
    estimated = _estimated(asked, known)
    gains = None if asked.gains is None else np.ones(robot.n) if estimated else per_joint("gains", asked.gains, robot.n)
    degrees = flag("degrees", asked.degrees)
    tell: Callable[[str], None] = asked.progress or (lambda _: None)
    tell("logs")
    logs, others, weighed = (
        [] if some is None and may_lack else read_logs(robot, some, asked.columns, gains, degrees)
        for some, may_lack in ((asked.data, False), (asked.held_out, True), (asked.loaded, True))
    )
    for one, other in itertools.combinations([*logs, *others, *weighed], 2):
        if one.same(other):
            raise ArgumentError(
                f"{one.name} and {other.name} are the same log; errors on samples that were fitted flatter", key="data"
            )
    rotors = _has_rotors(robot) or logs[0].first.currents if asked.rotor is None else flag("rotor", asked.rotor)
    how = Preparation(
        cutoff if not isinstance(cutoff, str) else None,
        asked.differentiation,
        None if asked.trim is None else number("trim", asked.trim, "s", least=0.0),
        integer("decimate", asked.decimate),
        asked.method == "instrumental",
    )
    folds = integer("folds", asked.folds, 2, 1000)
    with one_blas_thread():
        speed = 0.0 if isinstance(sign_speed, str) else number("sign_speed", sign_speed, "rad/s", least=0.0)
        model = linear_model(robot, tuple(terms), rotors, speed)
        for log in (*logs, *others, *weighed):
            try:
                check_log(model, log.first)
            except DynamisError as error:
                raise error.at(log.name) from None
        choices: tuple[Choice, ...] = ()
        if cutoff == "auto" and any(log.first.qd is None or log.first.qdd is None for log in logs):
            tell("cut-off frequency")
            choices = choose_cutoff(model, logs, replace(how, halves=False), folds, model.K @ model.parameters())
            how = replace(how, cutoff=choices[0].cutoff)
        drives = None
        if estimated:
            bare, heavy = (_whole_factor(model, some, replace(how, halves=False)) for some in (logs, weighed))
            drives = drive_gains(payload_columns(robot, model), bare, heavy, known)
            logs, others, weighed = (_with_gains(some, drives.values) for some in (logs, others, weighed))
        model = _with_speeds(model, logs, how, sign_speed == "auto")
        task = Task(
            model, how, folds, asked.method,
            physical=available() if asked.physical is None else flag("physical", asked.physical),
            asked=bool(asked.physical), spread=positive("spread", asked.spread),
            regions=com_regions(robot, asked.com_inside),
        )  # fmt: skip
        tell("parameters")
        result = replace(identified(task, logs, others, choices), whole=whole if asked.fixed else None)
        if drives is not None:
            # A residual that remembers counts as fewer samples.
            errors = drives.standard_errors * np.sqrt(result.residuals.memory)
            result = replace(result, gains=DriveGains(drives.values, errors))
        if weighed:
            result = replace(result, payload=_payload(task, weighed, result, known))
        if flag("sensitivity", asked.sensitivity):
            tell("sensitivity")
            table = sensitivities(model, logs, how, folds, asked.method, result.beta, result.standard_errors)
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


def _estimated(asked: Identify, known: Mapping[int, float]) -> bool:
    """Whether drive gains are to be found; then there must be what sets their scale."""
    if not isinstance(asked.gains, str):
        return False
    check_name("gains", asked.gains, ("estimate",), key="gains")
    if asked.loaded is None or not known:
        raise ArgumentError(
            "currents alone do not tell drive gains; give logs with a payload and its mass "
            f"({option('loaded', '...')}, {option('payload', '...')})",
            key="gains",
        )
    return True


def _whole_factor(model: LinearModel, logs: Sequence[Recording], how: Preparation) -> Factor:
    parts = make_folds(model, [pieces(log, how, []) for log in logs], 1, 0)
    if not parts:
        raise ArgumentError(f"{logs[0].name} has no samples in which a joint moves", key="data")
    return combine_factors([fold.factor for fold in parts])


def _with_gains(logs: Sequence[Recording], gains: Array) -> list[Recording]:
    return [log.changed(lambda piece: replace(piece, tau=piece.tau * gains)) for log in logs]


def _with_speeds(model: LinearModel, logs: Sequence[Recording], how: Preparation, sigmoid: bool) -> LinearModel:
    """The model with the speeds of its friction, found in the first pieces of the logs."""
    kinds = {drive.kind for drive in model.drives}
    wanted = [kind for kind in ("coulomb", "stribeck") if kind in kinds and (sigmoid or kind == "stribeck")]
    if wanted:
        runs = [run for log in logs for run in prepare_log(log.first, replace(how, halves=False))[0]]
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
    return bool(vector[:: len(drive_of(robot))].any())
