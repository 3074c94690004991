"""Which notations a test of all shipped robots takes."""

import dynamis
from dynamis.document.notation import NOTATIONS

FOUR = ("craig", "deluca", "dynamis", "spong")
"""They differ in how sums are ordered and grouped, and in their angles; the others have letters of their own."""


def notations_of(name: str) -> tuple[str, ...]:
    """All notations of a small robot; of a large one, whose pages are long, four."""
    return tuple(NOTATIONS) if dynamis.load(name).n <= 3 else FOUR
