"""Who may ask the studio, and for what: strangers' pages, strangers' names, strangers on the network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BufferedReader, BytesIO, RawIOBase
from types import SimpleNamespace
from typing import Any

import pytest

from dynamis.studio.guard import MOST_BYTES, Guard, RefusedError, is_loopback
from dynamis.studio.server import HEADERS, Handler, Studio
from tests.support.studio import ask, raw, serving

NAME = '</script><script>alert(1)</script>'  # fmt: skip


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    with serving(robot=(f"{NAME}.toml", NAME)) as one:
        yield one


@pytest.fixture(scope="module")
def networked() -> Iterator[Studio]:
    """One that asks for its token, as it does beyond this computer."""
    with serving() as one:
        one.guard = Guard("0.0.0.0", one.guard.port, "secret-token")
        yield one


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{}", "127.0.0.1", "127.0.0.1:1", "", "a b", "localhost.evil:{}"]
)
def test_a_name_of_a_stranger_is_refused(studio: Studio, host: str) -> None:
    status, _, text = ask(studio, Host=host.format(studio.guard.port))
    assert (status, "open the address it printed" in text) == (421, True)


def test_own_names_are_answered(studio: Studio) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert ask(studio, Host=f"{name}:{studio.guard.port}")[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "https://127.0.0.1:{}", "http://127.0.0.1:1", "http://localhost:{}"]
)
def test_only_its_own_page_may_compute(studio: Studio, origin: str) -> None:
    status, _, text = ask(studio, "POST", "/run", b"{}", Origin=origin.format(studio.guard.port))
    assert (status, text) == (403, "only the page of the studio may ask for this")


def test_sizes_and_kinds_of_requests(studio: Studio) -> None:
    assert ask(studio, "POST", "/run", Content_Length=str(MOST_BYTES + 1))[0] == 413
    assert ask(studio, "POST", "/run", Content_Length="many")[0] == 411
    assert ask(studio, "POST", "/run", b"{}", Content_Type="text/plain")[0] == 415
    for body in (b"[]", b"no", b"\xff", b"[" * 100_000):
        assert ask(studio, "POST", "/run", body)[0] == 400
    assert ask(studio, "POST", "/other", b"{}")[0] == 404
    assert ask(studio, "PUT", "/run", b"{}")[0] == 501


@pytest.mark.parametrize(
    "path",
    ["/page/../server.py", "/page/..%2fserver.py", "/page/%2e%2e/server.py", "/../../etc/passwd", "/page//etc/passwd",
     "//etc/passwd", "/page/", "/page", "/page/studio.html", "/page/token.html", "/page/dom.js/..", "/server.py"],
)  # fmt: skip
def test_no_path_leads_to_a_file(studio: Studio, path: str) -> None:
    assert ask(studio, path=path)[0] == 404


def test_page_is_safe(studio: Studio) -> None:
    status, headers, page = ask(studio)
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';")
    assert "unsafe-inline" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in headers
    assert page.count("<script") == 2
    boot = page.partition('id="boot">')[2].partition("</script>")[0]
    assert json.loads(boot)["robot"]["text"] == NAME
    assert ask(studio, path="/page/studio.js")[1]["Content-Type"].startswith("text/javascript")
    assert ".equation" in ask(studio, path="/page/equations.css")[2]


def test_a_network_needs_the_token(networked: Studio) -> None:
    for path in ("/", "/page/studio.js", "/?token=wrong"):
        status, _, text = ask(networked, path=path)
        assert (status, "asks for a token" in text) == (401, True)
    assert ask(networked, "POST", "/run", b"{}")[0] == 401
    assert ask(networked, "POST", "/run", b"{}", Cookie=f"dynamis-{networked.guard.port}=wrong")[0] == 401
    status, headers, _ = ask(networked, path="/?token=secret-token")
    assert (status, headers["Location"]) == (303, "/")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly; SameSite=Strict" in cookie
    assert ask(networked, Cookie=cookie.partition(";")[0])[0] == 200
    assert ask(networked, "POST", "/token", b"token=secret-token")[0] == 303
    assert "not the token" in ask(networked, "POST", "/token", b"token=wrong")[2]
    assert ask(networked, "POST", "/token", b"token=" + b"x" * 1000)[0] == 413


def test_a_network_is_reached_by_address_and_by_no_foreign_name(networked: Studio) -> None:
    port, cookie = networked.guard.port, f"dynamis-{networked.guard.port}=secret-token"
    assert ask(networked, Host=f"192.168.1.7:{port}", Cookie=cookie)[0] == 200
    assert ask(networked, Host=f"evil.example:{port}", Cookie=cookie)[0] == 421


def test_loopback() -> None:
    own, others = ("127.0.0.1", "localhost", "::1", "127.8.9.1"), ("0.0.0.0", "192.168.1.7", "name")
    assert all(map(is_loopback, own))
    assert not any(map(is_loopback, others))
    with pytest.raises(RefusedError):
        Guard("192.168.1.7", 80).check_host({"Host": "192.168.1.8"})
    Guard("192.168.1.7", 80).check_host({"Host": "192.168.1.7"})


@pytest.mark.parametrize("start", [
    b"GET http://[x/ HTTP/1.1", b"GET //[x HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET /\0 HTTP/1.1",
    b"OPTIONS / HTTP/1.1", b"get / HTTP/1.1",
    b"HEAD / HTTP/1.1", b"GET /" + b"x" * 70_000 + b" HTTP/1.1", b"GET / HTTP/1.1\r\nA: " + b"x" * 70_000,
    b"GET / HTTP/1.1" + 101 * b"\r\nA: b",
])  # fmt: skip
def test_whatever_is_asked_is_refused_in_a_sentence(
    studio: Studio, start: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """Behind the same policy as the page, and without a word in the terminal."""
    head, _, sentence = raw(studio, start + b"\r\nHost: 127.0.0.1:%d\r\n\r\n" % studio.guard.port).partition(
        b"\r\n\r\n"
    )
    assert 400 <= int(head.split()[1]) < 502
    assert all(f"{name}: {value}".encode() in head for name, value in HEADERS.items())
    assert (b"text/plain" in head, b"<" in sentence) == (True, False)
    assert 0 < len(sentence) < 200
    assert capfd.readouterr().err == ""


class Gone(RawIOBase):
    """A connection that breaks after some bytes: nothing more can be read, and nothing written."""

    def __init__(self, sent: bytes) -> None:
        self.rest, self.failed = BytesIO(sent), False

    def makefile(self, mode: str, size: int) -> BufferedReader:
        return BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, place: Any) -> int:
        return self.rest.readinto(place) or self.sendall(b"")

    def sendall(self, _: bytes) -> int:
        self.failed = True
        raise ConnectionResetError

    def settimeout(self, _: float) -> None:
        pass


@pytest.mark.parametrize("request_", [
    b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
    b"GET /none HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", b"POST /run HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
    b"PUT / HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 300,
])  # fmt: skip
def test_a_client_may_hang_up_at_any_time(request_: bytes, studio: Studio) -> None:
    """While its request is read, and while the answer or a refusal is written."""

    for count in (0, 10, len(request_)):
        connection, server = Gone(request_[:count]), SimpleNamespace(guard=Guard("127.0.0.1", 80), boot={})
        Handler(connection, ("127.0.0.1", 1), server)  # type: ignore[arg-type]
        assert connection.failed


@pytest.mark.parametrize("name", ["Host", "Origin", "Cookie", "Content-Length", "Content-Type"])
def test_what_decides_is_said_once(studio: Studio, name: str) -> None:
    """Of two Host lines the last one counted, and a stranger's before it was not seen."""
    own = f"127.0.0.1:{studio.guard.port}"
    lines = {
        "Host": own,
        "Origin": f"http://{own}",
        "Cookie": "a=b",
        "Content-Length": "2",
        "Content-Type": "application/json",
    }
    text = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
    for doubled in (f"{name}: evil.example\r\n{text}", f"{text}{name.lower()}: evil.example\r\n"):
        answer = raw(studio, f"POST /run HTTP/1.1\r\n{doubled}\r\n{{}}".encode())
        assert answer.startswith(b"HTTP/1.0 400 ")
        assert answer.endswith(f"the request has more than one {name} line".encode())


@pytest.mark.parametrize("body", [b'{"verb": "\\ud800"}', b'{"verb": "menus", "a": [{"\\uDFFF": 1}]}'])
def test_half_a_character_is_a_sentence(studio: Studio, body: bytes) -> None:
    status, _, text = ask(studio, "POST", "/run", body)
    assert (status, "half a character" in text) == (400, True)
    assert ask(studio, "POST", "/run", b'{"verb": "\xed\xa0\x80"}')[0] == 400
