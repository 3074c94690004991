"""The recursive form, expanded, is the closed form."""

import pytest

import dynamis
from dynamis.exact.recursive import expanded, recursive_form
from dynamis.exact.tree import size


@pytest.mark.parametrize("name", dynamis.robots())
def test_expanded_it_is_the_same(name: str):
    model = dynamis.load(name).symbolic().equations()
    form = recursive_form(model)
    assert expanded(form, model.ring) == model.torques
    assert [name for name, _ in form.definitions] == [f"x{k}" for k in range(1, len(form.definitions) + 1)]
    assert all(size(tree) < 100 for _, tree in form.definitions)


def test_names_that_are_taken_are_left_alone():
    link = dynamis.Link("a", dynamis.Joint("q"), mass="x1", com=("y1", "l", 0))
    robot = dynamis.Robot("r", (link,), parameters=dict.fromkeys(["x1", "y1", "l"], ""))
    model = robot.symbolic(keep_zeros=False).equations()
    form = recursive_form(model)
    assert all(name.startswith("z") for name, _ in form.definitions)
    assert expanded(form, model.ring) == model.torques
