"""Floats: the plain scalars.

Sines and cosines of right angles, 30, 45 and 60 degrees are exact: cos(pi/2) is 0, not 6e-17.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dynamis.base.errors import ArgumentError, MissingValuesError
from dynamis.base.expressions.expression import Expression, Number, multiple_of_pi
from dynamis.scalars.cosines import cosine_and_sine
from dynamis.scalars.scalars import Scalars, evaluate


@dataclass(frozen=True)
class Floats(Scalars[float]):
    """Python's floats, with the values of the parameters of `robot`.

    `inputs` are parameters that have a float instead of an expression, such as those of a load at one instant. Beyond
    its domain a function is NaN, as in machine code; an expression of the model there is an error.
    """

    values: Mapping[str, Expression]
    robot: str = ""
    inputs: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def zero(self) -> float:
        return 0.0

    @property
    def one(self) -> float:
        return 1.0

    def constant(self, value: Fraction) -> float:
        try:
            return float(value)
        except OverflowError:
            raise ArgumentError("a number in the robot is beyond 1e308") from None

    def pi(self) -> float:
        return math.pi

    def parameter(self, name: str) -> float:
        if name in self.inputs:
            return self.inputs[name]
        if name not in self.values:
            raise MissingValuesError(self.robot, [name])
        return evaluate(self.values[name], self)

    def cos_sin_of(self, angle: Expression) -> tuple[float, float]:
        turn = multiple_of_pi(angle, self.values)
        if turn is not None and (pair := cosine_and_sine(turn)) is not None:
            cos, sin = (float(factor) * math.sqrt(radicand) for factor, radicand in pair)
            return cos, sin
        radians = evaluate(angle, self)
        if not math.isfinite(radians):
            raise ArgumentError(f"the angle {angle} must be finite, got {radians} with these values")
        return math.cos(radians), math.sin(radians)

    def sqrt_of(self, argument: Expression) -> float:
        value = evaluate(argument, self)
        if value < 0:
            raise ArgumentError(f"sqrt({argument}) is the root of {value:g}, which is negative")
        return math.sqrt(value)

    def cos_sin(self, x: float, /) -> tuple[float, float]:
        return (math.cos(x), math.sin(x)) if math.isfinite(x) else (math.nan, math.nan)

    def sqrt(self, x: float, /) -> float:
        return math.sqrt(x) if x >= 0 else math.nan

    def decay(self, x: float, /) -> float:
        return math.exp(-x)

    def sign(self, x: float, /) -> float:
        return math.copysign(1.0, x) if x else 0.0

    def least(self, x: float, y: float, /) -> float:
        return y if x > y else x

    def greatest(self, x: float, y: float, /) -> float:
        return y if x < y else x

    def nearest(self, x: float, /) -> float:
        return math.copysign(float(round(x)), x) if math.isfinite(x) else x


_NO_VALUES = Floats({})


def number(expression: Expression, values: Mapping[str, Expression], robot: str = "") -> float | None:
    """The float of an expression, or None where a parameter has no value."""
    if isinstance(expression, Number):  # most of those of a robot
        return _NO_VALUES.constant(expression.value)
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
