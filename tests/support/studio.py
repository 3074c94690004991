"""A studio for tests: a real server in a thread, and verbs called in this process."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dynamis.apps.studio.server import Studio

JSON = "application/json"


@contextmanager
def serving(**options: Any) -> Iterator[Studio]:
    """A studio that answers, at a port of its own."""
    studio = Studio(**options)
    thread = threading.Thread(target=studio.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield studio
    finally:
        studio.shutdown()
        studio.server_close()
        thread.join()


def ask(
    studio: Studio, method: str = "GET", path: str = "/", body: bytes = b"", **headers: str
) -> tuple[int, Any, str]:
    """Status, headers and text; `Host` and, of POST, `Origin` are those of the studio's own page unless given."""
    own = f"127.0.0.1:{studio.guard.port}"
    sent = {"Host": own, **({"Origin": f"http://{own}", "Content-Type": JSON} if method == "POST" else {})}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", studio.guard.port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Content-Length": str(len(body)), **sent}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def raw(studio: Studio, text: bytes) -> bytes:
    """The answer to bytes that need not be HTTP."""
    with socket.create_connection(("127.0.0.1", studio.guard.port), timeout=30) as client:
        client.sendall(text)
        with client.makefile("rb") as answer:
            return answer.read()


class Heard:
    """What a verb said while it worked."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.messages: list[dict[str, Any]] = []

    def progress(self, text: str) -> None:
        self.lines.append(text)

    def tell(self, message: dict[str, Any]) -> None:
        self.messages.append(message)


def answer(verb: Any, **data: Any) -> dict[str, Any]:
    """The last message of a worker about a request: a result, or an error with its sentence."""
    from dynamis.apps.studio.verbs import VERBS
    from dynamis.apps.studio.worker import answer_request

    return answer_request(VERBS, {"verb": verb, **data}, Heard())


def result(verb: str, **data: Any) -> dict[str, Any]:
    """The result of a verb."""
    message = answer(verb, **data)
    assert "result" in message, message
    return message["result"]
