"""What a printer writes has the value of the scalar: Python and SymPy evaluated at random points."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.exact.derive import derive
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.notation import python, to_sympy
from dynamis.telling.renderers.page import render
from tests.support.closeness import close
from tests.support.exact_scalars import scalars

FUNCTIONS = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "sign": np.sign, "pi": math.pi}


def point(names: tuple[str, ...], seed: int = 5) -> tuple[dict[str, float], dict[str, float]]:
    """Random values: of a ring's letters, and of the names that programs use for them."""
    rng = np.random.default_rng(seed)
    letters, variables = {"pi": math.pi}, dict[str, float]()

    def variable(name: str) -> float:
        return variables.setdefault(name, float(rng.uniform(0.2, 1.4)))

    for letter in names:
        head, _, inner = letter.rstrip(")").partition("(")
        if head in ("sin", "cos"):
            exact = inner[0].isdigit()
            angle = (
                float(Fraction(inner.removesuffix("*pi"))) * (math.pi if inner.endswith("pi") else 1) if exact else 0
            )
            letters[letter] = getattr(math, head)(angle if exact else variable(inner))
        elif head in ("d", "dd"):
            letters[letter] = variable(head + inner)
        elif head == "sign":
            letters[letter] = 1.0
        elif head == "sqrt":
            letters[letter] = math.sqrt(int(inner))
        elif letter.startswith("1/"):
            letters[letter] = 1 / variable(letter[2:])
        elif letter != "pi":
            letters[letter] = variable(letter)
    return letters, variables


def at(scalar: Exact, letters: dict[str, float]) -> float:
    names = scalar.ring.symbols
    return math.fsum(
        float(coefficient) * math.prod(letters[n] ** e for n, e in zip(names, exponents, strict=True) if e)
        for exponents, coefficient in scalar.terms().items()
    )


@settings(max_examples=100, deadline=None)
@given(scalars())
def test_random_scalars(scalar: Exact):
    letters, variables = point(scalar.ring.symbols)
    expected = at(scalar, letters)
    close(eval(python(scalar), {**FUNCTIONS, **variables}), expected, tolerance=1e-10)
    symbolic = to_sympy(scalar)
    close(float(symbolic.evalf(30, subs={sympy.Symbol(k): v for k, v in variables.items()})), expected, tolerance=1e-10)


@pytest.mark.parametrize("name", ["deluca-2r", "genova-3r", "genova-rp", "puma560", "stanford", "ur5"])
def test_robots(name: str):
    model = dynamis.load(name).equations()
    letters, variables = point(model.ring.symbols)
    rows = model.M.rows()
    expected = [[at(entry, letters) for entry in row] for row in rows]
    close(eval(python(rows), {**FUNCTIONS, **variables}), expected, tolerance=1e-10)
    close(
        eval(python(model.gravity), {**FUNCTIONS, **variables}),
        [at(g, letters) for g in model.gravity],
        tolerance=1e-10,
    )
    matrix = to_sympy(model.gravity)
    values = [float(entry.evalf(30, subs={sympy.Symbol(k): v for k, v in variables.items()})) for entry in matrix]
    close(values, [at(g, letters) for g in model.gravity], tolerance=1e-10)


def test_sympy_agrees_with_its_own_expansion():
    model = dynamis.load("deluca-2r").equations()
    q1, q2, m2, d2, g0 = sympy.symbols("q1 q2 m2 d2 g0")
    assert sympy.expand(to_sympy(model.gravity[1]) - g0 * m2 * d2 * sympy.cos(q1 + q2)) == 0
    assert to_sympy(model.M.rows()).shape == (2, 2)


def test_a_page_has_one_style_of_numbers():
    """With a decimal in the file all numbers that end are decimals, in every formula; without one none is."""
    links = (
        Link("a", Joint("q1", coulomb=0.5), "base", "m", (0.5, 0, 0), Inertia.of(zz=0.25)),
        Link("b", Joint("q2", before="Tx(1.25) Rz(0.3)"), "a", "m", (0.7, 0, 0)),
    )
    robot = Robot("r", links, gravity=(0, "-g", 0), parameters={"m": "", "g": ""})
    for method in "lagrange", "newton-euler":
        page = render(derive(robot.equations(), method))
        assert "0.25" in page
        assert set(re.findall(r"\d+/\d+", page)) <= {"1/2"}  # 1/2 m v^2, of the rule itself
    rod = Link("a", Joint("q1"), "base", "m", ("l/2", 0, 0), Inertia.of(zz="m*l^2/5"))
    robot = Robot("r", (rod,), gravity=(0, "-g", 0), parameters={"m": "", "g": "", "l": ""})
    page = render(derive(robot.equations(), "energies"))
    assert "9/20 m l²" in page
    assert not re.search(r"\d\.\d", page)
