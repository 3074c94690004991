"""Processes that compute, so that work can be stopped at any time and a crash ends the work alone.

A worker takes one request after the other; what it says of one (progress, trials, a result or an error) comes back as
messages in JSON. To stop is to kill: the next request gets another worker.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

MAX_REQUESTS = 4
"""Requests that are computed at a time; windows may be many, cores are few."""
POLL_INTERVAL = 0.25
"""Seconds between two looks whether a client that waits for its turn has gone."""
ENDED = "the computation ended unexpectedly, perhaps for lack of memory; the page keeps your robot"
START = "import json, sys; sys.path[:] = json.loads(sys.argv[3]); from dynamis.apps.studio.worker import main; main()"
"""How a worker begins: with the paths of the server, so that it finds the same dynamis."""


class Worker:
    """A process and our end of the pipe."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        ours, other = socket.socketpair()
        with other:
            # Not `multiprocessing`, which would run the program's own start again in every process.
            command = [sys.executable, "-c", START, str(other.fileno()), str(folder), json.dumps(sys.path)]
            # Nothing is ever written to its standard input, which ends when this process ends, by kill -9 too.
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=(other.fileno(),))
        self.pipe = Connection(ours.detach())

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Workers:
    """At most so many workers; those without work wait for the next request, the one used last first."""

    def __init__(self, most: int = MAX_REQUESTS) -> None:
        self._stack = ExitStack()
        self.folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="dynamis-studio-")))
        self._turns = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self.all: set[Worker] = set()
        self._count = 0
        self._closed = False

    def start_one(self) -> None:
        """A worker before the first request, which then need not wait for imports."""
        with self._lock:
            self._idle.append(self._new())

    def run(self, request: bytes, client: socket.socket) -> Iterator[dict[str, Any]]:
        """The messages about a request, the last of which has a result or an error; none more when the client goes."""
        while not self._turns.acquire(timeout=POLL_INTERVAL):
            if _has_disconnected(client):
                return
            yield {"progress": "waiting for other work to finish"}
        try:
            if not _has_disconnected(client):
                yield from self._messages(request, client)
        finally:
            self._turns.release()

    def _messages(self, request: bytes, client: socket.socket) -> Iterator[dict[str, Any]]:
        worker, done = self._take(), False
        try:
            worker.pipe.send_bytes(request)
            while not done:
                ready = wait([worker.pipe, client])
                if worker.pipe not in ready:
                    return  # The page sends nothing while it waits: it has stopped, or it is closed.
                message = json.loads(worker.pipe.recv_bytes())
                done = bool({"result", "error"} & message.keys())
                yield message
        except (EOFError, OSError):
            yield {"error": ENDED}
        finally:
            self._give_back(worker, done)

    def _take(self) -> Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.process.poll() is None:
                    return worker
                self.all.discard(worker)
            return self._new()

    def _new(self) -> Worker:
        self._count += 1
        worker = Worker(self.folder / str(self._count))
        self.all.add(worker)
        return worker

    def _give_back(self, worker: Worker, sound: bool) -> None:
        with self._lock:
            if sound:
                self._idle.append(worker)
            else:
                self.all.discard(worker)
                worker.kill()
                if not self._closed:
                    self._idle.append(self._new())  # which imports while the user thinks

    def close(self) -> None:
        """End all processes and delete their folders."""
        with self._lock:
            self._closed = True
            for worker in self.all:
                worker.kill()
            self._idle.clear()
        self._stack.close()


def _has_disconnected(client: socket.socket) -> bool:
    return bool(wait([client], 0))
