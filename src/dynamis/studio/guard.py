"""Who may ask the studio for something: the page that it served itself, and nobody else.

A page of a stranger can make a browser send requests to this computer, and a name of a stranger's can be made to point
here (DNS rebinding). Against the first, whatever computes asks for an `Origin` that is the studio's own; against the
second, `Host` must be a name that the studio knows. On a network the token must be known besides.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]")
MOST_BYTES = 24_000_000
"""Of a request: a URDF of 20 MB, the largest that is read, and what is around it."""
ONCE = ("Host", "Origin", "Cookie", "Content-Length", "Content-Type")
"""Headers that decide about a request; of two, one of them could be a stranger's."""
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?")


class RefusedError(Exception):
    """A request that is not answered: the status of HTTP, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(frozen=True)
class Guard:
    """Where the studio listens, and the token that it asks for; none on this computer alone."""

    host: str
    port: int
    token: str = ""

    @property
    def cookie(self) -> str:
        """Its name: cookies do not know ports."""
        return f"dynamis-{self.port}"

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Raise unless the request names the studio itself."""
        found = _HOST.fullmatch(headers.get("Host", ""))
        if found is None or int(found[2] or 80) != self.port or not self._knows(found[1].lower()):
            raise RefusedError(421, f"this is the studio of dynamis at port {self.port}; open the address it printed")

    def _knows(self, name: str) -> bool:
        if name in (*LOOPBACK, self.host.lower(), f"[{self.host.lower()}]"):
            return True
        if self.host not in EVERYWHERE:
            return False
        # An address cannot be rebound, only a name can.
        return _is_address(name.strip("[]")) or name == socket.gethostname().lower()

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Raise unless a page of the studio sent the request."""
        if headers.get("Origin") != f"http://{headers.get('Host', '')}":
            raise RefusedError(403, "only the page of the studio may ask for this")

    def check_token(self, headers: Mapping[str, str]) -> None:
        """Raise unless the browser has shown the token."""
        if not self.token:
            return
        cookies = (part.strip().partition("=") for part in headers.get("Cookie", "").split(";"))
        if not any(name == self.cookie and self.is_token(value) for name, _, value in cookies):
            raise RefusedError(401, "the studio asks for its token")

    def is_token(self, text: str) -> bool:
        """Whether it is the token, in a time that tells nothing of it."""
        return hmac.compare_digest(text.encode(errors="replace"), self.token.encode())

    def body_size(self, headers: Mapping[str, str]) -> int:
        """The bytes that follow; raise where they are not told, or too many."""
        text = headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,12}", text):
            raise RefusedError(411, "the length of the request is missing")
        if int(text) > MOST_BYTES:
            raise RefusedError(413, f"a request may have at most {MOST_BYTES // 10**6} MB, got {int(text) / 1e6:.0f}")
        return int(text)


def single(lines: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """The headers by name; raise where one that decides is given twice."""
    headers: dict[str, str] = {}
    for name, value in lines:
        if (name := name.title()) in ONCE and name in headers:
            raise RefusedError(400, f"the request has more than one {name} line")
        headers[name] = value
    return headers


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches it."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
