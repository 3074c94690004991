"""Scalars as short text, for sentences: sums of angles where they are shorter, common factors out.

>>> from dynamis.scalars.exact.ring import Letters, Ring
>>> ring = Ring(Letters((("sin(q1)", "cos(q1)"), ("sin(q2)", "cos(q2)")), others=("l",)))
>>> s1, c1, s2, c2, l = (ring.letter(x) for x in ("sin(q1)", "cos(q1)", "sin(q2)", "cos(q2)", "l"))
>>> Renderer({}).text(l * l * (s1 * c2 + c1 * s2 - c1 * c1) + l * l)
'l^2*(sin(q1)^2 + sin(q1 + q2))'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dynamis.expressions.expression import decimal_text
from dynamis.scalars.exact.processes import factored
from dynamis.scalars.exact.ring import Exact, Exponents, Ring

MAX_SEARCH = 60
MAX_TEXT = 240
MAX_DENOMINATOR = 100
Terms = Mapping[Exponents, Fraction]


@dataclass(frozen=True)
class Renderer:
    """Writes scalars; `display` gives letters other names.

    `written` are numbers that the user wrote as decimals; with `decimals` all others are shown as decimals too
    where they end.
    """

    display: Mapping[str, str]
    written: Mapping[Fraction, str] = field(default_factory=dict[Fraction, str])
    decimals: bool = False

    def number(self, value: Fraction) -> str:
        """A number that is not negative, as the user would write it."""
        if value in self.written:
            return self.written[value]
        rest = value.denominator
        while rest % 2 == 0 or rest % 5 == 0:
            rest //= 2 if rest % 2 == 0 else 5
        return decimal_text(value) if self.decimals and rest == 1 else number_text(value)

    def product(self, coefficient: Fraction, factors: Iterable[str]) -> str:
        """`-5*m*l^2/12`, or `-0.42*m*l^2`."""
        letters = "*".join(factors)
        sign, size = "-" if coefficient < 0 else "", abs(coefficient)
        number = self.number(size)
        if not letters:
            return f"{sign}{number}"
        if size.denominator > MAX_DENOMINATOR or "." in number:
            return f"{sign}{number}*{letters}"
        number = f"{size.numerator}*" if size.numerator != 1 else ""
        return f"{sign}{number}{letters}{f'/{size.denominator}' if size.denominator != 1 else ''}"

    def quotient(self, coefficient: Fraction, factors: Sequence[str]) -> str:
        """`-l1*m2/m1`: what is an inverse goes below."""
        below = [text for text in factors if text.startswith("1/")]
        found = self.product(coefficient, [text for text in factors if text not in below])
        return found + "".join(text[1:] for text in below)

    def text(self, scalar: Exact) -> str:
        """The scalar as text, cut to a few lines."""
        return shortened(self.whole(scalar))

    def whole(self, scalar: Exact) -> str:
        """The scalar as text, the shortest that is found."""
        if not scalar:
            return "0"
        if len(scalar) > MAX_SEARCH:
            return self.sum_text(scalar.terms(), scalar.ring, {})
        turned, angles = _with_sums_of_angles(scalar)
        terms = _with_squares(turned)
        plain = self.sum_text(terms, scalar.ring, angles)
        factored = self.factored(terms, scalar.ring, angles)
        return factored if len(factored) < len(plain) else plain

    def factored(self, terms: Terms, ring: Ring, angles: Mapping[str, Mapping[str, int]]) -> str:
        """coefficient * factor * (sum)^power ..."""
        whole: Any = ring.context.from_dict({k: _fmpq(ring, v) for k, v in terms.items()})
        content, factors = factored(whole, ring)
        value = Fraction(int(content.p), int(content.q))
        pieces: list[tuple[int, str]] = []
        for factor, power in factors:
            inner = {tuple(int(e) for e in k): Fraction(int(v.p), int(v.q)) for k, v in factor.to_dict().items()}
            if int(power) % 2 and all(v < 0 for v in inner.values()):
                inner, value = {k: -v for k, v in inner.items()}, -value
            text = self.sum_text(inner, ring, angles)
            alone = len(inner) == 1 and not text.startswith("-")
            rank = self.rank(ring, next(iter(inner))) if alone else 4
            text = text if alone else f"({text})"
            pieces.append((rank, f"{text}^{power}" if power > 1 else text))
        return self.quotient(value, [text for _, text in sorted(pieces)])

    def rank(self, ring: Ring, exponents: Exponents) -> int:
        """The place in a product of the first letter of a monomial."""
        return next((self.letter(name, {})[1] for name, e in zip(ring.letters.names, exponents, strict=True) if e), 0)

    def sum_text(self, terms: Terms, ring: Ring, angles: Mapping[str, Mapping[str, int]]) -> str:
        """The terms, one after the other."""
        pieces: list[str] = []
        for exponents, coefficient in terms.items():
            factors: list[tuple[int, str]] = []
            for name, exponent in zip(ring.letters.names, exponents, strict=True):
                if exponent:
                    sign, rank, text = self.letter(name, angles)
                    coefficient *= sign**exponent
                    factors.append((rank, text if exponent == 1 else f"{text}^{exponent}"))
            pieces.append(self.quotient(coefficient, [text for _, text in sorted(factors, key=lambda f: f[0])]))
        pieces.sort(key=lambda text: text.startswith("-"))
        first, *rest = pieces
        return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest)

    def letter(self, name: str, angles: Mapping[str, Mapping[str, int]]) -> tuple[int, int, str]:
        """(sign, place in a product, text) of a letter of the ring."""
        if name.startswith(("sin(", "cos(")):
            combination = angles.get(name[4:-1], {name[4:-1]: 1})
            flip = -1 if next(iter(combination.values())) < 0 else 1
            shown = self.angle({joint: flip * times for joint, times in combination.items()})
            return (flip if name.startswith("sin") else 1), 3, f"{name[:3]}({shown})"
        if name in self.display:
            return 1, 2 if name.startswith(("d(", "dd(")) else 1, self.display[name]
        if name.startswith(("d(", "dd(")):
            return 1, 2, name.replace("(", "").rstrip(")")
        if name.startswith("root "):
            return 1, 0, f"sqrt({name[5:]})"
        return 1, 1, name

    def angle(self, combination: Mapping[str, int]) -> str:
        """`q1 + q2`, `q2 - q4`."""
        pieces = [self.product(Fraction(k), [self.display.get(joint, joint)]) for joint, k in combination.items()]
        first, *rest = pieces
        return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest)


def number_text(value: Fraction) -> str:
    """`5/12`, or `0.35158` where that is what a fraction of many digits is."""
    return str(value) if value.denominator <= MAX_DENOMINATOR else decimal_text(value)


def shortened(text: str) -> str:
    """At most a few lines of text."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 3]}..."


def _with_sums_of_angles(scalar: Exact) -> tuple[Exact, dict[str, dict[str, int]]]:
    """The scalar in new angles w = v +- v', as long as that leaves fewer terms; a letter's angle is then w."""
    ring, found = scalar.ring, scalar
    angles = {s[4:-1]: {s[4:-1]: 1} for s, _ in ring.letters.trig}
    while True:
        letters = found.letters()
        present = [name for name in angles if f"sin({name})" in letters or f"cos({name})" in letters]
        tries = [(k, other, sign) for sign in (1, -1) for k in reversed(present) for other in present if k != other]
        best: tuple[int, Exact, str, dict[str, int]] | None = None
        for k, other, sign in tries:
            changed = _turned(found, k, other, sign)
            if len(changed) < (len(found) if best is None else best[0]):
                best = len(changed), changed, k, _combined(angles[k], angles[other], sign)
        if best is None:
            return found, angles
        _, found, k, angles[k] = best


def _turned(scalar: Exact, k: str, other: str, sign: int) -> Exact:
    """With angle k = w - sign * other written in w, which takes the letters of k."""
    ring = scalar.ring
    s, c, s_other, c_other = (ring.letter(f"{f}({name})") for name in (k, other) for f in ("sin", "cos"))
    return scalar.substitute({
        f"cos({k})": c * c_other + (s * s_other).times(sign),
        f"sin({k})": s * c_other - (c * s_other).times(sign),
    })  # fmt: skip


def _combined(a: Mapping[str, int], b: Mapping[str, int], sign: int) -> dict[str, int]:
    total = {name: a.get(name, 0) + sign * b.get(name, 0) for name in sorted({*a, *b})}
    return {name: times for name, times in total.items() if times}


def _with_squares(scalar: Exact) -> Terms:
    """sin^2 in the place of 1 - cos^2 where that is shorter."""
    names = scalar.ring.letters.names
    terms = scalar.terms()
    for s, c in scalar.ring.letters.trig:
        i, j = names.index(s), names.index(c)
        flipped: dict[Exponents, Fraction] = {}
        for exponents, coefficient in terms.items():
            # cos^(2n) = sum over k of binomial(n, k) (-sin^2)^k
            half, factor = exponents[j] // 2, 1
            for k in range(half + 1):
                changed = list(exponents)
                changed[i], changed[j] = exponents[i] + 2 * k, exponents[j] % 2
                key = tuple(changed)
                flipped[key] = flipped.get(key, Fraction(0)) + coefficient * factor * (-1) ** k
                factor = factor * (half - k) // (k + 1)
        flipped = {k: v for k, v in flipped.items() if v}
        if len(flipped) < len(terms):
            terms = flipped
    return terms


def _fmpq(ring: Ring, value: Fraction) -> Any:
    return ring.number(value).polynomial.leading_coefficient()
