"""Mutations of bytes that need no knowledge of the format."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.fuzz import hostile

MAX_BYTES = 60_000
"""The size of an input; longer ones are cut, so that the time of an input is bounded by the reader and not by us."""
_ODD = (
    b"\xff",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\r",
    b"\r\n",
    b"\x1b[2J",
)


def mutate_bytes(data: bytes, random: Random, others: Sequence[bytes] = ()) -> bytes:
    """One to three random changes."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(_MUTATIONS)(data, random, others)
    return data[:MAX_BYTES]


def _flip(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _truncate(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] if random.random() < 0.7 else data[at:]


def _delete(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + data[at + random.randint(1, 40) :]


def _insert(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    text = hostile.name(random) if random.random() < 0.5 else hostile.number(random)
    new = random.choice(_ODD) if random.random() < 0.3 else text.encode("utf-8", "surrogatepass")
    return data[:at] + new + data[at:]


def _repeat(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    part = data[at : at + random.randint(1, 30)]
    return data[:at] + part * random.choice((2, 3, 50, 1000)) + data[at:]


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _line(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A line doubled, taken away or moved."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    line = lines.pop(random.randrange(len(lines)))
    for _ in range(random.choice((0, 1, 2))):
        lines.insert(random.randint(0, len(lines)), line)
    return b"".join(lines)


def _newlines(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    start = b"\xef\xbb\xbf" if random.random() < 0.5 else b""
    return start + data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b" ")))


_MUTATIONS = (_flip, _truncate, _delete, _insert, _insert, _repeat, _splice, _line, _newlines)
