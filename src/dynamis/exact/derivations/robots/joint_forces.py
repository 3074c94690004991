"""The forces of the joints themselves, as derivations write them: numbers, their letters, and what they multiply."""

from __future__ import annotations

from collections.abc import Iterator

from dynamis.compute.mechanics.mechanism import Body
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Part, Words
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import Coordinate, Power, Sign
from dynamis.telling.formula import HALF_OF, PLUS, Coordinates, Formula, Group, Sym, Val, Word

LETTERS = {
    "damping": (s.viscous, ""), "coulomb": (s.dry, ""), "stribeck": (s.dry, "s"), "friction_offset": (s.dry, "o"),
    "stiffness": (s.stiffness, ""),
}  # fmt: skip
"""The letter of a term of `JointForces`, and what comes before its index."""


def letter(term: str, index: int | str) -> Sym:
    """The letter of a term of the force of a joint."""
    symbol, before = LETTERS[term]
    return symbol.at(f"{before}{index}")


def lettered(body: Body[Exact], index: int | str) -> list[tuple[Sym, Exact]]:
    """What every joint has, with the letters."""
    return [(letter("damping", index), body.forces.damping), (letter("coulomb", index), body.forces.coulomb)]


def friction_terms(model: ClosedForm, body: Body[Exact], index: int | str) -> list[tuple[Exact, Sym, Formula]]:
    """Each parameter of the friction of a body's joint that is not zero, its letter, and what it is multiplied by."""
    assert body.joint is not None
    own, name = body.forces, model.robot.joints[body.joint].name
    columns: dict[str, Formula] = {
        "damping": (Val(Coordinate(name, 1)),), "coulomb": (Val(Sign(name)),),
        "stribeck": (Val(Sign(name, "stribeck")),), "friction_offset": (),
    }  # fmt: skip
    return [(size, letter(term, index), x) for term, x in columns.items() if (size := getattr(own, term))]


def spring_term(model: ClosedForm, body: Body[Exact], index: int | str) -> list[tuple[Exact, Sym, Formula]]:
    """The same of its spring: stiffness, letter, q - rest."""
    assert body.joint is not None
    if not body.forces.stiffness:
        return []
    moved: Formula = (Val(body.forces.deflection(model.state.q[body.joint])),)
    return [(body.forces.stiffness, letter("stiffness", index), moved if body.forces.rest is None else (Group(moved),))]


def spring_energy(model: ClosedForm, body: Body[Exact], index: int | str) -> tuple[Formula, Formula]:
    """+ stiffness (q - rest)^2 / 2 of a body's joint, with its letter and with its number; nothing without a spring."""
    if body.joint is None or not body.forces.stiffness:
        return (), ()
    square = Val(Power(simplest(body.forces.deflection(model.state.q[body.joint])), 2))
    size = Val(body.forces.stiffness)
    return (PLUS, *HALF_OF, letter("stiffness", index), square), (PLUS, *HALF_OF, size, square)


def force_assumptions(model: ClosedForm) -> Iterator[Part]:
    """What friction and which springs the joints have."""
    terms, rate = model.mechanism.force_terms, Coordinates(1, "i")
    if not any(any(number for _, number in lettered(body, 1)) for body in model.mechanism.bodies) and len(terms) == 2:
        yield Words("The joints have no friction.")
        return
    columns: dict[str, Formula] = {
        "damping": (rate,), "coulomb": (Word("sign"), rate), "stribeck": (Word("stribeck"), rate),
        "friction_offset": (),
    }  # fmt: skip
    law: Formula = ()
    for term in terms:
        if term in columns:
            law = (*law, *((PLUS,) if law else ()), letter(term, "i"), *columns[term])
    yield Words(("The motor torques include the joint friction ", law, "."))
    for joint in model.robot.joints:
        if joint.forces.stribeck_speed is not None:
            curve: Formula = (Val(Sign(joint.name, "stribeck")),)
            yield Words(
                (
                    "Of joint ",
                    joint.name,
                    ", ",
                    curve,
                    f" is sign(v) exp(-(v/({joint.stribeck_speed}))^2) of its velocity v.",
                )
            )
    if "stiffness" in terms:
        yield Words((
            "Joint i has a spring of the stiffness ", (s.stiffness.at("i"),), ". Its energy is part of ", (s.U,),
            " and its torque part of ", (s.g,), ".",
        ))  # fmt: skip
