"""A derivation as data: named steps of words, rules and equations, in the order in which they are read.

Three ways to the same equations of motion (moving frames, Lagrange, Newton-Euler), three that rewrite
them (dynamic coefficients, base parameters, the regressor), and single entries. Steps are made one part at
a time, so that a model too large for its time leaves what is finished. How it looks is the business of `notation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dynamis.document.formula import Formula, Prose, Sym, Value, terms
from dynamis.errors import TooLargeError
from dynamis.scalars.exact.proof import Proof
from dynamis.scalars.exact.ring import Ring

# Terms of the quantities in a formula above which the line with the quantities is left out.
MOST_SUBSTITUTED = 40
# Beyond this many terms a formula is given in its recursive form.
MOST_TERMS = 1000


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    prose: Prose


@dataclass(frozen=True)
class Rule:
    """A rule in general, that the equations after it use."""

    formula: Formula


@dataclass(frozen=True)
class Equation:
    """left = the rule = the rule with the robot's quantities = right; None where a rule is all there is."""

    left: Sym
    right: Value | None
    ways: tuple[Formula, ...] = ()
    frame: str = ""
    """The number of the link in whose axes a vector is; nothing for scalars, 0 for base axes."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under a header."""

    header: tuple[str, ...]
    rows: tuple[tuple[Prose, ...], ...]


Part = Words | Rule | Equation | Table
Section = tuple[str, Callable[[], Iterator[Part]]]
"""A title, and what makes the parts of the step."""


@dataclass(frozen=True)
class Step:
    """A named step; not `finished` where time or memory ended before its last part."""

    title: str
    parts: tuple[Part, ...]
    finished: bool = True


@dataclass(frozen=True)
class Derivation:
    """The steps, the proofs that the result is right, and what time or memory did not suffice for."""

    title: str
    ring: Ring
    steps: tuple[Step, ...]
    proofs: tuple[Proof, ...] = ()
    missing: tuple[str, ...] = ()
    stopped: str = ""
    """What is missing, why, and what to ask for instead; nothing if all is there."""


def collect(
    sections: list[Section], claims: list[tuple[str, Callable[[], Proof]]], progress: Callable[[str], None]
) -> tuple[tuple[Step, ...], tuple[Proof, ...], tuple[str, ...], TooLargeError | None]:
    """The steps and proofs that time and memory suffice for, each part complete; the names of the others, and why."""
    steps: list[Step] = []
    proofs: list[Proof] = []
    for at, (title, make) in enumerate(sections):
        parts: list[Part] = []
        progress(title)
        try:
            for part in make():
                parts.append(part)
        except TooLargeError as error:
            if any(isinstance(part, Equation) for part in parts):
                steps.append(Step(title, tuple(parts), finished=False))
                title = f"{title} (after its first {sum(isinstance(part, Equation) for part in parts)} equations)"
            rest = [name for name, _ in sections[at + 1 :]] + [f"the proof that {claim}" for claim, _ in claims]
            return tuple(steps), (), (title, *rest), error
        if parts:
            steps.append(Step(title, tuple(parts)))
    for at, (claim, prove) in enumerate(claims):
        progress(claim)
        try:
            proofs.append(prove())
        except TooLargeError as error:
            return tuple(steps), tuple(proofs), tuple(f"the proof that {claim}" for claim, _ in claims[at:]), error
    return tuple(steps), tuple(proofs), (), None


def shown(left: Sym, right: Value, rule: Formula, substituted: Formula, frame: str = "") -> Equation:
    """An equation with its rule and, where that is not too long, the rule with the quantities."""
    ways = (rule, substituted) if terms(substituted) <= MOST_SUBSTITUTED else (rule,)
    return Equation(left, right, ways, frame)
