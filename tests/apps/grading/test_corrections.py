"""A slip in a formula is named by the smallest part of it that, corrected, makes the formula right."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.telling.forms.tree import expand, size
from dynamis.telling.notation import python, text

ROBOT = dynamis.load("planar-elbow")
MODEL = ROBOT.equations()
ENTRIES = {
    "M[1,1]": MODEL.M[0, 0], "M[1,2]": MODEL.M[0, 1], "c[1]": MODEL.coriolis[0], "g[1]": MODEL.gravity[0],
    "T1": MODEL.kinetic_energies[0], "U": MODEL.potential_energy,
}  # fmt: skip
TOKENS = re.compile(r"\b(?:m1|m2|l1|lc1|lc2|I1|I2|q1|q2|dq1|dq2|cos|sin|2)\b| [+-] ")
ALIKE = [["m1", "m2"], ["l1", "lc1", "lc2"], ["I1", "I2"], ["q1", "q2"], ["dq1", "dq2"], ["cos", "sin"], [" + ", " - "]]


def corrections(answer: str, robot: dynamis.Robot = ROBOT) -> list[tuple[str, str, str]]:
    parts = [part for verdict in check_answer(robot, answer).wrong for part in verdict.corrections]
    return [(part.left, text(part.written), text(part.correct)) for part in parts]


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str, str]:
    """(entry, right formula, formula with one slip of the pen)."""
    name = draw(st.sampled_from(sorted(ENTRIES)))
    formula = python(ENTRIES[name])
    token = draw(st.sampled_from(list(TOKENS.finditer(formula))))
    family = next((family for family in ALIKE if token[0] in family), ["2", "3"])
    other = draw(st.sampled_from([name for name in family if name != token[0]]))
    return name, formula, formula[: token.start()] + other + formula[token.end() :]


@settings(max_examples=60, deadline=None)
@given(slips())
def test_a_corrected_formula_is_right(slip: tuple[str, str, str]):
    name, _, formula = slip
    for verdict in check_answer(ROBOT, f"{name} = {formula}").wrong:
        (part,) = verdict.corrections
        assert expand(part.correct, MODEL.ring) == ENTRIES[name]
        assert part.written != part.correct
        assert size(part.correct) <= 2 * size(part.written)


@pytest.mark.parametrize(
    ("answer", "written", "correct"),
    [
        ("g[2] = m2*lc2*g*cos(q1 - q2)", "m₂ lc₂ g cos(q₁ − q₂)", "m₂ lc₂ g cos(q₁ + q₂)"),
        ("M22 = I2 + m2*lc2", "I₂ + m₂ lc₂", "I₂ + m₂ lc₂²"),
        ("M22 = I2", "I₂", "m₂ lc₂² + I₂"),
        ("M22 = I2 + m2*lc2^2 + I1", "I₂ + m₂ lc₂² + I₁", "I₂ + m₂ lc₂²"),
        ("T1 = 1/2*(I1 - m1*lc1^2)*dq1^2", "1/2 (I₁ − m₁ lc₁²) q̇₁²", "1/2 (I₁ + m₁ lc₁²) q̇₁²"),
        ("g[1] = g*(m1*lc1 + m2*l1)*c2 + g*m2*lc2*c12", "g (m₁ lc₁ + m₂ l₁) cos q₂ + g m₂ lc₂ cos(q₁ + q₂)",
         "g (m₁ lc₁ + m₂ l₁) cos q₁ + g m₂ lc₂ cos(q₁ + q₂)"),
        ("M12 = m2*l1*lc2*(cos(q2) + I2 + m2*lc2^2)", "m₂ l₁ lc₂ (cos q₂ + I₂ + m₂ lc₂²)",
         "m₂ l₁ lc₂ cos q₂ + I₂ + m₂ lc₂²"),
    ],
)  # fmt: skip
def test_as_it_is_written(answer: str, written: str, correct: str):
    ((_, before, after),) = corrections(answer)
    assert (before, after) == (written, correct)


def test_a_definition_is_corrected_where_it_stands():
    answer = "let a = m2*l1^2*lc2\nM = [I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2) + 2*a*c2, I2 + m2*lc2^2 + a*c2]"
    answer = answer.replace("M = [", "M11 = ").replace(", I2 + m2*lc2^2 + a*c2]", "\nM12 = I2 + m2*lc2^2 + a*c2")
    assert set(corrections(answer)) == {("a", "m₂ l₁² lc₂", "m₂ l₁ lc₂")}


def test_a_definition_that_is_right_elsewhere_is_not_corrected():
    """Only one of the two uses of a is wrong."""
    answer = "let a = m2*l1*lc2\nM11 = I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2) + a*c2 + a*s2"
    ((left, _, correct),) = corrections(answer)
    assert left == "M[1,1]"
    assert "sin" not in correct


def test_matrices_and_fractions_of_sums_are_left_to_the_terms():
    assert corrections("M22 = (I2 + m2*lc2)*(l1 + lc1)/(l1 + lc1)") == []
    assert corrections("tau = M*qdd\nM = [I1, 0; 0, I2]") != []
