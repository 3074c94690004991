"""Lint guesses the usual mistakes, and only those."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.toml_table import parse_toml
from dynamis.errors import UnphysicalWarning
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.telling.pages.lint import lint

ARM = """
[robot]
name = "arm"
convention = "offset"
[values]
length = 0.5
mass = 4
size = 1
[[link]]
name = "upper"
joint = "revolute"
axis = [0, 1, 0]
mass = "mass"
com = [0, 0, "length/2"]
inertia = { about = "com", xx = "size*0.09", yy = "size*0.09", zz = "size*0.01" }
[[link]]
name = "fore"
joint = "revolute"
axis = [0, 1, 0]
offset = [0, 0, "length"]
mass = 2
com = [0, 0, 0.2]
inertia = { about = "com", xx = 0.04, yy = 0.04, zz = 0.004 }
[tool]
placement = "Tz(0.4)"
"""


def found(**values: object) -> list[tuple[str, str, str]]:
    robot = read_robot(parse_toml(ARM, "arm.toml")).with_values(values)
    return [(f.link, f.key, f.message) for f in lint(robot)]


def test_a_sound_arm_has_no_findings():
    assert found() == []


@pytest.mark.parametrize("name", ["ur5", "panda", "stanford", "bar-2r"])
def test_shipped_robots_are_clean(name: str):
    assert lint(dynamis.load(name)) == []


@pytest.mark.parametrize(
    ("values", "link", "key", "part"),
    [
        ({"size": 1000}, "upper", "inertia", "times too large for its mass and size (a decimal point, g or mm?)"),
        ({"size": "1/1000"}, "upper", "inertia", "denser than any metal"),
        ({"mass": 4000}, "upper", "mass", "has mass 4000 kg; is it in grams?"),
        ({"length": 500}, "", "robot", "the robot reaches 500 m; are its lengths in millimetres?"),
        ({"mass": 0, "size": 0}, "upper", "mass", "moves, but has no mass; is its mass missing?"),
        ({"mass": 0}, "upper", "inertia", "has an inertia but no mass"),
    ],
)
def test_a_mistake_is_found(values: dict[str, object], link: str, key: str, part: str):
    findings = found(**values)
    assert any(f[:2] == (link, key) and part in f[2] for f in findings), findings


def test_a_com_metres_outside_its_link():
    robot = read_robot(parse_toml(ARM.replace("com = [0, 0, 0.2]", "com = [0, 0, 200]"), "arm.toml"))
    assert [(f.link, f.key) for f in lint(robot)] == [("fore", "com")]


def test_a_massless_tip_is_named():
    text = ARM.replace("mass = 2\n", "").replace("xx = 0.04, yy = 0.04, zz = 0.004", "xx = 0")
    (finding,) = lint(read_robot(parse_toml(text, "arm.toml")))
    assert "moves at the end of the chain, but has no mass" in finding.message


def test_a_massless_link_that_carries_a_payload_rigidly_is_sound():
    text = ARM.replace("mass = 2\n", "").replace("xx = 0.04, yy = 0.04, zz = 0.004", "xx = 0")
    payload = dynamis.Inertia.of(xx=0.01, yy=0.01, zz=0.01)
    assert lint(read_robot(parse_toml(text, "arm.toml")).with_payload(2, inertia=payload)) == []


def test_entries_in_row_order_are_recognised():
    typed = "xx = 0.04, yy = 0.001, zz = 0.002, xy = 0.05, xz = 0.001, yz = 0.06, allow_unphysical = true"
    text = ARM.replace("xx = 0.04, yy = 0.04, zz = 0.004", typed)
    with pytest.warns(UnphysicalWarning, match="is the order wrong"):
        robot = read_robot(parse_toml(text, "arm.toml"))
    (finding,) = lint(robot)
    assert "read row by row as xx, xy, xz, yy, yz, zz" in finding.message


def test_links_of_no_size_are_judged_by_their_mass():
    """All joints in one point, as rotors of a drone have them: there is no length to compare with."""
    text = ARM.replace('com = [0, 0, "length/2"]\n', "").replace("com = [0, 0, 0.2]\n", "")
    robot = read_robot(parse_toml(text, "arm.toml")).with_values(length=0)
    assert lint(robot) == []
    (finding,) = lint(robot.with_values(size="1/1000"))
    assert "denser than any metal" in finding.message


@pytest.mark.parametrize("size", ["1e-290", "1e290"])
@pytest.mark.parametrize("mass", ["1e-290", "1e290"])
@pytest.mark.parametrize("length", ["0", "1e-290", "1e290"])
def test_numbers_of_any_size_are_judged(mass: str, size: str, length: str):
    assert all(isinstance(entry[2], str) for entry in found(mass=mass, size=size, length=length))


@pytest.mark.parametrize(
    ("angle", "meant"),
    [
        ("1.5708", "pi/2"), ("-1.57", "-pi/2"), ("3.1415", "pi"), ("0.5236", "pi/6"), ("2.356", "3*pi/4"),
        ("6.283185", "2*pi"), ("1.5707963267948966", "pi/2"),
    ],
)  # fmt: skip
def test_a_rounded_angle_is_named(angle: str, meant: str):
    text = ARM.replace("offset = [", f'rotation = {{ order = "zyx", x = {angle} }}\noffset = [')
    (finding,) = lint(read_robot(parse_toml(text, "arm.toml")))
    assert (finding.link, finding.key) == ("fore", "joint")
    assert f"has rounded angles ({angle} for {meant}), whose sines and cosines stay symbols" in finding.message


@pytest.mark.parametrize("angle", ["0.3", "0.52", "1.5", '"pi/2"', "1", "1.58", "0.26", "1.6"])
def test_an_angle_of_its_own_is_left_alone(angle: str):
    text = ARM.replace("offset = [", f'rotation = {{ order = "zyx", x = {angle} }}\noffset = [')
    assert lint(read_robot(parse_toml(text, "arm.toml"))) == []


@settings(max_examples=30)
@given(
    st.sets(st.sampled_from(["length", "mass", "size"])),
    st.sampled_from([0.5, 500]),
    st.sampled_from([4, 4000]),
    st.sampled_from([1, 1000, 0.001]),
)
def test_without_some_values_the_other_checks_say_the_same(without: set[str], length: float, mass: float, size: float):
    whole = read_robot(parse_toml(ARM, "arm.toml")).with_values(length=length, mass=mass, size=size)
    part = replace(whole, values={name: value for name, value in whole.values.items() if name not in without})
    findings = lint(part)
    assert list(findings) == [f for f in lint(whole) if (f.link, f.key) not in findings.left_out]
    assert set(findings.missing_values) == without
    needs = {"length": {("", "robot"), ("upper", "com")}, "mass": {("upper", "mass")}, "size": {("upper", "inertia")}}
    assert set(findings.left_out) >= set[tuple[str, str]]().union(*(needs[name] for name in without))
    assert bool(findings.left_out) == bool(without)
    assert ("not checked, since" in findings.page("text")) == bool(without)


def test_a_robot_in_symbols():
    """Rounded angles and missing masses need no values; the page says what was left out and how to give values."""
    links = (
        Link("upper", Joint("q1", before="Rx(1.5708)"), mass="m1", com=("l1/2", 0, 0), inertia=Inertia.of(zz="I1")),
        Link("fore", Joint("q2", before="Tx(l1)"), "upper", inertia=Inertia.of(zz="I1")),
    )
    findings = lint(Robot("arm", links, parameters={"l1": "", "m1": "", "I1": ""}))
    assert [(f.link, f.key) for f in findings] == [("upper", "joint"), ("fore", "mass"), ("fore", "inertia")]
    assert "has rounded angles (1.5708 for pi/2)" in findings[0].message
    assert findings.page("text", width=200).splitlines()[-1] == (
        "not checked, since l1, m1, I1 have no value: reach, mass of upper, CoM of upper, inertia of upper; "
        "give values: robot.with_values(l1=...)"
    )
    data = json.loads(findings.page("json"))
    assert data["missing_values"] == ["l1", "m1", "I1"]
    assert data["left_out"][0] == {"link": "", "key": "robot"}


def test_shipped_robots_in_symbols_have_no_findings():
    for name in ("planar-elbow", "niryo-one", "deluca-2r"):
        findings = lint(dynamis.load(name))
        assert findings == []
        assert {key for _, key in findings.left_out} == {"robot", "mass", "com", "inertia"}
