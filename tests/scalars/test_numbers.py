"""Angles in numbers: their symbols, their signs, and that they are no unknowns of a design question."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.expressions.parser import parse
from dynamis.exact.closed_form.exact_robot import exact_scalars
from dynamis.exact.design.questions import vanishing
from dynamis.exact.design.witness import witness
from dynamis.scalars.exact.angles import generators, octant
from dynamis.scalars.exact.counterexample import value
from dynamis.scalars.exact.numbers import sign, vanishes
from tests.support.rings import ring


def arm(first: str, second: str = "Tx(l)", mass: str = "m", com: tuple[str, str, str] = ("d", "0", "0")) -> Robot:
    """A 2R with a fixed placement before each joint; a point mass at d on link 2."""
    links = (
        Link("a", Joint("q1", before=first), "base", mass, ("l", "0", "0"), Inertia.of()),
        Link("b", Joint("q2", before=second), "a", "m", com, Inertia.of()),
    )
    return Robot("arm", links, parameters=dict.fromkeys(("l", "m", "d", "alpha", "k"), ""))  # type: ignore[arg-type]


@pytest.mark.parametrize("first", ["Rx(37*pi/180)", "Ry(pi/5)", "Rx(0.3)", "Rx(sqrt(2)/3)"])
def test_the_sine_of_a_number_is_no_unknown(first: str):
    model = arm(first).equations()
    assert str(model.when_gravity_is_balanced()) == "g(q) = 0 for all q for no parameters (with l, m > 0)."


def test_only_letters_are_solved_for():
    model = arm("", "Rx(37*pi/180)", "0", ("d", "0", "k")).equations()
    for answer in (model.when_mass_matrix_is_constant(), model.when_gravity_is_balanced()):
        assert [str(case) for case in answer.cases] == ["d = 0"]
        assert all(case.point is not None and case.point["d"] == 0 for case in answer.cases)


def test_a_length_balances_another_through_fixed_angles():
    """tan(37 degrees) stands in the answer, and the point satisfies it."""
    links = (Link("a", Joint("q1", before="Rx(pi/2)"), "base", "m", ("x*cos(37*pi/180) + y*cos(53*pi/180)", "0", "0")),)
    robot = Robot("r", links, parameters={"m": "", "x": "", "y": ""})  # type: ignore[arg-type]
    (case,) = robot.equations().when_gravity_is_balanced().cases
    assert str(case) == "x = -sin(37/180*pi)*y/cos(37/180*pi)"
    assert case.point is not None
    assert float(case.point["x"]) == pytest.approx(-math.tan(math.radians(37)) * float(case.point["y"]), rel=1e-14)


def test_conditions_on_angles_are_angles():
    model = arm("", "Rx(alpha)", "0").equations()
    assert str(model.when_mass_matrix_is_constant()) == (
        "M is constant if and only if alpha = 0 (mod pi), or d = 0 (with m > 0)."
    )


def test_complements_supplements_and_small_multiples_share_their_letters():
    turns = [Fraction(k, 180) for k in (37, 53, 127, 143, -37, 74, 111)]
    assert generators(turns) == [Fraction(37, 180)]
    assert {octant(turn) for turn in turns[:5]} == {Fraction(37, 180)}


@given(st.lists(st.integers(-400, 400), min_size=1, max_size=5), st.integers(1, 13))
def test_every_fixed_angle_has_its_sine_and_cosine(numerators: list[int], below: int):
    texts = [f"{k}*pi/{15 * below}" for k in numerators] + [f"{k}/{below}" for k in numerators]
    before = " ".join(f"Rx({text})" for text in texts)
    link = Link("a", Joint("q1", before=before), "base", "m", ("0", "0", "0"), Inertia.of())
    robot = Robot("r", (link,), parameters={"m": ""})  # type: ignore[arg-type]
    scalars = exact_scalars(robot)
    for text in texts:
        cosine, sine = scalars.cos_sin_of(parse(text))
        angle = float(Fraction(text.replace("*pi", ""))) * (math.pi if "pi" in text else 1)
        assert float(value(cosine, {})) == pytest.approx(math.cos(angle), abs=1e-9)
        assert float(value(sine, {})) == pytest.approx(math.sin(angle), abs=1e-9)


def test_signs_of_numbers_are_proved():
    numbers = ring(("pi", "x"), angles=("1/7*pi", "2/7*pi", "3/10"), roots=(2, 3, 5, 7))
    letter, one = numbers.scalar, numbers.number(1)
    c7, s7, c27, s27 = (letter(name) for name in ("cos(1/7*pi)", "sin(1/7*pi)", "cos(2/7*pi)", "sin(2/7*pi)"))
    assert sign(c27 - c7 * c7 + s7 * s7) == 0
    assert sign(s27 - s7 * c7.times(2)) == 0
    # sin(pi/7) sin(2 pi/7) sin(3 pi/7) = sqrt(7)/8
    s37 = s7 * c27 + c7 * s27
    assert sign(s7 * s27 * s37 - letter("sqrt(7)").times(Fraction(1, 8))) == 0
    assert sign((c7 - c27) * letter("pi")) == 1
    assert sign((c27 - c7 * c7 + s7 * s7) * letter("pi") * letter("pi")) == 0
    assert sign((c27 - c7 * c7 + s7 * s7) * letter("cos(3/10)")) == 0
    assert sign(letter("sqrt(2)") + letter("sqrt(3)") - letter("sqrt(5)") - one) == -1
    assert vanishes((c27 - c7 * c7 + s7 * s7) * letter("x")) is True
    assert vanishes((c27 - c7) * letter("x")) is False


def test_what_is_not_decided_is_said():
    """No theorem is used on pi and sin(3/10) together, so that this zero is left open."""
    numbers = ring(("pi",), angles=("1/7*pi", "2/7*pi", "3/10"))
    c7, s7, c27 = (numbers.scalar(name) for name in ("cos(1/7*pi)", "sin(1/7*pi)", "cos(2/7*pi)"))
    assert sign((c27 - c7 * c7 + s7 * s7) * numbers.scalar("pi") * numbers.scalar("sin(3/10)")) is None


def test_a_joint_that_is_called_1_is_no_number():
    """sin(1) is the sine of that joint; with its value a singular M would be positive definite."""
    links = (
        Link("a", Joint("2"), "base", "0", ("l", "0", "0"), Inertia.of()),
        Link("b", Joint("1", before="Tx(l)"), "a", "m", ("d", "0", "0"), Inertia.of()),
    )
    model = Robot("arm", links, parameters=dict.fromkeys("lmd", "")).equations()  # type: ignore[arg-type]
    assert model.ring.numbers == {"pi"}
    found = model.positive_definite()
    assert not found.holds
    assert "1 = 0 (mod pi)" in str(found)


def test_squares_that_relations_hide_are_solved():
    """(d - k sin 36)^2 in normal form has no factors over the rationals: its sine was squared away."""
    world = ring("dk", angles=("1/5*pi",))
    d, k, s = (world.scalar(name) for name in ("d", "k", "sin(1/5*pi)"))
    square = (d - k * s) * (d - k * s)
    assert [" and ".join(map(str, case)) for case in vanishing([square], frozenset())] == ["d = sin(1/5*pi)*k"]


def test_conditions_are_solved_again_with_letters_that_were_solved_later():
    d, k, h = map((world := ring("dkh")).scalar, world.symbols)
    curve = d * d * d - k * k - h * k
    cases = vanishing([curve, k * k * h + k * k * k * d * d + k], h.symbols())
    assert "d = 0 and k = 0" in [" and ".join(map(str, case)) for case in cases]


def test_angles_are_found_that_satisfy_conditions():
    """tan alpha = -2 and l cos beta = 1/2: neither is a right angle."""
    world = ring("l", angles=("alpha", "beta"))
    s, c, cosine, l1 = (world.scalar(name) for name in ("sin(alpha)", "cos(alpha)", "cos(beta)", "l"))
    equations = [s + c.times(2), l1 * cosine - world.number(Fraction(1, 2))]
    point = witness(equations, {}, l1.symbols())
    assert point is not None
    assert float(point["sin(alpha)"]) == pytest.approx(-2 * float(point["cos(alpha)"]))
    assert float(point["l"]) * float(point["cos(beta)"]) == pytest.approx(0.5)
