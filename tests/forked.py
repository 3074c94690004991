"""Something done in a process of its own, which may be killed, interrupted, or left without room on the disk."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dynamis.cli import main

NEW_USERS, NEW_MOUNTS = 0x10000000, 0x00020000
PRIVATE, RECURSIVE = 1 << 18, 1 << 14
NO_MOUNT = 77
"""The exit code of a process that may not mount."""


@dataclass
class Ended:
    """How the process ended: its exit code, or the signal that killed it as a negative number; what it printed."""

    code: int
    out: str
    err: str


def forked(action: Callable[[], object]) -> Ended:
    """Do it in a copy of this process. Whatever happens there, this one goes on; a traceback is exit code 1."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code: object = 1
            try:
                for handle, file in ((1, out), (2, err)):
                    os.dup2(file.fileno(), handle)
                # Of its own: the copies of pytest's streams hold what pytest will print.
                sys.stdout, sys.stderr = os.fdopen(1, "w", encoding="utf-8"), os.fdopen(2, "w", encoding="utf-8")
                signal.signal(signal.SIGINT, signal.default_int_handler)
                action()
                code = 0
            except SystemExit as end:
                code = end.code or 0
            except BaseException:
                traceback.print_exc()
            finally:
                try:
                    sys.stdout.flush()
                    sys.stderr.flush()
                finally:
                    os._exit(int(str(code)))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts: list[str] = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
        return Ended(code, *texts)


def dynamis(*words: str) -> None:
    """`dynamis ...`, as its user calls it."""
    sys.argv = ["dynamis", *words]
    main.run()


def killed_at(step: int, folder: Path, action: Callable[[], object]) -> Callable[[], object]:
    """The action, killed just before its `step`-th call of the system that changes something in the folder."""
    count = 0

    def look(path: object) -> None:
        nonlocal count
        if isinstance(path, str | os.PathLike) and Path(os.fspath(path)).is_relative_to(folder):  # type: ignore[arg-type]
            count += 1
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        changes = event in ("os.rename", "os.remove", "os.chmod", "os.mkdir")
        if changes or (event == "open" and int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR)):
            look(arguments[0])

    def fsync(handle: int) -> None:
        look(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    real = os.fsync

    def run() -> None:
        os.fsync = fsync
        sys.addaudithook(hook)
        action()

    return run


def killed_in_writing(size: int, action: Callable[[], object]) -> Callable[[], object]:
    """The action, killed by the kernel when it writes the byte after `size` of a file."""

    def run() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        action()

    return run


def without_room(size: int, action: Callable[[], object]) -> Callable[[], object]:
    """The action, where no file can have more than `size` bytes: the system refuses to write the next one."""

    def run() -> None:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            action()
        finally:
            # What is printed at the end goes to files too.
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return run


def on_small_disk(folder: Path, size: int, action: Callable[[], object]) -> Callable[[], object]:
    """The action, with a disk of `size` bytes of its own mounted at the folder; `NO_MOUNT` where that is forbidden."""

    def run() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        spaces = NEW_MOUNTS if os.geteuid() == 0 else NEW_MOUNTS | NEW_USERS
        if (
            libc.unshare(spaces)
            or libc.mount(None, b"/", None, PRIVATE | RECURSIVE, None)
            or libc.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode())
        ):
            os._exit(NO_MOUNT)
        action()

    return run
