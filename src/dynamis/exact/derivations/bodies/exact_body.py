"""A body in symbols: mass, CoM and inertia as exact scalars, which print as a textbook prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.expression import ONE, ZERO, Expression
from dynamis.exact.closed_form.exact_robot import exact_scalars
from dynamis.model.bodies.body import Body, Parts
from dynamis.model.bodies.composite import euler_matrix, first_moment, inertia_about, total_mass
from dynamis.model.link import Joint, Link
from dynamis.model.placement import Placement, Step, triple
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Document, Equation
from dynamis.telling.notation.latex import latex
from dynamis.telling.notation.text import text

DEFAULT_SECONDS = 60.0


@dataclass(frozen=True)
class ExactBody(Displayable):
    """Mass, CoM, inertia about the CoM and Euler matrix of a body, exactly.

    >>> print(exact_body(Body.cylinder("r", "h", mass="m")).text())
    m = m
    c = (0, 0, 0)
    I =
    │ 1/12 m (3 r² + h²)   0                    0        │
    │ 0                    1/12 m (3 r² + h²)   0        │
    │ 0                    0                    1/2 m r² │
    """

    name: str
    scalars: ExactScalars
    mass: Exact
    com: Vector[Exact]
    inertia: Matrix[Exact]
    body: Body

    @property
    def euler_matrix(self) -> Matrix[Exact]:
        """J_c = integral of r r^T dm about the CoM."""
        return euler_matrix(self.inertia, self.scalars)

    def about(self, point: Any) -> Matrix[Exact]:
        """The inertia about a point of three values; its symbols are those of the body and of `more`."""
        at = Vector(*(evaluate(entry, self.scalars) for entry in triple(point, "point")))
        return inertia_about(self.body.pieces(self.scalars), at, self.scalars)

    def document(self) -> Document:
        """Mass, CoM and inertia as formulas."""
        inertia = [list(row) for row in self.inertia]
        parts = (s.mass, self.mass), (s.com, list(self.com)), (s.inertia, inertia)
        return Document("", tuple(Equation(symbol, value) for symbol, value in parts), ring=self.scalars.ring)

    def text(self) -> str:
        """Formulas for a terminal."""
        com = ", ".join(text(entry) for entry in self.com)
        return f"m = {text(self.mass)}\nc = ({com})\nI =\n{text([list(row) for row in self.inertia])}"

    def latex(self) -> str:
        """The inertia about the CoM as LaTeX."""
        return latex([list(row) for row in self.inertia])


def exact_body(body: Body, seconds: float = DEFAULT_SECONDS, more: Iterable[Expression] = ()) -> ExactBody:
    """The body in symbols; what has a value is an exact number, and pi stays pi.

    `more` are expressions whose symbols may be asked about too, such as a point for `about`.
    """
    if not isinstance(body, Body):  # type: ignore[redundant-expr]
        raise ArgumentError(f"body must be a dynamis.Body, such as load_body gives, got {literal(body)}", key="body")
    body.check()
    scalars = scalars_of(body, more, seconds)
    pieces = body.pieces(scalars)
    mass = total_mass(pieces, scalars)
    com = Vector(*(entry / mass for entry in first_moment(pieces, scalars)))
    return ExactBody(body.name, scalars, mass, com, inertia_about(pieces, com, scalars), body)


def scalars_of(
    body: Body,
    more: Iterable[Expression] = (),
    seconds: float = DEFAULT_SECONDS,
    also: Sequence[Body] = (),
) -> ExactScalars:
    """The exact scalars that a body needs: those of a robot whose frames have all its values as lengths.

    `also`: other bodies that need them too, with the same placements.
    """
    values: list[Expression] = [*more]
    placements = [placement for _, _, placement in body.leaves()]
    for composite in (part for whole in (body, *also) for part in _composites(whole)):
        total = ZERO
        for sign, leaf, _ in composite.leaves():
            assert not isinstance(leaf.content, Parts)
            data = leaf.content.inertial
            values += [data.mass, *data.com, *(entry for row in data.inertia for entry in row)]
            total = total + data.mass if sign > 0 else total - data.mass
        values.append(ONE / total if total != ZERO else ONE)
    lengths = Placement(tuple(Step("T", "x", value) for value in values))
    frames = [Frame(f"frame {k}", "base", placement) for k, placement in enumerate((lengths, *placements))]
    names = frozenset[str]().union(*(frame.placement.parameters() for frame in frames))
    carrier = RobotModel(
        "body",
        (Link("body", Joint("fixed", "fixed")),),
        gravity=(ZERO, ZERO, ZERO),
        frames=tuple(frames),
        parameters=dict.fromkeys(names, ""),
    )
    return exact_scalars(carrier, seconds=seconds)


def _composites(body: Body) -> list[Body]:
    bodies = [body]
    if isinstance(body.content, Parts):
        for _, part in body.content.signed:
            bodies += _composites(part)
    return bodies
