"""A robot of which some parameters are numbers: `--set m1=0` in a derivation with symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from dynamis.expressions.expression import Expression, substitute
from dynamis.model.checks import warned_already
from dynamis.model.link import Joint, Link
from dynamis.model.placement import Placement
from dynamis.model.robot import Frame, RobotModel

M = TypeVar("M", bound=RobotModel)
MAX_NAME = 100


def with_numbers(robot: M, names: Iterable[str]) -> M:
    """The robot with the values of these parameters in their place; its name says which.

    >>> from dynamis import load
    >>> robot = with_numbers(load("deluca-2r").with_values(d2=0), ["d2"])
    >>> robot.name, "d2" in robot.parameters, robot.equations().M[0, 1]
    ('deluca-2r with d2 = 0', False, I2)
    """
    values = {name: robot.values[name] for name in dict.fromkeys(names)}
    if not values:
        return robot

    def put(expression: Expression) -> Expression:
        return substitute(expression, values)

    def triple(entries: Iterable[Expression]) -> tuple[Expression, Expression, Expression]:
        x, y, z = map(put, entries)
        return x, y, z

    def placed(placement: Placement) -> Placement:
        return Placement(tuple(replace(step, amount=put(step.amount)) for step in placement.steps))

    def on(joint: Joint) -> Joint:
        limits = replace(joint.limits, **{name: put(value) for name, value in joint.limits.items()})
        numbers = {key: put(getattr(joint, key)) for key in ("damping", "coulomb", "gear_ratio", "rotor_inertia")}
        numbers["coupling_offset"] = put(joint.coupling_offset)
        coupling = tuple((name, put(factor)) for name, factor in joint.coupling)
        places = {"before": placed(joint.before), "after": placed(joint.after)}
        return replace(joint, axis=triple(joint.axis), limits=limits, coupling=coupling, **places, **numbers)

    def framed(frame: Frame) -> Frame:
        return replace(frame, placement=placed(frame.placement))

    def known(link: Link) -> Link:
        a, b, c = map(triple, link.inertia.matrix)
        inertia = replace(link.inertia, matrix=(a, b, c), axes=placed(link.inertia.axes))
        return replace(link, joint=on(link.joint), mass=put(link.mass), com=triple(link.com), inertia=inertia)

    with warned_already():
        return replace(
            robot,
            name=_name(robot.name, [f"{name} = {value}" for name, value in values.items()]),
            links=tuple(map(known, robot.links)),
            frames=tuple(map(framed, robot.frames)),
            tool=None if robot.tool is None else framed(robot.tool),
            gravity=triple(robot.gravity),
            parameters={name: text for name, text in robot.parameters.items() if name not in values},
            values={name: value for name, value in robot.values.items() if name not in values},
        )


def _name(robot: str, given: list[str]) -> str:
    """As long as a name may be, what was given or how much."""
    names = f"{robot} with {', '.join(given)}", f"{robot} with {len(given)} parameters in numbers", robot
    return next(name for name in names if len(name) <= MAX_NAME or name == robot)
