"""The value of a tree: what its numbers, operators and functions make of the values of its names."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from dynamis.apps.grading.common_ring import TIME, CommonRing, product, quotient
from dynamis.apps.grading.derivatives import differentiate_operand, variables
from dynamis.apps.grading.reading.trees import Call, Chain, Derivative, Item, Name, Number, Reshaped, Rows, Tree
from dynamis.apps.grading.values import (
    MAX_CELLS,
    Matrix,
    Operand,
    Value,
    describe_operand,
    diagonal,
    item,
    operand,
    operand_power,
    operate,
    reshape_operand,
    rows_of,
    transpose_operand,
)  # fmt: skip
from dynamis.base.errors import ArgumentError

if TYPE_CHECKING:
    from dynamis.apps.grading.reading.answer_values import AnswerValues


def tree_value(tree: Tree, values: AnswerValues) -> Operand:
    """The value of a tree in the line that is being computed."""
    match tree:
        case Number(number, _, decimal):
            values.ring.check_time()
            if decimal is not None and decimal in values.readings:
                return Value(values.readings[decimal])
            slopes = {} if decimal is None else {decimal: values.ring.ring.one}
            return Value(values.ring.ring.number(number), None, slopes)
        case Name():
            values.ring.check_time()
            return values.name(tree)
        case Call("-", inner):
            return -tree_value(inner, values)
        case Call("^" | ".^" | "'" as function, inner, start, exponent):
            value = tree_value(inner, values)
            with values.at(start):
                return transpose_operand(value) if function == "'" else _power(value, exponent, function, values)
        case Call("diag", inner, start):
            value = tree_value(inner, values)
            with values.at(start):
                return diagonal(value)
        case Call():
            return _call(tree, values)
        case Chain():
            return _chain(tree, values)
        case Rows(rows, _, axes):
            return _blocks(rows, axes, values)
        case Item(argument, index, start):
            whole = tree_value(argument, values)
            entry = item(whole, index, by_columns=not values.answer.names.from_zero)
            if entry is None:
                place = f"no entry [{','.join(map(str, index))}]" if index else "more than one entry"
                raise values.here.source.error(start, f"{describe_operand(whole)} has {place}")
            return entry
        case Reshaped(argument, shape, start):
            whole = tree_value(argument, values)
            with values.at(start):
                return reshape_operand(whole, shape)
        case Derivative(function, argument, by, start):
            value = tree_value(argument, values)
            with values.at(start):
                lists = [[TIME] if _is_time(part, values) else variables(tree_value(part, values)) for part in by]
                return differentiate_operand(function, value, lists, values.ring)


def _power(base: Operand, exponent: int, sign: str, values: AnswerValues) -> Operand:
    """Of a matrix entry by entry, where it is written so, and in NumPy."""
    return operand_power(base, exponent, sign == ".^" or values.answer.names.by_entry)


def _is_time(tree: Tree, values: AnswerValues) -> bool:
    return isinstance(tree, Name) and tree.text == TIME and values.answer.names.symbol(TIME) is None


def _blocks(rows: tuple[tuple[Tree, ...], ...], axes: int | None, values: AnswerValues) -> Operand:
    """A matrix written out; an entry may be a vector or a matrix, as in [q; dq]. A list of vectors has them as rows."""
    cells = [[values.cell(tree, (i, j)) for j, tree in enumerate(row, 1)] for i, row in enumerate(rows, 1)]
    if axes == 1 and any(isinstance(row[0], Matrix) and row[0].shape[1] == 1 for row in cells):
        cells, axes = [[Matrix((tuple(cell for line in rows_of(row[0]) for cell in line),))] for row in cells], 2
    lines: list[list[Value]] = []
    for row, trees in zip(cells, rows, strict=True):
        parts = list(map(rows_of, row))
        for part, value, tree in zip(parts, row, trees, strict=True):
            if len(part) != len(parts[0]):
                problem = f"{describe_operand(value)} does not fit beside {describe_operand(row[0])}"
                raise values.here.source.error(tree.start, problem)
        lines += [[cell for block in line for cell in block] for line in zip(*parts, strict=True)]
    if any(len(line) != len(lines[0]) for line in lines) or sum(map(len, lines)) > MAX_CELLS:
        raise values.here.source.error(rows[0][0].start, "the rows of this matrix differ in length")
    return operand(lines, axes)


def _chain(tree: Chain, values: AnswerValues) -> Operand:
    """Beside matrices a name alone is the file's vector: the g of M*qdd + c + g is not the gravity acceleration."""
    total = tree_value(tree.first, values)
    before: Tree | None = tree.first
    for sign, part in tree.rest:
        value, is_sum = tree_value(part, values), sign in ("+", "-")
        if is_sum and isinstance(total, Matrix) != isinstance(value, Matrix):
            total, value = values.as_vector(total, before), values.as_vector(value, part)
        elif isinstance(total, Value) and isinstance(value, Matrix) and _has_rates(value):
            total = values.as_matrix(total, before)
        with values.at(tree.start if is_sum else part.start):
            total, before = operate(values.answer.names.operation(sign), total, value), None
    return total


def scalar_value(tree: Tree, values: AnswerValues) -> Value:
    """A value where no matrix can stand."""
    value = tree_value(tree, values)
    if isinstance(value, Matrix):
        problem = f"a scalar is expected here, and this is {describe_operand(value)}"
        raise values.here.source.error(tree.start, problem)
    return value


def _call(tree: Call, values: AnswerValues) -> Value:
    argument = scalar_value(tree.argument, values)
    with values.at(tree.start):
        if argument.bottom is not None:
            raise ArgumentError(f"{tree.function} of a fraction of symbols does not occur in this robot")
        if tree.function == "sqrt":
            result = _root(argument, values.ring)
        elif tree.function in ("sign", "sgn"):
            result = Value(values.ring.sign(argument.top))
        else:
            result = _cosine_or_sine(argument, tree.function == "sin", values.ring)
        return result**tree.exponent


def _root(square: Value, ring: CommonRing) -> Value:
    """With the slopes of its decimals: d sqrt(x)/de = 1/(2 sqrt(x)) dx/de."""
    root = ring.sqrt_of_decimals(square.top) if square.decimals else ring.sqrt(square.top)
    slopes = {decimal: quotient(slope.times(Fraction(1, 2)), root) for decimal, slope in square.slopes.items() if root}
    return Value(root, None, slopes, frozenset(square.decimals))


def _cosine_or_sine(angle: Value, is_sine: bool, ring: CommonRing) -> Value:
    """Of an angle with decimals with its slopes: d cos(x)/de = -sin(x) dx/de."""
    cosine, sine = ring.cos_sin(angle.top) if not angle.decimals else ring.cos_sin_of_decimals(angle.top)
    by_angle = cosine if is_sine else -sine
    slopes = {decimal: product(slope, by_angle) for decimal, slope in angle.slopes.items()}
    return Value(sine if is_sine else cosine, None, slopes, frozenset(angle.decimals))


def _has_rates(matrix: Matrix) -> bool:
    """Whether a matrix is a column with velocities or accelerations."""
    symbols = {symbol for cell in matrix.cells for symbol in cell.top.symbols()}
    return matrix.shape[1] == 1 and any(str(symbol).startswith(("d(", "dd(")) for symbol in symbols)
