"""What a student wrote, as the trees that formulas are printed from: in the order and with the brackets of the text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.names import strip_underscores
from dynamis.apps.grading.reading.trees import Call, Chain, Name, Number, Tree
from dynamis.apps.grading.values import Value
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.forms import tree as forms
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import Coordinate, Power, Product, Sum, Symbol, Trig, atoms_of, negate_tree, product

Replaced = Mapping[int, tuple[forms.Tree, bool]]
"""id of a part -> (what stands there instead, whether that is added to it)."""


def form_of(tree: Tree, line: int, values: AnswerValues, replaced: Replaced) -> forms.Tree:
    """A part of a line as it is written, with other trees in the place of some of its parts."""
    return _Writer(line, values, replaced).form(tree)


def right_form(right: Exact, values: AnswerValues) -> forms.Tree:
    """The shortest form of a value, in the student's names of the coordinates."""
    names = {symbol: name for symbol, name in values.answer.names.renamed.items() if symbol in right.ring.places}
    return _rename_symbols(simplest(right), names)


def _rename_symbols(tree: forms.Tree, names: Mapping[str, str]) -> forms.Tree:
    match tree:
        case Coordinate(joint, 0) if joint in names:
            return Symbol(names[joint])
        case Power(base, exponent):
            return Power(_rename_symbols(base, names), exponent)
        case Product(factors):
            return Product(tuple(_rename_symbols(factor, names) for factor in factors))
        case Sum(terms):
            return Sum(tuple(_rename_symbols(term, names) for term in terms))
        case _:
            return tree


class _Writer:
    def __init__(self, line: int, values: AnswerValues, replaced: Replaced) -> None:
        self.line, self.values, self.replaced = line, values, replaced
        self.atoms = {str(symbol): atom for symbol, (atom, power) in atoms_of(values.ring.ring).items() if power == 1}

    def form(self, tree: Tree) -> forms.Tree:
        other, added = self.replaced.get(id(tree), (None, False))
        if other is not None and not added:
            return other
        form = self.written(tree)
        return form if other is None else _sum([form, other])

    def written(self, tree: Tree) -> forms.Tree:
        match tree:
            case Number(number):
                return forms.Number(number)
            case Name(text, _, index):
                return self.name(text) if not index else Symbol(text + "".join(map(str, index)))
            case Call("-", inner):
                return negate_tree(self.form(inner))
            case Call("^" | ".^", inner, _, exponent):
                return _power(self.form(inner), exponent)
            case Call("sin" | "cos" as function, argument, _, exponent):
                return _power(self.trig(function, argument), exponent)
            case Call(function, argument, _, exponent):
                return _power(forms.Call(function, self.form(argument)), exponent)
            case Chain(first, rest) if rest[0][0] in ("+", "-"):
                signed = [("+", first), *rest]
                return _sum([self.form(part) if sign == "+" else negate_tree(self.form(part)) for sign, part in signed])
            case Chain(first, rest):
                return _product([(sign, self.form(part)) for sign, part in [("*", first), *rest]])
            case _:
                raise TypeError("matrices and derivatives have no form")

    def name(self, text: str) -> forms.Tree:
        names, bare = self.values.answer.names, strip_underscores(text)
        if bare not in names.lets:
            if (symbol := names.symbol(text)) is not None:
                return self.atoms.get(symbol, Symbol(text))
            if joints := names.abbreviation(bare):
                angle = tuple((joint, times) for times, joint in joints)
                return Trig("sin" if names.is_sine(bare) else "cos", angle)
        return Symbol(text)

    def trig(self, function: str, argument: Tree) -> forms.Tree:
        """sin(q1 + q2) with its joints; of fixed angles as it is written."""
        self.values.stack = [self.line]
        value = self.values.value(argument)
        self.values.stack = []
        joints = {joint.name for joint in self.values.ring.equations.robot.joints}
        angle: list[tuple[str, int]] = []
        for powers, number in value.top.powers() if isinstance(value, Value) else ():
            name = str(powers[0][0]) if len(powers) == 1 else ""
            if name not in joints or number.denominator != 1:
                return forms.Call(function, self.form(argument))
            angle.append((name, int(number)))
        return Trig("sin" if function == "sin" else "cos", tuple(angle))


def _power(base: forms.Tree, exponent: int) -> forms.Tree:
    return base if exponent == 1 else Power(base, exponent)


def _sum(terms: list[forms.Tree]) -> forms.Tree:
    """Without zeros, and without brackets around sums that are added."""
    flat = [part for term in terms for part in (term.terms if isinstance(term, Sum) else (term,))]
    flat = [part for part in flat if part != forms.Number(Fraction(0))]
    return Sum(tuple(flat)) if len(flat) > 1 else flat[0] if flat else forms.Number(Fraction(0))


def _product(factors: list[tuple[str, forms.Tree]]) -> forms.Tree:
    """Numbers together in front: 1/2*m*v is 1/2 m v."""
    number, others = Fraction(1), list[forms.Tree]()
    for sign, factor in factors:
        for part in factor.factors if isinstance(factor, Product) and sign == "*" else (factor,):
            if isinstance(part, forms.Number) and (part.value or sign == "*"):
                number = number * part.value if sign == "*" else number / part.value
            elif sign == "*":
                others.append(part)
            else:
                others.append(Power(part.base, -part.exponent) if isinstance(part, Power) else Power(part, -1))
    return product(number, tuple(others)) if number else forms.Number(number)
