"""What `prove` gives: the laws, the factorisations of c and the design questions, as far as time and memory go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dynamis.base.faces import request
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.proof.coriolis_factorisations import (
    RULES,
    Factorisation,
    with_and_without_skew_symmetry,
)
from dynamis.exact.proof.laws import CLAIMS, claims, statement
from dynamis.scalars.exact.proof import Proof
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Block, Column, Document, Equation, Section, Table, Words
from dynamis.telling.formula import EQUALS, MINUS, TWO, Formula, Sym
from dynamis.telling.result import Result

MOST_SHOWN = 40
"""Terms of a matrix that stands beside the proofs."""


class Proofs(list[Proof], Result):
    """The proofs of the laws, as a list that is a page too.

    `factorisations` of c and the `answers` to design questions stand on it where they were asked for, with the dynamic
    `coefficients` that these name; `stopped` is the sentence on what time or memory did not suffice for, and `missing`
    names it. `argument` is the robot in a command.
    """

    def __init__(
        self, robot: str, proofs: Iterable[Proof], factorisations: Sequence[Factorisation] = (),
        answers: Sequence[str] = (), missing: Sequence[str] = (), stopped: str = "",
        coefficients: Mapping[str, Equation] | None = None, argument: str = "ROBOT",
    ) -> None:  # fmt: skip
        super().__init__(proofs)
        self.coefficients = dict(coefficients or {})
        self.robot, self.argument, self.stopped = robot, argument, stopped
        self.factorisations, self.answers, self.missing = tuple(factorisations), tuple(answers), tuple(missing)

    @property
    def holds(self) -> bool:
        """Whether every law that was checked holds."""
        return all(proof.holds for proof in self)

    def document(self) -> Document:
        """Tables of the laws and the factorisations, sentences for the rest."""
        blocks: list[Block] = []
        if self:
            rows = tuple((statement(p), "proved" if p.holds else "FALSE", p.terms) for p in self)
            columns = ("claim", "", Column("terms per side", form="d"))
            blocks += [Table(columns, rows)]
            blocks += [Words(str(proof.counterexample)) for proof in self if proof.counterexample is not None]
        if self.factorisations:
            rows = tuple(
                (f.name, ((s.C, EQUALS, *RULES[f.name]),), "yes" if f.skew.holds else "no") for f in self.factorisations
            )
            less: Formula = (s.M.dot, MINUS, TWO, s.C)
            table = Table(("", "", (less, " skew")), rows)
            parameters = {symbol.of for symbol in self.factorisations[0].matrix[0][0].ring.symbols}
            N = next(letter for letter in ("N", "W", "Z", "difference") if letter not in parameters)
            false = {f.name: str(f.skew.counterexample) for f in self.factorisations if not f.skew.holds}
            reasons = [
                Words((f"{name}: with ", (Sym(N), EQUALS, *less), ", ", point.replace("N[", f"{N}[")))
                for name, point in false.items()
            ]
            blocks.append(Section("Factorisations of the Coriolis and centrifugal torques", (table, *reasons)))
            longest = max(f.terms for f in self.factorisations)
            if 0 < longest <= MOST_SHOWN:
                blocks += with_and_without_skew_symmetry(self.factorisations)
            elif longest:
                blocks.append(
                    Words(f"S' with and S'' without skew-symmetry: {request('derive', self.argument, only='S')}")
                )
        blocks += [Words(answer) for answer in self.answers]
        if self.coefficients:
            blocks += [Words("The dynamic coefficients in these answers:"), *self.coefficients.values()]
        if self.missing:
            blocks.append(Words(f"not finished: {'; '.join(self.missing)}"))
        ring = self.factorisations[0].matrix[0][0].ring if self.factorisations else None
        return Document("", tuple(blocks), ring=ring, data=self._data, methods=("newton-euler", "lagrange"))

    def _data(self) -> dict[str, Any]:
        factorisations = [
            {
                "formula": f.formula, "skew": f.skew.holds, "why": str(f.skew),
                "matrix": _texts(f.matrix), "residual": _texts(f.residual),
            }
            for f in self.factorisations
        ]  # fmt: skip
        return {
            "robot": self.robot, "proofs": [_as_dict(proof) for proof in self], "factorisations": factorisations,
            "design": self.answers, "coefficients": {name: str(a.right) for name, a in self.coefficients.items()},
            "finished": not self.missing, "missing": self.missing, "stopped": self.stopped,
        }  # fmt: skip


def prove(model: ClosedForm) -> Proofs:
    """Every law of the closed-form model, each with its proof."""
    return Proofs(model.robot.name, [proof() for _, proof in claims(model, *CLAIMS)])


def _texts(matrix: list[list[Exact]]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in matrix]


def _as_dict(proof: Proof) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "claim": proof.claim, "holds": proof.holds, "terms": proof.terms, "seconds": proof.seconds
    }  # fmt: skip
    if proof.counterexample is not None:
        entries["counterexample"] = str(proof.counterexample)
    return entries
