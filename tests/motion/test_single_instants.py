"""One instant of a trajectory: the same to the last bit as among thousands, whether q, qd, qdd are stacked or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis.motion.trajectories import piecewise
from tests.support.random_trajectories import KINDS, Drawn


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_one_instant_is_the_same_as_among_many(kind: str, seed: int) -> None:
    moving = Drawn(kind, seed).trajectory
    t = np.unique(np.concatenate([np.linspace(0, moving.duration, 512), moving.breaks]))
    for k in range(0, len(t), 37):
        for one, many in zip(moving.at(t[k : k + 1]), moving.at(t), strict=True):
            assert (one[0] == many[k]).all()
        assert all((x == y[0]).all() for x, y in zip(moving.at(float(t[k])), moving.at(t[k : k + 1]), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_long_motions_are_not_stacked(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their derivatives are computed when they are asked for, and are the same."""
    short, long = Drawn(kind, 7).trajectory, Drawn(kind, 7).trajectory
    t = np.linspace(-0.1, short.duration + 0.1, 1001)
    expected = short.at(t)
    monkeypatch.setattr(piecewise, "MAX_STACKED_COEFFICIENTS", 0)
    for one, other in zip(long.at(t), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13 * np.abs(other).max())
    assert short._stacked is not None
    assert long._stacked is None
