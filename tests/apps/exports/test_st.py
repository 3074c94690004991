"""Exports to Structured Text: names that differ in case alone, numbers, CODESYS, and the grammar."""

from __future__ import annotations

import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import dynamis
from dynamis.apps.exports.targets.st import number
from tests.support.export_checks import hostile, self_check

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")


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


def test_the_dynamic_model_of_codesys() -> None:
    """The method's body, run in Python: axes in degrees and metres, torques of the robot."""
    robot = dynamis.load("stanford")
    result = dynamis.export(robot, "st", functions=["inverse_dynamics"], parameters=["payload"])
    text = str(result.files["codesys.st"])
    model = SimpleNamespace(q=[0.0] * 6, qd=[0.0] * 6, qdd=[0.0] * 6, tau=[float(k) for k in range(6)])
    scope: dict[str, Any] = {"model": model, "parameters": [2.0], "degree": math.pi / 180, "metre": 1.0}
    for name, value in {"position": 30, "velocity": 10, "acceleration": 5, "torque": 0}.items():
        scope[name] = SimpleNamespace(**{f"a{k}": value + k for k in range(6)})
    called: list[Any] = []
    body = text.rpartition("END_VAR\n")[2].partition("AxesStateToTorque :=")[0]
    exec(body.replace(":=", "=").replace("model()", "called.append(1)"), scope | {"called": called})
    assert called
    factor = [math.pi / 180, math.pi / 180, 1.0, *[math.pi / 180] * 3]
    for have, start in ((model.q, 30), (model.qd, 10), (model.qdd, 5)):
        assert have == [x * (start + k) for k, x in enumerate(factor)]
    assert model.parameters == [2.0]
    assert [getattr(scope["torque"], f"a{k}") for k in range(6)] == list(model.tau)
    assert "codesys.st" not in dynamis.export(dynamis.load("panda"), "st", functions=["inverse_dynamics"]).files
    assert "codesys.st" not in dynamis.export(robot, "st", functions=["gravity_torque"]).files


def test_the_grammar() -> None:
    """That of TwinCAT, as blark has it: function blocks, and the functions for signs and rounding."""
    blark: Any = pytest.importorskip("blark")
    result = dynamis.export(hostile(), "st", functions=["inverse_dynamics"], parameters=["lambda", "payload"])
    text = str(result.files[f"{result.name}.st"])
    assert "FUNCTION class_Grosse_u65e5_xxxx" in text
    assert blark.parse_source_code(text).exception is None
    assert blark.parse_source_code(result.files["codesys.st"]).exception is None
    assert blark.parse_source_code(text.replace("END_VAR", "", 1)).exception is not None
