"""The ring in which an answer and the model are compared.

It has the symbols of the model's ring, and those that only an answer needs: the joint angles
themselves, all declared parameters and their inverses, the roots of 2, 3 and 5, and the half angles that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dynamis.apps.grading.halved_leaders import halved_leaders
from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Expression, Number, Parameter, Pi
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.cosines import HALF
from dynamis.scalars.exact.numbers import as_ball, as_fraction, by_monomial, value
from dynamis.scalars.exact.products import compose_polynomial
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.scalars import ExactScalars, added_angles, multiple_angle, unit_angle
from dynamis.scalars.exact.symbols import (
    Symbol,
    angle_text,
    coordinate,
    half_angle,
    inverse,
    joint_angle,
    parameter,
    root,
    sign_of_velocity,
)

TIME = "t"
"""The variable of derivatives by time."""
ROOTS = (root(2), root(3), root(5))
# A product of 1287 by 1287 terms in nine symbols, with 43758 terms, takes 0.2 s; larger ones are no student's.
MAX_PRODUCT = 1_000_000
MAX_TERMS = 100_000
# Powers and numbers of textbook models stay below 8 and 200 bits.
MAX_DEGREE = 48
MAX_BITS = 8000
DECIMAL_PLACES = 40
TOO_LARGE = "multiplied out this is too large; write it in smaller entries"


@dataclass(frozen=True)
class CommonRing:
    """The common ring of the model `equations` and of an answer to it."""

    equations: ClosedForm
    coefficients: tuple[str, ...] = ()
    """Names such as a1 that may stand for coefficients that the answer does not define."""
    halved: frozenset[str] = frozenset()
    """Joints whose half angles have symbols, besides those that coupled joints follow by halves."""

    @cached_property
    def ring(self) -> Ring:
        own, robot = self.equations.ring, self.equations.robot
        parameters = [*map(parameter, robot.parameters)]
        angles = [coordinate(name) for name in self._separate_angles]
        sliders = (joint_angle(joint.name) for joint in robot.coordinates if not joint.revolute)
        angles += [symbol for pair in sliders for symbol in pair]  # sin(q2) of a wrong answer
        more = [*ROOTS, *(coordinate(joint.name) for joint in robot.coordinates), *angles, *parameters]
        more += [*map(parameter, self.coefficients), *map(inverse, parameters)]
        more += [symbol for name in self._halved for symbol in half_angle(name)]
        combined = {symbol for name in self._combined_angles for symbol in joint_angle(name)}
        return replace(own, symbols=tuple(s for s in dict.fromkeys((*own.symbols, *more)) if s not in combined))

    @cached_property
    def _separate_angles(self) -> list[str]:
        """The coupled joints of which the model's ring has sine and cosine: they are angles of their own."""
        joints, present = self.equations.robot.joints, set(self.equations.ring.symbols)
        names = [joint.name for joint in joints if joint.coupling and present.issuperset(joint_angle(joint.name))]
        return [name for name in names if name not in self._combined_angles]

    @cached_property
    def _combined_angles(self) -> dict[str, list[tuple[str, int]]]:
        """The coupled joints whose angles are sums of halves of others: (leader, how often its half is taken)."""
        return halved_leaders(self.equations.robot)

    @cached_property
    def _halved(self) -> list[str]:
        return sorted({name for halves in self._combined_angles.values() for name, _ in halves} | self.halved)

    @cached_property
    def _turning(self) -> set[str]:
        """The joints whose angles have symbols."""
        joints = self.equations.robot.joints
        return {joint.name for joint in joints if self.ring.places.keys() >= {*joint_angle(joint.name)}}

    @cached_property
    def missing_halves(self) -> set[str]:
        """The joints of which half angles were asked for that have no symbols."""
        return set()

    @cached_property
    def combinations(self) -> dict[str, Exact]:
        """r, d(r), dd(r) of every coupled joint r, as the combination A y + b of the coordinates and their rates."""
        robot, coupling = self.equations.robot, self.equations.mechanism.coupling
        if coupling is None:
            return {}
        combinations: dict[str, Exact] = {}
        for joint, row, offset in zip(robot.joints, coupling.rows, coupling.offsets, strict=True):
            for order in range(3) if joint.coupling else ():
                total = self.ring.zero if order else self.lift(offset)
                for k, factor in row:
                    total = total + self.ring.scalar(coordinate(robot.coordinates[k].name, order)) * self.lift(factor)
                combinations[coordinate(joint.name, order)] = total
        return combinations

    @cached_property
    def coupled(self) -> dict[str, Exact]:
        """The same with a symbol for each angle that is one of its own."""
        return self.combinations | {name: self.ring.scalar(name) for name in self._separate_angles}

    def scalar(self, symbol: str) -> Exact:
        """A symbol of the ring, or the coordinate or rate of a coupled joint."""
        return self.coupled[symbol] if symbol in self.coupled else self.ring.scalar(symbol)

    @cached_property
    def scalars(self) -> ExactScalars:
        """Sines and cosines in the common ring."""
        return ExactScalars(self.ring, {}, {**self.equations.scalars.units, **dict.fromkeys(self._halved, 2)})

    def check_time(self) -> None:
        """Raise a TimeLimitError when the time is over; every loop over names, terms or entries calls this."""
        self.ring.check_time()

    def lift(self, scalar: Exact) -> Exact:
        """A scalar of the model in the common ring."""
        if not self._followed:
            return Exact(scalar.polynomial.project_to_context(self.ring.context), self.ring)
        ring = self.ring
        images = [self._followed.get(name) or ring.generators[name] for name in scalar.ring.symbols]
        return Exact(compose_polynomial(scalar.polynomial, images, ring), ring)

    @cached_property
    def _followed(self) -> dict[str, Any]:
        """Sines and cosines of the combined angles, as polynomials in the half angles."""
        robot, followed = self.equations.robot, dict[str, Any]()
        for joint, row in zip(robot.joints, robot.couplings, strict=True):
            if joint.name not in self._combined_angles:
                continue
            pair = self.scalars.cos_sin_of(row.offset)
            for name, times in self._combined_angles[joint.name]:
                sine, cosine = map(self.ring.scalar, half_angle(name))
                pair = added_angles(pair, multiple_angle((cosine, sine), times, self.scalars))
            followed |= zip(joint_angle(joint.name), (x.polynomial for x in reversed(pair)), strict=True)
        return followed

    def sign(self, argument: Exact) -> Exact:
        """The sign of a joint's velocity, as in Coulomb friction."""
        for joint in self.equations.robot.joints:
            symbol = sign_of_velocity(joint.name)
            if argument == self.scalar(coordinate(joint.name, 1)) and symbol in self.ring.places:
                return self.ring.scalar(symbol)
        raise ArgumentError("sign takes the velocity of one joint, in a robot with Coulomb friction")

    def sqrt(self, argument: Exact) -> Exact:
        """The root of a rational number."""
        number = as_number(argument)
        if number is None:
            raise ArgumentError("only the root of a number can be taken; define a root with symbols under it by let")
        try:
            return self.scalars.sqrt_of(Number(number))
        except KeyError:
            raise ArgumentError(
                f"the root of {number} is not made of the roots of {', '.join(r.of for r in ROOTS)}"
            ) from None

    @cached_property
    def _angles(self) -> dict[Exact, tuple[Exact, Exact]]:
        """Angle -> its cosine and sine, of those that were asked for before."""
        return {}

    def cos_sin(self, argument: Exact) -> tuple[Exact, Exact]:
        """Cosine and sine of a sum of whole and half joint angles, fixed angles and multiples of pi."""
        if argument not in self._angles:
            self._angles[argument] = self._cos_sin(argument)
        return self._angles[argument]

    def sqrt_of_decimals(self, argument: Exact) -> Exact:
        """The same of any positive number, 0.501, to PLACES places."""
        try:
            return self.sqrt(argument)
        except ArgumentError:
            if (number := as_number(argument)) is None or number <= 0:
                raise
        return self.ring.number(as_fraction(as_ball(number).sqrt(), DECIMAL_PLACES))

    def cos_sin_of_decimals(self, argument: Exact) -> tuple[Exact, Exact]:
        """The same where the fixed part of the angle may be any number, 0.7854, to PLACES places."""
        fixed = by_monomial(argument).get((0,) * len(self.ring.symbols), self.ring.zero)
        try:
            return self.cos_sin(argument)
        except ArgumentError:
            if not fixed:
                raise
        x = value(fixed)
        pair = (
            self.ring.number(as_fraction(x.cos(), DECIMAL_PLACES)),
            self.ring.number(as_fraction(x.sin(), DECIMAL_PLACES)),
        )
        return added_angles(self.cos_sin(argument - fixed), pair)

    def _cos_sin(self, argument: Exact) -> tuple[Exact, Exact]:
        angle: Expression = Number(Fraction(0))
        argument = self._of_followers(argument)
        missing = set[str]()
        for powers, factor in argument.powers():
            if len(powers) > 1 or any(power > 1 for _, power in powers):
                raise ArgumentError("an angle must be a sum of joint angles, not a product")
            name = str(powers[0][0]) if powers else ""
            unit = angle_text(unit_angle(Parameter(name), self.scalars.units))
            integer = (factor * self.scalars.units.get(name, 1)).denominator == 1
            if name not in ("", "pi") and not (integer and f"sin({unit})" in self.ring.places):
                if factor.denominator != 2 or name not in self._turning:
                    raise ArgumentError(f'"{argument}" is not a sum of whole and half angles of this robot')
                missing.add(name)
            node = Number(Fraction(1)) if not name else Pi() if name == "pi" else Parameter(name)
            angle = angle + Number(factor) * node
        self.missing_halves.update(missing)
        if missing:
            raise ArgumentError(f'"{argument}" has half angles')
        try:
            return self.scalars.cos_sin_of(angle)
        except KeyError:
            raise ArgumentError(f"the angle {angle} does not occur in this robot") from None

    def _of_followers(self, angle: Exact) -> Exact:
        """An angle without the sliders that drive a revolute joint: of r = 2 q1 the angle 2 q1 is r."""
        sliders = [joint.name for joint in self.equations.robot.coordinates if not joint.revolute]
        for follower in self._separate_angles:
            combination = self.combinations[follower]
            for slider in sliders:
                part, whole = angle.derivative(slider), combination.derivative(slider)
                if (a := as_number(part)) and (b := as_number(whole)) and (a / b).denominator <= 2:
                    angle = angle + (self.ring.scalar(follower) - combination).times(a / b)
        return angle

    @cached_property
    def _slopes(self) -> dict[str, dict[Symbol, Exact]]:
        """Coordinate -> the symbols that depend on it, with their derivatives."""
        slopes: dict[str, dict[Symbol, Exact]] = {}
        for joint, pairs in zip(self.equations.robot.coordinates, self.equations.slopes, strict=True):
            name = coordinate(joint.name)
            present = ((symbol, slope) for symbol, slope in pairs if symbol in self.ring.places)
            slopes[name] = {name: self.ring.one} | {symbol: self.lift(slope) for symbol, slope in present}
            if not joint.revolute:
                sine, cosine = joint_angle(joint.name)
                slopes[name] |= {sine: self.ring.scalar(cosine), cosine: -self.ring.scalar(sine)}
        for half in self._halved:
            sine, cosine = half_angle(half)
            for name, rate in self._rates(half):
                slopes[name][sine] = self.ring.scalar(cosine).times(HALF) * rate
                slopes[name][cosine] = self.ring.scalar(sine).times(-HALF) * rate
        return slopes

    def _rates(self, joint: str) -> list[tuple[str, Exact]]:
        """The coordinates that a joint follows, with its derivatives by them."""
        robot, coupling = self.equations.robot, self.equations.mechanism.coupling
        names, k = [str(coordinate(c.name)) for c in robot.coordinates], [j.name for j in robot.joints].index(joint)
        return [(joint, self.ring.one)] if coupling is None else [(names[i], self.lift(x)) for i, x in coupling.rows[k]]

    def partial(self, scalar: Exact, name: str) -> Exact:
        """The derivative by a coordinate or a rate."""
        joints = self.equations.robot.coordinates
        rates = {str(coordinate(joint.name, order)) for joint in joints for order in (1, 2)}
        if name in rates:
            return scalar.derivative(name)
        if name not in self._slopes:
            raise ArgumentError(f"derivatives are by coordinates, their rates and t, not by {name}")
        total = self.ring.zero
        for symbol, slope in self._slopes[name].items():
            total = total + product(scalar.derivative(symbol), slope)
        return total

    def time_derivative(self, scalar: Exact) -> Exact:
        """The derivative along a motion: the sum of dF/dq_k qd_k + dF/dqd_k qdd_k."""
        total, here = self.ring.zero, scalar.symbols()
        for joint in self.equations.robot.coordinates:
            q, qd, qdd = (coordinate(joint.name, order) for order in range(3))
            if qdd in here:
                raise ArgumentError("the model has no third derivatives of coordinates")
            total = total + product(self.partial(scalar, q), self.scalar(qd))
            total = total + product(self.partial(scalar, qd), self.scalar(qdd))
        return total

    def substitute(self, scalar: Exact, values: Mapping[str, Exact]) -> Exact:
        """With parameters replaced, and their inverses with them."""
        present: dict[str, Exact] = {symbol: values[symbol] for symbol in scalar.symbols() if symbol in values}
        for symbol in scalar.symbols():
            if symbol.kind != "inverse":
                continue
            below = self.ring.denominator(symbol)
            if below.symbols() & values.keys():
                changed = self.substitute(below, values)
                if not is_invertible(changed):
                    raise ArgumentError(f"{below} stands under a fraction, and {changed} cannot be divided by")
                present[symbol] = quotient(self.ring.one, changed)
        return scalar.substitute(present) if present else scalar


def as_number(scalar: Exact) -> Fraction | None:
    """The rational number that a scalar is, or None."""
    return None if scalar.symbols() else next(iter(scalar.terms().values()), Fraction(0))


def product(a: Exact, b: Exact) -> Exact:
    """a b, refused when it would be too large."""
    result = a * b if len(a) * len(b) <= MAX_PRODUCT and _degree(a) + _degree(b) <= MAX_DEGREE else None
    if result is None or len(result) > MAX_TERMS or any(_bits(x) > MAX_BITS for x in _sample(result)):
        raise ArgumentError(TOO_LARGE)
    return result


def is_invertible(scalar: Exact) -> bool:
    """Whether it is a number times parameters and roots, so that the ring has its inverse."""
    inverted = {symbol.of for symbol in scalar.ring.inverses}
    return len(scalar) == 1 and scalar.symbols() <= {*scalar.ring.roots, *inverted}


def quotient(a: Exact, b: Exact) -> Exact:
    """a / b for a b that `is_invertible`."""
    if _degree(a) + _degree(b) > MAX_DEGREE:
        raise ArgumentError(TOO_LARGE)
    return a / b


def _degree(scalar: Exact) -> int:
    return max(*scalar.polynomial.degrees(), 0)


def _sample(scalar: Exact) -> Iterable[Fraction]:
    """The coefficients, of a long scalar the first."""
    return (scalar if len(scalar) <= 100 else scalar.first_terms(1)).terms().values()


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
