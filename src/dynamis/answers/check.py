"""`check_answer`: the user's equations against the exact model, entry by entry.

>>> from dynamis import load
>>> report = check_answer(load("planar-elbow"), "g[2] = m2*lc2*g*cos(q1 - q2)")
>>> report.right, report.entries[0].name
(False, 'g[2]')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dynamis.answers.differences import differences
from dynamis.answers.matrices import Rows, read_rows
from dynamis.answers.names import Names
from dynamis.answers.parser import AnswerParser, Reading, as_written
from dynamis.answers.place import Source
from dynamis.answers.point import telling_point
from dynamis.answers.rendering import MAX_DENOMINATOR, Renderer
from dynamis.answers.report import Report, Verdict
from dynamis.answers.ring import Meeting
from dynamis.answers.rounding import Rounding, close
from dynamis.answers.statements import Statement, statements
from dynamis.answers.targets import Entry as ModelEntry
from dynamis.answers.targets import Target, target
from dynamis.answers.tokens import tokenize
from dynamis.exact.equations import Equations
from dynamis.exact.ring import Exact
from dynamis.model.robot import RobotModel

MAX_BYTES = 200_000
_DECIMAL = re.compile(r"\.\d")


@dataclass(frozen=True)
class Answered:
    """An entry of an answer: what it is about, the user's value, the true one, where it is written."""

    name: str
    kind: str
    index: tuple[int, ...]
    yours: Exact
    true: Exact
    start: int
    without_gravity: Exact | None = None


def check_answer(
    robot: RobotModel, text: str, file: str = "answer", given: Mapping[str, str | float] | None = None
) -> Report:
    """Compare the answers in `text` with the model; `given` puts numbers in the place of parameters."""
    meeting = Meeting(Equations(robot))
    source = Source(text, file)
    rounding, reader = Rounding(), _Reader(meeting, source, as_written, given or {})
    entries = reader.entries()
    near = entries
    if _DECIMAL.search(reader.source.text) and any(entry.yours != entry.true for entry in entries):
        near = _Reader(meeting, source, rounding.read, given or {}).entries()
    renderer = Renderer(reader.names.display)
    pairs = zip(entries, near, strict=True)
    digits = rounding.digits
    verdicts = [_verdict(entry, rounded, digits, meeting, renderer, source) for entry, rounded in pairs]
    return Report(robot.name, file, _refactored(entries, verdicts, meeting), rounding.used)


class _Reader:
    def __init__(self, meeting: Meeting, source: Source, reading: Reading, given: Mapping[str, str | float]) -> None:
        self.meeting, self.reading = meeting, reading
        self.names = Names(meeting)
        self.fixed: dict[str, Exact] = {}
        for name, value in given.items():
            part = Source(f"{name} = {value}", "--set")
            self.fix(part, name.strip(), 0, AnswerParser(part, self.names, len(name) + 3, len(part.text)).scalar())
        self.source, self.lines = statements(source)

    def entries(self) -> list[Answered]:
        found: list[Answered] = []
        for line in self.lines:
            reading = self.reading if line.kind != "given" else as_written
            parser = AnswerParser(self.source, self.names, line.start, line.end, reading)
            if line.kind == "answer":
                found += self.answered(line, read_rows(parser))
            elif line.kind == "let":
                self.names.define(_name(self.source, line), parser.scalar())
            else:
                self.fix(self.source, line.left, line.left_start, parser.scalar())
        return found

    def fix(self, source: Source, name: str, place: int, value: Exact) -> None:
        """`given name = value`: a parameter, in the model and in the answer."""
        parameters = self.meeting.equations.robot.parameters
        letter = self.names.letters.get(name, self.names.letters.get(name.replace("_", "")))
        if letter is None or letter not in parameters:
            raise source.unknown(place, name, parameters)
        for known in self.fixed:
            self.fixed[known] = self.meeting.substitute(self.fixed[known], {letter: value})
        self.fixed[letter] = value
        self.names.defined[name] = self.names.defined[letter] = value

    def answered(self, line: Statement, rows: Rows) -> list[Answered]:
        about = target(self.source, line, self.meeting.equations, len(rows) == len(rows[0]) == 1)
        cells = [cell for row in rows for cell in row]
        self.fits(line, about, (len(rows), len(rows[0])))
        found: list[Answered] = []
        for index, cell in zip(about.wanted, cells, strict=True):
            other = about.without_gravity
            without = self.true(other, index) if other and cell.value else None
            true, yours = self.true(about.entry, index), self.meeting.substitute(cell.value, self.fixed)
            found.append(Answered(about.name(index), about.kind, index, yours, true, cell.start, without))
        return found

    def true(self, entry: ModelEntry, index: tuple[int, ...]) -> Exact:
        return self.meeting.substitute(self.meeting.lift(entry(index)), self.fixed)

    def fits(self, line: Statement, about: Target, size: tuple[int, int]) -> None:
        if size == about.size or (len(about.shape) == 1 and size == about.size[::-1]):
            return
        wanted, yours = ("x".join(map(str, pair)) for pair in (about.size, size))
        raise self.source.error(line.left_start, f"{about.label} here is {wanted}, the right side is {yours}")


def _name(source: Source, line: Statement) -> str:
    """The name that a `let` line defines, LaTeX or plain."""
    end = line.left_start + len(line.left)
    tokens = tokenize(source, line.left_start, end, lambda name: True)
    if len(tokens) != 2 or tokens[0].kind != "name":
        raise source.error(line.left_start, "a let line gives a name to an expression, such as let L1 = l1")
    return tokens[0].text


def _verdict(
    entry: Answered, rounded: Answered, digits: int, meeting: Meeting, renderer: Renderer, source: Source
) -> Verdict:
    line = source.place(entry.start)[0]
    if entry.yours == entry.true:
        return Verdict(entry.name, "equal", line)
    if rounded.yours == rounded.true:
        return Verdict(entry.name, "equal up to rounding", line, ("its decimals are the true factors, rounded",))
    if close(entry.yours, entry.true, digits):
        return Verdict(entry.name, "equal up to rounding", line, (f"its factors agree to {digits} digits",))
    if entry.without_gravity == entry.yours:
        why = "gravity is not in it; here the base accelerates by -g, and no weight is added"
        return Verdict(entry.name, "equal up to regrouping", line, (why,))
    if entry.kind == "U" and not _moves(entry.yours - entry.true, meeting):
        constant = renderer.text(entry.yours - entry.true)
        return Verdict(entry.name, "equal up to a constant", line, (f"yours is larger by {constant}",))
    chosen, sentences = entry, differences(entry.yours, entry.true, renderer)
    # Fractions such as 1/12 are what a person rounds; a model in decimals is compared as it is written.
    if rounded.yours != entry.yours and all(c.denominator <= MAX_DENOMINATOR for c in entry.true.terms().values()):
        near = differences(rounded.yours, rounded.true, renderer)
        chosen, sentences = (rounded, near) if len(near) <= len(sentences) else (entry, sentences)
    point = telling_point(chosen.yours, chosen.true, renderer.display)
    return Verdict(entry.name, "wrong", line, tuple(sentences), point)


def _moves(scalar: Exact, meeting: Meeting) -> bool:
    """Whether a scalar depends on the joints."""
    joints = [joint.name for joint in meeting.equations.robot.joints]
    moving = {form.format(name) for name in joints for form in ("{}", "sin({})", "cos({})", "d({})", "dd({})")}
    return bool(scalar.letters() & moving)


def _refactored(entries: list[Answered], verdicts: list[Verdict], meeting: Meeting) -> list[Verdict]:
    """A wrong row of C that gives the right c = C qd is another factorisation, not a mistake."""
    n, joints = meeting.equations.n, meeting.equations.robot.joints
    for row in range(n):
        places = {e.index[1]: k for k, e in enumerate(entries) if e.name.startswith("C[") and e.index[0] == row}
        if len(places) < n or all(verdicts[k].status == "equal" for k in places.values()):
            continue
        total = meeting.ring.zero
        for j, k in places.items():
            rate = meeting.ring.letter(f"d({joints[j].name})")
            total = total + (entries[k].yours - entries[k].true) * rate
        if total:
            continue
        for k in places.values():
            if verdicts[k].status == "wrong":
                why = f"another factorisation: row {row + 1} of C qd is the same, C is not the Christoffel one"
                verdicts[k] = Verdict(verdicts[k].name, "equal up to regrouping", verdicts[k].line, (why,))
    return verdicts
