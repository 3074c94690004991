"""`dynamis.export`: what can be exported, what stands beside the code, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.apps.exports.exported import ExportedFunction, own_values
from dynamis.apps.exports.functions import names
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import CALLS, Syntax, module_name
from dynamis.apps.exports.target import TARGETS
from dynamis.apps.exports.vectors import vectors
from dynamis.controllers import PDGravity
from dynamis.errors import ArgumentError, MissingValuesError, UnknownNameError
from tests.support.command_line import caller
from tests.support.export_checks import FUNCTIONS, hostile, self_check
from tests.support.strategies import Case, robots

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
PLAIN = Syntax(frozenset(), calls=CALLS | {
    "sin": "np.sin({})", "cos": "np.cos({})", "sqrt": "np.sqrt({})", "sign": "np.sign({})", "round": "np.rint({})",
})  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_the_self_check_of_every_target_is_green(target: str, tmp_path: Path) -> None:
    kept = [
        "lambda",
        "double",
        "payload",
        "R",
        "end",
        "fn",
        "function",
        "self",
        "q1",
        "unix",
        "HUGE_VAL",
        "größe.inertia.zz",
    ]
    result = dynamis.export(hostile(), target, functions=FUNCTIONS, parameters=kept)
    assert "agree with the reference" in self_check(result, tmp_path / "out")


@settings(max_examples=4)
@given(case=robots(joints=(1, 4), friction=True))
def test_bodies_compute_what_programs_do(case: Case) -> None:
    """The program agrees with the reference, else `vectors` raises; so does the straight-line form."""
    result = dynamis.export(case.robot(), "json", functions=["inverse_dynamics", "mass_matrix", "pd-gravity", "step"])
    for function in result.functions:
        compare(function)


def compare(function: ExportedFunction) -> None:
    """The straight-line form with the results of the reference."""
    v = function.vectors
    for k in range(2):
        values = {x.name: array[k] for x, array in zip(function.inputs, v.inputs, strict=True)}
        outputs = _run(function.body(PLAIN), values)
        for output, expected, most in zip(outputs, v.outputs, v.tolerances, strict=True):
            assert np.abs(output - expected[k]).max() <= most


ODD_ANGLES = (
    "Rx(0.449)", "Rx(-0.449)", "Rz(1/7*pi)", "Rz(37*pi/180)", "Ry(sqrt(2)/3)", "Rx(alpha)", "Rz(2*alpha + 0.3)",
    "Ry(alpha/3 - beta)", "Rz(alpha*beta)", "Rx(pi/4)", "Tx(l)",
)  # fmt: skip


def odd_robot(seed: int) -> dynamis.Robot:
    """A chain with fixed angles that are no multiples of pi/12, joints coupled by ratios, friction, and symbols."""
    rng = np.random.default_rng(seed)
    links: list[dynamis.Link] = []
    for k in range(int(rng.integers(2, 4))):
        drive: dict[str, Any] = {"damping": 0.1, "coulomb": 0.2}
        if k and rng.random() < 0.4:
            factor = ["0.37", "-1", "2", "1/3", "k"][int(rng.integers(5))]
            drive = {"coupling": {"j1": factor}, "coupling_offset": float(rng.integers(2)), "coulomb": 0.1}
        kind, axis = ("revolute", "revolute", "prismatic")[int(rng.integers(3))], ("x", "y", "z")[int(rng.integers(3))]
        axes = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
        joint = dynamis.Joint(f"j{k + 1}", kind, axes[axis], before=str(rng.choice(ODD_ANGLES)), **drive)
        inertia = dynamis.Inertia(((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.15)))
        parent = f"link{k}" if k else "base"
        links.append(dynamis.Link(f"link{k + 1}", joint, parent, ("m", 2)[k % 2], (0.1, 0, 0), inertia))
    values = {"alpha": 0.3, "beta": 1.1, "l": 0.4, "m": 1.5, "g": 9.81, "k": 0.7}
    return dynamis.Robot("odd angles", tuple(links), values=values, gravity=(0, "-g", 0))


@pytest.mark.parametrize("seed", range(12))
def test_the_readable_form_of_robots_with_odd_angles_and_ratios(seed: int) -> None:
    robot = odd_robot(seed)
    functions = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity_torque", "jacobian", "kinetic_energy"]
    for kept in ((), sorted(robot.used_parameters())):
        for function in dynamis.export(robot, "json", functions=functions, parameters=kept, style="readable").functions:
            assert function.form is not None, function.name
            compare(function)


@pytest.mark.parametrize("target", TARGETS)
def test_the_readable_style_checks_itself_in_every_target(target: str, tmp_path: Path) -> None:
    """Of a robot with a fixed angle of 0.449 rad and a joint that follows another by 0.37."""
    turned = dynamis.Placement.parse("Rx(0.449)")
    first = dynamis.Link("a", dynamis.Joint("q1", coulomb=0.1, after=turned), mass=2, com=(0.3, 0, 0))
    follower = dynamis.Joint("q2", coupling={"q1": 0.37}, coupling_offset=0.2, after=turned)
    last = dynamis.Link("c", dynamis.Joint("q3", "prismatic"), "b", 1, (0.1, 0.2, 0))
    robot = dynamis.Robot("odd", (first, dynamis.Link("b", follower, "a", 1, (0.2, 0.1, 0)), last))
    functions = ["inverse_dynamics", "gravity_torque", "step"]
    result = dynamis.export(robot, target, functions=functions, parameters=["m1"], style="readable")
    assert "agree with the reference" in self_check(result, tmp_path / "out")


def test_a_closed_form_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dynamis.apps.exports.readable.DERIVATION_SECONDS", 1e-9)
    with pytest.raises(ArgumentError, match=r"no closed form that can be read: .*; use style=fast$"):
        dynamis.export(odd_robot(0), "c", functions=["inverse_dynamics"], style="readable")


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
    with pytest.raises(ArgumentError, match="more than rounding explains"):
        vectors(result.functions[0].source, heavier.functions[0].program)


def test_every_function_can_be_exported() -> None:
    """Quantities with their options, every control law with its gains, both integrators."""
    others = {"slotine-li": ":rate=2:adaptation=0.1", "momentum-observer": ":inner=slotine-li:adaptation=0.1"}
    robot = dynamis.load("bar-2r")
    link = f":link={robot.links[0].name}"
    for name in names():
        options = others.get(name, link if "com_" in name or name == "link_inertia" else "")
        if name.startswith(("operational_", "consistent")):
            options = ":rows=x+y"
        result = dynamis.export(robot, "json", functions=[name + options])
        assert result.functions[0].vectors.outputs[0].size
    result = dynamis.export(robot, "json", functions=["step:integrator=symplectic", PDGravity(60, 20)])
    assert [str(x.program.signature) for x in result.functions] == [
        "q, qd, tau, h -> q_after, qd_after", "q, qd, goal_q, goal_qd -> tau",
    ]  # fmt: skip


def test_operational_pd_and_a_momentum_observer() -> None:
    """Against the textbook's formula, and in a loop: the residual becomes the torque that the environment exerts."""
    robot = dynamis.load("ur5")
    pose = _python(robot, "operational-pd:goal=pose:kp_turn=9")["operational_pd"]
    random = np.random.default_rng(0)
    q, qd, kp, kd = random.uniform(0.5, 2, (4, 6))
    goal, T, J = *robot.forward_kinematics(np.stack([qd, q])), robot.jacobian(q)
    turn = np.cross(T[:3, :3], goal[:3, :3], axis=0).sum(axis=1) / 2
    pull = [*(kp[:3] * (goal[:3, 3] - T[:3, 3]) - kd[:3] * (J @ qd)[:3]), *(9 * turn - 4 * (J @ qd)[3:])]
    tau, position, orientation = pose(q, qd, goal.ravel(), kp[:3], kd[:3], [4.0])
    np.testing.assert_allclose(tau, J.T @ pull + robot.gravity_torque(q), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose([*position, *orientation], [*(goal - T)[:3, 3], *turn], rtol=1e-12, atol=1e-12)
    loop = _python(dynamis.load("bar-2r"), "momentum-observer:inner=operational-pd:kp=80+70+60", "step")
    q, qd, memory, residual = [0.3, 0.8], [0.0, 0.0], [0.0, 0.0], []
    for _ in range(1000):
        tau, _, residual, memory = loop["momentum_observer"](q, qd, memory, [1e-3], [0.5, 0, 0.5], [9] * 3, [20.0] * 2)
        q, qd = loop["step"](q, qd, [tau[0] + 0.7, tau[1] - 0.2], [1e-3])
    np.testing.assert_allclose(residual, [0.7, -0.2], atol=0.01)


def _python(robot: dynamis.Robot, *functions: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(next(iter(dynamis.export(robot, "python", functions=functions).files.values())), scope)
    return scope


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


def test_gravity_that_is_an_argument_needs_no_value() -> None:
    """The robot's own may be a symbol without one."""
    parameters = {"m": "mass [kg]", "g": "acceleration of gravity [m/s^2]"}
    link = dynamis.Link("arm", dynamis.Joint("arm"), mass="m", com=(1, 0, 0))
    arm = dynamis.Robot("pendulum", (link,), parameters=parameters, values={"m": 2}, gravity=(0, "-g", 0))
    out = dynamis.export(arm, "json", functions=["gravity_torque", "step"], parameters=["gravity"])
    (torque, _) = out.functions
    assert [x.name for x in torque.inputs] == ["q", "gravity"]
    assert own_values(out, torque.inputs[1]) == [0.0, None, 0.0]
    assert len(torque.vectors.outputs[0])


def test_words_about_arrays_parameters_and_all() -> None:
    """Arrays of one name that differ, units that the robot file declares, "all" on a small robot, names of Octave."""
    laws = dynamis.export(dynamis.load("bar-2r"), "c", functions=["pd-gravity", "operational-pd"])
    kp = [row[:3] for row in laws.arrays() if row[0].startswith("kp")]
    assert kp == [("kp of pd_gravity", "2", "N m/rad"), ("kp of operational_pd", "3", "N/m")]
    elbow = dynamis.load("planar-elbow")
    header = dynamis.export(elbow, "c", functions=["mass_matrix"], parameters=elbow.missing_values).files
    assert "l1 [m], l2 [m], lc1 [m]" in str(header["planar_elbow.h"])
    every = [x.name for x in dynamis.export(dynamis.load("bar-2r"), "json", functions="all").functions]
    assert "regressor" in every
    assert "operational_inertia" not in every
    assert module_name("test") == "test_robot"


def test_what_is_refused(tmp_path: Path) -> None:
    robot = dynamis.load("bar-2r")
    with pytest.raises(UnknownNameError, match='unknown target "jason"; did you mean "json"'):
        dynamis.export(robot, "jason")
    with pytest.raises(UnknownNameError, match='did you mean "inverse_dynamics"'):
        dynamis.export(robot, "c", functions=["inverse_dynamic"])
    with pytest.raises(UnknownNameError, match='did you mean "payload"'):
        dynamis.export(robot, "c", parameters=["pyload"])
    with pytest.raises(UnknownNameError, match=r'did you mean "link[12]\.mass"'):
        dynamis.export(robot, "c", parameters=["link.mass"])
    with pytest.raises(UnknownNameError, match="style"):
        dynamis.export(robot, "c", style="pretty")
    with pytest.raises(ArgumentError, match="OPTION=VALUE"):
        dynamis.export(robot, "c", functions=["jacobian:tool"])
    with pytest.raises(MissingValuesError, match=r"l1, l2.*an argument: parameters=l1,l2,"):
        dynamis.export(dynamis.load("deluca-2r"), "c")
    with pytest.raises(MissingValuesError, match=r"parameters=m1,l2,d1"):
        dynamis.export(dynamis.load("deluca-2r").with_values(l1=1), "c", parameters=["m1"])
    arms = dynamis.Robot("arms", tuple(dynamis.Link(x, dynamis.Joint(x), mass=1, com=(1, 0, 0)) for x in "ab"))
    with pytest.raises(ArgumentError, match=r"has 2 tips \(a, b\).*such as parameters=b\.mass"):
        dynamis.export(arms, "c", parameters=["payload"])
    with pytest.raises(ArgumentError, match="momentum-observer:inner=pd-gravity"):
        dynamis.export(robot, "c", functions=["momentum-observer"])
    with pytest.raises(ArgumentError, match="slotine-li:parameters=all"):
        dynamis.export(robot, "c", functions=["slotine-li:adaptation=1"], parameters=["gravity"])
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ArgumentError, match="is not empty; use force=True"):
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
    assert unknown.err == 'error: unknown target "jsno"; did you mean "json"? (known: ' + ", ".join(TARGETS) + ")\n"
