"""A true claim is proved, a false one gets a point where it fails."""

import warnings
from fractions import Fraction

import pytest

import dynamis
from dynamis.exact.coriolis import times_velocity
from dynamis.exact.proof import CLAIMS, counterexample, prove_equal, value


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
    with pytest.raises(dynamis.TimeLimitError, match="ask for single entries") as caught:
        model.prove()
    assert caught.value.seconds == 0.001


def test_numbers_of_a_symbolic_robot_are_asked_for_by_name():
    with pytest.raises(dynamis.MissingValuesError, match="has no value for l1"):
        dynamis.load("deluca-2r").equations(numeric=True)
