"""Which notations a test of all shipped robots takes."""

import dynamis
from dynamis.telling.notation import NOTATIONS

PAIRS = (("craig", "dynamis"), ("deluca", "spong"))
"""They differ in how sums are ordered and grouped, and in their angles; the others have letters of their own."""


def notations_of(name: str) -> tuple[str, ...]:
    """All notations of a small robot; of a large one, whose pages are long, one pair or the other in turns."""
    return tuple(NOTATIONS) if dynamis.load(name).n <= 2 else PAIRS[dynamis.robots().index(name) % 2]
