"""Bodies that can exist: the optimum of the convex program, and its entropic prior."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.apps.identification.physical.nearest_bodies import available, nearest_bodies
from dynamis.apps.identification.physical.pseudo_inertia import BASIS, curvature, divergence, pseudo_inertia, ten_of
from dynamis.base.arrays import Array
from dynamis.identification import with_mass_error
from tests.support.logs import log

pytestmark = pytest.mark.skipif(not available(), reason="clarabel is not installed")


def body(seed: int) -> Array:
    """The pseudo-inertia of 20 random point masses."""
    rng = np.random.default_rng(seed)
    points = np.column_stack([0.3 * rng.normal(size=(20, 3)), np.ones(20)])
    return points.T @ (rng.uniform(0.1, 1, 20)[:, None] * points)


def slope(P: Array, P0: Array) -> Array:
    """dD/dpi."""
    return np.einsum("ij,kji->k", np.linalg.inv(P0) - np.linalg.inv(P), BASIS)


def test_divergence_is_a_distance_that_knows_no_frames() -> None:
    P, P0, T = body(1), body(2), np.eye(4)
    T[:3] = np.random.default_rng(3).normal(size=(3, 4))
    assert divergence(P, P) == pytest.approx(0, abs=1e-12)
    assert divergence(P, P0) > 0.01
    assert divergence(T @ P @ T.T, T @ P0 @ T.T) == pytest.approx(divergence(P, P0))
    step = 1e-5 * np.eye(10)
    numeric = [
        (divergence(pseudo_inertia(ten_of(P) + d), P0) - divergence(pseudo_inertia(ten_of(P) - d), P0)) / 2e-5
        for d in step
    ]
    np.testing.assert_allclose(slope(P, P0), numeric, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("entropy", [1e-3, 1.0, 1e3])
def test_the_exact_entropic_optimum(entropy: float) -> None:
    """Two bodies, of which the data tell five combinations: one more step of Newton's method gains nothing."""
    prior, rng = [body(4), body(5)], np.random.default_rng(6)
    A = rng.normal(size=(5, 20))
    b = A @ np.concatenate([ten_of(body(7)), ten_of(body(8))])
    start = np.concatenate([ten_of(P0) for P0 in prior])
    z = nearest_bodies(A.T @ A, -A.T @ b, prior, np.zeros((0, 20)), entropy)
    gains: list[float] = []
    for at in (start, z):
        gradient, curved = A.T @ (A @ at - b), A.T @ A
        for i, P0 in enumerate(prior):
            part = slice(10 * i, 10 * i + 10)
            P = pseudo_inertia(at[part])
            gradient[part] += entropy * slope(P, P0)
            curved[part, part] += 2 * entropy * curvature(P)
        gains.append(float(gradient @ np.linalg.solve(curved, gradient)) / 2)
    assert gains[1] < 1e-6 * gains[0]


def test_the_prior_is_entropic_not_its_second_order() -> None:
    """A mass that is told to be 100 times less stays positive, at the price of log 100 and not of 1/2."""
    H, P0 = np.zeros((10, 10)), np.eye(4)
    H[0, 0] = 1e8
    z = nearest_bodies(H, -H @ (0.01 * np.eye(10)[0]), [P0], np.zeros((0, 10)), 1.0)
    assert z[0] == pytest.approx(0.01, rel=0.02)
    assert divergence(pseudo_inertia(z), P0) == pytest.approx(0.01 - np.log(0.01) - 1, rel=1e-3)


def test_distances_of_a_fit_are_those_from_the_given_links() -> None:
    arm = dynamis.load("puma560")
    result = dynamis.identify(with_mass_error(arm, 20, seed=2), log(arm, noise=0.1, samples=800))
    assert result.physical is not None
    given = result.model.parameters()[:60].reshape(-1, 10)
    solid = [k for k, ten in enumerate(given) if np.linalg.eigvalsh(pseudo_inertia(ten)).min() > 1e-3]
    assert solid
    for k in solid:
        found = pseudo_inertia(result.parameters[10 * k : 10 * k + 10])
        assert result.physical.distances[k] ** 2 == pytest.approx(divergence(found, pseudo_inertia(given[k])), rel=1e-6)


def test_planar_links_have_no_rounding_out_of_their_plane() -> None:
    """A CoM of 1e-16 m beside the plane would stand in every formula of the identified robot."""
    arm = dynamis.load("bar-2r")
    result = dynamis.identify(arm, log(arm, noise=0.05, samples=400), cutoff=5)
    assert result.physical is not None
    ten = result.parameters[:20].reshape(2, 10)
    assert (ten[:, [3, 8, 9]] == 0).all(), ten
