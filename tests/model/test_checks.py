"""What no robot has, word for word."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from dynamis import DynamisError, Frame, Inertia, Joint, Limits, Link, Moment, Robot, load
from dynamis.errors import ArgumentError, ModelError, UnknownNameError, UnphysicalWarning
from dynamis.model.checks import inertia_about_com, unphysical
from dynamis.telling.pages.lint import lint
from tests.support.strategies import Case, robots


def robot(joint: Joint | None = None, **body: Any) -> Robot:
    return Robot("r", (Link("arm", joint or Joint("q"), **{"mass": 1, **body}),))


def refused(kind: type[DynamisError], make: Any) -> DynamisError:
    with pytest.raises(kind) as caught:
        make()
    assert type(caught.value) is kind
    return caught.value


def test_negative_mass() -> None:
    error = refused(ModelError, lambda: robot(mass=-1))
    assert str(error) == 'link "arm" has mass -1; a mass is >= 0'
    assert (error.link, error.key) == ("arm", "mass")
    error = refused(ModelError, lambda: Robot("r", (Link("arm", Joint("q"), mass="a - 2"),), values={"a": 1}))  # type: ignore[dict-item]
    assert str(error) == 'link "arm" has mass -1; a mass is >= 0'


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), np.float64("nan")])
def test_numbers_that_are_not_finite(bad: float) -> None:
    for make, key in (
        (lambda: robot(mass=bad), "mass"),
        (lambda: robot(com=(0, bad, 0)), "com"),
        (lambda: robot(inertia=Inertia.of(xx=bad)), "inertia.xx"),
        (lambda: robot(inertia=Inertia(np.full((3, 3), bad))), "inertia"),
        (lambda: Joint("q", axis=(0, 0, bad)), "axis"),
        (lambda: Joint("q", before=(0, 0, bad)), "offset"),
        (lambda: Joint("q", damping=bad), "damping"),
        (lambda: Limits(lower=bad), "limits.lower"),
        (lambda: robot().with_gravity((0, 0, bad)), "gravity"),
    ):
        error = refused(ArgumentError, make)
        assert str(error) == f"{key} is {float(bad)}; a value is a finite number"


def test_symmetry() -> None:
    error = refused(ModelError, lambda: robot(inertia=Inertia([[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]])))
    assert str(error) == 'the inertia of link "arm" is not symmetric: entry 1,2 is 0.1 and entry 2,1 is 0.2'
    assert (error.link, error.key) == ("arm", "inertia")
    rounded = [[1, 0.1, 0], [0.1 + 1e-14, 1, 0], [0, 0, 1]]
    assert robot(inertia=Inertia(rounded)).n == 1
    symbolic = Inertia([["a", "b", 0], ["c", "a", 0], [0, 0, "a"]])
    link = Link("arm", Joint("q"), mass=1, inertia=symbolic)
    error = refused(ModelError, lambda: Robot("r", (link,), parameters={"a": "", "b": "", "c": ""}))
    assert str(error).endswith("entry 1,2 is b and entry 2,1 is c")


def test_positive_semi_definite() -> None:
    error = refused(ModelError, lambda: robot(inertia=Inertia.of(xx=1, yy=1, zz=-0.5)))
    assert str(error) == (
        'the inertia of link "arm" about its CoM is not positive semi-definite (principal moments -0.5, 1, 1); '
        "no principal moment is negative; set inertia.allow_unphysical = true to run it all the same"
    )


def test_triangle_inequality() -> None:
    error = refused(ModelError, lambda: robot(inertia=Inertia.of(xx=1, yy=1, zz=2.5)))
    assert str(error) == (
        'the inertia of link "arm" about its CoM breaks the triangle inequality (principal moments 1, 1, 2.5); the '
        "largest is at most the sum of the other two; set inertia.allow_unphysical = true to run it all the same"
    )
    assert robot(inertia=Inertia.of(xx=1, yy=1, zz=2)).n == 1
    assert robot(inertia=Inertia.of(xx=1, yy=1, zz=2.000001)).n == 1


def planar(turn: str = "", moment: str = "zz", value: object = 2, **inertia: Any) -> Robot:
    """Two revolute joints, the second turned against the first; link 2 gives one moment alone."""
    one = Inertia.of(**{moment: value, **inertia})
    links = (
        Link("upper", Joint("q1"), mass=3, com=(0.5, 0, 0), inertia=Inertia.of(zz=1)),
        Link("fore", Joint("q2", before=f"Tx(l) {turn}"), "upper", mass=1, com=(0.5, 0, 0), inertia=one),
    )
    return Robot("arm", links, parameters={"l": "length"}, gravity=(0, -9.81, 0))


def test_one_moment_is_enough_for_a_planar_arm() -> None:
    """Nothing else of the tensor enters: the same torques and reactions as with the moments of a bar."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = planar().with_values(l=1)
        twice = planar(turn="Rx(pi)").with_values(l=1)
    whole = planar(yy=2).with_values(l=1)
    state = [0.3, 0.4], [1, 2], [3, 4]
    np.testing.assert_array_equal(alone.inverse_dynamics(*state), whole.inverse_dynamics(*state))
    np.testing.assert_array_equal(alone.reactions(*state).wrench, whole.reactions(*state).wrench)
    assert alone.equations().M[0, 0] == whole.equations().M[0, 0]
    assert [row.split()[-6:] for row in str(alone).splitlines() if row.startswith("fore ")] == [list("002000")]
    assert lint(alone) == lint(twice) == []


def test_one_moment_about_the_origin_is_enough_too() -> None:
    found = planar(value=0.75, about="origin")
    assert np.diag(inertia_about_com(found.links[1], found)).tolist() == [0, 0, 0.5]  # type: ignore[arg-type]
    error = refused(ModelError, lambda: planar(value=0.2, about="origin"))
    assert "is not positive semi-definite" in str(error)


def test_one_moment_is_not_enough_elsewhere() -> None:
    error = refused(ModelError, lambda: planar(turn="Rx(pi/2)"))
    assert str(error) == (
        'the inertia of link "fore" about its CoM breaks the triangle inequality (principal moments 0, 0, 2); the '
        "largest is at most the sum of the other two; zz alone suffices where every joint up to the link rotates about "
        'that axis, but joint "q1" does not: give xx, yy and zz; '
        "set inertia.allow_unphysical = true to run it all the same"
    )
    assert 'joint "q2" does not' in str(refused(ModelError, lambda: planar(moment="xx")))
    assert planar(moment="xx", axes="Ry(pi/2)").n == 2
    # A point mass about the origin has two moments; one of them alone is not its tensor about the CoM.
    assert 'joint "q1" does not' in str(refused(ModelError, lambda: planar("Rx(pi/2)", value=0.25, about="origin")))


def test_inertia_about_the_origin_is_checked_about_the_com() -> None:
    error = refused(ModelError, lambda: robot(com=(1, 0, 0), inertia=Inertia.of(yy=0.5, zz=0.5, about="origin")))
    assert "(principal moments -0.5, -0.5, 0)" in str(error)


def test_an_unphysical_inertia_that_is_allowed_warns() -> None:
    with pytest.warns(
        UnphysicalWarning, match='robot "r": the inertia of link "arm" about its CoM breaks the triangle'
    ):
        robot(inertia=Inertia.of(zz=1, allow_unphysical=True))


def test_a_robot_warns_once() -> None:
    """However many of its links are unphysical; `lint` tells of each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        arm = load("genova-3r")
    (warning,) = caught
    assert str(warning.message).endswith('the sum of the other two; link "link2" is not physical either')
    assert [finding.link for finding in lint(arm) if "triangle" in finding.message] == ["link1", "link2"]


@pytest.mark.parametrize("mass", [1.1, 0.3, 22, 0.007])
@pytest.mark.parametrize("length", [0.3, 0.7, 1e-3, 12.3])
def test_a_point_mass_about_the_origin_is_a_body(mass: float, length: float) -> None:
    """m l^2 - m l^2 leaves rounding of either sign."""
    inertia = Inertia.of(yy=mass * length**2, zz=mass * length**2, about="origin")
    made = robot(mass=mass, com=(length, 0, 0), inertia=inertia)
    tensor = inertia_about_com(made.links[0], made)
    assert tensor is not None
    np.testing.assert_array_equal(tensor, 0)


@settings(max_examples=150)
@given(robots())
def test_every_physical_inertia_passes_however_it_is_told(case: Case) -> None:
    """Thin rods, plates and point masses, about the CoM or the origin, in any axes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = case.robot()
    for part, link in zip(case.parts, made.links, strict=True):
        tensor = inertia_about_com(link, made)
        size = part.mass * (1 + part.com @ part.com)
        np.testing.assert_allclose(tensor, part.inertia, rtol=0, atol=1e-13 * size)


@settings(max_examples=100)
@given(robots(solid=True))
def test_unphysical_inertias_are_seen_in_any_axes(case: Case) -> None:
    for part in case.parts:
        moments, axes = np.linalg.eigh(part.inertia)
        longer = axes @ np.diag([*moments[:2], moments[:2].sum() * 1.01]) @ axes.T
        assert "triangle" in str(unphysical(longer))
        negative = axes @ np.diag([-0.01 * moments[2], *moments[1:]]) @ axes.T
        assert "semi-definite" in str(unphysical(negative))
        assert unphysical(part.inertia) is None


def test_inertia_keywords() -> None:
    error = refused(ModelError, lambda: Inertia.of(about="tip"))  # type: ignore[arg-type]
    assert str(error) == 'inertia must be about "com" or "origin", got "tip"'
    error = refused(ModelError, lambda: Inertia.of(axes="Tx(1)"))
    assert str(error) == "the axes of an inertia are turned, not moved: use Rx, Ry, Rz only"
    error = refused(ArgumentError, lambda: Inertia([[1, 0, 0], [0, 1, 0]]))
    assert str(error) == "an inertia matrix has three rows of three values"


def test_zero_axis() -> None:
    error = refused(ModelError, lambda: Joint("q1", axis=(0, 0, 0)))
    assert str(error) == 'joint "q1" has axis [0, 0, 0]; an axis has a direction'


def test_axes_are_made_unit_vectors() -> None:
    assert [str(x) for x in Joint("q", axis=(0, 0, -2.5)).axis] == ["0", "0", "-1"]
    made = robot(Joint("q", axis=(1, 2, -2)))
    T = made.forward_kinematics([np.pi])[:3, :3]
    np.testing.assert_allclose(T, 2 * np.outer([1, 2, -2], [1, 2, -2]) / 9 - np.eye(3), atol=1e-15)


def test_symbolic_axes_are_unit_vectors() -> None:
    joint = Joint("q", axis=("a", 0, "b"))
    link = Link("arm", joint, mass=1)
    assert Robot("r", (link,), parameters={"a": "", "b": ""}).n == 1
    assert Robot("r", (link,), values={"a": 0.6, "b": 0.8}).n == 1  # type: ignore[dict-item]
    error = refused(ModelError, lambda: Robot("r", (link,), values={"a": 1, "b": 1}))  # type: ignore[dict-item]
    assert str(error) == 'joint "q" has an axis of length 1.41421; an axis must be a unit vector'
    assert (error.link, error.key) == ("arm", "axis")


@pytest.mark.parametrize(
    ("joint", "sentence"),
    [
        ({"damping": -0.1}, "damping -0.1; it must be >= 0"),
        ({"coulomb": -2}, "coulomb -2; it must be >= 0"),
        ({"rotor_inertia": -1e-5}, "rotor_inertia -1e-05; it must be >= 0"),
        ({"gear_ratio": 0}, "gear_ratio 0; it must not be zero (a negative ratio reverses the motor)"),
        ({"limits": Limits(1, -1)}, "limits 1 to -1; the lower is not above the upper"),
        ({"limits": Limits(velocity=-1)}, "velocity limit -1; it must be >= 0"),
        ({"limits": Limits(effort="-pi")}, "effort limit -3.14159; it must be >= 0"),
    ],
)
def test_joints_that_no_robot_has(joint: dict[str, Any], sentence: str) -> None:
    error = refused(ModelError, lambda: robot(Joint("q", **joint)))
    assert str(error) == f'joint "q" has {sentence}'
    assert error.link == "arm"


def test_joint_kinds() -> None:
    error = refused(UnknownNameError, lambda: Joint("q", "revolut"))  # type: ignore[arg-type]
    assert str(error) == (
        'unknown joint kind "revolut"; did you mean "revolute"? (known: revolute, continuous, prismatic, fixed)'
    )


@pytest.mark.parametrize(
    ("place", "within"),
    [
        ({"mass": "1/a"}, 'mass of link "arm"'),
        ({"com": ("1/a", 0, 0)}, 'com of link "arm"'),
        ({"inertia": Inertia.of(xx="1/a", yy="1/a")}, 'inertia of link "arm"'),
        ({"inertia": Inertia.of(axes="Rx(1/a)")}, 'inertia of link "arm"'),
        ({"joint": Joint("q", before="Tx(1/a)")}, 'joint of link "arm"'),
        ({"joint": Joint("q", after="Rx(1/a)")}, 'joint of link "arm"'),
        ({"joint": Joint("q", gear_ratio="1/a")}, 'joint of link "arm"'),
        ({"gravity": (0, 0, "1/a")}, "gravity"),
        ({"tool": Frame("tool", "arm", "Tz(1/a)")}, "tool"),  # type: ignore[arg-type]
        ({"frames": (Frame("eye", "arm", "Tz(1/a)"),)}, "frame eye"),  # type: ignore[arg-type]
    ],
)
def test_values_that_divide_by_zero(place: dict[str, Any], within: str) -> None:
    """Wherever the expression stands, the sentence says so; nothing becomes inf or a traceback."""
    body = {key: place.pop(key) for key in ("joint", "mass", "com", "inertia") if key in place}
    link = Link("arm", **{"joint": Joint("q"), "mass": 1, **body})
    symbolic = Robot("r", (link,), parameters={"a": ""}, **place)
    assert symbolic.with_values(a=2).n == 1
    error = refused(ModelError, lambda: symbolic.with_values(a=0))
    assert str(error) == f'{within}: "1/a" divides by zero with these values'


def test_values_that_are_beyond_floats() -> None:
    error = refused(ModelError, lambda: robot(Joint("q", before="Tx(1e300*1e300)")))
    assert str(error) == 'joint of link "arm": "1e300*1e300" is inf with these values; a value is finite'
    error = refused(ModelError, lambda: robot(com=("sqrt(0 - 1)", 0, 0)))
    assert str(error) == 'com of link "arm": sqrt(-1) is the root of -1, which is negative'
    error = refused(ModelError, lambda: Robot("r", robot().links, values={"a": "1e300*1e300"}))  # type: ignore[dict-item]
    assert str(error) == 'value of a: "1e300*1e300" is inf with these values; a value is finite'
    error = refused(ModelError, lambda: robot(mass=1e300, com=(1e300, 0, 0), inertia=Inertia.of(about="origin")))
    assert str(error) == 'the inertia of link "arm" about its CoM is beyond 1e308'


def test_massless_and_bodiless_links_are_allowed() -> None:
    made = Robot("r", (Link("a", Joint("q")), Link("b", Joint("p"), "a", mass=0, com=(1, 0, 0))))
    assert made.forward_kinematics([1, 2]).shape == (4, 4)
    assert not replace(made, gravity=(0, 0, 1)).reactions([1, 2], loads=[Moment("a", (0, 0, 0))]).wrench.any()
