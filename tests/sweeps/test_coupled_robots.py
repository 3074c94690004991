"""Every quantity that is swept of robots with followers is that of their coordinates."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import DynamisError, Limits, Robot, box, sobol, sweep
from dynamis.sweeps.derived import DERIVED
from tests.support.special_robots import special_robot

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
SEEDS = st.integers(0, 2**32 - 1)
COUNT = 8


def strong(seed: int) -> Robot:
    """A special robot whose joints all have an effort."""
    robot = special_robot(seed)
    links = [
        replace(link, joint=replace(link.joint, limits=Limits(effort=40.0))) if link.joint.moves else link
        for link in robot.links
    ]
    return replace(robot, links=tuple(links))


OVER = {"q": box(1), "qd": box(1)}


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(sorted(DERIVED)))
def test_no_quantity_stumbles_over_followers(seed: int, name: str) -> None:
    """It is swept, or refused in a sentence."""
    robot = strong(seed)
    with suppress(DynamisError):
        assert len(sweep(robot, name, OVER, sobol(COUNT)).parts.measured(0, 0, COUNT)) == COUNT


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_power_and_effort_ratio_are_of_coordinates(seed: int) -> None:
    robot = strong(seed)
    for name, scale in (("power", None), ("effort_ratio", 1 / 40)):
        swept = sweep(robot, name, OVER, sobol(COUNT, seed=3))
        q, qd = np.split(swept.values(0, COUNT), 2, axis=1)
        tau = robot.inverse_dynamics(q, qd, np.zeros_like(q))
        expected = tau * (qd if scale is None else scale)
        np.testing.assert_allclose(swept.parts.measured(0, 0, COUNT), expected, rtol=1e-9, atol=1e-9)
