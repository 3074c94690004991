"""A wholly symbolic robot: every mass, CoM, inertia and length of a robot as a named parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from dynamis.expressions.expression import ZERO, Expression, Parameter, substitute
from dynamis.model.checks import warned_already
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Link
from dynamis.model.placement import Placement, Step
from dynamis.model.robot import RobotModel

M = TypeVar("M", bound=RobotModel)


def symbolic(robot: M, keep_zeros: bool = True) -> M:
    """The same robot with symbols for its numbers: m1, c1x, I1xx, ... and its lengths.

    `keep_zeros` leaves what is zero as zero (the usual simplified model); without it all ten
    inertial parameters of every link are letters. Values go along where they are known. Angles
    stay as they are, and so does what is a single parameter already.
    """
    parameters, values = dict(robot.parameters), dict(robot.values)

    def letter(expression: Expression, name: str, meaning: str) -> Expression:
        if isinstance(expression, Parameter) or (expression == ZERO and keep_zeros):
            return expression
        parameters[name] = meaning
        value = substitute(expression, robot.values)
        if not value.parameters():
            values[name] = value
        return Parameter(name)

    def lengths(placement: Placement, name: str) -> Placement:
        steps = [
            step if step.kind == "R" else Step("T", step.axis, letter(step.amount, f"{name}{step.axis}", "length [m]"))
            for step in placement.steps
        ]
        return Placement(tuple(steps))

    links: list[Link] = []
    for k, link in enumerate(robot.links, 1):
        joint: Joint = replace(
            link.joint, before=lengths(link.joint.before, f"b{k}"), after=lengths(link.joint.after, f"a{k}")
        )
        com = [letter(e, f"c{k}{axis}", f"CoM of link {k} [m]") for e, axis in zip(link.com, "xyz", strict=True)]
        tensor = link.inertia.matrix
        six = {
            f"{a}{b}": letter(tensor[i][j], f"I{k}{a}{b}", f"inertia of link {k} [kg m^2]")
            for i, a in enumerate("xyz")
            for j, b in enumerate("xyz")
            if i <= j
        }
        inertia = Inertia.of(about=link.inertia.about, axes=link.inertia.axes, allow_unphysical=True, **six)
        mass = letter(link.mass, f"m{k}", f"mass of link {k} [kg]")
        links.append(replace(link, joint=joint, mass=mass, com=(com[0], com[1], com[2]), inertia=inertia))
    with warned_already():
        return replace(robot, links=tuple(links), parameters=parameters, values=values)
