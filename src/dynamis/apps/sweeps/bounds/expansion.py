"""A value as a polynomial in velocities and accelerations, whose coefficients are programs of all the rest.

Joint torques are

    tau_i = g_i(q) + sum_j M_ij(q) qdd_j + sum_jk C_ijk(q) qd_j qd_k + damping_i qd_i + coulomb_i sign(qd_i)

(g with the torques of loads and of springs, and with offsets of friction), so that over a box of qd and qdd each term
is bounded at once, and only q and parameters are left to be divided. Any other value, or a torque with Stribeck
friction, is one coefficient of everything that is swept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dynamis.apps.sweeps.derived import efforts
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.traced_state import traced_state
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.quantities.robot_at_state import RobotAtState

Monomial = tuple[str, ...]
"""Names of dimensions ("qd:0") that are multiplied; "sign qd:0" is the sign of one."""
EXPANDED = ("inverse_dynamics", "effort_ratio")


@dataclass(frozen=True)
class Expansion:
    """One value of a sweep: `program` gives the coefficients of the monomials."""

    program: Program
    monomials: tuple[Monomial, ...]
    inner: tuple[int, ...]
    """The dimensions that the coefficients depend on."""


def expansions(parts: Parts) -> Iterator[Expansion]:
    """One for each value."""
    at, _ = traced_state(parts.robot, parts.ranges, parts.cases[0], parts.loads)
    dimensions = parts.ranges.dimensions
    operand = Operand("x", (len(dimensions),))
    quantity = parts.measure.name
    expanded = quantity in EXPANDED and at.m.coupling is None and "stribeck" not in at.m.force_terms
    values = parts.measure.values(at)
    terms = _torque_terms(at) if expanded else [{(): x} for _, _, x in values]
    moving = ("qd", "qdd") if expanded else ()
    inner = tuple(k for k, x in enumerate(dimensions) if x.name.partition(":")[0] not in moving)
    scales = [1.0 / x for x in efforts(at, quantity)] if quantity == "effort_ratio" else [1.0] * len(terms)
    for scale, of_value in zip(scales, terms, strict=True):
        kept = {key: x * scale for key, x in of_value.items() if not (isinstance(x, float) and x == 0.0)} or {(): 0.0}
        yield Expansion(program([operand], [(Operand("a", (len(kept),)), list(kept.values()))]), tuple(kept), inner)


def _torque_terms(at: RobotAtState) -> list[dict[Monomial, Any]]:
    """Of every joint, the coefficients of its torque."""
    n, rest = at.robot.n, at.at_rest()
    still, M = rest.torques(), at.mass_matrix()
    units = [[float(j == k) for j in range(n)] for k in range(n)]
    C = [coriolis_matrix(at.m, replace(rest.state, qd=unit)) for unit in units]
    rows = list[dict[Monomial, Any]]()
    for i in range(n):
        row: dict[Monomial, Any] = {(): still[i]}
        row |= {(f"qdd:{j}",): M[i][j] for j in range(n)}
        row |= {
            (f"qd:{j}", f"qd:{k}"): C[j][i][j] if j == k else C[k][i][j] + C[j][i][k]
            for j in range(n)
            for k in range(j, n)
        }
        own = at.m.moving[i].forces
        row[(f"qd:{i}",)], row[(f"sign qd:{i}",)] = own.damping, own.coulomb
        rows.append(row)
    return rows
