"""Derived values beside what they are defined by, and loads in sweeps."""

from dataclasses import replace

import numpy as np
import pytest

import dynamis
from dynamis import (
    ArgumentError,
    Frame,
    Joint,
    Limits,
    Link,
    Robot,
    ToolWrench,
    UnknownNameError,
    box,
    exceeds,
    sobol,
    sweep,
)
from dynamis.model.joint_limits import joint_limits

COUNT = 50


@pytest.fixture(scope="module")
def ur5() -> dynamis.Robot:
    return dynamis.load("ur5")


def rows(robot: dynamis.Robot, quantity: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, qd and the values of a sweep over both."""
    swept = sweep(robot, quantity, {"q": box(3), "qd": box(1)}, sobol(COUNT, seed=3))
    q, qd = np.split(swept.values(0, COUNT), 2, axis=1)
    return q, qd, swept.parts.measured(0, 0, COUNT)


def test_worst_effort_ratio(ur5: dynamis.Robot) -> None:
    q, qd, worst = rows(ur5, "worst_effort_ratio")
    tau = ur5.inverse_dynamics(q, qd, np.zeros_like(q))
    np.testing.assert_allclose(worst[:, 0], (np.abs(tau) / joint_limits(ur5).effort).max(1), rtol=1e-12)


def test_a_joint_at_its_acceleration_ability_reaches_an_effort(ur5: dynamis.Robot) -> None:
    q, qd, ability = rows(ur5, "acceleration_ability")
    effort = joint_limits(ur5).effort
    for k in range(6):
        qdd = np.zeros_like(q)
        qdd[:, k] = ability[:, k]
        both = [ur5.inverse_dynamics(q, qd, way * qdd) / effort for way in (1, -1)]
        np.testing.assert_allclose(np.abs(both).max((0, 2)), 1.0, rtol=1e-9)


def test_tool_acceleration_is_what_some_direction_just_allows(ur5: dynamis.Robot) -> None:
    q, qd, radius = rows(ur5, "tool_acceleration")
    effort = joint_limits(ur5).effort
    tau = ur5.inverse_dynamics(q, qd, np.zeros_like(q))
    for k in range(0, COUNT, 7):
        J = ur5.jacobian(q[k])[:3]
        M = ur5.mass_matrix(q[k])
        per_acceleration = J.T @ np.linalg.inv(J @ np.linalg.inv(M) @ J.T)
        ball = radius[k, 0] * per_acceleration / np.linalg.norm(per_acceleration, axis=1, keepdims=True)
        largest = np.abs(tau[k]) + np.abs((per_acceleration * ball).sum(1))
        np.testing.assert_allclose((largest / effort).max(), 1.0, rtol=1e-6)


def test_bearing_loads_have_names_and_units(ur5: dynamis.Robot) -> None:
    swept = sweep(ur5, "bearing_load", {"q": box(3), "qd": box(1)}, sobol(COUNT, seed=3))
    q, qd = np.split(swept.values(0, COUNT), 2, axis=1)
    plain = ur5.compile("bearing_loads")(q, qd, np.zeros_like(q))
    names = list(swept.parts.names)
    values = swept.parts.measured(0, 0, COUNT)
    elbow = [link.joint.name for link in ur5.links].index("q3")
    np.testing.assert_allclose(values[:, names.index("q3.radial")], plain[:, elbow, 1], atol=1e-9)
    np.testing.assert_allclose(values[:, names.index("q3.tilting")], plain[:, elbow, 3], atol=1e-9)
    assert swept.parts.units[names.index("q3.tilting")] == "N m"


def test_several_quantities_in_one_sweep(ur5: dynamis.Robot) -> None:
    swept = sweep(ur5, ["inverse_dynamics", "tool"], {"q": box(3)}, sobol(COUNT))
    assert swept.parts.names[:2] == ("inverse_dynamics.q1", "inverse_dynamics.q2")
    assert swept.parts.names[6:] == ("tool.x", "tool.y", "tool.z", "tool.radius", "tool.distance")
    pose = ur5.forward_kinematics(swept.values(0, COUNT))
    np.testing.assert_allclose(swept.parts.measured(0, 0, COUNT)[:, 6:9], pose[:, :3, 3], atol=1e-12)
    with pytest.raises(UnknownNameError, match='unknown option "fram" in jacobian \\+ tool; did you mean "frame"'):
        sweep(ur5, ["jacobian", "tool"], {"q": box(3)}, fram="tool")


def test_loads_are_swept_by_their_symbols(ur5: dynamis.Robot) -> None:
    push = ToolWrench("exerted_by_environment", force=("fx", 0, -20))
    swept = sweep(ur5, "inverse_dynamics", {"q": box(3), "fx": box(10)}, sobol(COUNT), loads=[push])
    assert swept.parts.ranges.dimensions[-1].unit == "N"
    x = swept.values(7, 8)[0]
    held = ToolWrench("exerted_by_environment", force=(float(x[6]), 0, -20))
    tau = ur5.inverse_dynamics(x[:6], np.zeros(6), np.zeros(6), loads=[held])
    np.testing.assert_allclose(swept.parts.measured(0, 7, 8)[0], tau, atol=1e-12)


def test_no_payload_where_a_joint_is_beyond_its_effort_without_any(ur5: dynamis.Robot) -> None:
    """Beside all masses that both ends of every joint's effort allow, as plain NumPy has them."""
    over = {"q": box(3), "qdd": box(40), "f": box(300), "m": box(300)}
    loads = [ToolWrench("exerted_by_environment", force=(0, 0, "f"), moment=(0, 0, "m"))]
    swept = sweep(ur5, "largest_payload", over, sobol(400, seed=3), loads=loads)
    payload = swept.parts.measured(0, 0, 400)[:, 0]
    x, effort = swept.values(0, 400), joint_limits(ur5).effort
    q, qdd, f, m = x[:, :6], x[:, 6:12], x[:, 12:13], x[:, 13:]
    bare = ur5.inverse_dynamics(q, None, qdd)
    push, turn = (
        ur5.inverse_dynamics(q, None, qdd, loads=[ToolWrench("exerted_by_environment", **{key: (0, 0, 1)})]) - bare
        for key in ("force", "moment")
    )
    empty, each = bare + f * push + m * turn, ur5.with_payload(1.0).inverse_dynamics(q, None, qdd) - bare
    with np.errstate(divide="ignore"):
        ends = np.sort([(-effort - empty) / each, (effort - empty) / each], axis=0)
    least, most = ends[0].max(-1), ends[1].min(-1)
    none = most < np.maximum(least, 0.0)
    assert (payload[none] < 0).all()
    np.testing.assert_allclose(payload[~none], most[~none], rtol=1e-6)
    assert (none & (most > 0)).sum() > 10  # each joint alone would allow some
    assert (~none & (least > 0)).sum() > 5  # lifted by the load, it needs some


@pytest.mark.parametrize("seed", range(6))
def test_a_joint_whose_axis_goes_through_the_tool_bounds_no_payload(seed: int) -> None:
    """Its lever is the rounding of a zero, and a bound of 1e16 to 1e21 kg came of it."""
    rng = np.random.default_rng(seed)
    turns = [f"Rx({a}) Ry({b}) Tx({x})" for a, b, x in rng.uniform(-1, 1, (4, 3)).round(3)]
    links = [
        Link(f"l{k}", Joint(f"q{k}", before=turn, limits=Limits(effort=50)), f"l{k - 1}" if k > 1 else "base", 1)
        for k, turn in enumerate(turns, 1)
    ]
    arm = Robot("arm", tuple(links), tool=Frame("tool", "l4", "Tz(0.1) Rx(0.3)"))
    swept = sweep(arm, "largest_payload", {"q": box(3), "qdd": box(5)}, sobol(COUNT))
    assert list(swept.parts.names) == ["payload", "payload.q1", "payload.q2", "payload.q3"]
    assert np.abs(swept.parts.measured(0, 0, COUNT)).max() < 1e9


@pytest.fixture(scope="module")
def geared() -> dynamis.Robot:
    """The motor of the first joint gives 0.2 N m, times its gear ratio N."""
    robot = replace(dynamis.load("bar-2r"), parameters={"N": "gear ratio"}).with_values(N=100)
    limits = dynamis.Limits(lower=-1, upper=1, effort="N/5"), dynamis.Limits(lower="-N/100", upper=1, effort=5)
    joints = [replace(x.joint, limits=y) for x, y in zip(robot.links, limits, strict=True)]
    return replace(robot, links=tuple(replace(x, joint=y) for x, y in zip(robot.links, joints, strict=True)))


@pytest.mark.parametrize(
    "quantity", ["effort_ratio", "worst_effort_ratio", "largest_payload", "acceleration_ability", "tool_acceleration"]
)
def test_limits_of_effort_follow_a_swept_parameter(geared: dynamis.Robot, quantity: str) -> None:
    over = {"q": box(0.5, 1)}
    swept = sweep(geared, quantity, {**over, "N": [50, 100]}, sobol(COUNT))
    for case, N in enumerate((50, 100)):
        own = sweep(geared.with_values(N=N), quantity, over, sobol(COUNT))
        np.testing.assert_allclose(swept.parts.measured(case, 0, COUNT), own.parts.measured(0, 0, COUNT), rtol=1e-13)


def test_a_bracket_has_the_least_effort_of_a_swept_parameter(geared: dynamis.Robot) -> None:
    found = dynamis.bracket(sweep(geared, "effort_ratio", {"q": box(1), "N": box(50, 100)}, sobol(64)), 5).of("q1")
    assert 0.981 <= found.bound < 0.985  # 9.81 N m, stretched out, of 10


def test_limits_that_follow_a_swept_parameter_are_no_fixed_box(geared: dynamis.Robot) -> None:
    with pytest.raises(ArgumentError, match=r"the effort limit of q1 is N/5, and N is swept; give numbers"):
        sweep(geared, "gravity_torque", {"q": box(1), "N": [50, 100]}, keep=[exceeds("effort")])
    with pytest.raises(ArgumentError, match=r"the lower limit of q2 is -N/100, and N is swept; give a box"):
        sweep(geared, "gravity_torque", {"q": box("limits"), "N": box(50, 100)})
    assert sweep(geared, "gravity_torque", {"q.q1": box("limits"), "N": box(50, 100)}).states
    assert sweep(geared, "gravity_torque", {"q": box("limits")}, keep=[exceeds("effort")]).states
