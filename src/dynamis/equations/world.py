"""The exact world: a robot's expressions as scalars of a ring that has the letters they need.

Fixed angles are exact: multiples of 15 degrees through the roots of 2 and 3, any other angle as a
named angle with a sine and a cosine of its own, sums of angles by the addition theorems. So
nothing is ever rounded. Fixed angles that are up to four times another one, up to right angles (37, 53, 111 degrees),
share its letters; other named angles are taken as independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Call, Expression, Number, Parameter, Power, Quotient, evaluate, walk
from dynamis.expressions.parser import MAX_LENGTH
from dynamis.mechanics.mechanism import State
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.angles import (
    MAX_MULTIPLE,
    MAX_SHARED,
    Angle,
    angle_of,
    fixed_angle,
    generators,
    multiple_of,
    prime_factors,
)
from dynamis.scalars.exact.denominators import is_sum, text_of
from dynamis.scalars.exact.limits import MEMORY, Deadline, Memory
from dynamis.scalars.exact.ring import Exact, Letters, Ring

Pair = tuple[Exact, Exact]
# cos and sin of r pi for r = 0, 1/6, 1/4, 1/3, 1/2, as coefficients of 1, root 2, root 3.
_HALF = Fraction(1, 2)
_QUARTER = {
    Fraction(0): ((1, 0, 0), (0, 0, 0)),
    Fraction(1, 6): ((0, 0, _HALF), (_HALF, 0, 0)),
    Fraction(1, 4): ((0, _HALF, 0), (0, _HALF, 0)),
    Fraction(1, 3): ((_HALF, 0, 0), (0, 0, _HALF)),
    Fraction(1, 2): ((0, 0, 0), (1, 0, 0)),
}


@dataclass(frozen=True)
class ExactWorld:
    """Evaluates a robot's expressions in `ring`; parameters in `values` are numbers, others letters.

    `units` says which fraction of a parameter is the named angle, so that alpha/2 and alpha share one.
    """

    ring: Ring
    values: Mapping[str, Expression]
    units: Mapping[str, int]

    def number(self, value: Fraction) -> Exact:
        return self.ring.number(value)

    def pi(self) -> Exact:
        return self.ring.letter("pi")

    def parameter(self, name: str) -> Exact:
        return evaluate(self.values[name], self) if name in self.values else self.ring.letter(name)

    def cos_sin(self, angle: Expression) -> Pair:
        parts = angle_of(angle, self.values)
        found = self._of_pi(parts.pi)
        for name, factor in parts.named.items():
            unit, steps = self._unit(name)
            found = _added(found, _multiple(self._pair(unit), int(factor * steps), self))
        return found

    def _pair(self, angle: str) -> Pair:
        return self.ring.letter(f"cos({angle})"), self.ring.letter(f"sin({angle})")

    def _unit(self, name: str) -> tuple[str, int]:
        """(the named angle that has letters, how many times it is taken) for a parameter or a number of radians."""
        unit = unit_name(name, self.units)
        if f"cos({unit})" not in self.ring.generators and (angle := fixed_angle(name)) is not None:
            for other, (_, radians) in self._fixed_angles.items():
                if radians and 1 < angle[1] / radians <= MAX_MULTIPLE and (angle[1] / radians).denominator == 1:
                    return other, int(angle[1] / radians)
        return unit, self.units.get(name, 1)

    @cached_property
    def _fixed_angles(self) -> dict[str, tuple[Fraction, Fraction]]:
        """The angles in numbers that the ring has letters for."""
        names = [sine[4:-1] for sine, _ in self.ring.letters.trig if sine in self.ring.numbers]
        return {name: angle for name in names if (angle := fixed_angle(name)) is not None}

    def sqrt(self, argument: Expression) -> Exact:
        value = evaluate(argument, self).terms()
        constant = value.get(next(iter(value), ()), Fraction(0))
        if len(value) > 1 or any(e for exponents in value for e in exponents):
            raise ArgumentError(f"sqrt({argument}) has letters under the root; give them values, or name the root")
        if constant < 0:
            raise ArgumentError(f"sqrt({argument}) is the root of a negative number")
        result = self.ring.number(Fraction(1, constant.denominator))
        for prime, power in prime_factors(constant.numerator * constant.denominator).items():
            result = result.times(prime ** (power // 2))
            if power % 2:
                result = result * self.ring.letter(f"root {prime}")
        return result if constant else self.ring.zero

    def _of_pi(self, turn: Fraction) -> Pair:
        """cos and sin of turn * pi, quadrant by quadrant."""
        one, zero = self.ring.number(1), self.ring.zero
        quarter, rest = divmod(turn % 2, _HALF)
        if rest in _QUARTER:
            found = self._sum(_QUARTER[rest][0]), self._sum(_QUARTER[rest][1])
        elif 12 % rest.denominator == 0:
            found = _added(self._of_pi(rest - Fraction(1, 4)), self._of_pi(Fraction(1, 4)))
        else:
            found = self._of_fixed(rest)
        for _ in range(int(quarter)):
            found = _added(found, (zero, one))
        return found

    def _of_fixed(self, turn: Fraction) -> Pair:
        """cos and sin of turn * pi by those of an angle with letters, of which it is a multiple up to right angles."""
        units = {name: turns for name, (turns, _) in self._fixed_angles.items() if turns}
        ways = [(*way, name) for name, unit in units.items() if (way := multiple_of(turn, unit, MAX_MULTIPLE))]
        if not ways:
            return self._pair(f"{turn}*pi")
        times, rest, name = min(ways, key=lambda way: abs(way[0]))
        return _added(_multiple(self._pair(name), times, self), self._of_pi(rest))

    def _sum(self, coefficients: tuple[Fraction | int, ...]) -> Exact:
        total = self.ring.number(coefficients[0])
        for root, coefficient in zip(("root 2", "root 3"), coefficients[1:], strict=True):
            if coefficient:
                total = total + self.ring.letter(root).times(coefficient)
        return total


def unit_name(name: str, units: Mapping[str, int]) -> str:
    return name if units.get(name, 1) == 1 else f"{name}/{units[name]}"


def exact_world(
    robot: RobotModel, numeric: bool = False, seconds: float | None = None, memory: float = MEMORY
) -> ExactWorld:
    """The world that a robot needs; `numeric` puts its values in the place of its parameters.

    Products in its ring stop after `seconds`, and when its polynomials need more than `memory` [GB].
    """
    values: Mapping[str, Expression] = robot.values if numeric else {}
    expressions = [inner for e in _expressions(robot) for inner in _with_values(e, values)]
    angles = [angle_of(a, values) for a in [*_angles(robot), *_called(expressions, "sin", "cos")]]
    units: dict[str, int] = {}
    for angle in angles:
        for name, factor in angle.named.items():
            units[name] = lcm(units.get(name, 1), factor.denominator)
    trig = [(f"sin({j.name})", f"cos({j.name})") for j in robot.joints if j.turns]
    trig += [(f"sin({name})", f"cos({name})") for name in _angle_names(angles, units)]
    roots = _root_primes(expressions, values, angles)
    parameters = sorted({p for e in expressions for p in _letters_of(e)} - set(values))
    coordinates = [f"{j.name}" for j in robot.joints if not j.turns]
    rates = [f"{kind}({j.name})" for kind in ("dd", "d", "sign") for j in robot.joints]
    letters = Letters(tuple(trig), tuple(f"root {p}" for p in roots), (), (*rates, *coordinates, *parameters, "pi"))
    radicands = {f"root {p}": Fraction(p) for p in roots}
    divided = [below for e in expressions for below in _denominators(e)]
    decimals = any(isinstance(node, Number) and node.decimal for e in expressions for node in walk(e))
    deadline = None if seconds is None else Deadline(seconds)
    ring = Ring(letters, radicands, deadline, decimals, Memory(memory))
    inverses = _inverses(divided, ExactWorld(ring, values, units))
    return ExactWorld(replace(ring, letters=replace(letters, inverses=inverses)), values, units)


def exact_state(robot: RobotModel, ring: Ring) -> State[Exact]:
    """The state in letters: d(q1) is a velocity, dd(q1) an acceleration."""
    joints = robot.joints
    return State(
        q=[ring.zero if j.turns else ring.letter(j.name) for j in joints],
        c=[ring.letter(f"cos({j.name})") if j.turns else ring.zero for j in joints],
        s=[ring.letter(f"sin({j.name})") if j.turns else ring.zero for j in joints],
        qd=[ring.letter(f"d({j.name})") for j in joints],
        qdd=[ring.letter(f"dd({j.name})") for j in joints],
        sign=[ring.letter(f"sign({j.name})") for j in joints],
    )


def _expressions(robot: RobotModel) -> Iterator[Expression]:
    """Every expression of a robot that is not the angle of a placement."""
    yield from robot.gravity
    for link in robot.links:
        joint = link.joint
        yield from (link.mass, *link.com, *(e for row in link.inertia.matrix for e in row))
        yield from (*joint.axis, joint.damping, joint.coulomb, joint.gear_ratio, joint.rotor_inertia)
    for placement in _placements(robot):
        yield from (step.amount for step in placement.steps if step.kind == "T")


def _angles(robot: RobotModel) -> Iterator[Expression]:
    for placement in _placements(robot):
        yield from (step.amount for step in placement.steps if step.kind == "R")


def _placements(robot: RobotModel) -> Iterator[Placement]:
    for link in robot.links:
        yield from (link.joint.before, link.joint.after, link.inertia.axes)
    yield from (frame.placement for frame in robot.frames)
    if robot.tool is not None:
        yield robot.tool.placement


def _with_values(expression: Expression, values: Mapping[str, Expression]) -> Iterator[Expression]:
    """The expression, and the values of the parameters in it."""
    yield expression
    yield from (values[name] for name in sorted(expression.parameters()) if name in values)


def _called(expressions: Iterable[Expression], *functions: str) -> Iterator[Expression]:
    for expression in expressions:
        yield from (n.argument for n in walk(expression) if isinstance(n, Call) and n.function in functions)


def _letters_of(expression: Expression) -> Iterator[str]:
    """Parameters that occur outside of sines and cosines."""
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Parameter):
            yield node.name
        elif not (isinstance(node, Call) and node.function != "sqrt"):
            pending += _children(node)


def _children(node: Expression) -> list[Expression]:
    found: list[Expression | None] = [getattr(node, key, None) for key in ("left", "right", "base", "argument")]
    return [child for child in found if child is not None]


def _denominators(expression: Expression) -> list[Expression]:
    """What is divided by, and is no number; what stands deeper comes first."""
    found: list[Expression] = []
    for node in walk(expression):
        if isinstance(node, Quotient) and not isinstance(node.right, Number):
            found.append(node.right)
        elif isinstance(node, Power) and node.exponent < 0:
            found.append(node.base)
    return found[::-1]


def _inverses(denominators: Iterable[Expression], world: ExactWorld) -> tuple[str, ...]:
    """The letters and the irreducible sums that are divided by; roots need no inverse."""
    known: dict[str, None] = {}
    for expression in dict.fromkeys(denominators):
        letters = replace(world.ring.letters, inverses=tuple(known))
        value = evaluate(expression, replace(world, ring=replace(world.ring, letters=letters)))
        if not value:
            raise ArgumentError(f'"{expression}" is zero, and the robot divides by it; write the quotient without it')
        for factor, power in value.factors()[1]:
            if power > 0 and not factor.letters() <= set(world.ring.radicands):
                known[_inverse_name(factor, world)] = None
    return tuple(sorted(known, key=lambda name: (is_sum(name), name)))


def _inverse_name(factor: Exact, world: ExactWorld) -> str:
    """A parameter's own name; `(a + b)` for a sum."""
    terms = [
        ([(name, e) for name, e in zip(factor.ring.letters.names, exponents, strict=True) if e], number)
        for exponents, number in factor.terms().items()
    ]
    ((powers, _), *more) = terms
    plain = not more and powers[0][0] in world.ring.letters.others
    name = powers[0][0] if plain else text_of(terms)
    if len(name) > MAX_LENGTH:
        raise ArgumentError(
            f"the robot divides by a sum of {len(factor)} terms, which is too long for an exact denominator; "
            "give some of its parameters values"
        )
    return name


def _angle_names(angles: Iterable[Angle], units: Mapping[str, int]) -> list[str]:
    named = {unit_name(name, units) for angle in angles for name in angle.named}
    kept: list[Fraction] = []
    for x in sorted(Fraction(name) for name in named if fixed_angle(name) is not None):
        if any(x / y in range(2, MAX_SHARED + 1) for y in kept):
            named.remove(str(x))
        else:
            kept.append(x)
    odd = {f"{turn}*pi" for turn in generators(angle.pi for angle in angles if 12 % angle.pi.denominator)}
    return sorted(named | odd)


def _root_primes(expressions: list[Expression], values: Mapping[str, Expression], angles: list[Angle]) -> list[int]:
    primes: set[int] = set()
    if any(angle.pi.denominator in (4, 12) for angle in angles):
        primes.add(2)
    if any(angle.pi.denominator in (3, 6, 12) for angle in angles):
        primes.add(3)
    for argument in _called(expressions, "sqrt"):
        for node in walk(argument):
            value = getattr(node, "value", None)
            if isinstance(value, Fraction) and value:
                found = prime_factors(abs(value.numerator) * value.denominator)
                # The root of 9 needs no letter; that of a sum may need any.
                primes.update(prime for prime, power in found.items() if power % 2 or node is not argument)
    return sorted(primes)


def _added(a: Pair, b: Pair) -> Pair:
    """cos and sin of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def _multiple(pair: Pair, times: int, world: ExactWorld) -> Pair:
    if times < 0:
        pair, times = (pair[0], -pair[1]), -times
    found = world.ring.number(1), world.ring.zero
    for _ in range(times):
        found = _added(found, pair)
    return found
