"""Machine code on disk: written whole, read again by other processes, and never trusted blindly."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.llvm import cache, machine
from dynamis.compute.backends.llvm.source import interpreter_loop, program_source
from dynamis.compute.program.program import Program
from tests.support.functions import function

STATE = [[0.3, -0.4], [0.5, 0.6], [0.7, 0.8]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "some" / "cache"
    monkeypatch.setenv("DYNAMIS_CACHE", str(place))
    return place


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was compiled, one entry a call of LLVM."""
    calls: list[str] = []
    real = machine.compile_here

    def counted(ir: str, processor: machine.Host) -> bytes:
        calls.append(ir)
        return real(ir, processor)

    monkeypatch.setattr(machine, "compile_here", counted)
    return calls


def torques() -> Any:
    """Inverse dynamics of a small robot, as machine code of its own."""
    f = function(dynamis.load("bar-2r"), "inverse_dynamics")
    return f.ufunc()(*STATE)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_an_entry_is_written_and_read(folder: Path, compiled: list[str]) -> None:
    first = torques()
    assert len(compiled) == 1
    (entry,) = entries(folder)
    assert len(entry.name) == 64
    assert entry.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0
    np.testing.assert_array_equal(torques(), first)
    assert len(compiled) == 1
    assert entries(folder) == [entry]


COUNT = """
import sys
from dynamis.compute.backends.llvm import machine
calls = []
real = machine.compile_here
machine.compile_here = lambda ir, processor: calls.append(1) or real(ir, processor)
import dynamis
f = dynamis.load("bar-2r").compile("inverse_dynamics")
print(len(calls), f([0.3, -0.4], [0.5, 0.6], [0.7, 0.8]).tolist())
"""


def in_a_process(**environment: str) -> str:
    """What a new process finds: how often it compiled, and the torques."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_another_process_reads_what_one_has_written(folder: Path) -> None:
    first = in_a_process()
    assert first.startswith("1 ")
    assert len(entries(folder)) == 1
    assert in_a_process() == first.replace("1 ", "0 ", 1)
    assert first.removeprefix("1 ") == str(torques().tolist())
    assert in_a_process(DYNAMIS_CACHE="") == first


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: b"",
        lambda entry: entry[:-1],
        lambda entry: entry[: len(entry) // 2],
        lambda entry: entry[:40],
        lambda entry: entry + b"\0",
        lambda entry: entry[:-100] + bytes([entry[-100] ^ 1]) + entry[-99:],
        lambda entry: entry[:30] + bytes([entry[30] ^ 128]) + entry[31:],
        lambda entry: entry.replace(b"machine code 1", b"machine code 2"),
        lambda entry: b"\x7fELF" + entry,
        lambda entry: os.urandom(len(entry)),
    ],
    ids=[
        "empty",
        "a byte short",
        "half",
        "head",
        "longer",
        "a bit of code",
        "a bit of hash",
        "mark",
        "foreign",
        "noise",
    ],
)
def test_a_damaged_entry_is_made_again(folder: Path, compiled: list[str], damage: Any) -> None:
    first = torques()
    (entry,) = entries(folder)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert cache.read(entry.name) is None
    np.testing.assert_array_equal(torques(), first)
    assert len(compiled) == 2
    assert entry.read_bytes() == whole


def test_an_entry_that_is_a_folder(folder: Path, compiled: list[str]) -> None:
    first = torques()
    (entry,) = entries(folder)
    entry.unlink()
    entry.mkdir()
    np.testing.assert_array_equal(torques(), first)
    assert len(compiled) == 2
    assert entries(folder) == [entry]


needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")


@needs_pipes
@pytest.mark.parametrize("what", ["pipe", "link", "device", "written by the group", "written by all", "another user's"])
def test_an_entry_that_others_may_have_written_is_made_again(
    folder: Path, compiled: list[str], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is waited for."""
    first = torques()
    (entry,) = entries(folder)
    code = entry.read_bytes()
    other = folder.parent / "other"
    other.write_bytes(code)
    real = os.fstat
    match what:
        case "pipe":
            entry.unlink()
            os.mkfifo(entry, 0o600)
        case "link":
            entry.unlink()
            entry.symlink_to(other)
        case "device":
            entry.unlink()
            entry.symlink_to("/dev/zero")
        case "another user's":
            stranger = os.stat_result((0o100600, 1, 1, 1, os.getuid() + 1, 0, len(code), 0, 0, 0))
            monkeypatch.setattr(os, "fstat", lambda handle: stranger)
        case _:
            entry.chmod(0o620 if what == "written by the group" else 0o602)
    assert cache.has(entry.name) == (what == "another user's")
    assert cache.read(entry.name) is None
    monkeypatch.setattr(os, "fstat", real)
    if what != "another user's":
        np.testing.assert_array_equal(torques(), first)
        assert len(compiled) == 2
        assert entry.is_file()
        assert not entry.is_symlink()
        assert other.read_bytes() == code
        assert entry.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no modes of folders")
def test_folders_are_made_for_the_user_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        torques()
    finally:
        os.umask(before)
    assert [place.stat().st_mode & 0o777 for place in (folder, folder.parent)] == [0o700, 0o700]
    assert all(entry.stat().st_mode & 0o077 == 0 for entry in entries(folder))


def test_the_interpreter_is_made_again_if_its_entry_is_other_code(folder: Path, compiled: list[str]) -> None:
    """With a mark and a hash that are right."""
    robot = dynamis.load("bar-2r")
    interpreter_loop.cache_clear()
    expected = function(robot, "inverse_dynamics")(*STATE)
    (entry,) = entries(folder)
    assert len(compiled) == 1
    for wrong in (b"no machine code", machine.compile_here("define void @other() {\n ret void\n}", machine.host())):
        del compiled[:]
        cache.write(entry.name, wrong)
        interpreter_loop.cache_clear()
        np.testing.assert_array_equal(function(robot, "inverse_dynamics")(*STATE), expected)
        assert len(compiled) == 1


def test_entries_differ_by_all_that_the_code_depends_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor, its features, the precision, the program, and the versions."""
    program = function(dynamis.load("bar-2r"), "inverse_dynamics").program
    here = machine.host()

    def is_on_disk(program: Program, dtype: str, processor: machine.Host) -> bool:
        return cache.has(program_source(program, dtype, processor).key)

    program_source(program, "float64", here).object_code()
    assert is_on_disk(program, "float64", here)
    assert not is_on_disk(program, "float32", here)
    assert not is_on_disk(program, "float64", machine.Host(here.triple, here.cpu, here.features + ",+other"))
    assert not is_on_disk(program, "float64", machine.Host(here.triple, "x86-64", here.features))
    assert not is_on_disk(program, "float64", machine.Host("aarch64-linux", here.cpu, here.features))
    other = function(dynamis.load("bar-2r").with_values(m2=1.25), "inverse_dynamics").program
    assert not is_on_disk(other, "float64", here)
    monkeypatch.setattr("dynamis.compute.backends.llvm.source.versions", lambda: ("0", "0", "0"))
    assert not is_on_disk(program, "float64", here)


def test_an_empty_name_is_no_cache(monkeypatch: pytest.MonkeyPatch, compiled: list[str], tmp_path: Path) -> None:
    monkeypatch.setenv("DYNAMIS_CACHE", "")
    monkeypatch.chdir(tmp_path)
    torques()
    torques()
    assert len(compiled) == 2
    assert cache.folder() is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(folder: Path, compiled: list[str], mode: int) -> None:
    torques()
    folder.chmod(mode)
    torques()
    assert len(compiled) == 2
    assert cache.folder() is None
    assert len(entries(folder)) == 1
    folder.chmod(0o700)
    torques()
    assert len(compiled) == 2


def test_a_folder_that_cannot_be_written_is_no_error(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise PermissionError("read-only")

    folder.mkdir(parents=True, mode=0o700)
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkstemp", refused)
        torques()
    assert entries(folder) == []
    torques()
    assert len(compiled) == 2
    assert len(entries(folder)) == 1


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        torques()
    assert entries(folder) == []


def test_a_folder_that_is_a_file(folder: Path, compiled: list[str]) -> None:
    folder.parent.mkdir()
    folder.write_text("not a folder")
    torques()
    torques()
    assert len(compiled) == 2
    assert folder.read_text() == "not a folder"


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("DYNAMIS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert cache.folder() is None
    torques()


def test_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DYNAMIS_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "dynamis"


def test_the_oldest_entries_go_when_all_are_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MAX_CACHE_BYTES", 10_000)
    names = [f"{k}" * 64 for k in range(8)]
    for k, name in enumerate(names):
        cache.write(name, bytes(2000))
        os.utime(folder / name, (1000 + k, 1000 + k))
    assert [entry.name for entry in entries(folder)] == names[4:]
    assert sum(entry.stat().st_size for entry in entries(folder)) <= 10_000


def test_two_processes_at_once(folder: Path) -> None:
    """Both find the same, and one whole entry is left."""
    start = [subprocess.Popen([sys.executable, "-c", COUNT], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = {process.communicate()[0].split(" ", 1)[1] for process in start}
    assert len(found) == 1
    (entry,) = entries(folder)
    assert cache.read(entry.name) is not None


def test_a_reader_never_sees_half_an_entry(folder: Path) -> None:
    """Entries are written again and again while others read and prune: what is read is whole."""
    codes = [bytes([k]) * 40_000 for k in range(1, 5)]
    stop = threading.Event()
    seen: list[bytes | None] = []

    def write(code: bytes) -> None:
        while not stop.is_set():
            cache.write("entry", code)

    writers = [threading.Thread(target=write, args=(code,)) for code in codes[:2]]
    cache.write("entry", codes[0])
    for writer in writers:
        writer.start()
    for _ in range(300):
        seen.append(cache.read("entry"))
    stop.set()
    for writer in writers:
        writer.join()
    assert set(seen) <= set(codes[:2])
    assert [entry.name for entry in entries(folder)] == ["entry"]


def test_machine_code_of_an_earlier_run_is_used_early(compiled: list[str]) -> None:
    """A batch of some states is enough to look for it; bytecode does not need it."""
    robot = dynamis.load("bar-2r")
    robot.inverse_dynamics(*STATE)
    before = len(compiled)
    robot.compile("inverse_dynamics")
    assert len(compiled) == before + 1
    again = dynamis.load("bar-2r")
    again.inverse_dynamics(*np.zeros((3, 50, 2)))
    assert len(compiled) == before + 1
    assert "float64" in again.engine.function("inverse_dynamics")._compiled


def test_pruning_leaves_files_that_are_not_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNAMIS_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_MAX_CACHE_BYTES", 100)
    thesis = tmp_path / "thesis.pdf"
    thesis.write_bytes(b"x" * 1000)
    os.utime(thesis, (0, 0))
    (tmp_path / ("a" * 64)).write_bytes(b"x" * 1000)
    cache.write("b" * 64, b"y" * 10)
    assert thesis.exists()
    assert not (tmp_path / ("a" * 64)).exists()
    assert cache.read("b" * 64) == b"y" * 10


def test_an_entry_that_is_no_object_file_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNAMIS_CACHE", str(tmp_path))
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 3, 6))
    usual = dynamis.load("ur5").compile("inverse_dynamics")(q, qd, qdd)
    (entry,) = tmp_path.iterdir()
    cache.write(entry.name, b"no code at all")
    np.testing.assert_array_equal(dynamis.load("ur5").compile("inverse_dynamics")(q, qd, qdd), usual)
    assert cache.read(entry.name) != b"no code at all"


def test_a_program_does_not_depend_on_what_was_asked_before() -> None:
    """Nor do the last bits of its results, and its machine code is found on disk."""
    names = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "gravity_torque")
    one, other = dynamis.load("puma560"), dynamis.load("puma560")
    first = {name: one.compile(name).program.digest for name in names}
    assert first == {name: other.compile(name).program.digest for name in reversed(names)}
