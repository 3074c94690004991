"""Climbs end where a search of another kind ends, in one call of the function per step for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import dynamis
from dynamis.simulation.controllers.batched_ascent import ASCENT_STEPS, ascend
from dynamis.simulation.controllers.gravity_bound import gravity_bound


@pytest.mark.parametrize("seed", range(6))
def test_hills_in_a_box(seed: int) -> None:
    """Concave, up to seven variables, the top inside or outside of the box."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    B = rng.normal(size=(n, n))
    A, top, high = B @ B.T + np.eye(n), rng.uniform(-1.5, 1.5, n), np.where(rng.uniform(size=n) < 0.5, 1.0, np.inf)

    def hill(x: Any) -> Any:
        return -np.einsum("...i,ij,...j->...", x - top, A, x - top)

    expected = minimize(lambda x: -hill(x), np.zeros(n), bounds=[(-1, h) for h in high], options={"ftol": 1e-15})
    ends = ascend(hill, rng.uniform(-1, 1, (5, n)), np.full(n, -1.0), high)
    assert (ends >= -1).all()
    assert (ends <= high).all()
    np.testing.assert_allclose(hill(ends), -expected.fun, rtol=1e-5, atol=1e-8)


def test_one_call_per_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stiffness of gravity of six joints is asked for in batches, and not pose by pose."""
    robot, batches = dynamis.load("puma560"), []
    derivatives = type(robot).inverse_dynamics_derivatives

    def counted(self: Any, q: Any, *rest: Any) -> Any:
        batches.append(len(q))
        return derivatives(self, q, *rest)

    monkeypatch.setattr(type(robot), "inverse_dynamics_derivatives", counted)
    gravity_bound(robot)
    assert len(batches) == ASCENT_STEPS + 3  # the first poses, the starts, and the ends
