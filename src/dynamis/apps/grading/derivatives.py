"""Derivatives of an answer's values: by time, and by coordinates and their rates, as a Lagrangian needs them.

diff(L, dq1, t)      one variable after the other
gradient(U, q)       a column
jacobian(p, q)       a row per entry of p, a column per coordinate
hessian(T, dq)       the matrix of second derivatives
LagrangesMethod(L, q)   d/dt dL/dqd - dL/dq, a column, M qdd - f; its mass_matrix M and forcing f
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.apps.grading.common_ring import TIME, CommonRing
from dynamis.apps.grading.values import MAX_CELLS, Matrix, Operand, Value, operand, operate, rows_of
from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.symbols import coordinate


def variables(value: Operand) -> list[str]:
    """The coordinates and rates that a list of names stands for."""
    names: list[str] = []
    for cell in (cell for row in rows_of(value) for cell in row):
        ((powers, factor),) = cell.top.powers() if len(cell.top) == 1 and cell.bottom is None else (((), 0),)
        if factor != 1 or len(powers) != 1 or powers[0][1] != 1:
            raise ArgumentError("derivatives are by coordinates, their rates and t")
        names.append(powers[0][0])
    return names


def differentiate_operand(function: str, value: Operand, by: Sequence[Sequence[str]], ring: CommonRing) -> Operand:
    """The derivative of a value; `by` has one list of variables per step."""
    if function in ("LagrangesMethod", "mass_matrix", "forcing"):
        return _lagrange(function, value, by, ring)
    if function == "diff":
        for step in by:
            if len(step) != 1:
                raise ArgumentError("diff takes one variable at a time; jacobian takes several")
            value = _partial(value, step[0], ring)
        return value
    names, cells = by[0], [cell for row in rows_of(value) for cell in row]
    if function == "hessian":
        cells = [cell for name in names for cell in _cells(_partial(operand([cells]), name, ring))]
    if len(cells) * len(names) > MAX_CELLS:
        raise ArgumentError(f"a matrix has at most {MAX_CELLS} entries")
    columns = [_cells(_partial(operand([cells]), name, ring)) for name in names]
    rows = list(zip(*columns, strict=True))
    return operand([[cell] for row in rows for cell in row] if function == "gradient" else rows)


def _lagrange(function: str, value: Operand, by: Sequence[Sequence[str]], ring: CommonRing) -> Operand:
    q, qd, qdd = ([str(coordinate(joint.name, k)) for joint in ring.equations.robot.coordinates] for k in range(3))
    if function == "LagrangesMethod":
        if list(by[0]) != q or isinstance(value, Matrix):
            raise ArgumentError(f"LagrangesMethod takes the Lagrangian and all coordinates: [{', '.join(q)}]")
        momenta = (_partial(_partial(value, rate, ring), TIME, ring) for rate in qd)
        slopes = (_partial(value, name, ring) for name in q)
        return operand([_cells(operate("-", a, b)) for a, b in zip(momenta, slopes, strict=True)])
    matrix = differentiate_operand("jacobian", value, [qdd], ring)
    if function == "mass_matrix":
        return matrix
    return operate("-", operate("*", matrix, operand([[Value(ring.scalar(name))] for name in qdd])), value)


def _cells(value: Operand) -> list[Value]:
    return [cell for row in rows_of(value) for cell in row]


def _partial(value: Operand, name: str, ring: CommonRing) -> Operand:
    def change(cell: Value) -> Value:
        if cell.bottom is not None:
            raise ArgumentError("a fraction with a sum under it cannot be differentiated here")
        ring.check_time()
        return cell.each(lambda x: ring.time_derivative(x) if name == TIME else ring.partial(x, name))

    return value.each(change) if isinstance(value, Matrix) else change(value)
