"""Bodies: solids, meshes and CAD data, put together with + and -, moved with `at`.

>>> cube = Body.box([0.1, 0.1, 0.1], density=2710)
>>> hole = Body.cylinder(radius=0.01, height=0.1, density=2710)
>>> link = (cube - hole).at("Tx(-0.4)")
>>> round(link.properties().mass, 4)
2.6249
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, ExpressionError, ModelError, UnknownNameError
from dynamis.base.expressions.expression import Expression, substitute
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.base.faces import option
from dynamis.model.bodies.cad_body import CadBody, cad
from dynamis.model.bodies.composite import Piece, error_of, first_moment, inertia_about, piece, total_mass
from dynamis.model.bodies.mass_properties import MassProperties, relative
from dynamis.model.bodies.mesh import Mesh, read_mesh
from dynamis.model.bodies.overlap import Fit, check_fit
from dynamis.model.bodies.polynomial import Polynomial, Polynomials
from dynamis.model.bodies.shapes import Error
from dynamis.model.bodies.solid import Solid, solid
from dynamis.model.fields import check_name
from dynamis.model.inertia import Inertia
from dynamis.model.placement import IDENTITY, Placement, Step
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import S, Vector

MAX_PARTS = 1000
MAX_DEPTH = 20
# What a sum without a name is called; more parts are added to it, not around it.
SUM = "body"
LEAST_MASS = 1e-100
"""The least mass of a body [kg] whose radii of gyration have squares and quotients that a float can hold."""
MESH_VALUES = ("mass", "density", "scale", "repair")


@dataclass(frozen=True)
class Parts:
    """Bodies with their signs: 1 for a part, -1 for a hole."""

    signed: tuple[tuple[int, Body], ...]

    @cached_property
    def fit(self) -> Fit:
        """How they fit together, computed once: it does not depend on where the whole stands."""
        return check_fit(self.signed)


@dataclass(frozen=True)
class Body(Displayable):
    """A rigid body: one solid, or parts and holes; `placement` is where its frame stands in the whole.

    Values are numbers or expressions with symbols; `properties` needs numbers, `dynamis.bodies.exact_body` does not.
    Both raise if parts overlap or a hole lies outside of its body, unless `overlap_allowed`.
    """

    name: str
    content: Solid | Mesh | CadBody | Parts
    placement: Placement = IDENTITY
    overlap_allowed: bool = False

    def __post_init__(self) -> None:
        check_name("body", self.name)
        if self.depth() > MAX_DEPTH:
            raise ArgumentError(f"parts stand in parts at most {MAX_DEPTH} deep")

    # The solids.

    @classmethod
    def solid(cls, shape: str, *, name: str | None = None, **values: Any) -> Body:
        """A solid by the words of a file: shape, its sizes, mass or density, axis."""
        return cls(name or shape, solid(shape, **values))

    @classmethod
    def box(cls, size: Any, **values: Any) -> Body:
        """A box with sides [along x, y, z], its origin in the middle."""
        return cls.solid("box", size=size, **values)

    @classmethod
    def cylinder(cls, radius: Any, height: Any, **values: Any) -> Body:
        """A cylinder about `axis` (z), its origin in the middle."""
        return cls.solid("cylinder", radius=radius, height=height, **values)

    @classmethod
    def hollow_cylinder(cls, radius: Any, inner_radius: Any, height: Any, **values: Any) -> Body:
        """A tube about `axis` (z), its origin in the middle."""
        return cls.solid("hollow-cylinder", radius=radius, inner_radius=inner_radius, height=height, **values)

    @classmethod
    def sphere(cls, radius: Any, **values: Any) -> Body:
        """A ball about the origin."""
        return cls.solid("sphere", radius=radius, **values)

    @classmethod
    def hollow_sphere(cls, radius: Any, inner_radius: Any, **values: Any) -> Body:
        """A spherical shell about the origin."""
        return cls.solid("hollow-sphere", radius=radius, inner_radius=inner_radius, **values)

    @classmethod
    def capsule(cls, radius: Any, height: Any, **values: Any) -> Body:
        """A cylinder of `height` about `axis` (z) with half spheres at its ends."""
        return cls.solid("capsule", radius=radius, height=height, **values)

    @classmethod
    def cone(cls, radius: Any, height: Any, **values: Any) -> Body:
        """A cone about `axis` (z), its origin in the middle of the base, its tip at `height`."""
        return cls.solid("cone", radius=radius, height=height, **values)

    @classmethod
    def ellipsoid(cls, semi_axes: Any, **values: Any) -> Body:
        """An ellipsoid with semi-axes [along x, y, z] about the origin."""
        return cls.solid("ellipsoid", semi_axes=semi_axes, **values)

    @classmethod
    def bar(cls, length: Any, **values: Any) -> Body:
        """A thin bar along `axis` (z), its origin in the middle; a density is in kg/m."""
        return cls.solid("bar", length=length, **values)

    @classmethod
    def plate(cls, size: Any, **values: Any) -> Body:
        """A thin plate with sides [a, b] across `axis` (z), its origin in the middle; a density is in kg/m^2."""
        return cls.solid("plate", size=size, **values)

    @classmethod
    def tetrahedron(cls, vertices: Any, **values: Any) -> Body:
        """A tetrahedron between four corners [x, y, z]."""
        return cls.solid("tetrahedron", vertices=vertices, **values)

    @classmethod
    def point(cls, mass: Any, **values: Any) -> Body:
        """A point mass at the origin."""
        return cls.solid("point", mass=mass, **values)

    @classmethod
    def mesh(cls, path: str | Path, *, name: str | None = None, **values: Any) -> Body:
        """A closed STL, OBJ, PLY or GLB mesh: mass or density, `scale` (0.001 for mm), `repair`."""
        if unknown := [key for key in values if key not in MESH_VALUES]:
            raise UnknownNameError("value of a mesh", unknown[0], MESH_VALUES, key=unknown[0])
        return cls(name or Path(path).stem, read_mesh(path, **values))

    @classmethod
    def cad(cls, *, name: str = "cad", **values: Any) -> Body:
        """Data from a CAD program: mass, com, principal moments and axes, or the inertia about the CoM."""
        return cls(name, cad(**values))

    # Composition.

    def __add__(self, other: Body) -> Body:
        return self._with(1, other) if isinstance(cast(Any, other), Body) else NotImplemented

    def __radd__(self, other: int) -> Body:
        """`sum` of bodies begins with 0."""
        return self if other == 0 and isinstance(cast(Any, other), int) else NotImplemented

    def __sub__(self, other: Body) -> Body:
        return self._with(-1, other) if isinstance(cast(Any, other), Body) else NotImplemented

    def __repr__(self) -> str:
        if not isinstance(self.content, Parts):
            what = "mesh" if isinstance(self.content, Mesh) else "CAD data"
            return f"<Body {self.name}: {self.content.shape if isinstance(self.content, Solid) else what}>"
        parts = sum(sign > 0 for sign, _ in self.content.signed)
        holes = len(self.content.signed) - parts
        more = f", {holes} hole{'s' * (holes != 1)}" if holes else ""
        return f"<Body {self.name}: {parts} part{'s' * (parts != 1)}{more}>"

    def _with(self, sign: int, other: Body) -> Body:
        loose = self.name == SUM and self.placement == IDENTITY and not self.overlap_allowed
        parts = self.content.signed if loose and isinstance(self.content, Parts) else ((1, self),)
        if len(parts) >= MAX_PARTS:
            raise ArgumentError(f"a body has at most {MAX_PARTS} parts")
        return Body(SUM, Parts((*parts, (sign, other))))

    def at(self, placement: Any) -> Body:
        """This body moved: a chain such as "Tx(0.4) Rx(pi/4)", or an offset [x, y, z]."""
        return replace(self, placement=Placement.of(placement) * self.placement)

    def named(self, name: str) -> Body:
        """This body under a name, which tables and errors show; a named body stays one part of a sum."""
        return replace(self, name=name)

    def allowing_overlap(self) -> Body:
        """This body, whose parts may overlap and whose holes may lie anywhere; a sum with it is checked again."""
        return replace(self, overlap_allowed=True)

    def with_values(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Body:
        """This body with values for symbols; other symbols stay."""
        return self.substituted({k: as_expression(v, k) for k, v in {**(values or {}), **more}.items()})

    def substituted(self, values: Mapping[str, Expression]) -> Body:
        """This body with expressions for symbols."""
        if isinstance(self.content, Parts):
            content: Any = Parts(tuple((sign, part.substituted(values)) for sign, part in self.content.signed))
        else:
            content = self.content.substituted(values)
        steps = tuple(Step(s.kind, s.axis, substitute(s.amount, values)) for s in self.placement.steps)
        return replace(self, content=content, placement=Placement(steps))

    # Questions.

    def depth(self) -> int:
        """How deep parts stand in parts; 0 for a solid."""
        return 1 + max(part.depth() for _, part in self.content.signed) if isinstance(self.content, Parts) else 0

    def leaves(self) -> Iterator[tuple[int, Body, Placement]]:
        """Every solid with its sign and its placement in the whole."""
        if not isinstance(self.content, Parts):
            yield 1, self, self.placement
            return
        for sign, part in self.content.signed:
            for inner, leaf, placement in part.leaves():
                yield sign * inner, leaf, self.placement * placement

    def parameters(self) -> frozenset[str]:
        """The symbols that have no value."""
        values = [leaf.content.parameters() for _, leaf, _ in self.leaves() if not isinstance(leaf.content, Parts)]
        placements = [placement.parameters() for _, _, placement in self.leaves()]
        return frozenset[str]().union(*values, *placements)

    def pieces(self, scalars: Scalars[S]) -> list[Piece[S]]:
        """Every solid's mass, CoM and inertia about it, in the axes of the whole, as scalars of a scalars."""
        pieces: list[Piece[S]] = []
        for sign, leaf, placement in self.leaves():
            assert not isinstance(leaf.content, Parts)
            part = piece(leaf.content.inertial, scalars)
            pieces.append((part.moved(*placement.evaluate(scalars)) if placement.steps else part).signed(sign))
        return pieces

    def composites(self) -> Iterator[Body]:
        """Every body that has parts, the innermost first."""
        if isinstance(self.content, Parts):
            for _, part in self.content.signed:
                yield from part.composites()
            yield self

    def fit(self) -> Fit:
        """How parts and holes fit together, at every depth where overlaps are not allowed."""
        if self.overlap_allowed or not isinstance(self.content, Parts):
            return Fit()
        levels = [*(part.fit() for _, part in self.content.signed), self.content.fit]
        unchecked = dict.fromkeys(sentence for level in levels for sentence in level.unchecked)
        return Fit(tuple(problem for level in levels for problem in level.problems), tuple(unchecked))

    def check(self) -> tuple[str, ...]:
        """Raise a ModelError if no such body can exist; else return sentences on what was not checked.

        Masses and moments need numbers; whether parts overlap needs numbers for sizes and places.
        """
        for body in self.composites():
            if not body.parameters():
                _require_mass(body.name, body.pieces(Floats({})))
        fit = self.fit()
        for first in fit.problems:
            more = f" (and {len(fit.problems) - 1} more)" if len(fit.problems) > 1 else ""
            raise ModelError(f"{first.sentence}{more}", link=first.part)
        for body in self.composites():
            if not body.parameters():
                _require_moments(body.name, body._sums().inertia)
        return fit.unchecked

    def properties(self) -> MassProperties:
        """Mass, CoM and inertia in numbers, of a body that can exist; raises for symbols without a value."""
        if missing := sorted(self.parameters()):
            raise ArgumentError(
                f'body "{self.name}" has no value for {", ".join(missing)}; give it under [values] in the file, or '
                f"{option('values', f'{missing[0]}=...', 'body.with_values')}"
            )
        return replace(self._sums(), notes=self.check())

    def _sums(self) -> MassProperties:
        scalars = Floats({})
        pieces = self.pieces(scalars)
        _require_mass(self.name, pieces)
        mass = total_mass(pieces, scalars)
        com = Vector(*(entry / mass for entry in first_moment(pieces, scalars)))
        inertia = np.array([list(row) for row in inertia_about(pieces, com, scalars)])
        if mass < LEAST_MASS or not np.isfinite([mass, *com, *(inertia / mass).ravel()]).all():
            raise ModelError(
                f'body "{self.name}": its mass ({mass:.4g} kg) or its sizes are too large or too small to compute with',
                link=self.name,
            )
        inertia[np.abs(inertia) < 1e-15 * np.abs(inertia).max()] = 0.0
        error = error_of(pieces, [_error(leaf) for _, leaf, _ in self.leaves()], mass, com)
        centre = np.array([*com])
        centre[np.abs(centre) < 1e-15 * (np.abs(centre).max() + np.sqrt(abs(np.trace(inertia)) / mass))] = 0.0
        return MassProperties(mass, centre + 0.0, (inertia + inertia.T) / 2 + 0.0, relative(error, mass, inertia))

    def link_values(self) -> tuple[Expression, tuple[Expression, Expression, Expression], Inertia]:
        """(mass, com, inertia) for a Link: symbols stay symbols; decimals are exact where possible.

        With symbols the inertia is about the origin, where it is a sum without quotients.
        """
        if not self.parameters():
            return self._numbers()
        self.check()
        scalars = Polynomials()
        pieces = self.pieces(scalars)
        mass, first = total_mass(pieces, scalars), first_moment(pieces, scalars)
        zero = scalars.zero
        tensor = inertia_about(pieces, Vector(zero, zero, zero), scalars)
        x, y, z = (_as_read(_quotient(entry, mass)) for entry in first)
        rows: Any = [[_as_read(entry.expression()) for entry in row] for row in tensor]
        return _as_read(mass.expression()), (x, y, z), Inertia(rows, about="origin")

    def _numbers(self) -> tuple[Expression, tuple[Expression, Expression, Expression], Inertia]:
        """Exact decimals and fractions where neither pi nor a root is in them, else floats."""
        properties = self.properties()
        scalars = Polynomials()
        pieces = self.pieces(scalars)
        mass, first = total_mass(pieces, scalars), first_moment(pieces, scalars)
        com = Vector(*(entry / mass for entry in first))
        exact = [mass, *com, *(entry for row in inertia_about(pieces, com, scalars) for entry in row)]
        values: list[Expression] = []
        for entry, value in zip(exact, [properties.mass, *properties.com, *properties.inertia.ravel()], strict=True):
            values.append(entry.expression() if _is_short(entry) else as_expression(float(value)))
        rows: Any = [values[4:7], values[7:10], values[10:13]]
        return values[0], (values[1], values[2], values[3]), Inertia(rows, about="com")


def _require_mass(name: str, pieces: list[Piece[float]]) -> None:
    mass, every = total_mass(pieces, Floats({})), sum(part.mass for part in pieces)
    if mass <= 1e-12 * every:
        holes = sum(part.mass for part in pieces if part.sign < 0)
        if not holes:
            raise ModelError(f'body "{name}" has the mass {every:.4g}; a mass is > 0', link=name)
        raise ModelError(
            f'body "{name}" has the mass {0.0 if abs(mass) <= 1e-12 * every else mass:.4g}: its holes take '
            f"{holes:.4g} kg away from {every - holes:.4g} kg; a mass is > 0, so a hole is larger or denser than its "
            "body",
            link=name,
        )


def _require_moments(name: str, inertia: NDArray[np.float64]) -> None:
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] < -1e-9 * np.abs(moments).max():
        raise ModelError(
            f'body "{name}" has the principal moment {moments[0]:.4g} kg m^2; a moment is >= 0, so a hole '
            "takes away mass where its body has none",
            link=name,
        )


def _quotient(above: Polynomial, below: Polynomial) -> Expression:
    """Over one denominator where that is a sum."""
    return (above / below).expression() if len(below.terms) == 1 else above.expression() / below.expression()


def _as_read(expression: Expression) -> Expression:
    """The tree that a file with this formula gives; a formula too long for a file stays as it is."""
    try:
        return parse(str(expression))
    except ExpressionError:
        return expression


def _is_short(value: Polynomial) -> bool:
    """A rational number that a person would write."""
    number = value.terms.get((), Fraction(0))
    return set(value.terms) <= {()} and number.denominator < 10**18


def _error(leaf: Body) -> Error:
    return Error() if isinstance(leaf.content, Parts) else leaf.content.inertial.error
