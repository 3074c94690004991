"""An answer file read: its lines, each with what it defines or is about, and the tree of its right side.

`read_answer` computes nothing: every formula is parsed once, and `AnswerValues` gives the trees values as often as
decimals are read in another way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from dynamis.grading.common_ring import CommonRing
from dynamis.grading.reading.left_sides import (
    ANSWERABLE,
    Index,
    count_words,
    index_range,
    is_definition,
    is_parameter,
    left_side,
    shapes,
)
from dynamis.grading.reading.letters import Letters
from dynamis.grading.reading.lines import Line, counts_from_zero, read_lines
from dynamis.grading.reading.names import RESERVED, Vocabulary, joined, vocabulary
from dynamis.grading.reading.pages import WHAT, is_document, is_own_page
from dynamis.grading.reading.parser import parse
from dynamis.grading.reading.source import AnswerError, Source
from dynamis.grading.reading.tokens import stem_and_number, tokenize
from dynamis.grading.reading.trees import Name, Number, Rows, Tree, walk
from dynamis.grading.values import Decimal

TOO_DEEP = "brackets, or lines that use each other, are nested too deeply; write it in more lines"
# Definitions beyond which the report names only the first and the last.
MAX_LISTED = 8


@dataclass(frozen=True)
class Answer:
    """The lines of an answer, those of --set first, with all that is known of its names."""

    source: Source
    lines: tuple[Line, ...]
    names: Vocabulary
    defined: tuple[str, ...]
    """Names that lines without `let` define."""
    unread: tuple[AnswerError, ...]
    """Statements that are none."""

    @cached_property
    def lets(self) -> dict[str, list[int]]:
        """Name without underscores -> the lines that define it."""
        lets: dict[str, list[int]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "let" and line.name:
                lets.setdefault(joined(line.name), []).append(k)
        return lets

    @cached_property
    def used_names(self) -> list[str]:
        """Every name in the order of the file."""
        return [node.text for line in self.lines if line.tree for node in walk(line.tree) if isinstance(node, Name)]

    @cached_property
    def condition_decimals(self) -> frozenset[Decimal]:
        """The decimals of `given` lines and of --set."""
        trees = [line.tree for line in self.lines if line.kind == "given" and line.tree is not None]
        numbers = [node.decimal for tree in trees for node in walk(tree) if isinstance(node, Number)]
        return frozenset(number for number in numbers if number is not None)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the quantities that a file can give entry by entry."""
        return shapes(self.names.robot.n)

    @cached_property
    def left_entries(self) -> dict[int, tuple[str, list[Index]]]:
        """Line -> the quantity and the entries that it gives; () is the whole matrix."""
        entries: dict[int, tuple[str, list[Index]]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "answer" and line.left is not None and line.left.kind in ANSWERABLE:
                name, index = line.left.key
                shape, parts = self.shapes.get(name, ()), (line.left.index or "").split(",")
                if ":" in "".join(parts):  # M(1,:) or M[1:2,1]
                    ranges = list(map(index_range, parts, shape)) if len(parts) == len(shape) else [None]
                    indices = list(product(*(numbers or () for numbers in ranges)))
                else:
                    indices = [index]
                entries |= {k: (name, indices)} if indices else {}
        return entries

    @cached_property
    def lines_of(self) -> dict[str, dict[Index, list[int]]]:
        """Quantity -> entry -> the lines that give it."""
        lines: dict[str, dict[Index, list[int]]] = {}
        for k, (name, indices) in self.left_entries.items():
            for index in indices:
                lines.setdefault(name, {}).setdefault(index, []).append(k)
        return lines

    def last_line(self, name: str, index: Index, here: int) -> int | None:
        """The line that gives an entry, alone or in its whole matrix: the last above `here`, else the last below."""
        places = self.lines_of.get(name, {})
        lines = {*places.get(index, ()), *places.get((), ())}
        above, below = ([k for k in lines if above == (k < here)] for above in (True, False))
        return max(above) if above else max((k for k in below if k != here), default=here if below else None)

    def notes(self) -> list[str]:
        """How the file was read: a teacher must see it."""
        notes: list[str] = []
        if is_own_page(self.source.original):
            notes.append(f"this is a page of dynamis derive: {WHAT} were read, not its steps, nor formulas it cuts")
        elif is_document(self.source.original):
            notes.append("only the displayed equations of this document were read")
        if self.names.from_zero:
            notes.append("indices in square brackets were counted from 0, as in Python")
        notes += [f"read as definitions: {_listed(list(dict.fromkeys(self.defined)))}"] if self.defined else []
        shadowed = [name for name in self.lets if name in self.names.robot.parameters]
        return [*notes, *(f"{name} is a parameter of the robot, redefined here" for name in shadowed)]


def read_answer(source: Source, ring: CommonRing, conditions: Mapping[str, str | float], letters: Letters) -> Answer:
    """The answer in a text; `conditions` are those of --set, parameter -> value; `letters` those of its notation."""
    robot = ring.equations.robot
    clean, statements, unread = read_lines(source, letters)
    names = vocabulary(robot, ring.coefficients, ring.equations.ring, letters)
    names = replace(names, from_zero=counts_from_zero(clean.text))
    words, own_page, defined = count_words(clean.text), is_own_page(source.text), list[str]()
    lines = [_condition(name, str(value)) for name, value in conditions.items()]
    for line in statements:
        ring.check_time()
        left = left_side(line.left_text, letters) if line.kind == "answer" else None
        line = replace(line, left=left)
        if left is not None and len(line.left_text) <= 60:
            if is_parameter(left, line.right_text, robot):
                # Not a line to pass over: the others mean something else with it.
                head = left.head
                raise line.error(f"{head} is a parameter of this robot; write given {head} = ... to give it a value")
            if is_definition(left, line.right_text, words, robot, own_page):
                defined.append(left.head)
                line = replace(line, kind="let", left=None)
        lines.append(_with_name(line))
    if all(line.kind != "answer" for line in lines):
        raise statements[0].error("all lines are definitions; write a line such as M[1,1] = ...")
    lines, names = _parsed(lines, names, ring)
    return Answer(clean, tuple(lines), names, tuple(defined), tuple(unread))


def _condition(name: str, value: str) -> Line:
    source = Source(f"{name} = {value}", "--set")
    return Line("given", source, name, 0, len(name) + 3, len(source.text), name=name.strip())


def _with_name(line: Line) -> Line:
    """With the name that a `let` or `given` line defines, LaTeX or plain."""
    if line.kind == "answer":
        return line
    end = line.left_start + len(line.left_text.rstrip("& \t\n"))
    try:
        tokens = tokenize(line.source, line.left_start, end, lambda name: True)
        if len(tokens) == 2 and tokens[0].text in RESERVED:
            raise line.error(f'"{tokens[0].text}" has a meaning of its own; choose another name')
        if len(tokens) != 2 or tokens[0].kind != "name":
            raise line.error("a let line gives a name to an expression, such as let L1 = l1")
    except AnswerError as error:
        if line.kind == "given":
            raise
        return replace(line, problem=error)
    return replace(line, name=tokens[0].text)


def _parsed(lines: Sequence[Line], names: Vocabulary, ring: CommonRing) -> tuple[list[Line], Vocabulary]:
    """With the trees of all lines. Definitions come first: what they name decides how others are cut into names."""
    parsed = dict(enumerate(lines))
    names = replace(names, lets=frozenset(joined(line.name) for line in lines if line.kind == "let" and line.name))
    for k in sorted(parsed, key=lambda k: parsed[k].kind != "let"):
        ring.check_time()
        line = parsed[k]
        if line.problem is None:
            parsed[k] = line = _with_tree(line, names)
        if line.kind == "let" and line.tree is not None:
            names = names.with_let(line.name, _symbol_of(line.tree, names), _may_be_matrix(line.tree, names))
    return [parsed[k] for k in range(len(lines))], names


def _with_tree(line: Line, names: Vocabulary) -> Line:
    try:
        return replace(line, tree=parse(line.source, names, line.start, line.end))
    except RecursionError:
        return replace(line, problem=line.error(TOO_DEEP))
    except AnswerError as error:
        if line.kind == "given":
            raise
        return replace(line, problem=error)


def _symbol_of(tree: Tree, names: Vocabulary) -> str | None:
    """The symbol of the ring that a tree is, if it is just one."""
    if not isinstance(tree, Name) or len(tree.index) > 1:
        return None
    return names.symbol(tree.text + "".join(map(str, tree.index)))


def _may_be_matrix(tree: Tree, names: Vocabulary) -> bool:
    return any(
        isinstance(node, Rows) or (isinstance(node, Name) and not node.index and not names.is_scalar(node.text))
        for node in walk(tree)
    )


def _listed(names: list[str]) -> str:
    """a1, a2; of many with one stem the first and the last: x1 to x224."""
    runs: list[list[str]] = []
    for name in names:
        stem, number = stem_and_number(name)
        if runs and number and runs[-1][-1] == f"{stem}{int(number) - 1}":
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > MAX_LISTED else ", ".join(run) for run in runs)
