"""Functions that answers call, other than sines and roots: derivatives, products, transposes, SymPy's numbers.

Derivative(q1(t), (t, 2))   diff(L, dq1)   L.diff(t)      SymPy and MATLAB
jacobian(U, q)   p.jacobian([q1, q2])   hessian(T, dq)    a row per entry, a column per coordinate
LagrangesMethod(L, [q1, q2])                              its equations, a column; .mass_matrix, .forcing
dot(M, qdd)   M.dot(qdd)   matmul(M, qdd)   cross(w, r)   NumPy
v.reshape(2, 1)   v.flatten()   (v.T*v).item()            other shapes
diag(a, b)   diag([a, b])   diag(v)                      a diagonal matrix; of a matrix its diagonal
cosd(30)   deg2rad(30)                                    degrees
transpose(M)   pow(l1, 2)   square(l1)   Rational(1, 2)   numbers, powers
simplify(x)   collect(expand(x), dq1)                     the formula itself
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from dynamis.apps.grading.reading.trees import Call, Chain, Derivative, Item, Name, Number, Reshaped, Rows, Tree

if TYPE_CHECKING:
    from dynamis.apps.grading.reading.parser import Parser
    from dynamis.apps.grading.reading.tokens import Token

DERIVATIVES = ("Derivative", "diff", "jacobian", "gradient", "hessian")
DEGREES = ("cosd", "sind", "deg2rad", "radians")
CALLS = (
    *DERIVATIVES,
    "LagrangesMethod",
    "Rational",
    "float",
    "dot",
    "cross",
    "matmul",
    "transpose",
    "diag",
    "pow",
    "power",
    "square",
    "collect",
    "vertcat",
    "horzcat",
    *DEGREES,
)
TIME_DERIVATIVES = {"{d}{dt}": "d", "{d^{2}}{dt^{2}}": "dd", "{d^2}{dt^2}": "dd"}
MAX_ARGUMENTS = 20
MAX_ORDER = 4


def call(parser: Parser, token: Token, first: Tree | None = None) -> Tree:
    """A call of one of `CALLS`; of a method, `first` is what stands before it."""
    name, start = token.text, token.start
    opening = parser.expect("(")
    given = [] if first is None else [first]
    while not parser.take(")"):
        if len(given) > MAX_ARGUMENTS:
            raise parser.error(f"{name} takes at most {MAX_ARGUMENTS} arguments")
        given.append(_argument(parser))
        if not parser.take(","):
            parser.expect(")", opening)
            break
    match name, given:
        case "Rational", [above]:
            return above
        case "Rational", [above, below]:
            return Chain(above, (("/", below),), start)
        case "transpose", [matrix]:
            return Call("'", matrix, start)
        case "diag", [first, *others]:
            return Call("diag", Rows(((first, *others),), start) if others else first, start)
        case "collect", [formula, *_]:
            return formula
        case "dot" | "matmul", [left, right]:
            return Chain(left, (("@", right),), start)
        case "cross", [left, right]:
            return Chain(left, (("cross", right),), start)
        case "item" | "float", [matrix]:
            return Item(matrix, (), start)
        case "flatten" | "ravel" | "squeeze", [matrix]:
            return Reshaped(matrix, (-1,), start)
        case "reshape", [matrix, *counts]:
            return Reshaped(matrix, tuple(_size(parser, count) for count in _shape_arguments(counts)), start)
        case "vertcat" | "horzcat", [_, *_]:
            return _beside(name, given, start)
        case "LagrangesMethod", [formula, by]:
            return Derivative(name, formula, (by,), start)
        case (("cosd" | "sind"), [angle]):
            return Call(name[:3], _in_radians(angle), start)
        case (("deg2rad" | "radians"), [angle]):
            return _in_radians(angle)
        case "square", [base]:
            return Call(".^", base, start, 2)
        case "pow" | "power", [base, Number(exponent)] if exponent.denominator == 1 and abs(exponent) <= 8:
            return Call(".^", base, start, int(exponent))
        case _, [formula, *by] if by and name in DERIVATIVES:
            return _derivative(parser, token, formula, by)
        case _:
            raise parser.source.error(start, f"{name} is not called so; write for example {EXAMPLES[name]}")


def _in_radians(angle: Tree) -> Tree:
    return Chain(angle, (("*", Name("pi", angle.start)), ("/", Number(Fraction(180), angle.start))), angle.start)


EXAMPLES = {
    "Derivative": "Derivative(q1, t)", "diff": "diff(T, dq1)", "jacobian": "jacobian(U, q)",
    "gradient": "gradient(U, q)", "hessian": "hessian(T, dq)", "Rational": "Rational(1, 2)", "dot": "dot(M, qdd)",
    "matmul": "matmul(M, qdd)", "transpose": "transpose(M)", "pow": "pow(l1, 2)", "power": "power(l1, 2)",
    "LagrangesMethod": "LagrangesMethod(L, [q1, q2])", "diag": "diag([a, b])",
    "cross": "cross(w, r)", "item": "M.item()", "float": "float(T)", "flatten": "c.flatten()",
    "ravel": "c.ravel()", "squeeze": "c.squeeze()", "reshape": "c.reshape(2, 1)", "square": "square(l1)",
    "cosd": "cosd(30)", "sind": "sind(30)", "deg2rad": "deg2rad(30)", "radians": "radians(30)",
    "collect": "collect(x, dq1)", "vertcat": "vertcat(g1, g2)", "horzcat": "horzcat(M11, M12)",
}  # fmt: skip


def _shape_arguments(counts: list[Tree]) -> list[Tree]:
    """The arguments of reshape(2, 1) or reshape((2, 1))."""
    match counts:
        case [Rows(rows)]:
            return [cell for row in rows for cell in row]
        case _:
            return counts


def _size(parser: Parser, tree: Tree) -> int:
    match tree:
        case Number(value) if value.denominator == 1 and 0 < value < 100:
            return int(value)
        case Call("-", Number(Fraction(numerator=1, denominator=1))):
            return -1
        case _:
            raise parser.source.error(tree.start, "a shape is made of integers below 100, or -1 for what is left")


def _beside(name: str, given: list[Tree], start: int) -> Rows:
    """Entries, or rows of entries, under or beside each other (CasADi, MATLAB)."""
    if name == "horzcat":
        return Rows((tuple(given),), start)
    rows = [row for x in given for row in (x.rows if isinstance(x, Rows) else ((x,),))]
    return Rows(tuple(rows), start)


def _argument(parser: Parser) -> Tree:
    """An argument; (t, 2) and (q1, q2) are rows."""
    start = parser.token.start
    if parser.token.text == "(" and (closing := _comma_inside(parser)):
        parser.advance()
        cells = [parser.sum()]
        while parser.position < closing and parser.take(","):
            cells.append(parser.sum())
        parser.expect(")")
        return Rows((tuple(cells),), start)
    return parser.sum()


def _comma_inside(parser: Parser) -> int:
    """Where the bracket that comes next ends, if it has a comma of its own, as (t, 2); else 0."""
    depth, comma = 0, False
    for k in range(parser.position, min(parser.position + 60, len(parser.tokens))):
        text = parser.tokens[k].text
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text, 0)
        comma = comma or (depth == 1 and text == ",")
        if depth == 0:
            return k if comma else 0
    return 0


def _derivative(parser: Parser, token: Token, formula: Tree, by: list[Tree]) -> Tree:
    """`diff(x, t)`, `diff(x, t, 2)`, `Derivative(x, (t, 2))`, `diff(x, q1, q2)`; the others take one list of names."""
    if token.text not in ("Derivative", "diff"):
        if len(by) > 1:
            raise parser.source.error(token.start, f"{token.text} takes a formula and the names of coordinates")
        return Derivative(token.text, formula, (by[0],), token.start)
    steps: list[Tree] = []
    for part in by:
        variable, times = part.rows[0] if isinstance(part, Rows) and len(part.rows[0]) == 2 else (part, None)
        if isinstance(part, Number) and steps:
            variable, times = steps.pop(), part
        order = times.value if isinstance(times, Number) else Fraction(1)
        if order.denominator != 1 or not 1 <= order <= MAX_ORDER or len(steps) > MAX_ORDER:
            raise parser.source.error(part.start, f"a derivative is of order 1 to {MAX_ORDER}")
        steps += [variable] * int(order)
    rate = "d" * len(steps)
    times_only = all(isinstance(step, Name) and step.text == "t" for step in steps)
    match formula:
        case Name(text, start, ()) if times_only and len(steps) <= 2 and parser.names.is_scalar(rate + text):
            return Name(rate + text, start)
        case _:
            return Derivative("diff", formula, tuple(steps), token.start)


def time_derivative(parser: Parser) -> Name | None:
    """\\frac{d}{dt} q_1(t) and \\frac{d^2}{dt^2} q_1(t), as SymPy's LaTeX has them."""
    for form, order in TIME_DERIVATIVES.items():
        end, text = parser.position, ""
        while len(text) < len(form) and parser.tokens[end].kind != "end":
            text, end = text + parser.tokens[end].text, end + 1
        if text == form and parser.names.is_known(order + parser.tokens[end].text):
            rate = Name(order + parser.tokens[end].text, parser.tokens[end].start)
            parser.position = end + 1
            of_time(parser)
            return rate
    return None


def of_time(parser: Parser) -> bool:
    """Past the (t) of q1(t), or {\\left(t\\right)}."""
    for form in ("(t)", "{(t)}"):
        if "".join(t.text for t in parser.tokens[parser.position : parser.position + len(form)]) == form:
            parser.position += len(form)
            return True
    return False


def of_state(parser: Parser) -> bool:
    """Past the (q, dq) of C(q, dq)."""
    count = 1
    while parser.ahead(count).kind == "name" and parser.names.vector(parser.ahead(count).text):
        count += 2
        if parser.ahead(count - 1).text == ")":
            parser.position += count
            return True
    return False
