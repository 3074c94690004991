"""Base inertial parameters: what the joint torques can tell about the masses of a given geometry.

In tau = Y pi the columns of Y depend on the motion, the geometry and gravity. A column that is zero
belongs to a parameter that no torque contains. Other columns depend on each other,

    Y_k = sum over base columns i of K_ik Y_i,   K a matrix of functions of the geometry alone,

so that tau = Y_b beta with as many base parameters beta_i = pi_i + sum K_ik pi_k as Y has rank: the
smallest set (M. Gautier and W. Khalil, Direct calculation of minimum set of inertial parameters of
serial robots, IEEE Trans. Robotics and Automation 6(3), 1990). The base columns are the first
independent ones: link by link, inertias before first moments, and the masses last of all, so that
what a link carries goes into it and K has few denominators.

How it is found, and what is proved. By Lagrange's equations columns of Y depend on each other exactly as
the columns of T do, and those of U up to constants, and these are much shorter. (1) They split over the
monomials of the motion, which are independent functions; what is left is a matrix over the field of the
geometry. (2) Its rank at one point of the geometry, in integers modulo a large prime, is a lower bound of
its rank. (3) K comes from elimination over that field, in as many rows as (2) says. (4) Column k minus
sum K_ik column i is computed in the ring, and it is zero: an upper bound. So the number is exact: for
a symbolic geometry for all values except those where a denominator or a minor is zero, for a geometry
in numbers for that one. A fixed angle such as pi/7 is a named angle in the ring, so it counts as a
symbol; `proof` names those.

The drives are not in it: a joint's rotor inertia and friction have columns of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.dynamics.regressor import base_order, energy_regressor, regressor
from dynamis.compute.mechanics.kinematics.motion import Motion, outward
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.coefficients import by_motion, numbers_among
from dynamis.exact.closed_form.rank import rank_profile, split
from dynamis.model.inertial_parameters import STANDARD, parameter_names, parameter_units
from dynamis.scalars.exact.linear_system import dependence
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.blocks import Document, Table, Words
from dynamis.telling.result import Result

SEED_TRIES = 3


@dataclass(frozen=True)
class Combination:
    """A base parameter: pi_i + sum of (a function of the geometry) pi_k, named after pi_i."""

    name: str
    others: Mapping[str, Ratio]

    def __str__(self) -> str:
        """`Izz1 + l1^2*(m2 + m3)`: parameters with the same factor together."""
        groups: dict[str, list[str]] = {}
        for name, factor in self.others.items():
            groups.setdefault(_factor(factor), []).append(name)
        return self.name + "".join(_term(factor, names) for factor, names in groups.items())


@dataclass(frozen=True, eq=False)
class BaseParameters(Result):
    """The base parameters of `model`; `names` are those of all standard parameters, column by column."""

    model: ClosedForm
    gravity: bool
    names: tuple[str, ...]
    absent: tuple[str, ...]
    """Parameters that are in no torque."""
    combinations: tuple[Combination, ...]
    _energies: list[list[Exact]]

    @property
    def rank(self) -> int:
        """How many base parameters there are."""
        return len(self.combinations)

    def document(self) -> Document:
        """Every base parameter with its combination, what is in no torque, and why there are no fewer."""
        robot = self.model.robot
        units = dict(zip(parameter_names(len(robot.links)), parameter_units(robot), strict=False))
        rows = tuple((one.name, str(one), units[one.name]) for one in self.combinations)
        absent = Words(f"in no torque: {', '.join(self.absent) or 'none'}")
        return Document(
            "",
            (Table(("base parameter", "combination", "unit"), rows), absent, Words(self.proof)),
            data=self._data,
            methods=("base-parameters",),
        )

    def _data(self) -> dict[str, Any]:
        combinations = {combination.name: str(combination) for combination in self.combinations}
        return {"rank": self.rank, "combinations": combinations, "absent": self.absent, "proof": self.proof}

    def __str__(self) -> str:
        """The regrouping, one line per base parameter, and what is in no torque."""
        return "\n".join([*map(str, self.combinations), f"in no torque: {', '.join(self.absent) or 'none'}"])

    @cached_property
    def regressor(self) -> list[list[Exact]]:
        """Y_b (n, rank): the columns of Y that belong to the base parameters."""
        m = self.model.mechanism
        Y = regressor(m, self.model.state, None if self.gravity else m.null)
        columns = [self.names.index(combination.name) for combination in self.combinations]
        return [[row[k] for k in columns] for row in Y]

    @property
    def sentences(self) -> dict[str, str]:
        """What a motion tells about every standard parameter, and why."""
        return {name: self.sentence(name) for name in self.names}

    def sentence(self, name: str) -> str:
        """Identifiable alone, only in combinations, or not at all."""
        if name not in self.names:
            raise UnknownNameError("inertial parameter", name, self.names)
        if name in self.absent:
            return f"{name} is not identifiable: it is in no torque, because {self._why_absent(name)}."
        inside = [combination for combination in self.combinations if name in (combination.name, *combination.others)]
        if len(inside) == 1 and not inside[0].others:
            return f"{name} is identifiable alone."
        if len(inside) == 1:
            return f"{name} is identifiable only in the combination {inside[0]}."
        listed = ", ".join(combination.name for combination in inside)
        return f"{name} is identifiable only in combinations, those named {listed}."

    @property
    def proof(self) -> str:
        """What was shown, in a sentence."""
        dependent = len(self.names) - len(self.absent) - self.rank
        numbers = numbers_among(self.model, (y for row in self._energies for y in row))
        what = "numbers" if self.model.numeric else "symbols"
        what += f" ({', '.join(numbers)} taken as symbols too)" if numbers else ""
        return (
            f"{_count_phrase(self.rank, 'base parameter')} for a geometry in {what}: of the {len(self.names)} "
            "columns of Y "
            f"{_count_phrase(len(self.absent), 'is', 'are')} zero and "
            f"{_count_phrase(dependent, 'depends', 'depend')} on the "
            f"others, identically in the motion; at a point of the geometry the rank is {self.rank}, so it is no less."
        )

    def _why_absent(self, name: str) -> str:
        k, kind = divmod(self.names.index(name), len(STANDARD))
        link, motion = self.model.robot.links[k].name, self._motions[k]
        moved = list(_carriers(self.model, self.model.mechanism.links[k][-1]))
        if not moved:
            return f"{link} is fixed to the base"
        rotates, stays = any((*motion.w, *motion.wd)), self.names[10 * k] in self.absent
        if stays and not rotates:
            return f"{link} does not move"
        # The energies have the mass times the velocity and the height of the origin; the CoM is in mx, my, mz.
        if not kind:
            return f"the origin of the frame of {link} does not move"
        if not rotates:
            return f"{link} translates and never rotates"
        still = [axis for axis, w in zip("xyz", motion.w, strict=True) if not w]
        what = STANDARD[kind]
        if what.startswith("I") and set(what[1:]) & set(still):
            return f"{link} never rotates about its {' nor about its '.join(a for a in still if a in what[1:])} axis"
        if len(still) == 2 and what in ("mx", "my", "mz") and what[1] not in still:
            return f"{link} rotates about its {what[1]} axis only, and {name} is along it"
        if len(moved) == 1:
            forces = "gravity has no moment about it" if self.gravity else "there is no gravity"
            return f"{link} only rotates about one fixed axis, and {forces}"
        return f"no joint feels what it does in a motion of {link}"

    @cached_property
    def _motions(self) -> list[Motion[Exact]]:
        m = self.model.mechanism
        return m.of_links(outward(m, self.model.state, m.null))


def base_parameters(model: ClosedForm, gravity: bool = True) -> BaseParameters:
    """The base parameters of a model's geometry, in symbols or (a numeric model) in its numbers.

    >>> from dynamis import load
    >>> found = base_parameters(load("planar-elbow").equations())
    >>> print(found)
    mx1 + l1*m2
    my1
    Izz1 + l1^2*m2
    mx2
    my2
    Izz2
    in no torque: m1, mz1, Ixx1, Iyy1, Ixy1, Ixz1, Iyz1, mz2, Ixx2, Iyy2, Ixy2, Ixz2, Iyz2
    >>> found.sentence("Ixx2")
    'Ixx2 is not identifiable: it is in no torque, because link2 never rotates about its x axis.'
    """
    m = model.mechanism
    twice_T, U = energy_regressor(m, model.state, None if gravity else m.null)
    energies = [twice_T, [_without_constant(x) for x in U]]
    names = parameter_names(len(m.links))
    matrix = split(energies, model.ring)
    present = matrix.columns
    absent = tuple(name for k, name in enumerate(names) if k not in present)
    order = [k for k in base_order(len(m.links)) if k in present]
    for seed in range(SEED_TRIES):
        base, rows = rank_profile(matrix, order, seed)
        dependent = [k for k in order if k not in base]
        K = dependence(matrix.entries(rows), base, dependent)
        if K is not None and all(_holds(energies, k, K[k]) for k in dependent):
            combinations = [
                Combination(names[i], {names[k]: K[k][i].without_sines_below() for k in dependent if i in K[k]})
                for i in sorted(base)
            ]
            return BaseParameters(model, gravity, tuple(names), absent, tuple(combinations), energies)
    raise ArgumentError(f'no regrouping of the parameters of "{model.robot.name}" could be proved')


def _without_constant(scalar: Exact) -> Exact:
    """Without the terms that no motion changes."""
    constants = [terms for motion, terms in by_motion(scalar) if not motion]
    return scalar - scalar.ring.from_terms(constants[0]) if constants else scalar


def _holds(energies: list[list[Exact]], k: int, factors: Mapping[int, Ratio]) -> bool:
    """Column k = sum K_ik column i in the ring, multiplied by the denominators."""
    common = Ratio.common_denominator(factors.values(), energies[0][k].ring)
    for row in energies:
        left = row[k] * common
        for i, factor in factors.items():
            left = left - row[i] * factor.over(common)
        if left:
            return False
    return True


def _carriers(model: ClosedForm, k: int | None) -> Iterator[int]:
    """The coordinates that move body k."""
    while k is not None:
        body = model.mechanism.bodies[k]
        if body.joint is not None:
            yield from (row for row, _ in model.robot.couplings[body.joint].factors)
        k = body.parent


def _count_phrase(number: int, one: str, many: str = "") -> str:
    """`1 is`, `2 are`; without `many`, `1 base parameter`, `2 base parameters`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _factor(factor: Ratio) -> str:
    """A factor as it stands in a product."""
    return f"({factor})" if factor.is_polynomial and factor.is_sum else str(factor)


def _term(factor: str, names: list[str]) -> str:
    """` + l1^2*(m2 + m3)`."""
    sign, size = ("-", factor[1:]) if factor.startswith("-") else ("+", factor)
    total = names[0] if len(names) == 1 else f"({' + '.join(names)})"
    if size != "1":
        return f" {sign} {size}*{total}"
    return f" {sign} {f' {sign} '.join(names)}"
