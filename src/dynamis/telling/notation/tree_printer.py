"""How a tree becomes a line of text, by the same rules in every language.

A `Language` writes the parts; `written` walks the tree. Where a line may break, before the + and -
of a sum, the text has a `BREAK`. Brackets are decided on the tree, never on the text: around the argument of a function
that is not one name or number, and, where fractions are written with a slash, around a denominator of several factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise

from dynamis.base.expressions.expression import Number as Constant
from dynamis.base.expressions.expression import Parameter
from dynamis.base.expressions.parser import parse
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Meaning
from dynamis.telling.forms.expression_trees import tree_of
from dynamis.telling.forms.tree import (
    Angle,
    Call,
    Coordinate,
    Function,
    Number,
    Power,
    Product,
    Rest,
    Root,
    Sign,
    Sum,
    Symbol,
    Tree,
    Trig,
    scale_tree,
    sign_of,
    size,
)
from dynamis.telling.notation.language import BREAK, Language
from dynamis.telling.notation.names import Name
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.symbol_table import Names, table

Scalar = Exact | Tree
# A sum of this size (`size` of a tree) fills most of a printed line.
LONG_SUM = 40


@dataclass(frozen=True)
class Joints:
    """Joint -> its place in the robot, which of them are prismatic, and parameter -> what it measures."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    prismatic: frozenset[str] = frozenset()
    parameters: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    decimals: bool = True
    misleading: frozenset[str] = frozenset()
    """As in `Document`."""

    @classmethod
    def of(cls, scalar: Scalar) -> Joints:
        """The joints of a scalar's ring; a tree alone knows no numbers."""
        return _joints(scalar.ring) if isinstance(scalar, Exact) else cls()

    def names(self, notation: Notation) -> Names:
        """The table of names of these joints and parameters."""
        return table(notation, tuple(self.parameters.items()), tuple(self.numbers), self.prismatic)


@lru_cache(maxsize=32)
def _joints(ring: Ring) -> Joints:
    velocities = [s.of for s in ring.symbols if s.kind == "coordinate" and s.order == 1]
    revolute = {sine.of for sine, _ in ring.angles}
    parameters: dict[str, Meaning] = {sine.of: "" for sine, _ in ring.angles if isinstance(sine.angle, Parameter)}
    parameters |= {s.of: s.meaning for s in ring.symbols if s.kind == "parameter"}
    coupled = [sine.of for sine, _ in ring.angles if sine.angle is None and sine.of not in velocities]
    numbers = {joint: k for k, joint in enumerate((*velocities, *coupled), 1)}
    return Joints(numbers, frozenset(velocities) - revolute, dict(sorted(parameters.items())), ring.decimals)


@dataclass(frozen=True)
class TreePrinter:
    """Writes trees in a language and a notation, for the joints of one robot."""

    language: Language
    notation: Notation
    joints: Joints = Joints()
    numbers: Decimals = "some"
    """How the numbers of a model with decimals are written."""
    fixed_angle: bool = False
    """Inside of the argument of a sine: 0.5 rad is a decimal in every model."""

    @property
    def style(self) -> Decimals:
        """A model that was given decimals has 0.5 on all of a page; with symbols alone it shows none: 2/5 m r^2."""
        if self.fixed_angle or (self.joints.numbers and (self.joints.decimals or not self.joints.parameters)):
            return "all"
        return self.numbers if self.joints.decimals else "none"

    def written(self, tree: Tree) -> str:
        """A tree as text, with a `BREAK` where a line may end."""
        d = self.language
        match tree:
            case Number(v):
                return ("" if v >= 0 else d.negative) + d.number(abs(v), self.style)
            case Symbol(name, meaning):
                return d.name(self.names.parameter(name, meaning))
            case Root(radicand):
                return d.root(radicand)
            case Coordinate(joint, order):
                return d.name(self.names.joint(joint, order))
            case Sign(joint, function):
                return d.call(function, d.name(self.names.joint(joint, 1)))
            case Call(function, argument):
                return d.call(function, self.written(argument).replace(BREAK, ""))
            case Trig(function, angle):
                return self._trig(function, angle, 1, closed=False)
            case Power(_, exponent) if exponent < 0:
                return self._product((tree,))
            case Power(Trig(function, angle), exponent):
                return self._trig(function, angle, exponent, closed=False)
            case Power(base, exponent):
                return d.power(self._grouped(base, not self._is_atom(base)), exponent)
            case Product(factors):
                return self._product(factors)
            case Sum(terms):
                return self._sum(terms)
            case Rest(total):
                return d.rest(total)

    def before_more(self, tree: Tree) -> str:
        """A factor that others follow: sin(q2) dq1, (a/b) dq1, so that they are not read as a part of it."""
        if is_quotient(tree):
            return self._grouped(tree, not self.language.stacked)
        if isinstance(tree, Product):
            sign, positive = sign_of(tree)
            factors = positive.factors if isinstance(positive, Product) else (positive,)
            return (self.language.negative if sign < 0 else "") + self._joined(factors, closed=True)
        return self._closed(tree) if is_trig(tree) else self.written(tree)

    def over(self, tree: Tree) -> str:
        """What stands above a fraction: with a slash, a sum and what is a quotient itself have brackets."""
        if self.language.stacked:
            return self.written(tree).replace(BREAK, "")
        return self._grouped(tree, True) if isinstance(tree, Sum) else self.before_more(tree)

    def under(self, tree: Tree) -> str:
        """What stands below a fraction: with a slash, all but a single factor has brackets."""
        if self.language.stacked:
            return self.written(tree).replace(BREAK, "")
        return self._closed(tree) if self._is_atom(tree) else self._grouped(tree, True)

    @cached_property
    def names(self) -> Names:
        """What everything is called."""
        return self.joints.names(self.notation)

    @cached_property
    def _inside(self) -> TreePrinter:
        """What writes the argument of a sine."""
        return replace(self, fixed_angle=True)

    def _grouped(self, tree: Tree, brackets: bool) -> str:
        text = self.written(tree)
        return self.language.group(text) if brackets else text

    def _is_plain(self, tree: Tree) -> bool:
        """Whether a tree is written as one name or one number, without a sign or a fraction."""
        match tree:
            case Symbol() | Coordinate():
                return True
            case Number(v):
                return v >= 0 and (v.denominator == 1 or decimal(v, self.style) is not None)
            case _:
                return False

    def _is_atom(self, tree: Tree) -> bool:
        """Whether a tree is one factor: a name, a number, a function, or a power of one."""
        base = tree.base if isinstance(tree, Power) and tree.exponent > 0 else tree
        return self._is_plain(base) or isinstance(base, Root | Sign | Call | Trig)

    def _product(self, factors: tuple[Tree, ...]) -> str:
        d = self.language
        first = factors[0]
        if isinstance(first, Number) and first.value < 0:
            rest = factors[1:] if first.value == -1 else (Number(-first.value), *factors[1:])
            return d.negative + self._product(rest)
        above: list[Tree] = [f for f in factors if not _is_inverse(f)]
        below: list[Tree] = [_inverse(f) for f in factors if _is_inverse(f)]
        if not below:
            closed = any(is_trig(f) and self._open_before(after) for f, after in pairwise(above))
            return self._joined(above, closed)
        if isinstance(first, Number) and not self._is_plain(first) and (d.stacked or len(above) == 1):
            # No fraction above a fraction; with a slash, 2/5 m a/b reads well.
            above = [Number(Fraction(first.value.numerator)), *above[1:]]
            below = [Number(Fraction(first.value.denominator)), *below]
        above = [f for f in above if f != Number(Fraction(1))]
        # No line can end inside of a fraction with a bar: a long sum stands behind it.
        behind = [f for f in above if d.stacked and isinstance(f, Sum) and size(f) > LONG_SUM]
        top = [f for f in above if f not in behind] or [Number(Fraction(1))]
        over = self.over(top[0] if len(top) == 1 else Product(tuple(top)))
        under = self.under(below[0] if len(below) == 1 else Product(tuple(below)))
        return d.times.join([d.fraction(over, under), *(self._grouped(f, True) for f in behind)])

    def _joined(self, factors: Sequence[Tree], closed: bool) -> str:
        """Factors side by side; a number that is not the first of them, and a sum, have brackets."""
        texts = [self._closed(f) if closed else self.written(f) for f in factors]
        if len(factors) > 1:
            texts = [
                self.language.group(text) if isinstance(f, Sum) or (k and _begins_with_number(f)) else text
                for k, (f, text) in enumerate(zip(factors, texts, strict=True))
            ]
        return self.language.times.join(texts)

    def _open_before(self, after: Tree) -> bool:
        """Whether what follows a sine would be read as a part of its angle: sin(q2) dq1, but sin q2 cos q3."""
        return self.notation.short or not is_trig(after)

    def _closed(self, factor: Tree) -> str:
        """A factor of a product where a sine needs brackets: then all of them have some."""
        match factor:
            case Trig(function, angle):
                return self._trig(function, angle, 1, closed=True)
            case Power(Trig(function, angle), exponent) if exponent > 0:
                return self._trig(function, angle, exponent, closed=True)
            case _:
                return self.written(factor)

    def _sum(self, terms: tuple[Tree, ...]) -> str:
        d = self.language
        text = self.written(terms[0])
        for term in terms[1:]:
            sign, positive = sign_of(term)
            text += d.sum_break + (d.plus if sign > 0 else d.minus) + self._grouped(positive, isinstance(positive, Sum))
        return text

    def _trig(self, function: Function, angle: Angle, power: int, closed: bool) -> str:
        if short := self._short(angle):
            letter = self.notation.cosine if function == "cos" else self.notation.sine
            text = self.language.name(Name(letter, short, own=letter + short, commas=True))
            return text if power == 1 else self.language.power(text, power)
        argument = self._argument(angle)
        text = self._inside.written(argument).replace(BREAK, "")
        closed = closed or not self._inside._is_plain(argument)
        return self.language.trig(function, self.language.group(text) if closed else text, closed, power)

    def _argument(self, angle: Angle) -> Tree:
        """q1 + 2 q2 - 0.3: joints and named angles by their names, a fixed angle as the expression that it is."""
        terms = [self._angle(name, times) for name, times in angle]
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def _angle(self, name: str, times: int | Fraction) -> Tree:
        if name in self.joints.numbers or (name.replace("_", "").isalnum() and not name[0].isdigit()):
            return scale_tree(Coordinate(name), Fraction(times))
        return _fixed_angle(name, times)

    def _short(self, angle: Angle) -> str:
        """12 for q1 + q2; nothing where angles come in multiples, or where cosines are written out."""
        if not self.notation.short or any(times != 1 for _, times in angle):
            return ""
        return self.names.short(tuple(name for name, _ in angle))


@lru_cache(maxsize=1000)
def _fixed_angle(name: str, times: int | Fraction) -> Tree:
    """Kept, since a robot with decimals has the same few in every term."""
    return tree_of(Constant(Fraction(times)) * parse(name))


def is_trig(tree: Tree) -> bool:
    """Whether a tree is a sine or a cosine, or a power of one."""
    return isinstance(tree.base if isinstance(tree, Power) else tree, Trig)


def is_quotient(tree: Tree) -> bool:
    """Whether something stands below a fraction, other than the denominator of a number."""
    return any(map(_is_inverse, tree.factors if isinstance(tree, Product) else (tree,)))


def _is_inverse(tree: Tree) -> bool:
    return isinstance(tree, Power) and tree.exponent < 0


def _inverse(tree: Tree) -> Tree:
    assert isinstance(tree, Power)
    return tree.base if tree.exponent == -1 else Power(tree.base, -tree.exponent)


def _begins_with_number(tree: Tree) -> bool:
    return isinstance(tree.factors[0] if isinstance(tree, Product) else tree, Number)
