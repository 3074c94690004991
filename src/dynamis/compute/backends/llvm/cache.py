"""Machine code kept on disk between runs.

An entry is named by the hash of all that its code depends on: the program, the vector width, the
processor with its features, the version of llvmlite and the code that writes IR. It holds a mark, the hash of the
code and the code. Whatever is not exactly that is taken for absent, and the code is made anew.
Entries are written to a temporary file and renamed, so a reader never sees half of one.

The folder is $DYNAMIS_CACHE, or dynamis/ in the user's cache folder. What lies in it is run, so the folder and each
entry are only used when they belong to the user and nobody else can write there. An entry is a file: no link is
followed, and a pipe or a device in its place is not read.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from hashlib import sha256
from pathlib import Path

_MARK = b"dynamis machine code 1\n"
_ENTRY = re.compile(r"[0-9a-f]{64}(\.new-\w+)?$")
_MAX_CACHE_BYTES = 256 * 2**20
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OPEN = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""No link is followed, and a pipe without a writer is not waited for."""


def folder() -> Path | None:
    """Where entries are, made if need be; None where there is no such place or DYNAMIS_CACHE is empty."""
    name = os.environ.get("DYNAMIS_CACHE")
    if name == "":
        return None
    try:
        path = Path(name) if name else _user_folder() / "dynamis"
        for part in (*reversed(path.parents), path):
            if not part.is_dir():
                part.mkdir(mode=0o700, exist_ok=True)
        return path if _is_ours(path.stat()) else None
    except (OSError, RuntimeError):
        return None


def _is_ours(state: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user and nobody else can write to it."""
    return not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & _OTHERS_WRITE)


def has(key: str) -> bool:
    """Whether there is an entry, whole or not."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            state = (place / key).lstat()
            return stat.S_ISREG(state.st_mode) and _is_ours(state)
    return False


def read(key: str) -> bytes | None:
    """The code of an entry, or None if it is not there, not whole, or may be another user's."""
    place = folder()
    if place is None:
        return None
    try:
        handle = os.open(place / key, _OPEN)
        with os.fdopen(handle, "rb") as file:
            state = os.fstat(handle)  # of what is open: the name may stand for something else by now
            entry = file.read() if stat.S_ISREG(state.st_mode) and _is_ours(state) else b""
    except OSError:
        return None
    head = len(_MARK)
    mark, digest, code = entry[:head], entry[head : head + 32], entry[head + 32 :]
    return code if mark == _MARK and digest == sha256(code).digest() else None


def drop(key: str) -> None:
    """Remove an entry that turned out to be no good."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / key).unlink()


def write(key: str, code: bytes) -> None:
    """Keep an entry; a full disk or a folder that cannot be written is no error."""
    place = folder()
    if place is None:
        return
    import tempfile  # loads shutil and random

    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=place, prefix=f"{key}.new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MARK + sha256(code).digest() + code)
            os.replace(name, place / key)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
        _prune(place)


def _prune(place: Path) -> None:
    """The oldest entries go when all together are too large; whatever else lies in the folder stays."""
    ours = [entry for entry in place.iterdir() if _ENTRY.match(entry.name) and entry.is_file()]
    entries = sorted((entry.stat().st_mtime, entry.stat().st_size, entry) for entry in ours)
    total = sum(size for _, size, _ in entries)
    for _, size, entry in entries:
        if total <= _MAX_CACHE_BYTES:
            return
        with contextlib.suppress(OSError):
            entry.unlink()
        total -= size


def _user_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
