"""Terms gathered so that a sentence can be about what people see as one term."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dynamis.grading.common_ring import check_time
from dynamis.grading.reading.tokens import stem_and_number
from dynamis.scalars.exact.ring import Exact, Exponents, Ring

Terms = dict[Exponents, Fraction]


def is_trig(name: str) -> bool:
    """Whether a letter is a sine or a cosine."""
    return name.startswith(("sin(", "cos("))


def groups_of(scalar: Exact) -> dict[Exponents, Terms]:
    """The terms by their monomial of parameters and rates."""
    return _gathered(scalar.terms(), scalar.ring, lambda name: not is_trig(name))


def clusters(terms: Terms, ring: Ring) -> list[Terms]:
    """The terms by their parameters; many of them by one family of parameters only, such as the masses.

    The family (letters that differ in their number) with the fewest clusters is taken.
    """
    parameters = {name for name in ring.letters.names if not is_trig(name) and not name.startswith(("d(", "dd("))}
    best = list(_gathered(terms, ring, lambda name: name in parameters).values())
    families = {stem for stem, number in map(stem_and_number, sorted(parameters)) if number}
    for family in sorted(families) if len(best) > 3 else ():
        parts = _gathered(terms, ring, lambda name, of=family: name in parameters and stem_and_number(name)[0] == of)
        if all(any(key) for key in parts) and len(parts) < len(best):
            best = list(parts.values())
    return best


def _gathered(terms: Terms, ring: Ring, kept: Callable[[str], bool]) -> dict[Exponents, Terms]:
    """The terms by their monomial of the letters that are `kept`."""
    check_time(ring)
    keep = [kept(name) for name in ring.letters.names]
    found: dict[Exponents, Terms] = {}
    for exponents, coefficient in terms.items():
        key = tuple(e if kept else 0 for e, kept in zip(exponents, keep, strict=True))
        found.setdefault(key, {})[exponents] = coefficient
    return found
