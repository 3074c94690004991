"""The verdict on M(q) > 0 for all q, and how it was reached: in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol
from dynamis.telling.blocks import Document, Words
from dynamis.telling.result import Result

RANDOM_SAMPLES = 500
Method = Literal[
    "sum of squares", "kinetic energy", "Jacobians", "real zeros", "intervals", "counterexample", "not decided",
    "sampling",
]  # fmt: skip
_WHY: Mapping[str, str] = {
    "sum of squares": "det M is a sum of squares with positive weights, which are never zero together",
    "kinetic energy": "every link has inertia about its own joint axis, so T = 0 only at rest",
    "Jacobians": "no joint velocity but 0 leaves at rest all links that have inertia",
    "real zeros": "det M has no real zero, and M is positive definite at q = 0",
    "intervals": "M[2,2] > 0 and det M > 0 on intervals that cover all q2, with rigorous bounds",
}


@dataclass(frozen=True)
class Singular:
    """Values of symbols where M is not positive definite, the same in words, and where else, if all is known.

    `moves` says whether it depends on q, or on parameters alone.
    """

    point: Mapping[Symbol, Fraction | float]
    words: str
    only: str = ""
    moves: bool = True


@dataclass(frozen=True)
class PositiveDefinite(Result):
    """The verdict on M(q) > 0 for all q and how it was reached.

    `holds` is True where it was proved, False where it was refuted, and None where neither was: 500 random q at which M
    is positive definite say nothing about the one at which it may be singular.
    `determinant` and `squares` (two joints): det M, and pairs (weight, sum of squares) that add up to it.
    `joints`: J_j of every joint. `smallest`: the smallest eigenvalue seen, where M was sampled. `singular`: where M is
    not positive definite, if it is not, or where that was not decided.
    """

    holds: bool | None
    method: Method
    assumes: str
    determinant: Exact | None = None
    squares: tuple[tuple[Exact, Exact], ...] = ()
    joints: tuple[Exact, ...] = ()
    smallest: float | None = None
    singular: Singular | None = None

    @property
    def proved(self) -> bool:
        """Whether it was shown for all q and all parameters, not at some."""
        return self.holds is True

    def _short(self) -> str:
        verdict = {True: "proved by", False: "refuted by", None: "not decided,"}[self.holds]
        return f"{verdict} {self.method}".removesuffix(", not decided")

    def document(self) -> Document:
        """The verdict in a sentence."""
        return Document("", (Words(str(self)),), data=self._data)

    def _data(self) -> dict[str, Any]:
        squares = [[str(weight), str(total)] for weight, total in self.squares]
        return {
            "holds": self.holds, "method": self.method, "assumes": self.assumes, "sentence": str(self),
            "determinant": None if self.determinant is None else str(self.determinant), "squares": squares,
            "joints": [str(each) for each in self.joints], "smallest_eigenvalue": self.smallest,
        }  # fmt: skip

    def __str__(self) -> str:
        match self.method:
            case "counterexample":
                return self._refuted
            case "not decided":
                return (
                    "It was not decided whether M is positive definite for all q: it is, except perhaps within 1e-12 "
                    f"of {self.singular.words if self.singular else 'some q'}, where det M is too small to tell from 0."
                )
            case "sampling":
                sample = f"smallest eigenvalue {self.smallest:.3g}, {self.assumes}"
                if self.holds is False:
                    beside = f"it is not at one of {RANDOM_SAMPLES} random q ({sample})"
                    return f"M is not positive definite for all q: {beside}."
                return (
                    "It was not decided whether M is positive definite for all q: it is at "
                    f"{RANDOM_SAMPLES} random q ({sample}), but this is no proof for all q."
                )
            case method:
                assumption = f" (assuming {self.assumes})." if self.assumes else "."
                return f"M is positive definite for all q: {_WHY[method]}{assumption}"

    @property
    def _refuted(self) -> str:
        """Where M is not positive definite, in words."""
        singular = self.singular or Singular({}, "")
        if not singular.only:
            return f"M is not positive definite for all q: it is not at {singular.words or 'any q'}."
        assumption = f" (assuming {self.assumes})" if self.assumes else ""
        where = f"{singular.only}{assumption}; for instance at {singular.words}."
        if singular.moves:
            return f"M is not positive definite for all q: det M = 0 if and only if {where}"
        return f"M is positive definite for all q, but not for all parameters: det M = 0 if and only if {where}"
