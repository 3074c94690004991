"""Pareto fronts: exact ones of points, those of sweeps beside them, and that they merge as a monoid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import sweep
from dynamis.apps.sweeps.fronts import pareto_indices
from dynamis.apps.sweeps.reductions import Totals
from dynamis.compute.ir.folds import Fold, Term
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import box, pareto, sobol

Rows = list[tuple[float, float]]
SMALL = st.integers(-3, 3).map(float)
POINTS = st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=40)


@given(POINTS)
def test_undominated_by_its_definition(points: Rows) -> None:
    u, w = np.array(points).T
    front = pareto_indices(u, w)
    beaten = [any(a >= x and b >= y and (a, b) != (x, y) for a, b in points) for x, y in points]
    assert {points[k] for k in front} == {p for p, out in zip(points, beaten, strict=True) if not out}
    assert (np.diff(u[front]) > 0).all()
    assert (np.diff(w[front]) < 0).all()


def test_the_front_of_a_sweep_is_that_of_its_states_to_one_bin() -> None:
    robot = dynamis.load("genova-2r")
    count = 5000
    swept = sweep(robot, ["gravity_torque", "tool"], {"q": box(3)}, sobol(count),
                  keep=[pareto("tool.radius", "-|gravity_torque.q1|", 40)])  # fmt: skip
    ds = swept.run()
    values = swept.parts.measured(0, 0, count)
    u, w = values[:, swept.parts.names.index("tool.radius")], -np.abs(values[:, 0])
    exact = pareto_indices(u, w)
    found, width = ds["front"].values * [1, -1], ds["front"].attrs["largest_error_of_first"]
    for k in exact:
        assert any(a > u[k] - width * (1 + 1e-9) and b >= w[k] - 1e-9 for a, b in found)
    for place, (a, b) in zip(ds["argfront"].values, found, strict=True):  # the state can be asked again
        np.testing.assert_allclose([u[place], w[place]], [a, b], atol=1e-12)
    assert ds["front"].attrs["first"] == "tool.radius"
    assert swept.run(threads=3).equals(ds)


TERMS = (Term(0, False, False), Term(1, False, False))
FOLDS = (
    Fold("count"), Fold("max"), Fold("min"), Fold("sum"), Fold("bins", (0.0, 1.0) * 2, 3),
    Fold("front", (0.0, 1.0), 3, TERMS),
)  # fmt: skip


def totals(rows: Rows, first: int) -> Totals:
    """What the machine makes of these values, in plain Python, in one cell."""
    x = Totals.empty(FOLDS, 1, 2, 2)
    count, high, argmax, low, argmin, total, bins, best, index, its = x.arrays
    for k, row in enumerate(rows, first):
        count[0] += 1
        total[0, :2] += row
        for j, value in enumerate(row):
            if value > high[0, j]:
                high[0, j], argmax[0, j] = value, k
            if value < low[0, j]:
                low[0, j], argmin[0, j] = value, k
            bins[0, j * 5 + min(max(int(np.floor(value)) + 1, 0), 4)] += 1
        place = min(max(int(np.floor(row[0])) + 1, 0), 4)
        if (row[1], row[0]) > (best[0, place], its[0, place]):
            best[0, place], index[0, place], its[0, place] = row[1], k, row[0]
    return x


def merged(*parts: Totals) -> Totals:
    whole = Totals.empty(FOLDS, 1, 2, 2)
    for part in parts:
        whole.merge(part)
    return whole


@settings(max_examples=60, deadline=None)
@given(POINTS, POINTS, POINTS)
def test_totals_are_a_monoid(a: Rows, b: Rows, c: Rows) -> None:
    x, y, z = totals(a, 0), totals(b, len(a)), totals(c, len(a) + len(b))
    whole = totals([*a, *b, *c], 0)
    for grouped in (merged(merged(x, y), z), merged(x, merged(y, z)), merged(merged(), x, y, z, merged())):
        for mine, other in zip(whole.arrays, grouped.arrays, strict=True):
            np.testing.assert_array_equal(mine, other)


def test_unknown_values_are_told_with_the_nearest() -> None:
    robot = dynamis.load("genova-2r")
    with pytest.raises(UnknownNameError, match=r'unknown value "tool\.radus"; did you mean "tool\.radius"'):
        sweep(robot, ["gravity_torque", "tool"], {"q": box(3)}, keep=[pareto("tool.radus", "tool.z")]).run()
    with pytest.raises(ArgumentError, match="a Pareto front is of two names of values, got 3"):
        pareto(3, "q1")  # type: ignore[arg-type]
