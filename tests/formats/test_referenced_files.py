"""A file that a stranger sent names other files in its own folder only."""

from __future__ import annotations

from pathlib import Path

import pytest

import dynamis
from dynamis import DynamisError, FormatError

ROBOT = """
[robot]
name = "arm"
convention = "offset"
[[link]]
name = "upper"
joint = "revolute"
axis = [0, 0, 1]
body = '{}'
"""
BODY = '[[part]]\nshape = "box"\nsize = [1, 1, 1]\nmass = 1\n'
MESH = "[[part]]\nshape = \"mesh\"\nfile = '{}'\nmass = 1\n"
TASK = "[motion]\nkind = \"samples\"\nfile = '{}'\n"
SECRET = "confidential:x:0\n"


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """A folder that was sent, beside one with secrets."""
    folder = tmp_path / "sent"
    folder.mkdir()
    for name in ("secret.toml", "secret.stl", "secret.csv"):
        (tmp_path / name).write_text(SECRET)
    return folder


def read(folder: Path, text: str, name: str) -> object:
    file = folder / "file.toml"
    file.write_text(text.format(name))
    if text is TASK:
        return dynamis.load_task(file, dynamis.load("bar-2r"))
    return dynamis.load(file) if text is ROBOT else dynamis.load_body(file)


@pytest.mark.parametrize(("text", "ending"), [(ROBOT, "toml"), (MESH, "stl"), (TASK, "csv")])
@pytest.mark.parametrize(
    "way", ["../secret.{}", "{folder}/secret.{}", "a/../../secret.{}", "link.{}", "below/secret.{}", " "]
)
def test_no_way_out(sent: Path, text: str, ending: str, way: str) -> None:
    (sent / f"link.{ending}").symlink_to(sent.parent / f"secret.{ending}")
    (sent / "below").symlink_to(sent.parent)
    with pytest.raises(DynamisError, match=r"must be a file in the folder of the \w+( file)? or below it") as error:
        read(sent, text, way.format(ending, folder=sent.parent))
    assert error.value.line is not None
    assert "confidential" not in str(error.value)


def test_a_ring_of_links(sent: Path) -> None:
    (sent / "ring.toml").symlink_to(sent / "ring.toml")
    with pytest.raises(FormatError):
        read(sent, ROBOT, "ring.toml")


def test_files_below_and_shipped_bodies(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (sent / "parts").mkdir()
    (sent / "parts" / "box.toml").write_text(BODY)
    (sent / "alias.toml").symlink_to(sent / "parts" / "box.toml")
    for name in ("parts/box.toml", "./parts/box.toml", "alias.toml", "xu-link"):
        assert isinstance(read(sent, ROBOT, name), dynamis.Robot)
    monkeypatch.chdir(sent)
    assert dynamis.load("file.toml").n == 1


@pytest.mark.parametrize("name", ["a" * 300 + ".toml", "a" * 300 + ".urdf", "a" * 300, "a" * 300 + ".stl", "x/" * 3000])
def test_names_that_no_file_can_have(name: str) -> None:
    from dynamis.derivations.bodies.question import find_body
    from dynamis.motion.trajectories.sampled import sampled_file

    bar = dynamis.load("bar-2r")
    for call in (
        dynamis.load, dynamis.load_body, find_body, sampled_file,
        lambda name: dynamis.load_task(name, bar), lambda name: dynamis.load_simulation(name, bar),
    ):  # fmt: skip
        with pytest.raises(DynamisError) as error:
            call(name)
        assert len(str(error.value)) < 1000


def test_a_xacro_file_is_told_how_to_become_a_urdf(tmp_path: Path) -> None:
    for name in ("arm.urdf.xacro", "arm.xacro"):
        (tmp_path / name).write_text("<robot/>")
        with pytest.raises(FormatError, match=rf"must be expanded first: xacro {name} > arm\.urdf$"):
            dynamis.load(tmp_path / name)
