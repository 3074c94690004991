"""A true claim is proved, a false one gets a point where it fails."""

import time
import warnings
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.base.errors import TimeLimitError
from dynamis.errors import MissingValuesError
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.equations import Equations
from dynamis.exact.proof.coriolis_factorisations import (
    factorisations,
    times_velocity,
    with_and_without_skew_symmetry,
)
from dynamis.exact.proof.laws import CLAIMS
from dynamis.exact.prove import prove_all
from dynamis.scalars.exact.counterexample import Counterexample, counterexample, value
from dynamis.scalars.exact.proof import prove_equal
from dynamis.scalars.exact.symbols import coordinate, parameter
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation
from dynamis.telling.renderers.page import render
from tests.support.exact_models import robots


@pytest.mark.parametrize("name", ["deluca-2r", "genova-rp", "stanford", "niryo-one", "puma560", "cartesian"])
def test_every_law_is_proved(name: str):
    proofs = dynamis.load(name).equations().prove()
    assert [proof.claim for proof in proofs] == list(CLAIMS)
    assert all(proof.holds for proof in proofs)
    assert proofs[0].terms > 0


def test_de_lucas_q4_two_factorisations_one_skew_one_not():
    christoffel, rate, gradient = dynamis.load("deluca-2r").equations().factorisations
    assert all(f.valid.holds for f in (christoffel, rate, gradient))
    assert [f.skew.holds for f in (christoffel, rate, gradient)] == [True, False, False]
    found = rate.skew.counterexample
    assert found is not None
    assert found.left != found.right


def test_both_matrices_of_q4_and_the_residual_are_shown():
    """S' with N' skew-symmetric, S'' without: on the page, in text and in JSON."""
    model = dynamis.load("deluca-2r").equations()
    first, second, _ = model.factorisations
    blocks = list(with_and_without_skew_symmetry(model.factorisations))
    shown = {part.left: part.right for part in blocks if isinstance(part, Equation)}
    assert (shown[s.S1], shown[s.S2], shown[s.E]) == (first.matrix, second.matrix, second.residual)
    assert times_velocity(model, first.matrix) == times_velocity(model, second.matrix) == model.coriolis
    assert not any(map(any, first.residual))
    n = range(2)
    assert shown[s.M.dot] == model.mass_matrix_rate
    assert shown[s.N2] == [[model.mass_matrix_rate[i][j] - second.matrix[i][j].times(2) for j in n] for i in n]
    page = str(prove_all(model))
    assert "    S'' = " in page
    assert "E = N'' + N''ᵀ" in page
    data = prove_all(model).as_dict()["factorisations"]
    assert data[0]["residual"] == [["0", "0"], ["0", "0"]]
    assert data[1]["matrix"] == [[str(entry) for entry in row] for row in second.matrix]
    long, constant = (str(prove_all(dynamis.load(name).equations())) for name in ("genova-3r", "cartesian"))
    assert "S'' without skew-symmetry: dynamis.derive_only(robot.equations(), \"S\")" in long
    assert "S'" not in constant


@settings(max_examples=5)
@given(robots())
def test_factorisations_of_any_robot(robot: dynamis.Robot):
    model = robot.equations(numeric=True)
    for found in model.factorisations:
        assert times_velocity(model, found.matrix) == model.coriolis
        assert found.skew.holds == (not any(map(any, found.residual)))


def test_transposed_coriolis():
    model = dynamis.load("genova-3r").equations()
    assert times_velocity(model, model.coriolis_matrix, transposed=True) == model.coriolis_transposed


def test_a_false_claim_names_entry_point_and_sides():
    model = dynamis.load("planar-elbow").equations()
    wrong = model.gravity[1].times(Fraction(2))
    proof = prove_equal("g2 doubled", lambda: [("g[2]", model.gravity[1], wrong)])
    assert not proof.holds
    found = proof.counterexample
    assert found is not None
    assert found.right == 2 * found.left
    assert value(model.gravity[1], found.point) == found.left
    assert str(proof).startswith("false: g2 doubled; g[2] is ")


def moving(point: dict[str, Fraction]) -> dict[str, Fraction]:
    """The velocities and accelerations of a point that are not zero."""
    return {name: x for name, x in point.items() if name.startswith(("d(", "dd(")) and x}


@pytest.mark.parametrize("name", ["bar-2r", "deluca-2r", "genova-3r", "stanford", "niryo-one", "puma560"])
def test_a_counterexample_is_small(name: str):
    """Torques without c differ from torques: one velocity is enough to see it, or two; nothing else moves."""
    model = dynamis.load(name).equations()
    without = [tau - c for tau, c in zip(model.torques, model.coriolis, strict=True)]
    pairs = [(f"tau[{k}]", a, b) for k, (a, b) in enumerate(zip(model.torques, without, strict=True), 1)]
    found = prove_equal("tau without c", lambda: pairs).counterexample
    assert found is not None
    k = int(found.entry[4:-1]) - 1
    rates = [set(_rates(exponents, model)) for exponents in model.coriolis[k].terms()]
    assert len(moving(found.point)) == min(map(len, rates))
    assert set(moving(found.point).values()) == {1}
    assert found.left - found.right == value(model.coriolis[k], found.point) != 0
    angles = [x for letter, x in found.point.items() if letter.startswith(("sin(", "cos("))]
    assert set(angles) <= {0, 1, -1}
    assert all(x in (0, 1) for letter, x in found.point.items() if not letter.startswith(("sin(", "cos(")))


def _rates(exponents: tuple[int, ...], model: ClosedForm) -> list[str]:
    names = model.ring.symbols
    return [name for name, e in zip(names, exponents, strict=True) if e and name.startswith(("d(", "dd("))]


def test_a_counterexample_takes_other_numbers_where_ones_hide_it():
    """m1 = m2 hides m1 - m2, and q1 = 0 hides sin(q1)."""
    model = dynamis.load("planar-elbow").equations()
    m1, m2, s1 = (model.ring.scalar(name) for name in ("m1", "m2", "sin(q1)"))
    found = counterexample("x", m1 * s1, m2 * s1)
    assert sorted((found.point["m1"], found.point["m2"])) == [1, 2]
    assert found.left != found.right
    assert "q1 = pi/2" in str(found)


def test_a_counterexample_names_both_sides_and_velocities():
    """`d(q2)` would read like the parameter d2."""
    rate = factorisations(dynamis.load("deluca-2r").equations())[1]
    assert str(rate.skew.counterexample) == "N[1,1] is 2 and -N[1,1] is -2 at d(q2) = d2 = l1 = m2 = 1, q2 = pi/2"
    velocity, acceleration = coordinate("s", 1), coordinate("q1", 2)
    found = Counterexample("x", {velocity: Fraction(1), acceleration: Fraction(2)}, Fraction(1), Fraction(2))
    assert str(found) == "x is 1 on the one side and 2 on the other at d(s) = 1, dd(q1) = 2"
    clash = Counterexample("x", {acceleration: Fraction(1), parameter("qdd1"): Fraction(1)}, Fraction(1), Fraction(2))
    assert clash.where == "dd(q1) = qdd1 = 1"


def test_a_sign_goes_with_its_velocity():
    model = dynamis.load("puma560").equations()
    found = counterexample("friction", model.friction[0], model.ring.zero)
    velocity, sign = (found.point[name] for name in ("d(q1)", "sign(d(q1))"))
    assert velocity * sign > 0


def test_a_counterexample_is_always_the_same():
    model = dynamis.load("stanford").equations()
    assert counterexample("c", model.coriolis[0], model.ring.zero) == counterexample(
        "c", model.coriolis[0], model.ring.zero
    )


def test_a_counterexample_with_roots_and_fixed_angles():
    joint = dynamis.Joint("q", axis=(1, 1, 0), before="Rx(0.3) Rz(pi/4)")
    link = dynamis.Link("a", joint, mass=1, com=("l", 0, 0.5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = dynamis.Robot("r", (link,), parameters={"l": "length [m]"}).equations()
    found = counterexample("g", model.gravity[0], model.gravity[0].times(3))
    assert found.right == pytest.approx(3 * float(found.left))
    assert "sin(0.3)" not in found.point


def test_single_entries_are_derived_on_their_own():
    model = dynamis.load("stanford").equations()
    assert model.M[0, 0]
    assert set(model.M.entries) == {(0, 0)}
    with pytest.raises(IndexError, match="M is 6 x 6; it has no entry"):
        model.M[6, 0]


def test_a_model_too_large_for_its_time_says_what_to_ask_for():
    model = dynamis.load("panda").symbolic(keep_zeros=False).equations(seconds=0.001)
    with pytest.raises(dynamis.errors.TimeLimitError, match="ask for single entries") as caught:
        model.prove()
    assert caught.value.seconds == 0.001


def test_numbers_of_a_symbolic_robot_are_asked_for_by_name():
    with pytest.raises(MissingValuesError, match="has no value for l1"):
        dynamis.load("deluca-2r").equations(numeric=True)


@pytest.mark.parametrize(
    "part",
    [
        lambda model: counterexample("M", model.M[0, 0], model.M[1, 1]),
        lambda model: prove_equal("M = M", lambda: [("M", model.M[0, 0], model.M[0, 0])]),
        lambda model: model.coefficients,
        lambda model: model.when_mass_matrix_is_constant(),
    ],
)
def test_long_parts_check_time(part: Callable[[Equations], object]):
    """They have few products or none, so that the clock of the ring alone would not stop them."""
    model = dynamis.load("deluca-2r").equations(seconds=60)
    _ = model.M.rows(), model.gravity, model.friction
    deadline = model.ring.deadline
    assert deadline is not None
    deadline.end = time.monotonic() - 1
    with pytest.raises(TimeLimitError):
        part(model)


def test_the_proofs_are_a_list_and_a_page():
    proofs = dynamis.load("bar-2r").equations(numeric=True).prove()
    assert isinstance(proofs, list)
    assert (len(proofs), bool(proofs), proofs[-1].claim) == (len(CLAIMS), True, list(CLAIMS)[-1])
    lines = str(proofs).splitlines()[2:]
    assert len(lines) == len(CLAIMS)
    assert all("  proved  " in line for line in lines)
    assert lines[5].startswith("M is symmetric  ")
    assert [proof["claim"] for proof in proofs.as_dict()["proofs"]] == list(CLAIMS)
    assert "$M$ is symmetric & proved" in proofs.page("latex")
    assert proofs.holds


def test_the_difference_has_a_letter_of_its_own():
    """A parameter is called N."""
    links = (
        Link("a", Joint("q1"), "base", "N", ("l", 0, 0)),
        Link("b", Joint("q2", before="Tx(l)"), "a", "N", ("l", 0, 0)),
    )
    page = render(prove_all(Robot("r", links, parameters={"N": "", "l": ""}).equations()))
    assert "− 2 C, W[1,1] is 2 and -W[1,1] is -2" in page
    assert "N[" not in page
