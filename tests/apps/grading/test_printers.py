"""The equations of random robots, printed by SymPy in three languages, are right, and wrong with a changed term."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.notation import to_sympy
from tests.support.answers import faultless
from tests.support.exact_models import robots

sympy: Any = pytest.importorskip("sympy")
PRINTERS = {
    "MATLAB": ("{}({}) = {};", sympy.octave_code),
    "Python": ("{}[{}] = {}", sympy.pycode),
    "LaTeX": ("{}_{{{}}} &= {} \\\\", sympy.latex),
}


def printed(entries: list[tuple[str, Exact]], language: str, change: int | None = None) -> str:
    """The entries in a language; in the one at `change` a term is doubled."""
    form, write = PRINTERS[language]
    lines: list[str] = []
    for k, (name, value) in enumerate(entries):
        formula = to_sympy(value)
        if k == change:
            first, *rest = formula.expand().as_ordered_terms()
            formula = sympy.Add(2 * first, *rest)
        head, index = name.split("[")
        index = index[:-1].replace(",", "") if language == "LaTeX" else index[:-1]
        lines.append(form.format(head, index, write(formula)))
    return "\n".join(lines)


@pytest.mark.parametrize("language", PRINTERS)
@given(robot=robots(), seed=st.integers(0, 99))
@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow])
def test_what_sympy_prints(robot: dynamis.Robot, seed: int, language: str):
    model = robot.equations()
    n = model.n
    entries = [(f"M[{i + 1},{j + 1}]", model.M[i, j]) for i in range(n) for j in range(i, n)]
    entries += [(f"g[{i + 1}]", model.gravity[i]) for i in range(n)]
    entries = [(name, value) for name, value in entries if 0 < len(value) < 60]
    if entries:
        text = printed(entries, language)
        report = dynamis.check_answer(robot, text)
        assert faultless(report), f"{text}\n{report}"
        change = seed % len(entries)
        spoilt = dynamis.check_answer(robot, printed(entries, language, change))
        assert [verdict.name for verdict in spoilt.wrong] == [entries[change][0]], str(spoilt)


@given(robot=robots())
@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_whole_matrices_and_the_law(robot: dynamis.Robot):
    """M and g as matrices of MATLAB, NumPy and LaTeX, and the torques in them, against c from the model."""
    assume(robot.n <= 2)
    model = robot.equations()
    assume(sum(map(len, model.torques)) < 150)
    n, c = model.n, sympy.Matrix([to_sympy(entry) for entry in model.coriolis])
    M = sympy.Matrix(n, n, [to_sympy(model.M[i, j]) for i in range(n) for j in range(n)])
    g = sympy.Matrix([to_sympy(entry) for entry in model.gravity])
    numpy_code = sympy.printing.numpy.NumPyPrinter().doprint
    for write, law in (
        (sympy.octave_code, "M*ddq + c + G"),
        (numpy_code, "M @ ddq + c + G"),
        (sympy.latex, "M \\ddot q + c + G"),
    ):
        left = "\\tau" if write is sympy.latex else "tau"
        answer = f"M = {write(M)}\nc = {write(c)}\nG = {write(g)}\n"
        if n > 1 and not any(model.friction):
            answer += f"{left} = {law}\n"
        report = dynamis.check_answer(robot, answer, seconds=20)
        assert report.verdict == "right", f"{answer}\n{report}"
        assert not report.unread, str(report)


def test_a_sign_before_a_function_of_a_module():
    """[a - np.cos(q1)] has one entry; a blank before a sign and none behind it is MATLAB's next one."""
    report = dynamis.check_answer(
        dynamis.load("planar-elbow"), "c = np.array([[m1 - np.cos(q1)], [m1 - math.sin(q1)]])"
    )
    assert [verdict.name for verdict in report.entries] == ["c[1]", "c[2]"]
