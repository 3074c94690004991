"""The studio's server: one page, its scripts, and one address that computes.

`POST /run` takes a verb with its robot as JSON and answers line by line, in JSON too: progress, then a result or an
error. A page that closes the connection stops the work. The server keeps nothing of a window: each sends its own robot
with every request, so that windows cannot disturb each other and a reload or a restart loses nothing.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs

from dynamis.apps.studio.files import page_file, token_page
from dynamis.apps.studio.guard import EVERYWHERE, LOOPBACK, Guard, RefusedError, is_loopback, single
from dynamis.apps.studio.workers import Workers

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No request but to the studio, no script and no style but its files."""
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
}  # fmt: skip
"""Referrers stay at home; without any, browsers would send the token's form with the Origin "null"."""
OPEN = ("/page/report.css", "/page/studio.css", "/page/icon.svg")
"""What the page that asks for the token is made of."""
CLIENT_TIMEOUT = 30.0
"""Seconds until a client that sends nothing is sent away."""
MOST_TOKEN = 200
"""Characters of the form that brings a token, and some to spare."""


class Studio(ThreadingHTTPServer):
    """Listens at `host` and `port`, and computes in workers; beyond this computer it asks for a token.

    `robot` is the name and the text of the file that it starts with.
    """

    daemon_threads = True

    def __init__(self, host: str = "127.0.0.1", port: int = 0, robot: tuple[str, str] | None = None) -> None:
        self.workers = Workers()
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), Handler)
        self.guard = Guard(host, self.server_address[1], "" if is_loopback(host) else secrets.token_urlsafe(24))
        self.boot = {"robot": dict(zip(("name", "text"), robot, strict=True)) if robot else None}

    @property
    def address(self) -> str:
        """What a browser opens; with the token where there is one."""
        return self._at(LOOPBACK[0] if self.everywhere else self.guard.host)

    @property
    def elsewhere(self) -> str:
        """What a browser of another computer opens, where the studio listens at all addresses of this one."""
        return self._at(socket.gethostname().lower())

    @property
    def everywhere(self) -> bool:
        """Whether it listens at all addresses of this computer."""
        return self.guard.host in EVERYWHERE

    def _at(self, host: str) -> str:
        name = f"[{host}]" if ":" in host else host
        query = f"?token={self.guard.token}" if self.guard.token else ""
        return f"http://{name}:{self.guard.port}/{query}"

    def server_close(self) -> None:
        super().server_close()
        self.workers.close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    timeout = CLIENT_TIMEOUT
    server_version = "dynamis"
    sys_version = ""

    @property
    def studio(self) -> Studio:
        """The server."""
        return cast(Studio, self.server)

    def handle(self) -> None:
        """A client may hang up at any time: before its request, halfway, or while it is answered or refused."""
        with suppress(ConnectionError, TimeoutError):
            super().handle()

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _guarded(self, answer: Any) -> None:
        try:
            self.studio.guard.check_host(self._headers)
            answer()
        except RefusedError as refused:
            if refused.status == 401 and self.command == "GET":
                self._send(401, "text/html; charset=utf-8", token_page())
            else:
                self.send_error(refused.status, refused.sentence)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A refusal in a sentence, of the library's too: a request that is no HTTP, a method that there is not."""
        self._send(code, "text/plain; charset=utf-8", (message or self.responses[code][0]).encode())

    @property
    def _headers(self) -> Mapping[str, str]:
        return single(self.headers.items())

    def _get(self) -> None:
        guard, (path, _, query) = self.studio.guard, self.path.partition("?")
        token = parse_qs(query).get("token", [""])[0]
        if guard.token and path == "/" and guard.is_token(token):
            return self._let_in()
        if path not in OPEN:
            guard.check_token(self._headers)
        content = page_file(path, self.studio.boot)
        if content is None:
            raise RefusedError(404, "the studio has no such page")
        self._send(200, *content)

    def _post(self) -> None:
        guard, headers = self.studio.guard, self._headers
        guard.check_origin(headers)
        size = guard.body_size(headers)
        if self.path == "/token":
            if size > MOST_TOKEN:
                raise RefusedError(413, "that is not the token")
            token = parse_qs(self.rfile.read(size).decode(errors="replace")).get("token", [""])[0]
            if not guard.is_token(token.strip()):
                return self._send(401, "text/html; charset=utf-8", token_page("That is not the token."))
            return self._let_in()
        guard.check_token(headers)
        if self.path != "/run":
            raise RefusedError(404, "the studio has no such page")
        if headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise RefusedError(415, "a request must be application/json")
        return self._run(self.rfile.read(size))

    def _run(self, body: bytes) -> None:
        """Line by line, as the work goes."""
        try:
            request = json.loads(body.decode())
            json.dumps(request, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise RefusedError(400, "a text of the request has half a character (a lone surrogate)") from None
        except (ValueError, RecursionError):
            request = None
        if not isinstance(request, dict):
            raise RefusedError(400, "the request is not JSON")
        self._head(200, "application/x-ndjson; charset=utf-8")
        self.end_headers()
        for message in self.studio.workers.run(body, self.connection):
            self.wfile.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self.wfile.flush()

    def _let_in(self) -> None:
        guard = self.studio.guard
        self._head(303, "text/plain")
        self.send_header("Set-Cookie", f"{guard.cookie}={guard.token}; Path=/; HttpOnly; SameSite=Strict")
        self.send_header("Location", "/")
        self.end_headers()

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self._head(status, kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _head(self, status: int, kind: str) -> None:
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is the user's."""
