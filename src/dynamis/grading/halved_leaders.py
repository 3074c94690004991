"""Coupled joints that follow others by halves, as a differential wrist does: q3 = (q1 + q2)/2, q4 = (q1 - q2)/2 + b.

In the model each has a sine and a cosine of its own, and q1 = q3 + q4 - b is not known. With the half angles of the
leaders all of them are integer combinations, so that every right answer is equal to the model.
"""

from __future__ import annotations

from dynamis.expressions.expression import Number
from dynamis.model.robot import RobotModel

# cos(a + b/2) has a factor for every half of an angle.
MAX_HALVES = 16


def halved_leaders(robot: RobotModel) -> dict[str, list[tuple[str, int]]]:
    """Coupled joint -> (leader, how often it takes half the leader's angle), for those that take odd numbers of halves.

    >>> from dynamis import Joint, Link, Robot
    >>> links = Link("a", Joint("q1")), Link("b", Joint("q2", coupling={"q1": "3/2"}), "a")
    >>> halved_leaders(Robot("geared", links))
    {'q2': [('q1', 3)]}
    """
    followers: dict[str, list[tuple[str, int]]] = {}
    for joint, row in zip(robot.joints, robot.couplings, strict=True):
        factors = [(robot.coordinates[k], factor) for k, factor in row.factors]
        halves = [
            (leader.name, int(2 * factor.value))
            for leader, factor in factors
            if leader.revolute and isinstance(factor, Number) and factor.value.denominator <= 2
        ]
        is_halved = any(times % 2 for _, times in halves) and sum(abs(times) for _, times in halves) <= MAX_HALVES
        if joint.coupling and joint.revolute and len(halves) == len(factors) and is_halved:
            followers[joint.name] = halves
    return followers
