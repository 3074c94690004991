"""Factorisations c(q, qd) = C(q, qd) qd: the same torque, matrices with different laws.

With Mdot_kj = sum dM_kj/dq_i qd_i and D_kj = sum dM_ki/dq_j qd_i (so that D qd = Mdot qd):

    Christoffel    C = (Mdot + D - D^T) / 2      Mdot - 2 C is skew-symmetric
    rate           C = Mdot - D^T / 2            not skew-symmetric in general
    gradient       C = D - D^T / 2               not skew-symmetric in general
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dynamis.equations.closed_form.closed_form import HALF, ClosedForm
from dynamis.equations.proof.laws import skewness
from dynamis.scalars.exact.proof import Proof, prove_equal
from dynamis.scalars.exact.ring import Exact

Grid = list[list[Exact]]


@dataclass(frozen=True)
class Factorisation:
    """A matrix C with c = C qd, with the proof of that, and of Mdot - 2 C skew or its counterexample."""

    name: str
    formula: str
    matrix: Grid
    valid: Proof
    skew: Proof


def factorisations(model: ClosedForm) -> list[Factorisation]:
    """The Christoffel factorisation and two others, each labelled."""
    rate, D, n = model.mass_matrix_rate, model.momentum_gradient, range(model.n)
    half_T = [[D[j][i].times(HALF) for j in n] for i in n]
    matrices: list[tuple[str, str, Grid]] = [
        ("Christoffel", "(Mdot + D - D^T)/2", model.coriolis_matrix),
        ("rate", "Mdot - D^T/2", [[rate[i][j] - half_T[i][j] for j in n] for i in n]),
        ("gradient", "D - D^T/2", [[D[i][j] - half_T[i][j] for j in n] for i in n]),
    ]
    return [_labelled(model, *matrix) for matrix in matrices]


def _labelled(model: ClosedForm, name: str, formula: str, C: Grid) -> Factorisation:
    torques = times_velocity(model, C)
    rows = [(f"c[{k}]", a, b) for k, (a, b) in enumerate(zip(torques, model.coriolis, strict=True), 1)]
    valid = prove_equal(f"C qd = c for C = {formula}", lambda: rows)
    skew = prove_equal(f"Mdot - 2 C is skew-symmetric for C = {formula}", lambda: skewness(model, C))
    return Factorisation(name, formula, C, valid, skew)


def times_velocity(model: ClosedForm, C: Sequence[Sequence[Exact]], transposed: bool = False) -> list[Exact]:
    """C qd, or C^T qd, which momentum observers use."""
    torques: list[Exact] = []
    for k in range(model.n):
        total = model.ring.zero
        for j in range(model.n):
            total = total + (C[j][k] if transposed else C[k][j]) * model.qd[j]
        torques.append(total)
    return torques
