"""Lambda and Jd qd of frames on random trees: by numpy, by dual numbers and by Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.efficient.bias_acceleration import bias_acceleration
from dynamis.compute.mechanics.efficient.operational_space import ROWS, operational_space
from dynamis.compute.mechanics.kinematics.jacobian_derivatives import hessian, jacobian_rate
from dynamis.compute.mechanics.kinematics.poses import com_position, frame_pose, jacobian, poses
from dynamis.compute.mechanics.mechanism import Mechanism, Place, mechanism, place, state_at
from dynamis.scalars.vectors import diagonal
from tests.support.closeness import close
from tests.support.coupled_robots import ROBOTS as COUPLED
from tests.support.duals import derivatives, dual_state
from tests.support.pinocchio_trees import Reference
from tests.support.strategies import Case, robots

TIGHT = 1e-12


def com_place(m: Mechanism[float], body: int) -> Place[float]:
    """The CoM of a body as a frame on it."""
    return Place(body, diagonal(m.one, m.zero), m.bodies[body].com)


def tool_of(robot: dynamis.Robot, m: Mechanism[float]) -> Place[float]:
    return place(robot, m, robot.frame("tool"))


@settings(max_examples=60)
@given(robots(joints=(6, 10), kinds=("revolute", "revolute", "prismatic"), chain=True, solid=True))
def test_inertia_at_the_tool(case: Case) -> None:
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    state = state_at(m, case.q.tolist(), case.qd.tolist(), case.qdd.tolist())
    J, M = robot.jacobian(case.q), np.array(mass_matrix(m, state))
    for rows in ("x y z rx ry rz", "x y z", "rz, x", "y"):
        chosen = [k for k, name in enumerate(ROWS) if name in rows.replace(",", " ").split()]
        mobility = J[chosen] @ np.linalg.solve(M, J[chosen].T)
        assume(np.linalg.cond(mobility) < 1e9)  # Arms of sliders have no Lambda.
        found = np.array(operational_space(m, state, tool_of(robot, m), rows).inertia())
        np.testing.assert_array_equal(found, found.T)
        # How much an error of the inputs grows in the inverse of the product.
        condition = float(np.linalg.cond(mobility) * np.linalg.cond(M))
        close(found @ mobility, np.eye(len(chosen)), condition, TIGHT)


def test_a_body_that_is_free_to_move_is_as_heavy_as_it_is() -> None:
    """Three sliders carry 5 kg: Lambda of position is 5 kg in every direction."""
    kinds = [dynamis.Joint(f"along {axis}", "prismatic", np.eye(3)[k]) for k, axis in enumerate("xyz")]  # type: ignore[arg-type]
    links = [
        dynamis.Link(f"link{k}", joint, f"link{k - 1}" if k else "base", 5 * (k == 2)) for k, joint in enumerate(kinds)
    ]
    robot = dynamis.Robot("gantry", tuple(links))
    m = mechanism(robot, robot.floats())
    found = operational_space(m, state_at(m, *[[0.0] * 3] * 3), tool_of(robot, m), "x y z").inertia()
    np.testing.assert_allclose(found, 5 * np.eye(3), rtol=1e-15)


def test_too_few_joints() -> None:
    robot = dynamis.load("bar-2r")
    m = mechanism(robot, robot.floats())
    with pytest.raises(
        ArgumentError, match=r'carried by 2 joints, too few .* of 6 rows .*; choose at most 2, such as rows="x y"$'
    ):
        operational_space(m, state_at(m, *[[0.0] * 2] * 3), tool_of(robot, m))
    with pytest.raises(ArgumentError, match="carried by 0 joints"):
        operational_space(m, state_at(m, *[[0.0] * 2] * 3), Place(None, tool_of(robot, m).R, m.null))


@settings(max_examples=30)
@given(robots(joints=(1, 5), kinds=("revolute", "revolute", "prismatic"), chain=True, solid=True), st.data())
def test_arms_with_fewer_than_six_joints(case: Case, data: st.DataObject) -> None:
    """Lambda of chosen rows from Pinocchio's J and M."""
    robot, reference = case.robot(), Reference.of(case)
    names = data.draw(st.lists(st.sampled_from(ROWS), min_size=1, max_size=robot.n, unique=True))
    chosen = [k for k, name in enumerate(ROWS) if name in names]
    model: Any = reference.model
    model.armature = np.array([part.reflected for part in case.parts])
    frame = model.addFrame(pin.Frame("tool", case.tool_on + 1, 0, reference.tool, pin.FrameType.OP_FRAME))
    values = model.createData()
    aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    J = pin.computeFrameJacobian(model, values, reference.q, frame, aligned).reshape(6, -1)[chosen]
    M = np.triu(pin.crba(model, values, reference.q))
    M = M + np.triu(M, 1).T
    mobility = J @ np.linalg.solve(M, J.T)
    assume(np.linalg.cond(mobility) < 1e9)  # Rows in which the arm cannot move have no Lambda.
    found = robot.operational_inertia(case.q, rows=" ".join(names))
    assert found.shape == (len(names), len(names))
    condition = float(np.linalg.cond(mobility) * np.linalg.cond(M))
    close(found @ mobility, np.eye(len(names)), condition, TIGHT)

    # Khatib's mu and p: what Jbar^T leaves of c and g, and of the torques of any motion.
    pin.computeJointJacobiansTimeVariation(model, values, reference.q, reference.v)
    pin.updateFramePlacements(model, values)
    Jd = pin.getFrameJacobianTimeVariation(model, values, frame, aligned).reshape(6, -1)[chosen]
    gravity = pin.computeGeneralizedGravity(model, values, reference.q)
    coriolis = pin.nonLinearEffects(model, values, reference.q, reference.v) - gravity
    directions = " ".join(names)
    J_bar = robot.consistent_inverse(case.q, rows=directions)
    mu = robot.operational_coriolis(case.q, case.qd, rows=directions)
    p = robot.operational_gravity(case.q, rows=directions, gravity=case.acting_gravity)
    close(J @ J_bar, np.eye(len(names)), condition, TIGHT)
    bias = Jd @ reference.v
    size = float(np.linalg.norm(J_bar) * np.linalg.norm(coriolis) + np.linalg.norm(found) * np.linalg.norm(bias))
    close(mu, J_bar.T @ coriolis - found @ bias, condition * size, TIGHT)
    close(p, J_bar.T @ gravity, condition * float(np.linalg.norm(J_bar) * np.linalg.norm(gravity)), TIGHT)
    xdd = J @ reference.a + bias
    size += float(np.linalg.norm(found) * np.linalg.norm(xdd) + np.linalg.norm(J_bar) * np.linalg.norm(gravity))
    close(found @ xdd + mu + p, J_bar.T @ (M @ reference.a + coriolis + gravity), condition * size, TIGHT)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("x y", None),
        ("y,rz", None),
        ("x y rz", "the frame is carried by 2 joints, too few for the operational-space inertia of 3 rows"),
        ("x w", 'unknown row "w" (known: x, y, z, rx, ry, rz)'),
        ("x x", 'row "x" is named twice; choose of x, y, z, rx, ry, rz'),
        ("", "rows is empty; choose of x, y, z, rx, ry, rz"),
        ("z", 'robot "bar-2r" has no Lambda: in every state it is divided by zero'),
        (["x"], "rows must be names in one text, such as \"x y\", got ['x']"),
    ],
)
def test_rows(rows: Any, sentence: str | None) -> None:
    robot = dynamis.load("bar-2r")
    if sentence is None:
        assert np.isfinite(robot.operational_inertia([0.1, 1.2], rows=rows)).all()
        return
    with pytest.raises(dynamis.DynamisError) as caught:
        robot.operational_inertia([0.1, 1.2], rows=rows)
    assert str(caught.value).startswith(sentence)


def test_a_singular_posture_is_not_hidden() -> None:
    """A gantry of two parallel sliders and one across has no inertia in the third direction."""
    axes = [(1, 0, 0), (1, 0, 0), (0, 1, 0)]
    joints = [dynamis.Joint(f"joint{k}", "prismatic", axis) for k, axis in enumerate(axes)]
    links = [dynamis.Link(f"link{k}", joint, f"link{k - 1}" if k else "base", 1) for k, joint in enumerate(joints)]
    robot = dynamis.Robot("gantry", tuple(links))
    m = mechanism(robot, robot.floats())
    with pytest.raises(ZeroDivisionError):
        operational_space(m, state_at(m, *[[0.0] * 3] * 3), tool_of(robot, m), "x y z")


@settings(max_examples=100)
@given(robots())
def test_bias_acceleration(case: Case) -> None:
    """Jd and Jd qd of the tool as Pinocchio's; of the tool and every CoM, and the Hessian, as derivatives of J."""
    robot, reference = case.robot(), Reference.of(case)
    m = mechanism(robot, robot.floats())
    state = state_at(m, case.q.tolist(), case.qd.tolist(), case.qdd.tolist())
    tool = tool_of(robot, m)
    found = np.concatenate([list(v) for v in bias_acceleration(m, state, tool)])
    model: Any = reference.model
    frame = model.addFrame(pin.Frame("tool", case.tool_on + 1, 0, reference.tool, pin.FrameType.OP_FRAME))
    data = model.createData()
    pin.computeJointJacobiansTimeVariation(model, data, reference.q, reference.v)
    pin.updateFramePlacements(model, data)
    rate = pin.getFrameJacobianTimeVariation(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    rate = rate.reshape(6, -1)
    size = float(np.linalg.norm(np.abs(rate) @ np.abs(reference.v)))
    close(found, rate @ reference.v, size, TIGHT)
    of_joints = [k for k, part in enumerate(case.parts) if part.kind != "fixed"]
    Jd_tool = np.reshape([[*v, *w] for v, w in zip(*jacobian_rate(m, state, tool), strict=True)], (m.n, 6)).T
    close(Jd_tool, rate[:, of_joints], None, TIGHT)

    duals: Any = dual_state(m, case.q, case.qd, case.qdd)
    where: Any = poses(m, duals)
    for body in (case.tool_on, *range(len(m.bodies))):
        on = tool if body == case.tool_on else com_place(m, body)
        point = frame_pose(where, tool).p if body == case.tool_on else com_position(m, where, body)
        linear, angular = jacobian(m, where, body, point)
        rates, _ = derivatives([x for j in range(m.n) for x in (*linear[j], *angular[j])], m.n)
        Jd = (rates @ case.qd).reshape(m.n, 6).T
        by_joints = np.array([[[*v] for v in row] for part in hessian(m, state, on) for row in part])
        expected = rates.reshape(m.n, 2, 3, m.n).transpose(1, 0, 3, 2).reshape(2 * m.n, m.n, 3)
        close(by_joints.reshape(expected.shape), expected, None, TIGHT)
        columns = zip(*jacobian_rate(m, state, on), strict=True)
        close(np.reshape([[*v, *w] for v, w in columns], (m.n, 6)).T, Jd, None, TIGHT)
        bias = np.concatenate([list(v) for v in bias_acceleration(m, state, on)])
        close(bias, Jd @ case.qd, float(np.linalg.norm(np.abs(Jd) @ np.abs(case.qd))), TIGHT)


def test_the_base_does_not_move() -> None:
    robot = dynamis.load("ur5")
    m = mechanism(robot, robot.floats())
    state = state_at(m, *[[1.0] * 6] * 3)
    base = place(robot, m, robot.frame("base"))
    assert bias_acceleration(m, state, base) == (m.null, m.null)


@pytest.mark.parametrize("name", ["ur5", "puma560"])
def test_frames_on_bodies_with_other_axes(name: str) -> None:
    """Every link of arms with parallel joints, against the motion of its CoM."""
    robot = dynamis.load(name)
    m = mechanism(robot, robot.floats())
    q, qd = np.random.default_rng(2).uniform(-3, 3, (2, m.n))
    expected = robot.link_motions(q, qd)
    for i in range(m.n):
        a, _ = bias_acceleration(m, state_at(m, q.tolist(), qd.tolist(), qd.tolist()), com_place(m, i))
        R = robot.forward_kinematics(q, robot.links[i].name)[:3, :3]
        close(list(a), R @ expected.com_acceleration[i], None, TIGHT)


@pytest.mark.parametrize("name", ["parallelogram", "belt", "differential"])
def test_coupled_joints_turn_together(name: str) -> None:
    """H is the derivative of J by the coordinates, and Jd = H qd."""
    robot = COUPLED[name]
    robot = robot.with_values(**dict.fromkeys(robot.missing_values, 0.5)).with_tool(
        "Tx(0.1) Ry(0.2) Tz(0.3)", robot.links[-1].name
    )
    q, qd = np.random.default_rng(4).uniform(-1, 1, (2, robot.n))
    h = 1e-6 * np.eye(robot.n)
    H = robot.hessian(q)
    differences = (robot.jacobian(q + h) - robot.jacobian(q - h)) / 2e-6
    np.testing.assert_allclose(H, np.moveaxis(differences, 0, -1), atol=1e-9)
    np.testing.assert_allclose(robot.jacobian_rate(q, qd), H @ qd, atol=1e-14)
    np.testing.assert_allclose(robot.bias_acceleration(q, qd), H @ qd @ qd, atol=1e-14)
