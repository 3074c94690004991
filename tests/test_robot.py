"""The verbs of a robot over arrays: shapes in, shapes out, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import DynamisError, Force, Frame, Inertia, Joint, Link, Moment, Robot, ToolWrench
from dynamis.base.errors import literal
from dynamis.errors import ArgumentError, MissingMassError, MissingValuesError, UnknownNameError
from tests.support.closeness import close
from tests.support.strategies import Case, robots


def scara() -> Robot:
    """Two turning joints, a sliding one, and a fixed camera."""
    body = Inertia.of(xx=0.01, yy=0.02, zz=0.02)
    links = (
        Link("upper", Joint("shoulder"), mass=3, com=(0.2, 0, 0), inertia=body),
        Link("fore", Joint("elbow", before=(0.4, 0, 0)), "upper", mass=2, com=(0.15, 0, 0), inertia=body),
        Link("quill", Joint("slide", "prismatic", before=(0.3, 0, 0)), "fore", mass=1, com=(0, 0, -0.1)),
        Link("camera", Joint("mount", "fixed", before=(0, 0.05, 0)), "fore", mass="m_camera"),
    )
    tool = Frame("tool", "quill", "Tz(-0.2)")  # type: ignore[arg-type]
    return Robot("scara", links, tool=tool, values={"m_camera": 0.2}, parameters={"m_extra": ""})  # type: ignore[dict-item]


ROBOT = scara()
ONE = [0.1, -0.7, 0.05]


def refused(kind: type[DynamisError], make: Any) -> str:
    with pytest.raises(kind) as caught:
        make()
    assert type(caught.value) is kind
    return str(caught.value)


VERBS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "inverse_dynamics": (lambda *x: ROBOT.inverse_dynamics(*x), (3,)),
    "reactions.tau": (lambda *x: ROBOT.reactions(*x).tau, (3,)),
    "reactions.force": (lambda *x: ROBOT.reactions(*x).force, (4, 3)),
    "reactions.moment": (lambda *x: ROBOT.reactions(*x).moment, (4, 3)),
    "reactions.wrench": (lambda *x: ROBOT.reactions(*x, convention="parent_tip").wrench, (4, 6)),
    "link_motions.com_acceleration": (lambda *x: ROBOT.link_motions(*x).com_acceleration, (4, 3)),
    "frame_motion.velocity": (lambda *x: ROBOT.frame_motion(*x).velocity, (3,)),
    "forward_kinematics": (lambda q, *_: ROBOT.forward_kinematics(q), (4, 4)),
    "link_poses": (lambda q, *_: ROBOT.link_poses(q), (4, 4, 4)),
    "com_pose": (lambda q, *_: ROBOT.com_pose(q, "fore"), (4, 4)),
    "jacobian": (lambda q, *_: ROBOT.jacobian(q), (6, 3)),
    "link_inertia": (lambda q, *_: ROBOT.link_inertia(q, "quill"), (3, 3)),
    "com_jacobian": (lambda q, *_: ROBOT.com_jacobian(q, "quill"), (6, 3)),
    "com_jacobian_rate": (lambda q, *_: ROBOT.com_jacobian_rate(q, q, "quill"), (6, 3)),
    "com_hessian": (lambda q, *_: ROBOT.com_hessian(q, "quill"), (6, 3, 3)),
    "kinetic_energy": (lambda q, *_: ROBOT.kinetic_energy(q, q), ()),
    "potential_energy": (lambda q, *_: ROBOT.potential_energy(q), ()),
}


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("batch", [(), (1,), (5,), (2, 3), (0,), (2, 0), (1, 1, 2)])
def test_shapes(name: str, batch: tuple[int, ...]) -> None:
    verb, shape = VERBS[name]
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, *batch, 3))
    found = verb(q, qd, qdd)
    assert found.shape == batch + shape
    assert found.dtype == np.float64
    for at in np.ndindex(batch):
        np.testing.assert_array_equal(found[at], verb(q[at], qd[at], qdd[at]))


def test_broadcasting() -> None:
    q, qd, qdd = np.array(ONE), np.random.default_rng(2).normal(size=(5, 3)), np.ones((4, 1, 3))
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(q, qd)[2], ROBOT.inverse_dynamics(q, qd[2]))
    found = ROBOT.inverse_dynamics(q, qd, qdd)
    assert found.shape == (4, 5, 3)
    np.testing.assert_array_equal(found[3, 1], ROBOT.inverse_dynamics(q, qd[1], [1, 1, 1]))


def test_kinds_of_arrays() -> None:
    expected = ROBOT.inverse_dynamics([1, 2, 3])
    frozen = np.array([1.0, 2.0, 3.0])
    frozen.flags.writeable = False
    strided = np.array([[1.0, 9], [2, 9], [3, 9]])[:, 0]
    turned = np.asfortranarray(np.array([[1.0, 2, 3], [4, 5, 6]]))
    for q in ((1, 2, 3), np.array([1, 2, 3]), frozen, strided, turned[0]):
        np.testing.assert_array_equal(ROBOT.inverse_dynamics(q), expected)
    short = ROBOT.inverse_dynamics(np.array([1, 2, 3], dtype=np.float32))
    assert short.dtype == np.float32
    np.testing.assert_allclose(short, expected, rtol=1e-6)
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(turned)[0], expected)
    np.testing.assert_array_equal(frozen, [1, 2, 3])


def test_what_is_left_out_is_zero() -> None:
    zero = [0, 0, 0]
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(ONE), ROBOT.inverse_dynamics(ONE, zero, zero))
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(ONE, None, ONE), ROBOT.inverse_dynamics(ONE, zero, ONE))


@pytest.mark.parametrize(
    ("q", "got"),
    [
        ([1, 2], "2 values"),
        ([1], "1 value"),
        (np.zeros((3, 4)), "4 values"),
        ([], "0 values"),
        (0.5, "a single number"),
        ("abc", '"abc"'),
        (["0.1", "2", "3"], "['0.1', '2', '3']"),
        ([1j, 0, 0], "[1j, 0, 0]"),
        ([[1, 2, 3], [1, 2]], "[[1, 2, 3], [1, 2]]"),
        ([1, None, 3], "[1, None, 3]"),
        ({"shoulder": 1}, "{'shoulder': 1}"),
    ],
    ids=range(11),
)
def test_joint_values_that_are_none(q: Any, got: str) -> None:
    verbs = (ROBOT.inverse_dynamics, ROBOT.reactions, ROBOT.link_motions, ROBOT.forward_kinematics, ROBOT.jacobian)
    end = f'must have one value per joint, got {got}; robot "scara" has 3 joints (shoulder, elbow, slide)'
    for verb in (*verbs, ROBOT.potential_energy):
        assert refused(ArgumentError, lambda verb=verb: verb(q)) == f"q {end}"
    assert refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, q)) == f"qd {end}"
    assert refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, ONE, q)) == f"qdd {end}"


def test_a_single_joint_is_a_list_too() -> None:
    robot = Robot("pendulum", (Link("rod", Joint("pivot"), mass=1),))
    assert (
        refused(ArgumentError, lambda: robot.inverse_dynamics(0.1))
        == 'q must have one value per joint, got a single number; robot "pendulum" has 1 joint (pivot)'
    )


def test_shapes_that_do_not_fit() -> None:
    assert (
        refused(ArgumentError, lambda: ROBOT.inverse_dynamics(np.zeros((2, 3)), np.zeros((4, 3))))
        == "q, qd and qdd have shapes (2, 3), (4, 3), (3,), which do not fit together"
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("many", [1, 5000])
def test_what_is_not_finite_goes_through_as_nan(many: int) -> None:
    """In its own state, and silently; as bytecode and as machine code."""
    q = np.tile(np.array([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3], [np.inf, 0.2, 0.3], [0.1, -np.inf, 0.3]]), (many, 1))
    robot = scara()
    M = robot.mass_matrix(q)
    assert np.isfinite(M[0]).all()
    assert np.isnan(M[1, 0, 0])
    assert np.isnan(M[3, 0, 0])
    finite = np.isfinite(robot.inverse_dynamics(q, q, q)[:, 0])
    np.testing.assert_array_equal(finite, np.tile([True, False, False, False], many))
    assert robot.kinetic_energy([0.1, 0.2, 0.3], [1e200, 0, 0]) == np.inf


def test_a_robot_without_moving_joints() -> None:
    robot = Robot("table", (Link("top", Joint("legs", "fixed"), mass=2, com=(0, 0, 1)),))
    assert robot.n == 0
    assert robot.inverse_dynamics([]).shape == (0,)
    found = robot.reactions(np.zeros((4, 0)))
    assert found.tau.shape == (4, 0)
    np.testing.assert_allclose(found.force[2], [[0, 0, 2 * 9.81]])
    assert robot.jacobian([]).shape == (6, 0)


@pytest.mark.parametrize("gravity", [9.81, None, "down", [0, 0], [0, 0, np.nan], [[0, 0, 1]], {}, 1])
def test_gravity_that_is_none(gravity: Any) -> None:
    sentence = f"gravity must be True, False or three finite values [m/s^2], got {literal(gravity)}"
    assert refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, gravity=gravity)) == sentence
    assert refused(ArgumentError, lambda: ROBOT.potential_energy(ONE, gravity=gravity)) == sentence


def test_gravity() -> None:
    given = ROBOT.inverse_dynamics(ONE, gravity=(0, 0, -9.81))
    np.testing.assert_array_equal(given, ROBOT.inverse_dynamics(ONE))
    np.testing.assert_array_equal(given, ROBOT.inverse_dynamics(ONE, gravity=np.True_))
    assert not ROBOT.inverse_dynamics(ONE, gravity=False).any()
    np.testing.assert_allclose(given, [0, 0, 9.81])


def test_loads_on_unknown_links() -> None:
    for load in (Force("for", (1, 0, 0)), Moment("for", (1, 0, 0))):
        assert (
            refused(UnknownNameError, lambda load=load: ROBOT.inverse_dynamics(ONE, loads=[load]))
            == 'unknown link or frame "for" in robot "scara"; did you mean "fore"? '
            "(known: upper, fore, quill, camera, tool)"
        )
    assert refused(UnknownNameError, lambda: ROBOT.com_pose(ONE, "x")).startswith('unknown link "x" in')
    assert refused(UnknownNameError, lambda: ROBOT.jacobian(ONE, "too")).startswith(
        'unknown link or frame "too" in robot "scara"; did you mean "tool"?'
    )


def test_loads_that_are_none() -> None:
    force = Force("fore", (1, 0, 0))
    assert (
        refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, loads=[force, (0, 0, 1)]))  # type: ignore[list-item]
        == "load 2 must be a Force, a Moment or a ToolWrench, got (0, 0, 1)"
    )
    assert (
        refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, loads=force))  # type: ignore[arg-type]
        == "loads must be a list of loads, got one load: write [load]"
    )
    assert refused(ArgumentError, lambda: Force("fore", (1, 0))) == "vector must be three values [x, y, z], got (1, 0)"  # type: ignore[arg-type]
    assert refused(ArgumentError, lambda: Force("fore", (1, 0, np.nan))) == "vector is nan; a value is a finite number"
    assert (
        refused(UnknownNameError, lambda: Force("fore", (1, 0, 0), axes="tool"))  # type: ignore[arg-type]
        == 'unknown value of axes "tool" (known: world, link)'
    )
    assert (
        refused(UnknownNameError, lambda: ToolWrench("exerted_by_robot", (1, 0, 0)))  # type: ignore[arg-type]
        == 'unknown value of direction "exerted_by_robot"; did you mean "exerted_by_tool"? '
        "(known: exerted_by_environment, exerted_by_tool)"
    )


def test_loads_with_parameters() -> None:
    weight = Force("fore", (0, 0, "-9.81*m_camera"))
    close(
        ROBOT.inverse_dynamics(ONE, loads=[weight]),
        ROBOT.inverse_dynamics(ONE, loads=[Force("fore", (0, 0, -9.81 * 0.2))]),
    )
    assert (
        refused(MissingValuesError, lambda: ROBOT.inverse_dynamics(ONE, loads=[Force("fore", ("m_extra", 0, 0))]))
        == 'robot "scara" has no value for m_extra; give it under [values] in the file, '
        "or with robot.with_values(m_extra=...)"
    )
    assert refused(
        UnknownNameError, lambda: ROBOT.inverse_dynamics(ONE, loads=[Moment("fore", ("m_cam", 0, 0))])
    ).startswith('unknown parameter "m_cam" in load 1; did you mean "m_camera"?')
    assert (
        refused(ArgumentError, lambda: ROBOT.inverse_dynamics(ONE, loads=[Force("fore", ("1/(m_camera-0.2)", 0, 0))]))
        == '"1/(m_camera - 0.2)" divides by zero with these values'
    )


def test_a_tool_wrench_needs_a_tool() -> None:
    robot = Robot("fork", (Link("left", Joint("a"), mass=1), Link("right", Joint("b"), mass=1)))
    load = ToolWrench("exerted_by_tool", (1, 0, 0))
    assert (
        refused(ArgumentError, lambda: robot.inverse_dynamics([0, 0], loads=[load]))
        == 'robot "fork" has no tool; give it one with robot.with_tool(placement, link)'
    )
    assert robot.with_tool("Tx(1)", "left").inverse_dynamics([0, 0], loads=[load]).shape == (2,)


def test_conventions_of_reactions() -> None:
    found = ROBOT.reactions(ONE)
    assert (found.links, found.joints) == (
        ("upper", "fore", "quill", "camera"),
        ("shoulder", "elbow", "slide", "mount"),
    )
    assert found.kinds == ("revolute", "revolute", "prismatic", "fixed")
    assert found.units == ("N m", "N m", "N", "N m")
    assert (found.axes, found.convention) == ("link", "joint")
    assert (
        refused(UnknownNameError, lambda: ROBOT.reactions(ONE, convention="tip"))  # type: ignore[arg-type]
        == 'unknown convention "tip" (known: joint, parent_tip)'
    )


def test_reactions_as_data_and_as_a_table() -> None:
    found = ROBOT.reactions([ONE, ONE], [[0, 0, 0], [1, 2, 3]])
    data = json.loads(json.dumps(found.as_dict()))
    np.testing.assert_array_equal(data["force"], found.force)
    lines = found.at(1).table().splitlines()
    assert " ".join(lines[0].split()) == "joint kind link tau unit fx [N] fy [N] fz [N] nx [N m] ny [N m] nz [N m]"
    assert lines[4].split()[:4] == ["3", "slide", "prismatic", "quill"]
    assert lines[4].split()[4:6] == [f"{found.tau[1, 2]:.3f}", "N"]
    assert lines[5].split()[:4] == ["-", "mount", "fixed", "camera"]
    assert [float(x) for x in lines[5].split()[4:]] == pytest.approx([*found.wrench[1, 3]], abs=1e-3)
    assert found.table() == f"{found.at(0)}\nnote: the first state of 2; at(...) gives another"
    message = "state must be an index into the states, which have shape"
    assert refused(ArgumentError, lambda: found.at(2)) == f"{message} (2,), got 2"
    empty = ROBOT.reactions(np.zeros((0, 3)))
    assert refused(ArgumentError, empty.table) == f"{message} (0,), got (0,)"


@settings(max_examples=40)
@given(robots(), st.data())
def test_frames_seen_from_frames(case: Case, data: st.DataObject) -> None:
    """T_ab = T_0a^-1 T_0b, and the motion of a frame is its Jacobian times qd."""
    robot = case.robot()
    names = st.sampled_from(["base", "tool", *(part.name for part in case.parts)])
    a, b = data.draw(names), data.draw(names)
    T_a, T_b = robot.forward_kinematics(case.q, a), robot.forward_kinematics(case.q, b)
    close(T_a @ robot.forward_kinematics(case.q, b, relative_to=a), T_b, scale=1 + np.abs([T_a, T_b]).max())
    motion = robot.frame_motion(case.q, case.qd, case.qdd, a)
    close(motion.position, T_a[:3, 3])
    close(np.concatenate([motion.velocity, motion.w]), robot.jacobian(case.q, a) @ case.qd)


@settings(max_examples=40)
@given(robots())
def test_acceleration_of_a_frame_is_the_derivative_of_its_velocity(case: Case) -> None:
    robot, h = case.robot(), 1e-5
    t = np.array([-h, h])[:, None]
    q, qd = case.q + case.qd * t + case.qdd * t**2 / 2, case.qd + case.qdd * t
    near, here = robot.frame_motion(q, qd, case.qdd), robot.frame_motion(case.q, case.qd, case.qdd)
    scale = 1 + np.abs(here.acceleration).max() * 20
    close((near.velocity[1] - near.velocity[0]) / (2 * h), here.acceleration, scale=scale, tolerance=1e-6)
    close((near.w[1] - near.w[0]) / (2 * h), here.wd, scale=scale, tolerance=1e-6)


def test_float32_stays_float32_in_another_gravity_and_under_loads() -> None:
    q = np.array(ONE, dtype=np.float32)
    for options in ({"gravity": [0, 0, -9.81]}, {"loads": [Force("quill", (1, 2, 3))]}):
        found = ROBOT.inverse_dynamics(q, q, q, **options)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, ROBOT.inverse_dynamics(ONE, ONE, ONE, **options), rtol=1e-5)
    assert ROBOT.gravity_torque(q.astype(">f4")).dtype == np.float32


def test_a_mass_matrix_that_is_always_singular() -> None:
    robot = Robot("ghost", (Link("a", Joint("j"), mass=1),))
    said = refused(MissingMassError, lambda: robot.forward_dynamics([0.0]))
    assert said.startswith('robot "ghost": links can move without moving a mass, so their')
