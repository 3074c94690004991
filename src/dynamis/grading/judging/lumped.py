"""Coefficients that an answer uses and does not define: a1, a2, ... of M = [a1 + 2 a2 c2, ...].

They are the robot's own dynamic coefficients if that makes every entry right. If not, the entries that
have them are linear equations for them: before every function of the motion stands

    sum of a_i coefficient_i = true coefficient                  over the field of the parameters

and what they would have to be is found by elimination. Entries that contradict those before them are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dynamis.equations.coefficients import dynamic_coefficients
from dynamis.grading.common_ring import Meeting, check_time
from dynamis.grading.judging.formulas import FormulaStyle
from dynamis.grading.reading.tokens import stem_and_number
from dynamis.grading.values import Value
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact, Exponents

Row = dict[str, Ratio]
Equation = tuple[Row, Ratio]
"""sum of row[a] a = right side."""


@dataclass(frozen=True)
class Lumped:
    """What the coefficients are; `own` says that they are the robot's."""

    values: Mapping[str, Ratio]
    own: bool = True

    def put(self, value: Value, meeting: Meeting) -> Value:
        """A value with the coefficients in it."""
        names = used(value, meeting)
        below = Ratio.common_denominator((self.values[name] for name in names), meeting.ring)

        def change(scalar: Exact) -> Exact:
            letters = dict.fromkeys(names, meeting.ring.zero)
            whole = scalar.substitute(letters) * below
            for name in names:
                whole = whole + scalar.derivative(name) * self.values[name].over(below)
            return whole

        if not names:
            return value
        changed = Value(value.top, None, value.slopes, value.curved).each(change)
        whole = below == meeting.ring.number(1)
        bottom = value.bottom if whole else below if value.bottom is None else value.bottom * below
        return Value(changed.top, bottom, changed.slopes, changed.curved)

    def sentence(self, names: Sequence[str], style: FormulaStyle) -> str:
        """`with a1 = I1 + ..., the robot's own coefficients`."""
        said = [f"{name} = {_text(self.values[name], style)}" for name in names if not self.is_free(name)]
        free = [name for name in names if self.is_free(name)]
        parts = [f"with {', '.join(said)}"] if said else []
        parts += [f"for any {', '.join(free)}"] if free else []
        return ", ".join([*parts, *(["the robot's own coefficients"] if self.own else [])])

    def is_free(self, name: str) -> bool:
        """Whether the entries do not determine it."""
        return str(self.values[name]) == name

    def zeros(self, names: Sequence[str]) -> list[str]:
        """Coefficients that would have to be zero: what stands beside them is extra."""
        return [] if self.own else [name for name in names if not self.values[name]]


def _text(ratio: Ratio, style: FormulaStyle) -> str:
    above = style.short(ratio.numerator)
    if ratio.is_polynomial:
        return above
    return f"({above})/({style.short(ratio.denominator)})"


def used(value: Value, meeting: Meeting) -> list[str]:
    """The undefined coefficients in a value."""
    scalars = (value.top, *([value.bottom] if value.bottom is not None else []))
    present = frozenset[str]().union(*(scalar.letters() for scalar in scalars))
    return [name for name in meeting.lumped if name in present]


def not_linear(value: Value, meeting: Meeting) -> list[str]:
    """Coefficients that stand in a product with each other, or under a fraction."""
    names = used(value, meeting)
    if not names:
        return []
    places = [meeting.ring.letters.names.index(name) for name in names]
    below = value.bottom.letters() if value.bottom is not None else frozenset[str]()
    twice = any(sum(key[k] for k in places) > 1 for key in value.top.terms())
    return names if twice else [name for name in names if name in below]


def settled(entries: Sequence[tuple[Value, Exact]], meeting: Meeting, lift: Callable[[Exact], Exact]) -> Lumped | None:
    """What the coefficients of (value, true value) pairs are; None where no entry has any."""
    having = [(value, true) for value, true in entries if used(value, meeting)]
    names = [name for name in meeting.lumped if any(name in used(value, meeting) for value, _ in having)]
    if not having:
        return None
    own = _own(names, meeting, lift)
    fits = sum(own.put(value, meeting).equals(true) for value, true in having) if own is not None else 0
    if own is not None and fits == len(having):
        return own
    system, solved = _System(), 0
    for value, true in having:
        if (bigger := system.with_equations(_equations(value, true, meeting))) is not None:
            system, solved = bigger, solved + 1
    return own if own is not None and fits >= solved else Lumped(system.values(names, meeting), own=False)


def _own(names: Sequence[str], meeting: Meeting, lift: Callable[[Exact], Exact]) -> Lumped | None:
    """The robot's own coefficients, by number; None where it has fewer."""
    own = dynamic_coefficients(meeting.equations).coefficients
    numbers = [int(stem_and_number(name)[1]) for name in names]
    if any(not 1 <= number <= len(own) for number in numbers) or len(set(numbers)) < len(numbers):
        return None
    return Lumped({name: Ratio.of(lift(own[k - 1])) for name, k in zip(names, numbers, strict=True)})


def _equations(value: Value, true: Exact, meeting: Meeting) -> Iterator[Equation]:
    """One equation for every function of the motion."""
    names = used(value, meeting)
    rest = value.times_bottom(true) - value.top.substitute(dict.fromkeys(names, meeting.ring.zero))
    parts = {name: _by_motion(value.top.derivative(name), meeting) for name in names}
    right = _by_motion(rest, meeting)
    for motion in dict.fromkeys([key for part in (*parts.values(), right) for key in part]):
        row = {name: Ratio.of(part[motion]) for name, part in parts.items() if motion in part}
        yield row, Ratio.of(right.get(motion, meeting.ring.zero))


def _by_motion(scalar: Exact, meeting: Meeting) -> dict[Exponents, Exact]:
    """The polynomials in the parameters, by the functions of the motion that they stand before."""
    moving = {form.format(joint.name) for joint in meeting.equations.robot.joints
              for form in ("{}", "sin({})", "cos({})", "d({})", "dd({})", "sign({})")}  # fmt: skip
    moves = [name in moving for name in meeting.ring.letters.names]
    groups: dict[Exponents, dict[Exponents, Fraction]] = {}
    for key, x in scalar.terms().items():
        motion = tuple(e if m else 0 for e, m in zip(key, moves, strict=True))
        groups.setdefault(motion, {})[tuple(0 if m else e for e, m in zip(key, moves, strict=True))] = x
    return {motion: meeting.ring.from_terms(terms) for motion, terms in groups.items()}


class _System:
    """Linear equations that do not contradict each other, solved for one unknown each."""

    def __init__(self, pivots: dict[str, Equation] | None = None) -> None:
        self.pivots: dict[str, Equation] = dict(pivots or {})

    def with_equations(self, equations: Iterator[Equation]) -> _System | None:
        """With more equations; None if they contradict those here."""
        found = _System(self.pivots)
        for row, right in equations:
            check_time(right.numerator.ring)
            row, right = found.reduced(row, right)
            if not row:
                if right:
                    return None
                continue
            head = next(iter(row))
            scale = row.pop(head)
            found.pivots[head] = {k: x / scale for k, x in row.items()}, right / scale
        return found

    def reduced(self, row: Row, right: Ratio) -> Equation:
        """An equation without the unknowns that are solved for."""
        left = dict(row)
        for head, (other, number) in self.pivots.items():
            factor = left.pop(head, None)
            if factor is None:
                continue
            right = right - factor * number
            for k, x in other.items():
                left[k] = left[k] - factor * x if k in left else Ratio.of(-factor.numerator, factor.denominator) * x
        return {k: x for k, x in left.items() if x}, right

    def values(self, names: Sequence[str], meeting: Meeting) -> dict[str, Ratio]:
        """Every unknown, in terms of those that are free."""
        found = {name: Ratio.of(meeting.ring.letter(name)) for name in names if name not in self.pivots}
        for head, (row, right) in reversed(self.pivots.items()):
            value = right
            for k, x in row.items():
                value = value - x * found[k]
            found[head] = value
        return found
