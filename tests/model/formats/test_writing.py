"""Files are written whole or not at all, whatever ends the program, and only files are replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import dynamis
from dynamis.base.errors import WriteError
from dynamis.base.writing import atomic_write, check_file, check_folder, is_stream, text_file, write_text
from dynamis.telling.figure import save
from dynamis.telling.series import json_text, write_csv, write_parquet
from tests.support.forked import Ended, forked, killed_at, killed_in_writing, without_room

OLD = "the old file\n"
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
SERIES = {"t [s]": np.linspace(0, 1, 2000), "q1 [rad]": np.linspace(0, 2, 2000)}


def falling() -> Any:
    return dynamis.simulate(dynamis.load("bar-2r"), [0.5, 0.3], duration=0.2, samples=5)


def picture() -> Any:
    """Without axes and text, which take most of the time of a figure."""
    return Figure(figsize=(2, 1))


def writers() -> dict[str, Callable[[Path], object]]:
    """Every way in which dynamis writes a file."""
    figure, run, robot = picture(), falling(), dynamis.load("bar-2r")
    pictures = {f"figure.{kind}": lambda path: save(figure, path) for kind in ("png", "pdf", "svg")}
    return {
        "text.txt": lambda path: write_text(path, "new\n" * 5000),
        "series.csv": lambda path: write_csv(path, SERIES),
        "series.parquet": lambda path: write_parquet(path, SERIES),
        "series.json": lambda path: json_text(SERIES, path),
        **pictures,
        "animation.html": run.animate,
        "animation.gif": lambda path: run.animate(path, fps=1),
        "robot.toml": lambda path: dynamis.save(robot, path),
        "robot.urdf": lambda path: dynamis.save(robot, path),
    }


@pytest.fixture(scope="module")
def every_writer() -> dict[str, Callable[[Path], object]]:
    return writers()


NAMES = ("text.txt", "series.csv", "series.parquet", "series.json", "figure.png", "figure.pdf", "figure.svg",
         "animation.html", "animation.gif", "robot.toml", "robot.urdf")  # fmt: skip


@linux
def test_kill_at_any_moment_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, every_writer: dict[str, Callable[[Path], object]]
) -> None:
    path, write = tmp_path / "series.csv", every_writer["series.csv"]
    write(path)
    new = path.read_bytes()
    ends: list[tuple[int, bytes]] = []
    # An ending by itself is the last: the steps before it were all.
    while not ends or ends[-1][0]:
        path.write_text(OLD)
        done = forked(killed_at(len(ends) + 1, tmp_path, lambda: write(path)))
        ends.append((done.code, path.read_bytes()))
    assert {code for code, _ in ends[:-1]} == {-9}
    assert len(ends) > 4
    assert ends[0][1] == OLD.encode()
    assert ends[-1][1] == new
    assert {held for _, held in ends} == {OLD.encode(), new}
    for size in (0, 1, len(new) - 1):
        path.write_text(OLD)
        assert forked(killed_in_writing(size, lambda: write(path))).code < 0
        assert path.read_text() == OLD


@linux
@pytest.mark.parametrize("name", NAMES)
def test_kill_in_the_middle_of_a_file_leaves_the_old_one(
    tmp_path: Path, name: str, every_writer: dict[str, Callable[[Path], object]]
) -> None:
    path, write = tmp_path / name, every_writer[name]
    write(path)  # once, so that what is imported and compiled is not written meanwhile
    path.write_text(OLD)
    assert forked(killed_in_writing(100, lambda: write(path))).code < 0
    assert path.read_text() == OLD
    assert len(list(tmp_path.iterdir())) == 2


@posix
@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, name: str, every_writer: dict[str, Callable[[Path], object]]
) -> None:
    path, write = tmp_path / name, every_writer[name]
    path.write_text(OLD)

    def refused() -> None:
        with pytest.raises(WriteError, match=f"{name}: cannot be written: .*File too large") as caught:
            write(path)
        assert "\n" not in str(caught.value)

    done = forked(without_room(100, refused))
    assert done == Ended(0, "", "")
    assert path.read_text() == OLD
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "page.txt"
    path.write_text(OLD)
    with pytest.raises(error), text_file(path) as file:  # noqa: PT012
        file.write("half")
        file.flush()
        raise error
    assert path.read_text() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_being_written_is_hidden_and_beside_its_place(tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    places: set[str] = set()
    for _ in range(2):
        with atomic_write(path) as place:
            assert (place.parent, place.suffix, place.name[0]) == (tmp_path, ".png", ".")
            assert not place.read_bytes()
            assert not (path.exists() and not places)
        places.add(place.name)
    assert len(places) == 2


@posix
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_follows_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "page.txt", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "page.txt").stat().st_mode) == mode


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_replaced_file_keeps_its_permissions_also_meanwhile(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "page.txt"
    path.write_text(OLD)
    path.chmod(mode)
    with atomic_write(path) as place:
        assert stat.S_IMODE(place.stat().st_mode) & ~mode == 0
        place.write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text() == "new"


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link.txt", tmp_path / "there" / "page.txt"
    link.symlink_to(target)
    for text in ("first", "second"):
        write_text(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert {path.name for path in tmp_path.rglob("*")} == {"there", "link.txt", "page.txt"}


@posix
def test_pipes_and_devices_are_written_to_and_stay(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    texts: list[str] = []
    reader = threading.Thread(target=lambda: texts.append(pipe.read_text()))
    reader.start()
    write_csv(pipe, SERIES)
    reader.join(10)
    assert texts[0].count("\n") == 2001
    assert is_stream(pipe)
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe.csv"]


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "out.txt"])
def test_the_program_s_own_output_is_written_to_in_order(tmp_path: Path, name: str) -> None:
    code = f"from dynamis.base.writing import write_text\nprint(1)\nwrite_text({name!r}, '2\\n')\nprint(3)\n"
    path = tmp_path / "out.txt"
    with path.open("w") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, cwd=tmp_path, check=True)
    assert path.read_text() == "1\n2\n3\n"
    if name == "/dev/stdout":
        piped = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
        assert piped.stdout == "1\n2\n3\n"


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(OLD)
    for path, sentence in (
        (tmp_path / "no" / "page.txt", f'cannot be written: there is no folder "{tmp_path / "no"}"'),
        (tmp_path / "file" / "page.txt", f'cannot be written: "{tmp_path / "file"}" is not a folder'),
        (tmp_path, "cannot be written: it is a folder"),
        (tmp_path / ("é" * 150), "cannot be written: the name has 300 bytes; a file name has at most 255"),
        (Path(*["a" * 200] * 30), "bytes, which is too long; choose a shorter one"),
        ("a\0b", "cannot be written: its name has a null character"),
        ("a\ud800b", "cannot be written: its name has half a character (a lone surrogate)"),
    ):
        for attempt in (check_file, lambda path: write_text(path, "x")):
            with pytest.raises(WriteError) as caught:
                attempt(path)
            assert sentence in str(caught.value)
            assert len(str(caught.value)) < 400
    with pytest.raises(WriteError, match=r"page\.txt: cannot be written: its text has half a character"):
        write_text(tmp_path / "page.txt", "a\ud800b")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@posix
def test_a_name_as_long_as_can_be_is_written(tmp_path: Path) -> None:
    for name in ("a" * 251 + ".txt", "a." + "b" * 253):
        check_file(tmp_path / name)
        write_text(tmp_path / name, "x")
        assert (tmp_path / name).read_text() == "x"


@posix
def test_write_protected_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.txt"
    path.write_text(OLD)
    path.chmod(0o444)
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda path, mode: False)  # as it is for everybody but root
    for attempt in (check_file, lambda path: write_text(path, "x")):
        with pytest.raises(WriteError, match=r"page\.txt: cannot be written: Permission denied"):
            attempt(path)
    assert path.read_text() == OLD


def test_a_trial_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(OLD)
    check_file(tmp_path / "page.txt")
    check_file(tmp_path / "new.txt")
    check_folder(tmp_path / "a" / "b" / "c")
    check_folder(tmp_path)
    with pytest.raises(WriteError, match="it is not a folder"):
        check_folder(tmp_path / "page.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["page.txt"]
    assert (tmp_path / "page.txt").read_text() == OLD
