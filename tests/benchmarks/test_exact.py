"""The benchmarks run and check what they time; the times themselves are nobody's test."""

import sys
import warnings

import pytest

from benchmarks.exact import PAGE_AIM, chain, measure, measure_page, peak_memory, rows, sympy_seconds
from dynamis import load


def test_exact_rows_are_proved_before_they_count():
    row = measure("chain of 3", chain(3))
    assert row.terms > 100
    assert 0 < row.mass_matrix <= row.christoffel <= row.proved


def test_memory_is_unknown_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch):
    assert 0.01 < (peak_memory() or 0) < 100
    monkeypatch.setitem(sys.modules, "resource", None)
    assert peak_memory() is None
    assert measure("chain of 2", chain(2)).memory_gb is None


def test_a_wrong_model_is_not_timed(monkeypatch: pytest.MonkeyPatch):
    from dynamis.exact.closed_form.closed_form import ClosedForm

    monkeypatch.setattr(ClosedForm, "torques", property(lambda self: []))
    with pytest.raises(AssertionError, match="differ for two"):
        measure("two", chain(2))


def test_sympy_agrees_on_the_planar_arm():
    seconds = sympy_seconds(load("planar-elbow"))
    assert seconds is not None
    assert seconds > 0


def test_the_page_of_a_2r_is_measured():
    row = measure_page("deluca-2r")
    assert row.repeated > 0
    assert row.processor > 0
    assert row.characters > 5000
    assert row.aim == PAGE_AIM == 0.1


def test_the_table_has_no_warnings(monkeypatch: pytest.MonkeyPatch):
    """genova-rp and genova-3r break the triangle inequality; a benchmark is not the place to say so."""
    monkeypatch.setattr("benchmarks.exact.peer", lambda *_, **__: None)
    monkeypatch.setattr("benchmarks.exact.in_its_own_process", lambda name, robot, sympy: name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "genova-3r" in list(rows(1))
