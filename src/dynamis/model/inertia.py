"""The inertia of a link: the tensor, and the point and the axes it was given in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, ModelError
from dynamis.base.expressions.expression import ZERO, Expression, Power
from dynamis.base.expressions.parser import as_expression
from dynamis.model.fields import coerce
from dynamis.model.map_expressions import parameters_in
from dynamis.model.placement import IDENTITY, Placement, entries_of, triple
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal

About = Literal["com", "origin"]
Row = tuple[Expression, Expression, Expression]
Tensor = tuple[Row, Row, Row]


@dataclass(frozen=True, slots=True)
class Inertia(Displayable):
    """A 3x3 inertia tensor [kg m^2] as its source gives it.

    `about` says about which point: the centre of mass or the origin of the link frame. `axes` is
    the rotation of the tensor's axes against the link axes (I_link = R I R^T). Off-diagonal
    entries are those of the tensor, I_xy = -integral of x y dm.
    `allow_unphysical` turns the errors for a tensor that no body has into warnings.

    >>> Inertia.of(zz="I1").matrix[2][2]
    I1
    """

    matrix: Tensor = ((ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO))
    about: About = "com"
    axes: Placement = IDENTITY
    allow_unphysical: bool = False

    def __repr__(self) -> str:
        return f"<Inertia about {self.about}: {self.matrix}>"

    def __post_init__(self) -> None:
        rows = entries_of(self.matrix)
        if rows is None or len(rows) != 3:
            raise ArgumentError("an inertia matrix has three rows of three values", key="inertia")
        coerce(self, matrix=tuple(triple(row, "inertia") for row in rows), axes=Placement.of(self.axes))
        if self.about not in ("com", "origin"):
            raise ModelError(f'inertia must be about "com" or "origin", got "{self.about}"', key="inertia")
        if any(step.kind == "T" for step in self.axes.steps):
            raise ModelError("the axes of an inertia are turned, not moved: use Rx, Ry, Rz only", key="inertia")

    @classmethod
    def of(
        cls, *, about: About = "com", axes: Any = "", allow_unphysical: bool = False,
        xx: Any = 0, yy: Any = 0, zz: Any = 0, xy: Any = 0, xz: Any = 0, yz: Any = 0,
    ) -> Inertia:  # fmt: skip
        """From the six entries of the tensor."""
        names = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
        e = {name: as_expression(value, f"inertia.{name}") for name, value in names.items()}
        matrix = (e["xx"], e["xy"], e["xz"]), (e["xy"], e["yy"], e["yz"]), (e["xz"], e["yz"], e["zz"])
        return cls(matrix, about, Placement.of(axes), allow_unphysical)

    @classmethod
    def from_gyration(cls, mass: Any, radii: Any, *, about: About, allow_unphysical: bool = False) -> Inertia:
        """From the radii of gyration k_x, k_y, k_z [m] about the link axes: I_jj = m k_j^2."""
        m = as_expression(mass, "mass")
        xx, yy, zz = (m * (Power(k, 2) if k != ZERO else ZERO) for k in triple(radii, "gyration"))
        return cls.of(about=about, xx=xx, yy=yy, zz=zz, allow_unphysical=allow_unphysical)

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the tensor and its axes use."""
        return parameters_in(self)

    def evaluate(self, scalars: Scalars[S]) -> Matrix[S]:
        """The tensor in link axes, about the point that `about` names."""
        tensor = Matrix(*(Vector(*(evaluate(entry, scalars) for entry in row)) for row in self.matrix))
        if not self.axes.steps:
            return tensor
        R, _ = self.axes.evaluate(scalars)
        return R.times(tensor).times(R.T)

    def about_com(self, mass: S, com: Vector[S], scalars: Scalars[S]) -> Matrix[S]:
        """The tensor about the CoM in link axes; parallel-axis theorem where it was given elsewhere."""
        tensor = self.evaluate(scalars)
        return tensor if self.about == "com" else tensor - parallel_axis(mass, com, scalars)


def parallel_axis(mass: S, com: Vector[S], scalars: Scalars[S]) -> Matrix[S]:
    """m (c.c 1 - c c^T): what a point mass at c adds to an inertia about the origin."""
    return (diagonal(com.dot(com), scalars.zero) - com.outer(com)) * mass
