"""What the conditions of a design question mean: centres of mass on joint axes, and which torques vanish.

The CoM of all that joint k carries lies on its axis if and only if sum m_i z_k x (p_ci - p_k) = 0, the sum of m_i times
column k of the Jacobian of CoM i. Where that holds for all q, gravity gives joint k no torque.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.scalars import evaluate

Under = Callable[[Exact], Exact]
"""A polynomial under conditions, up to a factor that is not zero."""
FEW_JOINTS = 4
"""Joints up to which Jacobians are looked at: of a 6R they took 4 s, of a 3R 0.05 s."""


def meaning(model: ClosedForm, under: Under, coefficients: Sequence[str]) -> str:
    """A sentence: where the CoMs lie under the conditions, and which torques and coefficients are zero then."""
    if model.n > FEW_JOINTS:
        return ""
    balanced = [text for k in range(model.n) if (text := _balance_sentence(model, k, under))]
    zero = [*_zeros("c", model.coriolis, under), *_zeros("g", model.gravity, under)]
    facts = [*zero, *([" = ".join([*coefficients, "0"])] if coefficients else [])]
    return "; ".join(filter(None, (_and(balanced), f"then {_and(facts)}" if facts else "")))


def _balance_sentence(model: ClosedForm, k: int, under: Under) -> str:
    """The CoM of what joint k carries, if the conditions put it on the axis of the joint."""
    robot = model.robot
    if not robot.coordinates[k].revolute or any(link.joint.coupling for link in robot.links):
        return ""
    columns = [(link, _column(model, link.name, k)) for link in robot.links]
    carried = [(link, column) for link, column in columns if any(column)]
    if not carried:
        return ""
    masses = [evaluate(link.mass, model.scalars) for link, _ in carried]
    moments = zip(
        *([m * entry for entry in column] for m, (_, column) in zip(masses, carried, strict=True)), strict=True
    )
    sums = [sum(moment, model.ring.zero) for moment in moments]
    if not any(sums) or any(map(under, sums)):
        return ""
    joint = robot.coordinates[k].name
    names = [link.name for link, _ in carried]
    if len(names) == 1:
        return f"the CoM of {names[0]} is on the axis of {joint}"
    return f"{_and(names)} together have their CoM on the axis of {joint}"


def _column(model: ClosedForm, link: str, k: int) -> list[Exact]:
    return [row[k] for row in model.quantity("com_jacobian", link=link)[:3]]


def _zeros(letter: str, entries: list[Exact], under: Under) -> list[str]:
    """`c = 0`, or the entries that the conditions make zero: `g[2] = 0`."""
    nonzero = [k for k, entry in enumerate(entries) if entry]
    gone = [k for k in nonzero if not under(entries[k])]
    if gone and gone == nonzero:
        return [f"{letter} = 0"]
    return [f"{letter}[{k + 1}] = 0" for k in gone]


def _and(texts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))
