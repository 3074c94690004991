"""The exact scalars of a robot: the ring that has all the symbols its expressions need, and its state in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import (
    Call,
    Expression,
    Number,
    Parameter,
    Pi,
    Power,
    Product,
    Quotient,
    alone,
    substitute,
    walk,
)
from dynamis.base.expressions.parser import MAX_LENGTH
from dynamis.compute.mechanics.mechanism import Mechanism, State, state_at
from dynamis.exact.closed_form.formulas import mime_bundle
from dynamis.model.coordinate import CoupledRow
from dynamis.model.link import Joint
from dynamis.model.loads import LOAD_FIELDS, Load
from dynamis.model.map_expressions import Site, expressions_in
from dynamis.model.placement import Step
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.angles import MAX_SHARED, Angle, angle_of, generators, prime_factors
from dynamis.scalars.exact.limits import DEFAULT_MEMORY, Deadline, Memory
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.scalars import ExactScalars, added_angles, multiple_angle, unit_angle
from dynamis.scalars.exact.symbols import (
    PI,
    Meaning,
    Symbol,
    angle_text,
    coordinate,
    fixed_angle,
    inverse,
    joint_angle,
    parameter,
    root,
    sign_of_velocity,
    stribeck_curve,
)
from dynamis.scalars.scalars import evaluate

MAX_COUPLED = 8
"""The largest multiple of angles that a coupled angle is expanded into: cos(8 q) has terms up to cos(q)^8."""


def exact_scalars(
    robot: RobotModel,
    numeric: bool = False,
    seconds: float | None = None,
    memory: float = DEFAULT_MEMORY,
    loads: Sequence[Load] = (),
) -> ExactScalars:
    """The scalars that a robot under loads needs; `numeric` puts its values in the place of its parameters.

    Products in its ring stop after `seconds`, and when its polynomials need more than `memory` [GB].
    """
    values: Mapping[str, Expression] = robot.values if numeric else {}
    sites = [site for site in expressions_in((robot, *loads)) if "limits" not in site.path]
    expressions = [e for site in sites if not _is_angle(site) for e in _with_values(site.expression, values)]
    fixed = [site.expression for site in sites if _is_angle(site)]
    fixed += [row.offset for joint, row in coupled_joints(robot) if joint.revolute]
    angles = [angle_of(a, values) for a in [*fixed, *_call_arguments(expressions, "sin", "cos")]]
    units: dict[str, int] = {}
    for angle in angles:
        for named, factor in angle.named.items():
            units[str(named)] = lcm(units.get(str(named), 1), factor.denominator)
    moving = robot.coordinates
    apart = [j.name for j, row in coupled_joints(robot) if j.revolute and multiples(robot, row, values) is None]
    prismatic = {k for j, row in coupled_joints(robot) if not j.revolute for k, _ in row.factors}
    rows = zip(robot.joints, robot.couplings, strict=True)
    sprung = {k for joint, row in rows if joint.forces.stiffness is not None for k, _ in row.factors}
    signs = [j.name for j, row in coupled_joints(robot) if factor_sign(row, values) is None]
    parameters = sorted({p for e in expressions for p in _parameters_of(e)} - set(values))
    symbols = [symbol for c in moving if c.revolute for symbol in joint_angle(c.name)]
    symbols += [symbol for name in apart for symbol in joint_angle(name)]
    symbols += [symbol for angle in _fixed_angles(angles, units) for symbol in fixed_angle(angle)]
    symbols += [root(prime) for prime in _root_primes(expressions, values, angles)]
    symbols += [coordinate(c.name, order) for order in (2, 1) for c in moving]
    symbols += [sign_of_velocity(name) for name in (*(c.name for c in moving), *signs)]
    symbols += [stribeck_curve(joint.name) for joint in robot.joints if joint.forces.stribeck is not None]
    symbols += [coordinate(c.name) for k, c in enumerate(moving) if not c.revolute or k in prismatic | sprung]
    meanings = _meanings(robot, loads)
    symbols += [*(parameter(name, meanings.get(name, "")) for name in parameters), PI]
    decimals = any(isinstance(node, Number) and node.decimal for e in expressions for node in walk(e))
    deadline = None if seconds is None else Deadline(seconds)
    ring = Ring(tuple(symbols), deadline, decimals, Memory(memory), mime_bundle)
    divided = [below for e in expressions for below in _denominators(e)]
    divided += [joint.stribeck_speed for joint in robot.joints if joint.stribeck_speed.parameters()]
    inverses = _inverses(divided, ExactScalars(ring, values, units))
    return ExactScalars(replace(ring, symbols=(*ring.symbols, *inverses)), values, units)


def exact_state(robot: RobotModel, m: Mechanism[Exact], ring: Ring) -> State[Exact]:
    """The state in symbols: d(q1) is a velocity, dd(q1) an acceleration.

    Sine and cosine of a coupled angle are those of the coordinates where its factors are integers, by the addition
    theorems. Else they are symbols of their own, of which only the derivatives are known (`ClosedForm.partial_q`): what
    holds for all their values holds for the true ones.
    """
    scalars: Any = m.scalars
    pairs: list[tuple[Exact, Exact]] = []
    signs: list[Exact] = []
    curves: list[Exact] = []
    for joint, row in zip(robot.joints, robot.couplings, strict=True):
        pairs.append(_cos_sin(robot, joint, row, scalars))
        sign = factor_sign(row, scalars.values)
        leader = robot.coordinates[row.factors[0][0]] if sign is not None else joint
        signs.append(ring.scalar(sign_of_velocity(leader.name)).times(sign or 1))
        curves.append(ring.zero if joint.forces.stribeck is None else ring.scalar(stribeck_curve(joint.name)))
    present = set(ring.symbols)
    q = [coordinate(c.name) for c in robot.coordinates]
    return state_at(
        m,
        q=[ring.scalar(symbol) if symbol in present else ring.zero for symbol in q],
        qd=[ring.scalar(coordinate(c.name, 1)) for c in robot.coordinates],
        qdd=[ring.scalar(coordinate(c.name, 2)) for c in robot.coordinates],
        cos_sin=pairs,
        sign=signs,
        stribeck=curves,
    )


def _cos_sin(robot: RobotModel, joint: Joint, row: CoupledRow, scalars: ExactScalars) -> tuple[Exact, Exact]:
    ring = scalars.ring
    if not joint.revolute:
        return ring.zero, ring.zero
    times = multiples(robot, row, scalars.values)
    if times is None:
        sine, cosine = joint_angle(joint.name)
        return ring.scalar(cosine), ring.scalar(sine)
    pair = scalars.cos_sin_of(row.offset)
    for k, count in times:
        sine, cosine = joint_angle(robot.coordinates[k].name)
        pair = added_angles(pair, multiple_angle((ring.scalar(cosine), ring.scalar(sine)), count, scalars))
    return pair


def coupled_joints(robot: RobotModel) -> list[tuple[Joint, CoupledRow]]:
    """The joints that are coupled to others, with their rows of q = A y + b."""
    rows = zip(robot.joints, robot.couplings, strict=True)
    return [(joint, row) for joint, row in rows if joint.coupling]


def multiples(robot: RobotModel, row: CoupledRow, values: Mapping[str, Expression]) -> list[tuple[int, int]] | None:
    """(coordinate, integer) of a coupled angle that is a small integer combination of angles; else None."""
    pairs: list[tuple[int, int]] = []
    for k, factor in row.factors:
        number = substitute(factor, values)
        if not (isinstance(number, Number) and number.value.denominator == 1 and robot.coordinates[k].revolute):
            return None
        pairs.append((k, int(number.value)))
    return pairs if sum(abs(count) for _, count in pairs) <= MAX_COUPLED else None


def factor_sign(row: CoupledRow, values: Mapping[str, Expression]) -> int | None:
    """The sign of the factor of a joint that follows one coordinate, if known: that of their velocities."""
    if row.only is None:
        return None
    number = substitute(row.only[1], values)
    return (1 if number.value > 0 else -1) if isinstance(number, Number) else None


def _is_angle(site: Site) -> bool:
    """Whether an expression is the angle of a placement."""
    return isinstance(site.owner, Step) and site.owner.kind == "R"


def _meanings(robot: RobotModel, loads: Sequence[Load]) -> dict[str, Meaning]:
    """What the parameters measure, by where they stand in the robot or its loads; a length of a CoM too is a length."""
    places: dict[str, Meaning] = {
        "mass": "mass", "inertia": "inertia", "rotor_inertia": "inertia", "joint": "length", "com": "distance",
        **dict.fromkeys(("damping", "coulomb", "stribeck", "friction_offset"), "friction"), "gravity": "gravity",
    }  # fmt: skip
    measured: dict[Meaning, list[str]] = {meaning: [] for meaning in places.values()}
    for site in expressions_in((robot.links, robot.gravity)):
        # The last of these fields on the way to an expression; amounts of steps stand in a joint's placements.
        field = next((str(key) for key in reversed(site.path) if key in places), "gravity")
        if field != "joint" or (isinstance(site.owner, Step) and site.owner.kind == "T"):
            measured[places[field]] += alone(site.expression)
    of_unit: dict[str, Meaning] = {"N": "force", "N m": "moment", "m": "distance"}
    of_loads: dict[str, Meaning] = {}
    for site in expressions_in(tuple(loads)):
        of_loads |= dict.fromkeys(alone(site.expression), of_unit[LOAD_FIELDS[type(site.owner)][str(site.path[1])]])
    own: dict[str, Meaning] = {name: meaning for meaning in reversed(measured) for name in measured[meaning]}
    return of_loads | own


def _with_values(expression: Expression, values: Mapping[str, Expression]) -> Iterator[Expression]:
    """The expression, and the values of the parameters in it."""
    yield expression
    yield from (values[name] for name in sorted(expression.parameters()) if name in values)


def _call_arguments(expressions: Iterable[Expression], *functions: str) -> Iterator[Expression]:
    for expression in expressions:
        yield from (n.argument for n in walk(expression) if isinstance(n, Call) and n.function in functions)


def _parameters_of(expression: Expression) -> Iterator[str]:
    """Parameters that occur outside of sines and cosines."""
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Parameter):
            yield node.name
        elif not (isinstance(node, Call) and node.function != "sqrt"):
            pending += _children(node)


def _children(node: Expression) -> list[Expression]:
    children: list[Expression | None] = [getattr(node, key, None) for key in ("left", "right", "base", "argument")]
    return [child for child in children if child is not None]


def _denominators(expression: Expression) -> list[Expression]:
    """The denominators that are not numbers; nested ones come first."""
    denominators: list[Expression] = []
    for node in walk(expression):
        if isinstance(node, Quotient) and not isinstance(node.right, Number):
            denominators.append(node.right)
        elif isinstance(node, Power) and node.exponent < 0:
            denominators.append(node.base)
    return denominators[::-1]


def _inverses(denominators: Iterable[Expression], scalars: ExactScalars) -> list[Symbol]:
    """The inverses of the parameters and of the irreducible sums that are divided by; roots need none."""
    inverses: dict[Symbol, None] = {}
    for expression in dict.fromkeys(denominators):
        ring = replace(scalars.ring, symbols=(*scalars.ring.symbols, *inverses))
        value = evaluate(expression, replace(scalars, ring=ring))
        if not value:
            raise ArgumentError(f'"{expression}" is zero, and the robot divides by it; write the quotient without it')
        for factor, power in value.factors()[1]:
            if power > 0 and not factor.symbols() <= set(scalars.ring.roots):
                inverses[_inverse(factor)] = None
    return sorted(inverses, key=lambda symbol: (symbol.is_sum, symbol))


def _inverse(factor: Exact) -> Symbol:
    """The inverse of a parameter, or of a sum."""
    terms = factor.powers()
    (symbol, _), *others = terms[0][0]
    if len(terms) == 1 and not others and symbol.kind in ("parameter", "pi"):
        return inverse(symbol)
    symbol = inverse(tuple((tuple(powers), number) for powers, number in terms))
    if len(symbol.of) > MAX_LENGTH:
        raise ArgumentError(
            f"the robot divides by a sum of {len(factor)} terms, which is too long for an exact denominator; "
            "give some of its parameters values"
        )
    return symbol


def _fixed_angles(angles: Iterable[Angle], units: Mapping[str, int]) -> list[Expression]:
    """The fixed angles that have symbols, by their texts; those that are small multiples of others have none."""
    parts = {unit_angle(part, units) for angle in angles for part in angle.named}
    bases: list[Fraction] = []
    for x in sorted(part.value for part in parts if isinstance(part, Number)):
        if any(x / y in range(2, MAX_SHARED + 1) for y in bases):
            parts.remove(Number(x))
        else:
            bases.append(x)
    odd = generators(angle.pi for angle in angles if 12 % angle.pi.denominator)
    return sorted([*parts, *(Product(Number(turn), Pi()) for turn in odd)], key=angle_text)


def _root_primes(expressions: list[Expression], values: Mapping[str, Expression], angles: list[Angle]) -> list[int]:
    primes: set[int] = set()
    if any(angle.pi.denominator in (4, 12) for angle in angles):
        primes.add(2)
    if any(angle.pi.denominator in (3, 6, 12) for angle in angles):
        primes.add(3)
    for argument in _call_arguments(expressions, "sqrt"):
        for node in walk(argument):
            value = getattr(node, "value", None)
            if isinstance(value, Fraction) and value:
                powers = prime_factors(abs(value.numerator) * value.denominator)
                # The root of 9 needs no symbol; that of a sum may need any.
                primes.update(prime for prime, power in powers.items() if power % 2 or node is not argument)
    return sorted(primes)
