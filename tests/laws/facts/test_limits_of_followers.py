"""Limits of joints that follow others hold for them, whatever coordinates move them: on random coupled trees."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import DynamisError, Limits, Robot
from dynamis.arrays import Array
from dynamis.mechanics.coupling import coupling_matrix, joint_positions
from dynamis.model.joint_limits import joint_limits
from tests.support.special_robots import Special, special_state

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
SEEDS = st.integers(0, 2**32 - 1)


def coupled_state(seed: int) -> Special:
    """The first special state from this seed on whose robot has followers; all of these have limits."""
    x = next(x for k in range(seed, seed + 200) if (x := special_state(k)).robot.coupled)
    limits = Limits(-1.5, 1.8, 2.5)
    links = [
        replace(link, joint=replace(link.joint, limits=limits))
        if link.joint.coupling and link.joint.kind != "continuous"
        else link
        for link in x.robot.links
    ]
    return replace(x, robot=replace(x.robot, links=tuple(links)))


def beyond(robot: Robot, q: Array) -> Array:
    """How far every joint is beyond its own range, the most of some states."""
    limits, joints = joint_limits(robot, robot.joints), joint_positions(robot, q)
    return np.maximum(limits.lower - joints, joints - limits.upper).max(axis=0, initial=-inf)


@settings(max_examples=12)
@given(SEEDS)
def test_stops_hold_every_joint(seed: int) -> None:
    x = coupled_state(seed % 10_000)
    try:
        run = dynamis.simulate(x.robot, 0.3 * x.q, x.qd, duration=0.3)
    except DynamisError:
        return
    assert (beyond(x.robot, run.q) <= 1e-6).all()


@settings(max_examples=20)
@given(SEEDS)
def test_a_torque_budget_names_limits_that_are_exceeded_and_no_others(seed: int) -> None:
    """A joint beyond its range or speed has a note of its own or of the coordinate that it follows."""
    x = coupled_state(seed % 10_000)
    robot, t = x.robot, np.linspace(0, 1, 5)
    q = x.q + np.outer(t, x.qd)
    try:
        said = dynamis.torque_budget(robot, (t, q, np.broadcast_to(x.qd, q.shape), 0 * q)).sizing.beyond
    except DynamisError:
        assume(False)
    A, _ = coupling_matrix(robot)
    limits = joint_limits(robot, robot.joints)
    true: set[tuple[int | str, str]] = set()
    for j, (joint, row) in enumerate(zip(robot.joints, robot.couplings, strict=True)):
        who = joint.name if row.only is None else row.only[0] + 1
        true |= {(who, "position")} if beyond(robot, q)[j] > 1e-6 else set()
        true |= {(who, "velocity")} if np.abs(A[j] @ x.qd) > limits.velocity[j] + 1e-9 else set()
    assert {(who, what.split(" ")[-1]) for who, what, *_ in said if what != "effort"} == true
