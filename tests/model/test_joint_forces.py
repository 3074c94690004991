"""The forces of a joint itself: as files and `Joint` give them, what is refused, what a URDF can hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.base.expressions.parser import parse
from dynamis.errors import ModelError
from dynamis.model.joint_forces import JointForces
from dynamis.model.lint import likely_mistakes

FILE = """[robot]
name = "arm"
convention = "offset"

[[link]]
name = "arm"
axis = [0, 0, 1]
mass = 1
com = [0.5, 0, 0]
[link.joint]
name = "q1"
kind = "revolute"
coulomb = 0.5
"""


def load(tmp_path: Path, *lines: str) -> Robot:
    (tmp_path / "arm.toml").write_text(FILE + "\n".join(lines))
    return dynamis.load(tmp_path / "arm.toml")


def test_a_file_says_what_a_joint_has(tmp_path: Path) -> None:
    robot = load(tmp_path, 'stribeck = "1/3"', "stribeck_speed = 0.1", "friction_offset = -0.2", "stiffness = 3",
                 'rest = "pi/6"')  # fmt: skip
    forces = robot.joints[0].forces
    numbers = [None if x is None else str(x) for x in (getattr(forces, key) for key in JointForces.__slots__)]
    assert numbers == ["0", "0.5", "1/3", "0.1", "-0.2", "3", "pi/6"]
    assert robot.force_terms == ("damping", "coulomb", "stribeck", "friction_offset", "stiffness")
    assert load(tmp_path).joints[0].forces == JointForces(parse("0"), parse("0.5"))
    assert load(tmp_path).force_terms == ("damping", "coulomb")


@pytest.mark.parametrize(
    ("lines", "line", "sentence"),
    [
        (["stribeck = 1"], 14, 'joint "q1" has a stribeck but no stribeck_speed'),
        (["stribeck_speed = 1"], 14, 'joint "q1" has a stribeck_speed but no stribeck'),
        (["rest = 1"], 14, 'joint "q1" has a rest but no stiffness'),
        (["damping = 1", "stiffness = -2"], 15, 'joint "q1" has stiffness -2; it must be >= 0'),
        (["stribeck = 1", "stribeck_speed = -2"], 15, 'joint "q1" has stribeck_speed -2; it must be >= 0'),
        (
            ["stribeck = -1", "stribeck_speed = 2"], 14,
            'joint "q1" has coulomb + stribeck -0.5; what friction holds at rest must be >= 0',
        ),
        (["stribek = 1"], 14, 'unknown key "stribek" in link.joint; did you mean "stribeck"?'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, lines: list[str], line: int, sentence: str) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        load(tmp_path, *lines)
    assert str(caught.value).endswith(sentence) or sentence.split(" in ")[0] in str(caught.value)
    assert f"arm.toml:{line}:" in str(caught.value)


def test_a_speed_that_has_the_value_zero() -> None:
    joint: Any = Joint("q1", stribeck=1, stribeck_speed="v", coulomb=1)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="stribeck_speed 0; it must be > 0"):
        Robot("arm", (Link("arm", joint),), parameters={"v": ""}, values={"v": parse("0")})


def test_a_fixed_joint_has_none() -> None:
    with pytest.raises(ModelError, match="is fixed; it has no limits, no friction and no spring"):
        Joint("weld", "fixed", stiffness=1)  # type: ignore[arg-type]


def test_what_a_urdf_cannot_hold_is_a_comment_in_it(tmp_path: Path) -> None:
    robot = load(tmp_path, "stribeck = 1", "stribeck_speed = 0.1", "stiffness = 3", "rest = -0.5")
    dynamis.save(robot, tmp_path / "arm.urdf")
    text = (tmp_path / "arm.urdf").read_text()
    (comment,) = re.findall(r"<!--(forces .*)-->", text)
    assert comment == "forces that are not part of URDF: stribeck = 1, stribeck_speed = 0.1, stiffness = 3, rest = -0.5"
    assert dynamis.load(tmp_path / "arm.urdf").force_terms == ("damping", "coulomb")


def test_an_offset_that_drives_is_a_likely_mistake(tmp_path: Path) -> None:
    small, large = (load(tmp_path, f"friction_offset = {x}") for x in (-0.5, -0.6))
    assert likely_mistakes(small)[0] == []
    (finding,) = likely_mistakes(large)[0]
    assert "friction_offset -0.6 above its dry friction 0.5" in finding.message
