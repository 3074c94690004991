"""Why figures of a torque budget are left out, and whether M is positive definite: held to the numbers of robots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import MissingMassError
from dynamis.motion.torque_budget.charts import meaningless
from dynamis.quantities.reference import plain
from tests.support.special_robots import special_robot, special_state

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=25)
@given(SEEDS, st.booleans())
def test_a_figure_is_left_out_for_the_reason_that_is_given(seed: int, masses: bool) -> None:
    x = special_state(seed, masses=masses)
    t = np.linspace(0, 1, 4)
    q = x.q + np.outer(t, x.qd)
    qd = np.broadcast_to(x.qd, q.shape)
    try:
        budget = dynamis.torque_budget(x.robot, (t, q, qd, 0 * q), loads=x.loads, gravity=x.gravity)
    except MissingMassError:
        return
    tau, bare = (
        plain(x.robot, "inverse_dynamics", q, qd, 0 * q, loads=x.loads, gravity=g)[0] for g in (x.gravity, False)
    )
    size = max(np.abs(tau).max(), np.abs(bare).max(), 1e-6)
    reasons = set(meaningless(budget).values())
    assert ("no joint moves" in reasons) == (not x.qd.any())
    if "all torques are zero" in reasons:
        assert np.abs(tau).max() <= 1e-9 * size
    if "gravity has no part in the torques" in reasons:
        assert np.abs(tau - bare).max() <= 1e-7 * size
    if "all torques without gravity are zero" in reasons:
        assert np.abs(bare).max() <= 1e-7 * size


@settings(max_examples=15)
@given(SEEDS, st.booleans())
def test_a_verdict_on_the_mass_matrix_holds(seed: int, masses: bool) -> None:
    robot = special_robot(seed, masses=masses, most=2)
    try:
        verdict = robot.equations(numeric=True, seconds=20).positive_definite()
    except MissingMassError:
        return
    M = plain(robot, "mass_matrix", np.random.default_rng(seed).uniform(-3, 3, (40, robot.n)))[0]
    least = np.linalg.eigvalsh(M)[:, 0] / np.abs(M).max()
    if verdict.holds:
        assert least.min() > 0
    singular = bool((np.abs(least) < 1e-13).all())
    assert not (singular and verdict.holds)
    try:
        robot.inverse_mass_matrix(np.zeros(robot.n) + 0.3)
        refused = False
    except MissingMassError:
        refused = True
    assert not (refused and verdict.holds)
    assert refused == singular
