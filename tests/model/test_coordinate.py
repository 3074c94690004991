"""Coordinates: which variables of a robot are free, how they move its joints, and couplings that lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from dynamis import DynamisError, Joint, Limits, Link, Robot
from dynamis.base.expressions.expression import ZERO
from dynamis.model.coordinate import MAX_CHAIN
from dynamis.scalars.floats import number


def chain(*joints: Joint, **more: Any) -> Robot:
    """Joints in a row, each with a link of 1 kg."""
    links = [Link(f"link {k}", joint, f"link {k - 1}" if k else "base", 1, (1, 0, 0)) for k, joint in enumerate(joints)]
    return Robot("chain", tuple(links), **more)


def rows(robot: Robot) -> list[str]:
    names = [coordinate.name for coordinate in robot.coordinates]
    return [row.text(names) for row in robot.couplings]


def test_without_couplings_every_moving_joint_is_a_coordinate() -> None:
    robot = chain(Joint("a"), Joint("weld", "fixed"), Joint("b", "prismatic"))
    assert [(c.name, c.revolute, c.unit) for c in robot.coordinates] == [("a", True, "N m"), ("b", False, "N")]
    assert (robot.n, robot.coupled, rows(robot)) == (2, False, ["a", "b"])


def test_couplings_of_couplings_lead_to_coordinates() -> None:
    """q3 = 2 q2 - q4 + pi/2 with q2 = -q1 + 1: every joint in terms of q1 and q4, whatever stands first."""
    robot = chain(
        Joint("q3", coupling={"q2": 2, "q4": -1}, coupling_offset="pi/2"),
        Joint("q2", coupling={"q1": -1}, coupling_offset=1),
        Joint("q1"),
        Joint("q4"),
    )
    assert [c.name for c in robot.coordinates] == ["q1", "q4"]
    assert (robot.n, len(robot.joints), robot.coupled) == (2, 4, True)
    assert rows(robot) == ["-2*q1 - q4 + pi/2 + 2", "-q1 + 1", "q1", "q4"]


def test_factors_may_be_symbols() -> None:
    robot = chain(Joint("q1"), Joint("q2", coupling={"q1": "r1/r2"}), parameters={"r1": "", "r2": ""})
    assert rows(robot) == ["q1", "(r1/r2)*q1"] or rows(robot) == ["q1", "r1/r2*q1"]
    assert robot.used_parameters() == {"r1", "r2"}
    assert robot.with_values(r1=1, r2=2).coordinates[0].limits == Limits()


def test_limits_of_coupled_joints_narrow_those_of_the_coordinate() -> None:
    """-1 <= -2 y + 0.5 <= 1 is -0.25 <= y <= 0.75; half the speed; the effort is the coordinate's own."""
    own = Limits(-2, "0.5", 3, 10)
    robot = chain(
        Joint("y", limits=own), Joint("q", coupling={"y": -2}, coupling_offset="0.5", limits=Limits(-1, 1, 4, 1))
    )
    limits = dict(robot.coordinates[0].limits.items())
    assert {name: number(value, {}) for name, value in limits.items()} == {
        "lower": -0.25, "upper": 0.5, "velocity": 2, "effort": 10
    }  # fmt: skip


def test_limits_that_leave_no_position_are_refused() -> None:
    limits = Limits(5, 6)
    with pytest.raises(DynamisError, match='follow "y" leave it no position: it would be at least 5 and at most 1'):
        chain(Joint("y", limits=Limits(-1, 1)), Joint("q", coupling={"y": 1}, limits=limits))


def test_a_symbol_of_unknown_sign_narrows_nothing() -> None:
    robot = chain(
        Joint("y", limits=Limits(-1, 1)), Joint("q", coupling={"y": "k"}, limits=Limits(-1, 1)), parameters={"k": ""}
    )
    assert robot.coordinates[0].limits == Limits(-1, 1)
    assert (
        number(robot.with_values(k=-4).coordinates[0].limits.upper or ZERO, {"k": robot.with_values(k=-4).values["k"]})
        == 0.25
    )


WRONG = {
    "unknown": (
        lambda: chain(Joint("q1"), Joint("q2", coupling={"q3": 1})),
        'unknown joint "q3" in coupling of joint "q2"; did you mean "q1"? (known: q1)',
    ),
    "fixed": (
        lambda: chain(Joint("q1"), Joint("weld", "fixed"), Joint("q2", coupling={"weld": 1})),
        'joint "q2" is coupled to joint "weld", which is fixed; couple it to one that moves',
    ),
    "itself": (
        lambda: Joint("q1", coupling={"q1": 2}),
        'joint "q1" is coupled to itself; couple it to joints that move it',
    ),
    "cycle": (
        lambda: chain(Joint("q0"), Joint("q1", coupling={"q2": 1}), Joint("q2", coupling={"q0": 1, "q1": 1})),
        "joints q1 -> q2 -> q1 are coupled in a cycle; one of them must be independent",
    ),
    "zero": (
        lambda: Joint("q2", coupling={"q1": 0}),
        'joint "q2" follows joint "q1" with the factor 0; couple it to joints that move it',
    ),
    "zero by its value": (
        lambda: chain(Joint("q1"), Joint("q2", coupling={"q1": "k"}), values={"k": 0}),
        'joint "q2" has the factor 0 in its coupling to "q1"; couple it to joints that move it',
    ),
    "cancels": (
        lambda: chain(Joint("q1"), Joint("q2", coupling={"q1": 1}), Joint("q3", coupling={"q1": 1, "q2": -1})),
        'the coupling of joint "q3" cancels out, so it does not move; make it a fixed joint',
    ),
    "a fixed joint": (lambda: Joint("w", "fixed", coupling={"q1": 1}), 'joint "w" is fixed; it cannot be coupled'),
    "only an offset": (lambda: Joint("q", coupling_offset=1), 'joint "q" has a coupling_offset but no coupling'),
    "no mapping": (
        lambda: Joint("q", coupling="q1"),  # type: ignore[arg-type]
        'coupling of joint "q" must map joints to factors, such as {"q1": 2}, got "q1"',
    ),
    "too long": (
        lambda: chain(Joint("q0"), *(Joint(f"q{k}", coupling={f"q{k - 1}": 1}) for k in range(MAX_CHAIN + 1, 0, -1))),
        f'joint "q{MAX_CHAIN + 1}" is the end of more than {MAX_CHAIN} couplings in a row',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_couplings_that_lead_nowhere(case: str) -> None:
    make, sentence = WRONG[case]
    with pytest.raises(DynamisError) as caught:
        make()
    assert str(caught.value) == sentence


def test_the_wrong_number_of_values_names_the_independent_joints() -> None:
    robot = chain(Joint("q1"), Joint("q2", coupling={"q1": -1}))
    with pytest.raises(DynamisError, match=r'got 2 values; robot "chain" has 1 independent joint \(q1\)'):
        robot.gravity_torque([0.1, 0.2])
