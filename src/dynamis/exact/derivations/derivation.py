"""A derivation as data: named steps in the order in which they are read, and the proofs that the result is right.

Steps are made one block at a time, so that a model too large for its time leaves what is finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dynamis.base.errors import TooLargeError
from dynamis.base.provenance import Provenance
from dynamis.exact.proof.laws import sentence
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.proof import Proof
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.vectors import Vector
from dynamis.telling.blocks import Document, Equation, Figure, Part, Section, Words
from dynamis.telling.formula import Formula, Op, Sym, Val, Value, Word, sum_formulas
from dynamis.telling.formula import terms as count_terms
from dynamis.telling.result import Result

MOST_SUBSTITUTED = 40
"""Terms of the quantities in a formula above which the line with the quantities is left out."""
NORMAL_FORM = (
    "Both sides of every claim were brought to normal form, in which two expressions are equal if and only if they "
    "have the same terms."
)
StepMaker = tuple[str, Callable[[], Iterator[Part]]]
"""The title of a step, and what makes its blocks."""


@dataclass(frozen=True)
class Derivation(Result):
    """The steps, the proofs that the result is right, and what time or memory did not suffice for."""

    title: str
    ring: Ring
    steps: tuple[Section, ...]
    proofs: tuple[Proof, ...] = ()
    missing: tuple[str, ...] = ()
    stopped: str = ""
    """What is missing, why, and what to ask for instead; empty if nothing is."""
    misleading: frozenset[str] = frozenset()
    """As in `Document`."""
    scheme: Figure | None = None
    """What is derived for, before the steps."""
    methods: tuple[str, ...] = ()
    """As in `Document`."""
    subject: RobotModel | None = None
    """The robot, whose hash stands at the foot of a page."""

    def document(self) -> Document:
        """The steps, then the proofs in words, then what is not finished."""
        sections = list(self.steps)
        if self.proofs:
            claims = [Words(sentence(proof)) for proof in self.proofs]
            sections.append(Section("Proof", (Words((NORMAL_FORM,)), *claims), "proof"))
        if self.stopped:
            stopped = f"{self.stopped[:1].upper()}{self.stopped[1:]}."
            sections.append(Section("Not finished", (Words(stopped),), "unfinished"))
        first = () if self.scheme is None else (self.scheme,)
        return Document(
            self.title,
            (*first, *sections),
            numbered=True,
            ring=self.ring,
            misleading=self.misleading,
            data=self._data,
            methods=self.methods,
        )

    def _provenance(self) -> Provenance:
        own = getattr(self.subject, "provenance", None)  # a body has none
        return super()._provenance() if own is None else own()

    def _data(self) -> dict[str, Any]:
        proofs = [{"claim": p.claim, "holds": p.holds, "terms": p.terms} for p in self.proofs]
        return {
            "finished": not self.missing, "missing": self.missing, "stopped": self.stopped, "proofs": proofs,
        }  # fmt: skip


def collect(
    makers: list[StepMaker], claims: list[tuple[str, Callable[[], Proof]]], progress: Callable[[str], None]
) -> tuple[tuple[Section, ...], tuple[Proof, ...], tuple[str, ...], TooLargeError | None]:
    """The steps and proofs that time and memory suffice for, each block complete; the names of the others, and why."""
    sections: list[Section] = []
    proofs: list[Proof] = []
    for at, (title, make) in enumerate(makers):
        parts: list[Part] = []
        progress(title)
        try:
            for part in make():
                parts.append(part)
        except TooLargeError as error:
            if count := sum(isinstance(part, Equation) for part in parts):
                sections.append(Section(title, tuple(parts), finished=False))
                title = f"{title} (after its first {count} equations)"
            rest = [name for name, _ in makers[at + 1 :]] + [f"the proof that {claim}" for claim, _ in claims]
            return tuple(sections), (), (title, *rest), error
        if parts:
            sections.append(Section(title, tuple(parts)))
    for at, (claim, prove) in enumerate(claims):
        progress(claim)
        try:
            proofs.append(prove())
        except TooLargeError as error:
            return tuple(sections), tuple(proofs), tuple(f"the proof that {claim}" for claim, _ in claims[at:]), error
    return tuple(sections), tuple(proofs), (), None


Term = tuple[Formula, Formula]
"""A term of a sum in symbols, and with the quantities of the robot in their place."""
Terms = list[Term]


def sum_equation(left: Sym | Formula, right: Value | Vector[Exact], terms: Terms, frame: str = "") -> Equation:
    """left = the terms in symbols = the terms with the quantities = right; without terms, left = right."""
    value = list(right) if isinstance(right, Vector) else right
    if not terms:
        return Equation(left, value, frame=frame)
    return rule_equation(
        left,
        value,
        sum_formulas(rule for rule, _ in terms),
        sum_formulas(_without_ones(put) for _, put in terms),
        frame,
    )


def _without_ones(product: Formula) -> Formula:
    """m1 and not m1 (1): a factor 1 beside others is not written."""
    if any(isinstance(piece, Op | Word) for piece in product):
        return product
    others = tuple(piece for piece in product if not (isinstance(piece, Val) and _is_one(piece.value)))
    return others or product[:1]


def _is_one(value: Any) -> bool:
    return isinstance(value, Exact) and value == value.ring.one


def rule_equation(left: Sym | Formula, right: Value, rule: Formula, substituted: Formula, frame: str = "") -> Equation:
    """An equation with its rule and, where that is not too long, the rule with the quantities."""
    ways = (rule, substituted) if count_terms(substituted) <= MOST_SUBSTITUTED else (rule,)
    return Equation(left, right, ways, frame)
