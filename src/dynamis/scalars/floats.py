"""The plain world: expressions evaluated as Python floats.

Sines and cosines of right angles, 30, 45 and 60 degrees are exact: cos(pi/2) is 0, not 6e-17.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dynamis.errors import ArgumentError, MissingValuesError
from dynamis.expressions.expression import Expression, evaluate, multiple_of_pi

_HALF_ROOT_2, _HALF_ROOT_3 = math.sqrt(2) / 2, math.sqrt(3) / 2
# cos(r pi) for r in [0, 1/2]; the other quadrants follow by symmetry.
_COSINES = {
    Fraction(0): 1.0,
    Fraction(1, 6): _HALF_ROOT_3,
    Fraction(1, 4): _HALF_ROOT_2,
    Fraction(1, 3): 0.5,
    Fraction(1, 2): 0.0,
}


@dataclass(frozen=True)
class Floats:
    """A world of floats with the values that the parameters of `robot` have."""

    values: Mapping[str, Expression]
    robot: str = ""

    def number(self, value: Fraction) -> float:
        try:
            return float(value)
        except OverflowError:
            raise ArgumentError("a number in the robot is beyond 1e308") from None

    def pi(self) -> float:
        return math.pi

    def parameter(self, name: str) -> float:
        if name not in self.values:
            raise MissingValuesError(self.robot, [name])
        return evaluate(self.values[name], self)

    def cos_sin(self, angle: Expression) -> tuple[float, float]:
        turn = multiple_of_pi(angle, self.values)
        if turn is not None and 12 % turn.denominator == 0:
            cos, sin = _exact_cosine(turn), _exact_cosine(turn - Fraction(1, 2))
            if cos is not None and sin is not None:
                return cos, sin
        radians = evaluate(angle, self)
        if not math.isfinite(radians):
            raise ArgumentError(f"the angle {angle} is {radians} with these values; an angle is finite")
        return math.cos(radians), math.sin(radians)

    def sqrt(self, argument: Expression) -> float:
        value = evaluate(argument, self)
        if value < 0:
            raise ArgumentError(f"sqrt({argument}) is the root of {value:g}, which is negative")
        return math.sqrt(value)


def number(expression: Expression, values: Mapping[str, Expression], robot: str = "") -> float | None:
    """The float of an expression, or None where a parameter has no value."""
    if any(name not in values for name in expression.parameters()):
        return None
    try:
        value = evaluate(expression, Floats(values, robot))
    except ZeroDivisionError:
        raise ArgumentError(f'"{expression}" divides by zero with these values') from None
    except OverflowError:
        raise ArgumentError(f'"{expression}" is beyond 1e308 with these values') from None
    if not math.isfinite(value):
        raise ArgumentError(f'"{expression}" is {value} with these values; a value is finite')
    return value


def _exact_cosine(turn: Fraction) -> float | None:
    turn = abs(turn) % 2
    turn = 2 - turn if turn > 1 else turn
    if turn > Fraction(1, 2):
        cosine = _COSINES.get(1 - turn)
        return None if cosine is None else -cosine if cosine else 0.0
    return _COSINES.get(turn)
