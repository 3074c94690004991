"""Each kind of term in words, once, where it first stands on the page: for who sees these equations the first time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from dynamis.base.errors import TooLargeError
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.equations import Equations
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate, joint_angle
from dynamis.scalars.exact.symbols import parameter as parameter_symbol
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Block, Equation, Items, Rule, Section, Words
from dynamis.telling.formula import Coordinates, Sym, Val, Velocities, index

if TYPE_CHECKING:
    from dynamis.telling.formula import Prose

Explanation = Callable[[Equations], "Prose"]


def add_explanations(derivation: Derivation, model: Equations) -> Derivation:
    """The derivation with a sentence or two before the formula in which a kind of term stands first."""
    seen: set[str] = set()

    def section(step: Section) -> Section:
        blocks: list[Block] = []
        for block in step.blocks:
            new = {kind: symbol for kind, symbol in kinds(block, step.title).items() if kind not in seen}
            seen.update(new)
            words: list[Block] = [Words(_as_written(EXPLANATIONS[kind](model), x)) for kind, x in new.items()]
            words += [Items(tuple(coefficient_meanings(model)))] if COEFFICIENT in new else []
            # A sentence that ends with the formula stays with it.
            at = len(blocks) - (bool(blocks) and _is_open(blocks[-1]))
            blocks[at:at] = words
            blocks.append(block)
        return replace(step, blocks=tuple(blocks))

    return replace(derivation, steps=tuple(map(section, derivation.steps)))


def _is_open(block: Block) -> bool:
    """Whether a paragraph is a sentence that the formula after it ends."""
    last = (block.prose if isinstance(block.prose, str) else block.prose[-1]) if isinstance(block, Words) else "."
    return isinstance(last, str) and not last.rstrip().endswith(".")


def kinds(block: Block, title: str) -> dict[str, Sym]:
    """The kinds of terms in a formula of a step, those that are explained, with their first symbols."""
    found: dict[str, Sym] = {}
    match block:
        case Rule(formula):
            pieces = _symbols(formula)
        case Equation():
            pieces = _symbols((block.left_side, block.ways))
            left = block.left_side[0]
            if title == COEFFICIENTS and isinstance(left, Sym) and not left.meaning:
                found[COEFFICIENT] = left
        case _:
            return found
    for symbol in pieces:
        kind = s.tau.meaning if symbol.meaning == s.force.meaning else symbol.meaning.removesuffix(" entry")
        if kind in EXPLANATIONS:
            found.setdefault(kind, symbol)
    return found


def _symbols(piece: object) -> Iterator[Sym]:
    """The symbols of a formula; of two ways to write the velocity terms, c and C qd, those of the first."""
    if isinstance(piece, Sym):
        yield piece
    elif isinstance(piece, tuple):
        for inner in cast("tuple[object, ...]", piece):
            yield from _symbols(inner)
    elif isinstance(piece, Velocities):
        yield from _symbols(piece.vector)
    elif is_dataclass(piece) and not isinstance(piece, Val | type):
        for field in fields(piece):
            yield from _symbols(getattr(piece, field.name))


def _as_written(prose: Prose, symbol: Sym) -> Prose:
    """Bold where the page has it bold: the vectors of a planar arm may be scalars."""
    return tuple(
        replace(x, bold=symbol.bold) if isinstance(x, Sym) and x.meaning == symbol.meaning else x for x in prose
    )


def _any(values: Callable[[], Iterable[object]]) -> bool:
    """Whether one of them is not zero; taken for granted where time or memory do not suffice to know."""
    try:
        return any(values())
    except TooLargeError:
        return True


def coefficient_meanings(model: Equations) -> list[Prose]:
    """What each dynamic coefficient stands for: where it stands in M, g and friction."""
    dynamic = model.coefficients
    meanings: list[Prose] = []
    for name in dynamic.names:
        letter = name.rstrip("0123456789")
        prose: list[Any] = [Sym(letter.rstrip("_"), name[len(letter) :])]
        symbol = parameter_symbol(name)
        slopes = {(i, j): dynamic.M[i][j].derivative(symbol) for i in range(model.n) for j in range(i, model.n)}
        constant = [place for place, slope in slopes.items() if slope and _is_constant(slope, model)]
        turning = [place for place, slope in slopes.items() if slope and not _is_constant(slope, model)]
        own = [i for i, j in constant if i == j]
        parts: list[list[Any]] = []
        if own:
            moved = "mass moved by" if model.robot.coordinates[own[-1]].unit == "N" else "inertia about the axis of"
            parts.append([f"the constant part of the {moved} joint {own[-1] + 1}, in ", *_entries(s.m, constant)])
        elif constant:
            parts.append(["the constant coupling in ", *_entries(s.m, constant)])
        if turning:
            parts.append(["the part that changes with the posture in ", *_entries(s.m, turning)])
        for vector, symbol_of, words in (
            (dynamic.g, s.g, "what the weight adds to "),
            (dynamic.friction, s.friction, "friction in "),
        ):
            places = [(k,) for k, entry in enumerate(vector) if entry.derivative(symbol)]
            parts += [[words, *_entries(symbol_of, places)]] if places else []
        for k, part in enumerate(parts):
            prose += [" is " if k == 0 else "; ", *part]
        meanings.append((*prose, "."))
    return meanings


def _is_constant(slope: Exact, model: Equations) -> bool:
    names = [joint.name for joint in model.robot.joints]
    symbols = (x for name in names for x in (coordinate(name), *joint_angle(name)) if x in slope.ring.places)
    return not any(slope.derivative(x) for x in symbols)


def _entries(symbol: Sym, places: list[Any]) -> list[Any]:
    entries: list[Any] = []
    for place in places:
        entries += [*([", "] if entries else []), symbol.at(index(*(k + 1 for k in place)))]
    return entries


def _units(model: Equations, turning: str, sliding: str, mixed: str) -> str:
    """The unit of this robot's joints, or both."""
    units = {joint.unit for joint in model.robot.coordinates}
    return f"[{turning}]" if units <= {"N m"} else f"[{sliding}]" if units == {"N"} else f"[{mixed}]"


def _word(model: Equations) -> str:
    units = {joint.unit for joint in model.robot.coordinates}
    return "torque" if units <= {"N m"} else "force" if units == {"N"} else "torque or force"


def _effort(model: Equations) -> str:
    return _units(model, "N m", "N", "N m at revolute joints, N at prismatic ones")


def _inertias(model: Equations) -> str:
    return _units(model, "kg m²", "kg", "kg m² for revolute joints, kg for prismatic ones, kg m between them")


def _mass_matrix(model: Equations) -> Prose:
    torque = _word(model)
    diagonal = (
        "The mass matrix ", s.M, f" {_inertias(model)} tells the {torque} that accelerations need. Its diagonal entry ",
        s.m.at("ii"), f" is the inertia that joint i feels when it alone accelerates: the inertia {torque} of "
        "joint i is ",
        s.m.at("ii"), " ", (Coordinates(2, "i"),), ".",
    )  # fmt: skip
    if not _any(lambda: (model.M[i, j] for i in range(model.n) for j in range(i))):
        return diagonal
    return (*diagonal, " An entry beside it, ", s.m.at("ij"), f", is a coupling inertia: the {torque} at joint "
        "i for an acceleration of joint j.")  # fmt: skip


def _velocity_terms(model: Equations) -> Prose:
    names = [joint.name for joint in model.robot.coordinates]
    rates = [coordinate(name, 1) for name in names]
    squares = _any(lambda: (c.derivative(rate).derivative(rate) for c in model.coriolis for rate in rates))
    products = _any(
        lambda: (c.derivative(a).derivative(b) for c in model.coriolis for a in rates for b in rates if a != b)
    )
    terms = Velocities((s.c,), (s.C, Coordinates(1)))
    start: tuple[Any, ...] = ("The terms ", (terms,), f" {_effort(model)} come from the velocities.")
    if not squares and not products:
        return (*start, " For this robot they are zero.")
    if squares:
        felt = "pulls on the others" if model.n > 1 else "needs them, since others follow it"
        start = (*start, " Those with the square of one velocity are centrifugal: a joint that moves at constant speed "
                 f"{felt}.")  # fmt: skip
    if products:
        start = (*start, " Those with the product of two velocities are Coriolis terms: they are there when "
        "two joints move at the same time.")  # fmt: skip
    return start


def _gravity(model: Equations) -> Prose:
    start = "The terms ", s.g, f" {_effort(model)} hold the robot against its weight: what the motors give at rest."
    return start if _any(lambda: model.gravity) else (*start, " For this robot they are zero.")


def _friction(model: Equations) -> Prose:
    return (f"Friction is what the motors give to overcome the resistance of the joints {_effort(model)}: "
        "viscous friction grows with the velocity, dry (Coulomb) friction has its sign alone.",)  # fmt: skip


def _torque(model: Equations) -> Prose:
    coordinates = model.robot.coordinates
    if all(joint.unit == "N" for joint in coordinates):
        return (s.tau.at("i"), " is the force of the motor of joint i [N], along its axis.")
    if any(joint.unit == "N" for joint in coordinates):
        return (s.tau.at("i"), " is what the motor of joint i gives: a torque about its axis [N m], or a force "
        "along it [N] where the joint is prismatic.")  # fmt: skip
    return s.tau.at("i"), " is the torque of the motor of joint i about its axis [N m]."


def _fixed_words(*prose: Any) -> Explanation:
    return lambda _: prose


COEFFICIENT, COEFFICIENTS = "dynamic coefficient", "Dynamic coefficients"
"""The kind, and the title of the step that has them."""
EXPLANATIONS: dict[str, Explanation] = {
    s.M.meaning: _mass_matrix,
    s.c.meaning: _velocity_terms,
    s.g.meaning: _gravity,
    s.tau.meaning: _torque,
    s.friction.meaning: _friction,
    s.christoffel.meaning: _fixed_words(
        "A Christoffel symbol ", s.christoffel.at("ijk"), " tells how the inertias change with the posture. "
        "Times the velocities of joints i and j it is a term of joint k: centrifugal if i = j, else Coriolis."),
    s.christoffel_matrix.meaning: _fixed_words(
        "The matrix ", s.christoffel_matrix.at("k"), " has the Christoffel symbols of joint k: its quadratic "
        "form of the velocities is the entry k of ", s.c, "."),
    s.C.meaning: _fixed_words(
        "The matrix ", s.C, " writes the velocity terms as a product with the velocities. It is not unique; with "
        "Christoffel symbols the rate of ", s.M, " minus twice this matrix is skew-symmetric, which "
        "proofs of stability use."),
    s.T.meaning: _fixed_words(
        s.T, " is the kinetic energy [J]: half the mass times the squared velocity of the CoM, and the rotation "
        "about it."),
    s.U.meaning: _fixed_words(s.U, " is the potential energy of the weight [J]: mass times gravity times height of the "
                              "CoM."),
    s.L.meaning: _fixed_words(
        "The Lagrangian ", s.L, " is kinetic minus potential energy [J]; its derivatives give the equations of motion "
        "without the forces between the links."),
    s.Q.meaning: _fixed_words(s.Q, " is what the loads do at the joints: their work per unit of motion of each joint."),
    s.load_force.meaning: _fixed_words("A load is a force [N] on a link from outside, such as on the tool."),
    s.load_moment.meaning: _fixed_words("The moment of a load [N m] turns the link about the point of the load."),
    s.J.meaning: _fixed_words(
        "A Jacobian ", s.J, " takes joint velocities to the velocity of a point [m/s] and to an angular "
        "velocity [rad/s]; its columns are what one joint alone does."),
    s.omega.meaning: _fixed_words(s.omega.at("i"), " is the angular velocity of link i [rad/s]."),
    s.v.meaning: _fixed_words(s.v.at("i"), " is a velocity of link i [m/s]: of the origin of its frame, or with c of "
        "its CoM."),
    s.F.meaning: _fixed_words(
        s.F.at("i"), " is the net force on link i [N], by Newton: its mass times the acceleration of its CoM."),
    s.N.meaning: _fixed_words(
        s.N.at("i"), " is the net moment on link i about its CoM [N m], by Euler: what changes its angular momentum."),
    s.f.meaning: _fixed_words(
        s.f.at("i"), " is the force [N] of the parent on link i through the joint: the reaction that bearings "
        "carry, and along a prismatic axis the drive."),
    s.n.meaning: _fixed_words(
        s.n.at("i"), " is the moment [N m] of the parent on link i through the joint; its part about a revolute "
        "axis is the torque of the motor."),
    s.rotor.meaning: _fixed_words(
        s.rotor.at("i"), " is the inertia of the rotor of motor i as the joint feels it: gear ratio squared "
        "times that of the rotor [kg m²]."),
    s.viscous.meaning: _fixed_words(s.viscous.at("i"), " is the viscous friction of joint i, per unit of velocity."),
    s.dry.meaning: _fixed_words(s.dry.at("i"), " is the dry friction of joint i; it acts against the motion, whatever "
        "its speed."),
    s.stiffness.meaning: _fixed_words(s.stiffness.at("i"), " is the stiffness of the spring in joint i."),
    s.Y.meaning: _fixed_words(
        "The regressor ", s.Y, " has the motion alone in it; times the parameters it gives the torques, which "
        "are linear in them."),
    s.pi.meaning: _fixed_words(
        s.pi, " are the inertial parameters: of each link its mass [kg], mass times CoM [kg m] and inertia "
        "about the origin of its frame [kg m²]."),
    COEFFICIENT: _fixed_words(
        "A dynamic coefficient is a combination of masses, lengths and inertias. The torques depend on these "
        "combinations alone, and linearly, so that they, and not the single parameters, can be measured from motions."),
}  # fmt: skip
"""What each kind of term is, by its meaning."""
