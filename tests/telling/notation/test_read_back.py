"""What is printed means what was meant: it reads back to the same scalar, by a parser that is not the printer.

Text and LaTeX are read by the answer checker, Python by Python's own parser, SymPy by SymPy. The robots have what
printers stumble over: fixed angles that are no multiples of 15 degrees, negative decimals, skew axes, fractions, nested
quotients.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dynamis import Inertia, Joint, Link, Robot
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.common_ring import CommonRing
from dynamis.base.expressions.expression import Call, Expression, Number, Parameter, Pi, Power
from dynamis.exact.equations import Equations
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.telling.notation import NOTATIONS, latex, python, text, to_sympy

ANGLES = ("0.3", "-0.1", "1/3", "2*pi/7", "-pi/5", "37*pi/180", "alpha/2", "2*alpha/3", "alpha + 0.2", "-1.25", "pi/3")
LENGTHS = (
    "l1", "-0.25", "l2/3", "l1/l2", "-0.1*l1", "2*l1/(3*l2)", "l1*l2/l3^2", "-l3", "(l1 - 0.5*l2)/3", "l2/(l1 + l3)",
)  # fmt: skip
MASSES = ("m1", "m2", "3", "0.125", "m1/3", "2*m2/7")
AXES = ((0, 0, 1), (0, -1, 0), (1, 2, 2), (-2, 1, 2), (0.6, 0.8, 0))
PARAMETERS = ("alpha", "l1", "l2", "l3", "m1", "m2", "I1", "g")


@st.composite
def odd_robots(draw: st.DrawFn) -> Robot:
    """One or two joints, so that formulas stay short; the second is a revolute or a prismatic one."""
    links: list[Link] = []
    for k in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(("revolute", "prismatic"))) if k else "revolute"
        turn = f"R{draw(st.sampled_from('xyz'))}({draw(st.sampled_from(ANGLES))})"
        joint = Joint(
            f"q{k + 1}",
            kind,  # type: ignore[arg-type]
            draw(st.sampled_from(AXES)) if k == 0 else (0, 0, 1),
            f"Tx({draw(st.sampled_from(LENGTHS))}) {turn}" if k else "",
            coulomb=draw(st.sampled_from(("0", "0.5"))),
        )
        com = (draw(st.sampled_from(LENGTHS)), draw(st.sampled_from(("0", "-0.2"))), "0")
        moment = draw(st.sampled_from(("I1", "0.05", "I1/3", "0")))
        # A number about one axis alone is no body's, unless all axes are parallel.
        inertia = Inertia.of(xx=moment, yy=moment, zz=moment) if moment == "0.05" else Inertia.of(zz=moment)
        parent = "base" if k == 0 else links[-1].name
        links.append(Link(f"link{k + 1}", joint, parent, draw(st.sampled_from(MASSES)), com, inertia))
    gravity = draw(st.sampled_from((("0", "-g", "0"), ("0", "-9.81", "0.5"), ("g/3", "0", "-g"))))
    return Robot("odd", tuple(links), parameters=dict.fromkeys(PARAMETERS, ""), gravity=gravity)  # type: ignore[arg-type]


def two_turns() -> Robot:
    """0.3 rad is three times 0.1 rad: both are written with the sine and cosine of one fixed angle."""
    links = (
        Link("a", Joint("q1"), "base", "m1", ("l1", 0, 0), Inertia.of()),
        Link("b", Joint("q2", before="Tx(l1/l2) Rx(0.3) Ry(-0.1)"), "a", "m2", ("l2", 0, 0), Inertia.of()),
    )
    return Robot("two turns", links, parameters=dict.fromkeys(PARAMETERS, ""), gravity=(0, "-g", 0))


def entries(model: Equations) -> dict[str, Exact]:
    """Every entry of M, c and g, and the torques with friction, by the names that an answer has for them."""
    n = range(model.n)
    found = {f"M[{i + 1},{j + 1}]": model.M[i, j] for i in n for j in n if i <= j}
    for letter, vector in (("c", model.coriolis), ("g", model.gravity), ("tau", model.torques)):
        found |= {f"{letter}[{i + 1}]": vector[i] for i in n}
    return found


@settings(max_examples=6, deadline=None, derandomize=True)
@given(odd_robots(), st.sampled_from(sorted(NOTATIONS)))
@example(two_turns(), "spong")
def test_text_and_latex_are_what_the_checker_calls_equal(robot: Robot, notation: str):
    model = robot.equations()
    forms = [lambda x: text(x, notation, width=60), lambda x: latex(x, notation), lambda x: text(x, ascii_only=True)]
    for write in forms:
        answer = "\n".join(f"{name} = {write(entry)}" for name, entry in entries(model).items())
        report = check_answer(robot, answer)
        assert [(e.name, e.stated) for e in report.entries if e.status != "equal"] == [], answer
        assert len(report.entries) == len(entries(model))


class _Reader(ast.NodeVisitor):
    """Python source as an expression of dynamis, with decimals as exact as they are written."""

    def __init__(self, source: str) -> None:
        self.source = source

    def read(self) -> Expression:
        return self.visit(ast.parse(self.source, mode="eval").body)

    def visit_Constant(self, node: ast.Constant) -> Expression:
        return Number(Fraction(ast.get_source_segment(self.source, node) or ""))

    def visit_Name(self, node: ast.Name) -> Expression:
        return Pi() if node.id == "pi" else Parameter(node.id)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Expression:
        assert isinstance(node.op, ast.USub)
        return -self.visit(node.operand)

    def visit_BinOp(self, node: ast.BinOp) -> Expression:
        left, right = self.visit(node.left), self.visit(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
            case _:
                assert isinstance(node.op, ast.Pow)
                return Power(left, int(right.value))

    def visit_Call(self, node: ast.Call) -> Expression:
        assert isinstance(node.func, ast.Name)
        return Call(node.func.id, self.visit(node.args[0]))

    def generic_visit(self, node: ast.AST) -> Any:
        raise AssertionError(f"{ast.dump(node)} in {self.source}")


class _Scalars(Scalars[Exact]):
    """Evaluates in the ring of a model and its answers."""

    def __init__(self, meeting: CommonRing) -> None:
        self.ring, self.meeting = meeting.ring, meeting
        joints = [joint.name for joint in meeting.equations.robot.joints]
        self.letters = {f"{d}{name}": f"{d}({name})" for d in ("d", "dd") for name in joints}

    def constant(self, value: Fraction) -> Exact:
        return self.ring.number(value)

    def pi(self) -> Exact:
        return self.ring.scalar("pi")

    def parameter(self, name: str) -> Exact:
        return self.ring.scalar(self.letters.get(name, name))

    def cos_sin_of(self, angle: Expression) -> tuple[Exact, Exact]:
        return self.meeting.scalars.cos_sin_of(angle)

    def sqrt_of(self, argument: Expression) -> Exact:
        return self.meeting.scalars.sqrt_of(argument)

    def function_of(self, name: str, argument: Expression) -> Exact:
        assert name == "sign"
        return self.meeting.sign(evaluate(argument, self))


@settings(max_examples=6, deadline=None, derandomize=True)
@given(odd_robots())
@example(two_turns())
def test_python_is_what_pythons_parser_reads(robot: Robot):
    model = robot.equations()
    meeting = CommonRing(model)
    for entry in entries(model).values():
        assert evaluate(_Reader(python(entry)).read(), _Scalars(meeting)) == meeting.lift(entry), python(entry)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(odd_robots())
def test_sympy_is_what_sympy_reads(robot: Robot):
    """The object and the text that SymPy itself prints of Python's form, at a point, to 40 digits."""
    model = robot.equations()
    for entry in entries(model).values():
        own, read = to_sympy(entry), sympy.sympify(python(entry), rational=True)
        symbols = sorted(own.free_symbols | read.free_symbols, key=str)
        point = {symbol: sympy.Rational(2 * k + 3, 7 * k + 5) for k, symbol in enumerate(symbols)}
        assert abs(sympy.N((own - read).subs(point), 40)) < 1e-35, python(entry)
