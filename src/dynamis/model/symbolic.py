"""A wholly symbolic robot: every mass, CoM, inertia and length of a robot as a named parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from dynamis.base.expressions.expression import ZERO, Expression, Parameter, substitute
from dynamis.model.checks import warned_already
from dynamis.model.map_expressions import Site, changed_fields
from dynamis.model.robot import RobotModel

M = TypeVar("M", bound=RobotModel)
MEANINGS = {"mass": ("m", "mass", "kg"), "com": ("c", "CoM", "m"), "inertia": ("I", "inertia", "kg m^2")}


def symbolic(robot: M, keep_zeros: bool = True, only: Callable[[Site], bool] = lambda site: True) -> M:
    """The same robot with symbols for its numbers: m1, c1x, I1xx, ... and its lengths; `only` chooses among them.

    `keep_zeros` leaves what is zero as zero (the usual simplified model); without it all ten
    inertial parameters of every link are symbols. Values go along where they are known. Angles
    stay as they are, and so does what is a single parameter already.
    """
    parameters, values, lengths = dict(robot.parameters), dict(robot.values), list[str]()

    def symbol(site: Site) -> Expression:
        expression, (name, meaning) = site.expression, _name(site)
        if not name or isinstance(expression, Parameter) or (expression == ZERO and keep_zeros) or not only(site):
            return expression
        if "joint" in site.path:  # a chain may go along the same axis twice
            lengths.append(name)
            name += f"_{lengths.count(name)}" if lengths.count(name) > 1 else ""
        parameters[name] = meaning
        value = substitute(expression, robot.values)
        if not value.parameters():
            values[name] = value
        return Parameter(name)

    with warned_already():
        # A planar link may give one moment alone; with symbols for zeros it would seem to give three.
        allowed = (replace(link, inertia=replace(link.inertia, allow_unphysical=True)) for link in robot.links)
        robot = replace(robot, links=tuple(allowed))
        return replace(robot, **changed_fields(robot, symbol), parameters=parameters, values=values)


def _name(site: Site) -> tuple[str, str]:
    """The symbol for an expression of a link, and its meaning; "" for what keeps its expression."""
    k, field = site.inertial
    if field:
        kind, _, axes = field.partition(".")
        letter, meaning, unit = MEANINGS[kind]
        return f"{letter}{k + 1}{axes}", f"{meaning} of link {k + 1} [{unit}]"
    match site.path:
        case ("links", int(k), "joint", "before" | "after" as side, *_) if site.owner.kind == "T":
            return f"{side[0]}{k + 1}{site.owner.axis}", "length [m]"
        case _:
            return "", ""
