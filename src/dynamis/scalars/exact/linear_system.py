"""Linear equations over rationals, or over quotients of exact scalars: solved one by one, contradictions refused."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact

K = TypeVar("K", bound=Hashable)
S = TypeVar("S", Fraction, Ratio)


@dataclass(frozen=True)
class LinearSystem(Generic[K, S]):
    """Each solved unknown as a sum over those that are still free: x = right - sum of row[k] x_k.

    An equation is solved for the unknown whose `rank(unknown, factor)` is least, the first of equal ones.
    """

    zero: S
    rank: Callable[[K, S], Any] = lambda unknown, factor: 0
    solved: dict[K, tuple[dict[K, S], S]] = field(default_factory=dict[K, tuple[dict[K, S], S]])

    def copy(self) -> LinearSystem[K, S]:
        """A system that can be added to without a change of this one."""
        return replace(self, solved=dict(self.solved))

    def add(self, row: Mapping[K, S], right: S) -> bool:
        """One more equation: sum of row[k] x_k = right. False if it contradicts those before it."""
        left = dict(row)
        for head, (other, number) in self.solved.items():
            factor = left.pop(head, self.zero)
            if factor:
                right = right - factor * number
                for k, x in other.items():
                    left[k] = left.get(k, self.zero) - factor * x
        left = {k: x for k, x in left.items() if x}
        if not left:
            return not right
        head = min(left, key=lambda k: self.rank(k, left[k]))
        scale = left.pop(head)
        self.solved[head] = {k: x / scale for k, x in left.items()}, right / scale
        return True

    def solution(self, free: Mapping[K, S]) -> dict[K, S]:
        """All unknowns; those that no equation determines are as in `free`, which has them all."""
        values = {k: x for k, x in free.items() if k not in self.solved}
        for head, (row, right) in reversed(self.solved.items()):
            value = right
            for k, x in row.items():
                value = value - x * values[k]
            values[head] = value
        return values


def dependence(
    rows: Sequence[Mapping[int, Exact]], base: Sequence[int], dependent: Sequence[int]
) -> dict[int, dict[int, Ratio]] | None:
    """K with column k = sum K_ik column i; None if the rows are singular.

    `rows` are as many as base columns. K is given as {k: {i: K_ik}}, zeros left out.
    """
    if not rows:
        return {k: {} for k in dependent}
    ring = next(iter(rows[0].values())).ring
    zero, others = Ratio.of(ring.zero), set(dependent)

    def work(k: int, x: Ratio) -> tuple[bool, int]:
        """Base columns first, and of these the one that makes the least work: a number, if there is one."""
        return k in others, len(x.numerator) + sum(x.numerator.polynomial.degrees())

    system = LinearSystem[int, Ratio](zero, work)
    for row in rows:
        system.add({k: Ratio.of(x) for k, x in row.items() if x}, zero)
    if system.solved.keys() != set(base):
        return None
    # sum Y_i x_i = 0 with x_k = -1 and the other dependent columns left out.
    minus_one = Ratio.of(ring.number(-1))
    solutions = {k: system.solution({**dict.fromkeys(dependent, zero), k: minus_one}) for k in dependent}
    return {k: {i: x[i] for i in base if x[i]} for k, x in solutions.items()}
