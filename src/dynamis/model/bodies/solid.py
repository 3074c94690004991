"""One solid: a shape with its sizes, and a mass or a density."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dynamis.base.errors import ArgumentError, ModelError, UnknownNameError, literal
from dynamis.base.expressions.expression import Expression, substitute
from dynamis.base.expressions.parser import as_expression
from dynamis.model.bodies.density import as_number, density_of, varies, with_density
from dynamis.model.bodies.polynomial import Polynomials, is_negative
from dynamis.model.bodies.shapes import SHAPES, Inertial, Shape, size_of, uniform
from dynamis.model.placement import entries_of, triple
from dynamis.scalars.floats import number
from dynamis.scalars.scalars import evaluate

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Solid:
    """A solid of SHAPES: `sizes` gives the symbols of its formulas values; either `mass` or `density`."""

    shape: str
    sizes: tuple[tuple[str, Expression], ...]
    mass: Expression | None = None
    density: Expression | None = None
    axis: str = "z"

    @property
    def kind(self) -> Shape:
        """The shape with its formulas."""
        return SHAPES[self.shape]

    @cached_property
    def volume(self) -> Expression | None:
        """The volume [m^3]; None for what is thin."""
        if self.kind.unit != "kg/m^3":
            return None
        volume = size_of(self.kind, dict(self.sizes))
        if self.shape != "tetrahedron":
            return volume
        # The corners may be counted either way round.
        return -volume if is_negative(evaluate(volume, Polynomials())) else volume

    @cached_property
    def inertial(self) -> Inertial:
        """Mass, CoM and inertia about the CoM in the solid's own axes."""
        sizes = dict(self.sizes)
        if self.mass is not None:
            return uniform(self.kind, sizes, self.mass, self.axis)
        assert self.density is not None
        if varies(self.density):
            return with_density(self.kind, sizes, self.density, self.axis)
        size = self.volume if self.volume is not None else size_of(self.kind, sizes)
        return uniform(self.kind, sizes, self.density * size, self.axis)

    def parameters(self) -> frozenset[str]:
        """The symbols that have no value."""
        sizes = frozenset[str]().union(*(value.parameters() for _, value in self.sizes))
        if self.mass is not None:
            return sizes | self.mass.parameters()
        assert self.density is not None
        return sizes | (self.density.parameters() - {*AXES})

    def substituted(self, values: Mapping[str, Expression]) -> Solid:
        """With values for symbols; x, y and z in a density stay coordinates."""
        inside = {name: value for name, value in values.items() if name not in AXES}
        density = None if self.density is None else as_number(substitute(self.density, inside))
        mass = None if self.mass is None else substitute(self.mass, values)
        changed = tuple((name, substitute(value, values)) for name, value in self.sizes)
        return check_solid(replace(self, sizes=changed, mass=mass, density=density))


def solid(shape: str, *, mass: Any = None, density: Any = None, axis: str = "z", **sizes: Any) -> Solid:
    """A solid from the words of a file; everything is a number or an expression.

    >>> str(solid("cylinder", radius="r", height="h", mass="m").inertial.inertia[0][0])
    'm*(3*r^2 + h^2)/12'
    """
    if shape not in SHAPES:
        raise UnknownNameError("shape", shape, SHAPES, key="shape")
    kind = SHAPES[shape]
    for key in sizes:
        if key not in kind.keys:
            raise UnknownNameError("key", key, (*kind.keys, "mass", "density"), within=f"a {shape}", key=key)
    values: list[tuple[str, Expression]] = []
    for key, symbols in kind.keys.items():
        if key not in sizes:
            note = f" ({kind.meaning})" if kind.meaning else ""
            raise ArgumentError(f"a {shape} has no {key}, which is required{note}", key=None)
        values += _sizes(shape, key, symbols, sizes[key])
    if axis not in AXES:
        raise UnknownNameError("axis", axis, AXES, key="axis")
    if axis != "z" and not kind.about_an_axis:
        raise ArgumentError(f"a {shape} has no axis; turn it with a placement such as Rx(pi/2)", key="axis")
    return check_solid(Solid(shape, tuple(values), *_mass_or_density(kind, mass, density), axis))


def _sizes(shape: str, key: str, symbols: tuple[str, ...], value: Any) -> list[tuple[str, Expression]]:
    if key == "vertices":
        corners = entries_of(value)
        if corners is None or len(corners) != 4:
            raise ArgumentError(f"vertices must be four corners [x, y, z], got {literal(value)}", key=key)
        points = [triple(corner, "a corner of vertices") for corner in corners]
        return [(f"{p}{axis}", v) for p, point in zip(symbols, points, strict=True)
                for axis, v in zip(AXES, point, strict=True)]  # fmt: skip
    if len(symbols) == 1:
        return [(symbols[0], as_expression(value, key))]
    entries = entries_of(value)
    if entries is None or len(entries) != len(symbols):
        sides = "[x, y, z]" if len(symbols) == 3 else "[a, b]"
        raise ArgumentError(f"{key} of a {shape} must be {len(symbols)} values {sides}, got {literal(value)}", key=key)
    return [(symbol, as_expression(entry, key)) for symbol, entry in zip(symbols, entries, strict=True)]


def _mass_or_density(kind: Shape, mass: Any, density: Any) -> tuple[Expression | None, Expression | None]:
    if mass is not None and density is not None:
        raise ArgumentError(f"a {kind.name} has mass and density; give one of them", key="density")
    if density is not None and not kind.unit:
        raise ArgumentError(f"a {kind.name} has no volume, so it has no density; give its mass", key="density")
    if mass is None and density is None:
        unit = f" or a density [{kind.unit}]" if kind.unit else ""
        raise ArgumentError(f"a {kind.name} has no mass; give a mass [kg]{unit}")
    if mass is None:
        return None, density_of(density)
    return as_expression(mass, "mass"), None


def check_solid(solid: Solid) -> Solid:
    """The solid, if its sizes can be: lengths > 0, the inner less than the outer, mass and density > 0."""
    kind, sizes = solid.kind, dict(solid.sizes)
    for key, symbols in kind.keys.items():
        may_be_zero = key == "inner_radius" or (solid.shape, key) == ("capsule", "height")
        for symbol in symbols if key != "vertices" else ():
            value = number(sizes[symbol], {})
            if value is not None and (value < 0 or (value == 0 and not may_be_zero)):
                allowed = ">= 0" if may_be_zero else "> 0"
                raise ModelError(f"{key} of a {solid.shape} must be {allowed}, got {value:g}", key=key)
    for large, small in kind.above:
        outer, inner = number(sizes[large], {}), number(sizes[small], {})
        if outer is not None and inner is not None and inner >= outer:
            raise ModelError(
                f"inner_radius of a {solid.shape} must be less than its radius {outer:g}, got {inner:g}",
                key="inner_radius",
            )
    if solid.shape == "tetrahedron" and number(size_of(kind, sizes), {}) == 0:
        raise ModelError("the four vertices of a tetrahedron lie in a plane; its volume is > 0", key="vertices")
    for key, value in (("mass", solid.mass), ("density", solid.density)):
        amount = None if value is None or varies(value) else number(value, {})
        if amount is not None and amount <= 0:
            hint = "; a hole is a part of its own, taken away" if amount < 0 else ""
            raise ModelError(f"{key} of a {solid.shape} must be > 0, got {amount:g}{hint}", key=key)
    return solid
