"""Squares of sums, roots, fixed angles and the names of joints, as textbooks write them."""

from __future__ import annotations

from pathlib import Path

import pytest

import dynamis
from dynamis.exact.derive import derive
from dynamis.exact.equations import Equations
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import expand
from dynamis.telling.notation import latex, text
from dynamis.telling.renderers.page import render

ARM = """
[robot]
name = "arm"
convention = "standard-dh"
gravity = [0, 0, "-g"]
[parameters]
m1 = ""
m2 = ""
a1 = ""
a2 = ""
x2 = ""
g = ""
[[link]]
name = "one"
joint = {{ name = "{joint}1", kind = "revolute" }}
dh = {{ theta = "pi/4", d = 0, a = "a1", alpha = "pi/3" }}
mass = "m1"
com = ["-a1/2", 0, 0]
[[link]]
name = "two"
joint = {{ name = "{joint}2", kind = "revolute" }}
dh = {{ theta = {turn}, d = 0, a = "a2", alpha = 0 }}
mass = "m2"
com = ["x2", 0, 0]
"""


def arm(folder: Path, joint: str = "q", turn: str = "0") -> Equations:
    path = folder / "arm.toml"
    path.write_text(ARM.format(joint=joint, turn=turn), encoding="utf-8")
    return dynamis.load(path).equations()


def test_squares_of_sums(tmp_path: Path):
    """(a + x)^2, alone and as a part of a sum, in every school."""
    model = arm(tmp_path)
    for school in ("spong", "deluca", "craig", "siciliano"):
        assert text(model.M[1, 1], school) == "m₂ (a₂ + x₂)²"
        assert "(a₂ + x₂)²" in text(model.M[0, 0], school)
    assert text(model.M[0, 1]) == "1/2 m₂ ((a₂ + x₂)² + a₁ (a₂ + x₂) cos q₂)"
    entries = [*model.torques, *(entry for row in model.M.rows() for entry in row)]
    assert all(expand(simplest(entry), model.ring) == entry for entry in entries)


def test_the_inertia_about_an_origin():
    """m (l - d)^2, not m l^2 - m (2 l - d) d."""
    shown = render(derive(dynamis.load("deluca-2r").equations(), "base-parameters"))
    assert "m₁ (l₁ − d₁)² + I₁" in shown


def test_the_root_of_six(tmp_path: Path):
    model = arm(tmp_path, turn='"pi/4"')
    assert "√6" in text(model.gravity[1])
    assert "√2 √3" not in text(model.torques)
    assert "\\sqrt{6}" in latex(model.gravity[1])
    assert expand(simplest(model.gravity[1]), model.ring) == model.gravity[1]


def test_fixed_angles_are_decimals(tmp_path: Path):
    """0.3 rad is 0.3, as the file has it, not 3/10."""
    assert "cos(q₂ + 0.3)" in text(arm(tmp_path, turn="0.3").gravity[1])
    assert "\\cos(q_{2} + 0.3)" in latex(arm(tmp_path, turn="0.3").gravity[1])


@pytest.mark.parametrize(("school", "shown"), [("deluca", "c₂"), ("craig", "c₂"), ("siciliano", "c₂")])
def test_joints_called_theta(tmp_path: Path, school: str, shown: str):
    """A school that writes c_2 does so whatever the joints are called, and has its own letter for angles."""
    model = arm(tmp_path, joint="theta")
    assert shown in text(model.M[0, 1], school)
    letter = {"deluca": "q", "craig": "θ", "siciliano": "ϑ"}[school]
    assert f"{letter}̇₁" in text(model.coriolis[1], school)


def test_the_axis_of_a_joint_has_roots(tmp_path: Path):
    """T[1/√2, 1/√2, 0](q), not 1/sqrt(2)."""
    path = tmp_path / "slide.toml"
    path.write_text(
        '[robot]\nname = "slide"\nconvention = "offset"\ngravity = [0, 0, "-g"]\n[parameters]\nm = ""\ng = ""\n'
        '[[link]]\nname = "one"\njoint = { name = "q1", kind = "prismatic" }\naxis = [1, 1, 0]\nmass = "m"\n',
        encoding="utf-8",
    )
    page = derive(dynamis.load(path).equations())
    assert "T[1/√2, 1/√2, 0](q₁)" in render(page)
    assert "mathrm{sqrt}" not in render(page, "latex")
