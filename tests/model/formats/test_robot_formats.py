"""A format is one entry of the table: loading, saving, converting, help and errors follow from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import dynamis
from dynamis.errors import ArgumentError, FormatError
from dynamis.model.formats import robot_formats
from dynamis.model.formats.robot_formats import ROBOT_FORMATS, RobotFormat, usual_suffixes
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.model.formats.xml_tree import parse_xml
from dynamis.model.robot import RobotModel
from tests.support.command_line import caller


def read_arms(text: str, file: str) -> RobotModel:
    """<arms shipped="NAME"/> is the shipped robot of that name."""
    return dynamis.load(parse_xml(text, file).require("shipped"))


def write_arms(robot: RobotModel) -> str:
    return f'<arms shipped="{robot.name}"/>\n'


@pytest.fixture
def arms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files .arms and .xml, of which the latter are URDF too."""
    entry = RobotFormat("ARMS", (".arms", ".xml"), f"{__name__}:read_arms", f"{__name__}:write_arms", r"<arms\b")
    monkeypatch.setattr(robot_formats, "ROBOT_FORMATS", [*ROBOT_FORMATS, entry])


@pytest.mark.usefixtures("arms")
def test_it_is_saved_and_loaded(tmp_path: Path) -> None:
    robot = dynamis.load("bar-2r")
    dynamis.save(robot, tmp_path / "two.arms")
    assert (tmp_path / "two.arms").read_text() == '<arms shipped="bar-2r"/>\n'
    assert dynamis.load(tmp_path / "two.arms") == robot


@pytest.mark.usefixtures("arms")
def test_files_of_a_shared_suffix_are_told_apart_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text('<arms shipped="bar-2r"/>')
    assert dynamis.load(path).name == "bar-2r"
    path.write_text(write_urdf(dynamis.load("genova-2r")))
    assert dynamis.load(path).name == "genova-2r"
    path.write_text("<mujoco/>")
    with pytest.raises(FormatError, match=r"robot.xml: is not a robot file in URDF or ARMS$"):
        dynamis.load(path)


@pytest.mark.usefixtures("arms")
def test_errors_and_help_name_it(tmp_path: Path) -> None:
    assert usual_suffixes() == ".toml, .urdf or .arms"
    (tmp_path / "robot.step").write_text("")
    with pytest.raises(FormatError, match=r"a robot is a \.toml, \.urdf, \.xml, \.arms file"):
        dynamis.load(tmp_path / "robot.step")
    with pytest.raises(ArgumentError, match=r"write a \.toml, \.urdf or \.arms file"):
        dynamis.save(dynamis.load("bar-2r"), tmp_path / "robot.step")


@pytest.mark.usefixtures("arms")
def test_the_command_line_converts_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert caller(monkeypatch, capsys)("convert", "bar-2r", str(tmp_path / "two.arms")).code == 0
    origin, *rest = (tmp_path / "two.arms").read_text().splitlines()
    assert origin.startswith("<!-- dynamis ")
    assert rest == ['<arms shipped="bar-2r"/>']


def test_a_format_that_is_only_read_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        robot_formats, "ROBOT_FORMATS", [*ROBOT_FORMATS, RobotFormat("ARMS", (".arms",), f"{__name__}:read_arms")]
    )
    with pytest.raises(ArgumentError, match=r'"\.arms" is not a kind of robot file; write a \.toml or \.urdf'):
        dynamis.save(dynamis.load("bar-2r"), tmp_path / "two.arms")


@pytest.mark.parametrize("entry", ROBOT_FORMATS, ids=lambda entry: entry.name)
def test_every_format_reads_what_it_writes(entry: RobotFormat, tmp_path: Path) -> None:
    robot = dynamis.load("genova-2r")
    for suffix in entry.suffixes:
        dynamis.save(robot, tmp_path / f"again{suffix}")
        again = dynamis.load(tmp_path / f"again{suffix}")
        assert again.mass_matrix([0.1, 0.2]) == pytest.approx(robot.mass_matrix([0.1, 0.2]))
