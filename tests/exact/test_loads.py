"""Loads in symbols: carried by Newton-Euler, J^T w by virtual work, and the numbers of floats."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force, Moment, Robot, ToolWrench
from dynamis.model.loads import Load, with_load_symbols
from tests.support.closeness import close
from tests.support.coupled_robots import ROBOTS
from tests.support.exact_models import at, point, robots
from tests.support.symbolic_loads import VALUES, loads_on


@settings(max_examples=12)
@given(st.data(), robots())
def test_random_trees_under_loads(data: st.DataObject, robot: Robot) -> None:
    """Newton-Euler = Lagrange with J^T w in symbols; in numbers the torques of floats."""
    robot = robot.with_tool("Ry(pi/3) Tx(l)", robot.links[-1].name)
    loads = data.draw(loads_on(robot))
    model = robot.equations(loads=loads)
    assert model.newton_euler.tau == model.torques == model.quantity("inverse_dynamics")
    _numbers_are_those_of_floats(model.robot, loads)


@pytest.mark.parametrize("name", ["belt", "screw", "differential", "level hand"])
def test_coupled_joints_under_loads(name: str) -> None:
    robot = ROBOTS[name]
    robot = robot.with_tool("Tx(l)" if "l" in robot.parameters else "Tx(1)", robot.links[-1].name)
    loads = [
        ToolWrench("exerted_by_tool", ("fx", "fy", 0), (0, 0, "nz"), "tool"),
        Force(robot.links[0].name, (0, "fz", 0), point=("r", 0, 0)),
    ]
    model = robot.equations(loads=loads)
    assert model.newton_euler.tau == model.torques
    assert any(model.load_torques)
    _numbers_are_those_of_floats(model.robot, loads)


def _numbers_are_those_of_floats(symbolic: Robot, loads: list[Load]) -> None:
    robot = symbolic.with_values({name: VALUES[name] for name in symbolic.missing_values})
    q, qd, qdd = np.random.default_rng(5).normal(size=(3, robot.n))
    for numeric in (False, True):
        model = robot.equations(numeric, loads=loads)
        torques = [at(tau, point(model, q, qd, qdd)) for tau in model.torques]
        close(torques, robot.inverse_dynamics(q, qd, qdd, loads=loads), tolerance=1e-11)


def test_every_law_holds_under_loads() -> None:
    wrench = ToolWrench("exerted_by_tool", ("fx", "fy", 0), (0, 0, "nz"), "tool")
    model = dynamis.load("planar-elbow").equations(loads=[wrench, Force("link1", (0, "-F", 0), point=("r", 0, 0))])
    proofs = {proof.claim: proof.holds for proof in model.prove()}
    assert all(proofs.values())
    assert "tau = Y pi - Q, Q that of the loads" in proofs
    assert "d(T + U)/dt = qd . (tau - friction + Q)" in proofs
    assert [str(Q) for Q in model.load_torques] == [
        "-sin(q2)*fx*l1 - cos(q1)*F*r - cos(q2)*fy*l1 - fy*l2 - nz", "-fy*l2 - nz",
    ]  # fmt: skip
    a = model.coefficients
    for row, tau, Q in zip(a.regressor, model.torques, model.load_torques, strict=True):
        terms = [a.expand(y) * value for y, value in zip(row, a.coefficients, strict=True)]
        assert sum(terms, model.ring.zero) - Q == tau


def test_virtual_work_is_that_of_the_position() -> None:
    """J^T f from the derivatives of the forward kinematics, which know no Jacobian."""
    robot = dynamis.load("stanford").symbolic().with_tool("Tz(0.2) Ry(pi/2)")
    model = robot.equations(loads=[ToolWrench("exerted_by_environment", ("fx", "fy", "fz"))])
    T = model.quantity("forward_kinematics", relative_to=robot.base)
    for k, Q in enumerate(model.load_torques):
        work = (model.partial_q(T[row][3], k) * model.ring.scalar(f"f{axis}") for row, axis in enumerate("xyz"))
        assert sum(work, model.ring.zero) == Q


def test_the_text_of_a_model_has_its_loads() -> None:
    model = dynamis.load("planar-elbow").equations(loads=[Moment("link2", (0, 0, "nz"))])
    assert repr(model) == "<Equations planar-elbow: 2 joints, symbolic, 1 load>"
    assert model.text().endswith("Q =\n│ nz │\n│ nz │")
    assert "Q &= \\begin{pmatrix} n_{z}" in model.latex()


def test_numbers_of_the_robot_and_symbols_of_the_load() -> None:
    robot = dynamis.load("bar-2r")
    model = robot.equations(numeric=True, loads=[ToolWrench("exerted_by_tool", ("fx", 0, 0), axes="tool")])
    assert {symbol for symbol in model.ring.symbols if symbol.kind == "parameter"} == {"fx"}
    assert model.newton_euler.tau == model.torques


def test_a_weightless_arm_under_a_load_is_statics() -> None:
    arm = Robot("statics", (dynamis.Link("a", dynamis.Joint("q1")),), gravity=(0, 0, 0)).with_tool("Tx(2)", "a")
    model = arm.equations(loads=[ToolWrench("exerted_by_tool", ("fx", "fy", 0), axes="tool")])
    assert [str(tau) for tau in model.torques] == ["2*fy"]


def test_symbols_of_loads_say_what_they_are() -> None:
    robot = dynamis.load("deluca-2r")
    loads: Any = [Force("link2", ("fx", 0, "-F*cos(beta)"), point=("l1 + r", 0, 0)), Moment("link1", (0, 0, "nz"))]
    new = with_load_symbols(robot, loads).parameters
    assert {name: new[name] for name in new if name not in robot.parameters} == {
        "fx": "force on link2 along x [N]", "F": "symbol of load 1", "beta": "symbol of load 1",
        "r": "x of the point of load 1 [m]", "nz": "moment on link1 about z [N m]",
    }  # fmt: skip
    assert with_load_symbols(robot, []) is robot


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (Force("lnk2", (1, 2, 3)), 'unknown link or frame "lnk2" in robot "deluca-2r"; did you mean "link2"?'),
        (Force("link2", ("q1", 0, 0)), 'load 1: "q1" is a joint of robot "deluca-2r", not a force; give the force'),
        (Moment("link2", (0, 0, "-m1/2")), 'load 1: "m1" is a parameter of robot "deluca-2r"'),
        (Force("link2", (0, 0, 1), point=("q2", 0, 0)), 'load 1: "q2" is a joint of robot "deluca-2r", not a point'),
        (7, "load 1 must be a Force, a Moment or a ToolWrench, got 7"),
    ],
)
def test_bad_loads(load: Any, message: str) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        dynamis.load("deluca-2r").equations(loads=[load])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_components_are_not_three() -> None:
    with pytest.raises(dynamis.DynamisError, match=r"force must be three values \[x, y, z\]"):
        ToolWrench("exerted_by_tool", ("fx", "fy"))  # type: ignore[arg-type]
