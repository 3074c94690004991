"""Linear equations that do not contradict each other, solved one by one, over rationals or ratios of polynomials."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from dynamis.scalars.exact.ratio import Ratio

K = TypeVar("K", bound=Hashable)
S = TypeVar("S", Fraction, Ratio)


@dataclass(frozen=True)
class LinearSystem(Generic[K, S]):
    """Each solved unknown as a sum over those that are still free: x = right - sum of row[k] x_k."""

    zero: S
    solved: dict[K, tuple[dict[K, S], S]] = field(default_factory=dict[K, tuple[dict[K, S], S]])

    def copy(self) -> LinearSystem[K, S]:
        """A system that can be added to without a change of this one."""
        return LinearSystem(self.zero, dict(self.solved))

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
        head = next(iter(left))
        scale = left.pop(head)
        self.solved[head] = {k: x / scale for k, x in left.items()}, right / scale
        return True

    def solution(self, free: Mapping[K, S]) -> dict[K, S]:
        """All unknowns; those that no equation determines are as in `free`, which has them all."""
        found = {k: x for k, x in free.items() if k not in self.solved}
        for head, (row, right) in reversed(self.solved.items()):
            value = right
            for k, x in row.items():
                value = value - x * found[k]
            found[head] = value
        return found
