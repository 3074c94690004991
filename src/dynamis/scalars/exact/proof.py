"""A proof: the claim that pairs of scalars are equal, decided by their normal forms.

A claim that does not hold comes back with a smallest point where the two sides differ (`counterexample`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dynamis.scalars.exact.counterexample import Counterexample, counterexample
from dynamis.scalars.exact.ring import Exact

Pairs = Iterable[tuple[str, Exact, Exact]]


@dataclass(frozen=True)
class Proof:
    """What was claimed, whether it holds, how many terms each side has, and how long it took."""

    claim: str
    holds: bool
    terms: int
    seconds: float
    counterexample: Counterexample | None = None

    def __repr__(self) -> str:
        return f"<{'proved' if self.holds else 'false'}: {self.claim}>"

    def __str__(self) -> str:
        if self.counterexample is not None:
            return f"false: {self.claim}; {self.counterexample}"
        return f"proved: {self.claim} ({self.terms} terms on each side, {self.seconds:.3f} s)"


def prove_equal(claim: str, pairs: Callable[[], Pairs]) -> Proof:
    """Prove that all pairs (entry, left, right) are equal; the time includes deriving them."""
    start = time.perf_counter()
    terms = 0
    for entry, left, right in pairs():
        left.ring.check_time()
        terms += len(left)
        if left != right:
            return Proof(claim, False, terms, time.perf_counter() - start, counterexample(entry, left, right))
    return Proof(claim, True, terms, time.perf_counter() - start)
