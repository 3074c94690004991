"""Decimals: exact as written, read as what they round only where that makes an entry equal, and then it is said."""

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.judging.report import Verdict
from dynamis.apps.grading.judging.rounding import may_stand_for
from dynamis.apps.grading.values import Decimal

BAR = dynamis.load("bar-2r")


def verdict(text: str, given: dict[str, str] | None = None) -> Verdict:
    *_, last = check_answer(BAR, text, conditions=given).entries
    return last


@pytest.mark.parametrize(
    ("entry", "stated"),
    [
        ("M[2,2] = m2*L2^2/3.0", "equal"),
        ("M[2,2] = 0.333*m2*L2^2", "equal, reading 0.333 as 1/3"),
        ("M[2,2] = 0.33*m2*L2^2", "equal, reading 0.33 as 1/3"),
        ("M[2,2] = 3.33e-1*m2*L2^2", "equal, reading 3.33e-1 as 1/3"),
        ("M[2,2] = 0.25*m2*L2^2 + 0.0833*m2*L2^2", "equal, reading 0.0833 as 1/12"),
        ("M[2,2] = 0.17*m2*L2^2 + 0.167*m2*L2^2", "equal, reading 0.17 as 1/6, 0.167 as 1/6"),
        ("M[2,2] = 0.67*0.50*m2*L2^2", "equal, reading 0.67 as 2/3"),
        ("let k = 0.333*m2\nM[2,2] = k*L2^2", "equal, reading 0.333 as 1/3"),
        ("M[1,2] = 0.333*m2*L2^2 + 0.50*m2*L1*L2*cos(q2)", "equal, reading 0.333 as 1/3"),
    ],
)
def test_each_decimal_on_its_own(entry: str, stated: str):
    assert verdict(entry).stated == stated


@pytest.mark.parametrize("number", ["0.3", "0.34", "0.332", "0.3334", "0.30", "0.35", "1/3.01", "0.33333334"])
def test_what_does_not_round_to_the_digits_is_wrong(number: str):
    found = verdict(f"M[2,2] = {number}*m2*L2^2")
    assert found.status == "wrong"
    if "/" not in number:
        assert found.sentences == (f"term m2*L2^2 has the factor {number}, it should be 1/3",)


def test_one_decimal_is_right_as_written_and_another_is_rounded():
    """0.42 exactly and 5/12 rounded in one file are no false alarm of each other."""
    given = {"m1": "0.42", "L1": "1"}
    text = "M[1,1] = 0.14 + m2*(1 + 0.333*L2^2 + L2*cos(q2))"
    assert verdict(text, given).stated == "equal, reading 0.333 as 1/3"


@pytest.mark.parametrize("how", ["given", "set"])
def test_the_same_rule_for_given_and_set(how: str):
    def of(entry: str, value: str) -> str:
        if how == "set":
            return verdict(entry, {"L2": value}).stated
        return verdict(f"given L2 = {value}\n{entry}").stated

    assert of("M[2,2] = 0.036963*m2", "0.333") == "equal"
    assert of("M[2,2] = m2/27", "0.333") == "equal, reading 0.333 as 1/3"
    assert of("M[2,2] = m2/27", "0.3") == "wrong"
    assert of("M[2,2] = m2/27", "0.34") == "wrong"


def test_a_report_quotes_what_was_written():
    found = verdict("M[1,1] = 0.42*L1^2*m1 + L1^2*m2 + 0.333*L2^2*m2 + L1*L2*m2*c2 + 0.08*m1")
    assert found.sentences == ("term m1*L1^2 has the factor 0.42, it should be 1/3", "extra: 0.08*m1")
    assert found.conditions == ("reading 0.333 as 1/3",)


def test_numbers_of_a_robot_need_three_digits():
    numbers = {"m2": "1.2345", "L2": "1"}
    assert verdict("M[2,2] = 0.412", numbers).stated == "equal, reading 0.412 as 0.4115"
    assert verdict("M[2,2] = 0.411", numbers).status == "equal up to rounding"  # a tie rounds both ways
    assert verdict("M[2,2] = 0.41", numbers).status == "wrong"
    assert verdict("M[2,2] = 0.413", numbers).status == "wrong"


def test_allowed():
    assert may_stand_for(Decimal("0.125", "", 0), Decimal("0.125", "", 0).value)
    assert not may_stand_for(Decimal("1.0", "", 0), Decimal("1.04", "", 0).value)
