"""What pages of equations say about a robot, seen at random states and parameters of the plain engine."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import MissingMassError, Robot, UnphysicalWarning
from dynamis.arrays import Array
from dynamis.derivations.robots import explanations
from dynamis.equations.closed_form.signs import positive_symbols
from dynamis.equations.design.answers import Case
from dynamis.equations.equations import Equations
from dynamis.quantities.reference import plain
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.scalars import evaluate
from tests.support.exact_models import at, point
from tests.support.special_robots import special_robot

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
SEEDS = st.integers(0, 2**32 - 1)
SMALL = 1e-9
EXPLAINED = {"c": explanations._velocity_terms, "g": explanations._gravity}
Values = dict[str, float]


class Design:
    """A robot in symbols, its equations, and the same robot in numbers at any values of the symbols."""

    def __init__(self, seed: int) -> None:
        robot = special_robot(seed, most=2).symbolic()
        self.model: Equations = robot.equations(seconds=20)
        links = (replace(link, inertia=replace(link.inertia, allow_unphysical=True)) for link in robot.links)
        self.robot, self.rng = replace(robot, links=tuple(links)), np.random.default_rng(seed)
        self.q = self.rng.uniform(-3, 3, (6, robot.n))
        zero = np.zeros(robot.n)
        self.names = [s for s in point(self.model, zero, zero, zero) if s in robot.parameters]
        self.positive = {s for s in positive_symbols(self.model) if s in self.names}

    def values(self, zeros: float) -> Values:
        """Random values: the positive ones above 0, of the others a share zero, moments of inertia equal then."""
        found = {s: float(self.rng.uniform(0.3, 2)) for s in self.names}
        for s in set(self.names) - self.positive:
            found[s] = 0.0 if self.rng.random() < zeros else float(self.rng.normal())
        if zeros:
            found |= {s: 0.7 for s in self.names if re.fullmatch(r"I\d+(xx|yy|zz)", s)}
        return found

    def at(self, ratio: Ratio, values: Values) -> float:
        zero = np.zeros(self.robot.n)
        everything = {**point(self.model, zero, zero, zero), **values}
        return at(ratio.numerator, everything) / at(ratio.denominator, everything)

    def keeps(self, case: Case, values: Values) -> bool:
        """Whether the conditions of a case hold."""
        for condition in case.conditions:
            if condition.symbol is not None and condition.value is not None:
                apart = values[condition.symbol] - self.at(condition.value, values)
            else:
                apart = self.at(Ratio.of(condition.factor), values)
            if abs(apart) > SMALL:
                return False
        return True

    def under(self, case: Case) -> Values | None:
        """Random values at which the conditions hold; None where no try gives positive symbols positive values."""
        for _ in range(20):
            values = self.values(0.0)
            try:
                solved = {c.symbol: self.at(c.value, values) for c in case.conditions if c.symbol and c.value}
            except ZeroDivisionError:
                continue
            values |= solved
            if all(values[s] > 0 for s in self.positive) and self.keeps(case, values):
                return values
        return None

    def numbers(self, values: Values) -> Robot:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnphysicalWarning)
            return self.robot.with_values(**values)


def is_constant(robot: Robot, q: Array) -> bool:
    M = plain(robot, "mass_matrix", q)[0]
    return bool(np.abs(M - M[0]).max() <= SMALL * max(np.abs(M).max(), 1e-3))


def is_balanced(robot: Robot, q: Array) -> bool:
    g = plain(robot, "gravity_torque", q)[0]
    return bool(np.abs(g).max() <= 10 * SMALL * sum(masses(robot)))


def masses(robot: Robot) -> list[float]:
    return [evaluate(link.mass, robot.floats()) for link in robot.links]


@settings(max_examples=25)
@given(SEEDS)
def test_answers_to_design_questions_are_true_of_these_parameters_and_of_no_others(seed: int) -> None:
    try:
        x = Design(seed)
    except MissingMassError:
        return
    questions = (
        (x.model.when_mass_matrix_is_constant(), is_constant),
        (x.model.when_gravity_is_balanced(), is_balanced),
    )
    for answer, holds in questions:
        for zeros in (0.0, 0.5, 0.8, 1.0):
            values = x.values(zeros)
            assert holds(x.numbers(values), x.q) == any(x.keeps(case, values) for case in answer.cases), str(answer)
        for case in answer.cases:
            if (values := x.under(case)) is None:
                continue
            robot = x.numbers(values)
            assert holds(robot, x.q), str(case)
            means(x, robot, case.meaning, values)


def means(x: Design, robot: Robot, meaning: str, values: Values) -> None:
    """`the CoM of link2 is on the axis of q2; then c = 0, g[2] = 0 and a2 = a5 = 0`."""
    coriolis = plain(robot, "coriolis_torque", x.q, x.rng.normal(size=x.q.shape))[0]
    torques = {"c": coriolis, "g": plain(robot, "gravity_torque", x.q)[0]}
    names = [link.name for link in robot.links]
    for listed, joint in re.findall(r"(link[\w, ]*?) (?:is|together have their CoM) on the axis of (\w+)", meaning):
        k = [c.name for c in robot.coordinates].index(joint)
        said = [name for name in names if re.search(rf"\b{name}\b", listed)]
        assert said
        for q in x.q:
            columns = [robot.com_jacobian(q, name)[:3, k] for name in names]
            moved = {name for name, column in zip(names, columns, strict=True) if np.abs(column).max() > SMALL}
            assert moved <= set(said)
            assert np.abs(np.array(masses(robot)) @ columns).max() < 1e-8
    for letter, entry in re.findall(r"\b([cg])(?:\[(\d)\])? = 0", meaning):
        part = torques[letter] if not entry else torques[letter][:, int(entry) - 1]
        assert np.abs(part).max() < 1e-7, meaning
    if coefficients := re.search(r"((?:a\d+ = )+)0", meaning):
        dynamic = x.model.coefficients
        ring = {**point(x.model, *np.zeros((3, robot.n))), **values}
        for name in re.findall(r"a\d+", coefficients[1]):
            polynomial = dynamic.coefficients[dynamic.names.index(name)]
            assert abs(at(polynomial, ring)) < 1e-8


class Motions:
    """How the links of a robot move, at random states."""

    def __init__(self, robot: Robot, seed: int) -> None:
        self.robot, self.rng = robot, np.random.default_rng(seed)
        self.names = [link.name for link in robot.links]
        self.states = [self.rng.uniform(-2, 2, (2, robot.n)) for _ in range(6)]
        self.motions = [robot.link_motions(q, qd) for q, qd in self.states]

    def turns(self, link: str) -> Array:
        """Angular velocities in link axes (states, 3)."""
        return np.array([m.w[self.names.index(link)] for m in self.motions])

    def twists(self, link: str) -> Array:
        """Columns of the Jacobian of the link frame at the states (states, 6, n)."""
        return np.array([self.robot.jacobian(q, link) for q, _ in self.states])

    def axis_in_base(self, link: str) -> tuple[Array, Array]:
        """The velocities of the link frame (states, 3) and its angular velocities (states, 3), in base axes."""
        both = np.array([J @ qd for J, (_, qd) in zip(self.twists(link), self.states, strict=True)])
        return both[:, :3], both[:, 3:]


def rotates_about_one_axis(x: Motions, link: str, gravity: bool) -> None:
    """v = w x (p - c) with one axis u through one point c."""
    v, w = x.axis_in_base(link)
    p = np.array([x.robot.forward_kinematics(q, link)[:3, 3] for q, _ in x.states])
    u = w[0] / np.linalg.norm(w[0])
    assert np.abs(np.cross(w, u)).max() < SMALL
    turns = w @ u
    # (p - c) across u is what u x v / turns says.
    across = p - u * (p @ u)[:, None] + np.cross(u, v) / turns[:, None]
    assert np.abs(across - across[0]).max() < 1e-7
    assert np.abs(v @ u).max() < SMALL
    g = np.array([evaluate(e, x.robot.floats()) for e in x.robot.gravity])
    assert np.abs(np.cross(u, g)).max() < 1e-8
    assert gravity or not g.any()


def why_absent(x: Motions, name: str, reason: str) -> None:
    """The reason why a parameter is in no torque."""
    link = reason.split(" ")[0]
    w = x.turns(link) if link in x.names else np.zeros((1, 3))
    if m := re.fullmatch(r"(\w+) never rotates about its (\w)(?: nor about its (\w))? axis", reason):
        assert np.abs(w[:, ["xyz".index(axis) for axis in m.groups()[1:] if axis]]).max() < SMALL
        assert np.abs(w).max() > 1e-6
    elif re.fullmatch(r"\w+ translates and never rotates", reason):
        assert np.abs(w).max() < SMALL
        assert np.abs(x.twists(link)[:, :3]).max() > 1e-6
    elif m := re.fullmatch(r"the origin of the frame of (\w+) does not move", reason):
        assert np.abs(x.twists(m[1])[:, :3]).max() < SMALL
        assert np.abs(x.turns(m[1])).max() > 1e-6
    elif re.fullmatch(r"\w+ (is fixed to the base|does not move)", reason):
        assert np.abs(x.twists(link)).max() < SMALL
    elif m := re.fullmatch(r"\w+ rotates about its (\w) axis only, and (\w+) is along it", reason):
        assert np.abs(np.delete(w, "xyz".index(m[1]), axis=1)).max() < SMALL
        assert m[2] == name
        assert name[1] == m[1]
    elif m := re.fullmatch(r"\w+ only rotates about one fixed axis, and (.*)", reason):
        rotates_about_one_axis(x, link, gravity=m[1] == "gravity has no moment about it")
    else:
        assert re.fullmatch(r"no joint feels what it does in a motion of \w+", reason)


@settings(max_examples=25)
@given(SEEDS, st.booleans())
def test_a_parameter_in_no_torque_is_there_for_the_reason_that_is_given(seed: int, symbolic: bool) -> None:
    robot = special_robot(seed, most=3)
    base = (robot.symbolic() if symbolic else robot).equations(seconds=20).base_parameters
    x = Motions(robot, seed)
    Y = np.array([
        plain(robot, "regressor", q, qd, x.rng.normal(size=robot.n))[0][:, : len(base.names)] for q, qd in x.states
    ])  # fmt: skip
    for k, name in enumerate(base.names):
        sentence = base.sentence(name)
        if m := re.fullmatch(r"\w+ is not identifiable: it is in no torque, because (.*)\.", sentence):
            assert np.abs(Y[..., k]).max() < SMALL
            why_absent(x, name, m[1])
        else:
            assert re.match(r"\w+ is identifiable (alone|only in)", sentence)
            assert np.abs(Y[..., k]).max() > 1e-9


@settings(max_examples=20)
@given(SEEDS)
def test_what_velocity_and_gravity_terms_are_said_to_be(seed: int) -> None:
    """Zero, centrifugal, Coriolis; of one coordinate there are no others to pull on."""
    try:
        model = special_robot(seed, most=2).equations(numeric=True, seconds=20)
        words = {part: " ".join(str(x) for x in words(model)) for part, words in EXPLAINED.items()}
    except MissingMassError:
        return
    robot, rng = model.robot, np.random.default_rng(seed)
    q, qd = rng.uniform(-3, 3, (2, 6, robot.n))
    c = plain(robot, "coriolis_torque", q, qd)[0]
    g = plain(robot, "gravity_torque", q)[0]
    each = [plain(robot, "coriolis_torque", q, qd * e)[0] for e in np.eye(robot.n)]
    size = SMALL * max(np.abs(plain(robot, "mass_matrix", q)[0]).max(), 1e-3)
    assert ("they are zero" in words["c"]) == (np.abs(c).max() <= size)
    assert ("are centrifugal" in words["c"]) == (np.abs(each).max() > size)
    assert ("are Coriolis terms" in words["c"]) == (np.abs(c - np.sum(each, axis=0)).max() > size)
    assert not ("the others" in words["c"] and robot.n == 1)
    assert ("they are zero" in words["g"]) == (np.abs(g).max() <= 1e-8 * max(sum(masses(robot)), 1e-3))
