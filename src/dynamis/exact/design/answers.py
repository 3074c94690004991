"""Answers to design questions: the cases in which something holds, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dynamis.scalars.exact.angles import RIGHT_ANGLES
from dynamis.scalars.exact.ratio import Ratio, quotient_text
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol
from dynamis.telling.blocks import Document, Equation, Words
from dynamis.telling.result import Result

UNDECIDED = " (it was not decided whether any parameters satisfy this)"
_RIGHT_ANGLES = {(str(s), str(c)): angle for (s, c), angle in RIGHT_ANGLES.items()}
_HALF_TURNS = (
    (" = 0 (mod 2*pi)", " = pi (mod 2*pi)", " = 0 (mod pi)"),
    (" = pi/2 (mod 2*pi)", " = -pi/2 (mod 2*pi)", " = pi/2 (mod pi)"),
)

Values = Mapping[Symbol, Fraction | float]


@dataclass(frozen=True)
class DesignCondition:
    """factor = 0; where it was solved, symbol = value."""

    factor: Exact
    symbol: Symbol | None = None
    value: Ratio | None = None

    def __str__(self) -> str:
        return f"{self.factor} = 0" if self.symbol is None else f"{self.symbol} = {quotient_text(self.value)}"


@dataclass(frozen=True)
class Case:
    """Conditions that together make it so, and the dynamic coefficients that they make zero.

    `point` are values of the symbols at which they hold; None where none was found, so that it is not known
    whether any robot has such parameters.
    """

    conditions: tuple[DesignCondition, ...]
    vanishing: tuple[str, ...] = ()
    point: Mapping[Symbol, Fraction | float] | None = field(
        default_factory=dict[Symbol, Fraction | float], compare=False
    )
    meaning: str = field(default="", compare=False)
    """Where CoMs lie then, and which torques are zero."""

    @property
    def decided(self) -> bool:
        """Whether it is known that parameters satisfy the conditions."""
        return self.point is not None

    def __str__(self) -> str:
        return " and ".join(said_of(self.conditions)) + ("" if self.decided else UNDECIDED)


def said_of(conditions: Sequence[DesignCondition]) -> list[str]:
    """The conditions in words: cos(alpha) = 1 and sin(alpha) = 0 are alpha = 0 (mod 2*pi)."""
    values = {(c.symbol.kind, c.symbol.of): str(c.value) for c in conditions if c.symbol is not None}
    texts: list[str] = []
    for condition in conditions:
        symbol = condition.symbol
        of = symbol.of if symbol is not None and symbol.is_trig else ""
        where = _RIGHT_ANGLES.get((values.get(("sine", of), ""), values.get(("cosine", of), "")))
        text = str(condition) if where is None else f"{of} = {where} (mod 2*pi)"
        if text not in texts:
            texts.append(text)
    return texts


def alternatives(cases: Sequence[Case]) -> list[str]:
    """The cases in words; two that differ by half a turn of one angle are one."""
    texts: list[tuple[list[str], bool]] = []
    for case in cases:
        said = said_of(case.conditions)
        for k, (old, decided) in enumerate(texts):
            if decided == case.decided and (both := _join_cases(old, said)) is not None:
                texts[k] = both, decided
                break
        else:
            texts.append((said, case.decided))
    return [" and ".join(said) + ("" if decided else UNDECIDED) for said, decided in texts]


def _join_cases(one: list[str], other: list[str]) -> list[str] | None:
    """Two cases as one, if they are the same but for half a turn of one angle."""
    apart = [k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(apart) != 1:
        return None
    (k,) = apart
    for texts in (one[k], other[k]), (other[k], one[k]):
        for first, second, both in _HALF_TURNS:
            angle = texts[0].removesuffix(first)
            if texts == (angle + first, angle + second):
                return [*one[:k], angle + both, *one[k + 1 :]]
    return None


@dataclass(frozen=True)
class Answer(Result):
    """To a design question: true in every one of `cases`, in no other; `assumes` what was taken as positive.

    One case without conditions is "always", no case is "never".
    """

    claim: str
    cases: tuple[Case, ...]
    assumes: str
    coefficients: Mapping[str, Equation] = field(default_factory=dict[str, Equation], compare=False)
    """The dynamic coefficients that the meanings name, in the robot's parameters."""

    @property
    def always(self) -> bool:
        """Whether it is true for all parameters."""
        return any(not case.conditions for case in self.cases)

    def document(self) -> Document:
        """The answer in a sentence, what the conditions mean, and the coefficients that are zero then."""
        ring = next((a.right.ring for a in self.coefficients.values() if isinstance(a.right, Exact)), None)
        coefficients = Document("", tuple(self.coefficients.values()), ring=ring)
        return Document("", (Words(str(self)), *map(Words, self.meanings), coefficients), data=self._data)

    @property
    def meanings(self) -> list[str]:
        """A sentence per case: `d2 = 0: the CoM of link2 is on the axis of q2; then c = 0.`"""
        return [f"{case}: {case.meaning}." for case in self.cases if case.meaning]

    def _data(self) -> dict[str, Any]:
        cases = alternatives(self.cases) if self.cases and not self.always else []
        return {
            "claim": self.claim,
            "always": self.always,
            "cases": cases,
            "meanings": self.meanings,
            "assumes": self.assumes,
            "coefficients": {name: str(a.right) for name, a in self.coefficients.items()},
        }

    def __str__(self) -> str:
        if self.always:
            return f"{self.claim} for all parameters."
        assumption = f" (with {self.assumes})" if self.assumes else ""
        if not self.cases:
            return f"{self.claim} for no parameters{assumption}."
        return f"{self.claim} if and only if {', or '.join(alternatives(self.cases))}{assumption}."
