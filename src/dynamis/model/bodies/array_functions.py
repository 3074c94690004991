"""Expressions evaluated on arrays, with the functions that a density may use beside sin, cos and sqrt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Expression
from dynamis.scalars.scalars import Scalars, evaluate

FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "abs": np.abs,
    "sign": np.sign, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "tanh": np.tanh,
}  # fmt: skip
# Where they are defined, and what an argument outside of it is.
DOMAINS: Mapping[str, tuple[float, float, str]] = {
    "sqrt": (0.0, np.inf, "the root of a negative number"),
    "log": (0.0, np.inf, "the logarithm of a number that is not positive"),
    "asin": (-1.0, 1.0, "the angle of a sine beyond 1"),
    "acos": (-1.0, 1.0, "the angle of a cosine beyond 1"),
}
# An argument that is less than this beyond its domain is rounding: 1 - x^2 at the rim of a disk.
DOMAIN_ROUNDING = 1e-14


@dataclass(frozen=True)
class Arrays(Scalars[Any]):
    """Scalars that are arrays: `values` are those of the symbols."""

    values: Mapping[str, Array]
    cache: dict[Expression, tuple[Array, Array]] = field(default_factory=dict[Expression, "tuple[Array, Array]"])

    def constant(self, value: Fraction) -> Any:
        """A rational number."""
        return np.float64(value)

    def pi(self) -> Any:
        """The number pi."""
        return np.float64(np.pi)

    def parameter(self, name: str) -> Array:
        """The values of a symbol."""
        return self.values[name]

    def cos_sin_of(self, angle: Expression) -> tuple[Array, Array]:
        """Cosine and sine of an expression, computed once."""
        if angle not in self.cache:
            value = evaluate(angle, self)
            self.cache[angle] = np.cos(value), np.sin(value)
        return self.cache[angle]

    def sqrt_of(self, argument: Expression) -> Array:
        """The square root of an expression."""
        return self.function_of("sqrt", argument)

    def function_of(self, name: str, argument: Expression) -> Array:
        """One of FUNCTIONS of an expression."""
        value = evaluate(argument, self)
        if name in DOMAINS:
            low, high, what = DOMAINS[name]
            if np.any((value < low - DOMAIN_ROUNDING) | (value > high + DOMAIN_ROUNDING)) or (
                name == "log" and np.any(value <= 0)
            ):
                raise ArgumentError(f"{name}({argument}) is {what} inside the body", key="density")
            value = np.clip(value, low, high)
        return FUNCTIONS[name](value)
