"""The ring in which an answer and the true model meet.

It has the letters of the model's ring, and those that only an answer needs: the joint angles
themselves, all declared parameters and their inverses, the roots of 2, 3 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dynamis.equations.equations import Equations
from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Expression, Number, Parameter, Pi
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.scalars import ExactScalars, unit_angle
from dynamis.scalars.exact.symbols import angle_text, coordinate, inverse, parameter, root

ROOTS = (root(2), root(3), root(5))
MAX_PRODUCT = 1_000_000
MAX_TERMS = 100_000
MAX_DEGREE = 48
MAX_BITS = 8000


@dataclass(frozen=True)
class CommonRing:
    """The common ring of the model `equations` and of an answer to it."""

    equations: Equations
    coefficients: tuple[str, ...] = ()
    """Names such as a1 that may stand for coefficients that the answer does not define."""

    @cached_property
    def ring(self) -> Ring:
        own, robot = self.equations.ring, self.equations.robot
        parameters = [*map(parameter, robot.parameters)]
        more = [*ROOTS, *(coordinate(j.name) for j in robot.joints), *parameters, *map(parameter, self.coefficients)]
        more += map(inverse, parameters)
        return replace(own, symbols=tuple(dict.fromkeys((*own.symbols, *more))))

    @cached_property
    def scalars(self) -> ExactScalars:
        """Sines and cosines in the common ring."""
        return ExactScalars(self.ring, {}, self.equations.scalars.units)

    def check_time(self) -> None:
        """Raise a TimeLimitError when the time is over."""
        check_time(self.ring)

    def lift(self, scalar: Exact) -> Exact:
        """A scalar of the model in the common ring."""
        index = {name: k for k, name in enumerate(self.ring.letters.names)}
        places = [index[name] for name in scalar.ring.letters.names]
        terms: dict[tuple[int, ...], Fraction] = {}
        for exponents, coefficient in scalar.terms().items():
            lifted = [0] * len(index)
            for place, exponent in zip(places, exponents, strict=True):
                lifted[place] = exponent
            terms[tuple(lifted)] = coefficient
        return self.ring.from_terms(terms)

    def product(self, a: Exact, b: Exact) -> Exact:
        """a b, refused when it would be too large."""
        if len(a) * len(b) > MAX_PRODUCT or max(*_degrees(a), 0) + max(*_degrees(b), 0) > MAX_DEGREE:
            raise ArgumentError("multiplied out this is too large; write it in smaller entries")
        found = a * b
        if len(found) > MAX_TERMS or any(_bits(value) > MAX_BITS for value in _some(found)):
            raise ArgumentError("multiplied out this is too large; write it in smaller entries")
        return found

    def is_invertible(self, b: Exact) -> bool:
        """Whether b is a number times parameters and roots, so that the ring has its inverse."""
        inverted = {symbol.of for symbol in self.ring.inverses}
        return len(b) == 1 and b.symbols() <= {*self.ring.roots, *inverted}

    def quotient(self, a: Exact, b: Exact) -> Exact:
        """a / b for a b that `is_invertible`."""
        if not b:
            raise ArgumentError("division by zero")
        if max(*_degrees(a), 0) + max(*_degrees(b), 0) > MAX_DEGREE:
            raise ArgumentError("multiplied out this is too large; write it in smaller entries")
        return a / b

    def sign(self, argument: Exact) -> Exact:
        """The sign of a joint's velocity, as in Coulomb friction."""
        for joint in self.equations.robot.joints:
            name = f"sign({joint.name})"
            if argument == self.ring.letter(f"d({joint.name})") and name in self.ring.letters.names:
                return self.ring.letter(name)
        raise ArgumentError("sign is that of one joint's velocity, in a robot with Coulomb friction")

    def sqrt(self, argument: Exact) -> Exact:
        """The root of a rational number."""
        number = as_number(argument)
        if number is None:
            raise ArgumentError("the root of a number only; give a root with letters under it a name")
        try:
            return self.scalars.sqrt_of(Number(number))
        except KeyError:
            raise ArgumentError(
                f"the root of {number} is none of the roots of {', '.join(r.of for r in ROOTS)}"
            ) from None

    @cached_property
    def known_angles(self) -> dict[str, tuple[Exact, Exact]]:
        """Cosines and sines that were asked for before."""
        return {}

    def cos_sin(self, argument: Exact) -> tuple[Exact, Exact]:
        """Cosine and sine of a whole-numbered sum of joint angles, fixed angles and multiples of pi."""
        key = str(argument)
        if key not in self.known_angles:
            self.known_angles[key] = self._cos_sin(argument)
        return self.known_angles[key]

    def _cos_sin(self, argument: Exact) -> tuple[Exact, Exact]:
        angle: Expression = Number(Fraction(0))
        joints = {joint.name: joint for joint in self.equations.robot.joints}
        for exponents, factor in argument.terms().items():
            names = [name for name, e in zip(self.ring.letters.names, exponents, strict=True) for _ in range(e)]
            if len(names) > 1:
                raise ArgumentError("an angle is a sum of joint angles, not a product")
            name = names[0] if names else ""
            if name in joints and not joints[name].turns:
                raise ArgumentError(f"joint {name} slides; it has no sine or cosine")
            unit = angle_text(unit_angle(Parameter(name), self.scalars.units))
            whole = (factor * self.scalars.units.get(name, 1)).denominator == 1
            if name not in ("", "pi") and not (whole and f"sin({unit})" in self.ring.letters.names):
                raise ArgumentError(f'"{argument}" is not a whole-numbered sum of the angles of this robot')
            node = Number(Fraction(1)) if not name else Pi() if name == "pi" else Parameter(name)
            angle = angle + Number(factor) * node
        try:
            return self.scalars.cos_sin_of(angle)
        except KeyError:
            raise ArgumentError(f"the angle {angle} is not one that this robot has") from None

    def substitute(self, scalar: Exact, values: Mapping[str, Exact]) -> Exact:
        """With parameters replaced, and their inverses with them."""
        present = {name: value for name, value in values.items() if name in scalar.letters()}
        for name, value in values.items():
            if f"1/{name}" in scalar.letters():
                if not self.is_invertible(value):
                    raise ArgumentError(f"{name} stands under a fraction, and {value} cannot be divided by")
                present[f"1/{name}"] = self.quotient(self.ring.number(1), value)
        for name, below in self.ring.sums.items():
            if name in scalar.letters() and below.letters() & set(values):
                changed = self.substitute(below, values)
                if not self.is_invertible(changed):
                    raise ArgumentError(f"the model divides by {below}, which cannot be given such values")
                present[name] = self.quotient(self.ring.number(1), changed)
        return scalar.substitute(present) if present else scalar


def check_time(ring: Ring) -> None:
    """Raise a TimeLimitError when the time is over; every loop over an answer's names, terms or entries calls this."""
    if ring.deadline is not None:
        ring.deadline.check()


def as_number(scalar: Exact) -> Fraction | None:
    """The rational number that a scalar is, or None."""
    if scalar.letters():
        return None
    return next(iter(scalar.terms().values()), Fraction(0))


def as_function(scalar: Exact) -> Callable[[Mapping[str, float]], float]:
    """The value of a scalar for given numbers of its letters."""
    names = scalar.ring.letters.names
    terms = [
        (float(coefficient), [(name, e) for name, e in zip(names, exponents, strict=True) if e])
        for exponents, coefficient in scalar.terms().items()
    ]

    def value(at: Mapping[str, float]) -> float:
        return math.fsum(coefficient * math.prod(at[name] ** e for name, e in powers) for coefficient, powers in terms)

    return value


def _degrees(scalar: Exact) -> tuple[int, ...]:
    return scalar.polynomial.degrees()


def _some(scalar: Exact) -> list[Fraction]:
    """The coefficients, of a long scalar the first."""
    if len(scalar) > 100:
        first = scalar.polynomial.leading_coefficient()
        return [Fraction(int(first.p), int(first.q))]
    return list(scalar.terms().values())


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
