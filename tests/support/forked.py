"""Something done in a process of its own, which may be killed, interrupted, or left without room on the disk."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
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
    (out, to_out), (err, to_err) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        code: object = 1
        try:
            # Streams of its own: the copies of pytest's streams hold what pytest will print.
            for handle, pipe in ((1, to_out), (2, to_err)):
                os.dup2(pipe, handle)
            sys.stdout, sys.stderr = os.fdopen(1, "w", encoding="utf-8"), os.fdopen(2, "w", encoding="utf-8")
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.dont_write_bytecode = True  # a limit on files would leave half of it, and no later run could import it
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
    texts: list[str] = []
    for end in (to_out, to_err):
        os.close(end)
    for end in (out, err):
        with os.fdopen(end, encoding="utf-8") as pipe:
            texts.append(pipe.read())
    return Ended(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *texts)


def dynamis(*words: str) -> None:
    """`dynamis ...`, as its user calls it."""
    sys.argv = ["dynamis", *words]
    main.run()


def at_every_change(folder: Path, look: Callable[[], object], action: Callable[[], object]) -> Callable[[], object]:
    """The action, with a look just before each of its calls of the system that changes something in the folder."""

    def within(path: object) -> bool:
        return isinstance(path, str | os.PathLike) and Path(os.fspath(path)).is_relative_to(folder)  # type: ignore[arg-type]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        changes = event in ("os.rename", "os.remove", "os.chmod", "os.mkdir")
        changes = changes or (event == "open" and bool(int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR)))
        if changes and within(arguments[0]):
            look()

    def fsync(handle: int) -> None:
        # The one such call that is not audited.
        if within(os.readlink(f"/proc/self/fd/{handle}")):
            look()
        real(handle)

    real = os.fsync

    def run() -> None:
        os.fsync = fsync
        sys.addaudithook(hook)
        action()

    return run


def killed_at(step: int, folder: Path, action: Callable[[], object]) -> Callable[[], object]:
    """The action, killed just before its `step`-th call of the system that changes something in the folder."""
    steps = count(1)

    def look() -> None:
        if next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return at_every_change(folder, look, action)


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
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        action()

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
