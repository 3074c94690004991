"""Bodies from a data sheet or a CAD program: mass, CoM, and the inertia as it is printed there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from dynamis.base.errors import ArgumentError, ModelError, UnknownNameError
from dynamis.base.expressions.expression import ZERO, Expression, substitute
from dynamis.base.expressions.parser import as_expression
from dynamis.model.bodies.polynomial import Polynomials
from dynamis.model.bodies.shapes import Inertial, Triple, diagonal
from dynamis.model.checks import unphysical
from dynamis.model.inertia import Inertia, Tensor
from dynamis.model.placement import Placement, entries_of, triple
from dynamis.scalars.floats import number
from dynamis.scalars.scalars import evaluate

SIX = ("xx", "yy", "zz", "xy", "xz", "yz")
# Axes that are printed with four digits are this far from a right angle.
ORTHOGONALITY_TOLERANCE = 1e-3


@dataclass(frozen=True)
class CadBody:
    """A body known by its numbers alone; it has no shape, so that overlaps are not seen."""

    inertial: Inertial

    def parameters(self) -> frozenset[str]:
        """The symbols that have no value."""
        i = self.inertial
        entries = (e.parameters() for e in (i.mass, *i.com, *(e for row in i.inertia for e in row)))
        return frozenset[str]().union(*entries)

    def substituted(self, values: Mapping[str, Expression]) -> CadBody:
        """With values for symbols."""
        i = self.inertial
        x, y, z = (substitute(e, values) for e in i.com)
        matrix: Tensor = tuple(tuple(substitute(e, values) for e in row) for row in i.inertia)  # type: ignore[assignment]
        return check_cad_body(CadBody(replace(i, mass=substitute(i.mass, values), com=(x, y, z), inertia=matrix)))


def cad(*, mass: Any, com: Any = (0, 0, 0), moments: Any = None, axes: Any = None, inertia: Any = None) -> CadBody:
    """Mass, CoM, and either principal `moments` with their `axes`, or the `inertia` about the CoM.

    `axes` is a chain such as "Rz(pi/6)", or the three principal axes, one per row, as CAD programs print them.
    `inertia` is a 3x3 matrix or a mapping of xx, yy, zz, xy, xz, yz with xy = -integral of x y dm.

    >>> found = cad(mass=2, moments=[1, 2, 2.5], axes=[[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    >>> [str(found.inertial.inertia[k][k]) for k in range(3)]
    ['2.5', '1', '2']
    """
    if (moments is None) == (inertia is None):
        what = "moments and inertia" if moments is not None else "neither moments nor inertia"
        raise ArgumentError(f"CAD data has {what}; give principal moments (with axes) or the inertia", key="moments")
    if inertia is not None and axes is not None:
        raise ArgumentError("axes go with principal moments; an inertia is in the axes of its part", key="axes")
    centre = triple(com, "com")
    matrix = _matrix(inertia) if inertia is not None else _rotate_moments(triple(moments, "moments"), axes)
    return check_cad_body(CadBody(Inertial(as_expression(mass, "mass"), centre, matrix)))


def check_cad_body(body: CadBody) -> CadBody:
    """The body, if its numbers can be those of one: mass > 0, symmetric, moments of a real body."""
    i = body.inertial
    mass = number(i.mass, {})
    if mass is not None and mass <= 0:
        raise ModelError(f"CAD data has mass {mass:g}; a mass is > 0", key="mass")
    entries = [[number(e, {}) for e in row] for row in i.inertia]
    if any(e is None for row in entries for e in row):
        return body
    tensor = np.array(entries, dtype=np.float64)
    if not np.allclose(tensor, tensor.T, rtol=0, atol=1e-9 * np.abs(tensor).max()):
        raise ModelError("the inertia of the CAD data is not symmetric", key="inertia")
    if problem := unphysical(tensor):
        signs = (
            "; CAD programs often print products with the other sign"
            if np.any(tensor - np.diag(np.diag(tensor)))
            else ""
        )
        raise ModelError(f"the inertia of the CAD data {problem}{signs}", key="moments")
    return body


def _matrix(value: Any) -> Tensor:
    if isinstance(value, Mapping):
        entries = cast(Mapping[str, Any], value)
        for key in entries:
            if key not in SIX:
                raise UnknownNameError("key", key, SIX, within="inertia", key="inertia")
        return Inertia.of(**entries).matrix
    return Inertia(value).matrix


def _rotate_moments(moments: Triple, axes: Any) -> Tensor:
    """R diag(moments) R^T, the principal axes as the columns of R."""
    if axes is None:
        return diagonal(*moments)
    scalars = Polynomials()
    if isinstance(axes, str | Placement):
        chain = Placement.of(axes)
        if any(step.kind == "T" for step in chain.steps):
            raise ArgumentError("the axes of principal moments are turned, not moved: use Rx, Ry, Rz only", key="axes")
        turn = [[e.expression() for e in row] for row in chain.evaluate(scalars)[0]]
    else:
        turn = [list(column) for column in zip(*_unit_axes(axes), strict=True)]
    rows = [[_entry(moments, turn[i], turn[j], scalars) for j in range(3)] for i in range(3)]
    return tuple(tuple(row) for row in rows)  # type: ignore[return-value]


def _entry(moments: Triple, a: Sequence[Expression], b: Sequence[Expression], scalars: Polynomials) -> Expression:
    total = ZERO
    for moment, x, y in zip(moments, a, b, strict=True):
        total = total + moment * x * y
    return evaluate(total, scalars).expression()


def _unit_axes(axes: Any) -> list[list[Expression]]:
    """Three axes made exactly square: the nearest rotation to what was printed."""
    rows = entries_of(axes)
    if rows is None or len(rows) != 3:
        raise ArgumentError('axes must be a chain such as "Rz(pi/6)" or three axes [x, y, z], one per row', key="axes")
    entries = [[number(e, {}) for e in triple(row, "axes")] for row in rows]
    if any(e is None for row in entries for e in row):
        raise ArgumentError('axes with symbols must be written as a chain such as "Rz(alpha)"', key="axes")
    matrix = np.array(entries, dtype=np.float64)
    if not np.allclose(matrix @ matrix.T, np.eye(3), rtol=0, atol=ORTHOGONALITY_TOLERANCE):
        raise ModelError("the principal axes are not unit vectors square to each other", key="axes")
    u, _, vh = np.linalg.svd(matrix)
    square = u @ vh
    integers = np.round(matrix)
    square = integers if np.allclose(matrix, integers, rtol=0, atol=1e-12) else square
    return [[as_expression(float(e), "axes") for e in row] for row in square]
