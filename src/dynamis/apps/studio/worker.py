"""A process of the studio: it reads requests, calls verbs, and answers in JSON."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
import traceback
import warnings
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

PROGRESS_INTERVAL = 0.1
"""Seconds between two lines about progress that reach the page."""
INTERNAL = "dynamis failed here, which is a mistake of ours ({}); the page keeps your robot"


def main() -> None:
    """The process: its end of the pipe and its folder are arguments."""
    Thread(target=end_with_the_studio, args=(Path(sys.argv[2]),), daemon=True).start()
    serve(Connection(int(sys.argv[1])), sys.argv[2])


def end_with_the_studio(folder: Path) -> None:
    """End when standard input does, in the middle of a computation too: nobody else deletes the folders after kill -9.

    The studio's own folder goes with the last worker.
    """
    os.read(0, 1)
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()
    os._exit(0)


def serve(pipe: Connection, folder: str) -> None:
    """Answer requests until the other end is closed. Files that a request brings along are written to `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    os.chdir(folder)
    from dynamis.apps.studio.verbs import (
        VERBS,  # the imports take their time: before the first request, where that is late
    )

    while True:
        try:
            request = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        speaker = Speaker(pipe)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            message = answer_request(VERBS, request, speaker)
        notes = list(dict.fromkeys(str(x.message) for x in caught if _ours(x.category)))
        speaker.tell({**message, "notes": notes})


def _ours(category: type[Warning]) -> bool:
    return category.__module__.startswith("dynamis")


def answer_request(verbs: Any, request: dict[str, Any], speaker: Any) -> dict[str, Any]:
    """The last message about a request: `result`, or `error` with its sentence."""
    from dynamis.apps.studio.request import Request
    from dynamis.apps.studio.words import Studio
    from dynamis.base.errors import DynamisError, check_name
    from dynamis.base.faces import speaking

    try:
        name = request.get("verb")
        check_name("verb", name, verbs)
        verb = verbs[name]
        with speaking(Studio()):
            return {"result": verb(Request(request, speaker))}
    except DynamisError as error:
        return {"error": str(error), "key": error.key, "line": error.line}
    except MemoryError:
        return {"error": "there is not enough memory for this"}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return {"error": INTERNAL.format(type(error).__name__)}


class Speaker:
    """What a worker says while it works."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0

    def progress(self, text: str) -> None:
        """A line about what is done now; not every line of many."""
        now = time.monotonic()
        if now - self._last > PROGRESS_INTERVAL:
            self._last = now
            self.tell({"progress": text})

    def tell(self, message: dict[str, Any]) -> None:
        from dynamis.telling.series import plain

        data = json.dumps(plain(message), ensure_ascii=False, allow_nan=False).encode()
        try:
            self._pipe.send_bytes(data)
        except BrokenPipeError:  # the studio has ended, and nobody listens
            sys.exit()
