"""An answer file read: its definitions, conditions and entries, each with its value and what it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product

from dynamis.errors import ArgumentError
from dynamis.grading.common_ring import Meeting
from dynamis.grading.judging.formulas import FormulaStyle
from dynamis.grading.reading.definitions import is_definition, is_parameter, words_of
from dynamis.grading.reading.entry_lines import EntryLines, Index
from dynamis.grading.reading.matrices import Cell, Matrix, MatrixArithmetic, Operand, Rows, operand
from dynamis.grading.reading.names import RESERVED, Names
from dynamis.grading.reading.own_pages import WHAT, is_own_page
from dynamis.grading.reading.pages import is_document
from dynamis.grading.reading.parser import AnswerParser, Overrides
from dynamis.grading.reading.place import AnswerError, Source, UnknownSymbolError
from dynamis.grading.reading.statements import Statement, counts_from_zero, one_based, statements
from dynamis.grading.reading.targets import KNOWN, Target, is_entry, is_quantity, left_side, target
from dynamis.grading.reading.targets import Entry as ModelEntry
from dynamis.grading.reading.tokens import stem_and_number, tokenize
from dynamis.grading.values import Arithmetic, Value, Written
from dynamis.scalars.exact.ring import Exact

MAX_CHAIN = 40
TOO_DEEP = "brackets, and lines that need each other, stand too deep inside each other; write it in more lines"
# Definitions beyond which the report names only the first and the last.
MANY = 8
_DECIMAL = re.compile(r"\.\d")
_ZEROS = re.compile(r"\s*(?:\w+\.)?zeros\(")
Complaint = AnswerError | UnknownSymbolError


@dataclass(frozen=True)
class Answered:
    """An entry of an answer: what it is about, the user's value, and where it is written."""

    about: Target
    index: tuple[int, ...]
    yours: Value
    start: int
    decimals: bool
    """Whether it is written with decimals."""
    fixed: Mapping[str, Exact]
    """What the lines above it give."""
    cosines: frozenset[str]
    """c1 where it was read as a cosine, though the file has an entry of that name."""

    @property
    def name(self) -> str:
        """`M[1,2]`."""
        return self.about.name(self.index)


class Reader:
    """Reads a file once; `overrides` are decimals that are taken for other numbers than they write."""

    def __init__(
        self, meeting: Meeting, source: Source, given: Mapping[str, str | float], overrides: Overrides
    ) -> None:
        self.meeting, self.overrides = meeting, overrides
        self.names = Names(meeting)
        self.names.later, self.names.entry, self.names.missing = self.later, self.entry, self.missing
        self.fixed: dict[str, Exact] = {}
        self.conditions: set[Written] = set()
        """The decimals of `given` lines and of --set."""
        self.lines: list[Statement] = []
        for name, value in given.items():
            part = Source(f"{name} = {value}", "--set")
            parser = AnswerParser(part, self.names, len(name) + 3, len(part.text), overrides)
            self.fix(part, name.strip(), 0, parser.scalar())
        self.source, lines, unread = statements(source, is_entry)
        self.names.from_zero = counts_from_zero(self.source.text)
        self.words, self.defined = words_of(self.source.text), list[str]()
        self.failed: dict[int, Complaint] = {}
        """Lines that cannot be read."""
        self.lines = [self.definition(one_based(line) if self.names.from_zero else line) for line in lines]
        if not any(line.kind == "answer" for line in self.lines):
            raise source.error(lines[0].left_start, "all lines are definitions; write a line such as M[1,1] = ...")
        self.done: set[int] = set()
        self.open: list[int] = []
        self.values: dict[int, Operand] = {}
        self.superseded: set[tuple[int, Index]] = set()
        """What a line below adds to, M11 = M11 + ... or M11 += ..., and so is not an answer itself."""
        self.cosines: dict[int, set[str]] = {}
        """Of each line the names that are both cosines and entries of c in this file."""
        self.given = EntryLines(self.lines, meeting.equations.n)
        self.unread: list[Complaint] = [*unread]
        self.lets: dict[str, list[int]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "let":
                with self.reading(k):
                    self.lets.setdefault(self.name(line).replace("_", ""), []).append(k)

    def definition(self, line: Statement) -> Statement:
        """A line that is not about the model is read as a `let` line."""
        left, robot = left_side(line.left) if line.kind == "answer" else None, self.meeting.equations.robot
        right = self.source.text[line.start : line.end]
        if left is None or len(line.left) > 60:
            return line
        if is_parameter(left, right, robot):
            # Not a line to pass over: the others mean something else with it.
            problem = f"{left.head} is a parameter of this robot; write given {left.head} = ... to give it a value"
            raise self.source.error(line.left_start, problem)
        coefficient = left.word == "h" and left.digits and is_own_page(self.source.shown)
        if not coefficient and not is_definition(left, right, self.words, robot):
            return line
        self.defined.append(left.head)
        return replace(line, kind="let")

    def entries(self) -> list[Answered]:
        """All entries, in the order of the file; lines that cannot be read are `unread`."""
        found: list[tuple[int, Answered]] = []
        for k, line in enumerate(self.lines):
            with self.reading(k):
                if line.kind == "answer":
                    operand = self.right_side(k)
                    found += ((k, entry) for entry in self.answered(line, operand, frozenset(self.cosines[k])))
                elif line.kind == "let" and k not in self.done:
                    self.let(k)
            if line.kind == "given":
                self.fix(self.source, self.name(line), line.left_start, self.parser(line).scalar())
        self.unread = sorted([*self.unread, *self.failed.values()], key=lambda error: (error.line or 0, error.column))
        if not found and self.unread:
            raise self.unread[0]
        names = Counter(entry.name for _, entry in found)
        return [entry for k, entry in found if not self.is_superseded(k, entry, names[entry.name])]

    def is_superseded(self, k: int, entry: Answered, times: int) -> bool:
        """Whether a program goes on to change an entry, or only made room for it with M = zeros(2, 2)."""
        line, index = self.lines[k], tuple(i + 1 for i in entry.index)
        room = times > 1 and _ZEROS.match(self.source.text, line.start, line.end) is not None
        return room or not self.superseded.isdisjoint({(k, ()), (k, index)})

    @contextmanager
    def reading(self, k: int) -> Generator[None]:
        """Keep what is wrong with a line, and go on with the next."""
        self.meeting.check_time()
        try:
            yield
        except RecursionError:
            self.open.clear()
            self.failed[k] = self.source.error(self.lines[k].left_start, TOO_DEEP)
        except (AnswerError, UnknownSymbolError) as error:
            for j in {k, *self.open}:
                line = self.lines[j]
                first, last = (self.source.place(position)[0] for position in (line.left_start, line.end))
                own = first <= (error.line or 0) <= last
                sentence = f"it uses line {error.line}, which cannot be read"
                self.failed.setdefault(j, error if own else self.source.error(line.left_start, sentence))
            self.open.clear()

    def parser(self, line: Statement) -> AnswerParser:
        return AnswerParser(self.source, self.names, line.start, line.end, self.overrides)

    def right_side(self, k: int) -> Operand:
        if k not in self.values:
            self.begin(k)
            self.names.short.clear()
            line = self.lines[k]
            self.values[k] = self.changed(k, self.parser(line).whole())
            short = {name for name in self.names.short if re.fullmatch(r"c\d{1,2}", name, re.ASCII)}
            self.cosines[k] = {name for name in short if (int(name[1:]),) in self.given.places.get("c", {})}
            self.open.pop()
        return self.values[k]

    def changed(self, k: int, value: Operand) -> Operand:
        """What M11 += value makes of what the lines above give."""
        line = self.lines[k]
        if not line.sign:
            return value
        if line.kind == "let":
            before = self.names.defined.get(self.name(line))
        else:
            name, (index, *_) = self.given.given.get(k, ("", [()]))
            above = self.given.line(name, index, k)
            before = self.given_value(name, index) if above is not None and above < k else None
        if before is None:
            shown = line.left[:40]
            problem = (
                f"{shown} {line.sign}= has nothing to change: no line above gives {shown}; write {shown} = ... first"
            )
            raise self.source.error(line.left_start, problem)
        arithmetic = MatrixArithmetic(Arithmetic(self.meeting))
        try:
            if line.sign in "+-":
                return arithmetic.plus(before, value, 1 if line.sign == "+" else -1)
            return (arithmetic.product if line.sign == "*" else arithmetic.quotient)(before, value)
        except ArgumentError as error:
            raise self.source.error(line.start, error.message) from None

    def let(self, k: int) -> Operand:
        self.begin(k)
        value = self.changed(k, self.parser(self.lines[k]).whole())
        self.open.pop()
        self.done.add(k)
        self.names.define(self.name(self.lines[k]), value)
        return value

    def begin(self, k: int) -> None:
        line = self.lines[k]
        if k in self.failed:
            self.open.append(k)
            raise self.failed[k]
        if k in self.open:
            raise self.source.error(line.left_start, "this line is defined by itself")
        if len(self.open) >= MAX_CHAIN:
            raise self.source.error(line.left_start, f"at most {MAX_CHAIN} lines need each other before they are read")
        self.open.append(k)

    def later(self, name: str) -> Operand | None:
        """What a `let` line below defines."""
        ahead = [k for k in self.lets.get(name, ()) if k not in self.done and k not in self.open]
        return self.let(ahead[0]) if ahead else None

    def entry(self, name: str, index: Index) -> Operand | None:
        """An entry or a matrix that the file gives: M(1,2), M12, M."""
        left = left_side(f"{name}[{','.join(map(str, index))}]" if index else name)
        return self.given_value(*left.key) if left is not None and left.kind in KNOWN else None

    def given_value(self, name: str, index: Index) -> Operand | None:
        """What the file gives; None if it does not, or not all of a matrix."""
        here = self.open[-1] if self.open else len(self.lines)
        k, own = self.given.line(name, index, here), self.given.given.get(here, ("", []))
        shape = self.given.shapes.get(name, ())
        if not index and shape and (k is None or self.given.entries_after(name, k, here)):
            return self.assembled(name, shape)
        if k is None or (index and shape and len(index) != len(shape)):
            return None
        if k < here and own[0] == name and index in own[1]:
            self.superseded.add((k, index))
        value, (first, *_) = self.right_side(k), self.given.given[k][1]
        if not index or isinstance(value, Value):
            return value if len(first) == len(index) else None
        rows = value.rows if len(index) == 2 else [[cell] for cell in value.cells]
        i, j = (a - b for a, b in zip((*index, 1)[:2], (*first, 1, 1), strict=False))
        return rows[i][j].value if 0 <= i < len(rows) and 0 <= j < len(rows[0]) else None

    def assembled(self, name: str, shape: tuple[int, ...]) -> Operand | None:
        """A matrix of which the file gives all entries; of the symmetric M those above the diagonal are enough."""
        rows: Rows = []
        for i in range(1, shape[0] + 1):
            indices = [(i, j) for j in range(1, shape[1] + 1)] if len(shape) == 2 else [(i,)]
            row = [self.part(name, index) for index in indices]
            rows.append([Cell(value, self.lines[0].start) for value in row if isinstance(value, Value)])
            if len(rows[-1]) < len(indices):
                return None
        return operand(rows)

    def part(self, name: str, index: Index) -> Operand | None:
        """An entry; of M that of the other side of the diagonal will do."""
        places = self.given.places.get(name, {})
        mirror = name == "M" and index not in places and () not in places
        return self.given_value(name, index[::-1] if mirror else index)

    def missing(self, name: str) -> str:
        """What no line gives of a part of the model: M, or M[2,2] where there are other entries; else nothing."""
        left = left_side(name)
        if left is None or not is_quantity(name):
            return ""
        key, index = left.key
        places, shape = self.given.places.get(key, {}), self.given.shapes.get(key, ())
        if index or not places:
            return name
        every = product(*(range(1, count + 1) for count in shape))
        first = next((i for i in every if i not in places and not (key == "M" and i[::-1] in places)), ())
        return f"{name}[{','.join(map(str, first))}]" if first else name

    def fix(self, source: Source, name: str, place: int, value: Value) -> None:
        """`given name = value`: a parameter, in the model and in the answer."""
        parameters = self.meeting.equations.robot.parameters
        letter = self.names.letters.get(name, self.names.letters.get(name.replace("_", "")))
        if letter is None or letter not in parameters:
            raise source.unknown(place, name, parameters)
        if value.bottom is not None:
            raise source.error(place, f"{name} cannot be given as a fraction with a sum under it")
        joints = {joint.name for joint in self.meeting.equations.robot.joints}
        if moving := sorted(x for x in value.top.letters() if x in joints or "(" in x or x in self.meeting.lumped):
            raise source.error(place, f"{name} is given by numbers and parameters, not by {moving[0]}")
        self.conditions |= value.decimals
        exact = self.meeting.substitute(value.top, self.fixed)
        for known in self.fixed:
            self.fixed[known] = self.meeting.substitute(self.fixed[known], {letter: exact})
        self.fixed[letter] = exact
        self.names.defined[name] = self.names.defined[letter] = Value(exact)

    def answered(self, line: Statement, value: Operand, cosines: frozenset[str]) -> list[Answered]:
        rows = value.rows if isinstance(value, Matrix) else [[Cell(value, line.start)]]
        size = len(rows), len(rows[0])
        try:
            about = target(self.source, line, self.meeting.equations, size)
        except AnswerError as error:
            if not self.names.from_zero:
                raise
            problem = f"{error.problem}, counted from 1; square brackets count from 0 in this file"
            raise self.source.error(line.left_start, problem) from None
        if size != about.size and not (len(about.shape) == 1 and size == about.size[::-1]):
            wanted, yours = ("x".join(map(str, pair)) for pair in (about.size, size))
            raise self.source.error(line.left_start, f"{about.label} here is {wanted}, the right side is {yours}")
        cells = [cell for row in rows for cell in row]
        found: list[Answered] = []
        fixed = dict(self.fixed)
        for index, cell in zip(about.wanted, cells, strict=True):
            try:
                yours = cell.value.each(lambda x: self.meeting.substitute(x, fixed))
            except ArgumentError as error:
                raise self.source.error(line.left_start, error.message) from None
            if yours.bottom is not None and not yours.bottom:
                raise self.source.error(cell.start, "division by zero, with what is given")
            decimals = bool(cell.value.decimals) or _DECIMAL.search(self.source.text, line.start, line.end) is not None
            found.append(Answered(about, index, yours, max(cell.start, line.start), decimals, fixed, cosines))
        return found

    def notes(self, entries: Sequence[Answered]) -> list[str]:
        """Conditions, and parameters of the robot that a `let` line gives another meaning: a teacher must see them."""
        style = FormulaStyle()
        given = [f"{letter} = {style.short(value)}" for letter, value in self.fixed.items()]
        shadowed = [name for name in self.lets if name in self.meeting.equations.robot.parameters]
        below = "" if all(entry.fixed == self.fixed for entry in entries) else " in the lines below it"
        found = [f"compared for {', '.join(given)}{below}"] if given else []
        if is_own_page(self.source.shown):
            found.append(f"this is a page of dynamis derive: of it {WHAT} were read, its steps and what it cuts not")
        elif is_document(self.source.shown):
            found.append("of this document what stands in display was read")
        if self.names.from_zero:
            found.append("indices in square brackets were counted from 0, as in Python")
        found += [f"read as definitions: {_listed(list(dict.fromkeys(self.defined)))}"] if self.defined else []
        found += [f"{name} is a parameter of the robot, and has another meaning here" for name in shadowed]
        again = "is defined more than once: a line takes what stands last above it"
        return [*found, *(f"{name} {again}" for name in sorted(self.names.changed))]

    def true(self, answered: Answered, entry: ModelEntry) -> Exact:
        """The true scalar, with what is given."""
        return self.meeting.substitute(self.meeting.lift(entry(answered.index)), answered.fixed)

    def name(self, line: Statement) -> str:
        """The name that a `let` line defines, LaTeX or plain."""
        end = line.left_start + len(line.left.rstrip("& \t\n"))
        tokens = tokenize(self.source, line.left_start, end, lambda name: True)
        if len(tokens) == 2 and tokens[0].text in RESERVED:
            raise self.source.error(line.left_start, f'"{tokens[0].text}" has a meaning of its own; take another name')
        if len(tokens) != 2 or tokens[0].kind != "name":
            raise self.source.error(line.left_start, "a let line gives a name to an expression, such as let L1 = l1")
        return tokens[0].text


def _listed(names: list[str]) -> str:
    """a1, a2; of many with one letter the first and the last: x1 to x224."""
    runs: list[list[str]] = []
    for name in names:
        stem, number = stem_and_number(name)
        if runs and number and runs[-1][-1] == f"{stem}{int(number) - 1}":
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > MANY else ", ".join(run) for run in runs)
