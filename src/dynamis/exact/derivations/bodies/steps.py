"""The shown work: each part about its own CoM, turned, moved, added up (Xu, section III), as a derivation.

Part i has the mass m_i, its CoM at c_i and the inertia I_i about it in its own axes; A_i = R_i I_i R_i^T is in the
axes of the whole, S_i = m_i (d_i.d_i 1 - d_i d_i^T) is the parallel-axis term with d_i = c_i - c.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamis.base.errors import ModelError
from dynamis.base.expressions.expression import Expression
from dynamis.exact.derivations.bodies.digits import RELATIVE_NOISE, Figures, figures
from dynamis.exact.derivations.bodies.integrals import integrals, kinetic_energy
from dynamis.exact.derivations.bodies.masses import part_number
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.proof.laws import TRACE_FORM
from dynamis.model.bodies.body import Body, Parts
from dynamis.model.bodies.cad_body import CadBody
from dynamis.model.bodies.composite import Piece, euler_matrix, first_moment, inertia_about, total_mass, trace_form
from dynamis.model.bodies.density import varies
from dynamis.model.bodies.mass_properties import MassProperties
from dynamis.model.bodies.mesh import Mesh
from dynamis.model.bodies.solid import Solid
from dynamis.model.inertia import parallel_axis
from dynamis.model.placement import triple
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Section, Table, Words
from dynamis.telling.formula import DOT, EQUALS, MINUS, ONE, PLUS, Formula, Frac, Group, Prose, Sym, Val

# Terms in a row of a matrix above which its entries are written one by one.
MOST_IN_A_ROW = 4


@dataclass(frozen=True)
class _Summed:
    """A part as a page knows it: its number, its body, and its piece in its own frame."""

    index: str
    sign: int
    body: Body
    own: Piece[Any]


def body_page(body: Body, point: Any = None, steps: bool = False, digits: int = 6) -> Derivation:
    """Mass, CoM, inertia about the CoM and about `point` (else the origin), principal axes and Euler matrix."""
    about: Sequence[Expression] = () if point is None else triple(point, "point")
    if steps and body.placement.steps:
        # Where it stands is a step too.
        body = Body(body.name, Parts(((1, body),)))
    f = figures(body, about, digits)
    sections: list[Section] = []
    whole = _whole(body, f, "", sections if steps else [])
    result = tuple(_result(body, f, whole, about))
    if not steps:
        mass, *rest = result[1:]
        result = (result[0], mass, *_masses_in(rest, f), *rest)
    sections.append(Section("Result", result))
    return Derivation(f"Inertia of {body.name}", f.ring, tuple(sections))


def _whole(body: Body, f: Figures, index: str, sections: list[Section]) -> Piece[Any]:
    """The piece of a body in its own frame; the steps to it go to `sections`."""
    if not isinstance(body.content, Parts):
        own = f.piece(body, index)
        if not index:
            by_integrals = isinstance(body.content, Solid)
            blocks = (Words(describe(body)), *integrals(body, f, own)) if by_integrals else _solid(body, f, own, "")
            sections.append(Section("The solid", tuple(blocks)))
            sections += [Section("Kinetic energy", tuple(kinetic_energy()))] if by_integrals else []
        return own
    children: list[_Summed] = []
    for k, (sign, part) in enumerate(body.content.signed):
        number = part_number(k, index)
        children.append(_Summed(number, sign, part, _whole(part, f, number, sections)))
    return _sum(body, f, index, children, sections)


def _sum(body: Body, f: Figures, index: str, children: list[_Summed], sections: list[Section]) -> Piece[Any]:
    placed = [
        c.own.moved(*c.body.placement.evaluate(f.scalars)).signed(c.sign) if c.body.placement.steps
        else c.own.signed(c.sign)
        for c in children
    ]  # fmt: skip
    scalars = f.scalars
    mass = total_mass(placed, scalars)
    if not mass:
        raise ModelError(f'body "{body.name}" has the mass 0; a mass is > 0')
    com = Vector(*(entry / mass for entry in first_moment(placed, scalars)))
    inertia = inertia_about(placed, com, scalars)
    name = f'part {index}, "{body.name}"' if index else f'"{body.name}"'
    sections.append(Section(f"Centre of mass of {name}", tuple(_centre(f, index, children, placed, mass, com))))
    for child, at in zip(children, placed, strict=True):
        title = f'{"Hole" if child.sign < 0 else "Part"} {child.index}, "{child.body.name}"'
        sections.append(Section(title, tuple(_part(child, at, com, index, f))))
    away = [any(f.vector(at.com - com, _reach([at]))) for at in placed]
    sections.append(Section(f"Sum of {name}", tuple(_total(f, index, children, away, inertia))))
    return Piece(1, mass, com, inertia)


def _centre(
    f: Figures, index: str, children: list[_Summed], placed: list[Piece[Any]], mass: Any, com: Vector[Any]
) -> Iterator[Part]:
    rows: list[tuple[Prose, ...]] = []
    size = _reach(placed)
    for child, at in zip(children, placed, strict=True):
        sign = "taken away" if child.sign < 0 else "added"
        place = tuple((Val(entry),) for entry in f.vector(at.com, size))
        rows.append(((child.index,), (child.body.name,), (sign,), ((Val(f.scalar(at.mass)),),), *((e,) for e in place)))
    yield Table(("part", "name", "", "mass [kg]", "x [m]", "y [m]", "z [m]"), tuple(rows))
    m = s.mass.at(index)
    yield Equation(m, f.scalar(mass), (_signed_sum([(c.sign, (s.mass.at(c.index),)) for c in children]),))
    above = _signed_sum([(c.sign, (s.mass.at(c.index), s.com.at(c.index))) for c in children])
    yield Equation(s.com.at(index), f.vector(com, size), ((Frac((ONE,), (m,)), Group(above)),))


def _part(child: _Summed, at: Piece[Any], com: Vector[Any], index: str, f: Figures) -> Iterator[Part]:
    """I_i, A_i, S_i of one part."""
    i, body = child.index, child.body
    yield from _solid(body, f, child.own, i)
    if body.placement.rotates():
        R, _ = body.placement.evaluate(f.scalars)
        yield Equation(s.R.at(i), f.matrix(R))
        rule: Formula = (s.R.at(i), s.inertia.at(i), s.R.at(i).T)
        yield from _matrix(s.A.at(i), f.matrix(at.inertia), rule)
    d = at.com - com
    shown = f.vector(d, _reach([at]))
    if not any(shown):
        yield Words("Its CoM is that of the whole, so that nothing is added for its distance.")
        return
    yield Equation(s.distance.at(i), shown, ((s.com.at(i), MINUS, s.com.at(index)),))
    rule = _parallel_axis(s.mass.at(i), s.distance.at(i))
    yield from _matrix(s.S.at(i), f.matrix(parallel_axis(at.mass, d, f.scalars)), rule)


def _solid(body: Body, f: Figures, own: Piece[Any], index: str) -> Iterator[Part]:
    """What a part is, its mass, and its inertia about its own CoM in its own axes."""
    if isinstance(body.content, Parts):
        yield Words(f"Made of {len(body.content.signed)} parts and holes, summed above.")
    else:
        yield Words(describe(body))
    yield Equation(s.mass.at(index), f.scalar(own.mass), _mass_rule(body, f))
    yield from _matrix(s.inertia.at(index), f.matrix(own.inertia))


def _mass_rule(body: Body, f: Figures) -> tuple[Formula, ...]:
    """density times volume, where that is how the mass came about."""
    content = body.content
    if not isinstance(content, Solid) or content.density is None or varies(content.density) or content.volume is None:
        return ()
    density, volume = (f.scalar(evaluate(e, f.scalars)) for e in (content.density, content.volume))
    return ((s.rho, s.V), (Val(density), Group((Val(volume),))))


def describe(body: Body) -> str:
    """A solid in words: its shape, its sizes, where its mass comes from."""
    content = body.content
    if isinstance(content, CadBody):
        return "Data from CAD: mass, CoM and inertia as given."
    if isinstance(content, Mesh):
        mended = f"; repaired: {', '.join(content.repaired)}" if content.repaired else ""
        return f"Mesh {content.source}: {len(content.faces)} faces, volume {content.volume:.6g} m^3{mended}."
    assert isinstance(content, Solid)
    values = dict(content.sizes)
    sizes: list[str] = []
    for key, letters in content.kind.keys.items():
        if key == "vertices":
            sizes.append("four corners")
        else:
            sizes.append(f"{key.replace('_', ' ')} {' x '.join(str(values[letter]) for letter in letters)}")
    axis = f", axis {content.axis}" if content.kind.about_an_axis else ""
    what = f"{content.shape.replace('-', ' ').capitalize()}{axis}{''.join(f', {size}' for size in sizes)}"
    if content.density is None:
        return f"{what}."
    if not varies(content.density):
        return f"{what}, density {content.density} {content.kind.unit}."
    error = 0.0 if body.parameters() else body.properties().error
    how = f"by cubature, estimated relative error {error:.1g}" if error else "exactly"
    return f"{what}, density {content.density} {content.kind.unit}, integrated {how}."


def _total(f: Figures, index: str, children: list[_Summed], away: list[bool], inertia: Matrix[Any]) -> Iterator[Part]:
    parts: list[tuple[int, Formula]] = []
    for child, moved in zip(children, away, strict=True):
        turned = (s.A if child.body.placement.rotates() else s.inertia).at(child.index)
        both: Formula = (Group((turned, PLUS, s.S.at(child.index))),)
        parts.append((child.sign, both if moved else (turned,)))
    yield from _matrix(s.inertia.at(index or "c"), f.matrix(inertia), _signed_sum(parts))


def _result(body: Body, f: Figures, whole: Piece[Any], about: Sequence[Expression]) -> Iterator[Part]:
    """The whole in the frame of the file: its own placement included."""
    R, p = body.placement.evaluate(f.scalars)
    piece = whole.moved(R, p) if body.placement.steps else whole
    yield Words("Mass [kg], centre of mass [m], inertia [kg m^2] about it, in the axes of the body's frame.")
    yield Equation(s.mass, f.scalar(piece.mass))
    yield Equation(s.com, f.vector(piece.com, _reach([piece])))
    yield from _matrix(s.inertia.at("c"), f.matrix(piece.inertia))
    zero = evaluate(triple([0, 0, 0], "point")[0], f.scalars)
    point = Vector(*(evaluate(entry, f.scalars) for entry in about)) if about else Vector(zero, zero, zero)
    where = f"({', '.join(map(str, about))})" if about else "the origin"
    if not any(f.vector(piece.com - point, _reach([piece]))):
        yield Words(f"The CoM is {where if about else 'the origin'}.")
    else:
        where_d: Prose = (" with ", (s.distance, EQUALS, s.com, MINUS, s.point)) if about else ()
        yield Words((f"About {where}, by the parallel-axis theorem", *where_d, ":"))
        left, d = (s.inertia.at("P"), s.distance) if about else (s.inertia.at("O"), s.com)
        rule = (s.inertia.at("c"), PLUS, *_parallel_axis(s.mass, d))
        yield from _matrix(left, f.matrix(inertia_about([piece], point, f.scalars)), rule)
    yield Words(("Euler matrix, the integral of ", (s.element, s.element.T), " dm about the CoM:"))
    J = s.euler.at("c")
    yield Rule((s.inertia.at("c"), EQUALS, Sym("trace"), Group((J,)), ONE, MINUS, J))
    yield from _matrix(J, f.matrix(euler_matrix(piece.inertia, f.scalars)))
    yield from _trace_form(f, piece.inertia)
    yield from _principal(f, piece)


def _masses_in(blocks: Sequence[Part], f: Figures) -> Iterator[Part]:
    """The masses of the parts that stand in these blocks."""
    equations = [block for block in blocks if isinstance(block, Equation)]
    used = {str(symbol) for equation in equations for symbol in _symbols(equation.right)}
    for number, (name, mass) in f.masses.items():
        if number and name in used and name != "m":
            yield Equation(s.mass.at(number), f.scalar(evaluate(mass, f.scalars)))


def _symbols(value: Any) -> frozenset[Any]:
    """The symbols of a value: of a scalar, a vector or a matrix."""
    if value is None:
        return frozenset()
    return value.symbols() if isinstance(value, Exact) else frozenset[Any]().union(*map(_symbols, value))


def _trace_form(f: Figures, inertia: Matrix[Any]) -> Iterator[Part]:
    """1/2 trace(S J S^T) = 1/2 w . I w: the entries of both quadratic forms of w compared."""
    yield Words((
        "The rotational energy for any angular velocity ", (s.omega,), ", with its skew-symmetric matrix ",
        (s.skew, Group((s.omega,))), ":",
    ))  # fmt: skip
    yield Rule((s.T, EQUALS, *TRACE_FORM))
    form, entries = trace_form(euler_matrix(inertia, f.scalars), f.scalars), [list(row) for row in inertia]
    pairs = [(form[i][j], entries[i][j]) for i in range(3) for j in range(i + 1)]
    if isinstance(entries[0][0], float):
        size = max(abs(b) for _, b in pairs)
        assert all(abs(a - b) <= RELATIVE_NOISE * size for a, b in pairs)
        yield Words("Both are quadratic forms of it, and their six entries are equal to rounding.")
    else:
        assert all(a == b for a, b in pairs)
        yield Words("Both are quadratic forms of it with the same six entries, so they are equal: proved.")


def _principal(f: Figures, piece: Piece[Any]) -> Iterator[Part]:
    entries = [list(row) for row in piece.inertia]
    if not isinstance(piece.mass, float):
        if not any(entries[i][j] for i in range(3) for j in range(3) if i != j):
            yield Words("The inertia is diagonal: these axes are principal axes, and the diagonal has the moments.")
        return
    com = np.array([*piece.com], dtype=np.float64)
    principal = MassProperties(piece.mass, com, np.array(entries, dtype=np.float64)).principal
    yield Words("Principal moments [kg m^2] and their axes:")
    columns: Any = principal.axes.T
    rows: list[tuple[Prose, ...]] = []
    for moment, axis in zip(principal.moments, columns, strict=True):
        cells = f.vector(Vector(*(float(entry) for entry in axis)), 1.0)
        rows.append(tuple(((Val(cell),),) for cell in (f.scalar(float(moment)), *cells)))
    yield Table(("moment", "x", "y", "z"), tuple(rows))


def _matrix(left: Sym, value: list[list[Exact]], rule: Formula = ()) -> Iterator[Part]:
    """A symmetric matrix; where its entries are long, those that are not zero one by one: I_xx, I_xy, ..."""
    ways = (rule,) if rule else ()
    long = any(len(entry) > 2 or any("(" in letter for letter in entry.symbols()) for row in value for entry in row)
    if not long and max(sum(len(entry) for entry in row) for row in value) <= MOST_IN_A_ROW:
        yield Equation(left, value, ways)
        return
    if ways:
        yield Equation(left, None, ways)
    for i, a in enumerate("xyz"):
        for j, b in enumerate("xyz"):
            if i <= j and value[i][j]:
                yield Equation(
                    replace(left, bold=False).at(f"{left.index},{a}{b}" if left.index else f"{a}{b}"), value[i][j]
                )


def _signed_sum(parts: list[tuple[int, Formula]]) -> Formula:
    pieces: Formula = ()
    for sign, part in parts:
        before: Formula = (MINUS,) if sign < 0 else (PLUS,) if pieces else ()
        pieces = (*pieces, *before, *part)
    return pieces


def _parallel_axis(m: Sym, d: Sym) -> Formula:
    """m (d.d 1 - d d^T)."""
    return (m, Group((d, DOT, d, ONE, MINUS, d, d.T)))


def _reach(pieces: list[Piece[Any]]) -> float:
    """How far the parts reach, where they are numbers: what is far smaller is rounding."""
    reach = 0.0
    for part in pieces:
        if isinstance(part.mass, float):
            trace = part.inertia.a.x + part.inertia.b.y + part.inertia.c.z
            reach = max(reach, *(abs(entry) for entry in part.com), abs(trace / part.mass) ** 0.5)
    return reach
