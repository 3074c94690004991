"""An answer file read: its definitions, conditions and entries, each with its value and what it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dynamis.answers.definitions import is_definition, is_parameter, words_of
from dynamis.answers.law import law
from dynamis.answers.matrices import Entry as Cell
from dynamis.answers.matrices import Rows, read_rows
from dynamis.answers.names import RESERVED, Names
from dynamis.answers.own_pages import WHAT, is_own_page
from dynamis.answers.pages import is_document
from dynamis.answers.parser import AnswerParser, Overrides
from dynamis.answers.place import Source
from dynamis.answers.rendering import Renderer
from dynamis.answers.ring import Meeting
from dynamis.answers.statements import Statement, statements
from dynamis.answers.targets import Entry as ModelEntry
from dynamis.answers.targets import Target, is_entry, is_quantity, left_side, target
from dynamis.answers.tokens import stem_and_number, tokenize
from dynamis.answers.values import Value, Written
from dynamis.exact.ring import Exact

MAX_CHAIN = 40
# Definitions beyond which the report names only the first and the last.
MANY = 8
_DECIMAL = re.compile(r"\.\d")


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
        self.names.later, self.names.entry, self.names.missing = self.later, self.entry, is_quantity
        self.fixed: dict[str, Exact] = {}
        self.conditions: set[Written] = set()
        """The decimals of `given` lines and of --set."""
        self.lines: list[Statement] = []
        for name, value in given.items():
            part = Source(f"{name} = {value}", "--set")
            parser = AnswerParser(part, self.names, len(name) + 3, len(part.text), overrides)
            self.fix(part, name.strip(), 0, parser.scalar())
        self.source, lines = statements(source, is_entry)
        self.words, self.defined = words_of(self.source.text), list[str]()
        self.lines = [self.definition(line) for line in lines]
        if not any(line.kind == "answer" for line in self.lines):
            raise source.error(lines[0].left_start, "all lines are definitions; write a line such as M[1,1] = ...")
        self.done: set[int] = set()
        self.open: list[int] = []
        self.rows: dict[int, Rows] = {}
        self.cosines: dict[int, set[str]] = {}
        """Of each line the names that are both cosines and entries of c in this file."""
        self.keys: dict[tuple[str, tuple[int, ...]], int] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "answer" and (left := left_side(line.left)) is not None:
                self.keys.setdefault(left.key, k)
        self.lets: dict[str, list[int]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "let":
                self.lets.setdefault(self.name(line).replace("_", ""), []).append(k)

    def definition(self, line: Statement) -> Statement:
        """A line that is not about the model is read as a `let` line."""
        left, robot = left_side(line.left) if line.kind == "answer" else None, self.meeting.equations.robot
        right = self.source.text[line.start : line.end]
        if left is None or len(line.left) > 60:
            return line
        if is_parameter(left, right, robot):
            problem = f"{left.head} is a parameter of this robot; write given {left.head} = ... to give it a value"
            raise self.source.error(line.left_start, problem)
        coefficient = left.word == "h" and left.digits and is_own_page(self.source.shown)
        if not coefficient and not is_definition(left, right, self.words, robot):
            return line
        self.defined.append(left.head)
        return replace(line, kind="let")

    def entries(self) -> list[Answered]:
        """All entries, in the order of the file."""
        found: list[Answered] = []
        for k, line in enumerate(self.lines):
            if line.kind == "answer":
                found += self.answered(line, self.right_side(k), frozenset(self.cosines[k]))
            elif line.kind == "let" and k not in self.done:
                self.let(k)
            elif line.kind == "given":
                self.fix(self.source, self.name(line), line.left_start, self.parser(line).scalar())
        return found

    def parser(self, line: Statement) -> AnswerParser:
        return AnswerParser(self.source, self.names, line.start, line.end, self.overrides)

    def right_side(self, k: int) -> Rows:
        if k not in self.rows:
            self.begin(k)
            self.names.short.clear()
            line = self.lines[k]
            right = self.source.text[line.start : line.end]
            whole = law(line.left, right, line.start, self.entry, self.meeting)
            self.rows[k] = whole or read_rows(self.parser(line))
            short = {name for name in self.names.short if re.fullmatch(r"c\d{1,2}", name, re.ASCII)}
            self.cosines[k] = {name for name in short if ("c", (int(name[1:]),)) in self.keys}
            self.open.pop()
        return self.rows[k]

    def let(self, k: int) -> Value:
        self.begin(k)
        value = self.parser(self.lines[k]).scalar()
        self.open.pop()
        self.done.add(k)
        self.names.define(self.name(self.lines[k]), value)
        return value

    def begin(self, k: int) -> None:
        line = self.lines[k]
        if k in self.open:
            raise self.source.error(line.left_start, "this line is defined by itself")
        if len(self.open) >= MAX_CHAIN:
            raise self.source.error(line.left_start, f"at most {MAX_CHAIN} lines need each other before they are read")
        self.open.append(k)

    def later(self, name: str) -> Value | None:
        """What a `let` line below defines."""
        ahead = [k for k in self.lets.get(name, ()) if k not in self.done and k not in self.open]
        return self.let(ahead[0]) if ahead else None

    def entry(self, name: str, index: tuple[int, ...]) -> Value | None:
        """An entry that the file gives, above or below: M(1,2), M12."""
        written = f"{name}[{','.join(map(str, index))}]" if index else name
        left = left_side(written)
        if left is None or not left.is_entry:
            return None
        whole, numbers = left.key
        if left.key in self.keys:
            rows = self.right_side(self.keys[left.key])
            return rows[0][0].value if len(rows) == len(rows[0]) == 1 else None
        k = self.keys.get((whole, ()))
        if k is None or k in self.open:
            return None
        rows = self.right_side(k)
        cells = rows if len(numbers) == 2 else [[cell] for row in rows for cell in row]
        i, j = (*numbers, 1)[:2]
        return cells[i - 1][j - 1].value if 0 < i <= len(cells) and 0 < j <= len(cells[0]) else None

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

    def answered(self, line: Statement, rows: Rows, cosines: frozenset[str]) -> list[Answered]:
        size = len(rows), len(rows[0])
        about = target(self.source, line, self.meeting.equations, size)
        if size != about.size and not (len(about.shape) == 1 and size == about.size[::-1]):
            wanted, yours = ("x".join(map(str, pair)) for pair in (about.size, size))
            raise self.source.error(line.left_start, f"{about.label} here is {wanted}, the right side is {yours}")
        cells = [cell for row in rows for cell in row]
        found: list[Answered] = []
        fixed = dict(self.fixed)
        for index, cell in zip(about.wanted, cells, strict=True):
            yours = cell.value.each(lambda x: self.meeting.substitute(x, fixed))
            if yours.bottom is not None and not yours.bottom:
                raise self.source.error(cell.start, "division by zero, with what is given")
            found.append(Answered(about, index, yours, cell.start, self.has_decimals(cell), fixed, cosines))
        return found

    def notes(self, entries: Sequence[Answered]) -> list[str]:
        """Conditions, and parameters of the robot that a `let` line gives another meaning: a teacher must see them."""
        renderer = Renderer({})
        given = [f"{letter} = {renderer.text(value)}" for letter, value in self.fixed.items()]
        shadowed = [name for name in self.lets if name in self.meeting.equations.robot.parameters]
        below = "" if all(entry.fixed == self.fixed for entry in entries) else " in the lines below it"
        found = [f"compared for {', '.join(given)}{below}"] if given else []
        if is_own_page(self.source.shown):
            found.append(f"this is a page of dynamis derive: of it {WHAT} were read, its steps and what it cuts not")
        elif is_document(self.source.shown):
            found.append("of this document what stands in display was read")
        found += [f"read as definitions: {_listed(list(dict.fromkeys(self.defined)))}"] if self.defined else []
        found += [f"{name} is a parameter of the robot, and has another meaning here" for name in shadowed]
        again = "is defined more than once: a line takes what stands last above it"
        return [*found, *(f"{name} {again}" for name in sorted(self.names.changed))]

    def has_decimals(self, cell: Cell) -> bool:
        return bool(cell.value.decimals) or _DECIMAL.search(self.source.text, cell.start, cell.end) is not None

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
