"""M > 0 for all q: what is proved is so at every point, what is refuted is not so at the point that is given."""

from fractions import Fraction
from math import atan2

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Inertia, Joint, Link
from dynamis.base.expressions.expression import ZERO
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.exact.closed_form.signs import positive_symbols
from dynamis.exact.positive_definite.by_minors import determinant, minors
from dynamis.exact.positive_definite.by_one_coordinate import Everywhere, is_positive_everywhere
from dynamis.exact.positive_definite.positive_definite import PositiveDefinite, positive_definite
from dynamis.exact.positive_definite.verdict import Singular

# Full inertias that are positive definite, a thin rod along (3, 0, 4)/5, a point, a disc without thickness, a rod.
SOLID = [Inertia.of(xx=2, yy=3, zz=4, xy="1/2", xz="-1/3", yz="1/4"), Inertia.of(xx="0.2", yy="0.3", zz="0.25")]
THIN = [Inertia.of(xx="16/25", yy=1, zz="9/25", xz="-12/25"), Inertia(), Inertia.of(xx=1, yy=1), Inertia.of(yy=1, zz=1)]
PLACES = ["Tx(0.5)", "Rx(0.3)", "Rx(pi/2)", "Rx(pi/7) Tz(0.25)", "Ry(pi/2) Rz(0.3)", ""]
COMS = [(0, 0, 0), ("3/10", 0, "4/10"), ("3/10", "1/10", "4/10"), (0, 0, 1), (1, 0, 0)]
AXES = [(0, 0, 1), (0, 1, 0), (1, 0, 0), ("3/5", 0, "4/5"), (1, 2, 2)]
LETTERS = ("A", "B", "C", "D", "E", "F")
FULL = Inertia.of(**dict(zip(("xx", "yy", "zz", "xy", "xz", "yz"), LETTERS, strict=True)))
MASSLESS = Link("ring", Joint("q1"), "base", 0)


def arm(*links: Link) -> dynamis.Robot:
    letters = sorted(name for link in links for name in link.parameters())
    return dynamis.Robot("arm", links, parameters=dict.fromkeys(letters, ""))


def smallest(robot: dynamis.Robot, q: list[float]) -> float:
    """The smallest eigenvalue of M, beside the largest."""
    m, still = mechanism(robot, robot.floats()), [0.0] * robot.n
    moments = np.linalg.eigvalsh(np.array(mass_matrix(m, state_at(m, q, still, still))))
    return moments[0] / max(abs(moments[-1]), 1e-300)


def angles_of(found: PositiveDefinite, robot: dynamis.Robot) -> list[float]:
    """The q of a counterexample."""
    assert found.singular is not None
    point = {name: float(x) for name, x in found.singular.point.items()}
    return [
        atan2(point.get(f"sin({j.name})", 0), point.get(f"cos({j.name})", 1)) if j.revolute else point.get(j.name, 0.0)
        for j in robot.joints
    ]


@st.composite
def arms(draw: st.DrawFn, joints: int = 2, solid: bool = False) -> dynamis.Robot:
    """Arms and trees in numbers: links without mass, rods and points too, angles that are no fractions of pi."""
    links: list[Link] = []
    for k in range(joints):
        kind = draw(st.sampled_from(["revolute", "prismatic"]))
        joint = Joint(f"q{k + 1}", kind, draw(st.sampled_from(AXES)), draw(st.sampled_from(PLACES)))
        mass = 2 if solid else draw(st.sampled_from([0, 2]))
        inertia = draw(st.sampled_from(SOLID if solid else SOLID + THIN)) if mass else Inertia()
        parent = draw(st.sampled_from(["base", *(link.name for link in links)])) if links else "base"
        links.append(Link(f"link{k + 1}", joint, parent, mass, draw(st.sampled_from(COMS)), inertia))
    # A robot without any mass has no equations.
    assume(any(link.mass != ZERO for link in links))
    return dynamis.Robot("arm", tuple(links))


@settings(max_examples=80)
@given(arms())
def test_two_joints_in_numbers_are_decided_and_rightly(robot: dynamis.Robot):
    found, rng = positive_definite(robot.equations(numeric=True)), np.random.default_rng(5)
    assert found.method not in ("sampling", "not decided")
    if found.proved:
        assert all(smallest(robot, list(q)) > 0 for q in rng.uniform(-3, 3, size=(50, 2)))
    else:
        assert smallest(robot, angles_of(found, robot)) == pytest.approx(0, abs=1e-6)


@settings(max_examples=40)
@given(arms())
def test_intervals_agree_with_the_other_arguments(robot: dynamis.Robot):
    """Where all squares decide, intervals do not say the contrary; where M > 0 they always see it."""
    model = robot.equations(numeric=True)
    found = positive_definite(model)
    seen = [is_positive_everywhere(scalar, model, 1) for scalar in (model.M[1, 1], determinant(model))]
    assert None not in seen
    assert found.proved == all(s is not None and s.verdict == "positive" for s in seen)
    assert found.proved or all(s is not None and (s.verdict != "not positive" or s.places == (0.0,)) for s in seen)


@settings(max_examples=40)
@given(arms())
def test_the_squares_are_the_determinant(robot: dynamis.Robot):
    """Cauchy and Binet, where all inertias are diagonal."""
    model = robot.equations()
    found = minors(model, positive_symbols(model))
    if not found.solid and not found.other:
        total = model.ring.zero
        for weight, minor in found.pairs:
            total = total + weight * minor * minor
        assert total == determinant(model)


@settings(max_examples=20)
@given(st.integers(1, 5).flatmap(lambda n: arms(n, solid=True)))
def test_bodies_have_a_proof_with_any_number_of_joints(robot: dynamis.Robot):
    found = positive_definite(robot.equations(numeric=True))
    assert found.proved
    for q in np.random.default_rng(6).uniform(-3, 3, size=(10, robot.n)):
        assert smallest(robot, list(q)) > 0


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from(AXES), st.sampled_from(PLACES), st.booleans()), min_size=1, max_size=4))
def test_letters_with_bodies_assumed(chain: list[tuple[tuple[object, ...], str, bool]]):
    """Products of inertia in letters: proved if the links are bodies, and then so with the numbers of any body."""
    links: list[Link] = []
    for k, (axis, before, turns) in enumerate(chain):
        joint = Joint(f"q{k + 1}", "revolute" if turns else "prismatic", axis, before)  # type: ignore[arg-type]
        links.append(Link(f"link{k + 1}", joint, links[-1].name if links else "base", "m", ("l", 0, 0), FULL))
    robot = arm(*links)
    found = positive_definite(robot.equations())
    assert found.proved
    values = dict(zip(LETTERS, (2, 3, 4, 0.5, -0.25, 0.5), strict=True))
    known = robot.with_values(**values, m=2, l=-0.5)
    for q in np.random.default_rng(7).uniform(-3, 3, size=(10, robot.n)):
        assert smallest(known, list(q)) > 0


def test_what_is_assumed_is_said():
    """A skew axis: that k.I k > 0 is seen of no letter."""
    one = Link("arm", Joint("q1", axis=(1, 1, 0)), "base", "m", (0, 0, 0), FULL)
    two = Link("slide", Joint("q2", "prismatic"), "arm", "2*m - l", ("l", 0, 0), FULL)
    assert str(positive_definite(arm(one, two).equations())) == (
        "M is positive definite for all q: every link has inertia about its own joint axis, so T = 0 only at rest "
        "(assuming the mass of slide > 0; the inertia of arm about the CoM positive definite; "
        "masses, rotor inertias and inertias about the CoM >= 0)."
    )


def test_a_ring_without_mass_that_carries_a_body():
    """Joint 1 has no inertia of its own; whether the body on it turns with it at all q is asked of the Jacobians."""
    found = positive_definite(
        arm(MASSLESS, Link("b", Joint("q2", axis=(0, 1, 0)), "ring", "m", ("l", 0, 0), FULL)).equations()
    )
    assert (found.proved, found.method) == (True, "Jacobians")
    assert "the inertia of b about the CoM positive definite" in found.assumes
    same = Link("b", Joint("q2"), "ring", "m", ("l", 0, 0), FULL)
    found = positive_definite(arm(MASSLESS, same).equations())
    assert (found.holds, found.method) == (False, "counterexample")


@pytest.mark.parametrize(
    "last",
    [
        Link("hand", Joint("q2", axis=(1, 1, 0)), "arm", 0),
        Link("hand", Joint("q2"), "arm", "m", (0, 0, "l"), Inertia.of(xx="A", yy="A")),
        Link("hand", Joint("q2", axis=(1, 1, 0)), "arm", "m", (0, 0, 0), Inertia.of(xx="A", yy="A", zz="2*A", xy="-A")),
        Link("hand", Joint("q2", "prismatic"), "arm", 0),
    ],
    ids=["no mass", "a rod about itself", "a skew rod about itself", "no mass that slides"],
)
@pytest.mark.parametrize("between", [False, True])
def test_links_without_inertia_about_their_joint_are_not_called_bodies(last: Link, between: bool):
    """Whatever is assumed, a rod that turns about itself has no inertia there; with three joints as with two."""
    first = Link("arm", Joint("q1"), "base", "m", ("l", 0, 0), FULL)
    extra = [Link("extra", Joint("q3", axis=(1, 2, 2)), "base", "m", (0, 0, 0), FULL)] if between else []
    found = positive_definite(arm(first, *extra, last).equations())
    assert not found.holds
    assert found.method == "counterexample"


def test_what_is_fixed_to_a_link_counts():
    """The ring has no mass, but a weight is fixed to it."""
    weight = Link("weight", Joint("f", "fixed"), "ring", "m", (1, 0, 0))
    turn = Link("b", Joint("q2", axis=(0, 1, 0)), "ring", "m", ("l", 0, 0), Inertia.of(yy="A"))
    more = Link("c", Joint("q3", axis=(0, 1, 0)), "b", "m", ("l", 0, 0), Inertia.of(yy="A"))
    found = positive_definite(arm(MASSLESS, weight, turn, more).equations())
    assert (found.proved, found.method) == (True, "kinetic energy")


def test_a_rod_at_an_angle_that_is_no_fraction_of_pi():
    """sin(3/10) is a letter: M is singular where the rod stands on the axis of the ring, and all such q are known."""
    rod = Link("rod", Joint("q2", axis=(0, 1, 0), after="Ry(0.3)"), "ring", 2, ("3/10", 0, "4/10"), THIN[0])
    robot = arm(MASSLESS, rod)
    found = positive_definite(robot.equations(numeric=True))
    assert (found.method, found.singular is not None and bool(found.singular.only)) == ("counterexample", True)
    assert "3/10 =" not in str(found)
    assert smallest(robot, angles_of(found, robot)) == pytest.approx(0, abs=1e-12)
    off = Link("rod", Joint("q2", axis=(0, 1, 0), before="Tx(0.2)", after="Ry(0.3)"), "ring", 2, rod.com, THIN[0])
    assert positive_definite(arm(MASSLESS, off).equations(numeric=True)).proved


def unphysical(xx: str, kind: str = "revolute", before: str = "Rx(0.3)") -> dynamis.Robot:
    """Numbers that are no body's, so that only M itself can tell."""
    odd = Inertia.of(xx=xx, yy=1, zz=1, xz="1/10", allow_unphysical=True)
    joint = Joint("q2", kind, (0, 1, 0), before)  # type: ignore[arg-type]
    return arm(MASSLESS, Link("odd", joint, "ring", 2, ("3/10", "1/5", "4/10"), odd))


def test_numbers_of_no_body_by_intervals():
    found = positive_definite(unphysical("-1/100").equations(numeric=True))
    assert (found.proved, found.method) == (True, "intervals")
    assert str(found) == (
        "M is positive definite for all q: "
        "M[2,2] > 0 and det M > 0 on intervals that cover all q2, with rigorous bounds."
    )
    robot = unphysical("-4")
    found = positive_definite(robot.equations(numeric=True))
    assert (found.holds, found.method) == (False, "counterexample")
    assert smallest(robot, angles_of(found, robot)) < 0
    found = positive_definite(unphysical("-1/100", "prismatic").equations(numeric=True))
    assert found.proved


def everywhere(kind: str, *terms: tuple[object, int, int]) -> Everywhere | None:
    """Whether a sum of terms a sin^i cos^j, or a q^i, is positive everywhere."""
    robot = arm(MASSLESS, Link("b", Joint("q2", kind, before="Rx(0.3)"), "ring", 1))  # type: ignore[arg-type]
    model = robot.equations()
    s, c = ("sin(q2)", "cos(q2)") if kind == "revolute" else ("q2", "q2")
    total = model.ring.zero
    for a, i, j in terms:
        number = model.ring.scalar(a) if isinstance(a, str) else model.ring.number(Fraction(a))  # type: ignore[arg-type]
        for letter in [s] * i + [c] * j:
            number = number * model.ring.scalar(letter)
        total = total + number
    return is_positive_everywhere(total, model, 1)


@pytest.mark.parametrize(
    ("kind", "terms", "verdict", "places"),
    [
        ("revolute", [(1, 0, 0)], "positive", []),
        ("revolute", [(Fraction(1000001, 1000000), 0, 0), (1, 1, 0)], "positive", []),
        (
            "revolute",
            [(1, 0, 0), ("sin(3/10)", 1, 0), ("cos(3/10)", 0, 1)],
            "not decided",
            [0.3 - np.pi / 2 - np.pi / 2],
        ),
        ("revolute", [("sin(3/10)", 0, 0), (1, 1, 0)], "not positive", None),
        ("prismatic", [(1, 0, 0), (1, 1, 0), (1, 2, 0)], "positive", []),
        ("prismatic", [(Fraction(1, 4), 0, 0), (1, 1, 0), (1, 2, 0)], "not decided", [-0.5]),
        ("prismatic", [(100, 0, 0), (-20, 1, 0), (1, 2, 0)], "not decided", [10]),
        ("prismatic", [(9, 0, 0), (-1, 2, 0)], "not positive", None),
        ("prismatic", [(9, 0, 0), (1, 1, 0)], "not positive", None),
        ("prismatic", [("sin(3/10)", 0, 0)], "positive", []),
    ],
)
def test_intervals(kind: str, terms: list[tuple[object, int, int]], verdict: str, places: list[float] | None):
    """Touching zero is not decided and the place is given; below zero by how little, it is."""
    found = everywhere(kind, *terms)
    assert found is not None
    assert found.verdict == verdict
    if places is not None:
        assert sorted(x % (2 * np.pi) if kind == "revolute" else x for x in found.places) == pytest.approx(
            [x % (2 * np.pi) if kind == "revolute" else x for x in places]
        )
    else:
        (x,) = found.places
        values = {"sin(3/10)": np.sin(0.3)}
        s, c = (np.sin(x), np.cos(x)) if kind == "revolute" else (x, x)
        assert sum(values.get(str(a), a) * s**i * c**j for a, i, j in terms) < 0  # type: ignore[operator]


def test_intervals_do_not_read_letters():
    assert everywhere("revolute", ("d(q1)", 0, 0)) is None


def test_not_decided_is_said():
    known = PositiveDefinite(None, "not decided", "", singular=Singular({}, "q2 = -2.84159"))
    assert str(known) == (
        "It was not decided whether M is positive definite for all q: it is, except perhaps within 1e-12 "
        "of q2 = -2.84159, where det M is too small to tell from 0."
    )
    assert not known.proved
