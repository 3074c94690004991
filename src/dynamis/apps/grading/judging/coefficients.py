"""Coefficients that an answer uses and does not define: a1, a2, ... of M = [a1 + 2 a2 c2, ...].

They are the robot's own dynamic coefficients if that makes every entry right. If not, the entries that
have them are linear equations for them: for every function of the motion

    sum of a_i coefficient_i = true coefficient                  over the field of the parameters

and what they would have to be is found by elimination. Entries that contradict those before them are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dynamis.apps.grading.common_ring import CommonRing
from dynamis.apps.grading.judging.formulas import FormulaStyle
from dynamis.apps.grading.reading.answer_values import Conditions
from dynamis.apps.grading.reading.tokens import stem_and_number
from dynamis.apps.grading.values import Value
from dynamis.exact.closed_form.coefficients import dynamic_coefficients
from dynamis.scalars.exact.linear_system import LinearSystem
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact, Exponents

Row = dict[str, Ratio]
Equation = tuple[Row, Ratio]
"""sum of row[a] a = right side."""


@dataclass(frozen=True)
class Coefficients:
    """What the coefficients are; `of_robot` says that they are the robot's."""

    values: Mapping[str, Ratio]
    of_robot: bool = True

    def put_into(self, value: Value, ring: CommonRing) -> Value:
        """A value with the coefficients in place of their names."""
        names = undefined_coefficients(value, ring)
        if not names:
            return value
        below = Ratio.common_denominator((self.values[name] for name in names), ring.ring)

        def change(scalar: Exact) -> Exact:
            total = scalar.substitute(dict.fromkeys(names, ring.ring.zero)) * below
            for name in names:
                total = total + scalar.derivative(name) * self.values[name].over(below)
            return total

        changed = Value(value.top, None, value.slopes, value.curved).each(change)
        bottom = value.bottom if below == ring.ring.one else below if value.bottom is None else value.bottom * below
        return Value(changed.top, bottom, changed.slopes, changed.curved)

    def sentence(self, names: Sequence[str], style: FormulaStyle) -> str:
        """`with a1 = I1 + ..., the robot's own coefficients`."""
        solved = [f"{name} = {_text(self.values[name], style)}" for name in names if not self.is_free(name)]
        free = [name for name in names if self.is_free(name)]
        parts = [f"with {', '.join(solved)}"] if solved else []
        parts += [f"for any {', '.join(free)}"] if free else []
        return ", ".join([*parts, *(["the robot's own coefficients"] if self.of_robot else [])])

    def is_free(self, name: str) -> bool:
        """Whether the entries do not determine it."""
        return str(self.values[name]) == name

    def zeros(self, names: Sequence[str]) -> list[str]:
        """Coefficients that would have to be zero: their terms are extra."""
        return [] if self.of_robot else [name for name in names if not self.values[name]]


def _text(ratio: Ratio, style: FormulaStyle) -> str:
    above = style.short(ratio.numerator)
    return above if ratio.is_polynomial else f"({above})/({style.short(ratio.denominator)})"


def undefined_coefficients(value: Value, ring: CommonRing) -> list[str]:
    """The undefined coefficients in a value."""
    below = value.bottom.symbols() if value.bottom is not None else frozenset[str]()
    present = value.top.symbols() | below
    return [name for name in ring.coefficients if name in present]


def not_linear(value: Value, ring: CommonRing) -> list[str]:
    """Coefficients that are multiplied with each other, or are in a denominator."""
    names = undefined_coefficients(value, ring)
    if not names:
        return []
    places = [ring.ring.places[name] for name in names]
    below = value.bottom.symbols() if value.bottom is not None else frozenset[str]()
    twice = any(sum(key[k] for k in places) > 1 for key in value.top.terms())
    return names if twice else [name for name in names if name in below]


def solve(pairs: Sequence[tuple[Value, Exact]], ring: CommonRing, conditions: Conditions) -> Coefficients:
    """What the coefficients in (value, true value) pairs are."""
    names = [
        name for name in ring.coefficients if any(name in undefined_coefficients(value, ring) for value, _ in pairs)
    ]
    of_robot = _robot_coefficients(names, ring, conditions)
    fits = sum(of_robot.put_into(value, ring).equals(true) for value, true in pairs) if of_robot is not None else 0
    if of_robot is not None and fits == len(pairs):
        return of_robot
    system, solved = LinearSystem[str, Ratio](Ratio.of(ring.ring.zero)), 0
    for value, true in pairs:
        bigger = system.copy()
        if all(bigger.add(row, right) for row, right in _equations(value, true, ring)):
            system, solved = bigger, solved + 1
    if of_robot is not None and fits >= solved:
        return of_robot
    free = {name: Ratio.of(ring.ring.scalar(name)) for name in names}
    return Coefficients(system.solution(free), of_robot=False)


def _robot_coefficients(names: Sequence[str], ring: CommonRing, conditions: Conditions) -> Coefficients | None:
    """The robot's own coefficients, by number; None where it has fewer."""
    coefficients = dynamic_coefficients(ring.equations).coefficients
    numbers = [int(stem_and_number(name)[1]) for name in names]
    if any(not 1 <= number <= len(coefficients) for number in numbers) or len(set(numbers)) < len(numbers):
        return None
    exact = {
        name: ring.substitute(ring.lift(coefficients[k - 1]), conditions)
        for name, k in zip(names, numbers, strict=True)
    }
    return Coefficients({name: Ratio.of(scalar) for name, scalar in exact.items()})


def _equations(value: Value, true: Exact, ring: CommonRing) -> Iterator[Equation]:
    """One equation for every function of the motion."""
    names = undefined_coefficients(value, ring)
    rest = value.times_bottom(true) - value.top.substitute(dict.fromkeys(names, ring.ring.zero))
    parts = {name: _by_motion(value.top.derivative(name), ring) for name in names}
    right = _by_motion(rest, ring)
    for motion in dict.fromkeys([key for part in (*parts.values(), right) for key in part]):
        ring.check_time()
        row = {name: Ratio.of(part[motion]) for name, part in parts.items() if motion in part}
        yield row, Ratio.of(right.get(motion, ring.ring.zero))


def _by_motion(scalar: Exact, ring: CommonRing) -> dict[Exponents, Exact]:
    """The polynomials in the parameters, by the functions of the motion that they stand before."""
    moves = [symbol.moves for symbol in ring.ring.symbols]
    groups: dict[Exponents, dict[Exponents, Fraction]] = {}
    for key, x in scalar.terms().items():
        motion = tuple(e if m else 0 for e, m in zip(key, moves, strict=True))
        groups.setdefault(motion, {})[tuple(0 if m else e for e, m in zip(key, moves, strict=True))] = x
    return {motion: ring.ring.from_terms(terms) for motion, terms in groups.items()}
