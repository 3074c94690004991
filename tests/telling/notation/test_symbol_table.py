"""Names are injective and legal in every printer, and ordinary ones are as in the books."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from keyword import iskeyword
from typing import Any

import pytest
import sympy

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.telling.notation import NOTATIONS, latex, mathml, python, text, to_sympy, typst
from dynamis.telling.notation.notation import OWN_NAMES
from dynamis.telling.notation.symbol_table import appearance
from dynamis.telling.notation.tree_printer import Joints


def arm(first: str, second: str, mass: Any = "m", length: Any = "l") -> Robot:
    a = Link("a", Joint(first), mass=mass, com=(length, 0, 0))
    b = Link("b", Joint(second, before="Ry(pi/3) Tx(1)"), "a", mass=mass, com=(length, 0, 0))
    return dynamis.Robot("arm", (a, b), gravity=(0, "-g", 0), parameters=dict.fromkeys([mass, length, "g"], ""))


ODD = [
    ("q1", "q2", "dq1", "ddq2"),
    ("q1", "q2", "dq1", "dq1_"),
    ("lambda", "pi2", "import", "l"),
    ("q-1", "q 1", "q_1", "l"),
    ("q-1", "q_1", "m", "l"),
    ("q1", "q2", "q", "sign"),
    ("q1", "q2", "q_1", "q_2"),
    ("q1", "q2", "theta1", "vartheta1"),
    ("1st", "2nd", "m", "l"),
    ("$x", "x", "x_", "x__"),
    ("θ1", "theta1", "m", "l"),
]


@pytest.mark.parametrize("names", ODD, ids=" ".join)
def test_programs(names: tuple[str, str, str, str]):
    """Python parses it; there are as many names as letters, in Python and in SymPy."""
    model = arm(*names).equations()
    tau = model.torques[0]
    tree = ast.parse(python(tau), mode="eval")
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {"sin", "cos", "sqrt"}
    symbols = {symbol.name for symbol in to_sympy(tau).free_symbols}
    # q1, q2, dq1, dq2, ddq1, ddq2, three parameters; some do not occur in tau_1
    letters = {letter for letter in tau.symbols() if not letter.startswith("root")}
    expected = len({re.sub(r"^(sin|cos)\((.*)\)$", r"\2", letter) for letter in letters})
    assert len(found) == expected
    assert symbols == found
    assert not any(iskeyword(name) for name in found)
    point = {name: sympy.Rational(k + 2, 7) for k, name in enumerate(sorted(found))}
    value = eval(python(tau), {**{k: getattr(sympy, k) for k in ("sin", "cos", "sqrt")}, **point})
    assert abs(float(value - to_sympy(tau).subs(point))) < 1e-12


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("names", ODD, ids=" ".join)
def test_pages(names: tuple[str, str, str, str], notation: str):
    """Every letter has its own look, and the markup is well formed."""
    model = arm(*names).equations()
    joints = Joints.of(model.torques[0])
    table = joints.names(NOTATIONS[notation])
    shown = [table.parameter(name) for name in joints.parameters]
    shown += [table.joint(joint, order) for joint in joints.numbers for order in range(3)]
    assert len({appearance(name) for name in shown}) == len(shown) == len(joints.parameters) + 6
    ET.fromstring(mathml(model.torques, notation))
    for written in (
        latex(model.torques, notation),
        typst(model.torques, notation),
        text(model.torques, notation),
    ):
        assert "$" not in written
    assert not re.search(r"(?<!\\)_(?![{])", latex(model.torques, notation))


@pytest.mark.parametrize("name", dynamis.robots())
def test_shipped_robots_keep_their_names(name: str):
    """Parameters are themselves in programs, velocities dq1."""
    model = dynamis.load(name).equations()
    joints = Joints.of(model.ring.zero)
    table = joints.names(OWN_NAMES)
    assert all(table.parameter(p).letter == p for p in joints.parameters)
    assert all(table.joint(j, 1).letter == f"d{j}" for j in joints.numbers)
