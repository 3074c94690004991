"""The straight-line form of a closed form, in the textbook's names: m1*lc1*lc1 + m2*l1*lc2*c2 + I1.

Parameters are values by their own names, cosines and sines are c1, s2, c12. Forward dynamics has M and the bias h in
closed form, and solves M qdd = tau - h. What has no closed form (a step, a control law, an inverse) is None: it stays
the straight line of its program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import pi
from typing import Any, cast

from dynamis.apps.exports.functions import Function
from dynamis.apps.exports.straight_line import Body, Expression, straight_line
from dynamis.base.errors import ArgumentError, TooLargeError
from dynamis.base.expressions.expression import ZERO
from dynamis.base.expressions.parser import parse
from dynamis.base.faces import option
from dynamis.compute.mechanics.efficient.factor import dense_factor
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.quantity_program import flat
from dynamis.compute.program.signature import Operand, Signature
from dynamis.compute.program.trace import Trace
from dynamis.model.coordinate import CoupledRow
from dynamis.robot import Robot
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.floats import number
from dynamis.telling.forms import tree as t
from dynamis.telling.forms.expression_trees import tree_of
from dynamis.telling.forms.simplest import simplest

MOST_TERMS = 4000
"""Of all entries of a function: some two hundred lines."""
LONGEST_WISH = 24
"""Characters of the name of a cosine: those of angles with many digits are called cos, cos_2, ..."""
LARGEST_EXACT_INTEGER = 2**53
"""Integers up to this are exact as floats."""
ONE: Expression = ("constant", 1.0)
NOTHING = t.Number(t.Fraction(0))
SOLVED = ("mass_matrix", "bias_torque")
"""Of forward dynamics, M qdd = tau - h."""
DERIVATION_SECONDS = 20.0
"""For the closed form of a robot."""


@dataclass(frozen=True)
class ClosedForm:
    """The trees of every output, row by row; where they are to be solved for, the matrix and the right side before."""

    robot: Robot
    outputs: tuple[tuple[t.Tree, ...], ...]
    solved: tuple[tuple[t.Tree, ...], tuple[t.Tree, ...]] | None = None


def closed_form(function: Function) -> ClosedForm | None:
    """The closed form of a quantity; None where it has none."""
    robot = function.given.robot
    if function.quantity is None:
        return None
    name, options = function.quantity
    equations = robot.memo("readable equations", lambda: robot.equations(seconds=DERIVATION_SECONDS))
    solved = name == "forward_dynamics"
    try:
        values = [equations.quantity(x) for x in SOLVED] if solved else [equations.quantity(name, **options)]
    except TooLargeError as error:
        raise _unreadable(function, f"has no closed form that can be read: {error.reason}") from None
    except ArgumentError:  # exact scalars have neither quotients nor square roots
        return None
    parts = [part for x in values for part in _outputs(x)]
    if any(symbol.kind == "stribeck" for part in parts for entry in flat(part) for symbol in entry.symbols()):
        return None  # a curve that no target has by that name
    if solved:
        M, h = (_trees(function, x) for x in values)
        return ClosedForm(robot, (), (M, h))
    return ClosedForm(robot, tuple(_trees(function, x) for x in parts))


def _outputs(value: Any) -> list[Any]:
    """The outputs of a quantity, which come by name where there are several."""
    return [*cast("dict[str, Any]", value).values()] if isinstance(value, dict) else [value]


def with_symbols(robot: Robot) -> Robot:
    """The robot as the textbook has it: with symbols for its masses and the like, if it has numbers only."""
    numeric = any(not link.mass.parameters() and link.mass != ZERO for link in robot.links)
    return robot.symbolic() if numeric else robot


def readable(form: ClosedForm, signature: Signature, named: Callable[[str], str]) -> Body:
    """The body of a closed form."""
    writer = _Writer(form.robot, signature, named)
    if form.solved is None:
        entries = [tuple(writer.expression(x) for x in trees) for trees in form.outputs]
        return writer.body(tuple(zip(signature.outputs, entries, strict=True)))
    matrix, bias = form.solved
    n = len(bias)
    known: dict[tuple[str, int], str] = {("tau", k): writer.load("tau", k)[1] for k in range(n)}
    for k in range(n):
        for j in range(k + 1):
            if matrix[n * k + j] != NOTHING:
                known["M", n * k + j] = writer.value(f"M{k + 1}{j + 1}", matrix[n * k + j])
    for k, tree in enumerate(bias):
        known["h", k] = writer.value(f"h{k + 1}", tree)
    solution = straight_line(_solver(matrix, n), named, known)
    writer.statements += solution.statements
    (entries,) = (entries for _, entries in solution.results)
    return writer.body(((signature.outputs[0], entries),))


def _solver(matrix: tuple[t.Tree, ...], n: int) -> Program:
    """M qdd = tau - h, for the zeros of this M."""
    trace = Trace()

    def entry(i: int, j: int) -> Any:
        i, j = max(i, j), min(i, j)
        return 0.0 if matrix[n * i + j] == NOTHING else trace.input(f"M:{n * i + j}")

    left = [trace.input(f"tau:{k}") - trace.input(f"h:{k}") for k in range(n)]
    M = [[entry(i, j) for j in range(n)] for i in range(n)]
    qdd = dense_factor(M, 0.0, 1.0).solve(left)
    inputs = Operand("M", (n, n)), Operand("h", (n,)), Operand("tau", (n,))
    return program(inputs, [(Operand("qdd", (n,)), qdd)])


def _trees(function: Function, value: Any) -> tuple[t.Tree, ...]:
    entries: list[Exact] = flat(value)
    terms = sum(map(len, entries))
    if terms > MOST_TERMS:
        raise _unreadable(function, f"has {terms} terms in closed form, too many to read")
    return tuple(map(simplest, entries))


def _unreadable(function: Function, why: str) -> ArgumentError:
    return ArgumentError(
        f'{function.name} of robot "{function.given.robot.name}" {why}; use {option("style", "fast")}', key="style"
    )


@dataclass
class _Writer:
    """Writes trees as expressions; what they need (entries of inputs, parameters, cosines) becomes statements."""

    robot: Robot
    signature: Signature
    named: Callable[[str], str]
    loads: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    statements: list[tuple[str, Expression]] = field(default_factory=list[tuple[str, Expression]])
    constants: dict[str, Expression] = field(default_factory=dict[str, Expression])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    trigs: dict[t.Trig, Expression] = field(default_factory=dict[t.Trig, Expression])

    def body(self, results: tuple[tuple[Operand, tuple[Expression, ...]], ...]) -> Body:
        operands = {x.name: x for x in self.signature.inputs}
        order = list(operands)
        loads = sorted(self.loads.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
        values = [(name, ("constant", self._number(key))) for key, (_, name) in self.constants.items()]
        return Body(
            tuple((name, operands[source], place) for (source, place), name in loads),
            (*values, *self.statements), results, self.notes,
        )  # fmt: skip

    def load(self, source: str, place: int) -> Expression:
        if (source, place) not in self.loads:
            (operand,) = (x for x in self.signature.inputs if x.name == source)
            wish = operand.entries[place] if source == "parameters" else f"{source}{place + 1}"
            self.loads[source, place] = self.named(wish)
        return "name", self.loads[source, place]

    def value(self, wish: str, tree: t.Tree) -> str:
        """A statement of its own."""
        expression = self.expression(tree)
        name = self.named(wish)
        self.statements.append((name, expression))
        return name

    def expression(self, tree: t.Tree) -> Expression:
        match tree:
            case t.Number(value):
                return _times(ONE, value)
            case t.Symbol(name):
                return self._parameter(name)
            case t.Root(radicand):
                return "sqrt", ("constant", float(radicand))
            case t.Coordinate(joint, order):
                return self.load(("q", "qd", "qdd")[order], self._place(joint))
            case t.Sign(joint):
                row = self._rows.get(joint)
                return "sign", self.expression(t.Coordinate(joint, 1) if row is None else self._coupled(row, 1))
            case t.Trig():
                return self._trig(tree)
            case t.Power(base, exponent):
                power = _fold_expressions("*", [self.expression(base)] * abs(exponent))
                return power if exponent > 0 else ("/", ONE, power)
            case t.Product(factors):
                return self._product(factors)
            case t.Sum(terms):
                return self._sum(terms)
            case t.Call(function, argument) if function in ("sqrt", "sin", "cos"):
                return function, self.expression(argument)
            case _:
                raise AssertionError(f"{tree} is not a whole formula")

    def _product(self, factors: tuple[t.Tree, ...]) -> Expression:
        value = t.Fraction(1)
        if isinstance(factors[0], t.Number):
            value, factors = factors[0].value, factors[1:]
        above = [x for x in factors if not (isinstance(x, t.Power) and x.exponent < 0)]
        below = [t.Power(x.base, -x.exponent) for x in factors if isinstance(x, t.Power) and x.exponent < 0]
        result = _times(_fold_expressions("*", [*map(self.expression, above)] or [ONE]), abs(value))
        for x in below:
            result = "/", result, self.expression(x)
        return ("neg", result) if value < 0 else result

    def _sum(self, terms: tuple[t.Tree, ...]) -> Expression:
        signs = [t.sign_of(x) for x in terms]
        first = next((k for k, (sign, _) in enumerate(signs) if sign > 0), 0)
        signs.insert(0, signs.pop(first))
        (sign, tree), *rest = signs
        result = self.expression(tree)
        result = result if sign > 0 else ("neg", result)
        for sign, tree in rest:
            result = "+" if sign > 0 else "-", result, self.expression(tree)
        return result

    def _parameter(self, name: str) -> Expression:
        if name == "pi":
            return "constant", pi
        operand = next((x for x in self.signature.inputs if x.name == "parameters"), None)
        if operand is not None and name in operand.entries:
            return self.load("parameters", operand.entries.index(name))
        if name not in self.constants:
            self.constants[name] = "name", self.named(name)
            self.notes[self.constants[name][1]] = self.robot.parameters.get(name, "")
        return self.constants[name]

    def _trig(self, tree: t.Trig) -> Expression:
        if tree not in self.trigs:
            joints = [x.name for x in self.robot.coordinates]
            names = [name for name, _ in tree.angle]
            if len(joints) < 10 and all(count == 1 and name in joints for name, count in tree.angle):
                wish = tree.function[0] + "".join(sorted(str(joints.index(name) + 1) for name in names))
            else:
                wish = "_".join([tree.function, *names])
                wish = wish if len(wish) <= LONGEST_WISH else tree.function
            angle = tuple(t.scale_tree(self._angle(name), t.Fraction(count)) for name, count in tree.angle)
            name = self.named(wish)
            self.statements.append((name, (tree.function, self._sum(angle))))
            self.trigs[tree] = "name", name
        return self.trigs[tree]

    def _angle(self, name: str) -> t.Tree:
        """That of a coordinate, of a coupled joint, or a fixed one, named by its text: 449/1000, 2*alpha, 1/7*pi."""
        if any(x.name == name for x in self.robot.coordinates):
            return t.Coordinate(name)
        row = self._rows.get(name)
        return tree_of(parse(name)) if row is None else self._coupled(row, 0)

    @cached_property
    def _rows(self) -> dict[str, CoupledRow]:
        """The coupled joints as q = A y + b."""
        rows = zip(self.robot.joints, self.robot.couplings, strict=True)
        return {joint.name: row for joint, row in rows if joint.coupling}

    def _coupled(self, row: CoupledRow, order: int) -> t.Tree:
        """The position (order 0) or the velocity (1) of a coupled joint."""
        names = [self.robot.coordinates[k].name for k, _ in row.factors]
        factors = (tree_of(factor) for _, factor in row.factors)
        trees: list[t.Tree] = [t.Product((x, t.Coordinate(y, order))) for x, y in zip(factors, names, strict=True)]
        return t.Sum((*trees, *([] if order or row.offset == ZERO else [tree_of(row.offset)])))

    def _place(self, joint: str) -> int:
        return next(k for k, x in enumerate(self.robot.coordinates) if x.name == joint)

    def _number(self, name: str) -> float:
        value = number(self.robot.values[name], self.robot.values)
        assert value is not None
        return value


def _fold_expressions(op: str, parts: Iterable[Expression]) -> Expression:
    return reduce(lambda a, b: (op, a, b), parts)


def _times(value: Expression, factor: t.Fraction) -> Expression:
    """The value times a rational number, as a quotient where its integers are exact as floats."""
    above, below = factor.numerator, factor.denominator
    if max(abs(above), below) > LARGEST_EXACT_INTEGER:
        above, below = float(factor), 1
    if above != 1:
        number: Expression = ("constant", float(above))
        value = number if value == ONE else ("*", number, value)
    return value if below == 1 else ("/", value, ("constant", float(below)))
