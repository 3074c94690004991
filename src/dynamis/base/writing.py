"""Files written whole or not at all.

A file is written beside its place under a hidden name, brought to the disk, and renamed. Whatever ends the program
halfway (an error, a full disk, Ctrl-C, kill -9), the place holds the old file or the new one, never half of one. After
kill -9 the hidden file `.dynamis-...` may remain; it can be deleted.

A link is followed, and the file that it names is replaced. A file that is replaced keeps its permissions; a new one
follows the umask. Pipes, terminals, /dev/null and the program's own output cannot be replaced: they are written to once
everything is known.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TextIO

from dynamis.base.errors import ArgumentError, WriteError, literal

PARTIAL = ".dynamis-"
"""How the names of files that are being written begin."""
LONGEST_NAME = 255
"""Bytes of a name, on all usual file systems."""
LONGEST_SUFFIX = 16
"""Longer endings are no formats, and would make the hidden name too long."""


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Generator[Path]:
    """A path to write to; its file takes the place of `path` when the block ends, and is deleted when it fails."""
    with _as_write_error(path):
        target = _target(path)
        if is_stream(target):
            with TemporaryDirectory() as folder:
                place = Path(folder, f"output{_suffix(target)}")
                yield place
                _pass_on(place, target)
            return
        place = _partial(target)
        try:
            mode = _create(place, target)
            yield place
            sync(place)
            if mode is not None:
                os.chmod(place, mode)
            os.replace(place, target)
        finally:
            _delete(place)


@contextlib.contextmanager
def text_file(path: str | os.PathLike[str]) -> Generator[TextIO]:
    """A text file to write to, in UTF-8, with line ends as given; see `atomic_write`."""
    with atomic_write(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextlib.contextmanager
def binary_file(path: str | os.PathLike[str]) -> Generator[BinaryIO]:
    """A file of bytes to write to; see `atomic_write`."""
    with atomic_write(path) as place, place.open("wb") as file:
        yield file


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """The text as a file; see `atomic_write`."""
    with text_file(path) as file:
        file.write(text)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """The bytes as a file; see `atomic_write`."""
    with binary_file(path) as file:
        file.write(data)


def check_path(path: object) -> None:
    """Raise unless it is the name of a file."""
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path must be the name of a file, got {literal(path)}", key="path")


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise a `WriteError` unless the file can be written; nothing that exists is touched."""
    with _as_write_error(path):
        target = _target(path)
        if not is_stream(target):
            _try(target)


def check_folder(folder: Path) -> None:
    """Raise a `WriteError` unless the folder is there or can be made, and files can be written in it."""
    with _as_write_error(folder):
        new = [parent for parent in (folder, *folder.parents) if not parent.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _try(folder / "file")
        finally:
            for parent in new:
                with contextlib.suppress(OSError):
                    parent.rmdir()


def make_folder(folder: Path) -> None:
    """The folder and those above it."""
    with _as_write_error(folder):
        folder.mkdir(parents=True, exist_ok=True)


def is_stream(path: Path) -> bool:
    """Whether there is something that cannot be replaced: a pipe, a terminal, /dev/null, the program's own output."""
    state = _state(path)
    return state is not None and (
        stat.S_ISFIFO(state.st_mode) or stat.S_ISCHR(state.st_mode) or _own_output(state) is not None
    )


def is_partial(path: Path) -> bool:
    """Whether the file is one that a killed program was writing."""
    return path.name.startswith(PARTIAL)


def sync(path: Path) -> None:
    """Bring a file to the disk; where that is full, some file systems say so only here."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _as_write_error(path: str | os.PathLike[str]) -> Generator[None]:
    """What the system refuses, as one sentence about `path`."""
    check_path(path)
    name = os.fspath(path)
    try:
        yield
    except UnicodeEncodeError as error:
        where = "its name" if error.object == name else "its text"
        raise WriteError(f"cannot be written: {where} has half a character (a lone surrogate)").at(name) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            longest = max(len(os.fsencode(part)) for part in Path(name).parts)
            problem = (
                f"the name has {longest} bytes; a file name has at most {LONGEST_NAME}"
                if longest > LONGEST_NAME
                else f"the path has {len(os.fsencode(name))} bytes, which is too long; choose a shorter one"
            )
            raise WriteError(f"cannot be written: {problem}").at(literal(name)) from None
        parent = Path(name).parent
        problem = error.strerror or str(error)
        if error.errno == errno.ENOENT and not parent.exists():
            problem = f'there is no folder "{parent}"'
        elif error.errno == errno.EISDIR:
            problem = "it is a folder"
        elif error.errno in (errno.ENOTDIR, errno.EEXIST):
            problem = "it is not a folder" if error.errno == errno.EEXIST else f'"{parent}" is not a folder'
        raise WriteError(f"cannot be written: {problem}").at(name) from None


def _target(path: str | os.PathLike[str]) -> Path:
    """The place itself, behind links; an error where no file can be."""
    if "\0" in os.fspath(path):
        raise OSError(errno.EINVAL, "its name has a null character")
    state = _state(path)
    if state is None:
        return Path(os.path.realpath(path))
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not os.access(path, os.W_OK):
        # The rename would not ask: it needs only the folder.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    if stat.S_ISREG(state.st_mode) and _own_output(state) is None:
        return Path(os.path.realpath(path))
    if stat.S_ISBLK(state.st_mode) or stat.S_ISSOCK(state.st_mode):
        raise OSError(errno.EINVAL, "it is not a file", os.fspath(path))
    # What /dev/stdout links to has no path of its own where it is a pipe.
    return Path(path)


def _state(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _own_output(state: os.stat_result) -> int | None:
    """1 or 2 where a file is what this program prints to: `-o /dev/stdout > page.txt`."""
    for handle in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(state, os.fstat(handle)):
                return handle
    return None


def _partial(target: Path) -> Path:
    return target.with_name(f"{PARTIAL}{secrets.token_hex(8)}{_suffix(target)}")


def _suffix(target: Path) -> str:
    """Programs that write figures and animations choose the format by it."""
    return target.suffix if len(os.fsencode(target.suffix)) <= LONGEST_SUFFIX else ""


def _create(place: Path, target: Path) -> int | None:
    """An empty file at a place where nothing was; the permissions of the file that it will replace."""
    old = _state(target)
    mode = None if old is None else stat.S_IMODE(old.st_mode) & 0o777
    # What was private must not be readable by others meanwhile; and it must be open to its writer until the end.
    first = 0o666 if mode is None else mode | stat.S_IRUSR | stat.S_IWUSR
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, first)
    try:
        if old is not None and hasattr(os, "fchown"):
            # Only the superuser can give a file away; anybody else's is now their own.
            with contextlib.suppress(OSError):
                os.fchown(handle, old.st_uid, old.st_gid)
    finally:
        os.close(handle)
    return mode


def _try(target: Path) -> None:
    place = _partial(target)
    try:
        _create(place, target)
    finally:
        _delete(place)


def _delete(place: Path) -> None:
    """A file that did not come to its place; after the rename there is none."""
    with contextlib.suppress(OSError):
        place.unlink(missing_ok=True)


def _pass_on(place: Path, target: Path) -> None:
    """Everything at `place` to a pipe, a terminal or this program's own output, after what was printed before."""
    state = _state(target)
    own = None if state is None else _own_output(state)
    if own is not None:
        (sys.stdout if own == 1 else sys.stderr).flush()
    with place.open("rb") as source, open(target if own is None else os.dup(own), "wb") as stream:
        shutil.copyfileobj(source, stream)
