"""Cosines of multiples of 30 and 45 degrees, exactly."""

from __future__ import annotations

from fractions import Fraction

HALF = Fraction(1, 2)
# cos(r pi) for r in [0, 1/2] as (rational, what stands under the root); the other quadrants follow by symmetry.
_COSINES = {
    Fraction(0): (Fraction(1), 1),
    Fraction(1, 6): (HALF, 3),
    Fraction(1, 4): (HALF, 2),
    Fraction(1, 3): (HALF, 1),
    HALF: (Fraction(0), 1),
}
Root = tuple[Fraction, int]


def cosine_and_sine(turn: Fraction) -> tuple[Root, Root] | None:
    """cos(turn pi) and sin(turn pi), each as (factor, radicand) of factor sqrt(radicand); None for other angles.

    >>> cosine_and_sine(Fraction(3, 4))
    ((Fraction(-1, 2), 2), (Fraction(1, 2), 2))
    """
    cosine, sine = _cosine(turn), _cosine(turn - HALF)
    return None if cosine is None or sine is None else (cosine, sine)


def _cosine(turn: Fraction) -> Root | None:
    turn = abs(turn) % 2
    turn = min(turn, 2 - turn)
    if turn <= HALF:
        return _COSINES.get(turn)
    mirrored = _COSINES.get(1 - turn)
    return None if mirrored is None else (-mirrored[0], mirrored[1])
