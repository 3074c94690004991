"""2/pi in as many bits as the reduction of the largest angle needs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

TWO_OVER_PI_WORDS = 20
"""Words of 64 bits of 2/pi: the largest double needs bits up to 971 + 192, and one more word for the shift."""


@cache
def two_over_pi() -> tuple[int, ...]:
    """The first bits of 2/pi behind the binary point, in words of 64 bits."""
    bits = 64 * TWO_OVER_PI_WORDS
    scale = 1 << (bits + 64)

    def arctangent(of: int) -> int:
        """scale atan(1/of) by its series."""
        total, power, k = 0, scale // of, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= of * of
            k += 2
        return total

    pi = 4 * (4 * arctangent(5) - arctangent(239))  # Machin
    value = int(Fraction(2 * scale, pi) * (1 << bits))
    return tuple((value >> (bits - 64 * (k + 1))) & (2**64 - 1) for k in range(TWO_OVER_PI_WORDS))
