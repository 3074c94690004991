"""Merging fixed joints changes nothing that can be measured, and is exact where it can be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from dynamis import Frame, Inertia, Joint, Link, Robot
from dynamis.base.expressions.expression import Number
from dynamis.errors import ArgumentError, ModelError
from dynamis.model.merge_fixed import merge_fixed
from tests.support.closeness import close, largest
from tests.support.strategies import Case, robots


@settings(max_examples=100)
@given(robots(joints=(2, 8), friction=True))
def test_torques_reactions_and_frames_are_the_same(case: Case) -> None:
    robot = case.robot()
    assume(0 < robot.n < len(robot.links))
    merged = merge_fixed(robot)
    assert all(link.joint.moves for link in merged.links)
    assert [joint.name for joint in merged.joints] == [joint.name for joint in robot.joints]
    before, after = (r.reactions(case.q, case.qd, case.qdd) for r in (robot, merged))
    close(after.tau, before.tau, tolerance=1e-12, scale=largest(before.wrench))
    moving = [link.joint.moves for link in robot.links]
    close(after.wrench, before.wrench[moving], tolerance=1e-12, scale=largest(before.wrench))
    # Wrenches are in the axes of the links that move.
    for name in ("tool", *(link.name for link in robot.links if not link.joint.moves)):
        close(merged.forward_kinematics(case.q, name), robot.forward_kinematics(case.q, name), tolerance=1e-12)


def fixed(name: str, parent: str, before: str, mass: object = 0, com: object = (0, 0, 0), **tensor: object) -> Link:
    return Link(name, Joint(f"{name} joint", "fixed", before=before), parent, mass, com, Inertia.of(**tensor))


def arm(*links: Link, **more: object) -> Robot:
    first = Link("arm", Joint("j"), "base", 1, (0, 0, 0), Inertia.of(xx=1, yy=1, zz=1))
    return Robot("r", (first, *links), **more)  # type: ignore[arg-type]


def fractions(*entries: object) -> list[Fraction]:
    assert all(isinstance(entry, Number) for entry in entries)
    return [entry.value for entry in entries]  # type: ignore[attr-defined]


def test_right_angles_are_merged_in_fractions() -> None:
    """Masses 1 at the origin and 2 at x = 0.2, the second with its x, y, z along y, -z, -x of the arm."""
    body = fixed("b", "arm", "Tx(0.1) Rz(pi/2) Rx(-pi/2)", 2, (0, 0, -0.1), xx=3, yy=4, zz=5, xy=1)
    (link,) = merge_fixed(arm(body)).links
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = link.inertia.matrix
    assert fractions(link.mass, *link.com) == [3, Fraction(2, 15), 0, 0]
    assert fractions(xx, yy, zz) == [6, 4 + Fraction(2, 75), 5 + Fraction(2, 75)]
    assert fractions(xy, xz, yz) == [0, 0, -1]


def test_other_angles_are_merged_in_decimals() -> None:
    (link,) = merge_fixed(arm(fixed("b", "arm", "Rz(pi/6) Tx(0.2)", 2))).links
    x, y, z = fractions(*link.com)
    assert (float(x), float(y), z) == pytest.approx((0.4 / 3 * 3**0.5 / 2, 0.2 / 3, 0))
    assert len(str(link.com[0])) < 22


def test_a_massless_link_leaves_its_parent_as_it_is() -> None:
    robot = arm(fixed("b", "arm", "Rz(0.3) Tx(0.2)"))
    assert merge_fixed(robot).links[0] == robot.links[0]


def test_inertia_without_mass_is_kept() -> None:
    (link,) = merge_fixed(arm(fixed("b", "arm", "Tx(0.2) Rz(pi/2)", 0, xx=1, yy=2, zz=3))).links
    assert fractions(link.mass, *link.com, *(link.inertia.matrix[i][i] for i in range(3))) == [1, 0, 0, 0, 3, 2, 4]


def test_frames_and_the_tool_follow() -> None:
    links = fixed("b", "arm", "Tx(1)"), fixed("c", "b", "Ty(2) Rz(pi/2)"), fixed("d", "base", "Tz(3)")
    robot = arm(*links, frames=(Frame("eye", "c", Inertia.of(axes="Rx(0.1)").axes),), tool=Frame("tool", "c"))
    merged = merge_fixed(robot)
    assert [(frame.name, frame.link, str(frame.placement)) for frame in merged.frames] == [
        ("eye", "arm", "Tx(1) Ty(2) Rz(pi/2) Rx(0.1)"),
        ("b", "arm", "Tx(1)"),
        ("c", "arm", "Tx(1) Ty(2) Rz(pi/2)"),
        ("d", "base", "Tz(3)"),
    ]
    assert merged.tool is not None
    assert (merged.tool.link, str(merged.tool.placement)) == ("arm", "Tx(1) Ty(2) Rz(pi/2)")


def test_the_notes_say_what_was_done() -> None:
    one = merge_fixed(arm(fixed("b", "base", "Tx(1)", 4)))
    assert one.notes == (
        "1 fixed joint merged into its parent, kept as frame: b",
        'mass that rests on the base "base" does not move and is left out: b',
    )
    many = merge_fixed(arm(*(fixed(f"f{k}", "arm", "Tx(1)") for k in range(14))))
    assert many.notes == (
        "14 fixed joints merged into their parents, kept as frames: "
        "f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 2 more",
    )


def test_a_robot_without_fixed_joints_is_itself() -> None:
    robot = arm()
    assert merge_fixed(robot) is robot


def test_a_robot_with_parameters_is_refused() -> None:
    robot = arm(fixed("b", "arm", "Tx(l)", "m"), values={"l": 1, "m": 2})
    sentence = 'robot "r" uses the parameters l, m; fixed joints are merged in robots of plain numbers only'
    with pytest.raises(ArgumentError) as caught:
        merge_fixed(robot)
    assert str(caught.value) == sentence


def test_a_robot_that_cannot_move_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        merge_fixed(Robot("r", (fixed("b", "base", ""),)))
    assert str(caught.value) == 'robot "r" has no moving joint; at least one is needed'
