"""The values of an answer's lines and names in the common ring, each computed once, when it is asked for.

A name means what the last line above says, else a symbol of the robot, else what a line below says (`names` has the
matrix order). `readings` are decimals that are taken for other numbers than they write: another way to read the
decimals is another `AnswerValues` of the same trees.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import product
from typing import NoReturn

from dynamis.apps.grading.common_ring import CommonRing
from dynamis.apps.grading.reading.answer import TOO_DEEP, Answer
from dynamis.apps.grading.reading.left_sides import ANSWERABLE, Index, is_quantity, is_quantity_name, left_side
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.names import strip_underscores
from dynamis.apps.grading.reading.parser import missing_sign, unknown_function
from dynamis.apps.grading.reading.source import AnswerError, UsedLineError
from dynamis.apps.grading.reading.tree_values import scalar_value, tree_value
from dynamis.apps.grading.reading.trees import BELOW, Name, Tree
from dynamis.apps.grading.values import (
    Decimal,
    Matrix,
    Operand,
    Value,
    item,
    operand,
    operate,
    reshape_operand,
    rows_of,
)
from dynamis.base.errors import ArgumentError, ExpressionError, MemoryLimitError
from dynamis.scalars.exact.ring import Exact

# Lines that wait for each other: longer chains would end in a RecursionError.
MAX_CHAIN = 40
Readings = Mapping[Decimal, Exact]
"""Decimal -> the number that it is read as, where that is not the number as written."""
Conditions = Mapping[str, Exact]
"""Parameter -> its value, by `given` lines and conditions."""


class AnswerValues:
    """The values of the lines of an answer."""

    def __init__(self, answer: Answer, ring: CommonRing, readings: Readings | None = None) -> None:
        self.answer, self.ring, self.readings = answer, ring, readings or {}
        self.values: dict[int, Operand] = {}
        self.cells: dict[int, list[Value]] = {}
        self.failed: dict[int, AnswerError] = {k: line.problem for k, line in enumerate(answer.lines) if line.problem}
        self.superseded: set[tuple[int, Index]] = set()
        """What a line below changes, M11 = M11 + ... or M11 += ..., and so is not an answer itself."""
        self.stack: list[int] = []
        """The lines that are being computed; the last one is where names are looked up."""

    @property
    def here(self) -> Line:
        return self.answer.lines[self.stack[-1]]

    def line(self, k: int) -> Operand:
        """The value of a line; a line that cannot be read raises, each time with the same complaint."""
        if k in self.values:
            return self.values[k]
        line = self.answer.lines[k]
        if k in self.failed:
            raise self.failed[k]
        if k in self.stack:
            hint = self.weight if line.left is not None and line.left.head == "g" else ""
            raise line.error(f"this line is defined by itself{hint and f'; {hint}'}")
        if len(self.stack) >= MAX_CHAIN:
            raise line.error(f"more than {MAX_CHAIN} lines wait for each other")
        assert line.tree is not None
        waiting = list(self.stack)
        self.stack.append(k)
        try:
            self.values[k] = self.updated(line, self.value(line.tree))
        except RecursionError:
            if waiting:
                raise
            self.failed[k] = line.error(TOO_DEEP)
            raise self.failed[k] from None
        except AnswerError as error:
            number, column, caret = line.source.place(line.left_start)
            problem = f"it uses line {error.line}, which cannot be read"
            other = UsedLineError(problem, caret, column).at(line.source.file, number)
            self.failed[k] = error if line.covers(error.line or 0) else other
            raise
        finally:
            self.stack = waiting
        return self.values[k]

    def updated(self, line: Line, value: Operand) -> Operand:
        """What M11 += value makes of what the lines above give."""
        k, sign = self.stack[-1], line.sign
        if not sign:
            return value
        if line.kind == "let":
            before = self.let(strip_underscores(line.name), above=True)
        else:
            name, (index, *_) = self.answer.left_entries.get(k, ("", [()]))
            above = self.answer.last_line(name, index, k)
            before = self.quantity(name, index) if above is not None and above < k else None
        if before is None:
            left = line.left_text[:40]
            problem = f"{left} {sign}= has nothing to change: no line above gives {left}; write {left} = ... first"
            raise line.error(problem)
        with self.at(line.start):
            return operate(self.answer.names.operation(sign), before, value)

    @contextmanager
    def at(self, start: int) -> Generator[None]:
        """Gives what goes wrong inside its place."""
        try:
            yield
        except (ArgumentError, ExpressionError, MemoryLimitError) as error:
            problem = error.message.split(": ", 1)[-1] if isinstance(error, ExpressionError) else error.message
            raise self.here.source.error(start, problem) from None

    def value(self, tree: Tree) -> Operand:
        """The value of a tree in the line that is being computed."""
        return tree_value(tree, self)

    def cell(self, tree: Tree, at: Index) -> Operand:
        """A cell of a matrix, or what a line below gives in its place."""
        below = self.answer.line_below(self.stack[-1], at) if isinstance(tree, Name) and tree.text == BELOW else None
        return self.value(tree) if below is None else self.line(below)

    def as_matrix(self, value: Operand, tree: Tree | None) -> Operand:
        """Before a vector of rates M is the file's matrix, also where the robot has a parameter M."""
        if not isinstance(tree, Name) or tree.index or self.answer.names.symbol(tree.text) is None:
            return value
        left = left_side(tree.text, self.answer.names.letters)
        here = self.answer.left_entries.get(self.stack[-1], ("", []))[0]
        is_matrix = left is not None and left.key in (("M", ()), ("C", ())) and left.kind != here
        matrix = self.quantity(left.kind, ()) if left is not None and is_matrix else None
        return matrix if isinstance(matrix, Matrix) else value

    def as_vector(self, value: Operand, tree: Tree | None) -> Operand:
        if isinstance(value, Matrix) or not isinstance(tree, Name) or tree.index:
            return value
        vector = self.entry(tree.text, ())
        return value if vector is None else vector

    def name(self, tree: Name) -> Operand:
        if tree.index:
            return self.indexed(tree)
        value = self.entry(tree.text, ()) if tree.of_state else None
        value = self.meaning(tree.text) if value is None else value
        value = self.entry(tree.text, ()) if value is None else value
        if value is None:
            self.refuse(tree)
        return value

    def meaning(self, name: str) -> Operand | None:
        """What a name stands for, other than an entry that the file gives."""
        names, ring, bare = self.answer.names, self.ring.ring, strip_underscores(name)
        if (value := self.let(bare, above=True)) is not None:
            return value
        if (symbol := names.symbol(name)) is not None:
            return Value(self.ring.scalar(symbol))
        if bare[:1] == "C" and isinstance(value := self.entry(bare, ()), Value):
            return value  # C1 that the file gives is not the cosine
        if joints := names.abbreviation(bare):
            angle = ring.zero
            for times, joint in joints:
                angle = angle + self.ring.scalar(joint).times(times)
            return Value(self.ring.cos_sin(angle)[names.is_sine(bare)])
        if (value := self.let(bare, above=False)) is not None:
            return value
        if bare in names.coefficients:
            entry = self.entry(bare, ())
            return Value(ring.scalar(bare)) if entry is None else entry
        symbols = names.vector(name)
        return Matrix(tuple((Value(ring.scalar(symbol)),) for symbol in symbols)) if symbols else None

    def let(self, name: str, above: bool) -> Operand | None:
        """What the last `let` line above defines, or the first one below."""
        here, lines = self.stack[-1], self.answer.lets.get(name, [])
        nearest = [k for k in lines if k < here][-1:] if above else [k for k in lines if k > here][:1]
        return self.line(nearest[0]) if nearest else None

    def indexed(self, tree: Name) -> Operand:
        """M(1,2) that the file gives; q(1), which is q1; an entry of a matrix that the file defines."""
        names, index = self.answer.names, self.answer.counted(tree)
        if (value := self.entry(tree.text, index)) is not None:
            return value
        spelled = f"{strip_underscores(tree.text)}{index[0]}" if len(index) == 1 and not tree.text[-1].isdigit() else ""
        own = self.let(strip_underscores(tree.text), above=True)
        if isinstance(own, Matrix):  # theta = [q2; q1], whatever theta1 is elsewhere
            value = item(own, index, by_columns=not names.from_zero)
        elif spelled and (spelled in names.symbols or spelled in names.lets):
            value = self.meaning(spelled)
        else:
            matrix = self.meaning(tree.text)
            matrix = self.entry(tree.text, ()) if matrix is None else matrix
            if isinstance(matrix, Value):
                raise self.here.source.error(tree.start, missing_sign(tree.text))
            value = None if matrix is None else item(matrix, index, by_columns=not names.from_zero)
        if value is None:
            problem = f"{tree.text}[{','.join(map(str, index))}] is not given in this file"
            is_array = is_quantity_name(tree.text, names.letters) or names.vector(tree.text)
            raise self.here.source.error(tree.start, problem if is_array else unknown_function(tree.text))
        return value

    def entry(self, name: str, index: Index) -> Operand | None:
        """An entry or a matrix that the file gives: M(1,2), M12, M."""
        left = left_side(f"{name}[{','.join(map(str, index))}]" if index else name, self.answer.names.letters)
        if left is None or left.kind not in ANSWERABLE:
            return None
        quantity, place = left.key
        return self.quantity("c" if quantity == "C" and self.answer.has_vector_C else quantity, place)

    def quantity(self, name: str, index: Index) -> Operand | None:
        """What the file gives; None if it does not, or not all of a matrix."""
        answer, here = self.answer, self.stack[-1]
        k, this = answer.last_line(name, index, here), answer.left_entries.get(here, ("", []))
        shape = answer.shapes.get(name, ())
        if not index and shape:
            entries = [k for at, lines in answer.lines_of.get(name, {}).items() if at for k in lines]
            if k is None or any(k < entry < here for entry in entries):
                return self.assembled(name, shape)
        if k is None or (index and shape and not _is_inside(index, shape)):
            return None
        if k < here and this[0] == name and index in this[1]:
            self.superseded.add((k, index))
        value, indices = self.line(k), answer.left_entries[k][1]
        if not index or isinstance(value, Value):
            return value if len(indices[0]) == len(index) else None
        if indices != [()]:  # M(1,:) = [a b]
            return item(reshape_operand(value, (-1,)), (indices.index(index) + 1,))
        return item(reshape_operand(value, (-1,)) if len(index) == 1 else value, index)

    def assembled(self, name: str, shape: tuple[int, ...]) -> Operand | None:
        """A matrix of which the file gives all entries; of the symmetric M one of a pair is enough."""
        places = self.answer.lines_of.get(name, {})
        values: list[Value] = []
        for index in product(*(range(1, count + 1) for count in shape)):
            mirror = name == "M" and index not in places and () not in places
            value = self.quantity(name, index[::-1] if mirror else index)
            if not isinstance(value, Value):
                return None
            values.append(value)
        columns = shape[1] if len(shape) == 2 else 1
        return operand([values[k : k + columns] for k in range(0, len(values), columns)], self.axes(places.get((), ())))

    def axes(self, lines: Sequence[int]) -> int | None:
        """Those of the array that a line above makes room for: g = np.zeros(2)."""
        room = [self.line(k) for k in lines if k < self.stack[-1] and k not in self.failed]
        return room[-1].axes if room and isinstance(room[-1], Matrix) else None

    @cached_property
    def weight(self) -> str:
        """What to write for g where the gravity of the robot is a number; nothing where it is a symbol."""
        sizes = [x for x in map(str, self.ring.equations.robot.gravity) if x != "0"]
        if len(sizes) != 1 or any(x.parameters() for x in self.ring.equations.robot.gravity):
            return ""
        size = sizes[0].lstrip("-")
        return f"the gravity of this robot is a number: write {size}, or a line let g = {size} above"

    def refuse(self, tree: Name) -> NoReturn:
        """Complains about a name that stands for nothing, with what to write instead."""
        name, names, source = tree.text, self.answer.names, self.here.source
        if name[:3] in ("sin", "cos") and name[3:] and names.is_known(name[3:]):
            raise source.error(tree.start, f'unknown symbol "{name}"; write {name[:3]}({name[3:]})')
        left = left_side(name, names.letters)
        if left is not None and left.kind == "w" and left.digits:
            raise source.error(tree.start, f"{name} is an angular velocity, a vector; write rates such as dq1 + dq2")
        if name in ("g", "g0", "grav", "gravity") and self.weight:
            raise source.error(tree.start, f'unknown symbol "{name}"; {self.weight}')
        if left is None or not is_quantity(name) or 0 in left.key[1]:
            raise source.unknown(tree.start, name, names.suggestions(name))
        key, index = left.key
        places, missing = self.answer.lines_of.get(key, {}), name
        if not index and places:
            every = product(*(range(1, count + 1) for count in self.answer.shapes.get(key, ())))
            first = next((i for i in every if i not in places and not (key == "M" and i[::-1] in places)), ())
            missing = f"{name}[{','.join(map(str, first))}]" if first else name
        it = "it" if missing == name else missing
        problem = f"{name} is used here, and no line gives {it}; write it out, or add a line {missing} = ..."
        raise source.error(tree.start, problem)

    @cached_property
    def conditions_after(self) -> dict[int, Conditions]:
        """Line -> the conditions that hold below it, for the `given` lines and the conditions."""
        after: dict[int, Conditions] = {}
        fixed: dict[str, Exact] = {}
        for k, line in enumerate(self.answer.lines):
            if line.kind == "given" and line.tree is not None:
                self.stack = [k]
                fixed = self.fixed(line, scalar_value(line.tree, self), fixed)
                after[k] = fixed
                self.stack = []
        return after

    def conditions(self, k: int) -> Conditions:
        """The conditions on the parameters in a line."""
        above = [j for j in self.conditions_after if j < k]
        return self.conditions_after[above[-1]] if above else {}

    def fixed(self, line: Line, value: Value, before: Conditions) -> dict[str, Exact]:
        """The conditions after `given name = value`."""
        ring, source, name = self.ring, line.source, line.name
        robot = ring.equations.robot
        symbol = self.answer.names.symbol(name)
        if symbol is None or symbol not in robot.parameters:
            raise source.unknown(line.left_start, name, robot.parameters)
        if value.bottom is not None:
            raise line.error(f"{name} cannot be given as a fraction with a sum under it")
        if moving := sorted(x for x in value.top.symbols() if x.moves or x.is_trig or x in ring.coefficients):
            raise line.error(f"{name} must be given by numbers and parameters, not by {moving[0]}")
        with self.at(line.left_start):
            exact = ring.substitute(value.top, before)
            return {parameter: ring.substitute(x, {symbol: exact}) for parameter, x in before.items()} | {symbol: exact}

    def cell_values(self, k: int) -> list[Value]:
        """The entries of a line, row by row, under the conditions above it."""
        if k not in self.cells:
            fixed, line = self.conditions(k), self.answer.lines[k]
            cells = [cell for row in rows_of(self.line(k)) for cell in row]
            try:
                self.cells[k] = [cell.each(lambda x: self.ring.substitute(x, fixed)) for cell in cells]
            except (ArgumentError, MemoryLimitError) as error:
                raise line.error(error.message) from None
        return self.cells[k]


def _is_inside(index: Index, shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape has an entry there: g0 is not an entry of g, but a name."""
    return len(index) == len(shape) and all(1 <= i <= most for i, most in zip(index, shape, strict=True))
