"""Dask arrays whose lengths nobody knows yet, and dimensions of DataArrays that results have, too."""

from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import xarray as xr

import dynamis
from dynamis.errors import ArgumentError

ROBOT = dynamis.load("bar-2r")
Q, QD, QDD = np.random.default_rng(0).uniform(-2, 2, (3, 30, 2))
CUT = [da.from_array(x, chunks=(10, 1)) for x in (Q, QD, QDD)]
MASK, KEPT = CUT[0][:, 0] > 0, Q[:, 0] > 0


def refused(*_: Any, **__: Any) -> Any:
    raise AssertionError("a lazy array was computed")


@pytest.mark.parametrize("given", ["qd", "one qd", "float32"])
def test_a_mask_of_all_arguments(given: str) -> None:
    """States that a lazy mask chooses, beside others of the same mask and beside one state for all."""
    q, qd, qdd = (x[MASK] for x in CUT)
    expected = [Q[KEPT], QD[KEPT], QDD[KEPT]]
    if given == "one qd":
        qd, expected[1] = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    if given == "float32":
        q, qd, qdd = (x.astype(np.float32) for x in (q, qd, qdd))
    with dask.config.set(scheduler=refused):
        tau, motions = ROBOT.inverse_dynamics(q, qd, qdd), ROBOT.link_motions(q, qd, qdd)
    assert tau.dtype == (np.float32 if given == "float32" else np.float64)
    assert np.isnan(tau.shape[0])
    tolerance = 1e-4 if given == "float32" else 1e-12
    np.testing.assert_allclose(tau.compute(scheduler="sync"), ROBOT.inverse_dynamics(*expected), rtol=tolerance)
    acceleration = motions.com_acceleration.compute(scheduler="sync")
    np.testing.assert_allclose(acceleration, ROBOT.link_motions(*expected).com_acceleration, rtol=tolerance)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda q, qd, qdd: ROBOT.inverse_dynamics(q, qd[:7], qdd),
            "q, qd and qdd have shapes (30, 2), (7, 2), (30, 2), which do not fit together",
        ),
        (
            lambda q, qd, qdd: ROBOT.inverse_dynamics(q[MASK], QD, qdd[MASK]),
            "q has an unknown number of states, which cannot be put beside those of other arrays; call "
            "q.compute_chunk_sizes()",
        ),
        (
            lambda q, qd, qdd: ROBOT.inverse_dynamics(q[MASK], qd.rechunk((15, 2))[MASK.rechunk(15)], qdd[0]),
            "q has an unknown number of states",
        ),
        (
            lambda q, qd, qdd: ROBOT.gravity_torque(q[:, q[0] > 0]),
            "q must have one value per joint, got an unknown number of values",
        ),
        (
            lambda q, qd, qdd: ROBOT.mass_matrix(xr.DataArray(Q, dims=("joint_2", "joint"))),
            'the states have a dimension "joint_2", and so has the result of mass_matrix; rename it, as in '
            'q.rename(joint_2="state")',
        ),
        (lambda q, qd, qdd: ROBOT.reactions(xr.DataArray(q, dims=("link", "joint"))), "the states have a dimension"),
    ],
    ids=range(6),
)
def test_what_does_not_fit_is_a_sentence(ask: Callable[..., Any], sentence: str) -> None:
    with dask.config.set(scheduler=refused), pytest.raises(ArgumentError) as caught:
        ask(*CUT)
    assert str(caught.value).startswith(sentence)
