"""Points by their index: the sequences that they say they are, and the same wherever a range begins."""

import numpy as np
import pytest
from scipy.stats import qmc

from dynamis.apps.sweeps.draws.points import points_of
from dynamis.errors import ArgumentError
from dynamis.sweeps import Draw, grid, latin_hypercube, lattice, sobol


@pytest.mark.parametrize("dimensions", [1, 2, 7, 40])
def test_sobol_is_that_of_scipy(dimensions: int) -> None:
    peer = qmc.Sobol(dimensions, scramble=False, bits=52).random(4096)
    np.testing.assert_array_equal(points_of(sobol(4096), dimensions).rows(0, 4096), peer)


def test_far_out_too() -> None:
    peer = qmc.Sobol(5, scramble=False, bits=30)
    peer.fast_forward(3 * 2**20 + 77)
    np.testing.assert_array_equal(points_of(sobol(2**40), 5).rows(3 * 2**20 + 77, 3 * 2**20 + 1100), peer.random(1023))


def test_sobol_fills_elementary_boxes() -> None:
    """2^12 points from any multiple of 2^12 on: one in each of 2^12 slices of every axis, shifted or not."""
    for seed in (None, 5):
        x = points_of(sobol(2**45, seed), 9).rows(7 * 2**40, 7 * 2**40 + 2**12)
        assert (np.sort(np.floor(x * 2**12), axis=0) == np.arange(2**12)[:, None]).all()


def test_a_lattice_is_the_multiples_of_one_point() -> None:
    points = points_of(lattice(2**40), 4)
    a = points.rows(1, 2)[0]
    phi = np.roots([1, 0, 0, 0, -1, -1])
    real = phi[np.isreal(phi)].real.max()
    np.testing.assert_allclose(a, real ** -np.arange(1.0, 5), rtol=1e-12)
    x = points.rows(10**6, 10**6 + 2000)
    np.testing.assert_allclose(np.diff(x, axis=0) % 1, np.broadcast_to(a, (1999, 4)), atol=1e-12)


@pytest.mark.parametrize(("axis", "dimensions"), [(2, 1), (5, 3), (7, 6), (30000, 1), (10007, 2)])
def test_a_grid_has_every_combination_once(axis: int, dimensions: int) -> None:
    points = points_of(grid(axis), dimensions)
    assert points.count == axis**dimensions
    first = max(0, points.count - 40000)
    index = np.stack(np.unravel_index(np.arange(first, points.count), (axis,) * dimensions), -1)
    np.testing.assert_allclose(points.rows(first, points.count), index / (axis - 1), atol=1e-15)


@pytest.mark.parametrize("count", [1, 2, 1000, 4097])
def test_a_latin_hypercube_has_one_point_in_every_slice(count: int) -> None:
    x = points_of(latin_hypercube(count, seed=3), 4).rows(0, count)
    np.testing.assert_array_equal(
        np.sort(np.floor(x * count), axis=0), np.broadcast_to(np.arange(count)[:, None], x.shape)
    )
    if count > 100:
        assert np.abs(np.corrcoef(x.T) - np.eye(4)).max() < 0.15


@pytest.mark.parametrize("draw", [sobol(10**6), lattice(10**6, seed=1), latin_hypercube(10**6), grid(10)])
def test_any_split_gives_the_same_points(draw: Draw) -> None:
    points = points_of(draw, 6)
    whole = points.rows(500, 3500)
    parts = [points.rows(a, b) for a, b in [(500, 501), (501, 1024), (1024, 2049), (2049, 3500)]]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert (whole >= 0).all()
    assert (whole <= 1).all()


def test_too_many_points() -> None:
    with pytest.raises(ArgumentError, match=r"this grid has 1e\+30 points; a sweep has at most 2\^52"):
        points_of(grid(10**5), 6)
    with pytest.raises(ArgumentError, match=r"at most 2\^52"):
        sobol(10**16)
