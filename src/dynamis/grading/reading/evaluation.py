"""The values of an answer's lines in the common ring, each computed once, when it is asked for.

A name means what the last line above says, else a symbol of the robot, else what a line below says (`names` has the
whole order). `readings` are decimals that are taken for other numbers than they write: another way to read the
decimals is another `Evaluation` of the same trees.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NoReturn

from dynamis.errors import ArgumentError, ExpressionError, MemoryLimitError
from dynamis.grading.common_ring import CommonRing
from dynamis.grading.reading.answer import TOO_DEEP, Answer, Line
from dynamis.grading.reading.left_sides import KNOWN, Index, is_quantity, is_quantity_name, left_side
from dynamis.grading.reading.names import plain
from dynamis.grading.reading.parser import missing_sign, unknown_function
from dynamis.grading.reading.source import AnswerError
from dynamis.grading.reading.trees import Call, Name, Number, Power, Product, Rows, Sum, Transpose, Tree
from dynamis.grading.values import Arithmetic, Matrix, Operand, Value, Written, described, operand, rows_of
from dynamis.scalars.exact.ring import Exact

# Lines that wait for each other: longer chains would end in a RecursionError.
MAX_CHAIN = 40
Conditions = Mapping[str, Exact]
"""Parameter -> its value, by `given` lines and --set."""


class Evaluation:
    """The values of the lines of an answer."""

    def __init__(self, answer: Answer, ring: CommonRing, readings: Mapping[Written, Fraction] | None = None) -> None:
        self.answer, self.ring, self.readings = answer, ring, readings or {}
        self.arithmetic = Arithmetic(ring)
        self.values: dict[int, Operand] = {}
        self.cells: dict[int, list[Value]] = {}
        self.failed: dict[int, AnswerError] = {k: line.error for k, line in enumerate(answer.lines) if line.error}
        self.superseded: set[tuple[int, Index]] = set()
        """What a line below changes, M11 = M11 + ... or M11 += ..., and so is not an answer itself."""
        self.open: list[int] = []
        """The lines that are being computed; the last one is where names are looked up."""

    @property
    def here(self) -> Line:
        return self.answer.lines[self.open[-1]]

    def line(self, k: int) -> Operand:
        """The value of a line; a line that cannot be read raises, each time with the same complaint."""
        if k in self.values:
            return self.values[k]
        line = self.answer.lines[k]
        if k in self.failed:
            raise self.failed[k]
        if k in self.open:
            raise line.source.error(line.start, "this line is defined by itself")
        if len(self.open) >= MAX_CHAIN:
            raise line.source.error(line.start, f"more than {MAX_CHAIN} lines wait for each other")
        assert line.tree is not None
        waiting = list(self.open)
        self.open.append(k)
        try:
            self.values[k] = self.updated(line, self.value(line.tree))
        except RecursionError:
            if waiting:
                raise
            self.failed[k] = line.source.error(line.start, TOO_DEEP)
            raise self.failed[k] from None
        except AnswerError as error:
            other = line.source.error(line.start, f"it uses line {error.line}, which cannot be read")
            self.failed[k] = error if line.covers(error.line or 0) else other
            raise
        finally:
            self.open = waiting
        return self.values[k]

    def updated(self, line: Line, value: Operand) -> Operand:
        """What M11 += value makes of what the lines above give."""
        k, sign = self.open[-1], line.statement.sign
        if not sign:
            return value
        if line.kind == "let":
            before = self.let(plain(line.name), above=True)
        else:
            name, (index, *_) = self.answer.given.get(k, ("", [()]))
            above = self.answer.line_giving(name, index, k)
            before = self.given(name, index) if above is not None and above < k else None
        if before is None:
            left = line.statement.left[:40]
            problem = f"{left} {sign}= has nothing to change: no line above gives {left}; write {left} = ... first"
            raise line.source.error(line.start, problem)
        with self.at(line.statement.start):
            return self.operation(sign, before, value)

    def operation(self, sign: str, a: Operand, b: Operand) -> Operand:
        """+ - * / and, entry by entry, .* ./."""
        if sign in ("+", "-"):
            return self.arithmetic.plus(a, b, 1 if sign == "+" else -1)
        operation = self.arithmetic.quotient if sign in ("/", "./") else self.arithmetic.product
        return operation(a, b, sign.startswith("."))

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
        match tree:
            case Number(number, _, written):
                self.ring.check_time()
                if written is None or written in self.readings:
                    return Value(self.ring.ring.number(number if written is None else self.readings[written]))
                return Value(self.ring.ring.number(number), None, {written: self.ring.ring.number(1)})
            case Name():
                self.ring.check_time()
                return self.name(tree)
            case Call():
                return self.call(tree)
            case Sum():
                return self.sum(tree)
            case Product(first, rest):
                result = self.value(first)
                for sign, factor in rest:
                    other = self.value(factor)
                    with self.at(factor.start):
                        result = self.operation(sign, result, other)
                return result
            case Power(base, exponent, by_entry, start):
                whole = self.value(base)
                with self.at(start):
                    return self.arithmetic.power(whole, exponent, by_entry)
            case Transpose(inner, start):
                whole = self.value(inner)
                with self.at(start):
                    return self.arithmetic.transposed(whole)
            case Rows(rows):
                return operand([[self.scalar(cell) for cell in row] for row in rows])

    def sum(self, tree: Sum) -> Operand:
        """Beside matrices a name alone is the file's vector: the g of M*qdd + c + g is not the gravity acceleration."""
        total: Operand | None = None
        before: Tree | None = None
        for sign, term in tree.terms:
            value = self.value(term)
            if total is None:
                total, before = value, term
                total = self.arithmetic.plus(Value(self.ring.ring.zero), total, sign) if sign < 0 else total
                continue
            if isinstance(total, Matrix) != isinstance(value, Matrix):
                total, value = self.as_vector(total, before), self.as_vector(value, term)
            with self.at(tree.start):
                total, before = self.arithmetic.plus(total, value, sign), None
        assert total is not None
        return total

    def as_vector(self, value: Operand, tree: Tree | None) -> Operand:
        named = isinstance(value, Value) and isinstance(tree, Name) and not tree.index
        given = self.entry(tree.text, ()) if named and isinstance(tree, Name) else None
        return value if given is None else given

    def scalar(self, tree: Tree) -> Value:
        """A value where no matrix can stand."""
        value = self.value(tree)
        if isinstance(value, Matrix):
            problem = f"a scalar is expected here, and this is {described(value)}"
            raise self.here.source.error(tree.start, problem)
        return value

    def call(self, tree: Call) -> Value:
        argument = self.scalar(tree.argument)
        with self.at(tree.start):
            if argument.bottom is not None:
                raise ArgumentError(f"{tree.function} of a fraction of symbols does not occur in this robot")
            if tree.function == "sqrt":
                result = self.ring.sqrt(argument.top)
            elif tree.function in ("sign", "sgn"):
                result = self.ring.sign(argument.top)
            else:
                result = self.ring.cos_sin(argument.top)[tree.function == "sin"]
            return self.arithmetic.scalar_power(Value(result, curved=frozenset(argument.decimals)), tree.exponent)

    def name(self, tree: Name) -> Operand:
        if tree.index:
            return self.indexed(tree)
        known = self.entry(tree.text, ()) if tree.of_state else None
        known = self.meaning(tree.text) if known is None else known
        known = self.entry(tree.text, ()) if known is None else known
        if known is None:
            self.refuse(tree)
        return known

    def meaning(self, name: str) -> Operand | None:
        """What a name stands for, other than an entry that the file gives."""
        names, ring, bare = self.answer.names, self.ring.ring, plain(name)
        if (value := self.let(bare, above=True)) is not None:
            return value
        if (symbol := names.symbol(name)) is not None:
            return Value(ring.scalar(symbol))
        if joints := names.abbreviation(bare):
            angle = ring.zero
            for times, joint in joints:
                angle = angle + ring.scalar(joint).times(times)
            return Value(self.ring.cos_sin(angle)[bare[0] in "sS"])
        if (value := self.let(bare, above=False)) is not None:
            return value
        if bare in names.coefficients:
            given = self.entry(bare, ())
            return Value(ring.scalar(bare)) if given is None else given
        symbols = names.vector(name)
        return Matrix(tuple((Value(ring.scalar(symbol)),) for symbol in symbols)) if symbols else None

    def let(self, name: str, above: bool) -> Operand | None:
        """What the last `let` line above defines, or the first one below."""
        here, lines = self.open[-1], self.answer.lets.get(name, [])
        chosen = [k for k in lines if k < here][-1:] if above else [k for k in lines if k > here][:1]
        return self.line(chosen[0]) if chosen else None

    def indexed(self, tree: Name) -> Operand:
        """M(1,2) that the file gives; q(1), which is q1; an entry of a matrix that the file defines."""
        names, index = self.answer.names, tree.index
        if (value := self.entry(tree.text, index)) is not None:
            return value
        spelled = f"{plain(tree.text)}{index[0]}" if len(index) == 1 and not tree.text[-1].isdigit() else ""
        if spelled and (spelled in names.symbols or spelled in names.lets):
            value = self.meaning(spelled)
        else:
            whole = self.meaning(tree.text)
            if isinstance(whole, Value):
                raise self.here.source.error(tree.start, missing_sign(tree.text))
            if isinstance(whole, Matrix) and len(index) <= 2:
                rows, (i, j) = whole.rows if len(index) == 2 else [[cell] for cell in whole.cells], (*index, 1)[:2]
                value = rows[i - 1][j - 1] if 0 < i <= len(rows) and 0 < j <= len(rows[0]) else None
        if value is None:
            problem = f"{tree.text}[{','.join(map(str, index))}] is not given in this file"
            known = is_quantity_name(tree.text) or names.vector(tree.text)
            raise self.here.source.error(tree.start, problem if known else unknown_function(tree.text))
        return value

    def entry(self, name: str, index: Index) -> Operand | None:
        """An entry or a matrix that the file gives: M(1,2), M12, M."""
        left = left_side(f"{name}[{','.join(map(str, index))}]" if index else name)
        return self.given(*left.key) if left is not None and left.kind in KNOWN else None

    def given(self, name: str, index: Index) -> Operand | None:
        """What the file gives; None if it does not, or not all of a matrix."""
        answer, here = self.answer, self.open[-1]
        k, own = answer.line_giving(name, index, here), answer.given.get(here, ("", []))
        shape = answer.shapes.get(name, ())
        if not index and shape:
            entries = [k for at, lines in answer.places.get(name, {}).items() if at for k in lines]
            if k is None or any(k < entry < here for entry in entries):
                return self.assembled(name, shape)
        if k is None or (index and shape and len(index) != len(shape)):
            return None
        if k < here and own[0] == name and index in own[1]:
            self.superseded.add((k, index))
        value, (first, *_) = self.line(k), answer.given[k][1]
        if not index or isinstance(value, Value):
            return value if len(first) == len(index) else None
        rows = value.rows if len(index) == 2 else [[cell] for cell in value.cells]
        i, j = (a - b for a, b in zip((*index, 1)[:2], (*first, 1, 1), strict=False))
        return rows[i][j] if 0 <= i < len(rows) and 0 <= j < len(rows[0]) else None

    def assembled(self, name: str, shape: tuple[int, ...]) -> Operand | None:
        """A matrix of which the file gives all entries; of the symmetric M one of a pair is enough."""
        places = self.answer.places.get(name, {})
        values: list[Value] = []
        for index in product(*(range(1, count + 1) for count in shape)):
            mirror = name == "M" and index not in places and () not in places
            value = self.given(name, index[::-1] if mirror else index)
            if not isinstance(value, Value):
                return None
            values.append(value)
        columns = shape[1] if len(shape) == 2 else 1
        return operand([values[k : k + columns] for k in range(0, len(values), columns)])

    def refuse(self, tree: Name) -> NoReturn:
        """Complains about a name that stands for nothing, with what to write instead."""
        name, names, source = tree.text, self.answer.names, self.here.source
        if name[:3] in ("sin", "cos") and name[3:] and names.known(name[3:]):
            raise source.error(tree.start, f'unknown symbol "{name}"; write {name[:3]}({name[3:]})')
        left = left_side(name)
        if left is None or not is_quantity(name):
            raise source.unknown(tree.start, name, names.suggestions(name))
        key, index = left.key
        places, missing = self.answer.places.get(key, {}), name
        if not index and places:
            every = product(*(range(1, count + 1) for count in self.answer.shapes.get(key, ())))
            first = next((i for i in every if i not in places and not (key == "M" and i[::-1] in places)), ())
            missing = f"{name}[{','.join(map(str, first))}]" if first else name
        it = "it" if missing == name else missing
        problem = f"{name} is used here, and no line gives {it}; write it out, or add a line {missing} = ..."
        raise source.error(tree.start, problem)

    @cached_property
    def conditions_after(self) -> dict[int, Conditions]:
        """Line -> the conditions that hold below it, for the `given` lines and those of --set."""
        found: dict[int, Conditions] = {}
        fixed: dict[str, Exact] = {}
        for k, line in enumerate(self.answer.lines):
            if line.kind == "given" and line.tree is not None:
                self.open = [k]
                fixed = self.fixed(line, self.scalar(line.tree), fixed)
                found[k] = fixed
                self.open = []
        return found

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
            raise source.unknown(line.start, name, robot.parameters)
        if value.bottom is not None:
            raise source.error(line.start, f"{name} cannot be given as a fraction with a sum under it")
        if moving := sorted(x for x in value.top.symbols() if x.moves or x.is_trig or x in ring.coefficients):
            raise source.error(line.start, f"{name} must be given by numbers and parameters, not by {moving[0]}")
        with self.at(line.start):
            exact = ring.substitute(value.top, before)
            return {known: ring.substitute(x, {symbol: exact}) for known, x in before.items()} | {symbol: exact}

    def cell_values(self, k: int) -> list[Value]:
        """The entries of a line, row by row, under the conditions above it."""
        if k not in self.cells:
            fixed, line = self.conditions(k), self.answer.lines[k]
            cells = [cell for row in rows_of(self.line(k)) for cell in row]
            try:
                self.cells[k] = [cell.each(lambda x: self.ring.substitute(x, fixed)) for cell in cells]
            except (ArgumentError, MemoryLimitError) as error:
                raise line.source.error(line.start, error.message) from None
        return self.cells[k]
