"""An answer file read: its lines, each with what it defines or is about, and the tree of its right side.

`read_answer` computes nothing: every formula is parsed once, and `AnswerValues` gives the trees values as often as
decimals are read in another way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from dynamis.apps.grading.common_ring import CommonRing
from dynamis.apps.grading.reading import programs
from dynamis.apps.grading.reading.functions import function_names
from dynamis.apps.grading.reading.left_sides import (
    ANSWERABLE,
    JOINT_QUANTITIES,
    Index,
    LeftSide,
    count_words,
    index_range,
    is_matrix,
    is_quantity_name,
    left_side,
    shapes,
)
from dynamis.apps.grading.reading.letters import Letters
from dynamis.apps.grading.reading.lines import INDEX, Line, is_python_file, read_lines
from dynamis.apps.grading.reading.names import RESERVED, Vocabulary, strip_underscores, vocabulary
from dynamis.apps.grading.reading.own_angles import with_own_angles
from dynamis.apps.grading.reading.pages import WHAT, is_document, is_own_page
from dynamis.apps.grading.reading.parser import parse
from dynamis.apps.grading.reading.roles import Roles
from dynamis.apps.grading.reading.source import AnswerError, Source, lines_text
from dynamis.apps.grading.reading.tokens import MAX_NAME, stem_and_number, tokenize
from dynamis.apps.grading.reading.trees import Name, Number, Rows, Tree, walk
from dynamis.apps.grading.values import Decimal
from dynamis.base.faces import option

TOO_DEEP = "brackets, or lines that use each other, are nested too deeply; write it in more lines"
ONLY_DEFINITIONS = "all lines are definitions; write a line such as M[1,1] = ..."
_DOUBTFUL = [(kind, ()) for kind in JOINT_QUANTITIES]
"""What G, V, u, ... may be: a definition if it is a scalar, the quantity if it is a matrix."""
# Definitions beyond which the report names only the first and the last.
MAX_LISTED = 8


@dataclass(frozen=True)
class Answer:
    """The lines of an answer, those of conditions first, with all that is known of its names."""

    source: Source
    lines: tuple[Line, ...]
    names: Vocabulary
    defined: tuple[str, ...]
    """Names that lines without `let` define."""
    unread: tuple[AnswerError, ...]
    """Statements that are none."""
    numbers: tuple[str, ...] = ()
    """Symbols of the robot that lines give numbers, which are not used."""
    unused: tuple[str, ...] = ()
    """Names that are neither part of the model nor used in another line."""
    words: Sequence[int] = ()
    """The numbers of the lines that have words and no formula."""
    blocks: Sequence[str] = ()
    """What is to be said of lines in branches, loops and functions."""

    @cached_property
    def lets(self) -> dict[str, list[int]]:
        """Name without underscores -> the lines that define it."""
        lets: dict[str, list[int]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "let" and line.name:
                lets.setdefault(strip_underscores(line.name), []).append(k)
        return lets

    @cached_property
    def used_names(self) -> list[str]:
        """Every name in the order of the file."""
        return [node.text for line in self.lines if line.tree for node in walk(line.tree) if isinstance(node, Name)]

    @cached_property
    def condition_decimals(self) -> frozenset[Decimal]:
        """The decimals of `given` lines and of conditions."""
        trees = [line.tree for line in self.lines if line.kind == "given" and line.tree is not None]
        numbers = [node.decimal for tree in trees for node in walk(tree) if isinstance(node, Number)]
        return frozenset(number for number in numbers if number is not None)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the quantities that a file can give entry by entry."""
        return shapes(self.names.robot.n)

    @cached_property
    def has_vector_C(self) -> bool:
        """Whether C(1) = ... gives an entry of a vector C, which is c."""
        return any(line.left is not None and line.left.word == "C" and line.left.kind == "c" for line in self.lines)

    @cached_property
    def left_entries(self) -> dict[int, tuple[str, list[Index]]]:
        """Line -> the quantity and the entries that it gives; () is the whole matrix."""
        entries: dict[int, tuple[str, list[Index]]] = {}
        for k, line in enumerate(self.lines):
            if line.kind == "answer" and line.left is not None and line.left.kind in ANSWERABLE:
                name, index = line.left.key
                name = "c" if name == "C" and self.has_vector_C else name
                shape, parts = self.shapes.get(name, ()), (line.left.index or "").split(",")
                if ":" in "".join(parts):  # M(1,:) or M[1:2,1]
                    ranges = list(map(index_range, parts, shape)) if len(parts) == len(shape) else [None]
                    indices = list(product(*(numbers or () for numbers in ranges)))
                else:
                    indices = [index[:-1] if len(index) == len(shape) + 1 and index[-1:] == (1,) else index]  # g(2,1)
                entries |= {k: (name, indices)} if indices else {k: (name, [()])} if line.problem else {}
        return entries

    @cached_property
    def lines_of(self) -> dict[str, dict[Index, list[int]]]:
        """Quantity -> entry -> the lines that give it."""
        lines: dict[str, dict[Index, list[int]]] = {}
        for k, (name, indices) in self.left_entries.items():
            for index in indices:
                lines.setdefault(name, {}).setdefault(index, []).append(k)
        return lines

    def counted(self, tree: Name) -> Index:
        """The index of a name with q[-1] counted from the front, where the size is known."""
        left = left_side(tree.text, self.names.letters)
        kind = left.kind if left is not None and left.kind in self.shapes else ""
        sizes = self.shapes[kind] if kind and not self.names.vector(tree.text) else (self.names.robot.n,)
        if min(tree.index) >= 0 or len(sizes) != len(tree.index) or strip_underscores(tree.text) in self.lets:
            return tree.index
        return tuple(i if i >= 0 else size + 1 + i for i, size in zip(tree.index, sizes, strict=True))

    def last_line(self, name: str, index: Index, here: int) -> int | None:
        """The line that gives an entry, alone or in its whole matrix: the last above `here`, else the last below."""
        places = self.lines_of.get(name, {})
        lines = {*places.get(index, ()), *places.get((), ())}
        above, below = ([k for k in lines if above == (k < here)] for above in (True, False))
        return max(above) if above else max((k for k in below if k != here), default=here if below else None)

    def line_below(self, here: int, at: Index) -> int | None:
        """The next line that gives an entry of the matrix of a line; of a symmetric one it may be the mirrored one."""
        name = self.left_entries[here][0]
        joint = re.fullmatch(r"C(\d)", name)  # the entries of C_k are the Christoffel symbols c_ijk
        entries = self.lines_of.get("c" if joint else name, {})
        places = [(*place, int(joint[1])) if joint else place for place in (at, at[::-1])]
        return next((k for place in places for k in sorted(entries.get(place, ())) if k > here), None)

    def notes(self, compared: Collection[str]) -> list[str]:
        """How the file was read: a teacher must see it; `compared` are the definitions that have a verdict."""
        notes: list[str] = []
        if is_own_page(self.source.original):
            notes.append(f"this is a page of dynamis derive: {WHAT} were read, not its steps, nor formulas it cuts")
        elif is_document(self.source.original):
            notes.append("only the displayed equations of this document were read")
        if self.names.from_zero:
            notes.append("indices in square brackets were counted from 0, as in Python")
        elif is_python_file(self.source) and INDEX.search(self.source.text):
            notes.append("indices in square brackets were counted from 1; in Python they count from 0")
        if is_python_file(self.source) and "^" in self.source.text:
            notes.append("^ was read as a power; in Python a power is **, and ^ is another operation")
        defined = [name for name in dict.fromkeys(self.defined) if name not in compared]
        notes += [f"read as definitions: {_list_names(defined)}"] if defined else []
        if self.unused:
            notes.append(f"not part of the model, and not used: {_list_names(list(dict.fromkeys(self.unused)))}")
        if self.numbers:
            names = _list_names(list(dict.fromkeys(self.numbers)))
            notes.append(f"compared in symbols: the numbers given to {names} were not used")
        for name, function in self.names.functions.renamed.items():
            line = self.source.place(self.names.functions.places[name])[0]
            notes.append(f"{name} was read as {function} from line {line} on, where it gets that meaning")
        notes += self.blocks
        if self.words:
            notes.append(f"no formula in {lines_text(self.words)}")
        shadowed = [name for name in self.lets if name in self.names.robot.parameters]
        return [*notes, *(f"{name} is a parameter of the robot, redefined here" for name in shadowed)]


def read_answer(source: Source, ring: CommonRing, conditions: Mapping[str, str | float], letters: Letters) -> Answer:
    """The answer in a text; `conditions` are parameters with values; `letters` those of its notation."""
    robot = ring.equations.robot
    text = read_lines(source, letters, robot.n)
    names = vocabulary(robot, ring.coefficients, ring.equations.ring, letters)
    by_entry, functions = programs.is_numpy(text.clean.text), function_names(text.clean)
    names = replace(names, from_zero=text.from_zero, by_entry=by_entry, functions=functions)
    names = replace(names, primes=programs.primes(text.clean.text, source.file))
    lefts = (left_side(line.left_text, letters) for line in text.lines if len(line.left_text) <= 60)
    has_M = any(left is not None and left.word == left.kind == "M" for left in lefts)
    roles = Roles(names, count_words(text.clean.text), is_own_page(source.text), has_M)
    defined, numbers, unread, answered = list[str](), list[str](), list(text.unread), set[str]()
    formulas = dict[str, str]()
    lines = [_condition(name, str(value)) for name, value in conditions.items()]
    for line in text.lines:
        ring.check_time()
        try:
            line, role = _with_role(line, roles, formulas)
        except AnswerError as error:
            unread.append(error)
            continue
        if role == "handed" and line.kind == "handed" and line.left_text in (*answered, *defined):
            role = "answer" if line.left_text in answered else "let"
            problem = line.error(f"{line.left_text} comes from elsewhere here, and has a formula above")
            line = replace(line, left=left_side(line.left_text, names.letters), problem=problem)
        elif line.left is not None and line.left.kind in ANSWERABLE and _is_changed(line, role, answered):
            role = "answer"
        if role == "answer" and line.left is not None and line.left.index is None:
            answered.add(line.left.head)
        if role == "number":
            numbers.append(line.left_text)
        if role not in ("number", "handed"):
            if line.left is not None and roles.is_formula(line.right_text, formulas):
                formulas[line.left.head] = line.right_text.strip("; \t\n")[:MAX_NAME]
            defined += [line.left.head] if line.left is not None and role == "let" else []
            lines.append(_with_name(replace(line, kind=role)))
    if all(line.kind != "answer" and line.left is None for line in lines):
        raise unread[0] if unread else text.lines[0].error(ONLY_DEFINITIONS)
    lines, unused = _without_unused(list(with_own_angles(lines, names)))
    lines, names = _parse_lines(lines, names, ring)
    unread_and_unused = tuple(unread), tuple(numbers), tuple(unused)
    return Answer(text.clean, tuple(lines), names, tuple(defined), *unread_and_unused, text.words, text.notes)


def _with_role(line: Line, roles: Roles, formulas: Mapping[str, str]) -> tuple[Line, str]:
    """A line with its left side and its role; a name declared as another, or taken from a vector, is that."""
    names = roles.names
    if line.kind == "handed":
        called = line.right_text.strip("; \t\n\\")
        if line.place and strip_underscores(called) in formulas:
            return replace(line, tree=Name(called, line.start, (line.place,))), "let"
        own, taken = names.symbol(line.left_text), names.symbol(f"{called}{line.place}")
        if line.place and own is not None and taken not in (None, own):
            problem = line.error(f"{line.left_text} is entry {line.place} of {called} here; give it a name of its own")
            return replace(line, left=left_side(line.left_text, names.letters), problem=problem), "let"
        if names.symbol(line.left_text) is not None or not names.is_known(called):
            if line.place and not names.is_known(line.left_text) and is_quantity_name(line.left_text, names.letters):
                raise line.error(
                    f"{line.left_text} comes from elsewhere here; write {line.left_text} = ... with its formula"
                )
            return line, "handed"
        if line.place:
            return replace(line, tree=Name(called, line.start, (line.place,))), "let"
        return line, "let"
    if line.kind != "answer":
        return line, line.kind
    left = left_side(line.left_text, names.letters)
    if left is not None and names.from_zero and is_matrix(line.right_text):
        left = _as_row(left, names.robot.n)
    if left is not None and roles.is_beside_M(left):  # B(1,1) of friction
        entry = left.digits or "".join(re.findall(r"\d", left.index or ""))
        return replace(line, name=f"{left.word}{entry}"), "let"
    line = replace(line, left=left)
    if line.problem is not None:
        return line, "answer"
    return line, roles.role(line, left, formulas) if left is not None and len(line.left_text) <= 60 else "answer"


def _as_row(left: LeftSide, n: int) -> LeftSide:
    """Python's M[0] = [a, b], which is a row of M."""
    kind = "C" if left.word == "C" else left.kind
    is_row = len(shapes(n).get(kind, ())) == 2 and (left.index or "").isdecimal()
    return replace(left, kind=kind, index=f"{left.index},:") if is_row else left


def _is_changed(line: Line, role: str, answered: Collection[str]) -> bool:
    """Whether a line that looks like a definition gives an answer above another value: G = -G, G *= 2."""
    head = line.left.head if line.left is not None else ""
    return head in answered and (role == "let" or (role != "answer" and head in count_words(line.right_text)))


def _without_unused(lines: Sequence[Line]) -> tuple[list[Line], list[str]]:
    """Names that are neither part of the model nor used, as definitions, where the file has answers besides."""
    foreign = [
        k
        for k, line in enumerate(lines)
        if line.kind == "answer" and line.left is not None and line.left.index is None and line.left.head
        and line.left.kind not in ANSWERABLE
    ]  # fmt: skip
    if len(foreign) == sum(line.kind == "answer" for line in lines):
        return list(lines), []
    changed = {k: _with_name(replace(lines[k], kind="let", left=None)) for k in foreign}
    unused = [lines[k].left_text for k in foreign if lines[k].problem is None]
    return [changed.get(k, line) for k, line in enumerate(lines)], unused


def _condition(name: str, value: str) -> Line:
    source = Source(f"{name} = {value}", option("conditions", name))
    return Line("given", source, name, 0, len(name) + 3, len(source.text), name=name.strip())


def _with_name(line: Line) -> Line:
    """With the name that a `let` or `given` line defines, LaTeX or plain."""
    if line.kind == "answer" or (line.kind == "let" and line.name):
        return line
    if line.kind == "given" and line.left is not None:
        return replace(line, name=line.left_text)
    left = line.left if line.left is not None and line.left.key in _DOUBTFUL else None
    of_state = line.left is not None and line.left.index is None and "(" in line.left_text  # S(q, dq)
    text = line.left_text.partition("(")[0] if of_state else line.left_text
    end = line.left_start + len(text.rstrip("& \t\n"))
    try:
        tokens = tokenize(line.source, line.left_start, end, lambda name: True)
        if len(tokens) == 2 and tokens[0].text in RESERVED:
            raise line.error(f'"{tokens[0].text}" has a meaning of its own; choose another name')
        if len(tokens) != 2 or tokens[0].kind != "name":
            raise line.error("a let line gives a name to an expression, such as let L1 = l1")
    except AnswerError as error:
        if line.kind == "given":
            raise
        return replace(line, problem=error, left=left)
    return replace(line, name=tokens[0].text, left=left)


def _parse_lines(lines: Sequence[Line], names: Vocabulary, ring: CommonRing) -> tuple[list[Line], Vocabulary]:
    """With the trees of all lines. Definitions come first: what they name decides how others are cut into names."""
    parsed = dict(enumerate(lines))
    names = replace(
        names, lets=frozenset(strip_underscores(line.name) for line in lines if line.kind == "let" and line.name)
    )
    for k in sorted(parsed, key=lambda k: parsed[k].kind != "let"):
        ring.check_time()
        line = parsed[k]
        if line.problem is None and line.tree is None:
            parsed[k] = line = _with_tree(line, names)
        if line.kind == "let" and line.tree is not None:
            names = names.with_let(line.name, _symbol_of(line.tree, names), _may_be_matrix(line.tree, names))
    return [parsed[k] for k in range(len(lines))], names


def _with_tree(line: Line, names: Vocabulary) -> Line:
    try:
        names.functions.check(line.source, line.start, line.end)
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
    if min(tree.index, default=0) < 0:
        return None
    return names.symbol(tree.text + "".join(map(str, tree.index)))


def _may_be_matrix(tree: Tree, names: Vocabulary) -> bool:
    return any(
        isinstance(node, Rows) or (isinstance(node, Name) and not node.index and not names.is_scalar(node.text))
        for node in walk(tree)
    )


def _list_names(names: list[str]) -> str:
    """a1, a2; of many with one stem the first and the last: x1 to x224."""
    runs: list[list[str]] = []
    for name in names:
        stem, number = stem_and_number(name)
        if runs and number and runs[-1][-1] == f"{stem}{int(number) - 1}":
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > MAX_LISTED else ", ".join(run) for run in runs)
