"""Large operations of polynomials in parts: each part is short, and between them time and memory are checked.

A product of polynomials of m and n terms has up to m n terms, and its normal form may have many more; how many is known
only when it is there. So a large product is taken apart into products of pieces, and a large reduction replaces
one leading monomial after the other, each of which is linear in the number of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dynamis.scalars.exact.limits import size_of, term_size

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring

MAX_DIRECT_PRODUCTS = 1 << 17
"""Products of terms up to which FLINT is called directly: 15 ms with 80 symbols, and 20 MB."""
FEW_TERMS = 2
"""Terms of a factor up to which a product is as good as linear, so that it is not worth while to take it apart."""
_SAMPLED_MONOMIALS = 24


def multiply_in_pieces(a: Any, b: Any, ring: Ring, finish: Callable[[Any], Any] = lambda p: p) -> Any:
    """a b, every piece of it finished by `finish`, which is linear: the normal form, say."""
    total = _Total(ring)
    pending = [(a, b)]
    while pending:
        first, second = pending.pop()
        if len(first) < len(second):
            first, second = second, first
        if len(second) <= FEW_TERMS:
            ring.reserve(size_of(first) * len(second))
        if len(second) <= FEW_TERMS or len(first) * len(second) <= MAX_DIRECT_PRODUCTS:
            total.add(finish(first * second))
        else:
            pending += [(piece, second) for piece in _halves(first, ring.context)]
    return total.sum()


def stepwise(p: Any, lead: Any, tail: Any, ring: Ring) -> Any:
    """p with the monomial `lead` replaced by `tail` wherever it divides."""
    while True:
        ring.reserve(size_of(p))
        quotient, rest = divmod(p, lead)
        if quotient.is_zero():
            return p
        product = multiply_in_pieces(quotient, tail, ring)
        ring.reserve((len(product) + len(rest)) * term_size(product))
        p = product + rest


def compose_polynomial(p: Any, images: Sequence[Any], ring: Ring) -> Any:
    """The normal form of p with scalars of `ring` in the place of its symbols, all at once.

    Powers of long images are made by bounded products, symbol by symbol.
    """
    degrees = [int(degree) for degree in p.degrees()]
    long = [k for k, (degree, image) in enumerate(zip(degrees, images, strict=True)) if degree > 0 and len(image) > 1]
    size = len(p)
    for k in long:
        size *= len(images[k]) ** degrees[k]
        if size > MAX_DIRECT_PRODUCTS:
            break
    else:
        return ring.reduce(p.compose(*images, ctx=ring.context))
    ring.check_time()
    symbol, image = p.context().gen(long[0]), ring.reduce(images[long[0]])
    result = ring.context.constant(0)
    # Horner's rule, from the highest power down: what is divided by it has no more of the symbol.
    for power in range(degrees[long[0]], -1, -1):
        p_high, p = divmod(p, symbol**power)
        part = compose_polynomial(p_high, images, ring)
        if not result.is_zero():
            result = multiply_in_pieces(result, image, ring, ring.reduce)
        ring.reserve(size_of(result) + size_of(part))
        result = result + part
    return result


class _Total:
    """A sum of many polynomials, added in such an order that none is copied often."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.parts: list[tuple[Any, int]] = []

    def add(self, p: Any) -> None:
        """One summand more; the smallest are added first."""
        self.parts.append((p, size_of(p)))
        self.ring.reserve(sum(size for _, size in self.parts))
        while len(self.parts) > 1 and self.parts[-2][1] <= 2 * self.parts[-1][1]:
            self._join()

    def sum(self) -> Any:
        """The sum of all."""
        while len(self.parts) > 1:
            self._join()
        return self.parts[0][0] if self.parts else self.ring.context.constant(0)

    def _join(self) -> None:
        (p, p_size), (q, q_size) = self.parts[-2:]
        self.ring.reserve(sum(size for _, size in self.parts) + p_size + q_size)
        self.parts[-2:] = [((joined := p + q), size_of(joined))]


def _halves(p: Any, context: Any) -> Iterator[Any]:
    """Two pieces of p: the terms that a power of one symbol divides, and the others.

    The symbol and the power that come nearest to halves among some of the terms.
    """
    count = len(p)
    some = [p.monomial(k * (count - 1) // (_SAMPLED_MONOMIALS - 1)) for k in range(_SAMPLED_MONOMIALS)]
    best = (_SAMPLED_MONOMIALS, 0, 0)
    for symbol, exponents in enumerate(zip(*some, strict=True)):
        for power in {*map(int, exponents)} - {min(map(int, exponents))}:
            above = sum(e >= power for e in exponents)
            best = min(best, (abs(2 * above - _SAMPLED_MONOMIALS), symbol, power))
    divisor = context.gen(best[1]) ** best[2]
    quotient, rest = divmod(p, divisor)
    yield quotient * divisor
    yield rest
