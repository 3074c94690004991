"""Answers in every syntax that `check` reads: text, SymPy, MATLAB, LaTeX, Unicode and our own pages."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.text_inputs import expression

_LEFT = (
    "M[1,1]", "M[1,2]", "M", "M11", "M_{12}", "M(1,2)", "g[2]", "g", "g_1", "G", "c[1]", "c", "C[1,2]", "C",
    "tau[1]", "tau",
    "\\tau_1", "τ₁", "T", "T1", "U", "J", "J_v^1", "J1", "w1", "vc2", "h1", "B", "D[1,1]", "christoffel[1,2,1]",
    "M[9,9]",
    "M[0,1]", "m1", "m1, m2", "c2, s2", "F2", "C1", "mass_matrix",
    "M[", "x", "let a", "given l1", "M11 +", "d/dt", "K", "Ibase", "q̈₁", "M[1,1] = M[1,2]",
)  # fmt: skip
_TERMS = (
    "m1", "m2*lc2^2", "m_2 l_{c2}^2", "m2.*lc2.^2", "m₂·lc₂²", "I2", "l1*lc2*cos(q2)", "\\cos q_2", "\\frac{1}{2}",
    "1/2",
    "g*cos(q1+q2)", "c2", "s12", "c_{12}", "sin(q_1+q_2)", "qd1", "dq1", "\\dot{q}_1", "q̇₁", "q1'", "qdd2",
    "\\ddot{q}_2",
    "M*[qdd1; qdd2]", "M@qdd", "[qd1 qd2]'", "0.5", "1e-3", "q(1)", "diff(q1, t)", "\\left(m_1+m_2\\right)",
    "sqrt(2)", "x", "q1.diff(t, 2)", "diff(T, dq1)", "T.diff(dq1).diff(t)", "np.dot(M, qdd)", "jacobian(U, q)",
    "hessian(T, dq)", "pow(l1, 2)", "[q; dq]", "m2 (l1 + lc2)", "np.array([m1, 0])", "collect(q1, t)", "qd @ M @ qd",
    "\\begin{bmatrix} m_1 & 0 \\\\ 0 & m_2 \\end{bmatrix}", "Matrix([[m1, 0], [0, m2]])", "[m1 0; 0 m2]",
    "[[1,2],[3,4]]", "a", "C(q, qd)*qd", "M(q)", "zeros(len(q), 2)",
)  # fmt: skip
_RIGHT = (
    "m1*lc1^2", "m2*lc2^2", "I1", "I2", "2*m2*l1*lc2*cos(q2)", "m_2 l_1 l_{c2} \\cos q_2", "m2*lc2*g*cos(q1+q2)",
    "0.5*I1",
    "m1*lc1*g*cos(q1)", "m2*l1^2", "0.333*m2*l1**2", "qd1*qd2*sin(q2)",
)  # fmt: skip
"""Terms that stand in the equations of the robot."""
_FRAMES = (
    "{}", "{}", "{}", "$${}$$", "def gravity(q):\n    return {}", "import numpy as np\nm1, m2 = p\n{}",
    "where ${}$ and",
    "q1 = Function('q1')(t)\n{}", "\\begin{{align}}\n{} \\\\\n\\end{{align}}", "syms m1 m2\n{};", "%{{\n{}\n%}}",
    "\\documentclass{{article}}\n\\begin{{document}}\n${}$\n\\end{{document}}", "import sympy as sp\n{}", "<p>{}</p>",
    "```\n{}\n```", "# title\n\n{}\n",
)  # fmt: skip


def mutated(corpus: Sequence[bytes], random: Random) -> bytes:
    """An answer of the corpus or of the grammar, changed in a few places."""
    if random.random() < 0.25:
        return mutate_bytes(random.choice(corpus), random, corpus)
    lines = [_line(random) for _ in range(random.choice((1, 1, 2, 3)))]
    text = random.choice(_FRAMES).format("\n".join(lines))
    data = text[: random.randint(1, len(text)) if random.random() < 0.2 else None].encode("utf-8", "surrogatepass")
    return mutate_bytes(data, random, corpus) if random.random() < 0.3 else data


def _line(random: Random) -> str:
    sign = random.choice((" = ", " = ", " = ", "=", " == ", " := ", " &= ", " += ", ": ", " "))
    return f"{random.choice(_LEFT)}{sign}{_right(random)}" + random.choice(
        ("", "", "", ";", ",", " \\\\", " ...\n", " % x")
    )


def _right(random: Random) -> str:
    kind = random.random()
    if kind > 0.6:
        return " + ".join(random.choice(_RIGHT) for _ in range(random.randint(1, 4)))
    if kind < 0.12:
        return expression(random)
    if kind < 0.16:
        return random.choice(("(", "{", "[", "a=", " ", "+", "\\frac", "c", "q1 ")) * random.choice((3, 50, 3000))
    if kind < 0.2:
        terms = [random.choice(_TERMS[:8]) for _ in range(random.randint(2, 12))]
        return f"({'+'.join(terms)})^{random.choice((2, 3, 8, 99))}"
    terms = [
        random.choice(_TERMS) if random.random() < 0.95 else hostile.name(random) for _ in range(random.randint(1, 5))
    ]
    return "".join(term + random.choice((" + ", " - ", "*", " ", "/", "")) for term in terms[:-1]) + terms[-1]
