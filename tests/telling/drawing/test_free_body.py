"""Free bodies: five groups of forces, in equilibrium, equal to reactions and accelerations that are known otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Force, Moment
from dynamis.errors import UnknownNameError
from dynamis.telling.drawing.draw import setting
from dynamis.telling.drawing.free_body import forces
from dynamis.telling.pictures.text import plain_text
from tests.support.drawings import check
from tests.support.strategies import robots

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")


@settings(max_examples=15)
@given(robots(joints=(1, 5), loads=True))
def test_the_five_groups_are_in_equilibrium(case):
    """Forces, and moments about the CoM, cancel; inertia and reactions are those of `link_motions` and `reactions`."""
    robot = case.robot()
    state = (case.q, case.qd, case.qdd)
    given_state = setting(robot, *state, case.loads, case.gravity_given)
    motions = robot.link_motions(*state)
    reactions = robot.reactions(*state, loads=case.loads, gravity=case.gravity_given)
    for k, limb in enumerate(given_state.scheme.limbs):
        groups = dict(forces(given_state, limb))
        actions = [action for group in groups.values() for action in group]
        scale = 1 + max(action.size for action in actions)
        force = sum((a.vector for a in actions if a.kind == "force"), np.zeros(3))
        moment = sum((a.vector for a in actions if a.kind == "moment"), np.zeros(3))
        moment = moment + sum((np.cross(a.at - limb.com, a.vector) for a in actions if a.kind == "force"), np.zeros(3))
        np.testing.assert_allclose(force / scale, 0, atol=1e-9)
        np.testing.assert_allclose(moment / scale, 0, atol=1e-9)
        mass = case.parts[k].mass
        R = robot.forward_kinematics(case.q, limb.link.name)[:3, :3]
        acceleration = R @ motions.com_acceleration[k]
        np.testing.assert_allclose(groups["inertia"][0].vector, -mass * acceleration, atol=1e-8 * scale)
        np.testing.assert_allclose(groups["weight"][0].vector, mass * case.acting_gravity, atol=1e-9 * scale)
        held = groups["reaction of the previous link"]
        np.testing.assert_allclose(held[0].vector, R @ reactions.force[k], atol=1e-8 * scale)
        np.testing.assert_allclose(held[1].vector, R @ reactions.moment[k], atol=1e-8 * scale)


@settings(max_examples=6)
@given(robots(joints=(1, 5), loads=True))
def test_any_free_body_can_be_drawn(case):
    robot = case.robot()
    for link in robot.links:
        check(robot.free_body(link.name, case.q, case.qd, case.qdd, loads=case.loads, gravity=case.gravity_given))


def test_a_free_body_names_its_forces_and_says_which_are_zero():
    robot = dynamis.load("bar-2r")
    loads = [Force("link1", (1, 0, 0)), Moment("link1", (0, 0, 2))]
    body = robot.free_body("link1", [0.4, 0.5], [1, 1], [2, 2], loads=loads)
    names = {plain_text(label.text) for label in body.picture.labels}
    wanted = {"m1 g", "F_C1^ext", "M_C1^ext", "F_1/0", "M_1/0", "−F_2/1", "−M_2/1", "−m1 a_C1", "P1", "P2", "C1", "g"}
    assert wanted <= names
    assert "Zero here" not in body.caption
    at_rest = robot.free_body("link2", [0.4, 0.5])
    assert "Zero here: external loads, reactions of the next links, inertia." in at_rest.caption
    rows = [line for line in str(at_rest).splitlines() if line.startswith("sum") or "about the CoM" in line]
    assert all(row.split()[-4 - ("N m" in row) :][:3] == ["0.000"] * 3 for row in rows)
    assert len(rows) == 2


def test_a_link_of_a_tree_has_the_reactions_of_all_its_children():
    body = dynamis.load("parallelogram").free_body("upper_arm", [1.2, 0.1])
    assert "(upper_arm)" in body.caption
    assert body.forces is not None
    assert [row[1] for row in body.forces.rows if row[1].startswith("−F")] == ["−F_4/1"]


def test_an_unknown_link_is_suggested():
    with pytest.raises(UnknownNameError, match='did you mean "link1"'):
        dynamis.load("bar-2r").free_body("lnk1")
