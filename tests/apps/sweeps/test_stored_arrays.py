"""The same reductions by plain Dask on arrays that are stored: what a sweep computes without storing anything."""

import dask.array as da
import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, sweep
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import box, exceeds, grid, histogram, sobol

ROBOT = dynamis.load("ur5")
COUNT = 150_000
OVER = {"q": box("limits"), "qd": box(1), "qdd": box(2)}


def test_dask_on_stored_arrays() -> None:
    keep = ["max", "argmax", "min", "mean", "variance", exceeds(20.0), histogram(9, -60, 60), "q99"]
    by = {"r": ("tool.radius", 6), "z": ("tool.z", 8)}
    swept = sweep(ROBOT, "inverse_dynamics", OVER, sobol(COUNT), by, keep)
    ds = swept.run()
    x = da.from_array(swept.values(0, COUNT), chunks=(40_000, 18))
    tau = ROBOT.inverse_dynamics(x[:, :6], x[:, 6:12], x[:, 12:])
    pose = ROBOT.forward_kinematics(x[:, :6])
    r, z = da.sqrt(pose[:, 0, 3] ** 2 + pose[:, 1, 3] ** 2), pose[:, 2, 3]
    sides = [(axis.least, axis.greatest, axis.bins) for axis in swept.parts.axes]
    cells = [da.digitize(v, np.linspace(a, b, n + 1)[1:-1]) for v, (a, b, n) in zip((r, z), sides, strict=True)]
    i, j, tau = da.compute(cells[0], cells[1], tau)
    number = i * 8 + j
    np.testing.assert_array_equal(ds["count"].values.ravel(), np.bincount(number, minlength=48))
    for cell in range(48):
        own, at = tau[number == cell], ds.isel(r=cell // 8, z=cell % 8)
        if not len(own):
            assert np.isnan(at["max"]).all()
            continue
        index = np.flatnonzero(number == cell)
        np.testing.assert_array_equal(at["max"], own.max(0))
        np.testing.assert_array_equal(at["min"], own.min(0))
        np.testing.assert_array_equal(at["argmax"], index[own.argmax(0)])
        np.testing.assert_allclose(at["mean"], own.mean(0), rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(at["variance"], own.var(0), rtol=1e-8, atol=1e-12)
        np.testing.assert_array_equal(at["beyond_20"], (np.abs(own) > 20).mean(0))
        edges = [-np.inf, *np.linspace(-60, 60, 10), np.inf]
        np.testing.assert_array_equal(at["histogram"], [np.histogram(column, edges)[0] for column in own.T])
        exact = np.sort(own, 0)[int(np.ceil(0.99 * len(own) - 1e-9)) - 1]
        assert (np.abs(at["q99"] - exact) <= np.multiply(at["q99"].attrs["largest_error"], 1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: sweep(ROBOT, "invers_dynamics", OVER), 'unknown quantity "invers_dynamics"; did you mean "inverse'),
        (lambda: sweep(ROBOT, "power", OVER, by={"r": ("tool.radus", 9)}), '"tool.radus"; did you mean "tool.radius"?'),
        (lambda: sweep(ROBOT, "power", {"q": box(1, -1)}), "this box is empty: its least value 1 is above"),
        (lambda: sweep(ROBOT, "power", {"q": box(1)}, grid(10**5)), "this grid has 1e+30 points; a sweep has at most"),
        (lambda: sweep(ROBOT, "power", {"q": box(1), "forarm.mass": [1]}), 'did you mean "forearm.mass"'),
        (lambda: sweep(ROBOT, "power", OVER, keep=["maks"]), 'unknown reduction "maks"; did you mean "max"?'),
        (lambda: sweep(ROBOT, "power", {"q.q7": box(1)}), 'unknown joint "q7" in "q.q7"'),
        (lambda: sweep(ROBOT, "power", {"qdd": 1.0}), "over has no box and no distribution"),
        (lambda: sweep(ROBOT, "power", OVER, by={"z": ("tool.z", 0)}), "bins of z must be a positive integer, got 0"),
        (lambda: sweep(ROBOT, "power", {**OVER, "forearm.mass": range(10**5)}), "1e+05 cases to run through"),
        (lambda: sweep(ROBOT, "power", {**OVER, "forearm.mass": range(5000)}, by={"z": ("tool.z", 9999)}).run(),
         "the results of 5000 cases need"),
        (lambda: sweep(ROBOT, "power", OVER).run(threads=0), "threads must be a positive integer, got 0"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_anything_runs(ask: object, sentence: str) -> None:
    with pytest.raises(DynamisError) as error:
        ask()  # type: ignore[operator]
    assert isinstance(error.value, ArgumentError | UnknownNameError)
    assert sentence in str(error.value)
