"""A solid by integrals over its density: mass, CoM, inertia, and the kinetic energy by Koenig's theorem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from dynamis.exact.derivations.bodies.digits import Figures
from dynamis.model.bodies.body import Body
from dynamis.model.bodies.composite import Piece
from dynamis.model.bodies.density import varies
from dynamis.model.bodies.solid import Solid
from dynamis.scalars.scalars import evaluate
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    COMMA,
    CROSS,
    DOT,
    EQUALS,
    HALF_OF,
    MINUS,
    ONE,
    PLUS,
    Formula,
    Frac,
    Group,
    Integral,
    Sym,
    Val,
    Word,
)

AXES = (Sym("x"), Sym("y"), Sym("z"))
INTEGRAL, DM = Integral(), Word("dm")
BOX = (Word("dx"), Word("dy"), Word("dz"))
_INERTIA, _EULER = replace(s.inertia, bold=False), replace(s.euler, bold=False)


def integrals(body: Body, f: Figures, own: Piece[Any]) -> Iterator[Part]:
    """m, the CoM and the six entries of the inertia about it, each with its integral."""
    content = body.content
    assert isinstance(content, Solid)
    element: Formula = (DM,)
    ways: tuple[Formula, ...] = () if content.density is None else ((INTEGRAL, DM),)
    if content.density is not None and not varies(content.density) and content.volume is not None:
        density, volume = (f.scalar(evaluate(e, f.scalars)) for e in (content.density, content.volume))
        element = (Val(density), *BOX)
        ways = (*ways, (INTEGRAL, *element), (Val(density), Group((Val(volume),))))
    yield Words("All integrals are over the body.")
    yield Equation(s.mass, f.scalar(own.mass), ways)
    yield Equation(s.com, f.vector(own.com), ((Frac((ONE,), (s.mass,)), INTEGRAL, s.element, DM),))
    yield Words("With x, y and z from the CoM:")
    entries = f.matrix(own.inertia)
    for i, axis in enumerate(AXES):
        first, second = (other for other in AXES if other != axis)
        arm = Group((first.to(2), PLUS, second.to(2)))
        yield Equation(_INERTIA.at(axis.letter * 2), entries[i][i], ((INTEGRAL, arm, *element),))
    for i, j in combinations(range(3), 2):
        a, b = AXES[i], AXES[j]
        yield Equation(_INERTIA.at(a.letter + b.letter), entries[i][j], ((MINUS, INTEGRAL, a, b, *element),))


def kinetic_energy() -> Iterator[Part]:
    """Koenig's theorem, and the entries of the Euler matrix and of the inertia in it."""
    r, v, vc, w, m, J = s.element, s.v, s.v.at("c"), s.omega, s.mass, s.euler.at("c")
    S = (s.skew, Group((w,)))
    moving = (*HALF_OF, m, vc, DOT, vc)
    yield Words(("The velocity of a point at ", (r,), " from the CoM, with the skew-symmetric matrix ", S, ":"))
    yield Rule((v, EQUALS, vc, PLUS, w, CROSS, r, EQUALS, vc, PLUS, *S, r))
    yield Words(("In the kinetic energy, dot products are traces, ", (Sym("a", bold=True), DOT, Sym("b", bold=True),
                 EQUALS, Sym("trace"), Group((Sym("a", bold=True), Sym("b", bold=True).T))), ":"))  # fmt: skip
    turned: Formula = (*S, r, r.T, s.skew.T, Group((w,)))
    yield Rule((s.T, EQUALS, *HALF_OF, INTEGRAL, v, DOT, v, DM))
    rest: Formula = (*HALF_OF, INTEGRAL, Sym("trace"), Group(turned), DM)
    yield Rule((s.T, EQUALS, *moving, PLUS, vc, DOT, *S, INTEGRAL, r, DM, PLUS, *rest))
    yield Words(("The integral of ", (r, DM), " about the CoM is zero. What remains is Koenig's theorem:"))
    yield Rule((s.T, EQUALS, *moving, PLUS, *HALF_OF, Sym("trace"), Group((*S, J, s.skew.T, Group((w,))))))
    yield Words(("with the Euler matrix ", (J, EQUALS, INTEGRAL, r, r.T, DM), ":"))
    yield from _entries(_EULER, lambda a, b: (INTEGRAL, *((a.to(2),) if a == b else (a, b)), DM))
    yield Words(("The trace is a quadratic form of ", (w,), ". Its entries are those of the inertia,"))
    yield from _entries(_INERTIA, _from_euler)
    yield Words("so that")
    yield Rule((s.T, EQUALS, *moving, PLUS, *HALF_OF, w, DOT, s.inertia.at("c"), w))


def _from_euler(a: Sym, b: Sym) -> Formula:
    if a != b:
        return MINUS, _entry(_EULER, a, b)
    first, second = (axis for axis in AXES if axis != a)
    return _entry(_EULER, first, first), PLUS, _entry(_EULER, second, second)


def _entries(tensor: Sym, right: Callable[[Sym, Sym], Formula]) -> Iterator[Rule]:
    """The diagonal in one line, then the rest."""
    for pairs in [(a, a) for a in AXES], list(combinations(AXES, 2)):
        formulas = [(_entry(tensor, a, b), EQUALS, *right(a, b)) for a, b in pairs]
        yield Rule((*formulas[0], COMMA, *formulas[1], COMMA, *formulas[2]))


def _entry(tensor: Sym, a: Sym, b: Sym) -> Sym:
    return tensor.at(a.letter + b.letter)
