"""Factorisations c(q, qd) = C(q, qd) qd: the same torque, matrices with different laws.

With Mdot_kj = sum dM_kj/dq_i qd_i and K_kj = sum dM_ki/dq_j qd_i (so that K qd = Mdot qd):

    Christoffel    C = (Mdot + K - K^T) / 2      Mdot - 2 C is skew-symmetric
    rate           C = Mdot - K^T / 2            not skew-symmetric in general
    gradient       C = K - K^T / 2               not skew-symmetric in general
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dynamis.base.display import Displayable
from dynamis.exact.closed_form.closed_form import HALF, ClosedForm
from dynamis.exact.proof.laws import sentence, skewness
from dynamis.scalars.exact.proof import Proof, prove_equal
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Document, Equation, Items, Part, Words
from dynamis.telling.formula import EQUALS, HALF_OF, MINUS, PLUS, TWO, Coordinates, Formula, Group, by
from dynamis.telling.result import Result

Grid = list[list[Exact]]
_K = by((Group((s.M, Coordinates(1))),), (Coordinates(0),))
_HALF_K_T: Formula = (*HALF_OF, Group(_K, transposed=True))
RULES: dict[str, Formula] = {
    "Christoffel": (*HALF_OF, Group((s.M.dot, PLUS, *_K, MINUS, Group(_K, transposed=True)))),
    "rate": (s.M.dot, MINUS, *_HALF_K_T),
    "gradient": (*_K, MINUS, *_HALF_K_T),
}
"""How the matrices follow from M."""


@dataclass(frozen=True)
class Factorisation(Displayable):
    """A matrix C with c = C qd, with the proof of that, and of N = Mdot - 2 C skew or its counterexample."""

    name: str
    formula: str
    matrix: Grid
    N: Grid
    valid: Proof
    skew: Proof

    def document(self) -> Document:
        """The matrix, and what is proved of it."""
        ring = self.matrix[0][0].ring
        matrix = Equation(s.C, [*self.matrix])
        rule: Formula = (s.C, EQUALS, *RULES[self.name])
        words = ((f"{self.name}: ", rule, "."), sentence(self.valid), sentence(self.skew))
        return Document("", (matrix, Items(words)), ring=ring)

    @property
    def residual(self) -> Grid:
        """N + N^T, zero if and only if N is skew-symmetric."""
        n = range(len(self.N))
        return [[self.N[i][j] + self.N[j][i] for j in n] for i in n]

    @property
    def terms(self) -> int:
        """How long the matrix is."""
        return sum(len(entry) for row in self.matrix for entry in row)


class Factorisations(list[Factorisation], Result):
    """Factorisations, as a list that is a page too."""

    def document(self) -> Document:
        """The matrices, and what is proved of each."""
        documents = [factorisation.document() for factorisation in self]
        return Document("", tuple(block for x in documents for block in x.blocks), ring=documents[0].ring)


def factorisations(model: ClosedForm) -> Factorisations:
    """The Christoffel factorisation and two others, each labelled."""
    rate, K, n = model.mass_matrix_rate, model.momentum_gradient, range(model.n)
    half_T = [[K[j][i].times(HALF) for j in n] for i in n]
    matrices: list[tuple[str, str, Grid]] = [
        ("Christoffel", "(Mdot + K - K^T)/2", model.coriolis_matrix),
        ("rate", "Mdot - K^T/2", [[rate[i][j] - half_T[i][j] for j in n] for i in n]),
        ("gradient", "K - K^T/2", [[K[i][j] - half_T[i][j] for j in n] for i in n]),
    ]
    return Factorisations(_prove_factorisation(model, *matrix) for matrix in matrices)


def _prove_factorisation(model: ClosedForm, name: str, formula: str, C: Grid) -> Factorisation:
    torques = times_velocity(model, C)
    rows = [(f"c[{k}]", a, b) for k, (a, b) in enumerate(zip(torques, model.coriolis, strict=True), 1)]
    valid = prove_equal(f"C qd = c for C = {formula}", lambda: rows)
    skew = prove_equal(f"Mdot - 2 C is skew-symmetric for C = {formula}", lambda: skewness(model, C))
    n, rate = range(model.n), model.mass_matrix_rate
    N = [[rate[i][j] - C[i][j].times(2) for j in n] for i in n]
    return Factorisation(name, formula, C, N, valid, skew)


def with_and_without_skew_symmetry(factorisations: Sequence[Factorisation]) -> Iterator[Part]:
    """S' with Mdot - 2 S' skew and S'' without, where there is one: both matrices, and how far N'' is from skew."""
    first = factorisations[0]
    others = [x for x in factorisations if not x.skew.holds]
    Mdot = s.M.dot
    n = range(len(first.matrix))
    yield Words((
        "Many matrices give the same torques ", (s.c, EQUALS, s.S1, Coordinates(1), EQUALS, s.S2, Coordinates(1)),
        ". What tells them apart is the rate of the mass matrix:",
    ))  # fmt: skip
    yield Equation(Mdot, [[first.N[i][j] + first.matrix[i][j].times(2) for j in n] for i in n])
    yield Words(("With ", (s.S1,), " by the Christoffel symbols ", (Mdot, MINUS, TWO, s.S1), " is skew-symmetric:"))
    yield Equation(s.S1, first.matrix, (RULES[first.name],))
    yield Equation(s.N1, first.N, ((Mdot, MINUS, TWO, s.S1),))
    if not others:
        yield Words("The other factorisations are skew-symmetric here, too.")
        return
    other = others[0]
    yield Words((
        "With ", (s.S2,), " the torques are the same, but ", (Mdot, MINUS, TWO, s.S2), " is not skew-symmetric: ",
        (s.E,), " is not zero.",
    ))  # fmt: skip
    yield Equation(s.S2, other.matrix, (RULES[other.name],))
    yield Equation(s.N2, other.N, ((Mdot, MINUS, TWO, s.S2),))
    yield Equation(s.E, other.residual, ((s.N2, PLUS, s.N2.T),))


def times_velocity(model: ClosedForm, C: Sequence[Sequence[Exact]], transposed: bool = False) -> list[Exact]:
    """C qd, or C^T qd, which momentum observers use."""
    torques: list[Exact] = []
    for k in range(model.n):
        total = model.ring.zero
        for j in range(model.n):
            total = total + (C[j][k] if transposed else C[k][j]) * model.qd[j]
        torques.append(total)
    return torques
