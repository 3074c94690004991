"""Workers: what they say on the way, that going away stops them, and that their end is a sentence."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from dynamis.library import robot_path
from dynamis.studio.workers import ENDED, Worker, Workers

ROBOT = {"name": "bar-2r.toml", "text": robot_path("bar-2r").read_text()}
LONG = {"verb": "simulate", "robot": ROBOT, "simulation": "duration = 1000\n[start]\nq = [0.5, 0.3]\n"}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers(most=1)
    yield made
    made.close()


@pytest.fixture
def client() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, page = socket.socketpair()
    with ours, page:
        yield ours, page


def running(workers: Workers) -> list[Worker]:
    return [worker for worker in workers.all if worker.process.poll() is None]


def test_a_page_that_goes_away_stops_its_work(workers: Workers, client: tuple[socket.socket, socket.socket]) -> None:
    ours, page = client
    messages = workers.run(json.dumps(LONG).encode(), ours)
    assert "progress" in next(messages)
    (worker,) = running(workers)
    page.close()
    assert [x for x in messages if "result" in x or "error" in x] == []
    assert worker.process.poll() is not None
    (other,) = running(workers)
    assert other is not worker  # ready for the next request


def test_the_end_of_a_worker_is_a_sentence(workers: Workers, client: tuple[socket.socket, socket.socket]) -> None:
    messages = workers.run(json.dumps(LONG).encode(), client[0])
    next(messages)
    os.kill(running(workers)[0].process.pid, signal.SIGKILL)
    assert [*messages][-1] == {"error": ENDED}
    answers: list[dict[str, Any]] = [*workers.run(b'{"verb": "menus"}', client[0])]
    assert "bar-2r" in answers[-1]["result"]["robots"]


def test_work_waits_for_its_turn(workers: Workers, client: tuple[socket.socket, socket.socket]) -> None:
    first = workers.run(json.dumps(LONG).encode(), client[0])
    next(first)
    second = workers.run(b'{"verb": "menus"}', client[0])
    assert next(second) == {"progress": "waiting for other work to finish"}
    first.close()
    assert "result" in [*second][-1]


def test_requests_of_pages_that_have_gone_cost_no_worker(
    workers: Workers, client: tuple[socket.socket, socket.socket]
) -> None:
    """Sixty that waited for their turn and were closed restarted sixty workers, one after another."""
    answers = [*workers.run(b'{"verb": "menus"}', client[0])]
    before = running(workers)
    client[1].close()
    assert "result" in answers[-1]
    assert [[*workers.run(json.dumps(LONG).encode(), client[0])] for _ in range(60)] == [[]] * 60
    assert running(workers) == before


def test_a_worker_takes_its_folder_along(workers: Workers, client: tuple[socket.socket, socket.socket]) -> None:
    """One that is killed, as of a page that has gone; and every one when the studio itself is killed."""
    [*workers.run(b'{"verb": "menus"}', client[0])]
    (worker,) = running(workers)
    assert [*workers.folder.iterdir()] == [worker.folder]
    assert worker.process.stdin is not None
    worker.pipe.send_bytes(json.dumps(LONG).encode())
    assert worker.pipe.poll(20)
    worker.process.stdin.close()  # as at the end of the studio, however it came
    assert worker.process.wait(20) == 0
    assert not workers.folder.exists()


def test_nothing_is_left() -> None:
    workers = Workers(most=1)
    workers.start_one()
    (worker,) = running(workers)
    workers.close()
    assert worker.process.wait(10) is not None
    assert not workers.folder.exists()
