"""The model: a sorted tree, its parameters and values, and the robots made from a robot."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from dynamis import DynamisError, Frame, Inertia, Joint, Link, Placement, Robot
from dynamis.errors import ArgumentError, MissingValuesError, ModelError, UnknownNameError
from dynamis.model.fields import check_parameter_name
from dynamis.model.joint_text import motion_text
from dynamis.model.robot import RobotModel


def link(name: str, parent: str = "base", kind: Any = "revolute", **more: Any) -> Link:
    joint = Joint(f"q_{name}", kind, before=more.pop("before", (0, 0, 1)))
    return Link(name, joint, parent, **{"mass": 1, "com": (0.1, 0, 0), **more})


def arm(**more: Any) -> Robot:
    links = (link("upper", mass="m1", com=("l1/2", 0, 0)), link("lower", "upper", mass="m2", before=("l1", 0, 0)))
    return Robot("arm", links, parameters={"l1": "length of the upper arm [m]", "m1": "", "m2": ""}, **more)


def refused(kind: type[DynamisError], make: Any) -> str:
    with pytest.raises(kind) as caught:
        make()
    assert type(caught.value) is kind
    return str(caught.value)


def test_links_are_sorted_parents_first_and_otherwise_kept() -> None:
    robot = Robot("r", (link("c", "b"), link("d", "a"), link("b", "a"), link("a"), link("e")))
    assert [k.name for k in robot.links] == ["a", "d", "b", "c", "e"]
    assert [joint.name for joint in robot.joints] == ["q_a", "q_d", "q_b", "q_c", "q_e"]
    assert robot.n == 5


def test_fixed_joints_have_no_coordinate() -> None:
    robot = Robot("r", (link("a"), link("b", "a", "fixed"), link("c", "b", "prismatic")))
    assert robot.n == 2
    assert [joint.kind for joint in robot.joints] == ["revolute", "prismatic"]


def test_the_only_tip_has_the_tool() -> None:
    assert Robot("r", (link("a"), link("b", "a"))).tool == Frame("tool", "b")
    assert Robot("r", (link("a"), link("b"))).tool is None


def test_frames_by_name() -> None:
    eye = Frame("eye", "a", Placement.parse("Tz(0.1)"))
    robot = Robot("r", (link("a"), link("b", "a")), frames=(eye,))
    assert robot.frame("eye") == eye
    assert robot.frame("b") == Frame("b", "b")
    assert robot.frame("base") == Frame("base", "base")
    assert robot.frame("tool").link == "b"
    assert Frame("eye", "a", "Tz(0.1)") == eye  # type: ignore[arg-type]
    assert (
        refused(UnknownNameError, lambda: robot.frame("eyes"))
        == 'unknown link or frame "eyes" in robot "r"; did you mean "eye"? (known: a, b, eye, tool)'
    )
    assert refused(UnknownNameError, lambda: robot.link("z")) == 'unknown link "z" in robot "r" (known: a, b)'


def test_cycles() -> None:
    """Only the links of the cycle are named, each on the next."""
    links = (link("a"), link("tail", "x"), link("x", "y"), link("y", "z"), link("z", "x"))
    assert (
        refused(ModelError, lambda: Robot("r", links))
        == "links x -> y -> z -> x hang on each other in a cycle; every link leads to the base"
    )
    assert refused(ModelError, lambda: Robot("r", (link("a", "a"),))).startswith("links a -> a hang on each other")


def test_orphans() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Robot("r", (link("upper"), link("lower", "uper")))
    assert (
        str(caught.value) == 'unknown parent "uper" in link "lower"; did you mean "upper"? (known: base, upper, lower)'
    )
    assert (caught.value.link, caught.value.key, caught.value.nearest) == ("lower", "parent", "upper")


def test_names_are_used_once() -> None:
    twice = (link("a"), link("a"))
    assert refused(ModelError, lambda: Robot("r", twice)) == 'link name "a" is used twice; each link has its own name'
    joints = (Link("a", Joint("q")), Link("b", Joint("q"), "a"))
    assert (
        refused(ModelError, lambda: Robot("r", joints)) == 'joint name "q" is used twice; each joint has its own name'
    )
    base = (link("base"),)
    assert refused(ModelError, lambda: Robot("r", base)).startswith('link name "base" is used twice')


@pytest.mark.parametrize("name", ["", " a", "a\n", "x" * 101, "\x1b[31m", None, 3])
def test_names_that_are_none(name: Any) -> None:
    shown = f"{'x' * 100!r}..." if name == "x" * 101 else repr(name)
    sentence = f"name {shown} must be 1 to 100 printable characters"
    assert refused(ArgumentError, lambda: Joint(name)) == f"joint {sentence}"
    assert refused(ArgumentError, lambda: Link(name, Joint("q"))) == f"link {sentence}"
    assert refused(ArgumentError, lambda: Robot(name, (link("a"),))) == f"robot {sentence}"
    assert refused(ArgumentError, lambda: Frame(name, "a")) == f"frame {sentence}"


@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b", "é", "__class__", "x" * 61, None])
def test_parameter_names_that_are_none(name: Any) -> None:
    sentence = f"parameter name {name!r} is not a name; use letters, digits and _"
    assert refused(ArgumentError, lambda: check_parameter_name(name)) == sentence


@pytest.mark.parametrize("name", ["pi", "sin", "cos", "sqrt"])
def test_parameter_names_that_are_taken(name: str) -> None:
    sentence = f'parameter name "{name}" is taken; pi, sin, cos and sqrt have a meaning'
    assert refused(ArgumentError, lambda: Robot("r", (link("a"),), parameters={name: ""})) == sentence


def test_how_many_links() -> None:
    assert refused(ModelError, lambda: Robot("r", ())) == "a robot has at least one link"
    many = tuple(link(f"a{k}") for k in range(2001))
    assert refused(ModelError, lambda: Robot("r", many)) == "the robot has 2001 links; at most 2000 are allowed"


def test_unknown_parameters_suggest_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Robot("r", (link("a", mass="mass_1"),), parameters={"mass1": "", "l": ""})
    assert (
        str(caught.value) == 'unknown parameter "mass_1" in mass of link "a"; did you mean "mass1"? (known: mass1, l)'
    )
    assert (caught.value.name, caught.value.nearest, caught.value.link) == ("mass_1", "mass1", "a")


@pytest.mark.parametrize(
    ("make", "within"),
    [
        (lambda: Robot("r", (link("a", com=("zz", 0, 0)),)), 'com of link "a"'),
        (lambda: Robot("r", (link("a", inertia=Inertia.of(xx="zz")),)), 'inertia of link "a"'),
        (lambda: Robot("r", (link("a", inertia=Inertia.of(axes="Rx(zz)")),)), 'inertia of link "a"'),
        (lambda: Robot("r", (link("a", before="Rx(zz)"),)), 'joint of link "a"'),
        (lambda: Robot("r", (Link("a", Joint("q", damping="zz")),)), 'joint of link "a"'),
        (lambda: Robot("r", (link("a"),), gravity=(0, 0, "-zz")), "gravity"),
        (lambda: Robot("r", (link("a"),), tool=Frame("tool", "a", "Tx(zz)")), "tool"),
        (lambda: Robot("r", (link("a"),), frames=(Frame("eye", "a", "Tx(zz)"),)), "frame eye"),
    ],
)
def test_where_an_unknown_parameter_is(make: Any, within: str) -> None:
    assert refused(UnknownNameError, make) == f'unknown parameter "zz" in {within}'


def test_frames_stand_on_links() -> None:
    frames = (Frame("eye", "b"),)
    assert (
        refused(UnknownNameError, lambda: Robot("r", (link("a"),), frames=frames))
        == 'unknown link "b" in frame "eye" (known: base, a)'
    )
    assert (
        refused(UnknownNameError, lambda: Robot("r", (link("a"),), tool=Frame("tool", "b")))
        == 'unknown link "b" in frame "tool" (known: base, a)'
    )


def test_values() -> None:
    robot = arm()
    assert robot.missing_values == ("l1", "m1", "m2")
    robot = robot.with_values(l1=0.5, m1="3/2")
    assert robot.missing_values == ("m2",)
    assert {name: str(value) for name, value in robot.values.items()} == {"l1": "0.5", "m1": "1.5"}
    again = robot.with_values({"l1": 1}, m2=2)
    assert {name: str(value) for name, value in again.values.items()} == {"l1": "1", "m1": "1.5", "m2": "2"}
    assert type(again) is Robot


def test_values_alone_declare_a_parameter() -> None:
    robot = Robot("r", (link("a", mass="m"),), values={"m": 2})
    assert dict(robot.parameters) == {"m": ""}


def test_missing_values_are_all_named() -> None:
    with pytest.raises(MissingValuesError) as caught:
        arm().with_values(m1=1).inverse_dynamics([0, 0])
    assert caught.value.missing == ("l1", "m2")
    assert (
        str(caught.value) == 'robot "arm" has no value for l1, m2; give it under [values] in the file, '
        "or with robot.with_values(l1=..., m2=...)"
    )


def test_a_parameter_that_nothing_uses_needs_no_value() -> None:
    robot = Robot("r", (link("a"),), parameters={"spare": ""})
    assert robot.missing_values == ("spare",)
    assert robot.inverse_dynamics([0]).shape == (1,)


def test_with_values_refuses() -> None:
    assert (
        refused(UnknownNameError, lambda: arm().with_values(m3=1))
        == 'unknown parameter "m3" in robot "arm"; did you mean "m2"? (known: l1, m1, m2)'
    )
    assert (
        refused(ArgumentError, lambda: arm().with_values(m1="m2 + 1"))
        == 'value of "m1" uses m2; a value is a number such as 0.5 or "pi/2"'
    )
    assert refused(ArgumentError, lambda: arm().with_values(m1=np.nan)) == "m1 is nan; a value is a finite number"
    assert refused(ModelError, lambda: arm().with_values(m1=-1)) == 'link "upper" has mass -1; a mass is >= 0'


def test_with_tool() -> None:
    robot = Robot("r", (link("a"), link("b", "a")), frames=(Frame("eye", "a", "Tz(1)"),))
    assert robot.with_tool("Tz(0.1)").tool == Frame("tool", "b", "Tz(0.1)")  # type: ignore[arg-type]
    assert robot.with_tool((0, 0, "1/10"), "a").tool == Frame("tool", "a", "Tz(0.1)")  # type: ignore[arg-type]
    assert robot.with_tool("Tx(2)", "eye").tool == Frame("tool", "a", "Tz(1) Tx(2)")  # type: ignore[arg-type]
    assert robot.with_tool("", "base").tool == Frame("tool", "base")
    assert refused(UnknownNameError, lambda: robot.with_tool("", "c")).startswith(
        'unknown link or frame "c" in robot "r"'
    )
    branched = Robot("fork", (link("a"), link("left", "a"), link("right", "a")))
    assert (
        refused(ArgumentError, lambda: branched.with_tool("Tz(1)"))
        == 'robot "fork" has 2 tips (left, right): say which link has a tool'
    )
    assert branched.with_tool("Tz(1)", "left").tool == Frame("tool", "left", "Tz(1)")  # type: ignore[arg-type]


def test_with_payload() -> None:
    robot = Robot("r", (link("a"),)).with_tool("Tz(0.2)")
    loaded = robot.with_payload(2, (0, 0, 0.1), Inertia.of(xx=0.1, yy=0.1, zz=0.1))
    held = loaded.link("payload")
    assert (held.parent, held.joint.kind, str(held.joint.before), str(held.mass)) == ("a", "fixed", "Tz(0.2)", "2")
    assert loaded.tool == robot.tool
    assert loaded.n == robot.n == 1
    two = loaded.with_payload(1, name="second")
    assert [k.name for k in two.links] == ["a", "payload", "second"]
    assert (
        refused(ModelError, lambda: loaded.with_payload(1))
        == 'link name "payload" is used twice; each link has its own name'
    )
    assert refused(ModelError, lambda: robot.with_payload(-1)) == 'link "payload" has mass -1; a mass is >= 0'
    fork = Robot("fork", (link("a"), link("b")))
    assert (
        refused(ArgumentError, lambda: fork.with_payload(1))
        == 'robot "fork" has 2 tips (a, b): say which link has a payload'
    )


def test_with_gravity() -> None:
    robot = Robot("r", (link("a"),)).with_gravity((0, "-9.81/2", 0))
    assert [str(x) for x in robot.gravity] == ["0", "-4.905", "0"]
    assert (
        refused(ArgumentError, lambda: robot.with_gravity(9.81)) == "gravity must be three values [x, y, z], got 9.81"
    )


def test_robots_are_frozen() -> None:
    robot = arm()
    for change in (
        lambda: setattr(robot, "name", "x"),
        lambda: setattr(robot, "links", ()),
        lambda: setattr(robot.links[0], "mass", 1),
        lambda: setattr(robot.links[0].joint, "kind", "fixed"),
        lambda: setattr(robot.links[0].inertia, "about", "origin"),
        lambda: setattr(robot.tool, "link", "upper"),
        lambda: setattr(robot.links[0].joint.before, "steps", ()),
        lambda: delattr(robot, "name"),
    ):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(TypeError):
        robot.values["m1"] = 1  # type: ignore[index]
    with pytest.raises(TypeError):
        robot.parameters["m1"] = "mass"  # type: ignore[index]


def test_a_robot_does_not_follow_the_dictionary_it_was_made_from() -> None:
    values = {"m": 1}
    robot = Robot("r", (link("a", mass="m"),), values=values)  # type: ignore[arg-type]
    values["m"] = 2
    assert str(robot.values["m"]) == "1"


def test_pickled_and_copied() -> None:
    robot = arm(values={"l1": 1, "m1": 2, "m2": 3})
    before = robot.inverse_dynamics([0.1, 0.2])
    for again in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot), copy.copy(robot)):
        assert again == robot
        np.testing.assert_array_equal(again.inverse_dynamics([0.1, 0.2]), before)
        with pytest.raises(TypeError):
            again.values["m1"] = 1


def test_from_model() -> None:
    model = RobotModel("r", (link("a"),))
    assert Robot.from_model(model).links == model.links


def test_an_axis_of_rational_length_has_rational_entries() -> None:
    assert [str(x) for x in Joint("j", axis=(1, 2, -2)).axis] == ["1/3", "2/3", "-2/3"]
    assert [str(x) for x in Joint("j", axis=(0, 0, "-0.5")).axis] == ["0", "0", "-1"]
    assert [str(x) for x in Joint("j", axis=(1, 1, 0)).axis] == ["1/sqrt(2)", "1/sqrt(2)", "0"]


@pytest.mark.parametrize(
    ("axis", "text"),
    [
        ([1, -1, 1], "R[1/sqrt(3), -1/sqrt(3), 1/sqrt(3)](q)"),
        ([1, 2, -3], "R[1/sqrt(14), 2/sqrt(14), -3/sqrt(14)](q)"),
        ([0, 0.7071, 0.7071], "R[0, 0.707107, 0.707107](q)"),
        ([0.6, 0, 0.8], "R[0.6, 0, 0.8](q)"),
    ],
)
def test_axes_are_shown_in_one_style(axis: list[float], text: str):
    assert motion_text(Joint("q", axis=axis)) == text
