"""Exports to Structured Text: names that differ in case alone, numbers, and the grammar (pip install blark)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import dynamis
from dynamis.exports.targets.st import number
from tests.support.export_checks import hostile, self_check

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")


def test_numbers_have_digits_on_both_sides_of_the_point() -> None:
    for x in (1.0, -2.5, 1e-05, 1e300, 1.5e-7, 123456789012345680.0):
        assert re.fullmatch(r"-?\d+\.\d+(E[+-]?\d+)?", number(x))
        assert float(number(x)) == x


def test_names_that_differ_in_case_alone(tmp_path: Path) -> None:
    """`recursion` has the outputs F and f, N and n."""
    result = dynamis.export(dynamis.load("bar-2r"), "st", functions=["recursion"])
    text = str(result.files["bar_2r.st"])
    assert "    F : ARRAY[0..5] OF LREAL;" in text
    assert "    f_2 : ARRAY[0..5] OF LREAL;" in text
    assert "agree with the reference" in self_check(result, tmp_path / "out")


def test_the_grammar() -> None:
    """That of TwinCAT, as blark has it: function blocks, and the functions for signs and rounding."""
    blark: Any = pytest.importorskip("blark")
    result = dynamis.export(hostile(), "st", functions=["inverse_dynamics"], parameters=["lambda", "payload"])
    text = str(result.files[f"{result.name}.st"])
    assert "FUNCTION class_Grosse_SIGN : LREAL" in text
    assert blark.parse_source_code(text).exception is None
    assert blark.parse_source_code(text.replace("END_VAR", "", 1)).exception is not None
