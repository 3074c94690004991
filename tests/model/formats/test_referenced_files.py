"""A file that a stranger sent names other files in its own folder only."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import dynamis
from dynamis import DynamisError
from dynamis.apps.live.visuals import mesh_file
from dynamis.apps.sweeps.sweep_file import load_sweep
from dynamis.errors import FormatError
from dynamis.files import load_body, load_simulation, load_task
from dynamis.model.formats.urdf.visuals import read_visuals

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
SAMPLES = "kind = \"samples\"\nfile = '{}'\n"
TASK = f"[motion]\n{SAMPLES}"
SEGMENT = f"[[segment]]\n{SAMPLES}"
SIMULATION = f'[simulation]\nduration = 1\n{TASK}[control]\nkind = "pd"\nkp = 1\nkd = 1\n'
SWEEP = f'quantity = "gravity_torque"\n[draw]\n{SAMPLES}'
BANDS = "map = \"tolerance-bands\"\nmotion = '{}'\n[over]\nm1 = {{ box = [1, 2] }}\n"
URDF = "<robot name='arm'><link name='a'><visual><geometry><mesh filename=\"{}\"/></geometry></visual></link></robot>"
SECRET = "confidential:x:0\n"
Reader = Callable[[Path], object]


def task(file: Path) -> object:
    return load_task(file, dynamis.load("bar-2r"))


def simulation(file: Path) -> object:
    return load_simulation(file, dynamis.load("bar-2r"))


def sweep(file: Path) -> object:
    return load_sweep(file, dynamis.load("bar-2r"))


def meshes(file: Path) -> object:
    (drawn,) = read_visuals(file.read_text(), str(file))
    return mesh_file(drawn.file, file)


NAMING: dict[str, tuple[str, str, Reader]] = {
    "robot: `body` of `[[link]]`": (ROBOT, "toml", dynamis.load),
    "body: `file` of a mesh": (MESH, "stl", load_body),
    "task: `file` of `[motion]`": (TASK, "csv", task),
    "task: `file` of `[[segment]]`": (SEGMENT, "csv", task),
    "simulation: `file` of `[motion]`": (SIMULATION, "csv", simulation),
    "sweep: `file` of `[draw]`": (SWEEP, "csv", sweep),
    "sweep: `motion` of tolerance bands": (BANDS, "toml", sweep),
    "URDF: `filename` of a mesh that is drawn": (URDF, "stl", meshes),
}
"""What names a file, as SECURITY.md has it: the file that names it, the ending of what it names, and what reads it."""
WAYS_OUT = ("../secret.{}", "{folder}/secret.{}", "a/../../secret.{}", "link.{}", "below/secret.{}", " ")


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """A folder that was sent, beside one with secrets."""
    folder = tmp_path / "sent"
    folder.mkdir()
    for ending in ("toml", "stl", "csv"):
        (tmp_path / f"secret.{ending}").write_text(SECRET)
        (folder / f"link.{ending}").symlink_to(tmp_path / f"secret.{ending}")
        (folder / f"zero.{ending}").symlink_to("/dev/zero")
        (folder / f"folder.{ending}").mkdir()
        os.mkfifo(folder / f"pipe.{ending}")
    (folder / "below").symlink_to(tmp_path)
    return folder


def read(folder: Path, text: str, name: str, reader: Reader = dynamis.load) -> object:
    file = folder / ("file.urdf" if text is URDF else "file.toml")
    file.write_text(text.format(name))
    return reader(file)


def test_the_table_of_the_security_page_is_what_is_tested() -> None:
    text = (Path(__file__).parents[3] / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| (?!file \|)([^|-]+) \| (.+?) \|", text, re.MULTILINE)
    assert {f"{kind}: {entry}" for kind, entry in rows} == set(NAMING)


@pytest.mark.parametrize("naming", NAMING)
@pytest.mark.parametrize("way", WAYS_OUT)
def test_no_way_out(sent: Path, naming: str, way: str) -> None:
    text, ending, reader = NAMING[naming]
    with pytest.raises(DynamisError) as error:
        read(sent, text, way.format(ending, folder=sent.parent), reader)
    assert "confidential" not in str(error.value)
    if text is not URDF:
        assert error.value.line is not None
        assert re.search(r"must be a file in the folder of the \w+( file)? or below it", str(error.value))


@pytest.mark.parametrize("naming", NAMING)
@pytest.mark.parametrize("name", ["zero.{}", "pipe.{}", "folder.{}", "/dev/zero"])
def test_nothing_but_regular_files(sent: Path, naming: str, name: str) -> None:
    text, ending, reader = NAMING[naming]
    with pytest.raises(DynamisError):
        read(sent, text, name.format(ending), reader)


def test_a_sweep_names_files_from_its_own_folder(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (sent.parent / "task.toml").write_text(SECRET)
    (sent.parent / "task").write_text(SECRET)
    monkeypatch.chdir(sent.parent)
    for name in ("task.toml", "task"):
        with pytest.raises(DynamisError) as error:
            read(sent, BANDS, name, sweep)
        assert "confidential" not in str(error.value)
        assert "is not TOML" not in str(error.value)


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
    from dynamis.exact.derivations.bodies.question import find_body
    from dynamis.motion.trajectories.sampled import sampled_file

    bar = dynamis.load("bar-2r")
    for call in (
        dynamis.load, load_body, find_body, sampled_file,
        lambda name: load_task(name, bar), lambda name: load_simulation(name, bar),
    ):  # fmt: skip
        with pytest.raises(DynamisError) as error:
            call(name)
        assert len(str(error.value)) < 1000


def test_a_xacro_file_is_told_how_to_become_a_urdf(tmp_path: Path) -> None:
    for name in ("arm.urdf.xacro", "arm.xacro"):
        (tmp_path / name).write_text("<robot/>")
        with pytest.raises(FormatError, match=rf"must be expanded first: xacro {name} > arm\.urdf$"):
            dynamis.load(tmp_path / name)
