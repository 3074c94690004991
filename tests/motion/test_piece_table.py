"""One instant of a trajectory, by the table of its pieces: the same to the last bit as among thousands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis.motion.trajectories.piece_table import FEW, PieceTable
from tests.motion.test_trajectories import KINDS, Drawn


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_one_instant_is_the_same_as_among_many(kind: str, seed: int) -> None:
    moving = Drawn(kind, seed).trajectory
    t = np.unique(np.concatenate([np.linspace(0, moving.duration, 2 * FEW), moving.breaks]))
    assert moving._table is not None
    for k in range(0, len(t), 37):
        for one, many in zip(moving.at(t[k : k + 1]), moving.at(t), strict=True):
            assert (one[0] == many[k]).all()
        assert all((x == y[0]).all() for x, y in zip(moving.at(float(t[k])), moving.at(t[k : k + 1]), strict=True))


def test_long_motions_go_without_a_table() -> None:
    t = np.linspace(0, 1, 60_001)
    assert PieceTable.of([t] * 6, [np.ones((60_000, 4))] * 6, [1.0] * 6) is None
