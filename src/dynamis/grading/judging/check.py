"""`check_answer`: the user's equations against the exact model, entry by entry.

>>> from dynamis import load
>>> report = check_answer(load("planar-elbow"), "g[2] = m2*lc2*g*cos(q1 - q2)")
>>> report.right, report.entries[0].name
(False, 'g[2]')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod

from dynamis.equations.equations import Equations
from dynamis.errors import ArgumentError, DynamisError, FormatError, MemoryLimitError, TimeLimitError
from dynamis.grading.common_ring import Meeting
from dynamis.grading.judging.formulas import FormulaStyle
from dynamis.grading.judging.lumped import Lumped, not_linear, settled, used
from dynamis.grading.judging.report import (
    LUMPED,
    REGROUPED,
    RELATED,
    ROUNDED,
    SHIFTED,
    UNPROVED,
    VALUED,
    Report,
    Unread,
    Verdict,
)
from dynamis.grading.judging.rounding import readings, simplest
from dynamis.grading.judging.valued import sentence, values_for
from dynamis.grading.judging.wrong import reading_text, wrong
from dynamis.grading.reading.names import lumped_names
from dynamis.grading.reading.place import AnswerError, Source
from dynamis.grading.reading.reader import TOO_DEEP, Answered, Reader
from dynamis.grading.values import Value, Written
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.numbers import vanishes
from dynamis.scalars.exact.ring import Exact

MAX_CHARACTERS = 200_000
MAX_REREADINGS = 16
MAX_TEXTS = 4
WITHOUT_GRAVITY = "gravity is not in it; here the base accelerates by -g, and no weight is added"


class AnswerTimeError(DynamisError):
    """An answer that is too large to be read in the time that was given."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the answer is not read in {seconds:g} s; give fewer or shorter entries, or more --seconds")
        self.seconds = seconds


def check_answer(
    robot: RobotModel,
    text: str,
    file: str = "answer",
    given: Mapping[str, str | float] | None = None,
    seconds: float | None = None,
) -> Report:
    """Compare the answers in `text` with the model; `given` puts numbers in the place of parameters.

    With `seconds` it stops after that time; the report then has the entries that were finished.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    source = Source(text, file)
    if len(text) > MAX_CHARACTERS:
        raise FormatError(
            f"the answer has {len(text)} characters and at most {MAX_CHARACTERS} are read; give fewer entries, or "
            "several files; of a page of derive, the one without --steps"
        ).at(file)
    meeting = Meeting(Equations(robot, seconds=seconds), lumped_names(text, robot))
    try:
        meeting.check_time()  # which starts the clock
        reader = Reader(meeting, source, given or {}, {})
        check = _Check(reader, source, given or {}, reader.entries())
    except TimeLimitError as late:
        raise AnswerTimeError(late.seconds) from None
    except RecursionError:
        raise source.error(0, TOO_DEEP) from None
    verdicts: dict[int, Verdict] = {}
    unread = [Unread(error) for error in reader.unread]
    try:
        for k, entry in enumerate(check.entries):
            try:
                verdicts[k] = check.verdict(k)
            except (ArgumentError, MemoryLimitError) as error:
                unread.append(Unread(reader.source.error(entry.start, f"{entry.name}: {error.message}")))
            except AnswerError as error:
                unread.append(Unread(error))
        verdicts = _refactored(check, verdicts)
    except TimeLimitError:
        pass
    if unread and not verdicts:
        raise unread[0].error
    notes = dict.fromkeys(
        [*(entry.about.note for entry in check.entries if entry.about.note), *reader.notes(check.entries)]
    )
    done = max(verdicts, default=-1)
    unfinished = [entry.name for entry in check.entries[done + 1 :]]
    return Report(
        robot.name, file, list(verdicts.values()), tuple(notes), unfinished, seconds, unread, missing(check.entries)
    )


def missing(entries: Sequence[Answered]) -> list[str]:
    """The entries that an answer leaves out of the matrices and vectors that it is about.

    Of a symmetric pair one is enough; of a planar Jacobian the rows that its note names.
    """
    found: dict[str, None] = {}
    partial = {entry.about.label: entry.about for entry in entries if len(entry.about.wanted) < prod(entry.about.shape)}
    for label, about in partial.items():
        of_label = [entry for entry in entries if entry.about.label == label and entry.about.shape == about.shape]
        if any(entry.about.note for entry in of_label):
            continue
        given = {_representative(about.kind, entry.index) for entry in of_label}
        every = (_representative(about.kind, index) for index in product(*map(range, about.shape)))
        found |= dict.fromkeys(about.name(index) for index in every if index not in given)
    return list(found)


def _representative(kind: str, index: tuple[int, ...]) -> tuple[int, ...]:
    """One index for all entries that are equal by symmetry: of M, of Ibase, of the Christoffel symbols c[i,j,k]."""
    if kind in ("M", "Ibase") or len(index) == 3:
        return (*sorted(index[:2]), *index[2:])
    return index


@dataclass
class _Check:
    reader: Reader
    source: Source
    given: Mapping[str, str | float]
    entries: list[Answered]
    trues: dict[int, Exact] = field(default_factory=dict[int, Exact])
    others: dict[frozenset[Written], _Check] = field(default_factory=dict[frozenset[Written], "_Check"])
    lumps: Lumped | None = None
    settled: bool = False

    @property
    def meeting(self) -> Meeting:
        return self.reader.meeting

    def true(self, k: int) -> Exact:
        """The true scalar of an entry."""
        if k not in self.trues:
            self.trues[k] = self.reader.true(self.entries[k], self.entries[k].about.entry)
        return self.trues[k]

    def yours(self, k: int) -> Value:
        """The user's value, with the coefficients that it does not define."""
        value = self.entries[k].yours
        if not used(value, self.meeting):
            return value
        if not self.settled:
            self.lumps, self.settled = self.coefficients(), True
        return self.lumps.put(value, self.meeting) if self.lumps is not None else value

    def coefficients(self) -> Lumped | None:
        for entry in self.entries:
            if names := not_linear(entry.yours, self.meeting):
                listed = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not defined"
                problem = f"{listed}, and not linear here; write let {names[0]} = ... above"
                raise self.reader.source.error(entry.start, problem)
        pairs = [(e.yours, self.true(k)) for k, e in enumerate(self.entries) if used(e.yours, self.meeting)]
        lift, fixed = self.meeting.lift, self.reader.fixed
        return settled(pairs, self.meeting, lambda x: self.meeting.substitute(lift(x), fixed))

    def verdict(self, k: int) -> Verdict:
        """What is to be said of one entry."""
        entry, true, yours = self.entries[k], self.true(k), self.yours(k)
        line = self.source.place(entry.start)[0]
        lumped = used(entry.yours, self.meeting)
        said = (self.lumps.sentence(lumped, self.style),) if self.lumps is not None and lumped else ()
        zeros = self.lumps.zeros(lumped) if self.lumps is not None else []
        if zeros and yours.equals(true):
            needed = [f"{name} would have to be 0: what stands beside it is extra" for name in zeros]
            return Verdict(entry.name, "wrong", line, tuple(needed), None, said)
        if yours.equals(true):
            return Verdict(entry.name, LUMPED, line, said) if lumped else Verdict(entry.name, "equal", line)
        if (related := by_numbers(yours, true)) is not None:
            status, why = related
            return Verdict(entry.name, status, line, (", ".join([why, *said]),))
        if read := self.read(k):
            return Verdict(entry.name, ROUNDED, line, (", ".join([reading_text(read), *said]),))
        if values := values_for(yours, true, self.meeting):
            number = self.meeting.substitute(true, values)
            read = readings(yours, number)
            if read is not None:
                more = [reading_text({d: d.value + e for d, e in read.items()})] if read else []
                because = ", ".join([sentence(values, self.meeting), *more])
                return Verdict(entry.name, ROUNDED if more else VALUED, line, (because,))
            if not number.letters() & set(self.meeting.equations.robot.parameters):
                true, said = number, (*said, sentence(values, self.meeting))
        other = entry.about.without_gravity
        if other is not None and yours.top and yours.equals(self.reader.true(entry, other)):
            return Verdict(entry.name, REGROUPED, line, (WITHOUT_GRAVITY,))
        if entry.about.kind == "U" and yours.bottom is None and not _moves(yours.top - true, self.meeting):
            constant = self.style.short(yours.top - true)
            return Verdict(entry.name, SHIFTED, line, (f"yours is larger by {constant}",))
        if free := [name for name in lumped if self.lumps is not None and self.lumps.is_free(name)]:
            return Verdict(entry.name, "wrong", line, (f"no choice of {', '.join(free)} makes this entry right",))
        sentences, point, reading = wrong(yours, true, self.style, entry.decimals)
        cosines = (f"{name} was read as a cosine; write c[{name[1:]}] for the entry" for name in sorted(entry.cosines))
        return Verdict(entry.name, "wrong", line, tuple(sentences), point, (*reading, *said, *cosines))

    @property
    def style(self) -> FormulaStyle:
        return FormulaStyle(self.reader.names.display)

    def read(self, k: int) -> dict[Written, Fraction]:
        """The readings of decimals that make an entry equal; none if there are none."""
        found = readings(self.yours(k), self.true(k))
        if found is not None:
            return {decimal: decimal.value + e for decimal, e in found.items()}
        for overrides in self.alternatives(k):
            again = self.reread(overrides)
            if again is None:
                return {}
            found = readings(again.yours(k), again.true(k))
            if found is not None:
                return overrides | {decimal: decimal.value + e for decimal, e in found.items()}
        return {}

    def alternatives(self, k: int) -> Iterator[dict[Written, Fraction]]:
        """Other numbers for the decimals in which an entry is not linear, and for those of its conditions."""
        by_text: dict[str, dict[Written, Fraction]] = {}
        for decimal in sorted(self.entries[k].yours.curved | self.reader.conditions, key=lambda d: (d.file, d.start)):
            if (value := simplest(decimal)) != decimal.value:
                by_text.setdefault(decimal.text, {})[decimal] = value
        texts = list(by_text)[:MAX_TEXTS]
        for count in range(1, len(texts) + 1):
            for some in combinations(texts, count):
                yield {decimal: value for text in some for decimal, value in by_text[text].items()}

    def reread(self, overrides: Mapping[Written, Fraction]) -> _Check | None:
        """The file again, with decimals taken for other numbers; not too often."""
        key = frozenset(overrides)
        if key not in self.others:
            if len(self.others) >= MAX_REREADINGS:
                return None
            reader = Reader(self.meeting, self.source, self.given, overrides)
            self.others[key] = _Check(reader, self.source, self.given, reader.entries())
        again = self.others[key]
        return again if [e.name for e in again.entries] == [e.name for e in self.entries] else None


def by_numbers(yours: Value, true: Exact) -> tuple[str, str] | None:
    """(status, why) where the difference is zero only by what the angles in numbers are; None where it is not."""
    difference = yours.top - yours.times_bottom(true)
    if not difference.letters() & difference.ring.numbers:
        return None
    zero = vanishes(difference)
    if zero is None:
        return UNPROVED, "for the fixed angles of this robot; it is not proved"
    return (RELATED, "by relations between fixed angles") if zero else None


def _moves(scalar: Exact, meeting: Meeting) -> bool:
    """Whether a scalar depends on the joints."""
    joints = [joint.name for joint in meeting.equations.robot.joints]
    moving = {form.format(name) for name in joints for form in ("{}", "sin({})", "cos({})", "d({})", "dd({})")}
    return bool(scalar.letters() & moving)


def _refactored(check: _Check, verdicts: Mapping[int, Verdict]) -> dict[int, Verdict]:
    """A wrong row of C that gives the right c = C qd is another factorisation, not a mistake."""
    meeting, found = check.meeting, dict(verdicts)
    n, joints = meeting.equations.n, meeting.equations.robot.joints
    for row in range(n):
        places = {e.index[1]: k for k, e in enumerate(check.entries) if e.name.startswith("C[") and e.index[0] == row}
        if (
            len(places) < n
            or not found.keys() >= set(places.values())
            or all(found[k].status == "equal" for k in places.values())
        ):
            continue
        values = {j: check.yours(k) for j, k in places.items()}
        if any(value.bottom is not None for value in values.values()):
            continue
        total = meeting.ring.zero
        for j, k in places.items():
            total = total + (values[j].top - check.true(k)) * meeting.ring.letter(f"d({joints[j].name})")
        if total and not vanishes(total):
            continue
        for k in places.values():
            if found[k].status == "wrong":
                why = f"another factorisation: row {row + 1} of C qd is the same, C is not the Christoffel one"
                found[k] = Verdict(found[k].name, REGROUPED, found[k].line, (why,))
    return found
