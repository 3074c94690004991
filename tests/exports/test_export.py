"""`dynamis.export`: what can be exported, what stands beside the code, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.errors import listed
from dynamis.exports.functions import names
from dynamis.exports.straight_line import Body
from dynamis.exports.syntax import CALLS, Syntax
from dynamis.exports.target import TARGETS
from dynamis.exports.vectors import vectors
from tests.support.command_line import caller
from tests.support.export_checks import FUNCTIONS, hostile, self_check
from tests.support.strategies import Case, robots

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
PLAIN = Syntax(frozenset(), calls=CALLS | {
    "sin": "np.sin({})", "cos": "np.cos({})", "sqrt": "np.sqrt({})", "sign": "np.sign({})", "round": "np.rint({})",
})  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_the_self_check_of_every_target_is_green(target: str, tmp_path: Path) -> None:
    kept = ["lambda", "double", "payload", "R", "end", "fn", "function", "self", "q1", "größe.inertia.zz"]
    result = dynamis.export(hostile(), target, functions=FUNCTIONS, parameters=kept)
    assert "agree with the reference" in self_check(result, tmp_path / "out")


@settings(max_examples=4)
@given(case=robots(joints=(1, 4), friction=True))
def test_bodies_compute_what_programs_do(case: Case) -> None:
    """The program agrees with the reference, else `vectors` raises; so does the straight-line form."""
    result = dynamis.export(case.robot(), "json", functions=["inverse_dynamics", "mass_matrix", "pd-gravity", "step"])
    for function in result.functions:
        v = function.vectors
        for k in range(2):
            values = {x.name: array[k] for x, array in zip(function.inputs, v.inputs, strict=True)}
            outputs = _run(function.body(PLAIN), values)
            for output, expected, most in zip(outputs, v.outputs, v.tolerances, strict=True):
                assert np.abs(output - expected[k]).max() <= most


def _run(body: Body, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """A body, executed as the Python that a printer would write."""
    scope = {"np": np, "min": min, "max": max}
    for name, operand, k in body.loads:
        scope[name] = values[operand.name][k]
    for name, expression in body.statements:
        scope[name] = eval(PLAIN.text(expression), scope)
    return [np.array([eval(PLAIN.text(x), scope) for x in entries]) for _, entries in body.results]


def test_a_wrong_program_fails_its_vectors() -> None:
    result = dynamis.export(dynamis.load("bar-2r"), "json", functions=["gravity_torque"])
    heavier = dynamis.export(dynamis.load("bar-2r").with_values(m1=1.0001), "json", functions=["gravity_torque"])
    with pytest.raises(dynamis.ArgumentError, match="more than rounding explains"):
        vectors(result.functions[0].source, heavier.functions[0].program)


def test_every_function_can_be_exported() -> None:
    """Quantities with their options, every control law with its gains, both integrators."""
    others = {
        "slotine-li": ":rate=2:adaptation=0.1", "operational-pd": ":goal=0.5,0.1,0:kp=10:kd=1",
        "momentum-observer": ":inner=pd:gain=5",
    }  # fmt: skip
    robot = dynamis.load("bar-2r")
    link = f":link={robot.links[0].name}"
    for name in names():
        options = others.get(name, link if "com_" in name or name == "link_inertia" else "")
        if name.startswith(("operational_", "consistent")):
            options = ":rows=x+y"
        if name in ("operational-pd", "momentum-observer"):
            continue
        result = dynamis.export(robot, "json", functions=[name + options])
        assert result.functions[0].vectors.outputs[0].size
    result = dynamis.export(robot, "json", functions=["step:integrator=symplectic", dynamis.PDGravity(60, 20)])
    assert [str(x.program.signature) for x in result.functions] == [
        "q, qd, tau, h -> q_after, qd_after", "q, qd, goal_q, goal_qd -> tau",
    ]  # fmt: skip


def test_gains_parameters_and_memory_are_arguments() -> None:
    robot = dynamis.load("deluca-2r")
    result = dynamis.export(
        robot, "json", functions=["pid", "gravity_torque"], parameters=[*robot.missing_values, "gravity"]
    )
    assert [str(x.program.signature) for x in result.functions] == [
        "q, qd, goal_q, goal_qd, memory, period, kp, ki, kd -> tau, integral, memory_after",
        "q, parameters, gravity -> g",
    ]  # fmt: skip
    assert "m1" in result.functions[1].inputs[1].entries
    assert result.functions[0].vectors.tolerances[0] < 1e-9


def test_what_is_refused(tmp_path: Path) -> None:
    robot = dynamis.load("bar-2r")
    with pytest.raises(dynamis.UnknownNameError, match='unknown target "jason"; did you mean "json"'):
        dynamis.export(robot, "jason")
    with pytest.raises(dynamis.UnknownNameError, match='did you mean "inverse_dynamics"'):
        dynamis.export(robot, "c", functions=["inverse_dynamic"])
    with pytest.raises(dynamis.UnknownNameError, match="style"):
        dynamis.export(robot, "c", style="pretty")
    with pytest.raises(dynamis.ArgumentError, match="OPTION=VALUE"):
        dynamis.export(robot, "c", functions=["jacobian:tool"])
    with pytest.raises(dynamis.MissingValuesError, match="has no value for l1, l2"):
        dynamis.export(dynamis.load("deluca-2r"), "c")
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(dynamis.ArgumentError, match="is not empty; use --force"):
        dynamis.export(robot, "json", tmp_path, functions=["gravity_torque"])
    dynamis.export(robot, "json", tmp_path, functions=["gravity_torque"], force=True)
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "bar_2r.json").is_file()


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cli = caller(monkeypatch, capsys)
    monkeypatch.chdir(tmp_path)
    first = cli("export", "bar-2r", "--to", "json", "--functions", "gravity_torque, jacobian:frame=tool")
    assert first.code == 0
    assert "wrote bar_2r.json, check.py, vectors.json, README.md to bar_2r-json" in first.out
    data = json.loads((tmp_path / "bar_2r-json" / "vectors.json").read_text())
    assert [x["name"] for x in data["functions"]] == ["gravity_torque", "jacobian_tool"]
    assert data["provenance"]["command"].startswith("dynamis export bar-2r --to json")
    assert data["provenance"]["files"][0]["sha256"]
    readme = (tmp_path / "bar_2r-json" / "README.md").read_text()
    assert "python check.py" in readme
    again = cli("export", "bar-2r", "--to", "json")
    assert (again.code, again.err) == (2, "error: bar_2r-json exists and is not empty; use --force to write into it\n")
    unknown = cli("export", "bar-2r", "--to", "jsno")
    assert unknown.err == 'error: unknown target "jsno"; did you mean "json"? (known: ' + listed(TARGETS) + ")\n"
