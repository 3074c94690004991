"""Sweeps beside plain NumPy on stored arrays: every reduction, on random robots, however the work is split."""

import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import sweep
from dynamis.apps.sweeps.reductions import Totals
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import sweep_kernel
from dynamis.compute.ir.lanes import lanes_for
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import box, correlated, exceeds, grid, histogram, normal, quantile, sobol, triangular
from tests.support.strategies import Case, robots

KEEP = [
    "max", "argmax", "min", "argmin", "peak", "argpeak", "mean", "variance", "deviation", quantile(0.9, 50),
    exceeds(3.0), histogram(7, -2.0, 5.0),
]  # fmt: skip


def stored(swept: Any, case: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The states of a sweep, and the values in them by the robot's own verbs."""
    x = swept.values(0, swept.parts.points.count)
    n = swept.parts.robot.n
    return x, swept.parts.robot.inverse_dynamics(x[:, :n], x[:, n : 2 * n], np.zeros((len(x), n)))


@settings(max_examples=8, deadline=None)
@given(robots(joints=(1, 7)), st.integers(1, 5000))
def test_equal_to_numpy_on_random_robots(case: Case, count: int) -> None:
    robot = case.robot()
    assume(robot.n > 0)
    over = {"q": box(-2.5, 3.1), "qd": box(0.7)}
    swept = sweep(robot, "inverse_dynamics", over, sobol(count), {"z": ("tool.z", 5, -0.7, 0.9)}, KEEP)
    x, tau = stored(swept)
    z = robot.forward_kinematics(x[:, : robot.n])[..., 2, 3]
    place = (z + 0.7) / 1.6 * 5
    near = np.abs(place - np.rint(place)) < 1e-9  # the cell of a value at an edge may be either
    cells = np.where((z >= -0.7) & (z <= 0.9), np.ceil(place) - 1, -1)
    ds = swept.run()
    if not near.any():
        assert ds.attrs["outside"] == (cells < 0).sum()
        for k in range(5):
            compare(ds.isel(z=k), tau[cells == k], np.flatnonzero(cells == k), swept)
    compare(sweep(robot, "inverse_dynamics", over, sobol(count), keep=KEEP).run(), tau, np.arange(count), swept)


def compare(ds: Any, tau: np.ndarray, index: np.ndarray, swept: Any) -> None:
    assert ds["count"] == len(tau)
    if not len(tau):
        assert np.isnan(ds["max"]).all()
        assert (ds["argmax"] == -1).all()
        assert np.isnan(ds["mean"]).all()
        return
    scale = np.abs(tau).max() + 1e-9
    for name, plain in {
        "max": tau.max(0), "min": tau.min(0), "peak": np.abs(tau).max(0), "mean": tau.mean(0), "deviation": tau.std(0)
    }.items():  # fmt: skip
        np.testing.assert_allclose(ds[name], plain, atol=2e-8 * scale, err_msg=name)
    for name, plain in {"argmax": tau, "argmin": -tau, "argpeak": np.abs(tau)}.items():
        chosen = plain[np.searchsorted(index, ds[name].values), np.arange(tau.shape[1])]
        np.testing.assert_allclose(chosen, plain.max(0), atol=1e-12 * scale)
    safe = (np.abs(np.abs(tau) - 3) > 1e-9).all() and (np.abs((tau + 2) % 1) > 1e-9).all()
    if safe:
        np.testing.assert_allclose(ds["beyond_3"], (np.abs(tau) > 3).mean(0))
        bins = [np.histogram(column, [-np.inf, *np.arange(-2.0, 6), np.inf])[0] for column in tau.T]
        np.testing.assert_array_equal(ds["histogram"], bins)
    exact = np.sort(tau, 0)[int(np.ceil(0.9 * len(tau) - 1e-9)) - 1]
    inside = np.isfinite(ds["q90"].values)
    rounded = 1e-14 * scale  # sums of another order
    assert (
        np.abs(ds["q90"] - exact)[inside] <= np.multiply(ds["q90"].attrs["largest_error"], 1 + 1e-9) + rounded
    ).all()


def test_the_same_bits_on_any_threads_and_in_another_process() -> None:
    robot = dynamis.load("puma560")
    swept = sweep(
        robot, "inverse_dynamics", {"q": box(3), "qd": box(1)}, sobol(300_001), {"r": ("tool.radius", 9)}, KEEP
    )
    one = swept.run(threads=1)
    assert one.equals(swept.run(threads=3))
    assert one.equals(pickle.loads(pickle.dumps(swept)).run(threads=2))
    assert len(pickle.dumps(swept)) < 20_000


def test_totals_are_a_monoid() -> None:
    robot = dynamis.load("genova-2r")
    swept = sweep(robot, "inverse_dynamics", {"q": box(3)}, sobol(4096), {"q1": ("q.q1", 8)}, KEEP)

    def total(*parts: tuple[int, int]) -> Totals:
        whole = swept.parts.empty()
        for first, stop in parts:
            whole.merge(swept.parts.part(0, first, stop))
        return whole

    a, b, c = (0, 1024), (1024, 3072), (3072, 4096)
    left = total(a, b)
    left.merge(total(c))
    right, rest = total(a), total(b, c)
    right.merge(rest)
    nothing = total()
    nothing.merge(left)
    kinds = [fold.kind for fold in left.folds for _ in range(fold.arrays)]
    for kind, x, y, z in zip(kinds, left.arrays, right.arrays, nothing.arrays, strict=True):
        np.testing.assert_array_equal(x[:-1], z[:-1])
        if kind in ("sum", "squares"):
            np.testing.assert_allclose(x[:-1], y[:-1], rtol=1e-12, atol=1e-9)
        else:
            np.testing.assert_array_equal(x[:-1], y[:-1])


def test_values_that_are_run_through_and_the_state_that_did_it() -> None:
    robot = dynamis.load("ur5").with_payload(2.0)
    over = {"q": box("limits"), "payload.mass": [0, 1, 5], "qd.q2": box(0.5), "qdd": 0.3}
    swept = sweep(robot, "inverse_dynamics", over, sobol(5000), keep=["peak", "argpeak"])
    ds = swept.run()
    assert ds["peak"].dims == ("payload.mass", "value")
    assert ds["peak"].attrs["units"] == "N m"
    for mass in (0.0, 1.0, 5.0):
        at = ds.sel({"payload.mass": mass, "value": "q2"})
        state = swept.state(int(at["argpeak"]))
        assert state["qdd"].tolist() == [0.3] * 6
        assert (np.flatnonzero(state["qd"]) == [1]).all()
        held = dynamis.load("ur5").with_payload(mass)
        tau = held.inverse_dynamics(state["q"], state["qd"], state["qdd"])
        np.testing.assert_allclose(abs(tau[1]), at["peak"], rtol=1e-12)


def test_derived_values() -> None:
    robot = dynamis.load("ur5")
    x = sweep(robot, "largest_payload", {"q": box(3), "qd": box(1)}, sobol(64), keep=["min", "argmin"])
    q, qd = np.split(x.values(0, 64), 2, axis=1)
    payloads = x.parts.measured(0, 0, 64)
    for k in range(0, 64, 9):
        largest = payloads[k, 0]
        held = robot.with_payload(max(largest, 0.0))
        tau = held.inverse_dynamics(q[k], qd[k], np.zeros(6))
        effort = np.array([150, 150, 150, 28, 28, 28.0])
        assert largest > 0
        assert np.isclose((np.abs(tau) / effort).max(), 1.0, rtol=1e-9)
    power = sweep(robot, "power", {"q": box(3), "qd": box(1)}, sobol(64))
    np.testing.assert_allclose(
        power.parts.measured(0, 0, 64), robot.inverse_dynamics(q, qd, np.zeros((64, 6))) * qd, atol=1e-11
    )
    J = robot.jacobian(q)
    yoshikawa = np.sqrt(np.linalg.det(J @ J.transpose(0, 2, 1)).clip(0))
    np.testing.assert_allclose(
        sweep(robot, "manipulability", {"q": box(3), "qd": box(1)}).parts.measured(0, 0, 64)[:, 0], yoshikawa, atol=1e-9
    )


def test_the_gravity_of_a_two_link_arm_in_closed_form() -> None:
    """The peak torque of the first joint at rest is g (m1 lc1 + m2 (l1 + lc2)), stretched out."""
    robot = dynamis.load("genova-2r")
    swept = sweep(robot, "gravity_torque", {"q": box(-np.pi, np.pi)}, grid(1001), keep=["peak"])
    g = robot.gravity_torque(np.zeros(2))
    assert float(swept.run()["peak"][0]) <= abs(g[0]) * (1 + 1e-12)
    assert float(swept.run()["peak"][0]) >= abs(g[0]) * (1 - 1e-5)


def test_distributions() -> None:
    robot = dynamis.load("ur5")
    covariance = [[0.04, 0.03], [0.03, 0.09]]
    over = {
        "q": [0, -1, 1, 0, 0, 0], "forearm.mass": normal(2.0, 0.1), "wrist_1.mass": triangular(0.5, 1.0, 2.0),
        ("shoulder.mass", "upper_arm.mass"): correlated([3.7, 8.4], covariance),
    }  # fmt: skip
    x = sweep(robot, "gravity_torque", over, sobol(2**14, seed=1)).values(0, 2**14)
    np.testing.assert_allclose(x.mean(0), [2.0, 3.5 / 3, 3.7, 8.4], rtol=2e-3)
    np.testing.assert_allclose(np.cov(x[:, 2:].T), covariance, rtol=0.02)
    assert x[:, 1].min() > 0.5
    assert x[:, 1].max() < 2.0
    ds = sweep(robot, "gravity_torque", over, sobol(2**14, seed=1), keep=["mean", "deviation"]).run()
    masses = ["forearm.mass", "wrist_1.mass", "shoulder.mass", "upper_arm.mass"]
    tau = robot.compile("gravity_torque", parameters=masses)(over["q"], x)
    np.testing.assert_allclose(ds["mean"], tau.mean(0), atol=1e-10)
    np.testing.assert_allclose(ds["deviation"], tau.std(0), atol=1e-10)


def test_states_that_cannot_be_computed_are_counted() -> None:
    robot = dynamis.load("genova-2r")
    swept = sweep(robot, "manipulability", {"q": box(-1, 1)}, grid(5), keep=["max"])
    assert swept.run().attrs["not_finite"] == np.isnan(swept.parts.measured(0, 0, 25)).any(1).sum()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"quantity": "inverse_dynamic"}, 'unknown quantity "inverse_dynamic"; did you mean "inverse_dynamics"?'),
        ({"by": {"r": ("tool.raduis", 5)}}, 'unknown cell variable "tool.raduis"; did you mean "tool.radius"?'),
        ({"by": {"r": "tool.z"}}, "by['r'] must be (variable, bins[, least, greatest])"),
        ({"by": {"r": ("tool.z", 5, 2, 1)}}, "need least < greatest, got 2 and 1"),
        ({"by": {"a": ("tool.x", 9999), "b": ("tool.y", 9999)}}, "a map has at most 1e+07 cells"),
        ({"over": {"q": box("limits"), "forarm.mass": [1]}}, 'did you mean "forearm.mass"?'),
        ({"over": {"q": [0] * 6}}, "there is nothing to sweep"),
        ({"over": {"q": box([1, 2])}}, "the box of q has 2 bounds for 6 values"),
        ({"over": {"qdd": box("limits")}}, "qdd has no limits in a robot"),
        ({"over": {"q": box(1), "q.q1": box(2)}}, '"q.q1" is swept twice'),
        ({"keep": ["maximum"]}, 'unknown reduction "maximum"; did you mean "max"?'),
        ({"draw": grid(10**5)}, "this grid has 1e+60 points"),
    ],
)
def test_wrong_input(change: dict[str, Any], sentence: str) -> None:
    arguments = {"quantity": "inverse_dynamics", "over": {"q": box(1), "qd": box(1)}} | change
    with pytest.raises((ArgumentError, UnknownNameError)) as error:
        sweep(dynamis.load("ur5"), **arguments).explain()
    assert sentence in str(error.value)


def test_cells_are_stored_as_one_vector() -> None:
    """Lane by lane, the load of all of them would wait until the last is stored."""
    parts = sweep(dynamis.load("bar-2r"), "gravity_torque", {"q": box(1)}, by={"a": ("q.q1", 3)}).parts
    lanes = lanes_for("float64", machine.host())
    ir = sweep_kernel.module(parts.program(0).program, lanes, False, parts.box, parts.folds)
    assert len(re.findall(rf"store {lanes.vector} %\w+, ptr %p2,", ir)) == 1


def test_boxes() -> None:
    for bounds, sentence in {
        (1, 0): "this box is empty",
        ("limit",): "a box is box",
        (1, 2, 3): "a box is box",
    }.items():
        with pytest.raises(ArgumentError, match=sentence):
            box(*bounds)


def test_a_map_that_would_take_all_memory_is_refused() -> None:
    swept = sweep(
        dynamis.load("ur5"), "mass_matrix", {"q": box(1)}, by={"a": ("tool.x", 3000), "b": ("tool.y", 3000)}
    )  # fmt: skip
    with pytest.raises(ArgumentError, match="take fewer cells or fewer bins"):
        swept.run()


def test_what_is_run_through_has_a_unit_and_its_largest_case_is_drawn() -> None:
    robot = dynamis.load("ur5").with_payload(2.0)
    over, cells = {"q": box(3), "payload.mass": [3, 5, 0]}, {"r": ("tool.radius", 4), "z": ("tool.z", 4)}
    for word in ("peak", "min"):
        swept = sweep(robot, "gravity_torque", over, sobol(64), cells, [word, "mean"])
        ds = swept.run()
        assert ds["payload.mass"].attrs["units"] == "kg"
        report = swept.report(ds)
        assert "payload.mass [kg]" in str(report)
        assert report.figure().get_suptitle() == f"ur5: {word}, payload.mass = 5 kg"
