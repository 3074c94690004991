"""What a model may take: time and memory.

FLINT holds the interpreter while it works and ends the process when memory is short, so neither can be left to chance:
no operation is started whose result could be large, unless its size is known before (`products`), and between
operations the clock and the memory of all polynomials of the model are checked.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

from dynamis.base.errors import MemoryLimitError, TimeLimitError

BYTES_PER_GB = 10**9
DEFAULT_MEMORY = 2.0
"""The memory [GB] that the polynomials of a model may take together, unless told otherwise.

A chain of nine joints with 109 symbols, 770 000 terms in its torques, takes 1.2 GB.
"""
MIN_CHARGED_TERMS = 2000
"""Terms from which on a polynomial is counted; smaller ones take kilobytes."""
_SAMPLED_COEFFICIENTS = 8


class Deadline:
    """The time that a model may take, from its first product on.

    Every product looks at the clock, and so do long loops and long operations, between their parts.
    """

    suspended = False
    """Whether no limit applies at the moment (`no_deadline`)."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end: float | None = None

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return not self.suspended and self.end is not None and time.monotonic() > self.end

    @property
    def left(self) -> float:
        """The seconds that are left."""
        if self.suspended:
            return inf
        return self.seconds if self.end is None else max(self.end - time.monotonic(), 0.0)

    def renew(self) -> None:
        """All of the time again, where it has begun: a page looks the same whenever it is written."""
        if self.end is not None:
            self.end = time.monotonic() + self.seconds

    def check(self) -> None:
        """Raise a TimeLimitError when the time is over."""
        if self.suspended:
            return
        now = time.monotonic()
        if self.end is None:
            self.end = now + self.seconds
        elif now > self.end:
            raise TimeLimitError(self.seconds)


@contextmanager
def no_deadline(*deadlines: Deadline | None) -> Generator[float]:
    """A block in which no time limit applies, to write down what is finished; gives when the last of them is over.

    That is a time of time.monotonic, inf where one has no limit or its time has not begun: a page of several models
    has as much time as that which may take longest.
    """
    running = [(deadline, deadline.suspended) for deadline in deadlines if deadline is not None]
    for deadline, _ in running:
        deadline.suspended = True
    try:
        ends = [None if deadline is None else deadline.end for deadline in deadlines]
        yield max((inf if end is None else end for end in ends), default=inf)
    finally:
        for deadline, before in reversed(running):
            deadline.suspended = before


class Memory:
    """The bytes that the polynomials of a model may take together, `most`, and those that they take, `used`."""

    def __init__(self, gigabytes: float = DEFAULT_MEMORY) -> None:
        self.gigabytes = gigabytes
        self.most = min(gigabytes * BYTES_PER_GB, _available())
        self.used = 0

    def reserve(self, size: float) -> None:
        """Raise a MemoryLimitError if `size` more bytes are too many."""
        if self.used + size > self.most:
            raise MemoryLimitError(self.most / BYTES_PER_GB)

    def charge(self, size: int) -> Charge:
        """Count `size` bytes for as long as the charge lives."""
        self.reserve(size)
        self.used += size
        return Charge(self, size)


class Charge:
    """Bytes that are counted until the polynomial that takes them is gone."""

    __slots__ = ("memory", "size")

    def __init__(self, memory: Memory, size: int) -> None:
        self.memory = memory
        self.size = size

    def __del__(self) -> None:
        self.memory.used -= self.size


def size_of(polynomial: Any) -> int:
    """The bytes of a polynomial, estimated from some of its exponents and coefficients."""
    return len(polynomial) * term_size(polynomial)


def term_size(polynomial: Any) -> int:
    """The bytes of a term.

    FLINT packs exponents below 128 in one byte each, whole words; a coefficient of more than 62 bits is a number of its
    own beside its word.
    """
    count = len(polynomial)
    if not count:
        return 0
    # The first and the last monomial; degrees of all terms would take as long as a sum.
    field = 1 if all(e < 128 for k in {0, count - 1} for e in polynomial.monomial(k)) else 2
    some = [polynomial.coefficient(k) for k in range(0, count, max(count // _SAMPLED_COEFFICIENTS, 1))]
    bits = max(int(x.p).bit_length() + int(x.q).bit_length() for x in some)
    return 8 * -(-polynomial.context().nvars() * field // 8) + 8 + (32 + bits // 8 if bits > 62 else 0)


def _available() -> float:
    """Half of what a limit on the address space of the process leaves; the other half is for intermediate results."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return float("inf")
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return max(limit - pages * resource.getpagesize(), 0) / 2
    except (ImportError, OSError):
        return float("inf")
