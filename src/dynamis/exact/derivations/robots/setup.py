"""What a derivation starts from: the assumptions, the frames and the links of a robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from dynamis.base.errors import TooLargeError
from dynamis.base.expressions import expression as given
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import MOST_SUBSTITUTED
from dynamis.exact.derivations.robots.joint_forces import force_assumptions, lettered
from dynamis.exact.derivations.robots.links import GRAVITY
from dynamis.model.coordinate import CoupledRow
from dynamis.model.joint_text import axis_entries, frame_axis
from dynamis.model.link import Joint
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Figure, Part, Rule, Table, Words
from dynamis.telling.forms.expression_trees import tree_of
from dynamis.telling.forms.tree import Coordinate, Product, Sum, Symbol, Tree, scale_tree
from dynamis.telling.formula import (
    COMMA,
    EQUALS,
    ONE,
    Formula,
    Group,
    Piece,
    Prose,
    Sym,
    Val,
    Word,
)
from dynamis.telling.notation.names import Name, split
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.symbol_table import appearance
from dynamis.telling.notation.tree_printer import Joints

if TYPE_CHECKING:
    from dynamis.telling.pictures.picture import Picture

# Symbols (the PUMA 560 has 31) above which their meanings are not listed; `dynamis show` has them all.
MOST_SYMBOLS = 64


def scheme(model: ClosedForm) -> Figure:
    """The kinematic scheme with the frames, for formats that can show it; drawn when it is first shown."""

    @cache
    def picture(notation: str | Notation = "dynamis") -> Picture:
        from dynamis.telling.drawing.draw import draw

        # C_1 is a matrix here, not a centre of mass.
        return draw(model.robot, notation=notation, name_centres=False).picture

    return Figure("mechanism", picture, schematic=True)


def assumptions(model: ClosedForm, steps: bool) -> Iterator[Part]:
    """Rigid links, gravity, friction and rotors; what the symbols mean."""
    yield Words("The links are rigid, and the base stands still.")
    where, g = "in the axes of the base.", model.mechanism.gravity
    yield Words(
        (
            "Gravity is the acceleration ",
            (GRAVITY, EQUALS, Group((Val(g.x), COMMA, Val(g.y), COMMA, Val(g.z)))),
            f" {where}",
        )
    )
    bodies = model.mechanism.bodies
    yield from force_assumptions(model)
    if any(body.rotor for body in bodies):
        yield Words((
            "The rotor of joint i counts with its inertia ", (s.rotor.at("i"),),
            " reflected to the joint (gear ratio squared times rotor inertia); its spin about other axes is neglected.",
        ))  # fmt: skip
    if steps:
        yield Words((
            "Vectors of link i are in the axes of its frame, unless the axes of the base are named; ",
            (s.R.at("i"),), " takes them to the axes of its parent, ", (s.k.at("i"),),
            " is the axis of its joint. A line with the quantities of the robot in the "
            f"place of the symbols is left out where these have more than {MOST_SUBSTITUTED} terms.",
        ))  # fmt: skip


def frames(model: ClosedForm) -> Iterator[Part]:
    """One line per link: its parent, its joint, how its frame stands on that of its parent."""
    yield Words((
        "Each link frame stands on that of its parent by a chain of translations such as ", s.moves["T"].at("x"),
        " and rotations such as ", s.moves["R"].at("z"), ", each in the frame that the one before it reached.",
    ))  # fmt: skip
    rows: list[tuple[Prose, ...]] = []
    for link, bodies in zip(model.robot.links, model.mechanism.links, strict=True):
        joint = link.joint
        kind = ("revolute" if joint.revolute else "prismatic") if joint.moves else "fixed"
        coordinate: Prose = ((Val(Coordinate(joint.name)),),) if joint.moves else ("-",)
        rows.append(((f"{bodies[-1] + 1}",), (link.name,), (link.parent,), coordinate, (kind,), (chain(joint),)))
    yield Table(("link", "name", "on", "joint", "motion", "transform"), tuple(rows))
    if model.robot.coupled:
        yield Words("Coupled joints follow the others and have no coordinate of their own:")
        for joint, row in zip(model.robot.joints, model.robot.couplings, strict=True):
            if joint.coupling:
                yield Rule((Val(Coordinate(joint.name)), EQUALS, Val(coupling_tree(model.robot, row))))
        yield from _alike(model)


def _alike(model: ClosedForm) -> Iterator[Part]:
    """Which symbol is whose where a coupled joint has the name that the number of a coordinate looks like."""
    names = Joints.of(model.ring.one).names(Notation("q"))
    numbered = {appearance(names.joint(c.name)): c.name for c in model.robot.coordinates}
    for joint in model.robot.joints:
        other = numbered.get(appearance(split(joint.name))) if joint.coupling else None
        if other is not None:
            yield Words((
                f'Joint "{joint.name}" is written ', (Val(Coordinate(joint.name)),),
                f', and joint "{other}" ', (Val(Coordinate(other)),), ".",
            ))  # fmt: skip


def coupling_tree(robot: RobotModel, row: CoupledRow) -> Tree:
    """A y + b of one joint."""
    terms: list[Tree] = []
    for k, factor in row.factors:
        y = Coordinate(robot.coordinates[k].name)
        number = factor.value if isinstance(factor, given.Number) else None
        terms.append(Product((tree_of(factor), y)) if number is None else scale_tree(y, number))
    terms += [] if row.offset == given.ZERO else [tree_of(row.offset)]
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def chain(joint: Joint) -> Formula:
    """`Tx(l1) Rz(q2)` as a formula: names as the notation writes them."""
    steps = [*placement_chain(joint.before), *(_motion(joint) if joint.moves else ()), *placement_chain(joint.after)]
    return tuple(steps) or (ONE,)


def placement_chain(placement: Placement) -> Iterator[Piece]:
    """`Tx(l1) Rz(pi/2)` of a fixed frame."""
    for step in placement.steps:
        yield from (s.moves[step.kind].at(step.axis), Group((Val(tree_of(step.amount)),)))


def _motion(joint: Joint) -> Formula:
    """Rz(q1), Tx(-q2), R[0.6, 0.8, 0](q3)."""
    move, along = s.moves["R" if joint.revolute else "T"], frame_axis(joint)
    if along is not None:
        return move.at(along[0]), Group((Val(scale_tree(Coordinate(joint.name), Fraction(along[1]))),))
    x, y, z = (Val(tree_of(entry)) for entry in axis_entries(joint))
    return move, Word("["), x, COMMA, y, COMMA, z, Word("]"), Group((Val(Coordinate(joint.name)),))


def misleading(model: ClosedForm) -> frozenset[str]:
    """The meanings of m_1, I_c1zz, ... where a parameter that looks so is not the mass, ... of link 1."""
    try:
        bodies = model.mechanism.bodies
    except TooLargeError:  # the steps say so
        return frozenset()
    parameters = Joints.of(model.ring.one).names(Notation("q")).parameters
    names = {appearance(look): name for name, look in parameters.items()}

    def is_another(symbol: Sym, value: Exact) -> bool:
        name = names.get(appearance(Name(symbol.letter, symbol.index)))
        is_it = name in model.ring.places and value == model.ring.scalar(name)
        return name is not None and bool(value) and not is_it

    alike: set[str] = set()
    for n, body in enumerate(bodies, 1):
        entries = zip("xyz", (list(row) for row in body.inertia), range(3), strict=True)
        tensor = ((s.inertia.at(f"c{n},{axis}{axis}"), row[k]) for axis, row, k in entries)
        drive = (s.rotor.at(n), body.rotor), *lettered(body, n)
        for symbol, value in ((s.mass.at(n), body.mass), *tensor, *drive):
            if is_another(symbol, value):
                alike.add(symbol.meaning)
    return frozenset(alike)


def links(model: ClosedForm) -> Iterator[Part]:
    """Mass, CoM and inertia of every link: the columns that are not zero everywhere."""
    yield Words((
        "CoM ", (s.r_com.at("ci"),), " from the origin of the link frame, inertia ", (s.inertia.at("i"),),
        " about the CoM, both in the axes of the link frame; what is not written is zero.",
    ))  # fmt: skip
    m = model.mechanism
    bodies = m.of_links(m.bodies)
    columns: list[tuple[Prose | str, list[Exact]]] = [("mass [kg]", [body.mass for body in bodies])]
    for k, axis in enumerate("xyz"):
        columns.append((f"CoM {axis} [m]", [list(body.com - body.origin)[k] for body in bodies]))
    for a, b in ("xx", "yy", "zz", "xy", "xz", "yz"):
        entries = [list(list(body.inertia)["xyz".index(a)])["xyz".index(b)] for body in bodies]
        columns.append(((replace(s.inertia, bold=False), f" {a}{b} [kg m²]"), entries))
    kept = [(title, entries) for title, entries in columns if any(entries)]
    rows = tuple(
        ((f"{indices[-1] + 1}",), *(((Val(entries[k]),),) if entries[k] else ("",) for _, entries in kept))
        for k, indices in enumerate(m.links)
    )
    yield Table(("link", *(title for title, _ in kept)), rows)


def symbols(model: ClosedForm) -> Iterator[Part]:
    """What the robot's symbols stand for, where they are few."""
    used = {name: said for name, said in model.robot.parameters.items() if said and name not in model.scalars.values}
    if used and len(used) <= MOST_SYMBOLS:
        rows = tuple((((Val(Symbol(name)),),), (said.replace("^2", "²"),)) for name, said in used.items())
        yield Table(("symbol", "meaning"), rows)
