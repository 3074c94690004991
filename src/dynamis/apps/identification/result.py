"""What an identification gives: parameters with standard errors, errors on samples that were held out, and a robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from dynamis.apps.identification.blas_threads import one_blas_thread
from dynamis.apps.identification.fitting.factor import Factor
from dynamis.apps.identification.fitting.folds import Fit
from dynamis.apps.identification.fitting.identified_drives import with_drives
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import Excitation
from dynamis.apps.identification.joint_errors import JointErrors
from dynamis.apps.identification.judging.residuals import Residuals
from dynamis.apps.identification.judging.small_mistakes import SmallMistakes
from dynamis.apps.identification.logs.preparation import Preparation
from dynamis.apps.identification.logs.time_stamps import TimeStamps
from dynamis.apps.identification.physical.consistent_links import PhysicalFit, physical_fit
from dynamis.apps.identification.physical.drive_gains import DriveGains
from dynamis.apps.identification.physical.payload import PayloadFit
from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.base.faces import option
from dynamis.model.checks import warned_already
from dynamis.model.inertial_parameters import STANDARD, with_inertial_parameters
from dynamis.telling.result import Result

if TYPE_CHECKING:
    from dynamis.apps.identification.fitting.cutoff import Choice
    from dynamis.apps.identification.judging.sensitivity import Sensitivity
    from dynamis.exact.closed_form.base_parameters import BaseParameters
    from dynamis.robot import Robot

PROOF_SECONDS = 20.0
"""For the exact base parameters; decimals of many digits make them slow, and numbers do as well."""


@dataclass(frozen=True, eq=False)
class PhysicalProblem:
    """What `physical_fit` needs beside beta."""

    factor: Factor
    weights: Array
    memory: float
    spread: float
    com_regions: Mapping[int, Array]

    def solved(self, beta: Array) -> PhysicalFit:
        """The physically consistent parameters nearest to beta."""
        return physical_fit(
            self.factor.model, self.factor, self.weights, beta, self.memory, self.spread, self.com_regions
        )


@dataclass(frozen=True, eq=False)
class Identification(Result):
    """The base parameters `beta` of `given`, and the robot that has them.

    `names`, `units` and `combinations` say what beta is, `standard_errors` how well it is known, `errors` what is
    left of the torques of every joint. `robot` is the robot with these parameters, `words()` says what to trust.
    Tables: "data", "errors", "parameters", "links", "residuals", "gains", "payload", "sensitivities" and "words".
    """

    _page = "dynamis.apps.identification.document"

    given: Robot
    model: LinearModel
    fit: Fit
    method: str
    beta: Array
    covariance: Array
    parameters: Array
    """(pi, drives): the standard parameters of the identified robot."""
    physical: PhysicalFit | None
    no_physical: str
    """Why the standard parameters are not physically consistent, in a sentence; empty where they are."""
    excitation: Excitation
    errors: JointErrors
    residuals: Residuals
    preparation: Preparation
    stamps: tuple[TimeStamps, ...]
    suspicions: tuple[str, ...]
    """What looks wrong, in sentences, each a reason not to trust the model."""
    unchecked: tuple[str, ...] = ()
    """Mistakes with which the log would look the same, in sentences."""
    remarks: tuple[str, ...] = ()
    """Zeros that are a little off, and how far the identified robot is from the given one."""
    mistakes: SmallMistakes | None = None
    """Gains and zeros by what the joints say of each other, with standard errors; None where nothing excites them."""
    choices: tuple[Choice, ...] = ()
    """The cut-offs that were tried, the chosen one first."""
    sensitivities: tuple[Sensitivity, ...] = ()
    gains: DriveGains | None = None
    """Of the drives, where they were found."""
    payload: PayloadFit | None = None
    """Where there are logs with a payload."""
    problem: PhysicalProblem | None = None
    whole: Robot | None = None
    """The robot with all its joints, where some were fixed in the logs; `given` has them fixed."""

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.given.n

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(x.name for x in self.given.coordinates)

    @property
    def torque_units(self) -> tuple[str, ...]:
        """N m or N, per coordinate."""
        return tuple(x.unit for x in self.given.coordinates)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of beta."""
        return self.model.names

    @property
    def units(self) -> tuple[str, ...]:
        """The units of beta."""
        return self.model.units

    @cached_property
    def standard_errors(self) -> Array:
        """Of beta; infinite for what the samples do not tell."""
        errors = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        errors[list(self.excitation.free)] = np.inf
        return errors

    @property
    def relative_errors(self) -> Array:
        """Standard errors over the sizes of the parameters."""
        return self.standard_errors / np.maximum(np.abs(self.beta), 1e-300)

    @property
    def relative_error(self) -> float:
        """|errors| / |torques| over all joints on held-out samples, the figure that papers give."""
        return self.fit.relative_error()

    @cached_property
    def robot(self) -> Robot:
        """The robot with the identified parameters, friction and springs."""
        return self._robot(self.parameters)

    @cached_property
    def base_parameters(self) -> BaseParameters | None:
        """The exact base parameters, proved minimal; None where their geometry is too long for exact numbers."""
        try:
            exact = self.given.with_exact_angles().equations(numeric=True, seconds=PROOF_SECONDS).base_parameters
        except DynamisError:
            return None
        inertial = tuple(name for name in self.names if name[0] in "mI")
        return exact if tuple(one.name for one in exact.combinations) == inertial else None

    @cached_property
    def combinations(self) -> tuple[str, ...]:
        """beta in the standard parameters: exact where that is proved, else with factors in numbers."""
        exact = {} if self.base_parameters is None else {x.name: str(x) for x in self.base_parameters.combinations}
        texts: list[str] = []
        for i, name in enumerate(self.names):
            drives = "".join(
                f" {'-' if factor < 0 else '+'} {'' if abs(abs(factor) - 1) < 1e-9 else f'{abs(factor):.5g}*'}{other}"
                for k, (other, factor) in enumerate(zip(self.model.all_names, self.model.K[i].tolist(), strict=True))
                if factor and k >= self.model.inertial and k != self.model.base[i]
            )
            texts.append(exact[name] + drives if name in exact else self.model.combination(i))
        return tuple(texts)

    @property
    def trusted(self) -> tuple[str, ...]:
        """The joints whose torques are to be trusted."""
        if self.suspicions or self.errors.failed:
            return ()
        return tuple(self.joints[j] for j in np.flatnonzero(self.errors.good))

    def words(self) -> list[str]:
        """What to trust and what not, in sentences."""
        return import_module(self._page).words(self)

    def torques(self, q: Array, qd: Array, qdd: Array) -> Array:
        """The torques of the identified base parameters [N m or N], offsets and all friction included: (samples, n)."""
        return self.model.torques(self.beta, np.atleast_2d(q), np.atleast_2d(qd), np.atleast_2d(qdd))

    def sample_robots(self, count: int, seed: int = 0) -> list[Robot]:
        """Robots whose base parameters scatter as the covariance says: for tolerance studies.

        Where the robot is physically consistent they are too.
        """
        integer("count", count, 1, 1_000_000)
        rng = np.random.default_rng(integer("seed", seed, 0))
        values, axes = np.linalg.eigh(self.covariance)
        scatter = rng.normal(size=(count, len(values))) * np.sqrt(np.maximum(values, 0.0)) @ axes.T
        if self.problem is not None:
            with one_blas_thread():
                return [self._robot(self.problem.solved(self.beta + step).parameters) for step in scatter]
        steps = np.linalg.lstsq(self.model.K, scatter.T, rcond=None)[0].T
        return [self._robot(self.parameters + step) for step in steps]

    def _owner(self) -> Robot:
        """The robot as it was given; the identified one is made when it is asked for."""
        return self.given

    def _robot(self, parameters: Array) -> Robot:
        robot = self.given if self.whole is None else self.whole
        robot = with_drives(robot, self.given, self.model.drives, parameters[self.model.inertial :].tolist())
        pi = parameters[: self.model.inertial].reshape(-1, len(STANDARD)).copy()
        # A first moment needs a mass to be written; where there is none the moment is rounding, or told by no torque.
        pi[pi[:, 0] == 0, 1:4] = 0.0
        light = [link.name for link, ten in zip(self.given.links, pi, strict=True) if ten[0] < 0]
        if light:
            raise ArgumentError(
                f"the identified parameters give {light[0]} a negative mass, which no robot has; identify with "
                f"{option('physical')}",
                key="physical",
            )
        with warned_already():
            return with_inertial_parameters(robot, pi.ravel())
