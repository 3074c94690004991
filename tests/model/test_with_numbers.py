"""Parameters that are numbers in a model that has letters."""

import re

import numpy as np
import pytest

import dynamis
from dynamis import Force, Frame, Joint, Link, Robot
from dynamis.base.expressions.parser import parse
from dynamis.errors import UnphysicalWarning
from dynamis.exact.derive import derive, derive_only
from dynamis.model.with_numbers import with_numbers
from dynamis.telling.renderers.page import render
from tests.support.closeness import close


@pytest.mark.parametrize("name", [name for name in dynamis.robots() if not dynamis.load(name).missing_values])
def test_it_is_the_same_robot(name: str):
    """Torques, energies and the tool are those of before."""
    robot, rng = dynamis.load(name), np.random.default_rng(4)
    same = with_numbers(robot, list(robot.values))
    assert not same.parameters
    q, qd, qdd = rng.normal(size=(3, robot.n))
    close(same.inverse_dynamics(q, qd, qdd), robot.inverse_dynamics(q, qd, qdd), tolerance=1e-12)
    close(same.potential_energy(q), robot.potential_energy(q), tolerance=1e-12)
    close(same.jacobian(q), robot.jacobian(q), tolerance=1e-12)


def test_letters_and_numbers():
    robot = dynamis.load("deluca-2r").with_values(d2=0, m1="3/2")
    model = with_numbers(robot, ["d2"]).equations()
    letter = model.ring.scalar
    assert model.M[0, 0] == letter("I1") + letter("I2") + letter("m1") * letter("d1") * letter("d1") + (
        letter("m2") * letter("l1") * letter("l1")
    )
    assert with_numbers(robot, []) is robot
    assert with_numbers(robot, ["m1", "d2"]).name == "deluca-2r with m1 = 1.5, d2 = 0"


@pytest.mark.filterwarnings("error")
def test_robots_with_the_same_bodies_are_not_warned_about_again():
    inertia = dynamis.Inertia.of(xx=3, yy=1, zz="I", allow_unphysical=True)
    links = (dynamis.Link("arm", dynamis.Joint("q1"), inertia=inertia),)
    with pytest.warns(UnphysicalWarning, match="breaks the triangle inequality"):
        robot = dynamis.Robot("r", links, values={"I": parse("1")})
    robot.symbolic(keep_zeros=False)
    with_numbers(robot, ["I"])


def test_a_numeric_model_shows_numbers_everywhere():
    """Chains of steps and tables have the values too, not symbols that the page does not explain."""
    shank = Link("shank", Joint("q1", before="Tx(ell) Rz(ell)"), mass="mu", com=("ell/4", 0, 0))
    robot = Robot("leg", (shank,), parameters={"ell": "", "mu": ""}, values={"ell": 0.4, "mu": 2},
        tool=Frame("tool", "shank", "Tx(ell)"))  # fmt: skip
    model = robot.equations(numeric=True, loads=[Force("shank", ("fx", 0, 0), point=("ell", 0, 0))])
    assert model.robot.name == "leg"
    assert set(model.robot.parameters) == {"fx"}
    page = render(derive(model)) + render(derive_only(model, "A, T[0,c1], T[0,tool], Q"))
    assert "Tx(0.4) Rz(0.4)" in page
    assert not re.search("ell|ℓ|mu|μ", page)
