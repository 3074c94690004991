"""Design questions: Q1 to Q3 of the De Luca lecture with their corrected answers, and laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Inertia, Joint, Link
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.coefficients import by_motion, dynamic_coefficients
from dynamis.exact.closed_form.signs import positive_symbols, sign_of
from dynamis.exact.design.answers import Answer, Case
from dynamis.exact.design.questions import (
    balanced_gravity,
    coefficient_is_zero,
    constant_mass_matrix,
    point_of,
    vanishing,
)
from dynamis.exact.positive_definite.by_one_coordinate import real_zeros
from dynamis.exact.positive_definite.physical_links import BODIES
from dynamis.exact.positive_definite.positive_definite import positive_definite
from dynamis.scalars.exact.ring import Exact
from tests.support.exact_models import robots
from tests.support.rings import ring


@pytest.fixture
def deluca() -> ClosedForm:
    return dynamis.load("deluca-2r").equations()


def test_q1_when_is_the_mass_matrix_constant(deluca: ClosedForm):
    """d2 = 0: then a2 = 0, M is constant and c = 0; a5 = 0 too, no gravity torque on joint 2."""
    answer = constant_mass_matrix(deluca)
    assert str(answer) == "M is constant if and only if d2 = 0 (with l1, m2 > 0)."
    assert [case.vanishing for case in answer.cases] == [("a2", "a5")]


def test_q2_when_is_gravity_balanced(deluca: ClosedForm):
    """Erratum 2.2: d1 = -m2 l1 / m1, not -l1."""
    answer = balanced_gravity(deluca)
    assert [str(case) for case in answer.cases] == ["d2 = 0 and d1 = -l1*m2/m1"]
    assert answer.cases[0].vanishing == ("a2", "a4", "a5")
    assert answer.assumes == "g0, l1, m1, m2 > 0"


@pytest.mark.parametrize("name", dynamis.robots())
def test_the_conditions_are_enough(name: str):
    """Put into the equations they do what they say."""
    robot = dynamis.load(name).symbolic()
    model = robot.equations()
    mass = [model.M[i, j] for i in range(model.n) for j in range(i, model.n)]
    check(constant_mass_matrix(model), [p for e in mass for motion, p in polynomials(e, model) if motion])
    check(balanced_gravity(model), [p for e in model.gravity for _, p in polynomials(e, model)])


def polynomials(scalar: Exact, model: ClosedForm) -> list[tuple[bool, Exact]]:
    return [(bool(motion), model.ring.from_terms(terms)) for motion, terms in by_motion(scalar)]


def check(answer: Answer, zeros: list[Exact]) -> None:
    for case in answer.cases:
        assert all(condition.symbol is not None for condition in case.conditions)
        for polynomial in zeros:
            assert at(polynomial, case.conditions) == 0


def at(polynomial: Exact, conditions: tuple) -> float:  # type: ignore[type-arg]
    """The polynomial at a point where the conditions hold, up to rounding."""
    names = polynomial.ring.symbols
    values = {name: 0.5 + 0.37 * (k % 7) for k, name in enumerate(names)}
    for s, c in polynomial.ring.angles:
        values[s], values[c] = 0.6, 0.8
    for condition in conditions:
        above, below = number(condition.value.numerator, values), number(condition.value.denominator, values)
        values[condition.symbol] = above / below
    return round(number(polynomial, values), 9)


def number(polynomial: Exact, values: dict[str, float]) -> float:
    total = 0.0
    for exponents, coefficient in polynomial.terms().items():
        term = float(coefficient)
        for name, exponent in zip(polynomial.ring.symbols, exponents, strict=True):
            term *= values[name] ** exponent if exponent else 1.0
        total += term
    return total


def test_always_and_never():
    model = dynamis.load("cartesian").equations()
    assert str(constant_mass_matrix(model)) == "M is constant for all parameters."
    assert str(balanced_gravity(model)) == "g(q) = 0 for all q for no parameters (with g, m1, m2 > 0)."


def test_cases_branch_and_squares_split():
    world = ring("xym", angles="a")
    x, y, m, c = (world.scalar(name) for name in ("x", "y", "m", "cos(a)"))
    positive = frozenset({"m"})

    def texts(*wanted: Exact) -> list[str]:
        return sorted(" and ".join(map(str, case)) for case in vanishing(wanted, positive))

    assert texts(x * y) == ["x = 0", "y = 0"]
    assert texts(x * x * m + y * y) == ["x = 0 and y = 0"]
    assert texts(m + x * x) == []
    assert texts(x * x - y * m) == ["y = x^2/m"]
    assert texts(x * x * x - y * y - m * y) == ["x^3 - y^2 - y*m = 0"]
    assert texts(c * x, x - m) == ["x = m and cos(a) = 0 and sin(a) = 1", "x = m and cos(a) = 0 and sin(a) = -1"][::-1]


def test_unsolved_conditions_that_contradict_each_other_are_no_case():
    """None of these is solved for a letter; their differences are 1, m^2 and y^2 + m: never zero."""
    world = ring("xym")
    x, y, m, one = world.scalar("x"), world.scalar("y"), world.scalar("m"), world.number(1)
    curve = x * x * x - y * y - m * y
    positive = frozenset({"m"})
    assert vanishing([curve, curve + one], positive) == []
    assert vanishing([curve, curve + m * m], positive) == []
    assert vanishing([curve, curve + y * y * y * y + m], positive) == []
    assert vanishing([curve, curve * x + m], positive) == []
    assert len(vanishing([curve], positive)) == 1


def test_every_case_has_a_point_or_says_that_none_was_found():
    world = ring("xym")
    x, y, m = world.scalar("x"), world.scalar("y"), world.scalar("m")
    positive = frozenset({"m"})
    (curve,) = vanishing([x * x * x - y * y - m * y], positive)
    point = point_of(curve, positive)
    assert point is not None
    assert point["m"] > 0
    assert number(curve[0].factor, {name: float(v) for name, v in point.items()}) == pytest.approx(0, abs=1e-9)
    # x^2 + x y + y^2 is never negative, which no sign of its terms shows: m = -(...) has no solution with m > 0.
    (never,) = vanishing([x * x + x * y + y * y + m], positive)
    assert point_of(never, positive) is None
    case = Case(never, point=None)
    assert not case.decided
    assert str(case).endswith("(it was not decided whether any parameters satisfy this)")
    assert "not decided" in str(Answer("M is constant", (case,), "m > 0"))


@pytest.mark.parametrize("name", dynamis.robots())
def test_the_answers_for_shipped_robots_are_decided(name: str):
    model = dynamis.load(name).symbolic().equations()
    for answer in (constant_mass_matrix(model), balanced_gravity(model)):
        for case in answer.cases:
            assert case.decided
            for condition in case.conditions:
                values = {letter: float(x) for letter, x in (case.point or {}).items()}
                assert number(condition.factor, {**dict.fromkeys(model.ring.symbols, 1.0), **values}) == (
                    pytest.approx(0, abs=1e-9)
                )


def test_what_is_positive(deluca: ClosedForm):
    positive = positive_symbols(deluca)
    assert {"m1", "l1", "I1", "g0"} <= positive
    assert not {"d1", "d2"} & positive
    d, m = deluca.ring.scalar("d1"), deluca.ring.scalar("m1")
    assert [sign_of(x, positive).value for x in (m, -m, m * d * d, m * d, d - d)] == [
        "> 0", "< 0", ">= 0", "any sign", "= 0",
    ]  # fmt: skip


def test_when_a_coefficient_is_zero(deluca: ClosedForm):
    found = dynamic_coefficients(deluca)
    assert [[str(case) for case in coefficient_is_zero(found, name).cases] for name in found.names] == [
        [], ["d2 = 0"], [], ["d1 = -l1*m2/m1"], ["d2 = 0"],
    ]  # fmt: skip
    assert str(coefficient_is_zero(found, "a3")) == "a3 = 0 for no parameters (with I2, m2 > 0)."
    with pytest.raises(UnknownNameError, match="unknown dynamic coefficient"):
        coefficient_is_zero(found, "a9")


def test_numbers_have_no_design():
    with pytest.raises(ArgumentError, match="a symbolic model"):
        balanced_gravity(dynamis.load("ur5").equations(numeric=True))


def test_q3_the_mass_matrix_is_positive_definite(deluca: ClosedForm):
    """det M in the parameters and in the coefficients, as a sum of positive terms."""
    found = positive_definite(deluca)
    assert found.proved
    assert found.method == "sum of squares"
    letter = deluca.ring.scalar
    l1, d1, d2, m1, m2, I1, I2 = (letter(name) for name in ("l1", "d1", "d2", "m1", "m2", "I1", "I2"))
    s2 = letter("sin(q2)")
    swing = m2 * m2 * d2 * d2 * l1 * l1 * s2 * s2
    assert found.determinant == (I1 + m1 * d1 * d1) * (I2 + m2 * d2 * d2) + I2 * m2 * l1 * l1 + swing
    total = deluca.ring.zero
    for weight, squares in found.squares:
        total = total + weight * squares
    assert total == found.determinant
    coefficients = dynamic_coefficients(deluca)
    (M11, M12), (_, M22) = coefficients.M
    a1, a2, a3 = (coefficients.ring.scalar(f"a{k}") for k in (1, 2, 3))
    c2 = coefficients.ring.scalar("cos(q2)")
    assert a3 * (a1 - a3) - a2 * a2 * c2 * c2 == M11 * M22 - M12 * M12
    assert coefficients.expand(M11 * M22 - M12 * M12) == found.determinant


@pytest.mark.parametrize("name", dynamis.robots())
def test_every_shipped_robot_has_a_proof(name: str):
    model = dynamis.load(name).equations()
    found = positive_definite(model)
    assert found.proved
    assert str(found).startswith("M is positive definite for all q: ")
    in_numbers = name in ("panda", "ur5")
    assert ("inertias about the CoM >= 0" in found.assumes) != in_numbers
    assert not in_numbers or found.assumes == ""


def test_no_more_letters_are_taken_as_positive_than_needed():
    """The inertias of the Puma are numbers: its motors, which are letters, are not needed."""
    found = positive_definite(dynamis.load("puma560").equations())
    assert (found.method, found.assumes) == ("kinetic energy", BODIES)


def test_a_motor_gives_inertia_whatever_the_sign_of_its_gear_ratio():
    link = Link("a", Joint("q1", gear_ratio="G", rotor_inertia="J"), "base", 0)
    found = positive_definite(dynamis.Robot("motor", (link,), parameters={"G": "", "J": ""}).equations())
    assert (found.method, found.assumes) == ("kinetic energy", f"J > 0; G not 0; {BODIES}")


def gimbal(com: tuple[object, object, object], **parameters: str) -> dynamis.Robot:
    """A ring without inertia, and a point mass on a rod: M is singular where the mass is on the axis of the ring."""
    links = (
        Link("ring", Joint("q1", "revolute"), "base", 0, (0, 0, 0), Inertia()),
        Link("rod", Joint("q2", "revolute", (0, 1, 0)), "ring", "m", com, Inertia()),
    )
    return dynamis.Robot("gimbal", links, parameters={"m": "", **parameters}, values={"m": 1})


def test_two_joints_are_decided():
    """A singular M has its q, and all of them."""
    found = positive_definite(gimbal(("l", 0, 0), l="").equations())
    assert (found.holds, found.proved, found.method) == (False, False, "counterexample")
    assert str(found) == (
        "M is not positive definite for all q: det M = 0 if and only if q2 = pi/2 (mod pi), or l = 0 (assuming m > 0; "
        "masses, rotor inertias and inertias about the CoM >= 0); for instance at q2 = pi/2, l = 1, m = 1."
    )
    assert found.singular is not None
    assert found.determinant is not None
    assert number(found.determinant, {name: float(x) for name, x in found.singular.point.items()}) == 0


def test_a_point_mass_on_a_massless_link():
    """An arm that is singular where it is stretched or folded."""
    links = (
        Link("a", Joint("q1"), "base", 0, ("l", 0, 0), Inertia()),
        Link("b", Joint("q2", before="Tx(l)"), "a", "m", ("d", 0, 0), Inertia()),
    )
    found = positive_definite(dynamis.Robot("arm", links, parameters=dict.fromkeys("lmd", "")).equations())
    assert "det M = 0 if and only if d = 0, or q2 = 0 (mod pi) (assuming l, m > 0" in str(found)
    heavy = (Link("a", Joint("q1"), "base", "m", ("l", 0, 0), Inertia()), links[1])
    found = positive_definite(dynamis.Robot("arm", heavy, parameters=dict.fromkeys("lmd", "")).equations())
    assert str(found).startswith(
        "M is positive definite for all q, but not for all parameters: det M = 0 if and only if d = 0 (assuming l, m"
    )
    assert not found.holds


def test_two_joints_in_numbers_by_real_zeros():
    """tan q2 = -3/2 puts the mass on the axis; inertia about the CoM leaves no zero."""
    found = positive_definite(gimbal(("3/10", 0, "1/5")).equations(numeric=True))
    assert found.singular is not None
    point = {name: float(x) for name, x in found.singular.point.items()}
    assert point["sin(q2)"] == pytest.approx(-1.5 * point["cos(q2)"])
    full = Inertia.of(xx="1/10", yy="1/5", zz="3/10", xy="1/100")
    rod = Link("rod", Joint("q2", "revolute", (0, 1, 0)), "ring", 2, ("3/10", 0, "1/5"), full)
    ring = gimbal((0, 0, 0)).links[0]
    model = dynamis.Robot("gimbal", (ring, rod)).equations(numeric=True)
    assert (positive_definite(model).proved, positive_definite(model).method) == (True, "Jacobians")
    assert real_zeros(model) == []


def test_a_thin_rod_that_can_stand_on_the_axis():
    """Its inertia is not diagonal in link axes: det M = 0 where the rod (3, 0, 4)/5 is along the axis of the ring."""
    thin = Inertia.of(xx="16/25", yy=1, zz="9/25", xz="-12/25")
    rod = Link("rod", Joint("q2", "revolute", (0, 1, 0)), "ring", 2, ("3/10", 0, "4/10"), thin)
    found = positive_definite(dynamis.Robot("rod", (gimbal((0, 0, 0)).links[0], rod)).equations(numeric=True))
    assert (found.holds, found.method) == (False, "counterexample")
    assert found.singular is not None
    point = {name: float(x) for name, x in found.singular.point.items()}
    assert point["sin(q2)"] == pytest.approx(-0.75 * point["cos(q2)"])


@settings(max_examples=20)
@given(robots())
def test_two_joints_are_always_decided(robot: dynamis.Robot):
    if robot.n == 2:
        assert positive_definite(robot.equations(numeric=True)).method not in ("sampling", "not decided")


def three(com: tuple[object, object, object]) -> dynamis.Robot:
    """The gimbal on a turning base with inertia."""
    (ring, rod), tilt = gimbal(com).links, Joint("q0", "revolute", (1, 0, 0))
    base = Link("foot", tilt, "base", "m", (0, 0, 0), Inertia.of(xx="m", yy="m"))
    return dynamis.Robot("gimbal on a base", (base, replace(ring, parent="foot"), rod), parameters={"m": ""})


def test_right_angles_are_looked_at_exactly():
    found = positive_definite(three((1, 0, 0)).equations())
    assert (found.method, found.holds) == ("counterexample", False)
    assert str(found) == ("M is not positive definite for all q: it is not at q0 = 0, q1 = 0, q2 = pi/2, m = 1.")


def test_no_more_is_said_than_was_seen():
    """M is singular where tan q2 = -3/2, which no right angle shows: no proof, only samples."""
    found = positive_definite(three(("3/10", 0, "1/5")).equations())
    assert (found.method, found.holds, found.proved) == ("sampling", None, False)
    assert str(found).startswith("It was not decided whether M is positive definite for all q: ")
    assert "this is no proof for all q" in str(found)
    assert "random values for m" in str(found)


@settings(max_examples=20)
@given(robots())
def test_what_is_proved_is_seen(robot: dynamis.Robot):
    found, rng = positive_definite(robot.equations(numeric=True)), np.random.default_rng(2)
    if found.proved:
        m, still = mechanism(robot, robot.floats()), [0.0] * robot.n
        for q in rng.uniform(-3, 3, size=(20, robot.n)):
            assert np.linalg.eigvalsh(np.array(mass_matrix(m, state_at(m, list(q), still, still))))[0] > 0


def test_conditions_have_their_factors_out():
    """-l1*(m1 + m2)/m1, not (-l1*m1 - l1*m2)/m1."""
    assert "rc1x = -l1*(m1 + m2)/m1" in str(dynamis.load("deluca-2r-offaxis").equations().when_gravity_is_balanced())


def test_what_the_conditions_of_the_2r_arm_mean():
    """Q1 and Q2: the CoM of link 2 on the axis of joint 2, and that of both links on the axis of joint 1."""
    model = dynamis.load("deluca-2r").equations()
    assert constant_mass_matrix(model).meanings == [
        "d2 = 0: the CoM of link2 is on the axis of q2; then c = 0, g[2] = 0 and a2 = a5 = 0."
    ]
    (balanced,) = balanced_gravity(model).meanings
    assert "link1 and link2 together have their CoM on the axis of q1" in balanced
    assert "the CoM of link2 is on the axis of q2" in balanced
    assert "g = 0" in balanced
