"""The shortest form is the same scalar, is short, and is found the same way each time."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.forms.order import Layout
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import Number, Power, Rest, Sum, Symbol, Tree, Trig, expand, size
from dynamis.telling.forms.trigonometry import as_it_is, cost, shortest
from tests.support.exact_scalars import RING, scalars
from tests.support.rings import ring

COLLECTED = Layout(factored=False, masses_first=False, gravity_first=True)
# All of c of these takes tens of seconds; their M and g are short.
LARGE = {"panda", "niryo-one"}


@pytest.mark.parametrize("layout", [Layout(), COLLECTED], ids=["factored", "collected"])
@pytest.mark.parametrize("name", dynamis.robots())
def test_the_form_expands_to_the_scalar(name: str, layout: Layout):
    model = dynamis.load(name).equations()
    entries = [entry for row in model.M.rows() for entry in row] + model.gravity
    entries += [c for c in model.coriolis if name not in LARGE or len(c) < 500]
    for entry in entries:
        assert expand(simplest(entry, layout), model.ring) == entry


def test_beyond_the_limit_there_is_no_search_but_the_form_is_right(monkeypatch: pytest.MonkeyPatch):
    model = dynamis.load("panda").equations()
    entry = max(model.coriolis, key=len)
    monkeypatch.setattr("dynamis.telling.forms.simplest.shortest", lambda *given: pytest.fail("a search"))
    monkeypatch.setattr("dynamis.telling.forms.simplest.factor_terms", lambda *given: pytest.fail("a search"))
    tree = simplest(entry)
    assert expand(tree, model.ring) == entry


@settings(max_examples=120, deadline=None)
@given(scalars(), st.tuples(*[st.booleans()] * 5))
def test_random_scalars(scalar: Exact, flags: tuple[bool, ...]):
    """Whatever the flags factored, masses_first, gravity_first, group_velocities, group_masses."""
    assert expand(simplest(scalar, Layout(*flags)), RING) == scalar


@settings(max_examples=50, deadline=None)
@given(scalars())
def test_a_form_beyond_the_limit_is_the_same_scalar(scalar: Exact):
    assert expand(simplest(scalar, limit=0), RING) == scalar


angles = ring(("m1",), joints=("q1", "q2", "q3", "q4"))


def trig(function: str, *names: str, power: int = 1) -> Tree:
    found = Trig("sin" if function == "sin" else "cos", tuple((name, 1) for name in names))
    return found if power == 1 else Power(found, power)


@pytest.mark.parametrize(
    "tree",
    [
        trig("cos", "q1", "q2"),
        trig("sin", "q2", "q3", "q4"),
        trig("sin", "q2", power=2),
        Trig("cos", (("q2", 2),)),
        Trig("sin", (("q2", 1), ("q3", -1))),
        trig("cos", "q2", "q3", power=2),
        trig("sin", "q1", "q2", "q3", "q4"),
    ],
    ids=str,
)
def test_what_is_short_is_found(tree: Tree):
    """cos(q1 + q2), sin^2 q2, cos 2 q2 are found again in what they expand to."""
    assert simplest(expand(tree, angles)) == tree


def test_products_of_sums_of_angles():
    tree = simplest(expand(trig("cos", "q2"), angles) * expand(trig("cos", "q2", "q3"), angles))
    assert size(tree) <= 7


def test_the_search_never_makes_it_longer():
    model = dynamis.load("stanford").equations()
    for entry in (model.M[1, 0], model.M[1, 1], model.gravity[1]):
        names = tuple(sine.of for sine, _ in entry.ring.angles)
        at = [k for pair in entry.ring.angles for k in map(entry.ring.places.__getitem__, pair)]
        polynomial = {tuple(exponents[k] for k in at): Fraction(1) for exponents in entry.terms()}
        assert cost(shortest(polynomial, names, 5)) <= cost(as_it_is(polynomial, names))


def test_zero_and_numbers():
    assert simplest(RING.zero) == Number(Fraction(0))
    assert simplest(RING.number(Fraction(-3, 2))) == Number(Fraction(-3, 2))
    assert simplest(RING.scalar("1/l")) == Power(Symbol("l"), -1)


def test_a_capped_form_is_not_expanded():
    with pytest.raises(ValueError, match="all of its 7 terms"):
        expand(Sum((Symbol("m1"), Rest(7))), RING)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_deterministic(seed: str):
    """The same form in another process, whatever its hash seed."""
    program = (
        "import dynamis; from dynamis.telling.forms.simplest import simplest; "
        "m = dynamis.load('stanford').equations(); print(simplest(m.M[0, 0]), simplest(m.coriolis[1]))"
    )
    other = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
    )
    model = dynamis.load("stanford").equations()
    assert other.stdout.strip() == f"{simplest(model.M[0, 0])} {simplest(model.coriolis[1])}"
