"""Angles that were rounded, such as 1.5708: which multiples of 15 degrees they round; the sines of these are exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from dynamis.base.expressions.expression import Expression, Number
from dynamis.base.expressions.parser import parse
from dynamis.model.checks import warned_already
from dynamis.model.map_expressions import Site, changed_fields
from dynamis.model.placement import Step
from dynamis.model.robot import RobotModel

M = TypeVar("M", bound=RobotModel)
PI = Fraction("3.14159265358979323846264338327950288")


def with_exact_angles(robot: M) -> M:
    """The robot with pi/2 for 1.5708 in all its placements; what is not a rounded multiple of 15 degrees stays.

    >>> from dynamis import Joint, Link, Robot
    >>> arm = with_exact_angles(Robot("arm", (Link("a", Joint("q", before="Rx(1.5708) Tz(1.5708) Ry(0.7)")),)))
    >>> str(arm.links[0].joint.before)
    'Rx(pi/2) Tz(1.5708) Ry(0.7)'
    """

    def exact(site: Site) -> Expression:
        turns = isinstance(site.owner, Step) and site.owner.kind == "R"
        meant = meant_angle(site.expression) if turns else None
        return site.expression if meant is None else parse(meant)

    with warned_already():
        return replace(robot, **changed_fields(robot, exact))


def meant_angle(angle: Expression) -> str | None:
    """The multiple of pi that a decimal rounds: `pi/2` of 1.5708 and of 1.57, `pi/6` of 0.5236."""
    if not isinstance(angle, Number) or abs(angle.value) > 100:
        return None
    decimals = len(str(angle).partition(".")[2])
    twelfths = round(angle.value * 12 / PI)
    over, last = abs(angle.value) - abs(twelfths) * PI / 12, Fraction(1, 10**decimals)
    rounded_or_cut = -last < over <= last / 2
    # Two decimals are too few to tell: only right angles are common enough to be meant.
    if not twelfths or not rounded_or_cut or decimals < (2 if twelfths % 6 == 0 else 3):
        return None
    times, parts = Fraction(twelfths, 12).as_integer_ratio()
    return f"{'-' * (times < 0)}{'' if abs(times) == 1 else f'{abs(times)}*'}pi{'' if parts == 1 else f'/{parts}'}"
