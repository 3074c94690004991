"""Degrees where radians are read: named with file, line and repair, and never where radians are meant."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import Joint, Limits, Link, Robot
from dynamis.model.degrees_meant import degrees_meant
from dynamis.model.lint import lint
from tests.support.command_line import caller
from tests.support.published_urdfs import FILES

BODY = 'mass = 1\ncom = [-0.2, 0, 0]\ninertia = { about = "com", xx = 0.1, yy = 0.1, zz = 0.1 }\n'
TOML = f"""[robot]
name = "arm"
convention = "standard-dh"
[values]
twist = TWIST
[[link]]
name = "upper"
dh = {{ theta = 0, d = 0, a = 0.5, alpha = ALPHA }}
joint = {{ kind = "revolute", limits = {{ position = [LOWER, UPPER], velocity = SPEED }} }}
{BODY}
[[link]]
name = "fore"
joint = "revolute"
dh = {{ theta = 0, d = 0, a = 0.4, alpha = "twist" }}
{BODY}
[tool]
placement = "Rz(TOOL) Tx(0.1)"
"""
GOOD = {
    "TWIST": '"pi/6"', "ALPHA": '"-pi/2"', "LOWER": '"-17*pi/18"', "UPPER": '"17*pi/18"', "SPEED": '"pi"',
    "TOOL": "pi/4",
}  # fmt: skip
BAD = {"TWIST": "30", "ALPHA": "-90", "LOWER": "-170", "UPPER": "170", "SPEED": "180", "TOOL": "45"}
LINES = {"TWIST": 5, "ALPHA": 8, "LOWER": 9, "UPPER": 9, "SPEED": 9, "TOOL": 23}
INERTIAL = '<inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = f"""<robot name="arm">
  <link name="base"/>
  <link name="upper">{INERTIAL}</link>
  <link name="flange"/>
  <link name="hand">{INERTIAL}</link>
  <joint name="j1" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0 ALPHA 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="LOWER" upper="UPPER" velocity="SPEED" effort="10"/>
  </joint>
  <joint name="f" type="fixed"><parent link="upper"/><child link="flange"/>
    <origin xyz="0 0 0.3" rpy="TWIST 0 0"/>
  </joint>
  <joint name="j2" type="continuous"><parent link="flange"/><child link="hand"/>
    <origin xyz="0 0 0.1" rpy="0 0 TOOL"/><limit velocity="300" effort="3"/>
  </joint>
</robot>
"""
URDF_LINES = {"TWIST": 12, "ALPHA": 7, "LOWER": 9, "UPPER": 9, "SPEED": 9, "TOOL": 15}


def filled(text: str, **values: str) -> str:
    for key, value in values.items():
        text = text.replace(key, value)
    return text


def warned(path: Path) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dynamis.load(path)
    return [str(one.message) for one in caught]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", BAD)
@pytest.mark.parametrize("kind", ["toml", "urdf"])
def test_loading_and_lint_name_file_line_and_repair(kind: str, key: str, tmp_path: Path) -> None:
    text, lines = (TOML, LINES) if kind == "toml" else (URDF, URDF_LINES)
    good = GOOD if kind == "toml" else {
        "TWIST": "0.5", "ALPHA": "-1.5707963267948966", "LOWER": "-2.9", "UPPER": "2.9", "SPEED": "3.1", "TOOL": "0.7",
    }  # fmt: skip
    path = tmp_path / f"arm.{kind}"
    path.write_text(filled(text, **{**good, key: BAD[key]}))
    (finding,) = lint(dynamis.load(path))
    assert str(finding).startswith(f"{path}:{lines[key]}: ")
    assert warned(path) == [str(finding)]
    assert "in degrees" in finding.message
    repair = f'"{GOOD[key].strip(chr(34))}"'
    assert repair in finding.message
    path.write_text(filled(text, **good))
    assert lint(dynamis.load(path)) == []
    assert warned(path) == []


def test_a_parameter_that_gets_degrees_is_named_too() -> None:
    elbow = Robot("arm", (Link("a", Joint("q", before="Rx(alpha)"), mass=1),), parameters={"alpha": ""})
    assert degrees_meant(elbow) == []
    (found,) = degrees_meant(elbow.with_values(alpha=-90))
    assert 'Write "-pi/2"' in found.message


@pytest.mark.parametrize("name", [*dynamis.robots(), *dynamis.estimates()])
def test_no_shipped_robot_is_asked_about_degrees(name: str) -> None:
    assert degrees_meant(dynamis.load(name)) == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_no_published_robot_is_asked_about_degrees(name: str) -> None:
    try:
        robot = dynamis.load(FILES[name])
    except dynamis.DynamisError:
        return
    assert degrees_meant(robot) == []


@pytest.mark.parametrize(
    "joint",
    [
        Joint("q", limits=Limits(-12.6, 12.6, 100)),  # two turns, and a number that stands for "fast"
        Joint("q", limits=Limits("-1e16", "1e16", "1e4")),
        Joint("q", "continuous", limits=Limits(velocity=300)),  # a propeller
        Joint("q", "prismatic", limits=Limits(-170, 170, 180)),
        Joint("q", before="Rz(2*pi) Rx(-6.283185307179586)"),
    ],
)
def test_what_radians_may_be_is_no_finding(joint: Joint) -> None:
    assert degrees_meant(Robot("arm", (Link("a", joint, mass=1),))) == []


@pytest.mark.parametrize(
    ("robot", "q", "asked"),
    [
        ("ur5", "400,0,0,0,0,0", True), ("puma560", "90,0,0,0,0,0", True), ("puma560", "3,0,0,0,0,0", False),
        ("puma560", "1.5,0,0,0,0,0", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["inverse", "state"])
def test_positions_far_beyond_their_limits_are_asked_about(  # type: ignore[no-untyped-def]
    verb: str, robot: str, q: str, asked: bool, monkeypatch, capsys
) -> None:
    call = caller(monkeypatch, capsys)
    words = " ".join(call(verb, robot, "--q", q).out.split())
    assert ("is that in degrees? Then --degrees is missing" in words) == asked
    assert ("beyond its limits" in words) == (asked or q.startswith("3"))
    assert "is that in degrees" not in call(verb, robot, "--q", q, "--degrees").out


def test_a_slider_is_never_asked_about_degrees() -> None:
    slider = Robot("slider", (Link("a", Joint("q", "prismatic", limits=Limits(-1, 1)), mass=1),))
    (note,) = dynamis.state_torques(slider, [90.0]).notes
    assert note.endswith("is beyond its limits -1 .. 1")
    turning = Robot("turning", (Link("a", Joint("q", limits=Limits(-1, 1)), mass=1),))
    assert "degrees" in dynamis.state_torques(turning, [90.0]).notes[0]
    assert dynamis.state_torques(turning, [np.radians(30)]).notes == []
