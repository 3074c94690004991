"""The recursive form, expanded, is the closed form."""

from dataclasses import replace

import pytest

import dynamis
from dynamis.exact.derivations.robots.named_terms import expand_torques, recursive_form
from dynamis.exact.derive import derive
from dynamis.telling.forms.order import atoms
from dynamis.telling.forms.tree import Trig, size
from dynamis.telling.renderers.page import render


@pytest.mark.parametrize("name", dynamis.robots())
def test_expanded_it_is_the_same(name: str):
    model = dynamis.load(name).symbolic().equations()
    form = recursive_form(model)
    assert expand_torques(form, model.ring) == model.torques
    assert [name for name, _ in form.definitions] == [f"x{k}" for k in range(1, len(form.definitions) + 1)]
    assert all(size(tree) < 100 for _, tree in form.definitions)


def test_under_loads_it_is_the_same():
    wrench = dynamis.ToolWrench("exerted_by_tool", ("fx", "fy", "fz"), ("nx", 0, 0))  # type: ignore[arg-type]
    model = dynamis.load("stanford").equations(loads=[wrench])
    assert expand_torques(recursive_form(model), model.ring) == model.torques


def test_names_that_are_taken_are_left_alone():
    link = dynamis.Link("a", dynamis.Joint("q"), mass="x1", com=("y1", "l", 0))
    robot = dynamis.Robot("r", (link,), parameters=dict.fromkeys(["x1", "y1", "l"], ""))
    model = robot.symbolic(keep_zeros=False).equations()
    form = recursive_form(model)
    assert all(name.startswith("z") for name, _ in form.definitions)
    assert expand_torques(form, model.ring) == model.torques


def test_parallel_axes_give_sums_of_angles():
    form = recursive_form(dynamis.load("puma560").symbolic().equations())
    angles = {atom.angle for _, tree in form.definitions for atom in atoms(tree) if isinstance(atom, Trig)}
    assert (("q2", 1), ("q3", 1)) in angles


def test_joints_by_any_name():
    """The form of a robot whose joints have no numbers is that of the same robot with numbers."""
    robot = dynamis.load("panda")
    words = dict(zip((j.name for j in robot.joints), "abcdefh", strict=True))
    links = [replace(link, joint=replace(link.joint, name=words[link.joint.name])) for link in robot.links]
    renamed = replace(robot, links=tuple(links))
    pages = [render(derive(r.equations(), steps=False), "text") for r in (robot, renamed)]
    assert all("recursive form by Newton-Euler" in page for page in pages)
    assert pages[0].count("x₁ ") == pages[1].count("x₁ ") > 0
