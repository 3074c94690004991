"""An audit hook that notices what reading a file must never do: evaluate, import by name, write, call programs."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

_FORBIDDEN = (
    "os.system", "os.exec", "os.spawn", "os.posix_spawn", "os.fork", "os.kill", "os.remove", "os.rename", "os.rmdir",
    "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate", "subprocess.Popen", "socket.",
    "pickle.find_class", "ctypes.dlopen", "code.__new__", "shutil.", "urllib.Request", "ftplib.", "smtplib.",
    "webbrowser.open",
    "sqlite3.connect", "builtins.input", "pty.spawn",
)  # fmt: skip
CANARY = "antigravity"
"""The module that hostile names import where somebody evaluates them."""


class Watch:
    """Collects what happened between `start` and `stop`; files may be written below `folder` only if `writes`."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.temporary = tempfile.gettempdir()
        self.data = b""
        self.active = False
        self.writes = False
        self.seen: list[str] = []
        sys.addaudithook(self._hook)

    def start(self, data: bytes, writes: bool) -> None:
        self.data, self.seen, self.writes, self.active = data, [], writes, True

    def stop(self) -> list[str]:
        self.active = False
        return self.seen

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event == "open":
            self._open(*arguments)
            return
        if event == "compile":
            # Typer resolves the annotations of its commands; an input may hold the text "None" as well.
            annotation = sys._getframe(1).f_globals.get("__name__") in ("inspect", "typing")
            forbidden = not annotation and self._is_of_input(arguments[0])
        elif event == "import":
            forbidden = arguments[0] == CANARY
        elif event in ("os.rename", "os.remove", "os.rmdir", "os.chmod", "os.chown", "os.mkdir"):
            forbidden = not self._is_own(arguments[0])
        elif event == "socket.__new__":
            # An event loop, Zarr's, wakes itself by a pair of sockets of this machine.
            forbidden = arguments[1] != socket.AF_UNIX
        elif event == "ctypes.dlopen":
            # Libraries of the environment are asked for their threads.
            forbidden = not str(arguments[0]).startswith(sys.prefix)
        else:
            forbidden = event.startswith(_FORBIDDEN)
        if forbidden and not _is_importing(sys._getframe(1)):
            self.seen.append(f"{event}: {str(arguments)[:80]}")

    def _is_of_input(self, source: Any) -> bool:
        """Packages compile texts of their own (networkx its decorators, NumPy the shapes of types); not the input's."""
        text = source.encode("utf-8", "replace") if isinstance(source, str) else source
        return isinstance(text, bytes) and len(text.strip()) > 2 and text.strip() in self.data

    def _is_own(self, path: Any) -> bool:
        """The cache of compiled code, and the outputs of commands; an open file was looked at when it was opened."""
        if isinstance(path, int):
            return True
        text = os.path.abspath(path) if isinstance(path, str | bytes | os.PathLike) else ""
        return str(text).startswith(self.folder if self.writes else f"{self.folder}/cache")

    def _open(self, path: Any, mode: Any, flags: int) -> None:
        """Writing is 1 or 2 in the lowest bits of the flags; temporary files without a name may be written."""
        if flags & 3 and path != self.temporary and not self._is_own(path):
            self.seen.append(f"writes {str(path)[:80]}")


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module of ours is being imported for the first time; its code is not the input's."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
