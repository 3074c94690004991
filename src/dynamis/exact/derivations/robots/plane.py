"""Planar arms in two dimensions: 2x2 rotations, vectors with two components, scalar angular velocities and moments.

Where all revolute axes are parallel to one axis u of all link frames, and prismatic ones perpendicular to it, every
velocity and every acceleration is in the plane across u, every angular velocity along u. The steps of a derivation are
rewritten: vectors lose their component along u, and of those that turn (w, wd, N, n) only this component is left. With
a x b = a_x b_y - a_y b_x of two vectors and w x b = w (-b_y, b_x) of a scalar and a vector the rules stay as they are;
rotations before scalars and products of parallel vectors go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from dynamis.base.faces import option
from dynamis.compute.mechanics.dynamics.applied_loads import point_loads
from dynamis.compute.mechanics.mechanism import Body, place
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.model.loads import ToolWrench, frame_of
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    COMMA,
    CROSS,
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    Formula,
    Group,
    Op,
    Piece,
    Reference,
    Sym,
    Val,
    Value,
)

AXIAL = frozenset(symbol.meaning for symbol in (s.omega, s.N, s.n, s.load_moment, s.load_about_com))
"""What turns: vectors that are scalars in the plane."""
Terms = list[tuple[int, Formula]]
"""The terms of a sum with their signs."""


@dataclass(frozen=True)
class Plane:
    """The plane across an axis of the base: its axes in order, so that they and `normal` are right-handed."""

    normal: int
    axes: tuple[int, int]
    senses: tuple[int, ...]
    """Of every body: 1 or -1 where it is revolute about the normal or against it; else 0."""
    bearings: bool
    """Whether something out of the plane loads the bearings."""
    frames: tuple[str, ...] = ()
    """Of every body, where frames are turned: its axes in the places of those of the plane and of the normal, "zyx"."""

    def words(self) -> Words:
        """What the vectors and scalars of the page are."""
        u, x, y = ("xyz"[k] for k in (self.normal, *self.axes))
        a, b = Sym("a", bold=True), Sym("b", bold=True)
        ax, ay, bx, by = (Sym(letter, axis) for letter in "ab" for axis in (x, y))
        turn = replace(s.omega, bold=False)
        own = self._letters("0")
        turned = [(k, letters) for k, letters in enumerate(self.frames, 1) if letters != own]
        order = "".join(f" In the frame of link {k} the plane has the axes {a} and {b}." for k, (a, b, _) in turned)
        left = (
            f" What the bearings carry besides is not written; {option('spatial')} writes it." if self.bearings else ""
        )
        return Words((
            f"The arm moves in the plane of {x} and {y}. Vectors have these two components; angular velocities and "
            f"moments are scalars about {u}, positive from {x} to {y}. The product of two vectors is the scalar ",
            (a, CROSS, b, EQUALS, ax, by, MINUS, ay, bx), ", that of a scalar and a vector is the vector ",
            (turn, CROSS, b, EQUALS, turn, Group((Op("-"), by, COMMA, bx))), f".{order}{left}",
        ))  # fmt: skip

    def flattened(self, make: Callable[[], Iterator[Part]]) -> Iterator[Part]:
        """A step in two dimensions."""
        for part in make():
            match part:
                case Equation():
                    yield self._equation(part)
                case Rule(formula, label):
                    yield Rule(self._renamed(formula), label)
                case Words(text):
                    yield Words(text if isinstance(text, str) else tuple(map(self._renamed_words, text)))
                case _:
                    yield part

    def _equation(self, part: Equation) -> Equation:
        if not isinstance(part.left, Sym):
            return part
        if part.left.meaning == s.J.meaning and isinstance(part.right, list):  # of the point of a load
            rows = (self.normal,) if part.left.index.startswith("w") else self.axes
            return replace(part, right=[cast("list[list[Exact]]", part.right)[k] for k in rows])
        if part.right is None and part.left.meaning == s.transform.meaning:
            return part  # a product that is not multiplied out
        axial = part.left.meaning in AXIAL
        ways = tuple(way for way in (self._sum(way, axial) for way in part.ways) if way)
        right = part.right
        if isinstance(right, list) and part.left.bold:
            if len(right) == 4:
                return self._transform(part, cast("list[list[Exact]]", right))
            right = self._value(right, axial)
        return replace(part, left=self._symbol(part.left), right=right, ways=ways, axes=self._letters(part.frame)[:2])

    def _letters(self, frame: str) -> str:
        """The axes of a frame, by its number: two in the plane, and the normal."""
        if frame.isdigit() and int(frame) and self.frames:
            return self.frames[int(frame) - 1]
        return "".join("xyz"[k] for k in (*self.axes, self.normal))

    def _renamed(self, formula: Formula) -> Formula:
        """A rule with its symbols as they are in the plane."""
        pieces: list[Piece] = []
        for piece in formula:
            match piece:
                case Sym():
                    pieces.append(self._symbol(piece))
                case Group(inner):
                    pieces.append(replace(piece, inner=self._renamed(inner)))
                case _:
                    pieces.append(piece)
        return tuple(pieces)

    def _renamed_words(self, part: str | Piece | Formula | Reference) -> str | Piece | Formula | Reference:
        return self._renamed(part) if isinstance(part, tuple) else self._symbol(part) if isinstance(part, Sym) else part

    def _transform(self, part: Equation, matrix: list[list[Exact]]) -> Equation:
        """A 4x4 matrix as 3x3, its steps without those along the normal; a tool turned out of the plane as it is."""
        if matrix[self.normal][self.normal] != matrix[3][3]:
            return part
        kept = (*self.axes, 3)
        letter = "xyz"[self.normal]
        across, steps = (s.moves[kind].at(letter) for kind in "TR")
        ways: list[Formula] = []
        for way in part.ways:
            pieces = [
                piece for k, piece in enumerate(way) if across not in (piece, way[k - 1] if k else None)
            ]  # a step is a letter with its axis, and its amount
            turns = [p for p in pieces if isinstance(p, Sym) and p.meaning == steps.meaning]
            if pieces and all(turn == steps for turn in turns):
                ways.append(tuple(pieces))
        return replace(part, right=[[matrix[i][j] for j in kept] for i in kept], ways=tuple(ways))

    def _sum(self, formula: Formula, axial: bool) -> Formula:
        """A sum of vectors, scalars in the plane if they are `axial`; terms that are zero there are left out."""
        pieces: list[Piece] = []
        for sign, term in _terms(formula):
            turned, row = self._term(term, axial)
            if row:
                sign *= turned
                pieces += [*([MINUS] if sign < 0 else [PLUS] if pieces else []), *row]
        return tuple(pieces)

    def _term(self, term: Formula, axial: bool) -> tuple[int, Formula]:
        """A term of a sum: a product, or a cross or dot product; its sign and its pieces."""
        at = next((k for k, piece in enumerate(term) if piece in (CROSS, DOT)), None)
        if at is None:
            return self._product(term, axial)
        first, second = term[:at], term[at + 1 :]
        if term[at] == CROSS and not axial:  # w x r
            (a, b), (c, d) = self._product(first, True), self._product(second, False)
            return a * c, () if _is_zero(b) else (*b, CROSS, *d)
        turning = self._is_axial(first) or self._is_axial(second)
        (a, b), (c, d) = self._product(first, turning), self._product(second, turning)
        if turning:
            return a * c, () if term[at] == CROSS else _product_formula(b, d)
        return a * c, (*b, CROSS if axial else DOT, *d)

    def _product(self, row: Formula, axial: bool) -> tuple[int, Formula]:
        """Scalars, matrices and a vector behind each other."""
        sign = 1
        pieces: list[Piece] = []
        for piece in row:
            match piece:
                case Sym(meaning=s.k.meaning) if axial:
                    sign *= self.senses[int(piece.index) - 1]
                case Sym(meaning=s.R.meaning) if axial:
                    pass
                case Sym():
                    pieces.append(self._symbol(piece, axial))
                case Group(inner):
                    pieces += _bracket_pieces(self._sum(inner, axial))
                case Val(value) if isinstance(value, list):
                    flat = self._value(value, axial)
                    if isinstance(flat, Exact) and flat in (flat.ring.one, -flat.ring.one):
                        sign *= 1 if flat == flat.ring.one else -1
                    else:
                        pieces.append(Val(flat))
                case _:
                    pieces.append(piece)
        zero = next((piece for piece in pieces if axial and _is_zero((piece,))), None)
        return sign, tuple(pieces) if zero is None else (zero,)

    def _is_axial(self, row: Formula) -> bool:
        """Whether a factor of a cross or dot product turns: by its symbols, or by its components."""
        for piece in row:
            match piece:
                case Sym(meaning=s.k.meaning):
                    return self.senses[int(piece.index) - 1] != 0
                case Sym(meaning=meaning) if meaning in AXIAL:
                    return True
                case Group(inner):
                    if any(self._is_axial(part) for _, part in _terms(inner) if CROSS not in part):
                        return True
                case Val(value) if isinstance(value, list) and not isinstance(value[0], list):
                    parts = cast("list[Exact]", value)
                    return bool(parts[self.normal]) and not any(parts[k] for k in self.axes)
                case _:
                    pass
        return False

    def _value(self, value: list[Exact] | list[list[Exact]], axial: bool) -> Value:
        rows = cast("list[Any]", value)
        if axial:
            return rows[self.normal][self.normal] if isinstance(rows[0], list) else rows[self.normal]
        flat = [rows[k] for k in self.axes]
        return [[row[k] for k in self.axes] for row in flat] if isinstance(rows[0], list) else flat

    def _symbol(self, symbol: Sym, axial: bool = False) -> Sym:
        if axial and symbol.meaning == s.inertia.meaning:
            symbol = symbol.at(f"c{symbol.index},{2 * self._letters(symbol.index)[2]}")
        elif symbol.meaning not in AXIAL:
            return symbol
        return replace(symbol, bold=False)


def why_spatial(model: ClosedForm, plane: Plane | None) -> str:
    """Why an arm that moves in a plane is not calculated there; empty where it is, and for other robots."""
    where, what = "a plane", ""
    if plane is not None:
        where = f"the plane of {' and '.join('xyz'[k] for k in plane.axes)}"
        what = _out_of_plane(model, plane)
    elif any(all(_is_planar(body, u) for body in model.mechanism.bodies) for u in range(3)):
        what = "gravity acts across it"
    elif plane_normals(model.mechanism.bodies) is not None:
        what = "the axes of the frames of its links do not lie in it"
    return f"The arm moves in {where}, but {what}, so that vectors have three components." if what else ""


def _out_of_plane(model: ClosedForm, plane: Plane) -> str:
    """The first load that does not act in a plane."""
    loads = point_loads(model.robot, model.mechanism, model.state, model.loads)
    for j, (load, acting) in enumerate(zip(model.loads, loads, strict=True), 1):
        if list(acting.force)[plane.normal] or any(list(acting.moment)[k] for k in plane.axes):
            return f"load {j} does not act in it"
        on = place(model.robot, model.mechanism, frame_of(model.robot, load))
        if isinstance(load, ToolWrench) and not _keeps(on.R, plane.normal):
            return "the axes of its tool do not lie in it"
    return ""


def plane_normals(bodies: Sequence[Body[Exact]]) -> list[Vector[Exact]] | None:
    """The normal of the plane that an arm moves in, whatever its frames are: in base axes, then in those of every body.

    None where revolute axes are not all parallel, or prismatic ones not perpendicular to them.
    """
    first = next((body for body in bodies if body.revolute and body.joint is not None), None)
    if first is None:
        return None
    base, at = first.R0 @ first.k, first.parent  # on the way there nothing turns
    while at is not None:
        base, at = bodies[at].R0 @ base, bodies[at].parent
    normals = [base]
    for body in bodies:
        normal = body.R0.T @ normals[0 if body.parent is None else body.parent + 1]
        normals.append(normal)
        if body.joint is not None and (any(body.k.cross(normal)) if body.revolute else body.k.dot(normal)):
            return None
    return normals


def plane_of(model: ClosedForm) -> Plane | None:
    """The plane that an arm moves in, if its links' frames lie in it; None for any other robot."""
    bodies, zero = model.mechanism.bodies, model.ring.zero
    if not any(body.joint is not None for body in bodies):
        return None
    for u, axes in (2, (0, 1)), (1, (2, 0)), (0, (1, 2)):
        if all(_is_planar(body, u) for body in bodies):
            points: list[Exact] = []
            for body in bodies:
                points.append(list(body.t0)[u] + (zero if body.parent is None else points[body.parent]))
            heights = [point + list(body.com)[u] for point, body in zip(points, bodies, strict=True)]
            weight = list(model.mechanism.gravity)[u]
            if weight and any(heights):
                return None
            senses = tuple(0 if body.joint is None or not body.revolute else _sense(body, u) for body in bodies)
            tensors = [[list(row) for row in body.inertia] for body in bodies]
            loads = point_loads(model.robot, model.mechanism, model.state, model.loads)
            heights += [list(load.point)[u] for load in loads if any(load.force)]
            products = any(tensor[u][k] != zero for tensor in tensors for k in axes)
            return Plane(u, axes, senses, bool(weight or products or any(heights)))
    return None


def _is_planar(body: Body[Exact], u: int) -> bool:
    """Whether a link turns about axis u of its frame, or moves across it, and its parent's frame has that axis, too."""
    k, one = list(body.k), body.mass.ring.one
    if not _keeps(body.R0, u):
        return False
    if body.joint is None:
        return True
    return k[u] in (one, -one) if body.revolute else not k[u]


def _keeps(rotation: Matrix[Exact], u: int) -> bool:
    """Whether a rotation leaves axis u where it is."""
    R = [list(row) for row in rotation]
    return R[u][u] == R[u][u].ring.one and not any(R[u][j] or R[j][u] for j in range(3) if j != u)


def _sense(body: Body[Exact], u: int) -> int:
    return 1 if list(body.k)[u] == body.mass.ring.one else -1


def _terms(formula: Formula) -> Terms:
    terms: Terms = [(1, ())]
    for piece in formula:
        if piece in (PLUS, MINUS):
            terms = terms if terms[-1][1] else terms[:-1]
            terms.append((1 if piece == PLUS else -1, ()))
        else:
            terms[-1] = terms[-1][0], (*terms[-1][1], piece)
    return terms


def _is_zero(row: Formula) -> bool:
    return len(row) == 1 and isinstance(row[0], Val) and isinstance(row[0].value, Exact) and not row[0].value


def _bracket_pieces(inner: Formula) -> list[Piece]:
    """In brackets, where these are needed."""
    return list(inner) if len(inner) == 1 else [Group(inner)] if inner else []


def _product_formula(first: Formula, second: Formula) -> Formula:
    """The product of two scalars: w and I w as I w^2."""
    if first and second and first[-1] == second[-1] and isinstance(first[-1], Sym):
        return (*first[:-1], *second[:-1], first[-1].to(2))
    return (*first, *second)
