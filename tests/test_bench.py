"""The benchmarks run and check what they time; the times themselves are nobody's test."""

import pytest

from dynamis import load
from dynamis.bench.exact import chain, measure, sympy_seconds


def test_exact_rows_are_proved_before_they_count():
    row = measure("chain of 3", chain(3))
    assert row.terms > 100
    assert 0 < row.mass_matrix <= row.christoffel <= row.proved


def test_a_wrong_model_is_not_timed(monkeypatch: pytest.MonkeyPatch):
    from dynamis.exact.equations import Equations

    monkeypatch.setattr(Equations, "torques", property(lambda self: []))
    with pytest.raises(AssertionError, match="differ for two"):
        measure("two", chain(2))


def test_sympy_agrees_on_the_planar_arm():
    seconds = sympy_seconds(load("planar-elbow"))
    assert seconds is not None
    assert seconds > 0
