"""The base parameters of the Panda as its paper prints them span the same space as ours, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy.polys.domains import QQ
from sympy.polys.matrices import DomainMatrix

import dynamis
from dynamis.model.inertial_parameters import parameter_names
from tests.support.base_parameters import same_space

GEOMETRY = {"d3": Fraction(316, 1000), "a4": Fraction(825, 10000), "d5": Fraction(384, 1000), "a7": Fraction(88, 1000)}
TABLE = """
Izz1 + Iyy2
Ixx2 - Iyy2 + Iyy3 + 2*d3*mz3 + d3**2*m3 + (d3**2 + a4**2)*(m4 + m5 + m6 + m7)
Ixy2; Ixz2; Iyz2
Izz2 + Iyy3 + 2*d3*mz3 + d3**2*m3 + (d3**2 + a4**2)*(m4 + m5 + m6 + m7)
Ixx3 - Iyy3 + Iyy4 - a4**2*m4
Ixy3 + a4*mz4; Ixz3; Iyz3
Izz3 + Iyy4 + a4**2*m4 + 2*a4**2*(m5 + m6 + m7)
Ixx4 - Iyy4 + Iyy5 + 2*d5*mz5 + (d5**2 - a4**2)*(m5 + m6 + m7)
Ixy4 + a4*mz5 + a4*d5*(m5 + m6 + m7); Ixz4; Iyz4
Izz4 + Iyy5 + 2*d5*mz5 + (d5**2 + a4**2)*(m5 + m6 + m7)
Ixx5 - Iyy5 + Iyy6 + a7**2*m7
Ixy5; Ixz5; Iyz5
Izz5 + Iyy6 + a7**2*m7
Ixx6 - Iyy6 + Iyy7 - a7**2*m7
Ixy6 + a7*mz7; Ixz6; Iyz6
Izz6 + Iyy7 + a7**2*m7
Ixx7 - Iyy7; Ixy7; Ixz7; Iyz7; Izz7
mx2; my2 - mz3 - d3*(m3 + m4 + m5 + m6 + m7)
mx3 + a4*(m4 + m5 + m6 + m7); my3 - mz4
mx4 - a4*(m5 + m6 + m7); my4 + mz5 + d5*(m5 + m6 + m7)
mx5; my5 - mz6
mx6 + a7*m7; my6 - mz7
mx7; my7
"""
"""Gaz et al. 2019, Table III: the dynamic coefficients, with inertias and first moments about the origins of the frames
(the paper writes them about the CoM). Both follow Craig's D-H convention, so the frames are the same."""


def rank(rows: list[list[Fraction]]) -> int:
    matrix = [[QQ(x.numerator, x.denominator) for x in row] for row in rows]
    return DomainMatrix(matrix, (len(rows), len(rows[0])), QQ).rank()


def test_the_table_of_the_paper_spans_the_space_of_the_exact_base_parameters() -> None:
    names = parameter_names(7)
    symbols = {name: sympy.Symbol(name) for name in (*names, *GEOMETRY)}
    numbers = {symbols[key]: sympy.Rational(x.numerator, x.denominator) for key, x in GEOMETRY.items()}
    paper: list[list[Fraction]] = []
    for text in TABLE.strip().replace(";", "\n").splitlines():
        combination = sympy.sympify(text, locals=symbols).expand().subs(numbers)
        paper.append([Fraction(str(combination.coeff(symbols[name]))) for name in names])
    robot = dynamis.load("panda")
    exact = robot.with_exact_angles().equations(numeric=True).base_parameters
    same_space(robot, exact)
    ours: list[list[Fraction]] = []
    for one in exact.combinations:
        row = dict.fromkeys(names, Fraction(0)) | {one.name: Fraction(1)}
        for other, ratio in one.others.items():
            row[other] = Fraction(str(sympy.sympify(str(ratio).replace("^", "**"))))
        ours.append([row[name] for name in names])
    assert len(paper) == len(ours) == 43
    assert rank(paper) == rank(ours) == rank([*paper, *ours]) == 43
    # A table that differs in one place does not.
    paper[0][names.index("Iyy2")] = Fraction(2)
    assert rank([*paper, *ours]) == 44
