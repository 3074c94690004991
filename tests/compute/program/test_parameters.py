"""Parameters as arguments: a function of them is the robot with their values, for all values."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.errors import ArgumentError, DynamisError, MissingValuesError, UnknownNameError
from dynamis.base.expressions.parser import as_expression
from dynamis.base.toml_table import parse_toml
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.model.formats.robot_file.read import read_robot
from tests.support.closeness import close
from tests.support.functions import as_tuple, options, same_bits, states, verb

TIGHT = 1e-12
ARM = """
[robot]
name = "arm"
convention = "{convention}"
[parameters]
a = "length"
alpha = "twist"
d = "offset"
theta = "angle"
[[link]]
name = "one"
joint = "revolute"
dh = {{ theta = "theta", d = "2*d", a = "a", alpha = "alpha" }}
mass = "a^2 + 1"
com = ["a/2", 0.1, "sqrt(a^2 + d^2)"]
inertia = {{ about = "com", xx = 0.1, yy = 0.2, zz = 0.2 }}
[[link]]
name = "two"
joint = "prismatic"
dh = {{ theta = "theta/2", d = 0.3, a = 0.4, alpha = "alpha - pi/2" }}
mass = 2
com = [0.1, 0.2, 0.3]
inertia = {{ about = "com", xx = 0.1, yy = 0.2, zz = 0.2 }}
"""


@cache
def load(name: str) -> Robot:
    return dynamis.load(name)


def compare(robot: Robot, name: str, values: dict[str, Any], changed: Any) -> None:
    """The function of the parameters, and the robots that `changed` makes of their values one after the other."""
    chosen = options(robot, name)
    rows = np.array(list(values.values())).T
    given = states(np.random.default_rng(5), name, robot.n, len(rows))
    found = as_tuple(robot.compile(name, list(values), **chosen)(*given, rows))
    for k, row in enumerate(rows):
        other = changed(dict(zip(values, row.tolist(), strict=True)))
        expected = verb(other, name, *(x[k] for x in given), **chosen)
        for ours, theirs in zip(found, expected, strict=True):
            close(ours[k], theirs, tolerance=TIGHT)


@pytest.mark.parametrize("name", ["bar-2r", "genova-rp", "puma560", "panda", "ur5"])
def test_all_parameters_of_a_robot_at_once(name: str) -> None:
    """Masses, lengths, gear ratios, friction, gravity: each some percent from its value."""
    robot = load(name)
    rng, scalars = np.random.default_rng(3), robot.floats()
    names = sorted(robot.used_parameters())
    values = {p: scalars.parameter(p) * rng.uniform(0.95, 1.05, 4) for p in names}
    compare(robot, "inverse_dynamics", values, robot.with_values)


@pytest.mark.parametrize("name", [x for x in QUANTITIES if "rows" not in QUANTITIES[x].options])
def test_every_quantity_of_a_mass(name: str) -> None:
    robot = load("bar-2r")
    compare(robot, name, {"m2": [0.1, 1.0, 2.5, 70.0]}, robot.with_values)


def test_operational_inertia_of_a_length() -> None:
    robot = load("puma560")
    compare(robot, "operational_inertia", {"d4": [0.4, 0.5]}, robot.with_values)


@pytest.mark.parametrize("convention", ["standard-dh", "modified-dh"])
@pytest.mark.parametrize("name", ["forward_kinematics", "inverse_dynamics", "mass_matrix", "jacobian"])
def test_angles_and_lengths_of_a_table(convention: str, name: str) -> None:
    """The axes of the joints turn with the parameters; no parameter has a value in the file."""
    robot = Robot.from_model(read_robot(parse_toml(ARM.format(convention=convention), "arm.toml")))
    rows = np.random.default_rng(1).uniform(-2, 2, (4, 9))
    rows[:, 0] = [0.0, 0.0, np.pi / 2, 1.0]  # angles that are special cases of the plain path
    compare(robot, name, dict(zip(("alpha", "a", "d", "theta"), rows, strict=True)), robot.with_values)


def with_field(robot: Robot, name: str, value: float) -> Robot:
    """The robot with another "link.mass", "link.com.x" or "link.inertia.zz"."""
    link_name, field, *axes = name.split(".")
    k = [link.name for link in robot.links].index(link_name)
    link, number = robot.links[k], as_expression(value)
    if field == "mass":
        link = replace(link, mass=number)
    elif field == "com":
        link = replace(link, com=tuple(number if x == axes[0] else c for x, c in zip("xyz", link.com, strict=True)))
    else:
        i, j = ("xyz".index(x) for x in axes[0])
        rows = [list(row) for row in link.inertia.matrix]
        rows[i][j] = rows[j][i] = number
        matrix: Any = tuple(map(tuple, rows))
        link = replace(link, inertia=replace(link.inertia, matrix=matrix, allow_unphysical=True))
    return replace(robot, links=(*robot.links[:k], link, *robot.links[k + 1 :]))


@pytest.mark.parametrize("robot_name", ["puma560", "panda", "genova-3r"])
def test_what_a_link_has(robot_name: str) -> None:
    """Masses, CoMs and inertias, also those that are zero, all at once."""
    robot = load(robot_name)
    fields = ("mass", "com.x", "com.y", "com.z", *(f"inertia.{x}" for x in ("xx", "yy", "zz", "xy", "xz", "yz")))
    chosen = [f"{link.name}.{field}" for link in (robot.links[0], robot.links[-1]) for field in fields]
    rng = np.random.default_rng(4)
    values = {name: rng.uniform(0.1, 0.2, 3) + 3 * (".inertia." in name and name[-1] == name[-2]) for name in chosen}

    def changed(row: dict[str, float]) -> Robot:
        other = robot
        for name, value in row.items():
            other = with_field(other, name, value)
        return other

    for name in ("inverse_dynamics", "kinetic_energy", "potential_energy"):
        compare(robot, name, values, changed)


def test_a_payload() -> None:
    """A link with a plain name, beside a parameter with one; gravity is the robot's own."""
    robot = load("bar-2r")
    tool = dynamis.Link(
        "payload", dynamis.Joint("grip", "fixed"), "link2", 1.0, (0.1, 0.0, 0.0), dynamis.Inertia(np.eye(3))
    )
    robot = replace(robot, links=(*robot.links, tool))
    f = robot.compile("inverse_dynamics", ["m2", "payload.mass"])
    given = states(np.random.default_rng(0), "inverse_dynamics", 2)
    for m2, mass in ((1.0, 0.0), (2.0, 3.0), (0.5, 12.0)):
        expected = with_field(robot, "payload.mass", mass).with_values(m2=m2).inverse_dynamics(*given)
        close(f(*given, [m2, mass]), expected, tolerance=TIGHT)


def test_parameters_broadcast_with_the_state() -> None:
    """One state and many values, many states and one value, and every state with every value."""
    f = load("bar-2r").compile("inverse_dynamics", ["m2", "L1"])
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 7, 2))
    values = np.random.default_rng(2).uniform(0.5, 2, (4, 2))
    whole = f(q[:, None], qd[:, None], qdd[:, None], values)
    assert whole.shape == (7, 4, 2)
    for i in range(7):
        same_bits(f(q[i], qd[i], qdd[i], values), whole[i])
        for k in range(4):
            same_bits(f.quick_call(q[i], qd[i], qdd[i], values[k]), whole[i, k])
    for k in range(4):
        same_bits(f(q, qd, qdd, values[k]), whole[:, k])


def test_a_parameter_needs_no_value_when_it_is_an_argument() -> None:
    robot = load("cartesian")
    assert robot.missing_values == ("m1", "m2")
    f = robot.compile("inverse_dynamics", ["m2", "m1"])
    np.testing.assert_allclose(f([0, 0], [0, 0], [1, 1], [2, 3]), [5 * (1 + 9.81), 2], rtol=1e-15)
    with pytest.raises(MissingValuesError, match='robot "cartesian" has no value for m1;'):
        robot.compile("inverse_dynamics", ["m2"])
    with pytest.raises(MissingValuesError, match="no value for m1, m2"):
        robot.compile("inverse_dynamics")


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        (["m3"], UnknownNameError, r'unknown parameter "m3" in robot "bar-2r"; did you mean "m'),
        (["lnk2.mass"], UnknownNameError, 'did you mean "link2.mass"'),
        (["link2.com"], ArgumentError, '"com" of link "link2" is not a parameter; mass, com.x'),
        (["link2.com.w"], ArgumentError, '"com.w" of link "link2" is not a parameter'),
        (["link2.inertia.zy"], ArgumentError, '"inertia.zy" of link "link2" is not a parameter'),
        (["link2.mass.x"], ArgumentError, '"mass.x" of link "link2" is not a parameter'),
        (["link2."], ArgumentError, '"" of link "link2" is not a parameter'),
        (["m1", "m2", "m1"], ArgumentError, 'parameter "m1" is named twice'),
        ("m2", ArgumentError, 'parameters must be a list of names, got "m2"'),
        ([2], ArgumentError, "parameters must be names, got 2"),
        (["m1", None], ArgumentError, "parameters must be names, got None"),
        ([""], DynamisError, "unknown parameter"),
    ],
)
def test_names_that_are_refused(parameters: Any, error: type[DynamisError], message: str) -> None:
    with pytest.raises(error, match=message):
        load("bar-2r").compile("inverse_dynamics", parameters)


def test_values_that_are_refused() -> None:
    f = load("bar-2r").compile("mass_matrix", ["m1", "m2"])
    with pytest.raises(
        ArgumentError,
        match="parameters must have one value per parameter, got 3 values; mass_matrix has 2 parameters",
    ):
        f([0, 0], [1, 2, 3])
    with pytest.raises(ArgumentError, match=r"mass_matrix has 2 arguments \(q, parameters\); 1 were given"):
        f([0, 0])
    with pytest.raises(ArgumentError, match="q must have one value per joint, got 3 values"):
        f([0, 0, 0], [1, 2])
    with pytest.raises(ArgumentError, match=r"q and parameters have shapes \(3, 2\), \(4, 2\)"):
        f(np.zeros((3, 2)), np.zeros((4, 2)))


def test_other_names_that_are_refused() -> None:
    robot = load("bar-2r")
    with pytest.raises(UnknownNameError, match='did you mean "inverse_dynamics"'):
        robot.compile("inverse_dynamic")
    with pytest.raises(UnknownNameError, match="frame"):
        robot.compile("mass_matrix", frame="tool")
    with pytest.raises(UnknownNameError, match="toool"):
        robot.compile("jacobian", frame="toool")
    with pytest.raises(ArgumentError, match="com_pose needs a link; give it as link="):
        robot.compile("com_pose")


def test_the_longest_name_of_a_link_owns_a_parameter() -> None:
    body = Inertia.of(xx=1, yy=1, zz=1)
    links = (Link("a", Joint("q1"), mass=1, inertia=body), Link("a.b", Joint("q2"), "a", 2, (1, 0, 0), body))
    f = Robot("dotted", links).compile("mass_matrix", parameters=["a.b.mass"])
    np.testing.assert_allclose(f([0.0, 0.0], [3.0])[1, 1], 4.0)
