"""Base inertial parameters: known counts, known regroupings, and the rank of stacked regressors."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.base.errors import UnknownNameError
from dynamis.compute.mechanics.dynamics.regressor import drive_torques, inertial_parameters, regressor
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.exact.closed_form.base_parameters import BaseParameters, base_parameters
from dynamis.exact.derive import derive
from dynamis.scalars.exact.ratio import Ratio
from dynamis.telling.renderers.page import render
from tests.support.exact_models import robots
from tests.support.rings import ring


def numeric_rank(robot: dynamis.Robot) -> int:
    """The rank of the regressors of many random motions, stacked, in floats."""
    m, rng = mechanism(robot, robot.floats()), np.random.default_rng(11)
    rows = []
    for _ in range(40 + 10 * len(robot.links)):
        q, qd, qdd = (list(x) for x in rng.uniform(-2, 2, size=(3, robot.n)))
        rows.append(regressor(m, state_at(m, q, qd, qdd)))
    Y = np.concatenate(rows)
    size = np.linalg.norm(Y, axis=0)
    size[size < 1e-9 * max(size.max(), 1e-300)] = np.inf
    singular = np.linalg.svd(Y / size, compute_uv=False)
    return int((singular > 1e-9 * singular[0]).sum())


def check(found: BaseParameters) -> None:
    """tau = Y_b beta + drives in the ring, multiplied by the denominators of beta."""
    model = found.model
    pi = dict(zip(found.names, inertial_parameters(model.mechanism), strict=True))
    factors = [factor for c in found.combinations for factor in c.others.values()]
    common = Ratio.common_denominator(factors, model.ring)
    one = model.ring.number(1)
    multiple = cache(lambda denominator: Ratio.of(one, denominator).over(common))
    beta = []
    for combination in found.combinations:
        value = pi[combination.name] * common
        for name, factor in combination.others.items():
            value = value + pi[name] * factor.numerator * multiple(factor.denominator)
        beta.append(value)
    drives = drive_torques(model.mechanism, model.state)
    for row, drive, tau in zip(found.regressor, drives, model.newton_euler.tau, strict=True):
        total = drive * common
        for y, b in zip(row, beta, strict=True):
            total = total + y * b
        assert total == tau * common


@pytest.mark.parametrize(
    ("name", "count"),
    [("planar-elbow", 6), ("cartesian", 2), ("genova-3r", 15), ("stanford", 33), ("puma560", 36), ("ur5", 36)],
)
def test_known_counts(name: str, count: int):
    """36 for a PUMA 560 without rotors (Gautier and Khalil 1990); the lists are proved minimal."""
    robot = dynamis.load(name)
    found = base_parameters(robot.equations())
    assert found.rank == count
    if not robot.missing_values:
        assert numeric_rank(robot) == count
    check(found)


def test_panda():
    """43, as in C. Gaz et al., Dynamic identification of the Franka Emika Panda robot, RA-L 2019."""
    assert base_parameters(dynamis.load("panda").equations()).rank == 43


def test_planar_arm_in_words():
    """Masses beyond the elbow go into link 1; what only another plane would show is absent, and why."""
    found = base_parameters(dynamis.load("planar-elbow").equations())
    assert [str(c) for c in found.combinations] == ["mx1 + l1*m2", "my1", "Izz1 + l1^2*m2", "mx2", "my2", "Izz2"]
    assert len(found.sentences) == 20
    assert found.sentence("Izz2") == "Izz2 is identifiable alone."
    assert found.sentence("m2") == "m2 is identifiable only in combinations, those named mx1, Izz1."
    assert found.sentence("Izz1") == "Izz1 is identifiable only in the combination Izz1 + l1^2*m2."
    assert "link1 never rotates about its x axis" in found.sentence("Ixx1")
    assert "link2 rotates about its z axis only, and mz2 is along it" in found.sentence("mz2")
    assert found.proof.startswith("6 base parameters for a geometry in symbols: of the 20 columns of Y 13 are zero")
    with pytest.raises(UnknownNameError, match='did you mean "Izz1"'):
        found.sentence("Izz_1")


def test_puma_as_in_the_books():
    found = base_parameters(dynamis.load("puma560").equations())
    texts = [str(c) for c in found.combinations]
    assert "mx2 + a2*(m2 + m3 + m4 + m5 + m6)" in texts
    assert "Ixx6 - Iyy6" in texts
    assert "the origin of the frame of link1 does not move" in found.sentence("m1")
    assert base_parameters(dynamis.load("puma560").equations(), gravity=False).rank == 34


def test_sliders():
    found = base_parameters(dynamis.load("cartesian").equations())
    assert [str(c) for c in found.combinations] == ["m1", "m2"]
    assert "link2 translates and never rotates" in found.sentence("Izz2")


@settings(max_examples=12)
@given(robots())
def test_random_trees(robot: dynamis.Robot):
    """In letters tau = Y_b beta; in numbers the rank of floats."""
    check(base_parameters(robot.equations()))
    assert base_parameters(robot.equations(numeric=True)).rank == numeric_rank(robot)


def test_ratios():
    world = ring("lh")
    length, height = Ratio.of(world.scalar("l")), Ratio.of(world.scalar("h"))
    assert str(length / height) == "(l)/(h)"
    assert (length / height) * height == length
    assert not (length / height - length / height)
    assert (length / height).over(world.scalar("h")) == world.scalar("l")


def test_sines_of_fixed_angles_cancel() -> None:
    """my1 - sin(a) mz2, not my1 + (-sin(a)^2/sin(a)) mz2; the page writes the minus before the factor."""
    links = (
        dynamis.Link("one", dynamis.Joint("q1"), "base", "m1", ("c1", "e1", 0)),
        dynamis.Link("two", dynamis.Joint("q2", before="Tx(l) Rx(0.1)"), "one", "m2", ("c2", "e2", "h2")),
    )
    names = sorted({"g", "l", "m1", "c1", "e1", "m2", "c2", "e2", "h2"})
    robot = dynamis.Robot("twisted", links, gravity=(0, "-g", 0), parameters=dict.fromkeys(names, ""))
    model = robot.equations()
    assert str(model.base_parameters.combinations[1]) == "my1 - sin(1/10)*mz2"
    assert "β₂ = my₁ − sin(0.1) mz₂" in render(derive(model, "base-parameters"))
    one, sine = model.ring.one, model.ring.scalar("sin(1/10)")
    assert Ratio.of(one, sine).without_sines_below() == Ratio.of(one, sine)
