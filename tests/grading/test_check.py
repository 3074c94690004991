"""Answers in every syntax, what is said of them, and what is said of those that cannot be read."""

import math
import os
from fractions import Fraction

import pytest

import dynamis
from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.errors import DynamisError, FormatError
from dynamis.grading.check import check_answer
from dynamis.grading.common_ring import CommonRing
from dynamis.grading.judging.formulas import FormulaStyle
from dynamis.grading.reading.source import AnswerError, UnknownSymbolError

ELBOW = dynamis.load("planar-elbow")


def said(text: str, robot: dynamis.Robot = ELBOW, **given: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(e.name, e.status, e.sentences) for e in check_answer(robot, text, conditions=given).entries]


def statuses(text: str, robot: dynamis.Robot = ELBOW, **given: str) -> set[str]:
    return {status for _, status, _ in said(text, robot, **given)}


@pytest.mark.parametrize(
    "text",
    [
        "M[1,2] = m2*(lc2^2 + l1*lc2*cos(q2)) + I2",
        "M(1,2) = m2.*(lc2.^2 + l1*lc2.*cos(q2)) + I2;  % MATLAB",
        "M12 = I2 + m2*(l1*lc2*cos(q2(t)) + lc2**2)  # SymPy",
        r"M_{12} = m_2\left(l_{c2}^2 + l_1 l_{c2}\cos q_2\right) + I_2",
        r"$$D_{12} &= I_2 + m_2 l_{c2}^{2} + m_2 l_1 l_{c2} c_2 \tag{4}$$",
        r"m_{12} = I_2 + \frac{2 m_2 l_{c2}^2}{2} + m_2l_1l_{c2}\cos(\theta_2) \\",
        "let L = l1, phi = q2, a = lc2\nH[1,2] = m2*(a^2 + L*a*cos(phi)) + I2",
        "M[1,2] = ...\n  I2 + m2*lc2^2 ...\n  + m2*l1*lc2*c2",
        "M[:,2] = [I2 + m2*lc2^2 + m2*l1*lc2*c2; I2 + m2*lc2^2]",
        "M[1,2] = m2*(lc2^2 + l1*lc2*(c1*c12 + s1*s12)) + I2",
        "M[1,2] = m2*(lc2^2 + l1*lc2*sin(q2 + pi/2)) + I2",
        "M[1,2] = m2*(lc2^2 + sqrt(2)^2/2*l1*lc2*(2*cos(q2/1)^2 - 1 - cos(2*q2) + c2)) + I2",
        "c[2] = m2*l1*lc2*sin(q2)*dq1^2\nh[1] = -m2*l1*lc2*s2*(2*qd1*qd2 + theta2dot^2)",
        r"c_1 = -m_2 l_1 l_{c2} s_2 (2\dot{q}_1\dot q_2 + \dot{\theta}_2^2)",
        "c[1,2,1] = -m2*l1*lc2*s2\nc_{112} = m2*l1*lc2*s2",
        "tau[2] = (m2*lc2^2 + I2)*(q1ddot + qdd2) + m2*l1*lc2*(c2*ddtheta1 + s2*dtheta1^2) + m2*g*lc2*c12",
        "tau[2] = (m2*lc2^2 + I2)*(Derivative(q1(t), (t, 2)) + diff(q2, t, t)) + m2*g*lc2*cos(q1 + q2)"
        " + m2*l1*lc2*(cos(q2)*Derivative(q1(t), (t, 2)) + sin(q2)*Derivative(q1(t), t)**2)",
        "M = Matrix([[I1 + I2 + m1*lc1**2 + m2*(l1**2 + 2*l1*lc2*cos(q2) + lc2**2),\n"
        "  I2 + m2*lc2*(l1*cos(q2) + lc2)], [I2 + m2*lc2*(l1*cos(q2) + lc2), I2 + m2*lc2**2]])",
        "g(q) = [m1*g*lc1*c1 + m2*g*(l1*c1 + lc2*c12), m2*g*lc2*c12]",
        "T2 = m2/2*(l1^2*dq1^2 + lc2^2*(dq1 + dq2)^2 + 2*l1*lc2*c2*dq1*(dq1 + dq2)) + I2*(dq1 + dq2)^2/2",
        "Jv2[1,1] = -l1*s1 - lc2*s12\nJ_{v_{c2}}(2,:) = [l1*c1 + lc2*c12, lc2*c12]\nJw2[3,:] = [1, 1]",
        "J[1:2,:] = [-l1*s1 - l2*s12, -l2*s12; l1*c1 + l2*c12, l2*c12]\nJ[6,:] = [1, 1]",
        "J_w(3,1) = 1\nJv[3,:] = [0, 0]",
        "τ_2 = (m₂ (lc₂² + l₁ lc₂ cos q₂) + I₂) q̈₁ + (m₂ lc₂² + I₂) q̈₂ + m₂ l₁ lc₂ sin(q₂) q̇₁²\n"
        "    + m₂ lc₂ g cos(q₁ + q₂)\nM₁₂ = I₂ + m₂·lc₂² + m₂·l₁·lc₂·c₂\nv̇c₁ = [g sin θ₁ − lc₁ q̇₁²; lc₁ q̈₁ + g c₁; 0]",
        "g_2 =\n\\begin{aligned}\n  &m_2 l_{c2} g \\cos(q_1) \\cos q_2 \\\\\n"
        "  &\\quad {}- m_2 l_{c2} g \\sin q_1 \\sin q_2\n\\end{aligned}",
        "c[2] = m2*l1*lc2*sin(q2)*d(q1)^2\nw1[3] = d(q1)\nwd1[3] = dd(q1)",
        "w2[3] = dq1 + dq2\nvd1 = [g*s1; g*c1; 0]\nvc1[2] = lc1*dq1",
        "M[1,2] = I2 + m2*l1*lc2^2*(1/l1 + cos(q2)/lc2)",
    ],
)
def test_every_syntax(text: str):
    assert statuses(text) == {"equal"}


def test_what_is_wrong_is_said_in_the_users_names():
    text = "let L1 = l1, alpha = q2\nM[1,2] = I2 + m2*lc2^2 - m2*L1*lc2*cos(alpha)"
    assert said(text) == [("M[1,2]", "wrong", ("wrong sign: it should be m2*L1*lc2*cos(alpha)",))]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("g[2] = m2*lc2*cos(q1 + q2)", "missing factor g: m2*lc2*cos(q1 + q2) should be m2*lc2*g*cos(q1 + q2)"),
        ("g[2] = 0", "yours is 0, it should be m2*lc2*g*cos(q1 + q2)"),
        ("M[2,2] = I2", "missing: m2*lc2^2"),
        ("M[2,2] = I2 + m2*lc2^2 + I1", "extra: I1"),
        ("M[2,2] = I2 + m2*lc2^2/2", "term m2*lc2^2 has the factor 1/2, it should be 1"),
        ("M[2,2] = I2 + m2*lc1^2", "lc1^2 instead of lc2^2: m2*lc1^2 should be m2*lc2^2"),
        ("g[2] = -m2*g*lc2*c12", "wrong sign: it should be m2*lc2*g*cos(q1 + q2)"),
        ("g[2] = m2*g*lc2*s12", "yours has m2*lc2*g*sin(q1 + q2), it should have m2*lc2*g*cos(q1 + q2)"),
        ("g[2] = m1*g*lc2*c12", "m1 instead of m2: m1*lc2*g*cos(q1 + q2) should be m2*lc2*g*cos(q1 + q2)"),
        ("C1[1,1] = m2", "it should be 0, yours is m2"),
        ("w2[3] = dq1", "missing: dq2"),
    ],
)
def test_the_sentence(text: str, sentence: str):
    ((_, status, (found, *_)),) = said(text)
    assert status == "wrong"
    assert found.startswith(sentence)


def test_the_point_shows_it():
    (entry,) = check_answer(ELBOW, "g[2] = m2*g*lc2*cos(q1 - q2)").entries
    assert entry.point is not None
    at = {
        name: {"0": 0.0, "pi/2": math.pi / 2, "pi/6": math.pi / 6}.get(v, v) for name, v in entry.point.values.items()
    }
    scale = float(at["m2"]) * float(at["g"]) * float(at["lc2"])
    assert entry.point.yours == pytest.approx(scale * math.cos(float(at["q1"]) - float(at["q2"])), abs=1e-9)
    assert entry.point.true == pytest.approx(scale * math.cos(float(at["q1"]) + float(at["q2"])), abs=1e-9)
    assert abs(entry.point.yours - entry.point.true) > 0.1


def test_equal_up_to_something_that_is_stated():
    assert said("U = m1*g*lc1*s1 + m2*g*(l1*s1 + lc2*s12) + m1*g*lc1") == [
        ("U", "equal up to a constant", ("yours is larger by m1*lc1*g",))
    ]
    assert said("vdc1[2] = lc1*ddq1\nF1[2] = m1*lc1*ddq1 + m1*g*c1") == [
        ("vdc1[2]", "equal up to regrouping", said("vdc1[2] = lc1*ddq1")[0][2]),
        ("F1[2]", "equal", ()),
    ]
    assert statuses("M[1,1] = I1 + I2", ELBOW, m1="0", m2="0") == {"equal"}
    assert statuses("given m2 = 0, lc1 = l1/2\nM[1,1] = I1 + I2 + 0.25*m1*l1^2") == {"equal"}
    assert statuses("let a = m2*lc2\ngiven m2 = 3\ng[2] = a*g*c12") == {"equal"}
    numbers = {"m1": "1.2345", "lc1": "0.5", "I1": "0", "m2": "0", "I2": "0"}
    assert said("M[1,1] = 0.309", ELBOW, **numbers) == [
        ("M[1,1]", "equal up to rounding", ("reading 0.309 as 0.308625",))
    ]
    assert said("M[1,1] = 0.312", ELBOW, **numbers)[0][1:] == (
        "wrong", ("the number should be 0.308625, yours is 0.312",)
    )  # fmt: skip
    bar = dynamis.load("bar-2r")
    assert statuses("given m2 = 0\nM[1,1] = 0.333*m1*L1^2", bar) == {"equal up to rounding"}
    assert statuses("given m2 = 0\nM[1,1] = 0.34*m1*L1^2", bar) == {"wrong"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "# mine\nM[1,1] = I1 + (m2*\nM[1,2] = 3",
            "mine.txt:2: column 19: a number, a name or a bracket is expected here, and the text ends\n"
            "    M[1,1] = I1 + (m2*\n                      ^",
        ),
        (
            "g[1] = m1*lc3",
            'mine.txt:1: column 11: unknown symbol "lc3"; did you mean "lc2"? '
            "(known: g, l1, l2, lc1, lc2, m1, m2, I1, I2, q1, q2, dq1 and 7 more)\n"
            "    g[1] = m1*lc3\n              ^",
        ),
        ("g[1] = m1 2", 'mine.txt:1: column 11: an operator (+ - * /) is missing before "2"\n'),
        ("g[1] = m1(g)", 'mine.txt:1: column 8: an operator such as * is missing between "m1" and its bracket\n'),
        ("g[1] = exp(q1)", 'mine.txt:1: column 8: "exp" is not a function; the functions are sin, cos, sqrt, sign\n'),
        ("g[1] = (m1", 'mine.txt:1: column 11: the ")" for "(" is missing\n'),
        ("g[1] = m1)", 'mine.txt:1: column 10: this ")" closes no bracket\n'),
        ("g[1] = 1/0", "mine.txt:1: column 10: division by zero\n"),
        ("g[1] = cos(q1/3)", 'mine.txt:1: column 8: "1/3*q1" is not a sum of whole and half angles of this robot'),
        ("g[1] = cos(m1*q1)", "mine.txt:1: column 8: an angle must be a sum of joint angles, not a product\n"),
        ("g[1] = 2^99", "mine.txt:1: column 10: an exponent must be an integer from -8 to 8\n"),
        ("g[3] = 1", 'mine.txt:1: column 1: g has no index "3"; it goes from 1 to 2\n'),
        ("g(0) = 1", 'mine.txt:1: column 1: g has no index "0"; it goes from 1 to 2\n'),
        (
            "g[0] = 1\ng[2] = 1",
            'mine.txt:2: column 1: g has no index "3"; it goes from 1 to 2, counted from 1; square ',
        ),
        ("Jv7[1,1] = 1", "mine.txt:1: column 1: there is no link 7; the robot has links 1 to 2\n"),
        ("F = [1]", "mine.txt:1: column 1: F belongs to a link; write its number, such as F2\n"),
        ("M = [1, 2]", "mine.txt:1: column 1: M here is 2x2, the right side is 1x2\n"),
        ("M = [1, 2; 3]", "mine.txt:1: column 6: the rows of this matrix differ in length\n"),
        ("Mass = 3", 'mine.txt:1: column 1: unknown quantity "Mass"'),
        ("g[1]", 'mine.txt:1: column 1: "=" is missing; write a line such as M[1,1] = m1*l1^2\n'),
        ("# nothing", "mine.txt:1: column 1: there is no answer to check"),
        ("given x = 3\ng[1] = 1", 'mine.txt:1: column 7: unknown symbol "x"'),
        ("let 3 = m1\ng[1] = 1", "mine.txt:1: column 5: a let line gives a name to an expression"),
        ("g[1] = m1 § 2", 'mine.txt:1: column 11: "§" is not allowed here'),
        (r"J_{vc1}(1,1) = -l_c \sin q_1", 'mine.txt:1: column 17: unknown symbol "lc"; did you mean "lc2"?'),
        (r"g_1 = \frac{m_1}{2", 'mine.txt:1: column 19: the "}" for "{" is missing\n'),
        (r"g = \begin{bmatrix} 1 \\ 2", 'mine.txt:1: column 27: "&", "\\\\" or \\end is expected\n'),
    ],
)
def test_bad_input_is_a_sentence_with_a_caret(text: str, message: str):
    try:
        (unread,) = check_answer(ELBOW, text, "mine.txt").unread
        error = unread
    except AnswerError as caught:
        error = caught
    assert str(error).startswith(message)
    assert str(error).endswith("^")


def test_the_nearest_symbol_is_data_too():
    with pytest.raises(UnknownSymbolError) as caught:
        check_answer(ELBOW, "g[1] = thetta1")
    assert (caught.value.name, caught.value.line, caught.value.column) == ("thetta1", 1, 8)


@pytest.mark.parametrize(
    "text",
    [
        "g[1] = " + "(" * 9 + "9" + "^8)" * 9,
        "g[1] = " + "(" * 9 + "sin(q1)" + "^8)" * 9,
        "g[1] = " + "(" * 9 + "1/m1" + "^8)" * 9,
        "g[1] = (m1 + m2 + l1 + l2 + g + I1 + I2 + lc1 + lc2)^8*(m1 + m2 + l1 + g + I1 + I2 + lc1 + lc2)^8",
        "g[1] = " + "*".join(["1e300"] * 2000),
        "g[1] = " + "(" * 3000,
        "g[1] = " + "-" * 50000 + "1",
        "g[1] = cos(99999999*q1)",
        "let a0 = m1 + m2 + l1\n" + "\n".join(f"let a{k + 1} = a{k}^2" for k in range(30)) + "\ng[1] = a30",
        "g[1] = __import__('os').system('true')",
        "g[1] = " + r"\dot{" * 2000,
        "g[1] = " + "{" * 2000 + r"\theta_{" * 100,
        "M = [" + "[" * 500,
        "\n".join(f"M1{k} = {'(' * 35}M1{k + 1}{')' * 35}" for k in range(1, 9)),
        "\n".join(f"w{k}[1] = {'(' * 35}w{k + 1}[1]{')' * 35}" for k in range(60)) + "\nw60[1] = 1",
        "\n".join(["g[1] = (("] * 1500),
        "g[1] = 1e999999999",
        "g[1] = \x00",
        "g_1 = " + r"\sqrt" * 5000 + "2",
        "g_1 = " + r"\cos " * 5000 + "q_1",
        "g[1] = " + " + ".join(f"m1/(m1 + {k}*m2 + l1*c1)" for k in range(1, 200)),
        "g[1] = x0\n" + "\n".join(f"let x{k} = x{k + 1}" for k in range(1500)) + "\nlet x1500 = 1",
        "g[1] = " + " = ".join(["m1"] * 5000),
        "M12 = " * 5000 + "1",
        r"\begin{document}" + r"\[" * 50000,
        r"\begin{document}" + r"\begin{align}" * 10000,
        "g[1] = " + "a" * 150000,
        "x" * 150000 + " = 1",
        "M[" + "1," * 50000 + "1] = 1",
        "g[1] = " + "Derivative(" * 3000,
        "│" * 100000,
        "g[1] = m\u202e1",
        "g[1] = 1" * 30000,
    ],
)
def test_hostile_text_is_refused_at_once(text: str):
    start = sum(os.times()[:4])  # of the processor, also of other processes: a full machine takes longer
    with pytest.raises(DynamisError):
        check_answer(ELBOW, text)
    assert sum(os.times()[:4]) - start < 3


def test_numbers_that_no_float_holds_are_compared():
    (entry,) = check_answer(ELBOW, "g[1] = 1.5e300*1.5e300*1.5e300").entries
    assert entry.status == "wrong"
    assert entry.point is None


def test_a_long_answer_is_refused():
    with pytest.raises(FormatError, match="may have at most 200000 characters, got 270000; give fewer entries"):
        check_answer(ELBOW, "g[1] = 1\n" * 30000)


@pytest.mark.parametrize("name", dynamis.robots())
def test_what_we_write_we_read_as_equal(name: str):
    """The true model, written by the renderer, is an answer that is right."""
    robot = dynamis.load(name)
    meeting = CommonRing(ClosedForm(robot))
    render, model = FormulaStyle(), meeting.equations
    n = model.n
    lines = [f"M[{n},{i + 1}] = {render.full_text(meeting.lift(model.M[n - 1, i]))}" for i in range(n)]
    lines += [f"g[{i + 1}] = {render.full_text(meeting.lift(scalar))}" for i, scalar in enumerate(model.gravity)]
    assert statuses("\n".join(line for line in lines if len(line) < 15000), robot) == {"equal"}


@pytest.mark.parametrize("name", ["stanford", "niryo-one", "ur5", "deluca-2r-offaxis"])
@pytest.mark.parametrize("slip", ["sign", "factor", "missing", "extra"])
def test_one_slip_in_the_true_model_is_found(name: str, slip: str):
    """Whatever term is spoilt, the entry is wrong, something is said, and the point shows it."""
    robot = dynamis.load(name)
    meeting = CommonRing(ClosedForm(robot))
    true = meeting.lift(meeting.equations.M[0, 0])
    terms = true.terms()
    for k in range(0, len(terms), max(1, len(terms) // 2)):
        key = list(terms)[k]
        spoilt = dict(terms)
        spoilt[key] = {"sign": -terms[key], "factor": 2 * terms[key], "missing": Fraction(0), "extra": terms[key]}[slip]
        answer = meeting.ring.from_terms(spoilt)
        if slip == "extra":
            answer = answer + meeting.ring.from_terms({key: Fraction(1)}) * meeting.ring.scalar("pi")
        (entry,) = check_answer(robot, f"M[1,1] = {FormulaStyle().full_text(answer)}").entries
        assert entry.status == "wrong"
        assert entry.sentences
        assert entry.point is not None
        assert entry.point.yours != entry.point.true
