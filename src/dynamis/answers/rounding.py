"""Decimals as what they round: 0.0833 is 1/12 to four digits."""

from __future__ import annotations

from fractions import Fraction

from dynamis.exact.ring import Exact

MIN_DIGITS = 3


class Rounding:
    """Reads decimals as the simplest fraction that they round; `used` says which."""

    def __init__(self) -> None:
        self.used: dict[str, Fraction] = {}
        self.digits = 0
        """The significant digits of the shortest decimal."""

    def read(self, text: str, value: Fraction) -> Fraction:
        """The fraction that stands for a number of an answer."""
        if "." not in text:
            return value
        digits = len(text.lower().partition("e")[0].replace(".", "").lstrip("0"))
        self.digits = min(self.digits or digits, digits)
        found = simplest(text, value)
        if found != value:
            self.used[text] = found
        return found


def close(yours: Exact, true: Exact, digits: int) -> bool:
    """Whether two scalars have the same terms, with factors that agree to so many digits (three at least)."""
    a, b = yours.terms(), true.terms()
    if digits < MIN_DIGITS or a.keys() != b.keys():
        return False
    return all(abs(a[key] - b[key]) <= abs(b[key]) * Fraction(10) ** (1 - digits) / 2 for key in b)


def simplest(text: str, value: Fraction) -> Fraction:
    """The fraction of smallest denominator that rounds to the decimal `text`.

    >>> simplest("0.0833", Fraction("0.0833")), simplest("0.5", Fraction("0.5")), simplest("0.42", Fraction("0.42"))
    (Fraction(1, 12), Fraction(1, 2), Fraction(5, 12))
    """
    digits = len(text.lower().partition("e")[0].partition(".")[2])
    exponent = int(text.lower().partition("e")[2] or 0)
    half = Fraction(10) ** (exponent - digits) / 2
    low, high = value - half, value + half
    return _between(low, high) if low > 0 else value


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The simplest fraction in [low, high], by continued fractions."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = low.numerator // low.denominator
    return floor + 1 / _between(1 / (high - floor), 1 / (low - floor))
