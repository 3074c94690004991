"""Who may ask the studio, and for what: strangers' pages, strangers' names, strangers on the network."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from dynamis.apps.studio.guard import MOST_BYTES, Guard, RefusedError, is_loopback
from dynamis.apps.studio.server import Studio
from tests.support.studio import ask, serving

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
