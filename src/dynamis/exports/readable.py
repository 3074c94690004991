"""The straight-line form of a closed form, in the textbook's names: m1*lc1*lc1 + m2*l1*lc2*c2 + I1.

Parameters are values by their own names, cosines and sines are c1, s2, c12. Forward dynamics has M and the bias h in
closed form, and solves M qdd = tau - h. What has no closed form (a step, a control law, an inverse) is None: it stays
the straight line of its program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from math import pi
from typing import Any, cast

from dynamis.document.forms import tree as t
from dynamis.document.forms.simplest import simplest
from dynamis.errors import ArgumentError
from dynamis.exports.functions import Function
from dynamis.exports.straight_line import Body, Expression, straight_line
from dynamis.expressions.expression import ZERO
from dynamis.mechanics.efficient.factor import dense_factor
from dynamis.program.program import Program, program
from dynamis.program.quantity_program import flat
from dynamis.program.signature import Operand, Signature
from dynamis.program.trace import Trace
from dynamis.robot import Robot
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.floats import number

MOST_TERMS = 4000
"""Of all entries of a function: some two hundred lines."""
NOTHING = t.Number(t.Fraction(0))
SECONDS = 20.0
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
    equations = robot.memo("readable equations", lambda: robot.equations(seconds=SECONDS))
    if name == "forward_dynamics":
        M, h = equations.quantity("mass_matrix"), equations.quantity("bias_torque")
        return ClosedForm(robot, (), (_trees(function, M), _trees(function, h)))
    try:
        value = equations.quantity(name, **options)
    except ArgumentError:  # exact scalars have neither quotients nor square roots
        return None
    outputs = cast("dict[str, Any]", value) if isinstance(value, dict) else {name: value}
    return ClosedForm(robot, tuple(_trees(function, x) for x in outputs.values()))


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
        raise ArgumentError(
            f'{function.name} of robot "{function.given.robot.name}" has {terms} terms in closed form, too many to '
            "read; use --style fast",
            key="style",
        )
    return tuple(map(simplest, entries))


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
                return _ratio(("constant", float(value.numerator)), value.denominator)
            case t.Symbol(name):
                return self._parameter(name)
            case t.Root(radicand):
                return "sqrt", ("constant", float(radicand))
            case t.Coordinate(joint, order):
                return self.load(("q", "qd", "qdd")[order], self._place(joint))
            case t.Sign(joint):
                return "sign", self.load("qd", self._place(joint))
            case t.Trig():
                return self._trig(tree)
            case t.Power(base, exponent):
                power = _folded("*", [self.expression(base)] * abs(exponent))
                return power if exponent > 0 else ("/", ("constant", 1.0), power)
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
        number: list[Expression] = [("constant", float(abs(value.numerator)))] if abs(value.numerator) != 1 else []
        result = _folded("*", [*number, *map(self.expression, above)] or [("constant", 1.0)])
        result = _ratio(result, value.denominator)
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
            plain = all(count == 1 and name in joints for name, count in tree.angle) and len(joints) < 10
            mark = "".join(sorted(str(joints.index(name) + 1) for name, _ in tree.angle)) if plain else ""
            terms = [t.scaled(t.Coordinate(x) if x in joints else t.Symbol(x), t.Fraction(k)) for x, k in tree.angle]
            name = self.named(f"{tree.function[0] if plain else tree.function}{mark}")
            self.statements.append((name, (tree.function, self._sum(tuple(terms)))))
            self.trigs[tree] = "name", name
        return self.trigs[tree]

    def _place(self, joint: str) -> int:
        return next(k for k, x in enumerate(self.robot.coordinates) if x.name == joint)

    def _number(self, name: str) -> float:
        value = number(self.robot.values[name], self.robot.values)
        assert value is not None
        return value


def _folded(op: str, parts: Iterable[Expression]) -> Expression:
    return reduce(lambda a, b: (op, a, b), parts)


def _ratio(value: Expression, below: int) -> Expression:
    return value if below == 1 else ("/", value, ("constant", float(below)))
