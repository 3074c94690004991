"""The verdict on one entry: judges tried in order, of which the first that has something to say decides.

    vanishing_coefficient   wrong: right only if a coefficient of the student's were 0
    equal                   equal as written, with the coefficients that the answer leaves open
    fixed_angles            equal for the fixed angles of this robot
    rounded_decimals        equal, reading 0.333 as 1/3
    robot_values            equal with the robot's numbers for parameters, g = 9.81
    without_weight          equal up to regrouping: the weight is added elsewhere
    up_to_a_constant        equal up to a constant (potential energy)
    no_coefficient          wrong, whatever the coefficients that the answer leaves open are
    wrong                   wrong: what is missing, extra, of the wrong sign or factor

One more verdict needs several entries: `other_factorisations` accepts a wrong row of C that gives the right c = C qd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations

from dynamis.apps.grading.common_ring import CommonRing, as_number
from dynamis.apps.grading.judging.coefficients import Coefficients, not_linear, solve, undefined_coefficients
from dynamis.apps.grading.judging.corrections import corrections
from dynamis.apps.grading.judging.differences import differences, find_point
from dynamis.apps.grading.judging.entries import Entry
from dynamis.apps.grading.judging.formulas import MAX_LENGTH, FormulaStyle
from dynamis.apps.grading.judging.intervals import Equations, KnownNumbers, with_numbers
from dynamis.apps.grading.judging.report import (
    COEFFICIENTS,
    CONSTANT,
    EQUAL,
    FIXED_ANGLES,
    REGROUPED,
    ROUNDED,
    UNPROVED,
    VALUES,
    WRONG,
    Correction,
    Verdict,
)
from dynamis.apps.grading.judging.rounding import (
    MAX_SIMPLE_DENOMINATOR,
    apply_readings,
    nearest_readings,
    reading_text,
    readings,
    simplest,
)
from dynamis.apps.grading.judging.targets import TrueEntry
from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.source import AnswerError
from dynamis.apps.grading.values import Decimal, Value
from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.numbers import vanishes
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate
from dynamis.scalars.scalars import evaluate

# Ways to read the decimals that are tried for one answer, and texts (0.333, 0.67) that are varied in one entry.
MAX_READINGS = 16
MAX_TEXTS = 4
MAX_NAMED = 6
# Of more differences than this the parts of the formula as it is written say more, if they are fewer.
MAX_TERM_BY_TERM = 3


class Grader:
    """What the judges share: the values of the answer and of the model, and the coefficients that are left open."""

    def __init__(self, values: AnswerValues, entries: Sequence[Entry]) -> None:
        self.values, self.entries, self.answer = values, entries, values.answer
        self.ring: CommonRing = values.ring
        self.style = FormulaStyle(self.answer.names.student_names(self.answer.used_names))
        self.rereadings: dict[frozenset[Decimal], AnswerValues] = {}
        self._compared: dict[tuple[object, ...], list[str]] = {}

    def differences(self, yours: Exact, true: Exact, texts: Mapping[Fraction, str], decimals: bool) -> list[str]:
        """Sentences about where two values differ; an answer may give the same wrong value many times."""
        key = (yours, true, tuple(texts.items()), decimals)
        if key not in self._compared:
            own_style = replace(self.style, decimal_texts=texts, decimals=decimals)
            self._compared[key] = differences(yours, true, self.style, own_style)
        return list(self._compared[key])

    @cached_property
    def known(self) -> KnownNumbers:
        return KnownNumbers(self.ring)

    def rounded(self, yours: Value, true: Exact) -> str | None:
        """How the decimals of a value are to be read that is equal to within their digits; None if it is not."""
        equations = Equations.of(yours, true)
        bounds = equations.bounds(self.known) if yours.slopes else None
        return None if bounds is None else equations.text(bounds, self.style)

    def true(self, entry: Entry, values: AnswerValues, true_entry: TrueEntry | None = None) -> Exact:
        """The true value of an entry, under the conditions of its line."""
        value = (true_entry or entry.target.entry)(entry.index)
        return self.ring.substitute(self.ring.lift(value), values.conditions(entry.line))

    @cached_property
    def coefficients(self) -> Coefficients | None:
        """The coefficients that the answer uses and does not define."""
        pairs: list[tuple[Value, Exact]] = []
        for entry in self.entries:
            value = self.values.cell_values(entry.line)[entry.cell]
            if names := not_linear(value, self.ring):
                verb = "is" if len(names) == 1 else "are"
                problem = (
                    f"{', '.join(names)} {verb} not defined, and not linear here; write let {names[0]} = ... above"
                )
                raise self.answer.lines[entry.line].source.error(entry.start, problem)
            if undefined_coefficients(value, self.ring):
                pairs.append((value, self.true(entry, self.values)))
        return solve(pairs, self.ring, self.values.conditions(len(self.answer.lines))) if pairs else None

    def case(self, entry: Entry, values: AnswerValues | None = None) -> Case:
        """An entry with both values; `values` may read the decimals in another way."""
        values = values or self.values
        raw = values.cell_values(entry.line)[entry.cell]
        names = undefined_coefficients(raw, self.ring)
        coefficients = self.coefficients if names else None
        yours = coefficients.put_into(raw, self.ring) if coefficients is not None else raw
        return Case(self, entry, yours, self.true(entry, values), names, coefficients)

    def other_readings(self, entry: Entry, yours: Value) -> Iterator[tuple[dict[Decimal, Fraction], Case]]:
        """The entry with other numbers for the decimals in which it is not linear, and for those of its conditions."""
        by_text: dict[str, dict[Decimal, Fraction]] = {}
        for decimal in sorted(yours.curved | self.answer.condition_decimals, key=lambda d: (d.file, d.start)):
            if (value := simplest(decimal)) != decimal.value:
                by_text.setdefault(decimal.text, {})[decimal] = value
        texts = list(by_text)[:MAX_TEXTS]
        for some in (some for count in range(1, len(texts) + 1) for some in combinations(texts, count)):
            numbers = {decimal: value for text in some for decimal, value in by_text[text].items()}
            key = frozenset(numbers)
            if key not in self.rereadings and len(self.rereadings) >= MAX_READINGS:
                return
            exact = {decimal: self.ring.ring.number(x) for decimal, x in numbers.items()}
            values = self.rereadings.setdefault(key, AnswerValues(self.answer, self.ring, exact))
            try:
                yield numbers, self.case(entry, values)
            except AnswerError:  # an angle that this robot does not have
                continue


@dataclass(frozen=True, eq=False)
class Case:
    """One entry before the judges: the student's value (with `coefficients` in it) and the true one."""

    grader: Grader
    entry: Entry
    yours: Value
    true: Exact
    undefined: Sequence[str]
    """The names of coefficients that the answer does not define."""
    coefficients: Coefficients | None

    @property
    def ring(self) -> CommonRing:
        return self.grader.ring

    @cached_property
    def with_coefficients(self) -> list[str]:
        """`with a1 = m2*d2`; nothing where the entry has no coefficients."""
        return [self.coefficients.sentence(self.undefined, self.grader.style)] if self.coefficients is not None else []

    @cached_property
    def robot_values(self) -> dict[str, Exact]:
        """The robot's values for parameters that the true entry has and the student's has not; empty if that is unsafe.

        A value takes the place of a parameter only where that cannot hide a mistake: in an entry that has no
        parameters, and for the acceleration of gravity, unless it is 0 or 1.
        """
        robot, ring = self.ring.equations.robot, self.ring
        needed, present = _parameters(self.true, ring), _parameters(self.yours.top, ring)
        if self.yours.bottom is not None:
            present |= _parameters(self.yours.bottom, ring)
        if not self.yours.top or present & set(ring.coefficients):
            return {}
        gravity = frozenset[str]().union(*(component.parameters() for component in robot.gravity))
        candidates = (needed & gravity) - present if present else needed
        if not present and not candidates <= set(robot.values):
            return {}
        try:
            names = [name for name in robot.parameters if name in candidates and name in robot.values]
            values = {name: evaluate(robot.values[name], ring.scalars) for name in names}
        except (KeyError, ArgumentError):  # an angle or a root that the ring does not have
            return {}
        return values if not present else {name: x for name, x in values.items() if as_number(x) not in (0, 1, -1)}

    @property
    def with_robot_values(self) -> str:
        """`with the robot's g = 9.81`."""
        texts = [f"{name} = {self.ring.equations.robot.values[name]}" for name in self.robot_values]
        return f"with the robot's {', '.join(texts[:MAX_NAMED])}{', ...' if len(texts) > MAX_NAMED else ''}"

    @cached_property
    def in_numbers(self) -> Case:
        """The case with the robot's values in the true entry, if no parameter is left in it."""
        number = self.ring.substitute(self.true, self.robot_values) if self.robot_values else self.true
        left = number.symbols() & set(self.ring.equations.robot.parameters)
        return replace(self, true=number) if self.robot_values and not left else self

    def verdict(self, status: str, *sentences: str, **more: object) -> Verdict:
        line = self.grader.answer.source.place(self.entry.start)[0]
        return replace(Verdict(self.entry.name, status, line, sentences), **more)


def judge(case: Case) -> Verdict:
    """The verdict of the first judge that has one."""
    return next(verdict for judge in JUDGES if (verdict := judge(case)) is not None)


def vanishing_coefficient(case: Case) -> Verdict | None:
    """Right only if a coefficient of the student's were 0: its terms are extra."""
    zeros = case.coefficients.zeros(case.undefined) if case.coefficients is not None else []
    if not zeros or not case.yours.equals(case.true):
        return None
    sentences = [f"{name} would have to be 0: its terms are extra" for name in zeros]
    return case.verdict(WRONG, *sentences, conditions=tuple(case.with_coefficients))


def equal(case: Case) -> Verdict | None:
    """Equal as written, or with the coefficients that the answer leaves open."""
    if not case.yours.equals(case.true):
        return None
    return case.verdict(COEFFICIENTS if case.undefined else EQUAL, *case.with_coefficients)


def fixed_angles(case: Case) -> Verdict | None:
    """Equal by what the fixed angles of this robot are in numbers, as cos 36 deg - cos 72 deg = 1/2."""
    difference = case.yours.top - case.yours.times_bottom(case.true)
    zero = vanishes(difference) if difference.symbols() & difference.ring.numbers else False
    if zero is None:
        why = "for the fixed angles of this robot, which is not proved"
        return case.verdict(UNPROVED, ", ".join([why, *case.with_coefficients]))
    why = "by relations between fixed angles"
    return case.verdict(FIXED_ANGLES, ", ".join([why, *case.with_coefficients])) if zero else None


def rounded_decimals(case: Case) -> Verdict | None:
    """Equal with decimals read as what they round: linear ones are solved for, others are tried."""
    tried: list[Case] = []
    as_written = (dict[Decimal, Fraction](), case)
    for numbers, other in chain([as_written], case.grader.other_readings(case.entry, case.yours)):
        if (solved := readings(other.yours, other.true)) is not None:
            return case.verdict(ROUNDED, ", ".join([reading_text(numbers | solved), *case.with_coefficients]))
        if not numbers.keys() & case.yours.slopes.keys():
            tried.append(other)
    texts = (case.grader.rounded(other.yours, other.true) for other in tried)
    text = next((text for text in texts if text is not None), None)
    return case.verdict(ROUNDED, ", ".join([text, *case.with_coefficients])) if text is not None else None


def robot_values(case: Case) -> Verdict | None:
    """Equal with the robot's values for parameters that the student wrote as numbers."""
    if not case.robot_values:
        return None
    true = case.ring.substitute(case.true, case.robot_values)
    solved = readings(case.yours, true)
    text = case.grader.rounded(case.yours, true) if solved is None else reading_text(solved) if solved else ""
    if text is None:
        return None
    return case.verdict(ROUNDED if text else VALUES, ", ".join([case.with_robot_values, *([text] if text else [])]))


def without_weight(case: Case) -> Verdict | None:
    """Equal without gravity, as in books that add the weight separately."""
    other = case.entry.target.without_gravity
    if other is None or not case.yours.top:
        return None
    if not case.yours.equals(case.grader.true(case.entry, case.grader.values, other)):
        return None
    return case.verdict(REGROUPED, "gravity is not in it; here the base accelerates by -g, and no weight is added")


def up_to_a_constant(case: Case) -> Verdict | None:
    """A potential energy that is equal up to a constant."""
    difference = case.yours.top - case.in_numbers.true
    if case.entry.target.kind != "U" or case.yours.bottom is not None or any(s.moves for s in difference.symbols()):
        return None
    return case.verdict(CONSTANT, f"yours is larger by {case.grader.style.short(difference)}")


def no_coefficient(case: Case) -> Verdict | None:
    """Wrong, whatever the coefficients are that the entries do not determine."""
    coefficients = case.coefficients
    free = [name for name in case.undefined if coefficients is not None and coefficients.is_free(name)]
    return case.verdict(WRONG, f"no choice of {', '.join(free)} makes this entry right") if free else None


def wrong(case: Case) -> Verdict:
    """What is wrong, with decimals read as what they round where that makes terms right, and a point that shows it."""
    entry, written, true, style = case.entry, case.yours, case.in_numbers.true, case.grader.style
    irrational = {d: x for d, x in Equations.of(written, true).alone().items() if x.symbols()}
    yours = with_numbers(written, irrational)
    near = nearest_readings(yours, true)
    simple = {d: simplest(d) for d in yours.slopes if d not in yours.curved}
    simple = {d: x for d, x in simple.items() if x != d.value and x.denominator <= MAX_SIMPLE_DENOMINATOR}
    sentences, best = list[str](), dict[Decimal, Fraction]()
    for reading in (near, simple | near) if not simple.keys() <= near.keys() else (near,):
        true.ring.check_time()
        texts = {reading.get(d, d.value): d.text for d in yours.decimals}
        candidate = case.grader.differences(
            apply_readings(yours, reading), yours.times_bottom(true), texts, entry.decimals
        )
        if candidate and (not sentences or len(candidate) < len(sentences)):
            sentences, best = candidate, reading
    if yours.bottom is not None:
        sentences.insert(0, f"compared after both were multiplied by {style.short(yours.bottom)}:")
    read = [reading_text(best | irrational, style.short)] if best or irrational else []
    conditions = [*read, *case.with_coefficients]
    if case.in_numbers is not case:
        conditions.append(case.with_robot_values)
    conditions += entry.doubts
    point = find_point(written, apply_readings(yours, best), true, style.symbols)
    sentences = sentences or ["yours is not equal to it"]
    values = (apply_readings(yours, best), true) if yours.bottom is None else None
    verdict = case.verdict(WRONG, *sentences, point=point, conditions=tuple(conditions), values=values)
    if case.coefficients is not None or case.in_numbers is not case:
        return verdict

    def find() -> tuple[Correction, ...]:
        readings = {d: case.ring.ring.number(x) for d, x in best.items()} | irrational
        values = AnswerValues(case.grader.answer, case.ring, readings) if readings else case.grader.values
        return corrections(values, entry.line, entry.cell, true, entry.name)

    verdict = replace(verdict, find_corrections=find)
    if len(sentences) <= MAX_TERM_BY_TERM:
        return verdict
    texts = [_sentence(part, entry, style, true) for part in verdict.corrections]
    shorter = 0 < len(texts) < len(sentences) and all(len(text) <= MAX_LENGTH for text in texts)
    return replace(verdict, sentences=tuple(texts)) if shorter else verdict


def _sentence(correction: Correction, entry: Entry, style: FormulaStyle, true: Exact) -> str:
    """`1/2*m1*l1 should be m1*l1`, of a definition `a2 = ...`."""
    written, correct = style.tree_text(correction.written, true), style.tree_text(correction.correct, true)
    before = "" if correction.left == entry.name else f"{correction.left} = "
    return f"extra: {before}{written}" if correct == "0" else f"{before}{written} should be {correct}"


JUDGES: tuple[Callable[[Case], Verdict | None], ...] = (
    vanishing_coefficient, equal, fixed_angles, rounded_decimals, robot_values, without_weight, up_to_a_constant,
    no_coefficient, wrong,
)  # fmt: skip


def other_factorisations(grader: Grader, verdicts: Mapping[int, Verdict]) -> dict[int, Verdict]:
    """A wrong row of C that gives the right c = C qd is another factorisation, not a mistake."""
    ring, final = grader.ring, dict(verdicts)
    joints = ring.equations.robot.coordinates
    for row in range(ring.equations.n):
        of_row = {k: e for k, e in enumerate(grader.entries) if e.name.startswith("C[") and e.index[0] == row}
        columns = {entry.index[1]: k for k, entry in of_row.items()}
        places = set(columns.values())
        if len(columns) < ring.equations.n or not places <= final.keys():
            continue
        cases = {column: grader.case(of_row[k]) for column, k in columns.items()}
        if all(final[k].right for k in places) or any(case.yours.bottom for case in cases.values()):
            continue
        total = Value(ring.ring.zero)
        for column, case in cases.items():
            rate = Value(ring.ring.scalar(coordinate(joints[column].name, 1)))
            total = total + (case.yours - Value(case.true)) * rate
        if total.top and not vanishes(total.top) and grader.rounded(total, ring.ring.zero) is None:
            continue
        why = f"another factorisation: row {row + 1} of C qd is the same, C is not the Christoffel one"
        final |= {k: replace(final[k], status=REGROUPED, sentences=(why,), point=None, conditions=())
                  for k in places if final[k].status == WRONG}  # fmt: skip
    return final


def _parameters(scalar: Exact, ring: CommonRing) -> set[str]:
    symbols = scalar.symbols()
    below = {name for symbol in symbols if symbol.kind == "inverse" for name in ring.ring.denominator(symbol).symbols()}
    return {*ring.equations.robot.parameters, *ring.coefficients} & {*symbols, *below}
