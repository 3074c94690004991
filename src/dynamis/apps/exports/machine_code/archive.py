"""Static libraries: object files in an ar archive in GNU's format, with the index that linkers ask for."""

from __future__ import annotations

import struct
from collections.abc import Sequence

MAGIC = b"!<arch>\n"


def archive(members: Sequence[tuple[str, str, bytes]]) -> bytes:
    """The archive of members: the name of the file, the symbol that it defines, and its bytes."""
    long, starts = b"", list[int]()
    for name, _, _ in members:
        starts.append(len(long))
        long += f"{name}/\n".encode()
    symbols = b"".join(symbol.encode() + b"\0" for _, symbol, _ in members)
    index = 4 * (1 + len(members)) + len(symbols)
    at = len(MAGIC) + _size(index) + _size(len(long))
    places: list[int] = []
    for _, _, content in members:
        places.append(at)
        at += _size(len(content))
    numbers = struct.pack(f">{1 + len(members)}I", len(members), *places)
    parts = [_member("/", numbers + symbols), _member("//", long)]
    parts += [_member(f"/{start}", content) for start, (_, _, content) in zip(starts, members, strict=True)]
    return MAGIC + b"".join(parts)


def _size(content: int) -> int:
    """Bytes of a member: its head, and its content up to an even number."""
    return 60 + content + content % 2


def _member(name: str, content: bytes) -> bytes:
    """Name, date, user, group, mode and size, all in characters; the same input gives the same bytes."""
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n".encode()
    return head + content + b"\n" * (len(content) % 2)
