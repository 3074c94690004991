"""The forces of the joints themselves, as derivations write them: numbers, their letters, and what they multiply."""

from __future__ import annotations

from dynamis.compute.mechanics.mechanism import Body
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.robots.links import joint_variable
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.forms.tree import Sign
from dynamis.telling.formula import Piece, Sym, Val

LETTERS = (s.viscous, s.dry)
"""Those of `JointForces.parameters`."""


def lettered(body: Body[Exact], index: int | str) -> list[tuple[Sym, Exact]]:
    """The parameters of the force of a body's joint, with their letters."""
    return [(letter.at(index), size) for letter, size in zip(LETTERS, body.forces.parameters, strict=True)]


def friction_terms(model: ClosedForm, body: Body[Exact], index: int | str) -> list[tuple[Exact, Sym, Piece]]:
    """Each parameter of the friction of a body's joint that is not zero, its letter, and what it is multiplied by."""
    assert body.joint is not None
    columns = joint_variable(model, body.joint, 1), Val(Sign(model.robot.joints[body.joint].name))
    return [(size, letter, x) for (letter, size), x in zip(lettered(body, index), columns, strict=True) if size]
